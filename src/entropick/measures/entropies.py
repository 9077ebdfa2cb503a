"""Entropies of arrays of categories, in bits."""

import math
from typing import Any

import numpy as np

from entropick._base.logarithms import exp2, log2, plogp, power
from entropick._base.threads import Threads
from entropick.contracts import Need
from entropick.counting.posterior import DOMAINS, domain_share, log2_between, posterior_entropy
from entropick.counting.surprisal import CORRECTIONS, Chance, order_of
from entropick.exceptions import DataError
from entropick.table import ColumnEncoding, Target
from entropick.table.codes import joint_levels
from entropick.table.memory import make_table
from entropick.table.numeric.coordinates import SCALINGS
from entropick.table.readers.inputs import open_input


def entropy(X: Any, alpha: float = 1, *, correction: str | None = None) -> float:
    """Rényi entropy of order α of one column or of several jointly.

    Parameters
    ----------
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories; numbers with a fractional part are rejected.
    alpha : float in [0, inf], default=1
        1 is Shannon's entropy, inf min-entropy, 0 Hartley's: log2 of the number of values.
    correction : None or "miller_madow", default=None
        Bias correction, for alpha=1 only.

    Returns
    -------
    entropy : float
        In bits.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.entropy(["a", "b", "a", "b"])
    1.0
    >>> ep.entropy([[0, 0], [0, 1], [1, 0], [1, 1]])
    2.0
    """
    alpha = _checked_order(alpha, correction)
    counts = np.bincount(_levels(X, "X"))
    p = counts[counts > 0] / counts.sum()
    if alpha == 1:
        return abs(float(plogp(p).sum())) + _miller_madow(correction, len(p), counts.sum())
    if alpha == math.inf:
        return abs(float(-log2(p.max())))
    if alpha == 0:
        return float(log2(len(p)))
    peak = p.max()
    power_sum = log2(power(p / peak, alpha).sum()) + alpha * log2(peak)
    return abs(float(power_sum) / (1 - alpha))


def conditional_entropy(y: Any, X: Any, alpha: float = 1, *, correction: str | None = None) -> float:
    """Conditional entropy H_α(y|X) of order α (Arimoto's; Shannon's for α=1).

    For α = ∞ it is −log2 of the share of rows that the best guess of y from X gets right, for α = 0 log2 of
    the largest number of values of y that occur with one value of X.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, n_columns)
        Values treated as categories.
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories, jointly.
    alpha : float in [0, inf], default=1
    correction : None or "miller_madow", default=None
        Bias correction, for alpha=1 only.

    Returns
    -------
    entropy : float
        In bits.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.conditional_entropy([0, 1, 1, 1], ["a", "a", "b", "b"])
    0.5
    """
    alpha = _checked_order(alpha, correction)
    groups, labels = _levels(X, "X"), _levels(y, "y")
    _check_lengths(X=groups, y=labels)
    cells, joint = np.unique(np.stack([groups, labels]), axis=1, return_counts=True)
    n, sizes = len(labels), np.bincount(groups)
    if alpha == 1:
        value = float(-(joint * log2(joint / sizes[cells[0]])).sum() / n)
        extra = _miller_madow(correction, len(joint), n) - _miller_madow(correction, len(sizes), n)
        return abs(value) + extra
    if alpha == 0:
        return float(log2(np.bincount(cells[0]).max()))
    peaks = _peaks(cells[0], joint)
    if alpha == math.inf:
        return abs(float(-log2(peaks.sum() / n)))
    sums = np.bincount(cells[0], weights=power(joint / peaks[cells[0]], alpha))
    log_norms = log2(peaks) + log2(sums) / alpha
    top = log_norms.max()
    total = top + log2(exp2(log_norms - top).sum())
    return abs(float(alpha / (1 - alpha) * (total - log2(n))))


