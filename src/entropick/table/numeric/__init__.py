"""Columns as numbers: values, moments, scales and coordinates."""
