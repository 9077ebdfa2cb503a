"""Any array, dataframe or sparse matrix as named columns, and files that workers read."""
