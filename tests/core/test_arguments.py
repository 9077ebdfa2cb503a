"""Every compiled function with invalid arguments: rejected or harmless, never an invalid memory access."""

import ast
import copy
import functools
from pathlib import Path

import numpy as np
import pytest

import entropick
from core.cases import SCALE, PairTable, RandomSpace, frozen
from entropick import _core

MAX_PARAMETERS = 6  # of a call across the boundary


def test_stub_names_every_function():
    """`_core.pyi` has the functions and methods of the module with the names of their parameters, which are few."""
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
    assert max(map(len, written.values())) <= MAX_PARAMETERS
    for name, parameters in written.items():
        signature = compiled[name].__doc__.split("->")[0]
        assert [
            part.split(":")[0] for part in signature.split("(", 1)[1].split(", ") if ":" in part
        ] == parameters


@functools.cache
def objects():
    """One object of every class that others are made with."""
    table, space = PairTable(0, 100, 4, 2, n_columns=3, n_listed=1), RandomSpace(0, 4, 30)
    windows = _core.Windows(np.zeros((1, 30), np.int32), *np.array([[[0] * 30], [[1] * 30]]), np.arange(30))
    return table, space, windows, _core.Groups(table.labels, 2)


@functools.cache
def valid_calls():
    """What can be called, with arguments that work: those that fill the last array, and all others."""
    table, space, windows, groups = objects()
    three, rng = np.arange(3), np.random.default_rng(0)
    labels, levels, phi = table.labels, table.n_levels, table.phi
    codes, dense = table.codes.astype(np.uint8), (three, np.zeros((3, 100), np.uint8))
    sparse = (
        three,
        np.array([0, 20, 40, 50]),
        np.arange(50, dtype=np.int32),
        np.zeros(50, np.uint8),
        np.zeros(3, np.int64),
    )
    subsets, keys = np.ones((2, 3), bool), np.zeros(levels.sum(), np.uint64)
    values, classes, two = rng.standard_normal((2, 50)), np.zeros((2, 50), np.int32), np.full(2, 50)
    edges, n_edges = np.zeros((2, 6)), np.zeros(2, np.int64)
    starts, data, near = np.array([0, 20, 50]), values[0].copy(), np.zeros((30, 3), np.int32)
    units, known = (np.array([0, 2, 4]), np.arange(4), np.array([1])), np.zeros((30, 3), np.float32)
    distances, order, lengths = np.zeros((30, 30), np.float32), np.arange(30), np.zeros(30, np.float32)
    found = (np.zeros((30, 2), np.int64), np.zeros((30, 2)))
    sums, int4, moments = (
        np.zeros((3, 3), np.int64),
        np.zeros((2, 4), np.int64),
        (np.zeros((2, 3)), *np.zeros((2, 2, 1))),
    )
    constant = table.new_selected()
    constant.add(np.zeros(100, np.uint8), 1)
    counter = _core.SubsetCounter(table.table, labels, 2, keys)
    encoder, of_classes = _core.Encoder(5, 5, 0, 6), _core.ClassMoments(classes[0], 1)
    neighborhoods = _core.Neighborhoods(space.compiled, space.labels, 3, 2, True)
    relief, real = (
        _core.Relief(space.points, space.labels, np.ones((3, 3)), 2, True),
        _core.RealRelief(space.points, np.zeros(30), 2),
    )
    rows = _core.NearestDenseRows(np.zeros((30, 2)), lengths, order, 0.0)
    sparse_rows = _core.NearestSparseRows(
        np.zeros(30), np.zeros(30, np.int64), np.arange(31), lengths, order, 0.0
    )
    forest = _core.Forest(values, classes[0], values[0].copy(), 1, 3, 0)
    race = _core.Race(table.counter, table.new_selected(), three, 0)
    number_columns = _core.NumberColumns(values, np.zeros(2), np.ones(2))
    shared, correlated = redundancy_race(table), _core.CorrelationRace(number_columns, np.zeros(2), 1.0, 0.5)
    shared.include(0)
    correlated.include(0)
    filling = {
        "log2": (_core.log2, np.arange(1.0, 5.0), np.zeros(4)),
        "exp2": (_core.exp2, np.arange(4.0), np.zeros(4)),
        "Chance.fill": (_core.Chance(np.array([3, 4])).fill, np.arange(5), np.zeros(5)),
        "read_columns": (_core.read_columns, values, 10, np.zeros((5, 2))),
        "find_present": (_core.find_present, np.arange(5), np.zeros(5, bool)),
        "renumber": (_core.renumber, np.arange(5), np.arange(5), 5, np.zeros(5, np.uint8)),
        "Encoder.encode": (encoder.encode, values, np.zeros((2, 50), np.uint8)),
        "assign_levels": (_core.assign_levels, values, edges, n_edges, n_edges, np.zeros((2, 50), np.uint8)),
        "assign_sparse_levels": (_core.assign_sparse_levels, data, starts, edges, n_edges, n_edges, np.zeros(50, np.uint8)),
        "describe_rows": (_core.describe_rows, values.T @ values, 0.1, 10, np.zeros((5, 50)), np.zeros(5, bool)),
        "Forest.predict": (forest.predict, values, np.zeros((50, 1))),
        "spreads": (_core.spreads, values, np.zeros((2, 4))),
        "NumberColumns.correlations": (number_columns.correlations, np.zeros(50), 0, np.zeros(2)),
        "ClassMoments.of_dense": (of_classes.of_dense, values, *moments),
        "ClassMoments.of_sparse": (of_classes.of_sparse, starts, np.arange(50, dtype=np.int32), data, *moments),
        "ClassMoments.of_table": (of_classes.of_table, values.T.copy(), 0, np.zeros((2, 5)), *moments[1:]),
        "ClassMoments.of_rows": (of_classes.of_rows, np.arange(51), np.zeros(50, np.int32), data, np.zeros((2, 5)), *moments[1:]),
        "ClassMoments.count_tokens": (of_classes.count_tokens, values, np.zeros((2, 1)), np.zeros((2, 6), np.int64)),
        "Space.distances_from": (space.compiled.distances_from, three, False, np.zeros((3, 30), np.float32)),
        "Space.add_distances": (space.compiled.add_distances, three, 0, near, False, known.copy()),
        "Neighborhoods.of_listed": (neighborhoods.of_listed, *units, near, known, np.zeros((1, 2))),
        "Neighborhoods.of_all_rows": (neighborhoods.of_all_rows, *units, three, np.zeros((1, 2))),
        "Points.nearest_in_windows": (space.points.nearest_in_windows, windows, 0, False, near),
        "Points.add_differences": (space.points.add_differences, order, np.ones((30, 30)), np.zeros(4)),
        "Relief.add": (relief.add, distances, order, np.zeros(4)),
        "RealRelief.add": (real.add, distances, order, np.zeros((3, 4))),
        "NearestDenseRows.nearest": (rows.nearest, distances, 0, *found),
        "NearestSparseRows.nearest": (sparse_rows.nearest, distances, 0, *found),
        "nearest_by_distance": (_core.nearest_by_distance, distances, order, near),
        "nearest_means": (_core.nearest_means, np.zeros((30, 30)), 0.0, 2, np.ones(30), np.zeros((30, 2)), np.zeros((30, 2))),
        "front_ranks": (_core.front_ranks, values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64)),
        "crowding": (_core.crowding, values[:, :2].copy(), np.arange(2), np.zeros(2, np.int64), np.zeros(2)),
        "CodeTable.count_tables": (table.table.count_tables, three, codes[0].copy(), 4, np.zeros(48, np.int64)),
        "CodeTable.usual_levels": (table.table.usual_levels, three, sums[0], sums[1]),
        "CodeTable.list_unusual": (table.table.list_unusual, three, sums[0], np.array([0, 100, 200]), np.zeros(300, np.int32), np.zeros(300, np.uint8)),
        "PairCounter.sums": (table.counter.sums, three, table.selected, 0, sums),
        "PairCounter.column_sums": (table.counter.column_sums, three, constant, sums),
        "Groups.split_sums": (groups.split_sums, table.table, three, 0, phi, sums[0]),
        "Groups.split_norms": (groups.split_norms, table.table, three, 2.0, np.zeros(3)),
        "SubsetCounter.entropy_sums": (counter.entropy_sums, subsets, phi, phi, int4),
        "SubsetCounter.peak_sums": (counter.peak_sums, subsets, int4),
        "SubsetCounter.majority_sums": (counter.majority_sums, subsets, phi, int4),
        "SubsetCounter.norm_sums": (counter.norm_sums, subsets, 2.0, 1000, int4),
    }  # fmt: skip
    others = {
        "Chance": (_core.Chance, np.array([3, 4])),
        "CodeTable": (_core.CodeTable, 100, levels, [dense, sparse]),
        "Selected": (_core.Selected, labels, 2, phi, SCALE),
        "Selected.add": (table.new_selected().add, codes[0], 4),
        "PairCounter": (_core.PairCounter, table.table, labels, 2),
        "Race": (_core.Race, table.counter, table.selected, three, 0),
        "Race.include": (race.include, 1, 0),
        "Race.leaders": (race.leaders, three),
        "Race.rivals": (race.rivals, three, three),
        "Race.lower": (_core.Race(table.counter, table.new_selected(), three, 0).lower, three),
        "Race.scores": (race.scores, three),
        "RedundancyRace": (_core.RedundancyRace, table.counter, table.selected, np.zeros((3, 3), np.int64), 1.0, True, np.ones(3)),
        "RedundancyRace.include": (redundancy_race(table).include, 1),
        "RedundancyRace.finalists": (shared.finalists, three),
        "RedundancyRace.complete": (shared.complete, three),
        "RedundancyRace.scores": (shared.scores, three),
        "NumberColumns": (_core.NumberColumns, values, np.zeros(2), np.ones(2)),
        "CorrelationRace": (_core.CorrelationRace, number_columns, np.zeros(2), 1.0, 0.5),
        "CorrelationRace.include": (_core.CorrelationRace(number_columns, np.zeros(2), 1.0, 0.5).include, 1),
        "CorrelationRace.finalists": (correlated.finalists, np.arange(2)),
        "CorrelationRace.complete": (correlated.complete, np.arange(2)),
        "CorrelationRace.scores": (correlated.scores, np.arange(2)),
        "nearer_than_own": (_core.nearer_than_own, np.arange(50.0), np.zeros(50, np.int32), 1, 3),
        "nearer_in_plane": (_core.nearer_in_plane, np.arange(50.0), np.arange(50.0), 3),
        "NestedGroups": (_core.NestedGroups, table.table, labels, 2, phi, SCALE),
        "NestedGroups.split": (_core.NestedGroups(table.table, labels, 2, phi, SCALE).split, three),
        "Forest": (_core.Forest, values, classes[0], values[0].copy(), 1, 3, 0),
        "Groups": (_core.Groups, labels, 2),
        "Groups.sizes": (groups.sizes,),
        "Groups.rows": (groups.rows,),
        "Groups.refined": (groups.refined, codes[0], 4),
        "Groups.shuffled": (groups.shuffled, np.arange(100)),
        "Groups.sum": (groups.sum, 0, phi),
        "Groups.norm": (groups.norm, 2.0),
        "SubsetCounter": (_core.SubsetCounter, table.table, labels, 2, keys),
        "Encoder": (_core.Encoder, 5, 5, 0, 6),
        "Encoder.find_sparse_edges": (encoder.find_sparse_edges, data, starts, 50),
        "Encoder.find_class_edges": (encoder.find_class_edges, values, classes, two, 2),
        "ClassMoments": (_core.ClassMoments, classes[0], 1),
        "Space": (_core.Space, space.values, space.kinds, space.expected),
        "Neighborhoods": (_core.Neighborhoods, space.compiled, space.labels, 3, 2, True),
        "Windows": (_core.Windows, np.zeros((1, 30), np.int32), np.zeros((1, 30), np.int64), np.ones((1, 30), np.int64), order),
        "Points": (_core.Points, np.zeros((30, 4), np.float32), space.kinds, space.expected),
        "Relief": (_core.Relief, space.points, space.labels, np.ones((3, 3)), 2, True),
        "RealRelief": (_core.RealRelief, space.points, np.zeros(30), 2),
        "NearestDenseRows": (_core.NearestDenseRows, np.zeros((30, 2)), lengths, order, 0.0),
        "NearestSparseRows": (_core.NearestSparseRows, np.zeros(30), np.zeros(30, np.int64), np.arange(31), lengths, order, 0.0),
    }  # fmt: skip
    return filling, others


