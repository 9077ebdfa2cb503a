"""Draw the figure of each method page into docs/figures: ``python docs/make_figures.py``.

Pairwise methods: the first ten picks on the breast cancer data with the score each had when it was picked,
and the cross-validated accuracy of nearest neighbours on the first 1, 2, ... picks. Rényi: the uncertainty
left after each pick in the two worked examples of the paper. SNEFS, NEFS and ReliefF: HYPERSPHERES, two
squares of Fig. 1 of the paper, and an exclusive or. Bayesian entropy: fronts on LED-24. Cross-entropy: the
probabilities of all columns over the rounds. Held out: what n_features="auto" goes by. The same files come
out each time.
"""

import io
import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.datasets import (
    make_hyperspheres,
    make_led24,
    make_nefs_figure1,
    make_renyi_figure1,
    make_renyi_section32,
)

FOLDER = Path(__file__).parent / "figures"
PAIRWISE = ["mim", "mifs", "mrmr", "cife", "jmi", "jmim", "cmim", "disr", "icap"]
FURTHER = ["miq", "njmim", "jmi3"]  # not shown beside the others
RATIOS = {"disr", "miq", "njmim"}  # scores that are no bits
N_PICKS = 10
N_BINS = 4
KEPT, LEFT, OTHERS = "#2b6cb0", "#c3c9d1", "#d9dde3"
SECOND = "#b7791f"
BALLS = {5, 9, 19, 21, 43, 52, 86}  # the columns of HYPERSPHERES that matter


def main() -> None:
    """Draw all figures."""
    FOLDER.mkdir(exist_ok=True)
    plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    curves = {name: accuracies(name, X, y) for name in PAIRWISE}
    for name in PAIRWISE:
        draw_pairwise(name, X, y, curves)
    for name in FURTHER:
        draw_pairwise(name, X, y, {**curves, name: accuracies(name, X, y)})
    draw_renyi()
    draw_snefs()
    draw_nefs()
    draw_relieff()
    draw_bayesian()
    draw_cross_entropy()
    draw_held_out(X, y)


def accuracies(name: str, X, y) -> np.ndarray:
    """Accuracy of 5 nearest neighbours for each number of picks; the selection sees training rows only."""
    scores = []
    for k in range(1, N_PICKS + 1):
        selector = ep.FeatureSelector(name, cut=k, n_bins=N_BINS)
        model = make_pipeline(selector, StandardScaler(), KNeighborsClassifier())
        scores.append(cross_val_score(model, X, y).mean())
    return np.array(scores)


def draw_pairwise(name: str, X, y, curves: dict[str, np.ndarray]) -> None:
    """Scores of the first picks, and what the picks are worth to a classifier."""
    path = ep.select(X, y, measure=name, cut=N_PICKS, n_bins=N_BINS)
    enough = ep.select(X, y, measure=name, cut="permutation", n_bins=N_BINS, random_state=0)
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.5), layout="constrained", width_ratios=[3, 2])
    path.keep(enough.n_kept).plot(ax=left)
    for i, patch in enumerate(left.patches):
        patch.set_color(KEPT if i < enough.n_kept else LEFT)
    if not path.shows_gains:
        left.set_xlabel("score when picked" if name in RATIOS else "score when picked, bits")
    left.set_title(f"{name}: first {N_PICKS} picks, kept ones blue", loc="left", fontsize=8)

    picks = np.arange(1, N_PICKS + 1)
    for other, curve in curves.items():
        if other != name:
            right.plot(picks, curve, color=OTHERS, linewidth=1)
    right.plot(picks, curves[name], color=KEPT, marker="o", markersize=3)
    right.set_xticks(picks[1::2])
    right.set_ylim(0.87, 0.98)
    right.set_xlabel("picks")
    right.set_title("accuracy of 5 neighbours", loc="left", fontsize=8)
    save(figure, name)


def draw_renyi() -> None:
    """Uncertainty left after each pick, by Shannon's entropy and by min-entropy."""
    examples = [
        ("Fig. 1 of the paper: 10 classes, 6 columns", *make_renyi_figure1(), 6),
        ("Section 3.2: 32 classes, 8 columns", *make_renyi_section32(), 4),
    ]
    figure, panels = plt.subplots(1, 2, figsize=(6.8, 2.5), layout="constrained")
    for axes, (title, X, y, n_picks) in zip(panels, examples, strict=True):
        for alpha, label, color in ((1, "α = 1, Shannon", SECOND), (math.inf, "α = ∞, min-entropy", KEPT)):
            steps = ep.RenyiFS(n_picks, alpha=alpha, target="class").fit(X, y).selection_.steps
            risks = [bayes_risk(X, y, [step.column for step in steps[:k]]) for k in range(n_picks + 1)]
            axes.plot(range(n_picks + 1), risks, marker="o", markersize=3, color=color, label=label)
        axes.set_xticks(range(n_picks + 1))
        axes.set_xlabel("columns picked")
        axes.set_title(title, loc="left", fontsize=8)
    panels[0].set_ylabel("Bayes risk on the selected columns")
    panels[0].legend(frameon=False)
    save(figure, "renyi")


def bayes_risk(X: np.ndarray, y: np.ndarray, columns: list[int]) -> float:
    """Share of rows that the best rule on some columns gets wrong."""
    if not columns:
        return 1 - float(np.bincount(y).max()) / len(y)
    return 1 - 2 ** -ep.conditional_entropy(y, X[:, columns], alpha=math.inf)


def draw_snefs() -> None:
    """Picks on HYPERSPHERES, and how many of the columns that matter are among the first ones."""
    X, y = make_hyperspheres(random_state=0)
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.5), layout="constrained", width_ratios=[3, 2])
    path = ep.SNEFS(N_PICKS, random_state=0, n_jobs=-1).fit(X, y).selection_
    path.plot(ax=left)
    for step, patch in zip(path.steps, left.patches, strict=True):
        patch.set_color(KEPT if step.column in BALLS else LEFT)
    left.set_xlabel("score when picked, bits")
    left.set_title(f"snefs: first {N_PICKS} picks, columns that matter blue", loc="left", fontsize=8)

    orders = {
        "SNEFS": (path.order, KEPT, "-"),
        "MIM": (ep.MIM(N_PICKS).fit(X, y).order_, SECOND, "--"),
        "ReliefF": (ep.ReliefF(N_PICKS, n_jobs=-1).fit(X, y).order_, "#718096", ":"),
    }
    picks = np.arange(1, N_PICKS + 1)
    for name, (order, color, style) in orders.items():
        found = np.cumsum([column in BALLS for column in order])
        right.plot(picks, found, style, color=color, label=name)
    right.set_xticks(picks[1::2])
    right.set_yticks(range(8))
    right.set_xlabel("picks")
    right.set_title("found of the 7 that matter", loc="left", fontsize=8)
    right.legend(frameon=False)
    save(figure, "snefs")


def draw_nefs() -> None:
    """Two squares of the paper's Fig. 1 with their neighborhood entropy."""
    figure, panels = plt.subplots(1, 2, figsize=(5.0, 2.6), layout="constrained")
    for axes, kind in zip(panels, ("random", "corner"), strict=True):
        X, y = make_nefs_figure1(kind, random_state=0)
        for label, color in ((0, LEFT), (1, KEPT)):
            axes.scatter(*X[y == label].T, s=14, color=color)
        left = ep.neighborhood_entropy(y, X, random_state=0)
        axes.set_title(f"{kind}: {left:.2f} of {ep.entropy(y):.2f} bits", loc="left", fontsize=8)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_aspect("equal")
    save(figure, "nefs")


def draw_relieff() -> None:
    """An exclusive or of two columns: weights of ReliefF and mutual information."""
    X = np.random.default_rng(0).random((400, 8))
    y = (X[:, 3] > 0.5) ^ (X[:, 6] > 0.5)
    figure, panels = plt.subplots(1, 2, figsize=(6.8, 2.3), layout="constrained")
    for axes, selector in zip(panels, (ep.ReliefF(1.0), ep.MIM(1.0)), strict=True):
        scores = selector.fit(X, y).scores_
        axes.bar(range(8), scores, color=[KEPT if j in (3, 6) else LEFT for j in range(8)])
        axes.set_xticks(range(8), [f"x{j}" for j in range(8)])
        axes.axhline(0, color="black", linewidth=0.5)
    panels[0].set_title("relieff: weight", loc="left", fontsize=8)
    panels[1].set_title("mim: mutual information with y, bits", loc="left", fontsize=8)
    save(figure, "relieff")


