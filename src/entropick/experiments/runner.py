"""The one runner: what is stored is not run again, each finished cell is stored at once."""

import concurrent.futures
import datetime
import importlib
import json
import multiprocessing
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import threadpoolctl

from entropick.experiments.data import Data
from entropick.experiments.protocol import Cell, Experiment, Record, Results

EXPERIMENTS = {  # name -> module
    name: f"entropick.experiments.{name}" for name in ("nefs", "bayes", "ce", "inffs", "renyi", "methods")
}
PACKAGES = ("entropick", "numpy", "scipy", "scikit-learn")
Progress = Callable[[str, int, int], None]


def experiment_named(name: str) -> Experiment:
    """The experiment of a name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"There is no experiment {name!r}. Hint: the names are {', '.join(EXPERIMENTS)}.")
    found: Experiment = importlib.import_module(EXPERIMENTS[name]).EXPERIMENT
    return found


def run_experiment(
    name: str,
    data: Data,
    store: "Store",
    *,
    quick: bool = False,
    n_jobs: int = -1,
    progress: Progress | None = None,
) -> Results:
    """Run the cells of an experiment that are not stored yet, and return all results.

    Parameters
    ----------
    name : of the experiment
    data : where its data sets are
    store : where results are kept
    quick : the short version
    n_jobs : cells run at once, each in a process of its own with one thread; -1 for all processors
    progress : called with a text, the number of cells done and the number of cells
    """
    experiment = experiment_named(name)
    cells = list(experiment.cells(quick))
    stored = store.read()
    wanted = {cell.dataset for cell in cells if cell.dataset is not None}
    missing = {name: why for name in sorted(wanted) if (why := data.missing(name)) is not None}
    open_cells = [cell for cell in cells if not _is_stored(cell, stored) and cell.dataset not in missing]
    n_done = len(cells) - len(open_cells)
    if open_cells:
        store.begin()
        for record in _run_cells(name, open_cells, data, n_jobs):
            store.append(record)
            n_done += 1
            if progress is not None:
                progress(record.key, n_done, len(cells))
    return collect(experiment, store, quick=quick, missing=missing)


def collect(
    experiment: Experiment, store: "Store", *, quick: bool = False, missing: dict[str, str] | None = None
) -> Results:
    """What is stored of an experiment."""
    cells = list(experiment.cells(quick))
    stored = store.read()
    records = [stored[cell.key] for cell in cells if _is_stored(cell, stored)]
    return Results(records, len(cells), missing or {}, quick)


def _is_stored(cell: Cell, stored: dict[str, Record]) -> bool:
    """Whether the same cell, by name and settings, was run."""
    record = stored.get(cell.key)
    return record is not None and record.settings == json.loads(json.dumps(dict(cell.settings)))


def _run_cells(name: str, cells: Sequence[Cell], data: Data, n_jobs: int) -> Iterator[Record]:
    """Records in the order they are finished."""
    n_processes = min(len(cells), (os.cpu_count() or 1) if n_jobs < 0 else n_jobs)
    if n_processes <= 1:
        yield from (_run_cell(name, cell, data) for cell in cells)
        return
    context = multiprocessing.get_context("spawn")
    pool = concurrent.futures.ProcessPoolExecutor(n_processes, mp_context=context)
    try:
        futures = [pool.submit(_run_cell, name, cell, data) for cell in cells]
        for future in concurrent.futures.as_completed(futures):
            yield future.result()
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()  # a cell may run for minutes; what is stored is safe
        pool.shutdown(wait=False, cancel_futures=True)


def _run_cell(name: str, cell: Cell, data: Data) -> Record:
    """Run a cell in one thread: the cells are what runs side by side."""
    experiment = experiment_named(name)  # loads the libraries whose threads are limited
    start = time.perf_counter()
    with threadpoolctl.threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small classes and the like; a protocol says what it does there
        result = experiment.run(cell, data)
    plain = json.loads(json.dumps(result))
    return Record(cell.key, json.loads(json.dumps(dict(cell.settings))), plain, time.perf_counter() - start)


class Store:
    """Results in a file of JSON lines, one for each cell and one for each run that added cells."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> dict[str, Record]:
        """The stored records by key; the last one where a cell was run again."""
        return {
            line["key"]: Record(line["key"], line["settings"], line["result"], line["seconds"])
            for line in self._lines()
            if "key" in line
        }

    def runs(self) -> list[dict[str, Any]]:
        """When and with which versions cells were added."""
        return [line["run"] for line in self._lines() if "run" in line]

    def begin(self) -> None:
        """Note the date and the versions; a line cut off by a kill is ended first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and self.path.read_bytes()[-1:] not in (b"\n", b""):
            self._append("\n")
        self._write({"run": {"date": datetime.date.today().isoformat(), **environment()}})

    def append(self, record: Record) -> None:
        """Store a record; it is on the disk when this returns."""
        self._write(
            {
                "key": record.key,
                "settings": record.settings,
                "seconds": round(record.seconds, 3),
                "result": record.result,
            }
        )

    def _write(self, line: dict[str, Any]) -> None:
        self._append(json.dumps(line) + "\n")

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        if not self.path.exists():
            return []
        lines = []
        for text in self.path.read_text(encoding="utf-8").splitlines():
            try:
                lines.append(json.loads(text))
            except json.JSONDecodeError:  # a line cut off where a run was killed
                continue
        return lines


def environment() -> dict[str, Any]:
    """Versions and machine, as far as they may matter."""
    from importlib.metadata import version

    return {
        "python": platform.python_version(),
        "packages": {package: version(package) for package in PACKAGES},
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }
