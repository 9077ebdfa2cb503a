"""The best of several scores, and the first of an order, against plain loops."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from entropick._base.ties import best_first, best_of, descending, tolerance

# few different values, some of them equal but for rounding
LIKELY = st.sampled_from([0.0, -1.0, 2.0, 2.0 + 1e-13, 2.0 - 4e-13, 3e5, 3e5 + 1e-8, -np.inf])
SCORES = st.lists(st.one_of(LIKELY, st.floats(-5, 5)), min_size=1, max_size=60)


def plain_best(scores, tie_break):
    top = max(scores)
    tied = [i for i, score in enumerate(scores) if score >= top - tolerance(top)]
    winner = tied[plain_best(tie_break(tied), None)[0]] if tie_break else tied[0]
    others = [i for i in range(len(scores)) if i != winner]
    if not others:
        return winner, None, []
    limit = max(scores[i] for i in others)
    runner_up = next(i for i in others if scores[i] >= limit - tolerance(limit))
    ties = [i for i in tied if i != winner]
    return winner, ties[0] if ties else runner_up, ties


@pytest.mark.parametrize("breaks_ties", [False, True])
@given(scores=SCORES)
def test_best_of(breaks_ties, scores):
    tie_break = (lambda tied: np.asarray(tied) % 3.0) if breaks_ties else None
    found = best_of(np.array(scores), tie_break)
    assert (found.winner, found.runner_up, found.ties.tolist()) == plain_best(scores, tie_break)
    assert found.score == scores[found.winner]
    assert found.runner_up is None or found.runner_up_score == scores[found.runner_up]


@given(scores=SCORES, n_wanted=st.integers(1, 5), times=st.integers(1, 6))
def test_best_first_is_the_beginning_of_the_order(scores, n_wanted, times):
    scores = np.maximum(scores * times, -9.0)
    first = best_first(scores, n_wanted)
    assert len(first) >= min(n_wanted, len(scores))
    order = descending(scores)
    assert first.tolist() == order[: len(first)].tolist()
    if len(first) < len(scores):
        last, following = scores[order[len(first) - 1]], scores[order[len(first)]]
        assert last - following > tolerance(last)
