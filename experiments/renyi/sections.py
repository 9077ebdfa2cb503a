"""Tables and figures on min-entropy."""

from typing import Any

import numpy as np

from experiments.protocol import Figure, Results, Section, markdown_table, mean_and_error
from experiments.renyi.curves import CLASSIFIERS, NAMES, curves, exhausted_after, lead, sizes_of
from experiments.renyi.protocol import FURTHER_LEVELS, LEVELS, MIN_ENTROPY, SHANNON

ORDERS = {"0.5": "0.5", SHANNON: "1 (Shannon)", "2": "2", "5": "5", MIN_ENTROPY: "∞ (min-entropy)"}
COLOURS = {SHANNON: "#0072B2", MIN_ENTROPY: "#D55E00"}  # apart for all kinds of colour vision
PAPER_FIGURES = {"basehock": 5, "gisette": 6, "semeion": 7}


def sections(results: Results) -> list[Section]:
    """What the claims rest on."""
    shown = [data for data in LEVELS if curves(results, data, LEVELS[data], MIN_ENTROPY, "svm")]
    found = [_curves_section(results, data) for data in shown]
    if shown:
        found += [_orders_section(results, shown), _levels_section(results)]
    return found


def _curves_section(results: Results, data: str) -> Section:
    """Accuracy against size, min-entropy beside Shannon's entropy."""
    sizes = sizes_of(results)
    rows = []
    for kind, label in CLASSIFIERS.items():
        for order in (SHANNON, MIN_ENTROPY):
            by_split = curves(results, data, LEVELS[data], order, kind)
            if by_split:
                table = np.array(list(by_split.values()))
                means = [f"{value:.3f}" for value in table.mean(axis=0)]
                rows.append([f"{label}, α = {ORDERS[order]}", *means, mean_and_error(table.mean(axis=1))])
        gap = lead(results, data, LEVELS[data], kind)
        if len(gap.by_size):
            differences = [f"{value:+.3f}" for value in gap.by_size]
            rows.append([f"{label}, difference", *differences, str(gap.by_split)])
    text = markdown_table(["accuracy with columns:", *map(str, sizes), "mean over sizes"], rows)
    text += "\n\nThe paper shows curves without numbers. Errors are standard errors over the splits."
    text += _exhausted_text(results, data)
    figure = Figure(
        f"renyi-{data}",
        f"{NAMES[data]}, as in figure {PAPER_FIGURES[data]} of the paper: mean accuracy over the splits "
        "against the number of columns; the band is one standard error.",
        lambda page: _draw_curves(page, results, data),
    )
    return Section(f"Figure {PAPER_FIGURES[data]}: {NAMES[data]}", text, [figure])


def _exhausted_text(results: Results, data: str) -> str:
    parts = []
    for order in (SHANNON, MIN_ENTROPY):
        found = exhausted_after(results, data, order)
        if found:
            span = str(min(found)) if min(found) == max(found) else f"{min(found)} to {max(found)}"
            parts.append(f"{span} columns with α = {ORDERS[order]}")
    return f" Nothing is left of the entropy after {' and '.join(parts)}." if parts else ""


def _draw_curves(page: Any, results: Results, data: str) -> None:
    axes = page.subplots(1, len(CLASSIFIERS), sharey=True)
    sizes = sizes_of(results)
    for axis, (kind, label) in zip(axes, CLASSIFIERS.items(), strict=True):
        for order, marker in ((SHANNON, "o"), (MIN_ENTROPY, "s")):
            table = np.array(list(curves(results, data, LEVELS[data], order, kind).values()))
            if not table.size:
                continue
            mean, error = table.mean(axis=0), table.std(axis=0) / max(1, len(table) - 1) ** 0.5
            axis.plot(sizes, mean, marker=marker, ms=3.5, color=COLOURS[order], label=f"α = {ORDERS[order]}")
            axis.fill_between(sizes, mean - error, mean + error, color=COLOURS[order], alpha=0.2, lw=0)
        axis.set_xlabel(f"columns ({label})")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("accuracy")
    axes[0].legend(loc="lower right", frameon=False)


def _orders_section(results: Results, shown: list[str]) -> Section:
    """Orders between and beyond the two of the paper."""
    sizes = sizes_of(results)
    picked = [size for size in (5, 10, 20, 30, 50) if size in sizes]
    rows = []
    for data in shown:
        for order, label in ORDERS.items():
            table = np.array(list(curves(results, data, LEVELS[data], order, "svm").values()))
            if table.size:
                at = [mean_and_error(table[:, sizes.index(size)].tolist()) for size in picked]
                mean = mean_and_error(table.mean(axis=1).tolist())
                rows.append([NAMES[data], label, len(table), *at, mean])
    header = ["data", "α", "splits", *(f"{size} columns" for size in picked), "mean over sizes"]
    text = "Accuracy of the SVM for orders the paper does not try.\n\n" + markdown_table(header, rows)
    return Section("Further orders α (beyond the paper)", text)


def _levels_section(results: Results) -> Section:
    """Does the lead depend on what the levels of a count are?"""
    rows = []
    for data, further in FURTHER_LEVELS.items():
        for levels in (LEVELS[data], *further):
            tables = [
                np.array(list(curves(results, data, levels, order, "svm").values()))
                for order in (SHANNON, MIN_ENTROPY)
            ]
            if all(table.size for table in tables):
                means = [mean_and_error(table.mean(axis=1).tolist()) for table in tables]
                rows.append([NAMES[data], levels, *means, str(lead(results, data, levels, "svm").by_split)])
    text = "Mean accuracy of the SVM over all sizes.\n\n"
    return Section(
        "Levels of the word counts",
        text + markdown_table(["data", "counts", "Shannon", "min-entropy", "difference"], rows),
    )
