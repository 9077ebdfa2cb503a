"""Strays: a few values, such as <0.01 or unknown, that turn a column of numbers into strings."""

import shlex
from collections.abc import Iterator

import polars as pl
import polars.selectors as cs

from entropick._base.wording import MAX_LISTED, counted, listed, quoted
from entropick.files.formats import CODE, NUMBERS
from entropick.files.frames import Frame, collected, column

HEAD_ROWS = 1000  # sampled first; columns with few numbers here skip the full scan
HEAD_SHARE = 0.5  # of numbers in the sample
SHARE = 0.9  # of numbers in a column that was meant to be numeric
SCIENTIFIC = r"^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$"
ANY_NUMBER = "|".join((*NUMBERS.values(), SCIENTIFIC))


def stray_notes(frame: Frame) -> Iterator[str]:
    """Yield a note for each string column that is almost numeric: the exceptions, and what to do."""
    head = collected(frame.select(cs.string()).head(HEAD_ROWS))
    if not head.width:
        return
    shares = head.select(cs.string().str.contains(ANY_NUMBER).mean()).row(0)
    for name, share in zip(head.columns, shares, strict=True):
        if share is not None and share >= HEAD_SHARE:
            yield from _note(name, column(frame, name).drop_nulls())


def _note(name: str, texts: pl.Series) -> Iterator[str]:
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
        f"{quoted(name)} holds numbers except {listed(map(quoted, found))} "
        f"({counted(n_strays, 'row')}): read as text. Hint: --missing-values {hint}."
    )
