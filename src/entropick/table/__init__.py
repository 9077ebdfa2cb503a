"""Any array, dataframe or sparse matrix, read once and seen as codes, as numbers or as coordinates."""

from entropick.table.codes import Codes
from entropick.table.encoding import Encoding, Rules, encode
from entropick.table.levels import ColumnEncoding, Target

__all__ = ["Codes", "ColumnEncoding", "Encoding", "Rules", "Target", "encode"]
