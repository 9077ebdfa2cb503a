"""Draw the figure of each method page into docs/figures: ``python docs/make_figures.py``.

Pairwise methods: the first ten picks on the breast cancer data with the score each had when it was picked,
and the cross-validated accuracy of nearest neighbours on the first 1, 2, ... picks. Rényi: the uncertainty
left after each pick in the two worked examples of the paper. The same files come out each time.
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
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep
from entropick.datasets import make_renyi_figure1, make_renyi_section32

FOLDER = Path(__file__).parent / "figures"
PAIRWISE = ["mim", "mifs", "mrmr", "cife", "jmi", "jmim", "cmim", "disr", "icap"]
N_PICKS = 10
N_BINS = 4
KEPT, LEFT, OTHERS = "#2b6cb0", "#c3c9d1", "#d9dde3"


def main() -> None:
    """Draw all figures."""
    FOLDER.mkdir(exist_ok=True)
    plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    curves = {name: accuracies(name, X, y) for name in PAIRWISE}
    for name in PAIRWISE:
        draw_pairwise(name, X, y, curves)
    draw_renyi()


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
    left.set_xlabel("score when picked, bits" if name != "disr" else "score when picked")
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
        for alpha, label, color in ((1, "α = 1, Shannon", "#b7791f"), (math.inf, "α = ∞, min-entropy", KEPT)):
            steps = ep.RenyiFS(n_picks, alpha=alpha).fit(X, y).selection_.steps
            risks = [bayes_risk(X, y, [step.column for step in steps[:k]]) for k in range(n_picks + 1)]
            axes.plot(range(n_picks + 1), risks, marker="o", markersize=3, color=color, label=label)
        axes.set_xticks(range(n_picks + 1))
        axes.set_xlabel("columns picked")
        axes.set_title(title, loc="left", fontsize=8)
    panels[0].set_ylabel("Bayes risk on the picked columns")
    panels[0].legend(frameon=False)
    save(figure, "renyi")


def bayes_risk(X: np.ndarray, y: np.ndarray, columns: list[int]) -> float:
    """Share of rows that the best rule on some columns gets wrong."""
    if not columns:
        return 1 - float(np.bincount(y).max()) / len(y)
    return 1 - 2 ** -ep.conditional_entropy(y, X[:, columns], alpha=math.inf)


def save(figure, name: str) -> None:
    """Write a figure with few colours, which makes a small file, and without dates or versions."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=110, format="png")
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(colors=48, dither=0).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
