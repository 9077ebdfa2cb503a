"""Convert records to JSON values and to dataframes."""

import dataclasses
import math
from typing import Any

import numpy as np


def to_plain(value: Any) -> Any:
    """Convert a value to JSON types: NaN becomes None; infinities and unknown types become strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and np.isfinite(value).all():
        return value.tolist()
    if isinstance(value, list | tuple | np.ndarray):
        return [to_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def make_frame(data: dict[str, list[Any]], backend: Any = None) -> Any:
    """Build a dataframe with the given library, by default the first one installed."""
    import narwhals.stable.v2 as nw

    return nw.from_dict(data, backend=backend or _installed_backend()).to_native()


def _installed_backend() -> Any:
    from importlib.util import find_spec

    for backend in ("pandas", "polars", "pyarrow"):
        if find_spec(backend) is not None:
            return backend
    raise ImportError("to_frame() needs a dataframe library. Hint: pip install pandas, or use to_dict().")
