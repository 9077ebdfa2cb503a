"""Entropy-based feature selection: which columns matter, in what order, and how many a model needs.

Every selector is a measure × a search × a cut; see `FeatureSelector` for free combinations. Modules are
imported when a name is first used, so that importing the package itself is fast. Type checkers and editors
read the names from `__init__.pyi`.
"""

from importlib import import_module as _import_module

__version__ = "0.1.0"

_HOME = {
    "entropick.inference.multiplicity": ["q_values"],
    "entropick.measures.entropies": [
        "bayes_risk", "bayesian_conditional_entropy", "bayesian_entropy", "conditional_entropy", "entropy",
        "fano_bound", "mutual_information", "neighborhood_entropy",
    ],
    "entropick.table.cube": ["Cube"],
    "entropick.table.sketches": ["Sketches"],
    "entropick.table.executors.database": ["database"],
    "entropick.table.executors.partitioned": ["partitioned"],
    "entropick.table.readers.scan": ["scan"],
    "entropick.records.selection": ["Selection", "Step"],
    "entropick.records.exploration": ["Exploration", "ParetoFront", "plot_history"],
    "entropick.comparison": ["Comparison", "compare"],
    "entropick.selectors": ["FeatureSelector", "StabilitySelector", "select"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_SUBMODULES = ["cuts", "datasets", "exceptions", "measures", "registry", "searches"]


def _all_names() -> list[str]:
    """The public names: those above, and one selector per method."""
    from entropick.selectors.methods import METHODS

    return sorted([*_MODULE_OF, *_SUBMODULES, *METHODS])


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _all_names()
    if name in _SUBMODULES:
        return _import_module(f"entropick.{name}")
    if name not in _MODULE_OF and not name[0].isupper():  # a module: it is imported by name
        raise AttributeError(f"module 'entropick' has no attribute {name!r}")
    module = _MODULE_OF.get(name, "entropick.selectors.methods")
    try:
        value = getattr(_import_module(module), name)
    except AttributeError:
        raise AttributeError(f"module 'entropick' has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_all_names(), "__version__"])
