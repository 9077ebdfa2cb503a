"""Names as people write them."""

LONGEST_NAME = 60  # characters of a column's name in a sentence


def quoted(name: str) -> str:
    """A name in a sentence; of a long one the beginning."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def beside_guessing(scoring: str, largest_class: float | None) -> str:
    """What to say beside the balanced accuracy of guessing: how often guessing would be right.

    Parameters
    ----------
    scoring : name of the score, as scikit-learn has it or in words
    largest_class : share of the table's rows that its largest class has
    """
    if largest_class is None or score_in_words(scoring) != "balanced accuracy":
        return ""
    return f", the largest class has {100 * largest_class:.1f} % of the rows"


def score_in_words(name: str) -> str:
    """The name of a score of scikit-learn as people write it."""
    return "R²" if name == "r2" else name.replace("_", " ")
