"""SNEFS, NEFS and ReliefF: speed, growth and memory, and the evidence for their defaults.

    python -m benchmarks.neighborhood             # speed against peers, growth, memory
    python -m benchmarks.neighborhood --quick     # less of it
    python -m benchmarks.neighborhood --evidence  # what the defaults find, and recall of hashing
    python -m benchmarks.neighborhood --near      # how many near rows are worth keeping on larger tables

Peers: fast-select and skrebate (pip install fast-select skrebate). The evidence also uses real data, npz
files with X and y in ../shared/data next to the repository. Missing peers and files are skipped with a
message.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from time import process_time
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from benchmarks import report
from benchmarks.timing import OtherWork, Timing, time_call
from benchmarks.workloads import DATA
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.datasets import make_corral, make_hyperspheres
from entropick.measures.neighbors import exact_neighbors, lsh_neighbors
from entropick.table.memory import make_table

JOBS = 2
REPEATS = 5
LONGEST = 40.0  # seconds a peer may take on the whole data
TOP = 50  # columns whose overlap is shown
RELIEF_ROWS = 2000
TRUE_COLUMNS = {"hyperspheres": {5, 9, 19, 21, 43, 52, 86}, "corral": {0, 1, 2, 3}}
DATA_SETS = ("segment", "spambase", "wdbc", "ionosphere", "semeion")
LARGER = ("spambase", "gas_partial", "usps", "blogfeedback")
MAX_ROWS = 12_000  # of a larger table, drawn at random
ROWS = (5_000, 10_000, 20_000, 40_000, 80_000)
COLUMNS = (25, 50, 100, 200, 400)

Ready = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (X, y) -> columns, best first
Make = Callable[[int, int], Any]  # (number of columns, seed) -> selector


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, seeds and data sets")
    parser.add_argument("--evidence", action="store_true", help="the choice of defaults instead of speed")
    parser.add_argument("--near", action="store_true", help="numbers of near rows on larger tables")
    args = parser.parse_args(arguments)
    print(report.machine())
    others = OtherWork()
    if args.near:
        show_near(range(1 if args.quick else 3))
    elif args.evidence:
        show_evidence(args.quick)
    else:
        show_speed(args.quick)
        show_growth(args.quick)
        show_memory(args.quick)
    print(f"\n{others}")


# -- speed -----------------------------------------------------------------------------------


def show_speed(quick: bool) -> None:
    """Times against their goals, then ReliefF against its peers."""
    X, y = make_hyperspheres(random_state=0)
    print("\n## HYPERSPHERES, 5,000 x 100, 7 picks\n", flush=True)
    lines = [
        ("SNEFS", ep.SNEFS(7, random_state=0, n_jobs=JOBS), 1.5),
        ("SNEFS, index='exact'", ep.SNEFS(7, index="exact", random_state=0, n_jobs=JOBS), None),
        ("NEFS, index='exact'", ep.NEFS(7, index="exact", random_state=0, n_jobs=JOBS), 25.0),
    ]
    if not quick:
        lines.append(("NEFS", ep.NEFS(7, random_state=0, n_jobs=JOBS), None))
    rows = []
    for name, selector, goal in lines:
        selector.fit(X[:300], y[:300])  # imports
        timing, fitted = time_call(lambda s=selector: s.fit(X, y), REPEATS)
        found = len(TRUE_COLUMNS["hyperspheres"] & set(fitted.order_))
        rows.append([name, *times(timing), verdict(timing, goal), f"{found} of 7"])
    print(report.markdown_table(["selector", "best s", "median s", "goal s", "true columns"], rows))
    print(f"\n## ReliefF, {RELIEF_ROWS} x 500 normal, 2 classes, k = 10\n", flush=True)
    show_relief_peers()


def times(timing: Timing) -> list[str]:
    return [report.seconds(timing.best), report.seconds(timing.median)]


def verdict(timing: Timing, goal: float | None) -> str:
    return "" if goal is None else f"{goal}: {report.verdict(timing, goal)}"


def show_relief_peers() -> None:
    """Each peer on the same rows as entropick, all rows if it is fast enough."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((RELIEF_ROWS, 500)), rng.integers(0, 2, RELIEF_ROWS)
    entropick_relief(X[:200], y[:200])  # imports
    own, ranking = time_call(lambda: entropick_relief(X, y), REPEATS)
    rows = [["entropick", f"{RELIEF_ROWS:,}", *times(own), "", verdict(own, 0.12), ""]]
    for name, package, peer in RELIEF_PEERS:
        try:
            peer(X[:200], y[:200])  # imports, may compile
        except ImportError:
            rows.append([name, "", "", "", "", "", f"not installed: pip install {package}"])
            continue
        rows.append(compare_peer(name, peer, X, y, own, ranking))
    header = ["library", "rows", "best s", "median s", "peer / entropick", "goal s", "remark"]
    print(report.markdown_table(header, rows), flush=True)


