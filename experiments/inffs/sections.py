"""Tables and figures on Inf-FS."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from experiments.inffs.curves import (
    COMPARED_SUPERVISED,
    COMPARED_UNSUPERVISED,
    NAMES,
    Scores,
)
from experiments.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from experiments.inffs.protocol import DATASETS, MICROARRAYS
from experiments.inffs.table3 import PAPER, percent, there
from experiments.protocol import Figure, Results, Section, markdown_table, mean_and_error

INFFS_COLOUR = "#D55E00"
COLOURS = ("#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999999")
MARKERS = ("o", "v", "D", "P", "X", "^", "*")


def sections(results: Results) -> list[Section]:
    """What the claims rest on."""
    scores = Scores(results)
    if not scores.sizes:
        return []
    found = [
        _curves_section(scores, "Figure 1: the microarray sets", "inffs-microarrays", MICROARRAYS),
        *(
            _curves_section(scores, f"Figure 2: {NAMES[data]}", f"inffs-{data}", (data,))
            for data in DATASETS
            if data not in MICROARRAYS and scores.by_split(data, INFFS_S)
        ),
        _by_data_section(scores),
        _ranks_section(scores),
        _table3_section(scores),
        _weights_section(results),
    ]
    return [section for section in found if section is not None]


def _curves_section(scores: Scores, title: str, name: str, among: Sequence[str]) -> Section | None:
    """Mean accuracy against size, supervised and unsupervised methods."""
    curves = {**scores.mean_curves(SUPERVISED, among), **scores.mean_curves(UNSUPERVISED, among)}
    if not curves:
        return None
    shown = [data for data in among if scores.by_split(data, INFFS_S)]
    rows = [
        [
            method,
            "no" if method in UNSUPERVISED else "yes",
            *(f"{v:.3f}" for v in curve),
            f"{curve.mean():.3f}",
        ]
        for method, curve in curves.items()
    ]
    header = ["method", "sees y", *(f"{size} columns" for size in scores.sizes), "mean over sizes"]
    text = f"Accuracy, mean over {_split_counts(scores, shown)}"
    text += f" and over {', '.join(NAMES[data] for data in shown)}." if len(among) > 1 else "."
    text += " The paper shows curves without numbers.\n\n" + markdown_table(header, rows)
    figure = Figure(
        name,
        f"{title}. Supervised methods on the right, unsupervised ones on the left.",
        lambda page: _draw_curves(page, scores, among),
        (7.5, 3.6),
    )
    return Section(title, text, [figure])


def _split_counts(scores: Scores, shown: Sequence[str]) -> str:
    counts = [max(len(scores.by_split(data, method)) for data in shown) for method in (INFFS_S, INFFS_U)]
    return f"{counts[0]} splits ({counts[1]} without y)"


def _draw_curves(page: Any, scores: Scores, among: Sequence[str]) -> None:
    axes = page.subplots(1, 2, sharey=True)
    for axis, methods in zip(axes, (COMPARED_UNSUPERVISED, COMPARED_SUPERVISED), strict=True):
        curves = scores.mean_curves(methods, among)
        for number, (method, curve) in enumerate(curves.items()):
            own = method in (INFFS_S, INFFS_U)
            axis.plot(
                scores.sizes,
                curve,
                color=INFFS_COLOUR if own else COLOURS[number - 1],
                marker="s" if own else MARKERS[number - 1],
                ms=4,
                lw=2.2 if own else 1,
                label=method,
            )
        axis.set_xlabel("columns")
        axis.grid(alpha=0.3)
        if curves:
            axis.legend(fontsize=7, frameon=False)
    axes[0].set_ylabel("accuracy")


def _by_data_section(scores: Scores) -> Section:
    """Mean over sizes on each data set."""
    shown = [data for data in DATASETS if scores.by_split(data, INFFS_S)]
    rows = []
    for method in (*SUPERVISED, *UNSUPERVISED):
        values = [list(scores.by_split(data, method).values()) for data in shown]
        if any(values):
            rows.append([method, *(mean_and_error([float(v.mean()) for v in one]) for one in values)])
    text = "Accuracy, mean over all sizes, and its standard error over the splits.\n\n"
    return Section(
        "Inf-FS beside the others, by data set",
        text + markdown_table(["method", *(NAMES[data] for data in shown)], rows),
    )


def _ranks_section(scores: Scores) -> Section:
    """Figure 4: average ranks."""
    rows = []
    for methods in (COMPARED_SUPERVISED, COMPARED_UNSUPERVISED):
        ranks = scores.ranks(methods)
        for method, table in sorted(ranks.items(), key=lambda item: float(item[1].mean())):
            at = [f"{mean:.1f} ± {sd:.1f}" for mean, sd in zip(table.mean(0), table.std(0), strict=True)]
            rows.append(
                [method, "yes" if methods is COMPARED_SUPERVISED else "no", *at, f"{table.mean():.2f}"]
            )
    header = ["method", "sees y", *(f"{size} columns" for size in scores.sizes), "all"]
    text = (
        "Mean rank over the data sets (1 the best, among methods that see y or among those that do not), and "
        "its standard deviation. In the paper both graphs of Inf-FS have the best rank at all sizes, with a "
        "variance of 0.23; MI and Fisher follow with y, LS and MCFS without. Methods not run on all data "
        "sets are left out.\n\n"
    )
    figure = Figure(
        "inffs-ranks",
        "Average rank against the number of columns, as in figure 4 of the paper: without y on the left, "
        "with y "
        "on the right. The bar is one standard deviation over the data sets.",
        lambda page: _draw_ranks(page, scores),
        (7.5, 3.6),
    )
    return Section("Figure 4: average ranks", text + markdown_table(header, rows), [figure])


def _draw_ranks(page: Any, scores: Scores) -> None:
    axes = page.subplots(1, 2)
    for axis, methods in zip(axes, (COMPARED_UNSUPERVISED, COMPARED_SUPERVISED), strict=True):
        ranks = scores.ranks(methods)
        for number, (method, table) in enumerate(ranks.items()):
            own = method in (INFFS_S, INFFS_U)
            places = np.arange(len(scores.sizes)) + 0.09 * (number - len(ranks) / 2)
            axis.errorbar(
                places,
                table.mean(axis=0),
                yerr=table.std(axis=0),
                color=INFFS_COLOUR if own else COLOURS[number - 1],
                marker="s" if own else MARKERS[number - 1],
                ms=5 if own else 4,
                lw=0,
                elinewidth=0.7,
                label=method,
            )
        axis.set_xticks(range(len(scores.sizes)), [str(size) for size in scores.sizes])
        axis.set_xlabel("columns")
        axis.invert_yaxis()
        if ranks:
            axis.legend(fontsize=6.5, frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1))
    axes[0].set_ylabel("average rank (1 the best)")


def _table3_section(scores: Scores) -> Section | None:
    """What the methods keep by themselves, paper beside ours."""
    rows = []
    for data in there(scores, INFFS_S):
        for method in (INFFS_U, FIXED_U, INFFS_S, FIXED_S, "LASSO"):
            kept = scores.kept(data, method)
            if kept.counts:
                mean, error = percent(kept)
                span = f"{np.mean(kept.counts):.0f} ({min(kept.counts)}-{max(kept.counts)})"
                columns, accuracy = PAPER[data].get(method, ("", ""))
                rows.append([NAMES[data], method, columns, span, accuracy, f"{mean:.1f} ± {error:.1f}"])
    if not rows:
        return None
    header = ["data", "method", "columns, paper", "columns, here", "accuracy %, paper", "accuracy %, here"]
    text = (
        "Columns kept (mean, smallest and largest over the splits) and the accuracy with them. LASSO: in the "
        "paper with the hinge loss, here with the squared hinge loss. LYMPHOMA is another version.\n\n"
    )
    return Section("Table 3: the number of columns chosen by the method", text + markdown_table(header, rows))


def _weights_section(results: Results) -> Section | None:
    """Which weights cross-validation chose."""
    rows = []
    for data in DATASETS:
        found = {
            method: [
                record.result[method]["weights"]
                for record in results.where(part="accuracy", data=data, alpha="cv")
                if method in record.result
            ]
            for method in (INFFS_S, INFFS_U)
        }
        if any(found.values()):
            texts = [
                ", ".join(f"{value:.2f}" for value in np.mean(weights, axis=0)) if weights else "-"
                for weights in found.values()
            ]
            rows.append([NAMES[data], *texts])
    if not rows:
        return None
    header = ["data", "with y: Fisher, MI, spread", "without y: α"]
    text = "Weights by cross-validation on the training rows, mean over the splits.\n\n"
    return Section("Weights of Inf-FS", text + markdown_table(header, rows))
