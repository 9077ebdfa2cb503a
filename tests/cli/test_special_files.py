"""Outputs that are no plain files: devices, pipes, links and open files are written into, never replaced."""

import os
import stat
import subprocess
import sys
import threading

import pytest

import entropick as ep
from program_runs import refused, run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="special files are those of POSIX")

OUTPUTS = ["--out", "--columns-file", "--report"]


def suffix_of(option):
    return {"--out": ".csv", "--columns-file": ".txt", "--report": ".html"}[option]


def is_written(option, content):
    """Whether a file has what the option asks for."""
    if option == "--report":
        return content.rstrip().endswith(b"</html>")
    return (
        content.splitlines() == [b"size"] if option == "--columns-file" else content.startswith(b"size,label")
    )


def select(csv, *arguments):
    result = run("select", csv, "-t", "label", "-n", 1, "-q", *arguments)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes devices")
@pytest.mark.parametrize("option", OUTPUTS)
def test_devices_stay(option, csv, tmp_path):
    """A device of the null kind, in a folder of its own: root could replace it."""
    device = tmp_path / f"null{suffix_of(option)}"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError:
        pytest.skip("no devices can be made here")
    select(csv, option, device)
    assert stat.S_ISCHR(device.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([device.name, "table.csv"])


@pytest.mark.parametrize("option", OUTPUTS)
def test_pipes_are_written_into(option, csv, tmp_path):
    """As the shell's >(...); of --out also without a suffix."""
    pipe = tmp_path / ("pipe" if option == "--out" else f"pipe{suffix_of(option)}")
    os.mkfifo(pipe)
    contents = []
    reader = threading.Thread(target=lambda: contents.append(pipe.read_bytes()), daemon=True)
    reader.start()
    select(csv, option, pipe)
    reader.join(timeout=60)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert is_written(option, contents[0])


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize("exists", [True, False])
def test_links_are_followed(option, exists, csv, tmp_path):
    """The file behind a link is replaced, or made, and the link stays."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    real, link = folder / "real", tmp_path / f"link{suffix_of(option)}"
    link.symlink_to("elsewhere/real")
    if exists:
        real.write_text("old")
    select(csv, option, link)
    assert link.is_symlink()
    assert is_written(option, real.read_bytes())
    assert [path.name for path in folder.iterdir()] == ["real"]


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--out", "/dev/fd/1"),
        pytest.param("--columns-file", "/dev/stdout", marks=pytest.mark.slow),
        pytest.param("--report", "link", marks=pytest.mark.slow),
    ],
)
def test_open_files_are_written_into(option, name, csv, tmp_path):
    """What goes to stdout goes there in turn, also where stdout is a file."""
    if name == "link":
        name = tmp_path / "link"
        name.symlink_to("/dev/stdout")
    command = [
        sys.executable,
        "-m",
        "entropick.cli",
        "select",
        csv,
        "-t",
        "label",
        "-n",
        "1",
        "-q",
        option,
        name,
    ]
    target = tmp_path / "stdout"
    with target.open("wb") as file:
        subprocess.run(list(map(str, command)), stdout=file, check=True)
    content = target.read_bytes()
    assert content.startswith(b"JMI selects 1 of 3")
    wanted = {"--out": b"\nsize,label\n", "--columns-file": b"\nsize\n", "--report": b"</html>"}[option]
    assert wanted in content


@pytest.mark.parametrize("kind", ["same", "link", "hard link", "dots"])
@pytest.mark.parametrize(("first", "second"), [("--out", "--columns-file"), ("--report", "--out")])
def test_two_outputs_of_one_name(kind, first, second, csv, tmp_path):
    """They are refused before any work, whatever the names look like."""
    one = other = tmp_path / "x.csv"
    if kind == "link":
        other = tmp_path / "y.csv"
        other.symlink_to(one)
    elif kind == "hard link":
        one.write_text("old")
        other = tmp_path / "y.csv"
        other.hardlink_to(one)
    elif kind == "dots":
        (tmp_path / "sub").mkdir()
        other = tmp_path / "sub" / ".." / "x.csv"
    before = one.read_text() if one.exists() else None
    sentence = refused("select", csv, "-t", "label", "-q", first, one, second, other)
    assert "are the same file. Hint: choose two names." in sentence
    assert (one.read_text() if one.exists() else None) == before


@pytest.mark.parametrize("option", OUTPUTS)
def test_json_has_stdout_to_itself(option, csv, tmp_path, monkeypatch):
    """Nothing else is written there, also if stdout is a file."""
    path = tmp_path / "result.csv"
    path.touch()
    monkeypatch.setattr("entropick.cli.writing.os.fstat", lambda _: path.stat())
    sentence = refused("select", csv, "-t", "label", "-q", "--json", option, path)
    assert "--json both write to stdout" in sentence
    assert run("select", csv, "-t", "label", "-q", "-n", "1", "--json", option, "/dev/null").exit_code == 0


@pytest.mark.parametrize("option", OUTPUTS)
def test_outputs_that_are_the_table(option, csv, tmp_path):
    """By name, or by link."""
    content = csv.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(csv)
    for path in (csv, link):
        assert "is the table itself" in refused("select", csv, "-t", "label", "-q", option, path)
    assert csv.read_bytes() == content


@pytest.mark.slow
def test_an_output_that_is_stdin(csv):
    content = csv.read_bytes()
    command = [sys.executable, "-m", "entropick.cli", "select", "-", "-t", "label", "-q", "--out", str(csv)]
    with csv.open("rb") as stdin:
        done = subprocess.run(command, stdin=stdin, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is the table itself" in done.stderr
    assert csv.read_bytes() == content


def test_links_that_lead_nowhere(csv, tmp_path):
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    assert "is a link to itself" in refused("select", csv, "-t", "label", "--out", loop)
    lost = tmp_path / "lost.csv"
    lost.symlink_to(tmp_path / "no" / "x.csv")
    assert "there is no directory" in refused("select", csv, "-t", "label", "--out", lost)


def test_reports_of_the_library(tmp_path):
    """They are whole or old, too, and follow links."""
    X, y = ep.datasets.make_corral(random_state=0)
    selection = ep.MIM(n_features=2).fit(X, y).selection_
    real, link = tmp_path / "real.html", tmp_path / "link.html"
    real.write_text("old")
    link.symlink_to(real)
    selection.to_html(link)
    assert link.is_symlink()
    assert real.read_text().rstrip().endswith("</html>")
    inode = real.stat().st_ino
    selection.to_html(real)
    assert real.stat().st_ino != inode  # a new file has taken its place
    with pytest.raises(FileNotFoundError):
        selection.to_html(tmp_path / "no" / "x.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "real.html"]
