"""Encode the target: classes of any type, real values binned into classes, labels that may be missing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import scipy.sparse
from sklearn.exceptions import DataConversionWarning

from entropick._base.wording import counted, quoted
from entropick.exceptions import Code, DataError, Hint, Message, warn_user
from entropick.table.codes import ColumnEncoding, Target, freeze, smallest_dtype
from entropick.table.encoding.encoding import Rules, encode_numbers
from entropick.table.encoding.known import are_comparable, unlike_kinds
from entropick.table.readers.frames import read_series, whole_numbers
from entropick.table.readers.inputs import as_frame, plain_array, read_values
from entropick.table.readers.objects import whole_objects
from entropick.table.readers.whole import are_huge

CLASS_OR_REAL = Message(
    Hint("target", "class"), " makes each value a class; ", Hint("target", "real"), " confirms the choice."
)
UNLABELLED = -1  # scikit-learn's mark of a row without a label, for numeric labels

# Whole numbers are either labels or measurements, and "auto" must decide which.
# Labels have few values: ten digits, 26 letters, the 28 ring counts of abalones. If they have more, they
# number the classes from 0 or 1 without a gap, each in several rows: 40 faces of ten pictures, 100 kinds of
# leaves. Measurements and counts do not: they start elsewhere (ages from 17, grams from 2,700), leave gaps
# (multiples of 50, large counts) or have values of a single row (the score of the diabetes data).
# A limit that grew with the rows alone would make 438 classes of the comments on 52,000 blog posts.
FEW_VALUES = 20  # always labels
SEVERAL_VALUES, ROWS_PER_VALUE = 30, 10  # labels if there are this many rows per value, on average
ROWS_OF_A_CLASS = 3  # minimum if labels number the classes

MIN_COUNTS = 12  # fewer whole numbers are not taken for counts
LIKE_NEIGHBOURS = (
    0.7  # correlation of the rows of each number with those of the next one, from which on they are
)

ROWS_PER_JOINT_CLASS = 10  # warn if joint classes of several targets have fewer on average

# The columns of y, each a series or 1-D array, with their names; None if y is a single column.
TargetColumns: TypeAlias = Sequence[tuple[str | None, Any]]


def target_columns(y: Any) -> TargetColumns:
    """The columns of y; a table of one column is accepted with scikit-learn's warning."""
    is_array = isinstance(y, np.ndarray)  # which narwhals would take long to tell
    if not is_array and isinstance(nw.from_native(y, series_only=True, pass_through=True), nw.Series):
        return [(None, y)]
    frame = None if is_array else as_frame(y)
    if frame is not None:
        columns = [(name, frame[:, j].to_native()) for j, name in enumerate(map(str, frame.columns))]
        return _several(columns, frame.shape)
    values = y.toarray() if scipy.sparse.issparse(y) else np.asarray(y)
    if values.ndim == 1:
        return [(None, values)]
    if values.ndim != 2:
        raise ValueError(
            f"y should be a 1d array, or a 2d array of several targets, got an array of shape {values.shape} "
            "instead."
        )
    values = plain_array(y) if isinstance(y, list | tuple) else values  # keeps numbers next to strings
    return _several([(f"y{j}", values[:, j]) for j in range(values.shape[1])], values.shape)


def _several(columns: TargetColumns, shape: tuple[int, ...]) -> TargetColumns:
    if not columns:
        raise DataError(f"y must have at least one column, got a table of shape {shape}.")
    if len(columns) > 1:
        return columns
    warn_user(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples,), for example using ravel().",
        DataConversionWarning,
    )
    return [(None, columns[0][1])]


def one_dimensional(y: Any) -> Any:
    """The only column of y; reject several, and none."""
    if y is None:
        raise ValueError(
            "The classes of the target are needed, but y is None. Hint: pass the class of each row."
        )
    columns = target_columns(y)
    if len(columns) > 1:
        raise ValueError(f"y should be a 1d array, got {len(columns)} columns instead.")
    return columns[0][1]


