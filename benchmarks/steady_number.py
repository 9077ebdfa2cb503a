"""How much the number of columns of ``n_features="auto"`` moves with the folds, on the same rows.

    python -m benchmarks.steady_number --wheels folder --half judge --save benchmarks/steady_number.json

JMI selects ten times, with other seeds, on at most 400 rows of each table of
`reproduction/unseen_tables.toml`, in wheels of PyPI that are downloaded into the folder. Quoted is the
standard deviation of log2 k over the seeds, of tables of which something was always kept. A
table that is stored is not run again.
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

N_SEEDS = 10


def numbers(X, y: np.ndarray, real: bool) -> list[int]:
    """Columns kept with each seed."""
    task = make_task(X, y, real, split=0)
    frame, labels = task.frame.iloc[task.train], task.y[task.train]
    kind = "class" if task.is_class else "real"
    seeds = range(N_SEEDS)
    return [ep.JMI("auto", target=kind, random_state=seed).fit(frame, labels).n_features_ for seed in seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=Path, required=True, help="folder of the wheels")
    parser.add_argument("--half", choices=[CHOOSE, JUDGE], default=JUDGE)
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # that nothing was found
    is_stored = options.save is not None and options.save.exists()
    found = json.loads(options.save.read_text()) if is_stored else {}
    for name, X, y, real in tables(options.wheels, None, options.half):
        if name not in found:
            found[name] = numbers(X, y, real)
            print(name, found[name], flush=True)
            if options.save:
                options.save.write_text(json.dumps(found) + "\n")
    spreads = [np.log2(kept).std(ddof=1) for kept in found.values() if min(kept) > 0]
    above = sum(spread > 0.15 for spread in spreads)
    print(f"{len(spreads)} of {len(found)} tables: sd of log2 k {np.median(spreads):.2f} in the median, "
          f"above 0.15 on {above}")  # fmt: skip


if __name__ == "__main__":
    main()
