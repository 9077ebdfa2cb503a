"""Searches over whole subsets: seconds per search, subsets per second, and the time of plain loops.

    python -m benchmarks.subsets             # all tasks, some minutes
    python -m benchmarks.subsets --quick     # one run of each, without Connect-4

Real data: npz files with X and y in ../shared/data next to the repository; tasks with missing files are
skipped with a message. Peer: the loop of pymoo's NSGA-II (pip install pymoo) with the same number of
evaluations, with objectives that cost nothing.
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from unittest import mock

import numpy as np
from sklearn.model_selection import train_test_split

import entropick as ep
from benchmarks import report
from benchmarks.timing import OtherWork, Timing, time_call
from benchmarks.workloads import DATA
from entropick.contracts import GroupSums
from entropick.counting.local import LocalCounts
from entropick.table import Codes

JOBS = 2
REPEATS = 5
PLAIN_SUBSETS = 400  # subsets on which the plain loops are timed
PLAIN_SECONDS = 1.0  # approximate total time of repeated plain loops


@dataclass(frozen=True)
class Task:
    """A search on a data set.

    Attributes
    ----------
    title : what it is, for people
    file : name of the data set
    selector : fresh selector
    goal : seconds
    paper : seconds reported in the paper, if any
    train_share : share of the rows that is used
    is_long : whether a quick run leaves it out
    """

    title: str
    file: str
    selector: Callable[[], Any]
    goal: float
    paper: float | None = None
    train_share: float = 1.0
    is_long: bool = False


def bayesian(n_evaluations: int) -> Callable[[], Any]:
    return lambda: ep.BayesianEntropyFS(n_evaluations=n_evaluations, random_state=0, n_jobs=JOBS)


def cross_entropy() -> Any:
    return ep.CrossEntropyFS(random_state=0, n_jobs=JOBS)


TASKS = (
    Task("Bayesian, Chess, 36,000", "chess_krvskp", bayesian(36_000), 1.0, 56, 0.7),
    Task("Bayesian, Splice, 60,000", "splice", bayesian(60_000), 2.0, 71, 0.7),
    Task("Bayesian, Mushroom, 22,000", "mushroom_5644", bayesian(22_000), 1.5, 33, 0.7),
    Task("cross-entropy, Connect-4", "connect4", cross_entropy, 60.0, 178, is_long=True),
    Task("cross-entropy, Advertisements", "ads_998", cross_entropy, 60.0),
)
PEER_TASKS = (("Chess", 36, 36_000), ("Splice", 60, 60_000), ("Mushroom", 22, 22_000))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one run of each, without Connect-4")
    args = parser.parse_args(arguments)
    print(report.machine())
    repeats = 1 if args.quick else REPEATS
    others = OtherWork()
    show_searches(args.quick, repeats)
    show_peer(repeats)
    print(f"\n{others}")


# -- searches --------------------------------------------------------------------------------


def show_searches(quick: bool, repeats: int) -> None:
    """Each search against its goal and against the plain loops on the same subsets."""
    print(f"\n## Searches, {JOBS} threads\n", flush=True)
    rows = []
    for task in TASKS:
        if quick and task.is_long:
            print(f"{task.title}: left out of a quick run")
        elif not (DATA / f"{task.file}.npz").exists():
            print(f"{task.title}: no file {task.file}.npz in ../shared/data, left out")
        else:
            rows.append(measured(task, repeats))
            print(*rows[-1], sep="  ", file=sys.stderr, flush=True)  # show progress
    if not rows:
        return
    header = [
        "task", "rows x columns", "best s", "median s", "goal s", "paper s", "asked", "scored", "mean size",
        "scoring s", "scored/s", "plain/s", "x plain", "columns kept", "other work",
    ]  # fmt: skip
    print(report.markdown_table(header, rows), flush=True)


def measured(task: Task, repeats: int) -> list[str]:
    """One row of the table."""
    X, y = rows_of(task)
    warm_up(task, X, y)
    others = OtherWork()
    with recorded() as record:

        def call() -> Any:
            record.clear()
            return task.selector().fit(X, y)

        timing, fitted = time_call(call, repeats)
    share = others.share()
    subsets = record.subsets()
    per_second = len(subsets) / record.seconds
    plain = plain_rate(record.codes, subsets)
    asked = fitted.selection_.exploration.history[-1].n_evaluated
    return [
        task.title,
        f"{X.shape[0]:,} x {X.shape[1]:,}",
        report.seconds(timing.best),
        report.seconds(timing.median),
        f"{task.goal}: {report.verdict(timing, task.goal)}",
        "" if task.paper is None else f"{task.paper}",
        f"{asked:,}",
        f"{len(subsets):,}",
        f"{subsets.sum(axis=1).mean():.1f}",
        report.seconds(record.seconds),
        f"{per_second:,.0f}",
        f"{plain:,.0f}",
        f"{plain / per_second:.2f}",
        f"{fitted.n_features_}",
        "" if share is None else f"{share:.0%}",
    ]


def rows_of(task: Task) -> tuple[np.ndarray, np.ndarray]:
    with np.load(DATA / f"{task.file}.npz") as arrays:
        X, y = arrays["X"], arrays["y"]
    if task.train_share == 1.0:
        return X, y
    X, _, y, _ = train_test_split(X, y, train_size=task.train_share, random_state=0)
    return X, y


def warm_up(task: Task, X: np.ndarray, y: np.ndarray) -> None:
    """Run the search for a moment on few rows, so that imports are not timed."""
    few = np.random.default_rng(0).permutation(len(X))[:5000]
    task.selector().set_params(max_time=0.01).fit(X[few], y[few])


class Record:
    """The subsets that a search scored, without cached ones, and the seconds that took."""

    def __init__(self) -> None:
        self.codes: Codes | None = None
        self.seconds = 0.0
        self._packed: list[np.ndarray] = []

    def clear(self) -> None:
        self.seconds = 0.0
        self._packed = []

    def add(self, codes: Codes, subsets: np.ndarray, seconds: float) -> None:
        self.codes = codes
        self.seconds += seconds
        self._packed.append(np.packbits(subsets, axis=1))

    def subsets(self) -> np.ndarray:
        """All of them, bool (subsets, columns)."""
        assert self.codes is not None
        packed = np.concatenate(self._packed)
        return np.unpackbits(packed, axis=1, count=self.codes.n_columns).astype(bool)


@contextmanager
def recorded() -> Iterator[Record]:
    """Record the scored subsets; packing the bits costs little compared with scoring."""
    record, subset_sums = Record(), LocalCounts.subset_sums

    def listening(self: LocalCounts, subsets: np.ndarray, *tables: np.ndarray) -> GroupSums:
        start = perf_counter()
        sums = subset_sums(self, subsets, *tables)
        record.add(self._codes, subsets, perf_counter() - start)
        return sums

    with mock.patch.object(LocalCounts, "subset_sums", listening):
        yield record


# -- the plainest loops ----------------------------------------------------------------------


def plain_rate(table: Codes | None, subsets: np.ndarray) -> float:
    """Subsets per second of the plain loops with the same number of threads, on a sample of the subsets."""
    from benchmarks.plain_loops import score_plainly

    assert table is not None
    rng = np.random.default_rng(0)
    sample = subsets[rng.integers(0, len(subsets), min(PLAIN_SUBSETS, len(subsets)))]
    codes = np.array(list(table), np.uint16)
    keys = rng.integers(0, 2**64, (table.n_columns, int(table.n_levels.max())), dtype=np.uint64)
    n_slots = 1 << int(2 * table.n_rows - 1).bit_length()
    labels, n_classes = table.labels.astype(np.int64), table.n_classes

    def work(share: slice) -> None:
        score_plainly(sample[share], codes, keys, labels, n_classes, n_slots)

    edges = np.linspace(0, len(sample), JOBS + 1).astype(int)
    shares = [slice(start, stop) for start, stop in itertools.pairwise(edges.tolist())]
    work(slice(0, 1))  # compiles
    with ThreadPoolExecutor(JOBS) as pool:
        first, _ = time_call(lambda: list(pool.map(work, shares)), 1)
        timing, _ = time_call(lambda: list(pool.map(work, shares)), 1 + int(PLAIN_SECONDS / first.best))
    return len(sample) / timing.median


# -- the peer --------------------------------------------------------------------------------


def show_peer(repeats: int) -> None:
    """The loop of pymoo's NSGA-II alone: its objectives are two sums of bits."""
    print("\n## pymoo's NSGA-II with free objectives, one thread\n", flush=True)
    try:
        pymoo_loop(10, 200)  # imports
    except ImportError:
        print("not installed: pip install pymoo")
        return
    rows = []
    for name, n_bits, n_evaluations in PEER_TASKS:
        timing, _ = time_call(lambda b=n_bits, n=n_evaluations: pymoo_loop(b, n), repeats)
        rows.append([name, str(n_bits), f"{n_evaluations:,}", *seconds(timing)])
    print(report.markdown_table(["as for", "bits", "evaluations", "best s", "median s"], rows), flush=True)


def seconds(timing: Timing) -> list[str]:
    return [report.seconds(timing.best), report.seconds(timing.median)]


def pymoo_loop(n_bits: int, n_evaluations: int) -> None:
    """As in the search that is timed: 100 bit strings, single-point crossover, about one bit flipped."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.pntx import SinglePointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    half = n_bits // 2

    class Sums(Problem):
        def _evaluate(self, x: np.ndarray, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            out["F"] = np.column_stack([x[:, :half].sum(axis=1), (~x[:, half:]).sum(axis=1)])

    algorithm = NSGA2(
        pop_size=100,
        sampling=BinaryRandomSampling(),
        crossover=SinglePointCrossover(),
        mutation=BitflipMutation(prob_var=1 / n_bits),
        eliminate_duplicates=True,
    )
    minimize(Sums(n_var=n_bits, n_obj=2, vtype=bool), algorithm, ("n_eval", n_evaluations), seed=0)


if __name__ == "__main__":
    main()
