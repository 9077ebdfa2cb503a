"""Run the tests of stored results and of documentation examples as on other processors.

    make portable                 # six processors, all examples
    make portable SHORT=--short   # four processors, fewer examples and cases of laws

Each processor is emulated by environment variables, see `benchmarks.processors`. Two run at a time.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.processors import PROCESSORS  # noqa: E402

RESULTS = ["tests/test_same_results.py", "tests/measures/neighbors"]
EXAMPLES = ["tests/docs", "src"]
BOTH = RESULTS + EXAMPLES
WHOLE = dict.fromkeys(("old", "Nehalem", "Haswell", "Zen", "numpy without AVX2", "two BLAS threads"), BOTH)
SHORT = {"old": BOTH, "Nehalem": RESULTS, "Haswell": RESULTS, "numpy without AVX2": RESULTS}


def run_tests(processor: str, tests: list[str]) -> tuple[str, int, str]:
    """Name, exit code and output of the tests on one processor."""
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | PROCESSORS[processor], capture_output=True, text=True
    )
    return processor, done.returncode, done.stdout + done.stderr


def main() -> int:
    """Run all; the exit code is 1 if a test failed on any processor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--short", action="store_true", help="four processors, fewer examples")
    plan = SHORT if parser.parse_args().short else WHOLE
    codes = []
    with ThreadPoolExecutor(2) as pool:
        for processor, code, output in pool.map(run_tests, plan, plan.values()):
            print(f"{processor}: {output.strip().splitlines()[-1]}", flush=True)
            if code:
                print(output, flush=True)
            codes.append(code)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
