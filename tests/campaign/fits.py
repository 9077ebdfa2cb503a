"""Every selector on random tables in every container: a result, or one clear sentence.

    python -m campaign.fits --cases 10000     (with tests/ on the path)
    python -m campaign.fits --only 4711       one case again, with its traceback

`make sanitize` runs it with a core that stops at the first wrong memory access.
"""

import argparse
import contextlib
import re
import sys
import time
import traceback
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse
from sklearn.base import clone

from campaign.invariants import BrokenPromiseError, Outcome, check
from campaign.twins import check_picks, twin_of
from entropick import FeatureSelector
from entropick.registry import CUTS, MEASURES, SEARCHES
from entropick.selectors.catalog import METHODS, set_known_params
from unlike_columns import unlike_columns

REFUSALS = (ValueError, TypeError, MemoryError)
SLOWEST = 60  # seconds of processor time a case may take, which a busy machine does not add to
QUICK = {
    "n_evaluations": 60, "population_size": 10, "n_samples": 20, "max_rounds": 4, "n_particles": 4, "n_rounds": 2,
    "max_time": 5, "n_permutations": 20, "n_repeats": 2,
}  # fmt: skip
HAVE_TWINS = [name for name in MEASURES if twin_of(name, [], []) is not None]
TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
EXTREMES = [0.0, -0.0, 1e-323, 1e-310, 1e200, -1e200, 1e308, -1e308, 2.0**53, 2.0**63]
TEXTS = ["", "a", "b", "ü" * 20, "x\0y", "nan", "0", "1.5", "a" * 13, "\U0001f600", "é", "é"]


def column(rng, n):
    """Values of one kind, as a list."""
    kind = rng.integers(9)
    if kind == 0:
        return rng.normal(size=n).tolist()
    if kind == 1:
        return rng.integers(0, rng.choice([1, 2, 5, 300, 5000]), n).tolist()
    if kind == 2:
        return rng.choice(EXTREMES, n).tolist()
    if kind == 3:
        return np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n).round(1)).tolist()
    if kind == 4:
        return [bool(v) for v in rng.integers(0, 2, n)]
    if kind == 5:
        return [str(v) for v in rng.choice(TEXTS, n)]
    if kind == 6:
        return [None if rng.random() < 0.2 else str(v) for v in rng.integers(0, 40, n)]
    if kind == 7:
        return np.array(rng.integers(-(10**15), 10**15, n), "datetime64[us]").tolist()
    return [int(v) for v in rng.integers(-(2**62), 2**62, n)]


