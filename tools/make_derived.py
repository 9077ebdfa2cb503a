"""Write the files that are generated from the parts: the classes of the selectors and lists of all parts.

    make derived

`src/entropick/selectors/methods/` gets a module per method, with its parameters, constraints, docstring and
parts. Packages that import their modules on first use get a stub, `__init__.pyi`, from which type checkers
and editors read the public names. `docs/parts.md` lists every measure, search, cut and method with the first
line of its docstring, and for methods the paper and the page named in `docs/methods/README.md`. `README.md`
gets the number of methods. A test checks that these files are up to date.
"""

import inspect
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from entropick import _HOME, _SUBMODULES, cuts, measures, registry, searches
from entropick.measures import Measure, Renyi
from tools.methods import Method, all_methods
from tools.parameters import sections_of
from tools.selector_classes import docstring_of, make_modules

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
CLASSES = SOURCE / "entropick" / "selectors" / "methods"
LONGEST_LINE = 110
NO_PAGE = "no page yet"

INTRODUCTION = """\
A selector is a measure × a search × a cut. Any three that fit together can be combined, by name or as objects
of `entropick.measures`, `entropick.searches` and `entropick.cuts`; see [cuts.md](cuts.md) for how many to
keep and [methods](methods/README.md) for a page per method. This page is generated from the docstrings by
`make derived`.
"""


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
    methods = {method.name: _method_cells(method) for method in all_methods()}
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


def _method_cells(method: Method) -> tuple[str, ...]:
    sections = sections_of(docstring_of(method))
    if "References" not in sections:
        sys.exit(f"The docstring of {method.name} needs a section References: authors (year), title.")
    measure, search, cut = (
        registry.name_of(part())
        for part in (method.measure or Renyi, method.used_search, method.used_cuts[0])
    )
    return (
        _first_line(sections[""]),
        _paper(sections["References"]),
        _links(method.name),
        measure,
        search,
        "none of its own" if cut == "count" else cut,
    )


def _summary(part: type) -> str:
    return _first_line(inspect.cleandoc(part.__doc__ or ""))


def _first_line(docstring: str) -> str:
    return docstring.split("\n", 1)[0].rstrip(".")


def _paper(references: str) -> str:
    """Authors and year of the first reference."""
    found = re.match(r"(.+?) \((\d{4})\)|[^,]+", references.replace("\n", " "))
    assert found is not None  # the second alternative takes any text
    return found[0]


def _links(name: str) -> str:
    """Links to the sections on use and cost of the page of a method."""
    pages = ROOT / "docs" / "methods"
    row = re.search(
        rf"^\| \[[^]]+\]\((\w+\.md)[^)]*\) \| `{name}` \|", (pages / "README.md").read_text(), re.MULTILINE
    )
    if row is None or not (pages / row[1]).exists():
        hint = "add a page and its row to docs/methods/, and run this again"
        print(f"{name} has no page yet: {hint}.", file=sys.stderr)
        return NO_PAGE
    titles = re.findall(r"^## (When to use \w+|Cost)$", (pages / row[1]).read_text(), re.MULTILINE)
    if len(titles) != 2:
        sys.exit(f'docs/methods/{row[1]} needs the headings "## When to use it" and "## Cost".')
    anchors = [title.lower().replace(" ", "-") for title in titles]
    return ", ".join(f"[{anchor.split('-')[0]}](methods/{row[1]}#{anchor})" for anchor in anchors)


def _searches(measure: type[Measure]) -> list[str]:
    return [name for name, search in registry.SEARCHES.items() if measure.kinds & set(search.kinds)]


def _needs(measure: type[Measure]) -> str:
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


def make_stubs() -> dict[Path, str]:
    """What packages that import their modules on first use export, for type checkers and editors."""
    stubs = {
        package.__name__: _stub(
            {f"{package.__name__}.{home}": names for home, names in package._HOMES.items()},
            "_HOMES: dict[str, list[str]]",
        )
        for package in (cuts, measures, searches)
    }
    methods = "entropick.selectors.methods"
    names = [method.name for method in all_methods()]
    stubs[methods] = _stub(
        {f"{methods}.{method.module}": [method.name] for method in all_methods()},
        "METHODS: LazyClasses[MethodSelector]",
        "from entropick._base.lazy import LazyClasses",
        "from entropick.selectors.method import MethodSelector",
    )
    stubs["entropick"] = _stub({"entropick": _SUBMODULES, methods: names, **_HOME}, "__version__: str")
    return {SOURCE.joinpath(*name.split("."), "__init__.pyi"): text for name, text in stubs.items()}


def _stub(homes: Mapping[str, list[str]], declaration: str, *imports: str) -> str:
    """A stub of a package with its public names, by the module that defines them, and nothing else."""
    lines = [
        '"""The public names, for type checkers and editors. Written by `make derived`."""',
        "",
        *imports,
    ]
    for module in sorted(homes):
        names = sorted(homes[module], key=lambda name: (not name.isupper(), not name[0].isupper(), name))
        exports = [f"{name} as {name}" for name in names]  # this form makes them public
        line = f"from {module} import {', '.join(exports)}"
        wrapped = [f"from {module} import (", *(f"    {export}," for export in exports), ")"]
        lines += [line] if len(line) <= LONGEST_LINE else wrapped
    return "\n".join([*lines, "", declaration, ""])


def derived_files() -> dict[Path, str]:
    """Text of all generated files by path."""
    classes = {CLASSES / name: source for name, source in make_modules().items()}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = re.sub(r"\d+(\s+published methods)", rf"{len(all_methods())}\1", readme)
    return classes | make_stubs() | {ROOT / "docs" / "parts.md": make_page(), ROOT / "README.md": readme}


def main() -> None:
    """Write the files, and remove classes of methods that no longer exist."""
    files = derived_files()
    for path in set(CLASSES.glob("*.py")) - set(files):
        path.unlink()
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
