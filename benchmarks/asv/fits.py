"""Five fixed workloads, each a whole fit from a table to the fitted selector.

`asv` runs them over commits, see README.md. The other benchmarks compare with other libraries; these only
detect slowdowns. Tables are generated from a fixed seed and never change.
"""

import numpy as np
import pandas as pd
from scipy import sparse

import entropick as ep

SEED = 0


class _Fit:
    """A table, and a selector that is fitted to it with one thread."""

    rounds = 3
    selector: object

    def setup(self):
        """Make the table; asv does not time this."""
        self.X, self.y = self.make(np.random.default_rng(SEED))
        self.selector.fit(self.X, self.y)  # the first fit imports what it needs

    def time_fit(self):
        self.selector.fit(self.X, self.y)

    def peakmem_fit(self):
        self.selector.fit(self.X, self.y)


class Tall(_Fit):
    """100,000 rows of 50 numbers: binning and counting."""

    selector = ep.JMI(10, n_jobs=1)

    def make(self, rng):
        y = rng.integers(0, 2, 100_000)
        return rng.standard_normal((100_000, 50)) + 0.1 * y[:, None], y


class Genes(_Fit):
    """100 rows of 20,000 numbers: many columns."""

    selector = ep.MRMR(50, n_bins=3, n_jobs=1)

    def make(self, rng):
        y = np.repeat([0, 1], 50)
        return rng.standard_normal((100, 20_000)) + np.linspace(0, 1, 20_000) * y[:, None], y


class Words(_Fit):
    """2,000 rows of 5,000 sparse counts."""

    selector = ep.CMIM(50, n_jobs=1)

    def make(self, rng):
        y = rng.integers(0, 2, 2_000)
        occurs = sparse.random_array((2_000, 5_000), density=0.015, format="csc", rng=rng)
        occurs.data[:] = 1
        return occurs, y


class Mixed(_Fit):
    """A dataframe of 20,000 rows with numbers, categories, dates and gaps."""

    selector = ep.JMI(10, n_jobs=1)

    def make(self, rng):
        n = 20_000
        y = rng.integers(0, 3, n)
        numbers = {f"number {i}": rng.standard_normal(n) + 0.1 * i * y for i in range(20)}
        numbers["number 0"][::5] = np.nan
        categories = {f"category {i}": pd.Categorical(rng.integers(0, 8, n).astype(str)) for i in range(20)}
        days = pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
        return pd.DataFrame({**numbers, **categories, "day": days}), y


class HowMany(_Fit):
    """The number of features by held-out rows: 600 rows of 60 numbers."""

    selector = ep.JMI("auto", random_state=0, n_jobs=1)

    def make(self, rng):
        y = rng.integers(0, 2, 600)
        X = rng.standard_normal((600, 60))
        X[:, :6] += 0.8 * y[:, None]
        return X, y
