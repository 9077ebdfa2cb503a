"""What settings gain over scikit-learn's filter, table by table."""

import numpy as np

from reproduction.mixed.protocol import (
    BASELINE,
    HALF_OF,
    N_FIRST,
    SIZE,
    SIZES,
    TEXTS,
    Setting,
    default_setting,
)
from reproduction.texts import need
from reproduction.verdicts import Mean, exact

WIDE = 16  # columns from which the choice of eight matters: they are at most half
FAR = 0.03  # a table on which a setting is this far behind is a disaster
GOAL = 0.005


def claims(results):
    """One verdict for each goal and half."""
    return TEXTS.claims(globals(), results, results, default=str(default_setting()))


def results_of(results, selector, half) -> dict[str, dict]:
    """By table and fold: the results of a setting or a rival."""
    wanted = vars(selector) if isinstance(selector, Setting) else {"rival": selector}
    found: dict[str, dict] = {}
    for record in results.where(**wanted):
        if HALF_OF[table := record.settings["table"]] == half:
            found.setdefault(table, {})[record.settings["fold"]] = record.result
    return found


def scores(results, selector, half, size=SIZE, measure="balanced") -> dict[str, float]:
    """By table: the mean over folds and estimators; tables without the measure are left out."""
    by_fold = _by_fold(results, selector, half, size, measure)
    return {table: float(np.mean(list(folds.values()))) for table, folds in by_fold.items()}


def _by_fold(results, selector, half, size, measure) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for table, folds in results_of(results, selector, half).items():
        for fold, result in folds.items():
            if measure in (score := result["scores"][str(size)]):
                found.setdefault(table, {})[fold] = float(np.mean(score[measure]))
    return found


def leads(results, selector, half, size=SIZE, measure="balanced") -> dict[str, float]:
    """By table: what a setting gains over scikit-learn's filter, on the folds that both were run on."""
    ours, theirs = (_by_fold(results, who, half, size, measure) for who in (selector, BASELINE))
    found = {
        table: [folds[fold] - theirs[table][fold] for fold in folds if fold in theirs.get(table, {})]
        for table, folds in ours.items()
    }
    return {table: float(np.mean(values)) for table, values in found.items() if values}


def of_wide(results, half, found: dict[str, float]) -> dict[str, float]:
    """What was found on tables of many columns."""
    folds = results_of(results, BASELINE, half)
    return {table: value for table, value in found.items() if _any(folds[table])["columns"] >= WIDE}


def _any(folds: dict):
    return next(iter(folds.values()))


def intruders(results, selector, half, kind) -> dict[str, float]:
    """By table: planted columns ("noise") or its own identifiers among the first ten, mean over folds."""
    return {
        table: float(np.mean([len(result[kind]) for result in folds.values()]))
        for table, folds in results_of(results, selector, half).items()
        if all(kind in result for result in folds.values())
    }


def worst_of(found: dict[str, float]) -> str:
    """The table with the lowest value."""
    return min(found, key=lambda name: found[name])


def ahead(results, half):
    found = leads(results, default_setting(), half)
    need(len(found) > 3)
    gain = Mean(list(found.values()), "tables", digits=4)
    plain = Mean(list(scores(results, default_setting(), half).values()), "tables")
    theirs = Mean(list(scores(results, BASELINE, half).values()), "tables")
    return {
        "finding": gain.above(GOAL),
        "gain": gain,
        "wide": Mean(list(of_wide(results, half, found).values()), "tables", digits=4),
        "few": [
            Mean(list(leads(results, default_setting(), half, size).values()), "tables", digits=4)
            for size in SIZES[:2]
        ],
        "score": plain.mean,
        "theirs": theirs.mean,
        "goal": GOAL,
    }


def ahead_on_average(results, halves, **_):
    """The same with the lead averaged over all numbers of columns, table by table."""
    found: dict[str, list[float]] = {}
    for half in halves:
        for size in SIZES:
            for table, lead in leads(results, default_setting(), half, size).items():
                found.setdefault(table, []).append(lead)
    gains = [float(np.mean(of_sizes)) for of_sizes in found.values() if len(of_sizes) == len(SIZES)]
    need(len(gains) > 3, len({HALF_OF[table] for table in found}) == len(halves))
    gain = Mean(gains, "tables", digits=4)
    return {"finding": gain.above(GOAL), "gain": gain, "goal": GOAL, "sizes": list(SIZES)}


def no_disaster(results, half):
    found = leads(results, default_setting(), half)
    need(len(found) > 3)
    worst = worst_of(found)
    behind = sum(value < -FAR for value in found.values())
    return {
        "finding": exact(behind == 0),
        "worst": {worst: found[worst]},
        "behind": behind,
        "n": len(found),
        "far": FAR,
    }


def less_noise(results, half):
    ours = intruders(results, default_setting(), half, "noise")
    theirs = intruders(results, BASELINE, half, "noise")
    need(len(ours) > 3, len(theirs) > 3)
    fewer = Mean([theirs[name] - ours[name] for name in ours if name in theirs], "tables", digits=2)
    return {
        "finding": fewer.above(),
        "ours_mean": np.mean(list(ours.values())),
        "theirs_mean": np.mean(list(theirs.values())),
        "fewer": fewer,
        "first": N_FIRST,
    }
