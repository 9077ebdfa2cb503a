"""Cubes: the counts of all pairs of columns by class. They add, can be stored, and need no rows any more."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_consistent_length

from entropick._base.compat import Interval, validate_parameter_constraints
from entropick._base.threads import Threads
from entropick._base.wording import counted, quoted
from entropick.contracts import Need
from entropick.counting.cells import CellCounts, Cells
from entropick.counting.cube import MAX_CELLS, CubeCells, CubeCounts, pair_tables
from entropick.counting.partitions import PartitionedCells
from entropick.exceptions import DataError, Hint, Message, warn_user
from entropick.table.codes import ColumnEncoding, Target
from entropick.table.database import database_table
from entropick.table.encoding.encoding import Encoding, Rules, encode
from entropick.table.encoding.options import Options
from entropick.table.encoding.target import apply_target, encode_target, one_dimensional
from entropick.table.executors.database import is_database, named_parts
from entropick.table.executors.partitioned import PartitionedFrame, sources_of_engine
from entropick.table.executors.threads import InThreads
from entropick.table.partitions import make_partitioned_table
from entropick.table.readers.cube_files import SealedFile, read_sealed, write_sealed
from entropick.table.readers.frames import target_taken_out
from entropick.table.readers.inputs import count_rows, plain_array
from entropick.table.readers.scan import empty_table
from entropick.table.sketches import Sketches, check_made
from entropick.table.table import Table, Units

KIND = "counts"  # of files
ONE = -1  # beside a column of which a table has no other


@dataclass(frozen=True, kw_only=True)
class CubeTable(Table):
    """A table of which only counts are known."""

    offers = frozenset({Need.COUNTS})


class Cube:
    """Counts of all pairs of columns by class; `fit` takes it like a table, with the target in it.

    Made by `count` or `load`. Cubes with the same levels can be merged in any order; the result is that of
    all rows at once, bit for bit. Criteria over pairs, such as JMI, MRMR and CMIM, then need no rows.

    Attributes
    ----------
    columns : names of the columns
    encodings : levels of the columns
    target : classes of the target
    n_rows : rows counted
    class_sizes : rows of each class
    min_cell : counts below this were set to 0; 0 if none were

    Examples
    --------
    >>> import numpy as np, entropick as ep
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.integers(0, 4, (300, 5)), rng.integers(0, 2, 300)
    >>> X[:, 3] += y
    >>> first = ep.Cube.count(X[:100], y[:100])
    >>> both = first.merge(ep.Cube.count(X[100:], y[100:], edges=first))
    >>> both
    Cube(300 rows, 5 columns, 2 classes)
    >>> ep.JMI(n_features=1).fit(both).order_
    array([3])
    """

    __dask_graph__: ClassVar[None] = None  # seen as a table that is elsewhere

    def __init__(
        self,
        encodings: Sequence[ColumnEncoding],
        target: ColumnEncoding,
        singles: Sequence[np.ndarray],
        pairs: dict[tuple[int, int], np.ndarray],
        class_sizes: np.ndarray,
        min_cell: int = 0,
    ) -> None:
        self.encodings = tuple(_with_missing(*column) for column in zip(encodings, singles, strict=True))
        self.target, self.class_sizes, self.min_cell = target, class_sizes, min_cell
        self._singles, self._pairs = list(singles), pairs

    @classmethod
    def count(
        cls,
        X: Any,
        y: Any,
        *,
        edges: "Cube | Sketches | None" = None,
        classes: Sequence[Any] | None = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
    ) -> "Cube":
        """Count rows.

        Parameters
        ----------
        X, y : the table and its target
            In memory, in a database (y may be a name), or a table of `entropick.partitioned`.
        edges : Cube or Sketches, default=None
            Whose levels, edges and classes to use; found in these rows by default. A category or class that
            is not among them is an error.
        classes : array-like, default=None
            All classes that rows counted later may have; those of y by default.
        n_bins, binning, missing, target : as in the selectors

        Returns
        -------
        cube : Cube
        """
        options = Options(n_bins, binning, missing, target).checked("Cube.count")
        if edges is not None:
            check_made("edges", edges, Cube, Sketches)
        if edges is not None and classes is not None:
            raise DataError(
                "classes cannot be given together with edges, which have their own. Hint: leave one out."
            )
        if classes is not None and not np.size(classes):
            raise DataError(
                "classes must hold all classes of y, got none. Hint: leave it out to find them in y."
            )
        if is_database(X) or isinstance(X, PartitionedFrame):
            if edges is not None or classes is not None:
                raise DataError(
                    "edges and classes are for tables in memory. Hint: leave them out, and the levels of "
                    "all rows are found where these are."
                )
            with _opened(X, y, lambda count: options.rules(count()), target) as table:
                counts = table.counts
                assert isinstance(counts, CellCounts)
                return cls._of(counts.cells, tuple(table.encodings), table.target.encoding)
        X, y = target_taken_out(X, y) if isinstance(y, str) else (X, y)
        y = one_dimensional(y)
        X = plain_array(X) if isinstance(X, list | tuple) else X
        check_consistent_length(range(count_rows(X)), y)
        if edges is not None:
            labels = apply_target(y, edges.target)
            known = tuple(map(_open_to_missing, edges.encodings))
            return cls._of(
                _cells_of_codes(Encoding(known, Rules()).apply(X, labels, exact=True)), known, edges.target
            )
        known_rules = options.rules(count_rows(X))
        if classes is None:
            labels = encode_target(y, kind=target, rules=known_rules)
        else:
            name = str(getattr(y, "name", None) or "y")
            labels = apply_target(y, encode_target(classes, kind="class", name=name).encoding)
        codes, encoding = encode(X, labels, rules=known_rules)
        return cls._of(_cells_of_codes(codes), tuple(encoding.columns), labels.encoding)

    @classmethod
    def _of(cls, cells: Cells, encodings: Sequence[ColumnEncoding], target: ColumnEncoding) -> "Cube":
        totals = int(cells.n_levels.sum())
        n_cells = (totals**2 - int((cells.n_levels**2).sum())) // 2 * len(cells.class_sizes)
        if n_cells > MAX_CELLS:
            raise DataError(
                f"All pairs of {len(cells.n_levels)} columns have {n_cells} cells, more than the {MAX_CELLS} "
                "a cube can hold. Hint: leave out columns, or columns of many levels."
            )
        singles, pairs = pair_tables(cells)
        return cls(encodings, target, singles, pairs, cells.class_sizes)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(encoding.name for encoding in self.encodings)

    @property
    def n_rows(self) -> int:
        return int(self.class_sizes.sum())

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, len(self.encodings)

    def __len__(self) -> int:
        return self.n_rows

    @property
    def _meta(self) -> Any:
        """A table with these columns and no rows, as Dask collections have it."""
        return empty_table(list(self.columns))

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Count more rows with the levels of this cube, and add them to it."""
        vars(self).update(vars(self.merge(Cube.count(X, y, edges=self))))
        return self

    def merge(self, *others: "Cube") -> "Cube":
        """The counts of all rows together; all must have the same levels."""
        for other in others:
            check_made("What is merged", other, Cube)
            self._check_levels(other)
        cubes = [self, *others]
        return Cube(
            self.encodings,
            self.target,
            [np.sum(tables, axis=0) for tables in zip(*(cube._singles for cube in cubes), strict=True)],
            {pair: np.sum([cube._pairs[pair] for cube in cubes], axis=0) for pair in self._pairs},
            np.sum([cube.class_sizes for cube in cubes], axis=0),
            max(cube.min_cell for cube in cubes),
        )

    def _check_levels(self, other: "Cube") -> None:
        if self.columns != other.columns:
            raise DataError("Cubes to be merged must have the same columns in the same order.")
        for mine, others in zip(
            (*self.encodings, self.target), (*other.encodings, other.target), strict=True
        ):
            if replace(mine, n_missing=0) != replace(others, n_missing=0):
                raise DataError(
                    f"Column {quoted(mine.name)} has other levels or edges in one cube than in another. "
                    "Hint: count all parts with the same edges: Cube.count(X, y, edges=first)."
                )

    def suppressed(self, min_cell: int) -> "Cube":
        """The cube without counts below `min_cell`, which become 0; scores then are approximate."""
        validate_parameter_constraints(
            {"min_cell": [Interval(Integral, 0, None, closed="left")]}, {"min_cell": min_cell}, "suppressed"
        )

        def hide(table: np.ndarray) -> np.ndarray:
            return np.where(table < min_cell, 0, table)

        singles = [hide(table) for table in self._singles]
        if self.n_rows and not any(table.any() for table in singles):
            raise DataError(
                Message(
                    Hint("min_cell", min_cell), " leaves no count of any column. Hint: use a smaller number."
                )
            )
        return Cube(
            self.encodings,
            self.target,
            singles,
            {pair: hide(table) for pair, table in self._pairs.items()},
            hide(self.class_sizes),
            max(int(min_cell), self.min_cell),
        )

    def save(self, path: str | os.PathLike[str], *, min_cell: int = 0) -> None:
        """Write the cube to a Parquet file; `min_cell` leaves out smaller counts, see `suppressed`."""
        cube = self.suppressed(min_cell) if min_cell else self
        description = {
            "columns": [_to_json(encoding) for encoding in cube.encodings],
            "target": _to_json(cube.target),
            "class_sizes": cube.class_sizes.tolist(),
            "min_cell": cube.min_cell,
        }
        singles = [(j, ONE) for j in range(len(cube._singles))]
        tables = [*cube._singles, *cube._pairs.values()]
        write_sealed(path, KIND, SealedFile(description, [*singles, *cube._pairs], tables))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a cube that `save` wrote."""
        description, pairs, tables = read_sealed(path, KIND)
        encodings = [_from_json(column) for column in description["columns"]]
        target = _from_json(description["target"])
        sizes = [encoding.n_levels for encoding in encodings]
        found = dict(zip(pairs, tables, strict=True))
        singles = [found[j, ONE].reshape(size, target.n_levels) for j, size in enumerate(sizes)]
        joint = {
            (f, s): table.reshape(sizes[f], sizes[s], target.n_levels)
            for (f, s), table in found.items()
            if s != ONE
        }
        class_sizes = np.array(description["class_sizes"], np.int64)
        return cls(encodings, target, singles, joint, class_sizes, description["min_cell"])

    def table(self, needs: frozenset[Need]) -> CubeTable:
        """The cube as what parts work on."""
        if not self.n_rows:
            raise DataError("This cube has counted no rows. Hint: merge it with cubes of rows.")
        if self.min_cell:
            warn_user(f"Counts below {self.min_cell} were left out of this cube, so scores are approximate.")
        counts = CubeCounts(
            CubeCells(self._singles, self._pairs, self.class_sizes, is_exact=not self.min_cell)
        )
        return CubeTable(
            units=Units(self.columns),
            n_rows=self.n_rows,
            needs=needs,
            encodings=self.encodings,
            _target=Target(np.empty(0, np.int32), self.target),
            _counts=counts,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cube):
            return NotImplemented
        if (self.encodings, self.target, self.min_cell) != (other.encodings, other.target, other.min_cell):
            return False
        mine, others = ((*cube._singles, *cube._pairs.values()) for cube in (self, other))
        return all(np.array_equal(*tables) for tables in zip(mine, others, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_classes = counted(len(self.class_sizes), "class", "classes")
        return f"Cube({counted(self.n_rows, 'row')}, {counted(len(self.encodings), 'column')}, {n_classes})"


def _cells_of_codes(codes: Any) -> PartitionedCells:
    return PartitionedCells(InThreads([codes], Threads(1)), codes.n_levels)


@contextmanager
def _opened(X: Any, y: Any, rules: Callable[[Callable[[], int]], Rules], kind: str) -> Iterator[Table]:
    """A table that stays where it is, as partitions or in a database."""
    needs = frozenset({Need.COUNTS})
    if isinstance(X, PartitionedFrame):
        yield make_partitioned_table(sources_of_engine(X, y), needs, rules, kind, True)
        return
    table, column = named_parts(X, y)
    if column is None:
        raise ValueError(
            "The classes of the target are needed, but y is None. Hint: pass the name of a column."
        )
    with database_table(table, column, needs, rules, kind) as opened:
        yield opened


def _has_missing_level(encoding: ColumnEncoding) -> bool:
    n_others = len(encoding.levels) if encoding.levels is not None else len(encoding.edges or ()) + 1
    return encoding.n_levels > n_others


def _with_missing(encoding: ColumnEncoding, single: np.ndarray) -> ColumnEncoding:
    """The record with the missing values that were counted."""
    return replace(encoding, n_missing=int(single[-1].sum()) if _has_missing_level(encoding) else 0)


def _open_to_missing(encoding: ColumnEncoding) -> ColumnEncoding:
    """The record of a column that may have missing values, though none were counted yet."""
    n_missing = max(1, encoding.n_missing) if _has_missing_level(encoding) else 0
    return replace(encoding, n_missing=n_missing)


def _to_json(encoding: ColumnEncoding) -> dict[str, Any]:
    found = dict(vars(encoding))
    for key in ("levels", "edges"):
        if found[key] is not None:
            found[key] = [value.hex() if isinstance(value, float) else value for value in found[key]]
    values = (*(encoding.levels or ()), *(encoding.edges or ()))
    found["are_floats"] = any(isinstance(value, float) for value in values)
    return found


def _from_json(found: dict[str, Any]) -> ColumnEncoding:
    found = dict(found)
    are_floats = found.pop("are_floats")
    for key in ("levels", "edges"):
        if found[key] is not None:
            found[key] = tuple(float.fromhex(value) if are_floats else value for value in found[key])
    return ColumnEncoding(**found)