def mutual_information(
    X: Any, y: Any, given: Any = None, alpha: float = 1, *, correction: str | None = None
) -> float:
    """Mutual information I(X;y), or I(X;y|given): by how much the entropy of y falls if X is known.

    Parameters
    ----------
    X, y : array-like of shape (n_samples,) or (n_samples, n_columns)
        Values treated as categories, several columns jointly.
    given : array-like of the same length or None, default=None
        What is known already.
    alpha : float in [0, inf], default=1
        Order of the entropy of y, see `conditional_entropy`. Only Shannon's information (1) is the same with
        X and y exchanged; with inf, 2^I is how many times as often the best guess is right if X is known.
    correction : None, "miller_madow" or "adjusted", default=None
        Bias correction; the result may then be negative. "adjusted" subtracts what is expected by chance if
        the values of y are shuffled over the rows, so columns that know nothing of y score 0 on average,
        whatever their number of levels. With `given` they are shuffled among rows that are equal there.
        For alpha=1 only.

    Returns
    -------
    information : float
        In bits.

    Examples
    --------
    >>> import entropick as ep
    >>> a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    >>> ep.mutual_information(a, [0, 1, 1, 0])
    0.0
    >>> ep.mutual_information(a, [0, 1, 1, 0], given=b)
    1.0
    >>> round(ep.mutual_information(list("aaaabbbbcccc"), [0] * 6 + [1] * 6, correction="adjusted"), 4)
    0.5146
    """
    if correction not in (None, *CORRECTIONS):
        raise ValueError(f"correction must be None or one of {CORRECTIONS}, got {correction!r}.")
    of_entropies = None if correction == "adjusted" else correction
    alpha = _checked_order(alpha, correction and "miller_madow")
    x, labels = _levels(X, "X"), _levels(y, "y")
    _check_lengths(X=x, y=labels)
    z = np.zeros_like(x) if given is None else _levels(given, "given")
    _check_lengths(X=x, given=z)
    joint = np.stack([x, z], axis=1)
    known = conditional_entropy(labels, z, alpha, correction=of_entropies)
    information = known - conditional_entropy(labels, joint, alpha, correction=of_entropies)
    if correction == "adjusted":
        return float(information - _expected_by_chance(x, labels, z) / len(labels))
    return information if correction else max(0.0, information)


def _expected_by_chance(x: np.ndarray, labels: np.ndarray, z: np.ndarray) -> float:
    """n·E[I(x;labels|z)] if labels are shuffled among rows with the same z."""
    total = 0.0
    for level in range(int(z.max()) + 1):
        rows = z == level
        total += Chance(np.bincount(labels[rows])).expected(np.bincount(x[rows])).sum()
    return total


def bayes_risk(y: Any, X: Any) -> float:
    """Share of rows that the best rule from X to y gets wrong: each value of X predicts its most frequent y.

    It is that of the rows at hand. If many values of X occur once, it is far below the error on other rows;
    `held_out_risk` estimates that one.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, n_columns)
        Values treated as categories.
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories, jointly.

    Returns
    -------
    risk : float in [0, 1)
        1 − 2^(−H), with H the `conditional_entropy` of order infinity.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.bayes_risk([0, 0, 1, 1], ["a", "a", "a", "b"])
    0.25
    """
    groups, labels = _levels(X, "X"), _levels(y, "y")
    _check_lengths(X=groups, y=labels)
    cells, joint = np.unique(np.stack([groups, labels]), axis=1, return_counts=True)
    return float((len(labels) - _peaks(cells[0], joint).sum()) / len(labels))


def fano_bound(y: Any, X: Any) -> float:
    """Fano's lower bound of the error of every rule that predicts y from X.

    It is the smallest share e of wrong predictions with h(e) + e·log2(k − 1) ≥ H(y|X), where y has k values
    and h is the entropy of a coin that shows heads with probability e. The `bayes_risk` is never below it.

    Parameters
    ----------
    y : array-like of shape (n_samples,) or (n_samples, n_columns)
        Values treated as categories.
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories, jointly.

    Returns
    -------
    bound : float in [0, 1)

    Examples
    --------
    >>> import entropick as ep
    >>> round(ep.fano_bound([0, 0, 1, 1], ["a", "a", "a", "b"]), 4)
    0.184
    """
    unknown = conditional_entropy(y, X)
    n_values = int(_levels(y, "y").max()) + 1
    if unknown == 0:
        return 0.0
    low, high = 0.0, 1 - 1 / n_values  # where the left side has its maximum, log2 k
    while low < (middle := (low + high) / 2) < high:
        coin = -float(plogp([middle, 1 - middle]).sum())
        if coin + middle * float(log2(max(n_values - 1, 1))) < unknown:
            low = middle
        else:
            high = middle
    return low


