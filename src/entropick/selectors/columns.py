"""Find columns that users give by name or by index."""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

from entropick._base.wording import did_you_mean, listed
from entropick.exceptions import Code, DataError


def column_index(column: Any, names: Sequence[str], role: str) -> int:
    """Index of a column given by name or index."""
    if isinstance(column, Integral) and not isinstance(column, bool):
        if not -len(names) <= int(column) < len(names):
            raise DataError(
                f"{role} names column {column}, but the table has {len(names)} columns. "
                f"Hint: indices go from 0 to {len(names) - 1}.",
                code=Code.UNKNOWN_COLUMN,
                column=int(column),
            )
        return int(column) % len(names)
    if column in names:
        return list(names).index(column)
    known = f"the columns are {listed(map(repr, names), 5)}; an index does as well."
    raise DataError(
        f"{role} names column {column!r}, which is not in the table. Hint: "
        f"{did_you_mean(str(column), names, known, cutoff=0.5)}",
        code=Code.UNKNOWN_COLUMN,
        column=column,
    )


def column_indices(columns: Iterable[Any], names: Sequence[str], role: str) -> list[int]:
    """Indices of columns in the given order, without repetition."""
    return list(dict.fromkeys(column_index(column, names, role) for column in columns))


def column_groups(groups: Any, names: Sequence[str]) -> list[list[int]]:
    """Groups of column indices from sequences (or a mapping to sequences) of names or indices."""
    members = groups.values() if isinstance(groups, Mapping) else groups
    for group in members:
        if isinstance(group, str | Integral):
            raise DataError(
                f"feature_groups must hold lists of columns, got the single column {group!r}. "
                "Hint: one group of two columns is written [['a', 'b']]."
            )
    resolved = [column_indices(group, names, "feature_groups") for group in members]
    seen: set[int] = set()
    for group in resolved:
        if not group:
            raise DataError("feature_groups holds an empty group; each must name at least one column.")
        twice = seen.intersection(group)
        if twice:
            name = names[min(twice)]
            raise DataError(f"Column {name!r} is in two groups; it may be in only one.")
        seen.update(group)
    return resolved
