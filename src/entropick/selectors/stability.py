"""Selection by how often columns are selected on random halves of the rows."""

import copy
import math
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length, get_tags

from entropick._base.compat import HasMethods, Interval, StrOptions, drawn_seed, fit_context
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.evaluation.dependence import BY_ORDER, warn_of_dependence
from entropick.evaluation.resample import make_halves
from entropick.evaluation.stability import ASSUMPTIONS, FalseSelections, stability_of
from entropick.exceptions import (
    CombinationError,
    DataError,
    Hint,
    Message,
    SelectionWarning,
    message_of,
    warn_user,
)
from entropick.records.selection import Progress, Resample, Selection, Step
from entropick.selectors.base import BaseSelector, fit_to_rows
from entropick.selectors.method import PartsSelector
from entropick.selectors.methods import METHODS
from entropick.table.codes import Target
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import encode_target, one_dimensional
from entropick.table.notes import Note, find_notes
from entropick.table.readers.frames import with_copies
from entropick.table.readers.inputs import is_lazy
from entropick.table.row_groups import BOTH, encode_row_groups, random_orders

MAX_WARNINGS = 3  # of the fits that are passed on
COPIES, AUTO = "copies", "auto"
PER_COLUMN = ("costs", "initial")  # parameters with a value for each column, which copies do not have
MAX_COPIES = 5  # of each column; with fewer expected false selections than 1 / 5, bounds of theory are used


class Half(NamedTuple):
    """Half of the rows, and a seed for what is drawn in the selection on them."""

    rows: np.ndarray
    seed: int


class Chosen(NamedTuple):
    """What was selected on half of the rows: which columns, and the ranks of all."""

    support: np.ndarray
    ranks: np.ndarray


Map = Callable[[Callable[[Half], Chosen], Iterable[Half]], Iterable[Chosen]]


