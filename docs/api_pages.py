"""Writes the index of the API reference from the public names, so that none can be forgotten."""

import inspect
from collections.abc import Callable
from pathlib import Path

import entropick as ep
from entropick.selectors.methods import METHODS

INDEX = """\
API reference
=============

Names are available as ``entropick.NAME``, parts as ``entropick.measures.NAME`` and so on. By convention,
``import entropick as ep``.
"""
FRAME = ["FeatureSelector", "StabilitySelector", "select", "compare"]
FRAME += ["scan", "partitioned", "database", "Cube", "Sketches"]
WITHOUT_METHODS = {
    "Measures",
    "Searches",
    "Cuts",
    "Base classes",
    "Exceptions and warnings",
}  # parameters suffice
RECORDS = ["Selection", "Step", "Comparison", "Exploration", "ParetoFront", "plot_history"]


def public_names() -> dict[str, list[str]]:
    """Heading of a section -> full names, each public name once."""
    functions = sorted(
        name for name in ep.__all__ if inspect.isfunction(getattr(ep, name)) and name not in FRAME + RECORDS
    )
    return {
        "Selecting and comparing": [f"entropick.{name}" for name in FRAME],
        "Methods, one selector each": [f"entropick.{name}" for name in sorted(METHODS, key=str.lower)],
        "Records": [f"entropick.{name}" for name in RECORDS],
        "Entropies": [f"entropick.{name}" for name in functions],
        "Measures": _parts(ep.measures, ep.registry.MEASURES),
        "Searches": _parts(ep.searches, ep.registry.SEARCHES),
        "Cuts": _parts(ep.cuts, ep.registry.CUTS),
        "Base classes": _bases(inspect.isclass),
        "Functions for own searches": _bases(inspect.isfunction),
        "Names of all parts": [f"entropick.registry.{name}" for name in ep.registry.__all__],
        "Data sets": [f"entropick.datasets.{name}" for name in ep.datasets.__all__],
        "Exceptions and warnings": [f"entropick.exceptions.{name}" for name in ep.exceptions.__all__],
        "Reports": ["entropick.report.render"],
    }


def _parts(module, registered) -> list[str]:
    names = sorted({kind.__name__ for kind in registered.values()}, key=str.lower)
    return [f"{module.__name__}.{name}" for name in names]


def _bases(is_wanted: Callable[[object], bool]) -> list[str]:
    """What the packages of parts export beside the parts, as far as it is wanted."""
    registered = {
        ep.measures: ep.registry.MEASURES,
        ep.searches: ep.registry.SEARCHES,
        ep.cuts: ep.registry.CUTS,
    }
    return [
        f"{module.__name__}.{name}"
        for module, parts in registered.items()
        for name in module.__all__
        if getattr(module, name) not in parts.values() and is_wanted(getattr(module, name))
    ]


def write(folder: Path) -> None:
    """Write the index into a folder; autosummary makes a page per name beside it."""
    folder.mkdir(exist_ok=True)
    text = INDEX
    for heading, names in public_names().items():
        options = [":toctree: generated", ":nosignatures:"]
        options += [":template: part.rst"] if heading in WITHOUT_METHODS else []
        lines = ["", heading, "-" * len(heading), "", ".. autosummary::"]
        lines += [f"   {line}" for line in [*options, "", *names]]
        text += "\n".join(lines) + "\n"
    index = folder / "index.rst"
    if (
        not index.exists() or index.read_text(encoding="utf-8") != text
    ):  # a page not written is not built anew
        index.write_text(text, encoding="utf-8")
