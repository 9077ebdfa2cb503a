"""Findings of `make campaign` and promises of SECURITY.md: names, pipes, signals, full disks."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

import numpy as np
import polars as pl
import pytest

pytest.importorskip("click")

from click.testing import CliRunner

import entropick as ep
from campaign.readers import NAMES
from entropick._base import whole_files
from entropick.cli import interrupt, writing
from entropick.cli.program import program
from entropick.exceptions import DataError
from entropick.files import contents, reading, room, text
from entropick.files.arrow_sizes import claimed_bytes

posix = pytest.mark.skipif(os.name == "nt", reason="pipes and signals are those of POSIX")


def run(*arguments):
    result = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def frame(name, target="label", n_rows=30):
    """Under one name a column of each type in turn, beside a target."""
    label = [i % 2 for i in range(n_rows)]
    return [
        pl.DataFrame({name: values, target: label})
        for values in (
            pl.Series(range(1, n_rows + 1)).cast(pl.Datetime),
            pl.Series([None, *range(n_rows - 1)]).cast(pl.Duration),
            pl.Series([str(i % 3) for i in range(n_rows)]),
            pl.Series([str(i % 3) for i in range(n_rows)]).cast(pl.Categorical),
            pl.Series([None, *range(n_rows - 1)]),
        )
    ]


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["^a.*$", "nul\0here", "*", "", "\x1b[2J"], ids=repr)
def test_names_that_polars_takes_for_something_else(name):
    """A pattern matched nothing and failed; NUL in a name ended the process."""
    for table in frame(name):
        got = ep.MIM(1).fit(table.drop("label"), table["label"].alias(name))
        expected = ep.MIM(1).fit(table.drop("label").rename({name: "a"}), table["label"])
        assert got.scores_.tolist() == expected.scores_.tolist()
        assert got.get_feature_names_out().tolist() == [name]


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name != "label"], ids=lambda name: repr(name[:12])
)
def test_hostile_names_through_the_program(name, tmp_path):
    """As a column and as the target: the name comes back as it is in JSON, and as plain signs on the screen."""
    path = tmp_path / "table.arrow"
    for table in frame(name)[::2]:
        table.write_ipc(path)
        done = run("select", path, "-t", "label", "-n", 1, "--keep-ids", "--json")
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["selection"]["selected"] == [name]
        done = run("select", path, "-t", "label", "-n", 1, "--keep-ids")
        assert all(sign.isprintable() or sign == "\n" for sign in done.stdout + done.stderr)
    frame("label", name)[2].write_ipc(path)
    done = run("select", path, "-t", name, "-n", 1, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["data"]["target"]["name"] == name


@pytest.mark.parametrize("name", ["^a.*$", "^.*$", "*"])
def test_what_is_said_about_columns_named_like_patterns(name, tmp_path):
    """Infinite values, texts among numbers, missing targets, two targets and rows that belong together."""
    path = tmp_path / "table.csv"
    label, numbers = [i % 2 for i in range(60)], [i / 7 for i in range(60)]

    def told(values, *words):
        pl.DataFrame({name: values, "x": numbers[::-1], "label": label}).write_csv(path)
        done = run("select", path, "-n", 1, *words)
        assert "Internal error" not in done.stderr, done.stderr
        return done.stderr

    assert "holds an infinite value (line 4 of the file: inf)" in told(
        [*numbers[:2], float("inf"), *numbers[3:]], "-t", "label"
    )
    assert f"'{name}' holds numbers except 'lots'" in told([*map(str, numbers[1:]), "lots"], "-t", "label")
    assert "6 rows without a target left out" in told([None] * 6 + label[6:], "-t", name)
    assert "Error" not in told(label[::-1], "-t", name, "-t", "label", "--out", tmp_path / "out.csv")
    assert "Error" not in told([i // 6 for i in range(60)], "-t", "label", "--groups", name)


@pytest.mark.parametrize("target", ["a", "^a.*$", "*"])
@pytest.mark.parametrize("name", ["b", "^b.*$", "^.*$"])
def test_every_kind_of_column_and_target_named_like_patterns(name, target, tmp_path):
    """Every type, with and without gaps, as the table that follows is prepared, fitted and looked at for leaks."""
    path, n_rows = tmp_path / "table.arrow", 60
    numbers = pl.Series(range(n_rows))
    kinds = [
        numbers * 1.5, numbers % 2 == 0, (numbers % 3).cast(pl.String), (numbers % 2).cast(pl.String).cast(pl.Categorical),
        numbers.cast(pl.Datetime), numbers.cast(pl.Date), numbers.cast(pl.Duration),
    ]  # fmt: skip
    kinds += [values.scatter([3, 7], None) for values in kinds]
    for values, labels in [*zip(kinds, kinds[::-1], strict=True), (kinds[0], kinds[1]), (kinds[7], kinds[1])]:
        pl.DataFrame({name: values, target: labels, "c": numbers}).write_ipc(path)
        done = run("select", path, "-t", target, "-n", 2, "--keep-ids")
        assert "Internal error" not in done.stderr, (values.dtype, labels.dtype, done.stderr)


def test_a_target_named_twice_is_one(tmp_path):
    done = run("select", "iris", "-t", "target", "-t", "target", "-n", 1, "--out", tmp_path / "out.csv")
    assert done.exit_code == 0, done.stderr
    assert pl.read_csv(tmp_path / "out.csv").columns[1:] == ["target"]


# -- times ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime("ms"), pl.Datetime("us"), pl.Duration("ms")], ids=str)
def test_times_python_has_no_name_for(kind, tmp_path):
    """Columns of them are numbers; a target of them is refused."""
    path = tmp_path / "table.arrow"
    far = 30_000_000 if kind == pl.Date else 2 * 10**18
    times = (
        pl.Series([far + i % 3 for i in range(30)]).cast(pl.Int32 if kind == pl.Date else pl.Int64).cast(kind)
    )
    pl.DataFrame({"when": times, "label": [i % 3 for i in range(30)]}).write_ipc(path)
    done = run("select", path, "-t", "label", "-n", 1, "--json")
    assert json.loads(done.stdout)["selection"]["selected"] == ["when"]
    done = run("select", path, "-t", "when", "-n", 1, "--target-type", "class")
    assert done.exit_code == 2
    assert "The target 'when' must hold times of the years 1 to 9999" in done.stderr


# -- pipes and devices ---------------------------------------------------------------------------


@posix
def test_a_pipe_is_read_once(tmp_path):
    """Like the shell's <(...); once, the first bytes were lost and the program waited for more."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "a,label\n" + "".join(f"{i % 3},{i % 2}\n" for i in range(40))
    threading.Thread(target=pipe.write_text, args=(text,), daemon=True).start()
    done = run("select", pipe, "-t", "label", "-n", 1)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.startswith(f"{pipe}: 40 rows, 1 column")


