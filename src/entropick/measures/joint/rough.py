"""Rough sets: for how many rows the columns of a subset determine the class."""

from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick._base.threads import Threads
from entropick.contracts import COUNTED
from entropick.measures.base import OneObjective, SetMeasure
from entropick.table.table import Table

__all__ = ["RoughSet"]


class RoughSet(SetMeasure):
    """Share of rows whose class the columns S determine, against the size of S (F-RS, F-PRS).

    Minimises (1 − w)·t(S) − w·γ(S). γ(S) is the share of rows in groups of rows that are equal on S and of
    which at least `precision` are of one class: the dependency of rough set theory if that is 1, its
    probabilistic form below. t(S) is the share of columns in S, or the number of groups per row.

    Parameters
    ----------
    precision : float in (0, 1], default=1.0
        Smallest share of the largest class in a group that counts as certain.
    weight : float in [0, 1], default=0.9
        w, the weight of γ; 1 ignores t.
    against : {"size", "granules"}, default="size"
        What t is: "size" the share of the columns, "granules" the number of groups per row.

    References
    ----------
    Pawlak (1982), Rough sets.
    Cervante, Xue, Shang and Zhang (2013), Binary particle swarm optimisation and rough set theory for
    dimension reduction in classification.
    """

    needs = COUNTED
    default_search = "swarm"
    default_cut = "front"

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "precision": [Interval(Real, 0, 1, closed="right")],
        "weight": [Interval(Real, 0, 1, closed="both")],
        "against": [StrOptions({"size", "granules"})],
    }

    def __init__(self, precision: float = 1.0, weight: float = 0.9, against: str = "size") -> None:
        self.precision = precision
        self.weight = weight
        self.against = against

    def begin_sets(self, table: Table, threads: Threads) -> "RoughSetState":
        return RoughSetState(self, table)


class RoughSetState(OneObjective):
    """Number of rows of one class that a group of each size needs to be certain."""

    objectives = ("(1 − w)·size − w·γ",)

    def __init__(self, measure: RoughSet, table: Table) -> None:
        self._weight, self._against = measure.weight, measure.against
        self._counts = table.counts
        sizes = np.arange(table.n_rows + 1)
        # whole numbers, so that a share equal to the precision does not fail by rounding
        self._needed = np.ceil(measure.precision * sizes - 1e-9).astype(np.int64)
        self.is_monotone = measure.precision == 1 and measure.weight == 1
        self._n_columns = table.n_columns

    def values(self, subsets: np.ndarray) -> np.ndarray:
        """Values of whole subsets, as one column."""
        sums = self._counts.subset_majorities(subsets, self._needed)
        n_rows = self._counts.n_rows
        by_size = self._against == "size"
        cost = subsets.sum(axis=1) / self._n_columns if by_size else sums.n_groups / n_rows
        return ((1 - self._weight) * cost - self._weight * (sums.over_groups / n_rows))[:, None]
