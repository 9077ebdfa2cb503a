"""Docstrings of selectors, put together from those of their parts."""

import inspect
import re
from collections.abc import Iterable, Mapping

_SECTION = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.*)$")

ATTRIBUTES = """\
order_ : ndarray of int
    Selected columns, first pick first.
support_ : ndarray of bool of shape (n_features_in_,)
    True for selected columns.
ranking_ : ndarray of int of shape (n_features_in_,)
    Rank per column, 1 = best; columns the search did not reach share the next rank.
scores_ : ndarray of shape (n_features_in_,)
    Score of each column. Methods that score columns given those already picked give the score at the
    pick, and NaN to columns that were never picked.
selection_ : Selection
    The full record: every step with score, runner-up, ties and time, and the encoding.
n_features_ : int
    Number of selected columns.
n_features_in_ : int
    Number of columns seen in `fit`.
feature_names_in_ : ndarray of str
    Names of these columns, where X had names."""

OF_SUBSETS = """\
front_ : ParetoFront
    The best subsets found: `subsets`, `objectives`, `normalized`, `sizes` and `plot()`.
history_ : tuple of Generation
    Every round with the best subset so far.
equivalents_ : ndarray of bool of shape (n_equivalents, n_features_in_)
    Other subsets that the search came across, as good as the selected one and of the same size (or cost); at
    most `max_equivalents`. Empty where the selected columns are no subset of the front."""


def sections_of(docstring: str | None) -> dict[str, str]:
    """The sections of a docstring by their titles; what stands before the first one has no title."""
    text = inspect.cleandoc(docstring or "")
    titles = list(_SECTION.finditer(text))
    ends = [*(title.start() for title in titles), len(text)]
    found = {"": text[: ends[0]].strip()}
    for title, end in zip(titles, ends[1:], strict=True):
        found[title.group(1)] = text[title.end() : end].strip()
    return found


def entries_of(section: str) -> dict[str, str]:
    """The entries of a section of parameters or attributes, by name."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in section.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            lines = [f"{entry.group(1)} : {entry.group(2)}"]
            found.update(dict.fromkeys(entry.group(1).split(", "), lines))
        else:
            lines.append(line)
    return {name: "\n".join(entry) for name, entry in found.items()}


def compose(
    own: str | None,
    of_measure: str | None,
    parameters: Iterable[str],
    learns: Mapping[str, str],
    of_subsets: bool,
) -> str:
    """The docstring of a selector.

    Parameters
    ----------
    own : what the selector says itself; its sections come before those of the measure
    of_measure : the docstring of the measure
    parameters : entries of the parameters, in order
    learns : what the measure learns: name to "type: text"
    of_subsets : whether the search is one over whole subsets
    """
    sections = sections_of(of_measure) | {name: text for name, text in sections_of(own).items() if text}
    attributes = [ATTRIBUTES, *([OF_SUBSETS] if of_subsets else [])]
    attributes += [_attribute(name, text) for name, text in learns.items()]
    if "Attributes" in sections:
        attributes.append(sections["Attributes"])
    sections["Parameters"], sections["Attributes"] = "\n".join(parameters), "\n".join(attributes)
    parts = [sections[""]]
    for title in ("Parameters", "Attributes", "References", "Examples"):
        if title in sections:
            parts.append(f"{title}\n{'-' * len(title)}\n{sections[title]}")
    return "\n\n".join(parts) + "\n"


def _attribute(name: str, text: str) -> str:
    kind, meaning = text.split(": ", 1)
    return f"{name}_ : {kind}\n    {meaning}"
