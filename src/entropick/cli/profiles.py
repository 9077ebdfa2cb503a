"""Profiles of the selected columns against the target, leaks, and columns that could stand in."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick._base.plain import to_plain
from entropick._base.threads import Threads
from entropick.cli.prepare import Prepared
from entropick.counting.local import LocalCounts
from entropick.files.frames import collected, take
from entropick.measures.pairs.uncertainty import Uncertainties
from entropick.table import ColumnEncoding, Rules, Target, encode
from entropick.table.encoding.target import encode_target

MAX_COLUMNS = 20  # columns with a profile
MAX_LEVELS = 12  # levels of a profile; the rarest are merged
MAX_CLASSES = 8  # classes of a profile, likewise
OTHERS = "others"
MAX_LEAKS = 5  # columns that are checked: a leak is selected early
MIN_ROWS, ROWS_PER_LEVEL = 20, 10  # with fewer, chance may determine the target
SAME_ORDER = 0.999  # rank correlation above which a column has the order of a real target
MAX_STAND_INS = 3  # per column
MIN_SHARED = 0.4  # a stand-in has at least this share of a column's information
MAX_VALUES = 5_000_000  # rows × columns of the sample in which stand-ins are searched

Levels = list[dict[str, Any]]


def profiles_entry(prepared: Prepared, names: Sequence[str], rules: Rules) -> dict[str, Any] | None:
    """Levels of the first `names` with class shares, or the mean target, of their rows; and stand-ins."""
    names = list(names)[:MAX_COLUMNS]
    if not names:
        return None
    target = encode_target(prepared.y, kind=prepared.kind, rules=rules)
    table, encoding = encode(take(prepared.X, names), target, rules=rules)
    classes, codes = _frequent(_level_names(target.encoding), target.codes, MAX_CLASSES)
    columns = []
    for name, levels, column in zip(names, table, encoding.columns, strict=True):
        labels, levels = _frequent(_level_names(column), levels, MAX_LEVELS)
        sizes = np.bincount(levels, minlength=len(labels))
        if target.values is None:
            summaries = _class_shares(levels, codes, sizes, len(classes))
        else:
            summaries = _means(levels, target, sizes)
        found = [
            {"label": label, "n_rows": int(n_rows), **summary}
            for label, n_rows, summary in zip(labels, sizes, summaries, strict=True)
            if n_rows
        ]
        columns.append({"name": name, "levels": found})
    for entry, stand_ins in zip(columns, _stand_ins(prepared, names, rules), strict=True):
        entry["stand_ins"] = stand_ins
    values = target.values
    return {
        "classes": classes if values is None else None,
        "mean": None if values is None else to_plain(float(np.mean(values))),
        "columns": columns,
    }


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


def _means(levels: np.ndarray, target: Target, sizes: np.ndarray) -> Levels:
    sums = np.bincount(levels, weights=target.values, minlength=len(sizes))
    return [{"mean": to_plain(float(mean))} for mean in sums / np.maximum(sizes, 1)]


# -- leaks ---------------------------------------------------------------------------------------


def leaks(prepared: Prepared, names: Sequence[str], rules: Rules) -> list[str]:
    """Those of the first `names` that determine the target alone, by few levels or by their order."""
    names = list(names)[:MAX_LEAKS]
    if not names or prepared.n_rows < MIN_ROWS:
        return []
    X = collected(take(prepared.X, names))
    if prepared.kind == "real":
        return [name for name in X.select(cs.numeric()).columns if _has_order_of(X[name], prepared.y)]
    target = encode_target(prepared.y, kind=prepared.kind, rules=rules)
    table, _ = encode(X, target, rules=rules)
    are_few = table.n_levels * ROWS_PER_LEVEL <= table.n_rows
    joint = (codes.astype(np.int64) * target.n_classes + target.codes for codes in table)
    n_cells = np.array([np.count_nonzero(np.bincount(cells)) for cells in joint])
    return [names[k] for k in np.flatnonzero(are_few & (n_cells == table.n_levels))]


def _has_order_of(column: pl.Series, y: pl.Series) -> bool:
    pairs = pl.DataFrame({"column": column.cast(pl.Float64), "y": y.to_physical().cast(pl.Float64)})
    correlation = pairs.drop_nulls().select(pl.corr("column", "y", method="spearman")).item()
    return correlation is not None and abs(correlation) > SAME_ORDER


# -- stand-ins -----------------------------------------------------------------------------------


def _stand_ins(prepared: Prepared, names: Sequence[str], rules: Rules) -> list[Levels]:
    """For each column, the unselected columns that share the most with it, from a sample of the rows.

    Sharing is measured by symmetrical uncertainty, which is 1 if each determines the other.
    """
    if not isinstance(prepared.X, pl.DataFrame) or len(names) == len(prepared.names):
        return [[] for _ in names]
    n_rows = len(prepared.y)  # on a cluster, those of the sample
    rows = list(range(0, n_rows, -(-n_rows * len(prepared.names) // MAX_VALUES)))
    target = encode_target(prepared.y[rows], kind=prepared.kind, rules=rules)
    table, _ = encode(prepared.X[rows], target, rules=rules)
    index = {name: j for j, name in enumerate(prepared.names)}
    chosen = [index[name] for name in names]
    left_out = np.setdiff1d(np.arange(len(index)), chosen)
    with Threads() as threads:
        shared_with = Uncertainties(LocalCounts(table, threads)).with_column
        return [_most_shared(shared_with(j, left_out), left_out, prepared.names) for j in chosen]


def _most_shared(shared: np.ndarray, columns: np.ndarray, names: Sequence[str]) -> Levels:
    best = [k for k in np.argsort(-shared, kind="stable")[:MAX_STAND_INS] if shared[k] >= MIN_SHARED]
    return [{"name": names[columns[k]], "shared": round(float(shared[k]), 6)} for k in best]
