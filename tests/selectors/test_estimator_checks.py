"""Every selector is a scikit-learn estimator, without exception."""

import inspect
import re

import pytest
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import estimator_checks_generator

import entropick as ep
from entropick.selectors import BaseSelector

SELECTORS = sorted(
    (
        value
        for name in ep.__all__
        if inspect.isclass(value := getattr(ep, name)) and issubclass(value, BaseSelector)
    ),
    key=lambda selector: selector.__name__,
)

# Public checks that `check_estimator` does not call; scikit-learn runs them on itself.
FURTHER_CHECKS = [
    "check_param_validation",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_get_feature_names_out_error",
    "check_dataframe_column_names_consistency",
    "check_inplace_ensure_writeable",
]

# What comes out of `transform` is for the base class of all selectors; these are its ways to be fitted.
OUTPUT_CHECKS = [
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
]
OF_EACH_KIND = [ep.FeatureSelector, ep.JMI, ep.MIM, ep.RenyiFS, ep.ReliefF, ep.ECFS, ep.LaplacianScore]
OF_EACH_KIND += [ep.FCBF, ep.SVMRFE]


# What every selector does in its own way; all else is that of the base class.
DIFFERS = re.compile("sparse_array|nan|sample_weight_equivalence_on_dense|requires_y|takes_y")
TAKE_LONG = [ep.BayesianEntropyFS, ep.CrossEntropyFS, ep.InfFS, ep.MarkovBlanket, ep.StabilitySelector]


def _checks():
    for selector in SELECTORS:
        for estimator, check in estimator_checks_generator(selector()):
            name = _name(check)
            yield pytest.param(
                estimator, check, id=f"{selector.__name__}-{name}", marks=_marks(selector, name)
            )


def _marks(selector, name):
    if selector in TAKE_LONG:
        return () if "n_features_in_after_fitting" in name else pytest.mark.slow
    return () if selector in OF_EACH_KIND or DIFFERS.search(name) else pytest.mark.slow


def _name(check):
    check = getattr(check, "func", check)
    return getattr(check, "__name__", str(check))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("estimator", "check"), list(_checks()))
def test_scikit_learn_check(estimator, check):
    """All checks of `check_estimator` pass."""
    check(estimator)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("selector", "name"),
    [
        pytest.param(selector, name, id=f"{selector.__name__}-{name}", marks=_marks(selector, name))
        for selector in SELECTORS
        for name in FURTHER_CHECKS
    ],
)
def test_further_scikit_learn_check(selector, name):
    """The checks scikit-learn runs only on itself pass as well."""
    getattr(estimator_checks, name)(selector.__name__, selector())


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", OUTPUT_CHECKS)
@pytest.mark.parametrize(
    "selector",
    [ep.JMI, *(pytest.param(s, marks=pytest.mark.slow) for s in OF_EACH_KIND if s is not ep.JMI)],
    ids=lambda s: s.__name__,
)
def test_scikit_learn_check_of_output(selector, name):
    """Dataframes come out where they are asked for."""
    getattr(estimator_checks, name)(selector.__name__, selector())


def test_every_selector_is_checked():
    """The list of selectors is not empty by accident."""
    names = {selector.__name__ for selector in SELECTORS}
    assert {"FeatureSelector", "JMI", "MRMR", "RenyiFS", "XMIFS", "CMIM"} <= names
