"""Shared settings and fixtures, and which tests are slow."""

import os
import signal
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn's array API checks need it

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "push", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile("small", parent=settings.get_profile("push"), max_examples=20)
for name, n_examples in {"nightly": 1_000, "release": 10_000}.items():
    settings.register_profile(
        name, parent=settings.get_profile("push"), max_examples=n_examples, derandomize=False
    )
# That an example fails is all a mutant is asked for, not the simplest one; it is one of the first.
settings.register_profile(
    "mutants", parent=settings.get_profile("push"), max_examples=20, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "push"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background, with all that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]
REAL_DATA = ROOT.parent / "shared" / "data"

# Left to `make test-all` as a whole, like tests on a cluster and those with the mark `slow`.
SLOW = [
    "experiments",
    "tests/experiments",
    "tests/backends/test_dask_faults.py",
    "tests/campaign",
    "tests/report/test_in_browser.py",
    "tests/test_same_results.py",  # its tables are those of the papers
    "tests/test_stored_cells.py",
]


def pytest_collection_modifyitems(items):
    """Mark what is slow; nothing else may need data from outside the repository."""
    slow = tuple(str(ROOT / path) for path in SLOW)
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if str(item.path).startswith(slow) or "cluster" in fixtures:
            item.add_marker("slow")
        if "folder_with" in fixtures and item.get_closest_marker("slow") is None:
            raise pytest.UsageError(f"{item.nodeid} needs data from outside the repository: mark it slow.")


@pytest.fixture
def folder_with():
    """The folder of the papers' data, or a skipped test where it lacks a data set that is named."""

    def folder(*names):
        missing = [name for name in names if not (REAL_DATA / f"{name}.npz").exists()]
        if missing or not REAL_DATA.exists():
            pytest.skip(f"data sets of the papers are not in {REAL_DATA}: {', '.join(missing) or 'none is'}")
        return str(REAL_DATA)

    return folder


@pytest.fixture
def real_data(folder_with):
    """Loads a data set of the papers by name, or skips the test where it is not at hand."""
    return lambda name: np.load(Path(folder_with(name)) / f"{name}.npz")