def redundancy_race(table):
    """A race of three columns, the first of which is selected."""
    selected = table.new_selected()
    selected.add(table.codes[0].astype(np.uint8), int(table.n_levels[0]))
    return _core.RedundancyRace(table.counter, selected, np.zeros((3, 3), np.int64), 1.0, True, np.ones(3))


def call_of(name):
    """What is called, and arguments of a call that works, to be written to."""
    filling, others = valid_calls()
    function, *arguments = (filling | others)[name]
    return function, [copy.deepcopy(a) if isinstance(a, np.ndarray | list) else a for a in arguments]


NAMES = sorted(valid_calls()[0] | valid_calls()[1])
TRIED_ELSEWHERE = {"number_texts", "processor", "NumericTable", "NumericTable.read", "NumericTable.view"}


def test_everything_is_tried():
    stub = ast.parse((Path(entropick.__file__).parent / "_core.pyi").read_text())
    written = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for owner in (node for node in stub.body if isinstance(node, ast.ClassDef)):
        methods = (
            node for node in owner.body if isinstance(node, ast.FunctionDef) and not node.decorator_list
        )
        written |= {f"{owner.name}.{node.name}" for node in methods if node.name != "__init__"}
    assert set(NAMES) == written - TRIED_ELSEWHERE


@pytest.mark.parametrize("name", NAMES)
def test_valid_arguments_work(name):
    """The arguments that are damaged below are good themselves, and inputs stay what they are or are filled."""
    function, arguments = call_of(name)
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    shapes = [a.shape for a in arrays]
    function(*arguments)
    assert [a.shape for a in arrays] == shapes


