"""Branch coverage of the compiled core, from the counts written by a core built with ENTROPICK_COVERAGE.

    python tools/core_coverage.py build/coverage --fail-under 95

Instances of a template count together: a branch is covered if any of them takes it. Branches that only an
exception takes are left out, because anything that allocates memory may throw, and so are those of lines that
only close blocks, where the compiler destroys objects. gcovr can do neither with gcc below 14.
"""

import argparse
import json
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE = ROOT / "cpp"
CLOSES_BLOCKS = re.compile(r"[\s{}();,]*")
Counts = dict[tuple[int, int], list[int]]  # by line and number of branches, how often each was taken


def read_counts(build: Path) -> dict[str, Counts]:
    """How often each branch of each file was taken, summed over instances of templates."""
    files: dict[str, Counts] = defaultdict(dict)
    for data in sorted(build.rglob("*.gcda")):
        command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", data.name]
        found = subprocess.run(command, cwd=data.parent, capture_output=True, check=True, text=True)
        report = json.loads(found.stdout)
        for file in report["files"]:
            path = (CORE / file["file"]).resolve()  # builds name files from there, the same in any folder
            if path.parent == CORE:
                add_lines(files[path.name], file, path.read_text().splitlines())
    return files


def add_lines(counts: Counts, file: dict, source: list[str]) -> None:
    """Add the branches of one report of a file, instance by instance."""
    entries = Counter(line["line_number"] for line in file["lines"] if line["branches"])
    for line in file["lines"]:
        number = line["line_number"]
        taken = decisions(line["branches"])
        if not taken or CLOSES_BLOCKS.fullmatch(source[number - 1]):
            continue
        for version in split(taken, n_versions(file["functions"], number) // entries[number]):
            before = counts.get((number, len(version)), [0] * len(version))
            counts[number, len(version)] = [a + b for a, b in zip(before, version, strict=True)]


def decisions(branches: list[dict]) -> list[int]:
    """How often branches were taken, except calls, which either return or throw."""
    taken = []
    for branch in branches:
        if not branch["throw"]:
            taken.append(branch["count"])
        elif taken:
            taken.pop()
    return taken


def n_versions(functions: list[dict], number: int) -> int:
    """Number of instances of the innermost template around a line.

    According to gcov, a generic lambda within another ends where it starts.
    """
    begin = min((f["start_line"] for f in functions if f["start_line"] <= number <= f["end_line"]), default=0)
    starts = [
        f["start_line"]
        for f in functions
        if begin <= f["start_line"] <= number
        and (f["end_line"] in (f["start_line"], number) or f["end_line"] > number)
    ]
    return starts.count(max(starts, default=0))


def split(taken: list[int], n_parts: int) -> list[list[int]]:
    """The branches of each instance of a generic lambda, which gcov concatenates."""
    if n_parts < 2 or len(taken) % n_parts:
        return [taken]
    size = len(taken) // n_parts
    return [taken[first : first + size] for first in range(0, len(taken), size)]


def main() -> None:
    """Print the share of branches taken in each file, and the lines of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", type=Path, help="directory of the build")
    parser.add_argument("--fail-under", type=float, default=0.0, help="percent of all branches")
    arguments = parser.parse_args()
    n_all = n_taken = 0
    for name, counts in sorted(read_counts(arguments.build).items()):
        of_file = [count > 0 for line in counts.values() for count in line]
        missed = sorted({number for (number, _), line in counts.items() if 0 in line})
        n_all, n_taken = n_all + len(of_file), n_taken + sum(of_file)
        share = 100 * sum(of_file) / max(len(of_file), 1)
        print(f"{name:16} {sum(of_file):5} of {len(of_file):5} {share:6.1f} %  {', '.join(map(str, missed))}")
    share = 100 * n_taken / max(n_all, 1)
    print(f"{'all':16} {n_taken:5} of {n_all:5} {share:6.1f} %")
    if share < arguments.fail_under:
        raise SystemExit(f"The tests reach less than {arguments.fail_under} % of the branches of the core.")


if __name__ == "__main__":
    main()
