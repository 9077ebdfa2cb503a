"""Lists of the methods and the built-in data sets."""

import dataclasses

from entropick.cli.screen import LONGEST_MESSAGE, SCHEMA_VERSION, Screen
from entropick.files.built_in import BUILT_IN

DEFAULT = "JMI"


def show_methods(as_json: bool) -> None:
    """List the methods by what they are for; as JSON with their parts."""
    from entropick.selectors.catalog import NO_TARGET, SUBSETS, SUITS, describe
    from entropick.selectors.methods import METHODS

    infos = [describe(method()) for method in METHODS.values()]
    if as_json:
        listed = [dataclasses.asdict(info) for info in infos]
        Screen().show_json({"schema_version": SCHEMA_VERSION, "methods": listed})
        return
    screen = Screen()
    screen.show(
        "Which method? If in doubt, JMI, the default. `entropick compare FILE --target COL` tries several."
    )
    for suits in dict.fromkeys([*SUITS.values(), SUBSETS, NO_TARGET]):
        screen.show()
        screen.show(f"For {suits}:")
        rows = [(info.name, info.summary) for info in infos if info.suits == suits]
        rows.sort(key=lambda row: row[0] != DEFAULT)
        screen.table(("method", "what it does"), rows, longest=LONGEST_MESSAGE)


def show_datasets(as_json: bool) -> None:
    """List the built-in data sets."""
    rows = [(name, data.summary) for name, data in BUILT_IN.items()]
    if as_json:
        listed = [{"name": name, "summary": summary} for name, summary in rows]
        Screen().show_json({"schema_version": SCHEMA_VERSION, "datasets": listed})
        return
    Screen().table(("data set", "what it is"), rows, longest=LONGEST_MESSAGE)
