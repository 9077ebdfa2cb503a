"""False discoveries and recall of rules that say which columns matter, on tables whose causes are known.

    python -m benchmarks.discoveries --save benchmarks/discoveries.json

Three kinds of false columns are counted: those that are independent of y ("unrelated"), those that are
independent of y given the other columns that were kept ("explained"), and all that are no cause. A rule that
tests columns one by one can only promise the first, one that tests them given those it keeps the second.
Peers that are not installed are left out; they run on fewer tables, because they are slow.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectFdr, f_classif

import entropick as ep


class Drawn(NamedTuple):
    """A table with its target and causes; columns of different blocks are independent of each other."""

    X: pd.DataFrame
    y: np.ndarray
    causes: set[int]
    blocks: np.ndarray

    def shares(self, found: set[int]) -> tuple[float, ...]:
        """Shares of found columns that are unrelated, explained, and no cause; share of causes found."""
        causes_of = {j: {c for c in self.causes if self.blocks[c] == self.blocks[j]} for j in found}
        no_cause = found - self.causes
        explained = [j for j in no_cause if causes_of[j] <= found]
        unrelated = [j for j in no_cause if not causes_of[j]]
        n_found = max(len(found), 1)
        shares = [len(some) / n_found for some in (unrelated, explained, no_cause)]
        return *shares, len(found & self.causes) / len(self.causes)


def draw_classes(rng: np.random.Generator, signal: np.ndarray) -> np.ndarray:
    """Two classes of equal size on average, from a signal."""
    signal = (signal - signal.mean()) / signal.std()
    return (rng.random(len(signal)) < 1 / (1 + np.exp(-2 * signal))).astype(int)


def independent(rng: np.random.Generator) -> Drawn:
    """50 independent numbers, 5 of them causes, 500 rows."""
    X = rng.normal(size=(500, 50))
    return Drawn(pd.DataFrame(X), draw_classes(rng, X[:, :5].sum(axis=1)), set(range(5)), np.arange(50))


def correlated(rng: np.random.Generator) -> Drawn:
    """20 blocks of 5 numbers with r = 0.5, a cause in each of 5 blocks, 500 rows."""
    shared = np.repeat(rng.normal(size=(500, 20)), 5, axis=1)
    X = np.sqrt(0.5) * shared + np.sqrt(0.5) * rng.normal(size=(500, 100))
    y = draw_classes(rng, X[:, :25:5].sum(axis=1))
    return Drawn(pd.DataFrame(X), y, set(range(0, 25, 5)), np.arange(100) // 5)


def all_correlated(rng: np.random.Generator) -> Drawn:
    """25 numbers, each correlated with all others, 5 of them causes, 3,000 rows."""
    X = rng.normal(size=(3000, 25)) @ (np.eye(25) + 0.25 * rng.normal(size=(25, 25)))
    X /= X.std(axis=0)
    causes = rng.choice(25, 5, replace=False)
    y = draw_classes(rng, X[:, causes].sum(axis=1))
    return Drawn(pd.DataFrame(X), y, set(causes.tolist()), np.zeros(25))


def mixed(rng: np.random.Generator) -> Drawn:
    """30 numbers, 30 columns of 2 to 8 categories, a fifth of the values missing; 6 causes, 600 rows."""
    numbers = rng.normal(size=(600, 30))
    levels = np.stack([rng.integers(0, k, 600) for k in rng.integers(2, 9, 30)], axis=1)
    signal = numbers[:, :3].sum(axis=1) + (levels[:, :3] % 2 * 2 - 1).sum(axis=1)
    X = pd.DataFrame(np.where(rng.random(numbers.shape) < 0.2, np.nan, numbers))
    codes = pd.DataFrame(levels, columns=range(30, 60)).astype(object).mask(rng.random(levels.shape) < 0.2)
    return Drawn(
        pd.concat([X, codes.map(lambda v: v if v != v else f"c{v}")], axis=1),
        draw_classes(rng, signal),
        {0, 1, 2, 30, 31, 32},
        np.arange(60),
    )


def many_levels(rng: np.random.Generator) -> Drawn:
    """60 columns of 2 to 60 categories, the 4 causes of 2 to 10; 400 rows."""
    sizes = np.concatenate([[2, 4, 6, 10], rng.integers(2, 61, 56)])
    levels = np.stack([rng.integers(0, k, 400) for k in sizes], axis=1)
    y = draw_classes(rng, (levels[:, :4] >= sizes[:4] / 2).sum(axis=1).astype(float))
    return Drawn(pd.DataFrame(levels).map(lambda v: f"c{v}"), y, set(range(4)), np.arange(60))


def real_columns(rng: np.random.Generator) -> Drawn:
    """The 30 columns of breast cancer, and the same in another order of rows; 3 causes are drawn."""
    X = load_breast_cancer().data
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    causes = rng.choice(30, 3, replace=False)
    y = draw_classes(rng, X[:, causes].sum(axis=1))
    X = np.hstack([X, rng.permutation(X)])
    return Drawn(pd.DataFrame(X), y, set(causes.tolist()), np.arange(60) // 30)


def survey(rng: np.random.Generator) -> Drawn:
    """48 answers from 0 to 4, a twentieth missing; behind 6 each is a factor that is no column; 5 causes."""
    signals = 0.7 * np.repeat(rng.normal(size=(600, 8)), 6, axis=1) + 0.7 * rng.normal(size=(600, 48))
    answers = np.stack([np.digitize(column, np.sort(rng.normal(size=4))) for column in signals.T], axis=1)
    causes = answers[:, 1:30:6]
    signal = 0.7 * ((causes - causes.mean(axis=0)) / causes.std(axis=0)).sum(axis=1)
    y = np.digitize(signal + 0.8 * rng.logistic(size=600), [-1, 1])
    X = pd.DataFrame(np.where(rng.random(answers.shape) < 0.05, np.nan, answers))
    return Drawn(X, y, set(range(1, 30, 6)), np.arange(48) // 6)


DESIGNS = {
    made.__name__: made
    for made in (independent, correlated, all_correlated, mixed, many_levels, real_columns, survey)
}


def as_numbers(X: pd.DataFrame) -> np.ndarray:
    """Categories as codes, means for missing values: what peers need."""
    made = X.apply(
        lambda column: column.astype("category").cat.codes if not is_numeric_dtype(column) else column
    )
    return made.fillna(made.mean()).to_numpy(float)


def by_ours(selector: Callable[[], ep.FeatureSelector]) -> Callable[[pd.DataFrame, np.ndarray], list[int]]:
    def select(X: pd.DataFrame, y: np.ndarray) -> list[int]:
        found: list[int] = selector().fit(X.rename(columns=str), y).order_.tolist()
        return found

    return select


def by_select_fdr(X: pd.DataFrame, y: np.ndarray) -> list[int]:
    return np.flatnonzero(SelectFdr(f_classif, alpha=0.05).fit(as_numbers(X), y).get_support()).tolist()


def by_boruta(X: pd.DataFrame, y: np.ndarray) -> list[int]:
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(max_depth=5, random_state=0, n_jobs=1)
    found = BorutaPy(forest, n_estimators=100, max_iter=40, random_state=0).fit(as_numbers(X), y)
    return np.flatnonzero(found.support_).tolist()


def by_knockoffs(X: pd.DataFrame, y: np.ndarray) -> list[int]:
    """Gaussian knockoffs of hidimstat, with its lasso, at a rate of 0.1."""
    from hidimstat import ModelXKnockoff

    model = ModelXKnockoff(random_state=0)
    model.fit_importance(as_numbers(X), y)
    return np.flatnonzero(model.fdr_selection(fdr=0.1)).tolist()


RULES = {  # rule and number of tables
    "MIM, fdr 0.05": (by_ours(lambda: ep.MIM("fdr")), 200),
    "JMI, fdr 0.05": (by_ours(lambda: ep.JMI("fdr")), 200),
    "MIM, fdr 0.05 by": (by_ours(lambda: ep.MIM(ep.cuts.Fdr(method="by"))), 200),
    "MIM, knockoffs 0.1": (by_ours(lambda: ep.MIM("knockoffs")), 200),
    "JMI, knockoffs 0.1": (by_ours(lambda: ep.JMI("knockoffs")), 200),
    "MarkovBlanket": (by_ours(ep.MarkovBlanket), 200),
    "JMI, auto": (by_ours(lambda: ep.JMI("auto", random_state=0)), 20),
    "SelectFdr 0.05": (by_select_fdr, 200),
    "Boruta": (by_boruta, 20),
    "hidimstat knockoffs 0.1": (by_knockoffs, 50),
}


def measure(
    rule: Callable[[pd.DataFrame, np.ndarray], list[int]],
    design: Callable[[np.random.Generator], Drawn],
    n: int,
) -> dict[str, object]:
    """Rates of false columns with their standard errors, and recall."""
    rates = []
    for seed in range(n):
        drawn = design(np.random.default_rng([seed, len(design.__name__)]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = set(rule(drawn.X, drawn.y))
        rates.append(drawn.shares(found))
    means, errors = np.mean(rates, axis=0), np.std(rates, axis=0, ddof=1) / np.sqrt(n)
    made: dict[str, object] = {"tables": n, "recall": round(float(means[3]), 4)}
    for i, kind in enumerate(("unrelated", "explained", "no_cause")):
        made |= {kind: round(float(means[i]), 4), f"{kind}_error": round(float(errors[i]), 4)}
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", nargs="+", default=list(RULES), choices=list(RULES))
    parser.add_argument("--designs", nargs="+", default=list(DESIGNS), choices=list(DESIGNS))
    parser.add_argument("--most", type=int, default=200, help="tables per design")
    parser.add_argument("--save", type=Path, help="JSON file that results are added to")
    options = parser.parse_args()
    results = json.loads(options.save.read_text()) if options.save and options.save.exists() else {}
    for name in options.rules:
        rule, n = RULES[name]
        for design in options.designs:
            try:
                found = measure(rule, DESIGNS[design], min(n, options.most))
            except ImportError as error:
                print(f"{name}: left out, {error}")
                break
            results.setdefault(design, {})[name] = found
            print(f"{design:<13} {name:<24} {found}", flush=True)
            if options.save:
                options.save.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
