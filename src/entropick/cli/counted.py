"""`select` in a database or from a file of counts, of which no rows are seen; `count` and `merge`."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw

import entropick
from entropick._base.wording import counted, listed, quoted
from entropick.cli.commands import Question
from entropick.cli.prepare import ASKED_FOR, check_ignored, columns_left, find_target
from entropick.cli.results import show_answer, show_selection
from entropick.cli.screen import SCHEMA_VERSION, Screen
from entropick.cli.writing import Outputs, check_path, write_text
from entropick.exceptions import Code, DataError
from entropick.files.frames import collected, take
from entropick.files.reading import read_table
from entropick.records.selection import Step
from entropick.selectors.catalog import method_named, set_known_params
from entropick.selectors.python_code import code_of_kept
from entropick.table.cube import Cube
from entropick.table.executors.connections import made_up, opened, without_password
from entropick.table.executors.database import DatabaseFrame, database
from entropick.table.executors.dialects import query_text
from entropick.table.sketches import Sketches

COUNTS_FILES = ".counts"
SKETCHES_FILES = ".sketch"


@dataclass(frozen=True)
class Source:
    """Where counts come from.

    Attributes
    ----------
    table, query : a table of a database, or a query
    explain : whether to print queries instead of running them
    """

    table: str | None = None
    query: str | None = None
    explain: bool = False


def run_select_counted(
    question: Question, source: Source, method: str, n_features: Any, stability: bool
) -> None:
    """Select columns of a table inside a database, or of a file of counts."""
    _check_options(question, stability)
    Outputs(None, question.columns_file, None).check([question.file])
    selector = question.steering.apply(method_named(method)())
    n_features = "auto" if n_features is None else n_features
    set_known_params(selector, n_features=n_features, random_state=question.seed, target=question.target_type)
    screen, start = Screen(question.quiet), time.perf_counter()
    with _table(question, source) as (X, y, place):
        shown = without_password(question.file)
        screen.say(f"{shown}: {counted(len(X.columns), 'column')} to choose from.")
        with screen.collecting_warnings() as shown_warnings, screen.progress() as move:
            listener = None if move is None else _Listener(move, X.columns)
            if listener is not None and isinstance(X, DatabaseFrame) and X.watch is None:
                X = replace(X, watch=listener.query)
            selection = set_known_params(selector, progress=listener).fit(X, y).selection_
    if source.explain:
        return
    names = selection.selected_names
    code = code_of_kept(set_known_params(selector, progress=None), len(names))
    if question.columns_file is not None:
        write_text("".join(f"{name}\n" for name in names), question.columns_file)
    if question.json:
        screen.show_json(
            {
                "schema_version": SCHEMA_VERSION,
                "kind": "select",
                "command": question.command,
                "seconds": round(time.perf_counter() - start, 3),
                "versions": {"entropick": entropick.__version__},
                "seed": question.seed,
                "data": {"source": shown, "n_rows": selection.n_rows, "n_columns": len(selection.names)},
                "warnings": shown_warnings,
                "selection": selection.to_dict(),
                "method": type(selector).__name__,
                "code": code,
            }
        )
        return
    show_selection(selection, type(selector).__name__, screen)
    show_answer(names, place and code and f"Python: {_call(code, place)}", screen)


def _call(selector: str, place: str) -> str:
    """Python code that selects from the same place, ready to run."""
    library = next(
        (f"{name}, " for name in ("duckdb", "ibis") if place.startswith(f"ep.database({name}.")), ""
    )
    return f"import {library}entropick as ep; {selector}.fit({place})"


class _Listener:
    """Shows each step by the name of its column, and the queries before and between steps."""

    def __init__(self, move: Callable[[str, int, int | None], None], names: Sequence[str]) -> None:
        self._move, self._names = move, names
        self._n_queries = 0
        self._place: tuple[int, int | None] = 0, None

    def __call__(self, event: Any, n_done: int, n_expected: int | None) -> None:
        self._place = n_done, n_expected
        self._move(self._names[event.column] if isinstance(event, Step) else str(event), *self._place)

    def query(self, _: Any) -> None:
        self._n_queries += 1
        self._move(f"query {self._n_queries}", *self._place)


def _check_options(question: Question, stability: bool) -> None:
    """Reject what needs rows."""
    given = {
        "--out": question.out,
        "--report": question.report,
        "--stability": stability,
        "--cluster": question.cluster,
        "--date-parts": question.date_parts,
        "--groups": question.dependence.groups,
        "--time": question.dependence.time,
    }
    for option, value in given.items():
        if value:
            raise DataError(f"{option} needs rows, but only counts are seen here. Hint: leave it out.")
    if len(question.targets) > 1:
        raise DataError("Counts are by a single target. Hint: name one with --target.")


@contextmanager
def _table(question: Question, source: Source) -> Iterator[tuple[Any, Any, str | None]]:
    """The table and its target, and both as Python code; None if it would show a password."""
    if question.file.endswith(COUNTS_FILES):
        if source != Source():
            raise DataError("--table, --query and --explain are for databases, not for a file of counts.")
        cube = Cube.load(question.file)
        if question.targets and question.targets[0] != cube.target.name:
            raise DataError(
                f"The counts are by {quoted(cube.target.name)}, not by {quoted(question.targets[0])}. Hint: "
                "leave out --target, or count again."
            )
        yield cube, None, f"ep.Cube.load({question.file!r})"
        return
    with opened(question.file, source.table, source.query) as found:
        if source.explain:
            found = made_up(found)
            print("-- Numbers in these queries come from earlier answers; here, from made-up rows.")
        table = database(found.table)
        target = _target(question, table.columns)
        ignored = dict.fromkeys(question.ignore, ASKED_FOR)
        others = [name for name in table.columns if name != target]
        for name in (*ignored, *question.steering.fixed):
            table[name]
        X = table.select(columns_left([name for name in others if name not in ignored], ignored, target))
        if source.explain:
            X = _watched(X, found.dialect)
        drop = f".drop({', '.join(map(repr, ignored))})" if ignored else ""
        yield X, table[target], found.code and f"ep.database({found.code}){drop}, {target!r}"


def _watched(X: Any, dialect: str) -> Any:
    """A table whose queries are printed."""

    def show(query: nw.LazyFrame[Any]) -> None:
        print(f"\n{query_text(query, dialect)};")

    return replace(X, watch=show)


def _target(question: Question, names: Sequence[str]) -> str:
    if not question.targets:
        raise DataError(
            f"Name the target with --target. Hint: the columns are {listed(map(repr, names), 10)}."
        )
    target = question.targets[0]
    if target not in names:
        raise DataError(
            f"There is no column {quoted(target)}. Hint: the columns are {listed(map(repr, names), 10)}.",
            code=Code.UNKNOWN_COLUMN,
            column=target,
        )
    return target


def run_count(
    file: str,
    target: str,
    out: str,
    edges: str | None,
    ignore: Sequence[str],
    min_cell: int,
    options: dict[str, Any],
) -> None:
    """Count all pairs of columns of a file, and write them."""
    check_path(out, "--out", [file, *([edges] if edges else [])])
    X, y = _rows(file, target, ignore)
    known = None if edges is None else _loaded(edges)
    screen = Screen()
    with screen.collecting_warnings():
        cube = Cube.count(X, y, edges=known, **options)
        cube.save(out, min_cell=min_cell)
    screen.say(f"{cube} written to {out}")


def run_sketch(
    file: str, target: str, out: str, after: str | None, ignore: Sequence[str], options: dict[str, Any]
) -> None:
    """Make sketches of the columns of a file, and write them."""
    check_path(out, "--out", [file, *([after] if after else [])])
    X, y = _rows(file, target, ignore)
    known = None if after is None else Sketches.load(after)
    screen = Screen()
    with screen.collecting_warnings():
        sketches = Sketches.count(X, y, after=known, **options)
        sketches.save(out)
    screen.say(f"{sketches} written to {out}")


def _loaded(path: str) -> Cube | Sketches:
    """A file of counts or of sketches, by its name."""
    return Sketches.load(path) if path.endswith(SKETCHES_FILES) else Cube.load(path)


def _rows(file: str, target: str, ignore: Sequence[str]) -> tuple[Any, Any]:
    """The columns of a file, and its target."""
    loaded = read_table(file)
    find_target(loaded, target)
    check_ignored(ignore, loaded, [target])
    others = [name for name in loaded.columns if name != target]
    left = columns_left(others, dict.fromkeys(ignore, ASKED_FOR), target)
    frame = collected(take(loaded.frame, [*left, target]))
    return take(frame, left), frame[target]


def run_merge(files: Sequence[str], out: str) -> None:
    """Add up files of counts, or of sketches."""
    check_path(out, "--out", [])
    found: list[Any] = [_loaded(file) for file in files]
    if len({type(one) for one in found}) > 1:
        raise DataError(
            f"Files of counts and of sketches ({SKETCHES_FILES}) cannot be merged with each other."
        )
    screen = Screen()
    with screen.collecting_warnings():
        merged = found[0].merge(*found[1:])
        following = _what_is_next(merged, out) if isinstance(merged, Sketches) else None
        merged.save(out)  # nothing is written if something is rejected before
        screen.say(f"{merged} written to {out}")
        if following is not None:
            screen.say(following)


def _what_is_next(merged: Sketches, path: str) -> str:
    """What to do with merged sketches."""
    if merged.is_complete:
        return f"All edges are known. Next, at each part: entropick count FILE --edges {path}"
    n_open = counted(len(merged.open_columns), "column")
    return (
        f"The edges of {n_open} are not known exactly yet. Next, at each part: entropick sketch FILE --after "
        f"{path}, and merge again."
    )
