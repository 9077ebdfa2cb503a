"""Cards of the selected columns: levels with the target of their rows, and columns that could stand in."""

from collections.abc import Sequence
from itertools import accumulate

from markupsafe import Markup

from entropick.report import figures, words
from entropick.report.figures import Piece
from entropick.report.sections import Card, Document, Section

FIRST_LETTERS = 13  # characters of a level


def card_ids(document: Document) -> dict[str, str]:
    """The id of the card of each column that has one."""
    columns = (document.get("profiles") or {}).get("columns") or []
    return {column["name"]: f"card-{i}" for i, column in enumerate(columns)}


def cards(document: Document) -> Section | None:
    """Section with one card per column, showing its relation to the target."""
    profiles = document.get("profiles") or {}
    columns = profiles.get("columns") or []
    if not columns:
        return None
    classes, mean = profiles.get("classes"), words.as_number(profiles.get("mean"))
    target = words.named(str(((document.get("data") or {}).get("target") or {}).get("name", "the target")))
    if classes:
        text = Markup(
            "Levels of each column, its values or ranges of them, and the share of each class of {} "
            "in their rows: {}."
        ).format(target, _legend(classes))
        drawn = [_shares(column, classes) for column in columns]
    elif mean is not None:
        means = words.numbers(level["mean"] for column in columns for level in column["levels"])
        text = Markup(
            "Levels of each column, its values or ranges of them, and the mean of {} in their rows; "
            "the line is the mean of all rows, {}."
        ).format(target, words.number(mean))
        drawn = [_means(column, mean, means) for column in columns]
    else:
        return None
    if any(column.get("stand_ins") for column in columns):
        text += " A percentage is the information shared with a column that was left out and could stand in."
    n_left_out = sum(bool(column.get("left_out")) for column in columns)
    n_answer, n_shown = _n_chosen(document), len(columns) - n_left_out
    if n_answer > n_shown:
        text += f" The first {n_shown:,} of {n_answer:,} columns are shown."
    if n_left_out:
        text += " The most informative columns that were left out come last."
    ids = card_ids(document)
    found = [
        Card(
            words.named(column["name"]),
            figure,
            _stand_ins(column),
            ids[column["name"]],
            bool(column.get("left_out")),
        )
        for column, figure in zip(columns, drawn, strict=True)
    ]
    return Section("columns", "Columns and the target", text, cards=found)


def _n_chosen(document: Document) -> int:
    """Number of columns that were selected, or are recommended."""
    recommendation = (document.get("comparison") or {}).get("recommendation") or {}
    selected = (document.get("selection") or {}).get("selected")
    return len(selected or recommendation.get("columns") or [])


def _legend(classes: Sequence[str]) -> Markup:
    keys = [
        Markup('<span class="key c{}">{}</span>').format(figures.class_colour(i), words.named(name))
        for i, name in enumerate(classes)
    ]
    return Markup(" ").join(keys)


def _stand_ins(column: Document) -> Markup | str:
    """Unselected columns that share much with this one."""
    others = column.get("stand_ins") or []
    if not others:
        return ""
    listed = [
        Markup("{} ({})").format(words.named(other["name"]), words.percent(other["shared"]))
        for other in others
    ]
    return Markup("Could stand in: ") + Markup(", ").join(listed)


def _shares(column: Document, classes: Sequence[str]) -> Markup:
    names = [words.shorten(name, words.SHOWN_LABEL) for name in classes]
    rows = [
        (
            words.shorten(level["label"], FIRST_LETTERS),
            [
                Piece(end - share, end, f"{name}: {words.percent(share)}")
                for name, share, end in zip(names, level["shares"], accumulate(level["shares"]), strict=True)
            ],
            words.counted(level["n_rows"], "row"),
        )
        for level in column["levels"]
    ]
    return figures.levels(f"Shares of the classes in the levels of {words.shorten(column['name'])}", rows)


def _means(column: Document, mean: float, means: Sequence[float]) -> Markup:
    low, high = min([mean, *means]), max([mean, *means])
    width = (high - low) or 1.0
    middle = (mean - low) / width
    rows = []
    for level in column["levels"]:
        value = words.as_number(level["mean"])
        end = middle if value is None else (value - low) / width
        tip = f"mean {words.number(level['mean'])}, {words.counted(level['n_rows'], 'row')}"
        piece = Piece(min(middle, end), max(middle, end), tip)
        label = words.shorten(level["label"], FIRST_LETTERS)
        rows.append((label, [piece], words.number(level["mean"])))
    return figures.levels(
        f"Means of the target in the levels of {words.shorten(column['name'])}", rows, middle
    )
