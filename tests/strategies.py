"""Random tables for property tests, and how many of them."""

import numpy as np
from hypothesis import settings, strategies as st
from hypothesis.extra import numpy as hnp

from unlike_columns import unlike_columns

PER_PUSH = settings.get_profile("push").max_examples


def examples(n_per_push: int) -> settings:
    """So many examples in the profile `push` instead of the usual number; other profiles scale both alike."""
    return settings(max_examples=max(5, n_per_push * settings().max_examples // PER_PUSH))


@st.composite
def tables(draw, max_rows=60, max_columns=7, max_levels=12, min_rows=1):
    """A table of integer codes and classes: few and many levels side by side, constants, duplicates, one row, one class."""
    n_rows = draw(st.integers(min_rows, max_rows))
    n_columns = draw(st.integers(1, max_columns))
    columns = []
    for _ in range(n_columns):
        kind = draw(st.sampled_from(["random", "random", "random", "copy", "relabelled", "unlike", "unlike"]))
        if kind == "copy" and columns:
            columns.append(draw(st.sampled_from(columns)))
        elif kind == "relabelled" and columns:
            source = draw(st.sampled_from(columns))
            columns.append(source.max() - source)
        elif kind == "unlike":  # a constant, 2, 3, √n, n/10 or n levels, or nearly all rows in one
            rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
            columns += unlike_columns(rng, n_rows, 1)
        else:
            levels = draw(st.integers(2, max_levels))
            columns.append(draw(hnp.arrays(np.int64, n_rows, elements=st.integers(0, levels - 1))))
    n_classes = draw(st.integers(1, 4))
    y = draw(hnp.arrays(np.int64, n_rows, elements=st.integers(0, n_classes - 1)))
    if draw(st.booleans()) and columns:  # a target that some column tells about
        y = (columns[0] + y * (np.arange(n_rows) % 3 == 0)) % (n_classes + 1)
    return np.column_stack(columns), y
