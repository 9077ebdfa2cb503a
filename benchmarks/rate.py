"""How fast this machine counts, measured by straightforward loops.

Times alone say little about another machine. Divided by the time that these loops need for the same number of
counts, they show how well a library uses the machine.

    python -m benchmarks.rate
"""

import dataclasses
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from benchmarks.timing import time_call

N_ROWS, N_COLUMNS, N_LEVELS = 10_000, 1_000, 5  # the shape of W1
REPEATS = 60  # a quarter of a second or more, longer than a short disturbance


@dataclass(frozen=True)
class Rates:
    """Operations per second.

    Attributes
    ----------
    n_threads : threads of the `_threaded` rates
    counts, counts_threaded : increments of a joint histogram of two columns of one-byte codes
    words, words_threaded : 64-bit words of two bit planes, AND and popcount
    """

    n_threads: int
    counts: float
    counts_threaded: float
    words: float
    words_threaded: float

    def faster(self, other: "Rates") -> "Rates":
        """The better of two measurements, rate by rate."""
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Rates(*(max(pair) for pair in pairs))

    def __str__(self) -> str:
        return (
            f"counting rate: {self.counts / 1e9:.2f} (1 thread) and {self.counts_threaded / 1e9:.2f} "
            f"({self.n_threads} threads) G increments/s; AND + popcount: {self.words / 1e9:.2f} and "
            f"{self.words_threaded / 1e9:.2f} G words/s"
        )


def measure_rates(n_threads: int = 2) -> Rates:
    """Measure the rates on random data of the shape of W1."""
    from benchmarks.plain_loops import count_common_bits, count_pairs

    rng = np.random.default_rng(0)
    columns = rng.integers(0, N_LEVELS, (N_COLUMNS, N_ROWS), dtype=np.uint8)
    y = rng.integers(0, N_LEVELS, N_ROWS, dtype=np.uint8)
    n_planes, n_words = N_COLUMNS * (N_LEVELS - 1), -(-N_ROWS // 64)
    planes = rng.integers(0, 2**64, (n_planes, n_words), dtype=np.uint64)
    other = rng.integers(0, 2**64, n_words, dtype=np.uint64)

    def count(part: slice) -> None:
        count_pairs(columns[part], y, np.uint64(N_LEVELS), np.zeros(N_LEVELS**2, np.int64))

    def count_words(part: slice) -> None:
        count_common_bits(planes[part], other, np.zeros(n_planes, np.uint64))

    return Rates(
        n_threads,
        _per_second(count, N_COLUMNS, 1) * N_ROWS,
        _per_second(count, N_COLUMNS, n_threads) * N_ROWS,
        _per_second(count_words, n_planes, 1) * n_words,
        _per_second(count_words, n_planes, n_threads) * n_words,
    )


def _per_second(work: Callable[[slice], None], n_items: int, n_threads: int) -> float:
    """Items per second at best, each thread with an equal share of them."""
    edges = np.linspace(0, n_items, n_threads + 1).astype(int)
    shares = [slice(start, stop) for start, stop in itertools.pairwise(edges.tolist())]
    work(slice(0, 1))  # compiles
    with ThreadPoolExecutor(n_threads) as pool:
        timing, _ = time_call(lambda: list(pool.map(work, shares)), REPEATS)
    return n_items / timing.best


if __name__ == "__main__":
    print(measure_rates())
