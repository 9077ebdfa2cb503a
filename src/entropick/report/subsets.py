"""Sections about a search over whole subsets: the front, and the rounds."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from entropick.report import figures, tables, words
from entropick.report.figures import Band, Curve, thinned
from entropick.report.sections import Document, Section
from entropick.report.tables import Column, Table

MAX_ROUNDS = 50  # in the table
MAX_POINTS = 40  # points of a curve over the rounds
MAX_CURVES = 8  # columns with a curve of their own
FADED = 0.1  # columns with a lower last probability have no curve of their own
LISTED_IN_TIP = 200  # characters
ROUND_COLUMNS = {
    "n_evaluated": "Subsets",
    "size": "Columns",
    "gamma": "Worst of elite",
    "elite_size": "Elite's columns",
    "elite_share": "Elite's share",
    "n_drawn": "Drawn",
}


def sections(document: Document) -> list[Section | None]:
    """Sections in the order of the page; none for a search from column to column."""
    selection = document.get("selection") or {}
    if not selection.get("exploration"):
        return []
    return [front(selection), history(selection)]


def front(selection: Document) -> Section | None:
    """The best subsets by two objectives."""
    subsets = [
        subset
        for subset in selection["exploration"].get("front") or []
        if len(words.numbers(subset["values"])) == len(subset["values"])
    ]
    labels = selection["exploration"].get("objectives") or []
    if not subsets or (len(labels) < 2 and selection["steps"]):  # whose ranking names the best one
        return None
    chosen = _chosen(selection, subsets)
    listed = _listed(selection, subsets)
    table = _front_table(subsets, labels, listed, chosen)
    if len(labels) < 2:
        return Section("front", "The best subsets", tables=[replace(table, folded=False)])
    label = f"{words.counted(len(subsets), 'subset')} by {labels[0]} and {labels[1]}"
    picture = figures.front(
        label,
        (labels[0], labels[1]),
        points=[(subset["values"][0], subset["values"][1]) for subset in subsets],
        tips=[
            f"{words.counted(len(subset['columns']), 'column')}: {words.shorten(text, LISTED_IN_TIP)}"
            for subset, text in zip(subsets, listed, strict=True)
        ],
        sizes=[len(subset["columns"]) for subset in subsets],
        chosen=chosen,
    )
    text = (
        "No subset found is better than one of these in both objectives; for both, smaller is "
        "better. Numbers are sizes."
    )
    return Section("front", "Front of subsets", text, figures=[picture], tables=[table])


def _front_table(
    subsets: Sequence[Document], labels: Sequence[str], listed: Sequence[str], chosen: int | None
) -> Table:
    shown = subsets[: tables.MAX_ROWS]
    objectives = [
        tables.numbers(label, [subset["values"][k] for subset in shown]) for k, label in enumerate(labels)
    ]
    return Table(
        "The subsets of the front",
        [
            tables.numbers("Columns", [len(subset["columns"]) for subset in shown]),
            *objectives,
            tables.names("Names", listed[: len(shown)]),
        ],
        quiet=frozenset(i for i in range(len(shown)) if chosen is not None and i != chosen),
        note=tables.left_out(len(subsets), len(shown), "subset"),
        folded=True,
    )


def _chosen(selection: Document, subsets: Sequence[Document]) -> int | None:
    """Index of the selected subset, if it is on the front."""
    kept = {j for step in selection["steps"] if step["kept"] for j in step["columns"]}
    return next((i for i, subset in enumerate(subsets) if set(subset["columns"]) == kept), None)


def _listed(selection: Document, subsets: Sequence[Document]) -> list[str]:
    names = _column_names(selection)
    return [
        ", ".join(words.shorten(names[j], words.SHOWN_LABEL) for j in subset["columns"]) for subset in subsets
    ]


def _column_names(selection: Document) -> list[str]:
    """Names of all columns by number, where the record has them."""
    names = list(selection.get("names") or (f"column {j}" for j in range(selection["n_columns"])))
    for step in selection["steps"]:
        for j, name in zip(step["columns"], step["names"], strict=True):
            names[j] = name
    return names


def history(selection: Document) -> Section | None:
    """The search, round by round."""
    rounds = selection["exploration"].get("history") or []
    if not rounds:
        return None
    seen = words.counted(rounds[-1]["n_evaluated"], "subset")
    text = f"{words.counted(len(rounds), 'round')}, {seen} evaluated."
    title, pictures = "The search, round by round", []
    if len(rounds) > 1 and "probabilities" in rounds[-1]:
        title, pictures = "Probabilities over the rounds", [_probabilities(selection, rounds)]
        text += " The grey area holds the columns without a line of their own."
    elif rounds[0]["best"][0] != rounds[-1]["best"][0]:
        pictures = [_best_by_round(selection, rounds)]
    return Section("history", title, text, figures=pictures, tables=[_rounds_table(rounds)])


def _probabilities(selection: Document, rounds: Sequence[Document]) -> Markup:
    """Curves of the columns that did not fade, and a band for all others."""
    shown = thinned(len(rounds), MAX_POINTS)
    by_round = [rounds[i]["probabilities"] for i in shown]
    xs = [i + 1 for i in shown]
    names = [words.shorten(name, words.SHOWN_LABEL) for name in _column_names(selection)]
    leading, others = _leading_and_others(selection, by_round[-1])
    lines = [
        _probability_curve(names[j], xs, [probabilities[j] for probabilities in by_round], index)
        for index, j in enumerate(leading)
    ]
    bands = []
    if others:
        low, high = ([pick(p[j] for j in others) for p in by_round] for pick in (min, max))
        bands = [Band(f"range of the other {words.counted(len(others), 'column')}", xs, low, high)]
    best = leading[0]
    label = f"Probabilities by round; {names[best]} ends with {words.number(by_round[-1][best], 3)}"
    return figures.curves(label, ("round", "probability"), lines, bands, figures.WIDE, (0.0, 1.0))


def _leading_and_others(selection: Document, last: Sequence[float]) -> tuple[list[int], list[int]]:
    """Columns that did not fade, selected ones first, and all others."""
    kept = [j for step in selection["steps"] if step["kept"] for j in step["columns"]]
    order = list(dict.fromkeys([*kept, *sorted(range(len(last)), key=lambda j: -last[j])]))
    n_alive = sum(probability > FADED for probability in last)
    n_drawn = min(max(n_alive, 1), MAX_CURVES)
    return order[:n_drawn], order[n_drawn:]


def _probability_curve(name: str, xs: Sequence[int], ys: Sequence[float], index: int) -> Curve:
    tips = [f"{name}, round {x}: {words.number(y, 3)}" for x, y in zip(xs, ys, strict=True)]
    return Curve(name, xs, ys, tips, index=index, labelled=True)


def _best_by_round(selection: Document, rounds: Sequence[Document]) -> Markup:
    shown = thinned(len(rounds), MAX_POINTS)
    values = [rounds[i]["best"][0] for i in shown]
    tips = [
        f"round {i + 1}: {words.number(value)} with {words.counted(rounds[i]['size'], 'column')}"
        for i, value in zip(shown, values, strict=True)
    ]
    curve = Curve("best", [i + 1 for i in shown], values, tips)
    label = (
        f"Best value: {words.number(values[0])} in the first round, {words.number(values[-1])} in the last"
    )
    objective = (selection["exploration"].get("objectives") or ["value"])[0]
    return figures.curves(label, ("round", f"best {objective}"), [curve], size=figures.WIDE)


def _rounds_table(rounds: Sequence[Document]) -> Table:
    shown = thinned(len(rounds), MAX_ROUNDS)
    columns = [
        Column("Round", [tables.number_cell(i + 1, 0) for i in shown], "number", names_rows=True),
        tables.numbers("Best", [rounds[i]["best"][0] for i in shown]),
    ]
    columns += [
        tables.numbers(label, [rounds[i][key] for i in shown])
        for key, label in ROUND_COLUMNS.items()
        if key in rounds[-1]
    ]
    note = f"{len(shown):,} of {len(rounds):,} rounds, evenly spread." if len(shown) < len(rounds) else ""
    return Table("The rounds in numbers", columns, note=note, folded=True)
