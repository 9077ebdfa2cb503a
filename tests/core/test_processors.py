"""ENTROPICK_PROCESSOR chooses the compiled loops by hand, and all of them give the same numbers.

`make processors` runs all tests of this folder for each kind of processor that the machine has.
"""

import os
import subprocess
import sys

import pytest

from entropick import _core

KINDS = ["plain", "avx2", "avx512"]
# Few words and many, tiles, level 0, and pairs of 226 cells, which only some processors count by planes.
# Lassos of rows and forests are numbers with a fraction: all their bits are printed.
COMPUTE = """
import numpy as np
from core.cases import PairTable
from entropick import _core
for n_rows, n_levels, n_classes in [(150, [3, 5, 2], 3), (1000, [16, 16, 3], 1), (40_000, [2, 4, 3], 2)]:
    table = PairTable(n_rows, n_rows, n_levels, n_classes)
    for s in table.everything:
        print(table.sums(s).tolist())
rng = np.random.default_rng(0)
for n_rows, n_columns in [(7, 3), (50, 9)]:
    points, numbers = rng.integers(-999, 999, (n_rows, n_columns)) / 64, rng.integers(-999, 999, n_rows) / 7
    weights, is_solved, means = np.empty((n_rows, n_rows)), np.empty(n_rows, bool), np.empty((n_rows, 1))
    _core.describe_rows(points @ points.T, 0.05, 0, weights, is_solved)
    columns = np.ascontiguousarray(points.T)
    _core.Forest(columns, np.zeros(n_rows, np.int32), numbers, 2, 9, 0).predict(columns, means)
    print(is_solved.tolist(), weights.tobytes().hex(), means.tobytes().hex())
"""


def run_with(kind, code):
    environment = {
        **os.environ,
        "ENTROPICK_PROCESSOR": kind,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def outputs_of_all_kinds(code):
    """What the code prints, for each kind of processor that this machine has."""
    runs = {kind: run_with(kind, code) for kind in KINDS}
    return {kind: run.stdout for kind, run in runs.items() if "does not have" not in run.stderr}


def test_the_kind_is_chosen_by_hand():
    printed = outputs_of_all_kinds("from entropick import _core; print(_core.processor())")
    assert {kind: text.strip() for kind, text in printed.items()} == {kind: kind for kind in printed}
    assert "plain" in printed


def test_by_default_it_is_the_best_there_is():
    printed = outputs_of_all_kinds("import entropick._core")
    result = run_with("", "from entropick import _core; print(_core.processor())")
    assert result.stdout.strip() == list(printed)[-1]
    assert _core.processor() in printed


def test_every_kind_computes_the_same():
    printed = outputs_of_all_kinds(COMPUTE)
    assert len(printed["plain"].splitlines()) == 11
    assert set(printed.values()) == {printed["plain"]}


@pytest.mark.parametrize("word", ["avx3", "AVX2", "plain "])
def test_another_word_is_refused(word):
    result = run_with(word, "import entropick._core")
    assert result.returncode == 1
    assert f"ImportError: ENTROPICK_PROCESSOR must be plain, avx2 or avx512, not '{word}'." in result.stderr
