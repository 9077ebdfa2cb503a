"""The report of a fitted selector: its record, and with the table also what the columns look like."""

from typing import TYPE_CHECKING, Any

from entropick.records.profiles import Described
from entropick.records.selection import Selection
from entropick.selectors.code import first_columns, selector_code
from entropick.table.codes import Target
from entropick.table.readers.inputs import count_rows

if TYPE_CHECKING:
    from entropick.selectors.method import PartsSelector

MAX_CLASSES = 30  # listed


def document_of(selector: "PartsSelector", X: Any, y: Any) -> dict[str, Any]:
    """The document of a fit, with columns described from its table and target."""
    selection = selector.selection_
    if X is None or y is None or selection.target is None:
        return selection.document()
    if count_rows(X) != selection.n_rows:
        raise ValueError(
            f"X and y must be those of the fit, which counted {selection.n_rows:,} rows, but X has "
            f"{count_rows(X):,}. Hint: to_html() without them shows what the record holds."
        )
    described = _described(selector, selection, X, y)
    names = selection.selected_names
    top_columns = names or [selection.names[step.column] for step in selection.steps]
    return selection.document() | {
        "data": _data(selection, described.table.target),
        "method": type(selector).__name__,
        "code": _code_of(selector, selection.n_kept),
        "profiles": described.profiles(names, described.left_out(names)),
        "redundancy": described.redundancy(top_columns),
        "pairs": described.pairs(selection),
    }


def _described(selector: "PartsSelector", selection: Selection, X: Any, y: Any) -> Described:
    shown = [selection.names[step.column] for step in selection.steps]
    return Described.of_values(
        X, y, selection.names, shown,
        rules=selector.rules(lambda: selection.n_rows), kind=selector.target,
    )  # fmt: skip


def _data(selection: Selection, target: Target) -> dict[str, Any]:
    """What the fit was about."""
    labels = target.encoding.shown(target.encoding.levels) or ()
    classes = [[str(label), int(size)] for label, size in zip(labels, target.class_sizes, strict=False)]
    is_real = target.values is not None
    kind = "real" if is_real else "class"
    about = {"name": target.encoding.name, "kind": kind, "n_classes": target.n_classes}
    return {
        "n_rows": selection.n_rows,
        "n_columns": len(selection.names),
        "target": about | {"classes": [] if is_real else classes[:MAX_CLASSES]},
    }


def _code_of(selector: "PartsSelector", n_kept: int) -> str | None:
    from entropick.selectors.method import MethodSelector

    sized = first_columns(selector, n_kept) if n_kept and isinstance(selector, MethodSelector) else None
    return selector_code(sized or selector) if n_kept else None