@posix
def test_devices_are_refused():
    """Some devices never end."""
    done = run("select", "/dev/zero", "-t", "label")
    assert done.exit_code == 2
    assert done.stderr == "Error: '/dev/zero' is a device, not a table. Hint: name a file, or - for stdin.\n"


# -- faults of the system ------------------------------------------------------------------------


def test_files_that_may_not_grow(tmp_path, monkeypatch):
    """An error that polars reports as text is a system error as well; the old file stays."""
    out = tmp_path / "out.csv"
    out.write_text("old")

    def fail(frame, file):
        file.write(b"half")
        raise pl.exceptions.ComputeError("File too large (os error 27)")

    monkeypatch.setitem(writing.TABLE_WRITERS, ".csv", fail)
    done = run("select", "iris", "-n", 1, "--out", out)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == f"Error: '{out}': {os.strerror(errno.EFBIG)}."
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_nothing_is_left_of_a_large_text_that_is_refused(tmp_path, monkeypatch):
    """Neither if its types are rejected nor if its values are."""
    (tmp_path / "table.csv").write_text("a,label\n1,2\n")
    monkeypatch.setattr(room, "LARGE", 0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def fail(*_):
        raise pl.exceptions.ComputeError("no such day")

    monkeypatch.setattr(text, "read_formats", fail)
    with pytest.raises(DataError, match="cannot be read: no such day"):
        reading.read_table(str(tmp_path / "table.csv"))
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_how_much_memory_was_missing(monkeypatch):
    def fit(*_, **__):
        np.empty((1 << 22, 1 << 22))

    monkeypatch.setattr(ep.JMI, "fit", fit)
    done = run("select", "iris", "-q")
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: Not enough memory: 128. TiB more were needed. Hint: leave out columns with --ignore, or use fewer rows.\n"
    )


