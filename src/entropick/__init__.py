"""Entropy-based feature selection: which columns matter, in what order, and how many a model needs.

Every selector is a measure × a search × a cut; see `FeatureSelector` for free combinations. Modules are
imported when a name is first used, so that importing the package itself is fast.
"""

import importlib
from typing import TYPE_CHECKING, Any

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
    "entropick.table.executors.engine": ["partitioned"],
    "entropick.table.readers.scan": ["scan"],
    "entropick.records.selection": ["Selection", "Step"],
    "entropick.records.exploration": ["Exploration", "ParetoFront", "plot_history"],
    "entropick.comparison": ["Comparison", "compare"],
    "entropick.selectors": ["FeatureSelector", "StabilitySelector", "select"],
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_SUBMODULES = ["cuts", "datasets", "exceptions", "measures", "registry", "searches"]


if TYPE_CHECKING:
    from entropick import (
        cuts as cuts,
        datasets as datasets,
        exceptions as exceptions,
        measures as measures,
        registry as registry,
        searches as searches,
    )
    from entropick.comparison import Comparison as Comparison, compare as compare
    from entropick.inference.multiplicity import q_values as q_values
    from entropick.measures.entropies import (
        bayes_risk as bayes_risk,
        bayesian_conditional_entropy as bayesian_conditional_entropy,
        bayesian_entropy as bayesian_entropy,
        conditional_entropy as conditional_entropy,
        entropy as entropy,
        fano_bound as fano_bound,
        mutual_information as mutual_information,
        neighborhood_entropy as neighborhood_entropy,
    )
    from entropick.records.exploration import (
        Exploration as Exploration,
        ParetoFront as ParetoFront,
        plot_history as plot_history,
    )
    from entropick.records.selection import Selection as Selection, Step as Step
    from entropick.selectors import (
        FeatureSelector as FeatureSelector,
        StabilitySelector as StabilitySelector,
        select as select,
    )
    from entropick.selectors.methods import *  # noqa: F403
    from entropick.table.cube import Cube as Cube
    from entropick.table.executors.database import database as database
    from entropick.table.executors.engine import partitioned as partitioned
    from entropick.table.readers.scan import scan as scan
    from entropick.table.sketches import Sketches as Sketches
else:  # type checkers see the names themselves, so that a typo is an error

    def _all_names() -> list[str]:
        """The public names: those above, and one selector per method."""
        from entropick.selectors.methods import METHODS

        return sorted([*_MODULE_OF, *_SUBMODULES, *METHODS])

    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return _all_names()
        if name in _SUBMODULES:
            return importlib.import_module(f"entropick.{name}")
        if name not in _MODULE_OF and not name[0].isupper():  # a module: it is imported by name
            raise AttributeError(f"module 'entropick' has no attribute {name!r}")
        module = _MODULE_OF.get(name, "entropick.selectors.methods")
        try:
            value = getattr(importlib.import_module(module), name)
        except AttributeError:
            raise AttributeError(f"module 'entropick' has no attribute {name!r}") from None
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted([*_all_names(), "__version__"])
