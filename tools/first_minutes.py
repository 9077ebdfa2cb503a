"""Run every block of README.md, the site's front page and docs/start.md as a newcomer would.

    make first-minutes

For each page an empty environment gets what its install line names, and nothing else. There the Python
examples must give the output shown, and every command must end well, in an empty folder, in the order of the
page. The package is installed from a wheel of this folder, as a release would be.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "first-minutes"
PAGES = ["README.md", "docs/index.md", "docs/start.md"]
NEEDS_A_CLONE = "make "  # commands for developers, which have tests of their own
STANDS_FOR = re.compile(r"\b(FILE|COL)\b")  # a command to be filled in, not to be copied

EXAMPLES = """\
import doctest, sys
flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
found = doctest.testfile(sys.argv[1], module_relative=False, optionflags=flags)
print(f"{found.attempted} examples")
sys.exit(found.failed or not found.attempted)
"""


def blocks_of(page: Path, languages: str) -> list[str]:
    """Code blocks of a page in some languages, such as "sh|console"."""
    return re.findall(rf"^```(?:{languages})\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def commands_of(page: Path) -> list[str]:
    """Commands of a page: lines of shell blocks, and those after a prompt in blocks with output."""
    lines = "".join(blocks_of(page, "sh")).splitlines()
    lines += re.findall(r"^\$ (.*)$", "".join(blocks_of(page, "console")), re.M)
    return [line.split("  #")[0].strip() for line in lines if line.strip()]


def installed(page: Path, wheel: Path) -> Path:
    """An environment with what the install line of a page names; the folder of its programs."""
    [line] = [command for command in commands_of(page) if command.startswith("pip install ")]
    folder = PLACE / page.stem
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    wanted = [re.sub(r"^(\.|entropick)(?=\[|$)", str(wheel), word) for word in shlex.split(line)[2:]]
    print(f"{page.relative_to(ROOT)}: {line}", flush=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *wanted], check=True)
    return folder / "bin"


def run_page(page: Path, wheel: Path) -> None:
    """Run what a page shows, in its own environment and an empty folder."""
    programs = installed(page, wheel)
    folder = PLACE / f"{page.stem}-files"
    folder.mkdir(exist_ok=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    subprocess.run([programs / "python", "-c", EXAMPLES, page], cwd=folder, env=environment, check=True)
    for command in commands_of(page):
        if command.startswith(("pip ", NEEDS_A_CLONE)) or STANDS_FOR.search(command):
            continue
        print(f"$ {command}", flush=True)
        subprocess.run(shlex.split(command), cwd=folder, env=environment, check=True)


def main() -> None:
    """Build the wheel and run the pages."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for old in PLACE.glob("*.whl"):
        old.unlink()
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", PLACE, ROOT], check=True)
    [wheel] = PLACE.glob("*.whl")
    for page in PAGES:
        run_page(ROOT / page, wheel)
    print("Every block ran with what its page installs.")


if __name__ == "__main__":
    main()
