"""What SECURITY.md and docs/reliability.md say of tests, workflows and locks is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path):
    """A tag or a branch of somebody else may move."""
    uses = re.findall(r"uses: (\S+)(.*)", path.read_text())
    foreign = [(action, comment) for action, comment in uses if not action.startswith("./")]
    loose = [a for a, comment in foreign if not re.search(r"@[0-9a-f]{40}$", a) or "# v" not in comment]
    assert not loose


@pytest.mark.parametrize("name", ["build.txt", "ci.txt"])
def test_locks_have_hashes(name):
    """Each library has one version, and at least one hash."""
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements" / name).read_text().strip())
    assert len(entries) > 5
    for entry in entries:
        assert re.match(r"[\w.\[\]-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize("document", ["SECURITY.md", "docs/reliability.md"])
def test_files_and_commands_that_are_named_exist(document):
    text = (ROOT / document).read_text()
    for path in re.findall(r"`((?:tests|tools|benchmarks|\.github)/[\w/.-]+)`", text):
        assert (ROOT / path).exists(), path
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text)) <= targets
