"""The command line: arguments in, files out. Nothing is decided here that the library does not know."""

import os
import sys

EXTRA = {"click", "rich", "polars", "jinja2"}  # what the extra `cli` brings
# Polars keeps freed memory for a while, longer than most runs take; a tenth of a second costs no time.
MEMORY_OF_POLARS = ("_RJEM_MALLOC_CONF", "dirty_decay_ms:100,muzzy_decay_ms:100")
INTERRUPTED = 130  # the exit code shells give to programs ended by Ctrl-C


def _end_at_once() -> None:
    """End without waiting for threads, and before half-loaded modules can make it something else than 130."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the program; what `entropick` in the shell does."""
    os.environ.setdefault(*MEMORY_OF_POLARS)  # read when polars is loaded
    try:
        from entropick.cli.program import program

        program(prog_name="entropick")
    except KeyboardInterrupt:  # while modules were loading
        _end_at_once()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _end_at_once()
        raise
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        print(
            f"Error: The command line needs {error.name}, which is not installed. "
            "Hint: pip install 'entropick[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
