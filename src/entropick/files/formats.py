"""Numbers and dates as people write them: 3.456,78 or $3,456 or 12 % or 1 234, and 12/31/2026.

A column is read so only if all of its values can be. Where a comma or a point may mean two things, as in
1,234, it means what it does in other columns of the file. If these do not show it, a comma is the decimal
sign in files separated by semicolons, where that is the custom, and groups digits in others; the option
`--decimal` decides.
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
_SPACES = " \u00a0\u202f'’"  # what else groups digits
_MONEY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY)"


def _number_pattern(grouping: str, decimal: str) -> str:
    grouped = rf"\d{{1,3}}(?:[{grouping}{_SPACES}]\d{{3}})+(?:{decimal}\d+)?"
    plain = rf"\d+(?:{decimal}\d+)?"
    return rf"^\s*[+-]?\s?{_MONEY}?\s?[+-]?(?:{grouped}|{plain})\s?(?:%|{_MONEY})?\s*$"


NUMBERS = {".": _number_pattern(",", r"\."), ",": _number_pattern(r"\.", ",")}  # by decimal sign
CODE = r"^\s*0\d+\s*$"  # leading zeros: digits that name something, such as a zip code
GROUPED = r"^[+-]?[1-9]\d{0,2}(?:\.\d{3})*$|^0$"  # whole numbers, if the point groups digits
MONTH_FIRST = r"^\s*\d{1,2}/\d{1,2}/\d{4}\s*$"  # polars itself reads dates with the day or the year first


@dataclass(frozen=True)
class _Reading:
    """A column of texts, what it holds, and one of the texts."""

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
    """A column of texts, one of them, the signs by which all are numbers (None: dates), and a code."""

    name: str
    example: str
    signs: list[str | None]
    code: str | None


def read_formats(frame: Frame, usual: str, decimal: str | None) -> tuple[Frame, list[str]]:
    """Turn texts that are numbers or dates into these, and say so.

    Parameters
    ----------
    frame : a table as it was read
    usual : the decimal sign where values have a meaning with either
    decimal : the decimal sign that was named, or None to find it out
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
    """Missing values where a text means that, apart from spaces around it."""
    names = _padded(frame)
    if not names:
        return frame
    texts = cs.by_name(*names).as_expr()
    is_mark = texts.str.strip_chars().is_in(missing)
    return frame.with_columns(pl.when(~is_mark).then(texts).name.keep())


def trimmed(frame: Frame) -> tuple[Frame, list[str]]:
    """Texts without spaces around them, as numbers are read, and which columns had some."""
    names = _padded(frame)
    if not names:
        return frame, []
    shown = listed(map(repr, names))
    texts = cs.by_name(*names).as_expr()
    return frame.with_columns(texts.str.strip_chars()), [f"Spaces around values are left out: {shown}."]


def _padded(frame: Frame) -> list[str]:
    """Columns of texts, some of which have spaces around them."""
    texts = cs.string().as_expr()
    are_padded = collected(frame.select((texts.str.strip_chars() != texts).any()))
    if not are_padded.width:
        return []
    return [name for name, is_so in zip(are_padded.columns, are_padded.row(0), strict=True) if is_so]


def shown_sign(frame: Frame) -> str | None:
    """The decimal sign that columns of texts show, as 4,41 does; None if they show none, or both."""
    patterns: dict[str | None, str] = {sign: NUMBERS[sign] for sign in NUMBERS}
    fits = [fit for fit in _fits(frame, patterns) if fit.code is None]
    only = {fit.signs[0] for fit in fits if len(fit.signs) == 1}
    return only.pop() if len(only) == 1 else None


def _code_note(codes: dict[str, str]) -> str:
    shown = listed(f"{name!r} ({example!r})" for name, example in codes.items())
    return f"Leading zeros: {shown}; read as text, since such digits are codes rather than numbers."


def _readings(frame: Frame, usual: str, decimal: str | None) -> tuple[list[_Reading], dict[str, str]]:
    """What the columns of texts hold; of the signs that fit all values the more usual one.

    Besides, the columns whose values are digits, some with leading zeros, with an example.
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
    """The columns of texts that all fit a pattern."""
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
    """Whether all texts fit each pattern, and the first code among them."""
    fits = [text.str.contains(pattern).all() for pattern in patterns]
    return [*fits, text.filter(text.str.contains(CODE)).first()]


def _examples(frame: Frame, patterns: list[str]) -> dict[str, str]:
    """The columns of texts whose first text fits a pattern, with a text that is not just digits."""
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
    """Whether no text is a day that does not exist."""
    text = cs.by_name(name).as_expr()
    dates = text.str.strip_chars().str.to_date("%m/%d/%Y", strict=False)
    is_lost = dates.is_null() & text.is_not_null()
    return not collected(frame.select(is_lost.any())).item()
