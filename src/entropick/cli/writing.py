"""Files out: whole or not at all."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl

from entropick.cli.interrupt import unfinished
from entropick.cli.system import system_error
from entropick.exceptions import DataError

TABLE_WRITERS: dict[str, Callable[[pl.LazyFrame, Path], object]] = {  # in batches: the table may be large
    ".csv": lambda frame, path: frame.sink_csv(path),
    ".tsv": lambda frame, path: frame.sink_csv(path, separator="\t"),
    ".parquet": lambda frame, path: frame.sink_parquet(path),
    ".pq": lambda frame, path: frame.sink_parquet(path),
    ".feather": lambda frame, path: frame.sink_ipc(path),
    ".arrow": lambda frame, path: frame.sink_ipc(path),
    ".ipc": lambda frame, path: frame.sink_ipc(path),
}


def check_table_path(path: str | None, source: str) -> None:
    """Refuse a path that could not be written, before any work is done."""
    if path is None:
        return
    if Path(path).suffix.lower() not in TABLE_WRITERS:
        raise DataError(f"--out {path!r}: the name must end in one of {', '.join(TABLE_WRITERS)}.")
    check_path(path, "--out", source)


def check_path(path: str | None, option: str, source: str) -> None:
    """Refuse a path in no directory, or that of the table itself."""
    if path is None:
        return
    target = Path(path)
    if not target.parent.is_dir():
        raise DataError(f"{option} {path!r}: there is no directory {str(target.parent)!r}.")
    if target.is_dir():
        raise DataError(f"{option} {path!r} is a directory. Hint: name a file in it.")
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise DataError(f"{option} {path!r} is the table itself. Hint: choose another name.")


def write_table(frame: pl.DataFrame | pl.LazyFrame, path: str) -> None:
    """Write a table in the format the name says."""
    write = TABLE_WRITERS[Path(path).suffix.lower()]
    write_whole(path, lambda temporary: write(frame.lazy(), temporary))


def write_text(text: str, path: str) -> None:
    """Write a text."""
    write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_whole(path: str, write: Callable[[Path], object]) -> None:
    """Write a file beside the path and rename it when it is complete."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.", suffix=".part")
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error  # the user knows this name
    os.close(handle)
    temporary = Path(name)
    unfinished.add(temporary)
    try:
        write(temporary)
        temporary.chmod(_usual_mode(target))
        temporary.replace(target)
    except (OSError, pl.exceptions.PolarsError) as error:
        fault = system_error(error, path)
        if fault is not None:
            raise fault from error
        reason = str(error).splitlines()[0]
        raise DataError(
            f"{path!r} cannot be written: {reason}. Hint: Parquet and Feather hold columns of every type."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()
        unfinished.discard(temporary)


def _usual_mode(target: Path) -> int:
    """The mode a file made the usual way would have; that of the old file, where there is one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
