"""Which method when: the data sets, methods, classifiers and splits of the benchmark, as data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from entropick.datasets import make_corral, make_hyperspheres, make_led24, make_madelon
from experiments.protocol import Cell

WIDE, TEXT, IMAGES = "few rows, many columns", "text and links", "images"
CATEGORIES, MEASUREMENTS, INTERACTIONS = "categories", "measurements", "noise and interactions"
CHOOSE, CONFIRM = "choose", "confirm"

KINDS: dict[str, tuple[str, ...]] = {  # the data sets by kind, in the order of the alphabet
    WIDE: ("colon", "leukemia", "lung_gordon", "lymphoma_96", "prostate"),
    TEXT: ("ads_998", "basehock", "dexter"),
    IMAGES: ("semeion", "usps"),
    CATEGORIES: ("chess_krvskp", "connect4", "lungcancer_uci", "lymphography", "mushroom", "spect", "splice"),
    MEASUREMENTS: (
        "abalone",
        "arrhythmia",
        "blogfeedback",
        "forestfires",
        "gas_partial",
        "gesture_c3",
        "ionosphere",
        "segment",
        "spambase",
        "wdbc",
    ),
    INTERACTIONS: ("corral", "hyperspheres", "led24", "made_madelon", "madelon"),
}
KIND_OF = {dataset: kind for kind, members in KINDS.items() for dataset in members}

# The default of `entropick select` is chosen on one half and confirmed on the other. Every second data set of
# each kind goes to the other half, so both have all kinds; this was fixed before anything was run.
HALF_OF = {
    dataset: (CHOOSE, CONFIRM)[place % 2]
    for members in KINDS.values()
    for place, dataset in enumerate(members)
}

GENERATED: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "corral": lambda: make_corral(random_state=0),
    "hyperspheres": lambda: make_hyperspheres(2000, random_state=0),
    "led24": lambda: make_led24(random_state=0),
    "made_madelon": lambda: make_madelon(random_state=0),
}
ALL_CATEGORIES = {"corral", "led24"}  # generated ones whose columns are codes

QUICK_DATASETS = (  # some of each kind and each half
    *("colon", "leukemia", "lymphoma_96", "prostate", "ads_998", "basehock", "semeion", "usps"),
    *("chess_krvskp", "lymphography", "ionosphere", "segment"),
    *("corral", "hyperspheres", "led24", "made_madelon"),
)

DEFAULT = "JMI"  # of `entropick select`
RANDOM, ALL_COLUMNS = "Random", "AllColumns"
FAMILIES: dict[str, tuple[str, ...]] = {  # run together in one cell; column sets that agree are scored once
    "pairs": ("JMI", "MRMR", "CMIM", "JMIM", "DISR", "ICAP", "CIFE", "MIFS"),
    "entropies": ("MIM", "RenyiFS", "XMIFS", "SNEFS", "NEFS", "ReliefF"),
    "numbers": ("RRPC", "InfFS", "ECFS", "ILFS", "FisherScore"),
    "subsets": ("BayesianEntropyFS", "CrossEntropyFS", "SwarmFS"),
    "unsupervised": ("LaplacianScore", "MCFS", "UDFS", "LLCFS", "CFS"),
    "references": (RANDOM, ALL_COLUMNS),
}
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {  # asked after the first results: is it the levels?
    "JMI, 3 levels": ("JMI", {"n_bins": 3}),
    "JMI, 5 levels": ("JMI", {"n_bins": 5}),
    "JMI, corrected": ("JMI", {"correction": "miller_madow"}),
}
METHOD_NAMES = tuple(name for family in FAMILIES.values() for name in family)
UNSUPERVISED = FAMILIES["unsupervised"]
SUBSET_METHODS = FAMILIES["subsets"]
UNIVARIATE = ("MIM", "FisherScore")


@dataclass(frozen=True)
class Limit:
    """The largest number of columns a method is run with, so that no fit takes minutes, and why."""

    columns: int
    reason: str


LIMITS = {
    "NEFS": Limit(60, "counts all pairs of rows for every candidate of every step"),
    "BayesianEntropyFS": Limit(300, "scores 1,000 subsets per column"),
    "CrossEntropyFS": Limit(600, "scores 5,000 subsets per round, in more rounds the more columns there are"),
    "UDFS": Limit(1000, "decomposes a matrix of columns × columns some times"),
    "SNEFS": Limit(3000, "looks at all near rows for every candidate of every step"),
    "LLCFS": Limit(3000, "searches near rows and decomposes a matrix of rows × rows in every round"),
}
MOST_COLUMNS_OF_OWN_RULE = {"RRPC": 1000}  # its rule walks through all columns that correlate with y

CLASSIFIERS: dict[str, Callable[[int], BaseEstimator]] = {
    "neighbors": lambda seed: KNeighborsClassifier(5),
    "forest": lambda seed: RandomForestClassifier(50, random_state=seed),
    "linear": lambda seed: LinearSVC(max_iter=300, random_state=seed),
}
SIZES = (5, 10, 20, 50)
STABILITY_SIZE = 10
MOST_SCORED = 500  # columns of an own rule that classifiers are still fitted to
TEST_SHARE = 0.3
N_SPLITS, MOST_ROWS = 2, 1500
QUICK_SPLITS, QUICK_ROWS = 1, 500

DATASETS = tuple(name for name in KIND_OF if name not in GENERATED)


def cells(quick: bool) -> Iterator[Cell]:
    """One cell per split, data set and family of methods; all data sets before the next split."""
    yield from _cells(quick, FAMILIES)
    yield from _cells(quick, {"variants": tuple(VARIANTS)})


def _cells(quick: bool, families: dict[str, tuple[str, ...]]) -> Iterator[Cell]:
    for split in range(QUICK_SPLITS if quick else N_SPLITS):
        for dataset in QUICK_DATASETS if quick else KIND_OF:
            for family, methods in families.items():
                settings: dict[str, Any] = {
                    "dataset": dataset,
                    "split": split,
                    "family": family,
                    "methods": list(methods),
                    "most_rows": QUICK_ROWS if quick else MOST_ROWS,
                }
                needed = None if dataset in GENERATED else dataset
                yield Cell(f"{dataset}/{split}/{family}{'/quick' * quick}", settings, needed)


def sizes_below(n_columns: int) -> tuple[int, ...]:
    """The sizes that are scored: with all columns there is nothing to choose."""
    return tuple(size for size in SIZES if size < n_columns)


def describe_protocol() -> str:
    """What is done, in Markdown."""
    kinds = "\n".join(f"- {kind}: {', '.join(members)}" for kind, members in KINDS.items())
    limits = ", ".join(f"{name} (above {limit.columns})" for name, limit in LIMITS.items())
    return "\n\n".join(
        (
            f"All {len(METHOD_NAMES) - 2} methods of `entropick methods` with their defaults, on "
            f"{len(KIND_OF)} data sets:",
            kinds,
            f"{', '.join(GENERATED)} are generated (seed 0). `blogfeedback` and `forestfires` are used with "
            "two classes; `spambase_keel` and `mushroom_5644` are left out, since others here have the same "
            "rows. Codes of categories are given to the methods as numbers, to the classifiers as one column "
            "per level.",
            f"For each of {N_SPLITS} splits (seeds 0 to {N_SPLITS - 1}) at most {MOST_ROWS:,} rows are drawn "
            f"at random, {TEST_SHARE:.0%} of them for the test, shared out by class. A method sees the "
            f"training rows only. Its first {', '.join(map(str, SIZES))} columns, as far as these are not "
            "all, are judged by the accuracy of three classifiers on the test rows, fitted to the training "
            "rows with columns scaled there: 5 nearest neighbours, a random forest of 50 trees, and a linear "
            "support vector machine (`LinearSVC`, 300 iterations). A method's score on a data set is the "
            "mean of all these.",
            f"Not run for their cost, by the number of columns: {limits}. Searches over subsets choose a "
            "number of columns themselves; for the fixed sizes their scores rank the columns. Stability is "
            f"Nogueira's index of the first {STABILITY_SIZE} columns (half of them where there are fewer "
            f"than {2 * STABILITY_SIZE}) over the splits; time is processor time of one thread.",
            f"Besides, {DEFAULT} with fewer levels per numeric column than the usual 10, and with the "
            "Miller–Madow correction: a question that came up with the first results.",
            "Questions, halves and the rule for the default were written down before the whole version was "
            "run. Changed later, after results of the short version and of first splits: claims of all "
            "methods are tested without a correction for their number; claims of a kind of data, and of many "
            "classes, go by two standard errors instead of a test of ranks; the default must also be in the "
            "best group of the confirming half; tests over all data sets need at least six of them, claims "
            "of a kind of data four.",
            f"The short version has {len(QUICK_DATASETS)} data sets, one split and at most {QUICK_ROWS} "
            "rows.",
        )
    )