def wrong_objects(argument):
    """None, and an object of the same class that is made of other rows and classes, where there is one."""
    yield None
    other, space = PairTable(1, 50, 300, 3, code_type=np.uint16), RandomSpace(1, 2, 10)
    of_class = {
        _core.CodeTable: other.table,
        _core.Selected: other.selected,
        _core.PairCounter: other.counter,
        _core.NumberColumns: _core.NumberColumns(np.zeros((5, 9)), np.zeros(5), np.ones(5)),
        _core.Space: space.compiled,
        _core.Points: space.points,
        _core.Windows: _core.Windows(
            np.zeros((1, 9), np.int32), *np.zeros((2, 1, 9), np.int64), np.arange(9)
        ),
    }
    yield of_class[type(argument)]


def wrong_parts(parts):
    """Parts of a table of which one array is wrong."""
    yield from (None, "text", [], [()], [None])
    for p, part in enumerate(parts):
        for k, array in enumerate(part):
            for wrong in wrong_versions(array):
                yield [*parts[:p], (*part[:k], wrong, *part[k + 1 :]), *parts[p + 1 :]]


def wrong_versions(argument):
    """The same argument of another type, with another number of dimensions, with gaps, too short or long, with wild values."""
    if isinstance(argument, float):
        yield from (None, 0.0, -1.0, np.nan)
        return
    if isinstance(argument, list):
        yield from wrong_parts(argument)
        return
    if type(argument).__module__ == _core.__name__:
        yield from wrong_objects(argument)
        return
    if not isinstance(argument, np.ndarray):
        yield from (None, "text", -1, 0, 25, 2**40, -(2**62))
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
    yield np.concatenate([argument, argument[-1:]])
    if argument.ndim == 2:
        yield np.concatenate([argument, argument[:, -1:]], axis=1)
        yield np.tile(argument, (1, 20))
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


