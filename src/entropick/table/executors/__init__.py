"""What processes partitions: threads of this process, a Dask cluster, or an engine of the caller."""
