"""Compare methods: select inside each fold, score by estimators, recommend."""

import dataclasses
import re
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length, check_random_state

from entropick._base.compat import drawn_seed, seeds_of_parts
from entropick._base.progress import progress_line
from entropick._base.threads import Threads, one_blas_thread, one_openmp_thread
from entropick._base.wording import counted
from entropick.comparison.recommend import Cells, recommend
from entropick.comparison.record import Comparison, MethodResult
from entropick.cuts.held_out import HeldOut
from entropick.evaluation.dependence import warn_of_dependence
from entropick.evaluation.estimators import Features, Judge, make_features, resolve_estimators
from entropick.evaluation.how_many import sizes_to_try
from entropick.evaluation.resample import MAX_ROWS, check_folds, warn_of_rare
from entropick.evaluation.scoring import Scorer, resolve_scoring
from entropick.evaluation.stability import mean_overlap, mean_ranks, stability_of
from entropick.evaluation.task import Task, make_task
from entropick.evaluation.trial import FIRST_STAGE, p_of_shuffles
from entropick.exceptions import DataError, Hint, Message, message_of, warn_user, with_prefix
from entropick.selectors.base import fit_to_rows, in_memory
from entropick.selectors.catalog import method_named, set_known_params
from entropick.selectors.method import MethodSelector
from entropick.selectors.python_code import first_columns, selector_code
from entropick.table.codes import Target
from entropick.table.encoding.target import encode_target, target_kind
from entropick.table.readers.frames import target_taken_out
from entropick.table.readers.inputs import container_rows, open_input
from entropick.table.row_groups import encode_row_groups

DEFAULT_METHODS = ("JMI", "MRMR", "CMIM", "RenyiFS", "MIM")
CUT = 2  # place of the cut among the parts of a method, whose seed splits the rows
SHORT = 1.0  # seconds; shorter fits are timed twice, and the minimum is reported
CompareProgress = Callable[[str, int, int], None]


