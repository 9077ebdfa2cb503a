"""Generate the source of the selectors of single methods: a module for each, and their package."""

import math
import re
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.metrics import get_scorer_names

from entropick import registry
from entropick._base.compat import HasMethods, Interval, Options, StrOptions
from entropick.contracts import Need
from entropick.measures import Measure
from entropick.searches import SetSearch
from entropick.selectors.feature_selector import FeatureSelector
from entropick.selectors.method import RULES
from tools.methods import Method, all_methods
from tools.parameters import (
    COMMON,
    Parameter,
    entry,
    parameters_of,
    sections_of,
    shown,
    size_parameter,
    with_defaults,
)

LINE = 110  # characters

# Modules of the names that a generated module may use.
HOME_OF = {
    "Callable": "collections.abc", "Sequence": "collections.abc", "Integral": "numbers", "Real": "numbers",
    "Any": "typing", "ClassVar": "typing", "get_scorer_names": "sklearn.metrics",
    **dict.fromkeys(("cuts", "measures", "registry", "searches"), "entropick"),
    **dict.fromkeys(
        ("HasMethods", "Interval", "Options", "RealNotInt", "StrOptions"), "entropick._base.compat"
    ),
    "Cut": "entropick.cuts", "Measure": "entropick.measures", "Search": "entropick.searches",
    "Exploration": "entropick.records.exploration", "ParetoFront": "entropick.records.exploration",
}  # fmt: skip

ANY_SET_MEASURE = Parameter(
    "measure",
    "str | Measure | None",
    None,
    [str, Measure, None],
    entry(
        "measure : str, Measure or None, default=None",
        "What is minimised: a set measure by name or as an object; None for Shannon's H(y|S).",
    ),
)

OF_SUBSETS = """\
front_ : ParetoFront
    The best subsets found: `subsets`, `objectives`, `normalized`, `sizes` and `plot()`.
history_ : tuple of Generation
    Every round with the best subset so far.
equivalents_ : ndarray of bool of shape (n_equivalents, n_features_in_)
    Other subsets found by the search that are as good as the selected one and of the same size (or cost);
    at most `max_equivalents`. Empty if the selected columns are not a subset of the front."""


def make_modules() -> dict[str, str]:
    """Source of the modules of all methods and of their package, by file name."""
    methods = all_methods()
    return {"__init__.py": _package(methods)} | {f"{m.module}.py": make_module(m) for m in methods}


def make_module(method: Method) -> str:
    """The source of the module of a method."""
    base, parameters = method.used_base, parameters_for(method)
    code = "\n\n".join(
        [
            _constraints(parameters.values()) + _flags(method),
            _init(parameters.values()),
            *_part_makers(method, parameters),
        ]
    )
    docstring = docstring_of(method)
    return "\n".join(
        [
            f'"""The selector {method.name}. Written by `make derived`, which overwrites changes.'
            + _home(method)
            + '"""',
            "",
            *_imports(code, base),
            "",
            "",
            f"class {method.name}({base.__name__}):",
            _indented(f'{"r" * (chr(92) in docstring)}"""{docstring}"""'),
            "",
            _indented(code),
            "",
        ]
    )


def parameters_for(method: Method) -> dict[str, Parameter]:
    """The parameters of a selector: `n_features`, those of its parts, and shared ones."""
    measure, search = method.measure, method.used_search
    of_parts = {"measure": ANY_SET_MEASURE} if measure is None else {}
    for part in (measure, search, *method.own_cuts):  # the usual cut is used with its defaults
        of_parts |= {} if part is None else parameters_of(part)
    of_parts |= {parameter.name: parameter for parameter in method.parameters}
    hidden = {*method.given, *method.without, "random_state"}
    chosen = {name: made for name, made in of_parts.items() if name not in hidden}
    chosen |= {name: COMMON[name] for name in _common_names(method)}
    return with_defaults({"n_features": _size_of(method)} | chosen, method.defaults)


