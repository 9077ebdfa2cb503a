"""The commands `select` and `compare`, after their arguments are parsed."""

import dataclasses
import importlib
import json
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import polars as pl
from sklearn.base import clone

from entropick._base.wording import counted, quoted, score_in_words
from entropick.cli.cluster import prepare_scanned
from entropick.cli.document import make_document
from entropick.cli.infinite import infinite_value
from entropick.cli.messages import in_options
from entropick.cli.prepare import Prepared, held_in_memory, prepare
from entropick.cli.profiles import leaks
from entropick.cli.screen import Screen
from entropick.cli.steering import Steering
from entropick.cli.writing import Outputs, is_text, write_table, write_text
from entropick.comparison import Comparison
from entropick.evaluation.risk import HeldOutRisk
from entropick.exceptions import Code, ColumnWarning, DataError, NothingFoundWarning, message_of
from entropick.files.as_written import as_in_file
from entropick.files.frames import names_of, take
from entropick.files.layout import TextFormat
from entropick.files.reading import Loaded, errors_explained, read_table
from entropick.records.selection import Selection, Step
from entropick.selectors.base import BaseSelector, PartsSelector
from entropick.selectors.catalog import finds_subsets, method_named, set_known_params
from entropick.selectors.code import first_columns, selector_code
from entropick.selectors.method import RULES, MethodSelector
from entropick.table import Rules
from entropick.table.executors.cluster import connected
from entropick.table.notes import TARGET, Note
from entropick.table.readers.inputs import is_lazy

REPORT = "entropick.report"  # imported on demand: nothing else needs jinja2
N_FOLDS, MAX_CELLS = 5, 20_000_000  # for the held-out risk: folds, and rows × columns of a table
N_CONSENSUS = 10  # columns of the consensus shown on the screen


@dataclass(frozen=True)
class Question:
    """Arguments that `select` and `compare` share."""

    file: str
    targets: tuple[str, ...]
    target_type: str
    ignore: tuple[str, ...]
    keep_ids: bool
    date_parts: bool
    text: TextFormat
    steering: Steering
    seed: int
    jobs: int
    out: str | None
    columns_file: str | None
    excel_safe: bool
    report: str | None
    json: bool
    quiet: bool
    command: str | None
    cluster: str | None = None


def run_select(
    question: Question,
    method: str,
    n_features: Any,
    stability: bool,
) -> None:
    """Select columns of a table."""
    method_selector = question.steering.apply(method_named(method)())
    name = type(method_selector).__name__
    _check_rule(method_selector, n_features)
    selector = _with_options(method_selector, question, n_features, stability)
    run = _Run(question)
    prepared, screen = run.prepared, run.screen
    with run.cluster(), run.locating_infinities(), run.collecting_warnings(), screen.progress() as move:
        listener = move and _step_listener(prepared, move)
        set_known_params(selector, target=prepared.kind, progress=listener)
        with errors_explained(repr(prepared.loaded.source)):  # large tables are read now
            selection = selector.fit(run.X, run.y).selection_
            # rows on a cluster cannot be held out
            risk = None if question.cluster else _held_out_risk(selector, prepared, question.seed)
            selection = dataclasses.replace(selection, held_out_risk=risk)
    rules = method_selector.rules(lambda: prepared.n_rows)
    run.warn_of_leaks(selection.selected_names, rules, selection.notes)
    code = _code_of(selector, question, selection.n_kept)
    if not question.json:
        _show_selection(selection, name, screen)
        if stability:
            screen.show(_about_halves(selection))
        if risk is not None:
            screen.show(str(risk))
        _show_answer(selection.selected_names, code, screen)
    reached = [selection.names[step.column] for step in selection.steps]
    shown = selection.selected_names or reached
    run.publish(selection.selected_names, shown, rules, selection, method=name, code=code)


def _check_rule(selector: MethodSelector, n_features: Any) -> None:
    """Reject a stop rule for methods that search whole subsets."""
    if n_features in RULES and finds_subsets(selector):
        raise DataError(
            f"--n-features {n_features} is a rule for methods that go from column to column, but "
            f"{type(selector).__name__} finds whole subsets. Hint: give a number, a share or 'auto'."
        )


