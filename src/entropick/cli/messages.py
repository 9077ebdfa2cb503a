"""Messages of the library with command-line options instead of Python parameters."""

from entropick.exceptions import DROP_IT, Hint, Message

# Options by the Python parameter they set.
OPTIONS = {
    "binning": "--binning",
    "correction": "--correction",
    "cv": "--time",
    "estimators": "--estimators",
    "fixed_features": "--fixed",
    "folds": "--folds",
    "groups": "--groups",
    "max_rows": "--max-rows",
    "methods": "--methods",
    "min_cell": "--min-cell",
    "n_bins": "--n-bins",
    "n_features": "--n-features",
    "n_jobs": "--jobs",
    "random_state": "--seed",
    "scoring": "--scoring",
    "target": "--target-type",
    "time_order": "--time",
}


def in_options(message: str) -> str:
    """Replace the hints of a message by options; a plain string is returned unchanged."""
    if not isinstance(message, Message):
        return message
    return "".join(_option(part) if isinstance(part, Hint) else part for part in message.parts)


def _option(hint: Hint) -> str:
    """The option that sets a parameter; one without an option is described as Python's."""
    if hint == DROP_IT:
        return "leave it out with --ignore"
    option = OPTIONS.get(hint.parameter)
    if option is not None:
        return option if hint.value is None else f"{option} {hint.value}"
    if hint.value is None:
        return f"{hint.parameter} of {hint.owner} in Python"
    return f"in Python, {hint.owner}({hint})"
