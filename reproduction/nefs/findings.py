"""Results for the paper on NEFS, and whether they support its claims."""

import contextlib
from collections import Counter

import numpy as np
import scipy.stats

from reproduction.nefs import times, wide
from reproduction.nefs.methods import CLASSIFIERS, SIGNED, TEXTS
from reproduction.nefs.protocol import (
    CORRAL_NAMES,
    CURVES_OF,
    IN_ROW_ORDER,
    N_FOLDS,
    OUR_VARIANTS,
    PAPER_METHODS,
)
from reproduction.nefs.readings import OVERLAP, Readings
from reproduction.texts import NotRunError, need
from reproduction.verdicts import Finding, Mean, all_of, at_least, exact, share, share_text, sure_pairs

FRIEDMAN_LEVEL = 0.01  # the paper's
OVERLAP_OF_DRAWS = 57 / 4540  # rows drawn by rows left: draws have hardly a training row in common
OWN, OTHERS = ("NEFS", "SNEFS"), ("RELIEFF", "X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")
CAUSES, CORRELATED = {0, 1, 2, 3}, 5  # columns of CORRAL
SEVEN = [name for name in CURVES_OF if name not in ("CORRAL", "SMK")]  # data sets that are compared
FRIEDMAN_DATA = ("SPAMBASE_N", "SEGMENT_N", "HYPERSPHERES", "GAS", "USPS")
UNBALANCED = "HYPERSPHERES"  # one row in five is in a ball; made to test that
ROUGHLY = 1.5  # a factor
POOR = 0.35  # the paper: about 0.3


def claims(results):
    """All verdicts, whichever cells were run."""
    readings = Readings(results)
    words = {"no_bug": _no_bug(results), "our_times": _our_times(readings)}
    return TEXTS.claims({**globals(), **vars(times), **vars(wide)}, readings, results, **words)


def _no_bug(results) -> str:
    found, picks = results.where(part="checks"), results.where(part="plain")
    if not (found and picks):
        return ""
    words = {"same": min(picks[0].result.values()), "tables": picks[0].settings["tables"]}
    return TEXTS.phrase("agrees", difference=found[0].result["largest_difference"], **words)


def _our_times(readings) -> str:
    with contextlib.suppress(NotRunError):
        return TEXTS.phrase("coefficients", slopes=readings.ours.slopes())
    return ""


def most_frequent(items):
    """The most frequent item, the smallest of them, and how often it came."""
    counts = Counter(items)
    best = min(counts, key=lambda item: (-counts[item], item))
    return best, counts[best]


# -- neighborhood entropy itself -------------------------------------------------------------


def figure_1(readings):
    records = readings.results.where(part="checks")
    need(records)
    values = records[0].result["figure_1"]
    gaps = Mean(np.subtract(values["random"], values["corner"]).tolist(), "draws")
    means = {labels: float(np.mean(found)) for labels, found in values.items()}
    return {"finding": gaps.above(0), "means": means, "gap": gaps}


def visits(readings):
    records = readings.results.where(part="checks")
    need(records)
    shares = Mean(records[0].result["visited"], "tables")
    return {"finding": shares.within(0.25 / ROUGHLY, 0.25 * ROUGHLY), "shares": shares.plain}


# -- CORRAL ----------------------------------------------------------------------------------


def share_of_causes(runs) -> float:
    """How often the four causes come first."""
    return float(np.mean([set(order) == CAUSES for order in runs]))


def causes_first(readings, method, **_):
    def judged(runs):
        n = sum(set(one) == CAUSES for one in runs)
        most = " ".join(CORRAL_NAMES[j] for j in most_frequent(runs)[0])
        return {"finding": share(n, len(runs)), "share": share_text(n, len(runs)), "names": most}

    def find(reading):
        runs = reading.corral_runs(method)
        need(runs)
        return judged(runs)

    found = readings.each(find, "CORRAL")["readings"]
    by_rows = readings.ours.corral_runs(IN_ROW_ORDER)
    if method == "NEFS" and by_rows:
        found["ties in the order of the rows"] = judged(by_rows)
    return {"readings": found}


