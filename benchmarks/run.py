"""Time entropick and installed peers, workload by workload, in one process.

    python -m benchmarks.run
    python -m benchmarks.run --quick --workload W1,W2 --json results.json

The table is encoded before the clock starts; peers prepare their data before as well.
"""

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.comparison import Options, compare
from benchmarks.rate import measure_rates
from benchmarks.timing import OtherWork
from benchmarks.workloads import WORKLOADS, Workload


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats, no peers of more than about 20 s"
    )
    parser.add_argument("--workload", default=",".join(WORKLOADS), help="such as W1,W2 (default: all)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to this file")
    parser.add_argument("--no-peers", action="store_true", help="time entropick alone")
    parser.add_argument("--jobs", type=int, default=2, help="threads (default: 2, as the goals have it)")
    args = parser.parse_args(arguments)
    names = args.workload.upper().split(",")
    if unknown := sorted(set(names) - set(WORKLOADS)):
        parser.error(f"no workload {', '.join(unknown)}; the names are {', '.join(WORKLOADS)}")

    options = Options(args.jobs, args.quick, not args.no_peers)
    about = {
        "machine": report.machine(),
        "versions": report.versions(),
        "options": dataclasses.asdict(options),
    }
    print(about["machine"])
    print(", ".join(f"{package} {version}" for package, version in about["versions"].items()))
    runs = [run_workload(WORKLOADS[name](), options) for name in names]
    if args.json:
        args.json.write_text(json.dumps({**about, "workloads": runs}, indent=1) + "\n")


def run_workload(workload: Workload, options: Options) -> dict[str, Any]:
    """Time everything on one workload, print its table and return it as plain data."""
    print(f"\n## {workload.name}: {workload.title}\n", flush=True)
    others = OtherWork()
    before = measure_rates(options.jobs)
    results = []
    for result in compare(workload, options):
        results.append(result)
        print(f"done: {result.task}, {result.library}", file=sys.stderr, flush=True)
    after = measure_rates(options.jobs)
    rates = before.faster(after)
    print(f"{rates}; {others}\n")
    rows = [result.cells(rates.counts_threaded) for result in results]
    print(report.markdown_table(report.HEADER, rows), flush=True)
    return {
        "name": workload.name,
        "title": workload.title,
        "rates_before": dataclasses.asdict(before),
        "rates_after": dataclasses.asdict(after),
        "other_work": others.share(),
        "results": [dataclasses.asdict(result) for result in results],
    }


if __name__ == "__main__":
    main()
