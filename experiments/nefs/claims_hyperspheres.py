"""Claims on HYPERSPHERES."""

from collections.abc import Sequence

import numpy as np

from experiments.nefs import explanations as because
from experiments.nefs import reading
from experiments.nefs.design import PAPER_METHODS
from experiments.nefs.judging import OTHERS, Found, judge, together
from experiments.protocol import Claim, Results


def on_hyperspheres(results: Results) -> list[Claim]:
    """Which columns are found, and what they are good for."""
    missing = reading.why_missing(results, "HYPERSPHERES")
    in_most = [
        judge(
            "Section V",
            f"{method} selects 5 or 6 of the 7 relevant columns of HYPERSPHERES in most cases.",
            "5 or 6",
            _number_found(results, [method], 5, 7),
            "Rule: at least 5 in more than half of the tables.",
            missing,
        )
        for method in ("SNEFS", "NEFS")
    ]
    none_all = judge(
        "Section V",
        "None of the algorithms selects all 7 relevant columns.",
        "at most 6",
        _number_found(results, PAPER_METHODS, 0, 6, in_all=True),
        "Rule: no method of the seven finds 7 in any table.",
        missing,
        because.SEVEN_OF_SEVEN,
    )
    few = judge(
        "Section V",
        "RELIEFF and RRPC do not go further than 1 or 2 relevant columns.",
        "1 or 2",
        _number_found(results, ("RELIEFF", "RRPC_S", "RRPC_SS"), 0, 2),
        "Rule: each of them finds at most 2 in more than half of the tables.",
        missing,
        because.FEW_ON_HYPERSPHERES,
    )
    return [*in_most, none_all, few, *_order_on_hyperspheres(results, missing)]


def _number_found(
    results: Results, methods: Sequence[str], least: int, most: int, *, in_all: bool = False
) -> Found | None:
    found = {method: reading.relevant_found(results, method) for method in methods}
    if not all(found.values()):
        return None
    shares = [float(np.mean([least <= n <= most for n in numbers])) for numbers in found.values()]
    text = ", ".join(f"{m} {np.mean(v):.1f} ({min(v)} to {max(v)})" for m, v in found.items())
    return Found(f"mean (range): {text}", min(shares) == 1 if in_all else min(shares) > 0.5)


def _order_on_hyperspheres(results: Results, missing: str) -> list[Claim]:
    return [
        judge(
            "Fig. 5b",
            "With 7 columns SVM is significantly more accurate after SNEFS and NEFS than after all others.",
            "-",
            _lead_on_hyperspheres(results),
            "Rule: both ahead of each of the five others, paired t-test over the tables at 0.05.",
            missing,
        ),
        judge(
            "beyond the paper",
            "With 7 columns SVM is also more accurate after NEFS and SNEFS than after mRMR on ten quantiles.",
            "not run",
            _lead_on_hyperspheres(results, ("mRMR, quantiles",)),
            "Rule: both ahead, paired t-test over the tables at 0.05.",
            missing,
            because.QUANTILES_ON_HYPERSPHERES,
        ),
        judge(
            "Section V",
            "The third column selected by X-MIFS and mRMR is most of the times the 53rd.",
            "third pick X53",
            _place_of_53(results),
            "Rule: X53 is the third pick in more than half of the tables, for both.",
            missing,
            because.PLACE_OF_53,
        ),
        judge(
            "Fig. 5b",
            "With the first 3 columns X-MIFS and mRMR are slightly better than the others.",
            "-",
            _first_three(results),
            "Rule: the mean accuracy (SVM) of both with 3 columns is above that of each of the five others.",
            missing,
            because.FIRST_THREE,
        ),
        judge(
            "Fig. 5b",
            "With more columns X-MIFS and mRMR lead to an accuracy up to 12.3 % less than NEFS.",
            "12.3 %",
            _loss_on_hyperspheres(results),
            "Rule: behind NEFS at 7 columns, paired t-test at 0.05. The number: the largest loss at 4 to 7.",
            missing,
        ),
    ]


def _lead_on_hyperspheres(results: Results, others: Sequence[str] = OTHERS) -> Found | None:
    apart = [
        reading.difference(results, "HYPERSPHERES", "SVM", method, other, [7])
        for method in ("SNEFS", "NEFS")
        for other in others
    ]
    known = [difference for difference in apart if difference is not None]
    if len(known) < len(apart):
        return None
    least = min(known, key=lambda difference: difference.mean)
    return Found(f"least lead {least}", together(difference.verdict for difference in known))


def _place_of_53(results: Results) -> Found | None:
    places = {m: [o.index(52) + 1 if 52 in o else 0 for o in reading.orders(results, "HYPERSPHERES", m)]
              for m in ("X-MIFS", "mRMR")}  # fmt: skip
    if not all(places.values()):
        return None
    text = ", ".join(
        f"{m}: first {v.count(1)}, second {v.count(2)}, third {v.count(3)} of {len(v)} times"
        for m, v in places.items()
    )
    return Found(text, all(v.count(3) > len(v) / 2 for v in places.values()))


def _first_three(results: Results) -> Found | None:
    means = reading.mean_accuracies(results, "HYPERSPHERES", "SVM", PAPER_METHODS, 3)
    if len(means) < len(PAPER_METHODS):
        return None
    ranked = sorted(means, key=lambda m: -means[m])
    text = ", ".join(f"{m} {means[m]:.3f}" for m in ranked)
    return Found(text, set(ranked[:2]) == {"X-MIFS", "mRMR"})


def _loss_on_hyperspheres(results: Results) -> Found | None:
    texts, verdicts = [], []
    for method in ("X-MIFS", "mRMR"):
        apart = reading.difference(results, "HYPERSPHERES", "SVM", "NEFS", method, [7])
        if apart is None:
            return None
        means = [
            reading.mean_accuracies(results, "HYPERSPHERES", "SVM", ("NEFS", method), s) for s in range(4, 8)
        ]
        loss = max(100 * (1 - mean[method] / mean["NEFS"]) for mean in means)
        texts.append(f"{method} {loss:.1f} % (at 7 columns p = {apart.p_value:.2g})")
        verdicts.append(apart.verdict)
    return Found(", ".join(texts), together(verdicts))
