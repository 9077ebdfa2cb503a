"""The layers of docs/architecture.md hold, importing the package is cheap, and tests mirror the package."""

import ast
import importlib
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import entropick as ep
from entropick import cuts, measures, registry, searches
from entropick.selectors import BaseSelector, methods
from sources import tree_of

PACKAGE = Path(ep.__file__).parent
pytestmark = pytest.mark.xdist_group("sources")

# What each part of the package may import from the package, besides the ground floor.
GROUND = {"_base", "exceptions"}
VALUES = {
    f"table.{name}" for name in ("codes", "readers", "numeric", "encoding")
}  # from any container to codes
MAY_IMPORT = {
    **{part: set() for part in {"exceptions", "datasets", "report"}},
    "_base": {"_core"},
    "table.codes": {"_core"},
    "table.readers": {"_core", "table.codes"},
    "table.numeric": {"_core", "table.codes", "table.readers"},
    "table.encoding": {"_core", "table.codes", "table.readers", "table.numeric"},
    "table": {"_core", *VALUES},
    "counting.surprisal": {"_core"},
    "evaluation.risk": {"_core"},
    "inference": {"_core", "counting.surprisal"},
    "records": {"table", *VALUES, "evaluation.risk", "inference", "report"},
    "records.pairs": {"contracts", "counting.surprisal", "measures", "records", "table.table"},
    "records.profiles": {"contracts", "measures", "records", "records.pairs", "table", *VALUES, "table.memory", "table.table"},
    "contracts": {"counting.surprisal", "table", *VALUES, "records"},
    "counting": {"contracts", "counting.surprisal", "table", *VALUES, "_core"},
    "table.table": {"contracts", "counting.surprisal", "records", "table", *VALUES},
    "table.memory": {"contracts", "counting", "counting.surprisal", "table", *VALUES, "table.table"},
    "table.executors": {"contracts", "counting", "table", *VALUES},
    "table.partitions": {"contracts", "counting", "table", *VALUES, "table.executors", "table.table"},
    "table.cube": {"contracts", "counting", "table", *VALUES, "table.database", "table.executors", "table.partitions", "table.table"},
    "table.database": {"contracts", "counting", "table", *VALUES, "table.executors", "table.table"},
    "table.chunks": {"contracts", "counting", "counting.surprisal", "measures", "table", *VALUES, "table.executors", "table.table"},
    "table.open": {"contracts", "table", *VALUES, *(f"table.{name}" for name in ("chunks", "cube", "database", "executors", "memory", "partitions", "table"))},
    "evaluation": {"_core", "contracts", "table", *VALUES, "table.table"},
    "measures": {"contracts", "counting", "counting.surprisal", "inference", "table", *VALUES, "table.memory", "table.table", "evaluation", "_core"},
    "searches": {"contracts", "records", "_core"},
    "cuts": {"contracts", "counting.surprisal", "evaluation", "inference", "records", "table", *VALUES, "table.table"},
    "registry": {"measures", "searches", "cuts"},
    "engine": {"registry", "contracts", "inference", "measures", "searches", "cuts", "records", "table", *VALUES, "table.table"},
    "selectors": {"_core", "engine", "registry", "contracts", "measures", "searches", "cuts", "records", "records.profiles", "report", "table", *VALUES, "table.cube", "table.open", "table.table", "evaluation", "evaluation.risk"},
    "comparison": {"cuts", "evaluation", "selectors", "table", *VALUES, "report"},
    "files": {"datasets", "table", *VALUES},
    "cli": {"comparison", "cuts", "evaluation", "evaluation.risk", "files", "report", "selectors", "registry", "records", "records.profiles", "table", *VALUES, "table.cube", "table.database", "table.executors", "table.table", "datasets"},
}  # fmt: skip

# Libraries that may be imported by one part only.
ONLY_IN = {
    "numba": set(),
    "pandas": set(),
    "polars": {"cli", "files", "table.readers"},
    "click": {"cli"},
    "rich": {"cli"},
    "pyarrow": {"table.readers"},
    "dask": {"table.executors"},
    "duckdb": {"table.executors"},
    "ibis": {"table.executors"},
    "pyspark": {"table.executors"},
    "distributed": {"table.executors"},
    "jinja2": {"report"},
    "markupsafe": {"report"},
}


