"""The target: classes of any type, real values cut into classes, labels that may be missing."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from entropick.exceptions import DataError, warn_user
from entropick.table.codes import ColumnEncoding, Target, freeze, smallest_dtype
from entropick.table.encoding import Edges, Rules, encode_numbers
from entropick.table.inputs import counted, read_series, read_values

UNLABELLED = -1  # scikit-learn's mark of a row without a label, for numeric labels

# Whole numbers either label classes or measure something, and "auto" must tell which.
# Labels have few values: ten digits, 26 letters, the 28 ring counts of abalones. Where they have more, they
# number the classes from 0 or 1 without a gap, each in several rows: 40 faces of ten pictures, 100 kinds of
# leaves. Measurements and counts do not: they start elsewhere (ages from 17, grams from 2,700), leave gaps
# (multiples of 50, large counts) or have values of a single row (the score of the diabetes data).
# A limit that grows with the rows alone would take the comments on 52,000 blog posts for 438 classes.
FEW_VALUES = 20  # labels in any case
SEVERAL_VALUES, ROWS_PER_VALUE = 30, 10  # labels if there are that many rows per value, on average
ROWS_OF_A_CLASS = 3  # at least, where labels number the classes


def encode_target(
    y: Any, *, kind: str = "auto", rules: Rules | None = None, semi_supervised: bool = False
) -> Target:
    """Encode a target.

    Parameters
    ----------
    y : 1-D array, list or series
    kind : "class" keeps every value as a class; "real" cuts numeric values into classes as a
        column would be; "auto" takes numbers with a fractional part as real, and also whole numbers
        of many distinct values (with a warning); all else as classes
    rules : number of classes a real target is cut into, and how (MDLP counts as quantile here)
    semi_supervised : -1 and missing values mean "no label", -1 only beside at least two other values;
        otherwise -1 is a class like any other and a missing value is an error
    """
    read_kind, values = _read(y)
    name = str(getattr(y, "name", None) or "y")
    rules = rules or Rules()
    if read_kind == "category":
        if kind == "real":
            raise DataError("A real target (target='real') must hold numbers, got texts or categories.")
        codes, levels = values
        encoding_kind, missing = "category", codes < 0
    else:
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
        if semi_supervised:
            missing = missing | _is_marked(values, missing)
        if values.dtype.kind == "f" and np.isinf(values).any():
            at = int(np.flatnonzero(np.isinf(values))[0])
            raise DataError(f"The target holds an infinite value (row {at}: {values[at]}).")
        encoding_kind = read_kind
    if missing.any() and not semi_supervised:
        at = int(np.flatnonzero(missing)[0])
        raise DataError(
            f"The target has {counted(int(missing.sum()), 'missing value')}, the first in row {at}; "
            "every row must have a label. Hint: drop these rows."
        )
    if len(missing) and missing.all():
        raise DataError(
            f"The target has no label at all: all {len(missing)} values are -1 or missing. Hint: give some "
            "rows of each class their label, or use an unsupervised method such as LaplacianScore."
        )
    if read_kind == "category":
        return _target(codes, ColumnEncoding(name, encoding_kind, len(levels), levels=tuple(levels)))
    labelled = values[~missing]
    if kind == "real" or (kind == "auto" and _has_fractions(labelled)):
        return _binned(values, missing, name, encoding_kind, rules)
    levels, inverse, sizes = np.unique(labelled, return_inverse=True, return_counts=True)
    if kind == "auto" and not _are_labels(levels, sizes):
        warn_user(
            f"The target has {len(levels)} distinct values in {len(labelled)} rows, so it is taken as real "
            "values. Hint: target='class' makes each value a class; target='real' confirms the choice."
        )
        return _binned(values, missing, name, encoding_kind, rules)
    codes = np.full(len(values), UNLABELLED)
    codes[~missing] = inverse
    return _target(codes, ColumnEncoding(name, encoding_kind, len(levels), levels=tuple(levels.tolist())))


def target_kind(y: Any) -> str:
    """What "auto" takes a target for: "class" or "real"."""
    read_kind, values = _read(y)
    if read_kind == "category":
        return "class"
    present = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    is_class = not _has_fractions(present) and _are_labels(*np.unique(present, return_counts=True))
    return "class" if is_class else "real"


def _is_marked(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Rows with scikit-learn's mark of a missing label, unless it can only be one of two classes."""
    marked = values == UNLABELLED
    others = np.unique(values[~marked & ~missing])
    if not marked.any() or len(others) != 1:
        return marked
    warn_user(
        f"The target has two values, -1 and {others[0]}; both are taken as classes, though -1 marks rows "
        "without a label elsewhere. Hint: mark these rows by NaN or None."
    )
    return np.zeros_like(marked)


