"""Every compiled function with invalid arguments: rejected or harmless, never an invalid memory access."""

import ast
import copy
import functools
from pathlib import Path

import numpy as np
import pytest

import entropick
from core.cases import ChanceOfLevels, PairTable, RandomSpace, frozen, listed, random_groups
from entropick import _core


def test_stub_names_every_function():
    """`_core.pyi` has the functions and methods of the module with the names of their parameters."""
    stub = ast.parse((Path(entropick.__file__).parent / "_core.pyi").read_text())
    owners = {None: stub, **{node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}}
    written = {
        (owner, node.name): [a.arg for a in node.args.args if a.arg != "self"]
        for owner, body in owners.items()
        for node in body.body
        if isinstance(node, ast.FunctionDef)
    }
    compiled = {(None, name): getattr(_core, name) for name in dir(_core) if not name.startswith("_")}
    for owner in owners.keys() - {None}:
        made = compiled.pop((None, owner))
        compiled |= {
            (owner, name): getattr(made, name)
            for name in vars(made)
            if callable(getattr(made, name)) and (name == "__init__" or not name.startswith("_"))
        }
    assert set(written) == set(compiled)
    for name, parameters in written.items():
        signature = compiled[name].__doc__.split("->")[0]
        assert [
            part.split(":")[0] for part in signature.split("(", 1)[1].split(", ") if ":" in part
        ] == parameters


