"""Results of the commands on the screen."""

import json
from collections.abc import Sequence
from typing import Any

from entropick._base.wording import NEAR_ROWS, SURE, doubt_in_words, is_of_near_rows, score_in_words
from entropick.cli.prepare import Prepared
from entropick.cli.screen import Screen
from entropick.comparison import Comparison
from entropick.records.selection import Selection

N_CONSENSUS = 10  # columns of the consensus


def _nothing_found(selection: Selection) -> str:
    """What a rule says that keeps no column and gives no reason."""
    first = selection.steps[0] if selection.steps else None
    if first is None or first.p_value is None:
        return "Nothing was found: the rule keeps no column."
    name = selection.names[first.column]
    return f"Nothing was found: the first column, '{name}', has p = {first.p_value:.2g}."


def show_selection(selection: Selection, method: str, screen: Screen) -> None:
    """Show the columns of a selection, step by step."""
    n_selected = len(selection.order)
    screen.show(
        f"{method} selects {n_selected} of {len(selection.names)} columns from {selection.n_rows:,} rows."
    )
    if selection.reason is not None:
        screen.show(_capitalized(selection.reason))
    elif n_selected == 0:
        screen.show(_nothing_found(selection))
    if n_selected == 0:
        screen.show("--n-features 10 selects the best ten anyway.")
    steps = selection.step_dicts()[: selection.n_kept]
    shown = [key for key in _shown_of_steps(selection) if any(step[key] is not None for step in steps)]
    doubts = [
        doubt_in_words(step["is_chance"], step["relevance_q"], is_first=step["step"] == 1) for step in steps
    ]
    rows = [
        (
            step["step"],
            " + ".join(step["names"]),
            *(_step_cell(step, key, i == 0) for i, key in enumerate(shown)),
            *([doubt] * any(doubts)),
        )
        for step, doubt in zip(steps, doubts, strict=True)
    ]
    if rows:
        headers = (
            "",
            "column",
            *(STEP_TITLES[key] for key in shown),
            *[""] * (len(rows[0]) - 2 - len(shown)),
        )
        screen.table(headers, rows, numeric=(0, *range(2, 2 + len(shown))))
        for key in shown:
            is_near = key == "residual" and is_of_near_rows(selection.settings)
            screen.say(f"  residual: {NEAR_ROWS}" if is_near else f"  {LEGEND[key]}")
    if selection.told_apart is not None:
        screen.show(selection.told_apart)


STEP_TITLES = {
    "gain": "adds, bits",
    "explained": "explained",
    "score": "score",
    "lead": "lead",
    "residual": "residual",
    "p_value": "p",
    "q_value": "q",
    "relevance_q": "q alone",
    "fold_share": "in folds",
}
LEGEND = {
    "gain": "adds: bits about the target given each column above, on average",
    "explained": "explained: least share of the target's entropy that the columns so far account for",
    "score": "score: value of the method's formula",
    "lead": "lead: how far the score is ahead of the runner-up's",
    "residual": "residual: bits of the target that the columns so far do not determine",
    "p_value": "p: probability of adding as much by chance",
    "q_value": "q: smallest false discovery rate at which the column is kept",
    "relevance_q": "q alone: false discovery rate at which the column, taken alone, is related to the target",
    "fold_share": "in folds: share of the folds that selected the column",
}
LEGEND_OF_METHODS = (
    "stability: agreement of the folds on the columns, 1 if all select the same, 0 as by chance",
    "columns: number of its columns that predicts about as well as any; - if nothing was found",
)


def _shown_of_steps(selection: Selection) -> tuple[str, ...]:
    """Keys to show for each step: the gain if it is known, otherwise the score."""
    first = ("gain", "explained") if selection.shows_gains else ("score", "lead")
    if any(step.q_value is not None for step in selection.kept):
        return (*first, "residual", "p_value", "q_value")
    alone = ["relevance_q"] if _may_be_unrelated(selection) else []
    return (*first, "residual", "p_value", *alone, "fold_share")


def _may_be_unrelated(selection: Selection) -> bool:
    """Whether the marginal q-value of a selected column is above the usual level."""
    known = selection.relevances
    return known is not None and bool((known.q_values[known.unit_of[selection.order]] > SURE).any())