def part_of(module):
    """The part of the package that a module belongs to: a folder or a file, or a file with layers of its own."""
    first, _, rest = module.partition(".")
    inner = f"{first}.{rest.split('.')[0]}"
    return inner if inner in MAY_IMPORT else first


def module_of(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def imports_of(path):
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (
                [f"entropick.{alias.name}" for alias in node.names]
                if node.module == "entropick"
                else [node.module]
            )


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def test_imports_go_downwards():
    """A layer imports only what stands below it."""
    for path in MODULES:
        part = part_of(module_of(path))
        for name in imports_of(path):
            if name.startswith("entropick."):
                other = part_of(name.removeprefix("entropick."))
                assert other in MAY_IMPORT[part] | GROUND | {part}, f"{path} imports {name}"
            library = name.split(".")[0]
            assert part in ONLY_IN.get(library, {part}), f"{path} imports {library}"


def test_functions_of_scipy_take_no_mask():
    """Some of scipy.special write beside their output if they are called with `where=`."""
    for path in MODULES:
        tree = tree_of(path)
        from_scipy = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "scipy.special"
            for alias in node.names
        }
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = ast.unparse(call.func) if isinstance(call.func, ast.Name | ast.Attribute) else ""
            if name in from_scipy or name.startswith("scipy.special."):
                assert "where" not in {word.arg for word in call.keywords}, f"{path}: {ast.unparse(call)}"


def test_two_files_import_dask():
    """Where tasks run, and how to reach a cluster; all else knows nothing of Dask."""
    found = {
        str(path.relative_to(PACKAGE))
        for path in MODULES
        for name in imports_of(path)
        if name.split(".")[0] in ("dask", "distributed")
    }
    assert found == {f"table/executors/{name}.py" for name in ("cluster", "dask")}


REPRODUCTION = PACKAGE.parents[1] / "reproduction"
PUBLIC = {"entropick", *(f"entropick.{name}" for name in ep.__all__)}


@pytest.mark.parametrize(
    "path",
    sorted(set(REPRODUCTION.rglob("*.py")) - set(REPRODUCTION.glob("tests/*"))),
    ids=lambda path: str(path.relative_to(REPRODUCTION)),
)
def test_experiments_use_public_names(path):
    """They stand beside the package, and need nothing that users do not have."""
    named = {name for name in imports_of(path) if name.split(".")[0] == "entropick"}
    assert named <= PUBLIC


