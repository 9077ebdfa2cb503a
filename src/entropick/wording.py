"""Names as people write them."""

LONGEST_NAME = 60  # characters of a column's name in a sentence


def quoted(name: str) -> str:
    """A name in a sentence; of a long one the beginning."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def score_in_words(name: str) -> str:
    """The name of a score of scikit-learn as people write it."""
    return "R²" if name == "r2" else name.replace("_", " ")
