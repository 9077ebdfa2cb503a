"""The program in its own process, with faults of the system.

Signals come at random moments after `main` has begun; before that Python itself answers them.
"""

import contextlib
import dataclasses
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from campaign.invariants import BrokenPromiseError, Outcome, check, contents

START = "import os; from entropick.cli import main; os.write(3, b'.'); main()"
OLD = b"the old file"
N_ROWS, N_COLUMNS = 400, 12
MEGABYTE = 1 << 20
LATEST_END = 30  # seconds after Ctrl-C on a very busy machine; the program itself waits for 0.4


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"faults {number}")
    table = folder / "table.csv"
    if not table.exists():
        write_table(table)
    kinds = [interrupted] * 12 + [killed] * 4 + [disk_full, no_room_to_write, little_memory, broken_pipe, full_stdout,
             closed_streams, read_only_home, no_tmpdir, plain_ascii]  # fmt: skip
    for path in folder.iterdir():
        if path != table and path.is_file():
            path.unlink()
    (folder / "temporary").mkdir(exist_ok=True)
    return kinds[number % len(kinds)](rng, folder)


def write_table(path: Path) -> None:
    rng = random.Random(0)
    names = [f"c{j}" for j in range(N_COLUMNS - 1)] + ["größe"]
    rows = [[f"{rng.random():.4f}" for _ in names] + [str(i % 2)] for i in range(N_ROWS)]
    path.write_text("\n".join(",".join(row) for row in [[*names, "label"], *rows]) + "\n")


def question(rng, folder: Path):
    """A command line that reads, computes and writes; and what makes its outputs whole."""
    report, out = folder / "report.html", folder / rng.choice(["out.csv", "out.parquet"])
    for path in (report, out):
        path.write_bytes(OLD)
    n = rng.choice(["3", "auto"])
    words = ["select", str(folder / "table.csv"), "-t", "label", "-n", n, "-j", rng.choice(["1", "2"])]
    outputs = {str(report): is_page, str(out): is_table}
    return [*words, "--report", str(report), "--out", str(out)], outputs


def is_page(content):
    if not content.rstrip().endswith(b"</html>"):
        raise ValueError("no whole page")


def is_table(content):
    if content.startswith(b"PAR1"):
        if not content.endswith(b"PAR1"):
            raise ValueError("no whole Parquet file")
    elif content.count(b"\n") != N_ROWS + 1:
        raise ValueError(f"{len(content)} bytes are no whole table")


