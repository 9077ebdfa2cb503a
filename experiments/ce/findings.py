"""What came out for the cross-entropy paper, and whether its claims agree with it."""

import numpy as np

from experiments.ce.protocol import RIVALS, TASKS, TEST_SHARE, TEXTS
from experiments.texts import need
from experiments.verdicts import OPEN, Mean, all_of, at_least, exact

PAPER = TEXTS.read("published.toml")
OURS, AUTHORS = "10 levels of equal counts", "whole parts of the values, as the authors"
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
N_MOST = 5  # of the six data sets must agree where the paper speaks of all
MOST = N_MOST / 6
EQUAL_GAPS = 1e-4
NEAR = 0.1  # a tenth, for values of ΔI_r
ALIKE_TIME = 3.0


def claims(results):
    """All claims, whatever part of the cells is there."""
    return TEXTS.claims(globals(), Tables(results), results)


class Splits:
    """All splits of all tables in one reading: the results of those that were run, by table."""

    def __init__(self, found) -> None:
        self.tables = {label: results for label, results in found.items() if results}

    @property
    def six(self):
        """The tables of the paper."""
        return [label for label in PAPER if label in self.tables]

    def with_method(self, method, at="own"):
        """Those of them on which a method was run."""
        return [label for label in self.six if all(method in found[at] for found in self.tables[label])]

    def values(self, label, method, name, at="own"):
        """A score of a method on each split, at the size found here ("own") or the paper's ("paper_size")."""
        found = [result[at].get(method, {}).get(name) for result in self.tables[label]]
        return [value for value in found if value is not None]

    def mean(self, label, method, name, at="own") -> float:
        found = self.values(label, method, name, at)
        return float(np.mean(found)) if found else float("inf")

    def of_all(self, label, name):
        """A score with all columns, on each split."""
        return [result["all"][name] for result in self.tables[label]]

    def sizes(self, label, method="CE"):
        """The number of columns found on each split."""
        return [float(result["own"][method]["n"]) for result in self.tables[label] if method in result["own"]]

    def seconds(self, label, method) -> float:
        return float(np.mean([result["seconds"][method] for result in self.tables[label]]))

    def lead(self, label, rival, score, at) -> Mean:
        """How much larger a score of the rival is than that of the cross-entropy method, split by split."""
        pairs = [(r[at].get(rival), r[at].get("CE")) for r in self.tables[label]]
        known = [(a[score], b[score]) for a, b in pairs if a and b and None not in (a[score], b[score])]
        return Mean([a - b for a, b in known], overlap=OVERLAP, digits=4)

    def curve(self, label):
        """Sizes all splits have, with the error of naive Bayes and the gap, (splits, sizes, 2)."""
        points = [{n: (error, gap) for n, error, gap in r["curve"]} for r in self.tables[label]]
        sizes = sorted(set.intersection(*map(set, points)))
        return np.array(sizes), np.array(
            [[found[n] for n in sizes] for found in points], float
        )  # None is NaN


class Tables:
    """Both readings, and what was run once."""

    def __init__(self, results) -> None:
        def of_kind(kind):
            return {label: [r.result for r in results.where(kind=kind, data=label)] for label in TASKS}

        self.readings = {OURS: Splits(of_kind("table")), AUTHORS: Splits(of_kind("floored"))}
        self.ours, self.authors = self.readings.values()
        self.printed = {r.settings["data"]: r.result for r in results.where(kind="printed rule")}

    def each(self, find, method="CE", at="own"):
        """What is found in each reading in which a method was run."""
        found = {
            name: find(splits, labels)
            for name, splits in self.readings.items()
            if (labels := splits.with_method(method, at))
        }
        need(found)
        return {"readings": found}


def most(findings):
    """Five of six; a data set that was not run is open."""
    found = list(findings)
    return at_least(N_MOST, found + [OPEN] * (len(PAPER) - len(found)))


def _pairs(pairs, pattern):
    return {label: pattern.format(*pair) for label, pair in pairs.items()}


# -- Table 2: information --------------------------------------------------------------------


def whole_information(tables):
    def find(splits, labels):
        lost = {label: max(_lost(result) for result in splits.tables[label]) for label in labels}
        n_whole = sum(value < EQUAL_GAPS for value in lost.values())
        return {"finding": exact(n_whole == len(lost)), "n_whole": n_whole, "n": len(lost), "lost": lost}

    return tables.each(find)


def _lost(result) -> float:
    everything = result["all_gap"] if "all_gap" in result else result["all"]["gap"]
    return result["own"]["CE"]["gap"] - everything


def least_of_four(tables, score, at, slack=0.0):
    """Below each of the three rivals, or not above by more than a slack."""

    def find(splits, labels):
        leads = {label: [splits.lead(label, rival, score, at) for rival in RIVALS] for label in labels}
        leads = {label: found for label, found in leads.items() if all(len(one.values) for one in found)}
        nearest = {label: min(found, key=lambda one: one.mean) for label, found in leads.items()}
        findings = [all_of(lead.above(-slack) for lead in found) for found in leads.values()]
        n_ahead = sum(one.mean > -slack for one in nearest.values())
        return {"finding": most(findings), "n_ahead": n_ahead, "n": len(leads), "nearest": nearest}

    return tables.each(find, "CE", at)