@posix
@pytest.mark.parametrize("megabytes", [700, 1000, 1300])
def test_a_limit_of_the_address_space(megabytes, tmp_path):
    """polars ended the process, or waited for ever, where a thread or an allocation failed."""
    import resource

    limit = megabytes << 20
    done = subprocess.run(
        [sys.executable, "-m", "entropick.cli", "select", "iris", "-n", "2"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"Error: Not enough memory: 2.1 GB of address space are needed, and the limit is {limit / 1e9:.1f} GB. "
        "Hint: `ulimit -v` shows and sets it, in kilobytes.\n"
    )


def test_libraries_get_one_thread_each_under_a_limit(monkeypatch):
    """Each more takes address space; what the user says counts."""
    for name in room.ONE_THREAD:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(room, "_limit", lambda: None)
    room.check_libraries()
    assert not set(room.ONE_THREAD) & set(os.environ)
    monkeypatch.setattr(room, "_limit", lambda: 3 << 30)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    room.check_libraries()
    assert [os.environ[name] for name in room.ONE_THREAD] == ["1", "1", "4"]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "stream", "parquet", "arrow"])
@pytest.mark.parametrize("is_large", [False, True])
def test_a_table_that_cannot_be_held(kind, is_large, tmp_path, monkeypatch):
    """The message says how much memory it needs and how much there is, before it is read. A large text is read in batches."""
    path, n_rows = tmp_path / f"table.{kind}", 30_000
    table = pl.DataFrame({"a": [i % 7 for i in range(n_rows)], "label": [i % 2 for i in range(n_rows)]})
    write = {"csv": table.write_csv, "jsonl": table.write_ndjson, "stream": table.write_ipc_stream,
             "parquet": table.write_parquet, "arrow": table.write_ipc}[kind]  # fmt: skip
    write(path)
    if is_large:
        monkeypatch.setattr(room, "LARGE", 0)
    by_columns = kind in ("parquet", "arrow")
    bytes_per_byte = 9 if kind == "csv" else 8
    needed = 2 * n_rows * (2 if is_large else 16) if by_columns else bytes_per_byte * path.stat().st_size
    monkeypatch.setattr(room, "GIGABYTE", 1000)
    monkeypatch.setattr(room, "_rooms", lambda: iter([10**9, needed * 0.9]))
    done = run("select", path, "-t", "label", "-n", 1)
    if kind in ("csv", "jsonl") and is_large:
        assert done.exit_code == 0
        return
    assert done.exit_code == 1
    said = re.search(r"needs about ([\d,.]+) GB, and ([\d,.]+) GB are free", done.stderr)
    numbers = [float(number.replace(",", "")) for number in said.groups()]
    assert numbers == pytest.approx([needed / 1000, needed * 0.9 / 1000], rel=0.01)
    monkeypatch.setattr(room, "_rooms", lambda: iter([needed * 1.1]))
    assert run("select", path, "-t", "label", "-n", 1).exit_code == 0


