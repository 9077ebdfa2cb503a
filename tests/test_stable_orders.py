"""All sorting in the package is stable, so that no order depends on the processor."""

import ast
from pathlib import Path

import pytest

import entropick as ep
from sources import tree_of

PACKAGE = Path(ep.__file__).parent
pytestmark = pytest.mark.xdist_group("sources")


def calls(tree, names):
    """Calls of functions or methods of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in names:
                yield node


def unstable_orders(tree):
    """Lines that let numpy's vector code choose among equal values."""
    for call in calls(tree, {"argpartition", "argsort"}):
        kinds = [word.value for word in call.keywords if word.arg == "kind"]
        is_stable = any(isinstance(kind, ast.Constant) and kind.value == "stable" for kind in kinds)
        if not is_stable:
            yield call.lineno


def test_unstable_orders_are_seen():
    unstable = ast.parse("np.argsort(x)\nx.argsort(kind='quicksort')\nnp.argpartition(x, 3)")
    assert list(unstable_orders(unstable)) == [1, 2, 3]
    stable = ast.parse("np.argsort(x, axis=1, kind='stable')\nnp.partition(x, 3)\nnp.sort(x)")
    assert not list(unstable_orders(stable))


def test_orders_are_stable():
    found = {path: list(unstable_orders(tree_of(path))) for path in PACKAGE.rglob("*.py")}
    assert not {path: lines for path, lines in found.items() if lines}
