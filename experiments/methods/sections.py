"""Tables and figures of the benchmark."""

import functools
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from experiments.methods.claims import mean_stability
from experiments.methods.default import choose_default
from experiments.methods.evidence import COMPARED, EVERYWHERE, MOST_COLUMNS_OF_ALL, Evidence
from experiments.methods.figures import draw_critical_differences, draw_rank_against_stability
from experiments.methods.protocol import (
    ALL_COLUMNS,
    CLASSIFIERS,
    DEFAULT,
    HALF_OF,
    KIND_OF,
    KINDS,
    LIMITS,
    RANDOM,
    SIZES,
    VARIANTS,
)
from experiments.methods.statistics import Ranking, difference
from experiments.protocol import Figure, Results, Section, markdown_table

TIMED = ("wdbc", "segment", "spambase", "usps", "madelon", "colon", "basehock", "lung_gordon", "dexter")
N_NAMED = 3  # methods named for each kind of data
Maker = Callable[[Evidence], Section | None]


def sections(results: Results) -> Sequence[Section]:
    """What the page shows; parts for which results are missing are left out."""
    evidence = Evidence(results)
    if len(evidence.datasets) < 2:
        return []
    return [section for make in MAKERS if (section := make(evidence)) is not None]


# -- who is best -------------------------------------------------------------------------------------


def _all_data_sets(evidence: Evidence) -> Section | None:
    ranking = evidence.ranking(EVERYWHERE, evidence.datasets)
    assert ranking is not None
    text = (
        f"The {len(EVERYWHERE)} methods that were run on every table, ranked on {ranking.n_datasets} data "
        "sets by their accuracy, which is the mean over splits, classifiers and numbers of columns. Mean "
        f"ranks further apart than {ranking.critical_difference:.2f} differ significantly (Nemenyi, 0.05). "
        f"Accuracies are means over the data sets with more columns than that. {RANDOM} draws columns at "
        "random; it is not ranked.\n\n"
    )
    text += _method_table(evidence, ranking, evidence.datasets)
    return Section("All data sets", text, _figures(evidence, ranking, "all"))


def _small_data_sets(evidence: Evidence) -> Section | None:
    datasets = evidence.with_all_methods()
    ranking = evidence.ranking(COMPARED, datasets)
    if ranking is None:
        return None
    text = (
        f"All {len(COMPARED)} methods, on the {len(datasets)} data sets with at most {MOST_COLUMNS_OF_ALL} "
        f"columns: {', '.join(datasets)}. Critical difference {ranking.critical_difference:.2f}.\n\n"
    )
    text += _method_table(evidence, ranking, datasets)
    return Section("Data sets of few columns, all methods", text, _figures(evidence, ranking, "few"))


def _method_table(evidence: Evidence, ranking: Ranking, datasets: Sequence[str]) -> str:
    header = ["method", "mean rank", *(f"accuracy, {size} columns" for size in SIZES), "stability", "seconds"]
    rows = []
    for name in (*ranking.names, RANDOM):
        by_size = [_mean(evidence.accuracies(name, datasets, size=size)) for size in SIZES]
        seconds = np.median([evidence.seconds(dataset, name) for dataset in datasets])
        rank = f"{ranking.rank_of(name):.2f}" if name in ranking.names else "-"
        rows.append(
            [
                name,
                rank,
                *(_shown(accuracy) for accuracy in by_size),
                _shown(_mean(evidence.stability(dataset, name) for dataset in datasets), 2),
                f"{seconds:.2g}" if name != RANDOM else "-",
            ]
        )
    return markdown_table(header, rows)


def _figures(evidence: Evidence, ranking: Ranking, which: str) -> list[Figure]:
    drawn = [
        Figure(
            f"critical_difference_{which}",
            f"Mean ranks over {ranking.n_datasets} data sets; a bar joins methods that do not differ "
            "significantly (Nemenyi, 0.05). Methods that do not look at y are orange.",
            functools.partial(draw_critical_differences, ranking=ranking),
            (8.0, 1.6 + 0.19 * len(ranking.names)),
        )
    ]
    stability = {name: mean_stability(evidence, name) for name in ranking.names}
    if which == "all" and np.isfinite(list(stability.values())).all():
        drawn.append(
            Figure(
                "rank_stability_time",
                "Mean rank against stability (left) and time (right): the best are at the top, on the right "
                "of the first picture and on the left of the second.",
                functools.partial(
                    draw_rank_against_stability, evidence=evidence, ranking=ranking, stability=stability
                ),
                (8.0, 4.2),
            )
        )
    return drawn


