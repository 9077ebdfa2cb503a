"""Tables on what rules keep of unseen tables, and what it is worth."""

import numpy as np

from reproduction.unseen.findings import (
    ALL_RULES,
    CLASSES,
    best_of_path,
    cells_of,
    leads,
    losses,
    names_of,
    score,
    sizes,
)
from reproduction.unseen.protocol import AUTO, TEXTS

SHOWN = {
    AUTO: '`n_features="auto"`',
    "unsure kept": '`HeldOut(if_unsure="keep")`',
    "ten": "ten columns",
}


def sections(results):
    """What the page shows; nothing where too little was run."""
    return [_rules(results), _tables(results)] if len(names_of(results)) > 2 else []


def _rules(results):
    rows = []
    for rule in ALL_RULES:
        lost = list(losses(results, rule).values())
        lead, of_classes = leads(results, rule), leads(results, rule, CLASSES)
        seconds = [
            cell["kept"][rule]["seconds"] for name in names_of(results) for cell in cells_of(results, name)
        ]
        kept = sizes(results, rule)
        near = np.mean([value <= 0.03 for value in lost])
        rows.append(
            [SHOWN.get(rule, rule), f"{np.mean(lost):.4f}", f"{near:.2f}", f"{np.median(kept):.1f}",
             f"{np.mean(kept):.1f}", _with_error(lead), _with_error(of_classes), f"{np.median(seconds):.2f}"]
        )  # fmt: skip
    return TEXTS.section("rules", rows)


def _with_error(values):
    return f"{np.mean(values):+.4f} ± {np.std(values, ddof=1) / np.sqrt(len(values)):.4f}"


def _tables(results):
    rows = []
    for name in names_of(results):
        cells = cells_of(results, name)
        kept = ", ".join(str(cell["kept"][AUTO]["n"]) for cell in cells)
        spans = ", ".join(f"{cell['interval'][0]} to {cell['interval'][1]}" for cell in cells)
        best = best_of_path(cells)
        rows.append(
            [name, cells[0]["rows"], cells[0]["columns"], f"{best:.3f}", f"{best - score(cells, AUTO):+.3f}",
             kept, spans, f"{best - score(cells, 'all columns'):+.3f}"]
        )  # fmt: skip
    return TEXTS.section("tables", rows)
