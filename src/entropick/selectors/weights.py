"""Check that the parts of a selection support weights of rows."""

import functools
from typing import Any, cast

import numpy as np

from entropick import cuts
from entropick._base.compat import Method
from entropick.contracts import COUNTED, Need
from entropick.cuts import Cut
from entropick.exceptions import CombinationError
from entropick.measures import Measure
from entropick.table.weights import are_shares, check_in_memory, checked_weights


def rejecting_weights(fit: Method) -> Method:
    """Say what to do about weights that a method does not take; the signature stays without them."""

    @functools.wraps(fit)
    def checked(self: object, *args: Any, **options: Any) -> Any:
        if "sample_weight" in options:
            raise TypeError(
                f"{type(self).__name__} takes no sample_weight, because it does more than count levels. "
                "Hint: use a method that counts, such as JMI, or repeat the rows of X and y (among "
                "distances, copies of a row are its nearest rows)."
            )
        return fit(self, *args, **options)

    return cast(Method, checked)


def can_weigh(measure: type[Measure] | Measure) -> bool:
    """Whether a row of weight n is the same to a measure as n equal rows.

    That is true if levels are counted. With distances, equal rows become each other's nearest rows.
    """
    return measure.needs <= COUNTED


def _check_weighable(measure: Measure, cut: Cut) -> None:
    """Reject weights if the measure or the cut does more than count levels."""
    if not can_weigh(measure):
        raise CombinationError(
            f"sample_weight is for measures that count levels, but {type(measure).__name__} uses "
            f"{' and '.join(sorted(measure.needs - COUNTED))}. Hint: leave sample_weight out, or use a "
            "measure that counts, such as JMI."
        )
    if Need.SOURCE in cut.needs and cut.uses_target:
        raise CombinationError(
            f"sample_weight is for cuts that count levels, but {type(cut).__name__} needs single rows, which "
            "copies of other rows are not. Hint: leave sample_weight out, or cut by a number of columns."
        )


def weights_of(sample_weight: Any, X: Any, measure: Measure, cut: Cut, binning: str) -> np.ndarray:
    """Check weights of the rows of a table, and that the parts support them."""
    check_in_memory(X)
    _check_weighable(measure, cut)
    weights = checked_weights(X, sample_weight)
    # these would count the copies of a row as independent rows
    counts_rows = isinstance(cut, cuts.Permutation), binning == "mdlp"
    if are_shares(weights) and any(counts_rows):
        what = type(cut).__name__ if counts_rows[0] else "binning='mdlp'"
        raise CombinationError(
            f"{what} counts rows, but sample_weight with fractions tells only their shares. Hint: use "
            "whole numbers, which say how often each row was seen, or another rule."
        )
    return weights
