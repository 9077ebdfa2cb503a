"""Columns as other libraries store them: row by row, as Arrow strings, as dictionary codes."""

from entropick._core import (
    NumericTable as NumericTable,
    find_present as find_present,
    number_texts as number_texts,
    read_columns as read_columns,
    renumber as renumber,
)
