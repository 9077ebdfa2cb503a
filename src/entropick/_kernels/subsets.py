"""Joint levels of many subsets of columns at once.

Each level of each column has a random 64-bit key. The joint level of a row on a subset is the sum of
its keys, modulo 2^64: rows that agree on all columns of the subset have equal sums, all others
differ but for one chance in 2^64 per pair. Columns that mostly have one level are lists of the other
rows with the difference of keys to the usual level, which takes a constant off every sum.

Counts come from grouping equal sums in a hash table. Where rows are many they are first dealt by the high
bits of their sums into parts that fit the fastest memory.
"""

from entropick._core import (
    add_keys as add_keys,
    add_listed as add_listed,
    expand_keys as expand_keys,
    group_sums as group_sums,
)

ENTROPY, PEAK, NORM, MAJORITY = 0, 1, 2, 3  # what is summed over the groups
