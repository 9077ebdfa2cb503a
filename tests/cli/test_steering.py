"""--correction, --n-bins, --binning and --fixed: parameters of the library as options of the program."""

import numpy as np
import polars as pl
import pytest

import entropick
from entropick.cli.prepare import prepare
from entropick.files.reading import read_table
from program_runs import COMPARE, document_of, mixed_table, refused, run

STEERED = {
    "correction": (["--correction", "miller_madow"], {"correction": "miller_madow"}),
    "adjusted": (["--correction", "adjusted"], {"correction": "adjusted"}),
    "no correction": (["--correction", "none"], {"correction": None}),
    "bins": (["--n-bins", "3"], {"n_bins": 3}),
    "usual bins": (["--n-bins", "AUTO"], {"n_bins": "auto"}),
    "binning": (["--binning", "uniform"], {"binning": "uniform"}),
    "mdlp": (["--binning", "mdlp"], {"binning": "mdlp"}),
    "fixed": (["--fixed", "noise", "--fixed", "site"], {"fixed_features": ["noise", "site"]}),
    "all": (
        ["--correction", "adjusted", "--n-bins", "4", "--binning", "uniform", "--fixed", "noise"],
        {"correction": "adjusted", "n_bins": 4, "binning": "uniform", "fixed_features": ["noise"]},
    ),
}


def as_prepared(csv, target="label"):
    prepared = prepare(read_table(str(csv)), target)
    return prepared.X, prepared.y


def kept(selection):
    return [(step["names"], step["score"]) for step in selection["steps"] if step["kept"]]


@pytest.mark.parametrize(("options", "parameters"), STEERED.values(), ids=STEERED)
def test_options_are_parameters(options, parameters, csv):
    """The selection is the library's, and the printed line of code gives it again."""
    document = document_of("select", csv, "-t", "label", "-n", 3, *options)
    X, y = as_prepared(csv)
    selection = entropick.JMI(3, **parameters).fit(X, y).selection_.to_dict()
    assert kept(document["selection"]) == kept(selection)
    assert document["selection"]["encodings"] == selection["encodings"]
    again = eval(document["code"], {"ep": entropick}).fit(X, y).selection_.to_dict()
    assert kept(again) == kept(selection)
    for name, value in parameters.items():
        if value != getattr(entropick.JMI(), name):
            shown = repr(value).replace("'", '"') if isinstance(value, str) else repr(value)
            assert f"{name}={shown}" in document["code"]


def test_the_report_says_how(csv, tmp_path):
    """In the command, in the line of code and in the settings; columns that were fixed are marked."""
    page = tmp_path / "r.html"
    options = ["--correction", "miller_madow", "--n-bins", "4", "--fixed", "noise"]
    result = run("select", csv, "-t", "label", "-n", 2, *options, "--report", page)
    assert result.exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "--correction miller_madow --n-bins 4 --fixed noise" in text
    assert "n_bins=4" in text
    assert "fixed" in result.stdout.splitlines()[2]


def test_profiles_have_the_levels_that_were_counted(csv):
    """What the report shows of a column is binned as it was for the selection."""
    document = document_of("select", csv, "-t", "label", "-n", 1, "--n-bins", 3, "--fixed", "size")
    (column,) = document["profiles"]["columns"]
    assert [level["label"] for level in column["levels"]][-1] == "missing"
    assert len(column["levels"]) == 4


def test_stability_is_steered(csv):
    """The selector inside has the parameters."""
    options = ["--stability", "--n-bins", 3, "--correction", "miller_madow"]
    code = document_of("select", csv, "-t", "label", "-n", 1, *options)["code"]
    assert code == 'ep.StabilitySelector(ep.JMI(1, correction="miller_madow", n_bins=3), random_state=0)'


