"""What is asked of the benchmark, and what decides the answers."""

import numpy as np
from scipy import stats

from reproduction.methods.evidence import COMPARED, EVERYWHERE, FEW_DATASETS, Evidence, choose_default
from reproduction.methods.protocol import (
    DEFAULT,
    INTERACTIONS,
    RANDOM,
    SUBSET_METHODS,
    TEXTS,
    UNSUPERVISED,
    VARIANTS,
    WIDE,
    sizes_below,
)
from reproduction.methods.statistics import difference
from reproduction.texts import need
from reproduction.verdicts import LEVEL, Finding, all_of

AUTO_LEVELS, CORRECTED = "JMI, auto levels", "JMI, corrected"
LEVELS_NAMED = {DEFAULT: "10 levels", **{name: name.removeprefix("JMI, ") for name in VARIANTS}}
BROWN_CRITERIA = ("MIM", "MIFS", "MRMR", "CMIM", "JMI", "DISR", "ICAP", "CIFE")
MANY_CLASSES = 5
FEW_OF_KIND = 4  # with fewer the error of a mean difference means little
MISLED_ON = "splice"  # where searches over subsets end with columns that tell little
AS_GOOD = 0.01  # accuracy; a smaller loss than this counts as none


def claims(results):
    """The verdicts; a question that finds too few data sets cannot be checked."""
    evidence = Evidence(results)
    done = f"{len(evidence.datasets)} data sets are done, {len(results.records)} of {results.n_cells} cells"
    return TEXTS.claims(globals(), evidence, results, state="; ".join([done, *results.missing.values()]))


# -- the default -----------------------------------------------------------------------------


def default_stays(evidence):
    choice = choose_default(evidence)
    need(choice is not None)
    places = [
        f"{name} place {choice.choosing.place_of(name)} (mean rank {choice.choosing.rank_of(name):.2f}) on "
        f"the choosing half, place {choice.confirming.place_of(name)} "
        f"({choice.confirming.rank_of(name):.2f}) on the confirming half"
        for name in dict.fromkeys((choice.candidate, DEFAULT))
    ]
    group, is_same = choice.confirming.best_group(), choice.candidate == DEFAULT
    return {
        "holds": choice.default == DEFAULT and DEFAULT in group,
        "places": "; ".join(places),
        "group": group,
        "choice": choice,
        "same": {} if is_same else None,
        "other": None if is_same else {},
    }


def levels_stay(evidence):
    """The same rule for the number of levels, of which the usual ten are the plain method."""
    tried = {name: evidence.with_method(name) for name in (DEFAULT, *VARIANTS) if name != CORRECTED}
    known = [name for name in evidence.datasets if all(name in run for run in tried.values())]
    halves = evidence.halves(known)
    need(min(map(len, halves)) >= FEW_DATASETS)
    choosing, confirming = (
        {LEVELS_NAMED[name]: float(evidence.accuracies(name, half).mean()) for name in tried}
        for half in halves
    )
    candidate = max(tried, key=lambda name: choosing[LEVELS_NAMED[name]])
    gain = evidence.gain(candidate, AUTO_LEVELS, halves[1])
    return {
        "holds": candidate == AUTO_LEVELS or not gain.is_ahead,
        "choosing": choosing,
        "confirming": confirming,
        "n": [len(half) for half in halves],
        "same": {} if candidate == AUTO_LEVELS else None,
        "other": None if candidate == AUTO_LEVELS else {"candidate": candidate, "gain": gain},
    }


def _full_ranking(evidence, methods=EVERYWHERE):
    need(evidence.enough)
    return evidence.ranking(methods, evidence.datasets)


def default_in_best_group(evidence):
    ranking = _full_ranking(evidence)
    group, n = ranking.best_group(), len(ranking.names)
    place = {"rank": ranking.rank_of(DEFAULT), "place": ranking.place_of(DEFAULT)}
    return {"holds": DEFAULT in group, "ranking": ranking, "group": group, "n": n, **place}


def best_tradeoff(evidence):
    """Nobody is both more accurate and more stable."""
    ranking = _full_ranking(evidence, BROWN_CRITERIA)
    stability = {name: evidence.mean_stability(name) for name in BROWN_CRITERIA}
    need(np.isfinite(list(stability.values())).all())
    ahead = [
        name
        for name in BROWN_CRITERIA
        if ranking.rank_of(name) < ranking.rank_of("JMI") and stability[name] > stability["JMI"]
    ]
    listed = [f"{name} {ranking.rank_of(name):.2f} / {stability[name]:.2f}" for name in ranking.names]
    return {"holds": not ahead, "ahead": ahead, "listed": listed}


def unscaled_sums_lose(evidence):
    return _all_ahead(evidence, [("JMI", "MIFS"), ("JMI", "CIFE")])


# -- the methods among each other ------------------------------------------------------------


def methods_differ(evidence):
    ranking = _full_ranking(evidence)
    return {"finding": Finding(ranking.p_value, 1.0), "ranking": ranking, "n": len(ranking.names)}


def supervised_beat_random(evidence):
    found = _all_ahead(evidence, [(name, RANDOM) for name in COMPARED if name not in UNSUPERVISED])
    small = evidence.with_all_methods()
    parts = [f"{name} − {RANDOM} {evidence.gain(name, RANDOM, small)}" for name in SUBSET_METHODS if small]
    size, accuracy = evidence.own_rule(MISLED_ON, "CrossEntropyFS")
    return {
        **found,
        "small": {"n": len(small), "differences": "; ".join(parts)} if small else None,
        "misled_on": MISLED_ON.upper(),
        "misled": {"size": size, "accuracy": accuracy},
        "default": evidence.accuracy(MISLED_ON, DEFAULT, size=10)
        if MISLED_ON in evidence.datasets
        else np.nan,
    }


