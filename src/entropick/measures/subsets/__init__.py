"""Measures of whole subsets: balances of relevance and redundancy, cross-validated estimators."""
