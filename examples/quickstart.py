"""Which measurements tell a malignant tumour from a benign one, in what order, and how many?

Run it with ``make demo`` or ``python examples/quickstart.py``. It needs nothing but entropick.
"""

import sys
import textwrap

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import entropick as ep

SIZES = (1, 2, 4, 8)
N_SHOWN = 8  # columns of the selection


def main() -> None:
    """Show a selection from the first look at the data to the check by a classifier."""
    data = load_breast_cancer()
    names, X, y = list(data.feature_names), data.data, data.target
    print(f"entropick {ep.__version__} on the Wisconsin breast cancer data")
    print(f"{len(y)} tumours, {len(names)} measurements of their cell nuclei: malignant or benign?")
    print(f"Knowing the diagnosis takes {ep.entropy(y):.3f} bits per tumour.")

    show_ranking(X, y, names)
    n_kept = show_selection(X, y, names)
    show_accuracy(X, y, n_kept)
    print('\nTry next: your own table, ep.select(table, "target column", cut="auto")')


def show_ranking(X, y, names) -> None:
    """Rank every measurement by its own information."""
    ranking = ep.select(X, y, measure="mim", cut=6)
    print("\n1. Every measurement alone (MIM): bits of information about the diagnosis\n")
    most = ranking.steps[0].score
    for i, step in enumerate(ranking.kept, start=1):
        print(f"   {i}  {names[step.column]:<24}{step.score:.3f}  {bar(step.score / most, 30)}")
    print("\n   Most of these measure size: radius, perimeter, area. A ranking does not notice.")


def show_selection(X, y, names) -> int:
    """Select measurements for what they add, and find how many a model needs."""
    selection = ep.JMI("auto").fit(X, y).selection_
    print("\n2. What each measurement adds to those above it (JMI, the default)\n")
    most = selection.kept[0].gain
    for i, step in enumerate(selection.kept[:N_SHOWN], start=1):
        print(f"   {i}  {names[step.column]:<24}{step.gain:.3f}  {bar(step.gain / most, 30)}")
    print(f"   ... {selection.n_kept} in all")
    print("\n3. How many does a model need?\n")
    print(textwrap.fill(selection.reason, 92, initial_indent="   ", subsequent_indent="   "))
    return selection.n_kept


def show_accuracy(X, y, n_kept: int) -> None:
    """Compare ranking and selection by a classifier that sees only the selected columns."""
    sizes = (*SIZES, n_kept)
    print("\n4. Does it hold? Accuracy of 5 nearest neighbours by number of columns, cross-validated\n")
    print("   " + " " * 6 + "".join(f"{k:>8}" for k in sizes) + f"{'all ' + str(X.shape[1]):>10}")
    everything = accuracy(X, y)
    for selector in (ep.MIM, ep.JMI):
        row = [accuracy(X, y, selector(k)) for k in sizes]
        print(f"   {selector.__name__:<6}" + "".join(f"{a:>8.3f}" for a in row) + f"{everything:>10.3f}")


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
