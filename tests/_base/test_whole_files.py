"""Files are written completely or not at all."""

import os
from contextlib import suppress

import pytest

from entropick._base import whole_files
from entropick._base.whole_files import descriptor, unfinished, whole_file


@pytest.fixture(params=[True, False], ids=["nameless", "named"])
def any_system(request, monkeypatch):
    """Systems with files that have no name until they are complete, and others."""
    if not request.param:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


def test_a_new_file(any_system, tmp_path):
    path = tmp_path / ("ü" * 80)
    with whole_file(path) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_the_old_file_stays_until_the_new_one_is_complete(any_system, tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    before = set(unfinished)
    with suppress(ZeroDivisionError), whole_file(path) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_text() == "old"
    with whole_file(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]
    assert unfinished == before


def test_content_is_on_the_disk_before_its_name(any_system, tmp_path, monkeypatch):
    """After a power failure there is the old file or the new one."""
    events = []
    fsync, replace = os.fsync, whole_files.Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: [events.append("sync"), fsync(handle)])
    monkeypatch.setattr(whole_files.Path, "replace", lambda *paths: [events.append("name"), replace(*paths)])
    with whole_file(tmp_path / "out") as file:
        file.write(b"new")
    assert events == ["sync", "name", "sync"]  # the second one is of the folder


@pytest.mark.skipif(os.name == "nt", reason="descriptors have names on POSIX")
@pytest.mark.parametrize(
    ("path", "number"),
    [("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/63", 63), ("/proc/self/fd/7", 7), ("/dev/null", None),
     ("/dev/../dev/fd/5", 5), ("/proc/PID/fd/3", 3), ("/proc/1/fd/3", None), ("out.csv", None)],
)  # fmt: skip
def test_names_of_open_files(path, number):
    assert descriptor(path.replace("PID", str(os.getpid()))) == number
