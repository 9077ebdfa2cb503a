"""What came out for the Bayesian-entropy paper, and whether its claims agree with it."""

from collections import defaultdict

import numpy as np
import scipy.stats

from experiments.bayes.classifiers import CLASSIFIERS
from experiments.bayes.protocol import ALPHAS, DATASETS, DOMAINS, EVALUATIONS_PER_COLUMN, TEXTS, WRAPPERS
from experiments.texts import need, span

SIGNIFICANT = 0.05
NEAR_COLUMNS, NEAR_SHARE = 1.0, 0.25  # numbers of columns are the same within one column or a quarter,
MOST = 0.75  # and a table is the same where three quarters of its rows are
POINTS = 5.0  # of accuracy that are no difference
N_COLUMNS = {
    "Lung": 56,
    "Lymph": 18,
    "Spect": 22,
    "Iono.": 34,
    "Led.": 24,
    "Chess": 36,
    "Splice": 60,
    "Mush.": 22,
}
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


def claims(results):
    """All claims, whatever part of the cells is there."""
    return TEXTS.claims(globals(), Tables(results), results)


class Tables:
    """What the classifiers took of all fronts; alpha = 0 is in both domains.

    Attributes
    ----------
    labels, eight : data sets that were run, and those of them the paper has
    sizes, accuracies : of each run, by data set, domain, alpha and classifier
    seconds : of the search in the dependent domain, by data set and alpha
    splits, seeds : runs by data set: one on each split (our own protocol), all on the first (the paper's)
    times : milliseconds per subset of other searches by data set
    """

    def __init__(self, results) -> None:
        self.sizes, self.accuracies, self.seconds, self.splits, self.seeds = (
            defaultdict(list) for _ in range(5)
        )
        for record in results.where(kind="tables"):
            label, split = DATASETS[record.settings["data"]], record.settings["split"]
            run = record.result["all"], _chosen(record)
            for key, (accuracy, size, *_) in run[1].items():
                self.accuracies[label, *key].append(accuracy)
                self.sizes[label, *key].append(size)
            for row in record.result["rows"]:
                if row["domain"] == "dependent":
                    self.seconds[label, row["alpha"]].append(row["seconds"])
            if split == record.settings["seed"]:
                self.splits[label].append(run)
            if split == 0:
                self.seeds[label].append(run)
        seen = {label for label, *_ in self.sizes}
        self.labels = [label for label in DATASETS.values() if label in seen]
        self.eight = [label for label in self.labels if label in N_COLUMNS]
        self.times = {
            DATASETS[record.settings["data"]]: record.result for record in results.where(kind="times")
        }

    def accuracy(self, label, domain, alpha, classifier) -> float:
        return float(np.mean(self.accuracies[label, domain, alpha, classifier]))

    def size(self, label, domain, alpha, classifier) -> float:
        return float(np.mean(self.sizes[label, domain, alpha, classifier]))

    def all_columns(self, label, classifier):
        """Test accuracies with all columns, one for each split."""
        return [everything[classifier] for everything, _ in self.splits[label]]

    def gains_their_way(self, label, domain, classifier):
        """Selected minus all columns on one split, with the alpha that is best on the test rows."""
        runs = self.seeds[label]
        per_alpha = [[chosen[domain, alpha, classifier][0] for _, chosen in runs] for alpha in ALPHAS]
        best = max(per_alpha, key=np.mean)
        return [a - everything[classifier] for a, (everything, _) in zip(best, runs, strict=True)]

    def gains_own_way(self, label, domain, classifier):
        """Selected minus all columns on each split, with the alpha that is best on held-out training rows."""
        gains = []
        for everything, chosen in self.splits[label]:
            options = [chosen[domain, alpha, classifier] for alpha in ALPHAS]
            best = max(options, key=lambda option: (option[3], -option[1]))
            gains.append(best[0] - everything[classifier])
        return gains

    def tested(self, domain, classifier):
        """Significance of the gains on each of the eight data sets: our way, their way, and our gains."""
        gains = [self.gains_own_way(label, domain, classifier) for label in self.eight]
        theirs = [significance(self.gains_their_way(label, domain, classifier)) for label in self.eight]
        return [significance(values) for values in gains], theirs, gains


