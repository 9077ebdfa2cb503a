"""What the paper on min-entropy says, beside what came out."""

from collections.abc import Callable

import numpy as np

from experiments.paired import LEVEL
from experiments.protocol import FAILS, HOLDS, UNCHECKED, Claim, Results
from experiments.renyi.curves import (
    CLASSIFIERS,
    NAMES,
    curves,
    exhausted_after,
    lead,
    shared_columns,
    sizes_of,
)
from experiments.renyi.protocol import FURTHER_LEVELS, LEVELS, MIN_ENTROPY, SHANNON

FIGURES = {"basehock": "Fig. 5", "gisette": "Fig. 6", "semeion": "Fig. 7"}
ALMOST_ALWAYS = 0.9  # share of the points of all curves at which a method that is "almost always" ahead leads
RULE = (
    "Rule: mean accuracy over all sizes; ahead if the one-sided paired t-test over the splits, corrected "
    f"for the rows they share, gives p < {LEVEL}."
)


def claims(results: Results) -> list[Claim]:
    """One verdict for each claim of the paper."""
    ahead = [_ahead_claim(results, data, kind) for data in FIGURES for kind in CLASSIFIERS]
    return [
        _figure1_claim(results),
        _section32_claim(results),
        _without_f2_claim(results),
        _proposition_claim(results),
        *ahead,
        _almost_always_claim(results),
        _especially_claim(results),
    ]


# -- figures 5 to 7 --------------------------------------------------------------------------


def _ahead_claim(results: Results, data: str, kind: str) -> Claim:
    where = f"{FIGURES[data]}, {CLASSIFIERS[kind]}"
    text = f"Min-entropy usually gives better accuracy than Shannon's entropy on {NAMES[data]}."
    paper = "curve above (no numbers)"
    found = lead(results, data, LEVELS[data], kind)
    if len(found.by_split.differences) < 2:
        return Claim(where, text, paper, "-", UNCHECKED, _why_missing(results, data))
    n_ahead, n_sizes = int((found.by_size > 0).sum()), len(found.by_size)
    ours = f"{found.by_split}; ahead at {n_ahead} of {n_sizes} sizes"
    if found.by_split.ahead:
        return Claim(where, text, paper, ours, HOLDS, f"{RULE} {_other_levels(results, data, kind)}".strip())
    return Claim(where, text, paper, ours, FAILS, _why_not_ahead(results, data, kind))


def _why_missing(results: Results, data: str) -> str:
    return results.missing.get(data, f"Fewer than two splits of {NAMES[data]} were run with both entropies.")


def _other_levels(results: Results, data: str, kind: str) -> str:
    """The same with other levels of the word counts."""
    leads = {
        levels: lead(results, data, levels, kind).by_split
        for levels in FURTHER_LEVELS.get(data, ())
        if lead(results, data, levels, kind).by_split.differences
    }
    found = "; ".join(f"{levels}: {by_split}" for levels, by_split in leads.items())
    return f"With other levels of the counts: {found}." if found else ""


def _why_not_ahead(results: Results, data: str, kind: str) -> str:
    found = lead(results, data, LEVELS[data], kind).by_split
    signs = np.sign(found.differences)
    verdict = "Shannon's entropy is ahead" if found.behind else "No lead either way can be shown"
    return (
        f"{RULE} {verdict}: of {len(signs)} splits min-entropy leads in {int((signs > 0).sum())} and trails "
        f"in {int((signs < 0).sum())}.{_why_alike(results, data, kind)}{_no_mistake(results)} The paper "
        "gives neither numbers nor errors for its curves."
    )


def _why_alike(results: Results, data: str, kind: str) -> str:
    """What is left to compare once nothing is left of the entropy."""
    after = [exhausted_after(results, data, order) for order in (SHANNON, MIN_ENTROPY)]
    if not all(after):
        return ""
    before = min(map(min, after)) - 1
    early = lead(results, data, LEVELS[data], kind, largest=before).by_split
    return (
        f" The picked columns determine the class of every training row after {min(map(min, after))} to "
        f"{max(map(max, after))} picks. From there on all candidates tie, and both methods go on by I(f;y); "
        "the paper does not say what it does with ties. At the end the two sets share "
        f"{shared_columns(results, data):.0f} of {sizes_of(results)[-1]} columns, so a large part of the "
        f"figure does not depend on the entropy at all. Up to {before} columns the difference is {early}."
    )


def _no_mistake(results: Results) -> str:
    """What rules out a wrong selection, as far as it was run and came out right."""
    found = []
    if _proposition_claim(results).verdict == HOLDS:
        found.append("each pick on SEMEION has the lowest Bayes risk of all candidates by naive code")
    if all(claim(results).verdict == HOLDS for claim in (_figure1_claim, _section32_claim)):
        found.append("the examples of sections 3.1 and 3.2 come out to the digits printed")
    if lead(results, "basehock", LEVELS["basehock"], "svm").by_split.ahead:
        found.append("the same program finds the lead on BASEHOCK")
    return f" Against a mistake here: {'; '.join(found)}." if found else ""


def _almost_always_claim(results: Results) -> Claim:
    where, text, paper = (
        "section 1",
        "Min-entropy outperforms Shannon's entropy almost always.",
        "almost always",
    )
    by_data = {
        data: np.concatenate([lead(results, data, LEVELS[data], kind).by_size for kind in CLASSIFIERS])
        for data in FIGURES
    }
    points = np.concatenate(list(by_data.values()))
    if not len(points):
        return Claim(where, text, paper, "-", UNCHECKED, "No curve of both entropies was run.")
    share = float(np.mean(points >= 0))
    parts = [f"{NAMES[data]} {np.mean(gaps >= 0):.0%}" for data, gaps in by_data.items() if len(gaps)]
    why = (
        f"Rule: mean accuracy at least as high at {ALMOST_ALWAYS:.0%} of all points (data set, classifier, "
        f"size); where both pick the same columns it counts for the claim. By data set: {', '.join(parts)}."
    )
    verdict = HOLDS if share >= ALMOST_ALWAYS else FAILS
    if verdict == FAILS:
        why += f" It fails by the data sets on which there is no lead; see their rows.{_no_mistake(results)}"
    return Claim(where, text, paper, f"ahead or level at {share:.0%} of {len(points)} points", verdict, why)


