"""What the Inf-FS paper says, beside what came out."""

from collections.abc import Sequence

import numpy as np

from experiments.inffs.curves import (
    COMPARED_SUPERVISED,
    COMPARED_UNSUPERVISED,
    NAMES,
    Scores,
    largest_naive_difference,
)
from experiments.inffs.methods import FIXED_S, INFFS_S, INFFS_U
from experiments.inffs.protocol import MICROARRAYS, SIZES
from experiments.inffs.table3 import table3_claims
from experiments.paired import LEVEL, Paired
from experiments.protocol import FAILS, HOLDS, UNCHECKED, Claim, Results

FEW_SPLITS = 4  # below, the corrected test hardly ever shows a lead; whole runs have as many or more
CLOSE = 0.02  # accuracies that differ by no more are comparable
OVER_DATA = f"Rule: mean over sizes and splits; one-sided t-test over the data sets, p < {LEVEL}."
OVER_SPLITS = f"Rule: one-sided t-test over the splits, corrected for the rows they share, p < {LEVEL}."


def claims(results: Results) -> list[Claim]:
    """One verdict for each claim of the paper."""
    scores = Scores(results, least=2)  # one split says nothing about errors
    return [
        _regularization_claim(results, INFFS_S, "with y"),
        _regularization_claim(results, INFFS_U, "without y"),
        _best_claim(scores, "Fig. 1, right", INFFS_S, COMPARED_SUPERVISED, MICROARRAYS),
        _best_claim(scores, "Fig. 1, left", INFFS_U, COMPARED_UNSUPERVISED, MICROARRAYS),
        _ahead_claim(scores, "Fisher"),
        _ahead_claim(scores, "MI"),
        _supervised_ahead_claim(scores),
        _comparable_claim(scores),
        _knee_claim(scores),
        *(_supervised_ahead_on_claim(scores, data) for data in ("dexter", "gisette", "gina")),
        _best_claim(scores, "Fig. 2, DEXTER", INFFS_S, COMPARED_SUPERVISED, ("dexter",), above=10),
        _lasso_at_10_claim(scores),
        _best_claim(scores, "Fig. 2, DEXTER", INFFS_U, COMPARED_UNSUPERVISED, ("dexter",)),
        _madelon_at_10_claim(scores),
        _madelon_above_claim(scores),
        *_rank_claims(scores, INFFS_S, COMPARED_SUPERVISED, ("MI", "Fisher")),
        *_rank_claims(scores, INFFS_U, COMPARED_UNSUPERVISED, ("LS", "MCFS")),
        *table3_claims(scores),
        _images_claim(),
    ]


def no_mistake(results: Results) -> str:
    """What rules out a wrong ranking by Inf-FS, as far as it was run."""
    difference = largest_naive_difference(results)
    if difference is None:
        return ""
    return (
        " Against a mistake here: on COLON and MADELON all scores of Inf-FS equal those of the whole matrix "
        f"and its inverse, written as in the paper, to a relative difference of {difference:.0e}."
    )


def _why_missing(scores: Scores, among: Sequence[str]) -> str:
    reasons = [why for data, why in scores.results.missing.items() if data in among]
    return " ".join(reasons) or "It takes two splits or more."


# -- section 3.5 -----------------------------------------------------------------------------


def _regularization_claim(results: Results, method: str, graph: str) -> Claim:
    where = "section 3.5"
    text = f"r = 0.9 / spectral radius and r = 0.9 / largest row sum give the same ranking ({graph})."
    records = results.where(part="regularization")
    if not records:
        return Claim(where, text, "no difference", "-", UNCHECKED, "The cells it takes were not run.")
    taus = {NAMES[record.settings["data"]]: record.result[method]["tau"] for record in records}
    ours = "Kendall's τ " + ", ".join(f"{tau:.3f} {data}" for data, tau in taus.items())
    rule = "Rule: Kendall's τ of the scores is 1 on every data set."
    if min(taus.values()) >= 1:
        return Claim(where, text, "no difference", ours, HOLDS, f"{rule} A has rank one, so it must.")
    changed = [
        max(size - record.result[method]["shared"][j] for record in records) for j, size in enumerate(SIZES)
    ]
    why = (
        f"{rule} The smaller r gives long paths less weight, and only for a graph of rank one (or of equal "
        "row sums) is the order of the columns the same for paths of every length. In practice it matters "
        f"little: of the first {', '.join(map(str, SIZES))} columns at most {', '.join(map(str, changed))} "
        "differ."
    )
    return Claim(where, text, "no difference", ours, FAILS, why + no_mistake(results))


# -- figures 1, 2 and 4 ----------------------------------------------------------------------


