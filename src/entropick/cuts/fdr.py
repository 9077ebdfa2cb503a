"""Columns with a stated rate of false discoveries."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from entropick._base.compat import Interval, StrOptions
from entropick.contracts import Judge, Need
from entropick.cuts.base import Cut, PlainJudge, Run
from entropick.inference.dependent_rows import check_independent
from entropick.inference.given import GivenColumns
from entropick.inference.multiplicity import METHODS, q_values
from entropick.inference.relevance import Relevances
from entropick.records.selection import Step
from entropick.table.table import Table


class Fdr(Cut):
    """Keep columns of which at most a share of `q` are false on average.

    Each column is tested for independence of y: by a G-test, or by the distribution of tables with the same
    margins where fewer than ten rows are expected in a cell, or y and the column have two levels each. Only
    columns with a q-value of at most `q` are selected.

    A measure that ranks columns, such as MIM, keeps every column that depends on y. A measure that goes from
    column to column, such as JMI, keeps columns that also depend on y given each selected column, given
    those selected columns jointly that say most about it, as many as there are five rows for each of their
    joint levels, and given all selected columns if their effects add up. The p-value is the largest of these
    tests. A column that later ones explain is dropped again. What strata say is added up
    (Cochran–Mantel–Haenszel), so that many strata cost little power.

    A false column is one that is independent of y, or, after a path, independent of y given the other columns
    that are kept. One that is correlated with a cause which was not found is not false in that sense.

    Limits: tests see binned columns, so a column that is correlated with a cause can depend on y given the
    bins of that cause. A column that depends on y only together with another one (XOR) is not
    found. Rows are taken as independent. Columns binned by the target (MDLP) are rejected.

    Parameters
    ----------
    q : float in (0, 1), default=0.05
        False discovery rate.
    method : {"bh", "by"}, default="bh"
        Benjamini–Hochberg, or Benjamini–Yekutieli, which holds for columns that depend on each other in any
        way, and keeps fewer.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate. Benjamini and Yekutieli (2001), The
    control of the false discovery rate in multiple testing under dependency.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.make_corral()
    >>> ep.MIM(n_features=ep.cuts.Fdr(q=0.1)).fit(X, y).selection_.selected_names
    ['x5', 'x0', 'x1', 'x2', 'x3']
    """

    rule = "keeps columns with a stated rate of false discoveries"
    uses_target = True
    needs_path = True

    needs = frozenset({Need.COUNTS})

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "q": [Interval(Real, 0, 1, closed="neither")],
        "method": [StrOptions(set(METHODS))],
    }

    def __init__(self, q: float = 0.05, method: str = "bh") -> None:
        self.q = q
        self.method = method

    def check(self, table: Table) -> None:
        self._require_target(table)
        self._require_levels_without_target(table)

    def begin(self, run: Run) -> Judge:
        check_independent(run.table, "Fdr")
        is_ranking = run.state.fixed_scores is not None
        return _Discoveries(self, run.table, None if is_ranking else GivenColumns(run.table.counts))


class _Discoveries(PlainJudge):
    """Admits columns with small q-values; p-values rise as columns are selected that explain others."""

    steers = True

    def __init__(self, cut: Fdr, table: Table, given: GivenColumns | None) -> None:
        self._level, self._method, self._given = cut.q, cut.method, given
        self._p_values = Relevances.of(table.column_counts, np.arange(table.n_columns)).p_values.copy()
        self._is_open = np.ones(table.n_columns, bool)
        self._selected: list[int] = []
        self._fixed: set[int] = set()
        self._update()

    def _update(self) -> None:
        self._q_values = q_values(self._p_values, self._method)
        self._is_admitted = self._q_values <= self._level

    def admitted(self, candidates: np.ndarray) -> np.ndarray:
        return np.asarray(candidates[self._is_admitted[candidates]])

    def look(self, step: Step) -> Step:
        column = step.column
        self._is_open[column] = False
        if step.fixed:
            self._fixed.add(column)
        elif self._given is not None:
            self._retest([column], self._given)
        if not step.fixed:
            p_value, q_value = float(self._p_values[column]), float(self._q_values[column])
            step = step.annotated(p_value=p_value, q_value=q_value)
            if self._given is not None and not self._is_admitted[column]:
                return step.annotated(dropped=(*step.dropped, column))
        self._selected.append(column)
        if self._given is None:
            return step
        self._explain(column, self._given)
        return step.annotated(dropped=(*step.dropped, *self._fallen()))

    def _explain(self, column: int, given: GivenColumns) -> None:
        """Test all other columns that are still admitted given a new one."""
        others = np.flatnonzero(self._is_admitted)
        others = others[others != column]
        self._p_values[others] = np.maximum(self._p_values[others], given.p_values(column, others))
        self._retest([j for j in self._selected if j != column], given)

    def _retest(self, columns: Sequence[int], given: GivenColumns) -> None:
        """Test columns given all other selected ones."""
        for column in columns:
            p_value = given.p_value(column, [j for j in self._selected if j != column])
            self._p_values[column] = max(self._p_values[column], p_value)
        self._update()

    def _fallen(self) -> list[int]:
        """Selected columns that are no longer admitted."""
        return [j for j in self._selected if not self._is_admitted[j] and j not in self._fixed]

    def forget(self, path: list[Step]) -> list[Step]:
        self._selected = [step.column for step in path]
        return path

    def is_done(self, path: Sequence[Step]) -> bool:
        return not (self._is_admitted & self._is_open).any()

    def keep(self, path: Sequence[Step]) -> int:
        admitted = [step.fixed or bool(self._is_admitted[step.column]) for step in path]
        return admitted.index(False) if False in admitted else len(path)