def compare(
    X: Any,
    y: Any,
    *,
    methods: Any = None,
    estimators: Any = None,
    scoring: str | Scorer | None = None,
    folds: int = 5,
    cv: Any = None,
    groups: Any = None,
    sizes: Sequence[int] | None = None,
    target: str = "auto",
    max_rows: int | None = MAX_ROWS,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: bool | CompareProgress | None = None,
) -> Comparison:
    """Compare selection methods on one table.

    In each fold every method selects on the training rows, estimators are fitted to its first columns there
    and predict the other rows. Each method is also fitted once to all rows, for its order and its time.

    Rows, sizes, losses, the rule for the number of columns and the test against chance are those of
    ``n_features="auto"``, with these estimators instead of its own. The method with the least loss at its
    number of columns is recommended.

    Parameters
    ----------
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        Numbers, categories, strings, booleans and times, with missing values.
    y : array-like of shape (n_samples,), or str
        Classes of any type, or real values; or the name of their column in X.
    methods : list of names or selectors, or dict of selectors by name, default=None
        Names of the selectors' classes, ignoring case; None for JMI, MRMR, CMIM, RenyiFS and MIM.
    estimators : list of names, or dict of estimators by name, default=None
        What scores the columns: "logistic", "neighbors", "forest", "tree" and "bayes" for classes, "ridge",
        "neighbors", "forest" and "tree" for real values; None for the first three. Categories and missing
        values are handled for all.
    scoring : str, callable or None, default=None
        Name from `sklearn.metrics.get_scorer_names`, or a function of a fitted estimator, X and y where
        higher is better. None for R² of real values, accuracy of classes, and balanced accuracy of up to 200
        classes of unequal size; estimators given by name then weight classes equally. Scores given by name
        get classes as the numbers 0, 1, ... in order, functions get the original labels.
    folds : int, default=5
        Number of folds, stratified by class.
    cv : int, splitter or iterable of splits, default=None
        Other folds, as in `sklearn.model_selection.cross_val_score`: for instance `TimeSeriesSplit` for rows
        in the order of time.
    groups : array-like of shape (n_samples,), default=None
        What each row belongs to, such as a patient. Folds and shuffles keep rows of a group together; None
        takes rows as independent.
    sizes : list of int, default=None
        Numbers of columns to score; None for 1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 45, up to all columns.
    target : {"auto", "class", "real"}, default="auto"
        Whether y holds classes or real values; "auto" takes numbers with a fractional part, and whole
        numbers of many distinct values, as real.
    max_rows : int or None, default=2000
        Larger tables are sampled down to this many rows for the folds; None for all rows. With 2,000
        rows the standard error of an accuracy is at most 0.012. For balanced accuracy all classes have an
        equal share of these rows, if they have enough; otherwise the same share as in the table.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of all methods and estimators that use random numbers; None is 0, so that the
        same table gives the same result.
    n_jobs : int or None, default=None
        Number of threads; -1 for all processors. It never changes the result.
    progress : None, bool or callable, default=None
        True prints lines to stderr; a callable gets a text, the number of steps done and their total.

    Returns
    -------
    comparison : Comparison
        Scores, times, stability, agreement, a consensus and a recommendation.

    Examples
    --------
    >>> import entropick as ep
    >>> X, y = ep.datasets.make_corral(random_state=0)
    >>> found = ep.compare(X, y, methods=["jmi", "mim"], estimators=["tree"], random_state=0)
    >>> found.recommendation.n_features
    5
    """
    seed = _seed_of(random_state)
    if scoring is not None:
        resolve_scoring(scoring)  # fail early on an unknown score
    X, y = target_taken_out(X, y) if isinstance(y, str) else (X, y)
    X = in_memory(X)
    data = _make_data(X, y, scoring, folds, cv, groups, target, max_rows, seed)
    task = data.task
    selectors = _resolve_methods(methods, task, seed, n_jobs)
    estimators = resolve_estimators(estimators, task.is_class, seed, task.scoring == "balanced_accuracy")
    sizes = _resolve_sizes(sizes, data.features.n_columns)
    n_folds = len(task.splits)
    n_steps = len(selectors) * (n_folds + 1) + (len(selectors) * len(sizes) + 1) * len(estimators) * n_folds
    with progress_line() as line:
        shown = lambda text, n, n_all: line.show(f"{text} ({n} of {n_all})")  # noqa: E731
        report = _counting(shown if progress is True else progress or None, n_steps)
        chosen = [_select(name, selector, data, max(sizes), report) for name, selector in selectors.items()]
        cells = _score(data, chosen, estimators, sizes, report, n_jobs)
    return _summary(data, selectors, chosen, cells, seed)


@dataclass(frozen=True)
class _Data:
    """The data and the task made of them."""

    X: Any
    y: Any
    groups: Any
    cv: Any
    names: list[str]
    scoring: str | Scorer
    task: Task
    truth: np.ndarray  # classes or real values of the rows of the task
    features: Features  # of these rows
    rng: np.random.Generator  # drew the splits; the same numbers follow as in ``JMI("auto")``


@dataclass(frozen=True)
class _Chosen:
    """Columns selected by a method, best first."""

    name: str
    seconds: float
    order: list[int]
    by_fold: list[list[int]]
    warnings: tuple[str, ...]


def _counting(progress: CompareProgress | None, n_steps: int) -> Callable[..., None]:
    """Calls the progress function with the number of steps so far; estimators are fitted in threads."""
    lock, n_done = threading.Lock(), 0

    def report(text: str, n: int = 1) -> None:
        nonlocal n_done
        with lock:
            n_done += n
            if progress is not None:
                progress(text, n_done, n_steps)

    return report


# -- arguments -----------------------------------------------------------------------------------


