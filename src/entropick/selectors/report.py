"""The report of a fitted selector: its record, and with the table also what the columns look like."""

from dataclasses import replace
from typing import Any

import numpy as np

from entropick._base.wording import counted
from entropick.exceptions import DataError
from entropick.measures.pairs.relevance import relevances
from entropick.records.profiles import Described
from entropick.records.selection import Selection
from entropick.selectors.base import BaseSelector
from entropick.selectors.python_code import code_of_kept
from entropick.table.codes import Target
from entropick.table.encoding.target import encode_target, join_targets, target_columns
from entropick.table.open import is_elsewhere
from entropick.table.readers.inputs import (
    container_columns,
    count_rows,
    frame_names,
    is_frame,
    is_lazy,
    plain_array,
)
from entropick.table.table import Table

MAX_CLASSES = 30  # listed


def document_of(selector: BaseSelector, X: Any, y: Any) -> dict[str, Any]:
    """The document of a fit, with columns described from its table and target."""
    selection = selector.selection_
    if X is None or y is None or selection.target is None:
        return selection.document()
    X = _columns_of_fit(plain_array(X) if isinstance(X, list | tuple) else X, selection)
    targets = _encoded(selector, selection, y)
    if any((target.codes < 0).any() for target in targets):  # levels of rows without a label say nothing
        return selection.document()
    described = _described(selector, selection, X, join_targets(targets) if targets[1:] else targets[0])
    if not _has_values_of_fit(described.table, selection):
        raise _another_table("their values are others")
    names = selection.selected_names
    top_columns = names or [selection.names[step.column] for step in selection.steps]
    return selection.document() | {
        "data": _data(selection, described.table.target),
        "method": type(selector).__name__,
        "code": code_of_kept(selector, selection.n_kept),
        "profiles": described.profiles(names, described.left_out(names)),
        "redundancy": described.redundancy(top_columns),
        "pairs": None if targets[1:] else described.pairs(selection),
    }


def _columns_of_fit(X: Any, selection: Selection) -> Any:
    """X with the columns of the fit in their order; a table that cannot be that of the fit is rejected."""
    fitted = selection.names
    if is_elsewhere(X):
        raise _another_table(f"X is a {type(X).__name__}, whose rows are not in memory")
    if is_lazy(X) or is_frame(X):
        place = {str(name): j for j, name in enumerate(frame_names(X))}
        missing = [name for name in fitted if name not in place]
        if missing:
            others = f" nor {counted(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
            raise _another_table(f"X has no column {missing[0]!r}{others}", missing[0])
        if tuple(place) != tuple(fitted):
            X = container_columns(X, np.array([place[name] for name in fitted]))
    elif X.shape[1] != len(fitted):
        raise _another_table(f"X has {counted(X.shape[1], 'column')} instead of {len(fitted):,}")
    if count_rows(X) != selection.n_rows:
        raise _another_table(f"X has {counted(count_rows(X), 'row')} instead of {selection.n_rows:,}")
    return X


def _has_values_of_fit(table: Table, selection: Selection) -> bool:
    """Whether levels, classes and what columns tell are those of the fit, as far as its record knows them."""
    place = {name: j for j, name in enumerate(selection.names)}
    columns = [place[name] for name in table.names]
    known, target = selection.relevances, selection.target
    if known is not None and known.copies != 1:  # weights made copies of rows
        return True
    pairs = [(table.target.encoding, target and replace(target, name=table.target.encoding.name))]
    if selection.encodings:
        pairs += [(now, selection.encodings[j]) for now, j in zip(table.encodings, columns, strict=True)]
    if any(now != then for now, then in pairs):
        return False
    if known is None or len(known.information) != len(selection.names):  # of groups of columns
        return True
    return np.allclose(relevances(table.counts), known.information[known.unit_of[columns]])


def _another_table(found: str, column: str | None = None) -> DataError:
    return DataError(
        f"X and y must be those of the fit, but {found}. Hint: to_html() without them shows what the record "
        "holds.",
        column=column,
    )


def _encoded(selector: BaseSelector, selection: Selection, y: Any) -> list[Target]:
    rules = selector._rules(lambda: selection.n_rows)
    may_miss = "unlabelled" in selector.get_params(deep=False)
    unlabelled = selector.unlabelled or "missing"  # of -1 the fit has warned
    return [
        encode_target(
            values, kind=selector.target, rules=rules, name=name,
            semi_supervised=may_miss, unlabelled=unlabelled,
        )
        for name, values in target_columns(y)
    ]  # fmt: skip


def _described(selector: BaseSelector, selection: Selection, X: Any, target: Target) -> Described:
    shown = [selection.names[step.column] for step in selection.steps]
    rules = selector._rules(lambda: selection.n_rows)
    return Described.of_values(X, target, selection.names, shown, rules=rules)


def _data(selection: Selection, target: Target) -> dict[str, Any]:
    """What the fit was about."""
    labels = target.encoding.shown(target.encoding.levels) or ()
    classes = [[str(label), int(size)] for label, size in zip(labels, target.class_sizes, strict=False)]
    is_real = target.values is not None
    about = {"name": target.encoding.name, "kind": target.kind, "n_classes": target.n_classes}
    return {
        "n_rows": selection.n_rows,
        "n_columns": len(selection.names),
        "target": about | {"classes": [] if is_real else classes[:MAX_CLASSES]},
    }
