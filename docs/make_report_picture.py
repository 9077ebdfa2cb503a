"""Take the picture of a report: ``python docs/make_report_picture.py``.

The report is one of the program, on the breast cancer data. It needs playwright and a chromium, as the
browser tests do.
"""

import io
import os
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import sync_playwright

from entropick.cli.program import program

PICTURE = Path(__file__).parent / "figures" / "report.png"
COMMAND = "select breast_cancer --method cmim --n-features 6 --report"
VIEW = {"width": 1040, "height": 1180}
N_COLOURS = 64  # of the picture; keeps the file small


def main() -> None:
    """Make the report, open it and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        CliRunner().invoke(
            program, [*COMMAND.split(), str(path)], catch_exceptions=False, standalone_mode=False
        )
        shot = photograph(path)
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(N_COLOURS).save(PICTURE, optimize=True)


def photograph(path: Path) -> bytes:
    """The top of the page as a browser shows it."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        page = browser.new_page(viewport=VIEW)
        page.goto(path.as_uri())
        shot = page.screenshot()
        browser.close()
    return shot


if __name__ == "__main__":
    main()
