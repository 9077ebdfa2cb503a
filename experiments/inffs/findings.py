"""What came out for the Inf-FS paper, and whether its claims agree with it."""

import numpy as np
import scipy.stats

from experiments.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from experiments.inffs.protocol import DATASETS, MICROARRAYS, SIZES, TEST_SHARE, TEXTS
from experiments.paired import Paired
from experiments.texts import need

FEW_SPLITS = 4  # below, the corrected test hardly ever shows a lead; whole runs have as many or more
CLOSE = 0.02  # accuracies that differ by no more are comparable
POINTS, FACTOR = 2.0, 2.0  # accuracies in % and numbers of columns no further apart are the same for us
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
# as the paper compares them: Inf-FS once, beside the others
COMPARED = {
    "supervised": tuple(method for method in SUPERVISED if method != FIXED_S),
    "unsupervised": tuple(method for method in UNSUPERVISED if method != FIXED_U),
}
TABLE_3 = {given["data"]: given for given in TEXTS.over("table_3")}
NAMES = {data: TABLE_3[data]["name"] for data in DATASETS}
KEPT_BY = (INFFS_U, INFFS_S, "LASSO")  # as the lists of table 3 name them
OTHER_VERSION = ("lymphoma_96",)


def claims(results):
    """One verdict for each claim of the paper."""
    compared = [one["difference"] for record in results.where(part="naive") for one in record.result.values()]
    agree = {
        name: TEXTS.phrase(name, difference=max(compared)) if compared else ""
        for name in ("scores_agree", "cuts_agree")
    }
    return TEXTS.claims(
        globals(), Scores(results, least=2), results, **agree
    )  # one split says nothing of errors


class Scores:
    """The accuracies among the results; `least` splits a method must have been run on to count as run."""

    def __init__(self, results, least=1) -> None:
        self.results, self.least = results, least
        self.sizes: list[int] = []
        self._tables: dict = {}
        for record in results.where(part="accuracy"):
            self.sizes = self.sizes or list(record.settings["sizes"])
            for method, found in record.result.items():
                of_method = self._tables.setdefault((record.settings["data"], method), {})
                of_method[record.settings["repeat"]] = np.array(found["accuracy"])

    def by_split(self, data, method):
        """Accuracies at the sizes, by the number of the split; empty where the method was not run."""
        found = self._tables.get((data, method), {})
        return found if len(found) >= self.least else {}

    def kept(self, data, method):
        """What the method keeps by itself: a number of columns and an accuracy (%) for each split."""
        records = self.results.where(part="accuracy", data=data)
        found = [record.result[method] for record in records if method in record.result]
        return [one["kept"] for one in found], 100 * np.array([one["kept_accuracy"] for one in found])

    def n_kept(self, data, method) -> float:
        return float(np.mean(self.kept(data, method)[0]))

    def percent(self, data, method):
        """Mean accuracy with the columns kept, and its error, corrected for the rows splits share."""
        values = self.kept(data, method)[1]
        error = float(values.std(ddof=1) * (1 / len(values) + OVERLAP) ** 0.5) if len(values) > 1 else 0.0
        return float(values.mean()), error

    def datasets(self, methods, among=DATASETS):
        """Data sets on which all these methods were run."""
        return [data for data in among if all(self.by_split(data, method) for method in methods)]

    def mean(self, data, method):
        """Mean over the splits, for each size."""
        return np.mean(list(self.by_split(data, method).values()), axis=0)

    def mean_curves(self, methods, among):
        """Mean over data sets for each size, of the methods that were run on as many as the first one."""
        there = self.datasets(methods[:1], among)
        return {
            method: np.mean([self.mean(data, method) for data in there], axis=0)
            for method in methods
            if there and len(self.datasets([method], there)) == len(there)
        }

    def of_all_methods(self, data):
        """Mean accuracies of all methods that were run, for each size."""
        methods = [method for of_kind in COMPARED.values() for method in of_kind]
        return {method: self.mean(data, method) for method in methods if self.by_split(data, method)}

    def lead_on(self, data, first, second, size=None) -> Paired:
        """How far the first is ahead on the splits both were run on; mean over sizes, or at one size."""
        a, b = self.by_split(data, first), self.by_split(data, second)
        picked = slice(None) if size is None else [self.sizes.index(size)]
        gaps = [float((a[split] - b[split])[picked].mean()) for split in sorted(a.keys() & b.keys())]
        return Paired(gaps, overlap=OVERLAP)

    def lead(self, first, second, among=DATASETS) -> Paired:
        """How far the first is ahead: mean over splits and sizes, for each data set."""
        there = self.datasets([first, second], among)
        return Paired([self.lead_on(data, first, second).mean for data in there], "data sets")

    def ranks(self, methods):
        """Rank of each method that was run on all data sets (data sets, sizes), 1 the best."""
        curves, there = self.mean_curves(methods, DATASETS), self.datasets(methods[:1])
        accuracies = np.array([[self.mean(data, method) for data in there] for method in curves])
        ranks = scipy.stats.rankdata(-np.round(accuracies, 6), axis=0) if curves else []
        return dict(zip(curves, ranks, strict=True))


