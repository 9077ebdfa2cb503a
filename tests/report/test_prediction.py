"""The section on held-out rows, and the legends of tables."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_wine

import entropick as ep
from entropick.report import render


@pytest.fixture(scope="module")
def documents():
    """A document by kind of target."""
    X, y = load_wine(return_X_y=True)
    X = X[:, :4]
    X_mixed = np.random.default_rng(0).permutation(X)
    fits = {
        "class": ep.JMI("auto").fit(X, y),
        "real": ep.JMI("auto", target="real").fit(X_mixed, X_mixed @ [1, 1, 1, 0.01]),
    }
    return {kind: {"schema_version": 1, "selection": fit.selection_.to_dict()} for kind, fit in fits.items()}


def curves_of(html):
    """The section, and the values of each curve by number of columns."""
    section = html[html.index('id="prediction"') : html.index('id="repeat"')]
    tips = re.findall(r"<title>([^<,]+), (\d+) columns?: ([−\d.]+)</title>", section)
    return section, {name: {int(n): v for other, n, v in tips if other == name} for name, _, _ in tips}


@pytest.mark.parametrize("kind", ["class", "real"])
def test_each_model_has_one_curve_by_its_name(documents, kind):
    """None is called the mean of the models, which no score here is."""
    evidence = documents[kind]["selection"]["evidence"]
    section, values = curves_of(render(documents[kind]))
    assert set(values) == {"linear model", "nearest neighbours", "loss"}
    told = {"linear": "linear model", "neighbors": "nearest neighbours"}[evidence["model"]]
    n = evidence["n_chosen"]
    assert values[told][n] == f"{evidence['scores'][evidence['sizes'].index(n)]:.3f}"
    assert "mean of the models" not in section


@pytest.mark.parametrize("kind", ["class", "real"])
def test_the_loss_that_decides_is_shown(documents, kind):
    """A score may go on rising where the loss does not, so the reader sees both."""
    evidence = documents[kind]["selection"]["evidence"]
    section, values = curves_of(render(documents[kind]))
    assert list(values["loss"]) == list(evidence["sizes"])
    assert ("wrong answers" in section) == (kind == "class")


def test_documents_without_losses_or_model_have_the_score(documents):
    """As written by hand, or by a program that knows less."""
    document = documents["class"]
    selection = document["selection"]
    evidence = {key: v for key, v in selection["evidence"].items() if key not in ("losses", "model")}
    _, values = curves_of(render(document | {"selection": selection | {"evidence": evidence}}))
    assert set(values) == {"nearest neighbours", "linear model", "score"}


def test_heads_are_explained_below_the_table(documents):
    """Lead, alone and the like: not only on hover, which a telephone and a keyboard do not have."""
    html = render(documents["class"])
    assert "<dt>Lead</dt> <dd>score minus the runner-up" in html
