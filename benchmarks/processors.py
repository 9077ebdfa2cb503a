"""Compare the results of emulated processors: every method on ten tables.

    python -m benchmarks.processors                   # all of it, about three minutes for each processor
    python -m benchmarks.processors --only MCFS LLCFS --processors Prescott Haswell
    python -m benchmarks.processors --data DIR        # .npz files with X and y instead of the built-in tables
    python -m benchmarks.processors --noise           # the same processor, values changed by a share of 1e-13

Each processor is emulated by a process whose environment makes OpenBLAS, numpy and the C library use the code
for it. A method ranks all columns; some then select with n_features="auto". The results are compared with
those of this machine without such an environment:

- "bits": order, scores and selection are identical in all tables;
- "columns": the same order in all tables; scores differ by at most this share of the largest score;
- "ties": the same first ten columns and selection, but another order of the rest;
- "differs": the tables in which the first ten columns, or those selected, are not the same.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks import report
from benchmarks.portable_tables import TABLES, moved_values

N_ROWS, N_COLUMNS = 300, 60  # maximal size of the tables in --data; evenly spaced rows and columns
FIRST = 10  # columns that must be the same
BASELINE = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"  # what numpy is compiled for besides
NO_FMA = "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4"
PROCESSORS: dict[str, dict[str, str]] = {
    "Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "numpy without AVX2": {"NPY_DISABLE_CPU_FEATURES": BASELINE},
    "libm without FMA": {"GLIBC_TUNABLES": NO_FMA},
    "one BLAS thread": {"OPENBLAS_NUM_THREADS": "1"},
    "two BLAS threads": {"OPENBLAS_NUM_THREADS": "2"},
    "old": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": BASELINE,
        "GLIBC_TUNABLES": NO_FMA,
        "ENTROPICK_PROCESSOR": "plain",
    },
}
HERE = "here"
NOISE = "noise"
# Searches over subsets take long by default.
OPTIONS: dict[str, dict[str, Any]] = {
    "BayesianEntropyFS": {"n_evaluations": 500},
    "CrossEntropyFS": {"n_samples": 100, "max_rounds": 10},
    "SwarmFS": {"n_rounds": 10},
}
# Parameters that use other code.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "InfFS, no target": ("InfFS", {"supervised": False}),
    "InfFS, diverse": ("InfFS", {"diversity": 0.5}),
    "InfFS, released": ("InfFS", {"variant": "released"}),
    "InfFS, released, no target": ("InfFS", {"variant": "released", "supervised": False}),
    "InfFS, markov": ("InfFS", {"supervised": False, "regularization": "markov"}),
    "L1SVM, squared hinge": ("L1SVM", {"loss": "squared_hinge"}),
    "L1SVM, unhinged": ("L1SVM", {"loss": "unhinged"}),
    "CFS, minimum": ("CFS", {"summary": "minimum"}),
}
SELECTED_BY_AUTO = frozenset({"MRMR", "JMI", "MIM", "Gaussian", "ReliefF", "NEFS"})  # others take long


class Found(NamedTuple):
    """What a method found in a table: all columns in order, their scores, and the columns selected."""

    order: list[int]
    scores: list[float | None]
    selected: list[int]
    error: str = ""


class Comparison(NamedTuple):
    """How one finding relates to another."""

    verdict: str  # bits, columns, ties, differs
    difference: float = 0.0


def methods() -> dict[str, tuple[str, dict[str, Any]]]:
    """Names of the rows, with the selector and its parameters."""
    from entropick.selectors.methods import METHODS

    return {name: (name, OPTIONS.get(name, {})) for name in METHODS} | VARIANTS


def find(method: str, X: np.ndarray, y: np.ndarray) -> Found:
    """All columns in order with their scores, and the selection by "auto" for some methods."""
    import entropick as ep
    from entropick.selectors.catalog import finds_subsets

    name, options = methods()[method]
    made = getattr(ep, name)(**options)
    if "random_state" in made.get_params():
        made.set_params(random_state=0)
    whole = "auto" if finds_subsets(made) else X.shape[1]
    try:
        found = made.set_params(n_features=whole).fit(X, y).selection_
        selected = found.order.tolist()
        if name in SELECTED_BY_AUTO:
            selected = made.set_params(n_features="auto").fit(X, y).selection_.order.tolist()
    except (ValueError, TypeError) as error:
        return Found([], [], [], str(error))
    order = [j for step in found.steps for j in step.columns]
    return Found(order, [None if np.isnan(s.score) else s.score for s in found.steps], selected)


def run_here(folder: Path, chosen: Sequence[str], noise: bool) -> None:
    """Print the results of the chosen methods on the tables of a folder."""
    warnings.simplefilter("ignore")
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=True) as arrays:
            X, y = arrays["X"], arrays["y"]
        if noise:
            X = moved_values(X)
        for method in chosen:
            start = perf_counter()
            found = find(method, X, y)
            took = perf_counter() - start
            print(json.dumps([path.stem, method, found._asdict(), took]), flush=True)


def run_on(processor: str, folder: Path, chosen: Sequence[str]) -> dict[tuple[str, str], Found]:
    """The results of a process with the environment of a processor."""
    command = [sys.executable, "-m", "benchmarks.processors", "--worker", str(folder), "--only", *chosen]
    command += ["--noise"] * (processor == NOISE)
    environment = os.environ | PROCESSORS.get(processor, {})
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{processor}: {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for seconds, table, method in sorted(((line[3], *line[:2]) for line in lines), reverse=True)[:3]:
        print(f"{processor}: {method} took {seconds:.1f} s on {table}", file=sys.stderr)
    return {(table, method): Found(**found) for table, method, found, _ in lines}


def compare(one: Found, other: Found) -> Comparison:
    """Compare two results on one table."""
    if one == other:
        return Comparison("bits")
    if one.error or other.error or sorted(one.order) != sorted(other.order):
        return Comparison("differs", np.inf)
    difference = _difference(one, other)
    if one.order[:FIRST] != other.order[:FIRST] or one.selected[:FIRST] != other.selected[:FIRST]:
        return Comparison("differs", difference)
    if len(one.selected) != len(other.selected):
        return Comparison("differs", difference)
    return Comparison("columns" if one.order == other.order else "ties", difference)


def _difference(one: Found, other: Found) -> float:
    """Largest difference of the scores of a column, as a share of the largest score."""
    scores = [dict(zip(found.order, found.scores, strict=False)) for found in (one, other)]
    pairs = [(scores[0][j], scores[1][j]) for j in scores[0].keys() & scores[1].keys()]
    known = np.array([pair for pair in pairs if None not in pair], float).reshape(-1, 2)
    size = np.abs(known).max(initial=0.0)
    return float(np.abs(known[:, 0] - known[:, 1]).max(initial=0.0) / size) if size else 0.0


def cell(comparisons: Mapping[str, Comparison]) -> str:
    """Summarise a method on one processor over all tables."""
    by_verdict: dict[str, list[str]] = {}
    for table, comparison in comparisons.items():
        by_verdict.setdefault(comparison.verdict, []).append(table)
    if "differs" in by_verdict:
        return f"differs: {', '.join(by_verdict['differs'])}"
    if by_verdict.keys() == {"bits"}:
        return "bits"
    worst = max(comparison.difference for comparison in comparisons.values())
    return f"{'ties' if 'ties' in by_verdict else 'columns'} ({worst:.0e})"


def table_rows(
    found: Mapping[str, Mapping[tuple[str, str], Found]], chosen: Sequence[str]
) -> Iterator[list[str]]:
    reference = found[HERE]
    tables = sorted({table for table, _ in reference})
    for method in chosen:
        cells = [
            cell({t: compare(reference[t, method], others[t, method]) for t in tables})
            for processor, others in found.items()
            if processor != HERE
        ]
        yield [method, *cells]


def summary(rows: Sequence[Sequence[str]], n_tables: int) -> str:
    """The table in a sentence."""
    kinds = [text.split(":")[0].split(" ")[0] for row in rows for text in row[1:]]
    counts = ", ".join(f"{kind} {kinds.count(kind)}" for kind in ("bits", "columns", "ties", "differs"))
    return f"{len(rows)} methods on {n_tables} tables, cells: {counts}."


def write_tables(folder: Path, data: Path | None) -> int:
    """Write the tables to files, so that every process reads the same numbers; return their number."""
    if data is None:
        for name, make in TABLES.items():
            X, y = make()
            np.savez(folder / f"{name}.npz", X=X, y=y)
    else:
        for path in sorted(data.glob("*.npz")):
            with np.load(path, allow_pickle=True) as arrays:
                X, y = _part(arrays["X"], arrays["y"])
            np.savez(folder / path.name, X=X, y=y)
    return len(list(folder.glob("*.npz")))


def _part(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows = np.linspace(0, len(X) - 1, min(len(X), N_ROWS)).astype(int)
    columns = np.linspace(0, X.shape[1] - 1, min(X.shape[1], N_COLUMNS)).astype(int)
    return X[np.ix_(rows, columns)], y[rows]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", nargs="+", metavar="METHOD", help="some methods")
    parser.add_argument(
        "--processors", nargs="+", metavar="NAME", choices=list(PROCESSORS), help="some of them"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of .npz files with X and y")
    parser.add_argument("--noise", action="store_true", help="move values instead of changing the processor")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    chosen = given.only or list(methods())
    if given.worker is not None:
        run_here(given.worker, chosen, given.noise)
        return
    others = [NOISE] if given.noise else given.processors or _possible()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(given.jobs) as pool:
        folder = Path(name)
        n_tables = write_tables(folder, given.data)
        runs = {processor: pool.submit(run_on, processor, folder, chosen) for processor in [HERE, *others]}
        found = {processor: run.result() for processor, run in runs.items()}
    rows = list(table_rows(found, chosen))
    print(report.machine(), end="\n\n")
    print(report.markdown_table(["method", *others], rows), end="\n\n")
    print(summary(rows, n_tables))


def _possible() -> list[str]:
    """The processors whose code this machine can run."""
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return [name for name in PROCESSORS if name != "SkylakeX" or "avx512f" in flags]


if __name__ == "__main__":
    main()
