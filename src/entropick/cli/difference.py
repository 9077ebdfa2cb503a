"""The command `diff`: what changed between two selections that were saved as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from entropick._base.wording import counted, quoted
from entropick.cli.screen import SCHEMA_VERSION, Screen
from entropick.exceptions import DataError

CHANGED = 3  # exit code if columns entered or left
MAX_MEGABYTES = 128  # a larger file is no result of this program
ENTERED, LEFT, MOVED, SAME = "entered", "left", "moved", "same"


@dataclass(frozen=True)
class Place:
    """Where a column stands in one selection.

    Attributes
    ----------
    rank : 1 for the first column
    gain : bits that the column adds, or its score if the method knows no gains; None if unknown
    lead, lead_error : its lead over the runner-up, on the scale of the method's score, and its error;
        None without a runner-up, or if unknown
    alone, alone_error : mutual information of the column and the target in bits, and its standard error;
        None if unknown
    """

    rank: int
    gain: float | None = None
    lead: float | None = None
    lead_error: float | None = None
    alone: float | None = None
    alone_error: float | None = None


@dataclass(frozen=True)
class Result:
    """The part of a saved selection or comparison that is compared.

    Attributes
    ----------
    places : selected columns by name
    known : names of all columns that could be selected; None if the file does not list them
    """

    path: str
    title: str
    method: str
    target: str | None
    n_rows: int | None
    places: Mapping[str, Place]
    known: frozenset[str] | None


@dataclass(frozen=True)
class Change:
    """A column that one of two selections has, with its places; `is_new` or `is_gone` from the table."""

    column: str
    change: str
    old: Place | None
    new: Place | None
    is_new: bool = False
    is_gone: bool = False


def run_diff(old_path: str, new_path: str, as_json: bool) -> int:
    """Show what changed and return the exit code."""
    old, new = read_result(old_path), read_result(new_path)
    changes = compare_results(old, new)
    changed = any(change.change in (ENTERED, LEFT) for change in changes)
    if as_json:
        listed = [asdict(change) for change in changes]
        Screen().show_json({"schema_version": SCHEMA_VERSION, "changed": changed, "columns": listed})
    else:
        _show(old, new, changes)
    return CHANGED if changed else 0


def compare_results(old: Result, new: Result) -> list[Change]:
    """Columns of the new selection in their order, then those that left."""
    changes = []
    for name in [*new.places, *(name for name in old.places if name not in new.places)]:
        before, now = old.places.get(name), new.places.get(name)
        if before is None:
            kind = ENTERED
        elif now is None:
            kind = LEFT
        else:
            kind = SAME if before.rank == now.rank else MOVED
        is_new = before is None and old.known is not None and name not in old.known
        is_gone = now is None and new.known is not None and name not in new.known
        changes.append(Change(name, kind, before, now, is_new, is_gone))
    return changes


# -- reading -------------------------------------------------------------------------------------


def read_result(path: str) -> Result:
    """Read a file that `entropick select --json` or `compare --json` printed."""
    document = _read_json(path)
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version is None:
        raise _no_result(path)
    if version != SCHEMA_VERSION:
        raise DataError(
            f"{quoted(path)} has schema version {version}, and this program reads {SCHEMA_VERSION}. Hint: "
            "save the result again, or use the version of entropick that wrote it."
        )
    try:
        return _result_of(path, document)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        raise _no_result(path) from None


def _read_json(path: str) -> Any:
    with Path(path).open("rb") as file:
        text = file.read(MAX_MEGABYTES * 2**20 + 1)
    if len(text) > MAX_MEGABYTES * 2**20:
        raise _no_result(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or nested too deeply
        raise _no_result(path) from None


def _no_result(path: str) -> DataError:
    return DataError(
        f"{quoted(path)} is not a result of this program. Hint: save one with "
        "`entropick select FILE --target COL --json > result.json`."
    )


def _result_of(path: str, document: Any) -> Result:
    data = document["data"]
    selection, comparison = document.get("selection"), document.get("comparison")
    if selection is not None:
        places = _places(selection)
        method, known = str(document["method"]), frozenset(map(str, selection["names"]))
    else:
        advice = comparison["recommendation"]
        places = {str(name): Place(rank) for rank, name in enumerate(advice["columns"], start=1)}
        method, known = str(advice["method"]), None
    n_rows, n_columns = int(data["n_rows"]), int(data["n_columns"])
    title = (
        f"{method}, {len(places)} of {counted(n_columns, 'column')} from {counted(n_rows, 'row')} of "
        f"{data['source']}, {str(document['created'])[:10]}"
    )
    target = data["target"]
    name = target.get("name") if isinstance(target, dict) else None
    return Result(path, title, method, name, n_rows, places, known)


def _places(selection: Mapping[str, Any]) -> dict[str, Place]:
    steps = [step for step in selection["steps"] if step["kept"]]
    shows_gains = all(step["gain"] is not None or step["fixed"] for step in steps)
    places: dict[str, Place] = {}
    for rank, step in enumerate(steps, start=1):
        keys = ("gain" if shows_gains else "score", "lead", "lead_error", "relevance", "relevance_error")
        place = Place(rank, *(_known(step.get(key)) for key in keys))
        places |= {str(name): place for name in step["names"]}
    return places


def _known(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


# -- on the screen -------------------------------------------------------------------------------


def _show(old: Result, new: Result, changes: list[Change]) -> None:
    screen = Screen()
    screen.show(f"old  {old.path}: {old.title}")
    screen.show(f"new  {new.path}: {new.title}")
    for what, before, now in (("methods", old.method, new.method), ("targets", old.target, new.target)):
        if before != now:
            screen.warn(f"The {what} differ: {before} and {now}.")
    n_of = {kind: sum(change.change == kind for change in changes) for kind in (ENTERED, LEFT, MOVED, SAME)}
    verdict = "changed" if n_of[ENTERED] or n_of[LEFT] else "did not change"
    screen.show(
        f"The selection {verdict}: {counted(n_of[ENTERED], 'column')} entered, {n_of[LEFT]} left, "
        f"{n_of[MOVED]} moved, {n_of[SAME]} kept their place."
    )
    if changes:
        kinds = ("adds", "lead", "alone")
        headers = (
            "column",
            "",
            "was",
            "is",
            *(f"{kind}, {when}" for kind in kinds for when in ("was", "is")),
        )
        screen.table(headers, [_row(change) for change in changes], numeric=range(2, len(headers)))


def _row(change: Change) -> tuple[str, ...]:
    both = [place or Place(0) for place in (change.old, change.new)]
    note = " (not in the old table)" * change.is_new + " (no longer in the table)" * change.is_gone
    return (
        change.column,
        change.change * (change.change != SAME) + note,
        *(str(place.rank or "-") for place in both),
        *(_number(place.gain) for place in both),
        *(_number(place.lead, place.lead_error) for place in both),
        *(_number(place.alone, place.alone_error) for place in both),
    )


def _number(value: float | None, error: float | None = None) -> str:
    return "" if value is None else f"{value:.4f}" + ("" if error is None else f" ± {error:.4f}")
