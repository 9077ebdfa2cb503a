"""Results for the Inf-FS paper, and whether they support its claims."""

import numpy as np
import scipy.stats

from reproduction.inffs import authors
from reproduction.inffs.growth import growth
from reproduction.inffs.methods import FIXED_S, FIXED_U, INFFS_S, INFFS_U, SUPERVISED, UNSUPERVISED
from reproduction.inffs.protocol import DATASETS, MICROARRAYS, SIZES, TEST_SHARE, TEXTS
from reproduction.texts import need
from reproduction.verdicts import Finding, Mean, all_of, at_least, exact, sure_pairs

OURS, AUTHORS = (
    "values as they are, the paper's graph",
    "logarithms of intensities, the released graph and cut",
)
CLOSE = 0.02  # accuracies that differ by no more are comparable
POINTS, FACTOR = 2.0, 2.0  # accuracies in % and numbers of columns no further apart are the same for us
NEAR_SIZES = 0.05  # of the range of sizes that the weights span
MAX_SIZES = 5  # of the data sets of Table 3
RANK_VARIANCE = 0.23
BETTER_THAN_LASSO = 9 / 11  # of the data sets
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
PRINTED = 1 / 20  # in place of it beside numbers of the paper, which are means of 20 splits
# as the paper compares them: Inf-FS once, beside the others
COMPARED = {
    "supervised": tuple(method for method in SUPERVISED if method != FIXED_S),
    "unsupervised": tuple(method for method in UNSUPERVISED if method != FIXED_U),
}
COMPARED_IN = {
    "accuracy": COMPARED,
    "authors": {"supervised": authors.SUPERVISED, "unsupervised": authors.UNSUPERVISED},
}
TABLE_3 = {given["data"]: given for given in TEXTS.over("table_3")}
NAMES = {data: TABLE_3[data]["name"] for data in DATASETS}
KEPT_BY = (INFFS_U, INFFS_S, "LASSO")  # as the lists of table 3 name them
OTHER_VERSION = ("lymphoma_96", "dexter")  # no printed number can be expected of them


def claims(results):
    """One verdict for each claim of the paper."""
    compared = [one["difference"] for record in results.where(part="naive") for one in record.result.values()]
    agree = {
        name: TEXTS.phrase(name, difference=max(compared)) if compared else ""
        for name in ("scores_agree", "cuts_agree")
    }
    return TEXTS.claims({**globals(), "growth": growth}, Readings(results), results, **agree)


class Scores:
    """The accuracies among the results; `least` splits a method must have been run on to count as run."""

    def __init__(self, results, least=1, part="accuracy") -> None:
        self.results, self.least, self.part = results, least, part
        self.sizes: list[int] = []
        self._tables: dict = {}
        for record in results.where(part=part):
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
        records = self.results.where(part=self.part, data=data)
        found = [record.result[method] for record in records if method in record.result]
        return [one["kept"] for one in found], 100 * np.array([one["kept_accuracy"] for one in found])

    def n_kept(self, data, method) -> float:
        return float(np.mean(self.kept(data, method)[0]))

    def _more(self, data, method):
        """What further splits found, which count beside numbers of the paper alone."""
        records = self.results.where(part="more splits", data=data) if self.part == "authors" else []
        return [record.result[method] for record in records if method in record.result]

    def percent(self, data, method) -> Mean:
        """Accuracy with the columns kept, split by split."""
        more = [100 * found["kept_accuracy"] for found in self._more(data, method)]
        return Mean([*self.kept(data, method)[1].tolist(), *more], overlap=PRINTED, digits=1)

    def best_size(self, data, method) -> Mean:
        """Accuracy (%) with the number of columns that is best in the mean, split by split."""
        more = [found["accuracy"] for found in self._more(data, method)]
        curves = 100 * np.array([*self.by_split(data, method).values(), *more])
        return Mean(curves[:, curves.mean(axis=0).argmax()].tolist(), overlap=PRINTED, digits=1)

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

    def lead_on(self, data, first, second, sizes=None) -> Mean:
        """How far the first is ahead on the splits both were run on; mean over all sizes, or over some."""
        a, b = self.by_split(data, first), self.by_split(data, second)
        picked = [self.sizes.index(size) for size in sizes or self.sizes]
        gaps = [float((a[split] - b[split])[picked].mean()) for split in sorted(a.keys() & b.keys())]
        return Mean(gaps, overlap=OVERLAP)

    def lead(self, first, second, among=DATASETS, sizes=None) -> Mean:
        """How far the first is ahead: mean over splits, and over all sizes or some, for each data set."""
        there = self.datasets([first, second], among)
        return Mean([self.lead_on(data, first, second, sizes).mean for data in there], "data sets")

    def ranks(self, methods, among=DATASETS):
        """Rank of each method that was run on all data sets (data sets, sizes), 1 the best."""
        curves, there = self.mean_curves(methods, among), self.datasets(methods[:1], among)
        accuracies = np.array([[self.mean(data, method) for data in there] for method in curves])
        ranks = scipy.stats.rankdata(-np.round(accuracies, 6), axis=0) if curves else []
        return dict(zip(curves, ranks, strict=True))


