"""Split a table into candidates and target, and describe what was dropped, missing or noteworthy."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs

from entropick._base.wording import counted, did_you_mean, listed, noun, quoted
from entropick.exceptions import Code, DataError
from entropick.files.frames import Frame, collected, column, gaps_as_nulls, names_of, take
from entropick.files.reading import Loaded
from entropick.table.encoding.target import read_target, target_kind
from entropick.table.notes import COPY, MIN_ROWS, Note, find_notes

ASKED_FOR, CONSTANT, IDENTIFIER = "asked for", "one value in every row", "looks like an identifier"
USUAL_TARGETS = ("target", "y", "label", "labels", "class", "outcome", "response", "diagnosis")
MAX_SHOWN = 20  # classes of a target
CLASSES_NAMED = 5  # in a sentence
UNITS_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
MAX_DAYS = timedelta.max.days
FIRST_DAY, LAST_DAY = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))
MAX_VALUES_HELD = 100_000_000  # values of a table to compare methods on (800 MB of floats)


@dataclass(frozen=True)
class Prepared:
    """Input of a selection.

    Attributes
    ----------
    loaded : the table as it was read
    frame : the table with all rows and columns, and with date parts if requested
    X, y : candidates and target, only rows with a target
    names, n_rows : column names and number of rows of X
    target, kind : name of the target, and "class" or "real"
    n_classes : number of classes; None for a real target
    classes : the most frequent classes with their counts
    ignored : dropped columns, with the reason
    notes : what the user should know, one sentence each
    has_missing : whether values of X are missing, as far as that is known
    """

    loaded: Loaded
    frame: Frame
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
    has_missing: bool = False


def prepare(
    loaded: Loaded,
    targets: str | Sequence[str] = (),
    *,
    ignore: Sequence[str] = (),
    fixed: Sequence[str] = (),
    target_type: str = "auto",
    keep_ids: bool = False,
    date_parts: bool = False,
) -> Prepared:
    """Split candidates and target, drop unusable columns, and collect notes."""
    named = [targets] if isinstance(targets, str) else list(dict.fromkeys(targets))
    check_ignored(ignore, loaded, named or [loaded.target])
    check_fixed(fixed, loaded, named or [loaded.target], ignore)
    if len(named) > 1:
        frame, target = _with_joint_target(loaded, named, target_type)
        ignore = [*ignore, *named]
    else:
        frame, target = loaded.frame, find_target(loaded, next(iter(named), None))
    if date_parts:
        frame = _with_date_parts(frame, [target, *ignore])
    table, y, n_unlabelled = _labelled(frame, target)
    n_values = _distinct_values(y)
    kind = _kind_of(y, n_values, target_type)
    classes = _classes(y) if kind == "class" else []
    ignored = dict.fromkeys(ignore, ASKED_FOR)
    columns = [name for name in names_of(frame) if name != target and name not in ignored]
    X = gaps_as_nulls(take(table, columns))
    found = find_notes(X)
    ignored |= left_out(found, fixed, keep_ids)
    names = columns_left(columns, ignored, target)
    missing = {name: n for name, n in _missing_values(X).items() if n and name not in ignored}
    notes = [
        *loaded.notes,
        class_note(target, n_values, classes)
        if kind == "class"
        else real_note(target, n_values, target_type),
        *([f"{counted(n_unlabelled, 'row')} without a target left out."] if n_unlabelled else []),
        *left_out_notes(ignored),
        *_copy_notes([note for note in found if note.kind == COPY and note.name not in ignored]),
        *_missing_notes(missing),
    ]
    return Prepared(
        loaded=loaded,
        frame=frame,
        X=take(X, names),
        y=y,
        names=names,
        n_rows=len(y),
        target=target,
        kind=kind,
        n_classes=n_values if kind == "class" else None,
        classes=classes,
        ignored=list(ignored.items()),
        notes=notes,
        has_missing=bool(missing),
    )


def _with_joint_target(loaded: Loaded, targets: Sequence[str], target_type: str) -> tuple[Frame, str]:
    """Add a column with the joint classes of several targets, and return its name."""
    for name in targets:
        check_column(name, loaded, "--target")
    columns = collected(gaps_as_nulls(take(loaded.frame, targets)))
    for name in targets:
        present = column(columns, name).drop_nulls()
        _distinct_values(present)
        if kind_of_target(present, name, target_type) == "real":
            raise DataError(
                f"Several targets are taken jointly, as classes, but {quoted(name)} holds real values. "
                "Hint: name a single target, or make each value a class by --target-type class."
            )
    labels = [pl.lit(f"{name}=") + cs.by_name(name).as_expr().cast(pl.String) for name in targets]
    joint = columns.select(pl.concat_str(labels, separator=", ")).to_series()
    name = " and ".join(targets)
    while name in loaded.columns:
        name = f"({name})"
    return loaded.frame.with_columns(joint.alias(name)), name


def _labelled(frame: Frame, target: str) -> tuple[Frame, pl.Series, int]:
    """Rows with a target, their target, and the number of rows without one."""
    y = column(gaps_as_nulls(take(frame, [target])), target)
    n_missing = y.null_count()
    if not n_missing:
        return frame, y.alias(target), 0
    label = cs.by_name(target).as_expr()
    is_there = (label.fill_nan(None) if y.dtype.is_float() else label).is_not_null()
    return frame.filter(is_there), y.drop_nulls().alias(target), n_missing


def find_target(loaded: Loaded, target: str | None) -> str:
    """The target named by the user, or by the file."""
    columns = loaded.columns
    if target is None:
        if loaded.target is None:
            raise DataError(
                f"--target must name the column to predict. Hint: perhaps {_guessed_target(columns)!r}; "
                f"the columns are {listed(map(repr, columns), 10)}."
            )
        return loaded.target
    check_column(target, loaded, "--target")
    return target


def _guessed_target(columns: Sequence[str]) -> str:
    """The column with the usual name of a target, or else the last one."""
    called = {name.strip().lower(): name for name in reversed(columns)}
    return next((called[word] for word in USUAL_TARGETS if word in called), columns[-1])


def check_column(name: str, loaded: Loaded, option: str) -> None:
    """Reject a name of no column, or of several."""
    check_name(name, loaded.columns, option)
    others = [other for other, given in loaded.duplicates.items() if given == name]
    if others:
        raise DataError(
            f"{option} names {quoted(name)}, but {len(others) + 1} columns have that name. Hint: rename "
            f"them in the header; {quoted(others[0])} is the second one."
        )


def check_name(name: str, columns: Sequence[str], option: str) -> None:
    """Reject a name of no column, and suggest similar ones."""
    if name in columns:
        return
    known = f"the columns are {listed(map(repr, columns), 5)}."
    raise DataError(
        f"{option} names {quoted(name)}, which is not one of the {len(columns)} columns. Hint: "
        f"{did_you_mean(name, columns, known)}",
        code=Code.UNKNOWN_COLUMN,
        column=name,
    )


def check_ignored(ignore: Sequence[str], loaded: Loaded, targets: Sequence[str | None]) -> None:
    """Reject names to ignore that are unknown, ambiguous, or the target."""
    for name in ignore:
        check_column(name, loaded, "--ignore")
        if name in targets:
            raise DataError(
                f"--ignore names {quoted(name)}, which is the target. Hint: leave out this --ignore, or "
                "name another --target."
            )


def check_fixed(
    fixed: Sequence[str], loaded: Loaded, targets: Sequence[str | None], ignore: Sequence[str]
) -> None:
    """Reject fixed columns that are unknown, ambiguous, the target, or ignored."""
    for name in fixed:
        check_column(name, loaded, "--fixed")
        if name in targets:
            raise DataError(f"--fixed names {quoted(name)}, which is the target. Hint: leave it out.")
        if name in ignore:
            raise DataError(
                f"--fixed names {quoted(name)}, which --ignore leaves out. Hint: leave out one of them."
            )


def _distinct_values(y: pl.Series) -> int:
    """Number of distinct values of the target; raises if fewer than two."""
    if y.dtype.is_nested():
        raise DataError(f"The target {quoted(y.name)} holds lists, which are neither classes nor numbers.")
    if not len(y):
        raise DataError(f"The target {quoted(y.name)} has no value in any row.")
    _check_times(y)
    n_values = y.n_unique()
    if n_values < 2:
        raise DataError(
            f"The target {quoted(y.name)} has only one value ({quoted(str(y[0]))[1:-1]}), so no column can "
            "be informative about it."
        )
    return n_values


def _check_times(y: pl.Series) -> None:
    """Reject a target with times outside the range of `datetime`."""
    dtype = y.dtype
    if not isinstance(dtype, pl.Date | pl.Datetime | pl.Duration):
        return
    first, last = (-MAX_DAYS, MAX_DAYS) if isinstance(dtype, pl.Duration) else (FIRST_DAY, LAST_DAY)
    per_day = 1 if isinstance(dtype, pl.Date) else UNITS_PER_DAY[dtype.time_unit]
    days = y.alias("").to_physical().cast(pl.Int64) // per_day
    if not days.is_between(first, last).all():
        raise DataError(
            f"The target {quoted(y.name)} must hold times of the years 1 to 9999, or durations of less than "
            "10^9 days, but some are out of range. Hint: were other numbers stored as times?"
        )


def kind_of_target(y: pl.Series, name: str, target_type: str) -> str:
    """Kind of target, "class" or "real": as set by the user, if possible, or inferred."""
    if target_type == "auto":
        return target_kind(y)
    if target_type == "real" and read_target(y)[0] == "category":
        raise DataError(
            f"The target {quoted(name)} holds strings or categories, but --target-type real needs numbers. "
            "Hint: --target-type class makes each value a class."
        )
    return target_type


def _kind_of(y: pl.Series, n_values: int, target_type: str) -> str:
    """Kind of target; raises if every row is a class of its own."""
    kind = kind_of_target(y, y.name, target_type)
    if kind == "class" and n_values == len(y) >= MIN_ROWS:
        raise DataError(
            f"The target {quoted(y.name)} has a different value in every row. Hint: is it the right column?"
        )
    return kind


def _classes(y: pl.Series) -> list[tuple[str, int]]:
    counts = y.alias("label").value_counts(sort=True, name="n_rows").head(MAX_SHOWN)
    return [(str(label), int(n_rows)) for label, n_rows in counts.iter_rows()]


def class_note(target: str, n_classes: int, classes: list[tuple[str, int]]) -> str:
    """Note that lists the classes of the target."""
    shown = ", ".join(f"{label} ({n_rows:,})" for label, n_rows in classes[:CLASSES_NAMED])
    others = f" and {n_classes - CLASSES_NAMED} more" if n_classes > CLASSES_NAMED else ""
    return f"The target {quoted(target)} has {n_classes} classes: {shown}{others}."


def real_note(target: str, n_values: int, target_type: str) -> str:
    """Note that the target holds real values, and how to treat them as classes."""
    way_out = " (--target-type class makes each a class)" if target_type == "auto" else ""
    return f"The target {quoted(target)} has {n_values:,} distinct real values{way_out}."


def columns_left(columns: Sequence[str], ignored: Mapping[str, str], target: str) -> list[str]:
    """Candidates that are left; raises if there are none."""
    names = [name for name in columns if name not in ignored]
    if not names:
        others = f" after leaving out {counted(len(ignored), 'column')}" if ignored else ""
        hint = (
            " Hint: --keep-ids keeps columns that look like identifiers."
            if IDENTIFIER in ignored.values()
            else ""
        )
        raise DataError(
            f"There are no columns to choose from besides the target {quoted(target)}{others}.{hint}"
        )
    return names


def left_out_notes(ignored: Mapping[str, str]) -> Iterator[str]:
    """Yield a note for each reason other than the user's request."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in ignored.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        if reason != ASKED_FOR:
            way_out = " (--keep-ids keeps such columns)" if reason == IDENTIFIER else ""
            yield f"Left out {listed(map(repr, names))}: {reason}{way_out}."


