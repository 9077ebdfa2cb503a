"""What a type checker says about the code of a user."""

import subprocess
import sys

import pytest

RIGHT = """
import numpy as np
import entropick as ep

X, y = np.zeros((10, 3)), np.zeros(10)
selector: ep.JMI = ep.JMI("auto", n_bins=3, random_state=0).set_output(transform="pandas").fit(X, y)
names: list[str] = selector.selection_.selected_names
comparison: ep.Comparison = ep.compare(X, y)
parts = ep.FeatureSelector(ep.measures.JMI(), ep.searches.Forward(), ep.cuts.Count(3)).fit(X, y)
stable: ep.StabilitySelector = ep.StabilitySelector(ep.JMI(3)).fit(X, y)
bits: float = ep.mutual_information(y, X)
"""
WRONG = """
import entropick as ep

ep.JMII(2)
ep.measures.Nope()
ep.searches.Nope()
ep.cuts.Nope()
"""


@pytest.mark.slow
def test_right_code_has_no_error_and_every_wrong_name_is_one(tmp_path):
    pytest.importorskip("mypy")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(RIGHT)
    wrong.write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", right, wrong]
    run = subprocess.run(list(map(str, command)), cwd=tmp_path, capture_output=True, text=True)
    errors = [line for line in run.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[0] for line in errors] == [wrong.name] * 4, run.stdout
    assert "JMII" in errors[0]
