"""Processor time and memory of methods, as ratios to their limits.

    python -m benchmarks.methods

NHTP, L1SVM (also with penalty="cv") and SVMRFE on LEUKEMIA (72 x 7,129), FCBF on W3, JMI3 of 20 columns on
W1, InfFS without y on 200 x 100,000 and CrossEntropyFS with adaptive sampling on 100 x 20,000 columns for
20 seconds, each in its own process: the best of three fits with one thread, the peak memory above that before
the first fit, and the peak of the whole process with Python and the table. A ratio above 1 exceeds the limit.
LEUKEMIA is read from ../shared/data next to the repository; without it, its methods are skipped with a
message.
"""

import json
import resource
import subprocess
import sys
import warnings
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import entropick as ep
from benchmarks import report, workloads
from benchmarks.timing import time_call

LEUKEMIA = workloads.DATA / "leukemia.npz"


class Task(NamedTuple):
    """A method, the table, and its limits in processor seconds and MB, over the table or of the process."""

    method: str
    options: dict[str, Any]
    table: str
    seconds: float | None = None
    megabytes: float | None = None
    repeats: int = 3
    of_process: bool = False


TASKS = [
    Task("NHTP", {"n_features": 10}, "LEUKEMIA", seconds=1.0),
    Task("L1SVM", {"n_features": 10}, "LEUKEMIA", seconds=1.0),
    Task("L1SVM", {"n_features": 10, "penalty": "cv"}, "LEUKEMIA", seconds=1.0),
    Task("SVMRFE", {"n_features": 10}, "LEUKEMIA", seconds=1.0),
    Task("FCBF", {}, "W3", seconds=0.05),
    Task("JMI3", {"n_features": 20}, "W1", seconds=3.0),
    Task("InfFS", {"n_features": 10}, "200 x 100,000", megabytes=2000.0, repeats=1, of_process=True),
    Task("CrossEntropyFS", {"sampling": "adaptive", "max_time": 20.0}, "100 x 20,000", None, 100.0, 1),
]


def table_of(name: str) -> tuple[Any, np.ndarray | None]:
    if name == "LEUKEMIA":
        with np.load(LEUKEMIA) as arrays:
            return arrays["X"], arrays["y"]
    rng = np.random.default_rng(0)
    if name == "200 x 100,000":
        return rng.standard_normal((200, 100_000)), None
    if name == "100 x 20,000":
        X, y = rng.integers(0, 3, (100, 20_000), dtype=np.uint8), rng.integers(0, 2, 100)
        X[:, :20] = (X[:, :20] + y[:, None]) % 3
        return X, y
    work = workloads.WORKLOADS[name]()
    return work.X, work.y


def measured(task: Task) -> tuple[float, float, float]:
    """Processor seconds of the best fit, MB above those before the first, and MB of the process."""
    X, y = table_of(task.table)
    selector = getattr(ep, task.method)(**task.options)
    selector.set_params(**({"random_state": 0} if "random_state" in selector.get_params() else {}))
    getattr(ep, task.method)(**(task.options | {"n_features": 5})).fit(X[:, :30], y)  # imports what is needed
    before = peak()
    timing, _ = time_call(lambda: selector.fit(X, y), task.repeats, process_time)
    return timing.best, peak() - before, peak()


def peak() -> float:
    """Peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row_of(place: int, task: Task) -> list[str]:
    """Measure a task in its own process."""
    command = [sys.executable, "-m", "benchmarks.methods", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, megabytes, of_process = json.loads(done.stdout)
    options = ", ".join(f"{name}={value!r}" for name, value in task.options.items())
    row = [f"{task.method}({options})", task.table]
    row += [f"{seconds:.3f}", f"{megabytes:.0f}", f"{of_process:.0f}"]
    value, limit, unit = seconds, task.seconds, "s"
    if task.megabytes is not None:
        value, limit, unit = of_process if task.of_process else megabytes, task.megabytes, "MB"
    return [*row, f"{limit:g} {unit}", f"{value / (limit or 1.0):.2f}"]


def main() -> None:
    if len(sys.argv) > 1:
        warnings.simplefilter("ignore")
        print(json.dumps(measured(TASKS[int(sys.argv[1])])))
        return
    print(report.machine(), end="\n\n", flush=True)
    rows = []
    for place, task in enumerate(TASKS):
        if task.table == "LEUKEMIA" and not LEUKEMIA.exists():
            print(f"{task.method}: no file leukemia.npz in ../shared/data, left out")
            continue
        rows.append(row_of(place, task))
    header = ["method", "table", "processor s", "MB over the table", "MB of the process", "limit", "ratio"]
    print(report.markdown_table(header, rows), flush=True)


if __name__ == "__main__":
    main()
