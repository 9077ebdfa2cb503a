"""The compiled loops; the modules of `entropick._kernels` explain them."""

import numpy as np

class Chance:
    """What cells tell of classes by chance, as a function of their size.

    Parameters
    ----------
    class_sizes : int64 (classes,)
    """

    def __init__(self, class_sizes: np.ndarray) -> None: ...
    def fill(self, sizes: np.ndarray, expected: np.ndarray) -> None:
        """Bits times rows expected of cells of these sizes, int64 (k,), as float64 (k,).

        The sum over the cells of a column is n·E[I(f;y)] where labels are dealt out at random.
        """

class ChanceTables:
    """What cells within levels tell of classes by chance, for the sizes that loops ask for."""

    def __init__(self) -> None: ...
    def add(self, counts: np.ndarray, n_classes: int, scale: float) -> None:
        """Take in levels.

        Parameters
        ----------
        counts : uint64 (levels · classes,), rows of each level and class
        scale : what bits times rows are multiplied by, before they become integers
        """

    def clear(self) -> None:
        """Forget all levels."""

class NumericTable:
    """The numeric columns of a dataframe, kept where they stand.

    Parameters
    ----------
    stream : capsule of an Arrow C stream of tables
    all_or_none : whether nothing but `formats` is read where some column is no number
    """

    n_rows: int
    formats: str  # a character per column, as Arrow writes types; "?" for what is no number or boolean
    types: np.ndarray  # uint8: read as 0 uint8, 1 int64, 2 float64, with NaN where missing; 3 no number

    def __init__(self, stream: object, all_or_none: bool = False) -> None: ...
    def read(self, columns: np.ndarray, values: np.ndarray) -> None:
        """Fill values (columns, n_rows), which must be of the type of the columns."""

    def view(self, column: int) -> np.ndarray | None:
        """A column where it stands, or None: it is in pieces, of another type, or has missing values."""

def add_keys(expanded: np.ndarray, members: np.ndarray, start: int, width: int, sums: np.ndarray) -> None:
    """Row sums of each subset over the columns in `expanded` (columns, width).

    A subset that differs from the one before in few columns starts from the sums of that one.

    Parameters
    ----------
    members : bool (subsets, columns)
    sums : uint64 (subsets, rows), of which the rows start..start+width are set
    """

def add_listed(
    starts: np.ndarray, rows: np.ndarray, differences: np.ndarray, members: np.ndarray, sums: np.ndarray
) -> None:
    """Add the columns listed by their unusual rows to the row sums of each subset."""

def assign_levels(
    values: np.ndarray, edges: np.ndarray, n_edges: np.ndarray, missing_level: np.ndarray, codes: np.ndarray
) -> None:
    """Level of each value: the number of edges below it, or the column's level for missing values.

    Parameters
    ----------
    values : (b, n); edges : (b, most edges); n_edges : int64 (b,)
    missing_level : int64 (b,), -1 where nothing is missing
    codes : unsigned (b, at least n), filled
    """

def assign_sparse_levels(
    data: np.ndarray,
    starts: np.ndarray,
    edges: np.ndarray,
    n_edges: np.ndarray,
    missing_level: np.ndarray,
    codes: np.ndarray,
) -> None:
    """Levels of the stored values of a CSC matrix; `codes` is as long as `data`."""

def candidate_distances(
    values: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    columns: np.ndarray,
    first_row: int,
    neighbors: np.ndarray,
    squared: bool,
    distances: np.ndarray,
) -> None:
    """Add to ``distances[r, c]`` the distance of row first_row + r and its candidate c on some columns."""

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
    chance: ChanceTables,
    sums: np.ndarray,
) -> None:
    """Σ φ(N(f)) and Σ φ(N(f,y)) of one-byte columns with few levels, by planes that are not kept.

    Parameters
    ----------
    codes, n_levels, candidates, positions, phi, sums : as in `pair_sums`
    class_planes : uint64 ((classes - 1) · words,)
    class_sizes : int64 (classes,)
    chance : of one level, all rows; or of none where it is not asked for
    """

