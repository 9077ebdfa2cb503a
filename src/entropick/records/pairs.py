"""Information of columns alone and in pairs, from which a report selects columns again without the table."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from entropick.contracts import CHANCE, Counts
from entropick.counting.surprisal import ColumnSums, Surprisal
from entropick.measures.pairs.pairwise import Redundancies
from entropick.records.selection import Selection
from entropick.table.table import Table

MAX_PAIRED = 150  # columns
MAX_COUNTED = 4_000_000_000  # rows times pairs: a few seconds
PRECISION = 1e-10  # bits; scores that differ by less are ties for the report, too
DIGITS = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", np.uint8)


def pairs_of(table: Table, selection: Selection, correction: str | None) -> dict[str, Any]:
    """I(f;y), I(f;s) and I(f,s;y) of the best columns, as the criteria of pairs estimate them.

    The columns are those of the search's steps, then those of the largest I(f;y). I(f;s|y) and I(f;y|s)
    follow. What columns add is always adjusted for chance: `gains` has it if the criteria are not.
    """
    counts = table.counts
    sums = ColumnSums(counts, Surprisal.of(counts, correction))
    surprisal = sums.surprisal
    columns = _best_columns(sums.relevance, selection, table.n_rows)
    adjusted = sums if surprisal.is_adjusted else ColumnSums(counts, Surprisal.of(counts, "adjusted"))
    return {
        "columns": [_facts(j, table, selection) for j in columns.tolist()],
        "correction": correction,
        "n_columns": len(table.names),
        "n_candidates": int((sums.f < sums.whole).sum()),  # constants do not compete
        "n_rows": surprisal.n_effective,
        "level": CHANCE,
        "target_entropy": (sums.whole - sums.y) * surprisal.unit,
        "entropy": surprisal.to_bits(sums.whole - sums.f[columns]).round(6).tolist(),
        **_estimates(counts, sums, columns),
        "gains": None if adjusted is sums else _estimates(counts, adjusted, columns) | {"redundancy": None},
    }


def _estimates(counts: Counts, sums: ColumnSums, columns: np.ndarray) -> dict[str, Any]:
    """Information of columns alone and in pairs.

    Of adjusted estimates, what I(f;y|s) is by chance has an entry for each order of f and s.
    """
    surprisal, redundancies, n = sums.surprisal, Redundancies(counts, sums), len(columns)
    redundancy, joint, chance = np.zeros((3, n, n))
    follows = np.zeros((n, n), bool)
    for i, s in enumerate(columns.tolist()):
        # Without chance pairs are symmetric; the sums of other columns mean nothing.
        others = columns if surprisal.is_adjusted else columns[i:]
        of_pairs = counts.pair_sums(s, others, surprisal)
        together, with_classes, by_chance = of_pairs[:, columns]
        redundancy[i] = redundancies.with_column(s, of_pairs[0])[columns] * surprisal.unit
        joint[i] = (sums.whole - sums.y + with_classes - together) * surprisal.unit
        chance[i] = by_chance * surprisal.unit
        follows[i] = together == sums.f[s]
    pairs = np.triu_indices(n, 1)
    return {
        "relevance": _bits(sums.relevance[columns], surprisal),
        "plain_relevance": _bits((sums.relevance + sums.expected)[columns], surprisal),
        "redundancy": packed(redundancy[pairs]),
        "joint": packed(joint[pairs]),
        "chance": packed(chance.ravel(), follows.ravel()) if surprisal.is_adjusted else None,
    }


def _best_columns(relevance: np.ndarray, selection: Selection, n_rows: int) -> np.ndarray:
    """The columns to show, in the order of the table, since ties go to the first."""
    n = min(MAX_PAIRED, int((MAX_COUNTED / n_rows) ** 0.5), len(relevance))
    reached = [j for step in selection.steps for j in step.columns]
    ranked = np.argsort(-relevance, kind="stable").tolist()
    return np.sort(np.array(list(dict.fromkeys([*reached, *ranked]))[:n]))


def _bits(units: np.ndarray, surprisal: Surprisal) -> list[float]:
    bits: list[float] = surprisal.to_bits(units).tolist()
    return bits


def _facts(column: int, table: Table, selection: Selection) -> dict[str, Any]:
    """What is known of a column by itself."""
    encoding, known, shares = table.encodings[column], selection.relevances, selection.fold_shares
    described = {} if known is None else known.describe(column)
    return {
        "name": selection.names[column],
        "kind": encoding.kind,
        "missing": encoding.n_missing / max(selection.n_rows, 1),
        "error": described.get("relevance_error"),
        "p": described.get("relevance_p"),
        "q": described.get("relevance_q"),
        "folds": None if shares is None else float(shares[column]),
    }


def packed(values: np.ndarray, marked: Sequence[bool] | np.ndarray | None = None) -> dict[str, Any]:
    """Numbers as text of base 64, of a fixed number of bits each: `low` plus a multiple of `step`.

    Marked ones have the code 0, which no other number has.
    """
    codes = np.zeros(len(values), np.int64)
    is_number = np.ones(len(values), bool) if marked is None else ~np.asarray(marked)
    numbers, first = values[is_number], 0 if marked is None else 1
    low, high = (float(numbers.min()), float(numbers.max())) if len(numbers) else (0.0, 0.0)
    bits = max(math.ceil(math.log2((high - low) / PRECISION + 2)), 6)  # no less than a digit
    step = (high - low) / (2**bits - 2) or 1.0
    codes[is_number] = np.rint((numbers - low) / step).astype(np.int64) + first
    stream = (codes[:, None] >> np.arange(bits - 1, -1, -1) & 1).ravel()
    digits = np.pad(stream, (0, -len(stream) % 6)).reshape(-1, 6) @ (1 << np.arange(5, -1, -1))
    text = DIGITS[digits].tobytes().decode()
    return {"low": low - first * step, "step": step, "bits": bits, "text": text}
