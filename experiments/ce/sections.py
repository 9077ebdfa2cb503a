"""Tables and figures of the cross-entropy paper, ours beside them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.ce.analysis import Splits
from experiments.ce.protocol import METHODS
from experiments.ce.published import CARDINALITY, SWARM, TABLE_2
from experiments.protocol import Figure, Results, Section, markdown_table, mean_and_error

COLOURS = {"error": "#0072B2", "gap": "#D55E00"}


def sections(results: Results) -> Sequence[Section]:
    """All tables of what is there."""
    splits = Splits(results)
    if not splits.tables:
        return []
    return [_table_2(splits), _paper_sizes(splits), _table_3(splits), _printed(splits), _curves(splits)]


def _paper(label: str, method: str, name: str) -> str:
    value = TABLE_2.get(label, {}).get(method, {}).get(name)
    return "" if value is None else f" ({value:g})"


def _score(splits: Splits, label: str, method: str, name: str, at: str = "own") -> str:
    return mean_and_error(splits.values(label, method, name, at))


def _table_2(splits: Splits) -> Section:
    header = ["data set", "method", "columns", "NB error", "3-NN error", "ΔI_r", "seconds"]
    rows = []
    for label in splits.tables:
        for method in ("CE", "DISR", "CMIM", "mRMR"):
            rows.append(
                [
                    f"{label}, {len(splits.tables[label])} splits" if method == "CE" else "",
                    method,
                    f"{splits.mean(label, method, 'n'):.1f} ({CARDINALITY.get(label, '-')})",
                    _score(splits, label, method, "nb") + _paper(label, method, "nb"),
                    _score(splits, label, method, "knn") + _paper(label, method, "knn"),
                    _score(splits, label, method, "gap") + _paper(label, method, "gap"),
                    f"{splits.seconds(label, method):.2f}" + _paper(label, method, "seconds"),
                ]
            )
        rows.append([*_all_columns(splits, label), ""])
    text = (
        "Errors on test rows (mean ± standard error over splits) and ΔI_r on training rows, at the number "
        "of columns the cross-entropy method (CE) found; the paper's in brackets, at its own number of "
        "columns.\n\n"
    )
    return Section("Table 2", text + markdown_table(header, rows))


def _all_columns(splits: Splits, label: str) -> list[str]:
    scores = [mean_and_error(splits.of_all(label, name)) for name in ("nb", "knn", "gap")]
    return ["", "all columns", f"{splits.of_all(label, 'n')[0]:.0f}", *scores]


def _paper_sizes(splits: Splits) -> Section:
    header = [
        "data set",
        "method",
        "columns",
        "NB error",
        "3-NN error",
        "on training rows",
        "equal rows",
        "ΔI_r",
    ]
    rows = []
    for label in splits.tables:
        for method in ("CE", "DISR", "CMIM", "mRMR"):
            cells = [_score(splits, label, method, n, "paper_size") for n in ("nb", "knn", "knn_train")]
            rows.append(
                [
                    label if method == "CE" else "",
                    method,
                    f"{splits.mean(label, method, 'n', 'paper_size'):.0f}",
                    cells[0],
                    cells[1] + _paper(label, method, "knn"),
                    cells[2],
                    f"{splits.mean(label, method, 'own_rows', 'paper_size'):.5f}",
                    _score(splits, label, method, "gap", "paper_size") + _paper(label, method, "gap"),
                ]
            )
    text = (
        "The same with the paper's numbers of columns (CE: its most probable ones). Also the error of 3-NN "
        "on the rows it has learned, and the share of training rows that equal a row of another, larger "
        "class: the error of 1-NN on the rows it has learned. The paper's errors of 3-NN are more like the "
        "last.\n\n"
    )
    return Section("At the paper's sizes", text + markdown_table(header, rows))


def _table_3(splits: Splits) -> Section:
    header = ["data set", "method", "columns", "NB error", "ΔI_r", "seconds"]
    rows = []
    for label in splits.tables:
        theirs = {
            "CE": (*(TABLE_2[label]["CE"][name] for name in ("nb", "gap", "seconds")), CARDINALITY[label])
            if label in TABLE_2
            else None,
            "PSO": SWARM.get(label),
        }
        for method in (METHODS[0], METHODS[-1]):
            found = theirs[method]
            paper = [f" ({value:g})" for value in found] if found else [""] * 4
            rows.append(
                [
                    label if method == "CE" else "",
                    method,
                    f"{splits.mean(label, method, 'n'):.1f}{paper[3]}",
                    _score(splits, label, method, "nb") + paper[0],
                    _score(splits, label, method, "gap") + paper[1],
                    f"{splits.seconds(label, method):.2f}{paper[2]}",
                ]
            )
    text = (
        "The cross-entropy method and a binary particle swarm (30 particles, 300 rounds), both by H(y|U).\n\n"
    )
    return Section("Table 3: particle swarm", text + markdown_table(header, rows))


def _printed(splits: Splits) -> Section:
    header = [
        "data set",
        "elite in round 1",
        "rounds",
        "highest probability",
        "columns at 0.9",
        "ΔI_r",
        "paper",
    ]
    rows = [
        [
            label,
            f"{found['first_elite']:.0%}",
            found["rounds"],
            f"{found['highest']:.2f}",
            found["reached"],
            "-" if found["gap"] is None else f"{found['gap']:.4f}",
            CARDINALITY.get(label, ""),
        ]
        for label, found in splits.printed.items()
    ]
    text = (
        "Algorithm 1 without the rule that the smaller of equally good subsets wins, on the first split. "
        "Where nearly all subsets of the first round are in the elite, nothing is learned.\n\n"
    )
    return Section("The algorithm as printed", text + markdown_table(header, rows))


def _curves(splits: Splits) -> Section:
    labels = list(splits.tables)

    def draw(figure: Any) -> None:
        axes = figure.subplots(2, -(-len(labels) // 2), squeeze=False).ravel()
        for ax, label in zip(axes, labels, strict=False):
            sizes, errors, gaps = splits.curve(label)
            ax.plot(sizes, errors, "o-", ms=3, color=COLOURS["error"], label="error of naive Bayes")
            ax.plot(sizes, np.minimum(gaps, 1.0), "s--", ms=3, color=COLOURS["gap"], label="ΔI_r (cut at 1)")
            ax.axvline(np.mean(splits.plain(label, "size")), color="black", lw=0.8, label="found")
            if label in CARDINALITY:
                ax.axvline(CARDINALITY[label], color="grey", ls=":", lw=1.2, label="paper")
            ax.set_xscale("log")
            ax.set_ylim(0, 1.05)
            ax.set_title(label, fontsize=8)
        for ax in axes[len(labels) :]:
            ax.set_visible(False)
        axes[0].legend(frameon=False, fontsize=7)
        figure.supxlabel("columns, the most probable first")

    caption = "Error of naive Bayes on test rows and ΔI_r on training rows against the number of columns."
    text = "Means over splits; the vertical lines are the numbers of columns found here and by the paper."
    return Section("Figures 2-6", text, [Figure("ce-curves", caption, draw, (9.0, 4.6))])
