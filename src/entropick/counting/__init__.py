"""What can be counted: of one table (`local`), or of partitions of its rows whose counts are added (`rows`).

`entropick.contracts.Counts` is what measures see of both.
"""
