"""The layers of docs/architecture.md hold, and importing the package is cheap."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import entropick as ep
from entropick import registry

PACKAGE = Path(ep.__file__).parent

# What each part of the package may import from the package, besides the ground floor.
GROUND = {"exceptions", "_compat", "workers", "ties", "bit_strings"}
MAY_IMPORT = {
    "_kernels": {"_core"},
    "exceptions": set(),
    "_compat": set(),
    "workers": set(),
    "ties": set(),
    "bit_strings": set(),
    "datasets": set(),
    "report": set(),
    "table": {"_kernels"},
    "counting": {"table", "_kernels"},
    "neighbors": {"table", "_kernels"},
    "exploration": {"records"},
    "records": {"table", "exploration"},
    "scoring": {"table"},
    "information": {"table", "counting", "measures"},
    "progress": {"records", "exploration"},
    "measures": {"counting", "neighbors", "table", "records", "scoring", "_kernels"},
    "searches": {"records", "exploration", "_kernels"},
    "cuts": {"counting", "table", "records", "exploration", "scoring"},
    "registry": {"measures", "searches", "cuts"},
    "engine": {"registry", "measures", "searches", "cuts", "records", "exploration", "table"},
    "selectors": {"engine", "registry", "measures", "searches", "cuts", "records", "table", "counting", "progress"},
    "comparison": {"selectors", "registry", "table"},
    "experiments": {"comparison", "selectors", "registry", "measures", "searches", "cuts", "records", "table", "datasets", "information"},
    "cli": {"experiments", "comparison", "report", "selectors", "registry", "records", "exploration", "table", "datasets"},
}  # fmt: skip

# Libraries that may be imported by one part only.
ONLY_IN = {
    "numba": set(),
    "pandas": set(),
    "polars": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
    "pyarrow": set(),
    "jinja2": {"report"},
    "markupsafe": {"report"},
}


def part_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (
                [f"entropick.{alias.name}" for alias in node.names]
                if node.module == "entropick"
                else [node.module]
            )


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path):
    """A layer imports only what stands below it."""
    part = part_of(path)
    for name in imports_of(path):
        if name.startswith("entropick."):
            other = name.split(".")[1]
            assert other == part or other in MAY_IMPORT[part] | GROUND, f"{part} imports {name}"
        library = name.split(".")[0]
        assert part in ONLY_IN.get(library, {part}), f"{part} imports {library}"


def test_every_part_has_a_layer():
    """A new folder must be given its place."""
    assert {part_of(path) for path in MODULES} == set(MAY_IMPORT)


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_loads_nothing_heavy():
    """`import entropick` loads neither numba nor scikit-learn nor a dataframe library."""
    heavy = ["numba", "sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib", "joblib"]
    heavy += ["jinja2"]
    code = f"import sys, entropick; print([m for m in {heavy} if m in sys.modules])"
    assert run_python(code) == "[]\n"


def test_using_it_loads_no_dataframe_library():
    """Fitting arrays never imports pandas or polars of its own accord."""
    code = (
        "import sys, numpy as np; import sklearn.feature_selection; before = set(sys.modules); import entropick as ep;"
        "ep.JMI(n_features=1).fit(np.arange(12).reshape(6, 2) % 3, [0, 1] * 3);"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'matplotlib') if m in set(sys.modules) - before])"
    )
    assert run_python(code) == "[]\n"


def test_public_names():
    """All public names exist, and the fixed ones are there."""
    for name in ep.__all__:
        assert getattr(ep, name) is not None
    assert set(ep.__all__) <= set(dir(ep))
    fixed = "FeatureSelector select RenyiFS MIM MIFS MRMR CIFE JMI JMIM CMIM DISR ICAP XMIFS entropy"
    assert set(fixed.split()) <= set(ep.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ep.nonsense  # noqa: B018


def test_registry_names_parts_by_their_class():
    """A part is found under its class name in lower case, and has a docstring."""
    for parts in (registry.MEASURES, registry.SEARCHES, registry.CUTS):
        for name, part in parts.items():
            assert part.__name__.lower() == name.replace("_", "")
            assert part.__doc__


def test_docstrings_are_complete():
    """Every selector documents all of its parameters."""
    for name in ep.__all__:
        selector = getattr(ep, name)
        if isinstance(selector, type) and hasattr(selector, "get_params"):
            for parameter in selector().get_params(deep=False):
                assert f"{parameter} :" in selector.__doc__, f"{name}.{parameter}"
            assert "%(" not in selector.__doc__
