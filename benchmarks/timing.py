"""Time calls: the best and the median of several repeats, and whether the machine was idle."""

import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

LONG = 5.0  # a call that takes this many seconds is not repeated
MAX_OTHER_WORK = 0.05  # share of the processors used by other programs above which times are doubtful
_PROC_STAT = Path("/proc/stat")


@dataclass(frozen=True)
class Timing:
    """Seconds of repeated calls."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def time_call(
    call: Callable[[], Any], repeats: int, clock: Callable[[], float] = perf_counter
) -> tuple[Timing, Any]:
    """Time a call; returns the timing and the result of the last call.

    By default the clock measures wall time; `time.process_time` measures processor time of all threads, which
    hardly depends on other load. A long first call is not repeated: its noise is relatively small.
    """
    seconds: list[float] = []
    result: Any = None
    while len(seconds) < repeats and not (seconds and seconds[0] > LONG):
        start = clock()
        result = call()
        seconds.append(clock() - start)
    return Timing(tuple(seconds)), result


class OtherWork:
    """Measures how much of the processors other programs use; on Linux only."""

    def __init__(self) -> None:
        self._start = self._ticks()

    def share(self) -> float | None:
        """Share of all processors that others used since the start; None if it is not known."""
        now = self._ticks()
        if self._start is None or now is None:
            return None
        whole, others = (b - a for a, b in zip(self._start, now, strict=True))
        return max(0.0, others / whole) if whole else 0.0

    def __str__(self) -> str:
        share = self.share()
        if share is None:
            return "other work on the machine: not known"
        doubt = " DO NOT TRUST THESE TIMES." if share > MAX_OTHER_WORK else ""
        return f"other work meanwhile: {share:.1%} of the processors.{doubt}"

    @staticmethod
    def _ticks() -> tuple[float, float] | None:
        """Ticks of all processors so far, and those used by other programs (or by other machines)."""
        if not _PROC_STAT.exists():
            return None
        fields = [float(text) for text in _PROC_STAT.read_text().split("\n", 1)[0].split()[1:9]]
        idle = fields[3] + fields[4]
        own = sum(os.times()[:4]) * os.sysconf("SC_CLK_TCK")
        return sum(fields), sum(fields) - idle - own
