"""Read any array, dataframe or sparse matrix once, as codes, numbers or coordinates."""

from entropick.table.codes import Codes, ColumnEncoding, Target
from entropick.table.encoding.encoding import Encoding, Rules, encode

__all__ = ["Codes", "ColumnEncoding", "Encoding", "Rules", "Target", "encode"]
