"""Shared settings, and marks of slow tests."""

import os
import re
import signal
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn's array API checks need it

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "push", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
for name, n_examples in {"small": 10, "medium": 20}.items():  # make test, make test-all
    settings.register_profile(name, parent=settings.get_profile("push"), max_examples=n_examples)
for name, n_examples in {"nightly": 1_000, "release": 10_000}.items():
    settings.register_profile(
        name, parent=settings.get_profile("push"), max_examples=n_examples, derandomize=False
    )
# That an example fails is all a mutant is asked for, not the simplest one; it is one of the first.
settings.register_profile(
    "mutants", parent=settings.get_profile("push"), max_examples=20, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "push"))

# In the background of a script SIGINT is ignored, under nohup SIGHUP, also by all that tests start.
for ignored, usual in {
    "SIGINT": signal.default_int_handler,
    "SIGHUP": signal.SIG_DFL,
    "SIGTERM": signal.SIG_DFL,
}.items():
    if signal.getsignal(getattr(signal, ignored, signal.SIGTERM)) is signal.SIG_IGN:
        signal.signal(getattr(signal, ignored), usual)

ROOT = Path(__file__).parents[1]

# Left to `make test-all` as a whole, like tests on a cluster and those with the mark `slow`.
SLOW = [
    "reproduction",
    "tests/table/executors/test_dask_faults.py",
    "tests/campaign",
    "tests/report/test_in_browser.py",
]


# Tests with the mark `every_method` are left to it except for these, one of each kind.
OF_EACH_KIND = re.compile(
    r"\b(FeatureSelector|JMI|MIM|RenyiFS|ReliefF|ECFS|LaplacianScore|FCBF|FisherScore|BayesianEntropyFS)\b"
)
# Fits of these take long; the first tier compares their stored results and runs the examples of their pages.
TAKES_LONG = re.compile(r"\[.*\b(LLCFS|FSASL|UFSOL|FSV|L1SVM|KSG|markov_?blanket)\b", re.IGNORECASE)
KEPT = ("tests/docs", "tests/test_same_results.py")
# Single tests that take longer than about half a second, where others of the first tier test something similar.
SINGLE = frozenset((ROOT / "tests" / "slow_tests.txt").read_text(encoding="utf-8").splitlines())


def pytest_collection_modifyitems(items):
    """Mark what is slow."""
    slow = tuple(str(ROOT / path) for path in SLOW)
    for item in items:
        repeats = item.get_closest_marker("every_method") and not OF_EACH_KIND.search(item.name)
        repeats = repeats or (TAKES_LONG.search(item.name) and not item.nodeid.startswith(KEPT))
        repeats = repeats or item.nodeid in SINGLE
        if repeats or str(item.path).startswith(slow) or "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
