"""Errors of the system and of other libraries.

Some of these errors have neither an errno nor a class of their own, so their text is searched, only in this
module. Errors of this package carry data instead, see `entropick.exceptions`.
"""

import errno
import os
import re

SYSTEM_FAULTS = {
    errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE,
}  # fmt: skip


def system_error(error: BaseException, path: str) -> OSError | None:
    """The system error behind an error of polars, or None."""
    number = error.errno if isinstance(error, OSError) else None
    found = re.search(r"os error (\d+)", str(error))  # as Rust writes it
    if number is None and found is not None:
        number = int(found[1])
    if number is None:
        return OSError(None, str(error), path) if isinstance(error, OSError) else None
    return OSError(number, os.strerror(number), path)


def writing_error(error: BaseException, path: str) -> OSError | None:
    """Like `system_error`, for a file being written: polars' Parquet writer drops the errno."""
    fault = system_error(error, path)
    if fault is None and "transport error" in str(error):
        return OSError(errno.EIO, os.strerror(errno.EIO), path)
    return fault


def is_not_utf8(error: BaseException) -> bool:
    """Whether polars found bytes that are not UTF-8; it has no error class for that."""
    return "utf-8" in str(error).lower()


def is_out_of_threads(error: BaseException) -> bool:
    """Whether the system allows no more threads; Python raises a plain RuntimeError."""
    return isinstance(error, RuntimeError) and "can't start new thread" in str(error)


def memory_needed(error: MemoryError) -> str | None:
    """How much memory was missing, from the message of numpy; None if unknown."""
    found = re.search(r"allocate ([\d.]+ \w+)", str(error))
    return None if found is None else found[1]
