"""Numbers and dates as people write them: 3.456,78 or $3,456 or 12 % or 1 234, and 12/31/2026.

A column is read so only if all of its values can be. Where a comma or a point may mean two things, as in
1,234, it is the decimal sign in files separated by semicolons, where that is the custom, and groups digits in
others; the option `--decimal` decides.
"""

import re
from dataclasses import dataclass

import polars as pl
import polars.selectors as cs

from entropick.cli.frames import Frame, collected

MOST_LISTED = 3  # columns, in a note
HEAD_ROWS = 1000
_SPACES = " \u00a0\u202f'’"  # what else groups digits
_MONEY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY)"


def _number_pattern(grouping: str, decimal: str) -> str:
    grouped = rf"\d{{1,3}}(?:[{grouping}{_SPACES}]\d{{3}})+(?:{decimal}\d+)?"
    plain = rf"\d+(?:{decimal}\d+)?"
    return rf"^\s*[+-]?\s?{_MONEY}?\s?[+-]?(?:{grouped}|{plain})\s?(?:%|{_MONEY})?\s*$"


NUMBERS = {".": _number_pattern(",", r"\."), ",": _number_pattern(r"\.", ",")}  # by decimal sign
CODE = r"^\s*0\d+\s*$"  # leading zeros: digits that name something, such as a zip code
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


def read_formats(frame: Frame, separator: str, decimal: str | None) -> tuple[Frame, list[str]]:
    """Turn texts that are numbers or dates into these, and say so.

    Parameters
    ----------
    frame : a table as it was read
    separator : of the file
    decimal : the decimal sign, or None to find it out
    """
    found, codes = _readings(frame, separator, decimal)
    notes = [_code_note(codes)] if codes else []
    if not found:
        return frame, notes
    shown = ", ".join(map(str, found[:MOST_LISTED])) + (", ..." if len(found) > MOST_LISTED else "")
    note = f"Strings read as numbers or dates: {shown}; --decimal settles what a point or comma means."
    return frame.with_columns(reading.values for reading in found), [note, *notes]


def _code_note(codes: dict[str, str]) -> str:
    items = [f"{name!r} ({example!r})" for name, example in codes.items()]
    shown = ", ".join(items[:MOST_LISTED]) + (", ..." if len(items) > MOST_LISTED else "")
    return f"Leading zeros: {shown}; read as text, since such digits are codes rather than numbers."


def _readings(frame: Frame, separator: str, decimal: str | None) -> tuple[list[_Reading], dict[str, str]]:
    """What the columns of texts hold; of the signs that fit all values the more usual one.

    Besides, the columns whose values are digits, some with leading zeros, with an example.
    """
    usual = decimal or ("," if separator == ";" else ".")
    signs = [usual] if decimal else [usual, *(set(NUMBERS) - {usual})]
    patterns = {sign: NUMBERS[sign] for sign in signs} | {None: MONTH_FIRST}
    examples = _examples(frame, list(patterns.values()))
    if not examples:
        return [], {}
    checks = [
        check.alias(f"{k} {j}")
        for k, name in enumerate(examples)
        for j, check in enumerate(_checks(cs.by_name(name).as_expr(), list(patterns.values())))
    ]
    results = collected(frame.select(checks)).row(0)
    found, codes = [], {}
    for k, (name, example) in enumerate(examples.items()):
        *fits, code = results[k * (len(patterns) + 1) : (k + 1) * (len(patterns) + 1)]
        fitting = [sign for sign, fit in zip(patterns, fits, strict=True) if fit]
        if not fitting:
            continue
        if code is not None:
            codes[name] = code
        elif fitting[0] is not None or _is_date(frame, name):
            found.append(_Reading(name, fitting[0], example))
    return found, codes


def _checks(text: pl.Expr, patterns: list[str]) -> list[pl.Expr]:
    """Whether all texts fit each pattern, and the first code among them."""
    fits = [text.str.contains(pattern).all() for pattern in patterns]
    return [*fits, text.filter(text.str.contains(CODE)).first()]


def _examples(frame: Frame, patterns: list[str]) -> dict[str, str]:
    """The columns of texts whose first text fits a pattern, with that text."""
    head = collected(frame.select(cs.string()).head(HEAD_ROWS))
    firsts = (next((text for text in series if text is not None), None) for series in head.iter_columns())
    any_pattern = re.compile("|".join(patterns))
    return {
        name: first
        for name, first in zip(head.columns, firsts, strict=True)
        if first is not None and any_pattern.match(first)
    }


def _is_date(frame: Frame, name: str) -> bool:
    """Whether no text is a day that does not exist."""
    text = cs.by_name(name).as_expr()
    dates = text.str.strip_chars().str.to_date("%m/%d/%Y", strict=False)
    is_lost = dates.is_null() & text.is_not_null()
    return not collected(frame.select(is_lost.any())).item()
