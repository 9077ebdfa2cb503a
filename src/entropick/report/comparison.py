"""The parts of the page about several methods on one table."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from entropick.report import figures, tables, words
from entropick.report.figures import Curve, Reference
from entropick.report.sections import Document, Section
from entropick.report.tables import Cell, Column, Table


def sections(document: Document) -> list[Section | None]:
    """All of them, in the order of the page; none for a document without a comparison."""
    comparison = document.get("comparison")
    if not comparison or not comparison.get("methods"):
        return []
    return [make(comparison) for make in (accuracy, methods, agreement, consensus)]


def _recommended(comparison: Document) -> Document:
    return comparison.get("recommendation") or {}


def _best_first(comparison: Document) -> list[Document]:
    """The recommended method first, the others as they came."""
    advised = _recommended(comparison).get("method")
    return sorted(comparison["methods"], key=lambda method: method["name"] != advised)


def accuracy(comparison: Document) -> Section | None:
    """The estimators' scores against the number of columns."""
    estimators = [
        e for e in comparison.get("estimators") or [] if any(e in m["scores"] for m in comparison["methods"])
    ]
    if not estimators:
        return None
    scoring = words.plain(str(comparison.get("scoring", "score")))
    pictures = [_panel(comparison, estimator, scoring) for estimator in estimators]
    numbers = [_score_table(comparison, estimator, scoring) for estimator in estimators]
    folds = words.counted(comparison.get("folds", 0), "fold")
    text = (
        f"Mean {scoring} over {folds} with a band of one standard deviation. "
        "The dotted lines are all columns together and chance."
    )
    return Section("accuracy", f"{scoring.capitalize()} by number of columns", text, pictures, numbers)


def _panel(comparison: Document, estimator: str, scoring: str) -> Markup:
    lines = [
        _curve(method, estimator, place)
        for place, method in enumerate(_best_first(comparison))
        if (method["scores"].get(estimator) or {}).get("mean")
    ]
    levels = {
        "all columns": (comparison.get("baseline") or {}).get(estimator),
        "chance": comparison.get("chance"),
    }
    references = [
        Reference(name, value)
        for name, value in levels.items()
        if value is not None and words.as_number(value) is not None
    ]
    best = max(lines, key=lambda line: max(line.y))
    label = f"{scoring} of {estimator}: the best is {words.number(max(best.y), 3)}, of {best.name}"
    size = figures.WIDE if len(comparison["estimators"]) == 1 else figures.HALF
    return figures.curves(label, ("number of columns", estimator), lines, references, size)


def _curve(method: Document, estimator: str, place: int) -> Curve:
    scores = method["scores"][estimator]
    tips = [
        f"{method['name']}, {words.counted(size, 'column')}: {_plus_minus(mean, std)}"
        for size, mean, std in zip(method["sizes"], scores["mean"], scores["std"], strict=True)
    ]
    return Curve(method["name"], method["sizes"], scores["mean"], tips, scores["std"], place, labelled=True)


def _score_table(comparison: Document, estimator: str, scoring: str) -> Table:
    methods = [method for method in _best_first(comparison) if method["scores"].get(estimator)]
    sizes = sorted({size for method in methods for size in method["sizes"]})
    columns = [Column("Columns", [tables.number_cell(size, 0) for size in sizes], "number", names_rows=True)]
    for method in methods:
        scores = method["scores"][estimator]
        known = dict(zip(method["sizes"], zip(scores["mean"], scores["std"], strict=True), strict=True))
        columns.append(Column(method["name"], [_score_cell(known.get(size)) for size in sizes], "number"))
    return Table(f"{scoring} of {estimator} in numbers", columns, folded=True)


def _plus_minus(mean: float, std: float) -> str:
    return f"{words.number(mean, 3)} ± {words.number(std, 3)}"


def _score_cell(score: tuple[float, float] | None) -> Cell:
    if score is None or words.as_number(score[0]) is None:
        return Cell(words.MISSING)
    mean, std = score
    title = f"{words.exact(mean)} ± {std!r}"
    return Cell(words.number(mean, 3), words.exact(mean), title=title, note=f"±{words.number(std, 3)}")


def methods(comparison: Document) -> Section:
    """Each method's best score, stability and time."""
    ordered = _best_first(comparison)
    advised = _recommended(comparison).get("method")
    names = [tables.text_cell(m["name"], note="recommended" if m["name"] == advised else "") for m in ordered]
    columns = [Column("Method", names, names_rows=True)]
    for estimator in comparison.get("estimators") or []:
        best = [_best_score(method, estimator) for method in ordered]
        columns.append(Column(f"Best {estimator}", best, "number"))
    stabilities: list[Any] = [method.get("stability") or {} for method in ordered]
    columns += [
        Column("", [_stability_picture(stability) for stability in stabilities], "bar"),
        Column("Stability", [_stability_cell(stability) for stability in stabilities], "number"),
        tables.numbers(
            "Own size", [m.get("n_features") for m in ordered], hint="columns by the method's own rule"
        ),
        Column("Time", [_time_cell(method.get("seconds")) for method in ordered], "number"),
    ]
    text = (
        "Best score with the number of columns that gave it. Stability says how much the columns chosen "
        "agree from fold to fold: 1 is always the same, 0 is chance; in brackets its interval."
    )
    return Section("methods", "Methods", text, tables=[Table("Methods compared", columns)])


def _best_score(method: Document, estimator: str) -> Cell:
    means = words.numbers((method["scores"].get(estimator) or {}).get("mean") or [])
    if not means:
        return Cell(words.MISSING)
    best = max(means)
    return tables.number_cell(best, 3, note=f"at {method['sizes'][means.index(best)]:,}")


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
    if len(names) < 2:
        return None
    columns = [tables.names("Method", names)]
    for j, name in enumerate(names):
        cells = [
            tables.number_cell(row[j], 2, tint=None if i == j else _tint(row[j]))
            for i, row in enumerate(values)
        ]
        columns.append(Column(words.shorten(name, words.SHOWN_LABEL), cells, "number"))
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
    shown = entries[: tables.MOST_ROWS]
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
