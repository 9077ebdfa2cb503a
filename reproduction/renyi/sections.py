"""Tables and figures on min-entropy."""

import functools

import numpy as np

from reproduction.renyi.findings import CLASSIFIERS, NAMES, TEXTS, curves, exhausted_after, lead, sizes_of
from reproduction.renyi.protocol import FURTHER_LEVELS, LEVELS, MIN_ENTROPY, SHANNON
from reproduction.texts import mean_and_error, span

ORDERS = {"0.5": "0.5", SHANNON: "1 (Shannon)", "2": "2", "5": "5", MIN_ENTROPY: "∞ (min-entropy)"}
COLOURS = {SHANNON: "#0072B2", MIN_ENTROPY: "#D55E00"}  # apart for all kinds of colour vision
PAPER_FIGURES = {"basehock": 5, "gisette": 6, "semeion": 7}
SHOWN_SIZES = (3, 5, 7, 10, 15)  # where something is left of each entropy


def sections(results):
    """What the claims rest on."""
    shown = [data for data in LEVELS if curves(results, data, LEVELS[data], MIN_ENTROPY, "svm")]
    found = [_curves_section(results, data) for data in shown]
    return [*found, _orders_section(results, shown), _levels_section(results)] if shown else []


def _table(results, data, order, kind="svm", levels=None, part="accuracy"):
    """Accuracies, (splits, sizes)."""
    return np.array(list(curves(results, data, levels or LEVELS[data], order, kind, part).values()))


def _curves_section(results, data):
    """Accuracy against size, min-entropy beside Shannon's entropy."""
    shown = [(kind, label, "accuracy") for kind, label in CLASSIFIERS.items()]
    rows = [
        row
        for one in [*shown, ("svm", "one SVM, fresh splits", "fixed svm")]
        for row in _rows(results, data, *one)
    ]
    after = [(order, exhausted_after(results, data, order)) for order in (SHANNON, MIN_ENTROPY)]
    left = " and ".join(f"{span(found)} columns with α = {ORDERS[order]}" for order, found in after if found)
    words = {"name": NAMES[data], "number": PAPER_FIGURES[data]}
    return TEXTS.section(
        "curves",
        rows,
        [
            TEXTS.figure(
                "curves", functools.partial(_draw, results=results, data=data), f"renyi-{data}", **words
            )
        ],
        header=["accuracy with columns:", *map(str, sizes_of(results)), "mean over sizes"],
        after="The paper shows curves without numbers. Errors are standard errors over the splits."
        + (f" Nothing is left of the entropy after {left}." if left else ""),
        **words,
    )


def _rows(results, data, kind, label, part):
    """Both entropies with one classifier, and the lead."""
    rows = []
    for order in (SHANNON, MIN_ENTROPY):
        table = _table(results, data, order, kind, part=part)
        if table.size:
            means = [f"{value:.3f}" for value in table.mean(axis=0)]
            rows.append([f"{label}, α = {ORDERS[order]}", *means, mean_and_error(table.mean(axis=1))])
    gap = lead(results, data, kind, part=part)
    if len(gap.by_size):
        rows.append([f"{label}, difference", *(f"{value:+.3f}" for value in gap.by_size), gap.by_split])
    return rows


def _draw(page, results, data) -> None:
    axes = page.subplots(1, len(CLASSIFIERS), sharey=True)
    sizes = sizes_of(results)
    for axis, (kind, label) in zip(axes, CLASSIFIERS.items(), strict=True):
        for order, marker in ((SHANNON, "o"), (MIN_ENTROPY, "s")):
            table = _table(results, data, order, kind)
            if not table.size:
                continue
            mean, error = table.mean(axis=0), table.std(axis=0) / max(1, len(table) - 1) ** 0.5
            axis.plot(sizes, mean, marker=marker, ms=3.5, color=COLOURS[order], label=f"α = {ORDERS[order]}")
            axis.fill_between(sizes, mean - error, mean + error, color=COLOURS[order], alpha=0.2, lw=0)
        axis.set_xlabel(f"columns ({label})")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("accuracy")
    axes[0].legend(loc="lower right", frameon=False)


def _orders_section(results, shown):
    """Orders between and beyond the two of the paper."""
    sizes = sizes_of(results)
    picked = [size for size in SHOWN_SIZES if size in sizes]
    rows = []
    for data in shown:
        for order, label in ORDERS.items():
            table = _table(results, data, order)
            if table.size:
                table = table[:, [sizes.index(size) for size in picked]]
                at = [mean_and_error(column) for column in (*table.T, table.mean(axis=1))]
                rows.append([NAMES[data], label, len(table), *at])
    header = ["data", "α", "splits", *(f"{size} columns" for size in picked), "mean over these"]
    return TEXTS.section("orders", rows, header=header)


def _levels_section(results):
    """Does the lead depend on what the levels of a count are?"""
    rows = []
    for data, further in FURTHER_LEVELS.items():
        for levels in (LEVELS[data], *further):
            tables = [_table(results, data, order, levels=levels) for order in (SHANNON, MIN_ENTROPY)]
            if all(table.size for table in tables):
                means = [mean_and_error(table.mean(axis=1)) for table in tables]
                rows.append([NAMES[data], levels, *means, lead(results, data, "svm", levels).by_split])
    return TEXTS.section("levels", rows)
