"""Measures that keep the structure of the rows: graphs of near rows, eigenvectors, clusters."""
