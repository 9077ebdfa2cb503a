"""Sections about one selection: ranking, stop curve, risk on held-out rows, redundancy."""

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from entropick._base.wording import NEAR_ROWS, doubt_in_words, is_of_near_rows
from entropick.report import figures, sections as sections_of_all, tables, words
from entropick.report.cards import card_ids, cards
from entropick.report.figures import Band, Curve, Reference
from entropick.report.living import fitted
from entropick.report.prediction import prediction
from entropick.report.sections import Document, Section
from entropick.report.tables import Cell, Column, Table

MAX_PAIRS = 10
MAX_STEPS = 40  # rows of the ranking where columns can be chosen
MAX_POINTS = 100  # points of the stop curve
SCORE_CURVE = {"score": "score"}
GAIN_CURVE = {"gain": "bits added"}
RESIDUAL, RESIDUAL_NEAR = "H(y | columns), bits", "entropy among near rows, bits"
LEAST = "<1e−300"  # probabilities that are 0 in floating point
SHOWN_RUNNER_UP = 32  # characters
JOINT = " + "


def answer(document: Document) -> Section | None:
    """The selected columns, and the line of code that selects them if known, ready to copy."""
    selection = document.get("selection") or {}
    fit = fitted(document, card_ids(document))
    return sections_of_all.answer(selection.get("selected") or [], document.get("code"), fit)


def ranking(document: Document) -> Section | None:
    """Columns in order of selection, with scores as bars."""
    selection = document.get("selection") or {}
    # the columns to choose from are all in one table, where there is one
    most = MAX_STEPS if document.get("pairs") else tables.MAX_ROWS
    steps = (selection.get("steps") or [])[:most]
    if not steps:
        return None
    candidates = [
        tables.numbers("#", [step["step"] for step in steps]),
        _name_column(steps, _kinds(selection), card_ids(document)),
        _bar_column(steps),
        tables.numbers(
            "Adds", [step.get("gain") for step in steps], hint="bits given each column above, on average"
        ),
        _explained_column(steps),
        _alone_column(steps),
        _fold_column(steps),
        tables.numbers("Score", [step["score"] for step in steps], hint="value of the criterion"),
        Column("Runner-up", [_runner_up(step) for step in steps]),
        tables.numbers("Lead", [step["lead"] for step in steps], hint="score minus the runner-up's"),
        _overlap_column(steps, document.get("redundancy") or {}),
        tables.numbers("Residual", [step["residual"] for step in steps], hint=_residual_hint(selection)),
        tables.numbers("p", [step["p_value"] for step in steps], 3, hint=_p_hint(steps)),
        tables.numbers(
            "q", [step.get("q_value") for step in steps], 3, hint="false discovery rate at which it is kept"
        ),
        _q_alone_column(steps),
    ]  # fmt: skip
    columns = [column for column in candidates if _says_something(column)]
    quiet = frozenset(i for i, step in enumerate(steps) if not step["kept"])
    note = tables.left_out(len(selection["steps"]), len(steps), "step")
    table = Table("Columns in order of selection", columns, quiet=quiet, note=note)
    return Section("ranking", "Ranking", _about_scores(selection, quiet), tables=[table])


def _residual_hint(selection: Document) -> str:
    return NEAR_ROWS if is_of_near_rows(selection.get("settings")) else RESIDUAL


def _p_hint(steps: Sequence[Document]) -> str:
    if any(step.get("q_value") is not None for step in steps):
        return "how often a column that adds nothing adds as much"
    return "share of shuffles as good"


def _about_scores(selection: Document, quiet: frozenset[int]) -> str:
    measure = (selection.get("settings") or {}).get("measure") or {}
    steps = selection.get("steps") or []
    if _bar_key(steps) == "gain":
        text = "Bars show the bits that a column adds, given each column above, on average."
        if any(step.get("explained") is not None for step in steps):
            text += (
                " The columns so far explain at least the share shown, chance taken off; it stops rising "
                "where joint levels are too many for the rows."
            )
        if any(step.get("is_chance") for step in steps):
            text += (
                ' Columns that "may add nothing" are related to the target, but add no more to the columns '
                'above than chance would; those that "may be chance" are not even related to it for certain.'
            )
    elif selection.get("exploration"):
        text = "The score says how much a column belongs to the best subsets found."
    else:
        whose = f" of {measure['name']}" if measure.get("name") else ""
        text = (
            f"Score{whose} when the column was selected; the mark in a bar is the runner-up's. "
            "Compare scores within a step only: their scale may change between steps."
        )
    for first, last in selection.get("alike") or ():
        text += f" Ranks {first} to {last} cannot be told apart."
    return text + (" Pale rows were not kept." if quiet else "")


