"""Sections about several methods on one table."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from entropick.report import figures, sections as sections_of_all, svg, tables, words
from entropick.report.figures import Curve, Reference
from entropick.report.sections import Document, Section
from entropick.report.tables import Cell, Column, Table


def sections(document: Document) -> list[Section | None]:
    """Sections in the order of the page; none for a document without a comparison."""
    comparison = document.get("comparison")
    if not comparison or not comparison.get("methods"):
        return []
    return [make(comparison) for make in (answer, accuracy, methods, agreement, consensus)]


def answer(comparison: Document) -> Section | None:
    """The recommended columns, ready to copy."""
    advice = _recommended(comparison)
    return sections_of_all.answer(advice.get("columns") or [], advice.get("code"))


def _recommended(comparison: Document) -> Document:
    return comparison.get("recommendation") or {}


def _best_first(comparison: Document) -> list[Document]:
    """The recommended method first, the others in their order."""
    advised = _recommended(comparison).get("method")
    return sorted(comparison["methods"], key=lambda method: method["name"] != advised)


def _heading(name: str) -> str:
    return words.shorten(name, words.SHOWN_LABEL)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def accuracy(comparison: Document) -> Section | None:
    """The estimators' scores against the number of columns."""
    estimators = [
        estimator
        for estimator in comparison.get("estimators") or []
        if any(_points(method, estimator) for method in comparison["methods"])
    ]
    if not estimators:
        return None
    scoring = words.plain(str(comparison.get("scoring") or "score"))
    size = figures.WIDE if len(estimators) == 1 else figures.HALF
    y_range = _score_range(comparison, estimators)
    pictures = [_panel(comparison, estimator, scoring, size, y_range) for estimator in estimators]
    numbers = [_score_table(comparison, estimator, scoring) for estimator in estimators]
    folds = words.counted(comparison.get("folds") or 0, "fold")
    first = _heading(_best_first(comparison)[0]["name"])
    text = f"Mean {scoring} over {folds}; the band shows one standard deviation for {first}."
    if words.as_number(comparison.get("chance")) is not None:
        text += f" Guessing gives {words.number(comparison['chance'], 3)}."
    return Section("accuracy", f"{_capital(scoring)} by number of columns", text, pictures, numbers)


def _score_range(comparison: Document, estimators: Sequence[str]) -> tuple[float, float]:
    """One range for all panels, so that they can be compared."""
    scores = [
        bound
        for method in comparison["methods"]
        for estimator in estimators
        for _, mean, std in _points(method, estimator)
        for bound in (mean - std, mean + std)
    ]
    return svg.spread([*scores, *words.numbers((comparison.get("baseline") or {}).values())])


def _points(method: Document, estimator: str) -> list[tuple[int, float, float]]:
    """Number of columns, mean and standard deviation, where there are scores."""
    scores = (method.get("scores") or {}).get(estimator) or {"mean": [], "std": []}
    return [
        (size, mean, words.as_number(std) or 0.0)
        for size, mean, std in zip(method["sizes"], scores["mean"], scores["std"], strict=False)
        if words.as_number(mean) is not None
    ]


def _panel(
    comparison: Document,
    estimator: str,
    scoring: str,
    size: tuple[float, float],
    y_range: tuple[float, float],
) -> Markup:
    ordered, advised = _best_first(comparison), _recommended(comparison).get("method")
    lines = [
        _curve(method["name"], points, colour, method is ordered[0])
        for colour, method in enumerate(ordered, start=0 if ordered[0]["name"] == advised else 1)
        if (points := _points(method, estimator))
    ]
    best = max(lines, key=lambda line: max(line.y))
    best_score = f"{words.number(max(best.y), 3)}, of {_heading(best.name)}"
    label = f"{scoring} of {_heading(estimator)}: the best is {best_score}"
    axis_labels = ("number of columns", _heading(estimator))
    references = _references(comparison, estimator, y_range)
    return figures.curves(label, axis_labels, lines, references, size, y_range)


def _references(comparison: Document, estimator: str, y_range: tuple[float, float]) -> list[Reference]:
    """Scores of all columns and of guessing, unless so far off that the curves would look flat."""
    levels = {
        "all columns": words.as_number((comparison.get("baseline") or {}).get(estimator)),
        "guessing": words.as_number(comparison.get("chance")),
    }
    low, high = y_range
    return [
        Reference(name, value) for name, value in levels.items() if value is not None and low <= value <= high
    ]


def _curve(name: str, points: Sequence[tuple[int, float, float]], colour: int, is_first: bool) -> Curve:
    sizes, means, stds = (list(values) for values in zip(*points, strict=True))
    tips = [
        f"{_heading(name)}, {words.counted(size, 'column')}: {words.number(mean, 3)} ± {words.number(std, 3)}"
        for size, mean, std in points
    ]
    return Curve(name, sizes, means, tips, stds if is_first else None, colour, labelled=True)


