"""Files written completely or not at all, whatever ends the process."""

import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

DESCRIPTORS = Path("/proc/self/fd")  # open files of this process by number, on Linux
unfinished: set[Path] = set()  # files to delete if a signal ends the process

_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self|\d+))/fd/(\d+)")
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_MAX_LINKS = 40  # as Linux follows them


@contextmanager
def whole_file(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of the old one when all is written.

    Links are followed. What is no regular file, such as a device, a pipe or ``/dev/stdout``, is written into
    and stays what it is.
    """
    if is_special(path):
        with _opened(path) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    new = _NewFile(target)
    try:
        with os.fdopen(new.handle, "wb") as file:
            yield file
            file.flush()
            new.take_owner_and_mode()
            os.fsync(file.fileno())  # the name must not appear on the disk before the content
            new.ensure_name()
        new.name.replace(target)
        _sync_folder(target.parent)
    finally:
        new.remove()


def is_special(path: str | Path) -> bool:
    """Whether a path is that of something that must not be replaced: a device, a pipe, an open file."""
    if descriptor(path) is not None:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def descriptor(path: str | Path) -> int | None:
    """The number of the open file that a path such as ``/dev/stdout`` or ``/dev/fd/63`` stands for."""
    name = os.path.abspath(path)
    for _ in range(_MAX_LINKS):
        if name in _STREAMS:
            return _STREAMS[name]
        found = _DESCRIPTOR.fullmatch(name)
        if found is not None:
            is_own = name.split("/")[2] in ("fd", "self", "thread-self", str(os.getpid()))
            return int(found[1]) if is_own else None
        if not os.path.islink(name):
            return None
        name = os.path.normpath(os.path.join(os.path.dirname(name), os.readlink(name)))
    return None


def _opened(path: str | Path) -> IO[bytes]:
    """Open something to write into it."""
    number = descriptor(path)
    if number is None:
        return open(path, "wb")
    for stream in (sys.stdout, sys.stderr):  # what was printed comes first
        stream.flush()
    return os.fdopen(os.dup(number), "wb")  # opened by name, a file would be written from its start


def nameless_file(folder: str | Path, mode: int = 0o600) -> int | None:
    """Open a file that vanishes with the process, however that ends, where the system has such files."""
    if not hasattr(os, "O_TMPFILE") or not DESCRIPTORS.is_dir():
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, mode)
    except OSError:  # not on every file system
        return None


def path_of(handle: int) -> Path | None:
    """A path that opens an open file again, name or not, where the system has such paths."""
    return DESCRIPTORS / str(handle) if DESCRIPTORS.is_dir() else None


def private_file(name: Path) -> int:
    """Open a new file, which is deleted if a signal ends the process."""
    unfinished.add(name)  # before it exists
    return os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)


class _NewFile:
    """An open file beside the one it will replace; without a name, where the system has such files.

    Nobody else can open it before it is complete.
    """

    name: Path

    def __init__(self, target: Path) -> None:
        self._target = target
        self._is_named = False
        handle = nameless_file(target.parent, 0o666)
        self.handle = private_file(self._new_name()) if handle is None else handle

    def take_owner_and_mode(self) -> None:
        """Make the file as accessible as the old one, or as any new one."""
        try:
            old = os.stat(self._target)
        except FileNotFoundError:
            if self._is_named:  # the system has set the mode of others
                self._change_mode(0o666 & ~_umask())
            return
        if hasattr(os, "fchown"):
            with suppress(OSError):  # only root may give files away
                os.fchown(self.handle, old.st_uid, old.st_gid)
        self._change_mode(stat.S_IMODE(old.st_mode) & 0o777)

    def _change_mode(self, mode: int) -> None:
        os.chmod(self.handle if os.chmod in os.supports_fd else self.name, mode)

    def ensure_name(self) -> None:
        """Give a name to a file that has none."""
        if self._is_named:
            return
        folder = os.open(self._target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            # With a folder, the link that /proc has in place of the file is followed.
            os.link(DESCRIPTORS / str(self.handle), self._new_name().name, dst_dir_fd=folder)
        finally:
            os.close(folder)

    def remove(self) -> None:
        """Delete what was not finished."""
        if self._is_named:
            with suppress(OSError):
                self.name.unlink()
            unfinished.discard(self.name)

    def _new_name(self) -> Path:
        self.name = self._target.with_name(f".{self._target.name[:50]}.{secrets.token_hex(6)}.part")
        unfinished.add(self.name)
        self._is_named = True
        return self.name


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Make a new name last beyond a power failure, where a folder can be opened."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
