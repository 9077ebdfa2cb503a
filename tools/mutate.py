"""Mutation testing: change single places of the code at random and run the tests that should fail.

    python tools/mutate.py --mutants 200 --seed 0           sample of counting, measures, cuts and encoding
    python tools/mutate.py --only counting                  those of the sample in one part

All tests run once to find which lines each reaches; a mutant is then tested by those that reach its line,
fastest first, for at most 20 seconds. A test that fails or takes too long kills it; it survives if all pass.
The score is the share of killed mutants. Survivors are printed: some are equivalent to the original, others
show what no test checks. `equivalent_mutants.json` lists known equivalent mutants with reasons. They still
count as survivors; the score without them is printed as well.
"""

import argparse
import ast
import importlib.abc
import importlib.util
import itertools
import json
import os
import pickle
import random
import resource
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "entropick"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.json")
PARTS = {  # what is mutated
    "counting": ["counting"],
    "measures": ["measures"],
    "cuts": ["cuts"],
    "encoding": ["table/encoding/encoding.py", "table/codes.py"],
}
TESTS = [  # that should fail
    "selectors/test_parameters.py", "selectors/test_weights.py", "test_structure.py", "core",
    "test_laws.py", "test_twins.py", "test_same_results.py", "counting", "table",
    "measures", "cuts", "searches",
]  # fmt: skip
OF_DEFINITIONS = (
    "tests/selectors/test_parameters.py",
    "tests/test_structure.py::test_derived",
)  # run at import
QUIETLY = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
PATIENCE = 15  # seconds of processor time for a mutant, in addition to twice that of its tests
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One changed place of one file."""

    part: str
    path: Path
    place: int  # in the order of `places`

    @property
    def module(self) -> str:
        relative = self.path.relative_to(PACKAGE.parent).with_suffix("")
        return ".".join(relative.parts)

    @property
    def line(self) -> int | None:
        """Line of the change; None if it runs at import, such as constants and defaults of parameters."""
        tree = ast.parse(self.path.read_text())
        node = list(places(tree))[self.place][0]
        is_inside = any(node is inner for inner in _inside_functions(tree))
        return int(getattr(node, "lineno", 0)) if is_inside else None


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """All nodes that can be mutated, with the change: operators, conditions and whole numbers."""
    left_alone = {id(inner) for node in ast.walk(tree) for part in _words(node) for inner in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) in left_alone:
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
            yield node, f"{type(node.ops[0]).__name__} -> {SWAPS[type(node.ops[0])].__name__}"
        elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
            yield node, f"{type(node.op).__name__} -> {SWAPS[type(node.op)].__name__}"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
            yield node, f"{type(node.op).__name__} removed"
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node, "condition negated"
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            yield node, f"{node.value} -> {_other(node.value)}"


def _inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for statement in node.body:
                yield from ast.walk(statement)


def _words(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that are not mutated: types and messages."""
    if isinstance(node, ast.Raise):
        return [node]
    hints = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [hint for hint in hints if hint is not None]


def _other(value: int) -> int:
    return not value if isinstance(value, bool) else value + 1


def marked(mutant: Mutant) -> str:
    """The key in `equivalent_mutants.json`: the line with the mutated code between marks, and the change."""
    source = mutant.path.read_text()
    node, change = list(places(ast.parse(source)))[mutant.place]
    start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
    line = source.splitlines()[getattr(node, "lineno", 1) - 1].encode()  # columns are those of bytes
    if getattr(node, "end_lineno", 0) != getattr(node, "lineno", 0):
        end = len(line)
    text = b"".join([line[:start], "«".encode(), line[start:end], "»".encode(), line[end:]]).decode()
    return f"{mutant.path.relative_to(PACKAGE)}: {text.strip()}: {change}"


def mutated(mutant: Mutant) -> tuple[ast.Module, str]:
    """The changed tree, and what was changed."""
    tree = ast.parse(mutant.path.read_text())
    node, change = list(places(tree))[mutant.place]
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        node.op = SWAPS[type(node.op)]()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
        if isinstance(node.op, ast.Not):
            node.operand = ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Constant):
        node.value = _other(node.value)
    else:
        node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
    line = getattr(node, "lineno", 0)
    return ast.fix_missing_locations(tree), f"{mutant.path.relative_to(ROOT)}:{line}: {change}"


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module as a mutant."""

    def __init__(self, mutant: Mutant, tree: ast.Module) -> None:
        self._mutant, self._tree = mutant, tree

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != self._mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self._mutant.path, loader=self)

    def create_module(self, spec):  # type: ignore[no-untyped-def]
        return None

    def exec_module(self, module):  # type: ignore[no-untyped-def]
        exec(compile(self._tree, str(self._mutant.path), "exec"), module.__dict__)


class Reached:
    """A plugin of pytest that records which tests reach which lines, and how long they take."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self._measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._measured.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        self.failed += [report.nodeid] * report.failed


class OnlyThese:
    """A plugin of pytest that runs only the given tests, in the given order."""

    def __init__(self, order: list[str]) -> None:
        self._place = {name: i for i, name in enumerate(order)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self._place), key=self._place_of)

    def _place_of(self, item: pytest.Item) -> int:
        return self._place[item.nodeid]


