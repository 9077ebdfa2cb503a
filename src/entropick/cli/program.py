"""Commands. Heavy imports wait until a command runs, so that help appears at once."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

import entropick
from entropick.cli import ending, received
from entropick.cli.interrupt import ended_by_signals
from entropick.cli.messages import in_options
from entropick.cli.options import Names, NumberOfColumns, counted_rows, methods_like, question
from entropick.cli.screen import one_line
from entropick.exceptions import ClusterError, DatabaseError, message_of
from entropick.files.room import NoRoomError, check_libraries
from entropick.files.system import SYSTEM_FAULTS, is_out_of_threads, memory_needed

USERS_MISTAKE, SYSTEMS_FAULT = 2, 1
_COMMAND = "entropick.command"


class Program(click.Group):
    """A group whose errors are one sentence on stderr and an exit code, never a traceback."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, *, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Run a command and end the process with its exit code."""
        run = partial(super().main, args, standalone_mode=False, **extra)
        if not standalone_mode:
            return run()
        with ended_by_signals():
            code = _exit_code(run)
        sys.exit(code)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the command line, for the document that says how to repeat it."""
        ctx.meta[_COMMAND] = shlex.join(["entropick", *args])
        return super().parse_args(ctx, args)


def _exit_code(run: Callable[[], Any]) -> int:
    """Run a command and return its exit code; print an error as one sentence."""
    try:
        result = run()
        return result if isinstance(result, int) else 0
    except (click.Abort, KeyboardInterrupt):
        return _stopped()
    except ModuleNotFoundError:  # `main` says how to install it
        raise
    except Exception as error:
        if received:
            return _stopped()
        if os.environ.get("ENTROPICK_DEBUG"):
            raise
        code, text = _explained(error)
        click.echo(f"Error: {one_line(text)}", err=True)
        return code


def _stopped() -> int:
    """Say which signal ended the program, and return its exit code."""
    code, word = ending()
    with suppress(OSError):  # the terminal may be gone
        click.echo(word, err=True)
    return code


def _explained(error: Exception) -> tuple[int, str]:
    """Exit code and sentence for an error."""
    if isinstance(error, click.ClickException):
        return USERS_MISTAKE, error.format_message()
    if isinstance(error, NoRoomError):
        return SYSTEMS_FAULT, str(error)
    if isinstance(error, MemoryError):
        needed = memory_needed(error)
        missing = f": {needed} more were needed" if needed else ""
        return (
            SYSTEMS_FAULT,
            f"Not enough memory{missing}. Hint: leave out columns with --ignore, or use fewer rows.",
        )
    if isinstance(error, OSError):
        name = f"{error.filename!r}: " if error.filename else ""
        code = SYSTEMS_FAULT if error.errno in SYSTEM_FAULTS else USERS_MISTAKE
        return code, f"{name}{error.strerror or error}."
    if is_out_of_threads(error):
        return SYSTEMS_FAULT, "The system allows no more threads. Hint: --jobs 1 needs none."
    if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):
        return USERS_MISTAKE, str(error)  # the compiled core says why it cannot be used
    if isinstance(error, ClusterError | DatabaseError):
        return SYSTEMS_FAULT, in_options(message_of(error))
    if isinstance(error, ValueError | TypeError):  # raised by the library
        return USERS_MISTAKE, in_options(message_of(error))
    return SYSTEMS_FAULT, (
        f"Internal error ({type(error).__name__}: {error}). Hint: set ENTROPICK_DEBUG=1 for "
        "a traceback, and please report it."
    )


DATABASE_FILES = (".duckdb", ".ddb", ".sqlite", ".sqlite3", ".db", ".counts")


def may_be_counted(file: str) -> bool:
    """Whether FILE is a database or a file of counts, of which no rows are read."""
    return "://" in file or file.lower().endswith(DATABASE_FILES)


def query_of(query: str | None) -> str | None:
    """A query, read from a file if one is named."""
    if query is None or not query.endswith(".sql"):
        return query
    return Path(query).read_text(encoding="utf-8")


EXTRA = {"allow_extra_args": True}  # rejected by `_question` with a better message


def _question(ctx: click.Context, given: dict[str, Any]) -> Any:
    from entropick.cli.commands import Question
    from entropick.cli.rows import Dependence
    from entropick.cli.steering import Steering
    from entropick.files.layout import TextFormat

    if ctx.args:
        raise click.UsageError(
            f"Only one FILE is accepted, but got {ctx.args[0]!r} as well. Hint: quote a pattern of Parquet "
            "files, 'data/part-*.parquet', so that the shell does not expand it."
        )
    text = TextFormat(
        given.pop("separator"),
        given.pop("decimal"),
        given.pop("encoding"),
        tuple(given.pop("missing_values")),
        not given.pop("no_header"),
        given.pop("comment"),
    )
    steering = Steering(
        given.pop("correction"), given.pop("n_bins"), given.pop("binning"), given.pop("fixed")
    )
    return Question(
        text=text, steering=steering, dependence=Dependence(given.pop("groups"), given.pop("time")),
        json=given.pop("as_json"), command=ctx.meta.get(_COMMAND), **given,
    )  # fmt: skip


@click.group(
    cls=Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(entropick.__version__, "-V", "--version", prog_name="entropick")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Which columns of a table matter, in what order, and how many a model needs.

    FILE is a table (CSV, TSV, Excel, JSON lines, Parquet, Arrow, Feather, ARFF), a built-in name, or - for
    stdin.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
    elif ctx.invoked_subcommand in ("select", "compare", "count", "sketch"):
        check_libraries()


@program.command(context_settings=EXTRA)
@question
@click.option(
    "--method",
    "-m",
    default="JMI",
    show_default=True,
    help="Method; `entropick methods` lists them.",
    shell_complete=methods_like,
)
@click.option(
    "--n-features",
    "-n",
    type=NumberOfColumns(),
    help="Number or share of columns, a rule, or 'auto' for as many as help to predict unseen rows (in "
    "databases and counts, as add more than chance). [default: auto]",
)
@click.option(
    "--stability",
    is_flag=True,
    help="Keep the columns that the method keeps on most random halves of the rows.",
)
@click.option(
    "--cluster",
    metavar="local|ADDRESS",
    help="Dask scheduler whose workers read FILE, a pattern of Parquet files; 'local' starts workers here.",
)
@click.option("--table", metavar="NAME", help="Table of a database: FILE is its file or address.")
@click.option("--query", metavar="SQL|F.sql", help="Query whose rows are the table, or a file with it.")
@click.option("--explain", is_flag=True, help="Print the queries to a database without running them.")
@click.pass_context
def select(
    ctx: click.Context,
    /,
    method: str,
    n_features: Any,
    stability: bool,
    table: str | None,
    query: str | None,
    explain: bool,
    **given: Any,
) -> None:
    """Select the columns of FILE that are informative about the target.

    FILE may also be a database, 'sales.duckdb' or 'postgresql://user@host/name', whose rows stay there, or a
    file of counts.
    """
    if table or query or explain or may_be_counted(given["file"]):
        from entropick.cli.counted import Source, run_select_counted

        source = Source(table, query_of(query), explain)
        return run_select_counted(_question(ctx, given), source, method, n_features, stability)
    from entropick.cli.commands import run_select

    return run_select(_question(ctx, given), method, n_features, stability)


@program.command(context_settings=EXTRA)
@question
@click.option(
    "--methods", "-m", type=Names(), help="Methods, separated by commas. [default: JMI,MRMR,CMIM,RenyiFS,MIM]"
)
@click.option(
    "--estimators",
    "-e",
    type=Names(),
    help="For classes logistic, neighbors, forest, tree, bayes; for real values ridge, neighbors, forest, "
    "tree. [default: the first three]",
)
@click.option(
    "--scoring",
    metavar="NAME",
    help="Any scikit-learn score, such as roc_auc, f1 or neg_log_loss. [default: accuracy, "
    "balanced_accuracy for imbalanced classes, r2 for real values]",
)
@click.option(
    "--folds", type=click.IntRange(2), default=5, show_default=True, help="Number of cross-validation folds."
)
@click.option(
    "--max-rows",
    type=click.IntRange(10),
    default=2000,
    show_default=True,
    help="Number of rows sampled for the scores.",
)
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    methods: Any,
    estimators: Any,
    scoring: str | None,
    folds: int,
    max_rows: int,
    **given: Any,
) -> None:
    """Compare several methods on FILE, by cross-validation."""
    from entropick.cli.commands import run_compare

    run_compare(_question(ctx, given), methods, estimators, scoring, folds, max_rows)


@program.command()
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def diff(old: str, new: str, as_json: bool) -> int:
    """Show which columns entered, left or moved between two results of --json.

    The exit code is 3 if a column entered or left, and 0 if at most the order changed.
    """
    from entropick.cli.difference import run_diff

    return run_diff(old, new, as_json)


@program.command()
@counted_rows
@click.option("--out", "-o", metavar="F.counts", required=True, help="File to write the counts to.")
@click.option("--edges", metavar="FILE", help="Sketches or counts whose levels and edges to use.")
@click.option("--min-cell", type=click.IntRange(0), default=0, metavar="K", help="Write counts below K as 0.")
def count(
    file: str,
    target_column: str,
    out: str,
    edges: str | None,
    ignore: Sequence[str],
    min_cell: int,
    **options: Any,
) -> None:
    """Count all pairs of columns of FILE by class, for `select` and `merge`; no row is written."""
    from entropick.cli.counted import run_count

    run_count(file, target_column, out, edges, ignore, min_cell, options)


@program.command()
@counted_rows
@click.option("--out", "-o", metavar="F.sketch", required=True, help="File to write the sketches to.")
@click.option("--after", metavar="F.sketch", help="Merged sketches whose next question to answer.")
def sketch(
    file: str, target_column: str, out: str, after: str | None, ignore: Sequence[str], **options: Any
) -> None:
    """Make sketches of FILE, a part of a table, so that all parts find common levels and edges.

    `merge` adds them up, and says whether the edges are known, for `count --edges`, or another round is
    needed.
    """
    from entropick.cli.counted import run_sketch

    run_sketch(file, target_column, out, after, ignore, options)


@program.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--out", "-o", metavar="FILE", required=True, help="File to write the sum to.")
def merge(files: Sequence[str], out: str) -> None:
    """Add up FILES of counts that have the same levels and edges, or FILES of sketches."""
    from entropick.cli.counted import run_merge

    run_merge(files, out)


@program.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def methods(as_json: bool) -> None:
    """List the methods by what they are for; --json has their parts."""
    from entropick.cli.listings import show_methods

    show_methods(as_json)


@program.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def datasets(as_json: bool) -> None:
    """List the built-in data sets."""
    from entropick.cli.listings import show_datasets

    show_datasets(as_json)
