"""Claims on SPAMBASE with 20 % attribute noise."""

from collections.abc import Sequence

import numpy as np

from experiments.nefs import explanations as because
from experiments.nefs import reading
from experiments.nefs.design import OUR_VARIANTS, PAPER_METHODS
from experiments.nefs.judging import OTHERS, PAIRED, Found, judge, together
from experiments.protocol import Claim, Results, mean_and_error


def on_spambase(results: Results) -> list[Claim]:
    """Robustness to 20 % attribute noise, and to few rows."""
    missing = reading.why_missing(results, "SPAMBASE_N")
    level = judge(
        "Fig. 4b",
        "On SPAMBASE_N the best accuracy of RF, ≈ 0.85, is reached with NEFS and SNEFS.",
        "≈ 0.85",
        _best_on_spambase(results),
        "Rule: of the paper's seven methods with 10 columns NEFS and SNEFS are best, within 0.05 of 0.85.",
        missing,
    )
    gains = {"RELIEFF": 3.7, "X-MIFS": 14.9, "RRPC_S": 25.0, "RRPC_SS": 25.0, "mRMR": 25.0}
    ahead = [
        judge(
            "Fig. 4b",
            f"On SPAMBASE_N with RF, NEFS and SNEFS are ahead of {method} (10 columns).",
            f"+{percent} %",
            _both_ahead(results, method),
            f"{PAIRED} {because.gain_on_spambase(results, method)}".strip(),
            missing,
        )
        for method, percent in gains.items()
    ]
    early = judge(
        "Fig. 4b",
        "On SPAMBASE_N, NEFS and SNEFS are better even with one or two columns.",
        "-",
        _early_on_spambase(results),
        "Rule: both ahead of each of the five others, mean over 1 and 2 columns, paired t-test at 0.05.",
        missing,
        because.EARLY_ON_SPAMBASE,
    )
    return [
        level,
        *ahead,
        *_with_quantiles(results, missing),
        _size_of_lead(results, gains, missing),
        early,
        *_few_rows(results, missing),
    ]


def _with_quantiles(results: Results, missing: str) -> list[Claim]:
    """The same against methods whose bins were not chosen to match the paper."""
    return [
        judge(
            "beyond the paper",
            f"On SPAMBASE_N with RF, NEFS and SNEFS are also ahead of {method} on quantiles (10 columns).",
            "not run",
            _both_ahead(results, f"{method}, quantiles"),
            PAIRED,
            missing,
            because.QUANTILES_ON_SPAMBASE,
        )
        for method in ("X-MIFS", "mRMR")
    ]


def _size_of_lead(results: Results, gains: dict[str, float], missing: str) -> Claim:
    """Whether the leads are as large as printed."""
    found = {
        other: values
        for other in gains
        if (values := reading.gain(results, "SPAMBASE_N", "RF", "SNEFS", other, 10)) is not None
    }
    texts = [f"{other} {mean_and_error(values, 1)} %" for other, values in found.items()]
    far = [
        other
        for other, values in found.items()
        if abs(np.mean(values) - gains[other]) > 2 * np.std(values, ddof=1) / len(values) ** 0.5
    ]
    return judge(
        "Fig. 4b",
        "On SPAMBASE_N the lead (10 columns, RF) is as large as the paper says.",
        ", ".join(f"{other} {percent} %" for other, percent in gains.items()),
        Found("SNEFS over " + ", ".join(texts), not far) if len(found) == len(gains) else None,
        "Rule: the paper's number within two standard errors of ours, for all five."
        + (f" It is not for {', '.join(far)}." if far else ""),
        missing,
        because.size_of_lead(results),
    )


def _best_on_spambase(results: Results) -> Found | None:
    means = reading.mean_accuracies(results, "SPAMBASE_N", "RF", PAPER_METHODS, 10)
    if len(reading.accuracies(results, "SPAMBASE_N", "RF", "NEFS", 10)) < 2:
        return None
    best = sorted(means, key=lambda method: -means[method])[:2]
    ours = {m: reading.accuracies(results, "SPAMBASE_N", "RF", m, 10) for m in ("NEFS", "SNEFS")}
    near = all(abs(means[m] - 0.85) < 0.05 for m in ours)
    text = ", ".join(f"{m} {mean_and_error(values)}" for m, values in ours.items())
    return Found(f"{text}; best two: {', '.join(best)}", set(best) == set(ours) and near)


