"""Tables and figures of the paper on NEFS, next to ours."""

import functools

import numpy as np

from reproduction.nefs.findings import CORRELATED, FRIEDMAN_LEVEL, most_frequent, share_of_causes
from reproduction.nefs.methods import CLASSIFIERS, SETTINGS, SIGNED, TEXTS
from reproduction.nefs.protocol import (
    AUTHORS,
    CORRAL_NAMES,
    CURVES,
    HASHED,
    IN_ROW_ORDER,
    OUR_VARIANTS,
    PAPER_METHODS,
)
from reproduction.nefs.readings import Reading
from reproduction.texts import markdown_table, mean_and_error

PAPER = TEXTS.read("texts.toml")["published"]
# Colours that can be told apart by everybody (Okabe and Ito), one for each method; variants are dashed.
COLOURS = dict(
    zip(
        PAPER_METHODS,
        ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#999999", "#E69F00"),
        strict=True,
    )
)
COLOURS |= {"X-MIFS, quantiles": "#CC79A7", "mRMR, quantiles": "#E69F00", SIGNED: "#000000"}
BINNING_NAMES = {"quantile": "quantiles", "uniform": "bins of equal width"}
AS_AUTHORS = ", as the authors"
ALL = PAPER_METHODS + OUR_VARIANTS


def sections(results):
    """What there is to show of the cells that were run."""
    reading = Reading(results)
    found = [_corral(reading), _hyperspheres(reading), *(_accuracy(reading, curves) for curves in CURVES)]
    found += [
        part(reading) for part in (_few_rows, _binnings, _selection_on_all_rows, _friedman, _pairs, _times)
    ]
    return [section for section in found if section is not None]


def _corral(reading):
    """Table II."""
    rows = []
    authors = Reading(reading.results, "authors")
    found = {method: reading.corral_runs(method) for method in (*PAPER_METHODS, IN_ROW_ORDER)}
    found |= {method + AS_AUTHORS: authors.corral_runs(method) for method in AUTHORS["methods"]}
    found = {method: runs for method, runs in found.items() if runs}
    if not found:
        return None
    for method, runs in found.items():
        order, count = most_frequent(runs)
        shares = share_of_causes(runs), np.mean([run[0] == CORRELATED for run in runs])
        names = " ".join(CORRAL_NAMES[j] for j in order)
        paper = _paper(method.removesuffix(AS_AUTHORS), "order")
        rows.append([method, paper, names, count, *(f"{share:.2f}" for share in shares)])
    header = [
        "Method",
        "Paper",
        "Most frequent order",
        f"times of {len(runs)}",
        "A0 A1 B0 B1 first",
        "C first",
    ]
    return TEXTS.section("corral", rows, header=header)


def _paper(method, what, otherwise=""):
    return PAPER.get(method, {}).get(what, otherwise)


def _hyperspheres(reading):
    """How many of the relevant columns are found."""
    numbers = {method: found for method in ALL if (found := reading.relevant_found(method))}
    rows = [[m, _paper(m, "found"), *_shown(n)] for m, n in numbers.items()]
    authors = Reading(reading.results, "authors")
    for method in AUTHORS["methods"]:
        if found := authors.relevant_found(method):
            rows.append([method + AS_AUTHORS, _paper(method, "found"), *_shown(found)])
    header = ["Method", "Paper", "Of the 7 relevant columns, mean", "least", "most", "tables"]
    return TEXTS.section("hyperspheres", rows, header=header) if rows else None


def _shown(numbers):
    return mean_and_error(numbers, 1), min(numbers), max(numbers), len(numbers)


def _accuracy(reading, curves):
    """Accuracy against the number of columns on one data set."""
    parts, figures = [], []
    for classifier in curves.classifiers:
        series = {
            method: [
                (size, reading.accuracies(curves.name, method, size, classifier)) for size in curves.sizes
            ]
            for method in curves.methods
        }
        series = {method: found for method, found in series.items() if all(values for _, values in found)}
        if series:
            parts.append(f"{classifier}:\n\n{markdown_table(*_curve_table(series))}")
            words = {"name": curves.name, "classifier": classifier}
            file = f"nefs_{curves.name.lower()}_{classifier.lower()}"
            figures.append(TEXTS.figure("accuracy", functools.partial(_draw, series=series), file, **words))
    n = len(reading.results.where(part="curves", data=curves.name))
    after = "\n\n".join(parts)
    return TEXTS.section("accuracy", None, figures, after=after, name=curves.name, n=n) if parts else None


