"""A small project of a user: it must have no error in a strict type checker."""

import numpy as np
import numpy.typing as npt

import entropick as ep

Table = dict[str, npt.NDArray[np.float64]]


def columns_of(table: Table, target: str) -> list[str]:
    """The columns that predict the target."""
    selector = ep.JMI("auto", n_bins=3, random_state=0).fit(table, target)
    for step in selector.selection_.kept:
        print(step.column, step.score, step.gain)
    return selector.selection_.selected_names


def reduced(X: npt.NDArray[np.float64], y: npt.NDArray[np.bool_]) -> tuple[list[int], list[bool]]:
    """What is left of a table."""
    selector: ep.CMIM = ep.CMIM(3).set_output(transform="pandas").fit(X, y, sample_weight=np.ones(len(y)))
    selector.transform(X)
    return selector.order_.tolist(), selector.get_support().tolist()


def judged(X: npt.NDArray[np.float64], y: npt.NDArray[np.bool_]) -> str:
    """Several methods compared, by cross-validation."""
    comparison: ep.Comparison = ep.compare(X, y)
    stable: ep.StabilitySelector = ep.StabilitySelector(ep.JMI(3)).fit(X, y)
    print(stable.frequencies_, comparison.recommended_columns)
    page: str = stable.to_html(X=X, y=y) + comparison.to_html() + stable.selection_.to_html()
    print(len(page))
    return comparison.recommendation.sentence


def combined(X: npt.NDArray[np.float64], y: npt.NDArray[np.bool_]) -> ep.Selection:
    """Parts of one's own choice, and the same by name."""
    parts = ep.FeatureSelector(ep.measures.JMI(), ep.searches.Forward(), ep.cuts.Count(3)).fit(X, y)
    selection: ep.Selection = ep.select(X, y, measure="cmim", cut=ep.cuts.Threshold(0.1))
    bits: float = ep.mutual_information(y, X) / ep.entropy(y)
    print(parts.selection_.keep(2), bits)
    return selection
