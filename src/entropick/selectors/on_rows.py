"""Fit a copy of a selector to some of the rows."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from entropick.table.readers.inputs import container_rows


def fit_to_rows(
    selector: Any, X: Any, y: np.ndarray | None, rows: np.ndarray, groups: np.ndarray | None = None
) -> Any:
    """A fitted copy of a selector; it gets the groups of these rows if it takes any."""
    given = {"groups": groups[rows]} if groups is not None and has_fit_parameter(selector, "groups") else {}
    return clone(selector).fit(container_rows(X, rows), None if y is None else y[rows], **given)
