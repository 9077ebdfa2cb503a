"""Tables that workers of a cluster read: only names, the target and a few rows are looked at here."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from entropick.backends import Scan, ScannedColumn, scan
from entropick.cli.frames import collected, gaps_as_nulls, take
from entropick.cli.prepare import (
    ASKED_FOR,
    MOST_SHOWN,
    Prepared,
    check_name,
    class_note,
    find_target,
    real_note,
)
from entropick.cli.reading import Loaded
from entropick.exceptions import DataError
from entropick.table.target import are_labels, has_fractions, read_target

SAMPLE_ROWS = 50_000  # of the redundancy map


@dataclass(frozen=True)
class Scanned:
    """The columns and the target, which stay in their files, and what is said of them."""

    X: Scan
    y: ScannedColumn
    prepared: Prepared


def prepare_scanned(
    files: str, target: str | None, *, ignore: Sequence[str] = (), target_type: str = "auto"
) -> Scanned:
    """Find the target of Parquet files, and say what was noticed.

    Parameters
    ----------
    files : a file, a directory, or a pattern
    target : name of a column
    ignore : columns to leave out
    target_type : "auto", "class" or "real"
    """
    table = scan(files)
    lazy = pl.scan_parquet(list(dict.fromkeys(piece.path for piece in table.pieces)), glob=False)
    loaded = Loaded(files, lazy)
    target = find_target(loaded, target)
    for name in ignore:
        check_name(name, table.columns, "--ignore")
    ignored = dict.fromkeys((name for name in ignore if name != target), ASKED_FOR)
    names = [name for name in table.columns if name != target and name not in ignored]
    if not names:
        raise DataError(f"There is no column to choose from besides the target {target!r}.")
    values = collected(take(lazy, [target]).rename({target: "value"}).group_by("value").len(name="n_rows"))
    kind = _kind(values) if target_type == "auto" else target_type
    n_rows, n_values = len(table), values.height
    if n_values < 2:
        raise DataError(f"The target {target!r} has one value only, so no column can tell anything about it.")
    top = values.sort("n_rows", "value", descending=[True, False]).head(MOST_SHOWN)
    classes = [(str(label), int(n)) for label, n in top.iter_rows()] if kind == "class" else []
    note = (
        class_note(target, n_values, classes) if kind == "class" else real_note(target, n_values, target_type)
    )
    sample = collected(take(lazy.head(SAMPLE_ROWS), [*names, target]))
    notes = [note]
    if n_rows > SAMPLE_ROWS:
        notes.append(f"What columns tell about each other is counted from the first {SAMPLE_ROWS} rows.")
    prepared = Prepared(
        loaded=loaded,
        frame=sample,
        X=gaps_as_nulls(take(sample, names)),
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


def _kind(counts: pl.DataFrame) -> str:
    """What the library takes a target for, from its values and their numbers of rows."""
    present = counts.drop_nulls().sort("value")
    kind, values = read_target(present["value"])
    if kind == "category":
        return "class"
    assert isinstance(values, np.ndarray)
    is_class = not has_fractions(values) and are_labels(values, present["n_rows"].to_numpy())
    return "class" if is_class else "real"