class Readings:
    """The accuracies in both readings; one split says nothing of errors."""

    def __init__(self, results) -> None:
        self.results = results
        parts = {OURS: "accuracy", AUTHORS: "authors"}
        self.all = {name: Scores(results, least=2, part=part) for name, part in parts.items()}
        self.ours, self.authors = self.all.values()

    def each(self, methods, among, find, at_least=1):
        """What is found in each reading that has these methods on some of the data sets."""
        found = {
            name: find(scores)
            for name, scores in self.all.items()
            if len(scores.datasets(methods, among)) >= at_least
        }
        need(found)
        return {"readings": found}


def _by_size(scores, data, first, second) -> str:
    """The lead at each size."""
    return ", ".join(f"{scores.lead_on(data, first, second, [size])} at {size}" for size in scores.sizes)


# -- section 3.5 -----------------------------------------------------------------------------


def regularization(readings, method, **_):
    found = readings.results.where(part="regularization")
    plain = {record.settings["data"]: record for record in found if "values" not in record.settings}
    logs = {record.settings["data"]: record for record in found if "values" in record.settings}
    need(plain)
    read = {"values as they are": plain, **({"logarithms of intensities": {**plain, **logs}} if logs else {})}
    return {"readings": {name: _same_ranking(list(of.values()), method) for name, of in read.items()}}


def _same_ranking(records, method):
    """Whether both regularisations rank alike on all data sets."""
    taus = {NAMES[record.settings["data"]]: record.result[method]["tau"] for record in records}
    shared = [record.result[method]["shared"] for record in records]
    changed = [max(size - of_data[j] for of_data in shared) for j, size in enumerate(SIZES)]
    found = {"taus": [f"{tau:.3f} {data}" for data, tau in taus.items()], "sizes": SIZES, "changed": changed}
    return {"holds": min(taus.values()) >= 1, **found}


# -- figures 1, 2 and 4 ----------------------------------------------------------------------


def best(readings, method, kind, data=None, above=0, level=(), **_):
    """Ahead of all others of its kind, mean over sizes above one; level with some if the paper says so."""
    among = MICROARRAYS if data is None else (data,)

    def rivals_in(scores):
        others = [name for name in COMPARED_IN[scores.part][kind] if name != method]
        n_wanted = len(scores.datasets([method], among))
        return [name for name in others if 0 < len(scores.datasets([method, name], among)) == n_wanted]

    def lead(scores, name, sizes):
        if data is None:
            return scores.lead(method, name, among, sizes)
        return scores.lead_on(data, method, name, sizes)

    def find(scores):
        rivals, sizes = rivals_in(scores), [size for size in scores.sizes if size > above]
        leads = {name: lead(scores, name, sizes) for name in rivals}
        rival, least = min(leads.items(), key=lambda item: item[1].mean)
        finding = all_of(
            lead.within(-CLOSE, CLOSE) if name in level else lead.above(0) for name, lead in leads.items()
        )
        n_first = sum(all(lead(scores, name, [size]).mean >= 0 for name in rivals) for size in sizes)
        pairs = {(method, name): one for name, one in leads.items()}
        found = {"n_first": n_first, "n_sizes": len(sizes), "n": len(rivals), "sure": sure_pairs(pairs)}
        return {"finding": finding, **found, "rival": rival, "least": least}

    found = {name: find(scores) for name, scores in readings.all.items() if rivals_in(scores)}
    need(found)
    return {"readings": found}


