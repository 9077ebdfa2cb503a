"""Any file becomes a table: text, Excel, Parquet and Arrow, ARFF."""
