"""Time to start and memory of a large fit, each in its own process.

    python -m benchmarks.footprint

Only the standard library is imported here: on Linux a new process inherits the peak memory of its parent, so
that must be small.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from time import perf_counter

from benchmarks.timing import OtherWork

REPEATS = 9
IMPORT_GOAL = 0.2  # seconds that `import entropick` adds to `import numpy`
FIRST_FIT_GOAL = 1.5  # seconds of a first fit above `import sklearn.feature_selection`
MEMORY_GOAL = 400  # MB in all
SMALL, LARGE = "1000", "1000000"  # rows
FOREIGN = ("sklearn", "pandas")  # which `import entropick` must not import

LOADED = "import sys, numpy, entropick; print([name for name in {foreign} if name in sys.modules])"
FIRST_FIT = """
import numpy as np
import entropick
rng = np.random.default_rng(0)
X, y = rng.standard_normal((1_000, 50)), rng.integers(0, 3, 1_000)
entropick.JMI(n_features=10).fit(X, y)
"""
FIT = """
import json, resource, sys
import numpy as np

def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6

import entropick
JMI = entropick.JMI
imported = peak()
rng = np.random.default_rng(0)
X = rng.integers(0, 5, (int(sys.argv[1]), 100), dtype=np.uint8)
y = (X[:, 0] + X[:, 1] > 4).astype(np.uint8)
made = peak()
JMI(n_features=10, n_jobs=2).fit(X, y)
print(json.dumps([imported, made, peak()]))
"""


def main() -> None:
    others = OtherWork()
    print("\n## Start-up\n")
    report_startup()
    print("\n## Memory: JMI(n_features=10, n_jobs=2).fit on 1,000,000 x 100 uint8, 5 levels\n")
    report_memory()
    print(f"\n{others}")


def report_startup() -> None:
    """Wall times of whole processes, run alternately so that other load affects all alike."""
    run_python(FIRST_FIT)  # brings the files into the system's cache
    programs = {
        "numpy": "import numpy",
        "entropick": "import numpy, entropick",
        "sklearn": "import sklearn.feature_selection",
        "fit": FIRST_FIT,
    }
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(REPEATS):
        for name, program in programs.items():
            start = perf_counter()
            run_python(program)
            seconds[name].append(perf_counter() - start)
    best = {name: min(times) for name, times in seconds.items()}
    median = {name: statistics.median(times) for name, times in seconds.items()}
    for name, program in programs.items():
        shown = program if "\n" not in program else "import entropick, first JMI fit (1,000 x 50 floats)"
        print(f"{shown}: best {best[name]:.3f} s, median {median[name]:.3f} s of {REPEATS}")
    print(difference("import entropick adds", best, median, "entropick", "numpy", IMPORT_GOAL))
    print(difference("first fit above scikit-learn's import", best, median, "fit", "sklearn", FIRST_FIT_GOAL))
    loaded = run_python(LOADED.format(foreign=FOREIGN)).strip()
    print(f"of {', '.join(FOREIGN)}, `import entropick` loads: {loaded} (goal: none)")


def difference(
    what: str, best: dict[str, float], median: dict[str, float], name: str, base: str, goal: float
) -> str:
    """One line on the additional time of one program compared with another."""
    usual = median[name] - median[base]
    verdict = "met" if usual <= goal else "MISSED"
    return f"{what}: {best[name] - best[base]:.3f} s (medians: {usual:.3f} s), goal <= {goal} s: {verdict}"


def report_memory() -> None:
    """Peak resident memory as reported by the operating system."""
    if sys.platform == "win32":
        print("not measured: Windows has no getrusage")
        return
    _, _, small_peak = json.loads(run_python(FIT, SMALL))
    imported, made, peak = json.loads(run_python(FIT, LARGE))
    verdict = "met" if peak < MEMORY_GOAL else "MISSED"
    print(f"peak after imports: {imported:.0f} MB")
    print(f"peak of the same fit on {int(SMALL):,} rows: {small_peak:.0f} MB")
    print(f"peak after making X (100 MB) and y: {made:.0f} MB")
    print(f"peak in all: {peak:.0f} MB, goal < {MEMORY_GOAL} MB: {verdict}")


def run_python(program: str, *arguments: str) -> str:
    """Output of a program in a new process, in another folder so that nothing here is imported."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tempfile.gettempdir(), check=False)
    if done.returncode:
        raise RuntimeError(f"The program\n{program}\nfailed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
