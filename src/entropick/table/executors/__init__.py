"""Where partitions are: threads of this process, a Dask cluster, or an engine of the caller."""
