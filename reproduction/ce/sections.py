"""Tables and figures of the cross-entropy paper, next to ours."""

import functools

import numpy as np

from reproduction.ce.findings import DIAGONAL, PAPER, PRINTED, Tables
from reproduction.ce.protocol import METHODS, TEXTS
from reproduction.texts import mean_and_error
from reproduction.verdicts import Mean

COLOURS = {"error": "#0072B2", "gap": "#D55E00"}
FOUR = METHODS[:-1]


def sections(results):
    """All tables of what is there."""
    tables = Tables(results)
    splits = tables.ours
    if not splits.tables:
        return []
    figure = TEXTS.figure("ce-curves", functools.partial(_draw, splits=splits))
    curves = TEXTS.section("curves", None, [figure])
    of_readings = [_readings(tables), _classified(tables), _table_3(tables)]
    return [*of_readings, _table_2(splits), _paper_sizes(splits), _printed(tables.printed), curves]


def _readings(tables):
    rows = []
    for label in PAPER:
        for method in FOUR:
            found = [
                splits.values(label, method, "gap", "paper_size") if label in splits.tables else []
                for splits in tables.readings.values()
            ]
            shown = [Mean(values, overlap=PRINTED, digits=4).plain if values else "-" for values in found]
            rows.append([label if method == "CE" else "", method, *shown, PAPER[label][method]["gap"]])
    return TEXTS.section("readings", rows)


def _classified(tables):
    """Errors of `classify`, and on how many splits MATLAB refuses."""
    rows = []
    for label in tables.authors.with_method("CE", "paper_size"):
        for method in FOUR:
            linear, diagonal = (
                mean_and_error(splits.values(label, method, "nb", "paper_size"))
                for splits in (tables.authors, tables.others[DIAGONAL])
            )
            refused = tables.authors.values(label, method, "linear_refused", "paper_size")
            of_splits = f"{sum(refused)} of {len(refused)}" if refused else "-"
            paper = PAPER[label][method].get("nb", "//")
            rows.append([label if method == "CE" else "", method, linear, of_splits, diagonal, paper])
    return TEXTS.section("classified", rows)


def _paper(label, method, name) -> str:
    value = PAPER.get(label, {}).get(method, {}).get(name)
    return "" if value is None else f" ({value:g})"


def _columns(label, method="CE"):
    return PAPER[label]["columns"][method] if label in PAPER else None


def _score(splits, label, method, name, at="own", paper=True) -> str:
    shown = mean_and_error(splits.values(label, method, name, at))
    return shown + (_paper(label, method, name) if paper else "")


def _table_2(splits):
    rows = []
    for label, records in splits.tables.items():
        for method in FOUR:
            first = f"{label}, {len(records)} splits" if method == "CE" else ""
            columns = f"{splits.mean(label, method, 'n'):.1f} ({_columns(label) or '-'})"
            scores = [_score(splits, label, method, name) for name in ("nb", "knn", "gap")]
            seconds = f"{splits.seconds(label, method):.2f}" + _paper(label, method, "seconds")
            rows.append([first, method, columns, *scores, seconds])
        scores = [mean_and_error(splits.of_all(label, name)) for name in ("nb", "knn", "gap")]
        rows.append(["", "all columns", f"{splits.of_all(label, 'n')[0]:.0f}", *scores, ""])
    return TEXTS.section("table_2", rows)


def _paper_sizes(splits):
    rows = []
    for label in splits.tables:
        for method in FOUR:
            score = functools.partial(_score, splits, label, method, at="paper_size")
            columns = f"{splits.mean(label, method, 'n', 'paper_size'):.0f}"
            errors = [score("nb", paper=False), score("knn"), score("knn_train")]
            equal = f"{splits.mean(label, method, 'own_rows', 'paper_size'):.5f}"
            rows.append([label if method == "CE" else "", method, columns, *errors, equal, score("gap")])
    return TEXTS.section("paper_sizes", rows)


def _table_3(tables):
    rows, splits = [], tables.authors
    for label in splits.with_method("PSO"):
        for method in [name for name in ("CE", "PSO") if splits.sizes(label, name)]:
            scores = [_score(splits, label, method, name) for name in ("nb", "gap")]
            columns = f"{np.mean(splits.sizes(label, method)):.1f} ({_columns(label, method)})"
            rows.append([label if method == "CE" else "", method, columns, *scores])
    pairs = {x: (tables.ours.sizes(x, "PSO")[0], found["n"]) for x, found in tables.longer.items()}
    rounds = {label: f"{short:.0f} and {longer}" for label, (short, longer) in pairs.items()}
    return TEXTS.section("table_3", rows, rounds=rounds)


def _printed(printed):
    rows = []
    for label, splits in printed.items():
        for found in splits[:1]:
            gap = "-" if found["gap"] is None else f"{found['gap']:.4f}"
            shares = (
                f"{found['first_elite']:.0%}",
                found["rounds"],
                f"{found['highest']:.2f}",
                found["reached"],
            )
            rows.append([label, *shares, gap, _columns(label) or ""])
    return TEXTS.section("printed", rows)


def _draw(figure, splits) -> None:
    labels = list(splits.tables)
    axes = figure.subplots(2, -(-len(labels) // 2), squeeze=False).ravel()
    for ax, label in zip(axes, labels, strict=False):
        sizes, points = splits.curve(label)
        errors, gaps = points.mean(axis=0).T
        ax.plot(sizes, errors, "o-", ms=3, color=COLOURS["error"], label="error of naive Bayes")
        ax.plot(sizes, np.minimum(gaps, 1.0), "s--", ms=3, color=COLOURS["gap"], label="ΔI_r (cut at 1)")
        ax.axvline(np.mean(splits.sizes(label)), color="black", lw=0.8, label="found")
        if label in PAPER:
            ax.axvline(_columns(label), color="grey", ls=":", lw=1.2, label="paper")
        ax.set_xscale("log")
        ax.set_ylim(0, 1.05)
        ax.set_title(label, fontsize=8)
    for ax in axes[len(labels) :]:
        ax.set_visible(False)
    axes[0].legend(frameon=False, fontsize=7)
    figure.supxlabel("columns, the most probable first")
