"""What came out for the paper on NEFS, and whether its claims agree with it."""

import contextlib
from collections import Counter
from dataclasses import dataclass

import numpy as np
import scipy.stats

from experiments.nefs.protocol import (
    CLASSIFIER_OF,
    CORRAL_NAMES,
    CURVES_OF,
    HASHED,
    IN_ROW_ORDER,
    N_FOLDS,
    PAPER_METHODS,
    RELEVANT_IN_HYPERSPHERES,
    SIGNED,
    TEXTS,
)
from experiments.texts import NotRunError, mean_and_error, need

LEVEL = 0.05  # of the paired t-tests between two methods
FRIEDMAN_LEVEL = 0.01  # the paper's
OWN, OTHERS = ("NEFS", "SNEFS"), ("RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
CAUSES, CORRELATED = {0, 1, 2, 3}, 5  # columns of CORRAL
SEVEN = [name for name in CURVES_OF if name not in ("CORRAL", "SMK")]  # data sets that are compared


def claims(results):
    """All verdicts, whatever part of the cells is there."""
    return TEXTS.claims(globals(), Reading(results), results)


# -- accuracies, orders, tests, fits ---------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Paired differences between two methods, in the same folds."""

    values: list[float]

    @property
    def p_value(self) -> float:
        """Of a two-sided t-test; 1 where nothing differs."""
        if len(self.values) < 2 or np.ptp(self.values) == 0:
            return 1.0
        return float(scipy.stats.ttest_1samp(self.values, 0).pvalue)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def is_ahead(self) -> bool:
        """The first is better, and not by chance."""
        return self.mean > 0 and self.p_value < LEVEL

    @property
    def verdict(self) -> bool | None:
        """Whether the first is ahead; None where it may be, and more folds could tell."""
        is_open = self.mean > 0 and not self.is_ahead and len(self.values) < N_FOLDS
        return None if is_open else self.is_ahead

    def __str__(self) -> str:
        sign = "+" if self.mean >= 0 else ""
        return f"{sign}{mean_and_error(self.values)} (p = {self.p_value:.2g})"


def together(verdicts) -> bool | None:
    """All of them: False as soon as one is, None where one is open."""
    known = list(verdicts)
    return False if False in known else None if None in known else True


class Reading:
    """What the claims and the tables read from the results."""

    def __init__(self, results) -> None:
        self.results = results

    def accuracies(self, data, method, size, classifier=None) -> list[float]:
        """One accuracy for each fold that was run."""
        found = []
        for record in self.results.where(part="curves", data=data):
            sizes = record.settings["sizes"]
            scores = record.result["accuracy"].get(classifier or CLASSIFIER_OF[data], {}).get(method)
            if scores is not None and size in sizes:
                found.append(scores[sizes.index(size)])
        return found

    def means_over_sizes(self, data, method, sizes) -> list[float]:
        """The mean accuracy over some sizes, one for each fold that was run."""
        columns = [self.accuracies(data, method, size) for size in sizes]
        return [float(np.mean(values)) for values in zip(*columns, strict=True)]

    def means(self, data, size, methods=PAPER_METHODS) -> dict[str, float]:
        """Mean accuracy of each method that was run, the best first."""
        found = {method: self.accuracies(data, method, size) for method in methods}
        return _ranked({method: float(np.mean(values)) for method, values in found.items() if values})

    def difference(self, data, first, second, sizes) -> Difference:
        """First less second, at one size or on average over some."""
        one, other = (self.means_over_sizes(data, method, sizes) for method in (first, second))
        need(len(one) > 1, len(one) == len(other))
        return Difference(np.subtract(one, other).tolist())

    def gain(self, data, first, second, size):
        """By how many per cent the first is above the second, fold by fold."""
        one, other = (self.accuracies(data, method, size) for method in (first, second))
        need(len(one) > 1, len(other) > 1)
        return [100 * (a / b - 1) for a, b in zip(one, other, strict=True)]

    def friedman(self, data, size, classifier=None) -> float | None:
        """The p-value of Friedman's test over the folds; 1 where all are the same, None with too few."""
        columns = [self.accuracies(data, method, size, classifier) for method in PAPER_METHODS]
        columns = [column for column in columns if column]
        if len(columns) < 3 or len(columns[0]) < 2:
            return None
        if all(column == columns[0] for column in columns):
            return 1.0
        return float(scipy.stats.friedmanchisquare(*columns).pvalue)

    def orders(self, data, method):
        """The picks of a method in each fold."""
        found = [
            record.result["orders"].get(method) for record in self.results.where(part="curves", data=data)
        ]
        return [order for order in found if order]

    def corral_runs(self, method):
        """The picks of a method in each run on CORRAL."""
        records = self.results.where(part="orders")
        return [tuple(order) for record in records for order in record.result.get(method, [])]

    def relevant_found(self, method) -> list[int]:
        """How many of the 7 relevant columns of HYPERSPHERES are among the first 7 picks, table by table."""
        return [
            len(RELEVANT_IN_HYPERSPHERES & set(order[:7])) for order in self.orders("HYPERSPHERES", method)
        ]

    def small_accuracies(self, method, size) -> list[float]:
        """Accuracies on SPAMBASE_N after selection and training on as many rows as columns, draw by draw."""
        records = self.results.where(part="small")
        return [draw[r.settings["sizes"].index(size)] for r in records for draw in r.result.get(method, [])]

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


def _ranked(means):
    return dict(sorted(means.items(), key=lambda item: -item[1]))


def most_frequent(items):
    """The most frequent item, the smallest of them, and how often it came."""
    counts = Counter(items)
    best = min(counts, key=lambda item: (-counts[item], item))
    return best, counts[best]


# -- CORRAL ----------------------------------------------------------------------------------


def share_of_causes(runs) -> float:
    """How often the four causes come first."""
    return float(np.mean([set(order) == CAUSES for order in runs]))


def causes_first(reading, method, **_):
    runs, by_rows, hashed = (reading.corral_runs(name) for name in (method, IN_ROW_ORDER, HASHED))
    need(runs)
    order, count = most_frequent(runs)
    ties = (
        {"of_rows": share_of_causes(by_rows), "of_hashed": share_of_causes(hashed)}
        if by_rows and hashed
        else None
    )
    found = {"share": share_of_causes(runs), "n": len(runs), "count": count, "row_order": ties}
    return {"holds": found["share"] > 0.5, "names": " ".join(CORRAL_NAMES[j] for j in order), **found}


def correlated_first(reading):
    runs = {method: reading.corral_runs(method) for method in ("X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")}
    need(all(runs.values()))
    firsts = {method: [order[0] for order in found] for method, found in runs.items()}
    shares = [f"{np.mean(np.equal(first, CORRELATED)):.2f} ({method})" for method, first in firsts.items()]
    return {"holds": {most_frequent(first)[0] for first in firsts.values()} == {CORRELATED}, "shares": shares}


def no_difference(reading, data, size):
    p = reading.friedman(data, size)
    need(p is not None)
    return {"holds": p >= FRIEDMAN_LEVEL, "p": p}


# -- SPAMBASE with noise, and few rows of it -------------------------------------------------


def best_on_spambase(reading):
    values = {method: reading.accuracies("SPAMBASE_N", method, 10) for method in OWN}
    need(len(values["NEFS"]) > 1)
    means = reading.means("SPAMBASE_N", 10)
    best, near = list(means)[:2], all(abs(means[method] - 0.85) < 0.05 for method in OWN)
    return {"holds": set(best) == set(OWN) and near, "values": values, "best": best}


def both_ahead(reading, other, **_):
    gains = {method: reading.gain("SPAMBASE_N", method, other, 10) for method in OWN}
    leads = {method: reading.difference("SPAMBASE_N", method, other, [10]) for method in OWN}
    shown = [f"{m} {mean_and_error(gains[m], 1)} % (p = {leads[m].p_value:.2g})" for m in OWN]
    values = reading.accuracies("SPAMBASE_N", f"{other}, quantiles", 10)
    quantiles = {"values": values} if values else None
    return {
        "holds": together(lead.verdict for lead in leads.values()),
        "gains": shown,
        "quantiles": quantiles,
    }


def size_of_lead(reading):
    printed = {given["other"]: given["gain"] for given in TEXTS.over("both_ahead")}
    found = {other: reading.gain("SPAMBASE_N", "SNEFS", other, 10) for other in printed}
    far = [
        other
        for other, values in found.items()
        if abs(np.mean(values) - printed[other]) > 2 * np.std(values, ddof=1) / len(values) ** 0.5
    ]
    signed = reading.accuracies("SPAMBASE_N", SIGNED, 10)
    return {
        "holds": not far,
        "leads": [f"{other} {mean_and_error(values, 1)} %" for other, values in found.items()],
        "far": {"names": far} if far else None,
        "signed": {"values": signed} if signed else None,
    }


def least_lead(reading, data, sizes, others=OTHERS):
    leads = {(own, other): reading.difference(data, own, other, sizes) for own in OWN for other in others}
    (method, other), least = min(leads.items(), key=lambda item: item[1].mean)
    holds = together(lead.verdict for lead in leads.values())
    return {"holds": holds, "method": method, "other": other, "least": least}


def better_with_few_rows(reading, others=OTHERS):
    values = {method: reading.small_accuracies(method, 10) for method in (*OWN, *others)}
    need(all(values.values()))
    means = {method: float(np.mean(found)) for method, found in values.items()}
    best = max(others, key=lambda method: means[method])
    shown = {method: values[method] for method in (*OWN, best)}
    return {"holds": min(means[method] for method in OWN) > means[best], "values": shown}


def lower_with_few_rows(reading):
    few = [reading.small_accuracies(method, 10) for method in PAPER_METHODS]
    full = [reading.accuracies("SPAMBASE_N", method, 10) for method in PAPER_METHODS]
    need(all(len(values) > 1 for values in (*few, *full)))
    drop = [float(np.mean(all_rows) - np.mean(some)) for some, all_rows in zip(few, full, strict=True)]
    spread = [float(np.mean([np.std(values, ddof=1) for values in part])) for part in (few, full)]
    words = {"n_lower": sum(value > 0 for value in drop), "drop": (min(drop), max(drop)), "spread": spread}
    return {"holds": min(drop) > 0 and spread[0] > spread[1], **words}


# -- HYPERSPHERES ----------------------------------------------------------------------------


def number_found(reading, methods, least, most, in_all=False):
    found = {method: reading.relevant_found(method) for method in methods}
    need(all(found.values()))
    share = min(float(np.mean([least <= n <= most for n in numbers])) for numbers in found.values())
    shown = {method: f"{np.mean(n):.1f} ({min(n)} to {max(n)})" for method, n in found.items()}
    return {"holds": share == 1 if in_all else share > 0.5, "numbers": shown}


def place_of_53(reading):
    orders = {method: reading.orders("HYPERSPHERES", method) for method in ("X-MIFS", "mRMR")}
    need(all(orders.values()))
    places = {m: [o.index(52) + 1 if 52 in o else 0 for o in found] for m, found in orders.items()}
    shown = [
        f"{m}: first {v.count(1)}, second {v.count(2)}, third {v.count(3)} of {len(v)} times"
        for m, v in places.items()
    ]
    return {"holds": all(v.count(3) > len(v) / 2 for v in places.values()), "places": shown}


def first_three(reading):
    means = reading.means("HYPERSPHERES", 3)
    need(len(means) >= len(PAPER_METHODS))
    return {"holds": set(list(means)[:2]) == {"X-MIFS", "mRMR"}, "means": means}


def loss_on_hyperspheres(reading):
    losses, verdicts = [], []
    for method in ("X-MIFS", "mRMR"):
        apart = reading.difference("HYPERSPHERES", "NEFS", method, [7])
        means = [reading.means("HYPERSPHERES", size, ("NEFS", method)) for size in range(4, 8)]
        loss = max(100 * (1 - mean[method] / mean["NEFS"]) for mean in means)
        losses.append(f"{method} {loss:.1f} % (at 7 columns p = {apart.p_value:.2g})")
        verdicts.append(apart.verdict)
    return {"holds": together(verdicts), "losses": losses}


# -- SEGMENT with noise, GAS, USPS, ABALONE, ARRHYTHMIA, SMK ---------------------------------


def ahead(reading, data, first, second, sizes):
    lead = reading.difference(data, first, second, sizes)
    return {"holds": lead.verdict, "lead": lead}


def gas_lead(reading):
    gain, apart = reading.gain("GAS", "SNEFS", "X-MIFS", 4), reading.difference("GAS", "SNEFS", "X-MIFS", [4])
    return {"holds": apart.verdict, "gain": gain, "p_value": apart.p_value}


def gas_rise(reading):
    values = {method: reading.means_over_sizes("GAS", method, (1, 2, 3, 4)) for method in PAPER_METHODS}
    need(all(len(found) > 1 for found in values.values()))
    means = _ranked({method: float(np.mean(found)) for method, found in values.items()})
    return {"holds": next(iter(means)) == "SNEFS", "means": means}


def _usps(reading):
    need(len(reading.accuracies("USPS", "SNEFS", 10)) > 1)
    return reading.means("USPS", 10)


def usps_order(reading):
    means, best = _usps(reading), ["X-MIFS", "SNEFS", "mRMR"]
    ranked = list(means)
    return {"holds": ranked[0] == best[0] and set(ranked[:3]) == set(best), "means": means}


def usps_worse(reading):
    means = _usps(reading)
    last = max(means.get(method, 0.0) for method in ("RELIEFF", "RRPC_S", "RRPC_SS"))
    first = min(means.get(method, 0.0) for method in ("X-MIFS", "SNEFS", "mRMR"))
    return {"holds": last < first, "last": last, "first": first}


def equal_on_abalone(reading):
    p = {size: reading.friedman("ABALONE", size) for size in CURVES_OF["ABALONE"].sizes}
    need(None not in p.values())
    by_size = [f"{size}: {value:.2g}" for size, value in p.items()]
    return {"holds": min(p.values()) >= FRIEDMAN_LEVEL, "by_size": by_size}


def poor_on_abalone(reading):
    equal_on_abalone(reading)  # needs the same
    means = reading.means("ABALONE", 10).values()
    return {"holds": all(abs(mean - 0.3) < 0.05 for mean in means), "least": min(means), "most": max(means)}


def above_on_arrhythmia(reading, high, low):
    values = {
        method: reading.means_over_sizes("ARRHYTHMIA", method, range(6, 11)) for method in PAPER_METHODS
    }
    need(all(len(found) > 1 for found in values.values()))
    means = {method: float(np.mean(found)) for method, found in values.items()}
    holds = min(means[method] for method in high) > max(means[method] for method in low)
    return {"holds": holds, "values": {method: values[method] for method in (*high, *low)}}


def best_on_smk(reading):
    best = list(reading.means("SMK", 5))[:2]
    need(best)
    return {"holds": set(best) == {"X-MIFS", "SNEFS"}, "best": best}


# -- over all data sets ----------------------------------------------------------------------


def friedman_everywhere(reading):
    names = ("SPAMBASE_N", "SEGMENT_N", "HYPERSPHERES", "GAS", "USPS")
    p = {name: reading.friedman(name, CURVES_OF[name].sizes[-1]) for name in names}
    need(None not in p.values())
    n_folds = min(len(reading.results.where(part="curves", data=name)) for name in names)
    holds = max(p.values()) < FRIEDMAN_LEVEL
    return {"holds": None if not holds and n_folds < N_FOLDS else holds, "p": p}


def mean_rank(reading):
    found = [reading.means(name, CURVES_OF[name].sizes[-1]) for name in SEVEN]
    ranks = [
        [sum(other > means[method] for other in means.values()) + 1 for method in PAPER_METHODS]
        for means in found
        if len(means) == len(PAPER_METHODS)
    ]
    need(len(ranks) >= 3)
    mean = dict(sorted(zip(PAPER_METHODS, np.mean(ranks, axis=0), strict=True), key=lambda item: item[1]))
    return {"holds": next(iter(mean)) == "SNEFS", "ranks": mean, "n": len(ranks)}


def snefs_against_nefs(reading):
    apart = {}
    for name in SEVEN:
        with contextlib.suppress(NotRunError):
            apart[name] = reading.difference(name, "SNEFS", "NEFS", CURVES_OF[name].sizes).mean
    need(len(apart) >= 3)
    n_better = sum(value > 0 for value in apart.values())
    return {"holds": n_better > len(apart) / 2, "n_better": n_better, "n": len(apart), "apart": apart}


# -- time ------------------------------------------------------------------------------------


def fastest(reading):
    slopes = reading.slopes()
    published = [method for method in slopes if method in PAPER_METHODS]
    return {"holds": published[0] == "X-MIFS", "slopes": slopes}


def slowest(reading):
    slopes = reading.slopes()
    published = [method for method in slopes if method in PAPER_METHODS]
    words = {"exact": slopes["NEFS"], "hashed": slopes[HASHED], "snefs": slopes["SNEFS"]}
    return {"holds": published[-1] == "NEFS", **words}


def time_of_snefs(reading):
    slopes = reading.slopes()
    own = slopes["SNEFS"]
    holds = 2 * own < slopes["NEFS"] and own > max(slopes[method] for method in OTHERS)
    return {"holds": holds, "times": slopes["NEFS"] / own, "times_hashed": slopes[HASHED] / own}
