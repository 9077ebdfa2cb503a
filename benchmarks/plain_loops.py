"""Straightforward loops, compiled by numba, as a baseline for times."""

import numba
import numpy as np


@numba.njit(nogil=True)
def popcount(word: np.uint64) -> np.uint64:
    """Number of set bits of a word, in a form that the compiler recognises."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@numba.njit(nogil=True)
def count_pairs(columns: np.ndarray, y: np.ndarray, m: np.uint64, counts: np.ndarray) -> None:
    """One joint histogram after the other, row by row."""
    for x in columns:
        counts[:] = 0
        for i in range(len(y)):
            counts[x[i] * m + y[i]] += 1


@numba.njit(nogil=True)
def count_common_bits(planes: np.ndarray, other: np.ndarray, totals: np.ndarray) -> None:
    """Number of bits that each plane has in common with another one."""
    for p in range(len(planes)):
        plane, total = planes[p], np.uint64(0)
        for i in range(len(other)):
            total += popcount(plane[i] & other[i])
        totals[p] = total


@numba.njit(nogil=True)
def score_plainly(subsets, codes, keys, labels, n_classes, n_slots):
    """Sum the keys of the columns of each subset row by row, and count classes in one hash table."""
    n_rows = codes.shape[1]
    sums = np.empty(n_rows, np.uint64)
    slot_keys = np.empty(n_slots, np.uint64)
    group_of = np.empty(n_slots, np.int64)
    counts = np.empty((n_rows, n_classes), np.int64)
    mask = np.uint64(n_slots - 1)
    total = 0
    for subset in subsets:
        sums[:] = 0
        for j in range(len(subset)):
            if subset[j]:
                for r in range(n_rows):
                    sums[r] += keys[j, codes[j, r]]
        group_of[:] = -1
        counts[:] = 0
        n_groups = 0
        for r in range(n_rows):
            slot = sums[r] & mask
            while group_of[slot] >= 0 and slot_keys[slot] != sums[r]:
                slot = (slot + np.uint64(1)) & mask
            if group_of[slot] < 0:
                slot_keys[slot] = sums[r]
                group_of[slot] = n_groups
                n_groups += 1
            counts[group_of[slot], labels[r]] += 1
        total += n_groups
    return total