def _read(y: Any) -> tuple[str, Any]:
    series = nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return read_series(series, "y")
    values = np.asarray(y)
    if values.ndim != 1:
        raise DataError(f"The target must have one dimension, got {values.ndim}.")
    return read_values(values, "y")


def _has_fractions(values: np.ndarray) -> bool:
    return values.dtype.kind == "f" and bool(np.any(values != np.round(values)))


def _are_labels(values: np.ndarray, sizes: np.ndarray) -> bool:
    """Whether distinct whole numbers, in order and with their numbers of rows, look like labels."""
    n_values = len(values)
    if n_values <= max(FEW_VALUES, min(SEVERAL_VALUES, sizes.sum() / ROWS_PER_VALUE)):
        return True
    is_numbering = values[0] in (0, 1) and values[-1] - values[0] == n_values - 1
    return bool(is_numbering and sizes.min() >= ROWS_OF_A_CLASS)


def _binned(values: np.ndarray, missing: np.ndarray, name: str, kind: str, rules: Rules) -> Target:
    """Classes of equal frequency (or width); unlabelled rows keep -1."""
    strategy = "uniform" if rules.binning == "uniform" else "quantile"
    labelled = values[~missing].astype(np.float64)
    levels = np.empty((1, len(labelled)), smallest_dtype(rules.n_bins + 1))
    rules = Rules(rules.n_bins, strategy)
    found = Edges.empty(np.zeros(1, np.int64), labelled, rules)
    encode_numbers(labelled[None, :], None, rules, found, levels)
    codes = np.full(len(values), UNLABELLED)
    codes[~missing] = levels[0]
    return _target(codes, found.encoding(0, name, kind), values.astype(np.float64))


def target_of_rows(target: Target, rows: np.ndarray, rules: Rules) -> Target:
    """The target of some rows, which alone decide how real values become classes."""
    known = target.encoding
    if target.values is None:
        return target.take_rows(rows)
    return _binned(target.values[rows], target.codes[rows] < 0, known.name, known.kind, rules)


def _target(codes: np.ndarray, encoding: ColumnEncoding, values: np.ndarray | None = None) -> Target:
    codes = codes.astype(np.int32)
    freeze(codes)
    return Target(codes, encoding, values)


def apply_target(y: Any, known: ColumnEncoding) -> Target:
    """Encode the target of other rows with classes that are known."""
    read_kind, values = _read(y)
    if read_kind == "category":
        codes, levels = values
        place = {level: code for code, level in enumerate(known.levels or ())}
        unknown = [level for level in levels if level not in place]
        codes = np.array([*(place.get(level, UNLABELLED) for level in levels), UNLABELLED])[codes]
    elif known.edges is not None:
        return _target(np.searchsorted(known.edges, values), known, values.astype(np.float64))
    else:
        levels = np.asarray(known.levels)
        codes = np.minimum(np.searchsorted(levels, values), len(levels) - 1)
        unknown = values[levels[codes] != values].tolist()
    if unknown:
        raise DataError(f"The target holds {unknown[0]!r}, which is none of its known classes.")
    return _target(codes, known)
