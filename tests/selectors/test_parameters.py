"""The ranges of the parameters of all parts, and constants that other tests only use."""

import itertools

import numpy as np

from entropick import registry
from entropick._base.compat import Interval
from entropick.measures.graphs import graph, inffs, tuning

RANGES = {
    "[0.0, inf)": "bayesian.alpha gaussian.beta mifs.beta llcfs.tol udfs.tol ufsol.alpha ufsol.tol "
    "held_out.n_errors residual.excess best_first.tol cross_entropy.tolerance swarm.own_pull swarm.common_pull",
    "(0.0, inf)": "svmrfe.C mcfs.bandwidth laplacian_score.bandwidth llcfs.beta udfs.gamma udfs.ridge "
    "fsv.steepness neighborhood_entropy.epsilon miq.epsilon fsasl.local_weight fsasl.gamma ufsol.beta "
    "swarm.max_velocity budget max_time",
    "(0.0, inf]": "renyi.alpha",
    "(-inf, inf)": "threshold.value",
    "[0.0, 1.0]": "joint_balance.weight pairwise_balance.weight rough_set.weight dgufs.beta ecfs.alpha inffs.alpha "
    "inffs.diversity swarm.inertia",
    "(0.0, 1.0]": "dgufs.n_kept mcfs.n_coefs nhtp.n_nonzero l1svm.penalty rough_set.precision share.share "
    "cross_entropy.smoothing cross_entropy.end_share",
    "[0.0, 1.0)": "fcbf.delta residual.max_risk",
    "(0.0, 1.0)": "svmrfe.step fsv.weight fsasl.sparsity held_out.level permutation.level probability.zeta "
    "cross_entropy.quantile",
    "[0, inf)": "max_equivalents",
    "[2, inf)": "ilfs.n_tokens held_out.n_folds cross_entropy.n_samples swarm.n_particles",
    "[4, inf)": "nsga2.population_size",
    "[1, 2]": "relieff.power",
    "[1, 30]": "exhaustive.max_columns",
}


def test_ranges_of_parameters():
    """Those listed are as they were; parameters of new parts need no entry."""
    expected = {name: range_ for range_, names in RANGES.items() for name in names.split()}
    found = {}
    for parts in (registry.MEASURES, registry.SEARCHES, registry.CUTS):
        for name, part in parts.items():
            for parameter, allowed in part._parameter_constraints.items():
                for interval in (rule for rule in allowed if isinstance(rule, Interval)):
                    is_listed = parameter in expected and parts is registry.SEARCHES
                    _, range_ = str(interval).split(" in the range ")
                    found[parameter if is_listed else f"{name}.{parameter}"] = range_
    assert {name: found.get(name) for name in expected} == expected


def test_weights_that_are_tried():
    """Tenths, and all fifths of three weights that add up to 1, with the numbers of columns of the paper."""
    assert inffs.GRID_UNSUPERVISED == tuple((k / 10,) for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    fifths = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    expected = [weights for weights in itertools.product(fifths, repeat=3) if round(sum(weights), 9) == 1]
    assert list(inffs.GRID_SUPERVISED) == expected
    assert tuning.SIZES == (10, 50, 100, 150, 200)


def test_whole_numbers_that_are_exact_in_single_precision():
    """Up to the limit, and not beyond: sums of products of ranks are the same in both precisions."""
    limit = graph.EXACT_IN_SINGLE
    assert np.float32(limit - 1) != np.float32(limit) == np.float32(limit + 1)
