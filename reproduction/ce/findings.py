"""Results for the cross-entropy paper, and whether they support its claims."""

import numpy as np

from reproduction.ce.protocol import RIVALS, TASKS, TEST_SHARE, TEXTS
from reproduction.texts import need
from reproduction.verdicts import OPEN, Mean, all_of, at_least, exact

PAPER = TEXTS.read("published.toml")
OURS, AUTHORS = "10 levels of equal counts", "whole parts of the values, as the authors"
DIAGONAL = "the same with variances alone"  # of the classifier
SMALLER, OURS_AS_PRINTED = "whole parts, the smaller of equal subsets", "10 levels, as printed"
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)
PRINTED = 1.0  # in place of it beside numbers of the paper, which are those of one split
N_MOST = 5  # of the six data sets must agree where the paper speaks of all
MOST = N_MOST / 6
EQUAL_GAPS = 1e-4
NEAR = 0.1  # a tenth, for values of ΔI_r


def claims(results):
    """All claims, whichever cells were run."""
    tables = Tables(results)
    checked = [record.result for record in results.where(kind="checks")]
    worst = {name: max(found[name] for found in checked) for name in ("information", "gap") if checked}
    n_checked = sum(found["n"] for found in checked)
    no_bug = TEXTS.phrase("no_bug", n_checked=n_checked, **worst) if checked else ""
    scaled = {r.settings["data"]: float(np.mean(r.result["knn"])) for r in results.where(kind="standardised")}
    standardised = ", ".join(f"{label} {error:.3f}" for label, error in scaled.items()) or "-"
    words = {"no_bug": no_bug, "standardised": standardised}
    return TEXTS.claims(globals(), tables, results, **words, **times_of(tables.ours))


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
        return [label for label in self.six if any(method in found[at] for found in self.tables[label])]

    def values(self, label, method, name, at="own"):
        """A score of a method on each split, at the size found here ("own") or the paper's ("paper_size")."""
        found = [result[at].get(method, {}).get(name) for result in self.tables[label]]
        return [value for value in found if value is not None]

    def mean(self, label, method, name, at="own") -> float:
        found = self.values(label, method, name, at)
        return float(np.mean(found)) if found else float("inf")

    def of_all(self, label, name):
        """A score with all columns, on each split."""
        return [result["all"][name] for result in self.tables[label] if name in result["all"]]

    def sizes(self, label, method="CE"):
        """The number of columns found on each split."""
        return [float(result["own"][method]["n"]) for result in self.tables[label] if method in result["own"]]

    def seconds(self, label, method) -> float:
        return float(np.mean([result["seconds"][method] for result in self.tables[label]]))

    def lead(self, label, rival, score, at, times=1.0) -> Mean:
        """How much larger a score of the rival is than (so many times) that of CE, split by split."""
        pairs = [[r[at].get(name, {}).get(score) for name in (rival, "CE")] for r in self.tables[label]]
        known = [(a, times * b) for a, b in pairs if a is not None and b is not None]
        return Mean([a - b for a, b in known], overlap=OVERLAP, digits=4)

    def curve(self, label):
        """Sizes all splits have, with the error of naive Bayes and the gap, (splits, sizes, 2)."""
        points = [{n: (error, gap) for n, error, gap in r["curve"]} for r in self.tables[label]]
        sizes = sorted(set.intersection(*map(set, points)))
        return np.array(sizes), np.array(
            [[found[n] for n in sizes] for found in points], float
        )  # None is NaN


def read_as(result, search, classifier):
    """A result whose "CE" is one of its two searches, and its "nb" the error of one of its classifiers."""

    def read(found):
        mine = {name: scores for name, scores in found.items() if name not in ("CE", "CE as printed")}
        mine |= {"CE": found[search]} if search in found else {}
        return {name: {**scores, "nb": scores.get(classifier)} for name, scores in mine.items()}

    return {**result, "own": read(result["own"]), "paper_size": read(result["paper_size"])}


def of_splits(records):
    """One result for each split, of all cells with methods on it."""
    found: dict = {}
    for record in records:
        of_split = found.setdefault(record.settings["repeat"], {"own": {}, "paper_size": {}})
        of_split["all"] = record.result["all"]
        for at in ("own", "paper_size"):
            of_split[at] |= record.result[at]
    return list(found.values())


