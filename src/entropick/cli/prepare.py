"""From a table to columns and a target: what is left out, what kind the target is, what is missing."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from entropick.cli.reading import Frame, Loaded, collected, height
from entropick.exceptions import DataError
from entropick.table.encode import counted
from entropick.table.target import target_kind

ROWS_LOOKED_AT_FIRST = 1000  # a value that comes twice among them is no id
FEWEST_ROWS_FOR_IDS = 20  # in fewer rows values may all differ by chance
MOST_SHOWN = 20  # classes, of a target
MOST_VALUES_HELD = 100_000_000  # of a table that is compared (800 MB of floats)


@dataclass(frozen=True)
class Prepared:
    """What goes into a selection.

    Attributes
    ----------
    loaded : the table as it was read
    X, y : columns and target, rows with a target only
    names, n_rows : of X
    target, kind : its name, and "class" or "real"
    n_classes : number of classes; None for a real target
    classes : the most frequent classes with their counts
    ignored : columns left out, with the reason
    notes : what the user should know, a sentence each
    """

    loaded: Loaded
    X: Frame
    y: pl.Series
    names: list[str]
    n_rows: int
    target: str
    kind: str
    n_classes: int | None
    classes: list[tuple[str, int]]
    ignored: list[tuple[str, str]]
    notes: list[str]


def prepare(
    loaded: Loaded,
    target: str | None = None,
    *,
    ignore: Sequence[str] = (),
    target_type: str = "auto",
    keep_ids: bool = False,
) -> Prepared:
    """Find the target, leave out what is no column to choose from, and say what was noticed."""
    frame, columns = loaded.frame, loaded.columns
    target = _find_target(loaded, target)
    for name in ignore:
        _check_name(name, columns, "--ignore")
    ignored = [(name, "asked for") for name in dict.fromkeys(ignore) if name != target]
    rest = [name for name in columns if name != target and name not in set(ignore)]
    n_rows = height(frame)
    ids = [] if keep_ids else _id_like(frame, rest, n_rows)
    ignored += [(name, "a different value in every row") for name in ids]
    rest = [name for name in rest if name not in set(ids)]
    if not rest:
        left_out = f" after {counted(len(ignored), 'column')} left out" if ignored else ""
        raise DataError(f"There is no column to choose from besides the target {target!r}{left_out}.")
    n_unlabelled = _missing_counts(frame, [target])[target]
    table = frame.filter(~_is_missing(frame, target)) if n_unlabelled else frame
    y, X = _column(table, target), table.select(rest)
    n_values = _distinct_values(y)
    kind = target_kind(y) if target_type == "auto" else target_type
    if kind == "class" and n_values == len(y) >= FEWEST_ROWS_FOR_IDS:
        raise DataError(f"The target {target!r} differs in every row. Hint: is it the right one?")
    n_classes, classes = (n_values, _classes(y)) if kind == "class" else (None, [])
    notes = [
        _class_note(target, n_values, classes)
        if kind == "class"
        else _real_note(target, n_values, target_type),
        *([f"{counted(n_unlabelled, 'row')} without a target left out."] if n_unlabelled else []),
        *(_id_note(name) for name in ids),
        *_missing_notes(X, rest),
    ]
    return Prepared(loaded, X, y, rest, len(y), target, kind, n_classes, classes, ignored, notes)


def _find_target(loaded: Loaded, target: str | None) -> str:
    columns = loaded.columns
    if target is None:
        if loaded.target is None:
            shown = ", ".join(map(repr, columns[:10])) + (", ..." if len(columns) > 10 else "")
            raise DataError(f"Which column is to be predicted? Hint: --target with one of {shown}")
        return loaded.target
    _check_name(target, columns, "--target")
    return target


def _check_name(name: str, columns: Sequence[str], option: str) -> None:
    if name in columns:
        return
    by_lower = {column.lower(): column for column in columns}
    near = difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.4)
    shown = [by_lower[key] for key in near] or list(columns[:5])
    guess = f"did you mean {' or '.join(map(repr, shown))}?" if near else f"the first are {shown}."
    raise DataError(f"{option} names {name!r}, which is none of the {len(columns)} columns. Hint: {guess}")


def _column(frame: Frame, name: str) -> pl.Series:
    return collected(frame.lazy().select(name)).to_series()


def _is_missing(frame: Frame, name: str) -> pl.Expr:
    missing = pl.col(name).is_null()
    is_float = frame.collect_schema()[name].is_float()
    return missing | pl.col(name).is_nan().fill_null(False) if is_float else missing


def _missing_counts(frame: Frame, names: Sequence[str]) -> dict[str, int]:
    counts = frame.lazy().select(_is_missing(frame, name).sum().alias(name) for name in names)
    return dict(zip(names, collected(counts).row(0), strict=True))


def _id_like(frame: Frame, names: Sequence[str], n_rows: int) -> list[str]:
    """Columns where each row has a value of its own, as row numbers and names do; measurements may too."""
    if n_rows < FEWEST_ROWS_FOR_IDS:
        return []
    head = frame.lazy().select(names).head(ROWS_LOOKED_AT_FIRST).collect()
    return [
        name
        for name in names
        if _may_be_id(head[name]) and (n_rows == head.height or _column(frame, name).n_unique() == n_rows)
    ]


def _may_be_id(series: pl.Series) -> bool:
    if series.dtype.is_float() or series.dtype.is_nested() or series.dtype in (pl.Boolean, pl.Null):
        return False
    return series.n_unique() == len(series)


def _distinct_values(y: pl.Series) -> int:
    """Number of distinct values of the target, which must have two or more."""
    if y.dtype.is_nested():
        raise DataError(f"The target {y.name!r} holds lists, which are neither classes nor numbers.")
    if not len(y):
        raise DataError(f"The target {y.name!r} has no value in any row.")
    n_values = y.n_unique()
    if n_values < 2:
        raise DataError(
            f"The target {y.name!r} has one value only ({y[0]}), so no column can tell anything about it."
        )
    return n_values


def _classes(y: pl.Series) -> list[tuple[str, int]]:
    counts = y.alias("label").value_counts(sort=True, name="n_rows").head(MOST_SHOWN)
    return [(str(label), int(n_rows)) for label, n_rows in counts.iter_rows()]


def _class_note(target: str, n_classes: int, classes: list[tuple[str, int]]) -> str:
    shown = ", ".join(f"{label} ({n_rows})" for label, n_rows in classes[:5])
    more = ", ..." if n_classes > 5 else ""
    return f"The target {target!r} holds {n_classes} classes: {shown}{more}."


def _real_note(target: str, n_values: int, target_type: str) -> str:
    way_out = " (--target-type class makes each a class)" if target_type == "auto" else ""
    return f"The target {target!r} holds real values, {n_values} distinct ones{way_out}."


def _id_note(name: str) -> str:
    return f"Column {name!r} left out: every row has a different value (--keep-ids takes it in)."


def _missing_notes(X: Frame, names: Sequence[str]) -> list[str]:
    missing = [(name, n) for name, n in _missing_counts(X, names).items() if n]
    if not missing:
        return []
    total = sum(n for _, n in missing)
    shown = ", ".join(f"{name!r} ({n})" for name, n in sorted(missing, key=lambda item: -item[1])[:3])
    more = ", ..." if len(missing) > 3 else ""
    return [
        f"{counted(total, 'missing value')} in {counted(len(missing), 'column')}: {shown}{more}; "
        "they count as a level of their own."
    ]


def held_in_memory(prepared: Prepared, seed: int) -> tuple[pl.DataFrame, pl.Series]:
    """The columns and the target in memory; of a table too large for that, rows drawn at random."""
    most_rows = max(MOST_VALUES_HELD // len(prepared.names), 1)
    if prepared.n_rows <= most_rows:
        return collected(prepared.X.lazy()), prepared.y
    drawn = np.random.default_rng(seed).choice(prepared.n_rows, most_rows, replace=False)
    is_drawn = np.zeros(prepared.n_rows, bool)
    is_drawn[drawn] = True
    X = collected(prepared.X.lazy().filter(pl.lit(pl.Series(is_drawn))))
    return X, prepared.y.filter(is_drawn)


def data_part(prepared: Prepared) -> dict[str, Any]:
    """What a document says about the data."""
    return {
        "source": prepared.loaded.source,
        "n_rows": prepared.n_rows,
        "n_columns": len(prepared.names),
        "target": {
            "name": prepared.target,
            "kind": prepared.kind,
            "n_classes": prepared.n_classes,
            "classes": [[label, n_rows] for label, n_rows in prepared.classes],
        },
        "ignored": [{"name": name, "reason": reason} for name, reason in prepared.ignored],
        "notes": prepared.notes,
    }
