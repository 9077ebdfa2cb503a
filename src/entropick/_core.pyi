"""The compiled loops.

Classes own their memory, or keep the arrays alive that they were made of: shapes and layouts are checked
once. Arrays that are filled or updated come last. The files in cpp/ explain how it is done.
"""

from collections.abc import Sequence

import numpy as np

_Edges = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]

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

class ClassMoments:
    """Means and variances of columns within classes and over all rows, and nearness to class means.

    Parameters
    ----------
    codes : int32 (rows,), classes
    """

    def __init__(self, codes: np.ndarray, n_classes: int) -> None: ...
    def of_dense(
        self, columns: np.ndarray, whole: np.ndarray, means: np.ndarray, variances: np.ndarray
    ) -> None:
        """Moments of each row of `columns`, float64 (columns, rows).

        whole : (columns, 3), mean, variance and whether the column is constant
        means, variances : (columns, classes); 0 for a class without rows
        """

    def of_sparse(
        self,
        starts: np.ndarray,
        rows: np.ndarray,
        data: np.ndarray,
        whole: np.ndarray,
        means: np.ndarray,
        variances: np.ndarray,
    ) -> None:
        """The same for columns of a CSC matrix without stored zeros, rows in order."""

    def of_table(
        self, table: np.ndarray, first: int, whole: np.ndarray, means: np.ndarray, variances: np.ndarray
    ) -> None:
        """The same, bit for bit, for columns first, first + 1, ... of a table (rows, columns) in row order.

        `whole` (columns, 5) also gets the smallest and largest value. Missing and infinite values give means
        that are not finite.
        """

    def of_rows(
        self,
        starts: np.ndarray,
        columns: np.ndarray,
        data: np.ndarray,
        whole: np.ndarray,
        means: np.ndarray,
        variances: np.ndarray,
    ) -> bool:
        """The same as `of_table` for all columns of a CSR matrix; stored zeros are left out.

        False, with nothing useful filled in, if the columns of a row do not ascend.
        """

    def count_tokens(self, columns: np.ndarray, class_means: np.ndarray, counts: np.ndarray) -> None:
        """Count rows by how much nearer they are to the mean of their own class than to the next other one.

        The nearness d_other / (d_own + d_other) of squared distances lies in [0, 1]; `counts` (columns,
        tokens) counts its equal parts. A value at distance 0 from both tells nothing and has nearness 0.
        """

class CodeTable:
    """Columns of codes.

    Parameters
    ----------
    n_levels : int64 (columns,)
    parts : (columns, codes) of dense columns, unsigned (columns, at least n_rows); or (columns, starts, rows,
        codes, usual) of columns stored as the rows that differ from their usual level. A column of several
        parts is that of the last.
    """

    def __init__(
        self, n_rows: int, n_levels: np.ndarray, parts: Sequence[tuple[np.ndarray, ...]]
    ) -> None: ...
    mean_stored: float  # codes per column that a loop visits

    def count_tables(self, columns: np.ndarray, beside: np.ndarray, width: int, tables: np.ndarray) -> None:
        """Add the rows to tables of counts, one after the other, of columns each joined with `beside`.

        Parameters
        ----------
        beside : uint8, uint16 or uint32 (rows,), below `width`
        tables : int64, level by level
        """

    def usual_levels(self, columns: np.ndarray, usual: np.ndarray, n_unusual: np.ndarray) -> None:
        """Most frequent level of some columns, and how many rows have another."""

    def list_unusual(
        self,
        columns: np.ndarray,
        usual: np.ndarray,
        starts: np.ndarray,
        rows: np.ndarray,
        levels: np.ndarray,
    ) -> None:
        """List the rows of some columns that have another level, and that level, from `starts` on."""

