"""What it costs to take chance away: adjusted criteria against plug-in ones, in the same run.

    python -m benchmarks.correction

Processor seconds of whole fits with one thread, the least of several, on the workloads W1 to W3.
"""

import time

import entropick as ep
from benchmarks.workloads import WORKLOADS, Workload

PICKS = {"W1": 50, "W2": 20, "W3": 50}
METHODS = ("MIM", "MRMR", "JMI", "CMIM")
REPEATS = 7


def least_seconds(table: Workload, method: str, picks: int, correction: str | None) -> float:
    """Of several fits, after one that is not timed."""
    found = []
    for _ in range(REPEATS + 1):
        selector = getattr(ep, method)(picks, correction=correction, n_jobs=1)
        start = time.process_time()
        selector.fit(table.X, table.y)
        found.append(time.process_time() - start)
    return min(found[1:])


def main() -> None:
    """Print a table of seconds and ratios."""
    print("| workload | method | plug-in, s | adjusted, s | ratio |\n|---|---|---|---|---|")
    for name, picks in PICKS.items():
        table = WORKLOADS[name]()
        for method in METHODS:
            plain, adjusted = (least_seconds(table, method, picks, given) for given in (None, "adjusted"))
            print(
                f"| {name} | {method} | {plain:.3f} | {adjusted:.3f} | {adjusted / plain:.2f} |", flush=True
            )


if __name__ == "__main__":
    main()
