"""Columns as they stand in tables of others: values row by row, texts of Arrow, codes of dictionaries."""

from entropick._core import (
    NumericTable as NumericTable,
    find_present as find_present,
    number_texts as number_texts,
    read_columns as read_columns,
    renumber as renumber,
)
