"""Format names, numbers and lists for messages."""

import difflib
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

LONGEST_NAME = 60  # characters of a column's name in a sentence
MAX_QUOTED = 300  # characters of another library's message
MAX_LISTED = 3  # items of a list in a sentence
WIDE, FAR = 4, 8  # factor and distance between the ends of a wide interval of numbers of columns
MAX_GUESSES = 3  # names suggested for an unknown one


def quoted(name: str) -> str:
    """Quote a name, shortened if it is long."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…")


def counted(n: int, thing: str, things: str | None = None) -> str:
    """Format a count with its noun: "1 thing", "2 things"."""
    return f"{n} {noun(n, thing, things)}"


def noun(n: int, thing: str, things: str | None = None) -> str:
    """Singular or plural of a noun."""
    return thing if n == 1 else things or f"{thing}s"


def listed(items: Iterable[object], most: int = MAX_LISTED) -> str:
    """Join the first few items, with "..." if there are more."""
    shown = list(islice(map(str, items), most + 1))
    return ", ".join([*shown[:most], *["..."] * (len(shown) > most)])


def did_you_mean(name: str, known: Iterable[str], otherwise: str, cutoff: float = 0.4) -> str:
    """Suggest known names similar to an unknown one, ignoring case; return `otherwise` if there are none."""
    by_lower = {one.lower(): one for one in known}
    swapped = [one for one in by_lower if sorted(one) == sorted(name.lower())]  # letters in another order
    close = difflib.get_close_matches(name.lower(), by_lower, n=MAX_GUESSES, cutoff=cutoff)
    near = list(dict.fromkeys([*swapped, *close]))[:MAX_GUESSES]
    return f"did you mean {' or '.join(repr(by_lower[one]) for one in near)}?" if near else otherwise


def first_line(error: BaseException) -> str:
    """First line of another library's error message, or its beginning, without trailing punctuation."""
    line = str(error).strip().split("\n", 1)[0].rstrip(".: ")
    return line if len(line) <= MAX_QUOTED else f"{line[:MAX_QUOTED]}…"


def beside_guessing(scoring: str, largest_class: float | None) -> str:
    """Share of the largest class, to show next to the balanced accuracy of guessing.

    Parameters
    ----------
    scoring : name of the score, in words or as in scikit-learn
    largest_class : share of rows in the largest class
    """
    if largest_class is None or score_in_words(scoring) != "balanced accuracy":
        return ""
    return f", the largest class has {100 * largest_class:.1f} % of the rows"


def interval_in_words(low: int, high: int) -> str:
    """Numbers of columns between which the choice lies, in brackets; nothing if it is one."""
    is_wide = high >= WIDE * low and high >= low + FAR
    wide = ": these rows do not settle the number" if is_wide else ""
    return f" (90 % interval {low:,} to {high:,}{wide})" if low < high else ""


def score_in_words(name: str) -> str:
    """Readable name of a scikit-learn score."""
    return "R²" if name == "r2" else name.replace("_", " ")


MODELS = {"linear": "a linear model", "neighbors": "nearest neighbours"}


def model_in_words(name: str) -> str:
    """Readable name of a model that predicts held-out rows."""
    return MODELS.get(name, name)


SURE = 0.05  # false discovery rate up to which columns are taken to be related to the target


def doubt_in_words(is_chance: bool, q_alone: float | None, *, is_first: bool) -> str:
    """What to say of a column that adds no more than chance to the columns above it.

    One that is related to the target when tested individually is not chance, it only adds nothing that the
    others do not tell.

    Parameters
    ----------
    is_chance : whether what it adds may be chance
    q_alone : q-value of its test on its own; None if not known
    is_first : whether there are no columns above it
    """
    if not is_chance:
        return ""
    if q_alone is not None and q_alone > SURE:
        return "may be chance"
    return "" if is_first and q_alone is not None else "may add nothing"


NEAR_ROWS = "entropy of the classes among near rows, bits; another column may raise it"


def is_of_near_rows(settings: Mapping[str, Any] | None) -> bool:
    """Whether the residual of a fit is an entropy among near rows: NEFS, unless the cut counts levels."""
    parts = settings or {}
    names = [(parts.get(role) or {}).get("name") or "" for role in ("measure", "cut")]
    return names[0] == "NeighborhoodEntropy" and names[1] != "Residual"
