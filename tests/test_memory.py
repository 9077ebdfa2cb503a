"""A fit needs memory for the encoded table, its bit planes and little more."""

import tracemalloc

import numpy as np
import pytest

import entropick as ep

N_ROWS, N_COLUMNS = 200_000, 64


@pytest.mark.parametrize("selector", [ep.MRMR, ep.JMI, ep.CMIM, ep.RenyiFS], ids=lambda s: s.__name__)
def test_peak_memory_of_a_fit(selector):
    """At most 1.5 times the encoded table (one byte per value), and what one block needs."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (N_ROWS, N_COLUMNS), dtype=np.uint8)
    y = (X[:, 3] + rng.integers(0, 2, N_ROWS, dtype=np.uint8)) % 3
    selector(n_features=2).fit(X[:100], y[:100])  # compiles
    tracemalloc.start()
    try:
        selector(n_features=5, n_jobs=2).fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # labels, φ, what is expected by chance, one selected column and the like: some tens of bytes per row
    per_row = 85 * N_ROWS
    assert peak <= 1.5 * N_ROWS * N_COLUMNS + per_row


class FirstColumn:
    """A set measure to which the first column is all that matters."""

    objectives = ("value",)

    def values(self, subsets):
        return -1.0 * subsets[:, :1]


@pytest.mark.slow
def test_adaptive_sampling_holds_its_elite_only(monkeypatch):
    """The second round draws 20 batches of 1,000 subsets and holds 50: all would take 2.5 MB as bits."""
    for name in ("cross_entropy.BLOCK_BYTES", "cross_entropy.PIECE_BYTES", "scored.MEMORY_BYTES"):
        monkeypatch.setattr(f"entropick.searches.subsets.{name}", 1 << 16)
    search = ep.searches.CrossEntropy("adaptive", parsimony=False, random_state=0, max_equivalents=0)
    tracemalloc.start()
    try:
        with pytest.warns(UserWarning, match="nothing was learned"):
            found = search.explore(FirstColumn(), 1000, [])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.history[-1].n_evaluated == 1000 + 20 * 1000
    assert peak < 2e6