class CorrelationRace:
    """Scores that fall as sums of how much candidates correlate with the selected columns grow.

    Parameters
    ----------
    columns : columns of numbers
    relevance : float64 (columns,)
    weight : of the mean redundancy, which is taken away from the relevance
    most : if above 0, redundancy is −½ log2(1 − r²) bits, with r² of at most this; else |r|
    """

    def __init__(self, columns: NumberColumns, relevance: np.ndarray, weight: float, most: float) -> None: ...
    def include(self, column: int) -> None:
        """A column was selected."""

    def finalists(self, candidates: np.ndarray) -> np.ndarray | None:
        """Candidates that may be best or second best, with complete sums; None if a race is not worth it."""

    def complete(self, columns: np.ndarray) -> None:
        """Complete the sums of columns; threads may complete different ones."""

    def scores(self, columns: np.ndarray) -> np.ndarray:
        """Scores of columns whose sums are complete; bounds of others."""

class Encoder:
    """Cuts numeric columns into levels.

    Every strategy ends in *edges*: the largest value of each level but the last. The level of a value is the
    number of edges below it. No level is empty and equal values are never separated.

    Parameters
    ----------
    n_bins, strategy : how many levels, and 0 for quantiles or 1 for equal widths
    n_kept : columns with at most this many distinct values keep them instead
    most_edges : room for edges
    """

    def __init__(self, n_bins: int, n_kept: int, strategy: int, most_edges: int) -> None: ...
    def encode(self, values: np.ndarray, codes: np.ndarray) -> _Edges:
        """Cut columns, and fill in the level of each value; missing values have the last one.

        Parameters
        ----------
        values : float64, int64 or uint8 (columns, rows)
        codes : unsigned (columns, at least rows)

        Returns
        -------
        edges : (columns, most_edges); n_edges, n_missing : int64 (columns,)
        kept : bool (columns,), whether the values were few enough to keep; low, high : least, largest value
        """

    def find_sparse_edges(self, data: np.ndarray, starts: np.ndarray, n_rows: int) -> _Edges:
        """As `encode`, for columns of a CSC matrix, without codes and low values."""

    def find_class_edges(
        self, ordered: np.ndarray, labels: np.ndarray, n_valid: np.ndarray, n_classes: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Edges by recursive class-entropy cuts (Fayyad and Irani 1993): edges, n_edges and kept.

        Parameters
        ----------
        ordered : (columns, rows), each in ascending order, missing values last
        labels : int32 (columns, rows), the classes in the same order
        n_valid : int64 (columns,), values that are not missing
        """

class Forest:
    """Fully grown trees of bootstrap samples, which predict means of goals.

    Parameters
    ----------
    columns : float64 (columns, rows), without missing values
    places : int32 (rows,), the goal that a row adds to: its class, or 0 for a real value
    amounts : float64 (rows,), what it adds: 1, or the value
    n_tried : random columns from which a split is chosen
    n_trees : number of trees
    seed : of the samples and random columns
    """

    def __init__(
        self,
        columns: np.ndarray,
        places: np.ndarray,
        amounts: np.ndarray,
        n_tried: int,
        n_trees: int,
        seed: int,
    ) -> None: ...
    def predict(self, columns: np.ndarray, means: np.ndarray) -> None:
        """Fill `means`, float64 (rows, goals), for rows of the same columns."""

class Groups:
    """Rows grouped by the joint levels of the columns taken in; they never change.

    Groups of a single class are left out: their rows are settled.

    Parameters
    ----------
    labels : int32 (rows,), classes
    """

    def __init__(self, labels: np.ndarray, n_classes: int) -> None: ...
    n_active: int  # rows in groups

    n_settled: int  # rows that were left out

    def sizes(self) -> np.ndarray:
        """Rows of each group."""

    def rows(self) -> np.ndarray:
        """Active rows, ordered by group."""

    def refined(self, codes: np.ndarray, n_levels: int) -> Groups:
        """The groups with one more column."""

    def shuffled(self, order: np.ndarray) -> Groups:
        """The same groups with the labels of active rows, ordered by group, in another order."""

    def sum(self, kind: int, phi: np.ndarray) -> int:
        """Σ φ(N(g)) − Σ φ(N(g,y)) (kind 0, Shannon), or Σ max N(g,y) (kind 1, min-entropy)."""

    def norm(self, alpha: float) -> float:
        """log2 Σ ‖N(g,·)‖_α, settled rows included."""

    def split_sums(
        self, table: CodeTable, candidates: np.ndarray, kind: int, phi: np.ndarray, sums: np.ndarray
    ) -> None:
        """As `sum`, of the groups that each candidate column would make; sums : int64 (candidates,)."""

    def split_norms(self, table: CodeTable, candidates: np.ndarray, alpha: float, sums: np.ndarray) -> None:
        """As `norm`, of the groups that each candidate column would make; sums : float64 (candidates,)."""

class Neighborhoods:
    """The classes found among nearest rows.

    Parameters
    ----------
    labels : int32 (rows,), classes
    k : neighbours to look at
    every_row : whether every row has a neighbourhood, or only rows not seen as a neighbour before
    """

    def __init__(self, space: Space, labels: np.ndarray, n_classes: int, k: int, every_row: bool) -> None: ...
    def of_listed(
        self,
        starts: np.ndarray,
        members: np.ndarray,
        chosen: np.ndarray,
        neighbors: np.ndarray,
        known: np.ndarray,
        sums: np.ndarray,
    ) -> None:
        """Entropy of y on the selected columns and each of some units, among listed neighbours.

        Parameters
        ----------
        starts, members : columns of unit u are ``members[starts[u]:starts[u + 1]]``
        chosen : int64 (q,), units
        neighbors : int32 (rows, m), candidate neighbours of each row, in random order
        known : float32 (rows, m), their distances on the selected columns
        sums : float64 (q, 2), summed entropies and the number of neighbourhoods
        """

    def of_all_rows(
        self,
        starts: np.ndarray,
        members: np.ndarray,
        chosen: np.ndarray,
        selected: np.ndarray,
        sums: np.ndarray,
    ) -> None:
        """The same with all rows as candidates, given the selected columns.

        Each row looks at the others from a place of its own on, so that ties fall on other rows each time.
        """

class NearestDenseRows:
    """Finds nearest rows exactly: products of rows leave few of which distances are computed.

    Parameters
    ----------
    points : float64 (rows, columns)
    lengths : float32 (rows,), Euclidean lengths of the rows, as the products see them
    order : int64 (rows,); of equally near rows those of the lowest number come first
    error : of a product, as a share of the lengths of both rows, at most
    """

    def __init__(self, points: np.ndarray, lengths: np.ndarray, order: np.ndarray, error: float) -> None: ...
    def nearest(self, products: np.ndarray, first_row: int, near: np.ndarray, squared: np.ndarray) -> None:
        """Of rows first_row, first_row + 1, ... the nearest others, nearest first.

        Parameters
        ----------
        products : float32 (block, rows), with all rows; the points may have been moved by the same vector
        near : int64 (block, k), at most the number of rows less one
        squared : float64 (block, k), their squared distances
        """

class NearestSparseRows:
    """The same of rows of which only values other than 0 are stored.

    Parameters
    ----------
    values : float64, row by row
    columns : int64, of these values, ascending within a row
    starts : int64 (rows + 1,), where each row begins, and the end
    lengths, order, error : as there
    """

    def __init__(
        self,
        values: np.ndarray,
        columns: np.ndarray,
        starts: np.ndarray,
        lengths: np.ndarray,
        order: np.ndarray,
        error: float,
    ) -> None: ...
    def nearest(
        self, products: np.ndarray, first_row: int, near: np.ndarray, squared: np.ndarray
    ) -> None: ...

class NestedGroups:
    """Rows grouped by columns taken in one after the other, groups of a single class included."""

    def __init__(
        self, table: CodeTable, labels: np.ndarray, n_classes: int, phi: np.ndarray, chance_scale: float
    ) -> None: ...
    def split(self, columns: np.ndarray) -> np.ndarray | None:
        """Take columns in: int64 (columns, 4), groups, cells, sums over groups (φ and chance) and cells (φ).

        None from where on tables of all combinations of levels would be too large.
        """

class NumberColumns:
    """Columns of numbers, which are standardised when they are used.

    Parameters
    ----------
    columns : float64 (columns, rows)
    means, factors : float64 (columns,); a factor makes the standard deviation 1, or the column 0
    """

    def __init__(self, columns: np.ndarray, means: np.ndarray, factors: np.ndarray) -> None: ...
    def correlations(self, z: np.ndarray, start: int, found: np.ndarray) -> None:
        """Correlations of columns start, start + 1, ... with standardised values of every row."""

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

class PairCounter:
    """Counts the columns of a table as candidates f against selected columns s, and the classes y.

    A pair is counted by bit planes, in a direct table, in a hash table or from lists of rows, whichever
    suits; the sums are the same integers.

    Parameters
    ----------
    labels : int32 (rows,), classes
    n_classes : 1 leaves the classes out
    """

    def __init__(self, table: CodeTable, labels: np.ndarray, n_classes: int) -> None: ...
    seconds_per_pair: float  # a rough estimate, to choose block sizes

    def sums(self, candidates: np.ndarray, selected: Selected, i: int, sums: np.ndarray) -> None:
        """Count candidates against selected column i.

        sums : int64 (3, columns), filled for candidates: Σ φ(N(f,s)), Σ φ(N(f,s,y)) and what I(f;y|s) is
        expected to be by chance
        """

    def column_sums(self, candidates: np.ndarray, constant: Selected, sums: np.ndarray) -> None:
        """The same of candidates alone; `constant` is a single column of one level."""

class Points:
    """Rows as points, float32 (rows, columns); `kinds` and `expected` as in `Space`."""

    def __init__(self, points: np.ndarray, kinds: np.ndarray, expected: np.ndarray) -> None: ...
    def nearest_in_windows(
        self, windows: Windows, first_row: int, squared: bool, neighbors: np.ndarray
    ) -> None:
        """Of rows first_row, ... the nearest of those that share a window, int32 (rows, m), nearest first."""

    def add_differences(self, rows: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> None:
        """Add to each column Σ weight · difference over the pairs of a queried row and any row.

        Parameters
        ----------
        rows : int64 (r,), the queried rows
        weights : float64 (r, rows); pairs of weight 0 are left out
        sums : float64 (columns,)
        """

class Race:
    """Scores that are minima over the selected columns, of which only the best are computed completely.

    They can only fall as columns are selected, so that a stale minimum is an upper bound (Fleuret 2004).

    Parameters
    ----------
    start : int64 (columns,), scores before any column is selected
    slack : scores closer than this are ties
    """

    def __init__(self, counter: PairCounter, selected: Selected, start: np.ndarray, slack: int) -> None: ...
    def include(self, column: int, offset: int) -> None:
        """A column was selected: its term is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) − what is expected + offset."""

    def leaders(self, candidates: np.ndarray) -> np.ndarray:
        """Begin a step: the candidates to be counted first."""

    def lower(self, columns: np.ndarray) -> np.ndarray:
        """Count columns until they are out of the race; returns those whose score is exact now."""

    def rivals(self, candidates: np.ndarray, finalists: np.ndarray) -> np.ndarray:
        """The columns that may still be second best, or tie, given the exact scores of some."""

    def scores(self, columns: np.ndarray) -> np.ndarray:
        """Bounds of columns, or their scores where these are exact."""

class RealRelief:
    """RReliefF's sums; `target` is float64 (rows,), scaled to a range of 1."""

    def __init__(self, points: Points, target: np.ndarray, k: int) -> None: ...
    def add(self, distances: np.ndarray, rows: np.ndarray, sums: np.ndarray) -> None:
        """Add differences in y (``sums[0, 0]``), in each column, and in both at once, (3, columns)."""

