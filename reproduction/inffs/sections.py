"""Tables and figures on Inf-FS."""

import functools

import numpy as np

from reproduction.inffs import authors
from reproduction.inffs.findings import COMPARED, COMPARED_IN, KEPT_BY, NAMES, TABLE_3, Scores
from reproduction.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from reproduction.inffs.protocol import CHALLENGE, DATASETS, MICROARRAYS, TEXTS
from reproduction.texts import mean_and_error

OWN = {"color": "#D55E00", "marker": "s"}
COLOURS = ("#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999999")
MARKERS = ("o", "v", "D", "P", "X", "^", "*")
SHOWN_IN = {
    "accuracy": (SUPERVISED, UNSUPERVISED),
    "authors": ((FIXED_S, *authors.SUPERVISED), (FIXED_U, *authors.UNSUPERVISED)),
}  # methods that see y, and others
AS_AUTHORS = ", as the authors ran them"


def sections(results):
    """What the claims rest on."""
    scores = Scores(results)
    if not scores.sizes:
        return []
    found = [_curves_section(scores, "Figure 1: the microarray sets", "microarrays", MICROARRAYS)]
    for data in scores.datasets([INFFS_S], CHALLENGE):
        found.append(_curves_section(scores, f"Figure 2: {NAMES[data]}", data, (data,)))
    found += [
        _by_data_section(scores),
        *_authors_sections(Scores(results, part="authors")),
        _ranks_section(scores),
        _table3_section(scores),
        _weights_section(results),
    ]
    return [section for section in found if section is not None]


def _authors_sections(scores):
    """Figure 1 and the data sets one by one, in the authors' reading."""
    title = f"Figure 1: the microarray sets{AS_AUTHORS}"
    yield _curves_section(scores, title, "microarrays-authors", MICROARRAYS)
    yield _by_data_section(scores, AS_AUTHORS)


def _curves_section(scores, title, file, among):
    """Mean accuracy against size, supervised and unsupervised methods."""
    supervised, unsupervised = SHOWN_IN[scores.part]
    curves = {**scores.mean_curves(supervised, among), **scores.mean_curves(unsupervised, among)}
    if not curves:
        return None
    shown = scores.datasets([INFFS_S], among)
    rows = [
        [method, "no" if method in unsupervised else "yes", *(f"{v:.3f}" for v in (*curve, curve.mean()))]
        for method, curve in curves.items()
    ]
    n_splits = [max(len(scores.by_split(data, m)) for data in shown) for m in (INFFS_S, INFFS_U)]
    draw = functools.partial(_draw_curves, scores=scores, among=among)
    return TEXTS.section(
        "curves",
        rows,
        [TEXTS.figure("curves", draw, f"inffs-{file}", title=title)],
        header=["method", "sees y", *(f"{size} columns" for size in scores.sizes), "mean over sizes"],
        title=title,
        n_splits=n_splits,
        among=f" and over {', '.join(NAMES[data] for data in shown)}" if len(among) > 1 else "",
    )


def _style(method, number):
    """Inf-FS stands out; of seven colours and seven markers no two methods have both in common."""
    if method in (INFFS_S, INFFS_U):
        return OWN
    turn, place = divmod(number - 1, len(COLOURS))
    return {"color": COLOURS[place], "marker": MARKERS[(place + turn) % len(MARKERS)]}


def _draw_curves(page, scores, among) -> None:
    axes = page.subplots(1, 2, sharey=True)
    for axis, kind in zip(axes, ("unsupervised", "supervised"), strict=True):
        curves = scores.mean_curves(COMPARED_IN[scores.part][kind], among)
        for number, (method, curve) in enumerate(curves.items()):
            width = 2.2 if method in (INFFS_S, INFFS_U) else 1
            axis.plot(scores.sizes, curve, ms=4, lw=width, label=method, **_style(method, number))
        axis.set_xlabel("columns")
        axis.grid(alpha=0.3)
        if curves:
            axis.legend(fontsize=7, frameon=False)
    axes[0].set_ylabel("accuracy")


