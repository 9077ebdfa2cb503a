"""Claims on SEGMENT with noise, GAS, USPS, ABALONE, ARRHYTHMIA and SMK."""

from collections.abc import Sequence

import numpy as np

from experiments.nefs import explanations as because
from experiments.nefs import reading
from experiments.nefs.design import CURVES_OF, PAPER_METHODS
from experiments.nefs.judging import PAIRED, Found, ahead, best_of, judge
from experiments.protocol import Claim, Results, mean_and_error


def on_segment(results: Results) -> list[Claim]:
    """SNEFS against NEFS and RELIEFF with few columns."""
    rule = f"Mean accuracy over 1 to 5 columns, SVM. {PAIRED}"
    return [
        judge(
            "Fig. 5a",
            f"On SEGMENT_N, especially with fewer columns, {other} is not as robust as SNEFS.",
            "-",
            ahead(results, "SEGMENT_N", "SVM", "SNEFS", other, range(1, 6)),
            rule,
            reading.why_missing(results, "SEGMENT_N"),
            because.SEGMENT.get(other, ""),
        )
        for other in ("NEFS", "RELIEFF")
    ]


def on_gas(results: Results) -> list[Claim]:
    """SNEFS against the others with four columns, MLP."""
    missing = reading.why_missing(results, "GAS")
    gain = reading.gain(results, "GAS", "MLP", "SNEFS", "X-MIFS", 4)
    apart = reading.difference(results, "GAS", "MLP", "SNEFS", "X-MIFS", [4])
    four = None
    if gain is not None and apart is not None:
        four = Found(f"{mean_and_error(gain, 1)} % (p = {apart.p_value:.2g})", apart.verdict)
    version = "On half of the paper's rows (batches 7 and 10 are missing)."
    return [
        judge(
            "Fig. 4a",
            "On GAS with MLP and 4 columns SNEFS is ahead of X-MIFS.",
            "+5.4 %",
            four,
            f"{PAIRED} {version}",
            missing,
            because.GAS,
        ),
        judge(
            "Section V",
            "On GAS the accuracy rises faster with SNEFS than with the others.",
            "-",
            best_of(results, "GAS", "MLP", "SNEFS", (1, 2, 3, 4)),
            f"Rule: of the seven methods the highest mean accuracy over 1 to 4 columns, MLP. {version}",
            missing,
            because.GAS_RISE,
        ),
    ]


def on_usps(results: Results) -> list[Claim]:
    """The order of the methods, RF."""
    missing = reading.why_missing(results, "USPS")
    means = reading.mean_accuracies(results, "USPS", "RF", PAPER_METHODS, 10)
    if len(reading.accuracies(results, "USPS", "RF", "SNEFS", 10)) < 2:
        means = {}
    ranked = sorted(means, key=lambda method: -means[method])
    text = ", ".join(f"{m} {means[m]:.3f}" for m in ranked)
    last = max((means.get(m, 0.0) for m in ("RELIEFF", "RRPC_S", "RRPC_SS")), default=0.0)
    first = min((means.get(m, 0.0) for m in ("X-MIFS", "SNEFS", "mRMR")), default=0.0)
    return [
        judge(
            "Fig. 5c",
            "On USPS X-MIFS leads to the best accuracy, followed by SNEFS and mRMR (RF).",
            "X-MIFS, SNEFS, mRMR",
            Found(text, ranked[0] == "X-MIFS" and set(ranked[:3]) == {"X-MIFS", "SNEFS", "mRMR"})
            if means
            else None,
            "Rule: mean accuracy with 10 columns; X-MIFS first, SNEFS and mRMR next in any order.",
            missing,
            because.USPS,
        ),
        judge(
            "Fig. 5c",
            "On USPS RELIEFF and RRPC are worse than X-MIFS, SNEFS and mRMR (RF).",
            "-",
            Found(f"best of RELIEFF and RRPC {last:.3f}, least of the three {first:.3f}", last < first)
            if means
            else None,
            "Rule: mean accuracy with 10 columns.",
            missing,
            because.USPS_WORSE,
        ),
    ]