def _best_claim(
    scores: Scores, where: str, method: str, others: Sequence[str], among: Sequence[str], above: int = 0
) -> Claim:
    """Best of its kind at every size above one."""
    kind = "supervised" if method == INFFS_S else "unsupervised"
    place = "the microarray sets" if len(among) > 1 else NAMES[among[0]]
    text = f"{method} has the best accuracy of the {kind} methods on {place}"
    text += f" with more than {above} columns." if above else "."
    curves = scores.mean_curves([method, *(name for name in others if name != method)], among)
    if len(curves) < 2:
        return Claim(where, text, "first at all sizes", "-", UNCHECKED, _why_missing(scores, among))
    tested = [(j, size) for j, size in enumerate(scores.sizes) if size > above]
    places = {size: _place(curves, method, j) for j, size in tested}
    ours = "place " + ", ".join(f"{places[size]} at {size}" for size in places) + f" of {len(curves)}"
    rule = "Rule: first in the mean over data sets and splits at every size."
    if all(place == 1 for place in places.values()):
        return Claim(where, text, "first at all sizes", ours, HOLDS, rule)
    winners = {size: _winner(curves, j) for j, size in tested if places[size] > 1}
    best = ", ".join(
        f"{winners[size]} at {size} ({curves[winners[size]][j]:.4f} against {curves[method][j]:.4f})"
        for j, size in tested
        if size in winners
    )
    why = f"{rule} Ahead of it: {best}.{_spread_text(scores, method, list(winners.values()), among)}"
    return Claim(where, text, "first at all sizes", ours, FAILS, why + no_mistake(scores.results))


def _place(curves: dict[str, np.ndarray], method: str, j: int) -> int:
    return 1 + sum(bool(curve[j] > curves[method][j] + 1e-9) for curve in curves.values())


def _winner(curves: dict[str, np.ndarray], j: int) -> str:
    return max(curves, key=lambda name: float(curves[name][j]))


def _spread_text(scores: Scores, method: str, winners: Sequence[str], among: Sequence[str]) -> str:
    """How sure the lead of the others is."""
    found = []
    for name in dict.fromkeys(winners):
        lead = scores.lead_on(among[0], name, method) if len(among) == 1 else scores.lead(name, method, among)
        found.append(f"{name} {lead}")
    return f" Their lead over all sizes: {'; '.join(found)}."


def _ahead_claim(scores: Scores, other: str) -> Claim:
    """The supervised graph against one of the terms it is made of."""
    where = "Fig. 1, 2 and 4"
    text = f"{INFFS_S} is ahead of {other} alone."
    found = scores.lead(INFFS_S, other)
    if len(found.differences) < 2:
        return Claim(where, text, "ahead", "-", UNCHECKED, _why_missing(scores, MICROARRAYS))
    there = scores.datasets([INFFS_S, other])
    parts = ", ".join(f"{NAMES[data]} {gap:+.3f}" for data, gap in zip(there, found.differences, strict=True))
    default = scores.lead(FIXED_S, other)
    beside = f" With the default weights: {default}." if default.differences else ""
    why = f"{OVER_DATA} By data set: {parts}.{beside}"
    if found.ahead:
        return Claim(where, text, "ahead", str(found), HOLDS, why)
    state = f"{other} is ahead" if found.behind else "Neither is ahead of the other"
    why += (
        f" {state}. The graph with y has rank one, so its ranking is that of the weighted sum of Fisher "
        "score, mutual information and spread: no pair of columns plays a part, and with weight on one term "
        "alone it is that term's ranking. What it can gain is the mixture, what it can lose is the choice of "
        "its three weights on few rows, and in the mean over these data the two are of one size."
    )
    return Claim(where, text, "ahead", str(found), FAILS, why + no_mistake(scores.results))


def _supervised_ahead_claim(scores: Scores) -> Claim:
    where = "Fig. 1"
    text = f"In general {INFFS_S} works better than {INFFS_U} on the microarray sets."
    found = scores.lead(INFFS_S, INFFS_U, MICROARRAYS)
    if len(found.differences) < 2:
        return Claim(where, text, "better", "-", UNCHECKED, _why_missing(scores, MICROARRAYS))
    there = scores.datasets([INFFS_S, INFFS_U], MICROARRAYS)
    parts = ", ".join(f"{NAMES[data]} {gap:+.3f}" for data, gap in zip(there, found.differences, strict=True))
    why = f"{OVER_DATA} By data set: {parts}."
    if found.ahead:
        return Claim(where, text, "better", str(found), HOLDS, why)
    curves = scores.mean_curves([INFFS_S, INFFS_U], MICROARRAYS)
    gaps = curves[INFFS_S] - curves[INFFS_U]
    by_size = ", ".join(f"{gap:+.3f} at {size}" for size, gap in zip(scores.sizes, gaps, strict=True))
    why += f" By size: {by_size}: the target helps where few columns are taken, and little above that."
    return Claim(where, text, "better", str(found), FAILS, why + no_mistake(scores.results))


