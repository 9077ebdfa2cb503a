"""The command line: arguments in, files out. Nothing is decided here that the library does not know."""

import os
import signal
import sys
from typing import Any

EXTRA = {"click", "rich", "polars", "jinja2"}  # what the extra `cli` brings
DASK = {"dask", "distributed", "pyarrow"}  # and the extra `dask`
# Polars keeps freed memory for a while, longer than most runs take; a tenth of a second costs no time.
MEMORY_OF_POLARS = ("_RJEM_MALLOC_CONF", "dirty_decay_ms:100,muzzy_decay_ms:100")
INTERRUPTED = 130  # the exit code shells give to programs ended by Ctrl-C


def _end_at_once() -> None:
    """End without waiting for threads, and before half-loaded modules can make it something else than 130."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def _open_streams() -> None:
    """Streams that were closed before the start, as some schedulers of jobs do, hold and take nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def main() -> None:
    """Run the program; what `entropick` in the shell does."""
    _open_streams()
    os.environ.setdefault(*MEMORY_OF_POLARS)  # read when polars is loaded
    try:
        code = _run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done: Python's own end must not change the code
    except KeyboardInterrupt:  # while modules were loading
        code = INTERRUPTED
    if code == INTERRUPTED:
        _end_at_once()
    sys.exit(code)


def _run() -> Any:
    """The exit code of the program."""
    try:
        from entropick.cli.program import program

        program(prog_name="entropick")
    except SystemExit as end:
        return end.code
    except ModuleNotFoundError as error:
        if error.name not in EXTRA | DASK:
            raise
        what, extra = ("--cluster", "cli,dask") if error.name in DASK else ("The command line", "cli")
        print(
            f"Error: {what} needs {error.name}, which is not installed. "
            f"Hint: pip install 'entropick[{extra}]'",
            file=sys.stderr,
        )
        return 2
