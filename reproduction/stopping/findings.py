"""What the rules keep and lose, by method and data set."""

import numpy as np

from reproduction.stopping.protocol import DATASETS, HALF_OF, LEADER, METHODS, N_SPLITS, TEXTS
from reproduction.texts import need
from reproduction.verdicts import Mean, all_of, share, share_text

MAX_LOST, FAR_OFF, NEARLY_ALL = 0.01, 0.03, 0.9
AS_GOOD = 0.01  # in score; a smaller deficit than this counts as none
MAX_TIMES, SHORT = 5, 2.0  # maximal cost of the rule, in selections of 50 columns or in seconds
NOTHING_KEPT = 0.95
AUTO, TEN, OWN = "auto", "ten", "own"  # rules of the library
BOTH = "both"  # halves of the data sets


def claims(results):
    """One verdict for each goal."""
    return TEXTS.claims(globals(), results, results)


# -- what came out -------------------------------------------------------------------------------


def paths(results, dataset, method):
    """The results of a method on a data set, one per split."""
    return [record.result["methods"][method] for record in results.where(part="paths", dataset=dataset)]


def curves(found) -> np.ndarray:
    """Scores by split and size, in the mean of the estimators."""
    n_sizes = min(len(one["scores"]) for one in found)
    return np.mean([one["scores"][:n_sizes] for one in found], axis=2)


def best_of_path(found) -> float:
    """The best point of the mean curve over the splits, in the mean of the estimators."""
    return float(curves(found).mean(axis=0).max())


def best_elsewhere(found) -> float:
    """The mean score of each split with the number of columns that is best on the other splits."""
    scores = curves(found)
    others = scores.sum(axis=0) - scores
    return float(np.take_along_axis(scores, others.argmax(axis=1)[:, None], axis=1).mean())


def loss(results, dataset, method, rule, best=best_of_path) -> float | None:
    """What a rule loses against the best point of the method's path; None where it was not run."""
    found = [one for one in paths(results, dataset, method) if rule in one]
    if not found:
        return None
    return best(found) - float(np.mean([one[rule]["scores"] for one in found]))


def mean_loss(results, dataset, rule=AUTO, best=best_of_path) -> float | None:
    """The loss in the mean of the methods that have the rule."""
    found = [loss(results, dataset, method, rule, best) for method in METHODS]
    known = [value for value in found if value is not None]
    return float(np.mean(known)) if known else None


def losses(results, half=BOTH, rule=AUTO, best=best_of_path) -> dict[str, float]:
    """Losses by data set."""
    found = {name: mean_loss(results, name, rule, best) for name in DATASETS if half in (BOTH, HALF_OF[name])}
    return {name: value for name, value in found.items() if value is not None}


def with_errors(results, half, n_errors) -> list[tuple[float, float]]:
    """Loss and mean number of columns of the leading method, by data set, with other standard errors."""
    found = []
    for dataset in DATASETS:
        cells = paths(results, dataset, LEADER) if HALF_OF[dataset] == half else []
        if cells:
            kept_then = [
                cell[AUTO] if n_errors is None else cell["by_errors"][str(n_errors)] for cell in cells
            ]
            scores, sizes = ([one[key] for one in kept_then] for key in ("scores", "n"))
            found.append((best_of_path(cells) - float(np.mean(scores)), float(np.mean(sizes))))
    return found


def kept(results, dataset, rule=AUTO, methods=METHODS) -> list[int]:
    """How many columns a rule keeps, in each split and by each method."""
    return [one[rule]["n"] for method in methods for one in paths(results, dataset, method) if rule in one]


def rival_results(results, dataset, rival):
    """What was found on a data set in the splits in which a rival was run."""
    found = []
    for record in results.where(part="paths", dataset=dataset):
        apart = results.where(part=rival, dataset=dataset, split=record.settings["split"])
        theirs = apart[0].result if apart else record.result["rivals"].get(rival)
        if theirs is not None:
            found.append(record.result | {"rivals": {rival: theirs}})
    return found


def lead_over(results, rival, method=LEADER) -> dict[str, tuple[float, float, float]]:
    """By data set: lead of the rule in score, and how many columns the rule and the rival keep."""
    found: dict[str, tuple[float, float, float]] = {}
    for dataset in DATASETS:
        cells = rival_results(results, dataset, rival)
        if cells:
            ours = [cell["methods"][method][AUTO] for cell in cells]
            theirs = [cell["rivals"][rival] for cell in cells]
            means = [float(np.mean([one["scores"] for one in side])) for side in (ours, theirs)]
            sizes = [float(np.mean([one["n"] for one in side])) for side in (ours, theirs)]
            found[dataset] = (means[0] - means[1], sizes[0], sizes[1])
    return found


