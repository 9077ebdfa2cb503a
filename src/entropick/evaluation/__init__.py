"""Evaluation on held-out rows, shared by the cuts and the comparison."""
