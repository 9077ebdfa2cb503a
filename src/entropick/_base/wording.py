"""Names, numbers and lists as people write them."""

import difflib
from collections.abc import Iterable
from itertools import islice

LONGEST_NAME = 60  # characters of a column's name in a sentence
MAX_LISTED = 3  # items of a list in a sentence
MAX_GUESSES = 3  # names suggested for an unknown one


def quoted(name: str) -> str:
    """A name in a sentence; of a long one the beginning."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def counted(n: int, thing: str, things: str | None = None) -> str:
    """1 thing, 2 things."""
    return f"{n} {noun(n, thing, things)}"


def noun(n: int, thing: str, things: str | None = None) -> str:
    """The word for that many things."""
    return thing if n == 1 else things or f"{thing}s"


def listed(items: Iterable[object], most: int = MAX_LISTED) -> str:
    """The first few of many."""
    shown = list(islice(map(str, items), most + 1))
    return ", ".join([*shown[:most], *["..."] * (len(shown) > most)])


def did_you_mean(name: str, known: Iterable[str], otherwise: str, cutoff: float = 0.4) -> str:
    """The known names nearest to an unknown one, or what to say where none is near; case does not matter."""
    by_lower = {one.lower(): one for one in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=MAX_GUESSES, cutoff=cutoff)
    return f"did you mean {' or '.join(repr(by_lower[one]) for one in near)}?" if near else otherwise


def first_line(error: BaseException) -> str:
    """The first line of an error of another library, without the stop at its end."""
    return str(error).strip().split("\n", 1)[0].rstrip(".: ")


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
