"""Sections of every page: question and answer, the data, and how to repeat the run."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from entropick.report import figures, tables, words
from entropick.report.tables import Cell, Column, Table

Document = dict[str, Any]
MAX_ENCODINGS = 30  # columns whose levels are listed
ROLES = {"cut": "cut (how many)"}  # parts whose names do not say what they do
MAX_COPIED = 100_000  # characters of all names; longer lists are only in the document, to keep the page small


@dataclass(frozen=True)
class Card:
    """A figure with a title and a caption."""

    title: Markup
    figure: Markup
    text: str | Markup = ""
    id: str = ""
    is_left_out: bool = False


@dataclass(frozen=True)
class Section:
    """A section of the page, with text, figures and tables."""

    key: str
    title: str
    text: str | Markup = ""
    figures: Sequence[Markup] = ()
    tables: Sequence[Table] = ()
    sentences: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()
    snippets: Sequence[tuple[str, str]] = ()  # title, and the text to copy
    cards: Sequence[Card] = ()
    fit: str | Markup = ""  # what the script selects from


@dataclass(frozen=True)
class Heading:
    """The top of the page."""

    kind: str
    title: str
    paragraph: Markup
    advice: str | None = None
    advice_label: str = ""
    facts: Sequence[tuple[str, str]] = field(default_factory=tuple)


def heading(document: Document) -> Heading:
    """Question and answer, in one paragraph and a few numbers."""
    comparison = document.get("comparison")
    if comparison:
        return _comparison_heading(document, comparison)
    if document.get("kind") == "subsets":
        return Heading("Subsets", words.sentence(document["title"]), Markup(""))
    return _selection_heading(document)


def _selection_heading(document: Document) -> Heading:
    selection = document.get("selection") or {}
    n_columns = int(selection.get("n_columns") or _data(document).get("n_columns") or 0)
    kept = selection.get("selected") or []
    method = _method(document)
    title = f"{len(kept):,} of {words.counted(n_columns, 'column')} selected"
    found = Markup("{} selected {:,} of {}{}.").format(
        words.named(method),
        len(kept),
        words.counted(n_columns, "column"),
        Markup(": {}").format(words.listed(kept)) if kept else "",
    )
    paragraph = Markup(" ").join(filter(None, [_asked(document), found, _ending(selection)]))
    facts = [*_data_facts(document), ("Selected", f"{len(kept):,}"), *_time_fact(document)]
    reason = selection.get("reason")
    return Heading(
        "Selection",
        title,
        paragraph,
        advice_label="How many" if kept else "Result",
        advice=reason and words.sentence(reason),
        facts=facts,
    )


def _comparison_heading(document: Document, comparison: Document) -> Heading:
    methods = comparison.get("methods") or []
    how = Markup("{} compared. Each selects its columns inside each of {} and is scored by {} of {}.").format(
        words.counted(len(methods), "method"),
        words.counted(comparison.get("folds") or 0, "fold"),
        words.plain(str(comparison.get("scoring") or "score")),
        words.listed(comparison.get("estimators") or []),
    )
    recommendation = comparison.get("recommendation") or {}
    sentence = recommendation.get("sentence")
    found = bool(recommendation.get("method")) or not sentence
    return Heading(
        "Comparison",
        f"{words.counted(len(methods), 'method')} compared" + ("" if found else ", nothing found"),
        _asked(document) + " " + how,
        advice_label="Recommendation" if found else "Result",
        advice=sentence and words.sentence(sentence),
        facts=[*_data_facts(document), ("Methods", f"{len(methods):,}"), *_time_fact(document)],
    )


def _asked(document: Document) -> Markup:
    data = _data(document)
    sizes = {thing: data.get(f"n_{thing}s") for thing in ("row", "column")}
    known = [words.counted(n, thing) for thing, n in sizes.items() if n is not None]
    size = f" ({', '.join(known)})" if known else ""
    return Markup("Which columns of {}{} {}?").format(
        words.named(str(data.get("source", "the table"))), size, _purpose(data.get("target") or {})
    )


def _purpose(target: Document) -> str | Markup:
    if target.get("name") is None:
        return "matter"
    classes = words.counted(target.get("n_classes") or 0, "class", "classes")
    kind = "real values" if target.get("kind") == "real" else classes
    return Markup("are informative about {} ({})").format(words.named(str(target["name"])), kind)


def _ending(selection: Document) -> str:
    """Remaining uncertainty, and whether the search was stopped early."""
    kept = [step for step in selection.get("steps") or [] if step.get("kept")]
    sentences = []
    if kept and words.as_number(kept[-1].get("residual")) is not None:
        sentences.append(f"With all of them the residual is {words.number(kept[-1]['residual'])} bits.")
    if not kept and selection and not selection.get("reason"):
        sentences.append("No column passed the stopping rule.")
    if selection.get("complete") is False:
        sentences.append("The search was stopped early.")
    return " ".join(sentences)


def _data(document: Document) -> Document:
    return document.get("data") or {}


def _method(document: Document) -> str:
    settings = (document.get("selection") or {}).get("settings") or {}
    return str(document.get("method") or (settings.get("measure") or {}).get("name") or "The method")


def _data_facts(document: Document) -> list[tuple[str, str]]:
    data = _data(document)
    return [
        (label, f"{data[key]:,}")
        for label, key in (("Rows", "n_rows"), ("Columns", "n_columns"))
        if data.get(key) is not None
    ]


def _time_fact(document: Document) -> list[tuple[str, str]]:
    return [("Whole run", words.seconds(document["seconds"]))] if document.get("seconds") is not None else []


def answer(names: Sequence[str], code: str | None, fit: str | Markup = "") -> Section | None:
    """The columns by name, and a pipeline step that selects them, ready to copy, or to select again."""
    if not names and not fit:
        return None
    listed = json.dumps(list(names), ensure_ascii=False)
    snippets = [("Names, best first", listed)] if names and len(listed) <= MAX_COPIED else []
    text = ""
    if code:
        snippets.append(("scikit-learn", f"import entropick as ep\nselector = {code}"))
        text = "As a pipeline step, the selector is fitted on each training fold, so scores stay honest."
    return Section("answer", "The columns", text, snippets=snippets, fit=fit)


def warnings(document: Document) -> Section | None:
    """Warnings of the run and of its methods."""
    sentences = list(document.get("warnings") or [])
    said_by: dict[str, list[str]] = {}
    for method in (document.get("comparison") or {}).get("methods") or []:
        for text in method.get("warnings") or []:
            said_by.setdefault(text, []).append(method["name"])
    sentences += [f"{', '.join(names)}: {text}" for text, names in said_by.items()]
    if not sentences:
        return None
    return Section("warnings", "Warnings", sentences=[words.sentence(text) for text in sentences])


def data(document: Document) -> Section | None:
    """The table as it was read: target, dropped columns, encodings."""
    facts = _data(document)
    encodings = (document.get("selection") or {}).get("encodings") or []
    found = [_classes(facts.get("target") or {}), _ignored(facts.get("ignored") or []), _encodings(encodings)]
    shown = [table for table in found if table is not None]
    notes = [words.sentence(note) for note in facts.get("notes") or []]
    if not shown and not notes:
        return None
    return Section("data", "Data", tables=shown, sentences=notes)


def _classes(target: Document) -> Table | None:
    classes = target.get("classes") or []
    if not classes:
        return None
    counts = [count for _, count in classes]
    largest = max(counts) or 1
    return Table(
        "Classes of the target",
        [
            tables.names("Class", [str(label) for label, _ in classes]),
            Column("", [Cell(figures.bar(count, None, 0, largest)) for count in counts], "bar"),
            tables.numbers("Rows", counts),
        ],
        note=tables.left_out(target.get("n_classes") or 0, len(classes), "class", "classes"),
    )


def _ignored(ignored: list[Document]) -> Table | None:
    if not ignored:
        return None
    shown = ignored[: tables.MAX_ROWS]
    columns = [
        tables.names("Column", [entry["name"] for entry in shown]),
        tables.texts("Why", [entry["reason"] for entry in shown]),
    ]
    return Table("Columns left out", columns, note=tables.left_out(len(ignored), len(shown)))


def _encodings(encodings: list[Document]) -> Table | None:
    if not encodings:
        return None
    shown = encodings[:MAX_ENCODINGS]
    columns = [
        tables.names("Column", [entry["name"] for entry in shown]),
        tables.texts("Kind", [entry["kind"] for entry in shown]),
        tables.numbers("Levels", [entry["n_levels"] for entry in shown]),
        tables.numbers("Missing", [entry["n_missing"] for entry in shown]),
        tables.texts("Encoded as", [_encoding(entry) for entry in shown]),
    ]
    note = tables.left_out(len(encodings), len(shown), "column")
    return Table("How columns became levels", columns, note=note, folded=True)


def _encoding(entry: Document) -> str:
    """Description of the levels of a column."""
    edges, levels = entry.get("edges"), entry.get("levels")
    if edges is not None:
        chosen = ", chosen by the target" if entry.get("by_target") else ""
        return "up to " + ", ".join(f"{e:.6g}" if isinstance(e, float) else str(e) for e in edges) + chosen
    if levels is not None:
        return ", ".join([str(level) for level in levels[:10]] + ["…"] * (len(levels) > 10))
    return "joint levels"


def _part(part: Document) -> str:
    """A measure, search or cut with its parameters, as Python code."""
    given = ", ".join(f"{name}={value!r}" for name, value in (part.get("parameters") or {}).items())
    return f"{part.get('name')}({given})"


def repetition(document: Document) -> Section:
    """How to repeat the run: command, seed, settings, versions."""
    selection = document.get("selection") or {}
    seed = document.get("seed")
    facts = [("seed", words.MISSING if seed is None else str(seed))]
    facts += [
        (ROLES.get(role, role), _part(part)) for role, part in (selection.get("settings") or {}).items()
    ]
    facts += [(f"learned: {name}", str(value)) for name, value in (selection.get("learned") or {}).items()]
    facts += [(name, str(version)) for name, version in (document.get("versions") or {}).items()]
    if document.get("created"):
        facts.append(("created", words.moment(document["created"])))
    return Section(
        "repeat",
        "Repeat it",
        facts=[(name, words.sentence(value)) for name, value in facts],
        snippets=[("Command", document["command"])] if document.get("command") else [],
    )
