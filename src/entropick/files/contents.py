"""What a reader finds in a file, and temporary copies that are read instead of it."""

import gzip
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from entropick._base.whole_files import nameless_file, path_of, private_file, unfinished
from entropick.exceptions import DataError
from entropick.files.as_written import AsWritten
from entropick.files.frames import Frame
from entropick.files.layout import RowLines
from entropick.files.system import SYSTEM_FAULTS

HEAD_BYTES = 1 << 16  # bytes used to detect format and delimiter


@dataclass(frozen=True)
class Contents:
    """A table and what else the file says; see `Loaded`."""

    frame: Frame
    target: str | None = None
    notes: tuple[str, ...] = ()
    text: AsWritten | None = None
    temporary: tuple["TemporaryFile", ...] = ()
    duplicates: Mapping[str, str] = field(default_factory=dict)
    lines: RowLines | None = None


def head_of(path: Path, name: str) -> bytes:
    """The first bytes of a file; an empty file is rejected."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise DataError(f"{name} is empty.")
    return head


class TemporaryFile:
    """A private file, which exists until it is removed or the process ends, however that happens.

    Where the system shows open files by number, the file has no name, or loses it at once, and is opened by
    `path`, its number. Elsewhere it keeps its name, and is deleted if a signal ends the process.
    """

    def __init__(self) -> None:
        try:
            folder = tempfile.gettempdir()
            nameless = nameless_file(folder)
            self.path = Path(folder) / f"entropick-{secrets.token_hex(8)}"
            handle = private_file(self.path) if nameless is None else nameless
        except OSError as error:
            if error.errno in SYSTEM_FAULTS:
                raise
            raise DataError(
                f"No temporary file can be made in {tempfile.gettempdir()!r}: {error.strerror}. Hint: TMPDIR "
                "names another folder."
            ) from None
        self._handle: int | None = handle
        path = path_of(handle)
        if path is None:
            os.close(handle)
            self._handle = None
            return
        if nameless is None:
            self.path.unlink()
            unfinished.discard(self.path)
        self.path = path

    def remove(self) -> None:
        """Delete the file; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)
        elif self.path in unfinished:
            with suppress(OSError):
                self.path.unlink()
            unfinished.discard(self.path)


def read_copy(write: Callable[[Path], None], read: Callable[[Path], Contents]) -> Contents:
    """Read a copy in a temporary file, which is kept if the original text is needed later."""
    copy = TemporaryFile()
    try:
        write(copy.path)
        found = read(copy.path)
    except BaseException:
        copy.remove()
        raise
    if found.text is not None and found.text.path == copy.path:
        return replace(found, temporary=(*found.temporary, copy))
    copy.remove()
    return found


def copy_to(path: Path, content: IO[bytes] | gzip.GzipFile) -> None:
    """Write a stream to a file."""
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)
