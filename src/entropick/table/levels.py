"""How values became levels: the record of one column, and the target."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ColumnEncoding:
    """How one column (or the target) became levels; enough to encode other rows the same way.

    Attributes
    ----------
    name : str
    kind : "numeric", "boolean", "category", "datetime", "duration" or "group"
    n_levels : levels that occur, the one of missing values included
    n_missing : missing values; they share the last level
    levels : the values of the levels, where values were kept as they are; else None
    edges : the largest value of each level but the last, where values were binned; else None
    by_target : whether the edges were chosen by looking at the target

    Levels and edges are what is compared: times are microseconds, booleans 0 and 1. `shown` makes them
    readable.
    """

    name: str
    kind: str
    n_levels: int
    n_missing: int = 0
    levels: tuple[Any, ...] | None = None
    edges: tuple[Any, ...] | None = None
    by_target: bool = False

    def shown(self, values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        """Levels or edges as values of the column's own kind."""
        if values is None or self.kind not in ("boolean", "datetime", "duration"):
            return values
        if self.kind == "boolean":
            return tuple(bool(value) for value in values)
        kind = np.datetime64 if self.kind == "datetime" else np.timedelta64
        return tuple(str(kind(int(value), "us")) for value in values)

    def to_dict(self) -> dict[str, Any]:
        """The record with readable levels and edges."""
        shown = {"levels": self.shown(self.levels), "edges": self.shown(self.edges)}
        return dataclasses.asdict(self) | shown

    def describe(self) -> str:
        """The levels in words."""
        if self.edges is not None:
            edges = self.shown(self.edges) or ()
            return "up to " + ", ".join(
                f"{edge:.6g}" if isinstance(edge, float) else str(edge) for edge in edges
            )
        if self.levels is None:
            return "joint levels"
        shown = [str(level) for level in (self.shown(self.levels[:10]) or ())]
        return ", ".join(shown + ["..."] * (len(self.levels) > len(shown)))

    def __str__(self) -> str:
        missing = f", {self.n_missing} missing" if self.n_missing else ""
        return f"{self.name} ({self.kind}): {self.n_levels} levels{missing}: {self.describe()}"


@dataclass(frozen=True)
class Target:
    """The encoded target.

    `codes` are 0..n_classes-1; rows without a label have code -1 (only where the method is
    semi-supervised, otherwise a missing label is an error). `values` holds the numbers of a real target.
    """

    codes: np.ndarray
    encoding: ColumnEncoding
    values: np.ndarray | None = None

    @property
    def n_classes(self) -> int:
        return self.encoding.n_levels

    @property
    def class_sizes(self) -> np.ndarray:
        """Rows per class."""
        return np.bincount(self.codes[self.codes >= 0], minlength=self.n_classes)

    @property
    def is_labelled(self) -> np.ndarray:
        """True for rows with a label."""
        return self.codes >= 0

    def take_rows(self, rows: np.ndarray) -> "Target":
        """The target of some rows, with all classes."""
        values = None if self.values is None else self.values[rows]
        return Target(self.codes[rows], self.encoding, values)
