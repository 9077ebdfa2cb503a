"""Rows grouped by the joint levels of the selected columns, refined column by column."""

import math

import numpy as np

from entropick import _core
from entropick._base.logarithms import log2
from entropick._base.threads import Threads
from entropick.counting.surprisal import Surprisal
from entropick.table.codes import Codes
from entropick.table.row_groups import GroupOrder, shift_order

SHANNON, MINIMUM = 0, 1  # kinds of sums over groups


class LocalGroups:
    """Rows grouped by the joint levels of the columns taken in so far.

    Groups of a single class are dropped: no further column can change what they contribute.

    Parameters
    ----------
    codes : with a target
    tables : the codes as the loops see them, and the same with lists of unusual rows
    surprisal : the φ of Shannon sums
    threads : threads
    """

    def __init__(
        self,
        codes: Codes,
        tables: tuple[_core.CodeTable, _core.CodeTable],
        surprisal: Surprisal,
        threads: Threads,
    ) -> None:
        self._codes, self._surprisal, self._threads = codes, surprisal, threads
        self._table, self._listed = tables
        self._phi = np.asarray(surprisal.phi)
        self._groups = _core.Groups(codes.labels, codes.n_classes)

    @property
    def is_settled(self) -> bool:
        """Whether the class of every row follows from the columns taken in."""
        return self._groups.n_active == 0

    def refine(self, j: int) -> None:
        """Take in column j."""
        self._groups = self._groups.refined(self._codes.column(j), int(self._codes.n_levels[j]))

    def _with(self, groups: _core.Groups) -> "LocalGroups":
        twin = LocalGroups.__new__(LocalGroups)
        twin.__dict__.update(self.__dict__, _groups=groups)
        return twin

    def fork(self) -> "LocalGroups":
        """Independent groups that start from these."""
        return self._with(self._groups)

    def entropy_given_all(self, alpha: float) -> float:
        """H_α(y | all columns of the table), the least any selection can reach."""
        twin = self.fork()
        for j in range(self._codes.n_columns):
            if twin.is_settled:
                break
            twin.refine(j)
        return twin.entropy(alpha)

    def permuted(
        self, rng: np.random.Generator, row_groups: np.ndarray | None = None, shift: float | None = None
    ) -> "LocalGroups":
        """A twin whose labels are shuffled within each group: y independent of all else, given S."""
        sizes = self._groups.sizes()
        group = np.repeat(np.arange(len(sizes)), sizes)
        if shift is not None:
            order = shift_order(group, shift)
        elif row_groups is None:
            order = np.argsort(group + rng.random(len(group)), kind="stable")
        else:
            order = GroupOrder(row_groups[self._groups.rows()], group).draw(rng)
        return self._with(self._groups.shuffled(order))

    def entropy(self, alpha: float) -> float:
        """H_α(y | columns taken in), in bits."""
        if alpha in (1, math.inf):
            unsplit: float = self._groups.sum(SHANNON if alpha == 1 else MINIMUM, self._phi)
        else:
            unsplit = self._groups.norm(alpha)
        return float(self._to_entropies(np.array(unsplit), alpha))

    def entropies(self, candidates: np.ndarray, alpha: float) -> np.ndarray:
        """H_α(y | columns taken in, f) in bits for each candidate column f."""
        exact, n_active = alpha in (1, math.inf), self._groups.n_active
        kind = SHANNON if alpha == 1 else MINIMUM
        sums = np.empty(len(candidates), np.int64 if exact else np.float64)

        def split(start: int, stop: int) -> None:
            some, found = candidates[start:stop], sums[start:stop]
            if exact:
                self._groups.split_sums(self._listed, some, kind, self._phi, found)
            else:
                self._groups.split_norms(self._table, some, float(alpha), found)

        seconds = min(n_active * 2e-9, self._listed.mean_stored * 5e-9) if exact else n_active * 2e-8
        self._threads.run(split, len(candidates), 1e-7 + seconds)
        return self._to_entropies(sums, alpha)

    def _to_entropies(self, sums: np.ndarray, alpha: float) -> np.ndarray:
        n_rows = self._codes.n_rows
        if alpha == 1:
            return self._surprisal.to_bits(sums)
        if alpha == math.inf:
            return np.asarray(log2(n_rows) - log2(self._groups.n_settled + sums))
        return np.asarray(alpha / (1 - alpha) * (sums - log2(n_rows)))
