"""Lists of the methods and the built-in data sets."""

import dataclasses

from entropick.cli.screen import LONGEST_MESSAGE, SCHEMA_VERSION, Screen
from entropick.files.built_in import BUILT_IN


def show_methods(as_json: bool) -> None:
    """List the methods and their parts."""
    from entropick.selectors.catalog import describe
    from entropick.selectors.methods import METHODS

    infos = [describe(method()) for method in METHODS.values()]
    if as_json:
        listed = [dataclasses.asdict(info) for info in infos]
        Screen().show_json({"schema_version": SCHEMA_VERSION, "methods": listed})
        return
    rows = [(info.name, info.measure, info.search, info.own_rule or "-", info.summary) for info in infos]
    Screen().table(("method", "measure", "search", "auto", "what it does"), rows, longest=LONGEST_MESSAGE)


def show_datasets(as_json: bool) -> None:
    """List the built-in data sets."""
    rows = [(name, data.summary) for name, data in BUILT_IN.items()]
    if as_json:
        listed = [{"name": name, "summary": summary} for name, summary in rows]
        Screen().show_json({"schema_version": SCHEMA_VERSION, "datasets": listed})
        return
    Screen().table(("data set", "what it is"), rows, longest=LONGEST_MESSAGE)
