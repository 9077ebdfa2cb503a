"""What an experiment is made of: cells to run, claims to check, and what to show of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from experiments.data import Data

HOLDS, FAILS, UNCHECKED = "holds", "does not hold", "cannot be checked"


@dataclass(frozen=True)
class Cell:
    """The smallest piece of work that is stored: what is lost where a run is killed.

    Attributes
    ----------
    key : its name, unlike that of all other cells of the experiment
    settings : all that decides its result (plain values that JSON can hold), its seed included
    dataset : name of the data set it needs; None where it makes its own
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
    """All records of an experiment, in the order of its cells, and what is missing.

    Attributes
    ----------
    records : the cells that were run
    n_cells : how many there are in all
    missing : data sets that were not found, with the reason
    quick : whether this is the short version
    """

    records: Sequence[Record]
    n_cells: int
    missing: Mapping[str, str] = field(default_factory=dict)
    quick: bool = False

    def where(self, **settings: Any) -> list[Record]:
        """The records with these settings."""
        return [
            record
            for record in self.records
            if all(record.settings.get(key) == value for key, value in settings.items())
        ]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)


@dataclass(frozen=True)
class Claim:
    """Something a paper says, beside what came out here.

    Attributes
    ----------
    where : the table, figure or section of the paper
    text : the claim, one sentence
    paper, ours : the numbers, ours with their error
    verdict : HOLDS, FAILS or UNCHECKED
    why : the evidence; for FAILS a paragraph with what rules out a mistake here, for UNCHECKED the reason
    """

    where: str
    text: str
    paper: str
    ours: str
    verdict: str
    why: str = ""


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
    name : as the command line takes it
    title, reference : of the paper
    protocol : what is done, in Markdown: data, methods, settings, splits, repeats, and where it differs from
        the paper
    datasets : names of all data sets it would like to have
    cells : the cells of the whole version (False) or the short one (True), the most telling first
    run : what a cell gives, as values JSON can hold; called in a process of its own with one thread
    claims : the verdicts, whatever part of the cells is there
    sections : tables and figures, whatever part of the cells is there
    """

    name: str
    title: str
    reference: str
    protocol: str
    datasets: tuple[str, ...]
    cells: Callable[[bool], Iterable[Cell]]
    run: Callable[[Cell, Data], Any]
    claims: Callable[[Results], Sequence[Claim]]
    sections: Callable[[Results], Sequence[Section]]


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[Any]], *, numbers: bool = True) -> str:
    """A table in Markdown; the first column to the left, the others to the right if they hold numbers."""
    lines = [header, ["---", *["---:" if numbers else "---"] * (len(header) - 1)], *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def mean_and_error(values: Sequence[float], digits: int = 3) -> str:
    """Mean ± standard error, as the tables show it."""
    n = len(values)
    if not n:
        return "-"
    mean = sum(values) / n
    if n == 1:
        return f"{mean:.{digits}f}"
    error = (sum((value - mean) ** 2 for value in values) / (n - 1) / n) ** 0.5
    return f"{mean:.{digits}f} ± {error:.{digits}f}"
