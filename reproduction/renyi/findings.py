"""Results on min-entropy, and whether they support the paper's claims."""

from dataclasses import dataclass

import numpy as np

from reproduction.renyi.protocol import FURTHER_LEVELS, LEVELS, MIN_ENTROPY, SHANNON, TEXTS, WHOLE
from reproduction.texts import need
from reproduction.verdicts import Mean, all_of, at_least

EXAMPLES = TEXTS.read("published.toml")
CLASSIFIERS = {"svm": "SVM", "mlp": "ANN"}
NAMES = {"basehock": "BASEHOCK", "gisette": "GISETTE", "semeion": "SEMEION"}
OVERLAP = WHOLE["test_share"] / (1 - WHOLE["test_share"])
ALMOST_ALWAYS = 0.9  # share of the points of all curves at which a method that is "almost always" ahead leads


def claims(results):
    """One verdict for each claim of the paper."""
    return TEXTS.claims(globals(), results, results, no_mistake=_no_mistake(results))


# -- accuracies against the number of columns ------------------------------------------------


@dataclass(frozen=True)
class Lead:
    """How far min-entropy is ahead: mean over sizes for each split, over splits for each size, all of it."""

    by_split: Mean
    by_size: np.ndarray
    of_sizes: list


def sizes_of(results) -> list[int]:
    """The numbers of columns tested."""
    records = results.where(part="accuracy")
    return list(records[0].settings["sizes"]) if records else []


def curves(results, data, levels, order, kind, part="accuracy"):
    """Accuracies at the sizes for each split, by the number of the split."""
    cell, sizes = {"data": data, "levels": levels, "order": order}, sizes_of(results)
    records = [r for r in results.where(part=part, **cell) if kind in r.result]
    found = {r.settings["repeat"]: np.array(r.result[kind]) for r in records}
    for record in results.where(part="later", **cell) if part == "accuracy" else []:
        if record.settings["repeat"] in found and kind in record.result:
            places = [sizes.index(size) for size in record.settings["sizes"]]
            found[record.settings["repeat"]][places] = record.result[kind]
    return found


def lead(results, data, kind, levels=None, largest=np.inf, part="accuracy"):
    """The lead on splits that were run with both entropies, up to a number of columns."""
    levels = levels or LEVELS[data]
    ahead, behind = (curves(results, data, levels, order, kind, part) for order in (MIN_ENTROPY, SHANNON))
    kept = [size <= largest for size in sizes_of(results)]
    gaps = np.array([(ahead[split] - behind[split])[kept] for split in sorted(ahead.keys() & behind.keys())])
    if not gaps.size:
        return Lead(Mean([]), np.array([]), [])
    return Lead(Mean(gaps.mean(axis=1).tolist(), overlap=OVERLAP), gaps.mean(axis=0), gaps.T.tolist())


def exhausted_after(results, data, order) -> list[int]:
    """After how many columns nothing was left of the entropy; empty if something was left in any split."""
    records = results.where(part="accuracy", data=data, levels=LEVELS[data], order=order)
    found = [record.result["exhausted"] for record in records]
    return [] if None in found else found


def shared_columns(results, data):
    """How many columns the two entropies of the paper have in common, in the mean over splits."""
    picked = [{}, {}]
    for columns, order in zip(picked, (SHANNON, MIN_ENTROPY), strict=True):
        for part in ("accuracy", "later"):
            for record in results.where(part=part, data=data, levels=LEVELS[data], order=order):
                columns[record.settings["repeat"]] = set(record.result["columns"])
    both = picked[0].keys() & picked[1].keys()
    return float(np.mean([len(picked[0][split] & picked[1][split]) for split in both])) if both else 0.0


# -- what decides the claims -----------------------------------------------------------------


def example(results, table):
    records = results.where(part="examples")
    need(records)
    found, expected = records[0].result[table], EXAMPLES[table]
    sizes = [len(found[order]["columns"]) for order in (SHANNON, MIN_ENTROPY)]
    right = sizes == expected["sizes"]
    for order, columns in expected.get("columns", {}).items():
        right &= sorted(found[order]["columns"]) == columns
        right &= np.allclose(found[order]["first"], expected["first"][order], atol=1e-4)
    return {
        "holds": right,
        "sizes": sizes,
        "shannon": found[SHANNON]["first"],
        "smallest": found[MIN_ENTROPY]["first"],
    }


