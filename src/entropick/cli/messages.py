"""Messages of the library in the words of the program: options instead of parameters of Python."""

from entropick.exceptions import DROP_IT, Hint, Message

# The options of the program, by the parameter of Python they set.
OPTIONS = {
    "binning": "--binning",
    "correction": "--correction",
    "estimators": "--estimators",
    "fixed_features": "--fixed",
    "folds": "--folds",
    "max_rows": "--max-rows",
    "methods": "--methods",
    "n_bins": "--n-bins",
    "n_features": "--n-features",
    "n_jobs": "--jobs",
    "random_state": "--seed",
    "scoring": "--scoring",
    "target": "--target-type",
}


def in_options(message: str) -> str:
    """A message for people who use the program; one without hints is the same for everybody."""
    if not isinstance(message, Message):
        return message
    return "".join(_option(part) if isinstance(part, Hint) else part for part in message.parts)


def _option(hint: Hint) -> str:
    """A parameter as an option; one without an option is said to be Python's."""
    if hint == DROP_IT:
        return "leave it out with --ignore"
    option = OPTIONS.get(hint.parameter)
    if option is not None:
        return option if hint.value is None else f"{option} {hint.value}"
    if hint.value is None:
        return f"{hint.parameter} of {hint.owner} in Python"
    return f"in Python, {hint.owner}({hint})"