def _both_ahead(results: Results, other: str) -> Found | None:
    texts, verdicts = [], []
    for method in ("NEFS", "SNEFS"):
        apart = reading.difference(results, "SPAMBASE_N", "RF", method, other, [10])
        gain = reading.gain(results, "SPAMBASE_N", "RF", method, other, 10)
        if apart is None or gain is None:
            return None
        texts.append(f"{method} {mean_and_error(gain, 1)} % (p = {apart.p_value:.2g})")
        verdicts.append(apart.verdict)
    return Found(", ".join(texts), together(verdicts))


def _early_on_spambase(results: Results) -> Found | None:
    apart = {
        (method, other): reading.difference(results, "SPAMBASE_N", "RF", method, other, [1, 2])
        for method in ("NEFS", "SNEFS")
        for other in OTHERS
    }
    known = {pair: d for pair, d in apart.items() if d is not None}
    if len(known) < len(apart):
        return None
    least = min(known, key=lambda pair: known[pair].mean)
    text = f"least lead: {least[0]} over {least[1]} {known[least]}"
    return Found(text, together(d.verdict for d in known.values()))


def _few_rows(results: Results, missing: str) -> list[Claim]:
    better = judge(
        "Fig. 4c",
        "On random subsets of SPAMBASE_N with N = D NEFS and SNEFS are still generally better (RF).",
        "-",
        _better_with_few_rows(results),
        "Rule: with 10 columns both have a higher mean than each of the paper's five others.",
        missing,
        because.FEW_ROWS,
    )
    lower = judge(
        "Fig. 4c",
        "With so few rows the accuracy of all methods is lower than with all rows, and its error higher.",
        "slightly lower",
        _lower_with_few_rows(results),
        "Rule: with 10 columns all seven means are lower, and the standard deviation is larger on average.",
        missing,
        because.LOWER_WITH_FEW_ROWS,
    )
    also = judge(
        "beyond the paper",
        "On random subsets with N = D NEFS and SNEFS are also better than X-MIFS and mRMR on quantiles (RF).",
        "not run",
        _better_with_few_rows(results, OUR_VARIANTS),
        "Rule: with 10 columns both have a higher mean than each of the two.",
        missing,
        because.FEW_ROWS,
    )
    return [better, also, lower]


def _better_with_few_rows(results: Results, others: Sequence[str] = OTHERS) -> Found | None:
    values = {m: reading.small_accuracies(results, m, 10) for m in ("NEFS", "SNEFS", *others)}
    if not all(values.values()):
        return None
    means = {method: float(np.mean(v)) for method, v in values.items()}
    best_other = max(others, key=lambda method: means[method])
    text = ", ".join(f"{m} {mean_and_error(values[m])}" for m in ("NEFS", "SNEFS", best_other))
    return Found(text, min(means["NEFS"], means["SNEFS"]) > means[best_other])


def _lower_with_few_rows(results: Results) -> Found | None:
    few = {m: reading.small_accuracies(results, m, 10) for m in PAPER_METHODS}
    full = {m: reading.accuracies(results, "SPAMBASE_N", "RF", m, 10) for m in PAPER_METHODS}
    if any(len(values) < 2 for values in [*few.values(), *full.values()]):
        return None
    lower = [m for m in PAPER_METHODS if np.mean(few[m]) < np.mean(full[m])]
    spread = [float(np.mean([np.std(v[m], ddof=1) for m in PAPER_METHODS])) for v in (few, full)]
    drop = [float(np.mean(full[m]) - np.mean(few[m])) for m in PAPER_METHODS]
    text = f"lower with {len(lower)} of 7, by {min(drop):.3f} to {max(drop):.3f}"
    deviations = f"mean standard deviation {spread[0]:.3f}, with all rows {spread[1]:.3f}"
    return Found(f"{text}; {deviations}", len(lower) == len(PAPER_METHODS) and spread[0] > spread[1])