def order_of_magnitude(tables):
    """On how many tables the gap of every rival is ten times that of the cross-entropy method."""

    def find(splits, labels):
        pairs = {}
        for label in labels:
            rivals = [splits.mean(label, rival, "gap", "paper_size") for rival in RIVALS]
            pairs[label] = (splits.mean(label, "CE", "gap", "paper_size"), min(rivals))
        n_far = sum(nearest >= max(10 * own, EQUAL_GAPS) for own, nearest in pairs.values())
        shown = _pairs(pairs, "{:.4f}/{:.4f}")
        return {"finding": exact(n_far > 0), "n_far": n_far, "n": len(pairs), "gaps": shown}

    return tables.each(find, "CE", "paper_size")


def digits_of_blog(tables):
    need("Blog Feedback" in tables.authors.tables)
    gaps = {rival: tables.authors.mean("Blog Feedback", rival, "gap", "paper_size") for rival in RIVALS}
    paper = {rival: PAPER["Blog Feedback"][rival]["gap"] for rival in RIVALS}
    finding = exact(all(abs(gaps[rival] - paper[rival]) <= 5.1e-5 for rival in RIVALS))
    readings = {AUTHORS: {"finding": finding, "gaps": gaps}}
    if "Blog Feedback" in tables.ours.tables:
        rivals = {rival: tables.ours.mean("Blog Feedback", rival, "gap", "paper_size") for rival in RIVALS}
        near = all(abs(rivals[rival] - paper[rival]) <= NEAR * paper[rival] for rival in RIVALS)
        readings[OURS] = {"finding": exact(near), "gaps": rivals}
    return {"readings": readings}


def gap_values(tables, data, **_):
    readings = {}
    for name, splits in tables.readings.items():
        if data not in splits.tables:
            continue
        own = "CE as printed" if name == AUTHORS else "CE"
        means = {
            method: Mean(
                splits.values(data, own if method == "CE" else method, "gap", "paper_size"),
                overlap=OVERLAP,
                digits=4,
            )
            for method in ("CE", *RIVALS)
        }
        means = {method: found for method, found in means.items() if len(found.values) > 1}
        off = {method: found.mean / PAPER[data][method]["gap"] - 1 for method, found in means.items()}
        finding = exact(all(abs(value) <= NEAR for value in off.values()))
        readings[name] = {"finding": finding, "means": {m: one.plain for m, one in means.items()}, "off": off}
    need(readings)
    return {"readings": readings}


def rivals_on_connect4(tables):
    need("Connect-4" in tables.ours.tables)
    gaps = {
        rival: Mean(tables.ours.values("Connect-4", rival, "gap", "paper_size"), overlap=OVERLAP, digits=4)
        for rival in RIVALS
    }
    paper = {rival: PAPER["Connect-4"][rival]["gap"] for rival in RIVALS}
    finding = all_of(gap.within(paper[rival] - 0.05, paper[rival] + 0.05) for rival, gap in gaps.items())
    return {"finding": finding, "gaps": {rival: gap.plain for rival, gap in gaps.items()}}


# -- Table 2: errors and numbers of columns --------------------------------------------------


def neighbour_values(tables):
    """Whether 3-NN's errors are those of test rows."""

    def find(splits, labels):
        tested = {x: Mean(splits.values(x, "CE", "knn", "paper_size"), overlap=OVERLAP) for x in labels}
        tested = {label: found for label, found in tested.items() if len(found.values) > 1}
        paper = {label: PAPER[label]["CE"]["knn"] for label in tested}
        own_rows = {label: splits.mean(label, "CE", "own_rows", "paper_size") for label in tested}
        finding = most(found.within(paper[x] - 0.02, paper[x] + 0.02) for x, found in tested.items())
        shown = {label: found.plain for label, found in tested.items()}
        return {"finding": finding, "tested": shown, "own_rows": own_rows}

    return tables.each(find, "CE", "paper_size")


def _like_the_paper(label, found):
    paper = PAPER[label]["columns"]["CE"]
    slack = max(2.0, 0.2 * paper)
    return found.within(paper - slack, paper + slack)


def cardinality(tables, method="CE"):
    def find(splits, labels):
        sizes = {x: Mean(splits.sizes(x, method), overlap=OVERLAP, digits=1) for x in labels}
        finding = most(_like_the_paper(label, found) for label, found in sizes.items())
        return {"finding": finding, "sizes": {label: found.plain for label, found in sizes.items()}}

    return tables.each(find, method)


