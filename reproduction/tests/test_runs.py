"""Experiments: what is stored is not run again, a killed run goes on, verdicts are shown."""

import importlib
import importlib.util
import inspect
import json
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from reproduction import runner
from reproduction.__main__ import main
from reproduction.data import Data
from reproduction.levels import findings as levels
from reproduction.page import write_page
from reproduction.protocol import (
    DEPENDS,
    FAILS,
    HOLDS,
    UNCHECKED,
    UNDECIDED,
    Cell,
    Claim,
    Experiment,
    Figure,
    Results,
    Section,
)
from reproduction.runner import Store, collect, run_experiment
from reproduction.stopping import findings as stopping
from reproduction.texts import Texts, markdown_table, mean_and_error, need, say

NOWHERE = Data(None, openml=False)
ROOT = Path(__file__).parents[2]
REPRODUCTION = ROOT / "reproduction"


class Toy:
    """An experiment of four squares, which counts its runs and may be interrupted."""

    def __init__(self, interrupt_at=None, offset=0):
        self.runs = []
        self._interrupt_at = interrupt_at
        self.EXPERIMENT = Experiment(
            name="toy",
            title="Squares",
            reference="Nobody, *Squares*.",
            protocol="Numbers are squared.",
            cells=lambda quick: [
                Cell(f"n{n}", {"n": n, "offset": offset}, "absent" if n == 3 else None)
                for n in range(2 if quick else 4)
            ],
            run=self._run,
            claims=self._claims,
            sections=lambda results: [
                Section(
                    "All",
                    "text",
                    [Figure("squares", "Squares", lambda canvas: canvas.subplots().plot([0, 1]))],
                )
            ],
        )

    def _run(self, cell, data):
        if cell.settings["n"] == self._interrupt_at:
            raise KeyboardInterrupt
        self.runs.append(cell.settings["n"])
        return {"square": cell.settings["n"] ** 2 + cell.settings["offset"]}

    def _claims(self, results):
        found = results.where(n=1)
        if not found:
            return [Claim("Table 1", "One is one", "1", "-", UNCHECKED, "Nothing was run.")]
        square = found[0].result["square"]
        verdict = HOLDS if square == 1 else FAILS
        return [
            Claim(
                "Table 1", "One is one", "1", str(square), verdict, "" if verdict == HOLDS else "It is not."
            )
        ]


@pytest.fixture
def install(monkeypatch):
    """Make a toy experiment known by name."""

    def make(**options):
        toy = Toy(**options)
        monkeypatch.setitem(runner.EXPERIMENTS, "toy", "toy")
        monkeypatch.setitem(sys.modules, "toy", toy)
        return toy

    return make


def test_a_fresh_run_that_is_stopped_loses_nothing(install, tmp_path):
    """Stored results stand until the new ones are there."""
    store = Store(tmp_path / "toy.jsonl")
    install()
    run_experiment("toy", NOWHERE, store, n_jobs=1)
    install(offset=1, interrupt_at=2)
    with pytest.raises(KeyboardInterrupt):
        run_experiment("toy", NOWHERE, store, fresh=True, n_jobs=1)
    assert [store.read()[key].result["square"] for key in ("n0", "n1", "n2")] == [1, 2, 4]


def test_cells_are_run_once(install, tmp_path):
    """A second run finds all of it stored; missing data are reported, and their cells are left open."""
    toy, store = install(), Store(tmp_path / "toy.jsonl")
    told = []
    results = run_experiment("toy", NOWHERE, store, n_jobs=1, progress=lambda *news: told.append(news))
    assert toy.runs == [0, 1, 2]
    assert [record.result["square"] for record in results] == [0, 1, 4]
    assert list(results.missing) == ["absent"]
    assert told == [("n0", 2, 4), ("n1", 3, 4), ("n2", 4, 4)]  # the cell without data is not waited for
    again = run_experiment("toy", NOWHERE, store, n_jobs=1)
    assert toy.runs == [0, 1, 2]
    assert [record.result for record in again] == [record.result for record in results]
    assert len(store.runs()) == 1
    assert store.runs()[0]["packages"]["numpy"] == np.__version__


def test_an_interrupted_run_goes_on(install, tmp_path):
    """What was finished is kept, even where the last line of the file is cut off."""
    store = Store(tmp_path / "toy.jsonl")
    install(interrupt_at=2)
    with pytest.raises(KeyboardInterrupt):
        run_experiment("toy", NOWHERE, store, n_jobs=1)
    store.path.write_bytes(store.path.read_bytes()[:-7])  # killed while writing the second cell
    toy = install()
    results = run_experiment("toy", NOWHERE, store, n_jobs=1)
    assert toy.runs == [1, 2]
    assert [record.result["square"] for record in results] == [0, 1, 4]


def test_other_settings_are_other_cells(install, tmp_path):
    """A stored result is used only for the very same settings."""
    store = Store(tmp_path / "toy.jsonl")
    install()
    run_experiment("toy", NOWHERE, store, n_jobs=1)
    toy = install(offset=1)
    results = run_experiment("toy", NOWHERE, store, n_jobs=1)
    assert toy.runs == [0, 1, 2]
    assert [record.result["square"] for record in results] == [1, 2, 5]


DRIVER = """
import sys, time
sys.path[:0] = [{folder!r}, {root!r}]
from reproduction import runner
from reproduction.data import Data
runner.EXPERIMENTS["slow"] = "slow"
if __name__ == "__main__":
    store = runner.Store({store!r})
    runner.run_experiment("slow", Data(None, openml=False), store, n_jobs=2, progress=lambda *_: print("cell", flush=True))
"""

SLOW = """
import time
from reproduction.protocol import Cell, Experiment

def run(cell, data):
    time.sleep(0.2)
    return {"square": cell.settings["n"] ** 2}

EXPERIMENT = Experiment(
    "slow", "Slow", "", "", lambda quick: [Cell(str(n), {"n": n}) for n in range(8)], run, lambda r: [], lambda r: []
)
"""


def test_a_killed_process_loses_no_finished_cell(tmp_path, monkeypatch):
    """Killed without warning in the midst of cells, the next run gives what one whole run gives."""
    (tmp_path / "slow.py").write_text(SLOW)
    path = tmp_path / "slow.jsonl"
    driver = tmp_path / "driver.py"
    driver.write_text(textwrap.dedent(DRIVER.format(folder=str(tmp_path), root=str(ROOT), store=str(path))))
    with subprocess.Popen([sys.executable, driver], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            assert process.stdout.readline() == "cell\n"
        process.kill()
    stored = Store(path).read()
    assert len(stored) >= 3
    subprocess.run([sys.executable, driver], check=True, stdout=subprocess.DEVNULL)
    records = Store(path).read()
    assert {key: record.result["square"] for key, record in records.items()} == {
        str(n): n * n for n in range(8)
    }
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    keys = [line["key"] for line in lines if "key" in line]
    assert len(keys) == len(set(keys)) == 8  # nothing was run twice


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_run(tmp_path, number):
    """Nothing goes on computing after an interruption, nor after the end of a run that was killed."""
    (tmp_path / "slow.py").write_text(SLOW.replace("0.2", "3000"))
    driver = tmp_path / "driver.py"
    driver.write_text(
        textwrap.dedent(DRIVER.format(folder=str(tmp_path), root=str(ROOT), store=str(tmp_path / "s.jsonl")))
    )
    process = subprocess.Popen([sys.executable, driver], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 300
        while len(children := _children(process.pid)) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(children) == 3  # two workers, and the process that keeps their books
        process.send_signal(number)
        process.wait(300)
    finally:
        process.kill()
    deadline = time.monotonic() + 300
    while any(_is_alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_is_alive(child) for child in children)


def _children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    if not path.parent.exists():
        pytest.skip("Processes are looked at in /proc, which is not here.")
    return path.read_text().split()


def _is_alive(pid):
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "\nState:\tZ" not in status.read_text()


# -- the page and the tables ---------------------------------------------------------------------


def test_page_shows_claims_and_figures(install, tmp_path):
    """Verdicts are counted, each failing one is explained, figures stand beside the page and repeat byte by byte."""
    pytest.importorskip("matplotlib")
    install(offset=1)
    store = Store(tmp_path / "toy.jsonl")
    run_experiment("toy", NOWHERE, store, n_jobs=1)
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    write_page(page, ["toy"], {"toy": store})
    text = page.read_text()
    assert "| [Squares](pages/toy.md) | 0 | 1 | 0 | 0 | 0 |" in text
    assert "| One is one | Table 1 | **does not hold** |" in text
    pages = {path.name: path.read_text() for path in (page.parent / "pages").iterdir()}
    assert set(pages) == {"toy.md", "toy-claims.md", "toy-details.md"}
    assert "| One is one | Table 1 | 1 | **does not hold** |" in pages["toy.md"]
    assert "| One is one | Table 1 | 1 | 2 | **does not hold** |" in pages["toy-claims.md"]
    assert "- *One is one* (does not hold) It is not." in pages["toy-claims.md"]
    assert "3 of 4 cells" in pages["toy.md"]
    assert "## All" in pages["toy-details.md"]
    links = [re.findall(r"!\[Squares\]\((.*)\)", pages[name]) for name in ("toy.md", "toy-details.md")]
    assert links[0] == links[1]  # with the summary, and with its table
    figure = page.parent / "pages" / links[0][0]
    drawn = figure.read_bytes()
    write_page(page, ["toy"], {"toy": store})
    assert figure.read_bytes() == drawn
    assert page.read_text() == text


def test_the_pages_are_those_of_the_stored_results(tmp_path):
    """README.md, the pages beside it and their figures are what the results give; none is long."""
    pytest.importorskip("matplotlib")
    stores = {name: Store(REPRODUCTION / "results" / f"{name}.jsonl") for name in runner.EXPERIMENTS}
    assert all(store.path.exists() for store in stores.values())
    write_page(tmp_path / "README.md", list(stores), stores)
    p_value = re.compile(r"p = [\d.e-]+")  # versions of scipy differ in how they treat ties
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.md"))
    stored = [Path("README.md"), *(p.relative_to(REPRODUCTION) for p in REPRODUCTION.glob("pages/*.md"))]
    assert made == sorted(stored)
    for path in made:
        text = (tmp_path / path).read_text()
        assert p_value.sub("p", text) == p_value.sub("p", (REPRODUCTION / path).read_text()), path
        assert text.count("\n") <= 300, path
        assert text.count("Against a mistake") == 0
        for link in re.findall(r"\]\((?!\w+:)([^)#\s]+)", text):
            assert (REPRODUCTION / path.parent / link).exists(), (path, link)


@pytest.mark.parametrize("name", runner.EXPERIMENTS)
def test_every_failing_claim_is_explained(name):
    """With the stored results, by its rule; what cannot be checked has a reason; no numbers from elsewhere."""
    experiment = runner.experiment_named(name)
    for claim in experiment.claims(collect(experiment, Store(REPRODUCTION / "results" / f"{name}.jsonl"))):
        if claim.verdict in (FAILS, UNCHECKED):
            assert claim.why, claim.text
        if claim.verdict == FAILS:
            assert len(claim.why) > 40, claim.text
        if claim.verdict == FAILS and claim.readings:
            assert set(claim.readings.values()) == {FAILS}
        assert "side run" not in claim.why


@pytest.mark.parametrize("name", runner.EXPERIMENTS)
def test_every_part_begins_with_what_was_claimed_and_found(name):
    """In a few sentences for everybody: at most a screen."""
    assert 60 < len(runner.experiment_named(name).summary.split()) < 160


def test_summaries_of_the_benchmarks_name_what_was_measured():
    """Their numbers are typed; these are those that would change first."""
    stopped, cut = (
        collect(runner.experiment_named(name), Store(REPRODUCTION / "results" / f"{name}.jsonl"))
        for name in ("stopping", "levels")
    )
    rules = (stopping.AUTO, stopping.TEN, stopping.OWN)
    lost = [f"{np.mean(list(stopping.losses(stopped, rule=rule).values())):.3f}" for rule in rules]
    noise = [table["kept"] for table in stopping.noise_tables(stopped)]
    gained = [f"{np.mean(list(levels.gains(cut, levels.AUTO, rows).values())):.3f}" for rows in (None, 40)]
    found = {"stopping": [*lost, f"{noise.count(0)} of {len(noise)}"], "levels": gained}
    for name, numbers in found.items():
        summary = runner.experiment_named(name).summary
        assert [number for number in numbers if number not in summary] == []


def test_claims_without_results_cannot_be_checked(install, tmp_path):
    """Nothing run, nothing claimed."""
    toy = install()
    results = collect(toy.EXPERIMENT, Store(tmp_path / "none.jsonl"))
    assert [claim.verdict for claim in toy.EXPERIMENT.claims(results)] == [UNCHECKED]


def test_tables_and_errors():
    """Bars in cells do not break a table; the error is that of the mean."""
    assert markdown_table(["a", "b"], [["x|y", 1]]) == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |"
    assert mean_and_error([1.0, 2.0, 3.0], 2) == "2.00 ± 0.58"
    assert mean_and_error([]) == "-"
    assert mean_and_error([0.5], 1) == "0.5"


TEXTS = """
title = "Toy"
reference = "Nobody"
[words]
too_few = "Not run with {factor}."
if_fails = "It is not."
[[claim]]
check = "square"
over = [{ factor = 1 }, { factor = 2, n = 3 }]
where = "Table {factor}"
text = "The square of {factor}."
paper = "{factor}"
ours = "{square}"
needs = ["data {factor}"]
rule = "Rule: as the paper. {more}"
if_holds = "It is."
parts.more = "More: {numbers:.1f}."
[section.all]
title = "All of {n}"
text = "A text."
header = ["a", "b"]
"""


def test_texts_are_filled_with_what_was_found(tmp_path):
    """A claim for each argument; what is added goes by the verdict, parts are left out where nothing is said."""
    (tmp_path / "texts.toml").write_text(TEXTS)
    texts = Texts(str(tmp_path))
    nothing = Results([], 0, {"data 2": "There is no file."})

    def claims(*found):
        answers = iter(found)

        def square(evidence, factor, n=0):
            answer = next(answers)
            need(answer is not None)
            return answer

        return texts.claims({"square": square}, None, nothing)

    one, two = claims(
        {"holds": True, "square": 1, "more": None},
        {"holds": np.False_, "square": 3, "more": {"numbers": [1, 2]}},
    )
    assert one == Claim("Table 1", "The square of 1.", "1", "1", HOLDS, "Rule: as the paper. It is.")
    assert two == Claim(
        "Table 2", "The square of 2.", "2", "3", FAILS, "Rule: as the paper. More: 1.0, 2.0. It is not."
    )
    assert [claim.why for claim in claims(None, None)] == ["Not run with 1.", "There is no file."]
    assert claims({"holds": None, "square": 1, "more": None}, None)[0].verdict == UNDECIDED
    both = {"readings": {"one": {"holds": True}, "other": {"holds": False}}, "square": 1, "more": None}
    claim = claims(both, None)[0]
    assert (claim.verdict, claim.readings) == (DEPENDS, {"one": HOLDS, "other": FAILS})
    assert claim.ours == "*one*: 1 (holds); *other*: 1 (does not hold)"
    section = texts.section("all", [[1, 2]], n=5)
    assert section == Section("All of 5", "A text.\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |")


def test_lists_and_mappings_in_texts():
    """Each in the format given; mean and error after a ±; nothing is none."""
    words = {"found": {"a": [1.0, 3.0], "b": [2.0]}, "names": ("x", "y"), "none": []}
    assert say("{found:±1}; {names}; {none}", words) == "a 2.0 ± 1.0, b 2.0; x, y; none"


@pytest.mark.parametrize("name", runner.EXPERIMENTS)
def test_every_check_has_its_claim(name):
    """The rules in a module of findings are those the texts name."""
    findings = vars(importlib.import_module(f"reproduction.{name}.findings"))
    rules = set(findings).union(*(vars(part) for part in findings.values() if inspect.ismodule(part)))
    named = {entry.get("check") for entry in Texts(name).read("texts.toml")["claim"]} - {None}
    assert named <= rules


# -- the command ---------------------------------------------------------------------------------


def test_the_command_shows_verdicts(install, tmp_path, capsys):
    """A line for each, or JSON; missing data are warned of; --fresh runs all again."""
    toy = install()
    usual = ["toy", "--offline", "--jobs", "1", "--results", str(tmp_path)]
    assert main(usual) == 0
    told = capsys.readouterr()
    assert "holds              Table 1: One is one" in told.out
    assert "3 of 4 cells (whole version)" in told.out
    assert "4/4 n2" in told.err
    assert "Warning: Data set missing: absent: no folder given" in told.err
    assert main([*usual, "--quick", "--json", "--quiet"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["experiments"]["toy"]["claims"][0]["verdict"] == HOLDS
    assert "n1" not in told.err
    assert (tmp_path / "quick" / "toy.jsonl").exists()
    assert main([*usual, "--fresh"]) == 0
    assert toy.runs == [0, 1, 2, 0, 1, 0, 1, 2]


def test_an_interrupted_command_says_so(install, tmp_path, capsys):
    """One line and the exit code of Ctrl-C, no traceback."""
    install(interrupt_at=1)
    assert main(["toy", "--offline", "--jobs", "1", "--results", str(tmp_path)]) == 130
    assert capsys.readouterr().err.endswith("Interrupted. What is finished is stored.\n")


def test_wrong_calls_of_the_command(tmp_path, capsys):
    """One sentence; exit code 2 where the call is wrong."""
    (tmp_path / "file").touch()
    for arguments, code, part in [
        (["nope"], 2, "invalid choice: 'nope'"),
        (["renyi", "--data", tmp_path / "no"], 2, "is no directory"),
        (["renyi", "--quick", "--page", "p.md"], 2, "whole version"),
        (["renyi", "--offline", "--jobs", "1", "--results", tmp_path / "file"], 1, "Error: "),
    ]:
        try:
            found = main([str(argument) for argument in arguments])
        except SystemExit as error:
            found = error.code
        assert found == code
        assert part in capsys.readouterr().err


def test_the_installed_package_has_no_experiments():
    """They stand beside the package, which does not know them."""
    assert importlib.util.find_spec("entropick.reproduction") is None
