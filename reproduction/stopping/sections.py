"""Tables and a figure on how many columns rules keep, and what that costs."""

import functools

import numpy as np

from reproduction.stopping.findings import (
    AUTO,
    OWN,
    TEN,
    best_elsewhere,
    best_of_path,
    costs,
    is_affordable,
    kept,
    lead_over,
    lead_with_as_many,
    loss,
    losses,
    mean_loss,
    noise_tables,
    paths,
    rival_results,
    with_errors,
)
from reproduction.stopping.protocol import (
    ALL,
    CHOOSE,
    CONFIRM,
    DATASETS,
    DEFAULT_ERRORS,
    HALF_OF,
    METHODS,
    N_ERRORS,
    RIVALS,
    TEXTS,
)

RULES = {AUTO: '`n_features="auto"`', TEN: "ten columns", OWN: "the method's own rule"}
# told apart by colour-blind eyes too
MARKS = {AUTO: ("o", "#0072B2"), TEN: ("s", "#D55E00"), OWN: ("^", "#999999")}


def sections(results):
    """What the page shows; parts for which results are missing are left out."""
    if len(losses(results)) < 2:
        return []
    tables = (_rules, _errors, _methods, _data_sets, _rivals, _noise)
    return [table(results) for table in tables]


def _rules(results):
    """Each rule on both halves."""
    rows = []
    for rule, name in RULES.items():
        for half in (CHOOSE, CONFIRM):
            found = losses(results, half, rule)
            sizes = [float(np.mean(kept(results, dataset, rule))) for dataset in found]
            if found:
                far = sum(value > 0.03 for value in found.values())
                elsewhere = list(losses(results, half, rule, best_elsewhere).values())
                rows.append(
                    [name, half, len(found), *_lost(list(found.values())), far, f"{np.mean(elsewhere):.4f}",
                     *_numbers(sizes)]
                )  # fmt: skip
    return TEXTS.section("rules", rows, [TEXTS.figure("losses", functools.partial(_draw, results=results))])


def _draw(page, results) -> None:
    """The loss of each rule by data set, the smallest of the library's rule first."""
    axes = page.subplots()
    by_default = losses(results)
    names = sorted(by_default, key=lambda name: by_default[name])
    for rule, (marker, color) in MARKS.items():
        found = losses(results, rule=rule)
        label = RULES[rule].replace("`", "")
        points = zip(
            *[(found[name], place) for place, name in enumerate(names) if name in found], strict=True
        )
        axes.plot(*points, marker, color=color, markersize=4, label=label)
    axes.axvline(0, color="#222222", linewidth=0.7)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set_xlabel("loss in score")
    axes.legend(frameon=False, loc="lower right")
    axes.grid(alpha=0.3)


def _errors(results):
    """The rule with other standard errors."""
    rows = []
    for n_errors in sorted((*N_ERRORS, DEFAULT_ERRORS)):
        for half in (CHOOSE, CONFIRM):
            found = with_errors(results, half, None if n_errors == DEFAULT_ERRORS else n_errors)
            if found:
                lost, sizes = zip(*found, strict=True)
                rows.append([f"{n_errors:g}", half, *_lost(lost), *_numbers(sizes)])
    return TEXTS.section("errors", rows)


def _numbers(sizes):
    return f"{np.mean(sizes):.1f}", f"{np.median(sizes):.1f}"


def _lost(values):
    return f"{np.mean(values):.4f}", f"{np.quantile(values, 0.9):.3f}"


def _methods(results):
    """The rule by method."""
    rows = []
    for method in METHODS:
        found = [loss(results, dataset, method, AUTO) for dataset in DATASETS]
        values = [value for value in found if value is not None]
        sizes = [
            np.mean(kept(results, dataset, AUTO, [method]))
            for dataset in DATASETS
            if paths(results, dataset, method)
        ]
        times = [(a, b) for name, a, b in costs(results) if name == method]
        within = np.mean([is_affordable(*pair) for pair in times])
        seconds = [f"{np.median(side):.3f}" for side in zip(*times, strict=True)]
        rows.append([method, *_lost(values), f"{np.mean(sizes):.1f}", *seconds, f"{within:.0%}"])
    return TEXTS.section("methods", rows)


def _data_sets(results):
    """The rule by data set, beside its rivals."""
    rows = []
    for dataset in losses(results):
        best = np.mean([best_of_path(paths(results, dataset, method)) for method in METHODS])
        everything = rival_results(results, dataset, ALL)
        cells = [HALF_OF[dataset], f"{best:.3f}"]
        for rule in RULES:
            lost = mean_loss(results, dataset, rule)
            cells.append(
                "-" if lost is None else f"{lost:+.3f} ({np.mean(kept(results, dataset, rule)):.0f})"
            )
        scores = [cell["rivals"][ALL]["scores"] for cell in everything]
        cells.append(f"{best - np.mean(scores):+.3f} ({everything[0]['columns']})")
        rows.append([dataset, *cells])
    return TEXTS.section("data_sets", rows)


def _rivals(results):
    """JMI with the rule against rivals, on the splits that rivals were run on."""
    rows = []
    for rival in (*RIVALS, ALL):
        found = lead_over(results, rival)
        if found:
            leads, ours, theirs = zip(*found.values(), strict=True)
            error = np.std(leads, ddof=1) / np.sqrt(len(leads)) if len(leads) > 1 else 0.0
            seconds = [
                cell["rivals"][rival]["seconds"]
                for name in found
                for cell in rival_results(results, name, rival)
            ]
            ahead = sum(lead > 0 for lead in leads)
            as_many = list(lead_with_as_many(results, rival).values()) if rival != ALL else []
            rows.append(
                [rival, len(leads), f"{np.mean(leads):+.4f} ± {error:.4f}", ahead,
                 f"{np.mean(as_many):+.4f}" if as_many else "-",
                 *(" / ".join(_numbers(side)) for side in (ours, theirs)), f"{np.median(seconds):.2f}"]
            )  # fmt: skip
    return TEXTS.section("rivals", rows)


def _noise(results):
    """How often something was kept of noise, by shape and target."""
    tables, rows = noise_tables(results), []
    for shape, is_class in sorted({(tuple(table["shape"]), table["is_class"]) for table in tables}):
        found = [
            table["kept"]
            for table in tables
            if (tuple(table["shape"]), table["is_class"]) == (shape, is_class)
        ]
        kind = "classes" if is_class else "real values"
        rows.append([f"{shape[0]:,} x {shape[1]:,}, {kind}", len(found), sum(n == 0 for n in found)])
    return TEXTS.section("noise", rows)