def _comparable_claim(scores: Scores) -> Claim:
    where = "section 4.1"
    text = f"On COLON, LEUKEMIA and LUNG {INFFS_S} and {INFFS_U} are comparable."
    wanted = ("colon", "leukemia", "lung_gordon")
    gaps = {
        data: scores.lead_on(data, INFFS_S, INFFS_U) for data in scores.datasets([INFFS_S, INFFS_U], wanted)
    }
    if len(gaps) < len(wanted):
        return Claim(where, text, "comparable", "-", UNCHECKED, _why_missing(scores, wanted))
    ours = ", ".join(f"{NAMES[data]} {gap.mean:+.3f}" for data, gap in gaps.items())
    why = f"Rule: mean over sizes and splits not further apart than {CLOSE} on each of them."
    if all(abs(gap.mean) <= CLOSE for gap in gaps.values()):
        return Claim(where, text, "comparable", ours, HOLDS, why)
    at_first = ", ".join(
        f"{NAMES[data]} {scores.lead_on(data, INFFS_S, INFFS_U, scores.sizes[0]).mean:+.3f}" for data in gaps
    )
    at_last = ", ".join(
        f"{NAMES[data]} {scores.lead_on(data, INFFS_S, INFFS_U, scores.sizes[-1]).mean:+.3f}" for data in gaps
    )
    why += (
        f" The gap is one of small sizes. With {scores.sizes[0]} columns: {at_first}; with "
        f"{scores.sizes[-1]}: {at_last}. The paper gives no curves for single data sets."
    )
    return Claim(where, text, "comparable", ours, FAILS, why + no_mistake(scores.results))


def _knee_claim(scores: Scores) -> Claim:
    where = "Fig. 1"
    text = "Accuracy improves up to a knee around 50 columns and saturates above 150."
    curves = [
        curve
        for method, others in ((INFFS_S, COMPARED_SUPERVISED), (INFFS_U, COMPARED_UNSUPERVISED))
        for curve in scores.mean_curves([method, *others], MICROARRAYS).values()
    ]
    if not curves:
        return Claim(where, text, "knee at 50", "-", UNCHECKED, _why_missing(scores, MICROARRAYS))
    mean = np.mean(curves, axis=0)
    at = {size: float(mean[j]) for j, size in enumerate(scores.sizes)}
    ours = ", ".join(f"{value:.3f} at {size}" for size, value in at.items())
    saturated = 150 not in at or abs(at[200] - at[150]) <= 0.01
    verdict = HOLDS if at[50] - at[10] > at[200] - at[50] and saturated else FAILS
    why = (
        "Rule: in the mean over methods more is gained from 10 to 50 than from 50 to 200, and at most 0.01 "
        "above 150."
    )
    return Claim(where, text, "knee at 50", ours, verdict, why)


def _supervised_ahead_on_claim(scores: Scores, data: str) -> Claim:
    where, text = f"Fig. 2, {NAMES[data]}", f"{INFFS_S} outperforms {INFFS_U} on {NAMES[data]}."
    found = scores.lead_on(data, INFFS_S, INFFS_U)
    if len(found.differences) < 2:
        return Claim(where, text, "ahead", "-", UNCHECKED, _why_missing(scores, (data,)))
    by_size = f" By size: {_by_size(scores, data, INFFS_S, INFFS_U)}."
    return _split_claim(scores, where, text, "ahead", found, by_size)


def _split_claim(scores: Scores, where: str, text: str, paper: str, found: Paired, why_not: str) -> Claim:
    """A lead on the splits of one data set; too few of them cannot show one that is small."""
    if found.ahead:
        return Claim(where, text, paper, str(found), HOLDS, OVER_SPLITS)
    if found.mean > 0 and len(found.differences) < FEW_SPLITS:
        why = f"{OVER_SPLITS} {len(found.differences)} splits are too few to tell (at least {FEW_SPLITS})."
        return Claim(where, text, paper, str(found), UNCHECKED, why)
    why = OVER_SPLITS + why_not + no_mistake(scores.results)
    return Claim(where, text, paper, str(found), FAILS, why)


def _by_size(scores: Scores, data: str, first: str, second: str) -> str:
    """The lead at each size."""
    leads = {size: scores.lead_on(data, first, second, size) for size in scores.sizes}
    return ", ".join(f"{lead.mean:+.3f} ± {lead.error:.3f} at {size}" for size, lead in leads.items())


def _lasso_at_10_claim(scores: Scores) -> Claim:
    where, text = "Fig. 2, DEXTER", f"With 10 columns LASSO is better than {INFFS_S}."
    found = scores.lead_on("dexter", "LASSO", INFFS_S, 10) if scores.sizes else None
    if found is None or len(found.differences) < 2:
        return Claim(where, text, "better", "-", UNCHECKED, _why_missing(scores, ("dexter",)))
    by_size = f" By size: {_by_size(scores, 'dexter', 'LASSO', INFFS_S)}."
    return _split_claim(scores, where, text, "better", found, by_size)


