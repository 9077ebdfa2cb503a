"""Cost of the first fit of a process in addition to scikit-learn's own import, for every selector.

    python -m benchmarks.first_fit [NAME ...]

Each selector is imported and fitted on breast_cancer with its defaults in its own process, which has imported
scikit-learn and loaded the data before. Processor times are the best of several processes. A second fit shows
how much of the first is the work of the method itself.
"""

import json
import statistics
import subprocess
import sys

REPEATS = 3
TIME_GOAL = 0.15  # seconds of import and first fit, less those of a second fit
MEMORY_GOAL = 40  # MB over scikit-learn's import

PROGRAM = """
import json, resource, sys, time
start = time.process_time()
import sklearn.feature_selection
from sklearn.datasets import load_breast_cancer
imported = time.process_time()
X, y = load_breast_cancer(return_X_y=True)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)

before, loaded = peak(), time.process_time()
import entropick
selector = getattr(entropick, sys.argv[1])()
selector.fit(X, y)
first = time.process_time()
after = peak()
selector.fit(X, y)
print(json.dumps([imported - start, first - loaded, time.process_time() - first, after - before]))
"""


def main(names: list[str]) -> None:
    """Print a table of all selectors, or of the named ones."""
    print("| selector | first fit | of it the method's own | start | in imports of scikit-learn | MB |")
    print("|---|---|---|---|---|---|")
    imports, starts, memories = [], {}, {}
    for name in names or all_selectors():
        found = [measure(name) for _ in range(REPEATS)]
        sklearn, first, own, memory = (min(column) for column in zip(*found, strict=True))
        imports.append(sklearn)
        starts[name], memories[name] = max(0.0, first - own), memory
        shares = f"{starts[name]:.3f} s | {starts[name] / sklearn:.2f} | {memory:.0f}"
        print(f"| {name} | {first:.3f} s | {own:.3f} s | {shares} |", flush=True)
    slowest, largest = max(starts, key=starts.__getitem__), max(memories, key=memories.__getitem__)
    print(f"\nscikit-learn's import: {statistics.median(imports):.2f} s")
    print(f"longest start: {slowest} {starts[slowest]:.3f} s, goal <= {TIME_GOAL} s")
    print(f"most memory: {largest} {memories[largest]:.0f} MB, goal <= {MEMORY_GOAL} MB")


def all_selectors() -> list[str]:
    """The names of all methods, from another process, so that this one stays small."""
    program = "from entropick.selectors import METHODS; print(*METHODS)"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()


def measure(name: str) -> list[float]:
    """Seconds of scikit-learn's import, of the first and of a second fit, and MB that the first took."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, name], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