def lead_with_as_many(results, rival) -> dict[str, float]:
    """By data set: lead of the first columns of the leading method, as many as the rival keeps."""
    found: dict[str, float] = {}
    for dataset in DATASETS:
        theirs = [cell["rivals"][rival] for cell in rival_results(results, dataset, rival)]
        if theirs:
            means = [np.mean([one[key] for one in theirs]) for key in ("same_number", "scores")]
            found[dataset] = float(means[0] - means[1])
    return found


def noise_tables(results):
    """All tables of noise: shape, kind of target, columns kept."""
    return [table for record in results.where(part="noise") for table in record.result]


def costs(results):
    """Method, processor seconds of the rule and of the selection of 50 columns, of every fit."""
    return [
        (method, found[AUTO]["seconds"], found["seconds"])
        for record in results.where(part="paths")
        for method, found in record.result["methods"].items()
    ]


def is_affordable(rule_seconds, seconds) -> bool:
    return rule_seconds <= max(MAX_TIMES * seconds, SHORT)


# -- what decides the goals ----------------------------------------------------------------------


def _over_datasets(values, digits=4) -> Mean:
    return Mean(list(values), "data sets", digits=digits)


def little_lost(results, half):
    found = _over_datasets(losses(results, half).values())
    need(len(found.values) > 1)
    others = {rule: float(np.mean(list(losses(results, half, rule).values()))) for rule in (TEN, OWN)}
    return {
        "finding": found.below(MAX_LOST),
        "losses": found,
        "elsewhere": _over_datasets(losses(results, half, best=best_elsewhere).values()),
        **others,
        **_where(results, half),
    }


def _where(results, half):
    """Where most is lost, where nothing was kept, and how much of the experiment was run."""
    found = losses(results, half)
    worst = sorted(found, key=lambda name: -found[name])[:3]
    splits = {record.settings["split"] for record in results.where(part="paths")}
    return {
        "largest": {name: found[name] for name in worst},
        "empty": [name for name in found if 0 in kept(results, name)],
        "n_splits": len(splits),
        "all_splits": N_SPLITS,
    }


def rarely_far_off(results, half):
    found = losses(results, half)
    need(len(found) > 1)
    far = {name: value for name, value in found.items() if value > FAR_OFF}
    return {
        "finding": share(len(found) - len(far), len(found), NEARLY_ALL),
        "near": share_text(len(found) - len(far), len(found)),
        "far": far,
        **_where(results, half),
    }


def not_behind(results, rival):
    found = lead_over(results, rival)
    need(len(found) > 2)
    leads, ours, theirs = (np.array(column) for column in zip(*found.values(), strict=True))
    lead, fewer = _over_datasets(leads), _over_datasets(theirs - ours, 1)
    return {
        "finding": all_of([lead.above(-AS_GOOD), fewer.above()]),
        "lead": lead,
        "fewer": fewer,
        "n_ahead": int((leads > 0).sum()),
        "n": len(leads),
        "ours_median": float(np.median(ours)),
        "theirs_median": float(np.median(theirs)),
    }


def level_with_as_many(results, rival):
    lead = _over_datasets(lead_with_as_many(results, rival).values())
    need(len(lead.values) > 2)
    n_ahead = sum(value > 0 for value in lead.values)
    return {"finding": lead.above(-AS_GOOD), "lead": lead, "n_ahead": n_ahead, "n": len(lead.values)}


def nothing_in_noise(results):
    tables = noise_tables(results)
    need(len(tables) >= 20)
    n_empty = sum(table["kept"] == 0 for table in tables)
    return {
        "finding": share(n_empty, len(tables), NOTHING_KEPT),
        "empty": share_text(n_empty, len(tables)),
    }


def affordable(results):
    found = costs(results)
    need(found)
    dear: dict[str, int] = {}
    for method, rule_seconds, seconds in found:
        if not is_affordable(rule_seconds, seconds):
            dear[method] = dear.get(method, 0) + 1
    slowest = max(found, key=lambda one: one[1])
    return {
        "holds": not dear, "n": len(found), "n_dear": sum(dear.values()), "dear": dear,
        "slowest": slowest[0], "longest": slowest[1],
        "median": float(np.median([rule_seconds for _, rule_seconds, _ in found])),
    }  # fmt: skip
