"""Hints of the library as options of the program."""

import ast
import inspect
from pathlib import Path

import pytest

import entropick as ep
from entropick.cli.messages import OPTIONS, in_options
from entropick.cli.program import program
from entropick.comparison import run as comparison
from entropick.exceptions import DROP_IT, Hint, Message

PACKAGE = Path(ep.__file__).parent


@pytest.mark.parametrize("parameter", OPTIONS)
def test_parameters_become_options(parameter):
    """Every one of them is an option of the program, and a parameter of Python."""
    known = {
        name
        for command in ("select", "compare", "count")
        for p in program.commands[command].params
        for name in p.opts
    }
    in_python = {*ep.JMI().get_params(), *inspect.signature(comparison.compare).parameters}
    for other in (ep.Cube.save, ep.cuts.Permutation):
        in_python |= inspect.signature(other).parameters.keys()
    assert OPTIONS[parameter] in known
    assert parameter in in_python
    message = Message("Hint: use ", Hint(parameter, 10), " or more.")
    assert message == f"Hint: use {parameter}=10 or more."
    assert in_options(message) == f"Hint: use {OPTIONS[parameter]} 10 or more."
    assert in_options(Message("fewer ", Hint(parameter))) == f"fewer {OPTIONS[parameter]}"


def test_other_hints():
    """Parameters without an option are Python's; what is not a hint stays as it is."""
    assert in_options(Message(Hint("target", "real"), " helps")) == "--target-type real helps"
    assert in_options(Message(Hint("alpha", 1, owner="RenyiFS"))) == "in Python, RenyiFS(alpha=1)"
    assert in_options(Message("raise ", Hint("beta", owner="Own"))) == "raise beta of Own in Python"
    assert in_options(Message("Hint: ", DROP_IT, ".")) == "Hint: leave it out with --ignore."
    assert in_options("Column 'n_features=10' is constant.") == "Column 'n_features=10' is constant."


def hints_in_the_package():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Hint":
                yield path, node


def test_hints_without_an_option_name_their_class():
    """The program would not know whose parameter it is."""
    found = list(hints_in_the_package())
    assert len(found) > 10
    for path, node in found:
        parameter = node.args[0].value
        has_owner = any(keyword.arg == "owner" for keyword in node.keywords)
        assert parameter in OPTIONS or has_owner or Hint(parameter) == DROP_IT, f"{path}: {parameter}"