def _seed_of(random_state: Any) -> int:
    """Seed as a number; an int is kept, so that methods find the same as on their own."""
    if random_state is None or isinstance(random_state, Integral):
        return int(random_state or 0)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _make_data(
    X: Any,
    y: Any,
    scoring: str | Scorer | None,
    folds: int,
    cv: Any,
    groups: Any,
    target: str,
    max_rows: int | None,
    seed: int,
) -> _Data:
    whole = encode_target(y, kind=target)
    names = [str(name) for name in open_input(X).names]
    if not names:  # as scikit-learn says it when a selector is fitted
        shape = f"({len(whole.codes)}, 0)"
        raise DataError(
            f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required by compare."
        )
    check_consistent_length(X, whole.codes, groups)
    row_groups = encode_row_groups(groups, len(whole.codes))
    cv = list(cv) if isinstance(cv, Iterator) else cv  # splits are used twice
    if cv is None or isinstance(cv, int):
        folds, cv = (folds if cv is None else cv), None
        _check_folds(whole, folds)
        warn_of_dependence(X, whole, row_groups)
    name = scoring if isinstance(scoring, str) or scoring is None else "a function"
    rng = np.random.default_rng(drawn_seed(seeds_of_parts(seed)[CUT]))
    task = make_task(
        whole, rng, n_columns=len(names), cv=cv, n_folds=folds, n_repeats=1,
        groups=row_groups, max_rows=max_rows, scoring=name, min_per_fold=1,
    )  # fmt: skip
    if task is None:
        raise DataError("The target has only one class, so methods cannot be compared.")
    truth = whole.truth[task.rows]
    if callable(scoring) and whole.values is None:
        truth = np.asarray(whole.encoding.levels)[truth]
    features = make_features(container_rows(X, task.rows))
    return _Data(X, y, groups, cv, names, scoring or task.scoring, task, truth, features, rng)


def _check_folds(whole: Target, folds: int) -> None:
    """Reject numbers of folds that cannot be, and warn of classes that some folds lack."""
    check_folds(folds, len(whole.codes))
    sizes = whole.class_sizes[whole.class_sizes > 0]
    if whole.values is not None:
        return
    if sizes.max() < folds:
        raise DataError(
            Message(
                f"No class has {folds} rows or more, one per fold (the largest has {sizes.max()}). Hint: "
                "use fewer ",
                Hint("folds"),
                ", or ",
                Hint("target", "real"),
                " if these are numbers.",
            )
        )
    warn_of_rare(sizes, folds)


def _resolve_methods(methods: Any, task: Task, seed: int, n_jobs: int | None) -> dict[str, MethodSelector]:
    """Fresh selectors by name."""
    if methods is None:
        methods = DEFAULT_METHODS
    if isinstance(methods, Mapping):
        named = {str(name): clone(selector) for name, selector in methods.items()}
    else:
        items: Iterable[Any] = [methods] if isinstance(methods, str) else methods
        kinds = dict.fromkeys(method_named(item) if isinstance(item, str) else item for item in items)
        named = {}
        for kind in kinds:
            selector = kind() if isinstance(kind, type) else clone(kind)
            name = type(selector).__name__
            if name in named:
                raise ValueError(f"Two methods are called {name}. Hint: give a dict of selectors by name.")
            named[name] = selector
    if not named:
        raise ValueError(f"At least one method is needed. Hint: {', '.join(DEFAULT_METHODS)}, ...")
    for name, selector in named.items():
        if not isinstance(selector, MethodSelector):
            raise TypeError(
                f"The method {name!r} must be a selector with n_features, got {selector!r}. Hint: selectors "
                "named after a method, such as JMI, have it; FeatureSelector does not."
            )
        set_known_params(selector, random_state=seed, n_jobs=n_jobs, progress=None, target=task.whole.kind)
    return named


def usual_sizes(n_columns: int, n_fixed: int = 0) -> tuple[int, ...]:
    """Default numbers of columns to try, from the number of fixed ones."""
    largest = max(n_fixed, min(n_columns, FIRST_STAGE))
    return tuple(size for size in sizes_to_try(n_fixed, largest) if size > 0)


