"""Take the pictures of a report, light and dark: ``python docs/make_report_picture.py``.

The report is that of the command above the pictures in README.md and on the front page of the site. Taking
them needs playwright and a chromium, as the browser tests do, of which one compares the words in the pictures
with those of the report.
"""

import io
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Literal

from click.testing import CliRunner
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser, Page, sync_playwright

from entropick.cli.program import program

FIGURES = Path(__file__).parent / "figures"
PICTURES: dict[Literal["light", "dark"], Path] = {
    "light": FIGURES / "report.png",
    "dark": FIGURES / "report-dark.png",
}
COMMAND = "select breast_cancer --report"
VIEW = {"width": 1040, "height": 900}
N_COLOURS = 64  # of the picture; keeps the file small
WORDS = "words"  # name of the text in the picture


def main() -> None:
    """Make the report, open it and take the pictures."""
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = write_report(Path(folder))
        browser = driver.chromium.launch(executable_path=chromium, args=flags)
        for scheme, picture in PICTURES.items():
            shot, words = photograph(browser, path, scheme)
            kept = PngInfo()
            kept.add_text(WORDS, words)
            image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(N_COLOURS)
            image.save(picture, optimize=True, pnginfo=kept)
        browser.close()


def write_report(folder: Path) -> Path:
    """Run the command; the path of its report."""
    path = folder / "report.html"
    CliRunner().invoke(program, [*COMMAND.split(), str(path)], catch_exceptions=False, standalone_mode=False)
    return path


def photograph(browser: Browser, path: Path, scheme: Literal["light", "dark"]) -> tuple[bytes, str]:
    """The top of the page as a browser shows it, and its words."""
    page = browser.new_page(viewport=VIEW, color_scheme=scheme)
    page.goto(path.as_uri())
    shot, words = page.screenshot(), words_on(page)
    page.close()
    return shot, words


def words_on(page: Page) -> str:
    """Words at the top of the page, without numbers: they depend on the processor, and times on the day."""
    texts = page.locator("header.page, nav, .controls label, #answer thead th").all_inner_texts()
    return " ".join(re.findall(r"[^\W\d]+", " ".join(texts)))


if __name__ == "__main__":
    main()
