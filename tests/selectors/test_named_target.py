"""A target given by the name of its column."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick.exceptions import DataError


@pytest.fixture(scope="module")
def wine():
    return load_wine(as_frame=True).frame


@pytest.mark.parametrize("as_container", [lambda X: X, pl.from_pandas, lambda X: pl.from_pandas(X).lazy()])
def test_the_name_of_a_column_is_its_values(wine, as_container):
    """In every dataframe, with the target anywhere among the columns."""
    moved = wine[["target", *wine.columns.drop("target")]]
    expected = ep.JMI(4).fit(wine.drop(columns="target"), wine["target"])
    found = ep.JMI(4).fit(as_container(moved), "target")
    assert found.selection_.selected_names == expected.selection_.selected_names
    assert np.array_equal(found.scores_, expected.scores_, equal_nan=True)
    assert "target" not in found.feature_names_in_


def test_functions_and_stability_take_a_name(wine):
    X, y = wine.drop(columns="target"), wine["target"]
    assert (
        ep.select(wine, "target", cut=ep.cuts.Count(3)).selected_names
        == ep.select(X, y, cut=ep.cuts.Count(3)).selected_names
    )
    options = {"methods": ["mim"], "estimators": ["bayes"], "folds": 2, "random_state": 0}
    found = ep.compare(wine, "target", **options)
    assert found.recommended_columns == ep.compare(X, y, **options).recommended_columns
    stable = ep.StabilitySelector(ep.MIM(3), n_resamples=4, random_state=0)
    assert list(stable.fit(wine, "target").feature_names_in_) == list(X.columns)


def test_a_wrong_name_is_refused(wine):
    with pytest.raises(DataError, match="did you mean 'target'"):
        ep.JMI(3).fit(wine, "tarket")
    with pytest.raises(DataError, match="X has no column names"):
        ep.JMI(3).fit(wine.to_numpy(), "target")
    with pytest.raises(DataError, match="not one of the 2 columns"):
        ep.JMI(1).fit(pd.DataFrame({"a": [1, 2], "b": [1, 2]}), "zzz")


def test_a_column_given_as_the_kind_of_target_is_told_where_it_belongs(wine):
    with pytest.raises(ValueError, match=r"Got 'price' instead\. Hint: the column to predict is y"):
        ep.select(wine, target="price")
    with pytest.raises(ValueError, match=r"'n_features' .* instead\.$"):
        ep.JMI("nonsense").fit(wine, "target")


def test_the_risk_of_columns_takes_a_name(wine):
    X, y = wine.drop(columns="target"), wine["target"]
    selector = ep.JMI(2).fit(wine, "target")
    assert selector.held_out_risk(wine, "target").risk.tolist() == selector.held_out_risk(X, y).risk.tolist()


def test_texts_as_a_target_are_still_values(wine):
    labels = np.array(["a", "b"])[wine["target"].to_numpy() % 2]
    assert ep.JMI(2).fit(wine.drop(columns="target"), labels).n_features_ == 2


@pytest.mark.parametrize("as_container", [lambda X: X, pl.from_pandas, lambda X: pl.from_pandas(X).lazy()])
@pytest.mark.parametrize(
    "selector", [ep.JMI(4), ep.StabilitySelector(ep.MIM(3), n_resamples=4, random_state=0)]
)
def test_the_table_of_the_fit_is_reduced_with_or_without_its_target(wine, selector, as_container):
    """Wherever the target stands; a later fit with an array as y forgets the name."""
    moved = as_container(wine[["target", *wine.columns.drop("target")]])
    X = as_container(wine.drop(columns="target"))
    selector.set_output(transform="polars").fit(moved, "target")
    with_target, without = selector.transform(moved), selector.transform(X)
    assert with_target.equals(without)
    assert with_target.columns == list(selector.get_feature_names_out())
    assert selector.fit_transform(moved, "target").equals(without)
    selector.fit(X, wine["target"].to_numpy())
    with pytest.raises(ValueError, match="target"):
        selector.transform(moved)


def test_batches_name_their_target(wine):
    selector = ep.JMI(4).set_output(transform="pandas")
    selector.partial_fit(wine[::2], "target").partial_fit(wine[1::2], "target")
    assert list(selector.transform(wine)) == list(selector.get_feature_names_out())
