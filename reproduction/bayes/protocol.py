"""The protocol of the Bayesian-entropy paper, and how one of its cells is run."""

import functools
import itertools
from time import process_time  # other work on the machine does not count

import numpy as np
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import entropick as ep
from entropick.datasets import make_bayes_table1, make_led24
from reproduction.bayes.beside import codes_as_numbers, gains_of_f_mi
from reproduction.bayes.classifiers import (
    CLASSIFIERS,
    EQUAL,
    N_FOLDS,
    PRUNED,
    Task,
    accuracy_on_test_rows,
    best_in_training,
    held_out_accuracy,
    largest_class_shares,
)
from reproduction.protocol import Cell
from reproduction.scores import accuracy_at_sizes
from reproduction.texts import Texts

TEXTS = Texts("bayes")
ALPHAS = (0, 0.01, 0.1, 1, 10, 100)
DOMAINS = ("dependent", "independent")
SEARCHES = [(domain, alpha) for domain in DOMAINS for alpha in ALPHAS if alpha or domain == "dependent"]

NOISE_FREE = "led24 without noise"  # generated; the paper's accuracies of 100 % show that it had no noise
SMALL = {"lungcancer_uci": "Lung", "lymphography": "Lymph", "spect": "Spect", "ionosphere": "Iono."}
LARGE = {"led24": "Led., 10 % noise", "chess_krvskp": "Chess", "splice": "Splice", "mushroom_5644": "Mush."}
DATASETS = {**SMALL, NOISE_FREE: "Led.", **LARGE}  # by rows: a run cut short has the small ones
OF_THE_PAPER = [name for name in DATASETS if name != "led24"]
TEST_SHARE = 1 / 3  # the paper says 30 %, but its accuracies are multiples of 1 / (a third of the rows)
N_BINS = 5  # equal width, for real numbers (Ionosphere); the paper does not say how it made them discrete

EVALUATIONS_PER_COLUMN = 1000
MAX_SUBSETS = 300  # of a front are offered to the classifiers; larger fronts (Splice) are thinned evenly
SPLITS = 30  # splits with a search each: our own protocol
SEEDS = 30  # searches on the first split: the paper's protocol
PRUNED_REPEATS = 8  # of both with a pruned tree
AS_PRINTED, PRINTED_SPLITS = "spect", 30  # the search as printed: its sizes are off
F_MI_SPLITS = 10
QUICK_REPEATS = 2  # of both, on the small data sets and the one without noise only

NEAREST = KNeighborsClassifier(1, n_jobs=1)
TIMED_RUNS = 3  # the shortest counts
FILTER_SWARM, WRAPPER_SWARM = (30, 100), (10, 5)  # particles, rounds
CHECKED_COLUMNS = 8  # of which all subsets are looked at
TRIED_BINS, TRIED_ALPHAS, TRIED_SPLITS = (2, 3, 4, 5, 6, 8, 10, 20), (0, 1, 100), (0, 1)


def cells(quick):
    """Repeat by repeat: a new split with a search of its own, and another search on the first split."""
    n_splits, n_seeds = (QUICK_REPEATS, QUICK_REPEATS) if quick else (SPLITS, SEEDS)
    yield from (_table_cell(name, 0, 0) for name in DATASETS)
    for name in SMALL if quick else OF_THE_PAPER:
        sizes = {"filter": FILTER_SWARM, "wrapper": WRAPPER_SWARM, "runs": TIMED_RUNS}
        settings = {"kind": "times", "data": name, "evaluations_per_column": EVALUATIONS_PER_COLUMN, **sizes}
        yield Cell(f"{name}/times", settings, None if name == NOISE_FREE else name)
    yield Cell(
        "checks", {"kind": "checks", "data": "lymphography", "columns": CHECKED_COLUMNS}, "lymphography"
    )
    for split in range(QUICK_REPEATS if quick else SPLITS):
        fixed = {"evaluations_per_column": EVALUATIONS_PER_COLUMN, "test_share": round(TEST_SHARE, 5)}
        settings = {"kind": "numbers", "data": "ionosphere", "split": split, "seed": split, **fixed}
        yield Cell(f"ionosphere/numbers/{split}", settings, "ionosphere")
    for repeat in range(1, max(n_splits, n_seeds)):
        for name in (*SMALL, NOISE_FREE) if quick else DATASETS:
            if repeat < n_splits:
                yield _table_cell(name, repeat, repeat)
            if repeat < n_seeds:
                yield _table_cell(name, 0, repeat)
    if not quick:
        yield from _cells_of_the_whole_version()
        yield from _cells_beside()


