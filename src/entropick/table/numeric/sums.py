"""Sums over the rows of columns of numbers in memory."""

from functools import cached_property

import numpy as np
import scipy.sparse

from entropick import _core
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.table.codes import Target
from entropick.table.numeric.magnitude import bounds, tamed
from entropick.table.numeric.moments import Moments, compute_moments
from entropick.table.numeric.numbers import Numbers, dense_columns
from entropick.table.numeric.scaling import scaled


class CorrelationsOfRows:
    """`entropick.contracts.Correlations` of columns in memory; a sparse matrix stays sparse."""

    def __init__(self, values: Numbers) -> None:
        self._columns = scaled(values, "std")
        self._n_rows = values.shape[0]
        self._means = self._columns.mean(axis=0)  # dense columns have mean 0 already

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        products = self._columns[:, first].T @ self._columns[:, second]
        if isinstance(products, np.ndarray):
            products /= self._n_rows
        else:
            products = products.toarray() / self._n_rows
            products -= np.outer(self._means[first], self._means[second])
        return _correlation(products)


class SumsOfRows:
    """`entropick.contracts.NumberSums` of rows in memory."""

    def __init__(self, numbers: Numbers, target: Target | None, threads: Threads) -> None:
        self._numbers, self._target, self._threads = numbers, target, threads

    @cached_property
    def _values(self) -> Numbers:
        """The columns, scaled so that squares are finite."""
        n_rows = self._numbers.shape[0]
        if n_rows < 2:
            raise DataError(f"At least two rows are needed, got {counted(n_rows, 'sample')}.")
        return tamed(self._numbers)

    @property
    def _labels(self) -> Target:
        if self._target is None:
            raise AssertionError("sums over classes are asked for without a target")
        return self._target

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return bounds(self._numbers)

    def moments(self) -> Moments:
        target = self._target
        classes = () if target is None else (target.codes, target.n_classes)
        return compute_moments(self._values, self._threads, *classes)

    def correlations(self, columns: np.ndarray | None = None) -> CorrelationsOfRows:
        return CorrelationsOfRows(self._values if columns is None else self._values[:, columns])

    def target_correlations(self, by_number: bool) -> np.ndarray:
        target, values = self._labels, self._values
        labelled = np.flatnonzero(target.is_labelled)
        n = len(labelled)
        columns = scaled(values[labelled] if n < values.shape[0] else values, "std")
        codes = target.codes[labelled]
        if target.values is not None or by_number:
            numbers = codes.astype(np.float64) if target.values is None else target.values[labelled]
            wanted = scaled(tamed(numbers[:, None]), "std")
            return _correlation((columns.T @ wanted).ravel() / n)
        sizes = np.bincount(codes, minlength=target.n_classes)
        indicators = scipy.sparse.csr_array((np.ones(n), (codes, np.arange(n))), (target.n_classes, n))
        means = indicators @ columns
        means = means if isinstance(means, np.ndarray) else means.toarray()
        means = means / np.maximum(sizes, 1)[:, None]
        between = sizes / n @ (means - columns.mean(axis=0)) ** 2  # the total variance is 1
        return np.sqrt(np.minimum(between, 1.0))

    def count_tokens(self, class_means: np.ndarray, n_tokens: int) -> np.ndarray:
        values, of_classes = self._values, _core.ClassMoments(self._labels.codes, class_means.shape[1])
        n_rows, n_columns = values.shape
        tokens = np.zeros((n_columns, n_tokens), np.int64)

        def run(start: int, stop: int) -> None:
            columns = np.ascontiguousarray(dense_columns(values, start, stop))
            of_classes.count_tokens(columns, class_means[start:stop], tokens[start:stop])

        self._threads.run(run, n_columns, n_rows * 2e-9 * class_means.shape[1])
        return tokens


def _correlation(products: np.ndarray) -> np.ndarray:
    """Clip mean products of standardised columns to correlations, in place."""
    return np.clip(products, -1.0, 1.0, out=products)
