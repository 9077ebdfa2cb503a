"""The uncompressed sizes an Arrow file declares for its buffers: polars aborts the process if one is wrong.

The metadata are read without a library, as specified: flatbuffers tables, whose fields are found through a
table of offsets.
"""

import mmap
import struct
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

MAGIC = b"ARROW1"
CONTINUED, PREFIX = 0xFFFFFFFF, 8  # start of a message, and bytes before its metadata
DICTIONARIES, BATCHES = 2, 3  # fields of a file's footer: positions of its messages
HEADER_TYPE, HEADER, BODY_LENGTH = 1, 2, 3  # fields of a message
DICTIONARY_BATCH, RECORD_BATCH = 2, 3  # header types; a dictionary's batch is a field
BUFFERS, COMPRESSION = 2, 3  # fields of a batch


def claimed_bytes(path: Path) -> int:
    """Declared bytes of all compressed buffers after decompression; 0 if the file is damaged elsewhere."""
    with (
        suppress(struct.error),
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        messages = _messages_of_file(data) if data[: len(MAGIC)] == MAGIC else _messages_of_stream(data)
        return sum(islice(_claims(data, messages), len(data)))  # wrong lengths cannot loop forever
    return 0


def _messages_of_file(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    """Offsets of messages and of their bodies."""
    end = len(data) - len(MAGIC) - 4
    footer = _pointed(data, end - _read(data, "<i", end))
    for field in (DICTIONARIES, BATCHES):
        for block in _items(data, _field(data, footer, field), 24):
            start = _read(data, "<q", block)
            yield start, start + _read(data, "<i", block + 8)


def _messages_of_stream(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    start = 0
    while start + PREFIX <= len(data) and _read(data, "<I", start) == CONTINUED:
        body = start + PREFIX + _read(data, "<i", start + 4)
        if body <= start + PREFIX:
            return
        yield start, body
        length = _field(data, _pointed(data, start + PREFIX), BODY_LENGTH)
        start = body + (max(0, _read(data, "<q", length)) if length else 0)


def _claims(data: mmap.mmap, messages: Iterator[tuple[int, int]]) -> Iterator[int]:
    for start, body in messages:
        message = _pointed(data, start + PREFIX)
        kind = _read(data, "<B", _field(data, message, HEADER_TYPE))
        yield 0
        if kind not in (DICTIONARY_BATCH, RECORD_BATCH):
            continue
        batch = _pointed(data, _field(data, message, HEADER))
        if kind == DICTIONARY_BATCH:
            batch = _pointed(data, _field(data, batch, 1))
        if not _field(data, batch, COMPRESSION):
            continue
        for buffer in _items(data, _field(data, batch, BUFFERS), 16):
            position, length = _read(data, "<q", buffer), _read(data, "<q", buffer + 8)
            yield max(0, _read(data, "<q", body + position)) if length >= 8 else 0  # -1: not compressed


def _read(data: mmap.mmap, kind: str, at: int) -> int:
    if at < 0:  # Python would count from the end
        raise struct.error
    return int(struct.unpack_from(kind, data, at)[0])


def _pointed(data: mmap.mmap, at: int) -> int:
    return at + _read(data, "<I", at)


def _field(data: mmap.mmap, table: int, index: int) -> int:
    """Offset of a table's field; 0 if it is absent."""
    offsets = table - _read(data, "<i", table)
    is_there = 4 + 2 * index < _read(data, "<H", offsets)
    offset = _read(data, "<H", offsets + 4 + 2 * index) if is_there else 0
    return table + offset if offset else 0


def _items(data: mmap.mmap, at: int, size: int) -> Iterator[int]:
    """Offsets of a vector's items, each of `size` bytes."""
    if at:
        start = _pointed(data, at)
        yield from range(start + 4, start + 4 + size * _read(data, "<I", start), size)
