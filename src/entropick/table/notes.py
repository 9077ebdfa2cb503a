"""Columns that should hardly be selected: constants, identifiers, copies of a column or of the target.

A few rows rule out nearly all columns: sixteen values suffice. More rows, and finally all rows, are read only
for the columns that are left.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np
import scipy.sparse
import scipy.stats

from entropick.table.codes import Target
from entropick.table.numeric.scaling import stored_constants
from entropick.table.readers.inputs import (
    Input,
    SparseInput,
    container_columns,
    container_rows,
    count_rows,
    is_lazy,
    open_input,
)

MAX_NOTES = 20  # notes in a warning
IDENTIFIER_SHARE = 0.5  # texts with more levels than this share of the rows look like identifiers
MIN_NAMES = 10  # no warning if that share is fewer rows
CONSTANT, IDENTIFIER, COPY, TARGET, GROUP = "constant", "identifier", "copy", "target", "group"
MIN_ROWS = 20  # in fewer rows all values may differ, or columns be equal, by chance
FIRST_ROWS, MORE_ROWS = 16, (256, 2048)  # sizes of the samples of rows
HEAD_ROWS = 1000  # sample of a lazy frame, which is read from its beginning
BLOCK_VALUES = 1 << 21  # values read at a time
DISTINCT_SHARE = 0.99  # an identifier has at least this share of distinct values among those present
CODE_SHARE = 0.5  # the same for strings of digits, and for columns named like an identifier
SOME_SHARE = 0.9  # the same in a sample of rows
MAX_SPREAD = 2  # increasing whole numbers number the rows if range / rows is at most this
SAME_AS_TARGET = 0.98  # share of rows in which a copy of the target agrees with it
MAX_ERRORS = 0.3  # disagreeing rows, as a share of those outside the largest class
SOME_AGREE = 0.75  # share of the pairs of rows of one class that must agree with the target in a sample
SOME_DIFFER = 0.5  # the same of pairs of different classes, if there are
MIN_PAIRS = 6  # of them, each counted twice: a sample may have hardly any row of a rare class
SAME_ORDER = 0.999  # rank correlation with a real target of a copy of it
GOLDEN = (1 + 5**0.5) / 2  # the fractions of its multiples are all different
LARGEST_WHOLE = 2.0**53  # floats hold every whole number up to this
ID_WORDS = {
    "id", "ids", "uid", "uuid", "guid", "pid", "key", "index", "idx", "unnamed",
    "rowname", "rownames", "rowid", "rownum", "caseid", "caseno",
}  # fmt: skip
NUMBER_WORDS = {"no", "nr", "number"}  # at the end of a name: an identifier if nearly all values differ
MIN_SUBJECTS, MIN_CONSTANT = 8, 0.95
SUBJECTS = (
    *("id", "subject", "patient", "person", "participant", "user", "customer", "client", "animal", "session"),
    *("family", "group"),
)
_SUBJECT = re.compile(rf"(^|[^a-z])({'|'.join(SUBJECTS)}|ids)([^a-z]|id|$)", re.IGNORECASE)
ID_PARTS = ("id", "key", "index", "idx", "unnamed", "row", "case", "no", "nr", "number")  # of these words
_MAY_BE_ID = re.compile(rf"(?i){'|'.join(ID_PARTS)}|^\s*$")  # faster than splitting all names
_WEIGHTS = np.random.default_rng(0).random(max(*MORE_ROWS, HEAD_ROWS))  # weights of rows in hashes of columns


@dataclass(frozen=True)
class Note:
    """What is wrong with a column.

    Attributes
    ----------
    kind : "constant", "identifier", "copy" (of an earlier column), "target" (a copy of it) or "group"
        (names rows that belong together and share the target)
    column, name : its index and name
    other, other_name : index and name of the column it duplicates, for a copy
    """

    kind: str
    column: int
    name: str
    other: int | None = None
    other_name: str | None = None

    @property
    def sentence(self) -> str:
        """The note in words."""
        predicates = {
            CONSTANT: "is constant",
            IDENTIFIER: "looks like an identifier",
            COPY: f"duplicates {self.other_name!r}",
            TARGET: "copies the target",
            GROUP: "names rows that share the target",
        }
        return f"Column {self.name!r} {predicates[self.kind]}."

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """The note as plain values."""
        return {"kind": self.kind, "column": self.name, "other": self.other_name, "sentence": self.sentence}


def find_notes(
    X: Any,
    target: Target | None = None,
    names: Sequence[str] | None = None,
    source: Input | None = None,
) -> tuple[Note, ...]:
    """Find suspicious columns of a table in memory.

    Parameters
    ----------
    X : 2-D array, scipy sparse matrix or dataframe
    target : encoded target of the same rows
    names : column names, for containers without names
    source : the same table, if it has been opened
    """
    if scipy.sparse.issparse(X):
        return _notes_of_sparse(X, names)
    n_rows = count_rows(X)
    if target is not None and (target.n_classes < 2 or n_rows < MIN_ROWS):
        target = None
    found = _Suspects()
    columns: np.ndarray | None = None
    source = source or open_input(X)
    names = list(names or source.names)
    rows_of = getattr(source, "gather", None) or partial(container_rows, X)
    for rows in (*_samples(X, n_rows, target), None):
        some = X if rows is None else X.head(len(rows)).collect() if is_lazy(X) else rows_of(rows)
        labels = target if rows is None or target is None else target.take_rows(rows)
        found = _inspect(some, names, columns, n_rows, labels, is_all=rows is None)
        columns = found.columns()
        if not len(columns):
            return ()
    return tuple(found.notes(names))


def _samples(X: Any, n_rows: int, target: Target | None) -> Iterator[np.ndarray]:
    """Samples of growing size: the first has pairs of rows with neighbouring targets, others are spaced."""
    if is_lazy(X):
        if n_rows > 2 * HEAD_ROWS:
            yield np.arange(HEAD_ROWS)
        return
    some = _spaced(n_rows, MORE_ROWS[0])
    if len(some) > 2 * FIRST_ROWS:
        labels = np.zeros(len(some)) if target is None else target.truth[some]
        order = np.argsort(labels, kind="stable")
        firsts = _spaced(len(some) - 1, FIRST_ROWS // 2)
        yield np.unique(some[order[np.concatenate([firsts, firsts + 1])]])
    for most in MORE_ROWS:
        if n_rows > 2 * most:
            yield _spaced(n_rows, most)


@lru_cache(maxsize=64)  # fits of tables of one size follow one another
def _spaced(n: int, most: int) -> np.ndarray:
    """At most `most` evenly spaced whole numbers below n, to be read only."""
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)


@dataclass
class _Suspects:
    """Columns that are, or may be, of each kind.

    `alike` groups equal columns. In a sample, `marks` are hashes of columns: copies have the same.
    """

    constants: list[int] = field(default_factory=list)
    identifiers: list[int] = field(default_factory=list)
    of_target: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    alike: dict[Hashable, list[int]] = field(default_factory=dict)
    marks: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def columns(self) -> np.ndarray:
        copies = [j for group in self.alike.values() if len(group) > 1 for j in group]
        others = [*self.constants, *self.identifiers, *self.of_target, *self.groups, *copies]
        found = [np.array(others, np.int64)]
        if self.marks:
            columns, marks = (np.concatenate(part) for part in zip(*self.marks, strict=True))
            found.append(columns[_repeated(marks)])
        return np.unique(np.concatenate(found))

    def notes(self, names: Sequence[str]) -> list[Note]:
        by_kind = (CONSTANT, self.constants), (IDENTIFIER, self.identifiers), (TARGET, self.of_target)
        kinds = (*by_kind, (GROUP, self.groups))
        notes = [Note(kind, j, names[j]) for kind, columns in kinds for j in columns]
        noted = {note.column for note in notes}
        for group in self.alike.values():
            first, *others = sorted(set(group) - noted) or [0]
            notes += [Note(COPY, j, names[j], first, names[first]) for j in others]
        return sorted(notes, key=lambda note: note.column)


def _inspect(
    X: Any,
    names: Sequence[str],
    columns: np.ndarray | None,
    n_rows: int,
    target: Target | None,
    is_all: bool,
) -> _Suspects:
    """Inspect some columns (None for all) in a sample of rows, or in all rows."""
    found = _Suspects()
    all_columns = np.arange(len(names)) if columns is None else columns
    size = max(1, BLOCK_VALUES // max(1, n_rows if is_all else X.shape[0]))
    for start in range(0, len(all_columns), size):
        chosen = all_columns[start : start + size]
        is_whole = columns is None and size >= len(all_columns)
        block = X if is_whole else container_columns(X, chosen, for_sklearn=False)
        source = open_input(block, [names[j] for j in chosen], exact=True)
        _Block(source, chosen, n_rows, target, is_all).inspect(found)
    return found


class _Block:
    """A block of columns, in a sample of rows or, if `is_all`, in all `n_rows` rows.

    `columns` are the indices of the columns in the table, `target` has only the rows of the block.
    """

    def __init__(
        self, source: Input, columns: np.ndarray, n_rows: int, target: Target | None, is_all: bool
    ) -> None:
        self._source, self._columns, self._target, self._is_all = source, columns, target, is_all
        self._is_long = n_rows >= MIN_ROWS
        if target is not None:
            self._order = np.argsort(target.truth, kind="stable")

    def inspect(self, found: _Suspects) -> None:
        kinds = np.array(self._source.kinds)
        if self._target is not None and self._is_long:
            found.groups += self._columns[self._groups_of_rows()].tolist()
        for k in np.flatnonzero(kinds == "category").tolist():
            self._inspect_category(k, found)
        numeric = np.flatnonzero(kinds != "category")
        if len(numeric):
            for members, values in self._source.numeric(numeric):
                self._inspect_numbers(np.asarray(members), values, kinds, found)

    def _inspect_category(self, k: int, found: _Suspects) -> None:
        codes, levels = self._source.category(k)
        j, n_present = int(self._columns[k]), int(np.count_nonzero(codes >= 0))
        is_constant = len(levels) < 2 and n_present in (0, len(codes))
        if is_constant:
            found.constants.append(j)
        if not self._is_long:
            return
        share = DISTINCT_SHARE if self._is_all else SOME_SHARE
        if len(levels) >= CODE_SHARE * n_present and all(map(_is_code, levels)):
            share = CODE_SHARE
        if len(levels) >= share * n_present and (n_present >= MIN_ROWS or not self._is_all):
            found.identifiers.append(j)
        if not (is_constant and self._is_all):
            _, first, levels_of = np.unique(codes, return_index=True, return_inverse=True)
            # number the levels in the order of their first rows
            numbers = np.argsort(np.argsort(first, kind="stable"), kind="stable")
            canonical = numbers[levels_of]
            found.alike.setdefault(("category", canonical.astype(np.int32).tobytes()), []).append(j)
        if self._target is not None and self._may_copy_target(codes[np.newaxis])[0]:
            found.of_target.append(j)

    def _inspect_numbers(
        self, members: np.ndarray, values: np.ndarray, kinds: np.ndarray, found: _Suspects
    ) -> None:
        columns, floats = self._columns[members], _as_floats(values)
        may_have_gaps = values.dtype.kind == "f"
        least, most = (np.fmin, np.fmax) if may_have_gaps else (np.minimum, np.maximum)  # which are faster
        low, high = least.reduce(floats, axis=1), most.reduce(floats, axis=1)
        has_gaps = np.isnan(floats).any(axis=1) if may_have_gaps else np.zeros(len(floats), bool)
        is_timed = np.isin(kinds[members], ("datetime", "duration"))
        is_constant = np.where(has_gaps, np.isnan(low), low == high)
        # different times may be equal as floats: too far from 1970, or 0 after rounding to microseconds
        is_constant &= ~is_timed | ((abs(low) <= LARGEST_WHOLE) & (low != 0))
        found.constants += columns[is_constant].tolist()
        if not self._is_long:
            return
        is_number = kinds[members] == "numeric"
        for k in np.flatnonzero(self._may_be_identifiers(members, floats, has_gaps) & is_number).tolist():
            if not self._is_all or _is_identifier(floats[k], self._source.names[members[k]]):
                found.identifiers.append(int(columns[k]))
        if self._target is not None:
            found.of_target += columns[self._may_copy_target(values)].tolist()
        scaled, is_finite = _without_unit(floats, low, high, has_gaps)
        if not self._is_all:
            marks = (scaled * _WEIGHTS[: scaled.shape[1]]).sum(axis=1)
            found.marks.append((columns[is_finite], marks[is_finite]))
            return
        for k in np.flatnonzero(is_finite & ~is_constant).tolist():
            found.alike.setdefault(scaled[k].tobytes(), []).append(int(columns[k]))

    def _groups_of_rows(self) -> list[int]:
        """Columns named like a subject; of all rows, those whose repeated values share the target."""
        assert self._target is not None
        named = named_like_subjects(map(str, self._source.names))
        return [
            k for k in named[:MAX_NOTES] if not self._is_all or are_subjects(self._source, k, self._target)
        ]

    def _may_be_identifiers(
        self, members: np.ndarray, floats: np.ndarray, has_gaps: np.ndarray
    ) -> np.ndarray:
        """Which columns are whole numbers that are monotonic, have gaps, or are named like an identifier."""
        few, may_be = floats[:, :FIRST_ROWS], np.zeros(len(floats), bool)
        if len(floats[0]) < 2:
            return may_be
        at = np.flatnonzero(_are_whole(few, has_gaps))  # a few values rule out nearly all
        goes_one_way = _go_one_way(few[at])
        goes_one_way[goes_one_way] = _go_one_way(floats[at[goes_one_way]])
        sounds = _sound_like_ids([self._source.names[k] for k in members[at].tolist()])
        at = at[goes_one_way | has_gaps[at] | sounds]
        may_be[at] = _are_whole(floats[at], has_gaps[at])
        return may_be

    def _may_copy_target(self, values: np.ndarray) -> np.ndarray:
        """Which columns (columns, rows) differ where the target does, in most compared pairs of rows."""
        assert self._target is not None
        ordered = values[:, self._order]
        if self._target.values is None:
            labels = self._target.codes[self._order]
            is_same = labels[1:] == labels[:-1]  # neighbours are mostly of one class,
            is_other = labels != labels[::-1]  # the first and the last are not
            may_be = _mostly((ordered[:, 1:] == ordered[:, :-1])[:, is_same])
            if self._is_all or np.count_nonzero(is_other) >= MIN_PAIRS:
                may_be &= _mostly((ordered != ordered[:, ::-1])[:, is_other], SOME_DIFFER)
        else:
            differs = np.diff(self._target.values[self._order]) > 0
            rises = np.diff(ordered.astype(np.float64), axis=1)[:, differs]
            may_be = _mostly(rises > 0) | _mostly(rises < 0)
        if self._is_all:
            may_be[may_be] = [_copies_target(column, self._target) for column in values[may_be]]
        return may_be


def _as_floats(values: np.ndarray) -> np.ndarray:
    """Numbers as floats; integers as differences from the smallest, so that rounding makes none equal."""
    if values.dtype != np.int64:
        return values.astype(np.float64, copy=False)
    whole = values.view(np.uint64)  # differences wrap around to the right value
    return (whole - values.min(axis=1, keepdims=True).view(np.uint64)).astype(np.float64)


def _mostly(are_so: np.ndarray, share: float = SOME_AGREE) -> np.ndarray:
    """Which columns are True for most pairs of rows (columns, pairs)."""
    return np.asarray(are_so.sum(axis=1) >= share * are_so.shape[1])


def _is_code(level: Any) -> bool:
    return isinstance(level, str) and level.isascii() and level.isdigit()


def named_like_subjects(names: Iterable[str]) -> list[int]:
    """Indices of names such as `patient_id`."""
    names = list(names)
    text = "\n".join(names).casefold()
    if not any(word in text for word in SUBJECTS):  # ten times as fast as the pattern
        return []
    return [j for j, name in enumerate(names) if _SUBJECT.search(name)]


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


def _are_whole(floats: np.ndarray, has_gaps: np.ndarray) -> np.ndarray:
    """Which columns (columns, rows) have whole numbers only, or gaps."""
    return np.asarray((has_gaps[:, None] & np.isnan(floats) | (floats == np.floor(floats))).all(axis=1))


def _go_one_way(numbers: np.ndarray) -> np.ndarray:
    """Which columns (columns, rows) only rise, or only fall."""
    earlier, later = numbers[:, :-1], numbers[:, 1:]
    return np.logical_or((later > earlier).all(axis=1), (later < earlier).all(axis=1))


def _sound_like_ids(names: Sequence[str]) -> np.ndarray:
    """Which names sound like those of identifiers."""
    text = "\n".join(names).casefold()
    if not any(part in text for part in ID_PARTS) and all(map(str.strip, names)):
        return np.zeros(len(names), bool)  # much faster than one by one
    return np.array([_share_of_id(name) <= 1 for name in names])


def _share_of_id(name: str) -> float:
    """Share of distinct values from which a column of this name is an identifier; infinite if none is."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name) if _MAY_BE_ID.search(name) else ["-"]
    if not name.strip() or any(word.lower() in ID_WORDS for word in (*words[:1], *words[-1:])):
        return CODE_SHARE
    return DISTINCT_SHARE if words and words[-1].lower() in NUMBER_WORDS else np.inf


