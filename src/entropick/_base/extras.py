"""Libraries of the extras, which need not be installed."""

import importlib
from typing import Any


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to install it."""
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Figures need matplotlib, which is not installed. Hint: pip install 'entropick[plot]'.",
            name=error.name,
        ) from None
