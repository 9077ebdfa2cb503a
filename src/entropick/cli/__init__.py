"""The command line program, a thin layer over the library."""

import os
import signal
import sys
from contextlib import suppress
from typing import Any

from entropick.cli.streams import open_streams

EXTRA = {"click", "rich", "polars", "jinja2"}  # packages of the extra `cli`
DASK = {"dask", "distributed"}  # and the extra `dask`
DATABASE = {"duckdb", "ibis", "pyarrow"}  # and the extra `database`
# Polars would keep freed memory longer than most runs take; returning it after 0.1 s costs nothing.
MEMORY_OF_POLARS = ("_RJEM_MALLOC_CONF", "dirty_decay_ms:100,muzzy_decay_ms:100")
# The exit codes of shells for programs ended by Ctrl-C, SIGTERM and SIGHUP (which Windows does not have).
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
WORDS = dict(zip(SIGNALS, ("Interrupted.", "Terminated.", "Hung up."), strict=False))
received: list[int] = []  # signals; some libraries replace KeyboardInterrupt by their own error


def ending() -> tuple[int, str]:
    """The exit code that shells give to programs ended by a signal, and a word about it."""
    number = received[0] if received else signal.SIGINT
    return 128 + number, WORDS[signal.Signals(number)]


def _end_at_once(code: int) -> None:
    """Exit without waiting for threads, before half-loaded modules can change the exit code."""
    with suppress(OSError):  # the terminal may be gone
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run the program; entry point of `entropick`."""
    open_streams()
    os.environ.setdefault(*MEMORY_OF_POLARS)  # read when polars is loaded
    try:
        code = _run()
        for number in SIGNALS:  # during shutdown they must not change the code
            signal.signal(number, signal.SIG_IGN)
    except KeyboardInterrupt:  # while modules were loading, or just before or after a command
        code, word = ending()
        with suppress(OSError):
            print(word, file=sys.stderr)
    if code in [128 + number for number in SIGNALS]:
        _end_at_once(code)
    sys.exit(code)


def _run() -> Any:
    """Run the program and return its exit code."""
    try:
        from entropick.cli.program import program

        program(prog_name="entropick")
    except SystemExit as end:
        return end.code
    except ModuleNotFoundError as error:
        if error.name not in EXTRA | DASK | DATABASE:
            raise
        what, extra = ("--cluster", "cli,dask") if error.name in DASK else ("The command line", "cli")
        if error.name in DATABASE:
            what, extra = "Selecting by counts", "cli,database"
        print(
            f"Error: {what} needs {error.name}, which is not installed. "
            f"Hint: pip install 'entropick[{extra}]'",
            file=sys.stderr,
        )
        return 2
