"""A cluster of two processes, for tests with Dask."""

import multiprocessing

import pytest


@pytest.fixture(scope="package")
def cluster():
    """Two worker processes for all tests of this folder.

    They are forked from a server that has imported what they need, as each import takes some seconds.
    """
    import dask
    import distributed

    from dask_tables import make_cluster

    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        distributed.utils.get_mp_context()
        multiprocessing.get_context("forkserver").set_forkserver_preload(
            ["distributed", "dask.array", "dask.dataframe", "polars", "entropick.table.partitions", "pytest"]
        )
        with make_cluster() as started:
            yield started


@pytest.fixture
def client(cluster):
    import distributed

    with distributed.Client(cluster) as connected:
        yield connected


@pytest.fixture(params=["threads", pytest.param("processes", marks=pytest.mark.slow)])
def place(request):
    if request.param == "threads":
        return None
    return request.getfixturevalue("client")
