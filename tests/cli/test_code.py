"""The line of Python code that the program prints selects the same columns."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import TargetEncoder

import entropick
from entropick.cli.prepare import prepare
from entropick.exceptions import SelectionWarning
from entropick.files.reading import read_table
from entropick.selectors.catalog import METHODS
from program_runs import document_of, mixed_table, run


def test_the_line_of_code_of_a_stable_selection(csv, tmp_path):
    """It selects the same columns, on the screen and in the report."""
    page = tmp_path / "r.html"
    result = run("select", csv, "-t", "label", "-n", 1, "--stability", "--report", page)
    code = "ep.StabilitySelector(ep.JMI(1), random_state=0)"
    assert f"scikit-learn: make_pipeline({code}, SimpleImputer(), model)" in result.stdout
    assert f"selector = {code}" in page.read_text(encoding="utf-8")


def test_imports_are_beside_the_line(csv):
    """Those of the steps it has, in one line that runs; none beside a selector and a model alone."""
    shown = run("select", csv, "-t", "label", "-n", 1).stderr
    [line] = [line for line in shown.splitlines() if line.startswith("  with: ")]
    names = {}
    exec(line.removeprefix("  with: "), names)
    assert {"make_pipeline", "SimpleImputer"} <= set(names)
    assert "  with: " not in run("select", "wine", "-n", 1).stderr


def counts_table():
    """Whole numbers of many values, which are real values unless they are said to be classes."""
    rng = np.random.default_rng(0)
    count = rng.integers(0, 60, 200)
    return pl.DataFrame(
        {"a": count // 20 + rng.random(200), "b": rng.random(200), "c": count % 7, "y": count}
    )


def assert_code_selects_the_same(path, target, *options):
    """The line of code, run in Python, gives the program's columns and scores."""
    document = document_of("select", path, "-t", target, *options)
    code, found = document["code"], document["selection"]
    if not found["selected"]:
        assert code is None
        return None
    selector = eval(code, {"ep": entropick})
    prepared = prepare(read_table(str(path)), target)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SelectionWarning)
        selection = selector.fit(prepared.X, prepared.y).selection_.to_dict()
    assert selection["selected"] == found["selected"]
    kept = [
        [step["score"] for step in steps if step["kept"]] for steps in (selection["steps"], found["steps"])
    ]
    assert kept[0] == kept[1]
    return code


DRAWING = ("SNEFS", "NEFS", "CrossEntropyFS", "SwarmFS", "BayesianEntropyFS")


# Methods with different kinds of code: a search over subsets, seeds, sizes, own rules.
UNLIKE = [
    "JMI",
    "RenyiFS",
    "SNEFS",
    "InfFS",
    "MCFS",
    "FCBF",
    "CFSSubset",
    "CrossEntropyFS",
    "BayesianEntropyFS",
    "KSG",
]


@pytest.mark.parametrize(
    ("method", "options"),
    [
        *((method, ["-n", "2"]) for method in UNLIKE),
        *(
            pytest.param(method, ["-n", "2"], marks=pytest.mark.slow)
            for method in METHODS
            if method not in UNLIKE
        ),
        *(pytest.param(method, [], marks=pytest.mark.slow) for method in UNLIKE),
    ],
)
def test_the_line_of_code_of_every_method(method, options, tmp_path):
    """It selects the same columns with the same scores, so it has the seed of methods that draw."""
    path = tmp_path / "mixed.csv"
    mixed_table("label").write_csv(path)
    code = assert_code_selects_the_same(path, "label", "-m", method, *options, "--seed", "5")
    assert code is None or method not in DRAWING or "random_state=5" in code


RULES = ["auto", "permutation", "residual", "threshold", "mean_shift", "0.5"]


