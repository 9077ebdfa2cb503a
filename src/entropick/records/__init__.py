"""Results of a fit: the selection, and the exploration of a search over subsets."""
