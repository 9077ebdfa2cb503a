"""The program ended by INT, TERM, HUP or KILL at random moments: nothing is lost, nothing is left behind.

A process loads the libraries once and makes a child for each case, so that signals come while the program reads,
fits and writes, and not while Python starts. The situations: all is well; files cannot grow, as on a full
disk; nothing can be written to the temporary folder.

    python -m campaign --families kills --cases 2000    500 of each signal
"""

import atexit
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from campaign.faults import OLD, is_page
from campaign.invariants import BrokenPromiseError, Outcome, check, contents

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
SITUATIONS = ["fine", "fine", "fine", "full disk", "no temporary folder"]
N_ROWS, N_COLUMNS = 6000, 12
LATEST_END = 60  # seconds after a signal, on a very busy machine
FILE_LIMITS = [4000, 20_000, 100_000]  # bytes, on a full disk; what is said has room in the first

NURSERY = """
import json, os, resource, signal, sys, tempfile
import entropick.cli.commands, entropick.report.page, entropick.cli.program
from entropick.files import room
from entropick.cli import main

while line := sys.stdin.readline():
    case = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        sys.stdin.readline()  # until then its number belongs to no other process
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(case[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    tempfile.tempdir = case["temporary"]
    room.LARGE = case["large"]
    if case["limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (case["limit"], case["limit"]))
    sys.argv[1:] = case["words"]
    main()
"""


class Nursery:
    """The process that makes a child for each case."""

    def __init__(self) -> None:
        self.seconds = 0.0  # that a case takes without a signal
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(self._process.kill)

    def begin(self, case: dict) -> int:
        """The number of the process of a case, which lives until `end` is asked."""
        print(json.dumps(case), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def end(self) -> int:
        """The exit code of the case."""
        print(file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


_nursery: list[Nursery] = []


def run(number: int, folder: Path) -> str:
    rng = random.Random(f"kills {number}")
    table = folder / "table.csv"
    if not table.exists():
        write_table(table)
    if not _nursery:
        _nursery.append(Nursery())
        for _ in range(2):  # the first one waits for the libraries
            one_case(rng, folder, None, "fine")
    sent = SIGNALS[number % len(SIGNALS)]
    situation = SITUATIONS[number // len(SIGNALS) % len(SITUATIONS)]
    return one_case(rng, folder, sent, situation)


def write_table(path: Path) -> None:
    rng = random.Random(0)
    names = [f"c{j}" for j in range(N_COLUMNS)]
    rows = [[f"{rng.random():.4f}" for _ in names] + [str(i % 2)] for i in range(N_ROWS)]
    path.write_text("\n".join(",".join(row) for row in [[*names, "label"], *rows]) + "\n")


def one_case(rng, folder: Path, sent: signal.Signals | None, situation: str) -> str:
    """Run the program, send a signal, and check what is left."""
    private, temporary = folder / "private", folder / "temporary"
    for place in (private, temporary):
        place.mkdir(exist_ok=True)
    out, report, names = folder / rng.choice(["out.csv", "out.parquet"]), folder / "r.html", folder / "names"
    for path in (folder / "out.csv", folder / "out.parquet", report, names):
        path.write_bytes(OLD)
    before = contents(folder)
    words = ["select", str(folder / "table.csv"), "-t", "label", "-n", "4", "-j", rng.choice(["1", "2"])]
    words += ["--out", str(out), "--report", str(report), "--columns-file", str(names)]
    case = {
        "words": words,
        "stdout": str(private / "stdout"),
        "stderr": str(private / "stderr"),
        "temporary": "/proc" if situation == "no temporary folder" else str(temporary),
        "large": rng.choice([0, 0, 128 << 20]),  # every other text is converted by way of a temporary file
        "limit": rng.choice(FILE_LIMITS) if situation == "full disk" else None,
    }
    nursery = _nursery[0]
    began = time.monotonic()
    child = nursery.begin(case)
    if sent is not None:
        time.sleep(rng.random() * nursery.seconds)
        os.kill(child, sent)  # a process that has ended is still there until it is asked for its code
    code = nursery.end() if sent is None else ended(nursery, child)
    if sent is None:
        nursery.seconds = time.monotonic() - began
    stdout, stderr = (taken(Path(case[name])) for name in ("stdout", "stderr"))
    outputs = {str(out): is_table, str(report): is_page, str(names): is_list}
    check_code(code, sent, situation, stderr)
    where = moment(code, stderr)
    if code < 0:  # there is no sentence then
        code, stdout, stderr = 0, "", ""
    elif code > 2 and situation != "fine":  # the program may have failed when the signal came
        stderr = "".join(line for line in stderr.splitlines(True) if not line.startswith("Error: "))
    check(Outcome(code, stdout, stderr, before=before, after=contents(folder), outputs=outputs))
    nursery.seconds *= 0.7 if where == "after the end" else 1.1  # most signals come before the end
    return f"{sent.name if sent else 'no signal'} {where}"


def taken(path: Path) -> str:
    """The text of a file, which is then removed; nothing if the process ended before it opened it."""
    if not path.exists():
        return ""
    text = path.read_text()
    path.unlink()
    return text


def moment(code: int, stderr: str) -> str:
    """What the program was doing when it ended."""
    if code in (0, 1, 2):
        return "after the end" if code == 0 else "after an error"
    if " to choose from" not in stderr:
        return "while reading"
    return "while writing" if "written to" in stderr else "while fitting"


def ended(nursery: Nursery, child: int) -> int:
    """The exit code, which must come in time after a signal."""
    alarm = signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(LATEST_END)
    try:
        return nursery.end()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, alarm)


def expected(sent: signal.Signals | None) -> list[int]:
    if sent is None:
        return []
    # before the program has begun, signals are answered by Python and by the system
    return [-sent, 128 + sent]


def check_code(code: int, sent: signal.Signals | None, situation: str, stderr: str) -> None:
    allowed = [0, *expected(sent)]
    if situation == "full disk":
        allowed += [1]
    elif situation == "no temporary folder":
        allowed += [1, 2]
    if code not in allowed:
        raise BrokenPromiseError(f"exit code {code} after {sent} ({situation}): {stderr[-300:]}")


def is_table(content: bytes) -> None:
    if content.startswith(b"PAR1"):
        if not content.endswith(b"PAR1"):
            raise ValueError("no whole Parquet file")
    elif content.count(b"\n") != N_ROWS + 1:
        raise ValueError(f"{len(content)} bytes are no whole table")


def is_list(content: bytes) -> None:
    if content.count(b"\n") != 4:
        raise ValueError(f"{content!r} is no list of four names")
