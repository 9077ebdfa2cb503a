"""The tests run in the background of a script, and with or without pytest-xdist."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")]


def ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize("options", [["-p", "no:xdist"], ["-n", "1"]], ids=str)
def test_signals_arrive_in_the_background(options):
    """Shells start what runs in the background with SIGINT ignored, and children inherit that."""
    chosen = [
        "tests/cli/test_process.py",
        "tests/table/executors",
        "-k",
        "ctrl_c_while_modules or (signals_end_at_once and INT)",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, *chosen],
        cwd=Path(__file__).parents[1],
        preexec_fn=ignore_interrupts,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout
