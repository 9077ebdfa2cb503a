"""Base of measures by the weights of a linear classifier: standardised columns, two classes at a time."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from entropick._base.threads import Threads, one_blas_thread
from entropick._base.ties import merged
from entropick.measures._shared.convergence import DIGITS, noted
from entropick.measures._shared.values import dense, first_copies, values_of
from entropick.measures.base import FixedScores, NumberRanking
from entropick.table.codes import Target
from entropick.table.numeric.scaling import is_constant, scaled
from entropick.table.table import Table

ZERO = 1e-9  # smaller weights, on standardised columns and relative to the largest, are solver noise


class LinearRanking(NumberRanking):
    """Base of the measures that score a column by the size of its weight in a linear classifier.

    Columns are standardised. More than two classes are handled one-vs-rest, and a column scores its largest
    weight. Constant columns and copies of earlier ones score 0.
    """

    default_cut = "threshold"
    zero_is_unused = True
    digits: ClassVar[float] = DIGITS  # scores that differ by a smaller share of the largest are equal

    def begin_steps(self, table: Table, threads: Threads) -> FixedScores:
        values = values_of(table)
        is_first = first_copies(values) == np.arange(values.shape[1])
        useful = np.flatnonzero(is_first & ~is_constant(values))
        scores, has_converged = np.zeros(values.shape[1]), True
        if len(useful):
            columns = standardised(values[:, useful])
            with one_blas_thread():
                for signs in against_all_others(table.target):
                    weights, has_settled = self._weights(columns, signs)
                    scores[useful] = np.maximum(scores[useful], _sizes(weights))
                    has_converged &= has_settled
        return FixedScores(table.units.best_of(merged(scores, self.digits)), noted(self, has_converged))

    @abstractmethod
    def _weights(self, columns: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, bool]:
        """The weight of each column, for classes −1 and 1, and whether the solver converged."""


def _sizes(weights: np.ndarray) -> np.ndarray:
    """Absolute weights; those that are only solver noise become 0."""
    sizes = np.abs(weights)
    return np.where(sizes > ZERO * max(1.0, sizes.max()), sizes, 0.0)


def standardised(values: np.ndarray) -> np.ndarray:
    """Scale columns to mean 0 and standard deviation 1; constant ones become 0, sparse ones dense."""
    found = scaled(dense(values), "std")
    assert isinstance(found, np.ndarray)
    return found


def against_all_others(target: Target) -> Iterator[np.ndarray]:
    """Each class as 1 and all others as −1; only the second of two classes, nothing for one class."""
    present = np.flatnonzero(target.class_sizes)
    if len(present) > 1:
        for label in present if len(present) > 2 else present[1:]:
            yield np.where(target.codes == label, 1.0, -1.0)