def _especially_claim(results: Results) -> Claim:
    where, text = "section 4.1", "The lead of min-entropy is largest on BASEHOCK."
    leads = {
        data: [lead(results, data, LEVELS[data], kind).by_split.mean for kind in CLASSIFIERS]
        for data in FIGURES
        if curves(results, data, LEVELS[data], MIN_ENTROPY, "svm")
    }
    if "basehock" not in leads or len(leads) < 2:
        return Claim(where, text, "largest", "-", UNCHECKED, "It takes BASEHOCK and one more data set.")
    means = {data: float(np.mean(values)) for data, values in leads.items()}
    ours = ", ".join(f"{NAMES[data]} {mean:+.3f}" for data, mean in means.items())
    verdict = HOLDS if max(means, key=means.__getitem__) == "basehock" else FAILS
    return Claim(where, text, "largest", ours, verdict, "Rule: largest mean lead over sizes and classifiers.")


# -- what is exact ---------------------------------------------------------------------------


def _figure1_claim(results: Results) -> Claim:
    def check(examples: dict[str, dict[str, dict[str, list[float]]]]) -> tuple[str, bool]:
        shannon, smallest = examples["3.1"][SHANNON], examples["3.1"][MIN_ENTROPY]
        right = (
            np.allclose(shannon["first"], [2.35098] + [2.4] * 5, atol=1e-4)
            and np.allclose(smallest["first"], [2.32193] + [1.73697] * 5, atol=1e-4)
            and len(shannon["columns"]) == 6
            and sorted(smallest["columns"]) == [1, 2, 3, 4, 5]
        )
        ours = (
            f"H1 {shannon['first'][0]:.2f} / {shannon['first'][1]:.2f}, Hinf {smallest['first'][0]:.2f} / "
            f"{smallest['first'][1]:.2f}; {len(shannon['columns'])} and {len(smallest['columns'])} columns"
        )
        return ours, bool(right)

    text = "Fig. 1: Shannon's entropy picks f0 first and needs all six columns, min-entropy needs f1 to f5."
    paper = "H1 2.35 / 2.4, Hinf 2.32 / 1.74 (f0 / others); 6 and 5 columns"
    return _example_claim(results, "section 3.1", text, paper, check)


def _section32_claim(results: Results) -> Claim:
    def check(examples: dict[str, dict[str, dict[str, list[float]]]]) -> tuple[str, bool]:
        shannon, smallest = examples["3.2"][SHANNON], examples["3.2"][MIN_ENTROPY]
        right = (
            np.allclose(shannon["first"], [3, 3, 3, 4] + [3.43872] * 4, atol=1e-4)
            and np.allclose(smallest["first"], [3, 3, 3, 4] + [1.83007] * 4, atol=1e-4)
            and shannon["columns"] == [0, 2, 3]
            and sorted(smallest["columns"]) == [4, 5, 6, 7]
        )
        ours = (
            f"H1(C|f') {shannon['first'][4]:.3f}, Hinf(C|f') {smallest['first'][4]:.2f}; "
            f"{len(shannon['columns'])} and {len(smallest['columns'])} columns"
        )
        return ours, bool(right)

    text = "32 classes: Shannon's entropy is done with f1, f3, f4, min-entropy with the four f'."
    paper = "H1(C|f') 3.439, Hinf(C|f') 1.83; 3 and 4 columns"
    return _example_claim(results, "section 3.2", text, paper, check)


def _without_f2_claim(results: Results) -> Claim:
    def check(examples: dict[str, dict[str, dict[str, list[float]]]]) -> tuple[str, bool]:
        sizes = [len(examples["3.2 with f1 alone"][order]["columns"]) for order in (MIN_ENTROPY, SHANNON)]
        return f"{sizes[0]} and {sizes[1]}", sizes == [4, 5]

    text = "With f1 alone beside the four f', min-entropy needs four columns and Shannon's entropy five."
    return _example_claim(results, "section 3.2", text, "4 and 5", check)


def _example_claim(
    results: Results,
    where: str,
    text: str,
    paper: str,
    check: Callable[[dict[str, dict[str, dict[str, list[float]]]]], tuple[str, bool]],
) -> Claim:
    records = results.where(part="examples")
    if not records:
        return Claim(where, text, paper, "-", UNCHECKED, "The examples were not run.")
    ours, right = check(records[0].result)
    return Claim(where, text, paper, ours, HOLDS if right else FAILS, "Rule: equal to the digits printed.")


def _proposition_claim(results: Results) -> Claim:
    where = "Proposition 1"
    text = "Each pick has the lowest Bayes risk of all candidates."
    records = results.where(part="picks")
    if not records:
        why = results.missing.get("semeion", "The picks were not checked.")
        return Claim(where, text, "always", "-", UNCHECKED, why)
    risk, lowest = records[0].result["risk"], records[0].result["lowest"]
    n_right = sum(a == b for a, b in zip(risk, lowest, strict=True))
    why = "Rule: the same to five digits, by naive code that counts each group of rows of SEMEION anew."
    verdict = HOLDS if n_right == len(risk) else FAILS
    return Claim(where, text, "always", f"{n_right} of {len(risk)} picks", verdict, why)
