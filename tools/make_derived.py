"""Write what follows from the parts: the type stub of the selectors and the page that lists all parts.

    make derived

Type checkers and editors cannot see classes that are made while a module is imported, so their signatures go
to `src/entropick/selectors/methods/__init__.pyi`. `docs/parts.md` lists every measure, search, cut and method
with the first line of its docstring, and for methods the paper and the page that `docs/methods/README.md`
names. A test holds both files to what the parts say.
"""

import inspect
import re
from collections.abc import Mapping
from pathlib import Path

from entropick import registry
from entropick.selectors.catalog import describe
from entropick.selectors.method import MethodSelector
from entropick.selectors.methods import METHODS

ROOT = Path(__file__).parents[1]

INTRODUCTION = """\
A selector is a measure × a search × a cut. Any three that fit go together, by name or as objects of
`entropick.measures`, `entropick.searches` and `entropick.cuts`; see [cuts.md](cuts.md) for how many to keep
and [methods](methods/README.md) for a page per method. This page is made from the docstrings by
`make derived`.
"""

HEADER = '''\
"""Made by tools/make_derived.py from the parts of each method; do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

from entropick.measures import Measure
from entropick.measures.graphs.explanation import ColumnExplanation
from entropick.selectors.base import PartsSelector
from entropick.selectors.method import MethodSelector

METHODS: dict[str, type[MethodSelector]]
'''

FIT = "    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ..."
OWN_METHODS = {  # signatures of what some selectors have beside the common methods
    "plot": "(self, ax: Any = None) -> Any",
    "explain": "(self, column: str | int) -> ColumnExplanation",
}


def stub_of(method: type[MethodSelector]) -> str:
    """The class with its signature."""
    lines, keyword_only = [], False
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {name}: {parameter.annotation} = {_shown(parameter.default)},")
    own = [f"    def {name}{OWN_METHODS[name]}: ..." for name in vars(method) if name in OWN_METHODS]
    if "sample_weight" in inspect.signature(method.fit).parameters:
        own.insert(0, FIT)
    signature = ["    def __init__(", "        self,", *lines, "    ) -> None: ..."]
    return "\n".join([f"class {method.__name__}(MethodSelector):", *signature, *own])


def _shown(default: object) -> str:
    if isinstance(default, str):
        return f'"{default}"'
    return "..." if default == float("inf") else repr(default)


def make_stub() -> str:
    """The stub of all methods."""
    return HEADER + "\n" + "\n\n".join(stub_of(method) for method in METHODS.values()) + "\n"


def make_page() -> str:
    """The page of all parts."""
    measures = {
        name: (_summary(kind), ", ".join(_searches(kind)), _needs(kind))
        for name, kind in registry.MEASURES.items()
    }
    searches = {
        name: (_summary(kind), "whole subsets" if kind.explores else "column to column")
        for name, kind in registry.SEARCHES.items()
    }
    methods = {}
    for name, method in METHODS.items():
        info = describe(method())
        own_rule = info.own_rule or "none of its own"
        methods[name] = (info.summary, _paper(method), _links(name), info.measure, info.search, own_rule)
    return "\n".join(
        [
            "# All parts",
            "",
            INTRODUCTION,
            *_table("Measures", "measure|what it is|searches that fit|needs", measures),
            *_table("Searches", "search|what it does|goes over", searches),
            *_table(
                "Cuts", "cut|what it keeps", {name: (_summary(kind),) for name, kind in registry.CUTS.items()}
            ),
            *_table(
                "Methods",
                'class|what it does|paper|when to use it, and cost|measure|search|`n_features="auto"`',
                methods,
            ),
        ]
    )


def _summary(part: type) -> str:
    return inspect.cleandoc(part.__doc__ or "").split("\n", 1)[0].rstrip(".")


def _paper(method: type) -> str:
    """Authors and year of the first reference."""
    references = inspect.cleandoc(method.__doc__ or "").split("References\n----------\n")[1]
    found = re.match(r"(.+?) \((\d{4})\)|[^,]+", references.replace("\n", " "))
    assert found is not None
    return found[0]


def _links(name: str) -> str:
    """To what the page of a method says about its use and its cost."""
    table = (ROOT / "docs" / "methods" / "README.md").read_text()
    found = re.search(rf"^\| \[[^]]+\]\((\w+\.md)[^)]*\) \| `{name}` \|", table, re.MULTILINE)
    assert found is not None, f"docs/methods/README.md has no line of {name}"
    page = (ROOT / "docs" / "methods" / found[1]).read_text()
    titles = re.findall(r"^## (When to use \w+|Cost)$", page, re.MULTILINE)
    assert len(titles) == 2, f"{found[1]} does not say when to use {name}, and what it costs"
    anchors = [title.lower().replace(" ", "-") for title in titles]
    return ", ".join(f"[{anchor.split('-')[0]}](methods/{found[1]}#{anchor})" for anchor in anchors)


def _searches(measure: type) -> list[str]:
    return [name for name, search in registry.SEARCHES.items() if measure.kinds & set(search.kinds)]


def _needs(measure: type) -> str:
    return " and ".join(sorted(measure.needs))


def _table(title: str, header: str, rows: Mapping[str, tuple[str, ...]]) -> list[str]:
    names = header.split("|")
    lines = [
        " | ".join([f"`{name}`", *(cell.replace("|", "\\|") for cell in cells)])
        for name, cells in rows.items()
    ]
    return [
        f"## {title}",
        "",
        f"| {' | '.join(names)} |",
        "|" + "---|" * len(names),
        *(f"| {line} |" for line in lines),
        "",
    ]


DERIVED = {
    ROOT / "src" / "entropick" / "selectors" / "methods" / "__init__.pyi": make_stub,
    ROOT / "docs" / "parts.md": make_page,
}

if __name__ == "__main__":
    for path, make in DERIVED.items():
        path.write_text(make())
