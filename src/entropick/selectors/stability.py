"""Selection by how often columns are selected on random halves of the rows."""

import copy
import math
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import has_fit_parameter

from entropick._base.compat import HasMethods, Interval, StrOptions, fit_context
from entropick._base.threads import Threads
from entropick._base.wording import counted
from entropick.evaluation.resample import make_halves
from entropick.evaluation.stability import ASSUMPTIONS, false_bound, smallest_threshold, stability_of
from entropick.exceptions import DataError, Hint, Message, SelectionWarning, message_of, warn_user
from entropick.records.selection import Progress, Resample, Selection, Step
from entropick.selectors.base import BaseSelector
from entropick.selectors.method import PartsSelector
from entropick.selectors.methods import METHODS
from entropick.selectors.progress import show_line
from entropick.table.codes import Target
from entropick.table.encoding.target import encode_target, one_dimensional
from entropick.table.notes import Note, find_notes
from entropick.table.readers.frames import target_taken_out
from entropick.table.readers.inputs import container_rows, is_lazy
from entropick.table.row_groups import encode_row_groups

MAX_WARNINGS = 3  # of the fits that are passed on
# The usual selector keeps the root of this multiple of max_false × columns, at most half of the columns. With
# 0.8, 11 small tables had 1.6 columns selected on average, with 2 they have 2.9; of noise none was in either
# case.
USUAL_SHARE = 2.0


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
    least the share `threshold` of these fits. How many columns are then selected by mistake is bounded, on
    average, by `max_false_`, if the selector treats uninformative columns alike and rows are independent, see
    Notes.

    Parameters
    ----------
    selector : selector or None, default=None
        Any selector of this library, or another with `fit` and `get_support`; None for `JMI`. Where its
        `n_features` is None it keeps the square root of 2 · max_false · (number of columns), at most half of
        them. The fewer columns it keeps, the lower the threshold may be.
    n_resamples : int, default=50
        Number of fits, an even number: two for each split.
    threshold : float in (0.5, 1] or "auto", default="auto"
        Share of the fits a column must be kept in. "auto" is the smallest one whose bound is at most
        `max_false`.
    max_false : float, default=1.0
        Number of columns selected by mistake to put up with, on average, for threshold="auto".
    assumption : {"r-concave", "unimodal", "none"}, default="r-concave"
        What is assumed of the frequencies of such columns, see Notes.
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
    A column counts as selected by mistake if its probability to be kept on a random half is at most q / p,
    for q of p columns kept on average: no more than that of a column drawn at random. Columns that tell
    nothing are such columns if the selector treats them all alike and prefers columns that tell. The bound on
    their expected number is q² / (p (2τ − 1)) for the threshold τ, whatever the data (assumption="none"). It
    is smaller if the frequencies of these columns have a distribution with one peak ("unimodal"), or one
    whose tail falls fast ("r-concave", with r = −1/2 for pairs and −1/4 for single fits). Rows are taken
    as independent of each other.

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
    assumption: str = "r-concave"
    target: str = "auto"
    map: Map | None = None
    n_jobs: int | None = None
    progress: Any = None

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "selector": [HasMethods(["fit", "get_support"]), None],
        "n_resamples": [Interval(Integral, 2, None, closed="left")],
        "threshold": [Interval(Real, 0.5, 1, closed="right"), StrOptions({"auto"})],
        "random_state": ["random_state"],
        "max_false": [Interval(Real, 0, None, closed="neither")],
        "assumption": [StrOptions(set(ASSUMPTIONS))],
        "target": [StrOptions({"auto", "class", "real"})],
        "map": [callable, None],
        "n_jobs": [Integral, None],
        "progress": [callable, "boolean", None],
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
        X, y = target_taken_out(X, y) if isinstance(y, str) else (X, y)
        X = self._check_table(X)
        X = X.collect() if is_lazy(X) else X
        names = self._names_in()
        y, target = self._check_labels(X, y)
        n_rows = X.shape[0]
        if n_rows < 2:
            raise DataError(f"Halves of the rows need at least two rows, got {counted(n_rows, 'sample')}.")
        is_class = target is not None and target.values is None
        row_groups = None if groups is None else encode_row_groups(groups, n_rows)
        halves = self._draw_halves(
            n_rows, target.codes if target is not None and is_class else None, row_groups
        )
        work = partial(select_on_half, self._selector_inside(target), X, y, row_groups)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            chosen = self._run(work, halves)
        _warn_again(caught)
        self._conclude(chosen, tuple(names), n_rows, target, find_notes(X, target, names))
        return self

    def _check_labels(self, X: Any, y: Any) -> tuple[Any, Target | None]:
        """The target as the selector inside gets it, and what is known of it."""
        if y is None:
            if self._requires_y():
                raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
            return None, None
        y = one_dimensional(y)
        if len(y) != X.shape[0]:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: [{X.shape[0]}, {len(y)}]"
            )
        if not self._requires_y():
            return np.asarray(y), None
        target = encode_target(
            y, kind=self.target, semi_supervised=self._takes_missing_labels(),
            unlabelled=self._inner().get_params(deep=False).get("unlabelled"),
        )  # fmt: skip
        if not target.is_labelled.all():
            return np.asarray(y), None
        return (target.codes if target.values is None else target.values), target

    def _requires_y(self) -> bool:
        return bool(get_tags(self._inner()).target_tags.required)

    def _takes_missing_labels(self) -> bool:
        inner = self._inner()
        return isinstance(inner, PartsSelector) and inner.takes_missing_labels()

    def _inner(self) -> Any:
        return METHODS["JMI"]() if self.selector is None else self.selector

    def _selector_inside(self, target: Target | None) -> Any:
        """A copy of the selector that takes the target for what it is on all rows."""
        inner = clone(self._inner())
        parameters = inner.get_params(deep=False)
        if parameters.get("n_features", 0) is None:
            inner.set_params(n_features=self._usual_size(self.n_features_in_))
        if target is not None and parameters.get("target") == "auto":
            inner.set_params(target="class" if target.values is None else "real")
        return inner

    def _draw_halves(
        self, n_rows: int, classes: np.ndarray | None, row_groups: np.ndarray | None
    ) -> list[Half]:
        """Pairs of halves without a row or a group in common, the classes shared out equally."""
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        halves = []
        for stream in np.random.SeedSequence(seed).spawn(self.n_resamples // 2):
            rng = np.random.default_rng(stream)
            for rows in make_halves(n_rows, classes, row_groups, rng):
                halves.append(Half(rows, int(rng.integers(np.iinfo(np.int32).max))))
        return halves

    def _run(self, work: Callable[[Half], Chosen], halves: Sequence[Half]) -> list[Chosen]:
        """All fits, in the order of their halves."""
        progress: Progress | None = show_line if self.progress is True else self.progress or None
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

    def _conclude(
        self,
        chosen: Sequence[Chosen],
        names: tuple[str, ...],
        n_rows: int,
        target: Target | None,
        notes: tuple[Note, ...],
    ) -> None:
        supports = np.array([found.support for found in chosen])
        n_fits, mean_size = len(chosen), float(supports.sum(axis=1).mean())
        threshold = self._threshold(mean_size, len(names))
        frequencies = supports.mean(axis=0)
        mean_ranks = np.mean([found.ranks for found in chosen], axis=0)
        order = np.lexsort((mean_ranks, -supports.sum(axis=0)))
        # frequencies and the threshold are multiples of 1 / n_fits: half of that is more than rounding
        n_kept = int(np.count_nonzero(frequencies >= threshold - 0.5 / n_fits))
        asked = {name: getattr(self, name) for name in ("threshold", "max_false", "assumption")}
        selection = Selection(
            steps=tuple(Step((int(j),), float(frequencies[j])) for j in order if frequencies[j] > 0),
            n_kept=n_kept,
            names=names,
            scores=frequencies,
            settings={
                "measure": {"name": "frequency", "parameters": {"selector": str(self._inner())}},
                "search": {"name": "complementary pairs", "parameters": {"n_resamples": n_fits}},
                "cut": {"name": "least frequency", "parameters": asked},
            },
            encodings=(),
            target=None if target is None else target.encoding,
            n_rows=n_rows,
            learned={
                "threshold": threshold,
                "max_false": false_bound(threshold, mean_size, len(names), n_fits // 2, self.assumption),
                "mean_size": mean_size,
                "stability": stability_of(supports),
            },
            notes=notes,
        )
        self.frequencies_ = frequencies
        self._learn(selection)

    def _usual_size(self, p: int) -> int:
        """Number of columns that each fit keeps if the selector does not say."""
        return max(1, min(int(math.sqrt(USUAL_SHARE * self.max_false * p)), p // 2))

    def _threshold(self, mean_size: float, p: int) -> float:
        if self.threshold != "auto":  # the next share that is a whole number of fits
            return math.ceil(float(self.threshold) * self.n_resamples - 1e-9) / self.n_resamples
        n_pairs = self.n_resamples // 2
        found = smallest_threshold(self.max_false, mean_size, p, n_pairs, self.assumption)
        if found is not None:
            return found
        bound = false_bound(1.0, mean_size, p, n_pairs, self.assumption)
        warn_user(
            Message(
                f"No threshold keeps the bound on false selections at {self.max_false:g}: fits keep "
                f"{mean_size:.1f} of {p} columns, so it is {bound:.2g} even at the threshold 1, which is "
                "used. Hint: let the selector keep fewer columns, for instance ",
                Hint("n_features", self._usual_size(p)),
                ", or raise ",
                Hint("max_false", owner="StabilitySelector"),
                ".",
            )
        )
        return 1.0

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
    selector = clone(selector)
    if selector.get_params(deep=False).get("random_state", 0) is None:
        selector.set_params(random_state=half.seed)
    options = {}
    if row_groups is not None and has_fit_parameter(selector, "groups"):
        options["groups"] = row_groups[half.rows]
    selector.fit(container_rows(X, half.rows), None if y is None else y[half.rows], **options)
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
