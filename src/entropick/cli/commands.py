"""What the commands do, once their arguments are read."""

import importlib
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from entropick.cli.document import make_document
from entropick.cli.prepare import Prepared, prepare
from entropick.cli.reading import read_table
from entropick.cli.screen import Screen
from entropick.cli.writing import check_path, check_table_path, write_table, write_text
from entropick.comparison import Comparison, compare
from entropick.records import Selection, Step
from entropick.selectors.methods import method_named

REPORT = "entropick.report"  # imported where it is asked for: nothing else needs jinja2
N_CONSENSUS = 10  # columns of the consensus shown on the screen


@dataclass(frozen=True)
class Question:
    """What `select` and `compare` are both asked."""

    file: str
    target: str | None
    target_type: str
    ignore: tuple[str, ...]
    keep_ids: bool
    seed: int
    jobs: int
    report: str | None
    json: bool
    quiet: bool
    command: str | None


def run_select(question: Question, method: str, n_features: Any, out: str | None) -> None:
    """Select columns of a table."""
    screen, start = Screen(question.quiet), time.perf_counter()
    options: dict[str, Any] = {} if n_features is None else {"n_features": n_features}
    selector = method_named(method)(random_state=question.seed, n_jobs=question.jobs, **options)
    check_table_path(out, question.file)
    _check_report(question)
    prepared = _prepare(question, screen)
    with _heard() as heard, screen.progress() as move:
        selector.set_params(target=prepared.kind, progress=move and _step_listener(prepared, move))
        selection = selector.fit(prepared.X, prepared.y).selection_
    texts = _tell(heard, screen)
    if question.json or question.report:
        document = make_document(
            "select",
            prepared,
            command=question.command,
            seed=question.seed,
            seconds=time.perf_counter() - start,
            warnings=texts,
            top_columns=selection.selected_names or [selection.names[s.column] for s in selection.steps],
            method=type(selector).__name__,
            selection=selection.to_dict(),
        )
    if not question.json:
        _show_selection(selection, type(selector).__name__, screen)
    if out is not None:
        names = [name for name in selection.selected_names if name != prepared.target]
        write_table(prepared.loaded.frame.select([*names, prepared.target]), out)
        screen.say(f"Table of {len(names)} columns and the target written to {out}")
    if question.json or question.report:
        _publish(document, question, screen)


def run_compare(
    question: Question, methods: Sequence[str] | None, estimators: Sequence[str] | None, folds: int
) -> None:
    """Compare methods on a table."""
    screen, start = Screen(question.quiet), time.perf_counter()
    for name in methods or ():
        method_named(name)  # a wrong name is told before the table is read
    _check_report(question)
    prepared = _prepare(question, screen)
    with _heard() as heard, screen.progress() as move:
        found = compare(
            prepared.X,
            prepared.y,
            methods=methods,
            estimators=estimators,
            folds=folds,
            target=prepared.kind,
            random_state=question.seed,
            n_jobs=question.jobs,
            progress=move,
        )
    texts = _tell(heard, screen)
    if found.n_scored_rows < prepared.X.height:
        note = f"Scores come from {found.n_scored_rows} rows drawn at random; orders from all rows."
        prepared.notes.append(note)
        screen.say(note)
    if not question.json:
        _show_comparison(found, screen)
    if question.json or question.report:
        document = make_document(
            "compare",
            prepared,
            command=question.command,
            seed=question.seed,
            seconds=time.perf_counter() - start,
            warnings=texts,
            top_columns=[name for name, _ in found.consensus],
            comparison=found.to_dict(),
        )
        _publish(document, question, screen)


# -- steps of both -------------------------------------------------------------------------------


def _check_report(question: Question) -> None:
    """Refuse a report that could not be made or written, before any work is done."""
    if question.report is not None:
        check_path(question.report, "--report", question.file)
        importlib.import_module(REPORT)


def _prepare(question: Question, screen: Screen) -> Prepared:
    loaded = read_table(question.file, question.seed)
    prepared = prepare(
        loaded,
        question.target,
        ignore=question.ignore,
        target_type=question.target_type,
        keep_ids=question.keep_ids,
    )
    screen.say(f"{loaded.source}: {prepared.X.height} rows, {prepared.X.width} columns to choose from.")
    for note in prepared.notes:
        screen.say(note)
    return prepared


@contextmanager
def _heard() -> Iterator[list[warnings.WarningMessage]]:
    """Warnings, to be told in the program's own way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield caught


def _tell(heard: list[warnings.WarningMessage], screen: Screen) -> list[str]:
    users = [warning for warning in heard if issubclass(warning.category, UserWarning)]
    texts = list(dict.fromkeys(str(warning.message) for warning in users))
    for text in texts:
        screen.warn(text)
    return texts


def _step_listener(prepared: Prepared, move: Any) -> Any:
    def listen(event: Any, n_done: int, n_expected: int | None) -> None:
        text = prepared.X.columns[event.column] if isinstance(event, Step) else str(event)
        move(text, n_done, n_expected)

    return listen


def _publish(document: dict[str, Any], question: Question, screen: Screen) -> None:
    """The report, then the document; the report's path is the last thing said."""
    if question.report is not None:
        write_text(importlib.import_module(REPORT).render(document), question.report)
    if question.json:
        screen.show_json(document)
    if question.report is not None:
        tell = screen.say if question.json else screen.show
        tell(f"Report: {Path(question.report).resolve()}")


# -- results on the screen -----------------------------------------------------------------------


def _show_selection(selection: Selection, method: str, screen: Screen) -> None:
    n_selected = len(selection.order)
    screen.show(
        f"{method} selects {n_selected} of {len(selection.names)} columns from {selection.n_rows} rows."
    )
    steps = selection.to_dict()["steps"][: selection.n_kept]
    extras = [key for key in ("residual", "p_value") if any(step[key] is not None for step in steps)]
    rows = [
        (
            step["step"],
            " + ".join(step["names"]),
            *(_number(step[key]) for key in ("score", "margin", *extras)),
        )
        for step in steps
    ]
    titles = {"residual": "left open", "p_value": "p"}
    headers = ("", "column", "score", "lead", *(titles[key] for key in extras))
    if rows:
        screen.table(headers, rows, numeric=(0, *range(2, len(headers))))


def _show_comparison(found: Comparison, screen: Screen) -> None:
    rows = []
    for method in found.methods:
        best = []
        for name in found.estimators:
            means = method.scores[name].mean(axis=0)
            best.append(f"{means.max():.3f} ({method.sizes[int(means.argmax())]})")
        steady = method.stability
        interval = f"{steady.value:.2f} ({max(steady.low, -1):.2f} to {steady.high:.2f})"
        own = "-" if method.n_features is None else str(method.n_features)
        rows.append((method.name, *best, interval, own, f"{method.seconds:.3f}"))
    unit = "accuracy" if found.scoring == "accuracy" else "R²"
    screen.show(f"Best {unit} over {found.folds} folds, in brackets with how many columns:")
    headers = ("method", *found.estimators, f"stability of {found.stability_size}", "own size", "seconds")
    screen.table(headers, rows, numeric=range(1, len(headers)))
    baseline = ", ".join(f"{name} {score:.3f}" for name, score in found.baseline.items())
    screen.show(f"All columns: {baseline}; guessing {found.chance:.3f}.")
    screen.show()
    screen.show("Consensus of the methods, by mean rank:")
    ranks = [(name, f"{rank:.1f}") for name, rank in found.consensus[:N_CONSENSUS]]
    screen.table(("column", "mean rank"), ranks, numeric=(1,))
    screen.show()
    screen.show(found.recommendation.sentence)


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
