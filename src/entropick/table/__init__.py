"""Any array, dataframe or sparse matrix, read once and seen as codes, as numbers or as coordinates."""

from entropick.table.codes import Codes, ColumnEncoding, Target
from entropick.table.encoding.encoding import Encoding, Rules, encode

__all__ = ["Codes", "ColumnEncoding", "Encoding", "Rules", "Target", "encode"]
