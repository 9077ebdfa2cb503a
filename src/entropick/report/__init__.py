"""The report: one self-contained HTML page made of a plain document (see docs/report.md).

`words` formats names and numbers, `svg` draws, `figures` and `tables` build the contents of `sections`, and
`page` fills the template.
"""

import html
from pathlib import Path
from typing import Any, overload

from entropick._base.whole_files import whole_file

__all__ = ["SCHEMA_VERSION", "framed", "render", "to_html"]

SCHEMA_VERSION = 1  # of documents
FRAME = 480  # pixels, where the script of the page cannot adapt the height of its frame


@overload
def to_html(document: dict[str, Any], path: None) -> str: ...


@overload
def to_html(document: dict[str, Any], path: str | Path | None) -> str | None: ...


def to_html(document: dict[str, Any], path: str | Path | None) -> str | None:
    """Render a document without a version, and write the page to a file or return it."""
    page = render({"schema_version": SCHEMA_VERSION, **document})
    if path is None:
        return page
    with whole_file(path) as file:
        file.write(page.encode("utf-8"))
    return None


def framed(document: dict[str, Any], text: str) -> str:
    """The first screen of the report in a frame, for notebooks; `text` without jinja2."""
    try:
        from entropick.report.page import make_page
    except ModuleNotFoundError:
        return f"<pre>{html.escape(text)}</pre>"
    page = html.escape(make_page({"schema_version": SCHEMA_VERSION, **document}, first_screen=True))
    return (
        f'<iframe title="entropick" srcdoc="{page}" width="100%" height="{FRAME}" frameborder="0"></iframe>'
    )


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
