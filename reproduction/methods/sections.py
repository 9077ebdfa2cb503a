"""Tables and figures of the benchmark."""

import functools

import numpy as np

from reproduction.methods.evidence import (
    COMPARED,
    EVERYWHERE,
    Evidence,
    choose_default,
    mean_of,
)
from reproduction.methods.figures import draw_critical_differences, draw_rank_against_stability
from reproduction.methods.protocol import (
    CLASSIFIERS,
    DEFAULT,
    HALF_OF,
    KIND_OF,
    KINDS,
    LIMIT_OF,
    LIMITS,
    RANDOM,
    SIZES,
    TEXTS,
    VARIANTS,
)
from reproduction.methods.statistics import difference
from reproduction.texts import markdown_table

TIMED = ("wdbc", "segment", "spambase", "usps", "madelon", "colon", "basehock", "lung_gordon", "dexter")
N_NAMED = 3  # methods named for each kind of data
NOT_ALL = "Mean ranks of all of them; - where a method was not run on all data sets of the kind."


def sections(results):
    """What the page shows; parts for which results are missing are left out."""
    evidence = Evidence(results)
    makers = (_all, _few, _by_kind, _default, _by_classifier, _times, _own_rules, _levels, _data_sets)
    found = [make(evidence) for make in makers] if len(evidence.datasets) > 1 else []
    return [section for section in found if section is not None]


def _all(evidence):
    ranking = evidence.ranking(EVERYWHERE, evidence.datasets)
    figures = [_critical_difference(ranking, "all")]
    stability = {name: evidence.mean_stability(name) for name in ranking.names}
    if np.isfinite(list(stability.values())).all():
        words = {"evidence": evidence, "ranking": ranking, "stability": stability}
        figures.append(
            TEXTS.figure("rank_stability_time", functools.partial(draw_rank_against_stability, **words))
        )
    rows = _method_rows(evidence, ranking, evidence.datasets)
    return TEXTS.section("all", rows, figures, ranking=ranking, n=len(EVERYWHERE))


def _few(evidence):
    datasets = evidence.with_all_methods()
    if len(datasets) < 2:
        return None
    ranking = evidence.ranking(COMPARED, datasets)
    rows, figures = _method_rows(evidence, ranking, datasets), [_critical_difference(ranking, "few")]
    words = {"n": len(COMPARED), "datasets": datasets}
    return TEXTS.section("few", rows, figures, ranking=ranking, **words)


def _method_rows(evidence, ranking, datasets):
    rows = []
    for name in (*ranking.names, RANDOM):
        by_size = [_shown(mean_of(evidence.accuracies(name, datasets, size=size))) for size in SIZES]
        seconds = f"{np.median([evidence.seconds(dataset, name) for dataset in datasets]):.2g}"
        rank = f"{ranking.rank_of(name):.2f}" if name != RANDOM else "-"
        stability = _shown(evidence.mean_stability(name, datasets), 2)
        rows.append([name, rank, *by_size, stability, seconds if name != RANDOM else "-"])
    return rows


def _critical_difference(ranking, which):
    draw = functools.partial(draw_critical_differences, ranking=ranking)
    size = (8.0, 1.6 + 0.19 * len(ranking.names))
    return TEXTS.figure(
        "critical_difference", draw, f"critical_difference_{which}", size=size, ranking=ranking
    )


def _by_classifier(evidence):
    rankings = [evidence.ranking(EVERYWHERE, evidence.datasets, classifier=name) for name in CLASSIFIERS]
    overall = evidence.ranking(EVERYWHERE, evidence.datasets)
    rows = [[name, *(f"{ranking.rank_of(name):.2f}" for ranking in rankings)] for name in overall.names]
    return TEXTS.section("by_classifier", rows)


