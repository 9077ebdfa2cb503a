"""The commands `select` and `compare`, after their arguments are parsed."""

import dataclasses
import importlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import polars as pl
from sklearn.base import clone

from entropick._base.wording import counted, noun, quoted
from entropick.cli.cluster import prepare_scanned
from entropick.cli.document import make_document
from entropick.cli.infinite import infinite_value
from entropick.cli.leaks import leaks
from entropick.cli.messages import in_options
from entropick.cli.prepare import Prepared, held_in_memory, prepare
from entropick.cli.results import about_halves, in_pipeline, show_answer, show_comparison, show_selection
from entropick.cli.rows import Dependence
from entropick.cli.screen import Screen
from entropick.cli.steering import Steering
from entropick.cli.writing import Outputs, is_text, write_table, write_text
from entropick.comparison import Comparison
from entropick.cuts import HeldOut, Permutation
from entropick.evaluation.risk import HeldOutRisk
from entropick.exceptions import Code, DataError
from entropick.files.as_written import as_in_file
from entropick.files.frames import names_of, take
from entropick.files.layout import TextFormat
from entropick.files.reading import Loaded, errors_explained, read_table
from entropick.records.profiles import MAX_COLUMNS, MAX_LEAKS, MAX_REDUNDANT, Described
from entropick.records.selection import Selection, Step
from entropick.selectors.base import BaseSelector
from entropick.selectors.catalog import finds_subsets, method_named, set_known_params
from entropick.selectors.method import RULES, MethodSelector, PartsSelector, fit_keeping_table
from entropick.selectors.python_code import code_of_kept
from entropick.table.executors.cluster import connected
from entropick.table.notes import GROUP, TARGET, Note
from entropick.table.readers.inputs import is_lazy
from entropick.table.table import Table

REPORT = "entropick.report"  # imported on demand: nothing else needs jinja2
N_FOLDS, MAX_CELLS = 5, 20_000_000  # for the held-out risk: folds, and rows × columns of a table
INDEPENDENT = Dependence()


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
    dependence: Dependence = INDEPENDENT
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
    question.dependence.check_rule(n_features)
    selector = _with_options(method_selector, question, n_features, stability)
    run = _Run(question)
    prepared, screen, cv = run.prepared, run.screen, question.dependence.splitter()
    with run.cluster(), run.locating_infinities(), run.collecting_warnings(), screen.progress() as move:
        listener = move and _step_listener(prepared, move)
        set_known_params(selector, target=prepared.kind, progress=listener)
        with errors_explained(repr(prepared.loaded.source)):  # large tables are read now
            X, y, groups = question.dependence.apply(prepared, run.X, run.y)
            table = fit_keeping_table(selector, X, y, groups)
            # rows on a cluster cannot be held out
            risk = None
            if question.cluster is None:
                risk = _held_out_risk(selector, prepared, X, y, question.seed, groups=groups, cv=cv)
            selection = dataclasses.replace(selector.selection_, held_out_risk=risk)
            reached = [selection.names[step.column] for step in selection.steps]
            shown = selection.selected_names or reached
            described = run.described(method_selector, selection.selected_names, shown, table)
    run.warn_of_leaks(selection.selected_names, described, selection.notes)
    run.warn_of_groups(selection.notes)
    code = _code_of(selector, question, selection.n_kept)
    if not question.json:
        show_selection(selection, name, screen)
        if stability:
            screen.show(about_halves(selection))
        if risk is not None:
            screen.show(str(risk))
        show_answer(selection.selected_names, in_pipeline(code, prepared), screen)
    run.publish(selection.selected_names, shown, described, selection, method=name, code=code)


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
    in_time = question.dependence.time is not None
    if in_time and not stability and n_features in (None, "auto"):
        selector.set_params(n_features=HeldOut(cv=question.dependence.splitter()))
    elif in_time and n_features == "permutation":
        selector.set_params(n_features=Permutation(time_order=True))
    options = {"random_state": question.seed, "n_jobs": question.jobs}
    if not stability:
        return set_known_params(selector, **options)
    if question.cluster is not None:
        raise DataError(
            "--stability resamples rows, which --cluster does not support. Hint: leave out one of them."
        )
    from entropick.selectors.stability import StabilitySelector

    return set_known_params(StabilitySelector(selector, time_order=in_time), **options)


def _code_of(selector: BaseSelector, question: Question, n_kept: int) -> str | None:
    """Python code of a selector for the same columns; None if none were kept."""
    return code_of_kept(set_known_params(clone(selector), target=question.target_type), n_kept)


