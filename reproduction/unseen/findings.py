"""What the rule loses on tables it was not made with, and who is ahead of it."""

import numpy as np

from reproduction.texts import need
from reproduction.unseen.protocol import AUTO, NAMES, RIVALS, TEXTS
from reproduction.verdicts import Mean, share, share_text

GOAL, FAR, NEARLY_ALL = 0.012, 0.03, 0.88
AS_GOOD = 0.01  # in score; a smaller deficit than this counts as none
EVERY, CLASSES = "all tables", "classification"


def claims(results):
    """One verdict for each goal."""
    return TEXTS.claims(globals(), results, results)


def cells_of(results, name) -> list[dict]:
    """The results of a table, one per split."""
    return [record.result for record in results.where(table=name)]


def names_of(results, which=EVERY) -> list[str]:
    """Tables that were run, all or those of classes."""
    found = {name: cells_of(results, name) for name in NAMES}
    return [name for name, cells in found.items() if cells and (which == EVERY or cells[0]["is_class"])]


def score(cells, rule) -> float:
    """Mean over splits and estimators of what a rule keeps."""
    return float(np.mean([cell["kept"][rule]["scores"] for cell in cells]))


def best_of_path(cells) -> float:
    """The best point of the mean curve over the splits."""
    n_sizes = min(len(cell["path"]) for cell in cells)
    return float(np.mean([cell["path"][:n_sizes] for cell in cells], axis=(0, 2)).max())


def losses(results, rule=AUTO, which=EVERY) -> dict[str, float]:
    """Losses against the best point of the path of JMI, by table."""
    names = names_of(results, which)
    return {
        name: best_of_path(cells) - score(cells, rule) for name in names if (cells := cells_of(results, name))
    }


def leads(results, rival, which=EVERY) -> list[float]:
    """Lead of the rule over a rival, by table."""
    cells = [cells_of(results, name) for name in names_of(results, which)]
    return [score(one, AUTO) - score(one, rival) for one in cells]


def sizes(results, rule) -> list[float]:
    """Mean numbers of columns that a rule keeps, by table."""
    cells = [cells_of(results, name) for name in names_of(results)]
    return [float(np.mean([cell["kept"][rule]["n"] for cell in one])) for one in cells]


def _mean(values) -> Mean:
    return Mean(list(values), "tables", digits=4)


def little_lost(results):
    found = losses(results)
    need(len(found) > 2)
    worst = sorted(found, key=lambda name: -found[name])[:4]
    empty = [
        name
        for name in names_of(results)
        if any(not cell["kept"][AUTO]["n"] for cell in cells_of(results, name))
    ]
    return {
        "finding": _mean(found.values()).below(GOAL),
        "losses": _mean(found.values()),
        "all_columns": float(np.mean(list(losses(results, "all columns").values()))),
        "largest": {name: found[name] for name in worst},
        "empty": empty,
        "anyway": float(np.mean(list(losses(results, "unsure kept").values()))),
    }


def rarely_far_off(results):
    found = losses(results)
    need(len(found) > 2)
    near = sum(value <= FAR for value in found.values())
    return {"finding": share(near, len(found), NEARLY_ALL), "near": share_text(near, len(found))}


def not_behind(results, rival, which):
    found = leads(results, rival, which)
    need(len(found) > 2)
    return {
        "finding": _mean(found).above(-AS_GOOD),
        "lead": _mean(found),
        "n_ahead": sum(value > 0.005 for value in found),
        "n_behind": sum(value < -0.005 for value in found),
        "n": len(found),
    }


def honest(results):
    """What the sentence says minus the mean test score of the linear model and the neighbours."""
    gaps = []
    for name in names_of(results):
        kept = [cell for cell in cells_of(results, name) if cell["kept"][AUTO]["n"]]
        if kept:
            gaps.append(
                np.mean([max(0, cell["told"]) - np.mean(cell["kept"][AUTO]["scores"][:2]) for cell in kept])
            )
    need(len(gaps) > 2)
    return {"finding": _mean(gaps).below(0.02), "gap": _mean(gaps)}


ALL_RULES = (AUTO, "unsure kept", "ten", *RIVALS)