def left_out(notes: Iterable[Note], fixed: Sequence[str], keep_ids: bool) -> dict[str, str]:
    """Constants and identifiers with the reason, except those the user keeps."""
    reasons = {"constant": CONSTANT} | ({} if keep_ids else {"identifier": IDENTIFIER})
    return {
        note.name: reasons[note.kind] for note in notes if note.kind in reasons and note.name not in fixed
    }


def _copy_notes(copies: Sequence[Note]) -> Iterator[str]:
    if copies:
        pairs = (f"{note.name!r} duplicates {note.other_name!r}" for note in copies)
        yield f"Copies, possibly in another unit: {listed(pairs)}; one of each is enough."


def _missing_notes(missing: Mapping[str, int]) -> Iterator[str]:
    if missing:
        most = sorted(missing.items(), key=lambda item: -item[1])
        shown = listed(f"{name!r} ({n:,})" for name, n in most)
        n, columns = sum(missing.values()), counted(len(missing), "column")
        values = noun(n, "missing value")
        yield f"{n:,} {values} in {columns}: {shown}; missing is a category of its own."


def held_in_memory(prepared: Prepared, seed: int) -> tuple[pl.DataFrame, pl.Series]:
    """Candidates and target in memory; a table too large for that is sampled down."""
    max_rows = max(MAX_VALUES_HELD // len(prepared.names), 1)
    if prepared.n_rows <= max_rows:
        return collected(prepared.X), prepared.y
    drawn = np.random.default_rng(seed).choice(prepared.n_rows, max_rows, replace=False)
    is_drawn = np.zeros(prepared.n_rows, bool)
    is_drawn[drawn] = True
    X = collected(prepared.X.lazy().filter(pl.lit(pl.Series(is_drawn))))
    return X, prepared.y.filter(is_drawn)


def data_entry(prepared: Prepared) -> dict[str, Any]:
    """Description of the data for the document."""
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


def _missing_values(frame: Frame) -> dict[str, int]:
    """Number of nulls per column."""
    return collected(frame.null_count()).row(0, named=True)


def _with_date_parts(frame: Frame, skipped: Sequence[str]) -> Frame:
    """Replace dates and times by year, month, day, weekday, hour and minute, unless constant."""
    schema = frame.collect_schema()
    made: dict[str, list[pl.Expr]] = {}
    for name, dtype in schema.items():
        if name in skipped or dtype not in (pl.Date, pl.Datetime):
            continue
        parts = [getattr(cs.by_name(name).dt, part)().alias(f"{name}.{part}") for part in _parts_of(dtype)]
        n_values = collected(frame.select(part.drop_nulls().n_unique() for part in parts)).row(0)
        made[name] = [part for part, n in zip(parts, n_values, strict=True) if n > 1]
    columns = [expression for name in schema for expression in made.get(name) or [cs.by_name(name)]]
    kept = {name for name in schema if not made.get(name)}
    for name in (part.meta.output_name() for parts in made.values() for part in parts):
        if name in kept:
            raise DataError(
                f"--date-parts would make a second column {quoted(name)}. Hint: rename the first."
            )
    return frame.select(columns)


def _parts_of(dtype: pl.DataType) -> tuple[str, ...]:
    days = ("year", "month", "day", "weekday")
    return days if dtype == pl.Date else (*days, "hour", "minute")
