"""The data sets of the papers: for tests in this folder only, as they do not come with the repository."""

from pathlib import Path

import numpy as np
import pytest

PAPERS_DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def papers_data():
    """The folder of the papers' data, which may be absent."""
    return PAPERS_DATA


@pytest.fixture
def folder_with(papers_data):
    """The same folder, or a skipped test where it lacks a data set that is named."""

    def folder(*names):
        missing = [name for name in names if not (papers_data / f"{name}.npz").exists()]
        if missing or not papers_data.exists():
            pytest.skip(
                f"data sets of the papers are not in {papers_data}: {', '.join(missing) or 'none is'}"
            )
        return str(papers_data)

    return folder


@pytest.fixture
def real_data(folder_with):
    """Loads a data set of the papers by name, or skips the test where it is not at hand."""
    return lambda name: np.load(Path(folder_with(name)) / f"{name}.npz")
