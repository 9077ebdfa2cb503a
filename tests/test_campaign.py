"""A short version of the campaign (`make campaign`): its first cases of each family, and its runner."""

import importlib

import pytest

pytest.importorskip("click")
pytest.importorskip("polars")


@pytest.mark.parametrize(("family", "n_cases"), [("readers", 300), ("arguments", 60), ("fits", 60)])
@pytest.mark.filterwarnings("ignore")
def test_first_cases(family, n_cases, tmp_path):
    """Most kinds of cases are among the first of each family."""
    cases = importlib.import_module(f"campaign.{family}")
    outcomes = [cases.run(number, tmp_path) for number in range(n_cases)]
    assert {"fine", "refused"} <= set(outcomes)
