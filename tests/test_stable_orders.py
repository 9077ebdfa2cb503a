"""All sorting in the package is stable, so that no order depends on the processor."""

import ast
from pathlib import Path

import pytest

import entropick as ep

PACKAGE = Path(ep.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def calls(source, names):
    """Calls of functions or methods of these names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in names:
                yield node


def unstable_orders(source):
    """Lines that let numpy's vector code choose among equal values."""
    for call in calls(source, {"argpartition", "argsort"}):
        kinds = [word.value for word in call.keywords if word.arg == "kind"]
        is_stable = any(isinstance(kind, ast.Constant) and kind.value == "stable" for kind in kinds)
        if not is_stable:
            yield call.lineno


def test_unstable_orders_are_seen():
    assert list(unstable_orders("np.argsort(x)\nx.argsort(kind='quicksort')\nnp.argpartition(x, 3)")) == [
        1,
        2,
        3,
    ]
    assert not list(unstable_orders("np.argsort(x, axis=1, kind='stable')\nnp.partition(x, 3)\nnp.sort(x)"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_orders_are_stable(path):
    assert not list(unstable_orders(path.read_text()))