@functools.cache
def valid_arguments():
    """A call of every function that works, by name."""
    table = PairTable(0, 100, 4, 2, n_columns=3)
    listed_columns, _ = listed(np.random.default_rng(0), 3, 100, 3)
    groups, _ = random_groups(np.random.default_rng(3), 100, 5, 2)
    n_groups = len(groups.starts) - 1
    space = RandomSpace(0, 4, 30)
    int3, three = np.zeros(3, np.int64), np.arange(3)
    labels, sizes = np.zeros(100, np.int32), np.bincount(table.labels)
    codes, levels, n_words = table.codes, table.n_levels, table.rows.n_words
    class_planes, bits = (
        np.zeros(n_words, np.uint64),
        np.zeros((len(table.planes) // n_words, n_words), np.uint64),
    )
    joint = table.selected.joint
    by_class = np.bincount(joint[0], minlength=8)
    cells = np.full(100, 2 * n_groups, np.int32)
    values, classes = np.random.default_rng(0).standard_normal((2, 50)), np.zeros((2, 50), np.int32)
    two = np.full(2, 50)
    edges, n_edges, kept = np.zeros((2, 6)), np.zeros(2, np.int64), np.zeros(2, bool)
    starts, data = np.array([0, 20, 50]), values[0].copy()
    units, near = (np.array([0, 2, 4]), np.arange(4)), np.zeros((30, 3), np.int32)
    places = np.zeros((1, 30), np.int64)
    distances = np.zeros((30, 30), np.float32)
    return {
        "log2": (np.arange(1.0, 5.0), np.zeros(4)),
        "exp2": (np.arange(4.0), np.zeros(4)),
        "read_columns": (values, 10, np.zeros((5, 2))),
        "find_present": (np.arange(5), np.zeros(5, bool)),
        "renumber": (np.arange(5), np.arange(5), 5, np.zeros(5, np.uint8)),
        "encode_columns": (values, 5, 0, edges, n_edges, kept, two.copy(), np.zeros(2), np.zeros(2), np.zeros((2, 50), np.uint8), 5),
        "find_sparse_edges": (data, starts, 50, 5, 0, edges, n_edges, kept, np.zeros(2), np.zeros(2, np.int64), 5),
        "find_mdlp_edges": (values, classes, two, 5, 2, edges, n_edges, kept),
        "assign_levels": (values, edges, n_edges, n_edges, np.zeros((2, 50), np.uint8)),
        "assign_sparse_levels": (data, starts, edges, n_edges, n_edges, np.zeros(50, np.uint8)),
        "dense_moments": (values, classes[0], np.array([50]), np.zeros((2, 3)), np.zeros((2, 1)), np.zeros((2, 1))),
        "sparse_moments": (starts, np.arange(50, dtype=np.int32), data, classes[0], np.array([50]), np.zeros((2, 3)), np.zeros((2, 1)), np.zeros((2, 1))),
        "count_tokens": (values, classes[0], np.zeros((2, 2)), np.zeros((2, 6), np.int64)),
        "distances_from": (*space.parts, three, False, np.zeros((3, 30), np.float32)),
        "candidate_distances": (*space.parts, three, 0, near, False, np.zeros((30, 3), np.float32)),
        "neighborhood_entropies": (*space.parts, *units, np.array([1]), near, np.zeros((30, 3), np.float32), space.labels, 3, 2, np.zeros(4), True, np.zeros((1, 2))),
        "exact_neighborhood_entropies": (*space.parts, *units, np.array([1]), three, space.labels, 3, 2, np.zeros(4), True, np.zeros((1, 2))),
        "nearest_in_windows": (space.points, space.kinds, space.expected, np.zeros((1, 30), np.int32), places, places + 1, 0, False, np.arange(30), near),
        "weighted_differences": (space.points, space.kinds, space.expected, np.arange(30), np.ones((30, 30)), np.zeros(4)),
        "relief_weights": (space.points, space.kinds, space.expected, distances, np.arange(30), space.labels, np.ones(3) / 3, 2, True, False, np.zeros(4)),
        "rrelief_sums": (space.points, space.kinds, space.expected, distances, np.arange(30), np.zeros(30), 2, np.zeros(1), np.zeros(4), np.zeros(4)),
        "nearest_by_distance": (distances, np.arange(30), near),
        "nearest_dense_rows": (np.zeros((30, 2)), distances, np.zeros(30, np.float32), 0.0, 0, np.arange(30), np.zeros((30, 2), np.int64), np.zeros((30, 2))),
        "nearest_sparse_rows": (np.zeros(30), np.zeros(30, np.int64), np.arange(31), distances, np.zeros(30, np.float32), 0.0, 0, np.arange(30), np.zeros((30, 2), np.int64), np.zeros((30, 2))),
        "nearest_means": (np.zeros((30, 30)), 0.0, 2, np.ones(30), np.zeros((30, 2)), np.zeros((30, 2))),
        "pair_sums": (*table.columns, three, three, *table.selected, 0, *table.rows, table.phi, np.zeros((3, 3), np.int64)),
        "lazy_minimum": (*table.columns, three, *table.selected, 3, *table.rows, table.phi, int3, int3.copy(), int3.copy(), int3.copy(), three, np.zeros(2, np.int64), 0, int3.copy()),
        "join_classes": (codes[0], labels, 2, np.zeros(100, np.uint8), np.zeros(8, np.uint64)),
        "pack": (codes, three, levels, table.columns.first_plane, bits),
        "class_counts": (levels, table.planes, table.columns.first_plane, table.plane_counts.copy(), three, class_planes, n_words),
        "column_sums": (codes, levels, three, three, class_planes, sizes, table.phi, ChanceOfLevels(sizes, 2).tables, np.zeros((3, 3), np.int64)),
        "join_column": (codes[0], 4, 2, np.zeros(100, np.uint32)),
        "nested_sums": (np.array([2, 4]), 16, 2, table.phi, ChanceOfLevels(sizes, 2).tables, np.arange(100, dtype=np.uint32) % 16, np.zeros((2, 4), np.int64)),
        "leaders": (three, three, np.zeros(2, np.int64)),
        "sparse_pair_sums": (*listed_columns, three, three, joint[0], 4, 2, by_class.reshape(4, 2).sum(axis=1), by_class, table.phi, ChanceOfLevels(by_class, 2).tables, 0, np.zeros((3, 3), np.int64)),
        "front_ranks": (values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64)),
        "crowding": (values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64), np.zeros(2)),
        "split_sums": (codes, levels, three, *groups, 0, table.phi, int3.copy()),
        "split_norms": (codes, levels, three, *groups, 2.0, 0, np.zeros(3)),
        "sparse_split_sums": (*listed_columns, three, np.full(100, -1, np.int32), labels, cells, np.zeros(2 * n_groups, np.int64), 2, 0, table.phi, np.zeros(n_groups, np.int64), int3.copy()),
        "refine": (codes[0], 4, *groups, groups.rows.copy(), np.zeros(len(groups.rows) // 2 + 1, np.int64), groups.labels.copy()),
        "count_tables": (codes, levels, three, codes[0].copy(), 4, 100, three * 16, np.zeros(64, np.int64)),
        "usual_levels": (codes, 100, three, levels, int3.copy(), int3.copy()),
        "list_unusual": (codes, 100, three, int3, np.array([0, 100, 200]), np.zeros(300, np.int32), np.zeros(300, np.uint8)),
        "expand_keys": (codes, three, three * 4, np.zeros(12, np.uint64), 0, 100, np.zeros((3, 100), np.uint64), 0),
        "add_keys": (np.zeros((3, 100), np.uint64), np.ones((2, 3), bool), 0, 100, np.zeros((2, 100), np.uint64)),
        "add_listed": (listed_columns.starts, listed_columns.rows, np.zeros(len(listed_columns.rows), np.uint64), np.ones((2, 3), bool), np.zeros((2, 100), np.uint64)),
        "group_sums": (np.zeros((2, 100), np.uint64), labels, 1, 0, table.phi, table.phi, 1.0, np.zeros((2, 4), np.int64)),
    }  # fmt: skip


def fresh_arguments(name):
    """The arguments of a call that works, to be written to."""
    return [a if isinstance(a, _core.ChanceTables) else copy.deepcopy(a) for a in valid_arguments()[name]]


def test_every_function_is_tried():
    of_arrays = {name for name in dir(_core) if not name.startswith("_")} - {
        "number_texts",
        "Chance",
        "ChanceTables",
        "NumericTable",
        "processor",
    }
    assert set(valid_arguments()) == of_arrays


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_valid_arguments_work(name):
    """The arguments that are damaged below are good themselves, and inputs stay what they are or are filled."""
    arguments = fresh_arguments(name)
    shapes = [np.shape(argument) for argument in arguments]
    getattr(_core, name)(*arguments)
    assert [np.shape(argument) for argument in arguments] == shapes


def wrong_versions(argument):
    """The same argument of another type, with another number of dimensions, with gaps, too short, with wild values."""
    if isinstance(argument, float):
        yield from (None, 0.0, -1.0, np.nan)
        return
    if isinstance(argument, _core.ChanceTables):
        yield from (None, _core.ChanceTables(), ChanceOfLevels(np.ones(99, np.int64), 1).tables)
        return
    if not isinstance(argument, np.ndarray):
        yield from (None, "text", -1, 0, 2**40, -(2**62))
        return
    yield None
    yield argument.astype(np.complex64)
    yield argument.astype(">f8")
    yield argument[None]
    yield argument.ravel()[:1].reshape(()) if argument.size else argument.reshape(1, -1)
    yield argument[:0]
    if len(argument) > 1:
        yield argument[:-1]
        yield argument[::2]
        yield np.repeat(argument, 2, axis=0)[::2]
    if argument.ndim == 2 and argument.shape[1] > 1:
        yield argument[:, :-1]
        yield argument[:, :0]
        yield np.asfortranarray(argument)
    raw = np.zeros(argument.nbytes + 1, np.uint8)[1:].view(argument.dtype)
    yield raw.reshape(argument.shape)
    if argument.dtype.kind in "iu":
        for value in (-1, 1, 99, 2**31 - 1, 2**62):
            yield np.full_like(argument, np.array(value).astype(argument.dtype))
        if argument.size:
            last = argument.copy()
            last.flat[-1] = np.array(2**62 + 5).astype(argument.dtype) | 101
            yield last
    elif argument.dtype.kind == "f":
        for value in (np.nan, np.inf, -np.inf, -1.0, 1e30):
            yield np.full_like(argument, value)


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_wrong_arguments_do_no_harm(name):
    """A wrong argument is refused or harmless: a loop never reads or writes outside its arrays.

    Run with a core built for memory checks (`make sanitize`), this would stop at the first wrong access.
    """
    function, n_refused = getattr(_core, name), 0
    for position, argument in enumerate(valid_arguments()[name]):
        for wrong in wrong_versions(argument):
            arguments = fresh_arguments(name)
            arguments[position] = wrong
            try:
                function(*arguments)
            except (ValueError, TypeError, MemoryError):
                n_refused += 1
    assert n_refused > 3


@pytest.mark.parametrize("name", sorted(valid_arguments()))
def test_results_go_into_writable_arrays_only(name):
    """Of the arrays of a call those that are filled must be writable; all others may be frozen."""
    arguments = fresh_arguments(name)
    filled = []
    for position, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            try:
                getattr(_core, name)(
                    *arguments[:position], frozen(argument.copy()), *arguments[position + 1 :]
                )
            except TypeError:
                filled.append(position)
    assert filled
    if name not in ("class_counts", "lazy_minimum", "find_sparse_edges", "find_mdlp_edges"):
        assert filled[-1] == max(p for p, a in enumerate(arguments) if isinstance(a, np.ndarray))