def names_taken_from_the_package(path):
    """Module and name of each `from entropick... import name`, in functions too."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "entropick":
            yield from ((node.module, alias.name) for alias in node.names)


def has_submodule(module, name):
    return hasattr(module, "__path__") and importlib.util.find_spec(f"{module.__name__}.{name}") is not None


BENCHMARKS = PACKAGE.parents[1] / "benchmarks"


@pytest.mark.parametrize("path", sorted(BENCHMARKS.rglob("*.py")), ids=lambda path: path.stem)
def test_benchmarks_import_what_there_is(path):
    """They time inner parts, and no other test notices when one of these is renamed."""
    taken = [(importlib.import_module(module), name) for module, name in names_taken_from_the_package(path)]
    assert [
        name for module, name in taken if not (hasattr(module, name) or has_submodule(module, name))
    ] == []


def test_every_part_has_a_layer():
    """A new folder must be given its place."""
    assert {part_of(module_of(path)) for path in MODULES} == set(MAY_IMPORT)


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_loads_nothing_heavy():
    """`import entropick` loads neither numba nor scikit-learn nor a dataframe library."""
    heavy = ["numba", "sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib", "joblib"]
    heavy += ["jinja2", "dask", "distributed"]
    code = f"import sys, entropick; print([m for m in {heavy} if m in sys.modules])"
    assert run_python(code) == "[]\n"


def test_using_it_loads_no_dataframe_library():
    """Fitting arrays never imports pandas or polars of its own accord."""
    code = (
        "import sys, numpy as np; import sklearn.feature_selection; before = set(sys.modules); import entropick as ep;"
        "ep.JMI(n_features=1).fit(np.arange(12).reshape(6, 2) % 3, [0, 1] * 3);"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'dask', 'matplotlib') if m in set(sys.modules) - before])"
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


@pytest.mark.parametrize(
    ("package", "base", "parts"),
    [
        (measures, measures.Measure, registry.MEASURES),
        (searches, searches.Search, registry.SEARCHES),
        (cuts, cuts.Cut, registry.CUTS),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_tables_of_parts_are_complete(package, base, parts):
    """Every part that a module defines stands in the table of its package, at its module, and in the registry."""
    found = set()
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        home = info.name.removeprefix(f"{package.__name__}.")
        for name, kind in vars(module).items():
            is_part = inspect.isclass(kind) and issubclass(kind, base) and not inspect.isabstract(kind)
            if is_part and kind is not base and kind.__module__ == module.__name__ and name[0] != "_":
                assert name in package._HOMES[home], f"{name} is missing in {package.__name__}._HOMES"
                found.add(kind)
        assert set(getattr(module, "__all__", ())) <= set(package._HOMES.get(home, ())) or info.ispkg, home
    assert set(parts.values()) == found
    assert set(package.__all__) <= set(dir(package))


def test_every_measure_of_columns_has_a_selector():
    """A measure that scores columns is that of a method; others are for searches over subsets."""
    served = {type(method()._parts()[0]) for method in methods.METHODS.values()}
    assert {kind for kind in registry.MEASURES.values() if kind.kinds & {"ranking", "step"}} <= served


@pytest.mark.parametrize("name", methods.METHODS)
def test_the_class_of_a_method_can_be_read(name):
    """It is a class statement, with an `__init__` of its own, in a module of its own."""
    kind = getattr(ep, name)
    source = inspect.getsource(kind)
    assert source.startswith(f"class {name}(")
    assert "    def __init__(\n        self,\n        n_features: float | str | Cut | None" in source
    assert getattr(importlib.import_module(kind.__module__), name) is kind
    assert list(kind._parameter_constraints) == list(inspect.signature(kind).parameters)


def test_shared_parameters_have_one_default():
    """What stands in for a parameter that a selector lacks is its default in the others."""
    for name, parameter in inspect.signature(ep.FeatureSelector).parameters.items():
        if name not in ("measure", "search", "cut", "n_jobs", "progress"):
            assert getattr(BaseSelector, name) == parameter.default


def test_a_fit_loads_only_its_own_parts():
    """A selector waits for no measure, search or cut of others."""
    code = (
        "import sys, numpy as np; import entropick as ep;"
        "ep.JMI(n_features=1).fit(np.arange(12).reshape(6, 2) % 3, [0, 1] * 3);"
        "print(*sorted(m for m in sys.modules if m.startswith(('entropick.measures.', 'entropick.cuts.', 'entropick.searches.'))))"
    )
    loaded = {name.removeprefix("entropick.") for name in run_python(code).split()}
    assert loaded <= {
        "measures.base", "measures.pairs", "measures.pairs.gains", "measures.pairs.pairwise", "measures.pairs.relevance",
        "measures._shared", "measures._shared.summed",
        "searches.base", "searches.paths",
        *("searches.subsets" + name for name in ("", ".sets", ".costs", ".polish", ".given", ".runs", ".scored")),
        "cuts.base", "cuts.count", "cuts.held_out",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["JMI", *(pytest.param(name, marks=pytest.mark.slow) for name in ("RenyiFS", "FeatureSelector"))]
)
def test_a_pickle_opens_in_a_process_that_has_loaded_nothing(name, tmp_path):
    """Selectors that are made when they are asked for are so by pickles, too."""
    path = tmp_path / "selector.pkl"
    path.write_bytes(pickle.dumps(getattr(ep, name)()))
    code = f"import pickle, pathlib; print(type(pickle.loads(pathlib.Path({str(path)!r}).read_bytes())).__name__)"
    assert run_python(code) == f"{name}\n"


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


def test_derived_files_are_up_to_date():
    """The classes of the methods and the page of parts are what the parts say; `make derived` writes them."""
    make_derived = importlib.import_module("tools.make_derived")
    files = make_derived.derived_files()
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, path.name
        assert make_derived.NO_PAGE not in text
    assert set(make_derived.CLASSES.glob("*.py")) <= set(files)


@pytest.mark.parametrize(("n_features", "n_moves"), [(3, 142), (10, 240)])
def test_a_fit_is_short(n_features, n_moves):
    """Files of the package that JMI.fit on wine passes through, and calls from one to another."""
    walk = importlib.import_module("tools.walk").walk_of_a_fit(n_features)
    assert walk.moves.total() <= n_moves
    assert len(walk.files) <= 26


# Warnings of other libraries that are silenced, and why.
SILENCED = {
    "cuts/held_out.py": "fits on some rows; the fit on all rows has warned",
    "measures/linear/margin.py": "our own warning says what to do",
    "measures/spectral/structure.py": "one warning of ours for all rows",
    "comparison/run.py": "a message of ours about rare classes has come when rows were split",
    "evaluation/resample.py": "a message of ours about small classes",
}


def test_silenced_warnings_are_known():
    """Each has a reason, and where a method has not converged, it says so itself."""
    pattern = re.compile(r"(simplefilter|filterwarnings)\(\s*[\"']ignore")
    found = {str(path.relative_to(PACKAGE)) for path in MODULES if pattern.search(path.read_text())}
    assert found == set(SILENCED)


TESTS = Path(__file__).parent
TEST_FILES = sorted([*TESTS.rglob("test_*.py"), *REPRODUCTION.rglob("test_*.py")])
CHECKS = {"assert", "raises", "warns", "check", "checks"}  # words in the names of what may fail


def test_every_test_can_fail():
    """Each asserts something, expects an error, or calls a check: of its file, or of scikit-learn."""
    for path in TEST_FILES:
        functions = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef)]
        checking = {function.name for function in functions if _checks(function, set())}
        idle = [f.name for f in functions if f.name.startswith("test_") and not _checks(f, checking)]
        assert not idle, f"{path.name}: {idle}"


def _checks(function: ast.FunctionDef, helpers: set[str]) -> bool:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    names = [getattr(call, "attr", getattr(call, "id", ast.unparse(call))) for call in calls]
    found = helpers.intersection(names) or any(
        CHECKS.intersection(re.findall("[a-z]+", name)) for name in names
    )
    return bool(found) or any(isinstance(node, ast.Assert) for node in ast.walk(function))


# Folders of tests that mirror no folder of the package, and what stands there.
BESIDE_THE_PACKAGE = {
    "campaign": "tries to break library and program: make campaign",
    "core": "the compiled loops in cpp/",
    "docs": "the documents and their examples",
    "editor": "type checkers and completion on the code of a user: make editor",
    "site": "the built documentation site: make docs-test",
}
MAX_LINES = 600


def test_tests_mirror_the_package():
    """A test stands where the code stands that it is about; what is about all of it stands at the top."""
    folders = {str(path.parent.relative_to(TESTS)) for path in TESTS.rglob("test_*.py")} - {"."}
    mirrored = {folder for folder in folders if (PACKAGE / folder).is_dir()}
    assert folders - mirrored <= set(BESIDE_THE_PACKAGE)


MAX_LINES_OF_CODE, MAX_LINES_OF_A_BODY = 500, 50


def test_slow_tests_exist():
    """Whoever renames one of these finds it in the list."""
    for line in (TESTS / "slow_tests.txt").read_text(encoding="utf-8").splitlines():
        path, _, name = line.partition("::")
        assert f"def {name.partition('[')[0]}(" in (TESTS.parent / path).read_text(encoding="utf-8"), line


def test_files_and_functions_are_short():
    """No file is about several things, and a function is read without scrolling; the linter limits its branches."""
    long = []
    for path in [*MODULES, *REPRODUCTION.rglob("*.py")]:
        text = path.read_text()
        if len(text.splitlines()) > MAX_LINES_OF_CODE:
            long.append(str(path))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
                if node.end_lineno - body[0].lineno >= MAX_LINES_OF_A_BODY:
                    long.append(f"{path}: {node.name}")
    assert not long


def test_files_of_tests_are_short():
    """A longer one is about several things."""
    assert not [path for path in TEST_FILES if len(path.read_text().splitlines()) > MAX_LINES]