def _with_options(
    selector: PartsSelector, question: Question, n_features: Any, stability: bool
) -> BaseSelector:
    """Set options of a method, wrapped in stability selection if requested."""
    if n_features is not None:
        selector.set_params(n_features=n_features)
    elif not stability:  # stability selects by frequency, whatever each half keeps
        selector.set_params(n_features="auto")
    options = {"random_state": question.seed, "n_jobs": question.jobs}
    if not stability:
        return set_known_params(selector, **options)
    if question.cluster is not None:
        raise DataError(
            "--stability resamples rows, which --cluster does not support. Hint: leave out one of them."
        )
    from entropick.selectors.stability import StabilitySelector

    return set_known_params(StabilitySelector(selector), **options)


def _code_of(selector: BaseSelector, question: Question, n_kept: int) -> str | None:
    """Python code of a selector for the same columns; None if none were kept."""
    if not n_kept:
        return None
    given = set_known_params(clone(selector), target=question.target_type)
    sized = first_columns(given, n_kept) if isinstance(given, MethodSelector) else None
    return selector_code(sized or given)


def _held_out_risk(selector: BaseSelector, prepared: Prepared, seed: int) -> HeldOutRisk | None:
    """Risk on held-out rows for methods that minimize it, unless the table is large."""
    selection = selector.selection_
    has_risk = "bayes_risk" in selection.learned and prepared.kind == "class" and selection.n_kept > 0
    n_cells = prepared.n_rows * len(prepared.names)
    if not isinstance(selector, PartsSelector) or not has_risk or is_lazy(prepared.X):
        return None
    if n_cells > MAX_CELLS or prepared.n_rows < 2 * N_FOLDS:
        return None
    selector.set_params(progress=None)
    return selector.held_out_risk(prepared.X, prepared.y, folds=N_FOLDS, random_state=seed)


def run_compare(
    question: Question,
    methods: Sequence[str] | None,
    estimators: Sequence[str] | None,
    scoring: str | None,
    folds: int,
    max_rows: int,
) -> None:
    """Compare methods on a table."""
    # imported here because it loads estimators that other commands do not need
    from entropick.comparison.run import DEFAULT_METHODS, compare, usual_sizes
    from entropick.evaluation.scoring import resolve_scoring

    # fail early on an unknown name
    selectors, about_methods = question.steering.apply_to_all(methods or DEFAULT_METHODS)
    if scoring is not None:
        resolve_scoring(scoring)
    run = _Run(question)
    prepared, screen = run.prepared, run.screen
    for text in about_methods:
        run.note(text)
    X, y = held_in_memory(prepared, question.seed)
    if len(y) < prepared.n_rows:
        run.note(f"The table is large: a random sample of {len(y)} of {prepared.n_rows} rows is used.")
    with run.locating_infinities(), run.collecting_warnings(), screen.progress() as move:
        found = compare(
            X,
            y,
            methods=selectors,
            estimators=estimators,
            scoring=scoring,
            folds=folds,
            sizes=usual_sizes(len(prepared.names), len(set(question.steering.fixed))),
            target=prepared.kind,
            max_rows=max_rows,
            random_state=question.seed,
            n_jobs=question.jobs,
            progress=move,
        )
    if found.n_scored_rows < len(y):
        evenly = ", balanced over the classes where possible" * (found.scoring == "balanced_accuracy")
        run.note(
            f"Scores come from a random sample of {found.n_scored_rows} rows{evenly}; rankings from all rows."
        )
    rules = next(iter(selectors.values())).rules(lambda: prepared.n_rows)
    run.warn_of_leaks(found.recommended_columns, rules)
    if not question.json:
        _show_comparison(found, screen)
    run.publish(found.recommended_columns, [name for name, _ in found.consensus], rules, found)


class _Run:
    """Shared by both commands: prepare the table, collect warnings, publish the result."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._start = time.perf_counter()
        self._warnings: list[str] = []
        self.screen = Screen(question.quiet)
        # fail early if an output cannot be written
        self._outputs = Outputs(question.out, question.columns_file, question.report, question.excel_safe)
        self._outputs.check([question.file])
        if question.report is not None:
            importlib.import_module(REPORT)
        self.X: Any
        self.y: Any
        self._prepare()
        n_rows, n_columns = self.prepared.n_rows, len(self.prepared.names)
        source = self.prepared.loaded.source
        size = f"{counted(n_rows, 'row')}, {counted(n_columns, 'column')}"
        self.screen.say(f"{source}: {size} to choose from.")
        for note in self.prepared.notes:
            self.screen.say(note)

    def _prepare(self) -> None:
        question = self._question
        chosen: dict[str, Any] = {
            "ignore": question.ignore,
            "fixed": question.steering.fixed,
            "target_type": question.target_type,
        }
        if question.cluster is not None:
            if len(question.targets) > 1:
                raise DataError("--cluster takes a single target. Hint: name one, or leave --cluster out.")
            with errors_explained(repr(question.file)):
                scanned = prepare_scanned(
                    question.file, next(iter(question.targets), None), keep_ids=question.keep_ids, **chosen
                )
            self._outputs.check([piece.path for piece in scanned.X.pieces])
            self.prepared, self.X, self.y = scanned.prepared, scanned.X, scanned.y
            return
        loaded = read_table(question.file, question.seed, question.text)
        with errors_explained(repr(loaded.source)), self._notes_before_error(loaded):
            self.prepared = prepare(  # reads columns of large tables
                loaded,
                question.targets,
                keep_ids=question.keep_ids,
                date_parts=question.date_parts,
                **chosen,
            )
        self.X, self.y = self.prepared.X, self.prepared.y

    @contextmanager
    def _notes_before_error(self, loaded: Loaded) -> Iterator[None]:
        """Show how the file was interpreted before an error that this may explain."""
        try:
            yield
        except DataError:
            for note in loaded.notes:
                self.screen.say(note)
            raise

    @contextmanager
    def cluster(self) -> Iterator[None]:
        """Start or connect to the cluster, if one was requested."""
        question = self._question
        if question.cluster is None:
            yield
            return
        with connected(question.cluster, question.jobs) as description:
            self.screen.say(description)
            yield

    def note(self, text: str) -> None:
        """Show a note and keep it for the report."""
        self.prepared.notes.append(text)
        self.screen.say(text)

    @contextmanager
    def collecting_warnings(self) -> Iterator[None]:
        """Show warnings, with options instead of Python parameters, and keep them."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield
        found = [w for w in caught if issubclass(w.category, UserWarning)]
        # "nothing was found" is the answer itself, and notes about columns are shown separately
        others = NothingFoundWarning, ColumnWarning
        messages = [message_of(w.message) for w in found if not issubclass(w.category, others)]
        self._warnings = list(dict.fromkeys(map(in_options, messages)))
        for text in self._warnings:
            self.screen.warn(text)

    @contextmanager
    def locating_infinities(self) -> Iterator[None]:
        """Report the position of an infinite value in the user's file; the library sees only some rows."""
        try:
            yield
        except DataError as error:
            is_here = error.code is Code.INFINITE_VALUE and self._question.cluster is None
            found = infinite_value(self.prepared) if is_here else None
            if found is None:
                raise
            raise found from None

    def warn_of_leaks(self, names: Sequence[str], rules: Rules, notes: Sequence[Note] = ()) -> None:
        """Warn of columns that copy the target or determine it alone, which is too good to be true."""
        if self._question.cluster is not None:  # rows stay on the cluster
            return
        copies = [note.name for note in notes if note.kind == TARGET]
        others = [name for name in names if name not in copies]
        for name in (*copies, *leaks(self.prepared, others, rules)):
            does = "copies the target" if name in copies else "alone determines the target"
            text = (
                f"Column {quoted(name)} {does}. Hint: leave it out with --ignore if it is computed from the "
                "target, or known only afterwards."
            )
            self._warnings.append(text)
            self.screen.warn(text)

    def publish(
        self,
        answer: Sequence[str],
        top_columns: Sequence[str],
        rules: Rules,
        found: Selection | Comparison,
        method: str | None = None,
        code: str | None = None,
    ) -> None:
        """Write the requested files, then the document; the path of the report is shown last."""
        question = self._question
        self._write_columns(answer)
        if not question.json and question.report is None:
            return
        document = make_document(
            self.prepared,
            command=question.command,
            seed=question.seed,
            seconds=time.perf_counter() - self._start,
            warnings=self._warnings,
            answer=answer,
            top_columns=top_columns,
            rules=rules,
            method=method,
            code=code,
            selection=found.to_dict() if isinstance(found, Selection) else None,
            comparison=_comparison_entry(found) if isinstance(found, Comparison) else None,
        )
        if question.report is not None:
            write_text(importlib.import_module(REPORT).render(document), question.report)
        if question.json:
            self.screen.show_json(document)
        if question.report is not None:
            show = self.screen.say if question.json else self.screen.show
            show(f"Report: {os.path.abspath(question.report)}")

    def _write_columns(self, names: Sequence[str]) -> None:
        """Write the selected columns with the target, and their names."""
        question, prepared = self._question, self.prepared
        if question.out is not None:
            whole = prepared.loaded.frame if question.cluster else prepared.frame
            targets = question.targets or [prepared.target]
            columns = take(whole, [*names, *targets])
            numbers: list[str] = []
            if prepared.loaded.text is not None and is_text(question.out):
                numbers = [name for name, dtype in columns.collect_schema().items() if dtype != pl.String]
                columns = as_in_file(prepared.loaded.text, whole, names_of(columns))
            write_table(columns, question.out, question.excel_safe, numbers)
            goal = "the target" if len(targets) == 1 else f"{len(targets)} targets"
            self.screen.say(f"{counted(len(names), 'column')} and {goal} written to {question.out}")
        if question.columns_file is not None:
            broken = [name for name in names if len(name.splitlines()) > 1]
            if broken:
                self.screen.warn(
                    f"The name of column {quoted(broken[0])} has line breaks, and takes as many lines of "
                    f"{question.columns_file}. Hint: --json gives names as JSON."
                )
            write_text("".join(f"{name}\n" for name in names), question.columns_file)
            self.screen.say(f"Names of {counted(len(names), 'column')} written to {question.columns_file}")


