"""Default score of a target, and its value for guessing, from the whole table."""

import numpy as np

from entropick.table.codes import Target

# With more classes, a sample of 2,000 rows has fewer than ten rows per class: too few to score each class.
MAX_BALANCED_CLASSES = 200


def default_scoring(target: Target) -> str:
    """Name of the scikit-learn score that fits a target.

    R² for real values; accuracy for classes of about equal size, and for hundreds of classes; otherwise
    balanced accuracy, since guessing the largest class already has a high accuracy.
    """
    if target.values is not None:
        return "r2"
    is_balanced = not target.has_even_classes and np.count_nonzero(target.class_sizes) <= MAX_BALANCED_CLASSES
    return "balanced_accuracy" if is_balanced else "accuracy"


def guessing_score(target: Target) -> float:
    """Default score of the best guess without columns: the largest class, or the mean."""
    if default_scoring(target) == "balanced_accuracy":
        return 1 / np.count_nonzero(target.class_sizes)
    return largest_share(target) or 0.0


def largest_share(target: Target) -> float | None:
    """Share of the labelled rows in the largest class; None for real values."""
    sizes = target.class_sizes
    return None if target.values is not None else float(sizes.max() / sizes.sum())