def test_limits_of_containers(tmp_path, monkeypatch):
    """Those of the group and of the groups around it; copies of files in memory do not count."""
    monkeypatch.setattr(room, "GROUPS", tmp_path)
    own = tmp_path / "service" / "job"
    own.mkdir(parents=True)
    for folder, most in ((own, "max"), (own.parent, "5000")):
        (folder / "memory.max").write_text(f"{most}\n")
        (folder / "memory.stat").write_text("anon 1200\nfile 3000\n")
    assert list(room._rooms_of_groups("1:cpu:/x\n0::/service/job\n")) == [3800]
    assert list(room._rooms_of_groups("0::/\n")) == []
    (own / "memory.max").write_text("2000\n")
    assert list(room._rooms_of_groups("0::/service/job\n")) == [800, 3800]


@pytest.mark.skipif(sys.platform != "linux", reason="others do not say what is free")
def test_what_is_free(monkeypatch):
    """The memory of the machine, or the limit of the address space if that is less."""
    monkeypatch.setattr(room, "_rooms_of_groups", lambda _: iter([]))
    monkeypatch.setattr(room, "_limit", lambda: None)
    (free,) = room._rooms()
    assert 0 < free < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") + (1 << 40)
    monkeypatch.setattr(room, "_limit", lambda: room.LIBRARIES + 77)
    assert next(room._rooms()) == 77


def test_no_limits_where_nobody_tells_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)
    assert room._limit() is None


def test_no_more_threads(monkeypatch):
    def fit(*_, **__):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ep.JMI, "fit", fit)
    done = run("select", "iris", "-q")
    assert (done.exit_code, done.stderr) == (
        1, "Error: The system allows no more threads. Hint: --jobs 1 needs none.\n",
    )  # fmt: skip


@posix
def test_ctrl_c_is_known_before_a_library_speaks(monkeypatch):
    """Without any moment between Ctrl-C and the error a library makes of it; it was a race with a thread."""
    monkeypatch.setattr(
        interrupt, "_end_when_woken", lambda woken, _: [woken.recv(16), woken.recv(16), woken.close()]
    )
    interrupt.received.clear()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
    try:
        with interrupt.ended_by_signals():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            assert interrupt.received
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
        interrupt.received.clear()


# -- spreadsheets --------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("kind", [pl.String, pl.Categorical])
def test_no_formula_for_spreadsheets(suffix, kind, tmp_path):
    """Names and texts get an apostrophe where one is needed; numbers and other texts stay."""
    texts = ["=cmd()", "+1", "-1", "@sum", "\tx", "a=b", "1=", "plain"] * 5
    table = pl.DataFrame(
        {"=name": texts, "^a.*$": range(-20, 20), "label": ["=1", "no"] * 20},
        schema_overrides={"=name": kind},
    )
    table.write_ipc(tmp_path / "table.arrow")
    out = tmp_path / f"out{suffix}"
    options = ["-t", "label", "-n", 2, "--keep-ids", "--out", out]
    assert run("select", tmp_path / "table.arrow", *options).exit_code == 0
    separator = "," if suffix == ".csv" else "\t"
    plain = pl.read_csv(out, separator=separator)
    assert set(plain.columns) == {"=name", "^a.*$", "label"}  # as they are, unless asked for
    assert run("select", tmp_path / "table.arrow", *options, "--excel-safe").exit_code == 0
    written = pl.read_csv(out, separator=separator)
    assert written["'=name"].to_list() == ["'=cmd()", "'+1", "'-1", "'@sum", "'\tx", "a=b", "1=", "plain"] * 5
    assert written["label"].to_list() == ["'=1", "no"] * 20
    assert written["^a.*$"].to_list() == list(range(-20, 20))


def test_excel_safe_is_for_files_of_text(tmp_path):
    for options in ([], ["--out", tmp_path / "out.parquet"]):
        done = run("select", "iris", "-n", 1, "--excel-safe", *options)
        assert done.exit_code == 2
        assert done.stderr.startswith("Error: --excel-safe applies to --out of CSV and TSV files, but ")


