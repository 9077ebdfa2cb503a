"""The parts of an experiment: cells to run, claims to check, and tables and figures to show."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

HOLDS, FAILS, UNCHECKED = "holds", "does not hold", "cannot be checked"
UNDECIDED, DEPENDS = "undecided", "depends on the reading"
VERDICTS = (HOLDS, FAILS, UNDECIDED, DEPENDS, UNCHECKED)
BEYOND = "beyond the paper"  # where a claim is ours


@dataclass(frozen=True)
class Cell:
    """The smallest piece of work that is stored, and lost if a run is killed.

    `settings` are everything that determines its result, including the seed, as JSON values; `dataset` is
    None if it generates its own data.
    """

    key: str
    settings: Mapping[str, Any]
    dataset: str | None = None


@dataclass(frozen=True)
class Record:
    """A cell that was run."""

    key: str
    settings: Mapping[str, Any]
    result: Any
    seconds: float


@dataclass(frozen=True)
class Results:
    """All records of an experiment in the order of its cells, and what is missing: data sets with reasons."""

    records: Sequence[Record]
    n_cells: int
    missing: Mapping[str, str] = field(default_factory=dict)
    quick: bool = False
    _found: dict = field(default_factory=dict, repr=False, compare=False)  # records by settings

    def where(self, **settings):
        """The records with these settings."""
        names = tuple(settings)
        if names not in self._found:
            by_values = self._found[names] = defaultdict(list)
            for record in self.records:
                by_values[_plain(record.settings.get(name) for name in names)].append(record)
        return list(self._found[names].get(_plain(settings.values()), ()))

    def __iter__(self):
        return iter(self.records)


def _plain(values: Iterable[Any]) -> tuple:
    """Values of settings, which may be lists, as a key."""
    return tuple(repr(value) if isinstance(value, list | dict) else value for value in values)


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, next to our results.

    `why` is the rule and the evidence. `readings` are verdicts by name if the paper does not say what was
    done, and it was done in several ways. `checks` says what was done against a mistake of ours. A
    `headline` is a promise of the abstract or the introduction.
    """

    where: str
    text: str
    paper: str
    ours: str
    verdict: str
    why: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    headline: bool = False

    @property
    def is_beyond(self) -> bool:
        """Whether it is our own claim and not the paper's."""
        return self.where == BEYOND


@dataclass(frozen=True)
class Figure:
    """A picture: `draw` gets a matplotlib figure and fills it."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (7.0, 3.2)


@dataclass(frozen=True)
class Section:
    """A part of the page: a heading, text and tables in Markdown, pictures below them."""

    title: str
    text: str
    figures: Sequence[Figure] = ()


@dataclass(frozen=True)
class Experiment:
    """A paper's experiments.

    Attributes
    ----------
    name, title, reference : of the paper
    protocol : what is done and where it differs from the paper, in Markdown
    cells : the cells of the whole version (False) or the short one (True), the most telling first
    run : what a cell gives, as values JSON can hold; called in a process of its own with one thread
    claims, sections : verdicts, tables and figures, whatever part of the cells is there
    summary : what was claimed and what was found, in a few sentences for everybody
    against : what stands beside our numbers, a paper or a goal
    kept_back : cells that are run and shown only on request, where what is chosen is judged by them
    """

    name: str
    title: str
    reference: str
    protocol: str
    cells: Callable[[bool], Iterable[Cell]]
    run: Callable[[Cell, Any], Any]
    claims: Callable[[Results], Sequence[Claim]]
    sections: Callable[[Results], Sequence[Section]]
    summary: str = ""
    against: str = "paper"
    kept_back: Callable[[bool], Iterable[Cell]] = lambda quick: ()