def _by_size(scores, data, first, second) -> str:
    """The lead at each size."""
    leads = {size: scores.lead_on(data, first, second, size) for size in scores.sizes}
    return ", ".join(f"{lead.mean:+.3f} ± {lead.error:.3f} at {size}" for size, lead in leads.items())


# -- section 3.5 -----------------------------------------------------------------------------


def regularization(scores, method, **_):
    records = scores.results.where(part="regularization")
    need(records)
    taus = {NAMES[record.settings["data"]]: record.result[method]["tau"] for record in records}
    shared = [record.result[method]["shared"] for record in records]
    return {
        "holds": min(taus.values()) >= 1,
        "taus": [f"{tau:.3f} {data}" for data, tau in taus.items()],
        "sizes": SIZES,
        "changed": [max(size - of_data[j] for of_data in shared) for j, size in enumerate(SIZES)],
    }


# -- figures 1, 2 and 4 ----------------------------------------------------------------------


def best(scores, method, kind, data=None, above=0, **_):
    """Best of its kind at every size above one."""
    among = MICROARRAYS if data is None else (data,)
    curves = scores.mean_curves(COMPARED[kind], among)
    need(len(curves) > 1)
    places, winners = {}, {}
    for j, size in enumerate(scores.sizes):
        ahead = [name for name, curve in curves.items() if curve[j] > curves[method][j] + 1e-9]
        if size > above:
            places[size] = 1 + len(ahead)
        if ahead and size > above:
            winners[size] = max(curves, key=lambda name: float(curves[name][j])), j
    leads = {
        name: scores.lead(name, method, among) if data is None else scores.lead_on(data, name, method)
        for name, _ in winners.values()
    }
    return {
        "holds": not winners,
        "n": len(curves),
        "places": [f"{place} at {size}" for size, place in places.items()],
        "best": [
            f"{name} at {size} ({curves[name][j]:.4f} against {curves[method][j]:.4f})"
            for size, (name, j) in winners.items()
        ],
        "leads": "; ".join(f"{name} {lead}" for name, lead in leads.items()),
    }


def _lead_by_data(scores, first, second, among=DATASETS):
    found, there = scores.lead(first, second, among), scores.datasets([first, second], among)
    by_data = {NAMES[data]: gap for data, gap in zip(there, found.differences, strict=True)}
    need(len(there) > 1)
    return {"holds": found.ahead, "lead": found, "by_data": by_data}


def ahead(scores, other):
    """The supervised graph against one of the terms it is made of."""
    found, default = _lead_by_data(scores, INFFS_S, other), scores.lead(FIXED_S, other)
    state = f"{other} is ahead" if found["lead"].behind else "Neither is ahead of the other"
    return {**found, "state": state, "default": {"lead": default} if default.differences else None}