def _common_names(method: Method) -> list[str]:
    """The shared parameters that have an effect with the parts of a method."""
    measure, cuts = method.measure, method.used_cuts
    parts = [part for part in (measure, method.used_search, *cuts) if part is not None]
    counts = measure is None or Need.COUNTS in measure.needs.union(*(cut.needs for cut in cuts))
    uses_target = measure is None or measure.uses_target or any(cut.uses_target for cut in cuts)
    useful = {
        "n_bins": counts or (measure is not None and measure.uses_target and measure.needs_classes),
        "binning": counts,
        "target": uses_target,
        "unlabelled": measure is not None and measure.semi_supervised,
        "multioutput": uses_target and not _finds_subsets(method),
        "random_state": any("random_state" in part._get_param_names() for part in parts),
    }
    return [name for name in COMMON if useful.get(name, True)]


def _finds_subsets(method: Method) -> bool:
    return issubclass(method.used_search, SetSearch)


def _size_of(method: Method) -> Parameter:
    measure, of_subsets = method.measure, _finds_subsets(method)
    default = "auto" if of_subsets or (measure is not None and measure.keeps_by_rule) else None
    none = '"auto"' if of_subsets else "10 (all if X has fewer)"
    sentences = [f'"auto" {method.used_cuts[0].rule}; None is {none}.']
    if of_subsets or measure is None:
        return size_parameter(default, (), of_subsets, *sentences)
    if not measure.needs_target:
        sentences.append(f'Without y, "auto" {registry.CUTS[measure.default_cut].rule}.')
    return size_parameter(default, RULES, of_subsets, *sentences)


def _home(method: Method) -> str:
    """Where to find the formula."""
    return "" if method.measure is None else f"\n\nThe measure is in `{method.measure.__module__}`.\n"


def docstring_of(method: Method) -> str:
    """The docstring of a selector; its own sections replace those of the measure."""
    measure = method.measure
    own = {title: text for title, text in sections_of(method.doc).items() if text}
    sections = sections_of(None if measure is None else measure.__doc__) | own
    attributes = [sections_of(FeatureSelector.__doc__)["Attributes"]]
    attributes += [OF_SUBSETS] if _finds_subsets(method) else []
    for name, text in ({} if measure is None else measure.learns).items():
        kind, meaning = text.split(": ", 1)
        attributes.append(entry(f"{name}_ : {kind}", meaning))
    attributes += [sections["Attributes"]] if "Attributes" in sections else []
    sections["Parameters"] = "\n".join(parameter.doc for parameter in parameters_for(method).values())
    sections["Attributes"] = "\n".join(attributes)
    titles = [title for title in ("Parameters", "Attributes", "References", "Examples") if title in sections]
    texts = [f"{title}\n{'-' * len(title)}\n{sections[title]}" for title in titles]
    return "\n\n".join([sections[""], *texts]) + "\n"


def _constraints(parameters: Iterable[Parameter]) -> str:
    lines = []
    for parameter in parameters:
        allowed = [_constraint(rule) for rule in parameter.constraints]
        lines.append(_fitting(f'    "{parameter.name}": [', allowed, "],", indent=8))
    return "\n".join(["_parameter_constraints: ClassVar[dict[str, Any]] = {", *lines, "}"])


def _constraint(rule: Any) -> str:
    """The code of one of scikit-learn's constraints."""
    if isinstance(rule, Interval):
        ends = ", ".join("None" if end is None else f"{end:g}" for end in (rule.left, rule.right))
        return f'Interval({rule.type.__name__}, {ends}, closed="{rule.closed}")'
    if isinstance(rule, StrOptions):
        is_scorer = rule.options == set(get_scorer_names())
        return f"StrOptions({'set(get_scorer_names())' if is_scorer else _set(rule.options)})"
    if isinstance(rule, Options):
        return f"Options({rule.type.__name__}, {_set(rule.options)})"
    if isinstance(rule, HasMethods):
        return f"HasMethods([{', '.join(map(shown, rule.methods))}])"
    if rule in (callable, Integral, Real) or isinstance(rule, type):
        return str(rule.__name__)
    return shown(rule)