def draw_bayesian() -> None:
    """Fronts on LED-24 by three priors, and what their subsets are worth to a classifier."""
    X, y = make_led24(random_state=0)
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.6), layout="constrained")
    settings = [
        ("dependent, α = 1", {}, KEPT),
        ("independent, α = 0.01", {"alpha": 0.01, "domain": "independent"}, SECOND),
        ("independent, α = 1", {"domain": "independent"}, "#718096"),
    ]
    for label, prior, color in settings:
        front = ep.BayesianEntropyFS(**prior, random_state=0, n_jobs=-1).fit(X, y).front_
        knee, (x, height) = front.knee(), front.objectives.T
        left.plot(x, height, ".-", color=color, linewidth=0.7, markersize=3, label=label)
        left.plot(x[knee], height[knee], "o", color=color, markersize=6)
        scores = [cross_val_score(BernoulliNB(), X[:, subset], y).mean() for subset in front.subsets]
        right.plot(front.sizes, scores, ".", color=color, markersize=4)
        right.plot(front.sizes[knee], scores[knee], "o", color=color, markersize=6)
    left.set_xlabel("H_B(y|S), bits")
    left.set_ylabel("H_B(S), bits")
    left.set_title("bayesian: fronts on LED-24", loc="left", fontsize=8)
    left.legend(frameon=False)
    right.set_xlabel("columns of the subset")
    right.set_title("accuracy of naive Bayes", loc="left", fontsize=8)
    save(figure, "bayesian")


def draw_cross_entropy() -> None:
    """Probabilities of all columns over the rounds, and the size of the elite's subsets."""
    X, y = load_breast_cancer(return_X_y=True)
    fitted = ep.CrossEntropyFS(n_bins=5, random_state=0, n_jobs=-1).fit(X, y)
    rounds = range(len(fitted.history_) + 1)
    start = np.full(X.shape[1], 0.5)
    probabilities = np.array([start, *(draw.probabilities for draw in fitted.history_)])
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.5), layout="constrained", width_ratios=[3, 2])
    for column in np.argsort(fitted.get_support()):
        color = KEPT if fitted.get_support()[column] else LEFT
        left.plot(rounds, probabilities[:, column], color=color, linewidth=1)
    left.axhline(fitted.zeta, color="black", linewidth=0.5, linestyle=":")
    left.set_xlabel("round")
    left.set_title("cross-entropy: probability of each column", loc="left", fontsize=8)
    right.plot(rounds[1:], [draw.elite_size for draw in fitted.history_], color=KEPT)
    right.set_ylim(0, None)
    right.set_xlabel("round")
    right.set_title("mean size of the elite's subsets", loc="left", fontsize=8)
    save(figure, "cross_entropy")


def draw_held_out(X, y) -> None:
    """What decides how many columns are kept: scores and losses on rows held out."""
    found = ep.JMI("auto").fit(X, y).selection_.evidence
    figure, (left, right) = plt.subplots(1, 2, figsize=(6.8, 2.5), layout="constrained")
    for (name, scores), color in zip(found.by_model.items(), (SECOND, "#718096"), strict=True):
        left.plot(found.sizes[1:], scores[1:], color=color, linewidth=1, label=name)
    left.plot(found.sizes[1:], found.scores[1:], color=KEPT, marker="o", markersize=3, label="mean")
    left.set_title(f"{found.scoring} on rows held out", loc="left", fontsize=8)
    losses, errors = np.array(found.losses[1:]), np.array(found.errors[1:])
    right.errorbar(found.sizes[1:], losses, errors, color=KEPT, marker="o", markersize=3, capsize=2)
    right.axhline(losses.min(), color="black", linewidth=0.5, linestyle=":")
    right.set_title("loss, ± one standard error to the least", loc="left", fontsize=8)
    for axes in (left, right):
        axes.axvline(found.n_chosen, color=LEFT, linewidth=4, zorder=0)
        axes.set_xscale("log", base=2)
        axes.set_xticks(found.sizes[1:], [str(size) for size in found.sizes[1:]])
        axes.set_xlabel("columns of JMI; the number kept is grey")
    left.legend(frameon=False)
    save(figure, "held_out")


def save(figure, name: str) -> None:
    """Write a figure with few colours, which makes a small file, and without dates or versions."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=110, format="png")
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(colors=48, dither=0).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
