"""Invariants that must hold after every case: one function, `check`."""

import json
import linecache
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ENDED = {129: "hung up", 130: "interrupted", 143: "terminated"}  # codes after a signal
CODES = {0, 1, 2, *ENDED}
REFUSALS = (ValueError, TypeError, MemoryError)
LONGEST_SENTENCE = 1100
OWN = ("/entropick/", "/sklearn/")  # packages whose sentences are ours, or those of the contract we fulfil


class BrokenPromiseError(AssertionError):
    """A promise that was not kept; the text says which."""


@dataclass(frozen=True)
class Outcome:
    """What a case did.

    Attributes
    ----------
    code, stdout, stderr : of the program; a code of None where the library was called
    error : of the library
    is_json : whether stdout was to be one JSON document
    before, after : contents of the files of the folder, and of the directory of temporary files
    outputs : names of the files that may be made or replaced, with a function that fails if one is not whole
    """

    code: int | None = None
    stdout: str = ""
    stderr: str = ""
    error: BaseException | None = None
    is_json: bool = False
    before: Mapping[str, bytes] = field(default_factory=dict)
    after: Mapping[str, bytes] = field(default_factory=dict)
    outputs: Mapping[str, object] = field(default_factory=dict)


def check(outcome: Outcome) -> str:
    """Fail where a promise is broken; else "fine", "refused", "failed" or "interrupted"."""
    _check_files(outcome)
    if outcome.code is None:
        return _check_library(outcome.error)
    if outcome.code not in CODES:
        raise BrokenPromiseError(f"exit code {outcome.code}: {outcome.stderr[-300:]}")
    if any(words in outcome.stderr for words in ("Traceback", "Exception ignored", "panicked at")):
        raise BrokenPromiseError(f"a traceback: {outcome.stderr[:1500]} ... {outcome.stderr[-500:]}")
    if "Error: Internal error (" in outcome.stderr:
        raise BrokenPromiseError(f"an error nobody expected: {outcome.stderr[-500:]}")
    _check_terminal(outcome.stdout)
    _check_terminal(outcome.stderr)
    sentences = [line for line in outcome.stderr.splitlines() if line.startswith("Error: ")]
    if len(sentences) != (outcome.code in (1, 2)):
        raise BrokenPromiseError(
            f"exit code {outcome.code} with {len(sentences)} sentences: {outcome.stderr[-500:]}"
        )
    if outcome.is_json and outcome.code == 0:
        json.loads(outcome.stdout)
    return {0: "fine", 1: "failed", 2: "refused", **ENDED}[outcome.code]


def _check_files(outcome: Outcome) -> None:
    """Outputs are whole or as they were, everything else is as it was."""
    for name, content in outcome.before.items():
        if name not in outcome.outputs and outcome.after.get(name) != content:
            raise BrokenPromiseError(f"{name} was changed or removed")
    for name, content in outcome.after.items():
        if outcome.before.get(name) == content:
            continue
        if name not in outcome.outputs:
            raise BrokenPromiseError(f"{name} was left behind ({len(content)} bytes)")
        try:
            outcome.outputs[name](content)
        except Exception as error:
            raise BrokenPromiseError(f"{name} is half-written: {type(error).__name__}: {error}") from error


def _check_terminal(text: str) -> None:
    """No sign that moves the cursor, changes the colour or the direction."""
    bad = {sign for sign in text if not sign.isprintable() and sign != "\n"}
    if bad:
        raise BrokenPromiseError(f"signs no terminal should get: {sorted(bad)!r}")


def _check_library(error: BaseException | None) -> str:
    if error is None:
        return "fine"
    text = str(error)
    if not isinstance(error, REFUSALS):
        raise BrokenPromiseError(_told(error)) from error
    if not text.strip() or "\n" in text.strip() or len(text) > LONGEST_SENTENCE:
        raise BrokenPromiseError(f"not one sentence: {_told(error)}") from error
    if not isinstance(error, MemoryError) and not _is_on_purpose(error):
        raise BrokenPromiseError(f"a sentence of others: {_told(error)}") from error
    return "refused"


def _is_on_purpose(error: BaseException) -> bool:
    """Whether a statement of ours, or of scikit-learn's checks, raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return line.startswith("raise") and any(part in last.filename for part in OWN)


def _told(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-3:]
    places = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)
    return f"{type(error).__name__}: {str(error)[:300]} ({places})"


def contents(*folders: Path) -> dict[str, bytes]:
    """The files of folders."""
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }
