"""Measures from the joint levels of all selected columns."""