def correlated_first(readings):
    def find(reading):
        runs = {m: reading.corral_runs(m) for m in ("X-MIFS", "RRPC_S", "RRPC_SS", "mRMR")}
        need(all(runs.values()))
        findings, shares = [], {}
        for method, found in runs.items():
            firsts = [order[0] for order in found]
            others = Counter(first for first in firsts if first != CORRELATED).most_common(1)
            own, next_most = firsts.count(CORRELATED), others[0][1] if others else 0
            findings.append(share(own, own + next_most))  # more often than the next one
            shares[method] = share_text(own, len(firsts))
        return {"finding": all_of(findings), "shares": shares}

    return readings.each(find, "CORRAL")


def no_difference(readings, data, sizes, classifiers=(None,)):
    """The paper's test again: it can show a difference, never that there is none."""

    def find(reading):
        tests = [(size, c) for size in sizes for c in classifiers]
        found = {f"{c or size}": reading.friedman(data, size, c) for size, c in tests}
        p = {test: value for test, value in found.items() if value is not None}
        need(p)
        shown = [f"{test} {value:.2g}" for test, value in p.items()]
        return {"finding": Finding(1.0, min(1.0, min(p.values()) * len(p))), "p": shown}

    return readings.each(find, data)


# -- SPAMBASE with noise, and few rows of it -------------------------------------------------


def best_on_spambase(readings):
    def find(reading):
        values = {method: reading.mean("SPAMBASE_N", method, 10) for method in OWN}
        need(len(values["NEFS"].values) > 1)
        leads = {(a, b): reading.difference("SPAMBASE_N", a, b, [10]) for a in OWN for b in OTHERS}
        near = [value.within(0.80, 0.90) for value in values.values()]
        finding = all_of([*near, *(lead.above(0) for lead in leads.values())])
        shown = {m: one.plain for m, one in values.items()}
        return {"finding": finding, "values": shown, "sure": sure_pairs(leads)}

    return readings.each(find, "SPAMBASE_N")


def both_ahead(readings, other, **_):
    def find(reading):
        gains = {method: reading.gain("SPAMBASE_N", method, other, 10) for method in OWN}
        finding = all_of(gain.above(0) for gain in gains.values())
        return {"finding": finding, "gains": {m: f"{gain} %" for m, gain in gains.items()}}

    return readings.each(find, "SPAMBASE_N")


def size_of_lead(readings):
    printed = {given["other"]: given["gain"] for given in TEXTS.over("both_ahead")}

    def judged(gains):
        finding = all_of(gain.within(printed[o] - 5, printed[o] + 5) for o, gain in gains.items())
        return {"finding": finding, "leads": {other: f"{gain} %" for other, gain in gains.items()}}

    def find(reading):
        return judged({other: reading.gain("SPAMBASE_N", "SNEFS", other, 10) for other in printed})

    def find_signed():
        run_as = {other: SIGNED if other == "RRPC_S" else other for other in printed if other != "RRPC_SS"}
        return judged({o: readings.ours.gain("SPAMBASE_N", "SNEFS", run_as[o], 10) for o in run_as})

    found = readings.each(find, "SPAMBASE_N")["readings"]
    if readings.ours.by_fold("SPAMBASE_N", SIGNED, 10):
        found["RRPC_S by eq. 7 with spam as the lower class"] = find_signed()
    return {"readings": found}


def least_lead(readings, data, sizes, others=OTHERS):
    def find(reading):
        leads = {(own, other): reading.difference(data, own, other, sizes) for own in OWN for other in others}
        (method, other), least = min(leads.items(), key=lambda item: item[1].mean)
        finding = all_of(lead.above(0) for lead in leads.values())
        words = {"method": method, "other": other, "least": least, "sure": sure_pairs(leads)}
        return {"finding": finding, **words}

    return readings.each(find, data)


