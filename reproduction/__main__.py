"""`python -m reproduction NAME`: run a paper's experiments again and print a verdict on each claim."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from reproduction.data import Data
from reproduction.page import write_page
from reproduction.protocol import UNCHECKED, Results
from reproduction.runner import EXPERIMENTS, Store, collect, experiment_named, run_experiment

RESULTS = Path(__file__).with_name("results")
INTERRUPTED = 130  # the exit code shells give to programs ended by Ctrl-C


def main(arguments=None) -> int:
    """Run the program and return the exit code."""
    options = _read(arguments)
    try:
        _run(options)
    except KeyboardInterrupt:
        print("\nInterrupted. What is finished is stored.", file=sys.stderr)
        return INTERRUPTED
    except (OSError, ModuleNotFoundError) as error:  # a folder that cannot be written, no matplotlib
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _read(arguments) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m reproduction", description=__doc__, allow_abbrev=False)
    add = parser.add_argument
    add("name", choices=[*EXPERIMENTS, "all"], metavar="NAME", help=f"{', '.join(EXPERIMENTS)}, or all")
    add("--data", metavar="DIR", help="folder with the data sets as .npz files")
    add("--quick", action="store_true", help="a version of minutes, with fewer repeats")
    add("--results", metavar="DIR", default=RESULTS, help="where results are kept (default: %(default)s)")
    add("--page", metavar="F.md", help="write a front page of all stored results, and the others beside it")
    add("--guide", metavar="F.md", help="write the decision table of the user guide (methods alone)")
    add("--offline", action="store_true", help="do not ask OpenML for data sets that are not in the folder")
    add("--stored", action="store_true", help="run nothing; judge and write what is stored")
    add("--judge", action="store_true", help="run and show the part that nothing is chosen on (mixed alone)")
    add("--tables", action="store_true", help="print the tables of the page, too")
    add("--fresh", action="store_true", help="run stored cells again too; results are replaced one by one")
    add("--jobs", "-j", type=int, default=-1, help="processes; all processors by default")
    add("--json", action="store_true", help="print the verdicts as JSON")
    add("--quiet", "-q", action="store_true", help="no messages, no progress")
    options = parser.parse_args(arguments)
    if options.data is not None and not Path(options.data).is_dir():
        parser.error(f"--data {options.data!r} is no directory.")
    if options.stored and options.fresh:
        parser.error("--stored and --fresh exclude each other: one runs nothing, the other everything.")
    if options.guide is not None and (options.quick or options.name not in ("methods", "all")):
        parser.error("--guide is made of the whole version of methods. Hint: methods --guide F.md.")
    if options.judge and options.name != "mixed":
        parser.error("--judge is for mixed alone. Hint: mixed --judge.")
    if options.page is not None and options.quick:
        parser.error("--page is made of the whole version. Hint: leave out --quick.")
    return options


def _run(options: argparse.Namespace) -> None:
    """Run what is not stored yet, show verdicts, and write the page if requested."""
    names = list(EXPERIMENTS) if options.name == "all" else [options.name]
    folder = Path(options.results) / ("quick" if options.quick else "")
    stores = {name: Store(folder / f"{name}.jsonl") for name in EXPERIMENTS}
    found = {name: _run_one(name, options, stores[name]) for name in names}
    if options.json:
        print(json.dumps({"schema_version": 1, "experiments": found}, allow_nan=False))
    if options.guide is not None:
        from reproduction.methods.guide import write_guide

        write_guide(Path(options.guide), collect(experiment_named("methods"), stores["methods"]))
    if options.page is not None:
        write_page(Path(options.page), list(EXPERIMENTS), stores)
        _tell(options, f"Page: {Path(options.page).resolve()}")


def _run_one(name: str, options: argparse.Namespace, store: Store) -> dict:
    """Run one experiment and show its verdicts, or return them as a document."""
    experiment = experiment_named(name)
    results = (
        collect(experiment, store, quick=options.quick, judge=options.judge)
        if options.stored
        else _results(name, options, store)
    )
    for why in results.missing.values():
        print(f"Warning: Data set missing: {why}", file=sys.stderr)
    claims = experiment.claims(results)
    if not options.json:
        _show(experiment, results, claims)
    if options.tables and not options.json:
        for section in experiment.sections(results):
            print(f"\n{section.title}\n\n{section.text}")
    n_done, document = len(results.records), [dataclasses.asdict(claim) for claim in claims]
    counts = {"n_cells": results.n_cells, "n_done": n_done, "quick": results.quick}
    return {**counts, "missing": dict(results.missing), "claims": document}


def _results(name: str, options: argparse.Namespace, store: Store) -> Results:
    """All results of an experiment; cells that are not stored are run."""
    title = experiment_named(name).title
    _tell(options, f"{title}: results are kept in {store.path}; a run that is stopped goes on there.")
    return run_experiment(
        name,
        Data(options.data, openml=not options.offline),
        store,
        quick=options.quick,
        fresh=options.fresh,
        judge=options.judge,
        n_jobs=options.jobs,
        progress=lambda text, n_done, n_cells: _tell(options, f"{n_done}/{n_cells} {text}"),
    )


def _tell(options: argparse.Namespace, text: str) -> None:
    if not options.quiet:
        print(text, file=sys.stderr, flush=True)


def _show(experiment, results, claims) -> None:
    for claim in claims:
        print(f"{claim.verdict:17}  {claim.where}: {claim.text}")
        print(f"{'':19}{experiment.against}: {claim.paper}; ours: {claim.ours}")
        if claim.verdict == UNCHECKED:
            print(f"{'':19}{claim.why}")
    seconds = sum(record.seconds for record in results)
    kind = "short version" if results.quick else "whole version"
    print(f"{len(results.records)} of {results.n_cells} cells ({kind}), {seconds:.0f} seconds of cells.")


if __name__ == "__main__":
    sys.exit(main())