def _says_something(column: Column) -> bool:
    return any(cell.text not in ("", words.MISSING) for cell in column.cells)


def _name(step: Document) -> str:
    return JOINT.join(step["names"])


def _name_column(steps: Sequence[Document], kinds: dict[str, str], cards: dict[str, str]) -> Column:
    cells = [
        tables.text_cell(_name(step), _step_note(step, kinds), link=cards.get(_name(step))) for step in steps
    ]
    return Column("Column", cells, names_rows=True)


def _kinds(selection: Document) -> dict[str, str]:
    """Type and share of missing values of each column, in words."""
    n_rows = selection.get("n_rows") or 0
    found = {}
    for entry in selection.get("encodings") or ():
        n_missing = entry.get("n_missing")
        share = f"{words.percent(n_missing / n_rows)} missing" if n_rows and n_missing else ""
        found[entry["name"]] = ", ".join(filter(None, [entry["kind"], share]))
    return found


def _step_note(step: Document, kinds: dict[str, str]) -> str:
    note = doubt_in_words(
        bool(step.get("is_chance")), words.as_number(step.get("relevance_q")), is_first=step.get("step") == 1
    )
    return ", ".join(filter(None, [kinds.get(_name(step), ""), "fixed" if step.get("fixed") else note]))


def _explained_column(steps: Sequence[Document]) -> Column:
    shares = [words.as_number(step.get("explained")) for step in steps]
    cells = [
        Cell("") if share is None else Cell(words.percent(share), words.exact(share)) for share in shares
    ]
    return Column("Explained", cells, "number", hint="at least this share of the target, chance taken off")


def _alone_column(steps: Sequence[Document]) -> Column:
    cells = [_alone(words.as_number(step.get("relevance")), step.get("relevance_error")) for step in steps]
    return Column("Alone", cells, "number", hint="bits alone, not corrected for chance, ± standard error")


def _alone(value: float | None, error: float | None) -> Cell:
    if value is None:
        return Cell("")
    title = None if error is None else f"{words.exact(value)} ± {words.number(error, 3)}"
    return Cell(words.number(value, 3), words.exact(value), title=title)


def _q_alone_column(steps: Sequence[Document]) -> Column:
    hint = "false discovery rate of the column alone"
    column = tables.numbers("q alone", [step.get("relevance_q") for step in steps], 3, hint=hint)
    cells = [Cell(LEAST, cell.value) if cell.value == "0.0" else cell for cell in column.cells]
    return replace(column, cells=cells)


def _fold_column(steps: Sequence[Document]) -> Column:
    shares = [words.as_number(step.get("fold_share")) for step in steps]
    cells = [
        Cell("") if share is None else Cell(words.percent(share), words.exact(share)) for share in shares
    ]
    return Column("In folds", cells, "number", hint="share of the folds that selected the column, too")


def _bar_key(steps: Sequence[Document]) -> str:
    """Key of the values shown as bars: gains if all are known, otherwise scores."""
    picked = [step for step in steps if not step.get("fixed")]
    return "gain" if picked and all(step.get("gain") is not None for step in picked) else "score"


def _bar_column(steps: Sequence[Document]) -> Column:
    key = _bar_key(steps)
    values = words.numbers(step.get(key) for step in steps)
    low, high = min([0.0, *values]), max([0.0, *values])
    if high == low:
        high = 1.0
    return Column("", [Cell(_step_bar(step, key, low, high)) for step in steps], "bar")


