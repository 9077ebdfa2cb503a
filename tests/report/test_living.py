"""The report selects again as the library does; without a browser, its script runs in node."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick.exceptions import DataError
from entropick.records.pairs import pairs_of
from entropick.report import render
from entropick.selectors.method import fit_keeping_table
from entropick.selectors.report import document_of
from report_documents import CRITERIA, HOSTILE, table_to_choose_from

TEMPLATES = Path(ep.__file__).parent / "report" / "templates"
RUN = """
const cases = JSON.parse(require("fs").readFileSync(0));
const plain = ({ column, gain, isChance }) => [column, gain, Boolean(isChance)];
const orders = ({ pairs, criteria, ...options }) =>
  Object.fromEntries(criteria.map((name) => [name, selectAll(openPairs(pairs), name, options).map(plain)]));
console.log(JSON.stringify(cases.map(orders)));
"""
LARGEST = 500_000  # bytes of a report about 1,000 columns


def in_node(cases):
    """The steps of each criterion in each case."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = (TEMPLATES / "select.js").read_text(encoding="utf-8") + RUN
    done = subprocess.run(
        [node, "-e", script], input=json.dumps(cases), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_scripts_select_as_the_library_does():
    """All columns in the same order, with the same gains and marks of chance; pinned and banned ones, too."""
    cases, expected = [], []
    for seed, correction in ((0, None), (1, "adjusted"), (2, "adjusted"), (3, "miller_madow")):
        X, y = table_to_choose_from(seed)
        if seed == 2:  # nothing can add to a copy of the target, and what comes next ties
            X[:, 1] = np.unique(y, return_inverse=True)[1]
        pinned, banned = ([2, 0], [3]) if seed % 2 else ([], [])
        selector = ep.JMI(3, correction=correction)
        table = fit_keeping_table(selector, X, y)
        pairs = pairs_of(table, selector.selection_, correction)
        cases.append({"pairs": pairs, "criteria": CRITERIA, "pinned": pinned, "banned": banned})
        others = [j for j in range(X.shape[1]) if j not in banned]
        expected.append(
            {name: library_steps(name, X[:, others], y, others, pinned, correction) for name in CRITERIA}
        )
    for found, steps_of in zip(in_node(cases), expected, strict=True):
        for name, steps in steps_of.items():
            assert [column for column, _, _ in found[name]] == [column for column, _, _ in steps], name
            for (_, gain, is_chance), (_, expected_gain, was_chance) in zip(found[name], steps, strict=True):
                if expected_gain is not None:  # MIM ranks columns by themselves, pinned ones are not chosen
                    assert is_chance == was_chance
                    assert gain == pytest.approx(expected_gain, abs=1e-8)


def library_steps(name, X, y, columns, pinned, correction):
    """The steps of a selector that keeps all columns."""
    fixed = [columns.index(j) for j in pinned] or None
    selector = getattr(ep, name)(X.shape[1], correction=correction, fixed_features=fixed)
    steps = selector.fit(X, y).selection_.steps
    return [(columns[step.column], step.gain, step.is_chance) for step in steps]


def fit_in(page):
    """What the script of a page gets."""
    return json.loads(html.unescape(re.search(r"data-fit='([^']*)'", page)[1]))


def test_a_selector_describes_its_columns():
    """With the table the report has cards, also of columns left out, redundancy and something to choose from."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    selector = ep.JMI(5, n_bins=4).fit(X, y)
    page = selector.to_html(X=X, y=y)
    fit = fit_in(page)
    names = [column["name"] for column in fit["pairs"]["columns"]]
    assert [names[j] for j in fit["order"]] == selector.selection_.selected_names
    assert (fit["criterion"], fit["n"], fit["code"]) == ("JMI", 5, "ep.JMI(5, n_bins=4)")
    assert fit["options"] == ["n_bins=4"]
    assert page.count('class="left-out"') == 6
    assert 'id="redundancy"' in page
    assert "data-fit" not in selector.to_html()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X: X[1:], "X has 177 rows instead of 178"),
        (lambda X: X.rename(columns={"alcohol": "proof"}), "X has no column 'alcohol'"),
        (lambda X: X.iloc[:, 2:], "X has no column 'alcohol' nor 1 other"),
        (lambda X: X.to_numpy()[:, :5], "X has 5 columns instead of 13"),
    ],
)
def test_another_table_is_refused(change, message):
    """Columns are not described from rows or columns that the fit did not see."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    selector = ep.MIM(2).fit(X, y)
    with pytest.raises(DataError, match=rf"must be those of the fit, but {message}\. Hint: to_html\(\)"):
        selector.to_html(X=change(X), y=y)
    assert selector.to_html(X=X[X.columns[::-1]], y=y) == selector.to_html(X=X, y=y)  # by their names


@pytest.mark.parametrize(
    ("change_X", "change_y"),
    [
        (lambda X: X, lambda y: y[::-1].reset_index(drop=True)),
        (lambda X: X, lambda y: 2 - y),  # the same information, but other classes
        (lambda X: X + 1, lambda y: y),
        (lambda X: X.assign(hue=X["alcohol"]), lambda y: y),
    ],
)
def test_other_values_are_refused(change_X, change_y):
    """Rows or a target that the fit did not see, though their number is right; the order of rows may differ."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    y = y.replace({1: 0, 2: 1})
    selector = ep.JMI(2).fit(X, y)
    with pytest.raises(DataError, match="must be those of the fit, but their values are others"):
        selector.to_html(X=change_X(X), y=change_y(y))
    assert selector.to_html(X=X[::-1], y=y[::-1]) == selector.to_html(X=X, y=y)


def test_several_targets_are_described_together():
    """Cards show joint classes; there is nothing to choose from, since each target has its own information."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    page = ep.JMI(2).fit(X, Y := (X[:, :2] > 0).astype(int)).to_html(X=X, y=Y)
    assert 'id="columns"' in page
    assert "data-fit" not in page


def test_rows_without_a_label():
    """The record is shown; cards and choices need the label of each row."""
    X, y = table_to_choose_from(0)
    y = np.where(np.arange(len(y)) < 9, -1, np.unique(y, return_inverse=True)[1])
    page = ep.RRPC(2, unlabelled=-1).fit(X, y).to_html(X=X, y=y)
    assert "data-fit" not in page
    assert 'id="ranking"' in page


def test_report_of_a_stability_selector():
    """Frequencies are its order; the reader may choose other criteria, as for every method."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    selector = ep.StabilitySelector(ep.MIM(4, n_bins=3), n_resamples=10, random_state=0).fit(X, y)
    page = selector.to_html(X=X, y=y)
    fit = fit_in(page)
    assert (fit["method"], fit["criterion"], fit["n"]) == ("StabilitySelector", None, selector.n_features_)
    names = [column["name"] for column in fit["pairs"]["columns"]]
    assert [names[j] for j in fit["order"]][: fit["n"]] == selector.selection_.selected_names
    assert "frequency" in page
    assert 'id="columns"' in page


def test_all_recommended_columns_have_cards():
    """Cards of columns left out do not count as columns that should be shown."""
    X, y = load_wine(as_frame=True, return_X_y=True)
    document = document_of(ep.JMI(5).fit(X, y), X, y) | {"schema_version": 1}
    assert any(column["left_out"] for column in document["profiles"]["columns"])
    columns = document.pop("selection")["selected"]
    document["comparison"] = {"recommendation": {"columns": columns}}
    assert "columns are shown" not in render(document)
    columns += ["others"] * 20
    assert "The first 5 of 25 columns are shown." in render(document)


def test_names_cannot_leave_the_data():
    """Quotes, tags and entities in names stay within the attribute."""
    names = [*HOSTILE[:5], "it's", '"&quot;', "&#39;><b>"]
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, len(names))), rng.integers(0, 2, 60)
    pd = pytest.importorskip("pandas")
    page = ep.MIM(3).fit(frame := pd.DataFrame(X, columns=names), y).to_html(X=frame, y=y)
    assert [column["name"] for column in fit_in(page)["pairs"]["columns"]] == names
    assert page.count("<script>") == 1
    assert "<b>" not in page


def test_long_names_are_not_sent_to_the_script():
    """A page stays small whatever the names; the columns are listed as before."""
    X, y = table_to_choose_from(0)
    selector = ep.MIM(2)
    table = fit_keeping_table(selector, X, y)
    document = selector.selection_.document() | {"schema_version": 1}
    pairs = pairs_of(table, selector.selection_, None)
    assert "data-fit" in render(document | {"pairs": pairs})
    pairs["columns"][0]["name"] = "n" * 200_000
    assert "data-fit" not in render(document | {"pairs": pairs})


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 8, 40, None])
def test_size_of_a_wide_report(n_classes):
    """1,000 columns with long names and many levels, of which 150 can be chosen from; None: regression."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    names = [f"mean of measurement {j:03} in the second half of this quarter" for j in range(1000)]
    X = pd.DataFrame(rng.normal(size=(2000, 1000)), columns=names)
    y = rng.normal(size=2000) if n_classes is None else rng.integers(0, n_classes, 2000)
    page = ep.JMI(100, n_bins=12).fit(X, y).to_html(X=X, y=y)
    assert len(fit_in(page)["pairs"]["columns"]) == 150
    assert len(page.encode()) <= LARGEST
    assert "data-fit" not in ep.MIM(151).fit(X, y).to_html(X=X, y=y)  # more than can be chosen from
