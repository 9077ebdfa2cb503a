"""Brackets around the edges of a column, narrowed by questions until the edges are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.exceptions import DataError
from entropick.table.encoding.distributed.sketch import Sketch, sketch_values
from entropick.table.encoding.encoding import Rules


@dataclass(frozen=True)
class Bracket:
    """Two values that enclose edges of a column; both belong to the bracket.

    `wanted` are the edges: ranks in the whole column for quantiles, limits for levels of equal width.
    """

    low: Any
    high: Any
    wanted: tuple[float, ...]

    def holds(self, values: np.ndarray) -> np.ndarray:
        return (values >= self.low) & (values <= self.high)


@dataclass(frozen=True)
class Inside:
    """What is inside a bracket: the number of values below it, and a sketch of those in it."""

    n_below: int
    sketch: Sketch

    @classmethod
    def of(cls, values: np.ndarray, bracket: Bracket, most: int, n_left_out: int = 0) -> "Inside":
        """Summarise the values of a part; `n_left_out` more are below the bracket."""
        n_below = n_left_out + int(np.count_nonzero(values < bracket.low))
        return cls(n_below, Sketch.of(values[bracket.holds(values)], most))

    def fits(self, bracket: Bracket, rules: Rules) -> bool:
        """Whether these can be the rows that the bracket was found on."""
        if rules.binning == "uniform":  # the lower bound is a value of the column
            return self.sketch.n > 0 and bool(self.sketch.values[0] == bracket.low)
        return self.n_below <= bracket.wanted[0] and bracket.wanted[-1] <= self.n_below + self.sketch.n

    @classmethod
    def merged(cls, parts: Sequence["Inside"], most: int) -> "Inside":
        sketch = Sketch.merged([part.sketch for part in parts], most)
        return cls(sum(part.n_below for part in parts), sketch)


def wanted_places(sketch: Sketch, rules: Rules) -> list[float]:
    """Where a column is divided: ranks, or limits with the same rounding as in the compiled loop."""
    n_bins = rules.n_bins
    if rules.binning != "uniform":
        return [k * sketch.n // n_bins for k in range(1, n_bins)]
    low, high, bins = float(sketch.values[0]), float(sketch.values[-1]), float(n_bins)
    width = high / bins - low / bins
    above = [float(k) * width for k in range(1, n_bins)]  # may overflow, too
    limits = [
        low + share if np.isfinite(share) else high - (bins - k) * width
        for k, share in enumerate(above, start=1)
    ]
    return [limit for limit in limits if limit > low]


def brackets_of(inside: Inside, wanted: Sequence[float], rules: Rules) -> list[Bracket]:
    """Brackets around the wanted places in ascending order; those that touch are joined."""
    found: list[Bracket] = []
    for place in wanted:
        low, high = _around(inside, place, rules)
        if found and _next(found[-1].high) >= low:
            last = found.pop()
            found.append(Bracket(last.low, max(last.high, high), (*last.wanted, place)))
        else:
            found.append(Bracket(low, high, (place,)))
    return found


def _around(inside: Inside, place: float, rules: Rules) -> tuple[Any, Any]:
    sketch = inside.sketch
    if rules.binning != "uniform":
        return sketch.around_rank(int(place) - inside.n_below)
    below = int(np.searchsorted(sketch.values.astype(np.float64), place)) - 1
    return sketch.values[below].item(), _last_below(place, is_whole=sketch.values.dtype.kind != "f")


def _next(value: float) -> float:
    return value + 1 if isinstance(value, int) else float(np.nextafter(value, np.inf))


def previous(value: float) -> float:
    """The next smaller number of the same type."""
    return value - 1 if isinstance(value, int) else float(np.nextafter(value, -np.inf))


def _last_below(limit: float, is_whole: bool) -> Any:
    """The largest number that is below a limit after conversion to float."""
    if not is_whole:
        return previous(limit)
    number = int(np.ceil(limit))
    while float(number) >= limit:
        number -= 1
    while float(number + 1) < limit:
        number += 1
    return number


def cuts_inside(inside: Inside, wanted: Sequence[float], rules: Rules) -> list[Any]:
    """The largest value of each level, if all values of the bracket are known."""
    values, ends = inside.sketch.values, inside.sketch.at_least + inside.n_below
    if rules.binning == "uniform":
        return [values[place - 1].item() for place in np.searchsorted(values.astype(np.float64), wanted)]
    found = []
    for rank in map(int, wanted):
        run = int(np.searchsorted(ends, rank))
        begin = int(ends[run - 1]) if run else inside.n_below
        run -= 2 * rank <= begin + int(ends[run])  # equal values stay together: take the nearer end
        if run >= 0:
            found.append(values[run].item())
    return found


def _narrowed(
    brackets: Sequence[Bracket], inside: Sequence[Inside], rules: Rules
) -> tuple[list[Bracket], list[Any]]:
    """Narrower brackets, and the edges that are known now."""
    left: list[Bracket] = []
    known: list[Any] = []
    for bracket, found in zip(brackets, inside, strict=True):
        if not found.fits(bracket, rules):
            raise DataError(
                "The rows that answered the last question are not the rows of the round before. Hint: let "
                "each part answer with the same rows in all rounds."
            )
        if found.sketch.is_exact:
            known += cuts_inside(found, bracket.wanted, rules)
        else:
            left += brackets_of(found, bracket.wanted, rules)
    return left, known


Question = Mapping[int, Sequence[Bracket]]  # by column
Answer = Mapping[int, list[Inside]]


def find_cuts(
    question: Question, rules: Rules, ask: Callable[[Question, int], Answer]
) -> dict[int, set[Any]]:
    """Find the edges of columns in as many rounds of questions as necessary.

    `ask` returns what is inside brackets over all rows, in sketches of at most the given number of values.
    """
    cuts: dict[int, set[Any]] = {j: set() for j in question}
    most = sketch_values(rules)
    while question:
        inside, left = ask(question, most), {}
        for j, brackets in question.items():
            narrower, known = _narrowed(brackets, inside[j], rules)
            cuts[j].update(known)
            if narrower:
                left[j] = narrower
        question = left
        most *= 2  # so that the loop ends for any values
    return cuts


def merge_answers(answers: Sequence[Answer], most: int) -> Answer:
    """Merge the answers of all parts."""
    return {
        j: [Inside.merged(parts, most) for parts in zip(*(one[j] for one in answers), strict=True)]
        for j in answers[0]
    }
