"""Steps of criteria that fall with redundancy: with a race, and with every pair of columns counted.

    python -m benchmarks.lazy

Processor seconds of all steps but the first in one thread, from an encoded table, the median of nine runs.
"""

from statistics import median
from time import process_time
from unittest.mock import patch

from benchmarks import report
from benchmarks.encoded import encoded, select
from benchmarks.workloads import Workload, discrete, w1, w2, w3, w4
from entropick.counting.local import LocalCounts
from entropick.measures import ICAP, MIFS, MIQ, MRMR, Measure
from entropick.table import Codes

REPEATS = 9


def main() -> None:
    noise = Workload("noise", "10,000 x 300, ten columns tell something", *discrete(10_000, 300, 5, 3, 10))
    rows = []
    for workload, picks in ((w1(), 50), (w2(), 20), (w3(), 50), (w4(), 50), (noise, 50)):
        codes = encoded(workload.X, workload.y)
        for measure in (MRMR(), MIFS(), ICAP(), MIQ()):
            lazy = seconds_of_steps(codes, measure, picks)
            with patch.object(LocalCounts, "race", lambda *_, **__: None):
                every = seconds_of_steps(codes, measure, picks)
            times = report.seconds(every), report.seconds(lazy), f"{every / lazy:.1f}"
            rows.append([workload.name, type(measure).__name__, *times])
    print(report.machine())
    print(report.markdown_table(["table", "criterion", "every pair, s", "race, s", "times faster"], rows))


def seconds_of_steps(codes: Codes, measure: Measure, picks: int) -> float:
    """The time of a selection less that of its first column."""
    found = []
    for _ in range(REPEATS):
        start = process_time()
        select(codes, measure, 1, 1)
        middle = process_time()
        select(codes, measure, picks, 1)
        found.append(process_time() - middle - (middle - start))
    return median(found)


if __name__ == "__main__":
    main()
