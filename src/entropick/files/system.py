"""Errors of the operating system, some of which polars reports only as text, and temporary files."""

import errno
import os
import re
from pathlib import Path

SYSTEM_FAULTS = {
    errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE,
}  # fmt: skip
unfinished: set[Path] = set()  # temporary files to remove when the process is ended by a signal


def system_error(error: BaseException, path: str) -> OSError | None:
    """What the system said about a path, if it said something."""
    number = error.errno if isinstance(error, OSError) else None
    told = re.search(r"os error (\d+)", str(error))
    if number is None and told is not None:
        number = int(told[1])
    if number is None:
        return OSError(None, str(error), path) if isinstance(error, OSError) else None
    return OSError(number, os.strerror(number), path)
