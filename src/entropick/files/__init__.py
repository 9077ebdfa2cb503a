"""Readers for text, Excel, Parquet, Arrow and ARFF files."""
