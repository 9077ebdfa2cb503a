"""A short version of the campaign (`make campaign`): the first cases of its families, and its runner."""

import importlib
import json
import os
import tempfile
import warnings

import pytest

pytest.importorskip("click")
pytest.importorskip("polars")

from campaign import __main__ as runner, readers, soak
from campaign.invariants import BrokenPromiseError, Outcome, check, contents
from entropick.exceptions import DataError
from entropick.files import reading, room

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes and signals are those of POSIX")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """What cases change is put back."""
    monkeypatch.setattr(room, "LARGE", room.LARGE)
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("family", "n_cases"), [("readers", 300), ("arguments", 30), ("fits", 25)])
def test_first_cases(family, n_cases, tmp_path):
    """Most kinds of cases are among the first of a family."""
    cases = importlib.import_module(f"campaign.{family}")
    outcomes = [cases.run(number, tmp_path) for number in range(n_cases)]
    assert {"fine", "refused"} <= set(outcomes)


def test_cases_follow_from_their_numbers(tmp_path):
    """What was found once can be found again."""
    outcomes = [[readers.run(number, tmp_path) for number in (3, 5, 7)] for _ in range(2)]
    assert outcomes[0] == outcomes[1]


def test_every_method_takes_its_turn_in_a_soak():
    turns = {soak.method_of(number) for number in range(soak.RARE * len(soak.METHODS))}
    assert turns == set(soak.METHODS)
    assert set(soak.METHODS) >= soak.SLOW


def raised(error):
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Outcome(code=3), "exit code 3"),
        (Outcome(code=-6), "exit code -6"),
        (Outcome(code=2), "with 0 sentences"),
        (Outcome(code=0, stderr="Error: it is not.\n"), "with 1 sentences"),
        (Outcome(code=1, stderr="Traceback (most recent call last):\nError: x.\n"), "a traceback"),
        (Outcome(code=1, stderr="Error: Internal error (x).\n"), "nobody expected"),
        (Outcome(code=0, stdout="\x1b[31m"), "no terminal"),
        (Outcome(code=0, after={"a.part": b"x"}), "left behind"),
        (Outcome(code=2, before={"a": b"old"}, after={}, stderr="Error: x.\n"), "changed or removed"),
        (Outcome(code=0, before={"a": b"{}"}, after={"a": b"{"}, outputs={"a": json.loads}), "half-written"),
        (Outcome(error=raised(KeyError("a"))), "KeyError"),
        (Outcome(error=raised(ValueError("two\nlines"))), "not one sentence"),
        (Outcome(error=raised(ValueError(" "))), "not one sentence"),
        (Outcome(error=raised(ValueError("operands could not be broadcast"))), "a sentence of others"),
    ],
)  # fmt: skip
def test_broken_promises_are_seen(outcome, message):
    """The check fails where it must."""
    with pytest.raises(BrokenPromiseError, match=message):
        check(outcome)


def test_kept_promises(tmp_path):
    (tmp_path / "old").write_text("old")
    files = contents(tmp_path)
    assert check(Outcome(code=0, before=files, after=files)) == "fine"
    assert (
        check(Outcome(code=2, stderr="Error: The table is empty.\n", before=files, after=files)) == "refused"
    )
    with pytest.raises(DataError) as refusal:
        reading.read_table(str(tmp_path))
    assert check(Outcome(error=refusal.value)) == "refused"


BATCH = {
    "broken": "{'case': 0, 'outcome': 'broken', 'finding': 'x'}, {'case': 1, 'outcome': 'fine'}",
    "crash": "{'case': 0, 'outcome': 'fine'}); os.kill(os.getpid(), 9",
    "wait": "{'case': 0, 'outcome': 'fine'}); time.sleep(60",
}


@pytest.mark.parametrize(
    ("kind", "finding", "after"),
    [("broken", "x", 2), ("crash", "ended with -9", 2), ("wait", "no end within", 2)],
)
def test_runner_survives_its_cases(kind, finding, after, tmp_path, monkeypatch):
    """A crash and a hang are findings; the next run goes on behind them."""
    script = "import json, os, sys, time\ndef say(*cases):\n    for case in cases: print(json.dumps(case), flush=True)\n"
    (tmp_path / "campaign").mkdir()
    (tmp_path / "campaign" / "__init__.py").touch()
    (tmp_path / "campaign" / "worker.py").write_text(f"{script}say({BATCH[kind]})\n")
    monkeypatch.setattr(runner, "TESTS", tmp_path)
    monkeypatch.setattr(runner, "START", 20)
    monkeypatch.setattr(runner, "WAITING", 1)
    monkeypatch.setitem(runner.LIMITS, "readers", 2)
    monkeypatch.chdir(tmp_path)
    log = runner.Log(tmp_path / "log.jsonl")
    runner.run_batch("readers", 0, 2, log)
    again = runner.Log(tmp_path / "log.jsonl")
    assert [finding in entry["finding"] for entry in again.findings] == [True]
    assert again.next["readers"] == after
    assert again.outcomes["readers"] == {"broken": 1, "fine": 1}