def _held_out_risk(
    selector: BaseSelector, prepared: Prepared, X: Any, y: Any, seed: int, *, groups: Any, cv: Any
) -> HeldOutRisk | None:
    """Risk on held-out rows for methods that minimize it, unless the table is large."""
    selection = selector.selection_
    has_risk = "bayes_risk" in selection.learned and prepared.kind == "class" and selection.n_kept > 0
    n_cells = prepared.n_rows * len(prepared.names)
    if not isinstance(selector, PartsSelector) or not has_risk or is_lazy(prepared.X):
        return None
    if n_cells > MAX_CELLS or prepared.n_rows < 2 * N_FOLDS:
        return None
    selector.set_params(progress=None)
    return selector.held_out_risk(X, y, folds=N_FOLDS, random_state=seed, groups=groups, cv=cv)


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
    X, y, groups = question.dependence.apply(prepared, X, y)
    with run.locating_infinities(), run.collecting_warnings(), screen.progress() as move:
        found = compare(
            X,
            y,
            methods=selectors,
            estimators=estimators,
            scoring=scoring,
            folds=folds,
            cv=question.dependence.splitter(folds),
            groups=groups,
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
    top_columns = [name for name, _ in found.consensus]
    described = run.described(next(iter(selectors.values())), found.recommended_columns, top_columns)
    run.warn_of_leaks(found.recommended_columns, described)
    if not question.json:
        show_comparison(found, screen, prepared)
    run.publish(found.recommended_columns, top_columns, described, found)


class _Run:
    """Shared by both commands: prepare the table, collect warnings, publish the result."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._start = time.perf_counter()
        self._warnings: list[str] = []
        self.screen = Screen(question.quiet)
        # fail early if an output cannot be written
        self._outputs = Outputs(
            question.out, question.columns_file, question.report, question.excel_safe, question.json
        )
        self._outputs.check([question.file])
        if question.report is not None:
            importlib.import_module(REPORT)
        self.X: Any
        self.y: Any
        self._prepare()
        n_rows, n_columns = self.prepared.n_rows, len(self.prepared.names)
        source = self.prepared.loaded.source
        size = f"{n_rows:,} {noun(n_rows, 'row')}, {n_columns:,} {noun(n_columns, 'column')}"
        self.screen.say(f"{source}: {size} to choose from.")
        for note in self.prepared.notes:
            self.screen.say(note)

    def _prepare(self) -> None:
        question = self._question
        chosen: dict[str, Any] = {
            "ignore": (*question.ignore, *question.dependence.columns),
            "fixed": question.steering.fixed,
            "target_type": question.target_type,
        }
        if question.cluster is not None:
            if question.dependence.columns:
                raise DataError("--groups and --time need all rows in one place. Hint: leave out --cluster.")
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
        question.dependence.check(loaded, question.targets)
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
        """Show warnings and keep them."""
        with self.screen.collecting_warnings() as self._warnings:
            yield

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

    def described(
        self,
        selector: PartsSelector,
        answer: Sequence[str],
        top_columns: Sequence[str],
        table: Table | None = None,
    ) -> Described:
        """What the columns to show are described from: the table of the fit, where it has their levels."""
        question, prepared = self._question, self.prepared
        found = None if table is None else Described.by_fit(table)
        if found is not None:
            return found
        has_document = question.json or question.report is not None
        names = prepared.names if has_document else answer[:MAX_LEAKS] or prepared.names[:1]
        shown = [*answer[:MAX_COLUMNS], *top_columns[:MAX_REDUNDANT]]
        rules = selector._rules(lambda: prepared.n_rows)
        y: Any = prepared.y
        if table is not None and table.has_target and not question.cluster:
            y = table.target
        return Described.of_values(take(prepared.X, names), y, names, shown, rules=rules, kind=prepared.kind)

    def warn_of_leaks(self, names: Sequence[str], described: Described, notes: Sequence[Note] = ()) -> None:
        """Warn of columns that copy the target or determine it alone, which is too good to be true."""
        if self._question.cluster is not None:  # rows stay on the cluster
            return
        does_of = {note.name: "copies the target" for note in notes if note.kind == TARGET}
        others = [name for name in names if name not in does_of]
        for name, does in (does_of | leaks(self.prepared, others, described)).items():
            text = (
                f"Column {quoted(name)} {does}. Hint: leave it out with --ignore if it is computed from the "
                "target, or known only afterwards."
            )
            self._warn(text)

    def warn_of_groups(self, notes: Sequence[Note]) -> None:
        """Warn of columns that name what rows belong to, such as a patient, and so tell the target."""
        for note in notes:
            if note.kind == GROUP:
                self._warn(f"{note.sentence} Hint: leave it out with --ignore, or name it by --groups.")

    def _warn(self, text: str) -> None:
        self._warnings.append(text)
        self.screen.warn(text)

    def publish(
        self,
        answer: Sequence[str],
        top_columns: Sequence[str],
        described: Described,
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
            described=described,
            method=method,
            code=code,
            selection=found.to_dict() if isinstance(found, Selection) else None,
            comparison=_comparison_entry(found) if isinstance(found, Comparison) else None,
            has_report=question.report is not None,
        )
        if question.report is not None:
            pairs = described.pairs(found) if isinstance(found, Selection) else None
            write_text(importlib.import_module(REPORT).render(document | {"pairs": pairs}), question.report)
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
