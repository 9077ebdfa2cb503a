"""Selection from rows that come in batches: their counts add up, and no row has to be kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from entropick import registry
from entropick._base.compat import Method
from entropick.contracts import Need
from entropick.exceptions import DataError
from entropick.table.open import is_elsewhere, stays_in_database
from entropick.table.readers.inputs import as_frame, is_frame, is_lazy, plain_array

if TYPE_CHECKING:
    from entropick.selectors.method import PartsSelector
    from entropick.table.cube import Cube
    from entropick.table.sketches import Sketches


def if_pairs_are_enough(method: Method) -> Method:
    """Offer a method only where counts of pairs of columns are all that the parts need."""
    offered: Method = available_if(_counts_pairs)(method)
    return offered


def _counts_pairs(selector: "PartsSelector") -> bool:
    measure, search, cut = selector._parts()
    if selector._is_auto() and not search.explores:
        cut = registry.CUTS[registry.FROM_COUNTS]()
    for part in (measure, cut):
        beyond = part.needs - {Need.COUNTS}
        if beyond:
            raise AttributeError(
                f"{type(part).__name__} needs {' and '.join(sorted(beyond))}, but batches of rows leave "
                "only counts of pairs of columns. Hint: fit all rows at once, or use a criterion over pairs, "
                "such as JMI."
            )
    return True


def count_batch(
    selector: "PartsSelector",
    X: Any,
    y: Any,
    classes: Sequence[Any] | None,
    edges: "Cube | Sketches | None",
) -> "Cube":
    """The counts of a batch and of all before it."""
    from entropick.table.cube import Cube

    before: Cube | None = getattr(selector, "cube_", None)
    if stays_in_database(X) or is_elsewhere(X):
        raise DataError("A batch must be a table in memory. Hint: fit takes tables that are elsewhere.")
    X = X.collect() if is_lazy(X) else X
    X, y = selector._named_parts(X, y)
    if y is None:
        raise ValueError(f"{type(selector).__name__} requires y to be passed, but the target y is None.")
    if before is None:
        X = selector._check_table(X)
        options = {name: getattr(selector, name) for name in ("n_bins", "binning", "missing", "target")}
        return Cube.count(X, y, edges=edges, classes=classes, **options)
    if is_frame(X):
        as_frame(X)  # rejects names that occur twice
        validate_data(selector, X, skip_check_array=True, reset=False)
    else:
        X = plain_array(X) if isinstance(X, list | tuple) else X
        X = validate_data(selector, X, accept_sparse=True, dtype=None, ensure_all_finite=False, reset=False)
    return before.merge(Cube.count(X, y, edges=before))
