"""Open a table from X and y, in memory or elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.exceptions import CombinationError, DataError, warn_user
from entropick.table.codes import Target
from entropick.table.encoding.encoding import Rules
from entropick.table.encoding.target import (
    UNLABELLED,
    TargetColumns,
    check_joint_classes,
    encode_target,
    join_targets,
    target_columns,
)
from entropick.table.memory import MemoryTable, make_table
from entropick.table.notes import IDENTIFIER_SHARE, MIN_NAMES, find_notes
from entropick.table.readers.frames import target_taken_out
from entropick.table.readers.inputs import count_rows, open_input
from entropick.table.readers.scan import LAZY_LIBRARIES
from entropick.table.row_groups import encode_row_groups
from entropick.table.table import Table
from entropick.table.weights import weigh


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a selector requests of a table.

    Attributes
    ----------
    caller : name of the selector, for messages
    needs : views that its parts need
    needs_target, uses_target : whether its parts require a target, and whether they use one
    needs_joint : whether several targets are joined into one
    semi_supervised : whether some labels may be missing
    scaling : how coordinates are scaled
    rules : returns how values become levels, given a function that counts the rows
    target : kind of the target: classes, real values or "auto"
    unlabelled : what marks a missing label, besides missing values
    sums_targets : whether scores are summed over several targets
    names : column names
    groups : columns that are selected together
    n_picks : maximal number of columns, if they are picked one by one from counts alone; else None
    """

    caller: str
    needs: frozenset[Need]
    needs_target: bool
    uses_target: bool
    needs_joint: bool
    semi_supervised: bool
    scaling: str | None
    rules: Callable[[Callable[[], int]], Rules]
    target: str
    unlabelled: Any
    sums_targets: bool
    names: Sequence[str]
    groups: Sequence[Sequence[int]] | None
    n_picks: int | None


def is_elsewhere(X: Any) -> bool:
    """Whether X is processed where it is: a Dask collection, scanned files, partitions of another engine."""
    return hasattr(X, "__dask_graph__")


def stays_in_database(X: Any) -> bool:
    """Whether a table is inside a database; what tells so is loaded only for lazy frames."""
    if type(X).__module__.partition(".")[0] not in (*LAZY_LIBRARIES, "entropick"):
        return False
    from entropick.table.executors.database import is_database

    return is_database(X)


def is_cube(X: Any) -> bool:
    """Whether X is a cube of counts, which has its target in it."""
    if type(X).__module__ != "entropick.table.cube":
        return False
    from entropick.table.cube import Cube

    return isinstance(X, Cube)


def named_parts(X: Any, y: Any) -> tuple[Any, Any]:
    """X and y; of a table with names y may be the name of a column, which is then taken out of X."""
    if is_cube(X):
        if not (y is None or y is X.target or (isinstance(y, str) and y == X.target.name)):
            raise DataError(
                f"A cube has its target in it, here {X.target.name!r}, but y was passed too. Hint: leave out "
                "y, or count again by the other target."
            )
        return X, X.target
    if not stays_in_database(X):
        return target_taken_out(X, y) if isinstance(y, str) else (X, y)
    from entropick.table.executors import database

    return database.named_parts(X, y)


def kind_of_table(X: Any) -> type[Table]:
    """The class of table that X will become, without reading its data."""
    if is_cube(X):
        from entropick.table.cube import CubeTable

        return CubeTable
    if stays_in_database(X):
        from entropick.table.database import DatabaseTable

        return DatabaseTable
    if not is_elsewhere(X):
        return MemoryTable
    from entropick.table.partitions import PartitionedTable

    return PartitionedTable


def open_table(
    X: Any,
    y: Any,
    request: Request,
    threads: Threads,
    weights: np.ndarray | None = None,
    groups: Any = None,
) -> AbstractContextManager[Table]:
    """Open a table with the requested views; an error in its context cancels all work elsewhere.

    Parameters
    ----------
    X, y : the table and its target, or None
    request : what the selector requests
    threads : used without a cluster
    weights : how often each row counts
    groups : group of each row, where rows belong together
    """
    if is_elsewhere(X):
        if groups is not None:
            raise CombinationError(
                "groups need all rows in one place, but the rows are partitioned. Hint: leave groups out, or "
                "sample the table down to one that fits in memory."
            )
        return _elsewhere(X, y, request, threads)
    return nullcontext(_in_memory(X, y, request, threads, weights, groups))


def _in_memory(
    X: Any, y: Any, request: Request, threads: Threads, weights: np.ndarray | None, groups: Any
) -> MemoryTable:
    n_rows = count_rows(X)
    if not n_rows:
        raise DataError("Found array with 0 sample(s): the table has no rows, while at least 1 is required.")
    row_groups = None if groups is None else encode_row_groups(groups, n_rows)
    if row_groups is not None and weights is not None:
        raise CombinationError(
            "groups and sample_weight cannot be combined: copies of a row would be split from each other. "
            "Hint: leave one of them out."
        )
    columns = _checked_target(y, n_rows, request)
    weighed = None if weights is None else weigh(X, columns, weights)
    if weighed is not None:
        X, columns, n_rows = weighed.X, weighed.y, weighed.n_rows
    rules = request.rules(partial(int, n_rows))
    target, summed = _encode_targets(columns, rules, request)
    source = open_input(X, request.names, exact=True)
    noted = (X, target, request.names, source) if weighed is None else (*weighed.once(target), request.names)
    return make_table(
        X, target, request.needs, rules=rules, scaling=request.scaling, names=request.names,
        groups=request.groups, threads=threads, summed=summed,
        notes=find_notes(*noted),
        copies=1.0 if weighed is None else weighed.copies,
        n_rows_in=0 if weighed is None else weighed.n_rows_in,
        row_groups=row_groups,
        source=source,
    )  # fmt: skip


