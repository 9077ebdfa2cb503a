"""Run experiments: stored cells are not run again, each finished cell is stored at once."""

import concurrent.futures
import datetime
import importlib
import json
import multiprocessing
import os
import platform
import signal
import threading
import time
import warnings
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import threadpoolctl

from reproduction.data import Data
from reproduction.protocol import Cell, Experiment, Record, Results

EXPERIMENTS = {
    name: f"reproduction.{name}"
    for name in ("nefs", "bayes", "ce", "inffs", "renyi", "methods", "stopping", "unseen", "levels", "mixed")
}
PACKAGES = ("entropick", "numpy", "scipy", "scikit-learn")


def experiment_named(name: str) -> Experiment:
    """The experiment of a name."""
    return importlib.import_module(EXPERIMENTS[name]).EXPERIMENT


def run_experiment(
    name, data, store, *, quick=False, fresh=False, judge=False, n_jobs=-1, progress=lambda *_: None
) -> Results:
    """Run the cells of an experiment that are not stored yet, and return all results.

    Parameters
    ----------
    name : of the experiment
    data : where its data sets are
    store : where results are kept
    quick : the short version
    fresh : run stored cells again; a new result replaces the old one when it is finished
    judge : also run the cells that are kept back
    n_jobs : cells run at once, each in a process of its own with one thread; -1 for all processors
    progress : called with a text, the number of cells done and the number of cells
    """
    experiment = experiment_named(name)
    cells, stored = cells_of(experiment, quick, judge), {} if fresh else store.read()
    wanted = {cell.dataset for cell in cells if cell.dataset is not None}
    missing = {name: why for name in sorted(wanted) if (why := data.missing(name)) is not None}
    open_cells = [cell for cell in cells if not _is_stored(cell, stored) and cell.dataset not in missing]
    if open_cells:
        store.begin()
    n_done = len(cells) - len(open_cells)
    for record in _run_cells(name, open_cells, data, n_jobs):
        store.append(record)
        n_done += 1
        progress(record.key, n_done, len(cells))
    return collect(experiment, store, quick=quick, judge=judge, missing=missing)


def cells_of(experiment: Experiment, quick: bool, judge: bool) -> list[Cell]:
    """All cells; those that are kept back only on request."""
    return [*experiment.cells(quick), *(experiment.kept_back(quick) if judge else ())]


def collect(experiment: Experiment, store: "Store", *, quick=False, judge=False, missing=None) -> Results:
    """What is stored of an experiment."""
    cells, stored = cells_of(experiment, quick, judge), store.read()
    records = [stored[cell.key] for cell in cells if _is_stored(cell, stored)]
    return Results(records, len(cells), missing or {}, quick)


def _is_stored(cell: Cell, stored: dict[str, Record]) -> bool:
    """Whether the same cell, by name and settings, was run."""
    return cell.key in stored and stored[cell.key].settings == _plain(dict(cell.settings))


def _plain(value):
    """As it is read from a file."""
    return json.loads(json.dumps(value))


def _run_cells(name: str, cells: list[Cell], data: Data, n_jobs: int):
    """Records in the order in which they are finished."""
    n_processes = min(len(cells), (os.cpu_count() or 1) if n_jobs < 0 else n_jobs)
    if n_processes <= 1:
        yield from (_run_cell(name, cell, data) for cell in cells)
        return
    context = multiprocessing.get_context("spawn")
    pool = concurrent.futures.ProcessPoolExecutor(n_processes, context, _end_with_the_run)
    try:
        with _ctrl_c_kept_back():
            futures = [pool.submit(_run_cell, name, cell, data) for cell in cells]
        for future in concurrent.futures.as_completed(futures):
            yield future.result()
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()  # a cell may run for minutes; what is stored is safe
        pool.shutdown(wait=False, cancel_futures=True)


def _end_with_the_run() -> None:
    """End this process when the one that started it ends: if that was killed, nobody else ends it."""

    def wait() -> None:
        run = multiprocessing.parent_process()
        if run is not None:
            run.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _ctrl_c_kept_back():
    """Start processes that ignore Ctrl-C, which terminals send to all; this one gets it afterwards."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _run_cell(name: str, cell: Cell, data: Data) -> Record:
    """Run a cell in one thread: the cells are what runs side by side."""
    experiment = experiment_named(name)  # loads the libraries whose threads are limited
    start = time.perf_counter()
    with threadpoolctl.threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small classes and the like; a protocol says what it does there
        result = experiment.run(cell, data)
    return Record(cell.key, _plain(dict(cell.settings)), _plain(result), time.perf_counter() - start)


class Store:
    """Results in a file of JSON lines, one for each cell and one for each run that added cells."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> dict[str, Record]:
        """The stored records by key; the last one where a cell was run again."""
        names = ("key", "settings", "result", "seconds")
        return {line["key"]: Record(*(line[n] for n in names)) for line in self._lines() if "key" in line}

    def runs(self) -> list[dict]:
        """When and with which versions cells were added."""
        return [line["run"] for line in self._lines() if "run" in line]

    def begin(self) -> None:
        """Note the date and the versions; a line cut off by a kill is ended first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and self.path.read_bytes()[-1:] not in (b"\n", b""):
            self._append("\n")
        packages = {package: version(package) for package in PACKAGES}
        machine = {"machine": platform.machine(), "processors": os.cpu_count()}
        day = {"date": datetime.date.today().isoformat(), "python": platform.python_version()}
        self._append(json.dumps({"run": {**day, "packages": packages, **machine}}) + "\n")

    def append(self, record: Record) -> None:
        """Store a record; it is on the disk when this returns."""
        line = {"key": record.key, "settings": record.settings, "seconds": round(record.seconds, 3)}
        self._append(json.dumps({**line, "result": record.result}) + "\n")

    def _append(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def _lines(self):
        if self.path.exists():
            for text in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    yield json.loads(text)
                except json.JSONDecodeError:  # a line cut off where a run was killed
                    continue
