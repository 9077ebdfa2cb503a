"""What came out for the cross-entropy paper, and whether its claims agree with it."""

import numpy as np

from experiments.ce.protocol import RIVALS, TASKS, TEXTS
from experiments.texts import need

PAPER = TEXTS.read("published.toml")
MOST = 5 / 6  # of the data sets must agree where the paper speaks of all
EQUAL_GAPS = 1e-4


def claims(results):
    """All claims, whatever part of the cells is there."""
    splits = Splits(results)
    return TEXTS.claims(globals(), splits, results, n=sum(label in splits.tables for label in PAPER))


class Splits:
    """All splits of all tables: the records of those that were run, by table."""

    def __init__(self, results) -> None:
        found = {label: results.where(kind="table", data=label) for label in TASKS}
        self.tables = {label: records for label, records in found.items() if records}
        self.printed = {r.settings["data"]: r.result for r in results.where(kind="printed rule")}

    @property
    def six(self):
        """The tables of the paper."""
        need(any(label in self.tables for label in PAPER))
        return [label for label in PAPER if label in self.tables]

    def values(self, label, method, name, at="own"):
        """A score of a method on each split, at the size found here ("own") or the paper's ("paper_size")."""
        found = [record.result[at][method][name] for record in self.tables[label]]
        return [value for value in found if value is not None]

    def mean(self, label, method, name, at="own") -> float:
        found = self.values(label, method, name, at)
        return float(np.mean(found)) if found else float("inf")

    def of_all(self, label, name):
        """A score with all columns, on each split."""
        return [record.result["all"][name] for record in self.tables[label]]

    def sizes(self, label):
        """The number of columns found on each split."""
        return [float(record.result["size"]) for record in self.tables[label]]

    def seconds(self, label, method) -> float:
        return float(np.mean([record.result["seconds"][method] for record in self.tables[label]]))

    def least(self, label, score, at="own") -> bool:
        """Whether no rival is below."""
        rivals = min(self.mean(label, rival, score, at) for rival in RIVALS)
        return self.mean(label, "CE", score, at) <= rivals + 1e-9

    def curve(self, label):
        """Sizes all splits have, with the mean error of naive Bayes and the mean gap."""
        points = [{n: (error, gap) for n, error, gap in r.result["curve"]} for r in self.tables[label]]
        sizes = sorted(set.intersection(*map(set, points)))
        mean = np.array([[found[n] for n in sizes] for found in points], float).mean(axis=0)  # None is NaN
        return np.array(sizes), mean[:, 0], mean[:, 1]


def _error(values) -> float:
    return float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else 0.0


def _pairs(pairs, pattern):
    return {label: pattern.format(*pair) for label, pair in pairs.items()}


# -- Table 2: information --------------------------------------------------------------------


def whole_information(splits):
    lost = {x: splits.mean(x, "CE", "gap") - float(np.mean(splits.of_all(x, "gap"))) for x in splits.six}
    n_whole = sum(value < EQUAL_GAPS for value in lost.values())
    return {"holds": n_whole == len(lost), "n_whole": n_whole, "lost": lost}


def least_of_four(splits, score):
    against = {}
    for label in splits.six:
        best = min(RIVALS, key=lambda rival: splits.mean(label, rival, score))
        against[label] = (
            f"{splits.mean(label, 'CE', score):.3f} and {splits.mean(label, best, score):.3f} ({best})"
        )
    n_best = sum(splits.least(label, score) for label in splits.six)
    at_paper_size = sum(splits.least(label, score, "paper_size") for label in splits.six)
    found = {"n_best": n_best, "against": against, "at_paper_size": at_paper_size}
    return {"holds": n_best >= MOST * len(splits.six), **found}


def gap_values(splits):
    gaps = {label: splits.mean(label, "CE", "gap", "paper_size") for label in splits.six}
    near = [label for label, gap in gaps.items() if abs(gap - PAPER[label]["CE"]["gap"]) <= 0.02]
    return {"holds": len(near) >= MOST * len(gaps), "gaps": gaps, "near": near, "n_near": len(near)}


def rivals_on_connect4(splits):
    need("Connect-4" in splits.tables)
    gaps = {rival: splits.values("Connect-4", rival, "gap", "paper_size") for rival in RIVALS}
    paper = {rival: PAPER["Connect-4"][rival]["gap"] for rival in RIVALS}
    return {"holds": all(abs(float(np.mean(gaps[r])) - paper[r]) <= 0.05 for r in RIVALS), "gaps": gaps}


