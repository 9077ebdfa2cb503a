"""Strays: the few values, such as <0.01 or unknown, that make a column of numbers one of texts."""

import shlex
from collections.abc import Iterator

import polars as pl
import polars.selectors as cs

from entropick._base.wording import MAX_LISTED, counted, listed, quoted
from entropick.files.formats import CODE, NUMBERS
from entropick.files.frames import Frame, collected, column, take

HEAD_ROWS = 1000  # looked at first: a column with few numbers there is not looked at in full
HEAD_SHARE = 0.5  # of numbers among the values there
SHARE = 0.9  # of numbers among all values of a column that was meant to hold numbers
SCIENTIFIC = r"^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$"
ANY_NUMBER = "|".join((*NUMBERS.values(), SCIENTIFIC))


def stray_notes(frame: Frame) -> Iterator[str]:
    """A sentence for each column of texts that nearly all are numbers: which are not, and what to do."""
    head = collected(frame.select(cs.string()).head(HEAD_ROWS))
    if not head.width:
        return
    shares = head.select(cs.string().str.contains(ANY_NUMBER).mean()).row(0)
    for name, share in zip(head.columns, shares, strict=True):
        if share is not None and share >= HEAD_SHARE:
            yield from _note(column(take(frame, [name]), name).drop_nulls())


def _note(texts: pl.Series) -> Iterator[str]:
    strays = texts.filter(~texts.str.contains(ANY_NUMBER))
    n_strays = len(strays)
    if not n_strays or n_strays > (1 - SHARE) * len(texts) or texts.str.contains(CODE).any():
        return
    values = strays.alias("text").value_counts(sort=True).sort("count", "text", descending=[True, False])
    found = values["text"].to_list()
    hint = "names strings that mean missing"
    if len(found) <= MAX_LISTED:
        given = shlex.quote(",".join(text.strip() for text in found))
        hint = f"{given} reads {'them' if n_strays > 1 else 'it'} as missing"
    yield (
        f"{quoted(texts.name)} holds numbers except {listed(map(quoted, found))} "
        f"({counted(n_strays, 'row')}): read as text. Hint: --missing-values {hint}."
    )