def better_with_few_rows(readings, others=OTHERS):
    def find(reading):
        values = {method: reading.small_accuracies(method, 10) for method in (*OWN, *others)}
        need(all(values.values()))
        leads = {
            (own, other): Mean(np.subtract(values[own], values[other]).tolist(), "draws", OVERLAP_OF_DRAWS)
            for own in OWN
            for other in others
        }
        (method, other), least = min(leads.items(), key=lambda item: item[1].mean)
        finding = all_of(lead.above(0) for lead in leads.values())
        words = {"method": method, "other": other, "least": least, "sure": sure_pairs(leads)}
        return {"finding": finding, **words}

    return readings.each(find, "SPAMBASE_N")


def lower_with_few_rows(readings):
    def find(reading):
        few = {m: reading.small_accuracies(m, 10) for m in PAPER_METHODS}
        full = {m: reading.accuracies("SPAMBASE_N", m, 10) for m in PAPER_METHODS}
        need(all(len(found) > 1 for part in (few, full) for found in part.values()))
        drops = {
            m: Mean((np.mean(full[m]) - few[m]).tolist(), "draws", OVERLAP_OF_DRAWS) for m in PAPER_METHODS
        }
        method, least = min(drops.items(), key=lambda item: item[1].mean)
        finding, wider = _wider(few, full)
        finding = all_of([*(drop.above(0) for drop in drops.values()), finding])
        return {"finding": finding, "method": method, "least": least, "wider": wider}

    return readings.each(find, "SPAMBASE_N")


def _wider(few, full):
    """That some accuracies vary more than others: distances from the medians (Brown and Forsythe 1974)."""
    distances = [
        np.mean([np.abs(values - np.median(values)) for values in part.values()], axis=0)
        for part in (few, full)
    ]
    test = scipy.stats.ttest_ind(*distances, equal_var=False)
    t, interval = scipy.stats.t(test.df), test.confidence_interval()
    gap = np.mean(distances[0]) - np.mean(distances[1])
    shown = f"{gap:+.3f} ({interval.low:+.3f} to {interval.high:+.3f})"
    return Finding(float(t.sf(test.statistic)), float(t.cdf(test.statistic))), shown


# -- HYPERSPHERES ----------------------------------------------------------------------------


def number_found(readings, methods, least, most, in_all=False):
    def find(reading):
        found = {method: reading.relevant_found(method) for method in methods}
        need(all(found.values()))
        right = {method: sum(least <= n <= most for n in numbers) for method, numbers in found.items()}
        shown = {m: f"{np.mean(n):.1f}, {share_text(right[m], len(n))}" for m, n in found.items()}
        if in_all:
            finding = exact(all(right[method] == len(found[method]) for method in methods))
        else:
            finding = all_of(share(right[method], len(found[method])) for method in methods)
        return {"finding": finding, "numbers": list(map(" ".join, shown.items()))}

    return readings.each(find, "HYPERSPHERES")


def place_of_53(readings):
    def found(names):
        orders = {method: readings.ours.orders("HYPERSPHERES", method) for method in names}
        need(all(orders.values()))
        places = {m: [o.index(52) + 1 if 52 in o else 0 for o in found] for m, found in orders.items()}
        shown = [
            f"{m}: third {share_text(v.count(3), len(v))}, first {v.count(1)}, second {v.count(2)}"
            for m, v in places.items()
        ]
        return {"finding": all_of(share(v.count(3), len(v)) for v in places.values()), "places": shown}

    return {
        "readings": {"two bins of equal width": found(("X-MIFS", "mRMR")), "quantiles": found(OUR_VARIANTS)}
    }


def first_three(readings):
    def find(reading):
        names = ("X-MIFS", "mRMR")
        others = [method for method in PAPER_METHODS if method not in names]
        leads = {(a, b): reading.difference("HYPERSPHERES", a, b, [3]) for a in names for b in others}
        finding = all_of(lead.above(0) for lead in leads.values())
        least = min(leads.values(), key=lambda lead: lead.mean)
        words = {"means": reading.means("HYPERSPHERES", 3), "least": least, "sure": sure_pairs(leads)}
        return {"finding": finding, **words}

    return readings.each(find, "HYPERSPHERES")


