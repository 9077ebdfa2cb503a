"""Numbers printed in the papers, against the stored results as they stand; no verdict is asked."""

import json
from pathlib import Path

import numpy as np
import pytest

RESULTS = Path(__file__).parents[1] / "results"


def stored(experiment, beginning):
    """The results of an experiment whose keys begin so."""
    lines = map(json.loads, (RESULTS / f"{experiment}.jsonl").read_text(encoding="utf-8").splitlines())
    found = {line["key"]: line["result"] for line in lines if "key" in line}
    return {key: result for key, result in found.items() if key.startswith(beginning)}


def gaps(data, method):
    """ΔI_r with the paper's number of columns, on whole parts of the values."""
    return [result["paper_size"][method]["gap"] for result in stored("ce", f"{data}/floored/").values()]


@pytest.mark.parametrize(("method", "printed"), [("DISR", 0.3414), ("CMIM", 0.2945), ("mRMR", 0.3725)])
def test_information_gaps_of_blog_feedback_to_every_printed_digit(method, printed):
    assert [round(gap, 4) for gap in gaps("Blog Feedback", method)] == [printed]


@pytest.mark.parametrize(
    ("data", "printed"),
    [
        ("Cancer Breast", {"CE as printed": 25.0797, "DISR": 24.7977, "CMIM": 23.1734, "mRMR": 23.9602}),
        ("Gesture Phase", {"CE as printed": 0.0244, "DISR": 0.0241, "CMIM": 0.0241, "mRMR": 0.0306}),
    ],
)
def test_information_gaps_within_ten_percent(data, printed):
    for method, gap in printed.items():
        assert len(gaps(data, method)) == 20
        assert np.mean(gaps(data, method)) == pytest.approx(gap, rel=0.1), method


@pytest.mark.parametrize(("method", "printed"), [("CE", 39), ("PSO", 42)])
def test_numbers_of_columns_of_advertisements_within_a_fifth(method, printed):
    """In whole parts of the values, with the smaller of equally good subsets."""
    sizes = [result["own"][method]["n"] for result in stored("ce", "Advertisements/floored/").values()]
    assert np.mean(sizes) == pytest.approx(printed, rel=0.2)


@pytest.mark.parametrize(
    ("data", "printed", "n_runs", "tolerance"),
    [("Connect-4", 0.0011, 4, 0.1), ("Blog Feedback", 0.2965, 1, 0.001)],
)
def test_information_gaps_of_the_cross_entropy_method(data, printed, n_runs, tolerance):
    found = stored("ce", f"{data}/floored, CE as printed/").values()
    values = [result["paper_size"]["CE as printed"]["gap"] for result in found]
    assert len(values) == n_runs
    assert np.mean(values) == pytest.approx(printed, rel=tolerance)


# Table 3 of Inf-FS: columns kept without y and with y.
SIZES = {
    "colon": (326, 174),
    "leukemia": (618, 242),
    "lung_gordon": (400, 361),
    "lymphoma_96": (674, 395),
    "prostate": (1014, 563),
    "madelon": (48, 32),
    "dexter": (466, 339),
}


def test_inffs_keeps_as_many_columns_as_printed_on_five_of_seven_data_sets():
    reached = []
    for data, (without_y, with_y) in SIZES.items():
        for result in stored("inffs", f"sizes/{data}").values():
            if _spans(result["Inf-FS_U"], without_y) and _spans(result["Inf-FS_S"], with_y):
                reached.append(data)
    assert len(set(reached)) >= 5
    assert {"colon", "lymphoma_96", "prostate", "madelon"} <= set(reached)


def _spans(sizes, printed):
    """A number is within those that the authors' weights give, or 5 % beside them."""
    return min(sizes) / 1.05 <= printed <= 1.05 * max(sizes)


def test_ten_columns_of_leukemia_without_y():
    results = stored("inffs", "authors/leukemia/Inf-FS_U/").values()
    assert len(results) == 40
    assert np.mean([result["Inf-FS_U"]["accuracy"][0] for result in results]) >= 0.87


def test_rrpc_finds_two_columns_of_hyperspheres():
    relevant = {5, 9, 19, 21, 43, 52, 86}
    orders = [result["orders"]["RRPC_S"] for result in stored("nefs", "authors/HYPERSPHERES/").values()]
    assert [len(relevant & set(order[:7])) for order in orders] == [2] * 10


def test_fewer_columns_of_ionosphere_are_better_than_all():
    results = stored("bayes", "ionosphere/numbers/").values()
    assert len(results) == 30
    gains = [np.mean([row[1] for row in result["rows"]]) - result["all"] for result in results]
    assert np.mean(gains) > 0


@pytest.mark.parametrize(("data", "printed"), [("lungcancer_uci", 72.7), ("spect", 66.0)])
def test_no_split_explains_the_accuracies_of_lung_and_spect(data, printed):
    """With all columns, mean of the four classifiers: the paper's level lies outside all 30 splits."""
    found = stored("bayes", f"{data}/split ")
    means = {
        key.split("/")[1]: np.mean(list(result["all"].values()))
        for key, result in found.items()
        if not key.endswith("/pruned")
    }
    assert len(means) == 30
    assert not min(means.values()) <= printed <= max(means.values())


@pytest.mark.parametrize(
    "data", ["Advertisements", "Blog Feedback", "Cancer Breast", "Connect-4", "Gesture Phase"]
)
def test_the_scale_of_columns_does_not_explain_the_errors_of_neighbours(data):
    (found,) = stored("ce", f"{data}/standardised").values()
    printed = {
        "Advertisements": 0.0037,
        "Blog Feedback": 0.0018,
        "Cancer Breast": 0.01,
        "Connect-4": 0.00067,
        "Gesture Phase": 0.01,
    }
    assert np.mean(found["knn"]) > printed[data] + 0.02
