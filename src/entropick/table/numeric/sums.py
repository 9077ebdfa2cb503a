"""Sums over the rows of columns of numbers in memory."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from entropick import _core
from entropick._base.race import SumRace
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.table.codes import Target
from entropick.table.numeric.magnitude import bounds, exponents_of, tamed
from entropick.table.numeric.moments import Moments, compute_moments, moments_by_row
from entropick.table.numeric.numbers import Numbers, dense_columns
from entropick.table.numeric.scaling import is_constant, is_narrow, scaled


class CorrelationsOfRows:
    """`entropick.contracts.Correlations` of columns in memory; a sparse matrix stays sparse.

    Parameters
    ----------
    values : the columns
    columns : the same columns, if they are dense and may take part in a race
    is_complete : whether no candidate is ever left out
    """

    def __init__(
        self, values: Numbers, columns: "NumberColumns | None" = None, is_complete: bool = False
    ) -> None:
        self._values, self._n_rows = values, values.shape[0]
        self._racing, self._is_complete = columns, is_complete

    @cached_property
    def _columns(self) -> Numbers:
        return scaled(self._values, "std")

    @cached_property
    def _means(self) -> np.ndarray:
        return np.asarray(self._columns.mean(axis=0))  # dense columns have mean 0 already

    def between(self, first: slice | list[int], second: slice | list[int]) -> np.ndarray:
        products = self._columns[:, first].T @ self._columns[:, second]
        if isinstance(products, np.ndarray):
            products /= self._n_rows
        else:
            products = products.toarray() / self._n_rows
            products -= np.outer(self._means[first], self._means[second])
        return _correlation(products)

    def race(self, relevance: np.ndarray, weight: float, most: float) -> SumRace | None:
        if self._racing is None:
            return None
        return self._racing.race(relevance, weight, most, self._is_complete)


class NumberColumns:
    """Dense columns and their means and spreads, read once; correlations are the same on every processor.

    Parameters
    ----------
    values : (rows, columns), in column order
    threads : threads
    """

    def __init__(self, values: np.ndarray, threads: Threads) -> None:
        self.values, self._threads = values, threads
        low, high, means, deviations = self._spreads()
        exponents = exponents_of(low, high)
        if exponents.any():
            self.values = tamed(values, exponents)
            low, high, means, deviations = self._spreads()
        is_varying = ~is_narrow(low, high) & (deviations > 0)
        factors = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=is_varying)
        self._compiled = _core.NumberColumns(self.values.T, means, factors)

    def _spreads(self) -> np.ndarray:
        """The smallest and largest values, means and standard deviations; (4, columns)."""
        n_rows, n_columns = self.values.shape
        columns, found = self.values.T, np.empty((n_columns, 4))

        def run(start: int, stop: int) -> None:
            _core.spreads(columns[start:stop], found[start:stop])

        self._threads.run(run, n_columns, n_rows * 2e-9)
        return np.ascontiguousarray(found.T)

    def with_values(self, values: np.ndarray) -> np.ndarray:
        """Correlations of all columns with standardised values."""
        found = np.empty(self.values.shape[1])

        def run(start: int, stop: int) -> None:
            self._compiled.correlations(values, start, found[start:stop])

        self._threads.run(run, len(found), len(values) * 1e-9)
        return found

    def race(self, relevance: np.ndarray, weight: float, most: float, is_complete: bool) -> SumRace:
        race = _core.CorrelationRace(self._compiled, relevance, weight, most)
        return SumRace(race, self._threads, self.values.shape[0] * 1e-9, is_complete=is_complete)


class SumsOfRows:
    """`entropick.contracts.NumberSums` of rows in memory.

    Parameters
    ----------
    numbers : the columns, or what reads them
    target : may have rows without a label
    threads : threads
    is_summed : whether scores are summed over several targets, so that no candidate may be left out
    table : X as it was passed, of which moments are computed without reading the columns where possible
    """

    def __init__(
        self,
        numbers: Numbers | Callable[[], Numbers],
        target: Target | None,
        threads: Threads,
        is_summed: bool = False,
        table: object = None,
    ) -> None:
        self._given, self._target, self._threads, self._is_summed = numbers, target, threads, is_summed
        self._table = table

    @cached_property
    def numbers(self) -> Numbers:
        """The columns."""
        return self._given() if callable(self._given) else self._given

    @cached_property
    def _values(self) -> Numbers:
        """The columns, scaled so that squares are finite."""
        n_rows = self.numbers.shape[0]
        if n_rows < 2:
            raise DataError(f"At least two rows are needed, got {counted(n_rows, 'sample')}.")
        return tamed(self.numbers) if self._columns is None else self._columns.values

    @cached_property
    def _columns(self) -> NumberColumns | None:
        """Dense columns with their spreads."""
        return NumberColumns(self.numbers, self._threads) if isinstance(self.numbers, np.ndarray) else None

    @property
    def _labels(self) -> Target:
        if self._target is None:
            raise AssertionError("sums over classes are asked for without a target")
        return self._target

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        return bounds(self.numbers)

    def moments(self) -> Moments:
        target = self._target
        classes = () if target is None else (target.codes, target.n_classes)
        found = moments_by_row(self._table, self._threads, *classes) if classes else None
        return found or compute_moments(self._values, self._threads, *classes)

    def correlations(self, columns: np.ndarray | None = None) -> CorrelationsOfRows:
        if columns is not None:
            return CorrelationsOfRows(self._values[:, columns])
        return CorrelationsOfRows(self._values, self._columns, self._is_summed)

    def target_correlations(self, by_number: bool) -> np.ndarray:
        target, values, columns = self._labels, self._values, self._columns
        labelled = np.flatnonzero(target.is_labelled)
        if len(labelled) < values.shape[0]:
            values = values[labelled]
            columns = None if columns is None else NumberColumns(np.asfortranarray(values), self._threads)
        codes = target.codes[labelled]
        if target.values is not None or by_number:
            numbers = codes.astype(np.float64) if target.values is None else target.values[labelled]
            wanted = scaled(tamed(numbers[:, None]), "std")[:, 0]
            if columns is not None:
                return columns.with_values(wanted)
            return _correlation(scaled(values, "std").T @ wanted / len(labelled))
        found = compute_moments(values, self._threads, codes, target.n_classes)
        between = (found.class_means - found.mean[:, None]) ** 2 @ (found.class_counts / len(labelled))
        is_varying = ~is_constant(values) & (found.variance > 0)
        share = np.divide(between, found.variance, out=np.zeros_like(between), where=is_varying)
        return np.sqrt(np.minimum(share, 1.0))

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
