"""Measures on a graph whose nodes are columns."""