def compare_peer(
    name: str, peer: Ready, X: np.ndarray, y: np.ndarray, own: Timing, ranking: np.ndarray
) -> list[str]:
    """One row; a peer that would take too long gets a quarter of the rows, and so does entropick."""
    few = len(X) // 4
    timing, found = time_call(lambda: peer(X[:few], y[:few]), 1)
    remark = ""
    if timing.best * 16 > LONGEST:
        remark = f"a quarter of the rows, all would take some {timing.best * 16:.0f} s; "
        X, y = X[:few], y[:few]
        own, ranking = time_call(lambda: entropick_relief(X, y), REPEATS)
    else:
        timing, found = time_call(lambda: peer(X, y), REPEATS)
    shared = len(set(found[:TOP]) & set(ranking[:TOP]))
    remark += f"{shared} of the top {TOP} columns the same"
    return [name, f"{len(X):,}", *times(timing), f"{timing.best / own.best:,.1f}", "", remark]


def entropick_relief(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return ep.ReliefF(n_features=1.0, n_neighbors=10, n_jobs=JOBS).fit(X, y).order_


def fast_select_relief(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from fast_select import ReliefF

    selector = ReliefF(n_features_to_select=TOP, n_neighbors=10, backend="cpu", n_jobs=JOBS)
    return np.argsort(-selector.fit(X, y).feature_importances_, kind="stable")


def skrebate_relief(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from skrebate import ReliefF

    selector = ReliefF(n_features_to_select=TOP, n_neighbors=10, n_jobs=JOBS)
    return np.argsort(-selector.fit(X, y).feature_importances_, kind="stable")


RELIEF_PEERS: tuple[tuple[str, str, Ready], ...] = (
    ("fast-select", "fast-select", fast_select_relief),
    ("skrebate", "skrebate==0.8.4", skrebate_relief),
)

# -- growth and memory -----------------------------------------------------------------------


def show_growth(quick: bool) -> None:
    """Times of SNEFS by rows and by columns, and the best-fitting exponent."""
    end = -2 if quick else None
    for unit, sizes, shape, goal in (
        ("rows", ROWS[:end], lambda n: (n, 40), 1.2),
        ("columns", COLUMNS[:end], lambda n: (5_000, n), None),
    ):
        fixed = "40 columns" if unit == "rows" else "5,000 rows"
        print(f"\n## SNEFS by {unit}: {fixed}, 5 picks\n", flush=True)
        seconds = [snefs_time(*shape(size), repeats=1 if quick else 3) for size in sizes]
        rows = [
            [f"{size:,}", report.seconds(s), f"{s / size * 1e6:.1f}"]
            for size, s in zip(sizes, seconds, strict=True)
        ]
        print(report.markdown_table([unit, "best s", f"µs per {unit[:-1]}"], rows))
        exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        met = "" if goal is None else f", goal <= {goal}: {'met' if exponent <= goal else 'MISSED'}"
        print(f"\ntime grows as {unit} to the power {exponent:.2f}{met}", flush=True)


def snefs_time(n_rows: int, n_columns: int, repeats: int) -> float:
    """Best time of five picks on uniform columns, three of which determine the class together."""
    X = np.random.default_rng(0).random((n_rows, n_columns))
    y = ((X[:, :3] > 0.5).sum(axis=1) % 2).astype(int)
    selector = ep.SNEFS(5, random_state=0, n_jobs=JOBS)
    selector.fit(X[:300], y[:300])  # imports
    return time_call(lambda: selector.fit(X, y), repeats)[0].best


MEMORY = """
import json, resource, sys
import numpy as np
import entropick

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6

SNEFS = entropick.SNEFS
rng = np.random.default_rng(0)
X = rng.random((int(sys.argv[1]), 50), dtype=np.dtype(sys.argv[2]))
y = (X[:, 0] + X[:, 1] > 1).astype(int)
made = peak()
SNEFS(5, random_state=0, n_jobs=2).fit(X, y)
print(json.dumps([made, peak()]))
"""
# On Linux a new process inherits the peak memory of its parent, so a small one is started in between.
START = "import subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:]], check=True)"


def show_memory(quick: bool) -> None:
    """Peak resident memory of a fresh process."""
    n_rows = 20_000 if quick else 100_000
    print(f"\n## Memory: SNEFS, {n_rows:,} x 50, 5 picks\n", flush=True)
    if sys.platform == "win32":
        print("not measured: Windows has no getrusage")
        return
    rows = []
    for dtype in ("float32", "float64"):
        command = [sys.executable, "-c", START, MEMORY, str(n_rows), dtype]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        made, peak = json.loads(done.stdout)
        rows.append([dtype, f"{made:.0f}", f"{peak:.0f}", "met" if peak < 1000 else "MISSED"])
    header = ["X", "MB after making X", "MB at most", "goal: less than 1,000 MB"]
    print(report.markdown_table(header, rows), flush=True)


# -- the choice of defaults ------------------------------------------------------------------

SETTINGS: dict[str, Sequence[Any]] = {
    "n_candidates": (16, 50, 100, 200),
    "n_tables": (2, 10, 20, 40),
    "bucket_size": (10, 25, 50, 100),
    "scaling": ("range", "std", "rank"),
    "index": ("exact",),
}


def show_evidence(quick: bool) -> None:
    """Recall of hashing, then the columns that each setting of SNEFS finds, and their accuracy."""
    print("\n## Recall: share of the 10 nearest rows found, buckets of 25 rows\n", flush=True)
    show_recall()
    print("\n## SNEFS, one setting changed at a time\n", flush=True)
    show_settings(quick)


def show_recall() -> None:
    tables = (2, 10, 20, 40)
    rows = []
    for n_rows, n_columns in ((2_000, 4), (5_000, 20), (5_000, 100)):
        X = np.random.default_rng(0).random((n_rows, n_columns))
        rows.append([f"{n_rows:,} x {n_columns}", *(f"{recall(X, t):.2f}" for t in tables)])
    print(report.markdown_table(["uniform data", *(f"{t} tables" for t in tables)], rows), flush=True)


def recall(X: np.ndarray, n_tables: int) -> float:
    """Share of the 10 nearest rows that hashing finds."""
    threads = Threads(JOBS)
    space = make_table(X, None, frozenset({Need.DISTANCES})).coordinates
    exact = exact_neighbors(space, 10, threads)
    rng = np.random.default_rng(0)
    found = lsh_neighbors(space, 10, threads, n_tables=n_tables, bucket_size=25, rng=rng)
    return float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True)]))