def encode_target(
    y: Any,
    *,
    kind: str = "auto",
    rules: Rules | None = None,
    semi_supervised: bool = False,
    unlabelled: int | str | None = None,
    name: str | None = None,
) -> Target:
    """Encode a target.

    Parameters
    ----------
    y : 1-D array, list or series
    kind : "class" keeps every value as a class; "real" bins numeric values into classes as a
        column would be; "auto" treats numbers with a fractional part as real, and also whole numbers
        with many distinct values (with a warning); everything else as classes
    rules : how a real target is binned (MDLP counts as quantile here)
    semi_supervised : whether rows may have no label; otherwise that is an error
    unlabelled : which rows have no label: "missing" those with a missing value, -1 also those with -1, None
        as "missing", with a warning if -1 looks like scikit-learn's mark
    name : name of one of several target columns, for messages; by default that of y
    """
    subject = "The target" if name is None else f"The target {quoted(name)}"
    read_kind, values = read_target(y)
    name = name or str(getattr(y, "name", None) or "y")
    what = "missing label" if unlabelled == UNLABELLED else "missing value"
    if read_kind == "category":
        if kind == "real":
            real = Hint("target", "real")
            raise DataError(Message(f"{subject} must hold numbers (", real, "), got strings or categories."))
        codes, levels = values
        _check_labels(codes < 0, semi_supervised, subject, name, what)
        return _target(codes, ColumnEncoding(name, read_kind, len(levels), levels=tuple(levels)))
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    if unlabelled == UNLABELLED:
        missing = missing | (values == UNLABELLED)
    elif semi_supervised and unlabelled is None:
        _warn_of_marks(values[~missing], subject)
    _reject_infinite(values, subject, name)
    _check_labels(missing, semi_supervised, subject, name, what)
    labelled = values[~missing]
    is_real = kind == "real" or (kind == "auto" and has_fractions(labelled))
    if not is_real:
        levels, inverse, sizes = np.unique(labelled, return_inverse=True, return_counts=True)
        is_real = kind == "auto" and _are_measured(levels, sizes, subject)
    if is_real:
        return _binned(values, missing, name, read_kind, rules or Rules())
    codes = np.full(len(values), UNLABELLED)
    codes[~missing] = inverse
    return _target(codes, ColumnEncoding(name, read_kind, len(levels), levels=tuple(levels.tolist())))


def _reject_infinite(values: np.ndarray, subject: str, name: str) -> None:
    if values.dtype.kind != "f" or not np.isinf(values).any():
        return
    at = int(np.flatnonzero(np.isinf(values))[0])
    raise DataError(
        f"{subject} holds an infinite value (row {at}: {values[at]}).",
        code=Code.INFINITE_VALUE,
        column=name,
        row=at,
        value=float(values[at]),
    )


def _check_labels(missing: np.ndarray, semi_supervised: bool, subject: str, name: str, what: str) -> None:
    """Reject rows without a label unless they are allowed; always reject a target without any label."""
    if missing.any() and not semi_supervised:
        at = int(np.flatnonzero(missing)[0])
        raise DataError(
            f"{subject} has {counted(int(missing.sum()), what)}, the first in row {at}; "
            "every row must have a label. Hint: drop these rows.",
            code=Code.MISSING_VALUE,
            column=name,
            row=at,
        )
    if len(missing) and missing.all():
        raise DataError(
            f"{subject} has no label at all: all {len(missing)} values are missing or marked as unlabelled. "
            "Hint: give some rows of each class their label, or use an unsupervised method such as "
            "LaplacianScore."
        )


def _are_measured(levels: np.ndarray, sizes: np.ndarray, subject: str) -> bool:
    """Whether "auto" takes whole numbers as real, and says so, since it may be wrong."""
    if are_labels(levels, sizes):
        if _look_like_counts(levels, sizes):
            warn_user(
                Message(
                    f"{subject} has {len(levels)} whole numbers from {levels[0]:.0f} to {levels[-1]:.0f}, "
                    "which look like counts, but each of them is treated as a class. Hint: ",
                    Hint("target", "real"),
                    " treats them as real values; ",
                    Hint("target", "class"),
                    " confirms the choice.",
                )
            )
        return False
    values = f"{len(levels)} distinct values in {sizes.sum()} rows"
    warn_user(Message(f"{subject} has {values}, so it is treated as real values. Hint: ", CLASS_OR_REAL))
    return True


def join_targets(targets: Sequence[Target]) -> Target:
    """Join several targets into one; a row is unlabelled if it is so in one of them."""
    joint = np.zeros(len(targets[0].codes), np.int64)
    labelled = np.ones(len(joint), bool)
    for target in targets:
        labelled &= target.is_labelled
        joint = np.unique(joint * target.n_classes + target.codes, return_inverse=True)[1]
    codes = np.full(len(joint), UNLABELLED)
    classes, codes[labelled] = np.unique(joint[labelled], return_inverse=True)
    name = " + ".join(target.encoding.name for target in targets)
    return _target(codes, ColumnEncoding(name, "group", len(classes)))


def check_joint_classes(joint: Target) -> None:
    """Reject targets that share no labelled row; warn if joint classes have few rows."""
    n_rows = int(joint.is_labelled.sum())
    if not n_rows:
        raise DataError(
            "No row has a label in all columns of y. Hint: multioutput='sum' takes each column of y on the "
            "rows where it has a label."
        )
    if joint.n_classes * ROWS_PER_JOINT_CLASS > n_rows:
        warn_user(
            f"The columns of y have {joint.n_classes} joint classes in {n_rows} rows, fewer than "
            f"{ROWS_PER_JOINT_CLASS} rows for each, so scores are too high by chance. Hint: "
            "multioutput='sum' takes one column of y at a time, if the method has it; or use fewer of "
            "them."
        )


def target_kind(y: Any) -> str:
    """How "auto" treats a target: "class" or "real"."""
    read_kind, values = read_target(y)
    if read_kind == "category":
        return "class"
    present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    is_class = not has_fractions(present) and are_labels(*np.unique(present, return_counts=True))
    return "class" if is_class else "real"


