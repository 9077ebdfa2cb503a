"""Which rows are learned from and which are held out: samples, folds and halves.

Rows of one group stay on one side of every split.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import check_cv

from entropick.exceptions import DataError, warn_user

MAX_ROWS = 2000  # larger tables are sampled down to this many rows
N_BLOCKS = 20  # of neighbouring rows, if rows are ordered in time: their losses are not independent


class Split(NamedTuple):
    """Rows to learn from, and rows held out."""

    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True)
class Splits:
    """Several splits of the same rows; a row may be held out by none, one or several of them.

    Attributes
    ----------
    splits : training rows and held-out rows
    n_repeats : how often the rows were split into folds
    groups : group of each row; None if rows are independent
    """

    splits: Sequence[Split]
    n_repeats: int = 1
    groups: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.splits)

    def __iter__(self) -> Iterator[Split]:
        return iter(self.splits)

    @property
    def n_folds(self) -> int:
        """Splits per repeat."""
        return len(self.splits) // self.n_repeats

    @cached_property
    def row_of(self) -> np.ndarray:
        """Row of each prediction, split after split."""
        return np.concatenate([split.test for split in self.splits])

    @cached_property
    def split_of(self) -> np.ndarray:
        """Split of each prediction."""
        return np.repeat(np.arange(len(self.splits)), [len(split.test) for split in self.splits])

    @cached_property
    def rows(self) -> np.ndarray:
        """Rows that are held out at least once, in ascending order."""
        return np.unique(self.row_of)

    @cached_property
    def is_ordered(self) -> bool:
        """Whether every split learns from the rows before those it holds out, as with time series."""
        return all(split.train.max() < split.test.min() for split in self.splits)

    def by_row(self, values: np.ndarray) -> np.ndarray:
        """Mean over the predictions of each held-out row, (..., predictions) to (..., rows)."""
        place = np.searchsorted(self.rows, self.row_of)
        if len(place) == len(self.rows):  # each row is held out once
            found = np.empty_like(values)
            found[..., place] = values
            return found
        return _sums(values, place) / np.bincount(place)

    @cached_property
    def unit_of(self) -> np.ndarray:
        """Independent unit of each held-out row: its group, its block of time, or the row itself."""
        if self.groups is not None:
            return np.unique(self.groups[self.rows], return_inverse=True)[1].reshape(-1)
        n_rows = len(self.rows)
        return np.arange(n_rows) * min(N_BLOCKS, n_rows) // n_rows if self.is_ordered else np.arange(n_rows)

    def by_unit(self, values: np.ndarray) -> np.ndarray:
        """Sums over units, (..., rows) to (..., units), scaled so that means stay what they are."""
        n_units = int(self.unit_of.max()) + 1
        if n_units == len(self.rows):
            return values
        return _sums(values, self.unit_of) * (n_units / len(self.rows))

    def losses_of_units(self, losses: np.ndarray) -> np.ndarray:
        """Losses of predictions, (..., predictions), as losses of independent units, (..., units)."""
        return self.by_unit(self.by_row(losses))


def _sums(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Sums of values (..., n) of the same place 0, 1, ..., as (..., places)."""
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(int(place.max()) + 1))
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1))


def draw_rows(
    strata: np.ndarray, max_rows: int | None, rng: np.random.Generator, *, evenly: bool
) -> np.ndarray:
    """Sample at most `max_rows` rows; returns sorted indices.

    Parameters
    ----------
    strata : class or real value of each row
    max_rows : maximum number of rows; None for all
    rng : random number generator
    evenly : whether to draw equally many rows of each class, if it has enough; otherwise each class, and each
        range of real values, keeps its share of the table, within one row
    """
    n_rows = len(strata)
    if max_rows is None or n_rows <= max_rows:
        return np.arange(n_rows)
    shuffled = rng.permutation(n_rows)
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    if not evenly:
        positions = (np.arange(max_rows) + rng.random()) * n_rows / max_rows
        return np.sort(order[positions.astype(np.int64)])
    rank_in_class = np.arange(n_rows) - np.searchsorted(strata[order], strata[order])
    return np.sort(order[np.argsort(rank_in_class, kind="stable")[:max_rows]])


# -- folds and halves ----------------------------------------------------------------------------


