"""The joint levels of the selected columns as groups of rows, and what one more column would do.

A group whose rows are all of one class can never change a conditional entropy again: its rows are
settled and leave the partition for good. What remains are the active rows, ordered by group:
``rows[starts[g]:starts[g + 1]]`` are the rows of group g and `labels` their classes, in that order.

Three sums over the groups (g, f) that a candidate f would make, one for each kind of entropy:

- Shannon: Σ φ(N(g,f)) − Σ φ(N(g,f,y)), an integer;
- min-entropy: Σ max_y N(g,f,y), an integer;
- Rényi of another order α: log2 Σ ‖N(g,f,·)‖_α, where ‖·‖_α is the α-norm over the classes.
"""

from typing import NamedTuple

import numpy as np

from entropick import _core
from entropick._core import list_unusual as list_unusual, usual_levels as usual_levels
from entropick._kernels.pairs import SparseColumns

SHANNON, MINIMUM = 0, 1


class Groups(NamedTuple):
    """The active rows, ordered by group."""

    rows: np.ndarray  # int32 (active,)
    starts: np.ndarray  # int64 (groups + 1,)
    labels: np.ndarray  # int32 (active,): the class of each of these rows
    n_classes: int


class RowGroups(NamedTuple):
    """The same partition, looked up by row."""

    group: np.ndarray  # int32 (rows,): group of the row, -1 when settled
    label: np.ndarray  # int32 (rows,)
    cell: np.ndarray  # int32 (rows,): group · n_classes + label; one cell behind all others when settled
    counts: np.ndarray  # int64 (groups · n_classes,): N(g,y)
    n_classes: int


def split_sums(
    codes: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    groups: Groups,
    kind: int,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Shannon or min-entropy sum of each candidate over the groups it would make.

    Parameters
    ----------
    codes : unsigned (d, padded rows); n_levels : int64 (d,); candidates : int64 (k,)
    groups : Groups
    kind : SHANNON or MINIMUM
    phi : int64 (n_rows + 1,), used by SHANNON only
    sums : int64 (k,), filled
    """
    _core.split_sums(codes, n_levels, candidates, *groups, kind, phi, sums)


def split_norms(
    codes: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    groups: Groups,
    alpha: float,
    n_settled: int,
    sums: np.ndarray,
) -> None:
    """log2 Σ ‖N(g,f,·)‖_α of each candidate; settled rows count as groups of one class.

    The sum is kept relative to its largest term so far: an α-norm may exceed any float.
    """
    _core.split_norms(codes, n_levels, candidates, *groups, alpha, n_settled, sums)


def sparse_split_sums(
    columns: SparseColumns,
    candidates: np.ndarray,
    by_row: RowGroups,
    kind: int,
    phi: np.ndarray,
    group_sums: np.ndarray,
    sums: np.ndarray,
) -> None:
    """As `split_sums`, touching only the stored rows of each candidate.

    Groups without a stored row keep their sum, so each candidate costs what it stores, not the
    number of rows. `group_sums` holds the sum of each group as it is now.
    """
    _core.sparse_split_sums(*columns, candidates, *by_row, kind, phi, group_sums, sums)


def refine(
    codes: np.ndarray,
    n_levels: int,
    groups: Groups,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Split the groups by one more column; returns rows, starts, labels and the rows settled.

    A level of a group becomes a group of its own if its rows are of more than one class; if they
    are all of one class they are settled and left out.
    """
    rows, starts, labels, n_classes = groups
    new_rows, new_labels = np.empty_like(rows), np.empty_like(labels)
    new_starts = np.empty(len(rows) // 2 + 1, np.int64)
    n_groups, n_left = _core.refine(
        codes, n_levels, rows, starts, labels, n_classes, new_rows, new_starts, new_labels
    )
    return new_rows[:n_left], new_starts[: n_groups + 1], new_labels[:n_left], len(rows) - n_left