def count_tables(
    codes: np.ndarray,
    n_levels: np.ndarray,
    columns: np.ndarray,
    beside: np.ndarray,
    width: int,
    n_rows: int,
    starts: np.ndarray,
    tables: np.ndarray,
) -> None:
    """Add the rows to tables of counts, of columns each joined with what stands beside them.

    Parameters
    ----------
    codes : uint8, uint16 or uint32 (stored columns, at least n_rows)
    n_levels : int64 (columns,), their levels
    columns : int64 (columns,), which of the stored ones
    beside : uint8, uint16 or uint32 (at least n_rows,), below `width`
    starts : int64 (columns,), where in `tables` each table begins, level by level
    tables : int64, updated
    """

def count_tokens(
    columns: np.ndarray, codes: np.ndarray, class_means: np.ndarray, counts: np.ndarray
) -> None: ...
def crowding(values: np.ndarray, order: np.ndarray, ranks: np.ndarray, distances: np.ndarray) -> None:
    """Distance of each point to its neighbours of the same rank, over both objectives; infinite at ends."""

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
) -> None:
    """Fill ``distances[r, j]`` with the distance of rows[r] and row j on all columns (L1, or squared L2).

    A tile of a column serves all rows before the next one is fetched.
    """

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
def encode_columns(
    values: np.ndarray,
    n_bins: int,
    strategy: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
    n_missing: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    codes: np.ndarray,
    n_kept: int,
) -> None:
    """Cut several columns, and fill in the level of each value; missing values have the last one.

    Parameters
    ----------
    values : float64, int64 or uint8 (b, n)
    n_bins, strategy : how many levels, and QUANTILE or UNIFORM
    n_kept : columns with at most this many distinct values keep them instead
    edges : as values (b, the larger of n_bins and n_kept, less 1), filled; n_edges : int64 (b,), filled
    kept : bool (b,), filled: whether the column's values were few enough to keep
    n_missing : int64 (b,), low, high : as values (b,), filled: missing values, least and largest value
    codes : unsigned (b, at least n), filled
    """

def exp2(values: np.ndarray, results: np.ndarray) -> None:
    """Powers of two of float64 values, the same bits on every processor."""

def expand_keys(
    codes: np.ndarray,
    columns: np.ndarray,
    first_key: np.ndarray,
    keys: np.ndarray,
    start: int,
    width: int,
    out: np.ndarray,
    line: int,
) -> None:
    """Keys of the rows start..start+width of some columns: ``out[line + k]`` for column ``columns[k]``."""

def find_mdlp_edges(
    ordered: np.ndarray,
    labels: np.ndarray,
    n_valid: np.ndarray,
    n_kept: int,
    n_classes: int,
    edges: np.ndarray,
    n_edges: np.ndarray,
    kept: np.ndarray,
) -> None:
    """Edges of several columns by recursive class-entropy cuts (Fayyad and Irani 1993).

    Parameters
    ----------
    ordered : (b, n), each row in ascending order, missing values last
    labels : int32 (b, n), the classes in the same order
    n_valid : int64 (b,)
    n_kept : columns with at most this many distinct values keep them
    edges : (b, most edges), filled; n_edges : int64 (b,), filled; kept : as in `encode_columns`
    """

def find_present(codes: np.ndarray, is_present: np.ndarray) -> int:
    """Set ``is_present[code]`` for every code that occurs; returns the number of codes -1, missing values.

    Parameters
    ----------
    codes : signed integers (n,), from -1 to one less than the length of `is_present`
    """

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
    n_kept: int,
) -> None:
    """The edges that `encode_columns` finds, for columns of a CSC matrix, whose unstored values are zeros."""

def front_ranks(values: np.ndarray, order: np.ndarray, ranks: np.ndarray) -> None:
    """Rank of each point: 0 if no point is better in one objective and no worse in the other, and so on.

    Parameters
    ----------
    values : float (points, 2)
    order : points by first, then second objective
    ranks : int64 (points,), filled
    """

def group_sums(
    row_keys: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    kind: int,
    of_group: np.ndarray,
    of_cell: np.ndarray,
    order: float,
    sums: np.ndarray,
) -> None:
    """What the groups of rows with equal keys contribute, for each subset.

    Parameters
    ----------
    row_keys : uint64 (subsets, rows)
    labels : int32 (rows,), classes
    kind : ENTROPY sums ``of_group[size]`` over groups, PEAK the largest class count, NORM the norm of
        the class counts of the given order, as integers in units of 1 / ``of_group[0]``, MAJORITY the sizes
        of groups whose largest class count is at least ``of_group[size]``
    of_group, of_cell : int64 (rows + 1,), looked up by size of a group and count of a (group, class) cell
    sums : int64 (subsets, 4): groups, cells, sum over groups, sum of `of_cell` over cells
    """

