"""What claims and tables of the paper on NEFS read from the results: accuracies, orders, tests, times."""

import contextlib

import numpy as np
import scipy.stats

from reproduction.nefs.protocol import (
    AUTHORS as RAN_OTHERWISE,
    CLASSIFIER_OF,
    HASHED,
    N_FOLDS,
    PAPER_METHODS,
    RELEVANT_IN_HYPERSPHERES,
)
from reproduction.texts import NotRunError, need
from reproduction.verdicts import Mean

OURS, AUTHORS = (
    "this library's defaults",
    "as the authors: hashed NEFS, whole buckets, printed RRPC and RELIEFF",
)
OVERLAP = 1 / (N_FOLDS - 1)
PAIRS_OF = {"curves": "pairs", "authors": "authors pairs"}  # cells with the other classifiers


class Readings:
    """Both ways of running the methods the paper leaves open."""

    def __init__(self, results) -> None:
        self.results = results
        self.ours, self.authors = Reading(results), Reading(results, "authors")
        self.all = {OURS: self.ours, AUTHORS: self.authors}

    def each(self, find, data=None):
        """What is found in each reading; in ours alone where the authors' was not run on the data."""
        found = {}
        for name, reading in self.all.items():
            if name == AUTHORS and not self.results.where(part="authors", data=data):
                continue
            with contextlib.suppress(NotRunError):
                found[name] = find(reading)
        need(found)
        return {"readings": found}


class Reading:
    """What claims and tables read from the results; `part` "authors" for methods as the authors ran them."""

    def __init__(self, results, part="curves") -> None:
        self.results, self._part = results, part

    def _part_of(self, method) -> str:
        otherwise = self._part == "authors" and method in RAN_OTHERWISE["methods"]
        return "authors" if otherwise else "curves"

    def _records(self, data, method):
        return self.results.where(part=self._part_of(method), data=data)

    def _in_part(self, part, method):
        """Run by run, where the cells of a part have both readings."""
        part_of, records = self._part_of(method), self.results.where(part=part)
        return [
            (record.settings, one) for record in records for one in record.result[part_of].get(method, [])
        ]

    def by_fold(self, data, method, size, classifier=None, *, further=False) -> dict[int, float]:
        """One accuracy for each fold that was run; `further` adds those of other splits into folds."""
        found = self._further(data, method, size) if further else {}
        pairs = self.results.where(part=PAIRS_OF[self._part_of(method)], data=data)
        for record in [*self._records(data, method), *pairs]:
            sizes = record.settings["sizes"]
            scores = record.result["accuracy"].get(classifier or CLASSIFIER_OF[data], {}).get(method)
            if scores is not None and size in sizes:
                found[record.settings["repeat"]] = scores[sizes.index(size)]
        return found

    def _further(self, data, method, size) -> dict[int, float]:
        """Accuracies on folds of other splits, or on other tables, where they were run."""
        part, found = self._part_of(method), {}
        for record in self.results.where(part="further", data=data):
            scores = record.result[part].get(method)
            if scores is not None and size in record.settings["sizes"]:
                found[record.settings["repeat"]] = scores[record.settings["sizes"].index(size)]
        return found

    def accuracies(self, data, method, size, classifier=None) -> list[float]:
        """The same as a list."""
        return list(self.by_fold(data, method, size, classifier).values())

    def means_over_sizes(self, data, method, sizes) -> dict[int, float]:
        """The mean accuracy over some sizes, one for each fold that was run with all of them."""
        columns = [self.by_fold(data, method, size, further=True) for size in sizes]
        folds = sorted(set.intersection(*map(set, columns)))
        return {fold: float(np.mean([column[fold] for column in columns])) for fold in folds}

    def mean(self, data, method, size) -> Mean:
        return Mean(list(self.by_fold(data, method, size, further=True).values()), "folds", _overlap(data))

    def means(self, data, size, classifier=None) -> dict[str, float]:
        """Mean accuracy of each of the paper's methods that was run, the best first."""
        found = {method: self.accuracies(data, method, size, classifier) for method in PAPER_METHODS}
        return _ranked({method: float(np.mean(values)) for method, values in found.items() if values})

    def difference(self, data, first, second, sizes) -> Mean:
        """First less second on the folds both were run on, at one size or on average over some."""
        one, other = (self.means_over_sizes(data, method, sizes) for method in (first, second))
        both = sorted(one.keys() & other.keys())
        need(len(both) > 1)
        return Mean([one[fold] - other[fold] for fold in both], "folds", _overlap(data))

    def gain(self, data, first, second, size) -> Mean:
        """By how many per cent the first is above the second, fold by fold."""
        one, other = (self.by_fold(data, method, size, further=True) for method in (first, second))
        both = sorted(one.keys() & other.keys())
        need(len(both) > 1)
        return Mean([100 * (one[fold] / other[fold] - 1) for fold in both], "folds", _overlap(data), 1)

    def friedman(self, data, size, classifier=None) -> float | None:
        """The p-value of Friedman's test over the folds; 1 where all are the same, None with too few."""
        columns = [self.by_fold(data, method, size, classifier) for method in PAPER_METHODS]
        columns = [column for column in columns if column]
        folds = sorted(set.intersection(*map(set, columns))) if columns else []
        if len(columns) < 3 or len(folds) < 2:
            return None
        table = [[column[fold] for fold in folds] for column in columns]
        if all(line == table[0] for line in table):
            return 1.0
        return float(scipy.stats.friedmanchisquare(*table).pvalue)

    def orders(self, data, method):
        """The picks of a method in each fold, and on the further tables of HYPERSPHERES."""
        found = [record.result["orders"].get(method) for record in self._records(data, method)]
        if data == "HYPERSPHERES":
            found += [order for _, order in self._in_part("found", method)]
        return [order for order in found if order]

    def corral_runs(self, method):
        """The picks of a method in each run on CORRAL."""
        parts = ("orders", "further orders")
        return [tuple(order) for part in parts for _, order in self._in_part(part, method)]

    def relevant_found(self, method) -> list[int]:
        """How many of the 7 relevant columns of HYPERSPHERES are among the first 7 picks, table by table."""
        return [
            len(RELEVANT_IN_HYPERSPHERES & set(order[:7])) for order in self.orders("HYPERSPHERES", method)
        ]

    def small_accuracies(self, method, size) -> list[float]:
        """Accuracies on SPAMBASE_N after selection and training on as many rows as columns, draw by draw."""
        return [draw[run["sizes"].index(size)] for run, draw in self._in_part("small", method)]

    def time_model(self, method):
        """The least-squares line through the times of a method in rows · columns, and the times, or None."""
        records = [record for record in self.results.where(part="time") if method in record.result]
        seconds = [record.result[method] for record in records]
        if len(seconds) < 3:
            return None
        sizes = [record.settings["rows"] * record.settings["columns"] for record in records]
        return scipy.stats.linregress(sizes, seconds), seconds

    def slopes(self):
        """Coefficients of the lines, the smallest first."""
        models = {method: self.time_model(method) for method in (*PAPER_METHODS, HASHED)}
        need(None not in models.values())
        return dict(
            sorted(((m, float(model[0].slope)) for m, model in models.items()), key=lambda item: item[1])
        )


def _overlap(data) -> float:
    """Folds share rows; each repeat of HYPERSPHERES is another table."""
    return 0.0 if data == "HYPERSPHERES" else OVERLAP


def _ranked(means):
    return dict(sorted(means.items(), key=lambda item: -item[1]))
