"""Names as people write them."""


def score_in_words(name: str) -> str:
    """The name of a score of scikit-learn as people write it."""
    return "R²" if name == "r2" else name.replace("_", " ")
