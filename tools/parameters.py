"""Parameters of the selectors of single methods: those of their parts, and those of all selectors."""

import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from sklearn.base import BaseEstimator

from entropick._base.compat import Interval, RealNotInt, StrOptions
from entropick.cuts import Cut
from entropick.selectors.feature_selector import FeatureSelector

WIDTH = 106  # of docstrings without indentation

_SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.*)$")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a selector: name, type as in a signature, default, constraints and documentation."""

    name: str
    type: str
    default: Any
    constraints: list[Any] = field(compare=False)
    doc: str


def sections_of(docstring: str | None) -> dict[str, str]:
    """The sections of a docstring by title; the text before the first has the title ""."""
    text = inspect.cleandoc(docstring or "")
    titles = list(_SECTION.finditer(text))
    ends = [*(title.start() for title in titles), len(text)]
    found = {"": text[: ends[0]].strip()}
    for title, end in zip(titles, ends[1:], strict=True):
        found[title.group(1)] = text[title.end() : end].strip()
    return found


def entries_of(section: str) -> dict[str, str]:
    """The entries of a section of parameters or attributes, by name."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in section.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            lines = [f"{entry.group(1)} : {entry.group(2)}"]
            found.update(dict.fromkeys(entry.group(1).split(", "), lines))
        else:
            lines.append(line)
    return {name: "\n".join(entry) for name, entry in found.items()}


def entry(head: str, *sentences: str) -> str:
    """An entry of a section; each sentence starts on a new line."""
    lines = [
        line
        for sentence in sentences
        for line in textwrap.wrap(sentence, WIDTH, initial_indent="    ", subsequent_indent="    ")
    ]
    return "\n".join([head, *lines])


def parameters_of(part: type[BaseEstimator]) -> dict[str, Parameter]:
    """The parameters of a measure, search or cut, from its signature, docstring and constraints."""
    docs: dict[str, str] = {}
    for kind in reversed(part.__mro__):  # parameters may be documented in a base class
        docs |= entries_of(sections_of(kind.__dict__.get("__doc__")).get("Parameters", ""))
    signature = inspect.signature(part).parameters
    return {
        name: Parameter(
            name,
            re.sub(r"typing\.|collections\.abc\.", "", inspect.formatannotation(signature[name].annotation)),
            signature[name].default,
            part._parameter_constraints[name],
            docs[name],
        )
        for name in signature
    }


#: Parameters that selectors share, if they have an effect; `FeatureSelector` has them all.
COMMON = {
    name: parameter
    for name, parameter in parameters_of(FeatureSelector).items()
    if name not in ("measure", "search", "cut")
}


def size_parameter(default: str | None, rules: Sequence[str], of_subsets: bool, *sentences: str) -> Parameter:
    """The parameter `n_features`.

    Parameters
    ----------
    default : its default
    rules : names of rules that it accepts besides "auto"
    of_subsets : whether the search is over whole subsets
    sentences : what "auto" and None mean
    """
    constraints = [
        Interval(Integral, 1, None, closed="left"),
        Interval(RealNotInt, 0, 1, closed="right"),
        StrOptions({"auto"}),
        None,
        *([StrOptions(set(rules))] if rules else []),
        Cut,
    ]
    texts = '"auto"' if of_subsets else "str"
    doc = entry(
        f"n_features : int, float, {texts}, Cut or None, default={shown(default)}",
        "Number of columns to select, their share in (0, 1], or an object of `entropick.cuts`.",
        *sentences,
        *([f"Other rules by name: {', '.join(rules)}."] if rules else []),
    )
    return Parameter("n_features", "float | str | Cut | None", default, constraints, doc)


def with_defaults(parameters: Mapping[str, Parameter], defaults: Mapping[str, Any]) -> dict[str, Parameter]:
    """Replace the defaults of some parameters."""
    changed = dict(parameters)
    for name, value in defaults.items():
        old = changed[name]
        doc = old.doc.replace(f"default={shown(old.default)}", f"default={shown(value)}", 1)
        changed[name] = Parameter(name, old.type, value, old.constraints, doc)
    return changed


def shown(value: object) -> str:
    """A default as written in docstrings and code."""
    return f'"{value}"' if isinstance(value, str) else str(value)
