"""System errors recognised in the messages of other libraries."""

import errno
import threading

import numpy as np
import polars as pl
import pytest

from entropick.files.system import is_not_utf8, is_out_of_threads, memory_needed, system_error, writing_error


def test_errors_of_the_system_by_way_of_polars():
    """Rust writes the number into the text."""
    error = pl.exceptions.ComputeError("No space left on device (os error 28)")
    assert system_error(error, "t.csv").errno == errno.ENOSPC
    assert system_error(OSError(errno.EIO, "?"), "t.csv").errno == errno.EIO
    assert system_error(pl.exceptions.ComputeError("bad value"), "t.csv") is None


def test_a_writer_without_a_number():
    """A damaged file that is read has the same text, and is no fault of the system."""
    error = pl.exceptions.ComputeError("Invalid thrift: transport error")
    assert writing_error(error, "t.parquet").errno == errno.EIO
    assert system_error(error, "t.parquet") is None


def test_bytes_that_are_not_text(tmp_path):
    """As polars reports them."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n\xff\xfe,1\n")
    with pytest.raises(pl.exceptions.ComputeError) as caught:
        pl.read_csv(path)
    assert is_not_utf8(caught.value)


def test_shortages(monkeypatch):
    """As numpy and Python report them."""
    with pytest.raises(MemoryError) as caught:
        np.empty(1 << 60, np.int8)
    assert memory_needed(caught.value) == "1.00 EiB"
    assert memory_needed(MemoryError()) is None
    monkeypatch.setattr(threading, "_start_new_thread", _no_thread, raising=False)
    monkeypatch.setattr(threading, "_start_joinable_thread", _no_thread, raising=False)
    with pytest.raises(RuntimeError) as refused:
        threading.Thread(target=print).start()
    assert is_out_of_threads(refused.value)
    assert not is_out_of_threads(RuntimeError("other"))


def _no_thread(*args, **options):
    raise RuntimeError("can't start new thread")
