"""The methods by name, for programs that take a method as a text."""

from dataclasses import dataclass

from entropick import registry, selectors
from entropick.selectors.base import MethodSelector

METHODS: dict[str, type[MethodSelector]] = {
    made.__name__: made
    for made in (
        selectors.JMI,
        selectors.MRMR,
        selectors.CMIM,
        selectors.JMIM,
        selectors.DISR,
        selectors.ICAP,
        selectors.CIFE,
        selectors.MIFS,
        selectors.MIM,
        selectors.RenyiFS,
        selectors.XMIFS,
        selectors.SNEFS,
        selectors.NEFS,
        selectors.ReliefF,
        selectors.RRPC,
        selectors.BayesianEntropyFS,
        selectors.CrossEntropyFS,
        selectors.SwarmFS,
        selectors.InfFS,
        selectors.ECFS,
        selectors.ILFS,
        selectors.FisherScore,
        selectors.LaplacianScore,
        selectors.MCFS,
        selectors.UDFS,
        selectors.LLCFS,
        selectors.CFS,
    )
}


@dataclass(frozen=True)
class MethodInfo:
    """What a method is made of.

    Attributes
    ----------
    name : of the selector's class
    summary : one line
    measure, search : names of its parts
    own_rule : name of the cut that n_features="auto" stands for; None where it has no rule of its own
    """

    name: str
    summary: str
    measure: str
    search: str
    own_rule: str | None


def method_named(name: str) -> type[MethodSelector]:
    """The selector of a name; case, "_", "-" and a final "FS" do not matter."""
    by_key = {_key(known): made for known, made in METHODS.items()}
    if _key(name) not in by_key:
        raise ValueError(registry.unknown_name("method", name, {known.lower(): 0 for known in METHODS}))
    return by_key[_key(name)]


def _key(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "").removesuffix("fs")


def describe(selector: MethodSelector) -> MethodInfo:
    """The parts of a method."""
    measure, search, cut = selector.set_params(n_features="auto")._parts()
    own_rule = _name_of(cut, registry.CUTS)
    summary = (type(selector).__doc__ or "").split("\n", 1)[0].rstrip(".")
    return MethodInfo(
        type(selector).__name__,
        summary,
        _name_of(measure, registry.MEASURES),
        _name_of(search, registry.SEARCHES),
        None if own_rule == "count" else own_rule,
    )


def _name_of(part: object, known: dict) -> str:
    names = [name for name, made in known.items() if type(part) is made]
    return names[0] if names else type(part).__name__