def on_others(results: Results) -> list[Claim]:
    """The data sets without a figure, and the one that is missing."""
    return [*_on_abalone(results), *_on_arrhythmia(results), _on_smk(results)]


def _on_abalone(results: Results) -> list[Claim]:
    missing = reading.why_missing(results, "ABALONE")
    sizes = CURVES_OF["ABALONE"].sizes
    p = [reading.friedman(results, "ABALONE", "SVM", PAPER_METHODS, size) for size in sizes]
    known = [value for value in p if value is not None]
    means = reading.mean_accuracies(results, "ABALONE", "SVM", PAPER_METHODS, 10)
    equal = poor = None
    if len(known) == len(sizes):
        by_size = ", ".join(f"{size}: {value:.2g}" for size, value in zip(sizes, known, strict=True))
        equal = Found(f"Friedman p by columns {by_size}", min(known) >= reading.FRIEDMAN_LEVEL)
        poor = Found(
            f"{min(means.values()):.3f} to {max(means.values()):.3f} (10 columns)",
            all(abs(value - 0.3) < 0.05 for value in means.values()),
        )
    return [
        judge(
            "Section V",
            "On ABALONE there is no significant difference among the algorithms.",
            "not significant",
            equal,
            "Rule: Friedman's p ≥ 0.01 at every size, SVM.",
            missing,
            because.ABALONE,
        ),
        judge(
            "Section V",
            "On ABALONE the accuracy is poor.",
            "≈ 0.3",
            poor,
            "Rule: within 0.05 of 0.3 with SVM.",
            missing,
        ),
    ]


def _on_arrhythmia(results: Results) -> list[Claim]:
    missing = reading.why_missing(results, "ARRHYTHMIA")
    sizes = (6, 7, 8, 9, 10)
    means = {
        m: found
        for m in PAPER_METHODS
        if len(found := reading.means_over_sizes(results, "ARRHYTHMIA", "RF", m, sizes)) >= 2
    }
    complete = len(means) == len(PAPER_METHODS)
    level = {m: float(np.mean(found)) for m, found in means.items()}

    def compare(high: Sequence[str], low: Sequence[str]) -> Found | None:
        if not complete:
            return None
        text = ", ".join(f"{m} {mean_and_error(means[m])}" for m in (*high, *low))
        return Found(text, min(level[m] for m in high) > max(level[m] for m in low))

    rule = "Rule: mean accuracy of RF over 6 to 10 columns, each above each."
    return [
        judge(
            "Section V",
            "On ARRHYTHMIA X-MIFS and mRMR are slightly better than NEFS and SNEFS with more than 5 columns.",
            "slightly better",
            compare(("X-MIFS", "mRMR"), ("NEFS", "SNEFS")),
            rule,
            missing,
            because.ARRHYTHMIA,
        ),
        judge(
            "Section V",
            "On ARRHYTHMIA RRPC and RELIEFF achieve slightly worse results than NEFS and SNEFS.",
            "slightly worse",
            compare(("NEFS", "SNEFS"), ("RRPC_S", "RRPC_SS", "RELIEFF")),
            rule,
            missing,
            because.ARRHYTHMIA_WORSE,
        ),
    ]


def _on_smk(results: Results) -> Claim:
    found = None
    means = reading.mean_accuracies(results, "SMK", "kNN", PAPER_METHODS, 5)
    if means:
        best = sorted(means, key=lambda m: -means[m])[:2]
        found = Found(f"best: {', '.join(best)}", set(best) == {"X-MIFS", "SNEFS"})
    return judge(
        "Fig. 5d",
        "On SMK with kNN and 5 columns X-MIFS and SNEFS reach the highest accuracy.",
        "-",
        found,
        "Rule: the two highest means of six methods (without NEFS, which would take too long).",
        f"{reading.why_missing(results, 'SMK')} No public copy of SMK_CAN_187 was found.",
    )
