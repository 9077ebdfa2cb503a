"""Files of counts and of sketches: Parquet, one row per table, with a description and a checksum.

Columns of the file:

- ``first``, ``second`` (int32): the columns whose table it is; ``second`` is -1 for the table of one column;
- ``counts`` (list of int64): the counts by level of the first, level of the second and class, in this order.

In a file of sketches, ``first`` is the number of a sketch and ``second`` is 0 for its values (floats by their
bits), 1 and 2 for the bounds on their ranks.

The metadata of the schema has under ``entropick.counts``, or ``entropick.sketches``, the description as JSON
(names, levels and edges of the columns and of the target, rows of each class, version of the format), and
under ``entropick.sha256`` the checksum of the description and of all tables as little-endian integers.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropick._base.whole_files import whole_file
from entropick._base.wording import first_line
from entropick.exceptions import DataError

VERSION = 1


class SealedFile(NamedTuple):
    """What a file holds: its description, and tables of whole numbers, each with two numbers as its key."""

    description: dict[str, Any]
    keys: Sequence[tuple[int, int]]
    tables: Sequence[np.ndarray]


def write_sealed(path: str | os.PathLike[str], kind: str, content: SealedFile) -> None:
    """Write a file, which takes the place of an old one when it is complete."""
    import pyarrow as pa
    from pyarrow import parquet

    description = json.dumps({"version": VERSION, **content.description}, sort_keys=True)
    schema = pa.schema(
        [("first", pa.int32()), ("second", pa.int32()), ("counts", pa.list_(pa.int64()))],
        metadata={f"entropick.{kind}": description, "entropick.sha256": _checksum(description, content)},
    )
    ends = np.concatenate([[0], np.cumsum([table.size for table in content.tables])]).astype(np.int32)
    cells = np.concatenate([np.empty(0, np.int64), *(table.ravel() for table in content.tables)])
    first, second = np.array([*content.keys], np.int32).reshape(-1, 2).T
    counts = pa.ListArray.from_arrays(pa.array(ends), pa.array(cells))
    table = pa.table([pa.array(first), pa.array(second), counts], schema=schema)
    with whole_file(os.fspath(path)) as file:
        parquet.write_table(table, file, compression="zstd")


def read_sealed(path: str | os.PathLike[str], kind: str) -> SealedFile:
    """Read a file of this kind; one that is not, or is damaged, is rejected."""
    from pyarrow import parquet

    if not Path(path).exists():
        raise FileNotFoundError(2, "No such file", os.fspath(path))
    try:
        table = parquet.read_table(path)
        metadata = table.schema.metadata or {}
        description = metadata[f"entropick.{kind}".encode()].decode()
        header = json.loads(description)
        if header.pop("version") > VERSION:
            raise DataError(f"{os.fspath(path)!r} was written by a newer version. Hint: upgrade entropick.")
        column = table.column("counts").combine_chunks()
        ends, cells = column.offsets.to_numpy(), column.values.to_numpy()
        keys = list(zip(table.column("first").to_pylist(), table.column("second").to_pylist(), strict=True))
        tables = [cells[a:b] for a, b in pairwise(ends)]
        content = SealedFile(header, keys, tables)
        is_whole = metadata[b"entropick.sha256"].decode() == _checksum(description, content)
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"{os.fspath(path)!r} is not a file of {kind}: {first_line(error)}.") from None
    if not is_whole:
        raise DataError(f"{os.fspath(path)!r} is damaged: its checksum does not fit. Hint: write it again.")
    return content


def _checksum(description: str, content: SealedFile) -> str:
    digest = hashlib.sha256(description.encode())
    for (first, second), table in zip(content.keys, content.tables, strict=True):
        digest.update(f"{first},{second}:".encode())
        digest.update(np.ascontiguousarray(table, "<i8").tobytes())
    return digest.hexdigest()
