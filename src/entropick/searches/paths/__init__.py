"""Searches from column to column."""