def _set(options: Iterable[Any]) -> str:
    return f"{{{', '.join(shown(option) for option in sorted(options))}}}"


def _flags(method: Method) -> str:
    needs_target = method.measure is None or method.measure.needs_target
    return "" if needs_target else "\n_requires_target = False"


def _init(parameters: Iterable[Parameter]) -> str:
    first, *others = [f"    {p.name}: {p.type} = {_default(p.default)}," for p in parameters]
    lines = ["def __init__(", "    self,", first, "    *,", *others, ") -> None:"]
    return "\n".join([*lines, *(f"    self.{p.name} = {p.name}" for p in parameters)])


def _default(value: object) -> str:
    return "math.inf" if value == math.inf else shown(value)


def _part_makers(method: Method, parameters: Mapping[str, Parameter]) -> list[str]:
    """The methods that make the parts from the parameters."""
    if method.measure is None:
        measure = [
            "    if self.measure is None:",
            "        return measures.Renyi(alpha=1)",
            "    return registry.resolve_measure(self.measure)",
        ]
    else:
        measure = [_return("measures", method, method.measure, parameters)]
    found = [
        "\n".join(["def _make_measure(self) -> Measure:", *measure]),
        "\n".join(
            [
                "def _make_search(self) -> Search[Any]:",
                _return("searches", method, method.used_search, parameters),
            ]
        ),
    ]
    if method.own_cuts and "_own_cut" not in vars(method.used_base):
        cut = _return("cuts", method, method.own_cuts[0], parameters)
        found.append("\n".join(["def _own_cut(self) -> Cut:", cut]))
    return found


def _return(
    package: str, method: Method, part: type[BaseEstimator], parameters: Mapping[str, Parameter]
) -> str:
    """A line that makes a part with the selector's parameters of the same names."""
    code = {name: f"self.{name}" for name in parameters if name != "random_state"} | dict(method.given)
    arguments = [f"{name}={code[name]}" for name in parameters_of(part) if name in code]
    return _fitting(f"    return {package}.{part.__name__}(", arguments, ")", indent=8)


def _fitting(start: str, items: list[str], end: str, indent: int) -> str:
    """Items in one line if they fit, else one per line."""
    line = f"{start}{', '.join(items)}{end}"
    if len(line) + 4 <= LINE:  # indented by the class
        return line
    outer = " " * (indent - 4)
    return "\n".join([start, *(f"{' ' * indent}{item}," for item in items), f"{outer}{end}"])


def _imports(code: str, base: type) -> list[str]:
    homes: dict[str, set[str]] = {base.__module__: {base.__name__}}
    for name in set(re.findall(r"\w+", re.sub(r'"\w+"|self\.\w+', "", code))) & set(HOME_OF):
        homes.setdefault(HOME_OF[name], set()).add(name)
    blocks = [["import math"] if "math.inf" in code else [], [], []]
    for home in sorted(homes):
        block = 2 if home.startswith("entropick") else 1 if home.startswith("sklearn") else 0
        blocks[block].append(f"from {home} import {', '.join(sorted(homes[home]))}")
    return "\n\n".join("\n".join(block) for block in blocks if block).splitlines()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def _package(methods: Iterable[Method]) -> str:
    homes = [f'    "{method.module}": ["{method.name}"],' for method in methods]
    return "\n".join(
        [
            '"""One selector per method, each loaded when it is first used. Written by `make derived`."""',
            "",
            "from entropick._base.lazy import LazyClasses as _LazyClasses, attach as _attach",
            "",
            "_HOMES = {",
            *homes,
            "}",
            "",
            "__getattr__, __dir__, __all__ = _attach(__name__, _HOMES)",
            "",
            "#: Every method by the name of its class.",
            "METHODS = _LazyClasses(__name__, {name: name for names in _HOMES.values() for name in names})",
            "",
        ]
    )