def _madelon_at_10_claim(scores: Scores) -> Claim:
    where, text = "Fig. 2, MADELON", f"With 10 columns {INFFS_U} is better than {INFFS_S}."
    found = scores.lead_on("madelon", INFFS_U, INFFS_S, 10) if scores.sizes else None
    if found is None or len(found.differences) < 2:
        return Claim(where, text, "better", "-", UNCHECKED, _why_missing(scores, ("madelon",)))
    levels = {
        method: float(scores.mean("madelon", method)[scores.sizes.index(10)])
        for method in (*COMPARED_SUPERVISED, *COMPARED_UNSUPERVISED)
        if scores.by_split("madelon", method)
    }
    best = max(levels, key=levels.__getitem__)
    why_not = (
        " The classes of MADELON are corners of a cube labelled at random, which a linear SVM can hardly "
        f"tell apart: the best of {len(levels)} methods with 10 columns, {best}, has {levels[best]:.3f}, "
        f"{INFFS_U} {levels[INFFS_U]:.3f} and {INFFS_S} {levels[INFFS_S]:.3f}; no lead can be shown."
    )
    return _split_claim(scores, where, text, "better", found, why_not)


def _madelon_above_claim(scores: Scores) -> Claim:
    where, text = "Fig. 2, MADELON", f"Above 10 columns {INFFS_U} behaves comparably with {INFFS_S}."
    sizes = [size for size in scores.sizes if size > 10]
    if not sizes or len(scores.lead_on("madelon", INFFS_U, INFFS_S).differences) < 2:
        return Claim(where, text, "comparable", "-", UNCHECKED, _why_missing(scores, ("madelon",)))
    gaps = {size: scores.lead_on("madelon", INFFS_U, INFFS_S, size).mean for size in sizes}
    ours = ", ".join(f"{gap:+.3f} at {size}" for size, gap in gaps.items())
    why = f"Rule: not further apart than {CLOSE} at any size."
    if all(abs(gap) <= CLOSE for gap in gaps.values()):
        return Claim(where, text, "comparable", ours, HOLDS, why)
    why += f" With errors: {_by_size(scores, 'madelon', INFFS_U, INFFS_S)}.{no_mistake(scores.results)}"
    return Claim(where, text, "comparable", ours, FAILS, why)


def _rank_claims(
    scores: Scores, method: str, others: Sequence[str], followers: tuple[str, str]
) -> list[Claim]:
    """Who is first, and who comes next."""
    kind = "supervised" if method == INFFS_S else "unsupervised"
    first = f"{method} has the best average rank of the {kind} methods at all sizes."
    second = f"Of the other {kind} methods {' and '.join(followers)} have the best average ranks."
    ranks = scores.ranks([method, *(name for name in others if name != method)])
    if len(ranks) < 2:
        why = _why_missing(scores, MICROARRAYS)
        return [Claim("Fig. 4", text, "yes", "-", UNCHECKED, why) for text in (first, second)]
    averages = {name: table.mean(axis=0) for name, table in ranks.items()}
    order = sorted(averages, key=lambda name: float(averages[name].mean()))
    ours = ", ".join(f"{name} {averages[name].mean():.1f}" for name in order)
    n_data, n_sizes = next(iter(ranks.values())).shape
    n_first = sum(_winner({name: -a for name, a in averages.items()}, j) == method for j in range(n_sizes))
    why = (
        f"Rule: lowest mean rank over {n_data} data sets at every size; it has it at {n_first} of {n_sizes}, "
        f"and is number {order.index(method) + 1} of {len(order)} over all sizes."
    )
    rest = [name for name in order if name != method]
    caution = (
        " Ranks of methods whose accuracies differ by less than their errors are mostly chance, and GISETTE, "
        f"GINA and some of the paper's methods are missing.{no_mistake(scores.results)}"
    )
    is_first, do_follow = n_first == n_sizes, set(rest[:2]) == set(followers)
    next_why = "Rule: the two lowest mean ranks over all sizes among the others."
    return [
        Claim("Fig. 4", first, "yes", ours, *((HOLDS, why) if is_first else (FAILS, why + caution))),
        Claim(
            "Fig. 4", second, "yes", ours, *((HOLDS, next_why) if do_follow else (FAILS, next_why + caution))
        ),
    ]


def _images_claim() -> Claim:
    return Claim(
        "Fig. 3 and 5",
        "On VOC 2007 and Caltech 101 Inf-FS is among the first; a part of the columns does better than all.",
        "83.8 % with a quarter, 83.1 % with all (VOC)",
        "-",
        UNCHECKED,
        "The data are outputs of a neural network on images, and are not at hand.",
    )
