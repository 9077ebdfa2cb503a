"""From values to levels, of a table in one place or in partitions (`distributed`)."""
