"""Take the picture of docs/report.md: ``python docs/make_report_picture.py``.

The report is that of the first ten picks of CMIM on the breast cancer data. It needs playwright and a
chromium, as the browser tests do.
"""

import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

import entropick as ep
from entropick.report import render

PICTURE = Path(__file__).parent / "figures" / "report.png"
VIEW = {"width": 1040, "height": 1390}
N_BINS = 4
N_COLOURS = 64  # of the picture; keeps the file small


def main() -> None:
    """Make the report, open it and take the picture."""
    shot = photograph(render(make_document()))
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(N_COLOURS).save(PICTURE, optimize=True)


def make_document() -> dict[str, Any]:
    """The document of one selection."""
    X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    record = ep.CMIM(10, n_bins=N_BINS).fit(X, y).selection_.to_dict()
    return {
        "schema_version": 1,
        "kind": "select",
        "command": "entropick select breast_cancer --target target --method cmim --n-features 10",
        "seconds": sum(step["seconds"] for step in record["steps"]),
        "data": {
            "source": "breast_cancer",
            "n_rows": len(X),
            "n_columns": X.shape[1],
            "target": {
                "name": "target",
                "kind": "class",
                "n_classes": 2,
                "classes": [["0", 212], ["1", 357]],
            },
        },
        "method": "CMIM",
        "selection": record,
        "redundancy": redundancy(X[[step["names"][0] for step in record["steps"]]]),
    }


def redundancy(X: pd.DataFrame) -> dict[str, Any]:
    """Shared information of each pair of columns, by the smaller entropy."""
    levels = X.apply(lambda column: pd.qcut(column, N_BINS, labels=False, duplicates="drop")).to_numpy()
    entropies = [ep.entropy(column) for column in levels.T]
    values = [
        [ep.mutual_information(f, g) / min(h, k) for g, k in zip(levels.T, entropies, strict=True)]
        for f, h in zip(levels.T, entropies, strict=True)
    ]
    return {"names": list(X.columns), "values": values}


def photograph(html: str) -> bytes:
    """The top of the page as a browser shows it."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        path.write_text(html, encoding="utf-8")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport=VIEW)
        page.goto(path.as_uri())
        shot = page.screenshot()
        browser.close()
    return shot


if __name__ == "__main__":
    main()
