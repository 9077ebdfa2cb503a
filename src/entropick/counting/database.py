"""Cells of a table inside a database: it counts groups of rows, and sends the counts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import narwhals.stable.v2 as nw
import numpy as np

from entropick.counting.cells import Cells, Counted, Given
from entropick.exceptions import DatabaseError
from entropick.table.encoding.in_database import Frame, Rows

MAX_SUMMED_CLASSES = 64  # of which the counts of a group stand in one row
MAX_TOGETHER = 1 << 12  # cells of columns that are counted by one query
SUBSETS_AT_ONCE = 8  # each groups the rows by many columns
TARGET = "y"


class Asked(Protocol):
    """What answers queries."""

    @property
    def columns_at_once(self) -> int:
        """Columns whose cells are best counted by one query."""

    def ask(self, branches: Sequence[Frame]) -> Rows:
        """The rows of some queries with the same columns, one after the other."""


def key_of(column: int) -> str:
    """The name of a column of codes."""
    return f"c{column}"


class DatabaseCells(Cells):
    """`Cells` of a table of codes inside a database.

    Parameters
    ----------
    database : answers queries
    codes : the table: columns c0, c1, ... and y
    n_levels : levels of each column
    n_classes : classes
    texts : of columns, or of y, that have texts instead of codes: the code of each text
    n_rows : rows that were there when levels were found
    """

    def __init__(
        self,
        database: Asked,
        codes: Frame,
        n_levels: np.ndarray,
        n_classes: int,
        texts: Mapping[str, Mapping[Any, int]],
        n_rows: int,
    ) -> None:
        self._database, self._codes, self._texts = database, codes, texts
        self.n_levels, self.n_rows = n_levels, n_rows
        rows = database.ask([codes.group_by(TARGET).agg(n=nw.len())])
        self.class_sizes = np.zeros(n_classes, np.int64)
        np.add.at(self.class_sizes, self._code(TARGET, rows[TARGET], n_classes), rows["n"].astype(np.int64))
        self._check(int(self.class_sizes.sum()))

    def of_columns(self, columns: np.ndarray, given: Given, by_class: bool) -> Counted:
        others = self.n_levels[list(given)]
        starts = np.concatenate([[0], np.cumsum(self.n_levels[columns] * others.prod(dtype=np.int64))[:-1]])
        n_classes = len(self.class_sizes) if by_class else 1
        keys, labels, counts, totals = [], [], [], np.zeros(len(columns), np.int64)
        for blocks in self._blocks(columns, int(others.prod(dtype=np.int64)) * n_classes):
            for which, found, rows in self._counted(blocks, columns, given, by_class):
                for g, (column, levels) in enumerate(zip(given, others.tolist(), strict=True)):
                    found = found * levels + self._code(key_of(column), rows[f"g{g}"], levels)
                keys.append(starts[which] + found)
                n = rows["n"].astype(np.int64)
                counts.append(n)
                labels.append(
                    self._code(TARGET, rows[TARGET], n_classes) if by_class else np.zeros_like(which)
                )
                np.add.at(totals, which, n)
        self._check(*totals.tolist())
        return _gathered(np.concatenate(keys), np.concatenate(labels), np.concatenate(counts), n_classes)

    def _blocks(self, columns: np.ndarray, n_beside: int) -> list[list[tuple[int, ...]]]:
        """The places of columns that are counted by one query: those with codes, and those with texts."""
        with_texts: list[tuple[int, ...]] = []
        with_codes: list[tuple[int, ...]] = []
        for place, column in enumerate(columns.tolist()):
            if key_of(column) in self._texts:
                with_texts.append((place,))
                continue
            before = with_codes[-1] if with_codes else ()
            n_cells = self.n_levels[columns[[*before, place]]].prod(dtype=np.int64) * n_beside
            if before and len(before) < self._database.columns_at_once and n_cells <= MAX_TOGETHER:
                with_codes[-1] = (*before, place)
            else:
                with_codes.append((place,))
        return [blocks for blocks in (with_codes, with_texts) if blocks]

    def _counted(
        self, blocks: Sequence[tuple[int, ...]], columns: np.ndarray, given: Given, by_class: bool
    ) -> Iterator[tuple[np.ndarray, np.ndarray, Rows]]:
        """Rows of counts: the place of the column that they are of, and its codes."""
        size = max(map(len, blocks))
        asked = [[key_of(f) for f in columns[list(block)].tolist()] for block in blocks]
        rows = self._database.ask([self._groups(*one, size, given, by_class) for one in enumerate(asked)])
        of_block = rows["w"].astype(np.int64)
        for k in range(size):
            place = np.array([block[k] if k < len(block) else -1 for block in blocks])[of_block]
            at = place >= 0
            found = self._codes_of(rows[f"f{k}"][at], place[at], columns)
            yield place[at], found, {name: values[at] for name, values in rows.items()}

    def _groups(self, block: int, keys: Sequence[str], size: int, given: Given, by_class: bool) -> Frame:
        """The query for the cells of a block of columns."""
        names = [*keys, *map(key_of, given), *([TARGET] if by_class else [])]
        counted = self._codes.group_by(*dict.fromkeys(names)).agg(n=nw.len())
        own = {f"f{k}": nw.lit(0).cast(nw.Int64) for k in range(size)}
        for k, key in enumerate(keys):
            own[f"f{k}"] = nw.col(key) if key in self._texts else nw.col(key).cast(nw.Int64)
        beside = {f"g{g}": nw.col(key_of(column)) for g, column in enumerate(given)}
        classes = {TARGET: nw.col(TARGET)} if by_class else {}
        return counted.select(
            w=nw.lit(block).cast(nw.Int64), **own, **beside, **classes, n=nw.col("n").cast(nw.Int64)
        )

    def _codes_of(self, found: np.ndarray, which: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The codes of an answer, of several columns."""
        codes = np.empty(len(found), np.int64)
        for place in np.unique(which).tolist():
            f, at = int(columns[place]), which == place
            codes[at] = self._code(key_of(f), found[at], int(self.n_levels[f]))
        return codes

    def _code(self, key: str, found: np.ndarray, n_levels: int) -> np.ndarray:
        """The codes of one column of an answer."""
        texts = self._texts.get(key)
        try:
            codes = (
                np.array([texts[text] for text in found.tolist()], np.int64)
                if texts
                else found.astype(np.int64)
            )
        except (KeyError, TypeError):  # a text, or NULL, that was not there before
            raise _changed() from None
        if len(codes) and not 0 <= codes.min() <= codes.max() < n_levels:
            raise _changed()
        return codes

    def of_subsets(self, subsets: np.ndarray) -> list[Counted]:
        found: list[Counted] = []
        n_classes = len(self.class_sizes)
        by_sums = n_classes <= MAX_SUMMED_CLASSES and TARGET not in self._texts
        for first in range(0, len(subsets), SUBSETS_AT_ONCE):
            block = [np.flatnonzero(subset).tolist() for subset in subsets[first : first + SUBSETS_AT_ONCE]]
            found += self._summed(block) if by_sums else [self._cells_of(columns) for columns in block]
        for groups in found:
            self._check(int(groups.total(groups.counts.sum(axis=1))))
        return found

    def _summed(self, block: Sequence[Sequence[int]]) -> list[Counted]:
        """Groups with the same counts as one, so that their number stays small."""
        names = [f"n{c}" for c in range(len(self.class_sizes))]
        indicators = {
            name: nw.when(nw.col(TARGET) == c).then(nw.lit(1)).otherwise(nw.lit(0))
            for c, name in enumerate(names)
        }
        marked = self._codes.with_columns(**indicators)
        branches = []
        for place, columns in enumerate(block):
            sums = [nw.col(name).sum().cast(nw.Int64) for name in names]
            if columns:
                groups = marked.group_by(*map(key_of, columns)).agg(*sums)
                alike = groups.group_by(*names).agg(times=nw.len())
            else:
                alike = marked.select(*sums).with_columns(times=nw.lit(1))
            branches.append(
                alike.select(
                    nw.lit(place).cast(nw.Int64).alias("w"),
                    nw.col("times").cast(nw.Int64),
                    *(nw.col(name).cast(nw.Int64) for name in names),
                )
            )
        rows = self._database.ask(branches)
        table = np.stack([rows[name].astype(np.int64) for name in ("w", "times", *names)], axis=1)
        table = table[np.lexsort(table.T[::-1])]  # in an order that does not depend on the engine
        of_places = [table[table[:, 0] == place] for place in range(len(block))]
        return [Counted(np.arange(len(part)), part[:, 2:], part[:, 1]) for part in of_places]

    def _cells_of(self, columns: Sequence[int]) -> Counted:
        """The groups of one subset, one row per group."""
        names = [*map(key_of, columns), TARGET]
        rows = self._database.ask([self._codes.group_by(*names).agg(n=nw.len())])
        keys = np.zeros(len(rows["n"]), np.int64)
        for column in columns:
            levels = int(self.n_levels[column])
            keys = np.unique(
                keys * levels + self._code(key_of(column), rows[key_of(column)], levels), return_inverse=True
            )[1]
        labels = self._code(TARGET, rows[TARGET], len(self.class_sizes))
        return _gathered(keys, labels, rows["n"].astype(np.int64), len(self.class_sizes))

    def _check(self, *totals: int) -> None:
        if any(total != self.n_rows for total in totals):
            raise _changed()


def _changed() -> DatabaseError:
    return DatabaseError(
        "The table changed while its rows were counted. Hint: select from a copy of it, or within a "
        "transaction that sees one state of it."
    )


def _gathered(keys: np.ndarray, labels: np.ndarray, counts: np.ndarray, n_classes: int) -> Counted:
    present, place = np.unique(keys, return_inverse=True)
    table = np.zeros((len(present), n_classes), np.int64)
    np.add.at(table, (place, labels), counts)
    return Counted(present, table)