def _resolve_sizes(sizes: Sequence[int] | None, n_columns: int) -> tuple[int, ...]:
    if sizes is None:
        return usual_sizes(n_columns)
    for size in sizes:
        if not 1 <= size <= n_columns:
            raise ValueError(f"sizes must be from 1 to the number of columns, {n_columns}; got {size}.")
    if not sizes:
        raise ValueError("sizes must name at least one number of columns.")
    return tuple(sorted({int(size) for size in sizes}))


# -- selection and scoring -----------------------------------------------------------------------


def _select(
    name: str, selector: MethodSelector, data: _Data, n_features: int, report: Callable[..., None]
) -> _Chosen:
    """Fit a method to all rows and to the training rows of each fold."""
    task = data.task
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            selector.set_params(n_features=n_features)
            by_fold = []
            for number, (train, _) in enumerate(task.splits, start=1):
                rows, truth = task.rows[train], task.whole.truth
                fitted = fit_to_rows(selector, data.X, truth, rows, n_table_rows=len(truth))
                by_fold.append(fitted.order_.tolist())
                report(f"{name} on fold {number}")
            order, seconds = _timed_order(selector, data)
            report(f"{name} on all rows")
        except (ValueError, TypeError) as error:
            raise with_prefix(f"{name} cannot select from these data: ", error, DataError) from error
    # Those that differ in their numbers alone are one; the fit to all rows, the last, says it.
    messages = {_without_numbers(text): text for text in (message_of(one.message) for one in caught)}
    return _Chosen(name, seconds, order, by_fold, tuple(messages.values()))


def _without_numbers(text: str) -> str:
    """A message without its numbers, but with those in quoted names."""
    return re.sub(r"((?<!\w)'[^']*')|\d[\d,.]*", lambda found: found[1] or "", text)


def _timed_order(selector: MethodSelector, data: _Data) -> tuple[list[int], float]:
    """Order and time of a fit to all rows, after the folds have loaded all modules."""
    seconds: list[float] = []
    while not seconds or (len(seconds) == 1 and seconds[0] < SHORT):
        start = time.perf_counter()
        fitted = clone(selector).fit(data.X, data.y)
        seconds.append(time.perf_counter() - start)
    return fitted.order_.tolist(), min(seconds)


def _score(
    data: _Data,
    chosen: list[_Chosen],
    estimators: dict[str, BaseEstimator],
    sizes: tuple[int, ...],
    report: Callable[..., None],
    n_jobs: int | None,
) -> Cells:
    """Predictions and scores of each fold by estimators fitted to the other rows."""
    task, judge = data.task, Judge(data.task, data.scoring, data.truth, data.features)
    folds, everything = range(len(task.splits)), tuple(range(data.features.n_columns))

    def columns_of(method: _Chosen, size: int, fold: int) -> tuple[int, ...]:
        return tuple(sorted(method.by_fold[fold][:size]))

    jobs = Counter((name, fold, everything) for name in estimators for fold in folds)
    for name, method, size, fold in product(estimators, chosen, sizes, folds):
        jobs[name, fold, columns_of(method, size, fold)] += 1  # methods often agree: fit each set once
    listed = list(jobs)
    found: dict[tuple[str, int, tuple[int, ...]], tuple[np.ndarray, float]] = {}

    def run(start: int, stop: int) -> None:
        for job in listed[start:stop]:
            name, fold, columns = job
            with one_openmp_thread():
                found[job] = judge.of(name, estimators[name], np.array(columns, np.int64), fold)
            report(f"{name} with {counted(len(columns), 'column')}", jobs[job])

    with warnings.catch_warnings(record=True) as caught, one_blas_thread(), Threads(n_jobs, 1) as threads:
        warnings.simplefilter("always")
        # already warned about when splitting
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true|A single label was found")
        threads.run(run, len(listed), seconds_per_item=0.05)
        chance = np.array([judge.of("guessing", None, np.empty(0, np.int64), fold)[1] for fold in folds])
    for text in dict.fromkeys(str(warning.message).split("\n", 1)[0] for warning in caught):
        warn_user(f"While estimators were fitted: {text}")
    shape = len(chosen), len(estimators), len(sizes)
    predictions = np.empty((*shape, len(task.splits.row_of), task.goal.shape[1]), np.float32)
    scores = np.empty((*shape, len(folds)))
    for (m, method), (e, name), (s, size) in product(
        enumerate(chosen), enumerate(estimators), enumerate(sizes)
    ):
        cell = [found[name, fold, columns_of(method, size, fold)] for fold in folds]
        predictions[m, e, s] = np.concatenate([predicted for predicted, _ in cell])
        scores[m, e, s] = [score for _, score in cell]
    baseline = np.array([[found[name, fold, everything][1] for fold in folds] for name in estimators])
    names = [method.name for method in chosen]
    return Cells(task, judge.scoring, names, tuple(estimators), sizes, predictions, scores, baseline, chance)


