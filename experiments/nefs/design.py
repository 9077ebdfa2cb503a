"""What is run for the paper on NEFS: data sets, methods, classifiers, splits, repeats and sizes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from experiments.protocol import Cell

VERSION = 1  # to be raised where something below changes that the settings of a cell do not show
K = 4  # rows in a neighbourhood, for NEFS, SNEFS, RELIEFF and the classifier kNN

# Name in the paper -> selector and its parameters. Columns are cut in two at the middle of their range for
# X-MIFS and mRMR: the paper says so for X-MIFS but not where, and its numbers come out with this rule.
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "NEFS": ("NEFS", {"n_neighbors": K, "index": "exact"}),
    "SNEFS": ("SNEFS", {"n_neighbors": K}),
    "RELIEFF": ("ReliefF", {"n_neighbors": K}),  # on one row of K, drawn at random
    "X-MIFS": ("XMIFS", {"n_bins": 2, "binning": "uniform"}),
    "RRPC_S": ("RRPC", {}),
    "RRPC_SS": ("RRPC", {}),  # with four labels of five hidden
    "mRMR": ("MRMR", {"n_bins": 2, "binning": "uniform"}),
    "NEFS, hashed": ("NEFS", {"n_neighbors": K, "index": "lsh", "n_tables": None, "epsilon": 15.0}),
    "X-MIFS, quantiles": ("XMIFS", {"n_bins": 2, "binning": "quantile"}),
    "mRMR, quantiles": ("MRMR", {"n_bins": 10, "binning": "quantile"}),
}
PAPER_METHODS = ("NEFS", "SNEFS", "RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
OUR_VARIANTS = ("X-MIFS, quantiles", "mRMR, quantiles")
SIGNED = "RRPC_S, signed"  # eq. 7 as printed, without absolute values; for two classes, the second one low
IN_ROW_ORDER = "NEFS, ties by row order"  # on CORRAL alone, by plain code
HASHED = "NEFS, hashed"
HIDDEN_LABELS = 0.8
NOISE, NOISE_SEED = 0.2, 0
N_FOLDS = 10

# scikit-learn's classifiers; all but RF on columns scaled to mean 0 and variance 1 by the training rows.
CLASSIFIERS: Mapping[str, Mapping[str, Any]] = {
    "RF": {"n_estimators": 20, "criterion": "entropy", "bootstrap": True},
    "SVM": {"kernel": "rbf"},
    "kNN": {"n_neighbors": K},
    "MLP": {
        "hidden_layer_sizes": [20],
        "activation": "tanh",
        "solver": "sgd",
        "learning_rate": "adaptive",
        "learning_rate_init": 1.0,
        "early_stopping": True,
        "validation_fraction": 0.2,
        "n_iter_no_change": 2,
        "tol": 1e-8,
        "max_iter": 100,
    },
}

UP_TO_10 = tuple(range(1, 11))
CORRAL_NAMES = ("A0", "A1", "B0", "B1", "I", "C")
RELEVANT_IN_HYPERSPHERES = frozenset({5, 9, 19, 21, 43, 52, 86})  # numbered from 0


@dataclass(frozen=True)
class Curves:
    """Accuracy against the number of columns on one data set.

    Attributes
    ----------
    name : in the paper
    source : file with the data; None where they are generated
    classifiers : names in CLASSIFIERS
    sizes : numbers of columns
    repeats, quick_repeats : how many of the ten folds are run; of HYPERSPHERES each is of another table
    quick_rows : rows of the short version
    noise : share of the values of each column that is replaced
    stratified : whether folds keep the shares of the classes; False where classes have few rows
    nefs_rows : rows of the training part NEFS selects on, where all would take too long; 0 leaves it out
    methods : what selects
    """

    name: str
    source: str | None
    classifiers: tuple[str, ...]
    sizes: tuple[int, ...]
    repeats: int
    quick_repeats: int
    quick_rows: int | None = None
    noise: float = 0.0
    stratified: bool = True
    nefs_rows: int | None = None
    methods: tuple[str, ...] = PAPER_METHODS + OUR_VARIANTS


CURVES = (
    Curves(
        "SPAMBASE_N",
        "spambase_keel",
        ("RF",),
        UP_TO_10,
        10,
        3,
        1500,
        noise=NOISE,
        methods=(*PAPER_METHODS, *OUR_VARIANTS, SIGNED),
    ),
    Curves("HYPERSPHERES", None, ("SVM",), tuple(range(1, 8)), 10, 3),
    Curves("SEGMENT_N", "segment", ("RF", "SVM"), UP_TO_10, 10, 3, 1500, noise=NOISE),
    Curves("GAS", "gas_partial", ("MLP",), (1, 2, 3, 4, 6, 8, 10), 10, 2, 1500, nefs_rows=3000),
    Curves("USPS", "usps", ("RF",), (1, 2, 4, 6, 8, 10), 10, 2, 1500, nefs_rows=3000),
    Curves("ARRHYTHMIA", "arrhythmia", ("RF", "SVM"), UP_TO_10, 10, 2, 300, stratified=False),
    Curves("ABALONE", "abalone", ("SVM",), (1, 3, 5, 10), 10, 3, 1500, stratified=False),
    Curves("CORRAL", None, ("RF",), (1, 2, 3, 4), 10, 5),
    Curves("SMK", "smk_can_187", ("kNN",), UP_TO_10, 10, 2, nefs_rows=0),
)
CURVES_OF = {curves.name: curves for curves in CURVES}

CORRAL_RUNS, CORRAL_RUNS_PER_CELL, QUICK_CORRAL_RUNS = 100, 10, 30
SMALL_DRAWS, SMALL_DRAWS_PER_CELL, QUICK_SMALL_DRAWS = 40, 5, 10
SMALL_ROWS, SMALL_SIZES = 57, (1, 2, 4, 6, 8, 10)  # as many rows as SPAMBASE has columns
WHOLE_NAMES, WHOLE_SIZES = ("SPAMBASE_N", "ARRHYTHMIA"), (5, 10)
TIME_PICKS = 10
TIME_TABLES = ((500, 50), (1000, 50), (1000, 100), (2000, 100), (2000, 200), (4000, 200), (8000, 200))
QUICK_TIME_TABLES = TIME_TABLES[:4]
TIME_LIMITS = {"NEFS": 800_000, HASHED: 100_000}  # rows times columns


def cells(quick: bool) -> Iterator[Cell]:
    """All cells, the first repeat of everything before the second."""
    for repeat in range(N_FOLDS):
        if repeat * CORRAL_RUNS_PER_CELL < (QUICK_CORRAL_RUNS if quick else CORRAL_RUNS):
            yield _corral_cell(repeat)
        for curves in CURVES:
            if repeat < (curves.quick_repeats if quick else curves.repeats):
                yield _curves_cell(curves, repeat, quick)
        if repeat * SMALL_DRAWS_PER_CELL < (QUICK_SMALL_DRAWS if quick else SMALL_DRAWS):
            yield _small_cell(repeat)
        if repeat == 0:
            yield from _single_cells(quick)


def _corral_cell(block: int) -> Cell:
    return Cell(
        f"orders/CORRAL/{block}",
        {"version": VERSION, "part": "orders", "block": block, "runs": CORRAL_RUNS_PER_CELL},
    )


def _curves_cell(curves: Curves, repeat: int, quick: bool) -> Cell:
    rows = curves.quick_rows if quick else None
    settings = {
        "version": VERSION,
        "part": "curves",
        "data": curves.name,
        "repeat": repeat,
        "rows": rows,
        "classifiers": list(curves.classifiers),
        "sizes": list(curves.sizes),
        "methods": list(_methods_run(curves)),
        "nefs_rows": curves.nefs_rows or None,
        "noise": curves.noise,
    }
    return Cell(f"curves/{curves.name}/{repeat}" + _rows_in_key(rows), settings, curves.source)


def _methods_run(curves: Curves) -> list[str]:
    return [method for method in curves.methods if method != "NEFS" or curves.nefs_rows != 0]


def _small_cell(block: int) -> Cell:
    settings = {
        "version": VERSION,
        "part": "small",
        "data": "SPAMBASE_N",
        "block": block,
        "draws": SMALL_DRAWS_PER_CELL,
        "rows": SMALL_ROWS,
        "sizes": list(SMALL_SIZES),
    }
    return Cell(f"small/SPAMBASE_N/{block}", settings, CURVES_OF["SPAMBASE_N"].source)


def _single_cells(quick: bool) -> Iterator[Cell]:
    """What is run once: selection on all rows before the folds are made, and the times."""
    for name in WHOLE_NAMES:
        rows = CURVES_OF[name].quick_rows if quick else None
        settings = {
            "version": VERSION,
            "part": "whole",
            "data": name,
            "rows": rows,
            "sizes": list(WHOLE_SIZES),
        }
        yield Cell(f"whole/{name}" + _rows_in_key(rows), settings, CURVES_OF[name].source)
    for n, d in QUICK_TIME_TABLES if quick else TIME_TABLES:
        yield Cell(
            f"time/{n}x{d}",
            {"version": VERSION, "part": "time", "rows": n, "columns": d, "picks": TIME_PICKS},
        )


def _rows_in_key(rows: int | None) -> str:
    """The short version has keys of its own, so that both can stand in one file."""
    return "" if rows is None else f"/{rows} rows"
