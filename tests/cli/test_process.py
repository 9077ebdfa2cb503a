"""The program as a process: exit codes, signals, imports."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest


def start(*arguments, **options):
    command = [sys.executable, "-m", "entropick.cli", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_exit_codes_of_the_process(csv):
    """0 and 2, with nothing on stdout after an error."""
    process = start("select", csv, "-t", "label", "-n", 3, "-q")
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stderr) == (0, "")
    assert stdout.startswith("JMI selects 3 of 3 columns")
    process = start("select", csv, "-t", "lable")
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout) == (2, "")
    assert stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes are those of POSIX")
@pytest.mark.parametrize("arguments", [["select", "--help"], ["diff", "old.json", "new.json"]])
def test_a_reader_who_leaves_changes_nothing(arguments, tmp_path):
    """The exit code is the same as for a reader of all output, as with `entropick ... | head`."""
    for name, columns in (("old", ["a"]), ("new", ["b"])):
        data = {"n_rows": 1, "n_columns": 2, "source": "t.csv", "target": None}
        advice = {"method": "JMI", "columns": columns}
        result = {"schema_version": 1, "created": "", "data": data, "comparison": {"recommendation": advice}}
        (tmp_path / f"{name}.json").write_text(json.dumps(result))
    command = [sys.executable, "-c", "from entropick.cli import main; main()", *arguments]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    os.close(writing)
    assert (done.returncode, done.stderr) == (3 if "diff" in arguments else 0, "")


def test_help_is_light():
    """Help and version import no slow libraries."""
    code = (
        "import sys\nfrom entropick.cli.program import program\n"
        "try: program(['select', '--help'])\nexcept SystemExit as end: assert end.code == 0\n"
        "heavy = ['numpy', 'sklearn', 'numba', 'polars', 'rich', 'jinja2', 'scipy']\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "--target" in done.stdout


def run_python(code):
    """Run code in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    ("where", "name", "word"),
    [("in Python", "SIGINT", "Interrupted."), ("in compiled code", "SIGINT", "Interrupted."),
     ("in Python", "SIGTERM", "Terminated."), ("in compiled code", "SIGHUP", "Hung up.")],
)  # fmt: skip
def test_signals_end_at_once(where, name, word, tmp_path):
    """Exit code 130, 143 or 129, and no file is left, even where compiled code does not listen."""
    busy = "time.sleep(3000)" if where == "in Python" else "hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10**9)"
    code = (
        "import hashlib, time\n"
        "from entropick.cli.program import program\n"
        "@program.command()\ndef wait():\n"
        "    from entropick.cli.writing import write_whole\n"
        "    import tempfile; from entropick.files.contents import TemporaryFile\n"
        f"    tempfile.tempdir = {str(tmp_path)!r}; spooled = TemporaryFile()\n"
        "    def write(file):\n"
        "        file.write(b'half'); file.flush(); print('ready', flush=True)\n"
        f"        {busy}\n"
        f"    write_whole({str(tmp_path / 'out.csv')!r}, write)\n"
        "program(['wait'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    number = getattr(signal, name)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=300)  # the work itself would go on
    assert process.returncode == 128 + number
    assert stderr.split("\n")[-2] == word
    assert "Traceback" not in stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_signal_that_is_ignored_stays_so(csv):
    """As with nohup."""
    process = start(
        "select", csv, "-t", "label", "-n", 1, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    stdout, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert stdout.startswith("JMI selects 1 of 3")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are listed there")
def test_workers_end_with_the_program(tmp_path):
    """Those of a local cluster, too, by the signal of `timeout` and of schedulers."""
    path = tmp_path / "t.parquet"
    rng = np.random.default_rng(0)
    pl.DataFrame(rng.normal(size=(20_000, 30))).with_columns(label=rng.integers(0, 2, 20_000)).write_parquet(
        path
    )
    process = start("select", path, "-t", "label", "--cluster", "local", "-j", 2, "-m", "JMI", "-n", 25)
    for line in process.stderr:
        if line.startswith("Cluster at"):
            break
    workers = [int(pid.name) for pid in Path("/proc").glob("[0-9]*") if is_descendant(pid, process.pid)]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM
    assert len(workers) >= 2
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and any(Path(f"/proc/{pid}").exists() for pid in workers):
        time.sleep(0.2)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def is_descendant(process, ancestor):
    """Whether a process has been started by another one, or by one of those."""
    try:
        parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return False
    return parent == ancestor or (parent > 1 and is_descendant(Path(f"/proc/{parent}"), ancestor))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_ends_a_comparison():
    """The whole program ends, including its threads."""
    process = start("compare", "breast_cancer")
    process.stderr.readline()  # the table is read
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.endswith("Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_after_the_end_changes_nothing():
    """While Python itself ends, when everything is done, the exit code stays."""
    code = (
        "import atexit, os, signal, sys\n"
        "atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "sys.argv[1:] = ['--version']\n"
        "from entropick.cli import main\nmain()"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_that_a_library_turns_into_an_error():
    """The exit code is 130 all the same, with no word of an error."""
    code = (
        "import os, signal, time\nfrom entropick.cli.program import program\n"
        "@program.command()\ndef fail():\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT); time.sleep(10)\n"
        "    except KeyboardInterrupt: time.sleep(0.1); raise ImportError('half loaded') from None\n"
        "program(['fail'])"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_ctrl_c_while_modules_load():
    """The exit code is 130 then, too, not that of a process ended by a signal."""
    code = (
        "import os, signal, sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'entropick.cli.program': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press())\n"
        "sys.argv[1:] = ['--version']\n"
        "from entropick.cli import main\nmain()"
    )
    done = run_python(code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_signal_beside_a_command(when):
    """It keeps its exit code if it arrives when the command has not begun, or has ended."""
    code = (
        "import os, signal, sys\n"
        "from entropick.cli import main, program\n"
        "def press(*_): os.kill(os.getpid(), signal.SIGTERM)\n"
        "def ended(run):\n"
        f"    if {when!r} == 'before': press()\n"
        "    run()\n"
        f"    if {when!r} == 'after': press()\n"
        "program._exit_code = ended\n"
        "sys.argv[1:] = ['--version']\n"
        "main()"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr) == (143, "Terminated.\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_signal_while_an_object_is_deleted():
    """KeyboardInterrupt cannot get through from there; the program ends a moment later, with no traceback."""
    code = (
        "import os, signal, time\nfrom entropick.cli.program import program\n"
        "class Press:\n    def __del__(self): os.kill(os.getpid(), signal.SIGTERM)\n"
        "@program.command()\ndef wait():\n"
        "    Press()\n"
        "    time.sleep(10)\n"
        "program(['wait'])"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr.strip()) == (143, "Terminated.")


def test_polars_looks_for_numpy_where_no_signal_comes():
    """A KeyboardInterrupt in the Python code that it calls for that made it panic."""
    code = (
        "import threading, time, entropick.files.frames, numpy.lib, polars as pl\n"
        "while threading.active_count() > 1: time.sleep(0.01)\n"
        "numpy.lib.NumpyVersion = None\n"
        "pl.Series([1.0]).to_numpy()"
    )
    assert run_python(code).stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_signal_while_a_file_is_made(tmp_path):
    """The moment between making a file and knowing about it leaves nothing behind."""
    code = (
        "import os, signal, tempfile\nfrom entropick.cli.program import program\n"
        "from entropick.files.contents import TemporaryFile\n"
        "open_it = os.open\n"
        "if hasattr(os, 'O_TMPFILE'): del os.O_TMPFILE  # as on systems without it\n"
        "def open_and_press(*given):\n"
        "    handle = open_it(*given)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return handle\n"
        "@program.command()\ndef wait():\n"
        f"    tempfile.tempdir, os.open = {str(tmp_path)!r}, open_and_press\n"
        "    TemporaryFile()\n"
        "program(['wait'])"
    )
    done = run_python(code)
    assert (done.returncode, done.stderr.strip()) == (143, "Terminated.")
    assert list(tmp_path.iterdir()) == []


def test_missing_extra_is_said():
    """Without click there is one friendly sentence."""
    code = (
        "import sys\nsys.modules['click'] = None\nfrom entropick.cli import main\n"
        "class Gone:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': raise ModuleNotFoundError(\"No module named 'click'\", name='click')\n"
        "del sys.modules['click']\nsys.meta_path.insert(0, Gone())\nmain()"
    )
    done = run_python(code)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "Error: The command line needs click, which is not installed. Hint: pip install"
    )
    assert done.stdout == ""
