"""Tests from counts take rows as independent; they reject tables whose rows belong together."""

from typing import Protocol

import numpy as np

from entropick.exceptions import CombinationError, Hint, Message


class Rows(Protocol):
    """What is known about the rows of a table."""

    @property
    def row_groups(self) -> np.ndarray | None: ...


def check_independent(table: Rows, name: str) -> None:
    """Reject rows that belong together."""
    if table.row_groups is not None:
        raise CombinationError(
            Message(
                f"{name} takes rows as independent, so it cannot use groups. Hint: ",
                Hint("n_features", "permutation"),
                " shuffles whole groups; or keep one row of each group.",
            )
        )
