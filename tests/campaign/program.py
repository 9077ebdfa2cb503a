"""The program called in this process, and what it leaves behind."""

import json
import tempfile
from pathlib import Path

import polars as pl
from click.testing import CliRunner

from campaign.invariants import Outcome, check, contents
from entropick.cli.program import program

OLD = b"the old file"  # what stands where an output is to go


def is_page(content):
    text = content.decode()
    if not (text.startswith("<!") and text.rstrip().endswith("</html>")):
        raise ValueError("no whole page")


def is_table(content):
    if content.startswith(b"PAR1"):
        pl.read_parquet(content)
    elif content.startswith(b"ARROW1"):
        pl.read_ipc(content)
    elif not content.endswith(b"\n"):
        raise ValueError("no whole text")


def call(arguments, folder: Path, outputs=None, input=None) -> str:
    """Run the program and check what must hold; "fine", "refused", ..."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    tempfile.tempdir = str(temporary)
    before = contents(folder)
    result = CliRunner().invoke(program, arguments, input=input, prog_name="entropick")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception  # an unexpected one, or with ENTROPICK_DEBUG any
    return check(
        Outcome(
            code=result.exit_code,
            stdout=result.stdout,
            stderr=result.stderr,
            is_json="--json" in arguments and is_a_run(result.stdout),
            before=before,
            after=contents(folder),
            outputs=outputs or {},
        )
    )


def is_a_run(stdout: str) -> bool:
    """Whether it is a result, and not help or a version."""
    if stdout.startswith("{"):
        json.loads(stdout)
    return stdout.startswith("{")