def _cells_of_the_whole_version():
    """The bins that were tried, and the pruned tree, repeat by repeat."""
    trial = {"bins": TRIED_BINS, "alphas": TRIED_ALPHAS, "splits": TRIED_SPLITS}
    yield Cell("ionosphere/bins", {"kind": "bins", "data": "ionosphere", **trial}, "ionosphere")
    yield from (_table_cell(name, 0, 0, "pruned") for name in OF_THE_PAPER)
    for split in range(PRINTED_SPLITS):
        cell = _table_cell(AS_PRINTED, split, split, "printed")
        yield Cell(f"{AS_PRINTED}/printed/{split}", cell.settings, AS_PRINTED)
    for repeat, name in itertools.product(range(1, PRUNED_REPEATS), OF_THE_PAPER):
        yield _table_cell(name, repeat, repeat, "pruned")
        yield _table_cell(name, 0, repeat, "pruned")


def _cells_beside():
    """F-MI split by split, and codes as numbers on all splits."""
    for split, name in itertools.product(range(F_MI_SPLITS), OF_THE_PAPER):
        source, fixed = None if name == NOISE_FREE else name, {"test_share": round(TEST_SHARE, 5)}
        settings = {"kind": "F-MI", "data": name, "split": split, "seed": split, "swarm": FILTER_SWARM}
        yield Cell(f"{name}/F-MI/{split}", {**settings, **fixed}, source)
        if split == 0:
            settings = {"kind": "codes", "data": name, "splits": SPLITS, **fixed}
            yield Cell(f"{name}/codes as numbers", settings, source)


def _table_cell(name, split, seed, kind="tables"):
    fixed = {"evaluations_per_column": EVALUATIONS_PER_COLUMN, "test_share": round(TEST_SHARE, 5)}
    settings = {"kind": kind, "data": name, "split": split, "seed": seed, **fixed}
    key = f"{name}/split {split}/seed {seed}" + (f"/{kind}" if kind != "tables" else "")
    return Cell(key, settings, None if name == NOISE_FREE else name)


def run(cell, data):
    """Run a cell and return its result."""
    settings = cell.settings
    if settings["kind"] == "bins":
        return columns_by_bins(settings, data)
    if settings["kind"] == "codes":
        return codes_as_numbers(task_of(settings["data"], data, split) for split in range(settings["splits"]))
    task = task_of(settings["data"], data, int(settings.get("split", 0)))
    if settings["kind"] == "F-MI":
        return gains_of_f_mi(task, settings)
    if settings["kind"] == "times":
        return search_times(task, settings)
    if settings["kind"] == "checks":
        return checks(task, settings["columns"])
    if settings["kind"] == "numbers":
        return neighbours_by_numbers(data.load(settings["data"]), task, settings)
    if settings["kind"] == "printed":
        return sizes_as_printed(task, settings)
    return table_rows(task, settings, (PRUNED,) if settings["kind"] == "pruned" else CLASSIFIERS)


def task_of(name, data, split, edges_of=None):
    """Training and test rows of a data set, as codes; `edges_of` gives the edges of bins."""
    if name == NOISE_FREE:
        X, y = make_led24(noise=0.0, random_state=0)
        return split_rows(X.astype(np.int64), y.astype(np.int64), split)
    dataset = data.load(name)
    is_real = ~dataset.categorical & (np.array([len(np.unique(c)) for c in dataset.X.T]) > 2 * N_BINS)
    return split_rows(dataset.X, dataset.y.astype(np.int64), split, is_real, edges_of)


def rows_of(n_rows, split):
    """Indices of the training and test rows."""
    return train_test_split(np.arange(n_rows), test_size=TEST_SHARE, random_state=split)


def equal_width(values, n_bins=N_BINS):
    """Edges between bins of equal width."""
    return np.linspace(values.min(), values.max(), n_bins + 1)[1:-1]


def equal_counts(values, n_bins=N_BINS):
    """Edges between bins with equal numbers of values."""
    return np.quantile(values, np.linspace(0, 1, n_bins + 1)[1:-1])


def split_rows(X, y, split, is_real=None, edges_of=None):
    """A random third of the rows to test on; values become codes, real ones by bins of the training rows."""
    train, test = rows_of(len(y), split)
    codes = np.empty(X.shape, dtype=np.int64)
    for j, column in enumerate(X.T):
        if is_real is not None and is_real[j]:
            codes[:, j] = np.searchsorted((edges_of or equal_width)(column[train]), column, side="right")
        else:
            codes[:, j] = np.unique(column, return_inverse=True)[1]
    return Task(codes[train], y[train], codes[test], y[test])


