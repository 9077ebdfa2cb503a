"""Sketches: parts that exchange them find the levels of all rows, exactly, in any order and grouping."""

import itertools

import numpy as np
import polars as pl
import pytest

import entropick as ep
from database_tables import dirty_table
from entropick.exceptions import CombinationError, DataError

pytestmark = pytest.mark.filterwarnings("ignore::entropick.exceptions.SelectionWarning")


def cut(frame, ends):
    return [frame[a:b] for a, b in itertools.pairwise([0, *ends, frame.height])]


def found_together(parts, target="y", **options):
    """Merged sketches of all parts, and the number of rounds."""
    merged, rounds = None, 0
    while merged is None or not merged.is_complete:
        first, *others = (ep.Sketches.count(part, target, after=merged, **options) for part in parts)
        merged = first.merge(*others)
        rounds += 1
    return merged, rounds


def skewed_table(n_rows):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n_rows)
    return pl.DataFrame(
        {
            "even": rng.normal(size=n_rows) + y,
            "skewed": np.exp(30 * rng.normal(size=n_rows)),
            "wide": rng.integers(-(2**62), 2**62, n_rows),
            "lost": [None if k % 7 == 0 else float(v) for k, v in enumerate(rng.normal(size=n_rows))],
            "lost huge": [
                None if k % 7 == 2 else 2**60 + int(v) for k, v in enumerate(rng.integers(0, 9999, n_rows))
            ],
            "lost far": [
                None if k % 7 == 2 else int(v) + 2**53 * (k > n_rows - 9)
                for k, v in enumerate(rng.integers(10, 2**40, n_rows))
            ],
            "tied": rng.integers(0, 40, n_rows),
            "text": rng.choice(["a", "b", "c"], n_rows),
            "y": y,
        }
    )


@pytest.mark.parametrize("binning", ["quantile", "uniform"])
def test_levels_of_all_rows(binning):
    """More distinct values than a sketch holds: further rounds give the exact edges, and the same counts."""
    frame = skewed_table(9_000)
    parts = cut(frame, [5_000, 5_010])
    merged, rounds = found_together(parts, binning=binning)
    pooled = ep.Cube.count(frame.drop("y"), frame["y"], binning=binning)
    assert rounds > 1
    assert (tuple(merged.encodings), merged.target) == (pooled.encodings, pooled.target)
    a, b, c = (ep.Cube.count(part, "y", edges=merged) for part in parts)
    for together in (a.merge(b, c), c.merge(a).merge(b), b.merge(c.merge(a))):
        assert together == pooled


def test_columns_and_targets_of_all_kinds():
    frame = dirty_table(240)
    for target in ("y", 'x"; DROP TABLE t; --', "text"):
        merged, _ = found_together(cut(frame, [0, 100, 130]), target)
        pooled = ep.Cube.count(frame.drop(target), frame[target])
        assert (tuple(merged.encodings), merged.target) == (pooled.encodings, pooled.target)


def test_files_and_grouping(tmp_path):
    """What is stored between rounds is all that is needed; a damaged or other file is refused."""
    frame = skewed_table(5_000)
    parts = cut(frame, [3_000, 4_000])
    path = tmp_path / "a.sketch"
    merged = None
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        if merged is not None and merged.is_complete:
            break
        a, b, c = (ep.Sketches.count(parts[k], "y", after=merged) for k in order)
        a.merge(b).merge(c).save(path)
        merged = ep.Sketches.load(path)
    assert merged.is_complete
    assert tuple(merged.encodings) == ep.Cube.count(frame.drop("y"), frame["y"]).encodings
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"damaged|is not a file of sketches"):
        ep.Sketches.load(path)
    ep.Cube.count(frame, "y").save(path)
    with pytest.raises(DataError, match="is not a file of sketches"):
        ep.Sketches.load(path)


def test_what_cannot_be():
    frame = skewed_table(5_000)
    first, second = cut(frame, [3_000])
    a, b = ep.Sketches.count(first, "y"), ep.Sketches.count(second, "y")
    merged = a.merge(b)
    with pytest.raises(DataError, match="edges of 6 columns are not known exactly yet"):
        ep.Cube.count(first, "y", edges=merged)
    answer = ep.Sketches.count(first, "y", after=merged)
    with pytest.raises(DataError, match="Only 3000 of 5000 rows answered"):
        answer.is_complete  # noqa: B018
    with pytest.raises(DataError, match="answer the same question"):
        answer.merge(b)
    with pytest.raises(DataError, match="answer different questions"):
        answer.merge(ep.Sketches.count(second, "y", after=b))
    with pytest.raises(DataError, match="same options"):
        a.merge(ep.Sketches.count(second, "y", n_bins=4))
    with pytest.raises(DataError, match="'text' is not in all"):
        a.merge(ep.Sketches.count(second.drop("text"), "y"))
    with pytest.raises(CombinationError, match="mdlp"):
        ep.Sketches.count(first, "y", binning="mdlp")


@pytest.mark.parametrize("binning", ["quantile", "uniform"])
@pytest.mark.parametrize("change", [lambda X: X + 100, lambda X: X - 100, lambda X: X * np.nan])
def test_other_rows_in_a_later_round(monkeypatch, binning, change):
    monkeypatch.setattr("entropick.table.sketches.sketch_values", lambda rules: 12)
    X, y = np.random.default_rng(0).normal(size=(200, 2)), np.arange(200) % 2
    first = ep.Sketches.count(X, y, binning=binning)
    with pytest.raises(DataError, match="not the rows of the round before"):
        ep.Sketches.count(change(X), y, after=first).is_complete  # noqa: B018
    nothing = pl.DataFrame({"x0": [None] * 200, "x1": ["a"] * 200})
    with pytest.raises(DataError, match="'x1' holds numbers in one partition and strings"):
        ep.Sketches.count(nothing, y, after=first)
