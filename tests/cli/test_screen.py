"""Output on a terminal."""

import sys

from entropick.cli.prepare import class_note
from entropick.cli.screen import Screen, one_line
from program_runs import run


def test_one_line():
    """Control signs, escapes and line breaks are written out; long texts are cut."""
    assert one_line("a\nb\x1b[31m") == "a\\nb\\x1b[31m"
    assert one_line("x" * 30, 10) == "x" * 9 + "…"
    assert one_line("é 😀") == "é 😀"


def test_tables_on_a_terminal(monkeypatch, capsys):
    """Drawn by rich, names never read as markup, no colour where NO_COLOR is set."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    Screen().table(("name", "score"), [("[red]x[/red]", "1.0")], numeric=(1,))
    shown = capsys.readouterr().out
    assert "[red]x[/red]" in shown
    assert "─" in shown
    assert "\x1b[3" not in shown


def test_progress_only_for_people(monkeypatch, capsys):
    """A bar where stderr is a terminal, nothing elsewhere."""
    with Screen().progress() as move:
        assert move is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Screen(quiet=True).progress() as move:
        assert move is None
    with Screen().progress() as move:
        move("[b]half[/b]", 1, 2)
    assert "[b]half[/b]" in capsys.readouterr().err


def test_progress_names_columns(csv, monkeypatch):
    """The bar hears the columns picked."""
    heard = []

    class Listening(Screen):
        from contextlib import contextmanager

        @contextmanager
        def progress(self):
            yield lambda *event: heard.append(event)

    monkeypatch.setattr("entropick.cli.commands.Screen", Listening)
    run("select", csv, "-t", "label", "-n", 2)
    assert [event[1:] for event in heard] == [(1, 2), (2, 2)]
    assert {event[0] for event in heard} == {"size", "site"}


def test_classes_of_a_target():
    """The five largest, and how many more there are."""
    classes = [(name, 9000 - i) for i, name in enumerate("abcdefg")]
    assert class_note("y", 2, classes[:2]) == "The target 'y' has 2 classes: a (9,000), b (8,999)."
    assert class_note("y", 7, classes).endswith("d (8,997), e (8,996) and 2 more.")
