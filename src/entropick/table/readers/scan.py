"""Parquet files read by workers; the client reads only their columns and numbers of rows."""

import glob
import importlib.util
import os
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from entropick._base.wording import first_line, listed
from entropick.exceptions import Code, DataError

PIECE_VALUES = 1 << 26  # values read at once (256 MB of single-precision floats)
MIN_ROWS = 1 << 16  # rows read at once, whatever the number of columns

# Libraries whose lazy frames may be tables inside a database.
LAZY_LIBRARIES = ("duckdb", "_duckdb", "ibis", "pyspark", "sqlframe", "narwhals")


class Piece(NamedTuple):
    """Rows of one file."""

    path: str
    first: int
    n_rows: int


@dataclass(frozen=True)
class NamedTable:
    """A table that is not in memory; its columns can be selected by name."""

    columns: tuple[str, ...]
    __dask_graph__: ClassVar[None] = None  # marks it as a Dask collection, although without a graph

    @property
    def _meta(self) -> Any:
        """An empty table with these columns, as Dask collections have."""
        return empty_table(list(self.columns))

    @abstractmethod
    def _column(self, name: str) -> Any:
        """One column, such as the target."""

    def __getitem__(self, columns: Any) -> Any:
        if isinstance(columns, str):
            self._check([columns])
            return self._column(columns)
        return self.select(columns)

    def select(self, columns: Iterable[str]) -> Self:
        """Select some columns, in this order."""
        columns = tuple(columns)
        self._check(columns)
        return replace(self, columns=columns)

    def drop(self, *columns: str) -> Self:
        """Select all columns but these."""
        self._check(columns)
        return replace(self, columns=tuple(name for name in self.columns if name not in columns))

    def _check(self, columns: Sequence[str]) -> None:
        for name in columns:
            if name not in self.columns:
                raise DataError(
                    f"There is no column {name!r} in the table. Hint: the columns are "
                    f"{listed(map(repr, self.columns), 5)}.",
                    code=Code.UNKNOWN_COLUMN,
                    column=name,
                )


