"""What a reader finds in a file, and temporary copies that are read instead of it."""

import gzip
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from entropick.exceptions import DataError
from entropick.files.as_written import AsWritten
from entropick.files.frames import Frame
from entropick.files.layout import RowLines
from entropick.files.system import unfinished

HEAD_BYTES = 1 << 16  # bytes used to detect format and delimiter  # bytes used to detect format and delimiter


@dataclass(frozen=True)
class Contents:
    """A table and what else the file says; see `Loaded`."""

    frame: Frame
    target: str | None = None
    notes: tuple[str, ...] = ()
    text: AsWritten | None = None
    temporary: tuple[Path, ...] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)
    lines: RowLines | None = None


def head_of(path: Path, name: str) -> bytes:
    """The first bytes of a file; an empty file is rejected."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise DataError(f"{name} is empty.")
    return head


def read_copy(write: Callable[[Path], None], read: Callable[[Path], Contents]) -> Contents:
    """Read a copy in a temporary file, which is kept if the original text is needed later."""
    with temporary_file(".txt") as path:
        write(path)
        found = read(path)
        if found.text is None or found.text.path != path:
            return found
        kept = new_file(".txt")
        path.replace(kept)
        return replace(found, text=replace(found.text, path=kept), temporary=(*found.temporary, kept))


@contextmanager
def temporary_file(suffix: str) -> Iterator[Path]:
    """Create a file that is deleted at the end, even after an error."""
    path = new_file(suffix)
    try:
        yield path
    finally:
        remove(path)


def new_file(suffix: str) -> Path:
    """Create a temporary file that is also deleted if a signal ends the process."""
    handle, name = tempfile.mkstemp(prefix="entropick-", suffix=suffix)
    os.close(handle)
    unfinished.add(Path(name))
    return Path(name)


def remove(path: Path) -> None:
    """Delete a temporary file."""
    with suppress(OSError):
        path.unlink()
    unfinished.discard(path)


def copy_to(path: Path, content: IO[bytes] | gzip.GzipFile) -> None:
    """Write a stream to a file."""
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)