def show_settings(quick: bool) -> None:
    """True columns found in generated data, and accuracy with 10 columns of real data."""
    seeds = {"hyperspheres": range(1 if quick else 5), "corral": range(20)}
    folds = range(1 if quick else 3)
    real = dict(real_data(DATA_SETS[2:4] if quick else DATA_SETS))
    rows = []
    for name, make in all_settings():
        cells = [name]
        for data_set, of_set in seeds.items():
            found = [true_columns(data_set, seed, make) for seed in of_set]
            cells.append(f"{np.mean(found):.1f}")
        scores = [np.mean([accuracy(make, seed, X, y) for seed in folds]) for X, y in real.values()]
        cells += [f"{score:.3f}" for score in scores]
        cells.append(f"{np.mean(scores):.3f}" if scores else "")
        print(*cells, sep="  ", file=sys.stderr, flush=True)  # show progress
        rows.append(cells)
    counts = [f"{name}: of {len(TRUE_COLUMNS[name])}" for name in seeds]
    print(report.markdown_table(["SNEFS with", *counts, *real, "mean accuracy"], rows), flush=True)
    print(
        f"\ntrue columns: mean of {len(seeds['hyperspheres'])} and {len(seeds['corral'])} seeds; accuracy: "
        "5 nearest neighbours on 10 columns selected inside each of 3 folds, "
        f"mean of {len(folds)} random_state of folds and selector"
    )


