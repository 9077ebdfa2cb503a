"""Splits of the scored rows into training and test rows."""

import warnings
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from entropick.exceptions import DataError, Hint, Message, warn_user

Splits = list[tuple[np.ndarray, np.ndarray]]


def make_splits(
    truth: np.ndarray,
    is_class: bool,
    folds: int,
    cv: Any,
    groups: np.ndarray | None,
    rows: np.ndarray,
    seed: int,
) -> Splits:
    """Training and test rows of each fold, as indices into the scored rows.

    Parameters
    ----------
    truth : classes or real values of the scored rows
    is_class : whether `truth` holds classes
    folds : number of folds if `cv` is None
    cv : number of folds, splitter, splits of all rows, or None
    groups : groups of the scored rows, for splitters that need them
    rows : indices of the scored rows among all rows
    seed : seed of the random numbers
    """
    if cv is None or isinstance(cv, int):
        n_folds = folds if cv is None else cv
        if n_folds < 2 or n_folds > len(truth):
            raise ValueError(
                f"folds must be at least 2 and at most the number of rows, {len(truth)}; got {n_folds}."
            )
        return _stratified(truth, n_folds, seed) if is_class else _plain(truth, n_folds, seed)
    if hasattr(cv, "split"):
        try:
            splits = list(check_cv(cv).split(np.zeros((len(truth), 1)), truth, groups))
        except ValueError as error:
            hint = " Hint: pass groups, one for each row." if groups is None else ""
            raise DataError(
                f"{cv!r} cannot split {len(truth)} rows: {str(error).rstrip('. ')}.{hint}"
            ) from error
    else:
        splits = _given(cv, rows)
    if len(splits) < 2 or any(not len(rows) for split in splits for rows in split):
        raise DataError(
            f"cv must give at least two splits, each with training and test rows, got {len(splits)}."
        )
    return splits


def _plain(truth: np.ndarray, folds: int, seed: int) -> Splits:
    return list(KFold(folds, shuffle=True, random_state=seed).split(truth))


def _stratified(truth: np.ndarray, folds: int, seed: int) -> Splits:
    sizes = np.unique(truth, return_counts=True)[1]
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
    rare = int(np.count_nonzero(sizes < folds))
    if rare:
        warn_user(f"{rare} of {len(sizes)} classes have fewer than {folds} rows, so some folds lack them.")
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(truth, truth))


def _given(splits: Any, rows: np.ndarray) -> Splits:
    """Translate splits of all rows to the scored rows."""
    return [
        (np.flatnonzero(np.isin(rows, train)), np.flatnonzero(np.isin(rows, test))) for train, test in splits
    ]
