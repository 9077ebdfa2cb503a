"""What StabilitySelector keeps by default and by theory, and how much of it is false.

    python -m benchmarks.stability --wheels folder --half judge --save benchmarks/stability.json

On at most 400 rows of each table of `reproduction/unseen_tables.toml`, in wheels of PyPI that are downloaded
into the folder, the selector is fitted twice: to the target, and to a shuffled one, of which nothing can be
known. "copies" is the default; "r-concave" the theory. A table that is stored is not run again.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np

import entropick as ep
from benchmarks.stop_rules import tables
from reproduction.unseen.protocol import make_task
from reproduction.unseen_tables import CHOOSE, JUDGE

ASSUMPTIONS = ("copies", "r-concave")


def measure(X, y: np.ndarray, real: bool) -> dict[str, dict[str, int]]:
    """Columns selected by each assumption, for the target and for a shuffled one."""
    task = make_task(X, y, real, split=0)
    frame, labels = task.frame.iloc[task.train], task.y[task.train]
    shuffled = np.random.default_rng(1).permutation(labels)
    found = {}
    for assumption in ASSUMPTIONS:
        kind = "class" if task.is_class else "real"
        selector = ep.StabilitySelector(assumption=assumption, target=kind, random_state=0)
        kept, false = (selector.fit(frame, target).n_features_ for target in (labels, shuffled))
        found[assumption] = {"kept": kept, "false": false}
    return found


def summary(results: list[dict], assumption: str) -> str:
    kept, false = (np.array([one[assumption][key] for one in results]) for key in ("kept", "false"))
    error = false.std(ddof=1) / np.sqrt(len(false)) if len(false) > 1 else np.nan
    return (
        f"{assumption}: {len(kept)} tables, median {np.median(kept):g} columns, none of "
        f"{np.count_nonzero(kept == 0)}; false {false.mean():.2f} ± {error:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=Path, required=True, help="folder of the wheels")
    parser.add_argument("--half", choices=[CHOOSE, JUDGE], default=JUDGE)
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # that nothing was found, or no threshold is high enough
    is_stored = options.save is not None and options.save.exists()
    results = json.loads(options.save.read_text()) if is_stored else []
    for name, X, y, real in tables(options.wheels, None, options.half):
        if name not in [one["table"] for one in results]:
            results.append({"table": name, "half": options.half, **measure(X, y, real)})
            print(results[-1], flush=True)
            if options.save:
                options.save.write_text(json.dumps(results, indent=1) + "\n")
    of_half = [one for one in results if one["half"] == options.half]
    print(*(summary(of_half, assumption) for assumption in ASSUMPTIONS), sep="\n")


if __name__ == "__main__":
    main()