def _step_bar(step: Document, key: str, low: float, high: float) -> Markup:
    value = words.as_number(step.get(key))
    if value is None:
        return Markup("")
    runner_up = words.as_number(step.get("runner_up_score")) if key == "score" else None
    return figures.bar(value, runner_up, low, high)


def _runner_up(step: Document) -> Cell:
    if step.get("runner_up") is None:
        return Cell(words.MISSING)
    n_ties = step.get("n_ties") or 0
    return Cell(words.shorten(step["runner_up"], SHOWN_RUNNER_UP), note=f"{n_ties:,} tied" if n_ties else "")


def _pairs(redundancy: Document) -> list[tuple[float, int, int]]:
    """Redundancies of pairs, largest first: value, first column, second column."""
    names, values = redundancy.get("names") or [], redundancy.get("values") or []
    pairs = [(words.as_number(values[i][j]), j, i) for i in range(len(names)) for j in range(i) if values]
    return sorted([(value, j, i) for value, j, i in pairs if value is not None], reverse=True)


def _overlaps(redundancy: Document) -> dict[str, tuple[float, str]]:
    """The largest redundancy of each name with an earlier one, and that name."""
    names = redundancy.get("names") or []
    found: dict[str, tuple[float, str]] = {}
    for value, first, second in _pairs(redundancy):
        found.setdefault(names[second], (value, names[first]))
    return found


def _overlap_column(steps: Sequence[Document], redundancy: Document) -> Column:
    overlaps = _overlaps(redundancy)
    cells = [_overlap(step, overlaps) for step in steps]
    return Column("Overlap", cells, "number", hint="largest redundancy with a column above")


def _overlap(step: Document, overlaps: dict[str, tuple[float, str]]) -> Cell:
    value, other = overlaps.get(_name(step), (None, ""))
    if value is None:
        return Cell("")
    title = f"{words.exact(value)} with {words.shorten(other)}"
    return Cell(words.number(value, 3), words.exact(value), title=title)


def stop_curve(document: Document) -> Section | None:
    """Score and residual entropy against the number of columns.

    Scores are omitted for searches over subsets, where they are not per step, and for held-out rows, which
    decide by other scores.
    """
    selection = document.get("selection") or {}
    steps = selection.get("steps") or []
    says_nothing = selection.get("exploration") or selection.get("evidence")
    values = GAIN_CURVE if _bar_key(steps) == "gain" else SCORE_CURVE
    residual = RESIDUAL_NEAR if is_of_near_rows(selection.get("settings")) else RESIDUAL
    labels = ({} if says_nothing else values) | {"residual": residual}
    known = {label: _known(steps, key) for key, label in labels.items()}
    known = {label: points for label, points in known.items() if len(points) > 1}
    if not known:
        return None
    n_kept = sum(bool(step["kept"]) for step in steps)
    marks = [Reference(f"{n_kept} kept", n_kept, upright=True)] if 0 < n_kept < len(steps) else []
    size = figures.WIDE if len(known) == 1 else figures.PANEL
    band = _chance_band(steps)
    drawn = [
        _stop_panel(label, points, [*band, *marks] if label == residual else marks, size)
        for label, points in known.items()
    ]
    text = f"Values after each step; {n_kept:,} of {words.counted(len(steps), 'step')} kept."
    if band:
        text += " In the grey band a column is no better than chance."
    return Section("stop", "How many columns", text, figures=drawn)


def _chance_band(steps: Sequence[Document]) -> list[Band]:
    """Residual entropy after the best column of shuffled tables, at the steps that were tested."""
    tested = [step for step in steps if step.get("chance") is not None]
    tested = [tested[i] for i in figures.thinned(len(tested), MAX_POINTS)]
    if len(tested) < 2:
        return []
    low, high = zip(*(step["chance"] for step in tested), strict=True)
    name = "chance: 90 % of tables with shuffled labels"
    return [Band(name, [step["step"] for step in tested], low, high)]


def _known(steps: Sequence[Document], key: str) -> list[tuple[int, float, str]]:
    """Number, value and name of the steps that have a value; thinned if there are many."""
    points = [
        (step["step"], step[key], _name(step)) for step in steps if words.as_number(step.get(key)) is not None
    ]
    return [points[i] for i in figures.thinned(len(points), MAX_POINTS)]


