"""Results as plain records, and as tables for the terminal and Markdown."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.timing import Timing

PACKAGES = ("entropick", "numpy", "scipy", "scikit-learn")
PEER_PACKAGES = ("fast-select", "mrmr_selection", "skfeature-chappers")
NOISE = 1.1  # times within ten per cent count as equal


@dataclass(frozen=True)
class Result:
    """One row of a table.

    Attributes
    ----------
    task, library : what was done by whom
    timing : None if nothing could be timed; `remark` says why
    ratio : best time of this library over that of entropick
    goal : seconds, if the task has a goal
    goal_text : the goal as text, with the verdict
    naive_counts : increments a naive program needs for the task
    remark : agreement with entropick, and what else a reader must know
    """

    task: str
    library: str
    timing: Timing | None = None
    ratio: float | None = None
    goal: float | None = None
    goal_text: str = ""
    naive_counts: int | None = None
    remark: str = ""

    def cells(self, counts_per_second: float) -> list[str]:
        """The row, with the time as a multiple of what the plain counting loop needs."""
        counting = ""
        if self.timing and self.naive_counts:
            counting = f"{self.timing.best * counts_per_second / self.naive_counts:.2f}"
        return [
            self.task,
            self.library,
            seconds(self.timing.best) if self.timing else "",
            seconds(self.timing.median) if self.timing else "",
            f"{self.ratio:,.0f}" if self.ratio is not None else "",
            self.goal_text,
            counting,
            self.remark,
        ]


HEADER = ["task", "library", "best s", "median s", "peer / entropick", "goal s", "x counting", "remark"]


def verdict(timing: Timing, goal: float) -> str:
    """Whether the median time, or at least the best one, is within the goal."""
    if timing.median <= goal:
        return "met"
    return "met by the best only" if timing.best <= goal else "MISSED"


def seconds(value: float) -> str:
    """Seconds with about three significant digits."""
    return f"{value:.4f}" if value < 1 else f"{value:.2f}"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with aligned columns."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * width for width in widths], *rows]
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def machine() -> str:
    """Processor and number of cores this process may use."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        facts = dict(
            map(str.strip, line.split(":", 1)) for line in cpuinfo.read_text().splitlines() if ":" in line
        )
        family = f"family {facts.get('cpu family', '?')}, model {facts.get('model', '?')}"
        model = f"{facts.get('model name', model)} ({family})"
    return f"{model}, {os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"


def versions() -> dict[str, str]:
    """Versions of the compared packages, or "not installed"."""
    found = {}
    for package in PACKAGES + PEER_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
