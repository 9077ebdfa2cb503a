"""Every measure of counts on text columns with very different numbers of levels, against its naive twin.

    python -m campaign.shapes --shapes 200     (with tests/ on the path)
    python -m campaign.shapes --only 17        one shape again

`make sanitize` runs it with a core that stops at the first wrong memory access.
"""

import argparse
import time
import warnings

import numpy as np

import naive
from campaign.fits import QUICK, texts
from campaign.invariants import BrokenPromiseError
from campaign.twins import CLOSE, check_picks, twin_of
from entropick import FeatureSelector
from entropick.contracts import Need
from entropick.measures.pairs.relevance import CORRECTION
from entropick.registry import MEASURES
from entropick.selectors.catalog import set_known_params
from unlike_columns import unlike_columns

OF_COUNTS = sorted(name for name, measure in MEASURES.items() if Need.COUNTS in measure.needs)
# Adjusted ones count what is expected by chance, too; only the others are compared with their twins.
OF_COUNTS_CORRECTED = [(name, None) for name in OF_COUNTS] + [
    (name, "adjusted")
    for name in OF_COUNTS
    if MEASURES[name]._parameter_constraints.get("correction") is CORRECTION["correction"]
]
N_PICKED = 3  # columns that are selected; each step counts all columns anew
MAX_COMPARED = 400  # rows up to which the naive twins are not too slow


def shape(number):
    """Codes of the columns and of the target: up to 4,000 rows, so that wide pairs are counted by hashing."""
    rng = np.random.default_rng([number, 23])
    n = int(rng.choice([20, 100, 400, 900, 1500, 4000]))
    columns = unlike_columns(rng, n, int(rng.integers(2, 7)))
    target = rng.integers(0, rng.choice([1, 2, 3, 7]), n)
    if rng.random() < 0.7:  # some column tells about it
        target = np.where(
            rng.random(n) < 0.5, columns[rng.integers(len(columns))] % (target.max() + 2), target
        )
    return columns, target


def compare(name, steps, columns, labels):
    """Each pick has its naive score, and no other column has a higher one; whether there was a twin."""
    if name == "fcbf":
        expected = naive.fcbf(columns, labels)[:N_PICKED]
        if [step.column for step in steps if step.score > CLOSE][: len(expected)] != expected:
            raise BrokenPromiseError(f"fcbf picks {[step.column for step in steps]}, naively {expected}")
        return True
    if twin_of(name, columns, labels) is None:
        return False
    check_picks(name, steps, columns, labels)
    return True


def try_shape(number):
    """Fit every measure of counts; how many fits there were, and how many were compared."""
    columns, target = shape(number)
    table, labels = texts(columns), target.tolist()
    n_compared = 0
    for name, correction in OF_COUNTS_CORRECTED:
        measure = set_known_params(MEASURES[name](), **QUICK, correction=correction)
        cut = None if "step" not in measure.kinds else min(N_PICKED, len(columns))
        selector = FeatureSelector(measure, cut=cut, target="class", random_state=0)
        selector = set_known_params(selector, n_jobs=1 + number % 2)
        steps = selector.fit(table, target).selection_.steps
        if correction is None and len(target) <= MAX_COMPARED and "step" in measure.kinds:
            n_compared += compare(name, steps, [column.tolist() for column in columns], labels)
    return len(OF_COUNTS_CORRECTED), n_compared


def run(number, folder):
    """A case of the campaign: one shape."""
    try_shape(number)
    return "fine"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--shapes", type=int, default=200)
    parser.add_argument("--only", type=int, help="one shape")
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    start, n_fits, n_compared = time.monotonic(), 0, 0
    numbers = range(args.shapes) if args.only is None else [args.only]
    for number in numbers:
        fits, compared = try_shape(number)
        n_fits, n_compared = n_fits + fits, n_compared + compared
    print(
        f"{len(numbers)} shapes, {len(OF_COUNTS)} measures: {n_fits} fits, {n_compared} of them equal to the "
        f"naive twins, {time.monotonic() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
