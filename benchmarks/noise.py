"""How often rules keep something of tables in which nothing is to be found.

    python -m benchmarks.noise --save benchmarks/noise.json

Rows are independent, belong to patients, or follow each other in time; the rules are given the groups, or are
told the order of time, where that is so. A shape that is stored with as many tables is not run again.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import TimeSeriesSplit

import entropick as ep

GAP = 20  # rows between those learned from and those predicted, in time


class Noise(NamedTuple):
    """Columns that have nothing to do with the target, and how rows depend on each other."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None = None
    time_order: bool = False


Shape = Callable[[np.random.Generator], Noise]


def coin(rng: np.random.Generator, n: int, share: float = 0.5) -> np.ndarray:
    """0 or 1, each at least four times."""
    y = (rng.random(n) < share).astype(int)
    y[:4], y[4:8] = 0, 1
    return rng.permutation(y)


def normal(n: int, p: int, share: float = 0.5) -> Shape:
    return lambda rng: Noise(rng.normal(size=(n, p)), coin(rng, n, share))


def with_missing(rng: np.random.Generator) -> Noise:
    X = rng.normal(size=(200, 50))
    return Noise(np.where(rng.random(X.shape) < 0.4, np.nan, X), coin(rng, 200))


def unlike_levels(rng: np.random.Generator) -> Noise:
    return Noise(np.column_stack([rng.integers(0, k, 300) for k in rng.integers(2, 121, 20)]), coin(rng, 300))


def copies(rng: np.random.Generator) -> Noise:
    X = np.repeat(rng.normal(size=(200, 20)), 10, axis=1)
    return Noise(X + 0.1 * rng.normal(size=X.shape), coin(rng, 200))


def heavy_tails(rng: np.random.Generator) -> Noise:
    return Noise(rng.standard_cauchy(size=(200, 50)), coin(rng, 200))


def whole_numbers(rng: np.random.Generator) -> Noise:
    return Noise(rng.normal(size=(200, 50)), rng.integers(0, 100, 200))


def regression(rng: np.random.Generator) -> Noise:
    return Noise(rng.normal(size=(400, 50)), rng.normal(size=400))


def sparse(n: int) -> Shape:
    return lambda rng: Noise((rng.random((n, 200)) < 0.02).astype(int), coin(rng, n))


def patients(n_patients: int, n_each: int, effect: float = 1.0) -> Shape:
    """Columns and classes of patients; rows of a patient are alike."""

    def draw(rng: np.random.Generator) -> Noise:
        groups = np.repeat(np.arange(n_patients), n_each)
        own = effect * rng.normal(size=(n_patients, 40))[groups]
        return Noise(
            own + 0.5 * rng.normal(size=own.shape), (rng.permutation(n_patients) % 2)[groups], groups
        )

    return draw


def series(phi: float, is_class: bool, n_columns: int = 10) -> Shape:
    """Columns and target follow themselves: each value is phi times the last one, and something new."""

    def draw(rng: np.random.Generator) -> Noise:
        values = rng.normal(size=(400, n_columns + 1))
        values[0] /= np.sqrt(1 - phi**2)
        for i in range(1, len(values)):
            values[i] += phi * values[i - 1]
        y = values[:, 0]
        return Noise(values[:, 1:], (y > np.median(y)).astype(int) if is_class else y, time_order=True)

    return draw


SHAPES: dict[str, Shape] = {
    "200 x 50": normal(200, 50),
    "200 x 50, classes 95 : 5": normal(200, 50, 0.05),
    "40 x 30": normal(40, 30),
    "40 x 1,000": normal(40, 1000),
    "2,500 x 50": normal(2500, 50),
    "40 % missing": with_missing,
    "2 to 120 levels, 300 x 20": unlike_levels,
    "ten copies of each of 20 columns": copies,
    "Cauchy": heavy_tails,
    "y of 100 whole numbers": whole_numbers,
    "real y, 400 x 50": regression,
    "sparse 0/1 (2 %), 300 x 200": sparse(300),
    "sparse 0/1 (2 %), 600 x 200": sparse(600),
    "30 patients x 10 rows": patients(30, 10),
    "30 patients x 10 rows, weak effect": patients(30, 10, 0.3),
    "100 patients x 3 rows": patients(100, 3),
    "series 0.95, real y": series(0.95, False),
    "series 0.95, classes": series(0.95, True),
    "series 0.98, real y": series(0.98, False),
    "series 0.98, classes": series(0.98, True),
    "series 0.98, real y, 40 columns": series(0.98, False, 40),
}


def auto(noise: Noise, seed: int) -> int:
    cut = ep.cuts.HeldOut(cv=TimeSeriesSplit(5, gap=GAP)) if noise.time_order else "auto"
    return int(ep.JMI(cut, random_state=seed).fit(noise.X, noise.y, groups=noise.groups).n_features_)


def permutation(noise: Noise, seed: int) -> int:
    cut = ep.cuts.Permutation(time_order=noise.time_order)
    return int(ep.JMI(cut, random_state=seed).fit(noise.X, noise.y, groups=noise.groups).n_features_)


def stability(noise: Noise, seed: int) -> int:
    selector = ep.StabilitySelector(time_order=noise.time_order, random_state=seed)
    return int(selector.fit(noise.X, noise.y, groups=noise.groups).n_features_)


def compare(noise: Noise, seed: int) -> int:
    fast = {"methods": ["jmi"], "estimators": ["bayes" if len(set(noise.y)) == 2 else "ridge", "neighbors"]}
    cv = TimeSeriesSplit(5, gap=GAP) if noise.time_order else None
    found = ep.compare(noise.X, noise.y, groups=noise.groups, cv=cv, random_state=seed, **fast)
    return found.recommendation.n_features


RULES = {"auto": auto, "permutation": permutation, "stability": stability, "compare": compare}


def count(name: str, rule: str, n_tables: int) -> dict[str, float]:
    """Tables of which something was kept, and the columns kept per table."""
    kept = []
    for seed in range(n_tables):
        rng = np.random.default_rng([seed, sum(name.encode())])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept.append(RULES[rule](SHAPES[name](rng), seed))
    return {
        "tables": n_tables,
        "kept_something": sum(n > 0 for n in kept),
        "columns": round(float(np.mean(kept)), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="How often rules keep noise.")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES))
    parser.add_argument("--rules", nargs="*", default=["auto", "permutation", "stability"])
    parser.add_argument("--save", type=Path)
    given = parser.parse_args()
    stored = json.loads(given.save.read_text()) if given.save and given.save.exists() else {}
    for name in given.shapes:
        for rule in given.rules:
            known = stored.setdefault(name, {}).get(rule)
            if known is None or known["tables"] < given.tables:
                stored[name][rule] = count(name, rule, given.tables)
                if given.save:
                    given.save.write_text(json.dumps(stored, indent=1) + "\n")
            print(f"{name:<38} {rule:<12} {stored[name][rule]}", flush=True)


if __name__ == "__main__":
    main()