def among_three(readings, method, kind):
    """On every data set at most two others of its kind are ahead, mean over sizes."""

    def find(scores):
        findings, places = [], {}
        for data in scores.datasets([method]):
            others = [name for name in COMPARED_IN[scores.part][kind] if name != method]
            leads = [scores.lead_on(data, method, name) for name in others if scores.by_split(data, name)]
            if len(leads) > 2:
                findings.append(at_least(len(leads) - 2, [lead.above(0) for lead in leads]))
                places[NAMES[data]] = 1 + sum(lead.mean < 0 for lead in leads)
        return {"finding": all_of(findings), "places": places}

    found = {name: find(scores) for name, scores in readings.all.items()}
    found = {name: one for name, one in found.items() if one["places"]}
    need(found)
    return {"readings": found}


def _lead_by_data(scores, first, second, among=DATASETS):
    found, there = scores.lead(first, second, among), scores.datasets([first, second], among)
    by_data = {NAMES[data]: gap for data, gap in zip(there, found.values, strict=True)}
    return {"finding": found.above(0), "lead": found, "by_data": by_data}


def ahead(readings, other):
    """The supervised graph against one of the terms it is made of."""
    return readings.each(
        [INFFS_S, other], DATASETS, lambda scores: _lead_by_data(scores, INFFS_S, other), at_least=3
    )


def supervised_ahead(readings):
    def find(scores):
        found = _lead_by_data(scores, INFFS_S, INFFS_U, MICROARRAYS)
        leads = {size: scores.lead(INFFS_S, INFFS_U, MICROARRAYS, [size]) for size in scores.sizes}
        return {**found, "by_size": [f"{lead.mean:+.3f} at {size}" for size, lead in leads.items()]}

    return readings.each([INFFS_S, INFFS_U], MICROARRAYS, find, at_least=3)


def comparable(readings):
    wanted = ("colon", "leukemia", "lung_gordon")

    def find(scores):
        leads = {NAMES[data]: scores.lead_on(data, INFFS_S, INFFS_U) for data in wanted}
        finding = all_of(lead.within(-CLOSE, CLOSE) for lead in leads.values())
        return {"finding": finding, "gaps": {name: str(lead) for name, lead in leads.items()}}

    return readings.each([INFFS_S, INFFS_U], wanted, find, at_least=len(wanted))


def knee(readings):
    def find(scores):
        methods = [name for of_kind in COMPARED_IN[scores.part].values() for name in of_kind]
        run = [name for name in methods if len(scores.datasets([name], MICROARRAYS)) >= 3]
        there = scores.datasets(run, MICROARRAYS)
        curves = np.array([np.mean([scores.mean(data, name) for name in run], axis=0) for data in there])
        at = dict(zip(scores.sizes, curves.T, strict=True))
        bend = Mean((at[50] - at[10] - (at[200] - at[50])).tolist(), "data sets")
        last = Mean((at[200] - at[150]).tolist(), "data sets") if 150 in at else Mean([0.0, 0.0])
        finding = all_of([bend.above(0), last.within(-0.01, 0.01)])
        return {"finding": finding, "bend": bend, "last": last}

    return readings.each([INFFS_S, INFFS_U], MICROARRAYS, find, at_least=3)


def lead_on(readings, data, first, second, size=None, **_):
    """A lead on the splits of one data set."""

    def find(scores):
        found = scores.lead_on(data, first, second, size and [size])
        return {"finding": found.above(0), "lead": found, "by_size": _by_size(scores, data, first, second)}

    return readings.each([first, second], [data], find)


def leukemia_at_10(readings):
    def find(scores):
        at = scores.sizes.index(10)
        values = [100 * float(v[at]) for v in scores.by_split("leukemia", INFFS_U).values()]
        found = Mean(values, overlap=PRINTED, digits=1)
        return {"finding": found.above(94.7 - 2 * POINTS), "accuracy": found.plain}

    return readings.each([INFFS_U], ["leukemia"], find)


def madelon_above_10(readings):
    def find(scores):
        leads = [scores.lead_on("madelon", INFFS_U, INFFS_S, [size]) for size in scores.sizes if size > 10]
        finding = all_of(lead.within(-CLOSE, CLOSE) for lead in leads)
        return {"finding": finding, "by_size": _by_size(scores, "madelon", INFFS_U, INFFS_S)}

    return readings.each([INFFS_U, INFFS_S], ["madelon"], find)


