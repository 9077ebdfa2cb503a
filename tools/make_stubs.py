"""Write the type stub of the selectors that are derived from their parts.

    python tools/make_stubs.py

Type checkers and editors cannot see classes that are made while a module is imported. This writes their
signatures to `src/entropick/selectors/methods.pyi`; a test holds the file to what the parts say.
"""

import inspect
from pathlib import Path

from entropick.selectors.method import MethodSelector
from entropick.selectors.methods import METHODS

STUB = Path(__file__).parents[1] / "src" / "entropick" / "selectors" / "methods.pyi"

HEADER = '''\
"""Made by tools/make_stubs.py from the parts of each method; do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

from entropick.measures import Measure
from entropick.selectors.method import MethodSelector

METHODS: dict[str, type[MethodSelector]]
'''


def stub_of(method: type[MethodSelector]) -> str:
    """The class with its signature."""
    lines, keyword_only = [], False
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {name}: {parameter.annotation} = {_shown(parameter.default)},")
    own = [f"    def {name}(self, ax: Any = None) -> Any: ..." for name in vars(method) if name == "plot"]
    signature = ["    def __init__(", "        self,", *lines, "    ) -> None: ..."]
    return "\n".join([f"class {method.__name__}(MethodSelector):", *signature, *own])


def _shown(default: object) -> str:
    if isinstance(default, str):
        return f'"{default}"'
    return "..." if default == float("inf") else repr(default)


def make_stub() -> str:
    """The whole file."""
    return HEADER + "\n" + "\n\n".join(stub_of(method) for method in METHODS.values()) + "\n"


if __name__ == "__main__":
    STUB.write_text(make_stub())
