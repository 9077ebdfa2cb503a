"""Names as people write them, and selectors as they write them in Python."""

from collections.abc import Mapping
from typing import Any

LONGEST_NAME = 60  # characters of a column's name in a sentence


def quoted(name: str) -> str:
    """A name in a sentence; of a long one the beginning."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def score_in_words(name: str) -> str:
    """The name of a score of scikit-learn as people write it."""
    return "R²" if name == "r2" else name.replace("_", " ")


def selector_code(method: str, n_kept: int, learned: Mapping[str, Any], seed: int | None) -> str:
    """A selector that selects the same columns of the same rows, in Python."""
    if "max_false" not in learned:
        return f"ep.{method}({n_kept})"
    of_half = learned["mean_size"]  # whole where a number was asked for
    kept = f"{of_half:g}" if float(of_half).is_integer() else '"auto"'
    return f"ep.StabilitySelector(ep.{method}({kept}), random_state={seed})"