def bayesian_entropy(X: Any, alpha: float = 1.0, domain: str | float = "dependent") -> float:
    """Bayesian entropy of one column or of several jointly: frequencies (α + count) / (α|Ω| + n).

    Parameters
    ----------
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories; numbers with a fractional part are rejected.
    alpha : float, default=1.0
        Prior count of each value of the domain Ω; 0 gives Shannon's entropy.
    domain : {"dependent", "independent"} or float in [0, 1], default="dependent"
        Ω holds the joint values that occur, or all combinations of the columns' own values. With a number w
        in between, |Ω| = occurring^(1−w) · combinations^w.

    Returns
    -------
    entropy : float
        In bits.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.bayesian_entropy([0, 0, 0, 1], alpha=0) < ep.bayesian_entropy([0, 0, 0, 1], alpha=1)
    True
    """
    _check_prior(alpha, domain)
    columns = _level_columns(X, "X")
    levels, _ = joint_levels(columns, len(columns[0]))
    return _posterior_bits(levels, alpha, _log2_domain(columns), domain)


def bayesian_conditional_entropy(
    y: Any, X: Any, alpha: float = 1.0, domain: str | float = "dependent"
) -> float:
    """Bayesian conditional entropy H_B(y|X) = H_B(X, y) − H_B(X), each with its own domain.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Values treated as categories.
    X : array-like of shape (n_samples,) or (n_samples, n_columns), or dataframe
        Values treated as categories, jointly.
    alpha : float, default=1.0
        Prior count of each value of the domain; 0 gives Shannon's entropy.
    domain : {"dependent", "independent"} or float in [0, 1], default="dependent"
        Which joint values are possible: those that occur, all combinations, or a number in between.

    Returns
    -------
    entropy : float
        In bits.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.bayesian_conditional_entropy([0, 0, 1, 1], ["a", "a", "b", "b"])
    0.0
    >>> ep.bayesian_conditional_entropy([0, 0, 1, 1], ["a", "a", "b", "b"], domain="independent") > 0
    True
    """
    _check_prior(alpha, domain)
    columns, labels = _level_columns(X, "X"), _levels(y, "y")
    _check_lengths(X=columns[0], y=labels)
    levels, _ = joint_levels(columns, len(labels))
    both, _ = joint_levels([levels, labels], len(labels))
    possible = _log2_domain(columns)
    of_both = _posterior_bits(both, alpha, possible + _log2_domain([labels]), domain)
    return of_both - _posterior_bits(levels, alpha, possible, domain)


def neighborhood_entropy(
    y: Any,
    X: Any,
    n_neighbors: int = 4,
    random_state: Any = None,
    *,
    every_row: bool = False,
    scaling: str | None = "range",
    metric: str = "l1",
    ties: str = "random",
) -> float:
    """Mean class entropy of a row and its nearest rows, in bits.

    Neighbours are exact. Rows are visited in random order, and rows already seen as a neighbour are skipped,
    unless `every_row` is set.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Values treated as categories.
    X : array-like of shape (n_samples, n_columns) or (n_samples,), or dataframe
        Coordinates: numbers, categories (which differ by 0 or 1), missing values.
    n_neighbors : int, default=4
        At most the number of rows minus one is used.
    random_state : int, RandomState instance or None, default=None
    every_row : bool, default=False
        Whether every row counts; the result then depends on chance only if distances tie.
    scaling : {"range", "std", "rank"} or None, default="range"
        How numeric columns are scaled; None leaves them as they are.
    metric : {"l1", "l2"}, default="l1"
        Distance between rows.
    ties : {"random", "order"}, default="random"
        Which of equally near rows are neighbours: random ones, or the first in the order of the rows.

    Returns
    -------
    entropy : float
        In bits; near 0 if near rows share a class, near H(y) if X is uninformative.

    Examples
    --------
    >>> import entropick as ep
    >>> ep.neighborhood_entropy([0, 0, 0, 1, 1, 1], [1, 2, 3, 11, 12, 13], n_neighbors=2)
    0.0
    """
    from entropick.measures.neighbors.neighborhood import NeighborhoodEntropy

    X = _two_dimensional(X)
    if n_neighbors < 1 or int(n_neighbors) != n_neighbors:
        raise ValueError(f"n_neighbors must be a whole number of at least 1, got {n_neighbors}.")
    for name, value, possible in (
        ("scaling", scaling, (*SCALINGS, None)),
        ("metric", metric, ("l1", "l2")),
        ("ties", ties, ("random", "order")),
    ):
        if value not in possible:
            raise ValueError(f"{name} must be one of {', '.join(map(str, possible))}, got {value!r}.")
    labels = _levels(y, "y").astype(np.int32)
    target = Target(labels, ColumnEncoding("y", "category", int(labels.max()) + 1))
    as_one = [range(X.shape[1] if hasattr(X, "shape") else np.shape(X)[1])]
    table = make_table(X, target, frozenset({Need.DISTANCES}), scaling=scaling, groups=as_one)
    _check_lengths(X=table.coordinates.values[0], y=labels)
    options = {"metric": metric, "ties": ties, "every_row": every_row, "random_state": random_state}
    measure = NeighborhoodEntropy(n_neighbors, "exact", per_subset=True, **options)
    return float(measure.begin_sets(table, Threads(1)).values(np.ones((1, 1), dtype=bool))[0, 0])