@dataclass(repr=False, eq=False)
class StabilitySelector(BaseSelector):
    """Select the columns that another selector keeps on most random halves of the rows.

    The rows are split at random into two halves, again and again, and the selector is fitted to either half
    (complementary pairs; halves have equal shares of each class). A column is selected if it is kept in at
    least the share `threshold` of these fits. `max_false_` bounds how many columns are then selected by
    mistake, on average, see Notes.

    Parameters
    ----------
    selector : selector or None, default=None
        Any selector of this library, or another with `fit` and `get_support`; None for `JMI`. Where its
        `n_features` is None, a fit keeps two thirds as many columns as there are, at most the square root
        of twice the rows, of the columns and their copies; without copies, the square root of 2 · max_false ·
        (number of columns), at most half of them.
    n_resamples : int, default=50
        Number of fits, an even number: two for each split.
    threshold : float in (0.5, 1] or "auto", default="auto"
        Share of the fits a column must be kept in. "auto" is the smallest one whose bound is at most
        `max_false`.
    max_false : float, default=1.0
        Number of columns selected by mistake to put up with, on average, for threshold="auto".
    assumption : {"auto", "copies", "r-concave", "unimodal", "none"}, default="auto"
        How such columns are thought to behave: like shuffled copies of the columns, which each fit then
        chooses from as well ("copies"), or as the theory of stability selection assumes, see Notes. "auto" is
        "copies" if the number of columns per fit is chosen here (`n_features` of the selector is None), a
        target is used, `max_false` is at least 0.2 and columns have no costs; else "r-concave".
    target : {"auto", "class", "real"}, default="auto"
        Whether y holds classes or real values; "auto" takes numbers with a fractional part, and whole
        numbers of many different values, as real.
    map : callable or None, default=None
        How fits are run elsewhere: called as ``map(function, halves)``, it gives the results in order, as
        `concurrent.futures.Executor.map` does. None runs them in `n_jobs` threads.
    random_state : int, RandomState instance or None, default=None
        Seed of the halves, and of the selector where it has none of its own.
    n_jobs : int or None, default=None
        Number of threads; -1 for all processors. It never changes the result.
    progress : None, bool or callable, default=None
        True shows a line on stderr; a callable gets each finished fit, the number of fits so far and the
        expected number.
    time_order : bool, default=False
        Whether rows are in the order of time, so that neighbouring rows are alike: each half is then a
        stretch of time, the start following the end.

    Attributes
    ----------
    frequencies_ : ndarray of shape (n_features_in_,)
        Share of the fits that kept each column.
    stability_ : Stability
        How alike the fits are (Nogueira's index): `value`, and a 95 % interval from `low` to `high`.
    threshold_ : float
        Share of the fits a column had to be kept in.
    max_false_ : float
        Bound on the expected number of columns selected by mistake.
    mean_size_ : float
        Columns kept by a fit, on average.
    order_ : ndarray of int
        Selected columns, the most frequent first; of equally frequent ones that with the better mean rank.
    support_ : ndarray of bool of shape (n_features_in_,)
        True for selected columns.
    ranking_ : ndarray of int of shape (n_features_in_,)
        Rank per column, 1 = best.
    scores_ : ndarray of shape (n_features_in_,)
        The same as `frequencies_`.
    selection_ : Selection
        The full record.
    n_features_ : int
        Number of selected columns.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Names of these columns, where X had names.

    Notes
    -----
    With copies, the table has each column a second time, with its rows in another order: noise with the same
    levels. The threshold is above the frequencies of all copies, or of all but k for a `max_false` of k + 1.
    Then at most `max_false` columns that are independent of the target are selected on average, if each is as
    likely as a copy to be the next one. A `max_false` below 1 takes several copies. A column that only
    repeats what another one tells is no mistake in this sense.

    In the theory, a column counts as selected by mistake if its probability to be kept on a random half is at
    most q / p, for q of p columns kept on average: no more than that of a column drawn at random. Columns
    that tell nothing are such columns if the selector treats them all alike, whatever their levels, and
    prefers columns that tell. The bound on their expected number is q² / (p (2τ − 1)) for the threshold τ,
    whatever the data (assumption="none"). It is smaller if the frequencies of these columns have a
    distribution with one peak ("unimodal"), or one whose tail falls fast ("r-concave", with r = −1/2 for
    pairs and −1/4 for single fits).

    Rows are taken as independent of each other, unless `fit` gets `groups` or `time_order` is True.

    References
    ----------
    Meinshausen and Bühlmann (2010), Stability selection.
    Shah and Samworth (2013), Variable selection with error control: another look at stability selection.
    Nogueira, Sechidis and Brown (2018), On the stability of feature selection algorithms.

    Examples
    --------
    >>> import numpy as np
    >>> import entropick as ep
    >>> X = np.random.default_rng(0).standard_normal((300, 40))
    >>> y = X[:, 3] + X[:, 7] > 0
    >>> selector = ep.StabilitySelector(ep.JMI(5, n_bins=4), random_state=0).fit(X, y)
    >>> selector.order_, selector.threshold_
    (array([3, 7]), 0.6)
    >>> round(selector.max_false_, 2)
    0.91
    """

    selector: Any = None
    n_resamples: int = 50
    threshold: float | str = "auto"
    random_state: Any = None
    max_false: float = 1.0
    assumption: str = AUTO
    target: str = "auto"
    map: Map | None = None
    n_jobs: int | None = None
    progress: Any = None
    time_order: bool = False

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "selector": [HasMethods(["fit", "get_support"]), None],
        "n_resamples": [Interval(Integral, 2, None, closed="left")],
        "threshold": [Interval(Real, 0.5, 1, closed="right"), StrOptions({"auto"})],
        "random_state": ["random_state"],
        "max_false": [Interval(Real, 0, None, closed="neither")],
        "assumption": [StrOptions({AUTO, COPIES, *ASSUMPTIONS})],
        "target": [StrOptions({"auto", "class", "real"})],
        "map": [callable, None],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
        "time_order": ["boolean"],
    }

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, groups: Any = None) -> "StabilitySelector":
        """Fit the selector to random halves of the rows, and select the columns it keeps most often.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            What the selector inside takes.
        y : array-like of shape (n_samples,), or str
            Classes of any type, or real values; may be left out where the selector does not look at it. Of a
            dataframe also the name of a column.
        groups : array-like of shape (n_samples,), default=None
            What each row belongs to, such as a patient; halves have whole groups. None takes rows as
            independent.

        Returns
        -------
        self : object
            The fitted selector.
        """
        if self.n_resamples % 2:
            raise ValueError(
                f"n_resamples must be even, since halves of the rows come in pairs; got {self.n_resamples}."
            )
        X, y = self._named_parts(X, y)
        X = self._check_table(X)
        X = X.collect() if is_lazy(X) else X
        names = self._names_in()
        y, target = self._check_labels(X, y)
        n_rows = X.shape[0]
        if n_rows < 2:
            raise DataError(f"Halves of the rows need at least two rows, got {counted(n_rows, 'sample')}.")
        if groups is not None and self.time_order:
            raise CombinationError(BOTH)
        codes = target.codes if target is not None and target.values is None else None
        row_groups = encode_row_groups(groups, n_rows)
        if target is not None and not self.time_order:
            warn_of_dependence(X, target, row_groups, BY_ORDER)
        assumption, n_copies = self._resolve_assumption()
        inner = self._selector_inside(target, self._usual_size(n_rows, len(names), assumption))
        halves = self._draw_halves(n_rows, codes, row_groups)
        table = with_copies(X, self._orders(n_rows, row_groups), n_copies) if n_copies else X
        with warnings.catch_warnings(record=True) as caught, self._listener(()) as progress:
            warnings.simplefilter("always")
            chosen = self._run(partial(select_on_half, inner, table, y, row_groups), halves, progress)
        _warn_again(caught)
        supports = np.array([found.support for found in chosen])
        bound = FalseSelections(assumption, n_copies, len(names), supports)
        ranks = np.mean([found.ranks[: len(names)] for found in chosen], axis=0)
        self._learn(self._record(bound, ranks, tuple(names), n_rows, target, find_notes(X, target, names)))
        self.frequencies_ = self.selection_.scores
        return self

    def _resolve_assumption(self) -> tuple[str, int]:
        """What noise is compared with, and the number of copies of each column."""
        n_copies = math.ceil(1 / self.max_false - 1e-9)
        if self.assumption == AUTO:
            parameters = self._inner().get_params(deep=False)
            is_free = parameters.get("n_features", 0) is None
            is_free &= not any(np.ndim(parameters.get(name)) for name in PER_COLUMN)
            fits = is_free and self._requires_y() and n_copies <= MAX_COPIES
            return (COPIES, n_copies) if fits else ("r-concave", 0)
        if self.assumption != COPIES:
            return self.assumption, 0
        if n_copies > MAX_COPIES:
            raise ValueError(
                f"assumption='copies' needs max_false of at least {1 / MAX_COPIES}, got {self.max_false}. "
                "Hint: use assumption='r-concave'."
            )
        return COPIES, n_copies

    def _orders(self, n_rows: int, row_groups: np.ndarray | None) -> Iterator[np.ndarray]:
        """Orders of the rows for copies of columns; whole groups are exchanged, and time is shifted."""
        rng = np.random.default_rng(drawn_seed(self.random_state))
        if not self.time_order:
            return random_orders(n_rows, row_groups, rng)
        far = iter(lambda: int(rng.uniform(0.2, 0.8) * n_rows), None)  # not a few rows
        return (np.roll(np.arange(n_rows), shift) for shift in far)

    def _check_labels(self, X: Any, y: Any) -> tuple[Any, Target | None]:
        """The target as the selector inside gets it, and what is known of it."""
        if y is None:
            if self._requires_y():
                raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
            return None, None
        y = one_dimensional(y)
        check_consistent_length(X, y)
        if not self._requires_y():
            return np.asarray(y), None
        target = encode_target(
            y, kind=self.target, semi_supervised=self._takes_missing_labels(),
            unlabelled=self._inner().get_params(deep=False).get("unlabelled"),
        )  # fmt: skip
        if not target.is_labelled.all():
            return np.asarray(y), None
        return target.truth, target

    def _requires_y(self) -> bool:
        return bool(get_tags(self._inner()).target_tags.required)

    def _takes_missing_labels(self) -> bool:
        inner = self._inner()
        return isinstance(inner, PartsSelector) and inner._takes_missing_labels()

    def _rules(self, count: Callable[[], int]) -> Rules:
        """Those of the selector inside, if it has any."""
        inner = self._inner()
        return inner._rules(count) if isinstance(inner, PartsSelector) else super()._rules(count)

    def _inner(self) -> Any:
        return METHODS["JMI"]() if self.selector is None else self.selector

    def _selector_inside(self, target: Target | None, usual_size: int) -> Any:
        """A copy of the selector that takes the target for what it is on all rows."""
        inner = clone(self._inner())
        parameters = inner.get_params(deep=False)
        if parameters.get("n_features", 0) is None:
            inner.set_params(n_features=usual_size)
        if target is not None and parameters.get("target") == "auto":
            inner.set_params(target=target.kind)
        return inner

    def _draw_halves(
        self, n_rows: int, classes: np.ndarray | None, row_groups: np.ndarray | None
    ) -> list[Half]:
        """Pairs of halves without a row or a group in common, the classes shared out equally."""
        seed = drawn_seed(self.random_state)
        halves = []
        for stream in np.random.SeedSequence(seed).spawn(self.n_resamples // 2):
            rng = np.random.default_rng(stream)
            for rows in make_halves(n_rows, classes, row_groups, rng, self.time_order):
                halves.append(Half(rows, int(rng.integers(np.iinfo(np.int32).max))))
        return halves

    def _run(
        self, work: Callable[[Half], Chosen], halves: Sequence[Half], progress: Progress | None
    ) -> list[Chosen]:
        """All fits, in the order of their halves."""
        chosen: list[Chosen | None] = [None] * len(halves)
        lock, done = threading.Lock(), 0

        def finish(place: int, found: Chosen) -> None:
            nonlocal done
            chosen[place] = found
            with lock:
                done += 1
                if progress is not None:
                    progress(Resample(place, int(found.support.sum())), done, len(halves))

        def run(start: int, stop: int) -> None:
            for place in range(start, stop):
                finish(place, work(halves[place]))

        if self.map is not None:
            for place, found in enumerate(self.map(work, halves)):
                finish(place, found)
        else:
            with Threads(self.n_jobs, 1) as threads:
                threads.run(run, len(halves), seconds_per_item=0.05)
        return [found for found in chosen if found is not None]

    def _record(
        self,
        bound: FalseSelections,
        mean_ranks: np.ndarray,
        names: tuple[str, ...],
        n_rows: int,
        target: Target | None,
        notes: tuple[Note, ...],
    ) -> Selection:
        n_fits, counts = len(bound.supports), bound.supports.sum(axis=0)
        least = self._least_count(bound)
        order = np.lexsort((mean_ranks, -counts))
        asked = {name: getattr(self, name) for name in ("threshold", "max_false", "assumption")}
        return Selection(
            steps=tuple(Step((int(j),), float(counts[j] / n_fits)) for j in order if counts[j]),
            n_kept=int(np.count_nonzero(counts >= least)),
            names=names,
            scores=counts / n_fits,
            settings={
                "measure": {"name": "frequency", "parameters": {"selector": str(self._inner())}},
                "search": {"name": "complementary pairs", "parameters": {"n_resamples": n_fits}},
                "cut": {"name": "least frequency", "parameters": asked},
            },
            encodings=(),
            target=None if target is None else target.encoding,
            n_rows=n_rows,
            learned={
                "threshold": least / n_fits,
                "max_false": bound.of(least),
                "mean_size": bound.mean_size,
                "stability": stability_of(bound.supports),
            },
            notes=notes,
        )

    def _usual_size(self, n_rows: int, p: int, assumption: str) -> int:
        """Number of columns that each fit keeps if the selector does not say.

        With copies the more, the more are selected: of 25 tables of up to 400 rows with p / 2, 3 p / 4 and p
        the median was 4, 7 and 10 columns. With 3 p / 4 and p more than one of noise was, on average, and
        with p none of some table, where a copy was always kept. Without copies it was 3, whatever the number.
        """
        if assumption == COPIES:
            return max(1, min(2 * p // 3, int(math.sqrt(2 * n_rows))))
        return max(1, min(int(math.sqrt(2 * self.max_false * p)), p // 2))

    def _least_count(self, bound: FalseSelections) -> int:
        """Number of fits that must keep a column."""
        n_fits = len(bound.supports)
        if self.threshold != AUTO:
            return math.ceil(float(self.threshold) * n_fits - 1e-9)
        if (found := bound.least_count(self.max_false)) is not None:
            return found
        warn_user(
            Message(
                f"No threshold keeps the bound on false selections at {self.max_false:g}: {bound.reason}, "
                f"so it is {bound.of(n_fits):.2g} even at the threshold 1, which is used. Hint: let the "
                "selector keep fewer columns, for instance ",
                Hint("n_features", self._usual_size(n_fits, bound.supports.shape[1], "r-concave")),
                ", or raise ",
                Hint("max_false", owner="StabilitySelector"),
                ".",
            )
        )
        return n_fits

    def __sklearn_tags__(self) -> Any:
        inner = get_tags(self._inner())
        tags = copy.deepcopy(super().__sklearn_tags__())
        tags.target_tags.required = inner.target_tags.required
        tags.target_tags.multi_output = False
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.categorical = inner.input_tags.categorical
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags


def select_on_half(
    selector: BaseEstimator, X: Any, y: np.ndarray | None, row_groups: np.ndarray | None, half: Half
) -> Chosen:
    """Fit a copy of a selector to half of the rows."""
    if selector.get_params(deep=False).get("random_state", 0) is None:
        selector = clone(selector).set_params(random_state=half.seed)
    selector = fit_to_rows(selector, X, y, half.rows, row_groups)
    support = np.asarray(selector.get_support(), bool)
    ranks = getattr(selector, "ranking_", None)
    ranks = np.where(support, 1, 2) if ranks is None else ranks
    return Chosen(support, np.asarray(ranks, np.float64))


def _warn_again(caught: Sequence[warnings.WarningMessage]) -> None:
    """Warn of the first few of the warnings of all fits."""
    found: dict[Message, type[Warning]] = {}
    for warning in caught:
        found.setdefault(message_of(warning.message), warning.category)
    for message, kind in islice(found.items(), MAX_WARNINGS):
        kind = kind if issubclass(kind, SelectionWarning) else SelectionWarning
        warn_user(Message("On halves of the rows: ", message), kind)
    if len(found) > MAX_WARNINGS:
        warn_user(f"On halves of the rows there were {len(found) - MAX_WARNINGS} other warnings.")