def table_rows(task, settings, classifiers=CLASSIFIERS):
    """Accuracies (%) with all columns, and what each classifier takes of the front of each search."""
    n_columns, rows = task.X.shape[1], []
    for domain, alpha in SEARCHES:
        selector = bayesian_selector(
            domain, alpha, settings["seed"], settings["evaluations_per_column"] * n_columns
        )
        start = process_time()
        front = selector.fit(task.X, task.y).front_
        row = {"domain": domain, "alpha": alpha, "seconds": round(process_time() - start, 3)}
        offered = np.unique(np.linspace(0, len(front) - 1, min(len(front), MAX_SUBSETS)).round().astype(int))
        chosen = chosen_subsets(task, np.asarray(front.subsets, dtype=bool)[offered], classifiers)
        rows.append({**row, "front": len(front), "largest": int(front.sizes.max()), "chosen": chosen})
    everything = {c: _percent(accuracy_on_test_rows(c, task, np.arange(n_columns))) for c in classifiers}
    return {"n_test": len(task.y_test), "all": everything, "rows": rows}


def bayesian_selector(domain, alpha, seed, n_evaluations, variant="improved"):
    """The paper's search; every code is a level of its own."""
    sizes = {"n_evaluations": n_evaluations, "n_bins": 65535, "variant": variant}
    return ep.BayesianEntropyFS(alpha=alpha, domain=domain, **sizes, random_state=seed, n_jobs=1)


def sizes_as_printed(task, settings):
    """Columns 1-NN takes with Algorithm 1: of equal training accuracy the lowest H_B(y|S) or the smallest."""
    found = {}
    n_evaluations = settings["evaluations_per_column"] * task.X.shape[1]
    for alpha in ALPHAS:
        selector = bayesian_selector("dependent", alpha, settings["seed"], n_evaluations, "paper")
        subsets = np.asarray(selector.fit(task.X, task.y).front_.subsets, dtype=bool)
        shares = largest_class_shares(task, subsets)
        sizes = subsets.sum(axis=1)[shares > shares.max() - EQUAL]
        found[str(alpha)] = {"first": int(sizes[0]), "smallest": int(sizes.min())}
    return found


def chosen_subsets(task, subsets, classifiers=CLASSIFIERS):
    """What each classifier takes of a front: test accuracy, columns, training accuracy, held-out accuracy."""
    chosen = {}
    for name, (i, accuracy) in best_in_training(task, subsets, classifiers).items():
        columns = np.flatnonzero(subsets[i])
        tested, held_out = accuracy_on_test_rows(name, task, columns), held_out_accuracy(name, task, columns)
        chosen[name] = [_percent(tested), len(columns), _percent(accuracy), _percent(held_out)]
    return chosen


def neighbours_by_numbers(dataset, task, settings):
    """1-NN on the numbers themselves, as the authors ran it; the codes of the task serve the search alone."""
    train, test = rows_of(len(dataset.y), settings["split"])
    numbers = (dataset.X[train], task.y), (dataset.X[test], task.y_test)
    n_columns, rows = task.X.shape[1], []
    for alpha in ALPHAS:
        n_evaluations = settings["evaluations_per_column"] * n_columns
        front = (
            bayesian_selector("dependent", alpha, settings["seed"], n_evaluations).fit(task.X, task.y).front_
        )
        subsets = np.asarray(front.subsets, dtype=bool)
        columns = np.flatnonzero(subsets[best_in_training(task, subsets, ("1-NN",))["1-NN"][0]])
        held_out = cross_val_score(NEAREST, numbers[0][0][:, columns], task.y, cv=N_FOLDS).mean()
        [tested] = accuracy_at_sizes(NEAREST, columns, [len(columns)], *numbers)
        rows.append([alpha, _percent(tested), len(columns), _percent(held_out)])
    [everything] = accuracy_at_sizes(NEAREST, np.arange(n_columns), [n_columns], *numbers)
    return {"all": _percent(everything), "rows": rows}


