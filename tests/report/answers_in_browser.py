"""How long a living report takes to answer: `python tests/report/answers_in_browser.py`, with chromium.

The table has 1,000 columns, of which 150 can be chosen from. Printed are milliseconds of processor time of the page's
thread for script, styles, layout and painting: the median of several, the slowest jump or criterion first.
"""

import os
import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright

import entropick as ep

REPEATS = 5
JUMPS = [(2, 3), (10, 11), (100, 101), (1, 150), (150, 1), (1, 75), (75, 150), (20, 100), (100, 20)]
ANSWER = """([id, value, event]) => {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event(event));
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));  // once it is painted
}"""


class Clock:
    """Moves the slider and the switch of a page, and tells what an answer costs."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent(self) -> float:
        metrics = {
            entry["name"]: entry["value"] for entry in self.session.send("Performance.getMetrics")["metrics"]
        }
        return 1000 * metrics["TaskDuration"]

    def number(self, n: int) -> float:
        return self._answer("number", n, "input")

    def criterion(self, name: str) -> float:
        return self._answer("criterion", name, "change")

    def _answer(self, key: str, value: int | str, event: str) -> float:
        before = self.spent()
        self.page.evaluate(ANSWER, [key, value, event])
        return self.spent() - before

    def jumps(self) -> dict[str, float]:
        return {
            f"{a} to {b}": median([(self.number(a), self.number(b))[1] for _ in range(REPEATS)])
            for a, b in JUMPS
        }

    def switches(self, n: int) -> dict[str, float]:
        """Between criteria, with n columns: after the first time."""
        self.number(n)
        names = self.page.locator("#criterion option").evaluate_all("options => options.map(o => o.value)")
        times = [[self.criterion(name) for name in names] for _ in range(REPEATS)]
        print("the first time:", shown(dict(zip(names, times[0], strict=True))))
        return {
            name: median(of_name) for name, of_name in zip(names, zip(*times[1:], strict=True), strict=True)
        }


def median(times: object) -> float:
    return statistics.median(times)  # type: ignore[call-overload]


def shown(times: dict[str, float]) -> str:
    return ", ".join(
        f"{name} {time:.0f}" for name, time in sorted(times.items(), key=lambda entry: -entry[1])
    )


def write_wide_report(path: Path) -> None:
    """The report of 100 columns selected of 1,000."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 1000))
    y = np.digitize(X[:, :20].sum(axis=1) + rng.normal(size=1000), [-3, 0, 3])
    ep.JMI(100).fit(X, y).to_html(path, X=X, y=y)


def main() -> None:
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "report.html"
        write_wide_report(path)
        browser = driver.chromium.launch(executable_path=program, args=flags)
        page = browser.new_page()
        page.goto(path.as_uri())
        clock = Clock(page)
        print("slider:", shown(clock.jumps()))
        for n in (20, 100):
            print(f"criterion at {n} columns:", shown(clock.switches(n)))
        browser.close()


if __name__ == "__main__":
    main()