@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments_do_no_harm(name):
    """A wrong argument is refused or harmless: a loop never reads or writes outside its arrays.

    Run with a core built for memory checks (`make sanitize`), this would stop at the first wrong access.
    """
    n_refused = 0
    for position, argument in enumerate(call_of(name)[1]):
        for wrong in wrong_versions(argument):
            function, arguments = call_of(name)
            arguments[position] = wrong
            try:
                function(*arguments)
            except (ValueError, TypeError, MemoryError, RuntimeError):
                n_refused += 1
    assert n_refused > 0 or not call_of(name)[1]


@pytest.mark.parametrize("name", NAMES)
def test_results_go_into_writable_arrays_only(name):
    """Of the arrays of a call those that are filled must be writable, the last among them; others may be frozen."""
    function, arguments = call_of(name)
    filled = []
    for position, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray):
            try:
                function(*arguments[:position], frozen(argument.copy()), *arguments[position + 1 :])
            except TypeError:
                filled.append(position)
    assert filled[-1:] == ([len(arguments) - 1] if name in valid_calls()[0] else [])


def test_codes_are_checked_when_they_are_counted():
    """Python may write into arrays that an object keeps: what it writes decides about no access."""
    codes, labels, phi = np.zeros((2, 100), np.uint8), np.zeros(100, np.int32), np.zeros(101, np.int64)
    sparse = (
        np.array([1]),
        np.array([0, 3]),
        np.arange(3, dtype=np.int32),
        np.ones(3, np.uint8),
        np.zeros(1, np.int64),
    )
    levels, one, sums = np.array([9, 9]), np.array([1]), np.zeros((3, 2), np.int64)
    table = _core.CodeTable(100, levels, [(np.arange(2), codes), sparse])
    counter, selected = _core.PairCounter(table, labels, 1), _core.Selected(labels, 1, phi, 0.0)
    subsets = _core.SubsetCounter(table, labels, 1, np.zeros(18, np.uint64))
    selected.add(codes[0], 9)
    calls = [
        lambda j: counter.sums(j, selected, 0, sums),
        lambda j: table.count_tables(j, codes[0], 9, np.zeros(81, np.int64)),
        lambda j: table.usual_levels(j, sums[0, :1], sums[1, :1]),
        lambda j: _core.Groups(np.arange(100, dtype=np.int32) % 2, 2).split_sums(
            table, j, 0, phi, sums[0, :1]
        ),
        lambda j: subsets.peak_sums(np.eye(2, dtype=bool)[j], np.zeros((1, 4), np.int64)),
    ]
    for call in calls:
        call(one)
    beside = codes[0].copy()
    calls[1] = lambda j: table.count_tables(j, beside, 9, np.zeros(81, np.int64))
    codes[0, 50] = 200
    for call in calls:
        with pytest.raises(ValueError, match="below"):
            call(np.array([0]))
    for array, wild in ((sparse[2], 2**31 - 1), (sparse[3], 99), (sparse[4], -5), (sparse[1], 2**40)):
        before = array.copy()
        array[-1] = wild
        for call in calls:
            with pytest.raises(ValueError, match="must"):
                call(one)
        array[:] = before
    for call in calls:
        call(one)