def _peaks(groups: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """The largest count of each group, from all counts and the group of each."""
    peaks = np.zeros(int(groups.max()) + 1, np.int64)
    np.maximum.at(peaks, groups, joint)
    return peaks


def _levels(X: Any, name: str) -> np.ndarray:
    """Joint level of each row."""
    columns = _level_columns(X, name)
    return joint_levels(columns, len(columns[0]))[0]


def _level_columns(X: Any, name: str) -> list[np.ndarray]:
    """Level of each row in each column; reject numbers with fractions."""
    source = open_input(_two_dimensional(X), exact=True)
    if source.n_rows == 0 or not source.names:
        raise DataError(f"{name} has no {'rows' if source.n_rows == 0 else 'columns'}.")
    columns = []
    for j, column in enumerate(source.names):
        if source.kinds[j] == "category":
            codes, _ = source.category(j)
            columns.append(codes + 1)
            continue
        values = source.numeric([j])[0][1][0]
        if values.dtype.kind == "f" and np.any(np.isfinite(values) & (values != np.round(values))):
            raise DataError(
                f"Column {column!r} of {name} holds numbers with a fractional part, which are not "
                "categories. Hint: bin them first, or let a selector do it."
            )
        columns.append(np.unique(values, return_inverse=True)[1])
    return columns


def _two_dimensional(X: Any) -> Any:
    if not hasattr(X, "columns") and np.ndim(X) == 1:
        return np.asarray(X, dtype=None if hasattr(X, "dtype") else object)[:, None]
    return X


def _log2_domain(columns: list[np.ndarray]) -> float:
    """log2 of the number of combinations of the columns' own values."""
    return sum(float(log2(len(np.unique(column)))) for column in columns)


def _posterior_bits(levels: np.ndarray, alpha: float, log2_all: float, domain: str | float) -> float:
    counts = np.bincount(levels)
    weighted = counts[counts > 0] + alpha
    weights, share = plogp(weighted).sum(), domain_share(domain)
    log2_domain = log2_between(len(weighted), log2_all, share) if share else None
    bits = posterior_entropy(weights, len(weighted), log2_domain, alpha, len(levels))
    return float(bits) + 0.0  # no -0.0


def _check_prior(alpha: float, domain: str | float) -> None:
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha must be at least 0 and finite, got {alpha}.")
    if domain not in DOMAINS if isinstance(domain, str) else not 0 <= domain <= 1:
        names = ", ".join(DOMAINS)
        raise ValueError(f"domain must be one of {names}, or a number in [0, 1], got {domain!r}.")


def _check_lengths(**arrays: np.ndarray) -> None:
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise DataError(f"All arguments must have the same number of rows, but {found}.")


def _checked_order(alpha: float, correction: str | None) -> float:
    """The order to compute with."""
    if not alpha >= 0:
        raise ValueError(f"alpha must be at least 0 (inf included), got {alpha}.")
    if correction not in (None, "miller_madow"):
        raise ValueError(f'correction must be None or "miller_madow", got {correction!r}.')
    if correction and alpha != 1:
        raise ValueError(f"The correction applies only to Shannon entropy (alpha=1), got alpha={alpha}.")
    return order_of(alpha)


def _miller_madow(correction: str | None, n_cells: int, n_rows: int) -> float:
    return (n_cells - 1) / (2 * n_rows * math.log(2)) if correction else 0.0