def supervised_ahead(scores):
    found, curves = _lead_by_data(scores, INFFS_S, INFFS_U, MICROARRAYS), scores.mean_curves
    with_y, without = (curves([method], MICROARRAYS)[method] for method in (INFFS_S, INFFS_U))
    gaps = zip(scores.sizes, with_y - without, strict=True)
    return {**found, "by_size": [f"{gap:+.3f} at {size}" for size, gap in gaps]}


def comparable(scores):
    wanted = ("colon", "leukemia", "lung_gordon")
    need(len(scores.datasets([INFFS_S, INFFS_U], wanted)) >= len(wanted))
    first, last = scores.sizes[0], scores.sizes[-1]
    gaps, at_first, at_last = (
        {NAMES[data]: scores.lead_on(data, INFFS_S, INFFS_U, size).mean for data in wanted}
        for size in (None, first, last)
    )
    holds = all(abs(gap) <= CLOSE for gap in gaps.values())
    return {
        "holds": holds,
        "gaps": gaps,
        "first": first,
        "last": last,
        "at_first": at_first,
        "at_last": at_last,
    }


def knee(scores):
    curves = [c for methods in COMPARED.values() for c in scores.mean_curves(methods, MICROARRAYS).values()]
    need(curves)
    at = dict(zip(scores.sizes, np.mean(curves, axis=0), strict=True))
    saturated = 150 not in at or abs(at[200] - at[150]) <= 0.01
    shown = [f"{value:.3f} at {size}" for size, value in at.items()]
    return {"holds": at[50] - at[10] > at[200] - at[50] and saturated, "at": shown}


def lead_on(scores, data, first, second, size=None, **_):
    """A lead on the splits of one data set; too few of them cannot show one that is small."""
    found = scores.lead_on(data, first, second, size) if scores.sizes else Paired([])
    n = len(found.differences)
    need(n > 1)
    holds = None if not found.ahead and found.mean > 0 and n < FEW_SPLITS else found.ahead
    return {"holds": holds, "lead": found, "n": n, "by_size": _by_size(scores, data, first, second)}


def madelon_at_10(scores):
    found = lead_on(scores, "madelon", INFFS_U, INFFS_S, 10)
    levels = {m: float(mean[scores.sizes.index(10)]) for m, mean in scores.of_all_methods("madelon").items()}
    best = max(levels, key=lambda method: levels[method])
    shown = [levels[best], levels[INFFS_U], levels[INFFS_S]]
    return {**found, "n_methods": len(levels), "best": best, "levels": shown}


def madelon_above_10(scores):
    sizes = [size for size in scores.sizes if size > 10]
    need(sizes, len(scores.lead_on("madelon", INFFS_U, INFFS_S).differences) > 1)
    gaps = {size: scores.lead_on("madelon", INFFS_U, INFFS_S, size).mean for size in sizes}
    return {
        "holds": all(abs(gap) <= CLOSE for gap in gaps.values()),
        "gaps": [f"{gap:+.3f} at {size}" for size, gap in gaps.items()],
        "by_size": _by_size(scores, "madelon", INFFS_U, INFFS_S),
    }


def best_rank(scores, method, kind, **_):
    """Who is first at every size."""
    ranks = scores.ranks(COMPARED[kind])
    need(len(ranks) > 1)
    averages = {name: table.mean(axis=0) for name, table in ranks.items()}
    over_sizes = {name: float(values.mean()) for name, values in averages.items()}
    order = sorted(averages, key=lambda name: over_sizes[name])
    n_data, n_sizes = ranks[method].shape
    n_first = sum(min(averages, key=lambda name: averages[name][j]) == method for j in range(n_sizes))
    return {
        "holds": n_first == n_sizes,
        "ranks": {name: over_sizes[name] for name in order},
        "n_data": n_data,
        "n_first": n_first,
        "n_sizes": n_sizes,
        "place": order.index(method) + 1,
        "n": len(order),
    }