def _score_table(comparison: Document, estimator: str, scoring: str) -> Table:
    known = {
        method["name"]: {size: _score_cell(mean, std) for size, mean, std in _points(method, estimator)}
        for method in _best_first(comparison)
    }
    sizes = sorted({size for cells in known.values() for size in cells})
    missing = Cell(words.MISSING)
    columns = [Column("Columns", [tables.number_cell(size, 0) for size in sizes], "number", names_rows=True)]
    columns += [
        Column(_heading(name), [cells.get(size, missing) for size in sizes], "number")
        for name, cells in known.items()
    ]
    return Table(f"{_capital(scoring)} of {_heading(estimator)} in numbers", columns, folded=True)


def _score_cell(mean: float, std: float) -> Cell:
    title = f"{words.exact(mean)} ± {words.exact(std)}"
    return Cell(words.number(mean, 3), words.exact(mean), title=title, note=f"±{words.number(std, 3)}")


def methods(comparison: Document) -> Section:
    """Each method's best score, stability and time."""
    ordered = _best_first(comparison)
    advised = _recommended(comparison).get("method")
    names = [tables.text_cell(m["name"], note="recommended" if m["name"] == advised else "") for m in ordered]
    columns = [Column("Method", names, names_rows=True)]
    for estimator in comparison.get("estimators") or []:
        best = [_best_score(method, estimator) for method in ordered]
        columns.append(Column(f"Best {_heading(estimator)}", best, "number"))
    stabilities: list[Any] = [method.get("stability") or {} for method in ordered]
    columns += [
        Column("", [_stability_picture(stability) for stability in stabilities], "bar"),
        Column("Stability", [_stability_cell(stability) for stability in stabilities], "number"),
        tables.numbers(
            "Columns",
            [m.get("n_features") for m in ordered],
            hint="a number that predicts about as well as any",
        ),
        Column("Fit", [_time_cell(method.get("seconds")) for method in ordered], "number"),
    ]
    n_compared = comparison.get("stability_size")
    chosen = f"the first {words.counted(n_compared, 'column')}" if n_compared else "the columns chosen"
    text = (
        f"Best score with the number of columns that gave it. Stability says how much {chosen} "
        "agree from fold to fold: 1 is always the same, 0 is chance; its interval is in brackets. "
        "Fit is the time of one selection on all rows."
    )
    return Section("methods", "Methods", text, tables=[Table("Methods compared", columns)])


def _best_score(method: Document, estimator: str) -> Cell:
    """The highest mean; ties go to the fewest columns."""
    points = _points(method, estimator)
    if not points:
        return Cell(words.MISSING)
    size, mean, _ = max(points, key=lambda point: (point[1], -point[0]))
    return tables.number_cell(mean, 3, note=f"at {size:,}")


def _stability_picture(stability: Document) -> Cell:
    bounds = [words.as_number(stability.get(key)) for key in ("value", "low", "high")]
    value, low, high = bounds
    if value is None or low is None or high is None:
        return Cell("")
    return Cell(figures.interval(value, low, high))


def _stability_cell(stability: Document) -> Cell:
    value, low, high = (stability.get(key) for key in ("value", "low", "high"))
    if words.as_number(value) is None:
        return Cell(words.MISSING)
    return tables.number_cell(value, 2, note=f"[{words.number(low, 2)}, {words.number(high, 2)}]")


def _time_cell(value: Any) -> Cell:
    return Cell(words.seconds(value), None if words.as_number(value) is None else words.exact(value))


def agreement(comparison: Document) -> Section | None:
    """How much the methods choose the same columns."""
    found = comparison.get("agreement") or {}
    names, values = found.get("names") or [], found.get("values") or []
    if len(names) < 2 or not values:
        return None
    columns = [tables.names("Method", names)]
    for j, name in enumerate(names):
        cells = [
            tables.number_cell(row[j], 2, tint=None if i == j else _tint(row[j]))
            for i, row in enumerate(values)
        ]
        columns.append(Column(_heading(name), cells, "number"))
    table = Table("Agreement between methods", columns, sortable=False)
    text = "Mean share of columns that two methods have in common among their first ones."
    return Section("agreement", "Agreement", text, tables=[table])


def _tint(value: Any) -> int | None:
    share = words.as_number(value)
    return None if share is None else round(10 * min(max(share, 0.0), 1.0))


def consensus(comparison: Document) -> Section | None:
    """Columns by their mean rank, and the rank each method gives them."""
    entries = comparison.get("consensus") or []
    if not entries:
        return None
    shown = entries[: tables.MAX_ROWS]
    names = [entry["name"] for entry in shown]
    columns = [
        tables.names("Column", names),
        tables.numbers("Mean rank", [entry["mean_rank"] for entry in shown], 2),
        *(_ranks(method, names) for method in comparison["methods"]),
    ]
    table = Table("Columns by mean rank", columns, note=tables.left_out(len(entries), len(shown), "column"))
    return Section("consensus", "Consensus ranking", "Ranks by method on all rows.", tables=[table])


def _ranks(method: Document, names: Sequence[str]) -> Column:
    rank = {name: k for k, name in enumerate(method.get("order") or [], start=1)}
    return tables.numbers(
        words.shorten(method["name"], words.SHOWN_LABEL), [rank.get(name) for name in names]
    )
