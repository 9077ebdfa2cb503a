"""The stop rule from counts alone, `gain`, beside held-out rows: columns kept, and scores on test rows.

    python -m benchmarks.stop_rules --wheels folder --half judge --save benchmarks/stop_rules.json

The tables are those of `reproduction/unseen_tables.toml`, in wheels of PyPI that are downloaded into the
folder, and any `.npz` files with X and y in `--arrays`. The half of a table follows from the hash of its
name; the constants of the rule were chosen on "choose". JMI selects on at most 400 rows; a linear model,
nearest neighbours and a forest are scored on others by accuracy, balanced accuracy or R².
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import entropick as ep
from reproduction.unseen.protocol import make_task
from reproduction.unseen_tables import CHOOSE, JUDGE, TABLES, half_of, read_table

RULES = ("auto", "gain")
FEW_VALUES = 20  # a target of floats with more values than this is real


def tables(
    wheels: Path, arrays: Path | None, half: str
) -> Iterator[tuple[str, pd.DataFrame, np.ndarray, bool]]:
    """Names, columns and targets of tables, and whether targets are real."""
    for name, source in TABLES.items():
        if half_of(name) == half:
            yield name, *read_table(name, wheels, download=True), source.real
    for path in sorted(arrays.glob("*.npz")) if arrays is not None else ():
        file = np.load(path, allow_pickle=True)
        if half_of(path.stem) != half or not {"X", "y"} <= set(file):
            continue
        X, y = pd.DataFrame(file["X"]).add_prefix("x"), file["y"]
        real = y.dtype.kind == "f" and len(np.unique(y)) > FEW_VALUES
        y = y.astype(np.float64) if real else np.unique(y.astype(str), return_inverse=True)[1]
        order = np.random.default_rng(0).permutation(len(y))
        yield path.stem, X.iloc[order].reset_index(drop=True), y[order], real


def measure(X: pd.DataFrame, y: np.ndarray, real: bool) -> dict[str, object]:
    """Columns that each rule keeps of a table, and their score."""
    task = make_task(X, y, real, split=0)
    frame, labels = task.frame.iloc[task.train], task.y[task.train]
    found: dict[str, object] = {"rows": len(labels), "columns": X.shape[1]}
    for rule in RULES:
        kept = ep.JMI(rule, target="class" if task.is_class else "auto").fit(frame, labels).order_.tolist()
        found[rule] = {"kept": len(kept), "score": round(float(np.mean(task.scores(kept))), 4)}
    return found


def summary(results: list[dict]) -> str:
    lost = np.array([one["auto"]["score"] - one["gain"]["score"] for one in results])
    kept = {rule: np.mean([one[rule]["kept"] for one in results]) for rule in RULES}
    error = lost.std(ddof=1) / np.sqrt(len(lost)) if len(lost) > 1 else np.nan
    return (
        f"{len(lost)} tables: gain is {lost.mean():.4f} ± {error:.4f} below held-out rows, "
        f"with {kept['gain']:.1f} columns instead of {kept['auto']:.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=Path, required=True, help="folder of the wheels")
    parser.add_argument("--arrays", type=Path, help="folder of further tables")
    parser.add_argument("--half", choices=[CHOOSE, JUDGE], default=JUDGE)
    parser.add_argument("--leave-out", nargs="*", default=[], help="tables")
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # that little was found
    results = []
    for name, X, y, real in tables(options.wheels, options.arrays, options.half):
        if name in options.leave_out:
            continue
        results.append({"table": name, "half": options.half, **measure(X, y, real)})
        print(results[-1], flush=True)
    print(summary(results))
    if options.save:
        options.save.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