def _ranks_by_data(readings, kind):
    """Ranks of the methods on the data sets, at all sizes together, in each reading that has several."""
    found = {}
    for name, scores in readings.all.items():
        among = DATASETS if scores is readings.ours else MICROARRAYS  # where all methods were run
        ranks = scores.ranks(COMPARED_IN[scores.part][kind], among)
        if len(ranks) > 1:
            found[name] = {method: table.mean(axis=1) for method, table in ranks.items()}
    need(found)
    return found


def best_rank(readings, method, kind, **_):
    """Whose mean rank over data sets is lowest, at all sizes together."""
    ranks = _ranks_by_data(readings, kind)
    return {"readings": {name: _best_rank(of_data, method) for name, of_data in ranks.items()}}


def _best_rank(of_data, method):
    leads = {n: Mean((of_data[n] - of_data[method]).tolist(), "data sets") for n in of_data if n != method}
    averages = {name: float(values.mean()) for name, values in of_data.items()}
    order = sorted(averages, key=lambda name: averages[name])
    nearest = min(leads.values(), key=lambda lead: lead.mean)
    found = {"ranks": {name: averages[name] for name in order}, "place": order.index(method) + 1}
    found["sure"] = sure_pairs({(method, name): lead for name, lead in leads.items()})
    finding = all_of(lead.above(0) for lead in leads.values())
    return {"finding": finding, **found, "n": len(order), "n_data": len(of_data[method]), "nearest": nearest}


def next_ranks(readings, method, kind, followers):
    """Who comes next."""

    def find(of_data):
        others = [name for name in of_data if name not in (method, *followers)]
        leads = [Mean((of_data[o] - of_data[f]).tolist(), "data sets") for f in followers for o in others]
        least = min(leads, key=lambda lead: lead.mean)
        return {
            **_best_rank(of_data, method),
            "finding": all_of(lead.above(0) for lead in leads),
            "least": least,
        }

    ranks = _ranks_by_data(readings, kind)
    found = {name: find(of) for name, of in ranks.items() if {*followers} < of.keys() - {method}}
    need(found)
    return {"readings": found}


def rank_variance(readings, **_):
    """Whether the rank varies over data sets as little as the paper says, within a factor of two."""

    def find(scores, over="data sets"):
        among = DATASETS if scores is readings.ours else MICROARRAYS  # where all methods were run
        found = {}
        for method, kind in ((INFFS_U, "unsupervised"), (INFFS_S, "supervised")):
            ranks = scores.ranks(COMPARED_IN[scores.part][kind], among)
            need(method in ranks)
            found[method] = _variance(ranks[method].mean(axis=1 if over == "data sets" else 0))
        variances = _shown(found, over)
        return {"finding": all_of(_at_most_twice(*one) for one in found.values()), "variances": variances}

    by_data = readings.each([INFFS_U, INFFS_S], MICROARRAYS, find)["readings"]
    return {"readings": {**by_data, "the mean rank over numbers of columns": find(readings.ours, "sizes")}}


def _variance(ranks) -> tuple[float, int]:
    return float(np.var(ranks, ddof=1)), len(ranks) - 1


def _at_most_twice(variance, freedom) -> Finding:
    law = scipy.stats.chi2(freedom)
    statistic = freedom * variance / (2 * RANK_VARIANCE)
    return Finding(float(law.cdf(statistic)), float(law.sf(statistic)))


def _shown(variances, unit):
    """Each with its 95 % interval."""
    shown = []
    for method, (variance, freedom) in variances.items():
        low, high = (freedom * variance / scipy.stats.chi2(freedom).ppf(q) for q in (0.975, 0.025))
        shown.append(f"{method} {variance:.2f} ({low:.2f} to {high:.2f}, {freedom + 1} {unit})")
    return shown


# -- Table 3: what the cut keeps, and how well that does --------------------------------------


def table_3(readings, data, accuracy, **_):
    need(data not in OTHER_VERSION)

    def find(scores):
        found = {method: scores.percent(data, method) for method in KEPT_BY[:2]}
        limits = [paper - POINTS for paper in accuracy[:2]]
        finding = all_of(one.above(low) for one, low in zip(found.values(), limits, strict=True))
        return {"finding": finding, "found": {method: f"{one.plain} %" for method, one in found.items()}}

    return readings.each(KEPT_BY[:2], [data], find)


