"""What type checkers and editors say about the code of a user (`make editor` installs what is needed)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import entropick as ep
from entropick.selectors.methods import METHODS

ROOT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "project"
OF_SKLEARN = {
    "fit_transform", "get_feature_names_out", "get_metadata_routing", "get_params", "get_support", "inverse_transform",
    "set_fit_request", "set_output", "set_params", "transform",
}  # fmt: skip
OWN = {"fit", "held_out_risk", "to_html"}
OF_SOME = {"explain", "plot", "partial_fit", "set_partial_fit_request"}


def slips():
    """Lines of the project that must be errors, counted from 1."""
    lines = (PROJECT / "typos.py").read_text().splitlines()
    return [i for i, line in enumerate(lines, 1) if line.endswith("# wrong")]


def run(command):
    return subprocess.run(list(map(str, command)), cwd=PROJECT, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_mypy_finds_every_slip_and_nothing_else(tmp_path):
    pytest.importorskip("mypy")
    options = ["--strict", "--ignore-missing-imports", "--cache-dir", tmp_path]
    output = run([sys.executable, "-m", "mypy", *options, "churn.py", "typos.py"])
    found = [line.split(":")[:2] for line in output.splitlines() if ": error:" in line]
    assert found == [["typos.py", str(line)] for line in slips()], output


@pytest.mark.slow
def test_pyright_finds_every_slip_and_nothing_else():
    inside = ROOT / "build" / "node_modules" / ".bin" / "pyright"
    pyright = os.environ.get("PYRIGHT") or (inside if inside.exists() else shutil.which("pyright"))
    if pyright is None:
        pytest.skip("pyright is not installed: make editor")
    report = json.loads(run([pyright, "--outputjson", "--pythonpath", sys.executable]))
    found = [
        (Path(error["file"]).name, error["range"]["start"]["line"] + 1)
        for error in report["generalDiagnostics"]
    ]
    assert sorted(set(found)) == [("typos.py", line) for line in slips()], report["generalDiagnostics"]


@pytest.mark.parametrize(
    "package", [ep, ep.cuts, ep.measures, ep.searches], ids=lambda package: package.__name__
)
def test_names_to_complete_are_the_public_ones(package):
    assert {name for name in dir(package) if name != "__version__"} == set(package.__all__)


@pytest.mark.parametrize("name", METHODS)
def test_a_selector_shows_its_parameters_and_methods(name):
    selector = METHODS[name]()
    shown = {name for name in dir(selector) if not name.startswith("_")}
    assert shown - OF_SKLEARN - OWN - OF_SOME == set(selector.get_params(deep=False))


@pytest.mark.slow
@pytest.mark.parametrize(
    "package", [ep, ep.cuts, ep.measures, ep.searches], ids=lambda package: package.__name__
)
def test_static_completion_shows_public_names(package):
    """Beside the modules of the package, which jedi always lists."""
    jedi = pytest.importorskip("jedi")
    code = f"import {package.__name__} as p\np."
    project = jedi.Project(PROJECT, added_sys_path=[str(ROOT / "src")])
    offered = jedi.Script(code, project=project).complete()
    names = {one.name for one in offered if not one.name.startswith("_") and one.type != "module"}
    assert names - set(package.__all__) == set()
    assert {name for name in package.__all__ if name[0].isupper()} <= names
