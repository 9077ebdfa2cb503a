"""Results for the Bayesian-entropy paper, and whether they support its claims."""

import functools
import math
from collections import defaultdict

import numpy as np
from scipy.stats import spearmanr

from reproduction.bayes.classifiers import CLASSIFIERS
from reproduction.bayes.protocol import (
    ALPHAS,
    DOMAINS,
    TEXTS,
)
from reproduction.bayes.readings import N_COLUMNS, OVERLAP, Tables
from reproduction.texts import need, span
from reproduction.verdicts import Mean, all_of, at_least, exact

ADVISED = (0.1, 1)  # alpha, by the paper
AS_GOOD = 2.0  # points of accuracy that do not matter
NEAR_COLUMNS, NEAR_SHARE = 1.0, 0.25  # numbers of columns are the same within one column or a quarter,
MOST = 0.75  # and a table is the same where three quarters of its rows are
POINTS = 5.0  # of accuracy that are no difference
DIGITS = 5.5e-4  # the paper prints three
PUBLISHED = TEXTS.read("published.toml")
SECONDS = PUBLISHED["seconds"]


def _published(*domains):
    """Accuracy and number of columns by data set, alpha (as text) and classifier."""
    found = {}
    for label, lines in ((label, lines) for domain in domains for label, lines in PUBLISHED[domain].items()):
        for alpha, line in lines.items():
            pairs = zip(CLASSIFIERS, line[::2], line[1::2], strict=True)
            found |= {(label, alpha, classifier): (accuracy, size) for classifier, accuracy, size in pairs}
    return found


PAPER = {"dependent": _published("dependent"), "independent": _published("dependent", "independent")}
FILTERS = ("F-E", "F-RS", "F-PRS", "F-MI")  # searches with other measures of a subset


def claims(results):
    """All claims, whichever cells were run."""
    tables = Tables(results)
    filters = {name: _ratio(_log_time(tables, name)) for name in FILTERS} if tables.times else "-"
    no_bug = TEXTS.phrase("agrees") if tables.checked else ""
    return TEXTS.claims(globals(), tables, results, no_bug=no_bug, filter_ratios=filters)


def with_both_trees(check):
    """A check in two readings, of the tree as it is grown and pruned as J48 does."""

    @functools.wraps(check)
    def both(tables, **given):
        return {"readings": {name: check(one, **given) for name, one in tables.by_trees.items()}}

    return both


# -- the entropies and the search themselves -------------------------------------------------


def example(tables):
    need(tables.checked)
    found, expected = tables.checked[0]["Table 1"], PUBLISHED["example"]
    near = [np.allclose(found[name], values, atol=DIGITS) for name, values in expected.items()]
    return {"finding": exact(all(near)), "found": {name: found[name] for name in expected}}


def whole_front(tables):
    need(tables.checked)
    found = {domain: tables.checked[0][domain] for domain in DOMAINS}
    shown = {domain: f"{one['found']} of {one['best']}" for domain, one in found.items()}
    holds = all(one["found"] == one["best"] and not one["beaten"] for one in found.values())
    return {"holds": holds, "shown": shown}


# -- numbers of columns ----------------------------------------------------------------------


@with_both_trees
def fewer_columns(tables):
    need(tables.eight)
    shares = {
        label: Mean(
            [
                float(np.mean([run["dependent", a, c][1] for a in ALPHAS for c in CLASSIFIERS]))
                / N_COLUMNS[label]
                for _, run in tables.splits[label]
            ],
            overlap=OVERLAP,
            digits=2,
        )
        for label in tables.eight
    }
    finding = all_of(found.below(0.75) for found in shares.values())
    return {"finding": finding, "shares": {label: found.plain for label, found in shares.items()}}


def lung_columns(tables):
    need(tables.splits["Lung"])
    sizes = [
        float(np.mean([run["dependent", a, c][1] for a in ALPHAS for c in CLASSIFIERS]))
        for _, run in tables.splits["Lung"]
    ]
    found = Mean(sizes, overlap=OVERLAP, digits=1)
    return {"finding": found.below(5.6), "mean": found.plain}


def _rows(tables, domain):
    return [(label, a) for label in tables.eight for a in (ALPHAS if domain == "dependent" else ALPHAS[1:])]


