"""Parameters of selectors: each is written once, here or at its part, and asked for everywhere."""

import dataclasses
import inspect
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from sklearn.base import BaseEstimator

from entropick._base.compat import Interval, Options, RealNotInt, StrOptions
from entropick.selectors.docstrings import entries_of, sections_of


@dataclass(frozen=True)
class Parameter:
    """A parameter of a selector: name, type as in a signature, default, constraints and documentation."""

    name: str
    type: str
    default: Any
    constraints: list[Any] = field(compare=False)
    doc: str


N_FEATURES = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0, 1, closed="right"),
    StrOptions({"auto"}),
    None,
]

_COMMON = (
    Parameter("fixed_features", "Sequence[str | int] | None", None, ["array-like", None],
        "fixed_features : list of column names or indices, default=None\n"
        "    Columns to keep from the start; others are scored given these. They count as selected."),
    Parameter("feature_groups", "Any", None, ["array-like", dict, None],
        "feature_groups : list of lists of column names or indices, or dict of such lists, default=None\n"
        "    Columns that are selected together, such as those of a one-hot encoding. A group counts as\n"
        "    one. Methods that count score it by its joint levels."),
    Parameter("n_bins", "int | str", "auto",
        [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
        'n_bins : int or "auto", default="auto"\n'
        "    Levels of a numeric column with more distinct values than that. Other columns keep every\n"
        "    value as a level. A real target is binned into as many classes.\n"
        '    "auto" depends on the number of rows: 5 levels up to 272 rows, ..., 10 from 813 rows on;\n'
        "    numeric columns of at most 10 distinct values keep them."),
    Parameter("binning", "str", "quantile", [StrOptions({"quantile", "uniform", "mdlp"})],
        'binning : {"quantile", "uniform", "mdlp"}, default="quantile"\n'
        "    How numeric columns are binned: by equal frequency, by equal width, or where the classes\n"
        "    change (Fayyad and Irani; it chooses the number of levels itself)."),
    Parameter("missing", "str", "level", [StrOptions({"level", "error"})],
        'missing : {"level", "error"}, default="level"\n'
        '    "error" rejects missing values. "level" makes them a level of their own where columns are\n'
        "    counted, the mean of their column or the expected distance elsewhere."),
    Parameter("target", "str", "auto", [StrOptions({"auto", "class", "real"})],
        'target : {"auto", "class", "real"}, default="auto"\n'
        '    Whether y holds classes or real values; "auto" treats numbers with a fraction, and whole\n'
        "    numbers with many distinct values, as real."),
    Parameter("unlabelled", "int | str | None", None,
        [Options(Integral, {-1}), StrOptions({"missing"}), None],
        'unlabelled : {-1, "missing"} or None, default=None\n'
        '    Which rows have no label: "missing" those where y is NaN or None, -1 also those where y is -1.\n'
        '    None is "missing", with a warning if -1 may mean unlabelled.'),
    Parameter("multioutput", "str", "joint", [StrOptions({"joint", "sum"})],
        'multioutput : {"joint", "sum"}, default="joint"\n'
        "    What to do if y has several columns: use their joint values as classes, or sum\n"
        "    scores over the columns of y. Cuts that use y, and MDLP binning, use them jointly."),
    Parameter("random_state", "Any", None, ["random_state"],
        "random_state : int, RandomState instance or None, default=None\n"
        "    Seed of the random numbers. Parts that draw get independent streams."),
    Parameter("n_jobs", "int | None", None, [Integral, None],
        "n_jobs : int or None, default=None\n"
        "    Number of threads; -1 for all processors. It never changes the result."),
    Parameter("progress", "bool | Callable[..., None] | None", None, [callable, "boolean", None],
        "progress : None, bool or callable, default=None\n"
        "    True shows a line on stderr; a callable receives each step, the number of steps so far and the\n"
        "    expected number (or None); searches over subsets show their rounds."),
)  # fmt: skip
COMMON = {parameter.name: parameter for parameter in _COMMON}


def parameters_of(part: type[BaseEstimator]) -> dict[str, Parameter]:
    """The parameters of a measure, search or cut; its docstring and constraints say the rest."""
    docs: dict[str, str] = {}
    for kind in reversed(part.__mro__):  # a parameter may be documented where it is inherited from
        docs |= entries_of(sections_of(kind.__dict__.get("__doc__")).get("Parameters", ""))
    signature = inspect.signature(part).parameters
    return {
        name: Parameter(
            name,
            inspect.formatannotation(signature[name].annotation).replace("typing.", ""),
            signature[name].default,
            part._parameter_constraints[name],
            docs[name],
        )
        for name in signature
    }


def make_fields(selector: type, parameters: dict[str, Parameter], n_positional: int) -> None:
    """Give a selector its parameters, as fields of a dataclass: `__init__` then has an explicit signature."""
    selector.__annotations__ = {name: parameter.type for name, parameter in parameters.items()}
    for place, (name, parameter) in enumerate(parameters.items()):
        setattr(selector, name, field(default=parameter.default, kw_only=place >= n_positional))
    dataclasses.dataclass(eq=False, repr=False)(selector)
    selector._parameter_constraints = {  # type: ignore[attr-defined]
        name: parameter.constraints for name, parameter in parameters.items()
    }
