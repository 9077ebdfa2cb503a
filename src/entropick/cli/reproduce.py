"""The command `reproduce`: run a paper's experiments and print the verdicts."""

import dataclasses
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from entropick.cli.screen import LONGEST_MESSAGE, SCHEMA_VERSION, Screen
from entropick.exceptions import DataError
from entropick.experiments.data import Data
from entropick.experiments.page import write_page
from entropick.experiments.protocol import UNCHECKED, Claim, Results
from entropick.experiments.runner import EXPERIMENTS, Store, experiment_named, run_experiment

ALL = "all"


@dataclass(frozen=True)
class Request:
    """What `reproduce` is asked."""

    paper: str
    data: str | None
    quick: bool
    results: str
    page: str | None
    offline: bool
    fresh: bool
    jobs: int
    json: bool
    quiet: bool


def run_reproduce(request: Request) -> None:
    """Run what is not stored yet, show verdicts, and write the page if it is asked for."""
    if request.data is not None and not Path(request.data).is_dir():
        raise DataError(f"--data {request.data!r} is no directory.")
    if request.page is not None and request.quick:
        raise DataError("--page is made of the whole version. Hint: leave out --quick.")
    names = list(EXPERIMENTS) if request.paper == ALL else [request.paper]
    folder = Path(request.results) / "quick" if request.quick else Path(request.results)
    stores = {name: Store(folder / f"{name}.jsonl") for name in EXPERIMENTS}
    found = {name: _run(name, request, stores[name]) for name in names}
    if request.json:
        experiments = {name: _document(results, claims) for name, (results, claims) in found.items()}
        Screen().show_json({"schema_version": SCHEMA_VERSION, "experiments": experiments})
    if request.page is not None:
        write_page(Path(request.page), list(EXPERIMENTS), stores)
        Screen(request.quiet).say(f"Page: {Path(request.page).resolve()}")


def _run(name: str, request: Request, store: Store) -> tuple[Results, Sequence[Claim]]:
    """Run one experiment and show it."""
    screen = Screen(request.quiet)
    experiment = experiment_named(name)
    if request.fresh:
        store.path.unlink(missing_ok=True)
    screen.say(f"{experiment.title}: results are kept in {store.path}; a run that is stopped goes on there.")
    data = Data(request.data, openml=not request.offline)
    with screen.progress() as move:
        tell = move or (None if request.quiet else _tell_lines)
        results = run_experiment(name, data, store, quick=request.quick, n_jobs=request.jobs, progress=tell)
    for why in results.missing.values():
        screen.warn(f"Data set missing: {why}")
    claims = experiment.claims(results)
    if not request.json:
        _show(screen, results, claims)
    return results, claims


def _tell_lines(text: str, n_done: int, n_cells: int) -> None:
    """Progress where there is no terminal: one line for each cell."""
    print(f"{n_done}/{n_cells} {text}", file=sys.stderr, flush=True)


def _show(screen: Screen, results: Results, claims: Sequence[Claim]) -> None:
    rows = [(claim.verdict, claim.where, claim.text, claim.paper, claim.ours) for claim in claims]
    screen.table(("verdict", "where", "claim", "paper", "ours"), rows, longest=LONGEST_MESSAGE)
    for claim in claims:
        if claim.why and claim.verdict == UNCHECKED:
            screen.show(f"{claim.where}: {claim.verdict}: {claim.why}")
    seconds = sum(record.seconds for record in results)
    kind = "short version" if results.quick else "whole version"
    screen.show(
        f"{len(results.records)} of {results.n_cells} cells ({kind}), {seconds:.0f} seconds of cells."
    )


def _document(results: Results, claims: Sequence[Claim]) -> dict[str, object]:
    return {
        "n_cells": results.n_cells,
        "n_done": len(results.records),
        "quick": results.quick,
        "missing": dict(results.missing),
        "claims": [dataclasses.asdict(claim) for claim in claims],
    }