class Tables:
    """All readings: ours and the authors', and others that some claims ask for."""

    def __init__(self, results) -> None:
        def of_kind(kind):
            return {x: [record.result for record in results.where(kind=kind, data=x)] for x in TASKS}

        floored = {label: of_splits(results.where(kind="floored", data=label)) for label in TASKS}

        def whole_parts(search, classifier):
            read = {x: [read_as(one, search, classifier) for one in found] for x, found in floored.items()}
            return Splits(read)

        self.ours, self.authors = Splits(of_kind("table")), whole_parts("CE as printed", "linear")
        self.printed = of_kind("printed rule")
        reached = {
            x: [{"own": {"CE": {"n": r["reached"]}}} for r in found] for x, found in self.printed.items()
        }
        self.readings = {OURS: self.ours, AUTHORS: self.authors}
        self.others = {
            DIAGONAL: whole_parts("CE as printed", "diaglinear"),
            SMALLER: whole_parts("CE", "linear"),
            OURS_AS_PRINTED: Splits(reached),
        }
        self.as_wrapper = {x: found for x, found in of_kind("wrapper").items() if len(found) > 1}
        self.longer = {r.settings["data"]: r.result for r in results.where(kind="longer swarm")}

    def each(self, find, method="CE", at="own", others=()):
        """What is found in each reading in which a method was run."""
        readings = {**self.readings, **{name: self.others[name] for name in others}}
        found = {
            name: find(splits, labels)
            for name, splits in readings.items()
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
    """ΔI_r of the columns found above that of all; infinite where none are found."""
    gap = result["own"].get("CE", {}).get("gap")
    return float("inf") if gap is None else gap - result["all"]["gap"]


def least_of_four(tables, score, at, data=None, slack=0.0):
    """Below each rival, or not above by more than a slack: on most data sets, or on those that are named."""

    def find(splits, labels):
        named = [label for label in labels if data is None or label in data]
        leads = {label: [splits.lead(label, rival, score, at) for rival in RIVALS] for label in named}
        leads = {label: found for label, found in leads.items() if all(len(one.values) for one in found)}
        nearest = {label: min(found, key=lambda one: one.mean) for label, found in leads.items()}
        findings = [all_of(lead.above(-slack) for lead in found) for found in leads.values()]
        finding = most(findings) if data is None else all_of(findings + [OPEN] * (len(data) - len(findings)))
        n_ahead = sum(one.mean > -slack for one in nearest.values())
        return {"finding": finding, "n_ahead": n_ahead, "n": len(leads), "nearest": nearest}

    return tables.each(find, "CE", at, [DIAGONAL] if score == "nb" else [])


def order_of_magnitude(tables):
    """Whether there is a table on which the gap of every rival is ten times that of CE."""

    def find(splits, labels):
        leads = {
            x: [splits.lead(x, rival, "gap", "paper_size", times=10) for rival in RIVALS] for x in labels
        }
        means = {x: [splits.mean(x, name, "gap", "paper_size") for name in ("CE", *RIVALS)] for x in labels}
        findings = [all_of(lead.above(EQUAL_GAPS) for lead in found) for found in leads.values()]
        n_far = sum(all(lead.mean > EQUAL_GAPS for lead in found) for found in leads.values())
        shown = _pairs({x: (own, min(rivals)) for x, (own, *rivals) in means.items()}, "{:.4f}/{:.4f}")
        return {"finding": at_least(1, findings), "n_far": n_far, "n": len(leads), "gaps": shown}

    return tables.each(find, "CE", "paper_size")


def digits_of_blog(tables):
    need("Blog Feedback" in tables.authors.tables)
    gaps = {rival: tables.authors.mean("Blog Feedback", rival, "gap", "paper_size") for rival in RIVALS}
    paper = {rival: PAPER["Blog Feedback"][rival]["gap"] for rival in RIVALS}
    finding = exact(all(abs(gaps[rival] - paper[rival]) <= 5.1e-5 for rival in RIVALS))
    shown = [*RIVALS, "CE"] if tables.authors.values("Blog Feedback", "CE", "gap", "paper_size") else RIVALS
    gaps = {name: tables.authors.mean("Blog Feedback", name, "gap", "paper_size") for name in shown}
    readings = {AUTHORS: {"finding": finding, "gaps": gaps}}
    if "Blog Feedback" in tables.ours.tables:
        rivals = {rival: tables.ours.mean("Blog Feedback", rival, "gap", "paper_size") for rival in RIVALS}
        near = all(abs(rivals[rival] - paper[rival]) <= NEAR * paper[rival] for rival in RIVALS)
        readings[OURS] = {"finding": exact(near), "gaps": rivals}
    return {"readings": readings}


def gap_values(tables, data, **_):
    def find(splits, _):
        means = {
            method: Mean(splits.values(data, method, "gap", "paper_size"), overlap=PRINTED, digits=4)
            for method in ("CE", *RIVALS)
        }
        paper = {method: PAPER[data][method]["gap"] for method in means}
        finding = all_of(
            found.within((1 - NEAR) * paper[method], (1 + NEAR) * paper[method])
            for method, found in means.items()
        )
        off = {method: found.mean / paper[method] - 1 for method, found in means.items()}
        return {"finding": finding, "means": {m: found.plain for m, found in means.items()}, "off": off}

    need(all(data in splits.tables for splits in tables.readings.values() if splits.tables))
    return tables.each(find, "CE", "paper_size")


def rivals_on_connect4(tables):
    """On the splits of both readings, which count in the same way there."""
    there = [splits for splits in tables.readings.values() if "Connect-4" in splits.tables]
    need(there)
    paper = {rival: PAPER["Connect-4"][rival]["gap"] for rival in RIVALS}
    gaps = {}
    for rival in RIVALS:
        values = [x for splits in there for x in splits.values("Connect-4", rival, "gap", "paper_size")]
        gaps[rival] = Mean(values, overlap=PRINTED, digits=4)
    finding = all_of(gap.within(paper[rival] - 0.05, paper[rival] + 0.05) for rival, gap in gaps.items())
    return {"finding": finding, "gaps": {rival: gap.plain for rival, gap in gaps.items()}}


# -- Table 2: errors and numbers of columns --------------------------------------------------


def neighbour_values(tables):
    """Whether 3-NN's errors are those of test rows."""

    def find(splits, labels):
        tested = {x: Mean(splits.values(x, "CE", "knn", "paper_size"), overlap=PRINTED) for x in labels}
        tested = {label: found for label, found in tested.items() if len(found.values) > 1}
        paper = {label: PAPER[label]["CE"]["knn"] for label in tested}
        own_rows = {label: splits.mean(label, "CE", "own_rows", "paper_size") for label in tested}
        everything = {label: float(np.mean(splits.of_all(label, "knn"))) for label in tested}
        finding = most(found.within(paper[x] - 0.02, paper[x] + 0.02) for x, found in tested.items())
        shown = {label: found.plain for label, found in tested.items()}
        return {"finding": finding, "tested": shown, "own_rows": own_rows, "everything": everything}

    return tables.each(find, "CE", "paper_size")


def cardinality(tables):
    def find(splits, labels):
        sizes = {x: Mean(splits.sizes(x), overlap=PRINTED, digits=1) for x in labels}
        paper = {label: PAPER[label]["columns"]["CE"] for label in labels}
        slack = {label: max(2.0, 0.2 * paper[label]) for label in labels}
        finding = most(one.within(paper[x] - slack[x], paper[x] + slack[x]) for x, one in sizes.items())
        return {"finding": finding, "sizes": {label: found.plain for label, found in sizes.items()}}

    return tables.each(find, others=[SMALLER, OURS_AS_PRINTED])


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


def times_of(splits):
    """How long CE takes, in times of the slowest rival, and how many subsets it scores; means over splits."""
    slowest = {x: max(0.001, *(splits.seconds(x, rival) for rival in RIVALS)) for x in splits.six}
    ratios = {label: splits.seconds(label, "CE") / slowest[label] for label in splits.six}
    asked = {x: float(np.mean([found["asked"] for found in splits.tables[x]])) for x in splits.six}
    return {"ratios": ratios, "asked": asked}


def faster_than_the_swarm(tables):
    labels = tables.ours.with_method("PSO")
    need(labels)
    seconds = {x: (tables.ours.seconds(x, "CE"), tables.ours.seconds(x, "PSO")) for x in labels}
    n_less = sum(own < swarm for own, swarm in seconds.values())
    holds = n_less >= MOST * len(labels) or None  # a swarm that runs longer would take longer
    return {"holds": holds, "n_less": n_less, "n": len(labels), "seconds": _pairs(seconds, "{:.1f}/{:.1f}")}


def below_the_swarm(tables, score):
    slack = -EQUAL_GAPS if score == "gap" else 0.0

    def find(splits, labels):
        leads = {label: splits.lead(label, "PSO", score, "own") for label in labels}
        leads = {label: lead for label, lead in leads.items() if len(lead.values)}
        n_less = sum(lead.mean >= slack for lead in leads.values())
        found = {"n_less": n_less, "n": len(leads), "leads": {x: str(lead) for x, lead in leads.items()}}
        return {"finding": most(lead.above(slack) for lead in leads.values()), **found}

    return tables.each(find, "PSO", others=[DIAGONAL] if score == "nb" else [])


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
        sizes = {x: Mean(splits.sizes(x, "PSO"), overlap=PRINTED, digits=1) for x in labels}
        paper = {label: PAPER[label]["columns"]["PSO"] for label in labels}
        slack = {label: max(2.0, 0.25 * paper[label]) for label in labels}
        finding = most(one.within(paper[x] - slack[x], paper[x] + slack[x]) for x, one in sizes.items())
        return {"finding": finding, "sizes": {label: found.plain for label, found in sizes.items()}}

    return tables.each(find, "PSO")


def works_as_wrapper(tables):
    """The error with as many columns as are best for naive Bayes, less that with the columns of ζ."""
    need(tables.as_wrapper)
    gaps, shown = {}, []
    for label, found in tables.as_wrapper.items():
        gaps[label] = Mean([one["wrapper"][1] - one["zeta"][1] for one in found], overlap=OVERLAP)
        means = {way: np.mean([one[way] for one in found], axis=0) for way in ("wrapper", "zeta", "all")}
        errors = [f"{error:.3f} ({way}, {n:.1f} columns)" for way, (n, error) in means.items()]
        shown.append(f"{label} {', '.join(errors)}, difference {gaps[label]}")
    return {"finding": all_of(gap.below(0.01) for gap in gaps.values()), "errors": shown}
