"""Commands and options. Heavy imports wait until a command runs, so that help appears at once."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import entropick
from entropick.cli.interrupt import ended_by_signals, ending, received
from entropick.cli.messages import in_options
from entropick.cli.screen import one_line
from entropick.exceptions import ClusterError, message_of
from entropick.files.room import NoRoomError, check_libraries
from entropick.files.system import SYSTEM_FAULTS, is_out_of_threads, memory_needed

USERS_MISTAKE, SYSTEMS_FAULT = 2, 1
_COMMAND = "entropick.command"
MAX_BINS = 65535  # limit of the parameter n_bins

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # not generic before click 8.4
    ParamType = click.ParamType


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
    if isinstance(error, ClusterError):
        return SYSTEMS_FAULT, in_options(message_of(error))
    if isinstance(error, ValueError | TypeError):  # raised by the library
        return USERS_MISTAKE, in_options(message_of(error))
    return SYSTEMS_FAULT, (
        f"Internal error ({type(error).__name__}: {error}). Hint: set ENTROPICK_DEBUG=1 for "
        "a traceback, and please report it."
    )


class Names(ParamType):
    """Names separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        names = [name.strip() for name in value.split(",") if name.strip()]
        return names or self.fail("there must be at least one name.", param, ctx)


class NumberOfColumns(ParamType):
    """A number of columns, a share of them, "auto", or the name of a stop rule."""

    name = "n|share|auto|rule"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from entropick.selectors.method import RULES

        if not isinstance(value, str) or value.lower() in ("auto", *RULES):
            return value.lower() if isinstance(value, str) else value
        try:
            number = float(value) if "." in value else int(value)
        except ValueError:
            number = -1
        if (isinstance(number, int) and number >= 1) or 0 < number < 1:
            return number
        return self.fail(
            f"{value!r} is neither a number of columns, a share between 0 and 1, 'auto', nor a rule "
            f"({', '.join(RULES)}).",
            param,
            ctx,
        )


class NumberOfBins(ParamType):
    """A number of levels, or "auto"."""

    name = "n|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str) or value.lower() == "auto":
            return value.lower() if isinstance(value, str) else value
        if value.isascii() and value.isdigit() and 2 <= int(value[:6]) <= MAX_BINS:
            return int(value)
        return self.fail(f"{value!r} is neither a whole number from 2 to {MAX_BINS} nor 'auto'.", param, ctx)


def _methods_like(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Names of methods, for the shell to complete."""
    from entropick.selectors.methods import METHODS

    return [name for name in METHODS if name.lower().startswith(typed.lower())]


def _check_threads(ctx: click.Context, param: click.Parameter, jobs: int) -> int:
    """Reject 0 threads before the file is read."""
    if jobs == 0:
        raise click.BadParameter("0 threads; give a number, or -1 for all processors.", ctx, param)
    return jobs


# The options that `select` and `compare` share, in the order of --help.
QUESTION = [
    click.argument("file"),
    click.option(
        "--target",
        "-t",
        "targets",
        metavar="COL",
        multiple=True,
        help="Column to predict; several are taken jointly.",
    ),
    click.option(
        "--target-type",
        type=click.Choice(["auto", "class", "real"]),
        default="auto",
        help="Whether the target holds classes or real values; inferred by default.",
    ),
    click.option(
        "--ignore", "-i", metavar="COL", multiple=True, help="Column to leave out; may be repeated."
    ),
    click.option("--keep-ids", is_flag=True, help="Keep columns that look like identifiers."),
    click.option(
        "--date-parts", is_flag=True, help="Replace dates and times by year, month, weekday, hour, ..."
    ),
    click.option(
        "--fixed", metavar="COL", multiple=True, help="Column to keep from the start; may be repeated."
    ),
    click.option(
        "--n-bins",
        type=NumberOfBins(),
        help="Levels of a numeric column with more distinct values than that; 'auto' depends on the "
        "number of rows. [default: the method's, mostly auto]",
    ),
    click.option(
        "--binning",
        type=click.Choice(["quantile", "uniform", "mdlp"]),
        help="How numeric columns are binned: by equal frequency, by equal width, or where the classes "
        "change. [default: the method's, mostly quantile]",
    ),
    click.option(
        "--correction",
        type=click.Choice(["none", "miller_madow", "adjusted"]),
        help="Correction of information for what columns of many levels have by chance. [default: the "
        "method's]",
    ),
    click.option(
        "--groups",
        metavar="COL",
        help="Column that names what each row belongs to, such as a patient: rows of a group are never "
        "split. Rows are taken as independent otherwise.",
    ),
    click.option(
        "--time",
        metavar="COL",
        help="Column of numbers or times by whose order later rows are predicted from earlier ones.",
    ),
    click.option(
        "--separator", metavar="CHAR", help="Separator of a text file: a character, 'tab' or 'space'."
    ),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark of a text file."),
    click.option(
        "--encoding", metavar="NAME", help="Encoding of a text file, if not UTF-8, such as latin-1."
    ),
    click.option(
        "--missing-values",
        type=Names(),
        default=[],
        help="Further strings that mean missing, such as '-,none'.",
    ),
    click.option("--no-header", is_flag=True, help="The first line of a text file holds values, not names."),
    click.option("--comment", metavar="TEXT", help="Prefix of comment lines in a text file."),
    click.option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write the selected columns and the target to a CSV, TSV, Parquet or Feather file.",
    ),
    click.option(
        "--columns-file", metavar="FILE", help="Write the names of the selected columns, one per line."
    ),
    click.option(
        "--excel-safe",
        is_flag=True,
        help="With --out to CSV or TSV: escape names and strings that a spreadsheet would run as formulas.",
    ),
    click.option("--report", metavar="F.html", help="Write a report as one HTML file."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; messages go to stderr."),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="Seed of the random numbers.",
    ),
    click.option(
        "--jobs",
        "-j",
        type=int,
        default=-1,
        callback=_check_threads,
        help="Number of threads; all processors by default.",
    ),
    click.option("--quiet", "-q", is_flag=True, help="No messages, no progress."),
]


def question(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `select` and `compare` share."""
    for option in reversed(QUESTION):
        command = option(command)
    return command


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
    elif ctx.invoked_subcommand in ("select", "compare"):
        check_libraries()


@program.command(context_settings=EXTRA)
@question
@click.option(
    "--method",
    "-m",
    default="JMI",
    show_default=True,
    help="Method; `entropick methods` lists them.",
    shell_complete=_methods_like,
)
@click.option(
    "--n-features",
    "-n",
    type=NumberOfColumns(),
    help="Number or share of columns, a rule, or 'auto' for as many as help to predict unseen rows. "
    "[default: auto]",
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
@click.pass_context
def select(
    ctx: click.Context,
    /,
    method: str,
    n_features: Any,
    stability: bool,
    **given: Any,
) -> None:
    """Select the columns of FILE that are informative about the target."""
    from entropick.cli.commands import run_select

    run_select(_question(ctx, given), method, n_features, stability)


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
