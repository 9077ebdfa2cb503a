"""What can be counted: of one table (`local`), or of partitions of its rows whose counts are added (`rows`).

`entropick.contracts.Counts` is what measures see of both.
"""

from entropick.counting.local import LocalCounts
from entropick.counting.rows import RowPartitionedCounts

__all__ = ["LocalCounts", "RowPartitionedCounts"]