def _is_identifier(column: np.ndarray, name: str) -> bool:
    """Whether whole numbers count the rows, or are named like an identifier and mostly distinct.

    Distinct values alone are not enough: measurements such as salaries may differ in every row.
    """
    present = column[~np.isnan(column)]
    if len(present) < MIN_ROWS:
        return False
    share = _share_of_id(name)
    if share <= 1 and len(np.unique(present)) >= share * len(present):
        return True
    with np.errstate(over="ignore"):
        steps, spread = np.diff(present), abs(present[-1] - present[0]) + 1
    goes_one_way = bool((steps > 0).all() or (steps < 0).all())
    return goes_one_way and bool((steps == steps[0]).all() or spread <= MAX_SPREAD * len(present))


def _without_unit(
    floats: np.ndarray, low: np.ndarray, high: np.ndarray, has_gaps: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Scale columns (columns, rows) to 0..1, starting in the lower half; also return which are finite."""
    with np.errstate(all="ignore"):
        spread = high - low
        scaled = floats - low[:, None]
        scaled /= spread[:, None]
    first = scaled[:, 0].copy()
    for k in np.flatnonzero(has_gaps).tolist():
        first[k] = scaled[k, np.argmax(~np.isnan(floats[k]))]
    np.subtract(1, scaled, out=scaled, where=(first > 0.5)[:, None])
    is_one_value = ~(spread > 0)
    scaled[is_one_value] = 0
    if has_gaps.any():
        scaled[np.isnan(floats)] = -1
    np.round(scaled, 9, out=scaled)
    scaled += 0.0  # without negative zeros
    return scaled, np.isfinite(spread) | is_one_value


def _copies_target(column: np.ndarray, target: Target) -> bool:
    """Whether a column renames the classes of the target, or has the order of a real target."""
    is_there = target.is_labelled
    if column.dtype.kind == "f":
        is_there = is_there & ~np.isnan(column)
    column = column[is_there]
    if len(column) < SAME_AS_TARGET * len(is_there):
        return False
    if target.values is not None:
        ranks, labels = scipy.stats.rankdata(column), scipy.stats.rankdata(target.values[is_there])
        return bool(ranks.std() > 0 and abs(np.corrcoef(ranks, labels)[0, 1]) > SAME_ORDER)
    levels, level_of = np.unique(column, return_inverse=True)
    if len(levels) > 2 * target.n_classes:
        return False
    cells = np.zeros((target.n_classes, len(levels)), np.int64)
    cells.reshape(-1)[:] = np.bincount(
        target.codes[is_there].astype(np.int64) * len(levels) + level_of, minlength=cells.size
    )
    sizes = cells.sum(axis=1)
    cells, sizes = cells[sizes > 0], sizes[sizes > 0]
    names = cells.argmax(axis=1)
    n_errors = len(column) - cells.max(axis=1).sum()
    others = len(column) - sizes.max()
    is_one_to_one = len(set(names.tolist())) == len(names)
    return bool(
        is_one_to_one and n_errors <= (1 - SAME_AS_TARGET) * len(column) and n_errors <= MAX_ERRORS * others
    )


def _notes_of_sparse(X: Any, names: Sequence[str] | None) -> tuple[Note, ...]:
    """Find constants, and copies among columns with enough stored values."""
    found, source = _Suspects(), SparseInput(X, names)
    n_rows, n_columns = X.shape
    # read CSR as it lies, unless entries are repeated
    matrix = type(X)((X.data, X.indices, X.indptr), shape=X.shape) if X.format == "csr" else None
    if matrix is None or not matrix.has_canonical_format:
        matrix = source.matrix
    is_by_column, n_stored = matrix.format == "csc", matrix.indptr[-1]
    places = matrix.indices[:n_stored]
    lengths = np.diff(matrix.indptr) if is_by_column else np.bincount(places, minlength=n_columns)
    found.constants += stored_constants(matrix, lengths).tolist()
    # copies have equal sums with unequal weights of rows, so only columns with equal sums are compared
    marks = matrix.T @ np.modf(np.arange(1.0, n_rows + 1) * GOLDEN)[0]
    if not np.isfinite(marks).all():
        marks = lengths
    enough = np.flatnonzero(lengths >= MIN_ROWS)
    alike = enough[_repeated(marks[enough])]
    some = matrix[:, alike].tocsc()
    for k, j in enumerate(alike.tolist()):
        stored = slice(some.indptr[k], some.indptr[k + 1])
        mark = (some.indices[stored].tobytes(), some.data[stored].tobytes())
        found.alike.setdefault(mark, []).append(j)
    return tuple(found.notes(source.names))


def _repeated(values: np.ndarray) -> np.ndarray:
    """Which values are there more than once."""
    ordered = np.sort(values)  # positions, which are rarely needed, would take much longer
    return np.isin(values, ordered[1:][ordered[1:] == ordered[:-1]])
