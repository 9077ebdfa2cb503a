"""The compiled loops; the modules of `entropick._kernels` explain them."""

import numpy as np

def add_keys(expanded: np.ndarray, members: np.ndarray, start: int, width: int, sums: np.ndarray) -> None: ...
def add_listed(
    starts: np.ndarray, rows: np.ndarray, differences: np.ndarray, members: np.ndarray, sums: np.ndarray
) -> None: ...
def assign_levels(
    values: np.ndarray, edges: np.ndarray, n_edges: np.ndarray, missing_level: np.ndarray, codes: np.ndarray
) -> None: ...
def assign_sparse_levels(
    data: np.ndarray,
    starts: np.ndarray,
    edges: np.ndarray,
    n_edges: np.ndarray,
    missing_level: np.ndarray,
    codes: np.ndarray,
) -> None: ...
def candidate_distances(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    columns: np.ndarray,
    first_row: int,
    neighbors: np.ndarray,
    squared: bool,
    distances: np.ndarray,
) -> None: ...
def class_counts(
    n_levels: np.ndarray,
    planes: np.ndarray,
    first_plane: np.ndarray,
    plane_counts: np.ndarray,
    candidates: np.ndarray,
    class_planes: np.ndarray,
    n_words: int,
) -> None: ...
def column_sums(
    codes: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    positions: np.ndarray,
    class_planes: np.ndarray,
    class_sizes: np.ndarray,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None: ...
def count_tokens(
    columns: np.ndarray, codes: np.ndarray, class_means: np.ndarray, counts: np.ndarray
) -> None: ...
def crowding(values: np.ndarray, order: np.ndarray, ranks: np.ndarray, distances: np.ndarray) -> None: ...
def dense_moments(
    columns: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    whole: np.ndarray,
    means: np.ndarray,
    variances: np.ndarray,
) -> None: ...
def distances_from(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    rows: np.ndarray,
    squared: bool,
    distances: np.ndarray,
) -> None: ...
def exact_neighborhood_entropies(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    starts: np.ndarray,
    members: np.ndarray,
    chosen: np.ndarray,
    selected: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    k: int,
    phi: np.ndarray,
    every_row: bool,
    sums: np.ndarray,
) -> None: ...
def expand_keys(
    codes: np.ndarray,
    columns: np.ndarray,
    first_key: np.ndarray,
    keys: np.ndarray,
    start: int,
    width: int,
    out: np.ndarray,
    line: int,
) -> None: ...
def find_edges(
    ordered: np.ndarray,
    n_valid: np.ndarray,
    n_bins: int,
    strategy: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
) -> None: ...
def find_mdlp_edges(
    ordered: np.ndarray,
    labels: np.ndarray,
    n_valid: np.ndarray,
    n_bins: int,
    n_classes: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
) -> None: ...
def find_quantile_edges(
    values: np.ndarray,
    n_bins: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
    n_missing: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    done: np.ndarray,
) -> None: ...
def find_sparse_edges(
    data: np.ndarray,
    starts: np.ndarray,
    n_rows: int,
    n_bins: int,
    strategy: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
    last: np.ndarray,
    n_missing: np.ndarray,
) -> None: ...
def front_ranks(values: np.ndarray, order: np.ndarray, ranks: np.ndarray) -> None: ...
def group_sums(
    row_keys: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    kind: int,
    of_group: np.ndarray,
    of_cell: np.ndarray,
    order: float,
    sums: np.ndarray,
) -> None: ...
def join_classes(
    codes: np.ndarray, labels: np.ndarray, n_classes: int, joint: np.ndarray, counts: np.ndarray
) -> None: ...
def lazy_minimum(
    codes: np.ndarray,
    n_levels: np.ndarray,
    planes: np.ndarray,
    first_plane: np.ndarray,
    plane_counts: np.ndarray,
    candidates: np.ndarray,
    joint: np.ndarray,
    index: np.ndarray,
    s_planes: np.ndarray,
    s_counts: np.ndarray,
    n_selected: int,
    n_rows: int,
    n_words: int,
    n_classes: int,
    phi: np.ndarray,
    offsets: np.ndarray,
    bounds: np.ndarray,
    n_seen: np.ndarray,
    counted: np.ndarray,
    positions: np.ndarray,
    best: np.ndarray,
    slack: int,
    finalists: np.ndarray,
) -> int: ...
def leaders(candidates: np.ndarray, bounds: np.ndarray, chosen: np.ndarray) -> None: ...
def list_unusual(
    codes: np.ndarray,
    n_rows: int,
    columns: np.ndarray,
    usual: np.ndarray,
    starts: np.ndarray,
    rows: np.ndarray,
    levels: np.ndarray,
) -> None: ...
def nearest_by_products(
    products: np.ndarray, squares: np.ndarray, first_row: int, found: np.ndarray
) -> None: ...
def nearest_in_windows(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    ordered: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    first_row: int,
    squared: bool,
    filler: np.ndarray,
    neighbors: np.ndarray,
) -> None: ...
def neighborhood_entropies(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    starts: np.ndarray,
    members: np.ndarray,
    chosen: np.ndarray,
    neighbors: np.ndarray,
    known: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    k: int,
    phi: np.ndarray,
    every_row: bool,
    sums: np.ndarray,
) -> None: ...
def pack(
    codes: np.ndarray, columns: np.ndarray, n_levels: np.ndarray, first: np.ndarray, planes: np.ndarray
) -> None: ...
def pair_sums(
    codes: np.ndarray,
    n_levels: np.ndarray,
    planes: np.ndarray,
    first_plane: np.ndarray,
    plane_counts: np.ndarray,
    candidates: np.ndarray,
    positions: np.ndarray,
    joint: np.ndarray,
    index: np.ndarray,
    s_planes: np.ndarray,
    s_counts: np.ndarray,
    i: int,
    n_rows: int,
    n_words: int,
    n_classes: int,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None: ...
def refine(
    codes: np.ndarray,
    n_levels: int,
    rows: np.ndarray,
    starts: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    new_rows: np.ndarray,
    new_starts: np.ndarray,
    new_labels: np.ndarray,
) -> tuple[int, int]: ...
def relief_weights(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    distances: np.ndarray,
    rows: np.ndarray,
    labels: np.ndarray,
    priors: np.ndarray,
    k: int,
    weights: np.ndarray,
) -> None: ...
def rrelief_sums(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    distances: np.ndarray,
    rows: np.ndarray,
    target: np.ndarray,
    k: int,
    of_target: np.ndarray,
    of_columns: np.ndarray,
    of_both: np.ndarray,
) -> None: ...
def sparse_moments(
    starts: np.ndarray,
    rows: np.ndarray,
    data: np.ndarray,
    codes: np.ndarray,
    counts: np.ndarray,
    whole: np.ndarray,
    means: np.ndarray,
    variances: np.ndarray,
) -> None: ...
def sparse_pair_sums(
    starts: np.ndarray,
    rows: np.ndarray,
    codes: np.ndarray,
    usual: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    positions: np.ndarray,
    joint: np.ndarray,
    n_s: int,
    n_y: int,
    s_counts: np.ndarray,
    sy_counts: np.ndarray,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None: ...
def sparse_split_sums(
    starts: np.ndarray,
    rows: np.ndarray,
    codes: np.ndarray,
    usual: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    group: np.ndarray,
    label: np.ndarray,
    cell: np.ndarray,
    counts: np.ndarray,
    n_classes: int,
    kind: int,
    phi: np.ndarray,
    group_sums: np.ndarray,
    sums: np.ndarray,
) -> None: ...
def split_norms(
    codes: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    rows: np.ndarray,
    starts: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    alpha: float,
    n_settled: int,
    sums: np.ndarray,
) -> None: ...
def split_sums(
    codes: np.ndarray,
    n_levels: np.ndarray,
    candidates: np.ndarray,
    rows: np.ndarray,
    starts: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    kind: int,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None: ...
def usual_levels(
    codes: np.ndarray,
    n_rows: int,
    candidates: np.ndarray,
    n_levels: np.ndarray,
    usual: np.ndarray,
    n_unusual: np.ndarray,
) -> None: ...
