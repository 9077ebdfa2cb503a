"""Tables and figures of the Bayesian-entropy paper, ours beside them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.bayes.analysis import Tables, significance
from experiments.bayes.classifiers import CLASSIFIERS
from experiments.bayes.protocol import ALPHAS, DATASETS, DOMAINS
from experiments.bayes.published import SECONDS, T_TESTS, TABLES
from experiments.protocol import Figure, Results, Section, markdown_table

COLOURS = {"dependent": "#0072B2", "independent": "#D55E00", "paper": "#999999"}
MARKS = {1: "+", -1: "−", 0: "="}


def sections(results: Results) -> Sequence[Section]:
    """All tables of what is there."""
    tables = Tables(results)
    if not tables.labels:
        return []
    numbers = {"dependent": "Table 3", "independent": "Table 4"}
    found = [_table_section(tables, domain, numbers[domain]) for domain in DOMAINS]
    return [*found, _test_section(tables), _time_section(tables)]


def _table_section(tables: Tables, domain: str, number: str) -> Section:
    header = [
        "data set",
        "α",
        *(f"{c}: ours (paper)" for c in CLASSIFIERS),
        *(f"|S| {c}" for c in CLASSIFIERS),
    ]
    rows = []
    for label in tables.labels:
        rows.append(
            [label, "all", *(_all_cell(tables, label, c) for c in CLASSIFIERS), *[""] * len(CLASSIFIERS)]
        )
        for alpha in ALPHAS:
            accuracies = [
                _cell(tables.accuracies[label, domain, alpha, c], _paper(domain, label, alpha, c, 0))
                for c in CLASSIFIERS
            ]
            sizes = [
                _cell(tables.sizes[label, domain, alpha, c], _paper(domain, label, alpha, c, 1))
                for c in CLASSIFIERS
            ]
            rows.append(["", f"{alpha:g}", *accuracies, *sizes])
    text = (
        f"Test accuracy (%) and number of columns |S|, {domain} domain, means over all runs; the paper's in "
        "brackets. "
        "J48 is a tree of scikit-learn by entropy without J48's pruning.\n\n" + markdown_table(header, rows)
    )
    return Section(f"{number}: {domain} domain", text, [_size_figure(tables, domain)])


def _paper(domain: str, label: str, alpha: Any, classifier: str, which: int) -> float | None:
    found = TABLES[domain].get((label, str(alpha), classifier))
    return None if found is None else found[which]


def _cell(values: Sequence[float], paper: float | None) -> str:
    return f"{np.mean(values):.1f}" + ("" if paper is None else f" ({paper:.1f})")


def _all_cell(tables: Tables, label: str, classifier: str) -> str:
    return _cell(tables.all_columns(label, classifier), _paper("dependent", label, "all", classifier, 0))


def _size_figure(tables: Tables, domain: str) -> Figure:
    labels = tables.eight

    def draw(figure: Any) -> None:
        axes = figure.subplots(2, 4, sharex=True).ravel()
        at = range(len(ALPHAS))
        for ax, label in zip(axes, labels, strict=False):
            ours = [np.mean(tables.sizes[label, domain, a, "1-NN"]) for a in ALPHAS]
            paper = [TABLES[domain][label, str(a), "1-NN"][1] for a in ALPHAS]
            ax.plot(at, paper, "s--", color=COLOURS["paper"], label="paper")
            ax.plot(at, ours, "o-", color=COLOURS[domain], label="ours")
            ax.text(0.95, 0.06, label, transform=ax.transAxes, ha="right")
            ax.set_ylim(bottom=0)
            ax.set_xticks(at, [f"{a:g}" for a in ALPHAS], fontsize=7)
        axes[0].legend(frameon=False, loc="lower left", fontsize=8)
        figure.supxlabel("α")
        figure.supylabel("columns 1-NN takes")

    caption = f"Number of columns 1-NN takes, {domain} domain: ours and the paper's."
    return Figure(f"bayes-sizes-{domain}", caption, draw, (8.0, 4.0))


def _test_section(tables: Tables) -> Section:
    header = ["domain", "classifier", *tables.eight, "better, worse", "the paper's way", "paper"]
    rows = []
    for domain in DOMAINS:
        for classifier in CLASSIFIERS:
            gains = [tables.gains_own_way(label, domain, classifier) for label in tables.eight]
            own = [significance(values) for values in gains]
            theirs = [
                significance(tables.gains_their_way(label, domain, classifier)) for label in tables.eight
            ]
            cells = [f"{np.mean(values):+.1f} {MARKS[mark]}" for values, mark in zip(gains, own, strict=True)]
            counts = [f"{marks.count(1)}, {marks.count(-1)}" for marks in (own, theirs)]
            better, worse = T_TESTS[domain][classifier]
            rows.append([domain, classifier, *cells, *counts, f"{better}, {worse}"])
    text = (
        "Gain of the selected columns over all of them in points, and whether it is significant (t-test, "
        "0.05: + better, − worse, = neither). Ours: α by held-out training rows, paired over splits. The "
        "paper's way: one split, the α that is best on its test rows, a test over repeated searches.\n\n"
    )
    return Section("t-tests", text + markdown_table(header, rows))


def _time_section(tables: Tables) -> Section:
    header = ["data set", *(f"α = {a:g}" for a in ALPHAS), "paper, α = 0"]
    rows = []
    for label in tables.labels:
        cells = [f"{np.mean(tables.seconds[label, a]):.2f}" for a in ALPHAS]
        rows.append([label, *cells, SECONDS.get(label, {}).get("alpha=0", "")])
    text = (
        "Seconds of the processor for a search of 1000 subsets per column, dependent domain, one thread.\n\n"
    )
    text += markdown_table(header, rows)
    timed = tables.results.where(kind="times")
    if timed:
        names = list(timed[0].result)
        lines = [[DATASETS[r.settings["data"]], *(f"{r.result[name]:.3f}" for name in names)] for r in timed]
        text += (
            "\n\nMilliseconds per subset for a particle swarm with the measures the paper compares with:\n\n"
        )
        text += markdown_table(["data set", *names], lines)
    return Section("Table 5: times", text)
