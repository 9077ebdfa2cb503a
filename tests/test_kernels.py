"""Kernels compile whatever the disk says, and the processor's tricks equal plain counting."""

import os
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from entropick._kernels import bitplanes, jit
from entropick.counting.local import PairCounter
from entropick.surprisal import Surprisal
from entropick.table import encode
from entropick.table.target import encode_target
from entropick.threads import Threads


@given(codes=hnp.arrays(np.uint8, st.integers(1, 5).map(lambda w: 64 * w), elements=st.integers(0, 6)))
def test_bit_planes_equal_comparison(codes):
    """Plane k has the bits of the rows at level k + 1."""
    planes = np.empty((6, len(codes) // 64), np.uint64)
    zero = np.zeros(1, np.int64)
    bitplanes.pack(codes[None, :], zero, np.array([7]), zero, planes)
    for level in range(1, 7):
        expected = np.packbits(codes == level, bitorder="little").view(np.uint64)
        assert np.array_equal(planes[level - 1], expected)


@pytest.mark.parametrize("n_rows", [1, 64, 130, 256, 257, 900, 40_000])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 70])
def test_pairs_by_planes_equal_counting(n_rows, n_classes):
    """One word, a few and several tiles of them; with and without classes; planes and tables mixed."""
    rng = np.random.default_rng(n_rows)
    X = rng.integers(0, [1, 2, 3, 5, 6, 20], (n_rows, 6))
    y = rng.integers(0, n_classes, n_rows)
    (table, _), surprisal = encode(X, encode_target(y, kind="class")), Surprisal(n_rows)
    codes, labels = np.array(list(table), np.int64), table.target.codes
    with Threads(1) as threads:
        for with_classes in (True, False):
            counter = PairCounter(table, threads, by_class=with_classes)
            selected = counter.new_selected()
            for s in range(6):
                selected.add(table.column(s), int(table.n_levels[s]))
            for s in range(6):
                sums = counter.sums(np.arange(6), selected, s, surprisal.phi)
                for f in range(6):
                    pair = codes[f] * 20 + codes[s]
                    joint = pair * 100 + labels if with_classes else pair
                    expected = [surprisal.sum(np.bincount(pair)), surprisal.sum(np.bincount(joint))]
                    assert sums[:, f].tolist() == expected


class BrokenDispatcher:
    """A compiled function whose cache is damaged."""

    def __init__(self, error):
        self.error = error

    def __call__(self, *args):
        raise self.error


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), pickle.UnpicklingError("truncated"), EOFError()]
)
def test_damaged_cache_compiles_in_memory(error, monkeypatch):
    """Disk full, truncated or corrupt: one warning, the right answer, and no second warning."""
    monkeypatch.setattr(jit, "_warned", False)
    kernels = []
    for _ in range(2):
        function = jit.kernel(lambda x: x + 1)
        function._compiled = BrokenDispatcher(error)
        kernels.append(function)
    with pytest.warns(jit.CacheWarning, match="NUMBA_CACHE_DIR") as warned:
        assert [function(1) for function in [*kernels, *kernels]] == [2, 2, 2, 2]
    assert len(warned) == 1


def test_no_place_for_the_cache(monkeypatch):
    """Where numba finds no writable place at all, kernels are compiled without cache."""
    monkeypatch.setattr(jit, "_warned", False)
    real = jit.numba.njit

    def njit(*args, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(jit.numba, "njit", njit)
    with pytest.warns(jit.CacheWarning, match="no locator available"):
        function = jit.kernel(lambda x: x * 2)
    assert function(4) == 8


def test_errors_of_the_kernel_itself_come_through(monkeypatch):
    """An exception that is not the cache's fault is raised, not swallowed."""
    monkeypatch.setattr(jit, "_warned", True)
    with pytest.raises(Exception, match="nope"):
        jit.kernel(_kernel_with_unknown_name)(1)


def _kernel_with_unknown_name(x):
    return nope(x)  # noqa: F821


def test_corrupt_cache_files_on_disk(tmp_path):
    """A process that finds garbage in place of its cached kernels still gives the right answer."""
    script = textwrap.dedent(
        """
        import numpy as np
        from entropick._kernels.bitplanes import pack
        planes, zero = np.empty((1, 1), np.uint64), np.zeros(1, np.int64)
        pack(np.ones((1, 64), np.uint8), zero, np.array([2]), zero, planes)
        print(planes)
        """
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    first = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )
    files = list(tmp_path.rglob("*.nb[ic]"))
    assert files
    for file in files:
        file.write_bytes(b"garbage")
    second = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    )
    assert second.stdout == first.stdout
    assert second.stderr.count("CacheWarning") == 1
