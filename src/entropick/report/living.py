"""What the page needs to select columns again: information of pairs, and what the fit chose."""

import ast
import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from entropick._base.wording import model_in_words
from entropick.report import words
from entropick.report.sections import MAX_COPIED, Document

FORWARD = ("Forward", "Ranking")  # searches that the page repeats
OF_TABLES = ("n_bins", "binning", "missing", "target")  # parameters that every criterion has


def fitted(document: Document, card_ids: dict[str, str]) -> Markup:
    """The fit as JSON for the script; empty without pairs of all selected columns or with very long names."""
    pairs, selection = document.get("pairs"), document.get("selection")
    if not pairs or not selection:
        return Markup("")
    names = [column["name"] for column in pairs["columns"]]
    if sum(map(len, names)) > MAX_COPIED or len(selection["selected"]) > len(names):
        return Markup("")
    steps, place = selection["steps"][: len(names)], {name: i for i, name in enumerate(names)}
    measure, search = (selection["settings"][role] for role in ("measure", "search"))
    evidence = selection.get("evidence")
    found = {
        "pairs": pairs | {"columns": [_rounded(column) for column in pairs["columns"]]},
        "method": document.get("method") or measure["name"],
        "criterion": measure["name"] if search["name"] in FORWARD else None,
        "parameters": {
            key: measure["parameters"][key] for key in ("beta", "epsilon") if key in measure["parameters"]
        },
        "n": len(selection["selected"]),
        "order": [place[step["names"][0]] for step in steps],
        "pinned": [place[step["names"][0]] for step in steps if step.get("fixed")],
        "explained": [_short(step.get("explained")) for step in steps],
        "evidence": evidence and {
            "sizes": evidence["sizes"], "scores": evidence["scores"],
            "scoring": words.plain(str(evidence["scoring"])),
            "model": model_in_words(evidence.get("model") or ""),
        },
        "code": document.get("code"),
        "options": _options(document.get("code")),
        "cards": {name: card_ids[name] for name in names if name in card_ids},
    }  # fmt: skip
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    # As an attribute within single quotes: the double ones of JSON stay as short as they are.
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;"))


def _rounded(facts: dict[str, Any]) -> dict[str, Any]:
    rounded = {key: _short(value) for key, value in facts.items()}
    return {key: value for key, value in rounded.items() if value}


def _short(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _options(code: str | None) -> Sequence[str]:
    """The arguments of a selector's code that say how columns become levels."""
    call = ast.parse(code, mode="eval").body if code else None
    if not isinstance(call, ast.Call):
        return []
    return [
        f"{word.arg}={ast.unparse(word.value)}".replace("'", '"')
        for word in call.keywords
        if word.arg in OF_TABLES
    ]
