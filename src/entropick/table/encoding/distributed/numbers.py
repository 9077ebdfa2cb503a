"""Sums over columns as numbers of a table whose rows are never in one place.

Parts are read twice. The first pass finds what all of them must know: the mean of a column, which replaces
its missing values, its smallest and largest value, the levels of categories. The second computes moments and
sums of products. The result is that of the whole table up to rounding.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from entropick import _core
from entropick._base.threads import Threads
from entropick.table.codes import Target
from entropick.table.encoding.distributed.surveys import (
    blocks_of_numbers,
    check_names,
    common_kind,
)
from entropick.table.numeric.magnitude import exponents_of
from entropick.table.numeric.moments import Moments, compute_moments
from entropick.table.numeric.numbers import safe_mean
from entropick.table.readers.checks import reject_infinite, reject_missing
from entropick.table.readers.inputs import check_shape, open_input

ROWS_AT_ONCE = 1 << 14  # rows per product of matrices


# -- first pass: what all parts must know --------------------------------------------------------


@dataclass(frozen=True)
class Extent:
    """A column in some rows: the number of missing values, mean and bounds of the others.

    A category has the counts of its `levels` instead: it becomes numbers once all levels are known.
    """

    kind: str
    n_missing: int
    n: int
    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    levels: Mapping[str, int] | None = None

    @property
    def has_values(self) -> bool:
        return self.n > 0


@dataclass(frozen=True)
class Extents:
    """The extents of all columns."""

    names: tuple[str, ...]
    n_rows: int
    columns: tuple[Extent, ...]


def extents(X: Any, names: Sequence[str] | None = None) -> Extents:
    """Compute the extents of the columns of a part of the rows, which may be empty."""
    source = open_input(X, names)
    found: dict[int, Extent] = {}
    for j in (j for j, kind in enumerate(source.kinds) if kind == "category"):
        codes, levels = source.category(j)
        counts = np.bincount(codes[codes >= 0], minlength=len(levels)).tolist()
        n = sum(counts)
        found[j] = Extent("category", source.n_rows - n, n, levels=dict(zip(levels, counts, strict=True)))
    for columns, values in blocks_of_numbers(source):
        reject_infinite(values, [source.names[j] for j in columns])
        for j, column in zip(columns, values, strict=True):
            found[j] = _extent(column, source.kinds[j])
    return Extents(tuple(source.names), source.n_rows, tuple(found[j] for j in range(len(source.names))))


def _extent(column: np.ndarray, kind: str) -> Extent:
    column = column.astype(np.float64, copy=False)
    present = column[~np.isnan(column)]
    n = len(present)
    if not n:
        return Extent(kind, len(column), 0)
    return Extent(kind, len(column) - n, n, safe_mean(present), float(present.min()), float(present.max()))


def merge_extents(parts: Sequence[Extents]) -> Extents:
    """Merge the extents of all parts."""
    first = parts[0]
    for other in parts[1:]:
        check_names(first.names, other.names)
    columns = [_merged(name, [part.columns[j] for part in parts]) for j, name in enumerate(first.names)]
    return Extents(first.names, sum(part.n_rows for part in parts), tuple(columns))


def _merged(name: str, parts: Sequence[Extent]) -> Extent:
    kind = common_kind(name, parts)
    n_missing, n = sum(part.n_missing for part in parts), sum(part.n for part in parts)
    with_values = [part for part in parts if part.has_values]
    if kind == "category":
        counts: Counter[str] = Counter()
        for part in with_values:
            counts.update(part.levels or {})
        return Extent(kind, n_missing, n, levels=dict(counts))
    if not with_values:
        return Extent(kind, n_missing, 0)
    mean = sum(part.n / n * part.mean for part in with_values)
    low, high = min(part.low for part in with_values), max(part.high for part in with_values)
    return Extent(kind, n_missing, n, min(max(mean, low), high), low, high)


@dataclass(frozen=True)
class NumbersPlan:
    """How parts become numbers; arrays are (columns,).

    Attributes
    ----------
    means : replacements of missing values
    low, high : smallest and largest values
    exponents : powers of two that columns are divided by, see `entropick.table.numeric.magnitude`
    levels : numbers of the levels of categories
    """

    names: tuple[str, ...]
    n_rows: int
    means: np.ndarray
    low: np.ndarray
    high: np.ndarray
    exponents: np.ndarray
    levels: Mapping[int, Mapping[str, int]]


def plan_numbers(found: Extents, missing: str) -> NumbersPlan:
    """Plan how parts become numbers, by the rules of `NumbersView`."""
    check_shape(found.n_rows, found.names)
    columns, levels = list(found.columns), {}
    for j, (name, column) in enumerate(zip(found.names, found.columns, strict=True)):
        reject_missing(name, column.n_missing, missing)
        if column.levels is not None:
            ordered = sorted(column.levels)
            levels[j] = {level: code for code, level in enumerate(ordered)}
            mean = sum(code * column.levels[level] for level, code in levels[j].items()) / max(1, column.n)
            columns[j] = replace(column, mean=mean, high=float(max(0, len(ordered) - 1)))
    means, low, high = np.array([(column.mean, column.low, column.high) for column in columns]).T
    return NumbersPlan(found.names, found.n_rows, means, low, high, exponents_of(low, high), levels)


def numbers_of_part(X: Any, plan: NumbersPlan) -> np.ndarray:
    """The columns of a part as numbers whose squares do not overflow, (rows, columns) in column order."""
    source = open_input(X, list(plan.names))
    made = np.empty((source.n_rows, len(plan.names)), np.float64, order="F")
    for j, known in plan.levels.items():
        if source.kinds[j] != "category":  # a part without values may be of any type
            made[:, j] = np.nan
            continue
        codes, levels = source.category(j)
        made[:, j] = np.array([*(known[level] for level in levels), np.nan])[codes]
    for columns, values in blocks_of_numbers(source):
        numbers = [k for k, j in enumerate(columns) if j not in plan.levels]
        made[:, columns[numbers]] = values[numbers].T
    for j in np.flatnonzero(np.isnan(made).any(axis=0)).tolist():
        made[np.isnan(made[:, j]), j] = plan.means[j]
    return made if not plan.exponents.any() else np.asfortranarray(np.ldexp(made, -plan.exponents))


# -- second pass: sums ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sums:
    """Sums over some rows.

    Attributes
    ----------
    moments : moments of the columns
    totals, products : sums of the centred columns (columns + 1,) and of their products (columns + 1,
        columns + 1), the target being the last; None if not requested
    """

    moments: Moments
    totals: np.ndarray | None = None
    products: np.ndarray | None = None


class Scale(NamedTuple):
    """How numbers of the target are scaled: divided by a power of two, then less `centre`."""

    centre: float
    exponent: int


def sums_of_part(X: Any, target: Target | None, plan: NumbersPlan, of_target: Scale | None) -> Sums:
    """Sums over a part of the rows, without products if `of_target` is None."""
    values, threads = numbers_of_part(X, plan), Threads(1)
    codes, n_classes = (None, 1) if target is None else (target.codes, target.n_classes)
    moments = compute_moments(values, threads, codes, n_classes)
    if of_target is None:
        return Sums(moments)
    means = np.ldexp(plan.means, -plan.exponents)
    numbers = np.zeros(len(values)) if target is None else target.codes.astype(np.float64)
    if target is not None and target.values is not None:
        numbers = np.ldexp(target.values, -of_target.exponent)
    totals = np.zeros(len(means) + 1)
    products = np.zeros((len(means) + 1, len(means) + 1))
    for start in range(0, len(values), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        centred = np.column_stack([values[rows] - means, numbers[rows] - of_target.centre])
        totals += centred.sum(axis=0)
        products += centred.T @ centred
    return Sums(moments, totals, products)


def merge_sums(parts: Sequence[Sums]) -> Sums:
    """Merge the sums of all parts."""
    moments = Moments.merged([part.moments for part in parts])
    if parts[0].products is None:
        return Sums(moments)
    return Sums(moments, added([part.totals for part in parts]), added([part.products for part in parts]))


def added(parts: Sequence[Any]) -> np.ndarray:
    """The sum of arrays."""
    total: np.ndarray = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def correlations(sums: Sums, is_constant: np.ndarray) -> np.ndarray:
    """Pearson's correlations of all columns and, last, the target; 0 if one of two is constant."""
    assert sums.products is not None
    assert sums.totals is not None
    means = sums.totals / sums.moments.class_counts.sum()
    table = sums.products / sums.moments.class_counts.sum() - np.outer(means, means)
    variance = np.where(is_constant, 0.0, np.maximum(table.diagonal(), 0.0))
    factors = np.divide(1.0, np.sqrt(variance), out=np.zeros_like(variance), where=variance > 0)
    table *= factors[:, None]
    table *= factors
    return np.clip(table, -1.0, 1.0, out=table)


def tokens_of_part(
    X: Any, target: Target, plan: NumbersPlan, class_means: np.ndarray, n_tokens: int
) -> np.ndarray:
    """Count the rows of each column by their distance from the mean of their class, see `ILFS`."""
    tokens = np.zeros((len(plan.names), n_tokens), np.int64)
    columns = np.ascontiguousarray(numbers_of_part(X, plan).T)
    _core.ClassMoments(target.codes, class_means.shape[1]).count_tokens(columns, class_means, tokens)
    return tokens
