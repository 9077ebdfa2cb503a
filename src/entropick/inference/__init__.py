"""Errors under control: tests of independence from counts, and what many of them allow to conclude."""
