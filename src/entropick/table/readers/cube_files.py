"""Files of counts: Parquet, one row per table of counts, with a description and a checksum.

Columns of the file:

- ``first``, ``second`` (int32): the columns whose table it is; ``second`` is -1 for the table of one column;
- ``counts`` (list of int64): the counts by level of the first, level of the second and class, in this order.

The metadata of the schema has under ``entropick.cube`` the description as JSON (names, levels and edges of
the columns and of the target, rows of each class, version of the format), and under ``entropick.sha256`` the
checksum of the description and of all counts as little-endian integers.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropick._base.wording import first_line
from entropick.exceptions import DataError

VERSION = 1


class CubeFile(NamedTuple):
    """What a file holds: its description, and the tables of pairs of columns."""

    description: dict[str, Any]
    pairs: Sequence[tuple[int, int]]
    tables: Sequence[np.ndarray]


def write_cube(path: str | os.PathLike[str], content: CubeFile) -> None:
    """Write a file beside the place where it is to be, and move it there: it is never half-written."""
    import pyarrow as pa
    from pyarrow import parquet

    description = json.dumps({"version": VERSION, **content.description}, sort_keys=True)
    schema = pa.schema(
        [("first", pa.int32()), ("second", pa.int32()), ("counts", pa.list_(pa.int64()))],
        metadata={"entropick.cube": description, "entropick.sha256": _checksum(description, content)},
    )
    ends = np.concatenate([[0], np.cumsum([table.size for table in content.tables])]).astype(np.int32)
    cells = np.concatenate([np.empty(0, np.int64), *(table.ravel() for table in content.tables)])
    first, second = np.array([*content.pairs], np.int32).reshape(-1, 2).T
    counts = pa.ListArray.from_arrays(pa.array(ends), pa.array(cells))
    table = pa.table([pa.array(first), pa.array(second), counts], schema=schema)
    place = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    os.close(handle)
    try:
        parquet.write_table(table, name, compression="zstd")
        os.replace(name, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def read_cube(path: str | os.PathLike[str]) -> CubeFile:
    """Read a file of counts; one that is not, or is damaged, is refused."""
    from pyarrow import parquet

    if not Path(path).exists():
        raise FileNotFoundError(2, "No such file", os.fspath(path))
    try:
        table = parquet.read_table(path)
        metadata = table.schema.metadata or {}
        description = metadata[b"entropick.cube"].decode()
        header = json.loads(description)
        if header.pop("version") > VERSION:
            raise DataError(f"{os.fspath(path)!r} was written by a newer version. Hint: upgrade entropick.")
        column = table.column("counts").combine_chunks()
        ends, cells = column.offsets.to_numpy(), column.values.to_numpy()
        pairs = list(zip(table.column("first").to_pylist(), table.column("second").to_pylist(), strict=True))
        tables = [cells[a:b] for a, b in pairwise(ends)]
        content = CubeFile(header, pairs, tables)
        is_whole = metadata[b"entropick.sha256"].decode() == _checksum(description, content)
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"{os.fspath(path)!r} is not a file of counts: {first_line(error)}.") from None
    if not is_whole:
        raise DataError(f"{os.fspath(path)!r} is damaged: its checksum does not fit. Hint: write it again.")
    return content


def _checksum(description: str, content: CubeFile) -> str:
    digest = hashlib.sha256(description.encode())
    for (first, second), table in zip(content.pairs, content.tables, strict=True):
        digest.update(f"{first},{second}:".encode())
        digest.update(np.ascontiguousarray(table, "<i8").tobytes())
    return digest.hexdigest()