def columns_by_bins(settings, data):
    """Mean number of columns 1-NN takes (dependent domain) by way of making bins and their number."""
    found: dict = {way.__name__: {} for way in (equal_width, equal_counts)}
    for way, n_bins in itertools.product((equal_width, equal_counts), settings["bins"]):
        sizes = []
        for split in settings["splits"]:
            task = task_of(settings["data"], data, split, functools.partial(way, n_bins=n_bins))
            for alpha in settings["alphas"]:
                n_evaluations = EVALUATIONS_PER_COLUMN * task.X.shape[1]
                selector = bayesian_selector("dependent", alpha, split, n_evaluations)
                subsets = np.asarray(selector.fit(task.X, task.y).front_.subsets, dtype=bool)
                sizes.append(int(subsets[best_in_training(task, subsets, ("1-NN",))["1-NN"][0]].sum()))
        found[way.__name__][n_bins] = round(float(np.mean(sizes)), 2)
    return found


def checks(task, n_columns):
    """Compare the front of the search with that of all subsets by naive code, and the numbers of Table 1."""
    X, y = np.vstack([task.X, task.X_test])[:, :n_columns], np.concatenate([task.y, task.y_test])
    subsets = [np.flatnonzero(bits) for bits in itertools.product((0, 1), repeat=n_columns) if any(bits)]
    values = {
        domain: {
            tuple(columns.tolist()): (
                round(ep.bayesian_conditional_entropy(y, X[:, columns], 0.1, domain), 9),
                round(ep.bayesian_entropy(X[:, columns], 0.1, domain), 9),
            )
            for columns in subsets
        }
        for domain in DOMAINS
    }
    found = {}
    for domain, of_all in values.items():
        points = set(of_all.values())
        best = {p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)}
        front = bayesian_selector(domain, 0.1, 0, EVALUATIONS_PER_COLUMN * n_columns).fit(X, y).front_
        ours = {of_all[tuple(np.flatnonzero(subset).tolist())] for subset in np.asarray(front.subsets, bool)}
        found[domain] = {"best": len(best), "found": len(best & ours), "beaten": len(ours - best)}
    X, y = make_bayes_table1()
    of_table = {"S1": [1, 2, 3], "S2": [4, 5], "S3": [0]}
    found["Table 1"] = {
        f"{name}, {domain}": [
            round(ep.bayesian_conditional_entropy(y, X[:, columns], 10.0, domain), 4),
            round(ep.bayesian_entropy(X[:, columns], 10.0, domain), 4),
        ]
        for name, columns in of_table.items()
        for domain in DOMAINS
    }
    return found


def _percent(share) -> float:
    return round(100 * share, 3)


def search_times(task, settings):
    """Milliseconds per subset that was asked for: of our search, and of a swarm with Table 5's measures."""
    n_subsets = settings["evaluations_per_column"] * task.X.shape[1]
    own = {f"alpha={alpha}": bayesian_selector("dependent", alpha, 0, n_subsets) for alpha in ALPHAS}
    filters = {
        "F-MI": "pairwise_balance",
        "F-E": "joint_balance",
        "F-RS": ep.measures.RoughSet(),
        "F-PRS": ep.measures.RoughSet(precision=0.75),
    }
    estimators = {
        "W-SVM": SVC(),
        "W-5NN": KNeighborsClassifier(5, metric="hamming"),
        "W-DT": DecisionTreeClassifier(random_state=0),
        "W-NB": CategoricalNB(min_categories=int(task.n_levels.max())),
    }
    wrappers = {name: ep.measures.CrossValidated(estimator, cv=3) for name, estimator in estimators.items()}
    return {
        **_ms_per_subset(own, task, n_subsets, settings["runs"]),
        **_swarm_times(filters, task, *settings["filter"], settings["runs"]),
        **_swarm_times(wrappers, task, *settings["wrapper"], 1),
    }


def _swarm_times(measures, task, n_particles, n_rounds, n_runs):
    options = {"n_particles": n_particles, "n_rounds": n_rounds, "n_bins": 65535, "random_state": 0}
    swarms = {name: ep.SwarmFS(measure=measure, n_jobs=1, **options) for name, measure in measures.items()}
    return _ms_per_subset(swarms, task, n_particles * n_rounds, n_runs)


def _ms_per_subset(searches, task, n_subsets, n_runs) -> dict[str, float]:
    """By the shortest of some runs, taken in turn: other work on the machine can only lengthen them."""
    for search in searches.values():
        search.set_params(max_time=0.001).fit(task.X, task.y)  # loads what is to be timed
    seconds: dict = {name: [] for name in searches}
    for _ in range(n_runs):
        for name, search in searches.items():
            start = process_time()
            search.set_params(max_time=None).fit(task.X, task.y)
            seconds[name].append(process_time() - start)
    return {name: round(1000 * min(found) / n_subsets, 5) for name, found in seconds.items()}
