"""Made by tools/make_derived.py from the parts of each method; do not edit."""

from collections.abc import Callable, Sequence
from typing import Any

from entropick.measures import Measure
from entropick.measures.graphs.explanation import ColumnExplanation
from entropick.selectors.base import PartsSelector
from entropick.selectors.method import MethodSelector

METHODS: dict[str, type[MethodSelector]]

class ECFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        alpha: float = 0.5,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class ILFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_tokens: int = 6,
        n_iterations: int = 10,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class CFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        summary: str = "mean",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class RRPC(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        signed: bool = False,
        classes: str = "multiple",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        unlabelled: int | str | None = None,
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class SVMRFE(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        C: float = 1.0,
        step: float = 0.5,
        one_by_one_below: int = 64,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class FisherScore(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class Gaussian(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        beta: float = 1.0,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class FSV(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        weight: float = 0.05,
        steepness: float = 5.0,
        max_rounds: int = 20,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class L1SVM(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        loss: str = "hinge",
        penalty: float | str = 0.1,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class KSG(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_neighbors: int = 3,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class ReliefF(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_neighbors: int = 10,
        n_iterations: int | None = None,
        power: int = 1,
        prior: str = "others",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class MultiSURF(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        variant: str = "multisurf",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class CMIM(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class JMIM(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class CFR(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class CIFE(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class DCSF(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class DISR(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class ICAP(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class JMI(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = "adjusted",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class MIFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        beta: float = 1.0,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class MIQ(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        epsilon: float = 0.01,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class MRI(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class MRMR(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class NJMIM(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class MIM(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class JMI3(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class LaplacianScore(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_neighbors: int = 5,
        bandwidth: float | None = None,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class LLCFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 10,
        beta: float = 1.0,
        max_rounds: int = 20,
        tol: float = 0.0001,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class UDFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        gamma: float = 1.0,
        ridge: float = 1.0,
        max_rounds: int = 20,
        tol: float = 1e-06,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class FSASL(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        sparsity: float = 0.01,
        local_weight: float = 1.0,
        gamma: float = 1.0,
        n_rounds: int = 1,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class UFSOL(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        alpha: float = 1.0,
        beta: float = 0.1,
        max_rounds: int = 10,
        tol: float = 1e-06,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class RenyiFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        alpha: float = ...,
        correction: str | None = None,
        max_risk: float | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class XMIFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        correction: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = 2,
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class SNEFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_neighbors: int = 4,
        index: str = "lsh",
        n_candidates: int | str | None = None,
        n_tables: int | None = 20,
        epsilon: float = 15.0,
        bucket_size: int = 25,
        scaling: str = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class NEFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_neighbors: int = 4,
        index: str = "auto",
        n_tables: int | None = 8,
        epsilon: float = 15.0,
        bucket_size: int = 25,
        scaling: str = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class InfFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        supervised: bool | str = "auto",
        alpha: Any = None,
        regularization: str = "spectral",
        graph: Any = None,
        scaling: str | None = "range",
        diversity: float = 0.0,
        variant: str = "paper",
        cut: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def explain(self, column: str | int) -> ColumnExplanation: ...

class MCFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        bandwidth: float | None = None,
        scaling: str | None = "range",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class DGUFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        n_clusters: int = 5,
        n_neighbors: int = 5,
        beta: float = 0.1,
        max_rounds: int = 100,
        scaling: str | None = "std",
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class FCBF(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        delta: float = 0.0,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class NHTP(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = None,
        *,
        max_rounds: int = 2000,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        missing: str = "level",
        target: str = "auto",
        multioutput: str = "joint",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...

class BayesianEntropyFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        alpha: float = 1.0,
        domain: str = "dependent",
        n_evaluations: int | None = None,
        population_size: int = 100,
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...
    def plot(self, ax: Any = None) -> Any: ...

class CFSSubset(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        patience: int = 5,
        tol: float = 1e-05,
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class CrossEntropyFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        measure: str | Measure | None = None,
        sampling: str = "static",
        n_samples: int = 5000,
        quantile: float = 0.25,
        smoothing: float = 1.0,
        parsimony: bool = True,
        end_share: float = 0.95,
        tolerance: float = 1e-09,
        patience: int = 10,
        max_rounds: int = 1000,
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        zeta: float = 0.9,
        estimator: Any = None,
        cv: Any = 5,
        scoring: Any = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...

class SwarmFS(MethodSelector):
    def __init__(
        self,
        n_features: float | str | None = "auto",
        *,
        measure: str | Measure | None = None,
        n_particles: int = 30,
        n_rounds: int = 100,
        inertia: float = 1.0,
        own_pull: float = 2.0,
        common_pull: float = 2.0,
        max_velocity: float = 6.0,
        max_equivalents: int = 20,
        costs: Any = None,
        budget: float | None = None,
        start: Any = None,
        max_time: float | None = None,
        on_interrupt: str = "raise",
        polish: str | None = None,
        fixed_features: Sequence[str | int] | None = None,
        feature_groups: Any = None,
        n_bins: int | str = "auto",
        binning: str = "quantile",
        missing: str = "level",
        target: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | Callable[..., None] | None = None,
    ) -> None: ...
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PartsSelector: ...