def best_of_sizes(readings, data, best, **_):
    """The best of the fixed sizes, as the paper takes it: on the test rows."""
    need(data not in OTHER_VERSION)

    def find(scores):
        found = {method: scores.best_size(data, method) for method in KEPT_BY[:2]}
        finding = all_of(one.above(low - POINTS) for one, low in zip(found.values(), best, strict=True))
        return {"finding": finding, "found": {method: f"{one.plain} %" for method, one in found.items()}}

    return readings.each(KEPT_BY[:2], [data], find)


def numbers_kept(readings):
    found = {}
    scores = readings.ours
    sizes = {
        f"{NAMES[data]} {method}": (
            Mean(list(map(float, scores.kept(data, method)[0])), overlap=PRINTED),
            paper,
        )
        for data in scores.datasets(KEPT_BY[:2])
        if data not in OTHER_VERSION
        for method, paper in zip(KEPT_BY[:2], TABLE_3[data]["columns"], strict=False)
    }
    if sizes:
        near = [one.within(paper / FACTOR, paper * FACTOR) for one, paper in sizes.values()]
        shown = {name: f"{one.mean:.0f} ({paper})" for name, (one, paper) in sizes.items()}
        found["mean shift, weights by cross-validation"] = {"finding": all_of(near), "shown": shown}
    records = readings.results.where(part="sizes")
    if records:
        inside, shown = set(), {}
        for record in records:
            data, papers = record.settings["data"], TABLE_3[record.settings["data"]]["columns"]
            ranges = [(min(record.result[method]), max(record.result[method])) for method in KEPT_BY[:2]]
            pairs = list(zip(ranges, papers, strict=False))
            is_inside = all(
                low * (1 - NEAR_SIZES) <= paper <= high * (1 + NEAR_SIZES) for (low, high), paper in pairs
            )
            inside |= {data} if is_inside else set()
            label = NAMES[data] + (", as it is" if "values" in record.settings else "")
            parts = " and ".join(f"{low} to {high} ({paper})" for (low, high), paper in pairs)
            shown[label] = f"{parts}{'' if is_inside else ', outside'}"
        n_wanted = min(MAX_SIZES, len({record.settings["data"] for record in records}))
        words = {"finding": exact(len(inside) >= n_wanted), "shown": shown}
        found["the authors' histogram, weights of their grid"] = words
    need(found)
    return {"readings": found}


def fewer_with_y(readings):
    def find(scores):
        gaps = {}
        for data in scores.datasets(KEPT_BY[:2]):
            pairs = zip(*(scores.kept(data, method)[0] for method in KEPT_BY[:2]), strict=False)
            gaps[data] = Mean([float(without - with_y) for without, with_y in pairs], overlap=OVERLAP)
        n_fewer = sum(gap.mean > 0 for gap in gaps.values())
        shown = [
            f"{NAMES[d]} {scores.n_kept(d, INFFS_S):.0f} against {scores.n_kept(d, INFFS_U):.0f}"
            for d in gaps
        ]
        finding = all_of(gap.above(0) for gap in gaps.values())
        return {"finding": finding, "n_fewer": n_fewer, "n": len(gaps), "counts": shown}

    return readings.each(KEPT_BY[:2], DATASETS, find)


def better_than_lasso(readings):
    scores = readings.ours
    there = scores.datasets(KEPT_BY)
    need(there)
    gaps = {}
    for data in there:
        values = [scores.kept(data, method)[1] for method in KEPT_BY]
        n = min(map(len, values))
        inffs = max(values[:2], key=lambda found: float(found.mean()))
        gaps[NAMES[data]] = Mean((inffs[:n] - values[2][:n]).tolist(), overlap=OVERLAP, digits=1)
    findings = [gap.above(0) for gap in gaps.values()]
    n_better = sum(gap.mean > 0 for gap in gaps.values())
    found = {"n_better": n_better, "n": len(gaps), "gaps": {name: str(gap) for name, gap in gaps.items()}}
    n_wanted = int(np.ceil(BETTER_THAN_LASSO * len(findings)))
    return {"finding": at_least(n_wanted, findings), **found, "n_wanted": n_wanted, "lasso": _lasso(scores)}


def _lasso(scores) -> str:
    counts = {NAMES[data]: scores.n_kept(data, "LASSO") for data in scores.datasets(["LASSO"])}
    name = max(counts, key=lambda name: counts[name])
    return TEXTS.phrase("no_rival_of_table_3", most=counts[name], name=name)