def join_column(codes: np.ndarray, n_levels: int, n_cells: int, cells: np.ndarray) -> None:
    """Add a column to the groups of rows.

    Parameters
    ----------
    codes : unsigned (rows,), below `n_levels`
    n_cells : how many cells (group, class) there may be
    cells : uint32 (rows,), the cell of each row, below `n_cells`; gets codes · n_cells added
    """

def join_classes(
    codes: np.ndarray, labels: np.ndarray, n_classes: int, joint: np.ndarray, counts: np.ndarray
) -> None:
    """Join a column with the classes (a single one: leave them out), and count the levels of the joint.

    Parameters
    ----------
    codes : unsigned (n_rows,); labels : integers (n_rows,)
    joint : unsigned (n_rows,), filled with s · n_classes + y
    counts : uint64 (levels · classes,), filled
    """

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
    chance: ChanceTables,
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
def leaders(candidates: np.ndarray, bounds: np.ndarray, chosen: np.ndarray) -> None:
    """Fill `chosen` with the candidates of the highest bounds; `chosen` is no longer than these."""

def list_unusual(
    codes: np.ndarray,
    n_rows: int,
    columns: np.ndarray,
    usual: np.ndarray,
    starts: np.ndarray,
    rows: np.ndarray,
    levels: np.ndarray,
) -> None:
    """Write down the rows of some columns whose level is not the usual one, and that level."""

def log2(values: np.ndarray, results: np.ndarray) -> None:
    """Binary logarithms of positive float64 values, the same bits on every processor."""

def nearest_by_distance(distances: np.ndarray, rows: np.ndarray, near: np.ndarray) -> None:
    """Of some rows the nearest others, nearest first; equally near ones in their order.

    Parameters
    ----------
    distances : float32 (queried rows, rows)
    rows : int64, the queried rows
    near : int32 (queried rows, k), filled; k is at most the number of rows less one
    """

def nearest_dense_rows(
    points: np.ndarray,
    products: np.ndarray,
    lengths: np.ndarray,
    error: float,
    first_row: int,
    order: np.ndarray,
    near: np.ndarray,
    squared: np.ndarray,
) -> None:
    """Of some rows the nearest others, nearest first; products leave few of which distances are computed.

    Parameters
    ----------
    points : float64 (rows, columns)
    products : float32 (block, rows), of the rows first_row, first_row + 1, ... with all rows; the points may
        have been moved by the same vector before
    lengths : float32 (rows,), Euclidean lengths of the rows, as the products see them
    error : of a product, as a share of the lengths of both rows, at most
    order : int64 (rows,); of equally near rows those of the lowest number come first
    near : int64 (block, k), filled; k is at most the number of rows less one
    squared : float64 (block, k), filled with their squared distances
    """

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
def nearest_means(
    distances: np.ndarray, margin: float, k: int, weights: np.ndarray, values: np.ndarray, means: np.ndarray
) -> None:
    """Weighted means over the k nearest rows; those as near as the k-th share the places left for them.

    Parameters
    ----------
    distances : float64 (points, rows)
    margin : distances closer than this to the k-th are equal to it
    weights : float64 (rows,), above 0
    values : float64 (rows, values)
    means : float64 (points, values), filled
    """