def sizes(tables, domain, **_):
    rows = _rows(tables, domain)
    need(rows)
    ours = [Mean(tables.sizes[label, domain, a, "1-NN"], "runs", OVERLAP) for label, a in rows]
    theirs = [PAPER[domain][label, str(a), "1-NN"][1] for label, a in rows]
    slack = [max(NEAR_COLUMNS, NEAR_SHARE * their) for their in theirs]
    trio = list(zip(ours, theirs, slack, strict=True))
    finding = at_least(
        int(np.ceil(MOST * len(rows))), [own.within(their - d, their + d) for own, their, d in trio]
    )
    near = [abs(own.mean - their) <= d for own, their, d in trio]
    far = {label for (label, _), is_near in zip(rows, near, strict=True) if not is_near}
    gaps = defaultdict(list)
    for (label, _), (own, their, _) in zip(rows, trio, strict=True):
        gaps[label].append(abs(own.mean - their))
    gap = _over_data_sets(gaps).plain
    return {"finding": finding, "n_near": sum(near), "n": len(rows), "gap": gap, "names": sorted(far)}


# -- accuracies ------------------------------------------------------------------------------


@with_both_trees
def accuracies(tables, domain, **_):
    """Mean of the differences over alpha and classifiers, split by split; the paper's split is unknown."""
    alphas = ALPHAS if domain == "dependent" else ALPHAS[1:]
    pairs = [(a, c) for a in alphas for c in CLASSIFIERS]
    by_set = {}
    for label in tables.eight:
        gaps = [
            float(np.mean([run[domain, a, c][0] - PAPER[domain][label, str(a), c][0] for a, c in pairs]))
            for _, run in tables.splits[label]
        ]
        by_set[label] = Mean(gaps, overlap=OVERLAP, digits=1)
    need(by_set)
    finding = at_least(
        int(np.ceil(MOST * len(by_set))), [gap.within(-POINTS, POINTS) for gap in by_set.values()]
    )
    return {"finding": finding, "by_set": {label: str(gap) for label, gap in by_set.items()}}


def _ways(tables, domain, classifiers):
    """Gains over all columns on each data set with each classifier, in our way of testing and the paper's."""
    ways = {}
    for tree, one in (tables.by_trees if "J48" in classifiers else {"": tables}).items():
        pairs = [(label, classifier) for label in one.eight for classifier in classifiers]
        of_searches = [Mean(one.gains_their_way(x, domain, c), "searches", digits=1) for x, c in pairs]
        found = {
            "alpha by held-out rows, several splits": [one.gains(x, domain, c) for x, c in pairs],
            "alpha best on the test rows of one split, as the paper": of_searches,
        }
        several = all(len(gain.values) > 1 for gain in of_searches)
        for name in found if several or one is tables else list(found)[:1]:
            ways["; ".join(filter(None, [name, tree]))] = found[name]
    return ways


def _repeats(gains) -> str:
    return f"{span([len(gain.values) for gain in gains])} {gains[0].unit}"


def _over_data_sets(values_by_label) -> Mean:
    """The mean over data sets of what was found on each."""
    return Mean([float(np.mean(values)) for values in values_by_label.values()], "data sets", digits=1)


def t_tests(tables, domain, classifier, better, worse, **_):
    """Whether as many data sets gain, and as many lose, as the paper counts."""
    need(any(len(tables.splits[label]) > 1 for label in tables.eight))
    readings = {}
    for name, gains in _ways(tables, domain, [classifier]).items():
        gaining = at_least(better, [gain.above(0) for gain in gains])
        losing = at_least(worse, [gain.below(0) for gain in gains])
        counts = [sum(test(gain) for gain in gains) for test in (_surely_above, _surely_below)]
        mean = Mean([gain.mean for gain in gains], "data sets", digits=1)
        finding = all_of([gaining, losing])
        readings[name] = {"finding": finding, "gain": mean, "counts": counts, "repeats": _repeats(gains)}
    return {"readings": readings}


