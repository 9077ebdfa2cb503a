"""Any array, dataframe or sparse matrix becomes one immutable table of small integer codes."""

from entropick.table.encode import encode
from entropick.table.table import ColumnEncoding, DensePart, SparsePart, Table, Target

__all__ = ["ColumnEncoding", "DensePart", "SparsePart", "Table", "Target", "encode"]