def test_places_in_windows_are_checked_when_they_are_used():
    """Windows are made of any whole numbers; those that are no rows or places are refused."""
    _, space, _, _ = objects()
    near = np.zeros((30, 3), np.int32)
    good = [np.zeros((1, 30), np.int32), *np.array([[[0] * 30], [[1] * 30]]), np.arange(30)]
    for position in range(5):
        wrong = [array.copy() for array in good]
        if position < 4:
            wrong[position].flat[-1] = 99
        else:
            wrong[3][:] = 5  # no row but one
        with pytest.raises(ValueError, match=r"ordered|low and high|filler"):
            space.points.nearest_in_windows(_core.Windows(*wrong), 0, False, near)


def test_no_more_neighbors_than_other_rows():
    lengths, order, distances = np.zeros(30, np.float32), np.arange(30), np.zeros((30, 30), np.float32)
    rows = _core.NearestDenseRows(np.zeros((30, 2)), lengths, order, 0.0)
    for n_wanted in (0, 30):
        with pytest.raises(ValueError, match="fewer other rows"):
            rows.nearest(distances, 0, np.zeros((30, n_wanted), np.int64), np.zeros((30, n_wanted)))


def test_a_race_counts_only_columns_that_it_knows():
    """One that was selected without the race, and a second column where a constant must be."""
    table = PairTable(0, 100, 4, 2, n_columns=3)
    race = _core.Race(table.counter, selected := table.new_selected(), np.arange(3), 0)
    for _ in range(2):
        selected.add(table.codes[0].astype(np.uint8), 4)
    with pytest.raises(ValueError, match="must have been included"):
        race.lower(np.arange(3))
    with pytest.raises(ValueError, match="one level"):
        table.counter.column_sums(np.arange(3), selected, np.zeros((3, 3), np.int64))
