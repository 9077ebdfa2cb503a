"""The source of the package and its tests, parsed once for all tests that read it."""

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file; tests that ask for it share one process (the group `sources`)."""
    return ast.parse(path.read_text(encoding="utf-8"))
