"""Select on some rows, judge on others: what the cuts and the comparison share."""