def show_near(seeds: range) -> None:
    """Accuracy with 10 columns of larger tables, and processor time, by the number of near rows kept."""
    print(f"\n## SNEFS, near rows, mean of {len(seeds)} seeds\n", flush=True)
    settings: list[int | None] = [None, 200]
    rows = []
    for name, (X, y) in real_data(LARGER):
        few = np.random.default_rng(0).permutation(len(y))[:MAX_ROWS]
        X, y = X[few], y[few] > 0 if name == "blogfeedback" else y[few]  # whether there is any comment
        usual: list[float] = []
        for n_candidates in settings:
            make = snefs(n_candidates=n_candidates)
            scores = [accuracy(make, seed, X, y) for seed in seeds]
            begun = process_time()
            make(10, 0).fit(X, y)
            seconds = process_time() - begun
            if n_candidates is None:
                usual, usual_seconds = scores, seconds
            more = np.subtract(scores, usual)
            cells = [name, f"{len(y):,} x {X.shape[1]}", str(n_candidates), f"{np.mean(scores):.4f}"]
            cells += [
                f"{more.mean():+.4f}",
                f"{more.std(ddof=1) / len(more) ** 0.5:.4f}" if len(more) > 1 else "",
            ]
            rows.append([*cells, f"{seconds / usual_seconds:.2f}"])
            print(*rows[-1], sep="  ", file=sys.stderr, flush=True)  # show progress
    header = [
        "table",
        "rows x columns",
        "n_candidates",
        "accuracy",
        "less default",
        "its error",
        "time ratio",
    ]
    print(report.markdown_table(header, rows), flush=True)


def all_settings() -> Iterator[tuple[str, Make]]:
    """The defaults, each setting changed alone, and other methods to compare with."""
    yield "defaults", snefs()
    defaults = ep.SNEFS().get_params()
    for parameter, values in SETTINGS.items():
        for value in values:
            if value != defaults[parameter]:
                yield f"{parameter}={value}", snefs(**{parameter: value})
    for other in (ep.ReliefF, ep.MRMR, ep.JMI):
        yield f"({other.__name__} instead)", lambda n, seed, kind=other: kind(n, n_jobs=JOBS)


def snefs(**settings: Any) -> Make:
    return lambda n, seed: ep.SNEFS(n, random_state=seed, n_jobs=JOBS, **settings)


def true_columns(data_set: str, seed: int, make: Make) -> int:
    """How many of the n relevant columns are among the first n picks."""
    X, y = make_corral() if data_set == "corral" else make_hyperspheres(random_state=seed)
    truth = TRUE_COLUMNS[data_set]
    return len(truth & set(make(len(truth), seed).fit(X, y).order_))


def real_data(names: Sequence[str]) -> Iterator[tuple[str, tuple[np.ndarray, np.ndarray]]]:
    """The data sets that exist; prints which are missing."""
    for name in names:
        path = DATA / f"{name}.npz"
        if path.exists():
            with np.load(path) as arrays:
                yield name, (arrays["X"].astype(np.float32), arrays["y"])
        else:
            print(f"{name}: no file {name}.npz in ../shared/data, left out")


def accuracy(make: Make, seed: int, X: np.ndarray, y: np.ndarray) -> float:
    """Accuracy of 5 nearest neighbours on 10 columns, selected from the training rows of each fold."""
    model = make_pipeline(make(10, seed), StandardScaler(), KNeighborsClassifier())
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    return float(cross_val_score(model, X, y, cv=folds).mean())


if __name__ == "__main__":
    main()
