"""The table and the file of the tests of the program, which need what the program needs (extra cli)."""

import importlib.util

if importlib.util.find_spec("click") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    from program_runs import csv, table  # noqa: F401
