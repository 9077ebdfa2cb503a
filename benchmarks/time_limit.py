"""How well searches over subsets keep to `max_time`: wide and narrow tables, large rounds, polish.

    python -m benchmarks.time_limit        # 3 seconds each
    python -m benchmarks.time_limit 30     # 30 seconds each

Each search would take much longer. The time is that of the whole search, including the work after the last
subset was scored: the front, equally good subsets and the state to resume it. One thread.
"""

import sys
import warnings
from time import perf_counter, process_time

import numpy as np

from benchmarks import report
from entropick import measures, searches
from entropick._base.threads import Threads
from entropick.contracts import Need, SetState
from entropick.table import Rules
from entropick.table.encoding.target import encode_target
from entropick.table.memory import make_table

ENDLESS = 10**8
BAYESIAN, SHANNON = measures.Bayesian(), measures.Renyi(alpha=1)
CASES: list[tuple[tuple[int, int], measures.Measure, searches.SetSearch]] = [
    ((100, 20_000), BAYESIAN, searches.NSGA2()),
    ((100, 20_000), BAYESIAN, searches.NSGA2(population_size=2000)),
    ((100, 20_000), BAYESIAN, searches.NSGA2(n_evaluations=1000, polish="swap")),
    ((60, 30), BAYESIAN, searches.NSGA2(n_evaluations=ENDLESS)),
    ((60_000, 200), BAYESIAN, searches.NSGA2(n_evaluations=ENDLESS)),
    ((100, 200), BAYESIAN, searches.NSGA2(n_evaluations=ENDLESS, population_size=5000)),
    ((100, 20_000), SHANNON, searches.Swarm(n_rounds=ENDLESS)),
    ((100, 20_000), SHANNON, searches.Swarm(n_rounds=ENDLESS, n_particles=1000)),
    ((100, 20_000), SHANNON, searches.Swarm(n_rounds=3, polish="swap")),
    ((60, 30), SHANNON, searches.Swarm(n_rounds=ENDLESS)),
    ((60, 30), SHANNON, searches.Swarm(n_rounds=ENDLESS, n_particles=20_000)),
    ((100, 20_000), SHANNON, searches.CrossEntropy()),
    ((100, 20_000), SHANNON, searches.CrossEntropy(sampling="adaptive")),
    ((60, 30), SHANNON, searches.CrossEntropy(n_samples=200_000, end_share=1.0, patience=ENDLESS)),
    ((60, 25), measures.RoughSet(), searches.Exhaustive(max_equivalents=20)),
    ((6000, 25), SHANNON, searches.Exhaustive(max_equivalents=20)),
    ((100, 20_000), measures.CFSSubset(), searches.BestFirst(patience=50)),
    ((60_000, 2000), SHANNON, searches.BestFirst(patience=50)),
]


def main(arguments: list[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    max_time = float(given[0]) if given else 3.0
    warnings.simplefilter("ignore")
    print(report.machine())
    rows = []
    for shape, measure, search in CASES:
        label = str(search)
        state = make_state(*shape, measure)
        if "random_state" in search.get_params():
            search.set_params(random_state=0)
        begun, processor = perf_counter(), process_time()
        found = search.set_params(max_time=max_time).explore(state, shape[1], [])
        seconds, processor = perf_counter() - begun, process_time() - processor
        ratio = f"{seconds / max_time:.3f}" if not found.complete else "came to its end"
        table = f"{shape[0]:,} x {shape[1]:,}"
        rows.append([label, type(measure).__name__, table, f"{seconds:.2f}", f"{processor:.2f}", ratio])
    header = ["search", "measure", "table", "seconds", "processor s", f"ratio to {max_time:g} s"]
    print(report.markdown_table(header, rows), flush=True)


def make_state(n_rows: int, n_columns: int, measure: measures.Measure) -> SetState:
    """The state of a measure on a table of three levels with some weakly informative columns."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (n_rows, n_columns), dtype=np.uint8), rng.integers(0, 2, n_rows)
    few = min(20, n_columns // 2)
    X[:, :few] = (X[:, :few] + y[:, None] * (rng.random((n_rows, few)) < 0.3)) % 3
    data = make_table(X, encode_target(y, kind="class"), frozenset({Need.COUNTS}), rules=Rules())
    state: SetState = measure.begin_sets(data, Threads(1))
    return state


if __name__ == "__main__":
    main()
