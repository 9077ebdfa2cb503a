"""Cases of one family in one process: a line of JSON for each, so that the runner sees where it ends.

python -m campaign.worker readers 0 100
"""

import contextlib
import importlib
import json
import os
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from campaign.invariants import BrokenPromiseError


def main() -> None:
    family, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    report = os.fdopen(os.dup(1), "w")  # what a case prints goes elsewhere
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    cases = importlib.import_module(f"campaign.{family}")
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        for number in range(first, first + count):
            print(json.dumps(tried(cases.run, number, Path(folder))), file=report, flush=True)


def tried(run, number: int, folder: Path) -> dict:
    """What came of a case."""
    began = time.process_time()
    try:
        result = {"case": number, "outcome": run(number, folder)}
    except BrokenPromiseError as broken:
        result = {"case": number, "outcome": "broken", "finding": str(broken)}
    except Exception:
        result = {"case": number, "outcome": "broken", "finding": traceback.format_exc(limit=-6)}
    return result | {"seconds": round(time.process_time() - began, 3)}


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
