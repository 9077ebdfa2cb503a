"""What held-out rows say about the number of columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from entropick._base.wording import beside_guessing, interval_in_words, model_in_words

BEHIND = 0.1  # share of a model's gain over guessing that is worth a word
MAYBE = 0.2  # p-value up to which more rows may well show something


@dataclass(frozen=True)
class HeldOutScores:
    """Scores of models on held-out rows, by number of columns.

    Attributes
    ----------
    scoring : "accuracy", "balanced accuracy" or "R²"
    sizes : numbers of columns that were tried, ascending
    scores : score for each size, of the model that is better with the chosen number of columns
    losses : mean loss for each size, relative to that of guessing; the number of columns is chosen by it
    errors : standard error of the difference to the smallest loss
    by_model : scores of each model by its name; the loss is the mean of both
    n_best, n_chosen : number of columns with the smallest loss, and the number chosen; 0 for none
    p_value : share of shuffled targets that are predicted as well, with any number of columns; with few rows,
        twice that, or twice the share as close to single columns if that is less; None if columns were fixed
    all_columns : score with all columns; None if there are too many
    n_rows, n_folds : number of rows that were predicted, and of folds
    n_table_rows : rows of the table they were sampled from
    largest_class : share of the table's rows in the largest class; None for real values
    by_fold : columns selected without each fold, to which the scores refer; fold after fold, repeat after
        repeat
    interval : numbers of columns between which the choice lies in 90 % of the samples of the rows
    n_repeats : how often the rows were split into folds
    is_unsure : whether the p-value is above the level
    n_groups : number of groups of rows that were kept together; None if rows were taken as independent
    is_ordered : whether rows were predicted from the rows before them, as with time series
    n_sampled : rows of the sample that was split; None if all were
    model : name of the model that `scores` and `all_columns` are about
    """

    scoring: str
    sizes: tuple[int, ...]
    scores: tuple[float, ...]
    losses: tuple[float, ...]
    errors: tuple[float, ...]
    by_model: Mapping[str, tuple[float, ...]]
    n_best: int
    n_chosen: int
    p_value: float | None
    all_columns: float | None
    n_rows: int
    n_folds: int
    n_table_rows: int
    largest_class: float | None
    by_fold: tuple[tuple[int, ...], ...]
    interval: tuple[int, int] | None = None
    n_repeats: int = 1
    is_unsure: bool = False
    n_groups: int | None = None
    is_ordered: bool = False
    n_sampled: int | None = None
    model: str | None = None

    def fold_share(self, columns: Sequence[int]) -> float | None:
        """Share of the folds that selected a column, or all of a group; None if nothing was chosen."""
        if not self.n_chosen or not self.by_fold:
            return None
        return sum(set(columns) <= set(selected) for selected in self.by_fold) / len(self.by_fold)

    @property
    def doubt(self) -> str:
        """What a p-value above the level means."""
        if self.p_value is not None and self.p_value <= MAYBE:
            return f"There are too few rows to tell whether any column helps (p = {self.p_value:.2f})"
        return (
            "Nothing was found: with any number of columns, held-out rows are predicted no better than by "
            f"guessing (p = {self.p_value:.2f})"
        )

    def score_of(self, size: int) -> float:
        """Score with a number of columns that was tried."""
        return self.scores[self.sizes.index(size)]

    def sentence(self, n_columns: int) -> str:
        """Why this number of columns was chosen, and how others score."""
        guess = "with the fixed ones alone it is" if self.sizes[0] else "guessing gives"
        guess = f"{guess} {self.scores[0]:.3f}{beside_guessing(self.scoring, self.largest_class)}"
        rows = self._rows_in_words()
        if not self.n_chosen:
            return f"{self.doubt}, so no column is kept ({rows})."
        kept = "1 column" if self.n_chosen == 1 else f"{self.n_chosen:,} columns"
        model = "" if self.model is None else f" of {model_in_words(self.model)}"
        reached = f"{self.scoring}{model} is {self.score_of(self.n_chosen):.3f}"
        if self.is_unsure:
            return f"{self.doubt}. {kept} kept all the same: {reached} on held-out rows; {guess} ({rows})."
        if not self.sizes[0] and self.score_of(self.n_chosen) <= self.scores[0]:
            return (
                f"{kept} kept, but with caution: columns are related to the target (p = {self.p_value:.2f}), "
                f"yet models predict it no better than guessing: {reached} on held-out rows; {guess} "
                f"({rows})."
            )
        others = [guess]
        if self.all_columns is not None and self.n_chosen < n_columns:
            others.insert(0, f"with all {n_columns:,} columns it is {self.all_columns:.3f}")
        if (best := self._better(n_columns)) is not None:
            score, is_fewer = f"{self.score_of(best):.3f}", best < self.n_chosen
            least = f"with {best} it is {score}, though the difference may be chance"
            others.insert(0, least if is_fewer else f"with {best}, the best number tried, it is {score}")
        return f"{self._verdict(n_columns)}: {reached}; {', '.join(others)} ({rows})."

    def _rows_in_words(self) -> str:
        if self.is_ordered:
            sample = "" if self.n_sampled is None else f"a sample of {self.n_sampled:,} of "
            return f"{self.n_rows:,} rows predicted from earlier ones of {sample}{self.n_table_rows:,}"
        sampled = "" if self.n_rows == self.n_table_rows else f"a sample of {self.n_rows:,} of "
        groups = "" if self.n_groups is None else f" in {self.n_groups:,} groups"
        repeats = f", {self.n_repeats} times" * (self.n_repeats > 1)
        return f"{sampled}{self.n_table_rows:,} rows{groups}, {self.n_folds} folds{repeats}"

    def _verdict(self, n_columns: int) -> str:
        if self.n_chosen == n_columns > 1:
            return f"All {n_columns:,} columns are kept, no smaller number predicts held-out rows as well"
        low, high = self.interval or (self.n_chosen, self.n_chosen)
        span = interval_in_words(min(low, self.n_chosen), high)
        limits = ["in the mean of two models but not by each"] * self._is_model_behind
        if self.n_chosen > 1 and not self.sizes[0]:
            limits.append("though not all may be needed")
        columns = "1 column{} predicts" if self.n_chosen == 1 else f"{self.n_chosen:,} columns{{}} predict"
        return ", ".join([f"{columns.format(span)} held-out rows about as well as any number", *limits])

    @property
    def _is_model_behind(self) -> bool:
        """Whether the model of the score gains visibly more over guessing with another number of columns."""
        if self.model is None:
            return False
        best = max(*self.scores, -np.inf if self.all_columns is None else self.all_columns)
        return best - self.score_of(self.n_chosen) > BEHIND * (best - self.scores[0])

    def _better(self, n_columns: int) -> int | None:
        """Number of columns with the best score, if visibly better and not all columns.

        `n_best` has the smallest loss, which may be another number.
        """
        if len(self.sizes) < 2:
            return None
        at = 1 + int(np.argmax(self.scores[1:]))
        others = self.score_of(self.n_chosen), -np.inf if self.all_columns is None else self.all_columns
        is_better = round(self.scores[at], 3) > round(others[0], 3) and self.scores[at] >= others[1]
        return self.sizes[at] if is_better and self.sizes[at] < n_columns else None