def _step_cell(step: dict[str, Any], key: str, is_first: bool) -> str:
    if is_first and step["fixed"]:
        return "fixed"
    if key in ("q_value", "relevance_q"):
        return "" if step[key] is None else f"{step[key]:.2g}"
    if key == "p_value" and step[key] is not None and 0 < step[key] < 0.0001:
        return f"{step[key]:.2g}"
    if key in ("explained", "fold_share"):
        return "" if step[key] is None else f"{100 * step[key]:.0f} %"
    return _number(step[key])


ENCODER = (
    'make_column_transformer((TargetEncoder(), make_column_selector(dtype_exclude="number")), '
    "remainder=SimpleImputer())"
)

SOME_STEP = "SimpleImputer"
IMPORTS = {
    "from sklearn.compose import make_column_selector, make_column_transformer": "make_column_transformer",
    "from sklearn.impute import SimpleImputer": SOME_STEP,
    "from sklearn.pipeline import make_pipeline": "make_pipeline",
    "from sklearn.preprocessing import TargetEncoder": "TargetEncoder",
}


def pipeline_code(selector: str, data: Prepared) -> str:
    """A pipeline that selects columns and fits a model, with what such a model needs between the two."""
    steps = [selector]
    if not all(kind.is_numeric() for kind in data.X.collect_schema().dtypes()):
        steps = [f'{selector}.set_output(transform="pandas")', ENCODER]
    elif data.has_missing:
        steps = [selector, "SimpleImputer()"]
    return f"make_pipeline({', '.join(steps)}, model)"


def show_answer(names: Sequence[str], code: str | None, screen: Screen) -> None:
    """Show the columns and code that selects them, ready to copy."""
    if names:
        screen.show()
        screen.show(f"Columns: {json.dumps(list(names), ensure_ascii=False)}", longest=None)
        if code is not None:
            screen.show(code, longest=None)
            if SOME_STEP in code:  # more than a reader has at hand
                imports = [line for line, name in IMPORTS.items() if name in code]
                screen.say(f"  with: {'; '.join(imports)}")


def in_pipeline(selector: str | None, data: Prepared) -> str | None:
    """The pipeline of a selector, as it is shown; None without any."""
    return selector and f"scikit-learn: {pipeline_code(selector, data)}"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def about_halves(selection: Selection) -> str:
    """Summary of stability selection."""
    learned = selection.learned
    none_kept = (
        " Interchangeable columns split the halves between them: a larger --n-features keeps more on each."
    )
    return (
        "The score is the share of random halves of the rows on which a column is kept; it must be at least "
        f"{learned['threshold']:g}. Expected false selections: at most {learned['max_false']:.2g} "
        f"columns. Stability: {learned['stability']}." + none_kept * (selection.n_kept == 0)
    )


def show_comparison(found: Comparison, screen: Screen, data: Prepared) -> None:
    """Show scores and consensus of methods, and what is recommended."""
    rows = []
    for method in found.methods:
        best = []
        for name in found.estimators:
            means = method.scores[name].mean(axis=0)
            best.append(f"{means.max():.3f} ({method.sizes[int(means.argmax())]})")
        steady = method.stability
        interval = f"{steady.value:.2f} ({max(steady.low, -1):.2f} to {steady.high:.2f})"
        number = "-" if method.n_features is None else str(method.n_features)
        rows.append((method.name, *best, interval, number, f"{method.seconds:.3f}"))
    screen.show(
        f"Best {score_in_words(found.scoring)} over {found.folds} folds (number of columns in brackets):"
    )
    headers = ("method", *found.estimators, f"stability of {found.stability_size}", "columns", "seconds")
    screen.table(headers, rows, numeric=range(1, len(headers)))
    for text in LEGEND_OF_METHODS:
        screen.say(f"  {text}")
    baseline = ", ".join(f"{name} {score:.3f}" for name, score in found.baseline.items())
    screen.show(f"All columns: {baseline}; guessing {found.chance:.3f}.")
    screen.show()
    screen.show("Consensus of the methods, by mean rank:")
    ranks = [(name, f"{rank:.1f}") for name, rank in found.consensus[:N_CONSENSUS]]
    screen.table(("column", "mean rank"), ranks, numeric=(1,))
    screen.show()
    screen.show(found.recommendation.sentence)
    show_answer(found.recommended_columns, in_pipeline(found.recommendation.code, data), screen)


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
