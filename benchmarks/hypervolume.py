"""Fronts of Bayesian entropies: hypervolume of our NSGA-II and pymoo's after the same number of evaluations.

    python -m benchmarks.hypervolume            # 30,000 evaluations, three seeds: 15 minutes
    python -m benchmarks.hypervolume --quick    # 5,000 evaluations, one seed
    python -m benchmarks.hypervolume --fronts   # fronts of BayesianEntropyFS with its defaults, and a swarm

Both minimise H_B(y|S) and H_B(S) on the same table, with 100 subsets in a generation, single-point crossover
and about one bit flipped. pymoo starts from random halves of the columns, or from random subsets of all
densities. All subsets it evaluates count, not only its last population. Hypervolumes are of the normalised
objectives, up to the point (1.1, 1.1). Real data: npz files with X and y in ../shared/data next to the
repository; missing files are skipped with a message. Needs pymoo (pip install pymoo).

The fronts are those of wide tables, where nearly every large subset determines y: the number of different
sizes, and the smallest H_B(y|S), compared with that of the best subset of three swarms.
"""

import argparse
import warnings
from functools import partial
from time import process_time
from typing import Any

import numpy as np

import entropick as ep
from benchmarks import report
from benchmarks.timing import time_call
from benchmarks.workloads import DATA
from entropick import measures, searches
from entropick._base.threads import Threads
from entropick.contracts import Need, SetState
from entropick.table import Rules
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table

WIDE = ("arrhythmia", "semeion", "colon")
NAMES = ("chess_krvskp", "splice", *WIDE)
CORNER = 1.1
POPULATION = 100


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="5,000 evaluations, one seed")
    parser.add_argument("--fronts", action="store_true", help="fronts of wide tables, without pymoo")
    args = parser.parse_args(arguments)
    if args.fronts:
        show_fronts()
        return
    n_evaluations, seeds = (5_000, range(1)) if args.quick else (30_000, range(3))
    print(report.machine())
    print(f"\n## Hypervolume after {n_evaluations:,} evaluations, mean of {len(seeds)} seeds\n", flush=True)
    rows = []
    for name in NAMES:
        if (DATA / f"{name}.npz").exists():
            rows.append(compared(name, n_evaluations, seeds))
        else:
            print(f"{name}: no file {name}.npz in ../shared/data, left out")
    header = ["table", "columns", "here", "pymoo, halves", "pymoo, all densities", "least here", "most there"]
    print(report.markdown_table(header, rows), flush=True)


def compared(name: str, n_evaluations: int, seeds: range) -> list[str]:
    """The row of one table."""
    with np.load(DATA / f"{name}.npz") as arrays, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        target = encode_target(arrays["y"], kind="class")
        data = make_table(arrays["X"], target, frozenset({Need.COUNTS}), rules=Rules())
    state = measures.Bayesian().begin_sets(data, Threads(1))
    n = data.n_columns
    here = [volume_here(state, n, n_evaluations, seed) for seed in seeds]
    halves = [volume_of_pymoo(state, n, n_evaluations, seed, all_densities=False) for seed in seeds]
    spread = [volume_of_pymoo(state, n, n_evaluations, seed, all_densities=True) for seed in seeds]
    means = [f"{np.mean(volumes):.5f}" for volumes in (here, halves, spread)]
    return [name, str(n), *means, f"{min(here):.5f}", f"{max(halves + spread):.5f}"]


def show_fronts() -> None:
    """Sizes and smallest H_B(y|S) of the fronts of BayesianEntropyFS() on wide tables, and of a swarm."""
    print(report.machine(), flush=True)
    rows = []
    for name in WIDE:
        if not (DATA / f"{name}.npz").exists():
            print(f"{name}: no file {name}.npz in ../shared/data, left out")
            continue
        with np.load(DATA / f"{name}.npz") as arrays, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            X, y = arrays["X"], arrays["y"]
            selector = ep.BayesianEntropyFS(random_state=0)
            timing, found = time_call(partial(selector.fit, X, y), 1, process_time)
            swarms = [ep.SwarmFS(measure="bayesian", random_state=seed).fit(X, y) for seed in range(3)]
        front, sizes = found.front_, np.unique(found.front_.sizes)
        least = min(swarm.selection_.exploration.front.objectives[0, 0] for swarm in swarms)
        values = [f"{front.objectives[:, 0].min():.5f}", f"{least:.5f}"]
        shown = f"{len(sizes)}, from {sizes[0]} to {sizes[-1]}"
        asked = f"{found.history_[-1].n_evaluated:,}"
        rows.append([name, str(X.shape[1]), asked, str(len(front)), shown, *values, f"{timing.best:.0f}"])
    header = [
        "table",
        "columns",
        "evaluations",
        "subsets",
        "sizes",
        "least H_B(y|S)",
        "swarm's",
        "processor s",
    ]
    print(report.markdown_table(header, rows), flush=True)


def volume_here(state: SetState, n_columns: int, n_evaluations: int, seed: int) -> float:
    search = searches.NSGA2(n_evaluations=n_evaluations, population_size=POPULATION, random_state=seed)
    return hypervolume(search.explore(state, n_columns, []).front.normalized)


def volume_of_pymoo(
    state: SetState, n_columns: int, n_evaluations: int, seed: int, all_densities: bool
) -> float:
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.pntx import SinglePointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    seen: list[np.ndarray] = []

    class Entropies(Problem):  # type: ignore[misc]  # pymoo has no types
        def _evaluate(self, x: np.ndarray, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
            subsets = x.astype(bool)
            found = state.normalized(state.values(subsets))
            found[~subsets.any(axis=1)] = CORNER  # the empty subset does not count
            seen.append(found)
            out["F"] = found

    rng = np.random.default_rng(seed)
    densities = n_columns ** -rng.random((POPULATION, 1))
    algorithm = NSGA2(
        pop_size=POPULATION,
        sampling=rng.random((POPULATION, n_columns)) < densities if all_densities else BinaryRandomSampling(),
        crossover=SinglePointCrossover(),
        mutation=BitflipMutation(prob_var=1 / n_columns),
        eliminate_duplicates=True,
    )
    problem = Entropies(n_var=n_columns, n_obj=2, xl=0, xu=1, vtype=bool)
    minimize(problem, algorithm, ("n_eval", n_evaluations), seed=seed)
    return hypervolume(np.concatenate(seen))


def hypervolume(points: np.ndarray) -> float:
    """Area dominated by the points, up to the corner."""
    points = points[(points < CORNER).all(axis=1)]
    points = points[np.lexsort((points[:, 1], points[:, 0]))]
    lowest = np.minimum.accumulate(np.append(CORNER, points[:, 1]))
    widths = CORNER - points[:, 0]
    return float((widths * (lowest[:-1] - lowest[1:])).sum())


if __name__ == "__main__":
    main()