@dataclass(frozen=True)
class Scan(NamedTable):
    """Parquet files as one table, read piece by piece where they are processed; see `entropick.scan`."""

    pieces: tuple[Piece, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return sum(piece.n_rows for piece in self.pieces), len(self.columns)

    def __len__(self) -> int:
        return self.shape[0]

    def _column(self, name: str) -> "ScannedColumn":
        return ScannedColumn(self, name)

    def read(self, piece: Piece) -> Any:
        """Read the columns of a piece as a polars dataframe or a pyarrow table."""
        return _library().read(piece, list(self.columns))

    def __repr__(self) -> str:
        n_rows, n_columns = self.shape
        n_files = len({piece.path for piece in self.pieces})
        return f"Scan({n_files} files, {n_rows} rows, {n_columns} columns)"


@dataclass(frozen=True)
class ScannedColumn:
    """One column of scanned files, such as the target."""

    table: Scan
    name: str

    def __len__(self) -> int:
        return len(self.table)

    def read(self, piece: Piece) -> Any:
        """Read the column of a piece as a series."""
        return _library().column(self.table.select([self.name]).read(piece), self.name)


def scan(files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> Scan:
    """Open Parquet files as one table that the workers of a Dask cluster read themselves.

    Only the footers of the files are read here, for their columns and numbers of rows. All workers
    must see the files under the same paths. Needs the extra ``dask``.

    Parameters
    ----------
    files : a file, a directory, a pattern such as "data/part-*.parquet", or a list of files
        Rows come in the order of the sorted names, or of the list.

    Returns
    -------
    table : Scan
        ``table["y"]`` is a column, ``table.drop("y")`` all others; pass both to `fit` or `select`.

    Examples
    --------
    >>> import tempfile, pathlib, polars as pl, entropick as ep
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for part in range(3):
    ...     numbers = pl.DataFrame({"a": [0, 1, 2, 3], "b": [part, 5, 5, part], "y": [0, 0, 1, 1]})
    ...     numbers.write_parquet(folder / f"part-{part}.parquet")
    >>> table = ep.scan(folder / "part-*.parquet")
    >>> table
    Scan(3 files, 12 rows, 3 columns)
    >>> ep.select(table.drop("y"), table["y"], measure="jmi", cut=1).selected_names
    ['a']
    """
    paths = _paths(files)
    library = _library()
    columns: tuple[str, ...] | None = None
    pieces: list[Piece] = []
    for path in paths:
        names, n_rows = _read_footer(library, path)
        if columns is None:
            columns = names
        elif names != columns:
            differing = [name for name in (*columns, *names) if (name in columns) != (name in names)]
            difference = f"{differing[0]!r} is not in both" if differing else "their order differs"
            raise DataError(
                f"All files must have the same columns in the same order, but {paths[0]!r} and {path!r} "
                f"do not: {difference}. Hint: rewrite them, or scan only files that match."
            )
        most = max(PIECE_VALUES // max(1, len(names)), MIN_ROWS)
        n_pieces = max(1, -(-n_rows // most))
        ends = [k * n_rows // n_pieces for k in range(n_pieces + 1)]
        pieces += [Piece(path, a, b - a) for a, b in pairwise(ends)]
    assert columns is not None
    return Scan(columns, tuple(pieces))


def _paths(files: Any) -> list[str]:
    if not isinstance(files, str | os.PathLike):
        paths = [os.fspath(file) for file in files]
    elif Path(files).is_dir():
        paths = sorted(str(path) for path in Path(files).rglob("*.parquet"))
    else:
        name = os.fspath(files)
        paths = [name] if Path(name).exists() else sorted(glob.glob(name, recursive=True))
    if not paths:
        raise DataError(f"There is no Parquet file {files!r}. Hint: quote a pattern, 'data/part-*.parquet'.")
    return [str(Path(path).resolve()) if Path(path).exists() else path for path in paths]


def _read_footer(library: Any, path: str) -> tuple[tuple[str, ...], int]:
    try:
        names, n_rows = library.read_footer(path)
        return tuple(names), n_rows
    except Exception as error:
        raise DataError(f"{path!r} cannot be read as Parquet: {first_line(error)}.") from None


class _Polars:
    @staticmethod
    def read_footer(path: str) -> tuple[list[str], int]:
        import polars as pl

        lazy = pl.scan_parquet(path, glob=False)
        return lazy.collect_schema().names(), int(lazy.select(pl.len()).collect().item())

    @staticmethod
    def read(piece: Piece, columns: list[str]) -> Any:
        import polars as pl

        lazy = pl.scan_parquet(piece.path, glob=False).slice(piece.first, piece.n_rows)
        return lazy.select(columns).collect()

    @staticmethod
    def column(table: Any, name: str) -> Any:
        return table.get_column(name)

    @staticmethod
    def empty(columns: list[str]) -> Any:
        import polars as pl

        return pl.DataFrame(dict.fromkeys(columns, pl.Series([], dtype=pl.Float64)))


class _PyArrow:
    @staticmethod
    def read_footer(path: str) -> tuple[list[str], int]:
        from pyarrow import parquet

        about = parquet.ParquetFile(path)
        return list(about.schema_arrow.names), int(about.metadata.num_rows)

    @staticmethod
    def read(piece: Piece, columns: list[str]) -> Any:
        from pyarrow import parquet

        file = parquet.ParquetFile(piece.path)
        begin, wanted = 0, []
        first = None
        for group in range(file.metadata.num_row_groups):
            end = begin + file.metadata.row_group(group).num_rows
            if begin < piece.first + piece.n_rows and end > piece.first:
                wanted.append(group)
                first = begin if first is None else first
            begin = end
        table = file.read_row_groups(wanted, columns=columns).select(columns)
        return table.slice(piece.first - (first or 0), piece.n_rows)

    @staticmethod
    def column(table: Any, name: str) -> Any:
        return table.column(name)

    @staticmethod
    def empty(columns: list[str]) -> Any:
        import pyarrow as pa

        return pa.table(dict.fromkeys(columns, pa.array([], pa.float64())))


def empty_table(columns: list[str]) -> Any:
    """A table with these columns and no rows."""
    return _library().empty(columns)


def _library() -> Any:
    """The reader of files: polars if it is installed, else pyarrow."""
    for name, library in (("polars", _Polars), ("pyarrow", _PyArrow)):
        if importlib.util.find_spec(name) is not None:
            return library
    raise ModuleNotFoundError(
        "Reading Parquet files needs polars or pyarrow. Hint: pip install 'entropick[dask]'", name="pyarrow"
    )
