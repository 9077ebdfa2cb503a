"""Names of all parts: feeds validation, documentation, the command line and parametrised tests."""

import difflib
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

from sklearn.base import BaseEstimator, clone

from entropick import cuts, measures, searches
from entropick._compat import validate_parameter_constraints

Part = TypeVar("Part", bound=BaseEstimator)

MEASURES: dict[str, type[measures.Measure]] = {
    "mim": measures.MIM,
    "mifs": measures.MIFS,
    "mrmr": measures.MRMR,
    "cife": measures.CIFE,
    "jmi": measures.JMI,
    "jmim": measures.JMIM,
    "cmim": measures.CMIM,
    "disr": measures.DISR,
    "icap": measures.ICAP,
    "renyi": measures.Renyi,
    "neighborhood_entropy": measures.NeighborhoodEntropy,
    "relieff": measures.ReliefF,
    "bayesian": measures.Bayesian,
    "cross_validated": measures.CrossValidated,
    "pairwise_balance": measures.PairwiseBalance,
    "joint_balance": measures.JointBalance,
    "laplacian_score": measures.LaplacianScore,
    "mcfs": measures.MCFS,
    "udfs": measures.UDFS,
    "llcfs": measures.LLCFS,
    "cfs": measures.CFS,
    "rrpc": measures.RRPC,
    "fisher_score": measures.FisherScore,
    "inffs": measures.InfFS,
    "ecfs": measures.ECFS,
    "ilfs": measures.ILFS,
}

SEARCHES: dict[str, type[searches.Search]] = {
    "ranking": searches.Ranking,
    "forward": searches.Forward,
    "nsga2": searches.NSGA2,
    "cross_entropy": searches.CrossEntropy,
    "swarm": searches.Swarm,
}

CUTS: dict[str, type[cuts.Cut]] = {
    "count": cuts.Count,
    "share": cuts.Share,
    "residual": cuts.Residual,
    "threshold": cuts.Threshold,
    "permutation": cuts.Permutation,
    "front": cuts.Front,
    "probability": cuts.Probability,
    "best_size": cuts.BestSize,
    "mean_shift": cuts.MeanShift,
}


def resolve_measure(measure: str | measures.Measure) -> measures.Measure:
    """A measure from its name, or a copy of the given one."""
    return _resolve("measure", measure, MEASURES, measures.Measure)


def resolve_search(search: str | searches.Search | None, measure: measures.Measure) -> searches.Search:
    """A search from its name, a copy of the given one, or the measure's usual one."""
    return _resolve("search", search or measure.default_search, SEARCHES, searches.Search)


def resolve_cut(cut: Any, measure: measures.Measure, search: searches.Search) -> cuts.Cut:
    """A cut from a number of columns, a share, a name ("auto" is the method's own rule) or a copy."""
    own_rule = search.default_cut or measure.default_cut
    if cut is None:
        cut = search.default_cut or cuts.Count()
    if isinstance(cut, bool):
        raise TypeError(f"The cut must be a number of columns, a share, a name or a Cut, got {cut}.")
    if isinstance(cut, Integral):
        return _resolve("cut", cuts.Count(int(cut)), CUTS, cuts.Cut)
    if isinstance(cut, Real):
        return _resolve("cut", cuts.Share(float(cut)), CUTS, cuts.Cut)
    return _resolve("cut", own_rule if str(cut).lower() == "auto" else cut, CUTS, cuts.Cut)


def _resolve(role: str, part: Any, known: Mapping[str, type[Part]], base: type) -> Part:
    if isinstance(part, str):
        if part.lower() not in known:
            raise ValueError(unknown_name(role, part, known))
        made = known[part.lower()]()
    elif isinstance(part, base):
        made = clone(part)
    else:
        raise TypeError(
            f"The {role} must be a name or a {base.__name__}, got {part!r} of type "
            f"{type(part).__name__}. Hint: the names are {', '.join(known)}."
        )
    validate_parameter_constraints(
        made._parameter_constraints, made.get_params(deep=False), caller_name=type(made).__name__
    )
    return made


def unknown_name(role: str, name: str, known: Mapping[str, Any]) -> str:
    """A sentence for a name nobody knows, with the nearest ones."""
    near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.4)
    guess = f"Did you mean {' or '.join(map(repr, near))}? " if near else ""
    return f"There is no {role} named {name!r}. Hint: {guess}The names are {', '.join(known)}."
