"""Cutting numeric columns into levels.

Every strategy ends in *edges*: the largest value of each level but the last. The level of a value
is the number of edges below it. No level is empty and equal values are never separated.
"""

from entropick._core import (
    assign_levels as assign_levels,
    assign_sparse_levels as assign_sparse_levels,
    encode_columns as encode_columns,
    find_mdlp_edges as find_mdlp_edges,
    find_sparse_edges as find_sparse_edges,
)

QUANTILE, UNIFORM = 0, 1
