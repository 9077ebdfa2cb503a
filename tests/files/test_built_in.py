"""Built-in data sets, and lists of methods and data sets."""

import inspect
import json

import pytest

import entropick
from entropick.files.built_in import BUILT_IN
from entropick.files.reading import read_table
from entropick.selectors.catalog import METHODS
from program_runs import run


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_data(name):
    """Each has its names, a target, and rows."""
    loaded = read_table(name)
    assert loaded.target in loaded.frame.columns
    assert loaded.frame.height > 5
    assert loaded.frame.equals(read_table(name).frame)


def test_every_generator_is_built_in():
    """A new generator of the library is offered by the program, unless it needs files."""
    makers = {
        name.removeprefix("make_"): getattr(entropick.datasets, name) for name in entropick.datasets.__all__
    }
    from_files = {name for name, make in makers.items() if "folder" in inspect.signature(make).parameters}
    assert makers.keys() - from_files <= set(BUILT_IN)


def test_a_file_comes_before_a_built_in_name(table, tmp_path, monkeypatch):
    """A file called like a data set is the file."""
    monkeypatch.chdir(tmp_path)
    table.write_csv("wine")
    assert read_table("wine").frame.columns == table.columns


def test_lists():
    """Methods and data sets, as tables and as JSON."""
    shown = run("methods").stdout
    assert {line.split()[0] for line in shown.splitlines() if line.strip()} >= set(METHODS)
    assert shown.splitlines()[0].startswith("Which method? If in doubt, JMI")
    listed = json.loads(run("methods", "--json").stdout)
    assert [method["name"] for method in listed["methods"]] == list(METHODS)
    suits = {method["name"]: method["suits"] for method in listed["methods"]}
    assert suits["CFS"] == suits["LaplacianScore"] == "tables without a target"
    assert suits["JMI"] == suits["FCBF"] != suits["RenyiFS"] != suits["CrossEntropyFS"]
    assert "breast_cancer" in run("datasets").stdout
    assert [d["name"] for d in json.loads(run("datasets", "--json").stdout)["datasets"]] == list(BUILT_IN)
