"""Measures from correlations, variances and the weights of linear models."""