# -- other users ---------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("has_descriptors", [True, False])
def test_temporary_files_are_private(has_descriptors, tmp_path, monkeypatch):
    """What is spooled is for nobody else: it has no name, or one that nobody can guess."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if not has_descriptors:
        monkeypatch.setattr(whole_files, "DESCRIPTORS", tmp_path / "nothing")
    one, other = contents.TemporaryFile(), contents.TemporaryFile()
    one.path.write_text("one")
    other.path.write_text("other")
    assert one.path.stat().st_mode & 0o777 == other.path.stat().st_mode & 0o777 == 0o600
    assert (one.path.read_text(), other.path.read_text()) == ("one", "other")
    assert len(list(tmp_path.iterdir())) == (0 if has_descriptors and sys.platform == "linux" else 2)
    for file in (one, other, one, other):
        file.remove()
    assert not list(tmp_path.iterdir())


@posix
@pytest.mark.parametrize("has_nameless_files", [True, False])
def test_outputs_are_private_until_they_are_whole(has_nameless_files, tmp_path, monkeypatch):
    """They have no name, or a private mode; then they have the mode of any new file."""
    if not has_nameless_files:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    states = []
    writing.write_whole(str(tmp_path / "out"), lambda file: states.append(os.fstat(file.fileno())))
    assert [state.st_nlink == 0 or state.st_mode & 0o777 == 0o600 for state in states] == [True]
    (tmp_path / "plain").touch()
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "plain"]


def test_a_damaged_compressed_block_is_told_in_one_sentence(tmp_path):
    """polars raises an OSError of no kind for it."""
    path = tmp_path / "t.arrow"
    pl.DataFrame({"a": np.arange(3000) % 7, "y": np.arange(3000) % 2}).write_ipc(path, compression="lz4")
    content = bytearray(path.read_bytes())
    start = content.index(b"\x04\x22\x4d\x18")  # a frame of LZ4 begins
    content[start : start + 4] = b"\0\0\0\0"
    path.write_bytes(bytes(content))
    for source, given in ((path, None), ("-", bytes(content))):
        result = CliRunner().invoke(program, ["select", str(source), "-t", "y"], input=given)
        assert result.exit_code == 2
        assert "LZ4" in result.output


def test_a_long_name_is_shortened_in_a_sentence(tmp_path):
    """A damaged file can have a header of any length."""
    path = tmp_path / "t.csv"
    name = "y" * 3000
    path.write_text(f"a,{name}\n1,2\n2,2\n3,2\n")
    sentence = run("select", path, "-t", name).output.splitlines()[-1]
    assert "yyy…' has only one value" in sentence
    assert len(sentence) < 200


@pytest.mark.parametrize("option", ["--missing-values", "--comment", "--separator"])
def test_options_that_are_no_text(option, tmp_path):
    """Bytes that are no UTF-8 reach the program as halves of characters, which polars cannot take."""
    (tmp_path / "t.csv").write_text("a,y\n1,2\n2,3\n")
    done = run("select", tmp_path / "t.csv", "-t", "y", option, "\udcff")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: {option} must be ")
    assert done.stderr.endswith("got '\\udcff'.\n")


def test_a_copy_without_a_name_is_told(tmp_path):
    """polars gives a column without a name another one when columns are sliced."""
    path = tmp_path / "t.parquet"
    values = np.arange(40) % 7
    pl.DataFrame({"a": values, "": 2 * values, "y": np.arange(40) % 2}).write_parquet(path)
    result = run("select", path, "-t", "y", "-n", 1)
    assert result.exit_code == 0
    assert "'' duplicates 'a'" in result.output


@pytest.mark.parametrize("names", [["a", "*", "b"], ["*", "^a.*$", "+1"], ["", "^.*$", "b"]], ids=str)
def test_lazy_frames_with_names_that_look_like_patterns(names):
    """They are read, and reduced, as the same table in memory."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    table = pl.DataFrame({name: rng.integers(0, 3, 60) + y * (k == 1) for k, name in enumerate(names)})
    expected, found = ep.MIM(2).fit(table, y), ep.MIM(2).fit(table.lazy(), y)
    assert found.order_.tolist() == expected.order_.tolist()
    kept = [name for name, is_kept in zip(names, found.get_support(), strict=True) if is_kept]
    assert found.transform(table.lazy()).collect().columns == kept


