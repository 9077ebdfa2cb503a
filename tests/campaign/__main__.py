"""Run the campaign: random cases of every family until the time is over; findings as lines of JSON.

    python -m campaign --budget 60                     an hour, going on where the log ends (with tests/ on the path)
    python -m campaign --only readers:4711             one case again
    python -m campaign --families faults --cases 300   so many more cases of one family

Every case follows from its family and number. A process that dies or hangs is a finding, too.
"""

import argparse
import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
SHARES = {
    "readers": 32,
    "outputs": 2,
    "arguments": 13,
    "fits": 22,
    "shapes": 3,
    "faults": 10,
    "kills": 10,
    "concurrency": 5,
    "dask_faults": 3,
}  # of the time
LIMITS = {
    "readers": 45,
    "outputs": 90,
    "arguments": 90,
    "fits": 90,
    "shapes": 90,
    "faults": 120,
    "kills": 120,
    "concurrency": 300,
    "dask_faults": 300,
}  # seconds
BATCHES = {
    "readers": 1000,
    "outputs": 50,
    "arguments": 400,
    "fits": 400,
    "shapes": 20,
    "faults": 10,
    "kills": 100,
    "concurrency": 4,
    "dask_faults": 3,
}  # cases
START = 60  # seconds a process may take to begin
WAITING = 20  # times the limit, for a case that waits and uses no processor


class Log:
    """Lines of JSON: findings, and after each batch how far a family has come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.next: dict[str, int] = dict.fromkeys(SHARES, 0)
        self.outcomes: dict[str, Counter] = {family: Counter() for family in SHARES}
        self.findings: list[dict] = []
        for line in path.read_text().splitlines() if path.exists() else ():
            self._take(json.loads(line))

    def add(self, entry: dict) -> None:
        self._take(entry)
        with self._path.open("a") as file:
            print(json.dumps(entry), file=file)

    def _take(self, entry: dict) -> None:
        if "finding" in entry:
            self.findings.append(entry)
        else:
            self.next[entry["family"]] = entry["next"]
            self.outcomes[entry["family"]].update(entry["outcomes"])


def run_batch(family: str, first: int, count: int, log: Log) -> None:
    """Run cases in a process of their own; end it where one takes too long."""
    command = [sys.executable, "-m", "campaign.worker", family, str(first), str(count)]
    outcomes: Counter = Counter()
    reached, start = first, time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()
    ) as worker:
        for line in lines(worker, START + LIMITS[family], LIMITS[family]):
            result = json.loads(line)
            outcomes[result["outcome"]] += 1
            reached = result["case"] + 1
            if "finding" in result:
                log.add({"family": family, **result})
                print(f"{family}:{result['case']}: {result['finding'][:300]}", flush=True)
        hangs = worker.poll() is None and reached < first + count
        if hangs:
            worker.kill()
        code = worker.wait()
    if reached < first + count:
        outcomes["broken"] += 1
        finding = f"no end within {LIMITS[family]} s" if hangs else f"the process ended with {code}"
        log.add({"family": family, "case": reached, "finding": finding})
        print(f"{family}:{reached}: {finding}", flush=True)
        reached += 1
    seconds = round(time.monotonic() - start, 1)
    log.add({"family": family, "next": reached, "outcomes": outcomes, "seconds": seconds})


def lines(worker, first_limit: float, limit: float):
    """What a process writes, line by line, as long as it does so in time."""
    with selectors.DefaultSelector() as ready:
        ready.register(worker.stdout, selectors.EVENT_READ)
        os.set_blocking(worker.stdout.fileno(), False)
        rest, patience = b"", Patience(worker.pid, first_limit)
        while not patience.is_over():
            if not ready.select(1):
                continue
            chunk = os.read(worker.stdout.fileno(), 1 << 16)
            if not chunk:
                worker.wait()
                return
            patience = Patience(worker.pid, limit)
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole


class Patience:
    """A limit in processor time, which a busy machine does not use up; and a longer one for what waits."""

    def __init__(self, pid: int, limit: float) -> None:
        self._pid, self._limit = pid, limit
        self._began, self._used = time.monotonic(), processor_seconds(pid)

    def is_over(self) -> bool:
        waited = time.monotonic() - self._began
        return processor_seconds(self._pid) - self._used > self._limit or waited > WAITING * self._limit


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def environment() -> dict[str, str]:
    """That of this process, with the tests on the path and one thread for each library."""
    paths = [str(TESTS), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "POLARS_MAX_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--budget", type=float, default=60, help="minutes (default: 60)")
    parser.add_argument("--families", default=",".join(SHARES), help="separated by commas")
    parser.add_argument("--cases", type=int, help="so many of each family, however long it takes")
    parser.add_argument("--log", type=Path, default=Path("build/campaign/log.jsonl"))
    parser.add_argument("--fresh", action="store_true", help="begin with case 0 and a new log")
    parser.add_argument("--only", metavar="FAMILY:NUMBER", help="one case, with what it says")
    args = parser.parse_args()
    if args.only:
        family, number = args.only.split(":")
        return subprocess.run(
            [sys.executable, "-m", "campaign.worker", family, number, "1"], env=environment()
        ).returncode
    args.log.parent.mkdir(parents=True, exist_ok=True)
    if args.fresh:
        args.log.unlink(missing_ok=True)
    log = Log(args.log)
    n_before = len(log.findings)
    run(args.families.split(","), args.cases, args.budget * 60, log)
    for family, outcomes in log.outcomes.items():
        shown = ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes.items()))
        print(f"{family:12} {log.next[family]:8} cases: {shown or '-'}")
    print(f"{len(log.findings) - n_before} findings in this run, {len(log.findings)} in {args.log}")
    return int(len(log.findings) > n_before)


def run(families: list[str], cases: int | None, budget: float, log: Log) -> None:
    """Batch after batch, of the family that has had the least of its share."""
    spent = dict.fromkeys(families, 0.0)
    ends = {family: log.next[family] + (cases or 10**12) for family in families}
    deadline = time.monotonic() + (1e12 if cases else budget)
    while open_ones := [family for family in families if log.next[family] < ends[family]]:
        if time.monotonic() > deadline:
            return
        family = min(open_ones, key=lambda family: spent[family] / SHARES[family])
        start, first = time.monotonic(), log.next[family]
        run_batch(family, first, min(BATCHES[family], ends[family] - first), log)
        spent[family] += time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main())
