"""The section on how well held-out rows are predicted, by number of columns."""

from dataclasses import replace

from entropick._base.wording import model_in_words
from entropick.report import figures, words
from entropick.report.figures import Curve, Reference
from entropick.report.sections import Document, Section

LOSS = "loss"


def prediction(document: Document) -> Section | None:
    """Scores of each model by number of columns, and the loss that decided the number."""
    evidence = (document.get("selection") or {}).get("evidence")
    if not evidence:
        return None
    chosen, losses = evidence["n_chosen"], evidence.get("losses") or []
    marks = [Reference(f"{chosen} kept", chosen, upright=True)] if 0 < chosen < evidence["sizes"][-1] else []
    scoring = words.plain(str(evidence["scoring"]))
    above = [replace(mark, low=True) for mark in marks]  # "all columns" is high
    if words.as_number(evidence.get("all_columns")) is not None:
        above.append(Reference("all columns", evidence["all_columns"]))
    label = f"{scoring} on rows held out, with {words.counted(chosen, 'column')} kept"
    size = figures.PANEL if losses else figures.WIDE
    drawn = [figures.curves(label, ("number of columns", scoring), _scores(evidence), above, size)]
    if losses:
        label = f"{LOSS} on rows held out: least with {words.counted(evidence['n_best'], 'column')}"
        drawn.append(
            figures.curves(label, ("number of columns", LOSS), [_curve(evidence, LOSS, losses)], marks, size)
        )
    text = " ".join(filter(None, _about(document["selection"], evidence)))
    return Section("prediction", "How well held-out rows are predicted", text, figures=drawn)


def _scores(evidence: Document) -> list[Curve]:
    """A curve per model; the first is the model that the selection's reason names."""
    named = evidence.get("model")
    models = sorted(evidence["by_model"].items(), key=lambda item: item[0] != named)
    if named not in evidence["by_model"]:
        models = [("score", evidence["scores"]), *models]
    return [
        _curve(evidence, model_in_words(name).removeprefix("a "), scores, index)
        for index, (name, scores) in enumerate(models)
    ]


def _curve(evidence: Document, name: str, values: list[float], index: int = 0) -> Curve:
    sizes = evidence["sizes"]
    tips = [
        f"{name}, {words.counted(n, 'column')}: {words.number(value, 3)}"
        for n, value in zip(sizes, values, strict=True)
    ]
    return Curve(name, sizes, values, tips, index=index, labelled=name != LOSS)


def _about(selection: Document, evidence: Document) -> list[str]:
    folds, rows = words.counted(evidence["n_folds"], "fold"), words.counted(evidence["n_rows"], "row")
    repeats = f", {evidence['n_repeats']} times" if (evidence.get("n_repeats") or 1) > 1 else ""
    kept = (
        "Kept is the number with the least loss, or the smallest one that is worse by at most 2 % of the "
        "gain over guessing."
    )
    return [
        f"Columns are selected in all but one of {folds}{repeats}; models learn there and predict the rest "
        f"of the {rows}.",
        _agreement(selection, evidence),
        _loss(str(evidence["scoring"]), len(evidence["by_model"])),
        kept,
        _interval(evidence),
        "Not all of the columns may be needed.",
        _independence(evidence),
    ]


def _loss(scoring: str, n_models: int) -> str:
    """What decides, which is not the score alone."""
    errors = "squared errors" if scoring == "R²" else "squared errors of the probabilities and wrong answers"
    return f"The loss counts {errors}, in the mean of {words.counted(n_models, 'model')}; guessing has 1."


def _interval(evidence: Document) -> str:
    """The numbers that samples of the rows would keep."""
    low, high = evidence.get("interval") or (None, None)
    if low is None:
        return ""
    return f"In 90 % of samples of the rows that is {low} to {high}."


def _independence(evidence: Document) -> str:
    """What was assumed about the rows."""
    if evidence.get("n_groups") is not None:
        return f"Rows of each of {evidence['n_groups']:,} groups were kept together."
    if evidence.get("is_ordered"):
        return "Rows were predicted from earlier ones."
    return "Rows are taken as independent of each other."


def _agreement(selection: Document, evidence: Document) -> str:
    """How many of the selected columns are also selected without a fold, on average."""
    kept, names = set(selection["selected"]), selection["names"]
    shared = [len(kept & {names[j] for j in columns}) for columns in evidence.get("by_fold") or ()]
    if not kept or not shared:
        return ""
    mean = sum(shared) / len(shared)
    return f"Of the {words.counted(len(kept), 'column')} above, {mean:.1f} are selected there on average."