def _by_classifier(evidence: Evidence) -> Section | None:
    rankings = {
        name: evidence.ranking(EVERYWHERE, evidence.datasets, classifier=name) for name in CLASSIFIERS
    }
    overall = evidence.ranking(EVERYWHERE, evidence.datasets)
    assert overall is not None
    rows = [
        [name, *(f"{ranking.rank_of(name):.2f}" for ranking in rankings.values() if ranking is not None)]
        for name in overall.names
    ]
    text = "Mean ranks with each classifier alone, in the order of all together.\n\n"
    return Section("By classifier", text + markdown_table(["method", *rankings], rows))


# -- which one when ----------------------------------------------------------------------------------


def _by_kind(evidence: Evidence) -> Section | None:
    present = [kind for kind in KINDS if len(evidence.of_kind(kind)) > 1]
    if not present:
        return None
    text = (
        "Methods that were run on all data sets of a kind, by mean rank there; the loss of "
        f"{DEFAULT} is the mean accuracy of the first one less its own.\n\n"
        + markdown_table(
            ["kind of data", "data sets", "best by mean rank", "accuracy of the first", f"loss of {DEFAULT}"],
            [_kind_row(evidence, kind) for kind in present],
        )
        + "\n\nMean ranks of all of them; - where a method was not run on all data sets of the kind.\n\n"
        + _kind_table(evidence, present)
    )
    return Section("Which method when", text)


def _kind_row(evidence: Evidence, kind: str) -> list[str]:
    datasets = evidence.of_kind(kind)
    ranking = _kind_ranking(evidence, kind)
    best = ", ".join(f"{name} ({ranking.rank_of(name):.1f})" for name in ranking.names[:N_NAMED])
    first = evidence.accuracies(ranking.names[0], datasets)
    loss = difference(first, evidence.accuracies(DEFAULT, datasets))
    return [kind, str(len(datasets)), best, _shown(first.mean()), f"{loss.mean:.3f} ± {loss.error:.3f}"]


def _kind_ranking(evidence: Evidence, kind: str) -> Ranking:
    datasets = evidence.of_kind(kind)
    run = [name for name in COMPARED if all(evidence.trials(dataset, name) for dataset in datasets)]
    ranking = evidence.ranking(run, datasets)
    assert ranking is not None
    return ranking


def _kind_table(evidence: Evidence, kinds: Sequence[str]) -> str:
    rankings = [_kind_ranking(evidence, kind) for kind in kinds]
    rows = [
        [name, *(f"{r.rank_of(name):.1f}" if name in r.names else "-" for r in rankings)] for name in COMPARED
    ]
    return markdown_table(["method", *kinds], rows)


def _default(evidence: Evidence) -> Section | None:
    choice = choose_default(evidence)
    if choice is None:
        return None
    rows = [
        [name, f"{choice.choosing.rank_of(name):.2f}", f"{choice.confirming.rank_of(name):.2f}"]
        for name in choice.choosing.names
    ]
    text = (
        "Data sets were parted into two halves beforehand. On the choosing half the candidate is the method "
        f"with the best mean rank, {choice.candidate}. The present default, {DEFAULT}, gives way only if the "
        "candidate is significantly better on the confirming half. Its gain there: "
        f"{choice.gain if choice.candidate != DEFAULT else 'none, they are the same'}. "
        f"So the default is {choice.default}.\n\n"
    )
    header = [
        "method",
        f"mean rank, choosing half ({choice.choosing.n_datasets})",
        f"confirming half ({choice.confirming.n_datasets})",
    ]
    return Section("The default of `entropick select`", text + markdown_table(header, rows))


# -- time, own rules, data ---------------------------------------------------------------------------