def maintained(tables):
    """Whether in most cases the selected columns are at most a little worse than all of them."""
    need(any(len(tables.splits[label]) > 1 for label in tables.eight))
    readings = {}
    for name, gains in _ways(tables, "dependent", CLASSIFIERS).items():
        finding = at_least(len(gains) // 2 + 1, [gain.above(-AS_GOOD) for gain in gains])
        by_set = np.reshape([gain.mean for gain in gains], (-1, len(CLASSIFIERS)))
        readings[name] = {
            "finding": finding,
            "n_kept": sum(gain.mean > -AS_GOOD for gain in gains),
            "n": len(gains),
            "gain": Mean(by_set.mean(axis=1).tolist(), "data sets", digits=1),
            "repeats": _repeats(gains),
        }
    return {"readings": readings}


def _surely_above(gain) -> bool:
    return gain.interval[0] > 0


def _surely_below(gain) -> bool:
    return gain.interval[1] < 0


@with_both_trees
def best_for_1nn(tables):
    need(tables.eight)
    gains = {
        c: np.array([np.mean(tables.gains_own_way(label, "dependent", c)) for label in tables.eight])
        for c in CLASSIFIERS
    }
    leads = {c: Mean((gains["1-NN"] - gains[c]).tolist(), "data sets", digits=1) for c in CLASSIFIERS[1:]}
    finding = all_of(lead.above(0) for lead in leads.values())
    return {"finding": finding, "leads": {c: str(lead) for c, lead in leads.items()}}


def led(tables):
    need("Led." in tables.labels)
    accuracies = tables.accuracies["Led.", "dependent", 0, "1-NN"]
    everything = Mean(tables.all_columns("Led.", "1-NN"), overlap=OVERLAP, digits=1)
    size = tables.size("Led.", "dependent", 0, "1-NN")
    finding = all_of([exact(min(accuracies) == 100 and size < 8), everything.below(90)])
    return {"finding": finding, "accuracy": np.mean(accuracies), "size": size, "everything": everything.plain}


def ionosphere(tables):
    readings = {}
    if len(tables.numbers) > 1:
        gains, sizes = [], []
        for found in tables.numbers:
            best = max(found["rows"], key=lambda row: (row[3], -row[2]))  # alpha by held-out training rows
            gains.append(best[1] - found["all"])
            sizes.append(float(best[2]))
        everything = [found["all"] for found in tables.numbers]
        readings["1-NN on the numbers"] = _ionosphere(gains, sizes, everything)
    if len(tables.splits["Iono."]) > 1:
        gains, sizes = zip(*tables.own_choices("Iono.", "dependent", "1-NN"), strict=True)
        readings["1-NN on five bins"] = _ionosphere(gains, sizes, tables.all_columns("Iono.", "1-NN"))
    need(readings)
    return {"readings": readings}


def _ionosphere(gains, sizes, everything):
    gain, size = (Mean(values, overlap=OVERLAP, digits=1) for values in (gains, sizes))
    finding = all_of([gain.above(-AS_GOOD), size.below(0.18 * N_COLUMNS["Iono."])])
    shown = Mean(everything, overlap=OVERLAP, digits=1).plain
    return {"finding": finding, "gain": gain, "size": size.plain, "everything": shown}


def alpha_matters_little(tables):
    """Whether the best and the worst alpha of most cases are near, as means over all runs."""
    spreads = {
        label: {c: np.ptp([tables.accuracy(label, "dependent", a, c) for a in ALPHAS]) for c in CLASSIFIERS}
        for label in tables.eight
    }
    need(spreads)
    small = [spread < POINTS for of_set in spreads.values() for spread in of_set.values()]
    others = sorted(label for label, of_set in spreads.items() if max(of_set.values()) >= POINTS)
    mean = _over_data_sets({label: list(of_set.values()) for label, of_set in spreads.items()}).plain
    holds = sum(small) >= MOST * len(small)
    return {"holds": holds, "n_small": sum(small), "n": len(small), "others": others, "mean": mean}


def advised_alpha(tables):
    """Whether an alpha from 0.1 to 1 loses nothing against the others, where there are rows enough."""
    labels = [label for label in tables.eight if label != "Lung"]
    need(labels)
    others = [alpha for alpha in ALPHAS if alpha not in ADVISED]
    gaps = []
    for label in labels:
        means = [
            np.mean([tables.accuracy(label, "dependent", a, c) for a in alphas for c in CLASSIFIERS])
            for alphas in (ADVISED, others)
        ]
        gaps.append(float(means[0] - means[1]))
    found = Mean(gaps, "data sets", digits=1)
    return {"finding": found.above(-AS_GOOD), "gap": found}


@with_both_trees
def spect_and_alpha(tables):
    """The rank correlation of accuracy and alpha, split by split."""
    need(len(tables.splits["Spect"]) > 1)
    trends = {}
    for c in CLASSIFIERS:
        lines = [[run["dependent", a, c][0] for a in ALPHAS] for _, run in tables.splits["Spect"]]
        values = [0.0 if np.ptp(line) == 0 else float(spearmanr(ALPHAS, line)[0]) for line in lines]
        trends[c] = Mean(values, overlap=OVERLAP, digits=2)
    rising, falling = ([trends[c] for c in names] for names in (("1-NN", "RF"), ("J48", "NB")))
    finding = all_of([*(trend.above(0) for trend in rising), *(trend.below(0) for trend in falling)])
    return {"finding": finding, "trends": {c: str(trend) for c, trend in trends.items()}}


def _domain_gaps(tables, label) -> Mean:
    """Dependent less independent domain: mean over all alpha above 0 and classifiers, split by split."""
    pairs = [(a, c) for a in ALPHAS[1:] for c in CLASSIFIERS]
    first, second = (
        np.array([np.mean([run[d, a, c][0] for a, c in pairs]) for _, run in tables.splits[label]])
        for d in DOMAINS
    )
    return Mean((first - second).tolist(), overlap=OVERLAP, digits=1)


def dependent_better(tables):
    gaps = {label: _domain_gaps(tables, label) for label in tables.eight if label != "Lung"}
    need(gaps)
    finding = at_least(len(gaps) // 2 + 1, [gap.above(0) for gap in gaps.values()])
    n_better = sum(gap.mean > 0 for gap in gaps.values())
    shown = {label: str(gap) for label, gap in gaps.items()}
    return {"finding": finding, "n_better": n_better, "n": len(gaps), "gaps": shown}


def lung_independent(tables):
    need(len(tables.splits["Lung"]) > 1)
    gaps = _domain_gaps(tables, "Lung")
    gain = Mean([-value for value in gaps.values], overlap=OVERLAP, digits=1)
    return {"finding": gain.above(0), "gain": gain}


def lung_fewer(tables):
    """Columns in the independent less those in the dependent domain, mean over alphas and classifiers."""
    need(len(tables.splits["Lung"]) > 1)
    pairs = [(a, c) for a in ALPHAS[1:] for c in CLASSIFIERS]
    sizes = {
        d: [float(np.mean([run[d, a, c][1] for a, c in pairs])) for _, run in tables.splits["Lung"]]
        for d in DOMAINS
    }
    gaps = np.subtract(sizes["independent"], sizes["dependent"])
    shown = {d: f"{np.mean(values):.1f}" for d, values in sizes.items()}
    gap = Mean(gaps.tolist(), overlap=OVERLAP, digits=1)
    return {"finding": gap.below(0), "shown": shown, "gap": gap}


# -- time ------------------------------------------------------------------------------------


def faster_than_the_paper(tables):
    need(tables.times)
    seconds = {label: tables.seconds(label, 0) for label in tables.times}
    fast = all(value <= SECONDS[label]["alpha=0"] for label, value in seconds.items())
    return {"holds": None if fast and len(seconds) < len(N_COLUMNS) else fast, "seconds": seconds}


def time_and_alpha(tables):
    need(tables.times)
    seconds = {label: [tables.seconds(label, a) for a in ALPHAS] for label in tables.times}
    ratios = {label: max(values) / min(values) for label, values in seconds.items()}
    n_alike = sum(ratio <= 1.5 for ratio in ratios.values())
    mean = Mean(list(ratios.values()), "data sets", digits=2).plain
    return {"holds": n_alike >= MOST * len(ratios), "ratios": ratios, "mean": mean}


def faster_than_others(tables, names, **_):
    need(tables.times)
    logs = {name: _log_time(tables, name) for name in names}
    finding = all_of(log.above(0) for log in logs.values())
    return {"finding": finding, "ratios": {name: _ratio(log) for name, log in logs.items()}}


def _log_time(tables, name) -> Mean:
    """Time per subset in that of our own search: logarithms, by data set."""
    return Mean([math.log(found[name] / found["alpha=0"]) for found in tables.times.values()])


def _ratio(log: Mean) -> str:
    ratios = np.exp([log.mean, *log.interval])
    mean, low, high = (f"{ratio:.{2 if ratio < 10 else 0}f}" for ratio in ratios)
    return f"{mean} ({low} to {high}, {len(log.values)} data sets)"


def more_often_than_f_mi(tables):
    """Over data sets: in how many pairs of a split and a classifier accuracy rises, ours less F-MI."""
    labels = [label for label in tables.eight if tables.f_mi[label]]
    need(len(labels) > 2)
    shares = {label: tables.improved(label, CLASSIFIERS) for label in labels}
    gap = Mean([ours - theirs for ours, theirs in shares.values()], "data sets", digits=2)
    shown = [f"{label} {ours:.2f} and {theirs:.2f}" for label, (ours, theirs) in shares.items()]
    return {"finding": gap.above(0), "gap": gap, "shares": shown}