def deal_out(
    strata: np.ndarray, groups: np.ndarray | None, n_parts: int, rng: np.random.Generator
) -> np.ndarray:
    """Part of each row: parts are alike in their strata, and have about the same number of rows.

    Parameters
    ----------
    strata : class or real value of each row
    groups : group of each row, which goes to one part as a whole; None if rows are independent
    n_parts : number of folds, or 2 for halves
    rng : random number generator
    """
    if groups is None:
        n_rows = len(strata)
        order = rng.permutation(n_rows)
        order = order[np.argsort(strata[order], kind="stable")]
        part = np.empty(n_rows, np.int64)
        n_rounds = -(-n_rows // n_parts)
        dealt = rng.permuted(np.tile(np.arange(n_parts), (n_rounds, 1)), axis=1).ravel()
        part[order] = dealt[:n_rows]
        return part
    names, group_of, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    group_of = group_of.reshape(-1)
    order = rng.permutation(len(names))
    means = np.bincount(group_of, weights=strata) / sizes
    order = order[np.argsort(means[order], kind="stable")]
    part_of, filled = np.empty(len(names), np.int64), np.zeros(n_parts)
    for start in range(0, len(names), n_parts):  # the largest of each few groups to the emptiest part
        some = order[start : start + n_parts]
        some = some[np.argsort(-sizes[some], kind="stable")]
        emptiest = np.lexsort((rng.random(n_parts), filled))[: len(some)]
        part_of[some] = emptiest
        filled[emptiest] += sizes[some]
    return np.asarray(part_of[group_of])


def check_folds(n_folds: int, n_rows: int) -> None:
    """Reject numbers of folds that rows cannot be split into."""
    if not 2 <= n_folds <= n_rows:
        raise ValueError(f"folds must be at least 2 and at most the number of rows, {n_rows}; got {n_folds}.")


def make_folds(
    strata: np.ndarray,
    groups: np.ndarray | None,
    n_folds: int,
    n_repeats: int,
    rng: np.random.Generator,
) -> Splits:
    """Split the rows into folds, again and again; parameters as in `deal_out`."""
    if groups is not None:
        n_folds = min(n_folds, len(np.unique(groups)))
    splits = []
    for _ in range(n_repeats):
        fold_of = deal_out(strata, groups, n_folds, rng)
        for fold in range(n_folds):
            splits.append(Split(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)))
    return Splits(splits, n_repeats, groups)


def splits_of(cv: Any, y: np.ndarray, groups: np.ndarray | None, rows: np.ndarray) -> Splits:
    """Splits by a splitter of scikit-learn, or given ones.

    Parameters
    ----------
    cv : splitter, or training and test rows of each split as indices into the whole table
    y : classes or real values of the rows to split
    groups : groups of these rows
    rows : indices of these rows in the whole table, in ascending order
    """
    if hasattr(cv, "split"):
        hint = " Hint: pass groups, one for each row." if groups is None else ""
        found = split_by(check_cv(cv), y, groups, hint)
        splits = [Split(np.sort(train), np.sort(test)) for train, test in found]
    else:
        splits = [
            Split(np.flatnonzero(np.isin(rows, train)), np.flatnonzero(np.isin(rows, test)))
            for train, test in _pairs(cv)
        ]
    if len(splits) < 2 or any(not len(some) for split in splits for some in split):
        raise DataError(
            f"cv must give at least two splits, each with training and test rows, got {len(splits)}."
        )
    return Splits(splits, 1, groups)


def split_by(splitter: Any, y: np.ndarray, groups: np.ndarray | None = None, hint: str = "") -> list[Split]:
    """Splits by a splitter of scikit-learn; a hint follows its own reason why it cannot split."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)  # see `warn_of_rare`
        try:
            return [Split(*rows) for rows in splitter.split(np.zeros((len(y), 1)), y, groups)]
        except ValueError as error:
            reason = str(error).rstrip(". ")
            raise DataError(f"{splitter!r} cannot split {len(y)} rows: {reason}.{hint}") from error


def warn_of_rare(class_sizes: np.ndarray, n_folds: int) -> None:
    """Warn of classes that some folds lack."""
    sizes = class_sizes[class_sizes > 0]
    if rare := int(np.count_nonzero(sizes < n_folds)):
        warn_user(
            f"{rare} of {len(sizes)} classes have fewer rows than the {n_folds} folds, so some folds lack "
            "them."
        )


def _pairs(cv: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(cv, Iterable):
        raise DataError(f"cv must be a splitter, or pairs of training and test rows; got {cv!r}.")
    return [(np.asarray(train), np.asarray(test)) for train, test in cv]


def make_halves(
    n_rows: int,
    classes: np.ndarray | None,
    groups: np.ndarray | None,
    rng: np.random.Generator,
    time_order: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Two halves of the rows, with equal shares of the classes; a last odd row is left out.

    In the order of time, each half is a stretch of it; the start follows the end.
    """
    if time_order:
        order = np.roll(np.arange(n_rows), rng.integers(n_rows))
        return np.sort(order[: n_rows // 2]), np.sort(order[n_rows // 2 : 2 * (n_rows // 2)])
    if groups is not None:
        half_of = deal_out(np.zeros(n_rows) if classes is None else classes, groups, 2, rng)
        return np.flatnonzero(half_of == 0), np.flatnonzero(half_of == 1)
    order = rng.permutation(n_rows)[: n_rows - n_rows % 2]
    if classes is not None:  # neighbours in order go to different halves
        order = order[np.argsort(classes[order], kind="stable")]
    return np.sort(order[0::2]), np.sort(order[1::2])
