"""Searches over whole subsets."""