def _warn_of_marks(values: np.ndarray, subject: str) -> None:
    """Warn if -1 is treated as a class but may be scikit-learn's mark of rows without a label.

    With only one other value it is usually a class; with smaller values or fractions it is a number.
    """
    levels = np.unique(values)
    if len(levels) > 2 and levels[0] == UNLABELLED and not has_fractions(levels):
        warn_user(
            Message(
                f"{subject} holds -1, which is treated as an ordinary value, although elsewhere it marks "
                "rows without a label. Hint: ",
                Hint("unlabelled", UNLABELLED, owner="RRPC"),
                " takes these rows as unlabelled; 'missing' confirms the choice.",
            )
        )


def read_target(y: Any) -> tuple[str, Any]:
    """Return the kind of a target, and its numbers or its codes and levels."""
    series = y if isinstance(y, np.ndarray) else nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        kind, values = read_series(series, "y")
        return kind, _exact(kind, values, lambda: whole_numbers(series))
    array = np.asarray(y)
    if array.ndim != 1:
        raise DataError(f"The target must have one dimension, got {array.ndim}.")
    kind, values = read_values(array, "y")
    return kind, _exact(kind, values, lambda: whole_objects(array.tolist()))


def _exact(kind: str, values: Any, whole: Callable[[], tuple[np.ndarray, np.ndarray] | None]) -> Any:
    """Replace floats that may be rounded whole numbers by Python integers, if none is missing."""
    if kind != "numeric" or values.dtype.kind != "f" or not are_huge(values):
        return values
    found = whole()
    return values if found is None or found[1].any() else found[0].astype(object)


def has_fractions(values: np.ndarray) -> bool:
    """Whether some of the numbers, none of them missing, are not whole."""
    return values.dtype.kind == "f" and bool(np.any(values != np.round(values)))


def are_labels(values: np.ndarray, sizes: np.ndarray) -> bool:
    """Whether sorted distinct whole numbers, each with its number of rows, look like labels."""
    n_values = len(values)
    if n_values <= max(FEW_VALUES, min(SEVERAL_VALUES, sizes.sum() / ROWS_PER_VALUE)):
        return True
    is_numbering = values[0] in (0, 1) and values[-1] - values[0] == n_values - 1
    return bool(is_numbering and sizes.min() >= ROWS_OF_A_CLASS)


def _look_like_counts(values: np.ndarray, sizes: np.ndarray) -> bool:
    """Whether neighbouring whole numbers have similar numbers of rows, unlike labels in any order."""
    if len(values) < MIN_COUNTS or values[-1] - values[0] >= 2 * len(values):
        return False
    before, after = sizes[:-1], sizes[1:]
    vary = np.ptp(before) > 0 and np.ptp(after) > 0
    return bool(vary and np.corrcoef(before, after)[0, 1] > LIKE_NEIGHBOURS)


def _binned(values: np.ndarray, missing: np.ndarray, name: str, kind: str, rules: Rules) -> Target:
    """Classes of equal frequency (or width); unlabelled rows keep -1."""
    strategy = "uniform" if rules.binning == "uniform" else "quantile"
    labelled = values[~missing].astype(np.float64)
    levels = np.empty((1, len(labelled)), smallest_dtype(rules.most_levels))
    rules = replace(rules, binning=strategy, missing="level")
    found = encode_numbers(np.zeros(1, np.int64), labelled[None, :], None, rules, levels)
    codes = np.full(len(values), UNLABELLED)
    codes[~missing] = levels[0]
    return _target(codes, found.encoding(0, name, kind), values.astype(np.float64))


def target_of_rows(target: Target, rows: np.ndarray, rules: Rules) -> Target:
    """The target of some rows; real values are binned again, in these rows alone."""
    known = target.encoding
    if target.values is None:
        return target.take_rows(rows)
    return _binned(target.values[rows], target.codes[rows] < 0, known.name, known.kind, rules)


def _target(codes: np.ndarray, encoding: ColumnEncoding, values: np.ndarray | None = None) -> Target:
    codes = codes.astype(np.int32)
    freeze(codes)
    return Target(codes, encoding, values)


def apply_target(y: Any, known: ColumnEncoding) -> Target:
    """Encode the target of other rows with known classes."""
    read_kind, values = read_target(y)
    if len(y) and not are_comparable(read_kind, known.kind):
        raise unlike_kinds(known.name, known.kind, read_kind)
    if read_kind == "category":
        codes, levels = values
        _check_labels(codes < 0, False, "The target", known.name, "missing value")
        code_of = {level: code for code, level in enumerate(known.levels or ())}
        unknown = [level for level in levels if level not in code_of]
        codes = np.array([*(code_of.get(level, UNLABELLED) for level in levels), UNLABELLED])[codes]
    elif known.edges is not None:
        _reject_infinite(values, "The target", known.name)
        _check_labels(np.isnan(values), False, "The target", known.name, "missing value")
        return _target(np.searchsorted(known.edges, values), known, values.astype(np.float64))
    else:
        levels = np.asarray(known.levels)
        codes = np.minimum(np.searchsorted(levels, values), len(levels) - 1)
        unknown = values[levels[codes] != values].tolist()
    if unknown:
        raise DataError(f"The target holds {unknown[0]!r}, which is not one of its known classes.")
    return _target(codes, known)
