"""Tables and figures of the Bayesian-entropy paper, next to ours."""

import functools

import numpy as np

from reproduction.bayes.classifiers import CLASSIFIERS, PRUNED
from reproduction.bayes.findings import PAPER, SECONDS
from reproduction.bayes.protocol import ALPHAS, DOMAINS, TEXTS, TRIED_ALPHAS
from reproduction.bayes.readings import Tables
from reproduction.texts import markdown_table, span

COLOURS = {"dependent": "#0072B2", "independent": "#D55E00", "paper": "#999999"}
SWARM = (
    "Milliseconds per subset of our search and of a particle swarm with the measures the paper compares with:"
)


def sections(results):
    """All tables of what is there."""
    tables = Tables(results)
    if not tables.labels:
        return []
    found = [_table_section(tables, domain, number) for number, domain in enumerate(DOMAINS, 3)]
    found += [
        *_printed_section(tables),
        *_codes_section(tables),
        _test_section(tables),
        _time_section(tables),
    ]
    return [*found, *_bins_section(tables)]


def _table_section(tables, domain, number):
    trees = [(tables, c, c) for c in CLASSIFIERS] + [(tables.pruned, "J48", PRUNED)]
    rows = []
    for label in tables.labels:
        everything = [
            _cell(one.all_columns(label, c), "dependent", (label, "all", c), 0) for one, c, _ in trees
        ]
        rows.append([label, "all", *everything, *[""] * len(trees)])
        for alpha in ALPHAS:
            found = [
                _cell(getattr(one, values)[label, domain, alpha, c], domain, (label, str(alpha), c), place)
                for place, values in enumerate(("accuracies", "sizes"))
                for one, c, _ in trees
            ]
            rows.append(["", f"{alpha:g}", *found])
    names = [name for *_, name in trees]
    header = ["data set", "α", *(f"{n}: ours (paper)" for n in names), *(f"|S| {n}" for n in names)]
    draw = functools.partial(_draw_sizes, tables=tables, domain=domain)
    figure = TEXTS.figure("sizes", draw, f"bayes-sizes-{domain}", domain=domain)
    n_runs = {
        name: span([len(one.sizes[x, domain, 0, "1-NN"]) for x in one.labels] or [0])
        for name, one in (("n_runs", tables), ("n_pruned", tables.pruned))
    }
    return TEXTS.section("table", rows, [figure], header, domain=domain, number=number, **n_runs)


def _cell(values, domain, key, place) -> str:
    paper = f" ({PAPER[domain][key][place]:.1f})" if key in PAPER[domain] else ""
    return f"{np.mean(values):.1f}{paper}" if len(values) else "-"


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
        trees = {classifier: tables, PRUNED: tables.pruned} if classifier == "J48" else {classifier: tables}
        for name, one in trees.items():
            gains = [str(one.gains(label, domain, classifier)) for label in tables.eight]
            rows.append([domain, name, *gains, f"{given['better']}, {given['worse']}"])
    return TEXTS.section(
        "t_tests", rows, header=["domain", "classifier", *tables.eight, "paper: better, worse"]
    )


def _time_section(tables):
    rows = [
        [label, *(f"{tables.seconds(label, a):.2f}" for a in ALPHAS), SECONDS[label]["alpha=0"]]
        for label in tables.times
    ]
    measures = [name for name in next(iter(tables.times.values()), ()) if "alpha" not in name]
    swarm = [
        [label, *(f"{found[name]:.4f}" for name in ("alpha=0", *measures))]
        for label, found in tables.times.items()
    ]
    names = ["data set", "α = 0", *measures]
    return TEXTS.section("times", rows, after=f"{SWARM}\n\n{markdown_table(names, swarm)}" if swarm else "")


def _bins_section(tables):
    if not tables.bins:
        return []
    rows = [[way.replace("_", " "), *found.values()] for way, found in tables.bins.items()]
    header = ["bins", *next(iter(tables.bins.values()))]
    sizes = [PAPER["dependent"]["Iono.", str(a), "1-NN"][1] for a in TRIED_ALPHAS]
    return [TEXTS.section("bins", rows, header=header, sizes=sizes)]


def _printed_section(tables):
    """Spect, whose numbers of columns are not the paper's, with the search as printed."""
    if not tables.printed:
        return []
    rows, near = [], 0
    for alpha in map(str, ALPHAS):
        paper = PAPER["dependent"]["Spect", alpha, "1-NN"][1]
        first, smallest = ([one[alpha][way] for one in tables.printed] for way in ("first", "smallest"))
        near += abs(np.mean(first) - paper) <= 1
        rows.append([alpha, paper, f"{np.mean(first):.1f}", span(sorted(first)), f"{np.mean(smallest):.1f}"])
    n_splits = len(tables.printed)
    return [TEXTS.section("printed", rows, near=near, n_alphas=len(ALPHAS), n_splits=n_splits)]


def _codes_section(tables):
    """Whether the paper's classifiers read codes as names or as numbers."""
    rows = []
    for label, found in tables.codes.items():
        ways = {c: [_range(found[way][c]) for way in ("names", "numbers")] for c in ("1-NN", "NB")}
        parts = [[f"{PAPER['dependent'][label, 'all', c][0]:.1f}", *ours] for c, ours in ways.items()]
        rows.append([label, *parts[0], *parts[1]])
    n_splits = max((len(found["names"]["NB"]) for found in tables.codes.values()), default=0)
    return [TEXTS.section("codes", rows, n_splits=n_splits)] if rows else []


def _range(values) -> str:
    return f"{np.mean(values):.1f} ({min(values):.1f} to {max(values):.1f})"