# -- results -------------------------------------------------------------------------------------


def _p_value(data: _Data, cells: Cells, seed: int) -> float:
    """P-value as that of ``JMI("auto")``; in time, where everything is done again, it is that very number."""
    task = data.task
    if not task.splits.is_ordered or task.splits.groups is not None:
        predictions = cells.predictions.astype(np.float64)
        rows, columns = task.rows[task.held_out], np.arange(data.features.n_columns)
        return p_of_shuffles(task, predictions, data.X, rows, columns, data.rng)
    selector = method_named("JMI")(HeldOut(cv=data.cv, random_state=seed), target=task.whole.kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the recommendation says what was found
        evidence = selector.fit(data.X, data.y).selection_.evidence
    return 1.0 if evidence is None or evidence.p_value is None else evidence.p_value


def _summary(
    data: _Data,
    selectors: Mapping[str, MethodSelector],
    chosen: list[_Chosen],
    cells: Cells,
    seed: int,
) -> Comparison:
    n_columns = data.features.n_columns
    recommendation, numbers = recommend(cells, n_columns, lambda: _p_value(data, cells, seed), data.rng)
    if recommendation.method is not None:
        code = _code_of(selectors[recommendation.method], recommendation.n_features, data)
        recommendation = dataclasses.replace(recommendation, code=code)
    size = _stability_size(recommendation.n_features, cells.sizes, n_columns)
    results = tuple(
        MethodResult(
            method.name,
            method.seconds,
            tuple(data.names[j] for j in method.order),
            cells.sizes,
            {name: cells.scores[m, e].T for e, name in enumerate(cells.estimators)},
            stability_of([np.isin(np.arange(n_columns), order[:size]) for order in method.by_fold]),
            numbers[m],
            method.warnings,
        )
        for m, method in enumerate(chosen)
    )
    orders = [method.order for method in chosen]
    ranks = mean_ranks(orders, n_columns)
    named = sorted({j for order in orders for j in order}, key=lambda j: (ranks[j], j))
    return Comparison(
        results,
        cells.estimators,
        cells.scoring,
        len(data.task.splits),
        len(data.task.rows),
        dict(zip(cells.estimators, cells.baseline.mean(axis=-1).tolist(), strict=True)),
        float(cells.chance.mean()),
        np.array([[mean_overlap(one, other) for other in orders] for one in orders]),
        tuple((data.names[j], float(ranks[j])) for j in named),
        size,
        recommendation,
    )


def _code_of(selector: MethodSelector, n_features: int, data: _Data) -> str | None:
    """Python code of a selector of the method's first columns; None if there is none."""
    sized = first_columns(selector, n_features)
    if sized is None:
        return None
    is_inferred = target_kind(data.y) == data.task.whole.kind
    return selector_code(set_known_params(sized, target="auto") if is_inferred else sized)


def _stability_size(recommended: int, sizes: tuple[int, ...], n_columns: int) -> int:
    """The recommended size; if there is none, or it is all columns, the median of the others."""
    if 0 < recommended < n_columns:
        return recommended
    others = [size for size in sizes if size < n_columns] or list(sizes)
    return others[len(others) // 2]
