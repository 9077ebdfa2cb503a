"""The report: one self-contained HTML page made of a plain document (see docs/report.md).

`words` formats names and numbers, `svg` draws, `figures` and `tables` build the contents of `sections`, and
`page` fills the template.
"""

from pathlib import Path
from typing import Any

from entropick._base.whole_files import whole_file

__all__ = ["SCHEMA_VERSION", "render", "to_html"]

SCHEMA_VERSION = 1  # of documents


def to_html(document: dict[str, Any], path: str | Path | None) -> str | None:
    """Render a document without a version, and write the page to a file or return it."""
    page = render({"schema_version": SCHEMA_VERSION, **document})
    if path is None:
        return page
    with whole_file(path) as file:
        file.write(page.encode("utf-8"))
    return None


def render(document: dict[str, Any]) -> str:
    """Render a document as one self-contained HTML page.

    Parameters
    ----------
    document : output of ``entropick select --json`` or ``entropick compare --json``; keys that are missing or
        None are left out of the page

    Returns
    -------
    html : the page
    """
    try:
        from entropick.report.page import make_page
    except ModuleNotFoundError as error:
        raise ImportError(
            f"The report needs {error.name}, which is not installed. Hint: pip install 'entropick[cli]'."
        ) from error
    return make_page(document)
