"""What can be counted: of one table (`local`), or of rows elsewhere whose counts are added (`cells`).

`entropick.contracts.Counts` is what measures see of both.
"""
