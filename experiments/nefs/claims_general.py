"""Claims over all data sets, and on time."""

import numpy as np

from experiments.nefs import explanations as because
from experiments.nefs import reading
from experiments.nefs.design import CURVES_OF, HASHED, N_FOLDS, PAPER_METHODS
from experiments.nefs.judging import OTHERS, Found, judge
from experiments.protocol import Claim, Results

# Where the paper shows one classifier in a figure it is used, otherwise the first of the data set.
FIGURE_CLASSIFIER = {
    "SPAMBASE_N": "RF",
    "HYPERSPHERES": "SVM",
    "SEGMENT_N": "SVM",
    "GAS": "MLP",
    "USPS": "RF",
    "ARRHYTHMIA": "RF",
    "ABALONE": "SVM",
}


def in_general(results: Results) -> list[Claim]:
    """Friedman's tests, and who leads on most data sets."""
    missing = "Too few cells have been run."
    return [
        judge(
            "Section V",
            "Where nothing else is said the differences between methods are significant (Friedman, 0.01).",
            "p < 0.01",
            _friedman_everywhere(results),
            "Rule: p < 0.01 with the most columns on SPAMBASE_N, SEGMENT_N, HYPERSPHERES, GAS and USPS, "
            "with the classifier of the figure.",
            missing,
            because.FRIEDMAN,
        ),
        judge(
            "Abstract",
            "SNEFS usually leads to superior accuracy.",
            "-",
            _mean_rank(results),
            "Rule: the lowest mean rank of the seven methods over the data sets but CORRAL and SMK, with the "
            "most columns, classifier of the figure.",
            missing,
            because.MEAN_RANK,
        ),
        judge(
            "Section IV",
            "SNEFS usually gives better accuracy than NEFS.",
            "-",
            _snefs_against_nefs(results),
            "Rule: a higher mean accuracy over all sizes on more than half of the data sets.",
            missing,
            because.SNEFS_AGAINST_NEFS,
        ),
    ]


def _friedman_everywhere(results: Results) -> Found | None:
    names = ("SPAMBASE_N", "SEGMENT_N", "HYPERSPHERES", "GAS", "USPS")
    p = {
        name: reading.friedman(
            results, name, FIGURE_CLASSIFIER[name], PAPER_METHODS, CURVES_OF[name].sizes[-1]
        )
        for name in names
    }
    known = {name: value for name, value in p.items() if value is not None}
    if len(known) < len(names):
        return None
    text = ", ".join(f"{name} {value:.1g}" for name, value in known.items())
    n_folds = min(len(results.where(part="curves", data=name)) for name in names)
    holds = max(known.values()) < reading.FRIEDMAN_LEVEL
    return Found(text, None if not holds and n_folds < N_FOLDS else holds)


def _mean_rank(results: Results) -> Found | None:
    ranks = []
    for name, classifier in FIGURE_CLASSIFIER.items():
        means = reading.mean_accuracies(results, name, classifier, PAPER_METHODS, CURVES_OF[name].sizes[-1])
        if len(means) == len(PAPER_METHODS):
            ranks.append([sum(other > means[m] for other in means.values()) + 1 for m in PAPER_METHODS])
    if len(ranks) < 3:
        return None
    mean = dict(zip(PAPER_METHODS, np.mean(ranks, axis=0), strict=True))
    text = ", ".join(f"{m} {mean[m]:.1f}" for m in sorted(mean, key=lambda m: mean[m]))
    return Found(f"{text} ({len(ranks)} data sets)", min(mean, key=lambda m: mean[m]) == "SNEFS")


def _snefs_against_nefs(results: Results) -> Found | None:
    apart = {}
    for name, classifier in FIGURE_CLASSIFIER.items():
        found = reading.difference(results, name, classifier, "SNEFS", "NEFS", CURVES_OF[name].sizes)
        if found is not None:
            apart[name] = found.mean
    if len(apart) < 3:
        return None
    n_better = sum(value > 0 for value in apart.values())
    text = ", ".join(f"{name} {value:+.3f}" for name, value in apart.items())
    return Found(f"better on {n_better} of {len(apart)}: {text}", n_better > len(apart) / 2)


# --- time ---


def on_time(results: Results) -> list[Claim]:
    """Table IV, refitted."""
    missing = "Too few tables were timed."
    models = {m: reading.time_model(results, m) for m in (*PAPER_METHODS, HASHED)}
    slopes = {m: model.coefficient for m, model in models.items() if model is not None}
    complete = len(slopes) == len(models)
    text = ", ".join(f"{m} {slopes[m]:.2g}" for m in sorted(slopes, key=lambda m: slopes[m]))
    shown = f"coefficients: {text}"
    published = {m: slopes.get(m, 0.0) for m in PAPER_METHODS}
    rule = "Rule: by the coefficient of rows · columns of the refitted lines."
    return [
        judge(
            "Table IV",
            "X-MIFS is the fastest.",
            "4.8e-07",
            Found(shown, min(published, key=lambda m: published[m]) == "X-MIFS") if complete else None,
            rule,
            missing,
            because.FASTEST,
        ),
        judge(
            "Table IV",
            "NEFS is the slowest.",
            "2.61e-04",
            Found(
                f"exact {slopes['NEFS']:.2g}, hashed {slopes[HASHED]:.2g}; SNEFS {slopes['SNEFS']:.2g}",
                max(published, key=lambda m: published[m]) == "NEFS",
            )
            if complete
            else None,
            rule,
            missing,
        ),
        judge(
            "Table IV",
            "SNEFS is slower than X-MIFS, RELIEFF, RRPC and mRMR, and significantly faster than NEFS.",
            "26 times faster than NEFS",
            Found(
                f"{slopes['NEFS'] / slopes['SNEFS']:.1f} times faster than NEFS (exact), "
                f"{slopes[HASHED] / slopes['SNEFS']:.0f} times than the hashed one",
                2 * slopes["SNEFS"] < slopes["NEFS"] and slopes["SNEFS"] > max(slopes[m] for m in OTHERS),
            )
            if complete
            else None,
            f"{rule} At least twice as fast as NEFS.",
            missing,
            because.SNEFS_TIME,
        ),
    ]