def nearest_sparse_rows(
    values: np.ndarray,
    columns: np.ndarray,
    starts: np.ndarray,
    products: np.ndarray,
    lengths: np.ndarray,
    error: float,
    first_row: int,
    order: np.ndarray,
    near: np.ndarray,
    squared: np.ndarray,
) -> None:
    """`nearest_dense_rows` of rows of which only values other than 0 are stored.

    Parameters
    ----------
    values : float64, row by row
    columns : int64, of these values, ascending within a row
    starts : int64 (rows + 1,), where each row begins, and the end
    products, lengths, error, first_row, order, near, squared : as there
    """

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
def nested_sums(
    n_levels: np.ndarray,
    n_cells: int,
    n_classes: int,
    phi: np.ndarray,
    chance: ChanceTables,
    cells: np.ndarray,
    sums: np.ndarray,
) -> int:
    """Sums over groups after each of the columns that were joined last; returns how many cells there may be.

    Parameters
    ----------
    n_levels : int64 (columns,), of the newest columns
    n_cells : how many cells (group, class) there may be
    phi : int64 (rows + 1,)
    chance : of one level, all rows
    cells : uint32 (rows,), renumbered if most would be empty
    sums : int64 (columns, 4), filled: groups, cells, what groups contribute (φ and chance), and cells (φ)
    """

def number_texts(stream: object) -> tuple[np.ndarray, list[str]]:
    """Number the texts of a column in the order in which they first come.

    Parameters
    ----------
    stream : capsule of an Arrow C stream of texts, or of dictionaries of texts

    Returns
    -------
    codes : int32 (n,), -1 where missing; texts : the text of each number, also of dictionary entries
        that no row has
    """

def pack(
    codes: np.ndarray, columns: np.ndarray, n_levels: np.ndarray, first: np.ndarray, planes: np.ndarray
) -> None:
    """Fill the planes of some columns.

    Parameters
    ----------
    codes : uint8 (d, n), rows padded to whole words with level 0
    columns : int64 (k,), which columns to pack
    n_levels : int64 (d,), levels per column
    first : int64 (d,), index in `planes` of each column's plane of level 1
    planes : uint64 (planes, words), filled
    """

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
    chance: ChanceTables,
    i: int,
    n_rows: int,
    n_words: int,
    n_classes: int,
    phi: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Count each candidate f against selected column i.

    Parameters
    ----------
    columns : Columns
    candidates : int64 (k,), which columns
    positions : int64 (d,), where the columns stand in the table
    selected : Selected
    i : which of the selected columns
    rows : Rows
    phi : int64 (n_rows + 1,)
    sums : int64 (3, columns of the table), filled with Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what I(f;y|s) is
        expected to be by chance
    """

def processor() -> str:
    """The kind of processor that the loops run for: plain, avx2 or avx512; ENTROPICK_PROCESSOR chooses it."""

def read_columns(table: np.ndarray, first: int, columns: np.ndarray) -> None:
    """Copy columns first, first + 1, ... of a table of any layout.

    Parameters
    ----------
    table : numbers or booleans (n, d), in any order
    columns : (some, n), filled: float64 of floats, uint8 of bytes and booleans, else int64
    """

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
    squared: bool,
    bare_priors: bool,
    weights: np.ndarray,
) -> None:
    """Add what some rows tell to the ReliefF weight of each column (Kononenko 1994).

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    distances : float32 (queried rows, n)
    rows : int64, the queried rows
    labels : int32 (n,); priors : float64 (classes,), shares of the classes
    k : hits, and misses of each class
    squared : whether differences are squared
    bare_priors : whether misses of a class count with its prior, or with its share among the other classes
    weights : float64 (columns,), updated
    """

def renumber(codes: np.ndarray, new_code: np.ndarray, missing_code: int, renumbered: np.ndarray) -> None:
    """Fill in ``new_code[code]`` for each code, `missing_code` for -1.

    Parameters
    ----------
    codes : signed integers (n,), from -1 to one less than the length of `new_code`
    new_code : int64; renumbered : uint8, uint16, uint32 or int64 (at least n,), filled
    """

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
) -> None:
    """RReliefF's sums for a real target: differences in y, in each column, and in both at once.

    `target` is scaled to a range of 1; of_target (1,), of_columns and of_both (columns,) are updated.
    Rows as near as the k-th share its places and those of their kind.
    """

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
    chance: ChanceTables,
    first_level: int,
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
) -> None:
    """Most frequent level of some columns, and how many rows have another."""

def weighted_differences(
    points: np.ndarray,
    kinds: np.ndarray,
    expected: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Add to each column Σ weight · difference over the pairs of a queried row and any row.

    Parameters
    ----------
    points : float32 (n, columns); kinds, expected : as in the space
    rows : int64 (r,), the queried rows
    weights : float64 (r, n); pairs of weight 0 are left out
    sums : float64 (columns,)
    """
