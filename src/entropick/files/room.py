"""Check for enough memory beforehand: without it polars aborts the process or waits forever.

Files that are too large to hold are read column by column.

The limits of the address space (`ulimit -v`), of the container and of the machine apply. Systems other than
Linux report none, and nothing is checked.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

LIBRARIES = 1792 << 20  # bytes of address space reserved with one polars thread
MIN_FREE = 256 << 20  # bytes for everything else
ONE_THREAD = ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
GIGABYTE = 1e9
GROUPS = Path("/sys/fs/cgroup")
LARGE = 128 << 20  # bytes; larger files are not held in memory,
LARGE_WIDE = 1 << 30  # or this for wide tables: lazy frames have an overhead per column at every step
WIDE = 10_000  # columns of a wide table
BYTES_HELD, BYTES_CODED = 16, 2  # of memory per value, or per value encoded as a level


class NoRoomError(MemoryError):
    """Memory that would not suffice; the message says how much is needed, and what to do."""


def check_libraries() -> None:
    """Reject an address-space limit too small for the libraries themselves."""
    limit = _limit()
    if limit is None:
        return
    if limit < LIBRARIES + MIN_FREE:
        raise NoRoomError(
            f"Not enough memory: {_shown(LIBRARIES + MIN_FREE)} of address space are needed, and the "
            f"limit is {_shown(limit)}. Hint: `ulimit -v` shows and sets it, in kilobytes."
        )
    for name in ONE_THREAD:  # each further thread reserves more
        os.environ.setdefault(name, "1")


def check_room(n_bytes: float, name: str) -> None:
    """Reject a table that does not fit into memory."""
    free = min(_rooms(), default=None)
    if free is not None and n_bytes > free:
        raise NoRoomError(
            f"Not enough memory: {name} needs about {_shown(n_bytes)}, and {_shown(free)} are free. "
            "Hint: use fewer rows or columns."
        )


def is_large(path: Path, count_columns: Callable[[], float] = int) -> bool:
    """Whether a file is too large to hold in memory."""
    size = path.stat().st_size
    return size > LARGE and (size > LARGE_WIDE or count_columns() < WIDE)


def _limit() -> int | None:
    """The address-space limit in bytes."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def _rooms() -> Iterator[int]:
    """Free bytes under each limit."""
    limit = _limit()
    if limit is not None:
        yield limit - LIBRARIES
    with suppress(OSError):
        lines = re.findall(r"(\w+):\s+(\d+) kB", Path("/proc/meminfo").read_text())
        kilobytes = {key: int(value) for key, value in lines}
        if "MemAvailable" in kilobytes:
            yield 1024 * (kilobytes["MemAvailable"] + kilobytes.get("SwapFree", 0))
    with suppress(OSError):
        yield from _rooms_of_groups(Path("/proc/self/cgroup").read_text())


def _rooms_of_groups(text: str) -> Iterator[int]:
    """Free bytes under the limits of the process's control group and its parents."""
    own = re.search(r"^0::/(.*)$", text, re.MULTILINE)
    group = GROUPS / own[1] if own is not None else GROUPS
    for folder in (group, *group.parents):
        if folder == GROUPS.parent:
            return
        with suppress(OSError):
            limit = (folder / "memory.max").read_text().strip()
            held = re.search(r"^anon (\d+)$", (folder / "memory.stat").read_text(), re.MULTILINE)
            if limit != "max" and held is not None:
                yield int(limit) - int(held[1])  # the rest is file cache, which can be reclaimed


def _shown(n_bytes: float) -> str:
    return f"{n_bytes / GIGABYTE:,.1f} GB"
