"""Which measurements tell a malignant tumour from a benign one, in what order, and how many are needed?

Run it with ``make demo`` or ``python examples/quickstart.py``. It needs nothing but entropick.
"""

import sys

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep

SIZES = (1, 2, 3, 5, 8, 16)


def main() -> None:
    """Show a selection from the first look at the data to the check by a classifier."""
    data = load_breast_cancer()
    names, X, y = list(data.feature_names), data.data, data.target
    uncertainty = ep.entropy(y)
    print(f"entropick {ep.__version__} on the Wisconsin breast cancer data")
    print(f"{len(y)} tumours, {len(names)} measurements of their cell nuclei: malignant or benign?")
    print(f"Before any measurement the diagnosis holds {uncertainty:.3f} bits of uncertainty.")

    show_ranking(X, y, names)
    n_kept = show_selection(X, y, names, uncertainty)
    show_accuracy(X, y, n_kept)
    print("\nTry next: your own table, ep.select(table, target, measure='cmim', cut='auto')")


def show_ranking(X, y, names) -> None:
    """Rank every measurement by its own information."""
    ranking = ep.select(X, y, measure="mim", cut=6)
    print("\n1. Every measurement alone (MIM): bits of information about the diagnosis\n")
    most = ranking.steps[0].score
    for i, step in enumerate(ranking.kept, start=1):
        print(f"   {i}  {names[step.column]:<24}{step.score:.3f}  {bar(step.score / most, 30)}")
    print("\n   Most of these measure size: radius, perimeter, area. A ranking does not notice.")


def show_selection(X, y, names, uncertainty: float) -> int:
    """Select measurements that add something new, and say how many a model needs."""
    judged = ep.select(X, y, measure="cmim", cut="auto")
    tested = ep.select(X, y, measure="cmim", cut="permutation", random_state=0)
    followed = ep.select(X, y, measure="cmim", cut="residual")
    print("\n2. Measurements that each add something new (CMIM), and the remaining uncertainty\n")
    print(f"      {'':<24}{'new':>5}  {'':<16}{'left':>5}  {'':<16}{'by chance?':>10}")
    most = followed.steps[0].score
    for i, step in enumerate(followed.steps[: len(tested.steps) + 2]):
        p_value = f"p = {tested.steps[i].p_value:.2f}" if i < len(tested.steps) else ""
        verdict = "   <- the last that is hardly chance" if i + 1 == tested.n_kept else ""
        line = (
            f"   {i + 1}  {names[step.column]:<24}"
            f"{step.score:>5.3f}  {bar(step.score / most, 14):<16}"
            f"{step.residual:>5.3f}  {bar(step.residual / uncertainty, 14):<16}"
            f"{p_value:>10}{verdict}"
        )
        print(line.rstrip())
    print("\n3. How many are needed?\n")
    print(f"   auto         {judged.n_kept:>2}  predict other tumours about as well as any number")
    print("   Other questions have other answers:")
    print(f"   permutation  {tested.n_kept:>2}  are hardly chance, the next may be")
    print(f"   residual     {followed.n_kept:>2}  explain these tumours as well as all {len(names)}")
    return judged.n_kept


def show_accuracy(X, y, n_kept: int) -> None:
    """Compare two methods by a classifier that sees only the selected columns."""
    print("\n4. Does it hold? Accuracy of 5 nearest neighbours by number of columns, cross-validated\n")
    print("   " + " " * 6 + "".join(f"{k:>8}" for k in SIZES) + f"{'all ' + str(X.shape[1]):>10}")
    everything = accuracy(X, y)
    for selector in (ep.MIM, ep.CMIM):
        row = [accuracy(X, y, selector(k)) for k in SIZES]
        print(f"   {selector.__name__:<6}" + "".join(f"{a:>8.3f}" for a in row) + f"{everything:>10.3f}")
    reached = accuracy(X, y, ep.CMIM(n_kept))
    print(f"\n   With {n_kept} columns the accuracy is {reached:.3f}, with all of them {everything:.3f}.")


def accuracy(X, y, *selector) -> float:
    """Cross-validated accuracy; the selection sees the training rows only."""
    model = make_pipeline(*selector, StandardScaler(), KNeighborsClassifier())
    return float(cross_val_score(model, X, y).mean())


def bar(share: float, width: int) -> str:
    """A bar of text; plain characters if the terminal has no others."""
    sign = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#"
    return sign * round(min(max(share, 0.0), 1.0) * width)


if __name__ == "__main__":
    main()