def next_ranks(scores, method, kind, followers):
    """Who comes next."""
    found = best_rank(scores, method, kind)
    others = [name for name in found["ranks"] if name != method]
    return {**found, "holds": set(others[:2]) == set(followers)}


# -- Table 3: what mean shift keeps, and how well that does ----------------------------------


def table_3(scores, data, accuracy, **_):
    need(scores.datasets(KEPT_BY[:2], [data]))
    found = {method: scores.percent(data, method) for method in KEPT_BY[:2]}
    lower = [
        mean - paper < -max(POINTS, 2 * error)
        for (mean, error), paper in zip(found.values(), accuracy, strict=False)
    ]
    means = scores.of_all_methods(data)
    best = max(means, key=lambda method: float(means[method].max()))
    kept = scores.kept(data, INFFS_U)[0]
    return {
        "holds": None if data in OTHER_VERSION else not any(lower),
        "found": [f"{mean:.1f} ± {error:.1f} %" for mean, error in found.values()],
        "n_methods": len(means),
        "best": best,
        "highest": 100 * means[best].max(),
        "single": {"n": kept.count(1), "n_splits": len(kept)} if 1 in kept else None,
    }


def numbers_kept(scores):
    ratios = {
        f"{NAMES[data]} {method}": scores.n_kept(data, method) / paper
        for data in scores.datasets(KEPT_BY[:2])
        if data not in OTHER_VERSION
        for method, paper in zip(KEPT_BY[:2], TABLE_3[data]["columns"], strict=False)
    }
    far = [f"{name} {ratio:.2f} times" for name, ratio in ratios.items() if not 1 / FACTOR <= ratio <= FACTOR]
    n_near = len(ratios) - len(far)
    need(ratios)
    return {"holds": not far, "n_near": n_near, "n": len(ratios), "far": far}


def fewer_with_y(scores):
    counts = {
        data: [scores.n_kept(data, m) for m in (INFFS_S, INFFS_U)] for data in scores.datasets(KEPT_BY[:2])
    }
    n_fewer = sum(with_y < without for with_y, without in counts.values())
    shown = [f"{NAMES[data]} {a:.0f} against {b:.0f}" for data, (a, b) in counts.items()]
    need(counts)
    return {"holds": n_fewer == len(counts), "n_fewer": n_fewer, "n": len(counts), "counts": shown}


def better_than_lasso(scores):
    means = {
        data: [scores.percent(data, method)[0] for method in KEPT_BY] for data in scores.datasets(KEPT_BY)
    }
    gaps = {NAMES[data]: max(without, with_y) - lasso for data, (without, with_y, lasso) in means.items()}
    expected = [gap for name, gap in gaps.items() if name not in ("GISETTE", "GINA")]
    n_better = sum(gap > 0 for gap in expected)
    need(expected)
    found = {"n_better": n_better, "n": len(expected), "gaps": gaps}
    return {"holds": n_better == len(expected), **found, "lasso": _lasso(scores)}


def fewer_than_lasso(scores):
    counts = {data: [scores.n_kept(data, method) for method in KEPT_BY] for data in scores.datasets(KEPT_BY)}
    n_fewer = sum(max(a, b) < lasso for a, b, lasso in counts.values())
    shown = [f"{NAMES[data]} {a:.0f} and {b:.0f} against {c:.0f}" for data, (a, b, c) in counts.items()]
    need(counts)
    found = {"n_fewer": n_fewer, "n": len(counts), "counts": shown}
    return {"holds": n_fewer == len(counts), **found, "lasso": _lasso(scores)}


def _lasso(scores) -> str:
    counts = {NAMES[data]: scores.n_kept(data, "LASSO") for data in scores.datasets(["LASSO"])}
    name = max(counts, key=lambda name: counts[name])
    return TEXTS.phrase("no_rival_of_table_3", most=counts[name], name=name)


def images(scores):
    need(False)  # the data are not at hand
