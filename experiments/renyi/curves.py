"""Accuracies against the number of columns, taken from the results."""

from dataclasses import dataclass

import numpy as np

from experiments.paired import Paired
from experiments.protocol import Results
from experiments.renyi.protocol import LEVELS, MIN_ENTROPY, SHANNON, TEST_SHARE

CLASSIFIERS = {"svm": "SVM", "mlp": "ANN"}
NAMES = {"basehock": "BASEHOCK", "semeion": "SEMEION", "gisette": "GISETTE"}
OVERLAP = TEST_SHARE / (1 - TEST_SHARE)


@dataclass(frozen=True)
class Lead:
    """How far min-entropy is ahead of Shannon's entropy.

    Attributes
    ----------
    by_split : mean over the sizes, for each split
    by_size : mean over the splits, for each size
    """

    by_split: Paired
    by_size: np.ndarray


def sizes_of(results: Results) -> list[int]:
    """The numbers of columns tested."""
    records = results.where(part="accuracy")
    return list(records[0].settings["sizes"]) if records else []


def curves(results: Results, data: str, levels: str, order: str, kind: str) -> dict[int, np.ndarray]:
    """Accuracies at the sizes for each split, by the number of the split."""
    return {
        record.settings["repeat"]: np.array(record.result[kind])
        for record in results.where(part="accuracy", data=data, levels=levels, order=order)
        if kind in record.result
    }


def lead(results: Results, data: str, levels: str, kind: str, largest: int | None = None) -> Lead:
    """The lead on splits that were run with both entropies, up to a number of columns."""
    ahead, behind = (curves(results, data, levels, order, kind) for order in (MIN_ENTROPY, SHANNON))
    kept = [largest is None or size <= largest for size in sizes_of(results)]
    gaps = np.array([(ahead[split] - behind[split])[kept] for split in sorted(ahead.keys() & behind.keys())])
    if not gaps.size:
        return Lead(Paired([]), np.array([]))
    return Lead(Paired(gaps.mean(axis=1).tolist(), overlap=OVERLAP), gaps.mean(axis=0))


def exhausted_after(results: Results, data: str, order: str) -> list[int]:
    """After how many columns nothing was left of the entropy; empty if something was left in any split."""
    records = results.where(part="accuracy", data=data, levels=LEVELS[data], order=order)
    found = [record.result["exhausted"] for record in records]
    return [] if None in found else found


def shared_columns(results: Results, data: str) -> float:
    """How many columns the two entropies of the paper have in common, in the mean over splits."""
    picked: list[dict[int, set[int]]] = [
        {
            record.settings["repeat"]: set(record.result["columns"])
            for record in results.where(part="accuracy", data=data, levels=LEVELS[data], order=order)
        }
        for order in (SHANNON, MIN_ENTROPY)
    ]
    both = picked[0].keys() & picked[1].keys()
    return float(np.mean([len(picked[0][split] & picked[1][split]) for split in both])) if both else 0.0