def printed_rule(tables):
    found = cardinality(tables, "CE as printed") if tables.authors.with_method("CE as printed") else {}
    readings = dict(found.get("readings", {}))
    printed = {label: tables.printed[label] for label in PAPER if label in tables.printed}
    if printed:
        paper = {label: PAPER[label]["columns"]["CE"] for label in printed}
        near = [abs(printed[x]["reached"] - paper[x]) <= max(2.0, 0.2 * paper[x]) for x in printed]
        sizes = {label: f"{r['reached']} after {r['rounds']} rounds" for label, r in printed.items()}
        readings[OURS] = {"finding": exact(sum(near) >= MOST * len(near)), "sizes": sizes}
    need(readings)
    return {"readings": readings}


# -- figures 2 to 6 --------------------------------------------------------------------------


def gap_curve(tables):
    need(tables.ours.six)
    above = {}
    for label in tables.ours.six:
        results = tables.ours.tables[label]
        least = [min(gap for _, _, gap in result["curve"] if gap is not None) for result in results]
        gaps = [result["own"]["CE"]["gap"] - low for result, low in zip(results, least, strict=True)]
        above[label] = max(gaps)
    n_least = sum(value < EQUAL_GAPS for value in above.values())
    return {"holds": n_least == len(above), "n_least": n_least, "n": len(above), "above": above}


def error_curve(tables):
    """Whether another number of columns would have had a smaller error."""
    need(tables.ours.six)
    errors, findings = {}, []
    for label in tables.ours.six:
        sizes, points = tables.ours.curve(label)
        chosen = np.array(tables.ours.values(label, "CE", "nb"))
        best = int(points[:, :, 0].mean(axis=0).argmin())
        loss = Mean((chosen - points[:, best, 0]).tolist(), overlap=OVERLAP)
        errors[label] = f"{loss} above that with {sizes[best]}"
        findings.append(loss.below(0.01))
    return {"finding": most(findings), "errors": errors}


# -- time and Table 3 ------------------------------------------------------------------------


def times(tables):
    need(tables.ours.six)
    seconds = {label: tables.ours.seconds(label, "CE") for label in tables.ours.six}
    slowest = {x: max(0.001, *(tables.ours.seconds(x, rival) for rival in RIVALS)) for x in tables.ours.six}
    ratios = {label: seconds[label] / slowest[label] for label in seconds}
    n_alike = sum(ratio <= ALIKE_TIME for ratio in ratios.values())
    return {"holds": n_alike >= MOST * len(ratios), "seconds": seconds, "ratios": ratios}


def faster_than_the_swarm(tables):
    labels = tables.ours.with_method("PSO")
    need(labels)
    seconds = {x: (tables.ours.seconds(x, "CE"), tables.ours.seconds(x, "PSO")) for x in labels}
    n_less = sum(own < swarm for own, swarm in seconds.values())
    holds = n_less >= MOST * len(labels) or None  # a swarm that runs longer would take longer
    return {"holds": holds, "n_less": n_less, "n": len(labels), "seconds": _pairs(seconds, "{:.1f}/{:.1f}")}


def below_the_swarm(tables, score):
    splits = tables.authors
    labels = [x for x in splits.with_method("PSO") if "CE" in splits.tables[x][0]["own"]]
    need(labels)
    leads = {label: splits.lead(label, "PSO", score, "own") for label in labels}
    leads = {label: lead for label, lead in leads.items() if len(lead.values) > 1}
    slack = -EQUAL_GAPS if score == "gap" else 0.0
    n_less = sum(lead.mean >= slack for lead in leads.values())
    found = {"n_less": n_less, "n": len(leads), "leads": {x: str(lead) for x, lead in leads.items()}}
    return {"finding": most(lead.above(slack) for lead in leads.values()), **found}


def as_many_as_the_swarm(tables):
    def find(splits, labels):
        pairs = {x: (splits.sizes(x), splits.sizes(x, "PSO")) for x in labels if splits.sizes(x)}
        gaps = {x: Mean(np.subtract(*pair).tolist(), overlap=OVERLAP) for x, pair in pairs.items()}
        slack = {label: max(2.0, 0.25 * float(np.mean(pair[1]))) for label, pair in pairs.items()}
        finding = most(gap.within(-slack[label], slack[label]) for label, gap in gaps.items())
        shown = {x: (float(np.mean(own)), float(np.mean(swarm))) for x, (own, swarm) in pairs.items()}
        return {"finding": finding, "sizes": _pairs(shown, "{:.1f}/{:.1f}")}

    return tables.each(find, "PSO")


def swarm_sizes(tables):
    def find(splits, labels):
        sizes = {x: Mean(splits.sizes(x, "PSO"), overlap=OVERLAP, digits=1) for x in labels}
        paper = {label: PAPER[label]["columns"]["PSO"] for label in labels}
        slack = {label: max(2.0, 0.25 * paper[label]) for label in labels}
        finding = most(one.within(paper[x] - slack[x], paper[x] + slack[x]) for x, one in sizes.items())
        return {"finding": finding, "sizes": {label: found.plain for label, found in sizes.items()}}

    return tables.each(find, "PSO")


def wrapper(tables):
    need(False)  # the paper gives no number
