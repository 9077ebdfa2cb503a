"""The page of all experiments, generated from stored results."""

from pathlib import Path

from reproduction.protocol import BEYOND, VERDICTS, Figure
from reproduction.runner import collect, experiment_named
from reproduction.texts import markdown_table

FIGURES = "figures"
HEAD = Path(__file__).with_name("head.md")


def write_page(path: Path, names, stores) -> None:
    """Write the page and its figures, for the experiments that have results."""
    parts, counts = [], []
    for name in names:
        experiment = experiment_named(name)
        results = collect(
            experiment, stores[name], judge=True, missing=_without_results(experiment, stores[name])
        )
        if not results.records:
            continue
        claims = experiment.claims(results)
        title = f"[{experiment.title}](#{name})"
        counts.append([title, *_counts([claim for claim in claims if not claim.is_beyond])])
        if beyond := [claim for claim in claims if claim.is_beyond]:
            counts.append([BEYOND, *_counts(beyond)])
        parts.append("\n".join(_part(experiment, results, claims, stores[name], path)))
    table = markdown_table(["experiment", *VERDICTS], counts)
    head = HEAD.read_text(encoding="utf-8")
    path.write_text("\n".join([head, table, "", *parts]) + "\n", encoding="utf-8")


def _counts(claims) -> list[int]:
    verdicts = [claim.verdict for claim in claims]
    return [verdicts.count(verdict) for verdict in VERDICTS]


def _without_results(experiment, store) -> dict[str, str]:
    """Data sets of which not a single cell was run: there was no copy of them."""
    stored, cells = store.read(), list(experiment.cells(False))
    wanted = {cell.dataset for cell in cells if cell.dataset is not None}
    done = {cell.dataset for cell in cells if cell.key in stored}
    return {name: f"No copy of {name} was available." for name in sorted(wanted - done)}


def _part(experiment, results, claims, store, path):
    """What was claimed and found with one picture, the verdicts, and the rest folded away."""
    sections = list(experiment.sections(results))
    drawn = [
        [(figure.caption, _draw(figure, experiment.name, path)) for figure in section.figures]
        for section in sections
    ]
    yield f'<a id="{experiment.name}"></a>\n\n## {experiment.title}\n'
    yield f"{experiment.reference}\n"
    if experiment.summary:
        yield f"{experiment.summary.strip()}\n"
    yield from (_picture(*first) for first in [one for figures in drawn for one in figures][:1])
    yield f"`python -m reproduction {experiment.name}`; {_when(results, store)}\n"
    rows = [(claim.text, claim.where, claim.paper, claim.ours, f"**{claim.verdict}**") for claim in claims]
    yield (
        markdown_table(["claim", "where", experiment.against, "ours", "verdict"], rows, numbers=False) + "\n"
    )
    rules = [f"- *{claim.text}* ({claim.verdict}) {claim.why}" for claim in claims if claim.why]
    yield from _folded("How it is run", [f"{experiment.protocol.strip()}\n"])
    yield from _folded("The rule of each verdict", [*rules, ""])
    for section, figures in zip(sections, drawn, strict=True):
        yield from _folded(section.title, [f"{section.text.strip()}\n", *(_picture(*one) for one in figures)])


def _picture(caption, link) -> str:
    return f"![{caption}]({link})\n\n*{caption}*\n"


def _folded(title, lines):
    yield f"<details>\n<summary>{title}</summary>\n"
    yield from lines
    yield "</details>\n"


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


def _draw(figure: Figure, experiment: str, path: Path) -> str:
    """Draw a figure beside the page; its path from there."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    own_name = figure.name.removeprefix(experiment).lstrip("-_").replace("_", "-")
    name = f"{FIGURES}/{experiment}-{own_name}.svg"
    target = path.parent / name
    target.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(figsize=figure.size, layout="constrained")
    figure.draw(canvas)
    with matplotlib.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):  # same results, same bytes
        canvas.savefig(target, metadata={"Date": None})
    return name