def _stop_panel(
    label: str,
    points: Sequence[tuple[int, float, str]],
    marks: Sequence[Reference | Band],
    size: tuple[float, float],
) -> Markup:
    tips = [
        f"{number}. {words.shorten(name, words.SHOWN_LABEL)}: {words.number(value)}"
        for number, value, name in points
    ]
    values = [value for _, value, _ in points]
    curve = Curve(label, [number for number, _, _ in points], values, tips)
    in_words = f"{label}: first {words.number(values[0])}, last {words.number(values[-1])}"
    return figures.curves(in_words, ("number of columns", label), [curve], marks, size)


def held_out(document: Document) -> Section | None:
    """Risk of the joint levels on held-out rows, compared with the in-sample risk."""
    risk = (document.get("selection") or {}).get("held_out_risk") or {}
    sizes = risk.get("sizes") or []
    if len(sizes) < 2:
        return None
    lines = [
        _risk_curve("held-out rows", sizes, risk["risk"], risk["risk_error"], 0),
        _risk_curve("in-sample", sizes, risk["counted_risk"], None, 1),
    ]
    best = min(zip(risk["risk"], sizes, strict=True))
    least = f"{words.number(best[0], 3)}, with {words.counted(best[1], 'column')}"
    label = f"share of wrong classes: on held-out rows at least {least}"
    picture = figures.curves(label, ("number of columns", "share of wrong classes"), lines, (), figures.WIDE)
    text = (
        f"Columns were selected again in each of {words.counted(risk['folds'], 'fold')}; the joint levels of "
        "the first ones predict the classes of the held-out rows. The band is one standard error. In-sample, "
        "joint levels seem to determine y as soon as few rows share them."
    )
    columns = [
        tables.numbers("Columns", sizes),
        *(
            tables.numbers(title, risk[key], 3)
            for title, key in {
                "Wrong": "risk",
                "± error": "risk_error",
                "Wrong in-sample": "counted_risk",
                "H(y | columns), bits": "entropy",
                "± bits": "entropy_error",
                "Bits in-sample": "counted_entropy",
            }.items()
        ),
    ]
    table = Table("Held-out rows in numbers", columns, folded=True)
    return Section("held-out", "On held-out rows", text, figures=[picture], tables=[table])


def _risk_curve(
    name: str, sizes: Sequence[int], values: Sequence[float], errors: Sequence[float] | None, index: int
) -> Curve:
    tips = [
        f"{name}, {words.counted(size, 'column')}: {words.number(value, 3)}"
        for size, value in zip(sizes, values, strict=True)
    ]
    return Curve(name, sizes, values, tips, errors, index, labelled=True)


def redundancy(document: Document) -> Section | None:
    """Redundancy between the top columns."""
    found = document.get("redundancy") or {}
    names, pairs = found.get("names") or [], _pairs(found)
    if not pairs:
        return None
    strongest, first, second = pairs[0]
    label = (
        f"Heat map of {len(names)} columns; the most redundant are {words.shorten(names[first])} and "
        f"{words.shorten(names[second])} with {words.number(strongest, 3)}"
    )
    text = (
        "Shared information I(f;g) / min(H(f), H(g)): 0 for independent columns, "
        "1 (full colour) where one determines the other."
    )
    picture = figures.heat_map(label, names, pairs)
    return Section("redundancy", "Redundancy", text, figures=[picture], tables=[_pairs_table(names, pairs)])


def _pairs_table(names: Sequence[str], pairs: Sequence[tuple[float, int, int]]) -> Table:
    shown = pairs[:MAX_PAIRS]
    return Table(
        "Pairs that share the most",
        [
            tables.names("Column", [names[j] for _, j, _ in shown]),
            tables.texts("And", [names[i] for _, _, i in shown]),
            tables.numbers("Shared", [value for value, _, _ in shown], 3),
        ],
        note=tables.left_out(len(pairs), len(shown), "pair"),
    )


def sections(document: Document) -> list[Section | None]:
    """Sections in the order of the page."""
    makers = (answer, ranking, cards, prediction, stop_curve, held_out, redundancy)
    return [make(document) for make in makers]
