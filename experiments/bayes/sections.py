"""Tables and figures of the Bayesian-entropy paper, ours beside them."""

import functools

import numpy as np

from experiments.bayes.classifiers import CLASSIFIERS
from experiments.bayes.findings import PAPER, SECONDS, Tables
from experiments.bayes.protocol import ALPHAS, DOMAINS, TEXTS
from experiments.texts import markdown_table

COLOURS = {"dependent": "#0072B2", "independent": "#D55E00", "paper": "#999999"}
SWARM = "Milliseconds per subset for a particle swarm with the measures the paper compares with:"


def sections(results):
    """All tables of what is there."""
    tables = Tables(results)
    if not tables.labels:
        return []
    found = [_table_section(tables, domain, number) for number, domain in enumerate(DOMAINS, 3)]
    return [*found, _test_section(tables), _time_section(tables)]


def _table_section(tables, domain, number):
    rows = []
    for label in tables.labels:
        everything = [
            _cell(tables.all_columns(label, c), "dependent", (label, "all", c), 0) for c in CLASSIFIERS
        ]
        rows.append([label, "all", *everything, *[""] * len(CLASSIFIERS)])
        for alpha in ALPHAS:
            cells = [
                _cell(values[label, domain, alpha, c], domain, (label, str(alpha), c), place)
                for place, values in enumerate((tables.accuracies, tables.sizes))
                for c in CLASSIFIERS
            ]
            rows.append(["", f"{alpha:g}", *cells])
    draw = functools.partial(_draw_sizes, tables=tables, domain=domain)
    figure = TEXTS.figure("sizes", draw, f"bayes-sizes-{domain}", domain=domain)
    return TEXTS.section("table", rows, [figure], domain=domain, number=number)


def _cell(values, domain, key, place) -> str:
    paper = f" ({PAPER[domain][key][place]:.1f})" if key in PAPER[domain] else ""
    return f"{np.mean(values):.1f}{paper}"


def _draw_sizes(figure, tables, domain) -> None:
    axes = figure.subplots(2, 4, sharex=True).ravel()
    at = range(len(ALPHAS))
    for ax, label in zip(axes, tables.eight, strict=False):
        paper = [PAPER[domain][label, str(a), "1-NN"][1] for a in ALPHAS]
        ax.plot(at, paper, "s--", color=COLOURS["paper"], label="paper")
        ours = [tables.size(label, domain, a, "1-NN") for a in ALPHAS]
        ax.plot(at, ours, "o-", color=COLOURS[domain], label="ours")
        ax.text(0.95, 0.06, label, transform=ax.transAxes, ha="right")
        ax.set_ylim(bottom=0)
        ax.set_xticks(at, [f"{a:g}" for a in ALPHAS], fontsize=7)
    axes[0].legend(frameon=False, loc="lower left", fontsize=8)
    figure.supxlabel("α")
    figure.supylabel("columns 1-NN takes")


def _test_section(tables):
    rows = []
    for given in TEXTS.over("t_tests"):
        domain, classifier = given["domain"], given["classifier"]
        gains = [str(tables.gains(label, domain, classifier)) for label in tables.eight]
        rows.append([domain, classifier, *gains, f"{given['better']}, {given['worse']}"])
    return TEXTS.section(
        "t_tests", rows, header=["domain", "classifier", *tables.eight, "paper: better, worse"]
    )


def _time_section(tables):
    rows = [
        [
            label,
            *(f"{tables.time(label, a):.2f}" for a in ALPHAS),
            SECONDS.get(label, {}).get("alpha=0", ""),
        ]
        for label in tables.labels
    ]
    measures = list(next(iter(tables.times.values()), ()))
    swarm = [
        [label, *(f"{found[name]:.3f}" if name in found else "-" for name in measures)]
        for label, found in tables.times.items()
    ]
    names = ["data set", *measures]
    return TEXTS.section("times", rows, after=f"{SWARM}\n\n{markdown_table(names, swarm)}" if swarm else "")
