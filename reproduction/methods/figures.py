"""Pictures of the benchmark."""

import numpy as np

from reproduction.methods.protocol import UNSUPERVISED

INK, BLUE, ORANGE = "#222222", "#0072B2", "#D55E00"  # told apart by colour-blind eyes too
ROW = 0.9  # height of a label


def draw_critical_differences(figure, ranking) -> None:
    """Methods on an axis of mean ranks, the best at the left; bars join those that do not differ."""
    axes = figure.subplots()
    n_left = (len(ranking.names) + 1) // 2
    low, high = np.floor(ranking.mean_ranks[0]), np.ceil(ranking.mean_ranks[-1])
    bars = ranking.alike()
    top_of_labels = 1.2 + 0.45 * len(bars)
    for place, (name, rank) in enumerate(zip(ranking.names, ranking.mean_ranks, strict=True)):
        is_left = place < n_left
        row = place if is_left else len(ranking.names) - 1 - place
        _draw_label(
            axes, name, rank, top_of_labels + ROW * row, low - 0.3 if is_left else high + 0.3, is_left
        )
    for row, (first, last) in enumerate(bars):
        ends = [ranking.mean_ranks[first] - 0.05, ranking.mean_ranks[last] + 0.05]
        axes.plot(ends, [0.6 + 0.45 * row] * 2, color=BLUE, linewidth=3, solid_capstyle="butt")
    axes.plot([low, low + ranking.critical_difference], [-2.4, -2.4], color=ORANGE, linewidth=2)
    axes.text(low, -2.6, f"critical difference {ranking.critical_difference:.2f}", color=ORANGE, fontsize=8)
    _make_rank_axis(axes, low, high, top_of_labels + ROW * n_left)


def _draw_label(axes, name, rank, height, edge, is_left) -> None:
    axes.plot([rank, rank, edge], [0, height, height], color=INK, linewidth=0.7)
    text = f"{name}  {rank:.1f}" if is_left else f"{rank:.1f}  {name}"
    color = ORANGE if name in UNSUPERVISED else INK
    axes.text(
        edge, height, f" {text} ", ha="right" if is_left else "left", va="center", fontsize=8, color=color
    )


def _make_rank_axis(axes, low, high, depth) -> None:
    """Ticks above a line at 0; heights grow downwards."""
    width = high - low
    axes.set_xlim(low - 0.32 * width, high + 0.32 * width)
    axes.set_ylim(depth, -3.6)
    axes.plot([low, high], [0, 0], color=INK, linewidth=1)
    for tick in np.arange(low, high + 1, max(1.0, np.ceil(width / 12))):
        axes.plot([tick, tick], [0, -0.25], color=INK, linewidth=1)
        axes.text(tick, -0.4, f"{tick:.0f}", ha="center", va="bottom", fontsize=8)
    axes.text((low + high) / 2, -1.3, "mean rank (1 = best)", ha="center", va="bottom", fontsize=8)
    axes.set_axis_off()


def draw_rank_against_stability(figure, evidence, ranking, stability) -> None:
    """Each method as a point: mean rank against stability, and against time."""
    left, right = figure.subplots(1, 2, sharey=True)
    for name, rank in zip(ranking.names, ranking.mean_ranks, strict=True):
        color = ORANGE if name in UNSUPERVISED else BLUE
        seconds = np.nanmedian([evidence.seconds(dataset, name) for dataset in evidence.datasets])
        for axes, x in ((left, stability[name]), (right, seconds)):
            axes.plot(x, rank, "o", color=color, markersize=4)
            axes.annotate(name, (x, rank), xytext=(3, 2), textcoords="offset points", fontsize=6)
    left.set_xlabel("stability of the first ten columns")
    left.set_ylabel("mean rank (1 = best)")
    left.invert_yaxis()
    right.set_xlabel("processor seconds of a fit (median of the data sets)")
    right.set_xscale("log")