def _by_kind(evidence):
    present = {kind: datasets for kind in KINDS if len(datasets := evidence.of_kind(kind)) > 1}
    rankings, rows = [], []
    for kind, datasets in present.items():
        run = [name for name in COMPARED if all(evidence.trials(dataset, name) for dataset in datasets)]
        ranking = evidence.ranking(run, datasets)
        best = [f"{name} ({ranking.rank_of(name):.1f})" for name in ranking.names[:N_NAMED]]
        loss = evidence.gain(ranking.names[0], DEFAULT, datasets)
        first = _shown(evidence.accuracies(ranking.names[0], datasets).mean())
        rows.append([kind, len(datasets), ", ".join(best), first, loss.short.removeprefix("+")])
        rankings.append(ranking)
    ranks = [
        [name, *(f"{r.rank_of(name):.1f}" if name in r.names else "-" for r in rankings)] for name in COMPARED
    ]
    after = f"{NOT_ALL}\n\n{markdown_table(['method', *present], ranks)}"
    return TEXTS.section("by_kind", rows, after=after) if rows else None


def _default(evidence):
    choice = choose_default(evidence)
    if choice is None:
        return None
    halves = choice.choosing, choice.confirming
    rows = [[name, *(f"{half.rank_of(name):.2f}" for half in halves)] for name in halves[0].names]
    sizes = [half.n_datasets for half in halves]
    header = ["method", f"mean rank, choosing half ({sizes[0]})", f"confirming half ({sizes[1]})"]
    gain = choice.gain if choice.candidate != DEFAULT else "none, they are the same"
    return TEXTS.section("default", rows, header=header, choice=choice, gain=gain)


def _times(evidence):
    shapes = {name: evidence.shapes[name] for name in TIMED if name in evidence.datasets}
    rows = [[name, *(_time(evidence.seconds(dataset, name)) for dataset in shapes)] for name in COMPARED]
    header = ["method", *(f"{name} {shape.rows} × {shape.columns}" for name, shape in shapes.items())]
    limits = [f"{name} above {limit} ({LIMITS[name]['reason']})" for name, limit in LIMIT_OF.items()]
    return TEXTS.section("times", rows, header=header, limits="; ".join(limits)) if shapes else None


def _own_rules(evidence):
    datasets, rows = evidence.with_more_than_ten(), []
    for name in COMPARED:
        own = np.array([evidence.own_rule(dataset, name) for dataset in datasets]).reshape(-1, 2)
        n = np.count_nonzero(np.isfinite(own[:, 0]))
        if n:
            against_ten = difference(own[:, 1], evidence.accuracies(name, datasets, size=10))
            sizes = [f"{of(own[:, 0]):.0f}" for of in (np.nanmedian, np.nanmax)]
            rows.append([name, n, *sizes, against_ten.short])
    return TEXTS.section("own_rules", rows)


def _levels(evidence):
    rows = []
    for variant in VARIANTS:
        for kind in (*KINDS, "all"):
            datasets = [name for name in evidence.with_method(variant) if kind in (KIND_OF[name], "all")]
            if len(datasets) > 1:
                gain = evidence.gain(variant, DEFAULT, datasets)
                rows.append([variant, kind, len(datasets), gain.short, f"{gain.wins} : {gain.losses}"])
    return TEXTS.section("levels", rows) if rows else None


def _data_sets(evidence):
    rows = []
    for name in evidence.datasets:
        shape, n_splits = evidence.shapes[name], len(evidence.trials(name, RANDOM))
        sizes = f"{shape.rows} + {shape.tests}", shape.columns, shape.classes, n_splits
        scores = (
            mean_of(evidence.guesses[name]),
            evidence.accuracy(name, DEFAULT),
            evidence.with_all_columns(name),
        )
        rows.append([name, KIND_OF[name], HALF_OF[name], *sizes, *map(_shown, scores)])
    return TEXTS.section("data_sets", rows)


def _shown(value, digits=3) -> str:
    return f"{value:.{digits}f}" if np.isfinite(value) else "-"


def _time(seconds) -> str:
    return "-" if np.isnan(seconds) else f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"
