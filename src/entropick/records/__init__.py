"""What a fit leaves behind: the selection, and what a search over subsets explored."""