def loss_on_hyperspheres(readings):
    def find(reading):
        losses, leads = {}, []
        for method in ("X-MIFS", "mRMR"):
            leads.append(reading.difference("HYPERSPHERES", "NEFS", method, [7]))
            means = [reading.means("HYPERSPHERES", size) for size in range(4, 8)]
            losses[method] = max(100 * (1 - mean[method] / mean["NEFS"]) for mean in means)
        finding = all_of(lead.above(0) for lead in leads)
        return {"finding": finding, "losses": losses, "leads": list(map(str, leads))}

    return readings.each(find, "HYPERSPHERES")


# -- SEGMENT with noise, GAS, USPS, ABALONE, ARRHYTHMIA, SMK ---------------------------------


def ahead(readings, data, first, second, sizes):
    def find(reading):
        lead = reading.difference(data, first, second, sizes)
        return {"finding": lead.above(0), "lead": lead}

    return readings.each(find, data)


def gas_lead(readings):
    def find(reading):
        gain = reading.gain("GAS", "SNEFS", "X-MIFS", 4)
        return {"finding": gain.above(0), "gain": gain}

    return readings.each(find, "GAS")


def gas_rise(readings):
    def find(reading):
        others = [method for method in PAPER_METHODS if method != "SNEFS"]
        leads = {m: reading.difference("GAS", "SNEFS", m, (1, 2, 3, 4)) for m in others}
        finding = at_least(len(leads) // 2 + 1, [lead.above(0) for lead in leads.values()])
        return {"finding": finding, "leads": {method: str(lead) for method, lead in leads.items()}}

    return readings.each(find, "GAS")


def usps_order(readings):
    def find(reading):
        best, others = ("X-MIFS", "SNEFS", "mRMR"), ("NEFS", "RELIEFF", "RRPC_S", "RRPC_SS")
        pairs = [*((a, b) for a in best for b in others), *(("X-MIFS", b) for b in best[1:])]
        leads = {pair: reading.difference("USPS", *pair, [10]) for pair in pairs}
        finding = all_of(lead.above(0) for lead in leads.values())
        least = min(leads.values(), key=lambda lead: lead.mean)
        words = {"means": reading.means("USPS", 10), "least": least, "sure": sure_pairs(leads)}
        return {"finding": finding, **words}

    return readings.each(find, "USPS")


def each_ahead(readings, data, high, low, sizes):
    """Each of some methods ahead of each of some others, mean over sizes."""

    def find(reading):
        leads = {(one, other): reading.difference(data, one, other, sizes) for one in high for other in low}
        (one, other), least = min(leads.items(), key=lambda item: item[1].mean)
        finding = all_of(lead.above(0) for lead in leads.values())
        words = {"one": one, "other": other, "least": least, "sure": sure_pairs(leads)}
        return {"finding": finding, **words}

    return readings.each(find, data)


def poor_on_abalone(readings):
    found = {
        (method, c): Mean(readings.ours.accuracies("ABALONE", method, 10, c), "folds", OVERLAP)
        for method in PAPER_METHODS
        for c in CLASSIFIERS
    }
    found = {key: one for key, one in found.items() if len(one.values) > 1}
    need(found)
    (best, c), highest = max(found.items(), key=lambda item: item[1].mean)
    finding = all_of(one.below(POOR) for one in found.values())
    return {"finding": finding, "highest": highest.plain, "method": best, "classifier": c}


def best_on_smk(readings):
    best = list(readings.ours.means("SMK", 5))[:2]
    need(best)
    return {"holds": set(best) == {"X-MIFS", "SNEFS"}, "best": best}


# -- over all data sets ----------------------------------------------------------------------


def best_where_unbalanced(readings):
    """The lead on HYPERSPHERES against the mean lead on the other data sets, fold by fold."""

    def find(reading):
        leads = {name: _mean_lead(reading, name) for name in SEVEN}
        others = np.mean([values for name, values in leads.items() if name != UNBALANCED], axis=0)
        gap = Mean((leads[UNBALANCED] - others).tolist(), "folds", OVERLAP)
        means = {name: float(values.mean()) for name, values in leads.items()}
        return {"finding": gap.above(0), "gap": gap, "leads": means}

    return readings.each(find, UNBALANCED)


def _mean_lead(reading, data) -> np.ndarray:
    """How far the two are ahead of the five others in each of ten folds, on average, most columns."""
    size = CURVES_OF[data].sizes[-1]
    own, others = ([reading.accuracies(data, m, size) for m in names] for names in (OWN, OTHERS))
    need(all(len(values) == N_FOLDS for values in (*own, *others)))
    return np.mean(own, axis=0) - np.mean(others, axis=0)


def friedman_everywhere(readings):
    def find(reading):
        p = {name: reading.friedman(name, CURVES_OF[name].sizes[-1]) for name in FRIEDMAN_DATA}
        known = {name: value for name, value in p.items() if value is not None}
        need(len(known) > 1)
        return {"finding": all_of(Finding(value, 1.0) for value in known.values()), "p": known}

    return readings.each(find, "SEGMENT_N")


def mean_rank(readings, own, **_):
    """Ranks on the data sets, means over the classifiers; the better of some methods against the others."""

    def find(reading):
        ranks, n_pairs = [], 0
        for name in SEVEN:
            size = CURVES_OF[name].sizes[-1]
            of_classifiers = [_ranks(reading.means(name, size, c)) for c in CLASSIFIERS]
            known = [found for found in of_classifiers if len(found) == len(PAPER_METHODS)]
            if known:
                ranks.append(np.mean(known, axis=0))
                n_pairs += len(known)
        need(len(ranks) >= 3)
        table = np.array(ranks)
        best = table[:, [PAPER_METHODS.index(name) for name in own]].min(axis=1)
        places = {o: table[:, PAPER_METHODS.index(o)] for o in OTHERS}
        leads = [Mean((places[o] - best).tolist(), "data sets", digits=1) for o in OTHERS]
        means = dict(sorted(zip(PAPER_METHODS, table.mean(axis=0), strict=True), key=lambda item: item[1]))
        found = {"ranks": means, "n": len(ranks), "n_pairs": n_pairs}
        least = min(leads, key=lambda lead: lead.mean)
        return {"finding": all_of(lead.above(0) for lead in leads), **found, "least": least}

    return readings.each(find, "SEGMENT_N")


def early_columns(readings):
    """SNEFS against each other method: mean accuracy over the smaller half of the sizes, by data set."""

    def find(reading):
        leads = {}
        for other in OTHERS:
            gaps = []
            for name in SEVEN:
                sizes = CURVES_OF[name].sizes
                with contextlib.suppress(NotRunError):
                    gaps.append(reading.difference(name, "SNEFS", other, sizes[: (len(sizes) + 1) // 2]).mean)
            need(len(gaps) >= 3)
            leads[other] = Mean(gaps, "data sets")
        finding = all_of(lead.above(0) for lead in leads.values())
        return {"finding": finding, "leads": {other: str(lead) for other, lead in leads.items()}}

    return readings.each(find, "SEGMENT_N")


def _ranks(means) -> list[int]:
    """Places of the paper's methods by their accuracies."""
    return [sum(o > means[m] for o in means.values()) + 1 for m in PAPER_METHODS if m in means]


def snefs_against_nefs(readings):
    def find(reading):
        apart = {}
        for name in SEVEN:
            with contextlib.suppress(NotRunError):
                apart[name] = reading.difference(name, "SNEFS", "NEFS", CURVES_OF[name].sizes)
        need(len(apart) >= 3)
        n_better = sum(one.mean > 0 for one in apart.values())
        finding = at_least(len(apart) // 2 + 1, [one.above(0) for one in apart.values()])
        shown = {name: str(one) for name, one in apart.items()}
        return {"finding": finding, "n_better": n_better, "n": len(apart), "apart": shown}

    return readings.each(find, "SEGMENT_N")
