"""The naive twin of a measure, column by column."""

import naive
from entropick.registry import MEASURES


def twin_of(name, columns, labels):
    """The naive score of a column given those picked before it, or None where there is no such twin."""
    if name == "renyi":
        alpha = MEASURES[name]().alpha
        return lambda j, picked: naive.renyi_gain(columns[j], [columns[s] for s in picked], labels, alpha)
    try:
        naive.score(name, [0], [[0]], [0])
    except ValueError:
        return None
    return lambda j, picked: naive.score(name, columns[j], [columns[s] for s in picked], labels)
