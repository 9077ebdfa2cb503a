"""The report: one self-contained HTML page made of a plain document (see docs/report.md).

`words` writes names and numbers, `svg` draws, `figures` are the pictures, `tables` the tables, `sections`
puts both under headings, and `page` fills the template.
"""

from typing import Any

__all__ = ["render"]


def render(document: dict[str, Any]) -> str:
    """The document as one self-contained HTML page.

    Parameters
    ----------
    document : what ``entropick select --json`` or ``entropick compare --json`` prints; parts that are missing
        or None are left out of the page

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