def array(rng, n, d):
    """Numbers of any type, in any layout."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = rng.choice(
            [rng.normal(size=(n, d)) * 5, rng.integers(0, 4, (n, d)), rng.choice(EXTREMES, (n, d))]
        )
        X = values.astype(rng.choice(TYPES))
    layout = rng.integers(4)
    if layout == 0:
        return np.asfortranarray(X)
    if layout == 1:
        return np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::-2]
    return X.astype(X.dtype.newbyteorder()) if layout == 2 else X


def texts(columns):
    """Codes as a table of texts."""
    return pl.DataFrame({f"c{j}": [f"level {code}" for code in codes] for j, codes in enumerate(columns)})


def table(rng):
    n, d = int(rng.choice([1, 2, 3, 7, 30, 90])), int(rng.integers(1, 9))
    container = rng.integers(8)
    if container == 0:
        return array(rng, n, d)
    if container == 1:
        form = str(rng.choice(["csr", "csc", "coo", "bsr", "lil"]))
        matrix = scipy.sparse.random_array((n, d), density=0.3, rng=rng, format=form)
        return damaged_sparse(matrix, rng) if rng.random() < 0.5 else matrix
    if container == 7:
        return texts(unlike_columns(rng, int(rng.choice([30, 90, 900])), d))
    columns = {f"c{j}": column(rng, n) for j in range(d)}
    if container == 2:
        return np.array([list(row) for row in zip(*columns.values(), strict=True)], dtype=object)
    frame = pd.DataFrame(columns)
    if container == 3:
        names = [name for name in frame if rng.random() < 0.3]
        return frame.astype(dict.fromkeys(names, "category"))
    if container == 4:
        return frame.convert_dtypes()
    polars = pl.DataFrame(columns, strict=False)
    if container == 5:
        return polars if rng.random() < 0.7 else polars.lazy()
    return polars.to_arrow()


def damaged_sparse(matrix, rng):
    """Some numbers of its parts replaced, parts cut or made of another type."""
    names = {"coo": ["data", "row", "col"], "lil": ["data", "rows"]}.get(
        matrix.format, ["data", "indices", "indptr"]
    )
    for _ in range(int(rng.choice([1, 1, 2, 4]))):
        name = str(rng.choice(names))
        part = getattr(matrix, name).copy()
        kind = rng.integers(6)
        if kind < 3 and part.size and part.dtype != object:
            part[rng.integers(len(part))] = rng.choice([-1, 0, 1, 5, 99, 2**31 - 1, -(2**31)])
        elif kind == 3:
            part = part[: rng.integers(len(part) + 1)]
        elif kind == 4:
            part = part[::-1].copy()
        elif part.dtype == object and len(part):
            part[0] = [*part[0], int(rng.choice([-1, 0, 7, 10**6]))]
        elif kind == 5:
            part = part.astype(np.float64) if part.dtype != object else part
        with contextlib.suppress(Exception):  # scipy refuses some of it
            setattr(matrix, name, part)
    return matrix


def target(rng, n):
    kind = rng.integers(7)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return rng.choice(EXTREMES, n)
    if kind == 2:
        return np.array([str(v) for v in rng.integers(0, 3, n)])
    if kind == 3:
        return pl.Series([None if rng.random() < 0.1 else int(v) for v in rng.integers(-1, 3, n)])
    if kind == 4:
        return pd.Series(rng.integers(0, 3, n)).astype("category")
    return rng.integers(0, rng.choice([1, 2, 3, 30]), n)


def rows_of(X):
    return len(X.lazy().collect()) if isinstance(X, pl.DataFrame | pl.LazyFrame) else X.shape[0]


def run(number, folder):
    """A case of the campaign: a selector, any parts together, or a measure that has a naive twin."""
    if number % 5 == 4:
        return compare_with_naive(number)
    return (fit_parts if number % 5 in (1, 3) else fit_selector)(number)


def fit_selector(number):
    try:
        fit_one(number)
    except BrokenPromiseError:
        raise
    except Exception as error:
        return check(Outcome(error=error))
    return "fine"


def fit_parts(number):
    """A measure, a search that fits it more often than not, and a cut."""
    rng = np.random.default_rng([number, 21])
    X = table(rng)
    y = target(rng, rows_of(X)) if rng.random() < 0.9 else None
    measure = set_known_params(MEASURES[str(rng.choice(list(MEASURES)))](), **QUICK)
    names = [
        name for name, made in SEARCHES.items() if measure.kinds & set(made.kinds) or rng.random() < 0.05
    ]
    search = set_known_params(SEARCHES[str(rng.choice(names))](), **QUICK)
    cut = set_known_params(CUTS[str(rng.choice(list(CUTS)))](), **QUICK)
    selector = FeatureSelector(measure, search, cut, random_state=0, n_bins=int(rng.choice([2, 5, 10])))
    try:
        selector.fit(X, y)
        selector.transform(X)
    except Exception as error:
        return check(Outcome(error=error))
    check_result(selector)
    if selector.selection_.complete and rng.random() < 0.3:
        check_threads(selector, X, y)
    return "fine"


def check_result(selector):
    """Nothing twice, nothing without a score, and all attributes say the same."""
    order = selector.order_
    if len(set(order.tolist())) < len(order) or set(order) != set(np.flatnonzero(selector.get_support())):
        raise BrokenPromiseError(f"order_ {order} and the support {selector.get_support()} differ")
    if np.isnan(selector.scores_[order]).any():
        raise BrokenPromiseError("a selected column has no score")


def check_threads(selector, X, y):
    """The same bits with two threads."""
    again = clone(selector).set_params(n_jobs=2).fit(X, y)
    for name in ("order_", "scores_", "ranking_"):
        if getattr(again, name).tobytes() != getattr(selector, name).tobytes():
            raise BrokenPromiseError(
                f"{name} differs with two threads: {getattr(again, name)}, {getattr(selector, name)}"
            )


def compare_with_naive(number):
    """Each pick has the naive score, and no other column has more."""
    rng = np.random.default_rng([number, 22])
    n, d = int(rng.choice([2, 9, 40, 120])), int(rng.integers(1, 7))
    X = np.column_stack(unlike_columns(rng, n, d))
    y = np.where(rng.random(n) < 0.4, X[:, 0] % 9, rng.integers(0, 3, n))
    name = str(rng.choice(HAVE_TWINS))
    measure = set_known_params(MEASURES[name](), correction=None)
    selection = FeatureSelector(measure, cut=d, n_bins=200, target="class").fit(X, y).selection_
    check_picks(name, selection.steps, [column.tolist() for column in X.T], y.tolist())
    return "fine"


def fit_one(number):
    """Fit and transform; the refusal where there is one."""
    rng = np.random.default_rng([number, 20])
    X = table(rng)
    y = target(rng, rows_of(X))
    name = str(rng.choice(list(METHODS)))
    selector = set_known_params(METHODS[name](), random_state=0, **QUICK)
    given = selector.get_params(deep=False)
    for parameter, choices in {
        "n_features": [None, 1, 3, 0.5, "auto"], "n_bins": [2, 3, 10, 200], "binning": ["quantile", "uniform", "mdlp"],
        "missing": ["level", "error"], "target": ["auto", "class", "real"], "n_jobs": [None, 2],
    }.items():  # fmt: skip
        if parameter in given and rng.random() < 0.5:
            selector.set_params(**{parameter: choices[rng.integers(len(choices))]})
    selector.fit(X, y)
    selector.transform(X)
    check_result(selector)
    return name


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="one case")
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    wrong, refused, fitted = [], Counter(), 0
    numbers = range(args.first, args.first + args.cases) if args.only is None else [args.only]
    start = time.monotonic()
    for number in numbers:
        began = time.process_time()
        refusal = None
        try:
            name = fit_one(number)
        except REFUSALS as error:
            name, refusal = "a refusal", f"{type(error).__name__}: {error}"
        except Exception as error:
            wrong.append(f"{number}: {type(error).__name__}: {str(error)[:200]}")
            if args.only is not None:
                traceback.print_exc()
            continue
        if time.process_time() - began > SLOWEST:
            wrong.append(f"{number}: {name} took {time.process_time() - began:.0f} s")
        refused[re.sub(r"'[^']*'|\d+", "…", refusal or "")] += refusal is not None
        fitted += refusal is None
        if number % 1000 == 999:
            print(f"{number + 1} cases, {time.monotonic() - start:.0f} s, {len(wrong)} wrong", flush=True)
    for sentence, times in refused.most_common(40 if args.only is None else 1):
        if times:
            print(f"{times:6}  {sentence[:170]}")
    print(
        f"{len(numbers)} cases: {fitted} fitted, {len(numbers) - fitted - len(wrong)} refused, {len(wrong)} wrong"
    )
    print("\n".join(wrong[:50]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