@pytest.mark.skipif(os.name == "nt", reason="streams are closed as POSIX does it")
@pytest.mark.parametrize(
    "closed", [*(pytest.param((n,), marks=pytest.mark.slow) for n in range(3)), (0, 1, 2)], ids=str
)
def test_closed_streams_do_not_matter(closed, tmp_path):
    """Nothing is shown, and the report is written."""
    page = tmp_path / "r.html"
    code = "from entropick.cli import main; main()"
    arguments = ["select", "iris", "-n", "2", "--report", str(page)]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], preexec_fn=lambda: [os.close(stream) for stream in closed]
    )
    assert done.returncode == 0
    assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
@pytest.mark.parametrize("is_stream", [False, True])
def test_sizes_that_arrow_files_claim(compression, is_stream, tmp_path, monkeypatch):
    """polars ends the process where a buffer is said to be larger than memory: it is looked at before."""
    path = tmp_path / "t.arrow"
    frame = pl.DataFrame({"a": np.arange(4000.0), "y": np.arange(4000) % 2, "s": ["x", "long text"] * 2000})
    (frame.write_ipc_stream if is_stream else frame.write_ipc)(path, compression=compression)
    claimed = claimed_bytes(path)
    assert claimed == 0 if compression == "uncompressed" else claimed >= 8 * 2 * 4000
    if not claimed:
        return
    content = bytearray(path.read_bytes())
    place = content.index((8 * 4000).to_bytes(8, "little"))  # the length of a buffer, before its packed bytes
    content[place : place + 8] = (1 << 61).to_bytes(8, "little")
    path.write_bytes(content)
    result = CliRunner().invoke(program, ["select", str(path), "-t", "y"])
    assert (result.exit_code, result.stderr) == (2, f"Error: '{path}' is damaged.\n")
    content[place : place + 8] = (1 << 49).to_bytes(8, "little")
    path.write_bytes(content)
    result = CliRunner().invoke(program, ["select", str(path), "-t", "y"])
    assert result.exit_code == 1
    assert "562,950.0 GB" in result.stderr


def test_arrow_files_that_are_damaged_elsewhere_claim_nothing(tmp_path):
    path = tmp_path / "t.arrow"
    pl.DataFrame({"a": np.arange(4000.0)}).write_ipc(path, compression="lz4")
    content, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(300):
        damaged = np.frombuffer(content, np.uint8).copy()
        damaged[rng.integers(0, len(damaged), 20)] = rng.integers(0, 256, 20)
        path.write_bytes(damaged[: rng.integers(1, len(damaged) + 1)].tobytes())
        assert claimed_bytes(path) >= 0  # whatever it says, no error and no endless loop


def test_a_parquet_file_that_cannot_grow_is_the_systems_fault(tmp_path):
    """Its writer does not tell the number of the error."""

    def write(file):
        raise pl.exceptions.ComputeError(
            "parquet: File out of specification: Invalid thrift: transport error"
        )

    with pytest.raises(OSError, match=r"out\.parquet") as caught:
        writing.write_whole(str(tmp_path / "out.parquet"), write)
    assert caught.value.errno == errno.EIO
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_parquet_file_is_the_files_fault(tmp_path):
    """The reader says the same words about a file."""
    with (
        pytest.raises(DataError, match=r"^'t' cannot be read: .*transport error"),
        reading.errors_explained("'t'"),
    ):
        raise pl.exceptions.ComputeError(
            "parquet: File out of specification: Invalid thrift: transport error"
        )
