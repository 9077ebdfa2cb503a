"""What claims and tables of the Bayesian-entropy paper read from the results."""

from collections import defaultdict

import numpy as np

from reproduction.bayes.classifiers import CLASSIFIERS, PRUNED
from reproduction.bayes.protocol import (
    ALPHAS,
    DATASETS,
    DOMAINS,
    EVALUATIONS_PER_COLUMN,
    TEST_SHARE,
)
from reproduction.verdicts import Mean

OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
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


class Tables:
    """What the classifiers chose from all fronts; alpha = 0 is in both domains.

    Attributes
    ----------
    labels, eight : data sets that were run, and those of them the paper has
    sizes, accuracies : of each run, by data set, domain, alpha and classifier
    splits, seeds : runs by data set: one on each split (our own protocol), all on the first (the paper's)
    times : milliseconds per subset by data set and search
    numbers : records of 1-NN on numbers
    printed : sizes of Algorithm 1 as printed, split by split
    codes : accuracies with codes as names and as numbers by data set
    f_mi : gains of F-MI by data set and split
    bins : number of columns 1-NN takes of Ionosphere by bins
    pruned : the same with a pruned tree as J48, of the runs that have one
    """

    def __init__(self, results, *, pruned=False) -> None:
        self.pruned = None if pruned else Tables(results, pruned=True)
        trees = {_run(record): record.result for record in results.where(kind="pruned")}
        self.sizes, self.accuracies, self.splits, self.seeds = (defaultdict(list) for _ in range(4))
        for record in results.where(kind="tables"):
            if pruned and _run(record) not in trees:
                continue
            label, split = DATASETS[record.settings["data"]], record.settings["split"]
            run = record.result["all"], _chosen(record.result, CLASSIFIERS)
            if pruned:
                run = _with_tree(*run, trees[_run(record)])
            for key, (accuracy, size, *_) in run[1].items():
                self.accuracies[label, *key].append(accuracy)
                self.sizes[label, *key].append(size)
            if split == record.settings["seed"]:
                self.splits[label].append(run)
            if split == 0:
                self.seeds[label].append(run)
        seen = {label for label, *_ in self.sizes}
        self.labels = [label for label in DATASETS.values() if label in seen]
        self.eight = [label for label in self.labels if label in N_COLUMNS]
        times = {DATASETS[record.settings["data"]]: record.result for record in results.where(kind="times")}
        self.times = {label: times[label] for label in N_COLUMNS if label in times}
        self.numbers = [record.result for record in results.where(kind="numbers")]
        self.checked = [record.result for record in results.where(kind="checks")]
        self.printed = [record.result for record in results.where(kind="printed")]
        self.codes = {DATASETS[r.settings["data"]]: r.result for r in results.where(kind="codes")}
        self.f_mi: defaultdict = defaultdict(dict)
        for record in results.where(kind="F-MI"):
            self.f_mi[DATASETS[record.settings["data"]]][record.settings["split"]] = record.result["gains"]
        self.bins: dict = next((record.result for record in results.where(kind="bins")), {})

    @property
    def by_trees(self):
        """By name: these tables, and those with a pruned tree where every data set has several splits."""
        trees = {"J48 not pruned": self}
        if self.pruned is not None and all(len(self.pruned.splits[label]) > 1 for label in self.eight):
            trees["J48 pruned, as in Weka"] = self.pruned
        return trees

    def seconds(self, label, alpha) -> float:
        """Seconds of the processor for a search in the dependent domain."""
        n_subsets = EVALUATIONS_PER_COLUMN * N_COLUMNS[label]
        return self.times[label][f"alpha={alpha}"] * n_subsets / 1000

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

    def own_choices(self, label, domain, classifier):
        """Selected minus all columns and number of columns on each split, alpha by held-out training rows."""
        choices = []
        for everything, chosen in self.splits[label]:
            options = [chosen[domain, alpha, classifier] for alpha in ALPHAS]
            best = max(options, key=lambda option: (option[3], -option[1]))
            choices.append((best[0] - everything[classifier], float(best[1])))
        return choices

    def gains_own_way(self, label, domain, classifier):
        return [gain for gain, _ in self.own_choices(label, domain, classifier)]

    def improved(self, label, classifiers):
        """How often ours and F-MI are more accurate than all columns, on the splits of both."""
        splits = [split for split in sorted(self.f_mi[label]) if split < len(self.splits[label])]
        ours = {c: self.gains_own_way(label, "dependent", c) for c in classifiers}
        pairs = [(split, c) for split in splits for c in classifiers]
        theirs = np.mean([self.f_mi[label][split][c] > 0 for split, c in pairs])
        return float(np.mean([ours[c][split] > 0 for split, c in pairs])), float(theirs)

    def gains(self, label, domain, classifier) -> Mean:
        """The gains of our own way, with the rows that splits share taken into account."""
        return Mean(self.gains_own_way(label, domain, classifier), overlap=OVERLAP, digits=1)


def _run(record):
    """Which rows and which search."""
    return tuple(record.settings[name] for name in ("data", "split", "seed"))


def _chosen(result, classifiers):
    """What each classifier took of each front: test accuracy, columns, training and held-out accuracy."""
    rows = {(row["domain"], row["alpha"]): row["chosen"] for row in result["rows"]}
    keys = [(domain, alpha, c) for domain in DOMAINS for alpha in ALPHAS for c in classifiers]
    return {(domain, alpha, c): rows[domain if alpha else "dependent", alpha][c] for domain, alpha, c in keys}


def _with_tree(everything, chosen, tree):
    """A run with the numbers of the pruned tree in the place of J48's."""
    pruned = {(d, a, "J48"): values for (d, a, _), values in _chosen(tree, [PRUNED]).items()}
    return {**everything, "J48": tree["all"][PRUNED]}, {**chosen, **pruned}
