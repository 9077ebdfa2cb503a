"""The line of progress is no reason to end a fit."""

import sys

import pytest

from entropick._base.progress import progress_line


@pytest.mark.parametrize("error", [OSError("No space left on device"), ValueError("closed file")])
def test_a_stream_that_cannot_be_written(error, monkeypatch):
    class Broken:
        def write(self, text):
            raise error

        def flush(self):
            raise error

    monkeypatch.setattr(sys, "stderr", Broken())
    done = []
    with progress_line() as line:
        line.show("step 1")
        done.append(1)
    assert done
