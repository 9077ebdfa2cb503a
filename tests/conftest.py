"""Shared settings and fixtures."""

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
for name, n_examples in {"nightly": 1_000, "release": 10_000}.items():
    settings.register_profile(
        name, parent=settings.get_profile("push"), max_examples=n_examples, derandomize=False
    )
# That an example fails is all a mutant is asked for, not the simplest one; it is one of the first.
settings.register_profile(
    "mutants", parent=settings.get_profile("push"), max_examples=20, phases=[Phase.explicit, Phase.generate]
)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background, with all that tests start
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "push"))

REAL_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def real_data():
    """Loads a real data set by name, or skips the test where the data are not at hand."""

    def load(name):
        path = REAL_DATA / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"real data set {name} is not at hand ({path.name} beside the project)")
        return np.load(path)

    return load
