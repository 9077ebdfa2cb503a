"""Differences on the same splits, and when they count as a lead."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.stats

LEVEL = 0.05


@dataclass(frozen=True)
class Paired:
    """Differences of one method to another, one for each split (or data set, as `unit` says).

    `overlap` is test rows by training rows where the units are random splits of the same rows, 0 for separate
    data; splits share rows, so their mean varies more than it seems (Nadeau and Bengio 2003).
    """

    differences: Sequence[float]
    unit: str = "splits"
    overlap: float = 0.0

    @property
    def mean(self) -> float:
        return float(np.mean(self.differences)) if len(self.differences) else 0.0

    @property
    def error(self) -> float:
        """Standard error of the mean, not corrected for overlap."""
        n = len(self.differences)
        return float(np.std(self.differences, ddof=1)) / n**0.5 if n > 1 else 0.0

    @property
    def p_value(self) -> float:
        """Of the one-sided t-test against "not ahead", corrected for overlap."""
        n = len(self.differences)
        if n < 2:
            return 1.0
        if self.error == 0:  # the t-test divides by the spread
            return 0.0 if self.mean > 0 else 1.0
        corrected = self.error * (1 + n * self.overlap) ** 0.5
        return float(scipy.stats.t.sf(self.mean / corrected, n - 1))

    @property
    def ahead(self) -> bool:
        """Whether the first is ahead of the second, by that test."""
        return self.mean > 0 and self.p_value < LEVEL

    @property
    def behind(self) -> bool:
        return Paired([-difference for difference in self.differences], self.unit, self.overlap).ahead

    def __str__(self) -> str:
        n = len(self.differences)
        tested = f" ± {self.error:.3f} ({n} {self.unit}, p = {self.p_value:.2g})"
        return f"{self.mean:+.3f}{tested if n > 1 else ''}"
