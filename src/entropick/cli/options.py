"""Options that commands share, and what their values may be."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

MAX_BINS = 65535  # limit of the parameter n_bins
Option = Callable[[Any], Any]  # as a decorator

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:  # not generic before click 8.4
    ParamType = click.ParamType


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


def methods_like(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Names of methods, for the shell to complete."""
    from entropick.selectors.methods import METHODS

    return [name for name in METHODS if name.lower().startswith(typed.lower())]


def _check_threads(ctx: click.Context, param: click.Parameter, jobs: int) -> int:
    """Reject 0 threads before the file is read."""
    if jobs == 0:
        raise click.BadParameter("0 threads; give a number, or -1 for all processors.", ctx, param)
    return jobs


def _target_type(parameter: str) -> Option:
    return click.option(
        "--target-type",
        parameter,
        type=click.Choice(["auto", "class", "real"]),
        default="auto",
        help="Whether the target holds classes or real values; inferred by default.",
    )


_IGNORE = click.option(
    "--ignore", "-i", metavar="COL", multiple=True, help="Column to leave out; may be repeated."
)

# The options that `select` and `compare` share, in the order of --help.
QUESTION = [
    click.argument("file"),
    click.option(
        "--target",
        "-t",
        "targets",
        metavar="COL",
        multiple=True,
        callback=lambda _, __, names: tuple(dict.fromkeys(names)),
        help="Column to predict; several are taken jointly.",
    ),
    _target_type("target_type"),
    _IGNORE,
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


# The options that `count` and `sketch` share.
COUNTED_ROWS = [
    click.argument("file"),
    click.option("--target", "-t", "target_column", metavar="COL", required=True, help="Column to count by."),
    _target_type("target"),
    _IGNORE,
    click.option("--n-bins", type=NumberOfBins(), default="auto", help="Levels of a numeric column."),
    click.option(
        "--binning", type=click.Choice(["quantile", "uniform"]), default="quantile", show_default=True
    ),
]


def question(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `select` and `compare` share."""
    return _with_options(command, QUESTION)


def counted_rows(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `count` and `sketch` share."""
    return _with_options(command, COUNTED_ROWS)


def _with_options(command: Callable[..., None], options: list[Option]) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command
