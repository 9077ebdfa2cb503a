"""Tables read by the workers of a cluster; the client reads only the target and a sample of rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick._base.wording import quoted
from entropick.cli.prepare import (
    ASKED_FOR,
    MAX_SHOWN,
    Prepared,
    check_fixed,
    check_ignored,
    class_note,
    columns_left,
    find_target,
    kind_of_target,
    left_out,
    left_out_notes,
    real_note,
)
from entropick.exceptions import DataError
from entropick.files.frames import Frame, collected, column, gaps_as_nulls, take
from entropick.files.reading import Loaded
from entropick.table.encoding.target import are_labels, has_fractions, read_target
from entropick.table.notes import CONSTANT, DISTINCT_SHARE, IDENTIFIER, Note, find_notes
from entropick.table.readers.scan import Scan, ScannedColumn, scan

SAMPLE_ROWS = 50_000  # for the redundancy map, and to find constants and identifiers
MAX_VALUES = 1_000_000  # sampled from a column to check whether all rows differ


@dataclass(frozen=True)
class Scanned:
    """Candidates and target, which stay in their files, and their description."""

    X: Scan
    y: ScannedColumn
    prepared: Prepared


def prepare_scanned(
    files: str,
    target: str | None,
    *,
    ignore: Sequence[str] = (),
    fixed: Sequence[str] = (),
    target_type: str = "auto",
    keep_ids: bool = False,
) -> Scanned:
    """Split Parquet files into candidates and target, drop unusable columns, and collect notes.

    Parameters
    ----------
    files : a file, a directory, or a pattern
    target : name of a column
    ignore : columns to leave out
    fixed : columns to keep, even if they look unusable
    target_type : "auto", "class" or "real"
    keep_ids : whether to keep columns that look like identifiers
    """
    table = scan(files)
    lazy = pl.scan_parquet(list(dict.fromkeys(piece.path for piece in table.pieces)), glob=False)
    loaded = Loaded(files, lazy)
    target = find_target(loaded, target)
    check_ignored(ignore, loaded, [target])
    check_fixed(fixed, loaded, [target], ignore)
    ignored = dict.fromkeys(ignore, ASKED_FOR)
    columns = columns_left([name for name in table.columns if name != target], ignored, target)
    values = collected(take(lazy, [target]).rename({target: "value"}).group_by("value").len(name="n_rows"))
    kind = _kind(values) if target_type == "auto" else kind_of_target(values["value"], target, target_type)
    n_rows, n_values = len(table), values.height
    if n_values < 2:
        raise DataError(
            f"The target {quoted(target)} has only one value, so no column can be informative about it."
        )
    top = values.sort("n_rows", "value", descending=[True, False]).head(MAX_SHOWN)
    classes = [(str(label), int(n)) for label, n in top.iter_rows()] if kind == "class" else []
    note = (
        class_note(target, n_values, classes) if kind == "class" else real_note(target, n_values, target_type)
    )
    sample = collected(take(lazy.head(SAMPLE_ROWS), [*columns, target]))
    X = gaps_as_nulls(take(sample, columns))
    whole = gaps_as_nulls(take(lazy, columns))
    found = [note for note in find_notes(X) if _is_in_all_rows(note, X, whole, n_rows)]
    ignored |= left_out(found, fixed, keep_ids)
    names = columns_left(columns, ignored, target)
    notes = [note, *left_out_notes(ignored)]
    if n_rows > SAMPLE_ROWS:
        notes.append(f"Redundancy between columns is estimated from the first {SAMPLE_ROWS} rows.")
    prepared = Prepared(
        loaded=loaded,
        frame=sample,
        X=take(X, names),
        y=sample[target],
        names=names,
        n_rows=n_rows,
        target=target,
        kind=kind,
        n_classes=n_values if kind == "class" else None,
        classes=classes,
        ignored=list(ignored.items()),
        notes=notes,
    )
    return Scanned(table.select(names), table[target], prepared)


def _is_in_all_rows(note: Note, sample: Frame, whole: Frame, n_rows: int) -> bool:
    """Whether a note about the first rows holds for all: constant, or distinct in almost every row.

    With many rows, distinctness is estimated from a sample of the values, with all of their rows.
    """
    head = collected(sample)
    if n_rows == head.height:
        return True
    if note.kind != CONSTANT:
        return note.kind == IDENTIFIER and _differs(whole, note.name, n_rows)
    value = pl.lit(head[note.name][0], head[note.name].dtype)
    return bool(collected(whole.select(cs.by_name(note.name).eq_missing(value).all())).item())


def _differs(whole: Frame, name: str, n_rows: int) -> bool:
    share = max(1, n_rows // MAX_VALUES)
    chosen = take(whole, [name]).filter(cs.by_name(name).as_expr().hash() % share == 0)
    values = column(chosen, name).drop_nulls()
    return values.n_unique() >= DISTINCT_SHARE * len(values)


def _kind(counts: pl.DataFrame) -> str:
    """Kind of target that the library infers from the values and their counts."""
    present = counts.drop_nulls().sort("value")
    kind, values = read_target(present["value"])
    if kind == "category":
        return "class"
    assert isinstance(values, np.ndarray)
    is_class = not has_fractions(values) and are_labels(values, present["n_rows"].to_numpy())
    return "class" if is_class else "real"