def _comparison_entry(found: Comparison) -> dict[str, Any]:
    """A comparison for the document, with options instead of Python parameters in warnings."""
    entry = found.to_dict()
    for method in entry["methods"]:
        method["warnings"] = list(map(in_options, method["warnings"]))
    return entry


def _step_listener(prepared: Prepared, move: Any) -> Any:
    def listen(event: Any, n_done: int, n_expected: int | None) -> None:
        text = prepared.names[event.column] if isinstance(event, Step) else str(event)
        move(text, n_done, n_expected)

    return listen


# -- results on the screen -----------------------------------------------------------------------


def _show_selection(selection: Selection, method: str, screen: Screen) -> None:
    n_selected = len(selection.order)
    screen.show(
        f"{method} selects {n_selected} of {len(selection.names)} columns from {selection.n_rows} rows."
    )
    if selection.reason is not None:
        screen.show(_capitalized(selection.reason))
        if n_selected == 0:
            screen.show("--n-features 10 selects the best ten anyway.")
    steps = selection.step_dicts()[: selection.n_kept]
    shown = [key for key in _shown_of_steps(selection) if any(step[key] is not None for step in steps)]
    rows = [
        (
            step["step"],
            " + ".join(step["names"]),
            *(_step_cell(step, key, i == 0) for i, key in enumerate(shown)),
            *(["may be chance" if step["is_chance"] else ""] * any(step["is_chance"] for step in steps)),
        )
        for step in steps
    ]
    if rows:
        headers = (
            "",
            "column",
            *(STEP_TITLES[key] for key in shown),
            *[""] * (len(rows[0]) - 2 - len(shown)),
        )
        screen.table(headers, rows, numeric=(0, *range(2, 2 + len(shown))))


STEP_TITLES = {
    "gain": "adds, bits",
    "explained": "explained",
    "score": "score",
    "margin": "lead",
    "residual": "left open",
    "p_value": "p",
}


def _shown_of_steps(selection: Selection) -> tuple[str, ...]:
    """Keys to show for each step: the gain if it is known, otherwise the score."""
    first = ("gain", "explained") if selection.shows_gains else ("score", "margin")
    return (*first, "residual", "p_value")


def _step_cell(step: dict[str, Any], key: str, is_first: bool) -> str:
    if is_first and step["fixed"]:
        return "fixed"
    if key == "explained":
        return "" if step[key] is None else f"{100 * step[key]:.0f} %"
    return _number(step[key])


def _show_answer(names: Sequence[str], selector: str | None, screen: Screen) -> None:
    """Show the columns and a pipeline step that selects them, ready to copy."""
    if names:
        screen.show()
        screen.show(f"Columns: {json.dumps(list(names), ensure_ascii=False)}", longest=None)
        if selector is not None:
            screen.show(f"scikit-learn: make_pipeline({selector}, model)")


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _about_halves(selection: Selection) -> str:
    """Summary of stability selection."""
    learned = selection.learned
    none_kept = (
        " Interchangeable columns split the halves between them: a larger --n-features keeps more on each."
    )
    return (
        "The score is the share of random halves of the rows on which a column is kept; it must be at least "
        f"{learned['threshold']:g}. Expected false selections: at most {learned['max_false']:.2g} "
        f"columns. Stability: {learned['stability']}." + none_kept * (selection.n_kept == 0)
    )


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
    screen.show(
        f"Best {score_in_words(found.scoring)} over {found.folds} folds (number of columns in brackets):"
    )
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
    _show_answer(found.recommended_columns, found.recommendation.code, screen)


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
