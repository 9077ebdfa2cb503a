"""Inf-FS by the protocol of its paper, and its speed.

    python -m benchmarks.inffs                 # accuracies and sizes on the microarray sets, then speed
    python -m benchmarks.inffs --repeats 3     # fewer splits
    python -m benchmarks.inffs --alpha fixed   # the default weights instead of cross-validated ones
    python -m benchmarks.inffs --speed         # speed alone

The protocol (Roffo et al. 2020, sections 4.1 and 4.5): 70 % of the rows to rank and train, 30 % to test, 20
times; a linear SVM whose C is chosen by 5-fold cross-validation on the training rows, on the first 10, 50,
100, 150 and 200 columns and on those that mean shift keeps; the weights alpha by cross-validation on the
training rows. Data are npz files with X and y in ../shared/data next to the repository; missing files are
skipped with a message.
"""

import argparse
import resource
import warnings
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import entropick as ep
from benchmarks import report
from benchmarks.timing import OtherWork, time_call
from benchmarks.workloads import DATA

DATA_SETS = ("colon", "leukemia", "lung_gordon", "prostate")
SIZES = (10, 50, 100, 150, 200)
JOBS = 2
# (columns kept by mean shift, accuracy in %) of Inf-FS_U and Inf-FS_S, Table 3 of the paper
PAPER = {
    "colon": ((326, 91.1), (174, 91.1)),
    "leukemia": ((618, 94.7), (242, 95.2)),
    "lung_gordon": ((400, 99.9), (361, 99.9)),
    "prostate": ((1014, 93.0), (563, 94.7)),
}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=20, help="random splits (default 20)")
    parser.add_argument("--data", default=",".join(DATA_SETS), help="names of data sets, with commas between")
    parser.add_argument("--alpha", choices=["cv", "fixed"], default="cv", help="how the weights are chosen")
    parser.add_argument("--speed", action="store_true", help="speed alone")
    args = parser.parse_args(arguments)
    print(report.machine())
    others = OtherWork()
    if not args.speed:
        show_protocol(args.data.split(","), args.repeats, "cv" if args.alpha == "cv" else None)
    show_speed()
    print(f"\n{others}")


# -- the paper's protocol --------------------------------------------------------------------


def show_protocol(names: list[str], repeats: int, alpha: Any) -> None:
    """Accuracies at fixed sizes and of the columns that mean shift keeps, next to Table 3 of the paper."""
    print(f"\n## Accuracy of a linear SVM, %, mean of {repeats} splits; alpha={alpha!r}\n")
    header = ["data", "graph", *map(str, SIZES), "mean shift keeps", "accuracy", "paper keeps", "accuracy"]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    for name in names:
        path = DATA / f"{name}.npz"
        if not path.exists():
            print(f"| {name} | missing |")
            continue
        data = np.load(path)
        for supervised in (False, True):
            accuracy, kept = run_protocol(
                data["X"].astype(float), data["y"], supervised=supervised, repeats=repeats, alpha=alpha
            )
            paper_kept, paper_accuracy = PAPER.get(name, (("", ""),) * 2)[supervised]
            cells = [name, "supervised" if supervised else "unsupervised"]
            cells += [f"{100 * accuracy[size]:.1f}" for size in SIZES]
            cells += [f"{kept.mean():.0f} ({kept.min()}-{kept.max()})", f"{100 * accuracy['auto']:.1f}"]
            print("| " + " | ".join([*cells, str(paper_kept), str(paper_accuracy)]) + " |", flush=True)


def run_protocol(
    X: np.ndarray, y: np.ndarray, *, supervised: bool, repeats: int = 20, alpha: Any = "cv"
) -> tuple[dict[Any, float], np.ndarray]:
    """Mean accuracy by number of columns ("auto": mean shift), and how many mean shift kept in each split."""
    splits = StratifiedShuffleSplit(repeats, test_size=0.3, random_state=0).split(X, y)
    found = [one_split(X, y, *split, supervised=supervised, alpha=alpha) for split in splits]
    accuracy = {size: float(np.mean([of_size[size] for of_size, _ in found])) for size in (*SIZES, "auto")}
    return accuracy, np.array([n_kept for _, n_kept in found])


def one_split(
    X: np.ndarray, y: np.ndarray, rows: np.ndarray, held_out: np.ndarray, *, supervised: bool, alpha: Any
) -> tuple[dict[Any, float], int]:
    selector = ep.InfFS(
        "mean_shift", supervised=supervised, alpha=alpha, scaling=None, random_state=0, n_jobs=JOBS
    )
    selector.fit(X[rows], y[rows])
    ranked = [step.column for step in selector.selection_.steps]
    accuracy: dict[Any, float] = {}
    for size in (*SIZES, "auto"):
        columns = selector.order_ if size == "auto" else ranked[:size]
        model = tuned_svm().fit(X[np.ix_(rows, columns)], y[rows])
        accuracy[size] = model.score(X[np.ix_(held_out, columns)], y[held_out])
    return accuracy, selector.n_features_


def tuned_svm() -> GridSearchCV:
    """A linear SVM with its C chosen by 5-fold cross-validation."""
    model = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    return GridSearchCV(model, {"svc__C": [0.001, 0.01, 0.1, 1, 10]}, cv=5)


# -- speed -----------------------------------------------------------------------------------


def show_speed() -> None:
    """Whole fits with two threads, against their goals.

    Processor time is that of both threads; unlike wall time it hardly depends on other load.
    """
    print("\n## Speed, whole fit, seconds\n")
    print("| data | best | median | goal | processor time | memory, GB |\n|---|---|---|---|---|---|")
    for label, fit, goal, repeats in workloads():
        if repeats > 1:
            fit()  # imports
        processor = process_time()
        timing, _ = time_call(fit, repeats)
        processor = (process_time() - processor) / len(timing.seconds)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        cells = [f"{seconds:.2f}" for seconds in (timing.best, timing.median, goal, processor)]
        print(f"| {label} | {' | '.join(cells)} | {peak:.1f} |", flush=True)


def workloads() -> Iterator[tuple[str, Any, float, int]]:
    rng = np.random.default_rng(0)
    path = DATA / "dexter.npz"
    if path.exists():
        data = np.load(path)
        X = scipy.sparse.csr_matrix(
            (data["data"], data["indices"], data["indptr"]), shape=tuple(data["shape"])
        )
        y = data["y"]
        yield "supervised, DEXTER, 600 x 20,000 sparse", lambda: ep.InfFS(n_jobs=JOBS).fit(X, y), 0.5, 15
    for n_rows, n_columns, goal, repeats in ((500, 2000, 0.2, 15), (500, 5000, 1.2, 9), (600, 20_000, 25, 1)):
        table = rng.normal(size=(n_rows, n_columns))
        yield (
            f"unsupervised, {n_rows} x {n_columns:,}",
            lambda table=table: ep.InfFS(alpha=0.5, n_jobs=JOBS).fit(table),
            goal,
            repeats,
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    main()