# -- Table 2: errors and numbers of columns --------------------------------------------------


def neighbour_values(splits):
    tested = {label: splits.values(label, "CE", "knn", "paper_size") for label in splits.six}
    near = [
        abs(float(np.mean(values)) - PAPER[label]["CE"]["knn"]) <= max(0.02, 2 * _error(values))
        for label, values in tested.items()
    ]
    return {
        "holds": sum(near) >= MOST * len(tested),
        "tested": tested,
        "own_rows": {label: splits.mean(label, "CE", "own_rows", "paper_size") for label in splits.six},
        "with_all": {label: np.mean(splits.of_all(label, "knn")) for label in splits.six},
    }


def _like_the_paper(label, size) -> bool:
    paper = PAPER[label]["columns"]["CE"]
    return abs(size - paper) <= max(2.0, 0.2 * paper)


def cardinality(splits):
    sizes = {label: splits.sizes(label) for label in splits.six}
    near = [label for label, values in sizes.items() if _like_the_paper(label, float(np.mean(values)))]
    return {"holds": len(near) >= MOST * len(sizes), "sizes": sizes, "near": near}


def printed_rule(splits):
    printed = {label: splits.printed[label] for label in PAPER if label in splits.printed}
    near = [label for label, found in printed.items() if _like_the_paper(label, found["reached"])]
    found = {
        "reached": {label: f"{r['reached']} after {r['rounds']} rounds" for label, r in printed.items()},
        "none": [label for label, result in printed.items() if not result["reached"]],
    }
    need(printed)
    return {"holds": len(near) >= MOST * len(printed), **found}


# -- figures 2 to 6 --------------------------------------------------------------------------


def gap_curve(splits):
    above = {}
    for label in splits.six:
        results = [record.result for record in splits.tables[label]]
        least = [min(gap for _, _, gap in result["curve"] if gap is not None) for result in results]
        above[label] = max(
            result["own"]["CE"]["gap"] - low for result, low in zip(results, least, strict=True)
        )
    n_least = sum(value < EQUAL_GAPS for value in above.values())
    return {"holds": n_least == len(above), "n_least": n_least, "above": above}


def error_curve(splits):
    errors, n_near = {}, 0
    for label in splits.six:
        sizes, on_curve, _ = splits.curve(label)
        found, least = splits.mean(label, "CE", "nb"), on_curve.min()
        errors[label] = f"{found:.3f}, {least:.3f} with {sizes[on_curve.argmin()]}"
        n_near += found - least <= _error(splits.values(label, "CE", "nb"))
    return {"holds": n_near >= MOST * len(errors), "n_near": n_near, "errors": errors}


# -- time and Table 3 ------------------------------------------------------------------------


def times(splits):
    seconds = {label: splits.seconds(label, "CE") for label in splits.six}
    slowest = {label: max(0.001, *(splits.seconds(label, rival) for rival in RIVALS)) for label in splits.six}
    ratios = {label: seconds[label] / slowest[label] for label in splits.six}
    n_alike = sum(ratio <= 3 for ratio in ratios.values())
    return {"holds": n_alike >= MOST * len(ratios), "seconds": seconds, "ratios": ratios}


def below_the_swarm(splits, score, digits, slack):
    pairs = {x: (splits.mean(x, "CE", score), splits.mean(x, "PSO", score)) for x in splits.six}
    n_less = sum(own <= swarm + slack if slack else own < swarm for own, swarm in pairs.values())
    shown = _pairs(pairs, f"{{:.{digits}f}} and {{:.{digits}f}}")
    return {"holds": n_less >= MOST * len(pairs), "n_less": n_less, "pairs": shown}


def faster_than_the_swarm(splits):
    pairs = {x: (splits.seconds(x, "CE"), splits.seconds(x, "PSO")) for x in splits.six}
    n_less = sum(own < swarm for own, swarm in pairs.values())
    return {
        "holds": n_less >= MOST * len(pairs),
        "n_less": n_less,
        "pairs": _pairs(pairs, "{:.1f} and {:.1f} s"),
    }


def as_many_as_the_swarm(splits):
    pairs = {x: (float(np.mean(splits.sizes(x))), splits.mean(x, "PSO", "n")) for x in splits.six}
    n_alike = sum(abs(own - swarm) <= max(2.0, 0.25 * swarm) for own, swarm in pairs.values())
    return {"holds": n_alike >= MOST * len(pairs), "sizes": _pairs(pairs, "{:.1f}/{:.1f}")}
