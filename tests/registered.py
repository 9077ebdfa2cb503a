"""All searches and cuts of the registry, small enough for tests, and measures that fit them.

A part that is not named here is taken with its defaults, so a new one is under all laws at once.
"""

import numpy as np

from entropick import cuts, measures, registry

QUICK_SEARCHES = {  # the parameters that make a search short; several where a search has several ways
    "nsga2": [{"n_evaluations": 600, "population_size": 20}],
    "cross_entropy": [
        {"n_samples": 60, "max_rounds": 4},
        {"n_samples": 60, "max_rounds": 4, "sampling": "adaptive"},
    ],
    "swarm": [{"n_particles": 6, "n_rounds": 5}],
}
QUICK_CUTS = {
    "count": {"n": 4},
    "permutation": {"n_permutations": 19},
    "best_size": {"cv": 2},
    "front": {"cv": 2},
    "held_out": {"n_folds": 2},
}
MEASURES_OF_KIND = {
    "ranking": measures.MIM(),
    "step": measures.JMI(),
    "removal": measures.JMI(),
    "set": measures.Renyi(alpha=1),
}


def quick_searches(explores=None):
    """One of each, or several; all, or those over whole subsets or from column to column only."""
    made = [
        kind(**parameters)
        for name, kind in registry.SEARCHES.items()
        if explores in (None, kind.explores)
        for parameters in QUICK_SEARCHES.get(name, [{}])
    ]
    return [search.set_params(random_state=0) if is_random(search) else search for search in made]


def is_random(part):
    return "random_state" in part.get_params()


def is_polished(search):
    return "polish" in search.get_params()


def measure_for(search):
    """A measure that the search can walk with."""
    return MEASURES_OF_KIND[search.kinds[0]]


def quick_cuts():
    made = [kind(**QUICK_CUTS.get(name, {})) for name, kind in registry.CUTS.items()]
    return [cut.set_params(random_state=0) if is_random(cut) else cut for cut in made]


def search_for(cut):
    """A search whose result the cut can judge."""
    quick = {type(search).__name__: search for search in quick_searches()}
    if isinstance(cut, cuts.Probability):
        return quick["CrossEntropy"]
    return quick["Swarm"] if cut.needs_exploration else quick["Forward"]


def make_rows(n_rows=150, n_columns=12, seed=0):
    """Columns of three levels; y follows from three of them, columns 2, 5 and 7."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n_rows, n_columns))
    return X, ((X[:, 2] > 0) ^ (X[:, 5] > 1)) + (X[:, 7] == 2)