class RedundancyRace:
    """Scores that fall as sums of what candidates share with selected columns grow; see `CorrelationRace`.

    Parameters
    ----------
    columns : int64 (3, columns), Σ φ(N(f)), Σ φ(N(f,y)) and n·I(f;y)
    unit : bits of a unit of φ
    is_capped : whether a term is max(0, I(f;y) − I(f;y|s)); else it is I(f;s)
    score : float64 (3,), see `entropick._base.race.FallingScore`
    """

    def __init__(
        self,
        counter: PairCounter,
        selected: Selected,
        columns: np.ndarray,
        unit: float,
        is_capped: bool,
        score: np.ndarray,
    ) -> None: ...
    def include(self, column: int) -> None: ...
    def finalists(self, candidates: np.ndarray) -> np.ndarray | None: ...
    def complete(self, columns: np.ndarray) -> None: ...
    def scores(self, columns: np.ndarray) -> np.ndarray: ...

class Relief:
    """ReliefF's weights of columns (Kononenko 1994).

    Parameters
    ----------
    labels : int32 (rows,), classes
    shares : float64 (classes, classes), what misses of each class count for a row of one; -1 for its own
    k : hits, and misses of each class
    squared : whether differences are squared
    """

    def __init__(
        self, points: Points, labels: np.ndarray, shares: np.ndarray, k: int, squared: bool
    ) -> None: ...
    def add(self, distances: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> None:
        """Add what queried rows tell to the weights; distances : float32 (queried rows, rows)."""

class Selected:
    """Columns that candidates are counted against.

    Parameters
    ----------
    labels, n_classes : as in `PairCounter`
    phi : int64 (rows + 1,)
    chance_scale : what bits times rows expected by chance are multiplied by; 0 if not asked for
    """

    def __init__(self, labels: np.ndarray, n_classes: int, phi: np.ndarray, chance_scale: float) -> None: ...
    def add(self, codes: np.ndarray, n_levels: int) -> None:
        """Take in a column given by its codes, unsigned (rows,)."""

class Space:
    """Rows by their coordinates.

    A distance is a sum over columns, so a new column only adds its own differences to those known.

    Parameters
    ----------
    values : float32 (columns, rows)
    kinds : int64 (columns,), 0 numeric, 1 numeric with missing values, 2 category
    expected : float32 (columns,), the distance where a value is missing
    """

    def __init__(self, values: np.ndarray, kinds: np.ndarray, expected: np.ndarray) -> None: ...
    def distances_from(self, rows: np.ndarray, squared: bool, distances: np.ndarray) -> None:
        """Distances on all columns (L1, or squared L2), float32 (queried rows, rows)."""

    def add_distances(
        self, columns: np.ndarray, first_row: int, neighbors: np.ndarray, squared: bool, distances: np.ndarray
    ) -> None:
        """Add to ``distances[r, c]`` that of row first_row + r and its candidate c on some columns."""

class SubsetCounter:
    """Counts over the joint levels of whole subsets, bool (subsets, columns).

    `sums` are int64 (subsets, 4): groups, cells (group, class), and what groups and cells add up to.

    Parameters
    ----------
    labels : int32 (rows,), classes
    keys : uint64, a random one for each level of each column, one column after the other
    """

    def __init__(self, table: CodeTable, labels: np.ndarray, n_classes: int, keys: np.ndarray) -> None: ...
    def entropy_sums(
        self, subsets: np.ndarray, of_group: np.ndarray, of_cell: np.ndarray, sums: np.ndarray
    ) -> None:
        """Integers looked up by the size of a group or cell, int64 (rows + 1,)."""

    def peak_sums(self, subsets: np.ndarray, sums: np.ndarray) -> None:
        """The largest class count of each group."""

    def majority_sums(self, subsets: np.ndarray, needed: np.ndarray, sums: np.ndarray) -> None:
        """The sizes of groups whose largest class count is at least ``needed[size]``."""

    def norm_sums(self, subsets: np.ndarray, order: float, scale: int, sums: np.ndarray) -> None:
        """The norms of the class counts, as integers in units of 1 / scale."""

class Windows:
    """Rows in the order of their projections in some hash tables, and the window of each row in that order.

    Parameters
    ----------
    ordered : int32 (tables, rows); low, high : int64 (tables, rows)
    filler : int64 (rows,), every row, taken in turn where the windows hold too few
    """

    def __init__(
        self, ordered: np.ndarray, low: np.ndarray, high: np.ndarray, filler: np.ndarray
    ) -> None: ...

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

def crowding(values: np.ndarray, order: np.ndarray, ranks: np.ndarray, distances: np.ndarray) -> None:
    """Distance of each point to its neighbours of the same rank, over both objectives; infinite at ends."""

def describe_rows(
    products: np.ndarray, sparsity: float, start: int, weights: np.ndarray, is_solved: np.ndarray
) -> None:
    """The lassos of rows start, start + 1, ... on all other rows, by their products.

    Parameters
    ----------
    products : float64 (rows, rows), symmetric
    sparsity : penalty, as a share of the one that leaves nothing
    weights : float64 (described rows, rows), filled
    is_solved : bool (described rows,), filled: whether the weights are exact and there are no others as good
    """

def exp2(values: np.ndarray, results: np.ndarray) -> None:
    """Powers of two of float64 values, the same bits on every processor."""

def find_present(codes: np.ndarray, is_present: np.ndarray) -> int:
    """Set ``is_present[code]`` for every code that occurs; returns the number of codes -1, missing values.

    Parameters
    ----------
    codes : signed integers (n,), from -1 to one less than the length of `is_present`
    """

def front_ranks(values: np.ndarray, order: np.ndarray, ranks: np.ndarray) -> None:
    """Rank of each point: 0 if no point is better in one objective and no worse in the other, and so on.

    Parameters
    ----------
    values : float (points, 2)
    order : points by first, then second objective
    ranks : int64 (points,), filled
    """

def log2(values: np.ndarray, results: np.ndarray) -> None:
    """Binary logarithms of positive float64 values, the same bits on every processor."""

def nearer_in_plane(x: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """How many others have an x, and a y, nearer than the k-th nearest pair is; int64 (2, pairs).

    Pairs are as far apart as their x or their y, whichever differs more.
    """

def nearer_than_own(values: np.ndarray, labels: np.ndarray, n_classes: int, k: int) -> np.ndarray:
    """How many values lie nearer than the k-th nearest of the same class, itself included; int64 (values,).

    0 for a value that is alone in its class, which is not counted elsewhere either.

    values : float64 (values,), ascending
    labels : int32 (values,)
    """

def nearest_by_distance(distances: np.ndarray, rows: np.ndarray, near: np.ndarray) -> None:
    """Of some rows the nearest others, nearest first; equally near ones in their order.

    Parameters
    ----------
    distances : float32 (queried rows, rows)
    rows : int64, the queried rows
    near : int32 (queried rows, k), filled; k is at most the number of rows less one
    """

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

def processor() -> str:
    """The kind of processor that the loops run for: plain, avx2 or avx512; ENTROPICK_PROCESSOR chooses it."""

def read_columns(table: np.ndarray, first: int, columns: np.ndarray) -> None:
    """Copy columns first, first + 1, ... of a table of any layout.

    Parameters
    ----------
    table : numbers or booleans (n, d), in any order
    columns : (some, n), filled: float64 of floats, uint8 of bytes and booleans, else int64
    """

def renumber(codes: np.ndarray, new_code: np.ndarray, missing_code: int, renumbered: np.ndarray) -> None:
    """Fill in ``new_code[code]`` for each code, `missing_code` for -1.

    Parameters
    ----------
    codes : signed integers (n,), from -1 to one less than the length of `new_code`
    new_code : int64; renumbered : uint8, uint16, uint32 or int64 (at least n,), filled
    """

def spreads(columns: np.ndarray, found: np.ndarray) -> None:
    """Smallest and largest value, mean and standard deviation of columns (columns, rows); (columns, 4)."""
