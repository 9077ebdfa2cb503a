"""Measures from counts of pairs: relevance to y, less or plus what each selected column shares."""
