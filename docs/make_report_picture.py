"""Take the pictures of a report, light and dark: ``python docs/make_report_picture.py``.

The report is that of the command above the pictures in README.md and on the front page of the site. Taking
them needs playwright and a chromium, as the browser tests do.
"""

import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Literal

from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import sync_playwright

from entropick.cli.program import program

FIGURES = Path(__file__).parent / "figures"
PICTURES: dict[Literal["light", "dark"], Path] = {
    "light": FIGURES / "report.png",
    "dark": FIGURES / "report-dark.png",
}
COMMAND = "select breast_cancer --report"
VIEW = {"width": 1040, "height": 900}
N_COLOURS = 64  # of the picture; keeps the file small


def main() -> None:
    """Make the report, open it and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        CliRunner().invoke(
            program, [*COMMAND.split(), str(path)], catch_exceptions=False, standalone_mode=False
        )
        for scheme, picture in PICTURES.items():
            shot = Image.open(io.BytesIO(photograph(path, scheme)))
            shot.convert("RGB").quantize(N_COLOURS).save(picture, optimize=True)


def photograph(path: Path, scheme: Literal["light", "dark"]) -> bytes:
    """The top of the page as a browser shows it."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport=VIEW, color_scheme=scheme)
        page.goto(path.as_uri())
        shot = page.screenshot()
        browser.close()
    return shot


if __name__ == "__main__":
    main()