def proposition(results):
    records = results.where(part="picks")
    need(records)
    risk, lowest = records[0].result["risk"], records[0].result["lowest"]
    n_right = sum(a == b for a, b in zip(risk, lowest, strict=True))
    return {"holds": n_right == len(risk), "n_right": n_right, "n": len(risk)}


def ahead(results, data, kind, **_):
    need(len(lead(results, data, kind).by_split.values) > 1)
    readings = {"SVM tuned on each split": _ahead(results, data, kind, "accuracy")}
    if kind == "svm" and len(lead(results, data, kind, part="fixed svm").by_split.values) > 1:
        readings["one SVM, fresh splits"] = _ahead(results, data, kind, "fixed svm")
    common = {"other_levels": _other_levels(results, data, kind), "alike": _alike(results, data, kind)}
    return {"readings": readings, **common}


def _ahead(results, data, kind, part):
    found = lead(results, data, kind, part=part)
    n_ahead, n_sizes = int((found.by_size > 0).sum()), len(found.by_size)
    return {
        "finding": found.by_split.above(0),
        "lead": found.by_split,
        "n_ahead": n_ahead,
        "n_sizes": n_sizes,
    }


def _other_levels(results, data, kind):
    """The same with other levels of the word counts."""
    leads = {levels: lead(results, data, kind, levels).by_split for levels in FURTHER_LEVELS.get(data, ())}
    found = [f"{levels}: {by_split}" for levels, by_split in leads.items() if len(by_split.values)]
    return {"leads": "; ".join(found)} if found else None


def _alike(results, data, kind):
    """What is left to compare once nothing is left of the entropy."""
    after = [exhausted_after(results, data, order) for order in (SHANNON, MIN_ENTROPY)]
    if not all(after):
        return None
    first, last = min(map(min, after)), max(map(max, after))
    early = lead(results, data, kind, largest=first - 1).by_split
    shared = {"shared": shared_columns(results, data), "n_picks": sizes_of(results)[-1]}
    return {"first": first, "last": last, "before": first - 1, "early": early, **shared}


def _no_mistake(results):
    """What rules out a wrong selection, as far as it was run and came out right."""
    checked, made = results.where(part="picks"), results.where(part="examples")
    right = {
        "risk_is_lowest": checked and proposition(results)["holds"],
        "examples_agree": made and all(example(results, table)["holds"] for table in ("3.1", "3.2")),
        "lead_is_found": lead(results, "basehock", "svm").by_split.interval[0] > 0,
    }
    reasons = [TEXTS.phrase(name) for name, holds in right.items() if holds]
    return TEXTS.phrase("against_a_mistake", reasons="; ".join(reasons)) if reasons else ""


def almost_always(results):
    """At each point of the curves, a data set, a classifier and a size, over the splits."""
    points = {
        (name, kind, size): Mean(gaps, overlap=OVERLAP)
        for data, name in NAMES.items()
        for kind in CLASSIFIERS
        for size, gaps in zip(sizes_of(results), lead(results, data, kind).of_sizes, strict=False)
        if any(gaps)  # the two have picked the same columns so far
    }
    need(points)
    n_wanted = int(np.ceil(ALMOST_ALWAYS * len(points)))
    finding = at_least(n_wanted, [gap.above(0) for gap in points.values()])
    level = float(np.mean([gap.mean >= 0 for gap in points.values()]))
    sure = sum(gap.interval[0] > 0 for gap in points.values())
    behind = sum(gap.interval[1] < 0 for gap in points.values())
    return {"finding": finding, "share": level, "n_points": len(points), "sure": sure, "behind": behind}


def largest_on_basehock(results):
    leads = {
        name: [lead(results, data, kind).by_split for kind in CLASSIFIERS]
        for data, name in NAMES.items()
        if curves(results, data, LEVELS[data], MIN_ENTROPY, "svm")
    }
    need("BASEHOCK" in leads, len(leads) > 1)
    of_split = {name: np.mean([one.values for one in found], axis=0) for name, found in leads.items()}
    others = [name for name in of_split if name != "BASEHOCK"]
    gaps = [Mean((of_split["BASEHOCK"] - of_split[name]).tolist(), overlap=OVERLAP) for name in others]
    means = {name: float(values.mean()) for name, values in of_split.items()}
    return {"finding": all_of(gap.above(0) for gap in gaps), "means": means, "gap": gaps[0]}