def start(words, folder: Path, before=None, **environment):
    """The process, once `main` has begun, and what it says."""
    said, says = os.pipe()
    variables = os.environ | {"TMPDIR": str(folder / "temporary"), **environment}

    def prepare():
        os.dup2(says, 3)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells let jobs in the background ignore it
        if before is not None:
            before()

    process = subprocess.Popen(
        [sys.executable, "-c", START, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=variables,
        preexec_fn=prepare,
        close_fds=False,
    )
    os.close(says)
    os.read(said, 1)
    os.close(said)
    return process


def finish(process, folder, outputs, before, seconds=100.0) -> Outcome:
    try:
        stdout, stderr = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise BrokenPromiseError(f"no end within {seconds} s") from None
    texts = (stream.decode(errors="replace") for stream in (stdout or b"", stderr or b""))
    return Outcome(process.returncode, *texts, before=before, after=contents(folder), outputs=outputs)


def interrupted(rng, folder: Path) -> str:
    """Ctrl-C, SIGTERM or SIGHUP: 130, 143 or 129 at once, or everything is done."""
    sent = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    words, outputs = question(rng, folder)
    before = contents(folder)
    process = start(words, folder)
    time.sleep(rng.random() * 3)
    process.send_signal(sent)
    outcome = finish(process, folder, outputs, before, LATEST_END)
    if outcome.code == -sent and sent != signal.SIGINT:  # while modules load, the system answers
        return check(dataclasses.replace(outcome, code=0, stdout="", stderr=""))
    if outcome.code not in (0, 128 + sent):
        raise BrokenPromiseError(f"exit code {outcome.code} after {sent.name}: {outcome.stderr[-300:]}")
    return check(outcome)


def killed(rng, folder: Path) -> str:
    """SIGKILL: outputs are whole or old, and nothing else is there, since what is temporary has no name."""
    words, outputs = question(rng, folder)
    before = contents(folder)
    process = start(words, folder)
    time.sleep(rng.random() * 3)
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    outcome = finish(process, folder, outputs, before)
    check(Outcome(0, before=before, after=outcome.after, outputs=outputs))
    return "killed" if outcome.code == -signal.SIGKILL else "fine"


def disk_full(rng, folder: Path) -> str:
    """Files cannot grow: the outputs are as they were, one sentence says so."""
    words, outputs = question(rng, folder)
    before = contents(folder)
    limit = rng.choice([0, 100, 2000, 20_000])
    process = start(words, folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    outcome = finish(process, folder, outputs, before)
    if outcome.code != 1:
        raise BrokenPromiseError(
            f"exit code {outcome.code} with files of at most {limit} bytes: {outcome.stderr[-300:]}"
        )
    return check(outcome)


def no_room_to_write(rng, folder: Path) -> str:
    """A directory in which nothing can be made, whoever asks."""
    words, outputs = question(rng, folder)
    words[words.index("--out") + 1] = "/proc/out.csv"
    before = contents(folder)
    return expect(2, finish(start(words, folder), folder, outputs, before))


def little_memory(rng, folder: Path) -> str:
    """A cap on the address space: a result, or one sentence."""
    words, outputs = question(rng, folder)
    before = contents(folder)
    limit = rng.randrange(700, 3000) * MEGABYTE
    process = start(
        words, folder, lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), POLARS_MAX_THREADS="1"
    )
    return check(finish(process, folder, outputs, before))


def broken_pipe(rng, folder: Path) -> str:
    """Nobody reads the result, as after `| head -1`."""
    words, outputs = question(rng, folder)
    before = contents(folder)
    process = start(words, folder)
    process.stdout.close()
    process.stdout = None
    outcome = finish(process, folder, outputs, before)
    if outcome.code not in (0, 1) or "Error" in outcome.stderr:  # who closes a pipe need not be told
        raise BrokenPromiseError(f"exit code {outcome.code}: {outcome.stderr[-300:]}")
    return check(dataclasses.replace(outcome, code=0))


def full_stdout(rng, folder: Path) -> str:
    """The result goes to a full disk."""
    words = rng.choice([["methods"], ["--help"], question(rng, folder)[0][:8]])
    process = subprocess.Popen(
        [sys.executable, "-c", "from entropick.cli import main; main()", *words],
        stdout=open("/dev/full", "wb"),  # noqa: SIM115
        stderr=subprocess.PIPE,
    )
    return expect(1, finish(process, folder, {}, contents(folder)))


def closed_streams(rng, folder: Path) -> str:
    """No stdin, stdout or stderr at all, as under some job schedulers."""
    words, outputs = question(rng, folder)
    before = contents(folder)
    closed = rng.choice([0, 1, 2])
    process = start(words, folder, lambda: os.close(closed))
    return expect(0, finish(process, folder, outputs, before))


def read_only_home(rng, folder: Path) -> str:
    words, outputs = question(rng, folder)
    before = contents(folder)
    return expect(
        0, finish(start(words, folder, HOME="/proc", XDG_CACHE_HOME="/proc"), folder, outputs, before)
    )


def no_tmpdir(rng, folder: Path) -> str:
    words, outputs = question(rng, folder)
    before = contents(folder)
    return expect(0, finish(start(words, folder, TMPDIR="/no/such/directory"), folder, outputs, before))


def plain_ascii(rng, folder: Path) -> str:
    """A terminal that knows no letters but those of English."""
    words, outputs = question(rng, folder)
    words[words.index("-n") + 1] = str(N_COLUMNS)
    before = contents(folder)
    return expect(
        0, finish(start(words, folder, PYTHONIOENCODING="ascii", LC_ALL="C"), folder, outputs, before)
    )


def expect(code: int, outcome: Outcome) -> str:
    if outcome.code != code:
        raise BrokenPromiseError(f"exit code {outcome.code} instead of {code}: {outcome.stderr[-300:]}")
    return check(outcome)
