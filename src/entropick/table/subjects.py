"""Columns that name what rows belong to, such as patients."""

import re

import numpy as np

from entropick.table.codes import Target
from entropick.table.readers.inputs import Input

MIN_SUBJECTS, MIN_CONSTANT = 8, 0.95
SUBJECT = re.compile(
    r"(^|[^a-z])(id|ids|subject|patient|person|participant|user|customer|client|animal|session|family|group)"
    r"([^a-z]|id|$)",
    re.IGNORECASE,
)


def are_subjects(source: Input, column: int, target: Target) -> bool:
    """Whether values of a column repeat, and rows that share one share the target, though targets differ."""
    if source.kinds[column] == "category":
        values = source.category(column)[0]
    else:
        numbers = source.numeric([column])[0][1][0]
        values = np.unique(np.nan_to_num(numbers), return_inverse=True)[1]
    values = np.asarray(values).reshape(-1)
    labels = target.codes if target.values is None else np.unique(target.values, return_inverse=True)[1]
    sizes = np.unique(values, return_counts=True)[1]
    if len(sizes) < MIN_SUBJECTS or 2 * len(sizes) > len(values) or sizes.max() > len(values) / 4:
        return False
    n_pairs = len(np.unique(values.astype(np.int64) * (int(labels.max()) + 2) + labels.reshape(-1)))
    return bool(n_pairs - len(sizes) <= (1 - MIN_CONSTANT) * len(sizes))