def _chosen(record):
    """What each classifier took of each front: test accuracy, columns, training and held-out accuracy."""
    rows = {(row["domain"], row["alpha"]): row["chosen"] for row in record.result["rows"]}
    keys = [(domain, alpha, c) for domain in DOMAINS for alpha in ALPHAS for c in CLASSIFIERS]
    return {(domain, alpha, c): rows[domain if alpha else "dependent", alpha][c] for domain, alpha, c in keys}


def significance(gains) -> int:
    """1 where the mean gain is significantly above 0, -1 where below, else 0 (t-test, 0.05).

    Gains that are all the same and not 0 count as significant, as in the paper (45.45 ± 0.00 against 63.64).
    """
    if len(gains) < 2 or not any(gains):
        return 0
    if np.ptp(gains) < 1e-9:
        return int(np.sign(gains[0]))
    p_value = scipy.stats.ttest_1samp(gains, 0.0).pvalue
    return int(np.sign(np.mean(gains))) if p_value < SIGNIFICANT else 0


# -- numbers of columns ----------------------------------------------------------------------


def fewer_columns(tables):
    shares = {
        label: np.mean([tables.size(label, "dependent", a, c) for a in ALPHAS for c in CLASSIFIERS])
        / N_COLUMNS[label]
        for label in tables.eight
    }
    n_smaller = sum(share < 0.75 for share in shares.values())
    need(shares)
    return {"holds": n_smaller == len(shares), "n_smaller": n_smaller, "n": len(shares), "shares": shares}


def lung_columns(tables):
    sizes = [n for a in ALPHAS for c in CLASSIFIERS for n in tables.sizes["Lung", "dependent", a, c]]
    need(sizes)
    mean = float(np.mean(sizes))
    return {"holds": mean < 5.6, "mean": mean, "least": min(sizes), "most": max(sizes)}


def _rows(tables, domain):
    return [(label, a) for label in tables.eight for a in (ALPHAS if domain == "dependent" else ALPHAS[1:])]


def sizes(tables, domain, **_):
    rows = _rows(tables, domain)
    ours = np.array([tables.size(label, domain, a, "1-NN") for label, a in rows])
    theirs = np.array([PAPER[domain][label, str(a), "1-NN"][1] for label, a in rows])
    need(rows)
    is_far = np.abs(ours - theirs) > np.maximum(NEAR_COLUMNS, NEAR_SHARE * theirs)
    n_near = len(rows) - int(is_far.sum())
    return {
        "holds": n_near >= MOST * len(rows),
        "n_near": n_near,
        "n": len(rows),
        "mean": np.abs(ours - theirs).mean(),
        "n_far": int(is_far.sum()),
        "n_smaller": int((ours < theirs)[is_far].sum()),
        "names": list(dict.fromkeys(label for (label, _), far in zip(rows, is_far, strict=True) if far)),
    }


# -- accuracies ------------------------------------------------------------------------------


def accuracies(tables, domain, **_):
    differences = defaultdict(list)
    for label, a in _rows(tables, domain):
        for c in CLASSIFIERS:
            differences[label].append(
                abs(tables.accuracy(label, domain, a, c) - PAPER[domain][label, str(a), c][0])
            )
    by_set = {label: np.mean(values) for label, values in differences.items()}
    n_near = sum(difference <= POINTS for difference in by_set.values())
    need(by_set)
    return {"holds": n_near >= MOST * len(by_set), "by_set": by_set}


def t_tests(tables, domain, classifier, better, worse, **_):
    need(any(len(tables.splits[label]) > 1 for label in tables.eight))
    own, theirs, gains = tables.tested(domain, classifier)
    return {
        "holds": np.sign(sum(own)) == np.sign(better - worse),
        "own": (own.count(1), own.count(-1)),
        "theirs": (theirs.count(1), theirs.count(-1)),
        "gains": [float(np.mean(values)) for values in gains],
        "n_splits": span([len(tables.splits[label]) for label in tables.eight]),
        "n_seeds": span([len(tables.seeds[label]) for label in tables.eight]),
    }


def best_for_1nn(tables):
    gains = {
        c: [float(np.mean(tables.gains_own_way(label, d, c))) for label in tables.eight for d in DOMAINS]
        for c in CLASSIFIERS
    }
    need(tables.eight)
    return {"holds": max(gains, key=lambda c: float(np.mean(gains[c]))) == "1-NN", "gains": gains}


