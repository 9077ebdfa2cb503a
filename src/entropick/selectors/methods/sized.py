"""Selectors whose measure is told how many columns are wanted."""

from entropick import measures
from entropick.measures import Measure
from entropick.selectors.method import MethodSelector


class MCFS(MethodSelector, measure=measures.MCFS, without=("n_coefs",)):
    """Multi-cluster feature selection: columns that explain the clusters of near rows together.

    The first eigenvectors of the graph of near rows show its clusters. Each is regressed on few columns by
    least angle regression; a column scores its largest absolute coefficient. The number of columns in each
    regression is `n_features`, as in the paper (10 where a rule says how many).
    """

    def _make_measure(self) -> Measure:
        n_coefs = None if isinstance(self.n_features, str) else self.n_features
        return super()._make_measure().set_params(n_coefs=n_coefs)


class NHTP(MethodSelector, measure=measures.NHTP, without=("n_nonzero",)):
    """Newton hard thresholding pursuit: the best-fitting logistic model of a given number of columns.

    Minimises the logistic loss on standardised columns with at most s weights that are not 0. In each round
    the s columns of the largest |w − η ∇f(w)| are taken, and a Newton step is made on them. The score is
    |w_f|. s is `n_features`, as in the paper, and a fifth of the rows where a rule says how many. More than
    two classes are handled one-vs-rest, and a column scores its largest weight. Constant columns
    and copies of earlier ones score 0.
    """

    def _make_measure(self) -> Measure:
        n_nonzero = None if isinstance(self.n_features, str) else self.n_features or 10
        return super()._make_measure().set_params(n_nonzero=n_nonzero)


class DGUFS(MethodSelector, measure=measures.DGUFS, without=("n_kept",)):
    """Dependence-guided selection: few columns and clusters of rows that depend on each other most.

    With L_ij = 1 for rows in the same cluster and 0 else, (1 − beta) times the mean of x_fᵀ L x_f / n² over
    the columns kept is maximised, plus beta times the share of near rows in the same cluster, above chance.
    Given the clusters the best columns are those of the largest x_fᵀ L x_f / n², which is the score. Given
    the columns the clusters are made better until nothing changes. Both are repeated. As many columns are
    kept as `n_features` says, as in the paper (10 where a rule says how many).
    """

    def _make_measure(self) -> Measure:
        n_kept = None if isinstance(self.n_features, str) else self.n_features
        return super()._make_measure().set_params(n_kept=n_kept)