def test_fixed_columns_are_never_left_out(csv):
    """Not even if they look like identifiers; the user asks for them."""
    document = document_of("select", csv, "-t", "label", "-n", 2, "--fixed", "id")
    assert document["selection"]["selected"][0] == "id"
    assert document["data"]["ignored"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fixed", "sise"], "--fixed names 'sise', which is not one of the 5 columns. Hint: did you mean 'size'"),
        (["--fixed", "label"], "--fixed names 'label', which is the target."),
        (["--fixed", "size", "--ignore", "size"], "--fixed names 'size', which --ignore leaves out."),
        (["--n-bins", "1"], "Invalid value for '--n-bins': '1' is neither a whole number from 2 to 65535 nor 'auto'."),
        (["--n-bins", "many"], "Invalid value for '--n-bins': 'many' is neither"),
        (["--n-bins", "65536"], "Invalid value for '--n-bins': '65536' is neither"),
        (["--binning", "kmeans"], "Invalid value for '--binning': 'kmeans' is not one of"),
        (["--correction", "chao"], "Invalid value for '--correction': 'chao' is not one of"),
        (["-m", "relieff", "--n-bins", "4"], "--n-bins is not available for ReliefF. Hint: "),
        (["-m", "relieff", "--binning", "mdlp"], "--binning is not available for ReliefF. Hint: "),
        (["-m", "relieff", "--correction", "adjusted"], "--correction is not available for ReliefF. Hint: "),
        (["-m", "renyi", "--correction", "adjusted"], "--correction is not available for RenyiFS. Hint: "),
        (["-m", "xmifs", "--correction", "adjusted"], "--correction of XMIFS must be 'miller_madow' or 'none'."),
        (["-n", "1", "--fixed", "size", "--fixed", "site"], None),
    ],
)  # fmt: skip
def test_refusals_name_options(options, said, csv):
    """Never a parameter of Python; a fixed column counts among those selected."""
    if said is None:
        document = document_of("select", csv, "-t", "label", *options)
        assert document["selection"]["selected"] == ["size", "site"]
        return
    sentence = refused("select", csv, "-t", "label", *options)
    assert sentence.startswith(said)
    assert not {"n_bins", "fixed_features", "correction="} & set(sentence.split())


@pytest.mark.parametrize("option", ["--correction", "--n-bins", "--binning", "--fixed"])
@pytest.mark.parametrize("command", ["select", "compare"])
def test_help_names_the_options(command, option):
    assert option in run(command, "--help").stdout


def test_hints_name_options(tmp_path):
    """What the library suggests by a parameter is an option here."""
    rng = np.random.default_rng(0)
    path = tmp_path / "few.csv"
    pl.DataFrame({"a": rng.random(4), "b": rng.random(4), "y": np.arange(4) % 2}).write_csv(path)
    result = run("select", path, "-t", "y", "-m", "bayesianentropy")
    assert "use fewer levels (--n-bins)" in result.stderr
    assert "n_bins" not in result.stderr


@pytest.mark.slow
def test_comparisons_are_steered(csv):
    """Every method has the parameters, and so has the line of code."""
    document = document_of("compare", csv, "-t", "label", *COMPARE, "--n-bins", 3, "--correction", "adjusted")
    X, y = as_prepared(csv)
    methods = {
        "JMI": entropick.JMI(n_bins=3, correction="adjusted"),
        "MIM": entropick.MIM(n_bins=3, correction="adjusted"),
    }
    found = entropick.compare(X, y, methods=methods, estimators=["bayes"], folds=3, random_state=0)
    assert document["comparison"]["recommendation"] == found.to_dict()["recommendation"]
    assert "n_bins=3" in found.recommendation.code
    assert document["data"]["notes"] == document_of("compare", csv, "-t", "label", *COMPARE)["data"]["notes"]


def test_methods_of_a_comparison_that_cannot_be_steered(csv):
    """They are named, and compared as they are; options that none of them has are refused."""
    arguments = ["compare", csv, "-t", "label", "-m", "jmi,renyi,relieff", "-e", "bayes", "--folds", "3"]
    notes = document_of(*arguments, "--correction", "adjusted")["data"]["notes"]
    assert "--correction is not available for RenyiFS and ReliefF, which are compared without it." in notes
    notes = document_of(*arguments, "--n-bins", "3")["data"]["notes"]
    assert "--n-bins is not available for ReliefF, which is compared without it." in notes
    arguments[5] = "relieff"
    assert refused(*arguments, "--n-bins", "3").startswith("--n-bins is not available for ReliefF. Hint: ")


def test_fixed_columns_of_a_comparison(tmp_path):
    """Each method begins with them, and fewer columns are never recommended."""
    path = tmp_path / "mixed.csv"
    mixed_table("label").write_csv(path)
    document = document_of("compare", path, "-t", "label", *COMPARE, "--fixed", "is_new", "--fixed", "site")
    for method in document["comparison"]["methods"]:
        assert method["order"][:2] == ["is_new", "site"]
        assert min(method["sizes"]) == 2
    advice = document["comparison"]["recommendation"]
    assert advice["columns"][:2] == ["is_new", "site"]
    X, y = as_prepared(path)
    again = eval(advice["code"], {"ep": entropick}).fit(X, y).selection_
    assert again.selected_names == advice["columns"]
