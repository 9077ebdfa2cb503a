"""What columns look like beside the target, how much they share, and which could stand in for them.

All of it is asked of a table whose columns are levels already: that of a fit, or one made of X and y.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick._base.plain import to_plain
from entropick.contracts import Need
from entropick.measures.pairs.relevance import relevances
from entropick.measures.pairs.uncertainty import Uncertainties
from entropick.records.pairs import pairs_of
from entropick.records.selection import Selection
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import encode_target
from entropick.table.memory import MemoryTable, make_table
from entropick.table.readers.inputs import container_columns, container_rows, count_rows, is_lazy
from entropick.table.table import Table

MAX_COLUMNS = 20  # columns with a profile; fewer if there are more than four classes
MAX_LEFT_OUT = 10  # columns with a profile that were not selected; fewer if there are more than two classes
MAX_LEVELS = 12  # levels of a profile; the rarest are merged
MAX_CLASSES = 8  # classes of a profile, likewise
OTHERS = "others"
MAX_REDUNDANT = 30  # columns of the redundancy map
MAX_LEAKS = 5  # columns that are checked: a leak is selected early
MIN_ROWS, ROWS_PER_LEVEL = 20, 10  # with fewer, chance may determine the target
MAX_STAND_INS = 3  # per column
MIN_SHARED = 0.4  # a stand-in has at least this share of a column's information
MAX_VALUES = 1_000_000  # rows × columns of the sample in which stand-ins are searched,
MIN_SAMPLE = 1_000  # unless that would be fewer rows than these
MAX_ENCODED = 5_000_000  # rows × columns of a table that is encoded as a whole only to be described

Levels = list[dict[str, Any]]


@dataclass(frozen=True)
class Described:
    """What a result is described from.

    Attributes
    ----------
    table : the columns to describe, as levels
    sample : all columns, in all rows or in some: where stand-ins are searched
    """

    table: Table
    sample: Table

    @classmethod
    def by_fit(cls, table: Table) -> "Described | None":
        """That of the table of a fit; None unless each column became levels, in this process."""
        if not isinstance(table, MemoryTable) or Need.COUNTS not in table.needs or table.units.groups:
            return None
        return cls.of_table(table)

    @classmethod
    def of_table(cls, table: MemoryTable) -> "Described":
        """That of a table of all columns."""
        rows = _sampled(table.n_rows, table.n_columns)
        return cls(table, table if len(rows) == table.n_rows else table.rows(rows))

    @classmethod
    def of_values(
        cls,
        X: Any,
        y: Any,
        names: Sequence[str],
        shown: Sequence[str],
        *,
        rules: Rules,
        kind: str = "auto",
    ) -> "Described":
        """That of a table that was not counted: columns named `names`, of which `shown` are described.

        The target may be encoded already.
        If there are many values, only these are encoded in all rows. Lazy tables are searched for no others.
        """
        target = y if isinstance(y, Target) else encode_target(y, kind=kind, rules=rules)
        n_rows = count_rows(X)
        if not is_lazy(X) and n_rows * len(names) <= MAX_ENCODED:
            return cls.of_table(_counted(X, target, rules, names))
        chosen = [j for j, name in enumerate(names) if name in set(shown)]
        table = _counted(container_columns(X, np.array(chosen)), target, rules, [names[j] for j in chosen])
        if is_lazy(X):
            return cls(table, table)
        rows = _sampled(n_rows, len(names))
        sample = _counted(container_rows(X, rows), target.take_rows(rows), rules, names)
        return cls(table, sample)

    def profiles(self, names: Sequence[str], left_out: Sequence[str] = ()) -> dict[str, Any] | None:
        """Levels of the first `names` with class shares, or the mean target, of their rows; and stand-ins.

        Columns that were left out may follow.
        """
        names = names[: self._n_cards(MAX_COLUMNS, 4)]
        if not names and not left_out:
            return None
        target = self.table.target
        classes, codes = _frequent(_level_names(target.encoding), target.codes, MAX_CLASSES)
        n_classes = len(classes)
        all_stand_ins = [*self._stand_ins(names), *([] for _ in left_out)]
        names = [*names, *left_out]
        columns = [
            {
                "name": name, "levels": self._levels(j, target, codes, n_classes), "stand_ins": stand_ins,
                "left_out": name in left_out,
            }
            for name, j, stand_ins in zip(names, self._places(names), all_stand_ins, strict=True)
        ]  # fmt: skip
        values = target.values
        return {
            "classes": classes if values is None else None,
            "mean": None if values is None else to_plain(float(np.mean(values))),
            "columns": columns,
        }

    def pairs(self, selection: Selection) -> dict[str, Any] | None:
        """Information of pairs, from which the report selects again; None unless all columns were counted."""
        table, settings = self.table, selection.settings["measure"]["parameters"]
        is_whole = table.names == selection.names and len(table.names) > 1
        is_grouped = any(len(step.columns) > 1 for step in selection.steps)
        if not is_whole or is_grouped or table.per_target or not table.has_target or not selection.steps:
            return None
        return pairs_of(table, selection, settings.get("correction", "adjusted"))

    def left_out(self, names: Sequence[str]) -> list[str]:
        """The most informative columns besides these, chance taken off."""
        table, taken = self.table, set(names)
        ranked = np.argsort(-relevances(table.counts, "adjusted"), kind="stable").tolist()
        others = [table.names[j] for j in ranked if table.names[j] not in taken]
        return others[: self._n_cards(MAX_LEFT_OUT, 2)]

    def _n_cards(self, most: int, n_classes: int) -> int:
        """`most` for up to so many classes and fewer for more, since cards grow with the classes."""
        target = self.table.target
        n_shown = 1 if target.values is not None else min(target.n_classes, MAX_CLASSES)
        return min(most, n_classes * most // max(n_shown, 1))

    def redundancy(self, names: Sequence[str]) -> dict[str, Any] | None:
        """Mutual information of each pair of the first `names`, relative to its maximum.

        I(f;g) / min(H(f), H(g)); a constant column has 0 with all others, 1 with itself.
        """
        names = list(names[:MAX_REDUNDANT])
        if not names:
            return None
        places, shared = np.array(self._places(names)), Uncertainties(self.table.counts)
        shares = np.eye(len(names))
        for i, j in enumerate(places[:-1].tolist()):
            of_others = np.clip(shared.with_smaller(j, places[i + 1 :]), 0, 1)
            shares[i, i + 1 :] = shares[i + 1 :, i] = of_others
        return {"names": names, "values": shares.round(6).tolist()}

    def determining(self, names: Sequence[str]) -> list[str]:
        """Those of the first `names` whose levels, being few, determine the class alone."""
        table, found = self.table, []
        for name, j in zip(names, self._places(names[:MAX_LEAKS]), strict=False):
            n_levels = table.encodings[j].n_levels
            cells = table.levels(j).astype(np.int64) * table.target.n_classes + table.target.codes
            is_few = n_levels * ROWS_PER_LEVEL <= table.n_rows and table.n_rows >= MIN_ROWS
            if is_few and np.count_nonzero(np.bincount(cells)) == n_levels:
                found.append(name)
        return found

    def _places(self, names: Sequence[str]) -> list[int]:
        place = {name: j for j, name in enumerate(self.table.names)}
        return [place[name] for name in names]

    def _levels(self, j: int, target: Target, codes: np.ndarray, n_classes: int) -> Levels:
        """Rows of each level of a column, with what the target is there."""
        labels, levels = _frequent(_level_names(self.table.encodings[j]), self.table.levels(j), MAX_LEVELS)
        sizes = np.bincount(levels, minlength=len(labels))
        if target.values is None:
            summaries = _class_shares(levels, codes, sizes, n_classes)
        else:
            summaries = _means(levels, target.values, sizes)
        return [
            {"label": label, "n_rows": int(n_rows), **summary}
            for label, n_rows, summary in zip(labels, sizes, summaries, strict=True)
            if n_rows
        ]

    def _stand_ins(self, names: Sequence[str]) -> list[Levels]:
        """For each column, the other columns that share the most with it, beyond chance."""
        place = {name: j for j, name in enumerate(self.sample.names)}
        chosen = [place[name] for name in names]
        others = np.setdiff1d(np.arange(len(place)), chosen)
        if not len(others):
            return [[] for _ in names]
        shared_with = Uncertainties(self.sample.counts, "adjusted").with_column
        return [_most_shared(shared_with(j, others), others, self.sample.names) for j in chosen]


def _counted(X: Any, target: Target, rules: Rules, names: Sequence[str]) -> MemoryTable:
    return make_table(X, target, frozenset({Need.COUNTS}), rules=rules, names=names)


def _sampled(n_rows: int, n_columns: int) -> np.ndarray:
    """The rows of the sample: all, or every second, third, ..."""
    stride = min(-(-n_rows * n_columns // MAX_VALUES), n_rows // MIN_SAMPLE)
    return np.arange(0, n_rows, max(stride, 1))


def _level_names(encoding: ColumnEncoding) -> list[str]:
    """Labels of the levels of a column."""
    edges, levels = encoding.shown(encoding.edges), encoding.shown(encoding.levels)
    if edges is not None:
        ends = [_shown(edge) for edge in edges]
        names = [*(f"≤ {end}" for end in ends), f"> {ends[-1]}"] if ends else ["all"]
    else:
        names = [_shown(level) for level in levels or ()]
    return names + ["missing"] * (encoding.n_levels - len(names))


def _shown(value: Any) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.5g}" if abs(value) < 1e5 else f"{value:.0f}"
    return str(value).removesuffix(".000000").removesuffix("T00:00:00")  # of a time


def _frequent(names: list[str], codes: np.ndarray, n_max: int) -> tuple[list[str], np.ndarray]:
    """Keep the levels with the most rows, in their order, and merge the others."""
    if len(names) <= n_max:
        return names, codes
    kept = np.sort(np.argsort(-np.bincount(codes, minlength=len(names)), kind="stable")[: n_max - 1])
    new_code = np.full(len(names), len(kept))
    new_code[kept] = np.arange(len(kept))
    return [*(names[k] for k in kept), f"{len(names) - len(kept)} {OTHERS}"], new_code[codes]


def _class_shares(levels: np.ndarray, codes: np.ndarray, sizes: np.ndarray, n_classes: int) -> Levels:
    cells = np.bincount(levels.astype(np.int64) * n_classes + codes, minlength=len(sizes) * n_classes)
    shares = cells.reshape(len(sizes), n_classes) / np.maximum(sizes, 1)[:, None]
    return [{"shares": row.round(6).tolist()} for row in shares]


def _means(levels: np.ndarray, values: np.ndarray, sizes: np.ndarray) -> Levels:
    sums = np.bincount(levels, weights=values, minlength=len(sizes))
    return [{"mean": to_plain(float(mean))} for mean in sums / np.maximum(sizes, 1)]


def _most_shared(shared: np.ndarray, columns: np.ndarray, names: Sequence[str]) -> Levels:
    best = [k for k in np.argsort(-shared, kind="stable")[:MAX_STAND_INS] if shared[k] >= MIN_SHARED]
    return [{"name": names[columns[k]], "shared": round(float(shared[k]), 6)} for k in best]
