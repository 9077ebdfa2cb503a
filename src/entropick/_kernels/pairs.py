"""Counting a candidate column f against a selected column s (and the classes y), three ways.

For each pair the kernels compute Σ φ(N(f,s)) and Σ φ(N(f,s,y)), from which every pairwise criterion
follows, and what f is expected to tell of y given s by chance. A pair is counted by bit planes, in a direct
table or in a hash table, whichever suits its numbers of levels; the caller does not notice, the sums are the
same integers.

Cells are numbered ``(f · n_levels(s) + s) · n_classes + y``.
"""

from typing import NamedTuple

import numpy as np

from entropick import _core
from entropick._core import column_sums as column_sums, join_classes as join_classes, leaders as leaders


class Columns(NamedTuple):
    """Dense columns of one storage width."""

    codes: np.ndarray  # unsigned (d, padded rows)
    n_levels: np.ndarray  # int64 (d,)
    planes: np.ndarray  # uint64 (planes · words,)
    first_plane: np.ndarray  # int64 (d,), -1 where the column has no planes
    plane_counts: np.ndarray  # uint32 (planes, classes): N(f,y) of each level above 0


class Selected(NamedTuple):
    """Selected columns joined with the classes; there may be room for more at the end of each array.

    The planes of s are those of its levels above 0, each cut into its classes.
    """

    joint: np.ndarray  # unsigned (k, rows): s · n_classes + y
    # int64 (k, 3): number of levels, first plane (-1: none), first count
    index: np.ndarray  # type: ignore[assignment]
    planes: np.ndarray  # uint64 (planes · words,)
    counts: np.ndarray  # uint64: N(s,y), level-major
    chance: _core.ChanceTables  # of its levels, one after the other as the counts; or of none


class Rows(NamedTuple):
    """How much there is to count."""

    n_rows: int
    n_words: int
    n_classes: int  # 1 where a measure does not look at the classes


class SparseColumns(NamedTuple):
    """Columns stored as the rows that differ from the column's usual level."""

    starts: np.ndarray  # int64 (d + 1,)
    rows: np.ndarray  # int32
    codes: np.ndarray  # unsigned
    usual: np.ndarray  # int64 (d,): level of all other rows
    n_levels: np.ndarray  # int64 (d,)


class LazySearch(NamedTuple):
    """The race of `lazy_minimum`."""

    bounds: np.ndarray  # int64 (columns of the table,): upper bound of each score
    n_seen: np.ndarray  # int64 (columns of the table,): selected columns already in the bound
    counted: np.ndarray  # int64 (columns of the table,): selected columns when last a finalist
    positions: np.ndarray  # int64 (d,): where the columns stand in the table
    best: np.ndarray  # int64 (2,): best and second best exact score so far
    slack: int  # scores closer than this are ties


def lazy_minimum(
    columns: Columns,
    candidates: np.ndarray,
    selected: Selected,
    n_selected: int,
    rows: Rows,
    phi: np.ndarray,
    offsets: np.ndarray,
    search: LazySearch,
    finalists: np.ndarray,
) -> int:
    """Lower the bound of each candidate until it is exact or out of the race.

    The score of f is the minimum over the selected s of a term that falls as S grows, so a stale
    minimum is an upper bound (Fleuret 2004). A candidate is looked at only while its bound reaches
    the second best exact score, so that winner, runner-up and ties come out exact. Returns how many
    candidates were in the race to the end.

    Parameters
    ----------
    columns, candidates, selected, rows, phi : as in `pair_sums`
    n_selected : how many of the selected columns count
    offsets : int64 (k,), term = Σ φ(N(f,s,y)) − Σ φ(N(f,s)) − what is expected + offset of s
    search : LazySearch, updated
    finalists : int64 (candidates,), filled with those whose bound became exact
    """
    bounds, n_seen, counted, positions, best, slack = search
    return _core.lazy_minimum(
        *columns, candidates, *selected, n_selected, *rows, phi, offsets,
        bounds, n_seen, counted, positions, best, slack, finalists,
    )  # fmt: skip


def class_counts(columns: Columns, candidates: np.ndarray, class_planes: np.ndarray, n_words: int) -> None:
    """Fill ``columns.plane_counts`` with N(f,y) for candidates whose planes are there.

    Parameters
    ----------
    columns, candidates : as in `pair_sums`
    class_planes : uint64 ((classes - 1) · words,)
    """
    _core.class_counts(*columns[1:], candidates, class_planes, n_words)


def sparse_pair_sums(
    columns: SparseColumns,
    candidates: np.ndarray,
    positions: np.ndarray,
    joint: np.ndarray,
    n_s: int,
    n_y: int,
    s_counts: np.ndarray,
    sy_counts: np.ndarray,
    phi: np.ndarray,
    chance: _core.ChanceTables,
    first_level: int,
    sums: np.ndarray,
) -> None:
    """As `pair_sums`, touching only the stored rows of each candidate.

    The usual level holds N(s,y) less the stored rows; cells without stored rows keep φ(N(s,y)).
    """
    _core.sparse_pair_sums(
        *columns,
        candidates,
        positions,
        joint,
        n_s,
        n_y,
        s_counts,
        sy_counts,
        phi,
        chance,
        first_level,
        sums,
    )