def led(tables):
    need("Led." in tables.labels)
    accuracies, everything = (
        tables.accuracies["Led.", "dependent", 0, "1-NN"],
        tables.all_columns("Led.", "1-NN"),
    )
    size = tables.size("Led.", "dependent", 0, "1-NN")
    holds = min(accuracies) == 100 and size < 8 and float(np.mean(everything)) < 90
    return {"holds": holds, "accuracy": np.mean(accuracies), "size": size, "everything": everything}


def ionosphere(tables):
    need(len(tables.splits["Iono."]) > 1)
    gains = tables.gains_own_way("Iono.", "dependent", "1-NN")
    keys = [("Iono.", "dependent", alpha, "1-NN") for alpha in ALPHAS]
    size = float(np.mean([n for key in keys for n in tables.sizes[key]]))
    return {
        "holds": significance(gains) >= 0 and round(size) <= 0.18 * N_COLUMNS["Iono."],
        "gains": gains,
        "size": size,
        "selected": np.mean([a for key in keys for a in tables.accuracies[key]]),
        "everything": tables.all_columns("Iono.", "1-NN"),
    }


def alpha_matters_little(tables):
    pairs = [(label, c) for label in tables.eight for c in CLASSIFIERS]
    spreads = {(x, c): np.ptp([tables.accuracy(x, "dependent", a, c) for a in ALPHAS]) for x, c in pairs}
    others = sorted({label for (label, _), spread in spreads.items() if spread >= POINTS})
    n_small = sum(spread < POINTS for spread in spreads.values())
    need(spreads)
    return {"holds": n_small >= MOST * len(spreads), "n_small": n_small, "n": len(spreads), "others": others}


def _domain_means(tables, label):
    """Mean accuracy over all alpha above 0 and classifiers, in both domains."""
    pairs = [(a, c) for a in ALPHAS[1:] for c in CLASSIFIERS]
    return [float(np.mean([tables.accuracy(label, d, a, c) for a, c in pairs])) for d in DOMAINS]


def dependent_better(tables):
    means = {label: _domain_means(tables, label) for label in tables.eight if label != "Lung"}
    n_better = sum(dependent > independent for dependent, independent in means.values())
    shown = {
        label: f"{dependent:.1f} and {independent:.1f}" for label, (dependent, independent) in means.items()
    }
    need(means)
    return {"holds": n_better > len(means) / 2, "n_better": n_better, "n": len(means), "means": shown}


def lung_independent(tables):
    need(tables.splits["Lung"])
    pairs = [(a, c) for a in ALPHAS[1:] for c in CLASSIFIERS]
    of_domain = [
        [np.mean([run[d, a, c][0] for a, c in pairs]) for _, run in tables.splits["Lung"]] for d in DOMAINS
    ]
    gains = np.subtract(of_domain[1], of_domain[0]).tolist()
    return {
        "holds": np.mean(gains) > 0,
        "means": _domain_means(tables, "Lung"),
        "gains": gains,
        "n": len(gains),
    }


# -- time ------------------------------------------------------------------------------------


def faster_than_the_paper(tables):
    seconds = {label: float(np.mean(tables.seconds[label, 0])) for label in tables.eight}
    holds = all(value <= SECONDS[label]["alpha=0"] for label, value in seconds.items())
    need(seconds)
    return {"holds": holds, "seconds": seconds}


def time_and_alpha(tables):
    means = {label: [float(np.mean(tables.seconds[label, a])) for a in ALPHAS] for label in tables.eight}
    ratios = {label: max(values) / min(values) for label, values in means.items()}
    n_alike = sum(ratio <= 1.5 for ratio in ratios.values())
    need(ratios)
    return {"holds": n_alike >= MOST * len(ratios), "ratios": ratios}


def faster_than_others(tables):
    ratios = defaultdict(list)
    for label in [label for label in tables.times if label in tables.labels]:
        subsets = EVALUATIONS_PER_COLUMN * N_COLUMNS[label]
        own = 1000 * float(np.mean(tables.seconds[label, 0])) / subsets
        for name, milliseconds in tables.times[label].items():
            ratios[name].append(milliseconds / own)
    need(ratios)
    slower = all(min(ratios[name]) > 1 for name in ("F-E", *WRAPPERS))
    shown = {name: f"{min(values):.1f} to {max(values):.1f}" for name, values in ratios.items()}
    return {"holds": slower, "ratios": shown}
