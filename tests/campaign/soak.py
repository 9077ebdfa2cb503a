"""Very many fits and runs of the program in one process: memory, threads and open files do not grow.

    make soak                       100,000 fits and 10,000 runs
    make soak FITS=2000 RUNS=200    fewer

Every method takes its turn, slow ones less often; every fifth fit is refused. After a tenth of the work, which fills caches, nothing may
grow by more than `MAX_GROWTH`.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from campaign.concurrency import resources
from campaign.fits import QUICK
from campaign.readers import TEXTS
from entropick.cli.program import program
from entropick.selectors.catalog import METHODS, set_known_params

MAX_GROWTH = 24 << 20  # bytes over all the work: pages of the allocators, not a leak
SLOW = {
    "BayesianEntropyFS",
    "CrossEntropyFS",
    "SwarmFS",
    "NEFS",
    "SNEFS",
    "NHTP",
    "LLCFS",
    "DGUFS",
    "FSASL",
}


RARE = 50  # of so many fits one is of any method, the others are of quick ones


def method_of(number: int) -> str:
    if number % RARE == 0:
        return list(METHODS)[number // RARE % len(METHODS)]
    quick = [name for name in METHODS if name not in SLOW]
    return quick[number % len(quick)]


def fit(number: int) -> None:
    rng = np.random.default_rng(number % 40)
    X, y = rng.normal(size=(40, 6)), rng.integers(0, 2, 40)
    X[:, 0] += y
    if number % 5 == 4:
        X[3, 2] = np.inf
    selector = METHODS[method_of(number)](n_features=2)
    set_known_params(selector, random_state=0, n_jobs=1 + number // 7 % 2, **QUICK)
    with contextlib.suppress(ValueError):
        selector.fit(X, y)


def run(number: int, folder: Path) -> None:
    name = list(TEXTS)[number % len(TEXTS)]
    path = folder / name
    path.write_text(TEXTS[name])
    words = ["select", str(path), "-t", "label", "-n", "1", "-j", str(1 + number % 2)]
    if number % 7 == 0:
        words += ["--json"]
    # Click keeps every stream that it has written to, so all runs write to the same one.
    with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):
        program.main(words if number % 9 else [*words, "--no-such-option"], prog_name="entropick")
    path.unlink()


def soak(work, n: int, what: str) -> bool:
    """Do something n times; whether nothing has grown."""
    began = time.monotonic()
    for number in range(n // 10):
        work(number)
    before = resources()
    for number in range(n // 10, n):
        work(number)
    after = resources()
    grown = after[0] - before[0] > MAX_GROWTH or after[1:] != before[1:]
    print(
        f"{n} {what} in {time.monotonic() - began:.0f} s: {(after[0] - before[0]) / 2**20:+.1f} MB of memory, "
        f"{after[1] - before[1]:+d} threads, {after[2] - before[2]:+d} files{': GROWN' if grown else ''}",
        flush=True,
    )
    return not grown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fits", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=10_000)
    args = parser.parse_args()
    sys.stderr = open("/dev/null", "w")  # noqa: SIM115
    with tempfile.TemporaryDirectory() as folder:
        kept = [
            soak(fit, args.fits, "fits"),
            soak(lambda number: run(number, Path(folder)), args.runs, "runs"),
        ]
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
