"""Time entropick and its peers on one workload, one `Result` per library and task."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benchmarks.agreement import common_picks, compare_orders
from benchmarks.encoded import encoded, follow, select
from benchmarks.peers import Peer
from benchmarks.report import NOISE, Result, seconds, verdict
from benchmarks.tasks import ENCODING_GOAL, TASKS, Task
from benchmarks.timing import Timing, time_call
from benchmarks.workloads import Workload
from entropick import registry
from entropick._base.threads import Threads
from entropick.measures import Measure
from entropick.table import Codes, Rules, encode


@dataclass(frozen=True)
class Options:
    """How to compare."""

    jobs: int = 2
    quick: bool = False
    with_peers: bool = True

    @property
    def repeats(self) -> int:
        return 5 if self.quick else 15

    @property
    def peer_repeats(self) -> int:
        return 1 if self.quick else 3


def compare(workload: Workload, options: Options) -> Iterator[Result]:
    """Time all tasks of a workload."""
    if workload.y is None:
        yield from compare_encoding(workload, options)
        return
    done: dict[str, Done] = {}
    for task in TASKS[workload.name]:
        part = replace(workload, X=np.ascontiguousarray(workload.X[:, : task.columns]))
        yield from compare_selection(task, part, options, done)


# -- selection -------------------------------------------------------------------------------


def compare_selection(
    task: Task, workload: Workload, options: Options, done: dict[str, "Done"]
) -> Iterator[Result]:
    """Time one selection by entropick, then by each peer.

    `done` holds the tasks done before, by title; this one is added.
    """
    codes = encoded(workload.X, workload.y)
    measure = registry.resolve_measure(task.measure).set_params(**task.parameters)
    call = partial(select, codes, measure, task.picks, options.jobs)
    call()  # imports, warms the caches up
    timing, selection = time_call(call, options.repeats)
    done[task.title] = Done(codes, measure, timing, selection.order)
    goal, remark = judge(task, timing, done, options)
    yield Result(
        task.title,
        "entropick",
        timing,
        goal=task.goal,
        goal_text=goal,
        naive_counts=codes.n_rows * codes.n_columns * task.passes,
        remark=remark,
    )
    if not options.with_peers:
        return
    for peer in task.peers + task.slow_peers:
        if options.quick and peer in task.slow_peers:
            yield Result(task.title, peer.name, remark="left out by --quick")
        else:
            yield time_peer(peer, task, workload, codes, measure, timing, selection.order, options)


@dataclass(frozen=True)
class Done:
    """A selection that was timed."""

    codes: Codes
    measure: Measure
    timing: Timing
    order: np.ndarray


def judge(task: Task, timing: Timing, done: dict[str, Done], options: Options) -> tuple[str, str]:
    """The goal of a task with the verdict, and a remark on it."""
    if task.goal is not None:
        return f"{task.goal:g} {verdict(timing, task.goal)}", ""
    if task.no_slower_than is None:
        return "", ""
    # Later steps depend on the picks, so the remark compares times along the same picks.
    other, measure = done[task.no_slower_than], done[task.title].measure
    met = "met" if timing.best <= NOISE * other.timing.best else "MISSED"
    along, itself = (
        time_call(partial(follow, other.codes, each, other.order, options.jobs), options.repeats)[0].best
        for each in (measure, other.measure)
    )
    remark = f"along the same picks {seconds(along)} s against {seconds(itself)} s"
    return f"as {task.no_slower_than} {met}", remark


def time_peer(
    peer: Peer,
    task: Task,
    workload: Workload,
    codes: Codes,
    measure: Measure,
    ours: Timing,
    our_order: np.ndarray,
    options: Options,
) -> Result:
    """Time a peer and check its picks; a missing or failing peer gives a remark."""
    X, y = workload.X, workload.y
    try:
        peer.warm_up(X, y, task.picks, options.jobs)
        timing, picks = time_call(peer.prepare(X, y, task.picks, options.jobs), options.peer_repeats)
    except ImportError:
        return Result(task.title, peer.name, remark=f"not installed (pip install {peer.package})")
    except Exception as error:  # whatever breaks in a peer must not end the run
        return Result(task.title, peer.name, remark=f"failed with {type(error).__name__}: {error}")
    if peer.same_criterion:
        agreement = compare_orders(codes, measure, our_order, picks)
    else:
        agreement = common_picks(our_order, picks)
    remark = "; ".join(filter(None, [peer.remark, agreement]))
    return Result(task.title, peer.name, timing, timing.best / ours.best, remark=remark)


# -- encoding --------------------------------------------------------------------------------


def compare_encoding(workload: Workload, options: Options) -> Iterator[Result]:
    """Time binning by equal frequency against KBinsDiscretizer, and compare the levels."""
    from sklearn.preprocessing import KBinsDiscretizer

    task, rules = "encode into 5 levels", Rules(n_bins=5)

    def encode_all() -> Codes:
        with Threads(options.jobs) as threads:
            return encode(workload.X, rules=rules, threads=threads)[0]

    encode_all()  # imports, warms the caches up
    timing, codes = time_call(encode_all, options.repeats)
    binner = KBinsDiscretizer(5, encode="ordinal", strategy="quantile", subsample=None)
    peer_timing, levels = time_call(lambda: binner.fit_transform(workload.X), options.peer_repeats)
    goal = peer_timing.best / ENCODING_GOAL
    text = f"{seconds(goal)} ({ENCODING_GOAL:g}x faster) {verdict(timing, goal)}"
    n_other = int(np.count_nonzero(levels != np.array(list(codes)).T))
    remark = "identical bins" if n_other == 0 else f"{n_other} of {levels.size} values in OTHER bins"
    yield Result(task, "entropick", timing, goal=goal, goal_text=text)
    yield Result(task, "KBinsDiscretizer", peer_timing, peer_timing.best / timing.best, remark=remark)
