"""Parse numbers and dates as people write them: 3.456,78 or $3,456 or 12 % or 1 234, and 12/31/2026.

A column is converted only if all of its values fit. An ambiguous comma or point, as in 1,234, is read as in
the other columns of the file. If these are ambiguous too, a comma is the decimal mark in files separated by
semicolons, as is customary there, and the thousands separator in others. The option `--decimal` overrides
this.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import polars as pl
import polars.selectors as cs

from entropick._base.wording import listed
from entropick.files.frames import Frame, collected

HEAD_ROWS = 1000
_SPACES = " \u00a0\u202f'’"  # other thousands separators
_MONEY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY)"


def _number_pattern(grouping: str, decimal: str) -> str:
    grouped = rf"\d{{1,3}}(?:[{grouping}{_SPACES}]\d{{3}})+(?:{decimal}\d+)?"
    plain = rf"\d+(?:{decimal}\d+)?"
    return rf"^\s*[+-]?\s?{_MONEY}?\s?[+-]?(?:{grouped}|{plain})\s?(?:%|{_MONEY})?\s*$"


NUMBERS = {".": _number_pattern(",", r"\."), ",": _number_pattern(r"\.", ",")}  # by decimal mark
CODE = r"^\s*0\d+\s*$"  # leading zeros: a code rather than a number, such as a zip code
GROUPED = r"^[+-]?[1-9]\d{0,2}(?:\.\d{3})*$|^0$"  # integers, if the point is a thousands separator
MONTH_FIRST = r"^\s*\d{1,2}/\d{1,2}/\d{4}\s*$"  # polars parses dates with the day or year first itself


@dataclass(frozen=True)
class _Reading:
    """How a string column is parsed, and an example."""

    name: str
    decimal: str | None  # None for a date
    example: str

    @property
    def values(self) -> pl.Expr:
        text = cs.by_name(self.name).as_expr()
        if self.decimal is None:
            return text.str.strip_chars().str.to_date("%m/%d/%Y")
        bare = text.str.replace_all(r"[^0-9.,+-]", "")
        grouping = "," if self.decimal == "." else "."
        plain = bare.str.replace_all(grouping, "", literal=True).str.replace(self.decimal, ".", literal=True)
        return plain.cast(pl.Float64)

    def __str__(self) -> str:
        value = pl.DataFrame({self.name: [self.example]}).select(self.values).item()
        shown = f"{value:.10g}" if isinstance(value, float) else str(value)
        return f"{self.name!r} ({self.example!r} is {shown})"


@dataclass(frozen=True)
class _Fit:
    """A string column, an example, and the decimal marks with which all values are numbers (None: dates).

    `code` is its first value with leading zeros, if any.
    """

    name: str
    example: str
    signs: list[str | None]
    code: str | None


def read_formats(frame: Frame, usual: str, decimal: str | None) -> tuple[Frame, list[str]]:
    """Convert string columns that hold numbers or dates, and return notes about them.

    Parameters
    ----------
    frame : table as read by polars
    usual : decimal mark of columns that could be read with either
    decimal : decimal mark set by the user, or None to detect it
    """
    found, codes = _readings(frame, usual, decimal)
    notes = [_code_note(codes)] if codes else []
    if not found:
        return frame, notes
    note = (
        f"Strings read as numbers or dates: {listed(found)}; --decimal settles what a point or comma means."
    )
    return frame.with_columns(reading.values for reading in found), [note, *notes]


def without_padded_marks(frame: Frame, missing: Sequence[str]) -> Frame:
    """Replace strings that mean missing, apart from spaces around them, by nulls."""
    names = _padded(frame)
    if not names:
        return frame
    texts = cs.by_name(*names).as_expr()
    is_mark = texts.str.strip_chars().is_in(missing)
    return frame.with_columns(pl.when(~is_mark).then(texts).name.keep())


def trimmed(frame: Frame) -> tuple[Frame, list[str]]:
    """Strip spaces around strings, and return a note about the columns that had some."""
    names = _padded(frame)
    if not names:
        return frame, []
    shown = listed(map(repr, names))
    texts = cs.by_name(*names).as_expr()
    return frame.with_columns(texts.str.strip_chars()), [f"Leading and trailing spaces removed in {shown}."]


def _padded(frame: Frame) -> list[str]:
    """String columns with spaces around some values."""
    texts = cs.string().as_expr()
    are_padded = collected(frame.select((texts.str.strip_chars() != texts).any()))
    if not are_padded.width:
        return []
    return [name for name, is_padded in zip(are_padded.columns, are_padded.row(0), strict=True) if is_padded]


def shown_sign(frame: Frame) -> str | None:
    """Decimal mark implied by string columns such as 4,41; None if there is none, or both occur."""
    patterns: dict[str | None, str] = {sign: NUMBERS[sign] for sign in NUMBERS}
    fits = [fit for fit in _fits(frame, patterns) if fit.code is None]
    only = {fit.signs[0] for fit in fits if len(fit.signs) == 1}
    return only.pop() if len(only) == 1 else None


def _code_note(codes: dict[str, str]) -> str:
    shown = listed(f"{name!r} ({example!r})" for name, example in codes.items())
    return f"Leading zeros: {shown}; read as text, since such digits are codes rather than numbers."


def _readings(frame: Frame, usual: str, decimal: str | None) -> tuple[list[_Reading], dict[str, str]]:
    """How to parse the string columns, preferring the usual decimal mark if both fit.

    Also returns columns of digits with leading zeros, each with an example.
    """
    signs = [decimal] if decimal else [usual, *(set(NUMBERS) - {usual})]
    fits = _fits(frame, {sign: NUMBERS[sign] for sign in signs} | {None: MONTH_FIRST})
    codes = {fit.name: fit.code for fit in fits if fit.code is not None}
    found = [
        _Reading(fit.name, fit.signs[0], fit.example)
        for fit in fits
        if fit.code is None and (fit.signs[0] is not None or _is_date(frame, fit.name))
    ]
    return found, codes


def _fits(frame: Frame, patterns: Mapping[str | None, str]) -> list[_Fit]:
    """String columns in which all values match one of the patterns."""
    examples = _examples(frame, list(patterns.values()))
    if not examples:
        return []
    checks = [
        check.alias(f"{k} {j}")
        for k, name in enumerate(examples)
        for j, check in enumerate(_checks(cs.by_name(name).as_expr(), list(patterns.values())))
    ]
    results = iter(collected(frame.select(checks)).row(0))
    found = []
    for name, example in examples.items():
        signs = [sign for sign in patterns if next(results)]
        found.append(_Fit(name, example, signs, code=next(results)))
    return [fit for fit in found if fit.signs]


def _checks(text: pl.Expr, patterns: list[str]) -> list[pl.Expr]:
    """Whether all strings match each pattern, and the first code among them."""
    fits = [text.str.contains(pattern).all() for pattern in patterns]
    return [*fits, text.filter(text.str.contains(CODE)).first()]


def _examples(frame: Frame, patterns: list[str]) -> dict[str, str]:
    """String columns whose first value matches a pattern, with an example that is not just digits."""
    head = collected(frame.select(cs.string()).head(HEAD_ROWS))
    any_pattern = re.compile("|".join(patterns))
    examples = {}
    for series in head.iter_columns():
        texts = (text for text in series if text is not None)
        first = next(texts, None)
        if first is not None and any_pattern.match(first):
            telling = (text for text in chain([first], texts) if not text.isdigit())
            examples[series.name] = next(telling, first)
    return examples


def _is_date(frame: Frame, name: str) -> bool:
    """Whether all strings are existing dates."""
    text = cs.by_name(name).as_expr()
    dates = text.str.strip_chars().str.to_date("%m/%d/%Y", strict=False)
    is_lost = dates.is_null() & text.is_not_null()
    return not collected(frame.select(is_lost.any())).item()