@pytest.mark.parametrize(
    ("method", "stability", "rule"),
    [
        pytest.param("JMI", ["--stability"], "auto", marks=pytest.mark.slow),
        *(pytest.param("JMI", ["--stability"], rule, marks=pytest.mark.slow) for rule in RULES[2:]),
        ("JMI", ["--stability"], RULES[1]),
        *(("FCBF", [], rule) for rule in RULES),
        *(
            pytest.param(method, [], rule, marks=pytest.mark.slow)
            for method in ("MCFS", "SNEFS")
            for rule in RULES[:3]
        ),
    ],
)
def test_the_line_of_code_of_every_rule(method, stability, rule, tmp_path):
    """A rule for the number is kept where the number itself would not select the same columns."""
    path = tmp_path / "mixed.csv"
    mixed_table("label").write_csv(path)
    code = assert_code_selects_the_same(path, "label", "-m", method, "-n", rule, *stability)
    if stability and code is not None:
        shown = rule if rule == "0.5" else f'"{rule}"'
        assert code == f"ep.StabilitySelector(ep.{method}({shown}), random_state=0)"


@pytest.mark.parametrize("kind", ["auto", "class", "real"])
@pytest.mark.parametrize("options", [["-n", 1], [], ["-m", "swarm"], ["--stability"]], ids=str)
def test_the_line_of_code_has_the_type_of_the_target(kind, options, tmp_path):
    """The code names the type of the target if the user gave it."""
    path = tmp_path / "counts.csv"
    counts_table().write_csv(path)
    code = assert_code_selects_the_same(path, "y", "--target-type", kind, *options)
    assert code is None or (f'target="{kind}"' in code) == (kind != "auto")
    if options == ["-n", 1]:
        assert code == {"auto": "ep.JMI(1)"}.get(kind, f'ep.JMI(1, target="{kind}")')


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mim", "snefs", "crossentropyfs"])
@pytest.mark.parametrize("kind", ["auto", "class"])
def test_the_line_of_code_of_a_comparison(method, kind, tmp_path):
    """It selects the recommended columns; there is no line if no selector does."""
    path = tmp_path / "counts.csv"
    counts_table().with_columns(pl.col("y") // 10).write_csv(path)
    arguments = ("compare", path, "-t", "y", "-m", method, "-e", "tree", "--target-type", kind)
    advice = document_of(*arguments)["comparison"]["recommendation"]
    assert advice["columns"]
    shown = run(*arguments).stdout
    if method == "crossentropyfs":
        assert advice["code"] is None
        assert "scikit-learn:" not in shown
        return
    assert f"scikit-learn: make_pipeline({advice['code']}, model)" in shown
    prepared = prepare(read_table(str(path)), "y")
    found = eval(advice["code"], {"ep": entropick}).fit(prepared.X, prepared.y)
    assert found.selection_.selected_names == advice["columns"]


@pytest.mark.parametrize("has_text", [True, False])
def test_the_printed_pipeline_fits_tables_with_text_and_missing_values(has_text, tmp_path):
    """As it is printed, on the table as pandas reads it, with a model that takes only numbers."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    calls = rng.integers(0, 6, 200)
    columns = {"calls": np.where(rng.random(200) < 0.1, np.nan, calls), "fee": rng.random(200)}
    if has_text:
        columns |= {"plan": np.where(calls > 3, "basic", rng.choice(["family", "pro"], 200)).astype(object)}
        columns["plan"][::9] = None
    path = tmp_path / "customers.csv"
    pd.DataFrame(columns | {"left": np.where(calls > 2, "yes", "no")}).to_csv(path, index=False)
    shown = run("select", path, "-t", "left", "-n", len(columns)).stdout
    line = shown.split("scikit-learn: ")[1].strip()
    table = pd.read_csv(path)
    names = {
        "ep": entropick, "model": LogisticRegression(), "make_pipeline": make_pipeline,
        "make_column_selector": make_column_selector, "make_column_transformer": make_column_transformer,
        "SimpleImputer": SimpleImputer, "TargetEncoder": TargetEncoder,
    }  # fmt: skip
    fitted = eval(line, names).fit(table.drop(columns="left"), table["left"])
    assert fitted.score(table.drop(columns="left"), table["left"]) > 0.8
