"""Information of pairs that a report selects from: right, and precise enough once it is text."""

import string

import numpy as np
import pytest

import entropick as ep
import naive
from entropick.records import pairs
from entropick.selectors.method import fit_keeping_table
from report_documents import table_to_choose_from

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def unpacked(text, has_marks=False):
    """Read numbers back from a string of bits; None for marked ones."""
    stream, bits = "".join(f"{ALPHABET.index(digit):06b}" for digit in text["text"]), text["bits"]
    codes = [int(stream[start : start + bits], 2) for start in range(0, len(stream) - bits + 1, bits)]
    return [None if has_marks and code == 0 else text["low"] + text["step"] * code for code in codes]


@pytest.mark.parametrize("values", [[0.0, 1e-3, 2.5], [-3.0, 12.0], [0.7], [0.0, 0.0]])
def test_numbers_survive_as_text(values):
    """Errors stay below the precision, and marks are no numbers."""
    values = np.array(values)
    marked = np.arange(len(values)) == 1
    found = unpacked(pairs.packed(values, marked), has_marks=True)
    assert [number is None for number in found] == marked.tolist()
    for number, value in zip(found, values, strict=True):
        assert number is None or abs(number - value) <= pairs.PRECISION


@pytest.mark.parametrize("correction", [None, "adjusted"])
def test_information_of_pairs(correction):
    """I(f;y), I(f;s), I(f,s;y) and what I(f;y|s) is by chance, against sums over the rows."""
    X, y = table_to_choose_from(3)
    X = X[:, :6]
    selector = ep.JMI(2, correction=correction)
    table = fit_keeping_table(selector, X, y)
    found = pairs.pairs_of(table, selector.selection_, correction)
    levels = [table.levels(j).tolist() for j in range(6)]
    labels = y.tolist()
    relevance = [naive.mutual_information(f, labels, correction=correction) for f in levels]
    assert found["relevance"] == pytest.approx(relevance, abs=1e-9)
    assert found["target_entropy"] == pytest.approx(naive.entropy(labels))
    above = [(i, j) for i in range(6) for j in range(i + 1, 6)]
    shared = [naive.mutual_information(levels[i], levels[j], correction=correction) for i, j in above]
    assert unpacked(found["redundancy"]) == pytest.approx(shared, abs=1e-9)
    joint = [naive.mutual_information(naive.joint(levels[i], levels[j]), labels) for i, j in above]
    assert unpacked(found["joint"]) == pytest.approx(joint, abs=1e-9)
    if correction is None:
        assert found["chance"] is None
        return
    chance = unpacked(found["chance"], has_marks=True)
    for s, of_s in enumerate(levels):
        for f, of_f in enumerate(levels):
            expected = naive.mutual_information(of_f, labels, of_s) - naive.mutual_information(
                of_f, labels, of_s, correction="adjusted"
            )
            follows = naive.conditional_entropy(of_f, [of_s]) < 1e-12
            assert (chance[6 * s + f] is None) == follows
            assert follows or chance[6 * s + f] == pytest.approx(expected, abs=1e-9)


def test_the_best_columns_are_paired(monkeypatch):
    """Those of the steps first, then the most informative, in the order of the table."""
    monkeypatch.setattr(pairs, "MAX_PAIRED", 4)
    X, y = table_to_choose_from(1)
    selector = ep.CMIM(2)
    table = fit_keeping_table(selector, X, y)
    shown = [column["name"] for column in pairs.pairs_of(table, selector.selection_, None)["columns"]]
    relevance = [naive.mutual_information(table.levels(j).tolist(), y.tolist()) for j in range(X.shape[1])]
    ranked = np.argsort(-np.array(relevance), kind="stable").tolist()
    best = list(dict.fromkeys([*selector.order_.tolist(), *ranked]))[:4]
    assert shown == [f"x{j}" for j in sorted(best)]
