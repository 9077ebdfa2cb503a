"""What the library says, in the words of the program: options instead of parameters of Python."""

import re

# Patterns of messages, and what stands there instead. A parameter without an option is said to be Python's.
TRANSLATIONS = [
    (r"\bn_features=([\w.]+)", r"--n-features \1"),
    (r"\btarget='(class|real)'", r"--target-type \1"),
    (r"use fewer folds", r"use fewer --folds"),
    (r"\bmax_false=([\d.]+)", r"\1"),
    (r", or raise max_false", r""),
    (r"\bn_samples = (\d+)", r"\1"),
    (r"drop it, merge rare levels, or use correction='(\w+)'",
     r"leave it out with --ignore, merge rare levels, or use --correction \1"),
    (r"\bbinning='(\w+)' or '(\w+)'", r"--binning \1 or \2"),
    (r"\bbinning='(\w+)'", r"--binning \1"),
    (r"unlabelled=-1 takes (.*?), unlabelled='missing' confirms the choice",
     r"in Python, RRPC(unlabelled=-1) takes \1"),
    (r"\balpha=1 sees more", r"in Python, RenyiFS(alpha=1) sees more"),
    (r"use fewer levels \(n_bins\)", r"use fewer levels (--n-bins)"),
    (r"\bparsimony=True prefers", r"in Python, CrossEntropyFS(parsimony=True) prefers"),
]  # fmt: skip


def in_options(message: str) -> str:
    """A message of the library for people who use the program."""
    for pattern, words in TRANSLATIONS:
        message = re.sub(pattern, words, message)
    return message
