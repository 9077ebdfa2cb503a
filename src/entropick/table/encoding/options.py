"""The parameters of selectors and counts that say how values become levels."""

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

from entropick._base.compat import Interval, StrOptions, validate_parameter_constraints
from entropick.table.encoding.encoding import Rules

CONSTRAINTS: dict[str, Any] = {
    "n_bins": [Interval(Integral, 2, 65535, closed="both"), StrOptions({"auto"})],
    "binning": [StrOptions({"quantile", "uniform", "mdlp"})],
    "missing": [StrOptions({"level", "error"})],
    "target": [StrOptions({"auto", "class", "real"})],
}


@dataclass(frozen=True)
class Options:
    """How values become levels, see the selectors."""

    n_bins: int | str
    binning: str
    missing: str
    target: str

    def checked(self, caller: str) -> "Options":
        """These options, if they are allowed; numbers of other libraries become Python's."""
        validate_parameter_constraints(CONSTRAINTS, vars(self), caller)
        return self if isinstance(self.n_bins, str) else replace(self, n_bins=int(self.n_bins))

    def rules(self, n_rows: int) -> Rules:
        others = self.binning, self.missing
        return Rules.for_rows(n_rows, *others) if self.n_bins == "auto" else Rules(int(self.n_bins), *others)
