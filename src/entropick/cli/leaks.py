"""Columns that tell the target too well to be true."""

from collections.abc import Sequence

import polars as pl
import polars.selectors as cs

from entropick.cli.prepare import Prepared
from entropick.files.frames import collected, take
from entropick.records.profiles import MAX_LEAKS, MIN_ROWS, Described
from entropick.table.notes import SAME_ORDER


def leaks(prepared: Prepared, names: Sequence[str], described: Described) -> list[str]:
    """Those of the first `names` that determine the target alone, by few levels or by their order."""
    names = list(names)[:MAX_LEAKS]
    if not names or prepared.n_rows < MIN_ROWS:
        return []
    if prepared.kind != "real":
        return described.determining(names)
    X = collected(take(prepared.X, names)).select(cs.numeric())
    return [name for name in X.columns if _has_order_of(X[name], prepared.y)]


def _has_order_of(column: pl.Series, y: pl.Series) -> bool:
    pairs = pl.DataFrame({"column": column.cast(pl.Float64), "y": y.to_physical().cast(pl.Float64)})
    correlation = pairs.drop_nulls().select(pl.corr("column", "y", method="spearman")).item()
    return correlation is not None and abs(correlation) > SAME_ORDER