@dataclass(frozen=True)
class Tests:
    """Duration of each test, and the tests that reach each line."""

    seconds: dict[str, float]
    by_line: dict[str, dict[int, list[str]]]

    @classmethod
    def mapped(cls) -> "Tests":
        """Run all tests in a copy of this process; exit if one fails."""
        failed, tests = pickle.loads(in_a_copy(cls._run))
        if failed:
            sys.exit(f"Tests fail without any change, so they would kill every mutant: {failed}")
        return tests

    @classmethod
    def _run(cls) -> tuple[list, "Tests"]:
        measured = coverage.Coverage(data_file=None, source=[str(PACKAGE)], branch=False)
        reached = Reached(measured)
        measured.start()
        code = pytest.main([*QUIETLY, *(f"tests/{name}" for name in TESTS)], plugins=[reached])
        measured.stop()
        data = measured.get_data()
        by_line = {name: dict(data.contexts_by_lineno(name)) for name in data.measured_files()}
        failed = reached.failed or [code] * (code != 0)  # or they cannot be collected
        return failed, cls(reached.seconds, by_line)

    def reaching(self, path: Path, line: int | None, seconds: float) -> list[str]:
        """The tests that reach a line, fastest first, as many as take at most `seconds`.

        If the line runs at import or nowhere, the tests that reach its file and those of definitions.
        """
        by_line, known = self.by_line.get(str(path), {}), self.seconds.keys()
        found = known & set(by_line.get(line or 0, []))
        if not found:
            found = known & {name for names in by_line.values() for name in names}
            found |= {name for name in known if name.startswith(OF_DEFINITIONS)}
        ordered = sorted(found, key=lambda name: (not name.startswith(OF_DEFINITIONS), self.seconds[name]))
        until = itertools.accumulate(self.seconds[name] for name in ordered)
        n_within = sum(end <= seconds for end in until)
        return ordered[: max(n_within, 1)]


def in_a_copy(work: Callable[[], object]) -> bytes:
    """What `work` returns in a fork, which need not import anything again; b"" if it fails."""
    from_child, to_parent = os.pipe()
    child = os.fork()
    if child == 0:
        errors = os.dup(2)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        try:
            with open(to_parent, "wb") as file:
                file.write(pickle.dumps(work()))
        except BaseException:
            os.write(errors, traceback.format_exc().encode())
        finally:
            os._exit(0)
    os.close(to_parent)
    with open(from_child, "rb") as file:
        answer = file.read()
    os.waitpid(child, 0)
    return answer


def survives(mutant: Mutant, tree: ast.Module, tests: list[str], seconds: float) -> bool:
    """Whether all of these tests pass; without the change they take `seconds`."""
    limit = int(PATIENCE + 2 * seconds)

    def run() -> bool:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        sys.meta_path.insert(0, Changed(mutant, tree))
        files = sorted({name.split("::")[0] for name in tests})
        return pytest.main(["-x", *QUIETLY, *files], plugins=[OnlyThese(tests)]) == 0

    answer = in_a_copy(run)
    return bool(answer) and bool(pickle.loads(answer))


def files_of(part: str) -> list[Path]:
    """The modules of a part, without `__init__.py`, which only lists names."""
    found = [PACKAGE / name for name in PARTS[part]]
    return [file for path in found for file in ([path] if path.suffix else sorted(path.rglob("[a-z]*.py")))]


def sample(n: int, seed: int) -> list[Mutant]:
    """Draw mutants of all parts at random, without repetition."""
    found = [
        Mutant(part, path, place)
        for part in PARTS
        for path in files_of(part)
        for place, _ in enumerate(places(ast.parse(path.read_text())))
    ]
    return random.Random(seed).sample(found, min(n, len(found)))


def score(outcomes: list[str]) -> str:
    """The share of killed mutants, of all and of those that are not known to be equivalent."""
    n, n_killed, n_equivalent = len(outcomes), outcomes.count("killed"), outcomes.count("equivalent")
    return (
        f"{n_killed} of {n} mutants killed, {n_killed / max(n, 1):.0%}; "
        f"{n_equivalent} are equivalent, {n_killed / max(n - n_equivalent, 1):.0%} of the others killed"
    )


def main() -> int:
    """Draw mutants, test those that are not in the log, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20, help="of tests that each mutant meets")
    parser.add_argument("--only", choices=PARTS, help="one part")
    parser.add_argument("--log", type=Path, default=ROOT / "build" / "mutants.jsonl", help="of those done")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT)]
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    for name in ("scipy.stats", "sklearn.ensemble", "sklearn.linear_model", "pandas"):
        importlib.import_module(name)
    args.log.parent.mkdir(parents=True, exist_ok=True)
    known = {}
    if args.log.exists():
        entries = map(json.loads, args.log.read_text().splitlines())
        known = {entry["change"]: entry["killed"] for entry in entries}
    equivalent = json.loads(EQUIVALENT.read_text())
    tests: Tests | None = None
    found: dict[str, list[str]] = {part: [] for part in PARTS}
    for mutant in sample(args.mutants, args.seed):
        if args.only not in (None, mutant.part):
            continue
        tree, change = mutated(mutant)
        key = f"{change} ({mutant.place})"
        if key not in known:
            tests = tests or Tests.mapped()
            reaching = tests.reaching(mutant.path, mutant.line, args.seconds)
            known[key] = not survives(mutant, tree, reaching, sum(tests.seconds[name] for name in reaching))
            with args.log.open("a") as file:
                print(json.dumps({"change": key, "killed": known[key]}), file=file)
        is_equivalent = not known[key] and marked(mutant) in equivalent
        found[mutant.part].append("killed" if known[key] else "equivalent" if is_equivalent else "survives")
        if not known[key]:
            print(f"{found[mutant.part][-1]}: {key}\n    {marked(mutant)}", flush=True)
    for part, outcomes in found.items():
        if outcomes:
            print(f"{part}: {score(outcomes)}")
    print(f"all: {score([outcome for outcomes in found.values() for outcome in outcomes])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