def _all_ahead(evidence, pairs):
    """Whether the first of each pair is ahead of the second."""
    found = {pair: evidence.gain(*pair) for pair in pairs if evidence.datasets}
    judged = {pair: gain for pair, gain in found.items() if gain.n_datasets >= FEW_DATASETS}
    need(judged)
    others = [
        f"{one} − {other} ({gain})" for (one, other), gain in judged.items() if gain.above().p_for >= LEVEL
    ]
    too_few = [pair[0] for pair in pairs if pair not in judged]
    return {
        "finding": all_of(gain.above() for gain in judged.values()),
        "n_ahead": len(judged) - len(others),
        "n": len(judged),
        "differences": "; ".join(
            f"{one} − {other} {gain.with_interval}" for (one, other), gain in judged.items()
        ),
        "all": None if others else {},
        "others": {"pairs": "; ".join(others)} if others else None,
        "short": {"names": too_few} if too_few else None,
    }


def supervised_beat_unsupervised(evidence):
    need(evidence.enough)
    blind = [name for name in EVERYWHERE if name in UNSUPERVISED]
    seeing = [name for name in EVERYWHERE if name not in UNSUPERVISED]
    found = evidence.gain(seeing, blind)
    best = max(blind, key=lambda name: float(evidence.accuracies(name).mean()))
    words = {
        "n_seeing": len(seeing),
        "n_blind": len(blind),
        "best": best,
        "least": evidence.gain(seeing, best),
    }
    return {"finding": found.above(), "found": found, **words}


def univariate_enough_for_wide(evidence):
    wide = evidence.of_kind(WIDE)
    need(len(wide) >= FEW_OF_KIND)
    gains = {rival: evidence.gain("MIM", rival, wide) for rival in ("JMI", "MRMR", "CMIM")}
    shown = "; ".join(f"{rival} {gain.with_interval}" for rival, gain in gains.items())
    return {
        "finding": all_of(gain.above(-AS_GOOD) for gain in gains.values()),
        "differences": shown,
        "n": len(wide),
    }


def fewer_levels_for_wide(evidence):
    few, names = "JMI, 3 levels", {name: evidence.with_method(name) for name in VARIANTS}
    wide = [name for name in evidence.of_kind(WIDE) if name in names[few]]
    others = [name for name in names[few] if name not in wide]
    need(len(wide) >= FEW_OF_KIND)
    found = evidence.gain(few, "JMI", wide)
    rest = [f"{evidence.gain(few, 'JMI', others)} on the {len(others)} other data sets"] if others else []
    rest += [
        f"{evidence.gain(name, 'JMI', wide)} with {name.removeprefix('JMI, ')} on these"
        for name in VARIANTS
        if name != few and set(wide) <= set(names[name])
    ]
    return {"finding": found.above(), "found": found, "rest": "; ".join(rest)}


def distances_see_interactions(evidence):
    groups = (("SNEFS", "ReliefF"), ("MIM", "FisherScore"))
    datasets = evidence.of_kind(INTERACTIONS)
    need(len(datasets) >= FEW_OF_KIND)
    found = evidence.gain(*groups, datasets)
    distances, single = (evidence.accuracies(group, datasets) for group in groups)
    by_data = [
        f"{name} {one:.3f} against {other:.3f} (guessing {np.mean(evidence.guesses[name]):.3f})"
        for name, one, other in zip(datasets, distances, single, strict=True)
    ]
    return {"finding": found.above(), "found": found, "by_data": "; ".join(by_data)}


def min_entropy_with_many_classes(evidence):
    classes = {name: evidence.shapes[name].classes for name in evidence.datasets}
    many = [name for name in classes if classes[name] >= MANY_CLASSES]
    need(len(many) >= FEW_OF_KIND)
    found = evidence.gain("RenyiFS", "JMI", many)
    gains = evidence.accuracies("RenyiFS") - evidence.accuracies("JMI")
    return {
        "finding": found.above(),
        "found": found,
        "n": len(many),
        "at_five": evidence.gain("RenyiFS", "JMI", many, size=5),
        "own_size": np.median([evidence.own_rule(name, "RenyiFS")[0] for name in many]),
        "trend": stats.spearmanr(list(classes.values()), gains),
    }


# -- how many columns ------------------------------------------------------------------------


def few_as_good_as_all(evidence):
    need(evidence.enough)
    largest = {name: sizes_below(evidence.shapes[name].columns)[-1] for name in evidence.datasets}
    at_most_50 = np.array([evidence.accuracy(name, DEFAULT, size=size) for name, size in largest.items()])
    found = difference(at_most_50, np.array([evidence.with_all_columns(name) for name in largest]))
    return {"finding": found.above(-AS_GOOD), "found": found}


def own_rule_as_good_as_ten(evidence):
    known = evidence.with_more_than_ten()
    need(len(known) >= FEW_DATASETS)
    own = np.array([evidence.own_rule(name, DEFAULT) for name in known])
    found = difference(own[:, 1], evidence.accuracies(DEFAULT, known, size=10))
    return {"finding": found.above(-AS_GOOD), "found": found, "n_columns": np.nanmedian(own[:, 0])}
