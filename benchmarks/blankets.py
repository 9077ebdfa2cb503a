"""Markov blankets of known networks: F1 of what is found on drawn rows, for every column as the target.

    python -m benchmarks.blankets --wheel pgmpy-1.1.2-py3-none-any.whl --networks alarm insurance

The networks are those of the Bayesian network repository in pgmpy's wheel (`pip download --no-deps pgmpy`),
which is read, not installed. Rows are drawn from the network with a fixed seed.
"""

import argparse
import gzip
import json
import re
import time
import warnings
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

import entropick as ep

VARIABLE = r"variable\s+(\S+)\s*\{\s*type\s+discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}"
FOLDER = "pgmpy/utils/example_models"
METHODS = {
    "hiton": {},
    "hiton, no symmetry": {"symmetry": None},
    "iamb": {"method": "iamb"},
    "koller_sahami": {"method": "koller_sahami"},
}


class Node(NamedTuple):
    """A column of a network: its levels, its parents, and the probabilities of its levels for theirs."""

    n_levels: int
    parents: tuple[str, ...]
    table: np.ndarray


def read_network(text: str) -> dict[str, Node]:
    """The nodes of a network in the format BIF."""
    levels = {name: [level.strip() for level in body.split(",")] for name, body in re.findall(VARIABLE, text)}
    nodes = {}
    for head, body in re.findall(r"probability\s*\(([^)]*)\)\s*\{(.*?)\n\}", text, re.S):
        name, _, given = (part.strip() for part in head.partition("|"))
        parents = tuple(parent.strip() for parent in given.split(",") if parent.strip())
        shape = [len(levels[parent]) for parent in parents]
        table = np.zeros([*shape, len(levels[name])])
        if not parents:
            table[:] = _numbers(re.search(r"table([^;]*);", body)[1])
        for values, numbers in re.findall(r"\(([^)]*)\)([^;]*);", body):
            at = tuple(levels[p].index(v.strip()) for p, v in zip(parents, values.split(","), strict=True))
            table[at] = _numbers(numbers)
        nodes[name] = Node(len(levels[name]), parents, table / table.sum(axis=-1, keepdims=True))
    return nodes


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def draw(nodes: dict[str, Node], n_rows: int, seed: int) -> np.ndarray:
    """Rows of a network, its columns in the order of its nodes."""
    rng = np.random.default_rng(seed)
    drawn: dict[str, np.ndarray] = {}
    while len(drawn) < len(nodes):
        for name, node in nodes.items():
            if name not in drawn and all(parent in drawn for parent in node.parents):
                ends = np.cumsum(node.table[tuple(drawn[parent] for parent in node.parents)], axis=-1)
                ends = np.broadcast_to(ends, (n_rows, node.n_levels))
                found = (rng.random(n_rows)[:, None] > ends).sum(axis=1)
                drawn[name] = np.minimum(found, node.n_levels - 1)
    return np.column_stack([drawn[name] for name in nodes])


def blanket(nodes: dict[str, Node], target: str) -> set[int]:
    """Parents, children and their other parents."""
    children = [name for name, node in nodes.items() if target in node.parents]
    found = {*nodes[target].parents, *children, *(p for child in children for p in nodes[child].parents)}
    return {i for i, name in enumerate(nodes) if name in found - {target}}


def f1(found: set[int], truth: set[int]) -> float:
    if not found and not truth:
        return 1.0
    return 2 * len(found & truth) / (len(found) + len(truth))


def score(
    nodes: dict[str, Node], rows: np.ndarray, target: int, parameters: dict[str, object]
) -> tuple[float, float]:
    """F1 for one target, and the seconds it took; columns are numbered as in the network."""
    truth = blanket(nodes, list(nodes)[target])
    others = [j for j in range(rows.shape[1]) if j != target]
    if len(np.unique(rows[:, target])) < 2:
        return f1(set(), truth), 0.0
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = ep.MarkovBlanket(n_bins=256, target="class", **parameters)
        selector.fit(rows[:, others], rows[:, target])
    return f1({others[j] for j in selector.order_}, truth), time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, required=True, help="wheel of pgmpy")
    parser.add_argument("--networks", nargs="+", default=["alarm", "insurance"])
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--save", type=Path, help="JSON file to write")
    options = parser.parse_args()
    results = []
    with zipfile.ZipFile(options.wheel) as wheel:
        for name in options.networks:
            nodes = read_network(gzip.decompress(wheel.read(f"{FOLDER}/{name}.bif.gz")).decode())
            for method in options.methods:
                cells = [
                    (nodes, rows, target, METHODS[method])
                    for rows in (draw(nodes, options.rows, seed) for seed in range(options.seeds))
                    for target in range(len(nodes))
                ]
                found = np.array(Parallel(n_jobs=options.jobs)(delayed(score)(*cell) for cell in cells))
                means = found.reshape(options.seeds, len(nodes), 2).mean(axis=1)
                results.append(
                    {"network": name, "columns": len(nodes), "rows": options.rows, "method": method}
                    | {"f1": means[:, 0].round(4).tolist(), "seconds": round(float(means[:, 1].mean()), 3)}
                )
                mean, seconds = means[:, 0].mean(), results[-1]["seconds"]
                print(f"{name:<12} {len(nodes):>4} columns  {method:<20}  F1 {mean:.3f}  {seconds} s")
    if options.save:
        options.save.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
