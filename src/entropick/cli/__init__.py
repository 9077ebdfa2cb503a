"""The command line: arguments in, files out. Nothing is decided here that the library does not know."""

import sys

EXTRA = {"click", "rich", "polars", "jinja2"}  # what the extra `cli` brings
INTERRUPTED = 130  # the exit code shells give to programs ended by Ctrl-C


def main() -> None:
    """Run the program; what `entropick` in the shell does."""
    try:
        from entropick.cli.program import program

        program(prog_name="entropick")
    except KeyboardInterrupt:  # while modules were loading
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        print(
            f"Error: The command line needs {error.name}, which is not installed. "
            "Hint: pip install 'entropick[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
