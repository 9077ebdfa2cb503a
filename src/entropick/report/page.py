"""Fill the page template with headings, sections and a content security policy."""

import base64
import hashlib
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from entropick.report import SCHEMA_VERSION, comparison, sections, selection, subsets, words

# sections on the first screen
FIRST = {"warnings", "answer", "ranking", "accuracy", "methods", "front", "history"}


def make_page(document: dict[str, Any], *, first_screen: bool = False) -> str:
    """Render the page of a document, or only its first sections."""
    check(document)
    document = words.clean(document)
    found = [
        sections.warnings(document),
        *comparison.sections(document),
        *selection.sections(document),
        *subsets.sections(document),
        sections.data(document),
        sections.repetition(document),
    ]
    shown = [section for section in found if section and (not first_screen or section.key in FIRST)]
    is_living = any(section.fit for section in shown)
    return _environment(is_living).get_template("report.html").render(
        created=words.moment(document.get("created") or ""),
        heading=sections.heading(document),
        sections=shown,
        is_framed=first_screen,
    )  # fmt: skip


def check(document: dict[str, Any]) -> None:
    """Reject documents that this version cannot read."""
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version != SCHEMA_VERSION:
        raise ValueError(
            f"The report reads documents of schema_version {SCHEMA_VERSION}, and this one has {version!r}. "
            "Hint: make it with `entropick select --json` or `entropick compare --json` of this version."
        )


def _environment(is_living: bool) -> Environment:
    environment = Environment(
        loader=PackageLoader("entropick.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = ["select.js", "living.js", "script.js"] if is_living else ["script.js"]
    style, script = _source(environment, "style.css"), "".join(_source(environment, name) for name in scripts)
    environment.globals.update(style=Markup(style), script=Markup(script), policy=_policy(style, script))
    return environment


def _source(environment: Environment, name: str) -> str:
    """A style sheet or script without what only its writers read: comments and indentation."""
    assert environment.loader is not None
    lines = environment.loader.get_source(environment, name)[0].splitlines()
    stripped = [line.strip() for line in lines]
    return "\n".join(line for line in stripped if line and not line.startswith("//")) + "\n"


def _policy(style: str, script: str) -> str:
    """Content security policy: nothing is loaded, and only the page's own style and script are allowed."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
