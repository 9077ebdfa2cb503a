"""Examples in the documentation run with the output shown, and the reference is complete."""

import doctest
import importlib
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from entropick.selectors.methods import METHODS
from helpers import public_names

ROOT = Path(__file__).parents[2]
BESIDE_DOCS = ["README.md", "CONTRIBUTING.md", "benchmarks/README.md", "reproduction/README.md"]
DOCUMENTS = sorted([*(ROOT / name for name in BESIDE_DOCS), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_of_a_document(path):
    """Every example with a prompt gives the output shown."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.testfile(str(path), module_relative=False, optionflags=flags)
    assert result.failed == 0


def python_blocks(path):
    """Code blocks without a prompt."""
    parts = path.read_text().split("```python\n")[1:]
    blocks = [part.split("```")[0] for part in parts]
    return [block for block in blocks if not block.lstrip().startswith(">>>")]


def error_of(block, path):
    """What goes wrong when a code block runs; None where nothing does."""
    try:
        exec(compile(block, str(path), "exec"), {"__name__": "__main__"})
    except Exception as error:
        return f"{error!r} in:\n{block}"
    return None


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_blocks_of_a_document(path):
    """Every other code block runs."""
    errors = [error_of(block, path) for block in python_blocks(path)]
    assert [error for error in errors if error] == []


def console_examples(path):
    """Commands of the program in console blocks, with the output shown."""
    blocks = [part.split("```")[0] for part in path.read_text().split("```console\n")[1:]]
    for block in blocks:
        for example in block.split("$ entropick ")[1:]:
            command, _, shown = example.partition("\n")
            yield command, shown


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_console_examples_of_a_document(path):
    """Every call of the program gives the output shown."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for command, shown in console_examples(path):
        testing = pytest.importorskip("click.testing")
        from entropick.cli.program import program

        output = testing.CliRunner().invoke(program, shlex.split(command)).output
        assert doctest.OutputChecker().check_output(shown, output, flags), f"{command}\n{output}"


def headings(path):
    """Anchors of a document: those of its headings and those it sets itself."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
    return (
        slugs | set(re.findall(r'id="([^"]+)"', text)) | set(re.findall(r"^\((.+)\)=$", text, re.MULTILINE))
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_other_documents(path):
    """Every link to a document leads to a document, and to a heading of it."""
    links = re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*\.md|)(?:#([^)\s]+))?\)", path.read_text())
    assert [target for target, _ in links if not (path.parent / target).exists()] == []
    ends = [(path.parent / target if target else path, anchor) for target, anchor in links if anchor]
    assert [f"{end.name}#{anchor}" for end, anchor in ends if anchor not in headings(end)] == []


def test_reliability_names_tests_that_exist():
    """Each defect that was found is said to have its test."""
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "reliability.md").read_text()))
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert named
    assert named <= set(re.findall(r"^def (test_\w+)\(", tests, re.MULTILINE))


@pytest.mark.slow
def test_quickstart_runs():
    """What `make demo` shows ends with a hint what to try next."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "quickstart.py"], capture_output=True, text=True, check=True
    )
    assert "breast cancer" in done.stdout.lower()
    assert done.stderr == ""


def test_pictures_of_the_report_are_of_the_command_above_them():
    """In README and on the front page the command stands before the picture, which the script takes."""
    script = (ROOT / "docs" / "make_report_picture.py").read_text(encoding="utf-8")
    command = re.search(r'^COMMAND = "(.+)"$', script, re.MULTILINE)[1]
    for name in ("README.md", "docs/index.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert text.index(f"entropick {command} report.html\n") < text.index("figures/report.png"), name
    assert (ROOT / "docs/figures/report-dark.png").is_file()


def test_the_readme_counts_the_methods():
    """As many as `entropick methods` lists, each with the papers it is from."""
    told = re.search(r"(\d+)\s+published methods", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert int(told.group(1)) == len(METHODS)
    assert all("References" in method.__doc__ for method in METHODS.values())


def test_every_public_name_has_a_reference_entry(monkeypatch):
    """Once in the index of the reference, and with a docstring, or a page would be missing or empty."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    sections = importlib.import_module("api_pages").public_names()
    listed = [name for names in sections.values() for name in names]
    assert len(listed) == len(set(listed))
    assert set(public_names()) - set(listed) == set()
    for name in listed:
        module, _, last = name.rpartition(".")
        thing = getattr(importlib.import_module(module), last)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert (thing.__doc__ or "").strip() != "", name
