"""x."""

from typing import Any

NO_BUG = ""
ABALONE = ""
ACCURACY_ON_CORRAL = ""
ARRHYTHMIA = ""
ARRHYTHMIA_WORSE = ""
EARLY_ON_SPAMBASE = ""
FASTEST = ""
FEW_ON_HYPERSPHERES = ""
FEW_ROWS = ""
FIRST_THREE = ""
FRIEDMAN = ""
GAS = ""
GAS_RISE = ""
LOWER_WITH_FEW_ROWS = ""
MEAN_RANK = ""
PLACE_OF_53 = ""
RRPC_SS_ON_CORRAL = ""
SEVEN_OF_SEVEN = ""
SNEFS_AGAINST_NEFS = ""
SNEFS_TIME = ""
USPS = ""
USPS_WORSE = ""
SPAMBASE_GAINS: dict[str, str] = {}
SEGMENT: dict[str, str] = {}


def nefs_on_corral(results: Any) -> str:
    """x."""
    return ""
