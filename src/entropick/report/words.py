"""Format names and numbers for people."""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from entropick._base.wording import noun, score_in_words

SHOWN_NAME = 48  # characters of a name in tables and sentences
SHOWN_LABEL = 22  # characters of a name inside a figure
FULL_NAME = 300  # characters of a name in a tooltip
FULL_TEXT = 2000  # characters of a sentence, which may quote names
MISSING = "–"
BLANK = "‹blank›"  # shown for blank names
DIGITS = 4  # significant digits of the largest number in a column
MAX_DECIMALS = 6

Number = int | float


def clean(value: Any) -> Any:
    """Replace characters that cannot be displayed, or that change the direction of text."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else "".join(map(_visible, value))
    if isinstance(value, dict):
        return {key: clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    return value


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cs":  # a lone surrogate, which cannot be encoded
        return "\N{REPLACEMENT CHARACTER}"
    if category == "Cc" and character != "\n":
        return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\N{REPLACEMENT CHARACTER}"
    if character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
        return f"‹U+{ord(character):04X}›"  # direction overrides would reorder the text around them
    return character


def shorten(text: str, width: int = SHOWN_NAME) -> str:
    """Shorten to `width` characters; the middle is cut, since long names often differ at the end."""
    if not text.strip():
        return BLANK
    text = " ".join(text[: 2 * width].split()) + text[2 * width :] if len(text) > width else text
    if len(text) <= width:
        return text
    tail = (width - 1) // 3
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"


def full_name(name: str) -> str | None:
    """Tooltip with the name up to a limit; None if the name is not shortened."""
    if len(name) <= SHOWN_NAME:
        return None
    rest = len(name) - FULL_NAME
    return name if rest <= 0 else f"{name[:FULL_NAME]}… ({rest:,} more characters)"


def sentence(text: str) -> str:
    """Limit the length of a text."""
    rest = len(text) - FULL_TEXT
    return text if rest <= 0 else f"{text[:FULL_TEXT]}… ({rest:,} more characters)"


def as_number(value: Any) -> Number | None:
    """The value if it is a finite number, else None; documents hold infinities as strings."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def numbers(values: Iterable[Any]) -> list[Number]:
    """The finite numbers among the values."""
    return [number for number in map(as_number, values) if number is not None]


def decimals_for(values: Iterable[Any]) -> int:
    """Decimals that give the largest value `DIGITS` significant digits; 0 if all are integers."""
    finite = numbers(values)
    if all(isinstance(value, int) for value in finite):
        return 0
    largest = max(abs(value) for value in finite)
    if largest == 0:
        return 1
    return min(max(DIGITS - 1 - math.floor(math.log10(largest)), 1), MAX_DECIMALS)


def number(value: Any, decimals: int | None = None) -> str:
    """Format with thousands separators; numbers that would round to 0 in scientific notation."""
    if value is None:
        return MISSING
    if as_number(value) is None:
        return str(value)
    if decimals is None:
        decimals = decimals_for([value])
    text = f"{value:,.{decimals}f}"
    if value and not text.strip("-0.,"):
        text = f"{value:.0e}"
    return text.replace("-", "−")


def percent(share: float) -> str:
    """Format a share as whole percents."""
    return f"{100 * share:.0f} %"


def exact(value: Number) -> str:
    """All digits of a number, as in JSON."""
    return repr(value)


def seconds(value: Any) -> str:
    """Format a duration in a suitable unit."""
    if as_number(value) is None:
        return MISSING
    if value < 0.1:
        return f"{1000 * value:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def moment(text: str) -> str:
    """Format an ISO 8601 time in UTC."""
    return text.replace("T", " ").replace("+00:00", " UTC").removesuffix("Z")


def plain(name: str) -> str:
    """Readable name of a score."""
    return shorten(score_in_words(name))


def counted(n: int, thing: str, things: str | None = None) -> str:
    """Format a count with its noun."""
    return f"{n:,} {noun(n, thing, things)}"


def named(name: str) -> Markup:
    """Mark up a name in a sentence: shortened, and isolated from the surrounding text direction."""
    title = full_name(name)
    opening = Markup("<bdi>") if title is None else Markup('<bdi title="{}">').format(title)
    return opening + shorten(name) + Markup("</bdi>")


def listed(names: Sequence[str], n_max: int = 5) -> Markup:
    """Join the first few names; all of them if only one would be omitted."""
    shown = [named(name) for name in names[: n_max if len(names) > n_max + 1 else n_max + 1]]
    if len(names) > n_max + 1:
        return Markup(", ").join(shown) + f" and {len(names) - n_max:,} more"
    return Markup(" and ").join([Markup(", ").join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