def _few_rows(reading):
    """Fig. 4c."""
    sizes = SETTINGS["small"]["sizes"]
    series = {method: [(size, reading.small_accuracies(method, size)) for size in sizes] for method in ALL}
    series = {method: found for method, found in series.items() if found[0][1]}
    if not series:
        return None
    figure = TEXTS.figure("nefs_spambase_few_rows", functools.partial(_draw, series=series))
    header, rows = _curve_table(series)
    return TEXTS.section("few_rows", rows, [figure], header=header, n=len(series["SNEFS"][0][1]))


def _binnings(reading):
    """How the bins of X-MIFS and mRMR were chosen."""
    rows = [
        [f"{BINNING_NAMES[binning]}, {n_bins}", *(f"{accuracy:.3f}" for accuracy in found.values())]
        for record in reading.results.where(part="binnings")
        for (binning, n_bins), found in zip(record.settings["tried"], record.result, strict=True)
    ]
    return TEXTS.section("binnings", rows) if rows else None


def _selection_on_all_rows(reading):
    """What it would add to select before the folds are made."""
    rows = []
    for record in reading.results.where(part="whole"):
        name = record.settings["data"]
        for method in ALL:
            cells = []
            for place, size in enumerate(SETTINGS["whole"]["sizes"]):
                leaked = [scores[place] for scores in record.result["accuracy"][method]]
                cells += [
                    mean_and_error(leaked),
                    mean_and_error(reading.accuracies(name, method, size, "RF")),
                ]
            rows.append([name, method, *cells])
    return TEXTS.section("all_rows", rows) if rows else None


def _friedman(reading):
    """Friedman's test at every size."""
    rows = []
    for curves in CURVES:
        for classifier in curves.classifiers:
            p = {size: reading.friedman(curves.name, size, classifier) for size in curves.sizes}
            known = {size: value for size, value in p.items() if value is not None}
            if known:
                n_small = sum(value < FRIEDMAN_LEVEL for value in known.values())
                shown = ", ".join(f"{size}: {value:.1g}" for size, value in known.items())
                rows.append([curves.name, classifier, f"{n_small} of {len(known)}", shown])
    return TEXTS.section("friedman", rows) if rows else None


def _pairs(reading):
    """Every classifier on every data set."""
    authors = Reading(reading.results, "authors")
    rows = [row for curves in CURVES for row in _pairs_of(reading, curves)]
    rows += [row for curves in CURVES for row in _pairs_of(authors, curves, AS_AUTHORS)]
    return TEXTS.section("pairs", rows) if rows else None


def _pairs_of(reading, curves, suffix=""):
    name, size = curves.name, curves.sizes[-1]
    for classifier in CLASSIFIERS:
        means, p = reading.means(name, size, classifier), reading.friedman(name, size, classifier)
        if "SNEFS" in means:
            n = len(reading.by_fold(name, "SNEFS", size, classifier))
            shown = [f"{means[m]:.3f}" if m in means else "" for m in PAPER_METHODS]
            yield [name + suffix, f"{classifier} ({n})", *shown, "" if p is None else f"{p:.1g}"]


def _times(reading):
    """Table IV."""
    rows = []
    for method in (*PAPER_METHODS, HASHED):
        if model := reading.time_model(method):
            line, seconds = model
            ours = f"{line.slope:.2e}", f"{line.intercept:.3f}", f"{line.rvalue**2:.2f}"
            rows.append(
                [method, *_paper(method, "time", ("", "")), *ours, len(seconds), f"{max(seconds):.2f}"]
            )
    return TEXTS.section("times", rows) if rows else None


def _curve_table(series):
    sizes = [size for size, _ in next(iter(series.values()))]
    rows = [[method, *[mean_and_error(values) for _, values in found]] for method, found in series.items()]
    return ["Columns", *map(str, sizes)], rows


def _draw(figure, series) -> None:
    axes = figure.subplots()
    for method, found in series.items():
        sizes, values = zip(*found, strict=True)
        means = [float(np.mean(one)) for one in values]
        errors = [float(np.std(one, ddof=1) / len(one) ** 0.5) if len(one) > 1 else 0.0 for one in values]
        style = {"linestyle": "-" if method in PAPER_METHODS else "--", "marker": ".", "capsize": 2}
        axes.errorbar(sizes, means, errors, color=COLOURS[method], label=method, **style)
    axes.set_xlabel("number of columns")
    axes.set_ylabel("accuracy")
    axes.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.01, 0.5))
