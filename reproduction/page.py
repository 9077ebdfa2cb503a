"""The pages of all experiments, made of stored results.

A front page has the headlines; each experiment has a page of its own, one of all its claims, and some with
the details. No page is longer than what one reads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reproduction.protocol import BEYOND, VERDICTS, Claim, Experiment, Figure, Results
from reproduction.runner import Store, collect, experiment_named
from reproduction.texts import markdown_table

FIGURES, PAGES = "figures", "pages"
HEAD = Path(__file__).with_name("head.md")
MAX_LINES = 280  # of a page of details


@dataclass(frozen=True)
class Part:
    """One experiment with what came out."""

    experiment: Experiment
    results: Results
    claims: list[Claim]
    store: Store

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def headlines(self) -> list[Claim]:
        """What the abstract says; all claims where there is no paper."""
        return [claim for claim in self.claims if claim.headline] or self.claims


def write_page(path: Path, names, stores) -> None:
    """Write the front page and the others beside it, with figures, of the experiments that have results."""
    parts = []
    for name in names:
        experiment, store = experiment_named(name), stores[name]
        missing = _without_results(experiment, store)
        results = collect(experiment, store, judge=True, missing=missing)
        if results.records:
            parts.append(Part(experiment, results, list(experiment.claims(results)), store))
    (path.parent / PAGES).mkdir(parents=True, exist_ok=True)
    for old in (path.parent / PAGES).glob("*-details*.md"):
        old.unlink()  # there may be fewer now
    _write(path, _front(parts))
    for part in parts:
        _write_part(part, path.parent)


def _write(path: Path, blocks) -> None:
    path.write_text("\n".join(blocks) + "\n", encoding="utf-8")


def _front(parts) -> Iterator[str]:
    """What the papers promise, claim by claim with one verdict each, and how all claims came out."""
    yield HEAD.read_text(encoding="utf-8")
    counts = []
    for part in parts:
        link = f"[{part.experiment.title}]({PAGES}/{part.name}.md)"
        counts.append([link, *_counts([claim for claim in part.claims if not claim.is_beyond])])
        if beyond := [claim for claim in part.claims if claim.is_beyond]:
            counts.append([BEYOND, *_counts(beyond)])
    yield markdown_table(["all claims", *VERDICTS], counts) + "\n"
    for part in parts:
        yield f'<a id="{part.name}"></a>\n\n## {part.experiment.title}\n'
        yield f"{part.experiment.reference}; [what was found]({PAGES}/{part.name}.md)\n"
        rows = [(claim.text, claim.where, f"**{claim.verdict}**") for claim in part.headlines]
        yield markdown_table(["claim", "where", "verdict"], rows, numbers=False) + "\n"


def _counts(claims) -> list[int]:
    verdicts = [claim.verdict for claim in claims]
    return [verdicts.count(verdict) for verdict in VERDICTS]


LIKE = {
    name: f" `ep.datasets.make_{name}` makes one like it of MNIST, which the paper's numbers are not about."
    for name in ("gisette", "gina")
}


def _without_results(experiment, store) -> dict[str, str]:
    """Data sets of which not a single cell was run: there was no copy of them."""
    stored, cells = store.read(), list(experiment.cells(False))
    wanted = {cell.dataset for cell in cells if cell.dataset is not None}
    done = {cell.dataset for cell in cells if cell.key in stored}
    return {name: f"No copy of {name} was available.{LIKE.get(name, '')}" for name in sorted(wanted - done)}


def _write_part(part: Part, folder: Path) -> None:
    """The page of an experiment, that of its claims, and those of its details."""
    drawn = [
        (section, [(figure.caption, _draw(figure, part.name, folder)) for figure in section.figures])
        for section in part.experiment.sections(part.results)
    ]
    details = _details(part, drawn)
    pictures = [one for _, figures in drawn for one in figures]
    names = [part.name + ("-details" if i == 0 else f"-details-{i + 1}") for i in range(len(details))]
    _write(folder / PAGES / f"{part.name}.md", _own_page(part, pictures[:1], names))
    _write(folder / PAGES / f"{part.name}-claims.md", _claims_page(part))
    for name, blocks in zip(names, details, strict=True):
        title = f"# {part.experiment.title}: details\n"
        _write(folder / PAGES / f"{name}.md", [title, f"[Back]({part.name}.md)\n", *blocks])


def _own_page(part: Part, pictures, details) -> Iterator[str]:
    """What was claimed and found, one picture, and the headline verdicts."""
    experiment = part.experiment
    yield f"# {experiment.title}\n"
    yield f"{experiment.reference}\n"
    if experiment.summary:
        yield f"{experiment.summary.strip()}\n"
    yield from (_picture(*one) for one in pictures)
    rows = [(claim.text, claim.where, claim.paper, _with_readings(claim)) for claim in part.headlines]
    yield markdown_table(["claim", "where", experiment.against, "verdict"], rows, numbers=False) + "\n"
    counted = [f"{verdict} {n}" for verdict, n in zip(VERDICTS, _counts(part.claims), strict=True) if n]
    links = [f"[all {len(part.claims)} claims]({part.name}-claims.md)"]
    links += [f"[details{f' {i}' if i > 1 else ''}]({name}.md)" for i, name in enumerate(details, 1)]
    yield f"All claims: {', '.join(counted)}."
    yield f"See {', '.join(links)}, and [how claims are judged](../judging.md).\n"
    if checks := list(dict.fromkeys(check for claim in part.claims for check in claim.checks)):
        yield "Checks against mistakes of ours:\n"
        yield "\n".join(f"- {check}" for check in checks) + "\n"
    yield f"`python -m reproduction {experiment.name}`; {_when(part.results, part.store)}"


def _claims_page(part: Part) -> Iterator[str]:
    """All claims, and the rule of each verdict."""
    yield f"# {part.experiment.title}: all claims\n"
    yield f"[Back]({part.name}.md), [how claims are judged](../judging.md)\n"
    yield _claim_table(part.experiment, part.claims)
    yield "## The rule of each verdict\n"
    yield from (f"- *{claim.text}* ({claim.verdict}) {claim.why}" for claim in part.claims if claim.why)


def _with_readings(claim) -> str:
    """The verdict, and those of the readings where they differ."""
    different = set(claim.readings.values()) - {claim.verdict}
    readings = [f"{verdict}: {name}" for name, verdict in claim.readings.items()] if different else []
    return f"**{claim.verdict}**" + (f" ({'; '.join(readings)})" if readings else "")


def _claim_table(experiment, claims) -> str:
    rows = [(claim.text, claim.where, claim.paper, claim.ours, f"**{claim.verdict}**") for claim in claims]
    header = ["claim", "where", experiment.against, "ours", "verdict"]
    return markdown_table(header, rows, numbers=False) + "\n"


def _details(part: Part, drawn) -> list[list[str]]:
    """How it is run, then all tables and figures, in pages that are not too long."""
    blocks = [f"## How it is run\n\n{part.experiment.protocol.strip()}\n"]
    for section, figures in drawn:
        text = f"## {section.title}\n\n{section.text.strip()}\n"
        blocks.append("\n".join([text, *(_picture(*one) for one in figures)]))
    pages: list[list[str]] = [[]]
    for block in blocks:
        n_lines = sum(other.count("\n") + 1 for other in pages[-1])
        if pages[-1] and n_lines + block.count("\n") > MAX_LINES:
            pages.append([])
        pages[-1].append(block)
    return pages


def _picture(caption, link) -> str:
    return f"![{caption}](../{link})\n\n*{caption}*\n"


def _when(results, store) -> str:
    """When, with what, and how much of it."""
    runs = store.runs()
    dates, newest = sorted({run["date"] for run in runs}), runs[-1]
    versions = ", ".join(f"{package} {version}" for package, version in newest["packages"].items())
    days = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return (
        f"{len(results.records)} of {results.n_cells} cells, {days}, "
        f"Python {newest['python']}, {versions}. The seed of a cell is the number of its repeat."
    )


def _draw(figure: Figure, experiment: str, folder: Path) -> str:
    """Draw a figure beside the pages; its path from the front page."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    own_name = figure.name.removeprefix(experiment).lstrip("-_").replace("_", "-")
    name = f"{FIGURES}/{experiment}-{own_name}.svg"
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(figsize=figure.size, layout="constrained")
    figure.draw(canvas)
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):  # same results, same bytes
        canvas.savefig(target, metadata={"Date": None})
    return name