def _by_data_section(scores, suffix=""):
    """Mean over sizes on each data set."""
    shown, rows = scores.datasets([INFFS_S]), []
    for method in [method for of_kind in SHOWN_IN[scores.part] for method in of_kind]:
        values = [[float(v.mean()) for v in scores.by_split(data, method).values()] for data in shown]
        if any(values):
            rows.append([method, *map(mean_and_error, values)])
    if not rows:
        return None
    return TEXTS.section("by_data", rows, header=["method", *(NAMES[data] for data in shown)], suffix=suffix)


def _ranks_section(scores):
    """Figure 4: average ranks."""
    rows = []
    for kind, methods in COMPARED.items():
        for method, table in sorted(scores.ranks(methods).items(), key=lambda item: float(item[1].mean())):
            at = [f"{mean:.1f} ± {sd:.1f}" for mean, sd in zip(table.mean(0), table.std(0), strict=True)]
            rows.append([method, "yes" if kind == "supervised" else "no", *at, f"{table.mean():.2f}"])
    header = ["method", "sees y", *(f"{size} columns" for size in scores.sizes), "all"]
    figure = TEXTS.figure("inffs-ranks", functools.partial(_draw_ranks, scores=scores))
    return TEXTS.section("ranks", rows, [figure], header=header)


def _draw_ranks(page, scores) -> None:
    axes = page.subplots(1, 2)
    for axis, kind in zip(axes, ("unsupervised", "supervised"), strict=True):
        ranks = scores.ranks(COMPARED[kind])
        for number, (method, table) in enumerate(ranks.items()):
            places = np.arange(len(scores.sizes)) + 0.09 * (number - len(ranks) / 2)
            style = {
                "ms": 5 if method in (INFFS_S, INFFS_U) else 4,
                "lw": 0,
                "elinewidth": 0.7,
                "label": method,
            }
            axis.errorbar(
                places, table.mean(axis=0), yerr=table.std(axis=0), **style, **_style(method, number)
            )
        axis.set_xticks(range(len(scores.sizes)), [str(size) for size in scores.sizes])
        axis.set_xlabel("columns")
        axis.invert_yaxis()
        if ranks:
            axis.legend(fontsize=6.5, frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1))
    axes[0].set_ylabel("average rank (1 the best)")


def _table3_section(scores):
    """What the methods keep by themselves, paper beside both readings."""
    rows, released = [], Scores(scores.results, part="authors")
    for data in scores.datasets([INFFS_S]):
        paper = dict(
            zip(KEPT_BY, zip(TABLE_3[data]["columns"], TABLE_3[data]["accuracy"], strict=True), strict=True)
        )
        graphs = (INFFS_U, FIXED_U, INFFS_S, FIXED_S)
        readings = [(scores, name, name) for name in (*graphs, "LASSO")]
        readings += [(released, name, f"{name}, as released") for name in graphs]
        for of_reading, method, label in readings:
            counts, _ = of_reading.kept(data, method)
            if counts:
                kept = f"{np.mean(counts):.0f} ({min(counts)}-{max(counts)})"
                columns, accuracy = paper.get(method, ("", ""))
                found = of_reading.percent(data, method).plain
                rows.append([NAMES[data], label, columns, kept, accuracy, found])
    return TEXTS.section("table_3", rows) if rows else None


def _weights_section(results):
    """Which weights cross-validation chose."""
    rows = []
    for data in DATASETS:
        records = results.where(part="accuracy", data=data, alpha="cv")
        found = [[r.result[m]["weights"] for r in records if m in r.result] for m in (INFFS_S, INFFS_U)]
        means = [
            ", ".join(f"{w:.2f}" for w in np.mean(weights, axis=0)) if weights else "-" for weights in found
        ]
        if any(found):
            rows.append([NAMES[data], *means])
    return TEXTS.section("weights", rows) if rows else None