def _no_target(request: Request) -> ValueError:
    return ValueError(f"{request.caller} requires y to be passed, but the target y is None.")


def _checked_target(y: Any, n_rows: int, request: Request) -> TargetColumns | None:
    """Check y and return its columns; None if y is neither passed nor needed."""
    if y is None:
        if request.needs_target:
            raise _no_target(request)
        return None
    columns = target_columns(y)
    values = columns[0][1]
    if not (isinstance(values, np.ndarray) and len(values) == n_rows):
        check_consistent_length(range(n_rows), values)
    return columns


def _encode_targets(
    y: TargetColumns | None, rules: Rules, request: Request
) -> tuple[Target | None, Sequence[Target]]:
    """Encode the target, or the joint of several, and those whose scores are to be summed."""
    if y is None or not request.uses_target:
        return None, ()
    is_summed = len(y) > 1 and request.sums_targets
    targets = [
        encode_target(
            values, kind=request.target, rules=rules, semi_supervised=request.semi_supervised,
            unlabelled=request.unlabelled, name=name,
        )
        for name, values in y
    ]  # fmt: skip
    target = targets[0] if len(y) == 1 else join_targets(targets)
    if len(y) > 1 and (request.needs_joint or not is_summed):
        check_joint_classes(target)
    if (max(one.n_classes for one in targets) if is_summed else target.n_classes) < 2:
        _warn_of_one_class()
    for one in targets:
        _warn_of_single_rows(one)
    return target, targets if is_summed else ()


@contextmanager
def _elsewhere(X: Any, y: Any, request: Request, threads: Threads) -> Iterator[Table]:
    """Open partitions of rows or chunks of columns; their modules are imported only here."""
    if y is None and request.uses_target:
        raise _no_target(request)
    _check_elsewhere(request)
    from entropick.table.executors.partitioned import PartitionedFrame, sources_of_engine
    from entropick.table.partitions import make_partitioned_table

    options = request.needs, request.rules, request.target, request.uses_target
    if is_cube(X):
        yield _with_classes(X.table(request.needs))
        return
    if stays_in_database(X):
        from entropick.table.database import database_table

        with database_table(X, y, *options[:3]) as table:
            yield _with_classes(table)
        return
    if isinstance(X, PartitionedFrame):
        yield _with_classes(make_partitioned_table(sources_of_engine(X, y), *options))
        return
    from entropick.table.executors import dask

    executor = dask.workers(threads)
    try:
        if request.n_picks is None or not dask.is_wide(X):
            yield _with_classes(make_partitioned_table(dask.sources_of_collection(X, y, executor), *options))
        else:
            from entropick.table.chunks import make_chunked_table

            y = dask.whole_target(y, executor)
            dask.check_lengths(X.shape[0], len(y))
            rules = request.rules(partial(int, X.shape[0]))
            target = encode_target(y, kind=request.target, rules=rules)
            blocks = dask.blocks_of_columns(X, executor)
            yield _with_classes(make_chunked_table(*blocks, target, rules, request.n_picks))
    except BaseException:
        executor.cancel()
        raise


def _with_classes(table: Table) -> Table:
    """Return the table; warn if its target has a single class."""
    if table.has_target and table.target.n_classes < 2:
        _warn_of_one_class()
    return table


def _check_elsewhere(request: Request) -> None:
    """Reject options that need all rows in one place."""
    if request.unlabelled == UNLABELLED:
        raise CombinationError(
            "unlabelled=-1 allows rows without a label, but every row of a partition must have one. "
            "Hint: drop the rows without a label, and leave unlabelled out."
        )
    if request.groups is not None:
        raise CombinationError(
            "feature_groups join levels of all rows in one place, but the rows are partitioned. "
            "Hint: leave feature_groups out, or join the columns beforehand."
        )


def _warn_of_one_class() -> None:
    warn_user("The target has only one class, so no column can be informative about it.")


def _warn_of_single_rows(target: Target) -> None:
    """Warn if a target of texts has almost one class per row: it looks like an identifier."""
    if target.encoding.kind != "category":
        return
    n_rows, n_classes = int(np.count_nonzero(target.is_labelled)), target.n_classes
    if n_classes > IDENTIFIER_SHARE * n_rows >= MIN_NAMES:
        warn_user(
            f"The target {target.encoding.name!r} has {n_classes} classes in {n_rows} rows, so most classes "
            "have a single row, and every column of many levels looks informative. Hint: check that it is "
            "the right column, or turn its values into numbers if that is what they are."
        )
