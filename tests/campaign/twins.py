"""The naive twin of a measure, column by column."""

import naive
from campaign.invariants import BrokenPromiseError
from entropick.registry import MEASURES

CLOSE = 1e-9


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


def check_picks(name, steps, columns, labels):
    """Each pick has its naive score, and no other column has a higher one; constants come last."""
    score_of, picked = twin_of(name, columns, labels), []
    for step in steps:
        left = [j for j in range(len(columns)) if j not in picked]
        scores = {j: score_of(j, picked) for j in left}
        best = max(scores[j] for j in [j for j in left if len(set(columns[j])) > 1] or left)
        if not abs(step.score - scores[step.column]) <= CLOSE or scores[step.column] < best - CLOSE:
            raise BrokenPromiseError(
                f"{name} picks {step.column} of score {step.score}, the naive scores are {scores}"
            )
        picked.append(step.column)