def _times(evidence: Evidence) -> Section | None:
    datasets = [name for name in TIMED if name in evidence.datasets]
    if not datasets:
        return None
    shapes = [evidence.shapes[name] for name in datasets]
    header = [
        "method",
        *(f"{name} {shape.rows} × {shape.columns}" for name, shape in zip(datasets, shapes, strict=True)),
    ]
    rows = [[name, *(_time(evidence.seconds(dataset, name)) for dataset in datasets)] for name in COMPARED]
    limits = "; ".join(
        f"{name} above {limit.columns} columns ({limit.reason})" for name, limit in LIMITS.items()
    )
    text = (
        "Processor seconds of one fit on the training rows with one thread (the shortest of the splits), for "
        f"up to 50 columns (searches over subsets: until they end). Not run, for their cost: {limits}.\n\n"
    )
    return Section("Time", text + markdown_table(header, rows))


def _own_rules(evidence: Evidence) -> Section | None:
    datasets = [name for name in evidence.datasets if evidence.shapes[name].columns > 10]
    rows = []
    for name in COMPARED:
        own = np.array([evidence.own_rule(dataset, name) for dataset in datasets]).reshape(-1, 2)
        if np.isfinite(own[:, 0]).any():
            against_ten = difference(own[:, 1], evidence.accuracies(name, datasets, size=10))
            rows.append(
                [
                    name,
                    str(np.count_nonzero(np.isfinite(own[:, 0]))),
                    f"{np.nanmedian(own[:, 0]):.0f}",
                    f"{np.nanmax(own[:, 0]):.0f}",
                    f"{against_ten.mean:+.3f} ± {against_ten.error:.3f}",
                ]
            )
    header = [
        "method",
        "data sets",
        "columns, median",
        "columns, most",
        "accuracy less that of its first ten",
    ]
    text = 'What `n_features="auto"` keeps, on data sets with more than ten columns.\n\n'
    return Section("The methods' own rules", text + markdown_table(header, rows))


def _levels(evidence: Evidence) -> Section | None:
    rows = []
    for variant in VARIANTS:
        for kind in (*KINDS, "all"):
            datasets = [name for name in evidence.with_method(variant) if kind in (KIND_OF[name], "all")]
            if len(datasets) > 1:
                gain = difference(
                    evidence.accuracies(variant, datasets), evidence.accuracies(DEFAULT, datasets)
                )
                rows.append([variant, kind, str(len(datasets)), f"{gain.mean:+.3f} ± {gain.error:.3f}"])
                rows[-1].append(f"{gain.wins} : {gain.losses}")
    if not rows:
        return None
    text = (
        f"{DEFAULT} with fewer levels per numeric column than the usual 10, and with the Miller–Madow "
        "correction: gain in accuracy over the default.\n\n"
    )
    header = ["variant", "kind of data", "data sets", "gain", "better : worse"]
    return Section("Levels of numeric columns", text + markdown_table(header, rows))


def _data_sets(evidence: Evidence) -> Section | None:
    rows = []
    for name in evidence.datasets:
        shape = evidence.shapes[name]
        rows.append(
            [
                name,
                KIND_OF[name],
                HALF_OF[name],
                f"{shape.rows} + {shape.tests}",
                str(shape.columns),
                str(shape.classes),
                str(len(evidence.trials(name, RANDOM))),
                _shown(_mean(evidence.guesses[name])),
                _shown(evidence.accuracy(name, DEFAULT)),
                _shown(evidence.with_all_columns(name)),
            ]
        )
    header = ["data set", "kind", "half", "training + test rows", "columns", "classes", "splits", "guessing"]
    header += [DEFAULT, ALL_COLUMNS]
    text = "Accuracies: the largest class, the mean over all sizes with the default, all columns.\n\n"
    return Section("The data sets", text + markdown_table(header, rows))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if np.isfinite(value)]
    return float(np.mean(known)) if known else float("nan")


def _shown(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}" if np.isfinite(value) else "-"


def _time(seconds: float) -> str:
    return "-" if np.isnan(seconds) else f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"


MAKERS: tuple[Maker, ...] = (
    _all_data_sets,
    _small_data_sets,
    _by_kind,
    _default,
    _by_classifier,
    _times,
    _own_rules,
    _levels,
    _data_sets,
)
