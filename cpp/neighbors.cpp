// Distances between rows, and the classes found among nearest rows.
//
// Columns have three kinds: numeric, numeric with missing values, category. A distance is a sum over columns,
// so a new column only adds its own differences to distances already known.
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

enum Kind : std::int32_t { NUMERIC, WITH_GAPS, CATEGORY };
constexpr i64 TILE = 512;  // rows of a column worked on at a time
constexpr i64 FEW = 16;    // up to this many nearest rows are kept in order by insertion, more by sorting
constexpr float FAR = std::numeric_limits<float>::infinity();

// Whether a value is missing, by its bits: compilers make a branch of a != a, and who is missing cannot be
// foreseen.
inline bool is_missing(float value) {
    return (std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFF) > 0x7F800000;
}

// Distance of two values of one column.
inline float difference(std::int32_t kind, float a, float b, float expected) {
    const float d = kind == CATEGORY ? static_cast<float>((a < b) | (a > b)) : std::abs(a - b);
    return (int{kind != NUMERIC} & (int{is_missing(a)} | int{is_missing(b)})) != 0 ? expected : d;
}

inline float difference(std::int32_t kind, float a, float b, float expected, bool squared) {
    const float d = difference(kind, a, b, expected);
    return squared ? d * d : d;
}

// What is known of each column: its kind, and the distance expected where a value is missing.
struct Columns {
    std::vector<std::int32_t> kinds;  // as wide as the values, for vector code
    std::vector<float> expected;

    i64 n() const { return static_cast<i64>(expected.size()); }

    bool all_numeric() const {
        return std::all_of(kinds.begin(), kinds.end(), [](auto kind) { return kind == NUMERIC; });
    }
};

Columns read_columns(const In& kinds_, const In& expected_, i64 n_columns) {
    const auto kinds = vector<const i64>(kinds_, "kinds");
    const auto expected = vector<const float>(expected_, "expected");
    require(length(kinds) == n_columns && length(expected) == n_columns,
            "kinds and expected must have one entry per column");
    return {{kinds.begin(), kinds.end()}, {expected.begin(), expected.end()}};
}

// Values as (columns, rows). It keeps them alive.
class Space {
   public:
    Space(const In& values_in, const In& kinds, const In& expected)
        : memory_(values_in),
          values(matrix<const float>(values_in, "values")),
          columns(read_columns(kinds, expected, values.n_rows)) {
        require(values.n_columns <= MOST, "there are too many rows");
    }

    void distances_from(const In& rows, bool squared, const Out& distances) const;
    void add_distances(const In& columns, i64 first_row, const In& neighbors, bool squared,
                       const Out& distances) const;

   private:
    In memory_;

   public:
    Matrix<const float> values;
    Columns columns;
};

// -- all distances ----------------------------------------------------------------------------------------

// A tile of a column serves all rows before the next one is fetched.
struct DistancesFrom {
    template <class Machine>
    static void run(Machine, const Space& space, std::span<const i64> rows, bool squared,
                    Matrix<float> distances) {
        const auto& values = space.values;
        const auto& columns = space.columns;
        for (i64 start = 0; start < values.n_columns; start += TILE) {
            const i64 size = std::min(TILE, values.n_columns - start);
            i64 f = 0;
            while (f < values.n_rows) {
                const bool four = !squared && f + 4 <= values.n_rows && columns.kinds[f] == NUMERIC &&
                                  columns.kinds[f + 1] == NUMERIC && columns.kinds[f + 2] == NUMERIC &&
                                  columns.kinds[f + 3] == NUMERIC;
                for (i64 r = 0; r < length(rows); ++r) {
                    const auto sums = distances[r].subspan(start, size);
                    if (four)
                        add_four(values, f, rows[r], start, sums);
                    else
                        add_one(values[f].subspan(start, size), columns.kinds[f], values[f][rows[r]],
                                columns.expected[f], squared, sums);
                }
                f += four ? 4 : 1;
            }
        }
    }

    static void add_four(Matrix<const float> values, i64 f, i64 row, i64 start, std::span<float> sums) {
        const i64 n = length(sums);
        const auto a = values[f].subspan(start, n), b = values[f + 1].subspan(start, n),
                   c = values[f + 2].subspan(start, n), d = values[f + 3].subspan(start, n);
        const float va = values[f][row], vb = values[f + 1][row], vc = values[f + 2][row],
                    vd = values[f + 3][row];
        for (i64 j = 0; j < n; ++j) {
            const float near = std::abs(a[j] - va) + std::abs(b[j] - vb);
            sums[j] += near + (std::abs(c[j] - vc) + std::abs(d[j] - vd));
        }
    }

    static void add_one(std::span<const float> column, std::int32_t kind, float value, float expected,
                        bool squared, std::span<float> sums) {
        const i64 n = length(sums);
        if (kind == NUMERIC && !squared)
            for (i64 j = 0; j < n; ++j) sums[j] += std::abs(value - column[j]);
        else
            for (i64 j = 0; j < n; ++j) sums[j] += difference(kind, value, column[j], expected, squared);
    }
};

void Space::distances_from(const In& rows_, bool squared, const Out& distances_) const {
    const auto rows = vector<const i64>(rows_, "rows");
    const auto distances = matrix<float>(distances_, "distances");
    require(all_below(rows, values.n_columns), "rows must be below the number of rows");
    require(distances.n_rows == length(rows) && distances.n_columns == values.n_columns,
            "distances must be (queried rows, rows)");
    nb::gil_scoped_release release;
    for (i64 r = 0; r < distances.n_rows; ++r) fill(distances[r], 0.0f);
    on_this_processor<DistancesFrom>(*this, rows, squared, distances);
}

// -- ties -------------------------------------------------------------------------------------------------

// Distances closer than this share of them are equal: more than rounding error, less than any real
// difference. Sums in single precision need the wider one.
template <class Number>
constexpr Number SAME = std::is_same_v<Number, float> ? Number(1e-6) : Number(1e-9);

// The distances equal to one.
template <class Number>
struct Ties {
    Number low, high;

    explicit Ties(Number distance, Number margin) : low(distance - margin), high(distance + margin) {}
    explicit Ties(Number distance)
        : Ties(distance, std::isfinite(distance) ? SAME<Number> * std::abs(distance) : Number(0)) {}

    bool has(Number distance) const { return (low <= distance) & (distance <= high); }
};

// Keep the k nearest of some rows, nearest first, equally near ones by `is_before`. Masses of rows may be as
// near as the k-th; only those kept are sorted.
template <class Number, class IsBefore>
void keep_nearest(std::vector<i64>& rows, std::span<const Number> distances, i64 k, IsBefore is_before) {
    expect(k > 0 && k <= static_cast<i64>(rows.size()));
    const auto is_nearer = [&](i64 a, i64 b) { return distances[a] < distances[b]; };
    std::nth_element(rows.begin(), rows.begin() + k - 1, rows.end(), is_nearer);
    const Ties<Number> ties(distances[rows[k - 1]]);
    const auto tied =
        std::partition(rows.begin(), rows.end(), [&](i64 j) { return distances[j] < ties.low; });
    const auto far = std::partition(tied, rows.end(), [&](i64 j) { return distances[j] <= ties.high; });
    std::partial_sort(tied, rows.begin() + k, far, is_before);
    std::sort(rows.begin(), tied, is_nearer);
    for (auto first = rows.begin(); first != tied;) {
        auto last = first + 1;
        while (last != tied && distances[*last] <= Ties<Number>(distances[last[-1]]).high) ++last;
        std::sort(first, last, is_before);
        first = last;
    }
    rows.resize(k);
}

// The k-th smallest of some numbers, without the one at `left_out`.
template <class Number>
struct Smallest {
    template <class Machine>
    static Number run(Machine, std::span<const Number> numbers, i64 left_out, i64 k,
                      std::vector<Number>& memory) {
        memory.assign(k, std::numeric_limits<Number>::infinity());
        const std::span<Number> best(memory);
        const i64 n = length(numbers);
        for (i64 start = 0; start < n; start += AT_ONCE) {
            const i64 stop = std::min(start + AT_ONCE, n);
            if (stop - start == AT_ONCE &&
                !is_any_below(numbers.subspan(start).template first<AT_ONCE>(), best[k - 1]))
                continue;
            for (i64 j = start; j < stop; ++j) {
                if (!(numbers[j] < best[k - 1]) || j == left_out) continue;
                i64 at = k - 1;
                for (; at > 0 && numbers[j] < best[at - 1]; --at) best[at] = best[at - 1];
                best[at] = numbers[j];
            }
        }
        return best[k - 1];
    }

   private:
    static constexpr i64 AT_ONCE = 32;  // most rows are far: one comparison leaves out this many

    static bool is_any_below(std::span<const Number, AT_ONCE> numbers, Number worst) {
        std::int32_t found = 0;
        for (i64 l = 0; l < AT_ONCE; ++l) found |= numbers[l] < worst;
        return found != 0;
    }
};

// -- nearest rows -----------------------------------------------------------------------------------------

// The k smallest distances in order; the earlier one wins a tie.
struct Nearest {
    std::span<float> best;
    std::span<i64> near;
    i64 k = length(best), found = 0;

    void offer(float d, i64 row) {
        if (found < k || d < best[k - 1]) insert(d, row);
    }

    void insert(float d, i64 row) {
        if (d == FAR || (found == k && !(d < best[k - 1]))) return;
        i64 place = std::min(found, k - 1);
        found = place + 1;
        for (; place > 0 && d < best[place - 1]; --place) {
            best[place] = best[place - 1];
            near[place] = near[place - 1];
        }
        best[place] = d;
        near[place] = row;
    }

    // Rows as near as the last one, which rounding may have told apart, by their place alone: those looked
    // at first, from place `first` on. `row_at` is the row at a place.
    template <class RowAt>
    void settle(std::span<const float> distances, i64 first, RowAt row_at) {
        if (found == 0) return;
        const Ties<float> ties(best[found - 1]);
        const auto kept_ones = best.first(found);
        i64 kept = std::lower_bound(kept_ones.begin(), kept_ones.end(), ties.low) - kept_ones.begin();
        const auto take = [&](i64 start, i64 stop) {
            for (i64 c = start; c < stop && kept < found; ++c)
                if (ties.has(distances[c])) near[kept++] = row_at(c);
        };
        take(first, length(distances));
        take(0, first);
    }
};

struct Classes {
    std::span<const std::int32_t> labels;
    i64 n_classes;
};

Classes read_classes(const In& labels_, i64 n_classes, i64 n_rows) {
    const Classes classes{vector<const std::int32_t>(labels_, "labels"), n_classes};
    require(length(classes.labels) == n_rows, "labels must have one entry per row");
    require(n_classes > 0 && n_classes <= MOST && all_below(classes.labels, n_classes),
            "labels must be below n_classes");
    return classes;
}

// Entropy in bits of the classes of row i and its nearest rows; `counts` stays zero.
double entropy_around(const Classes& classes, i64 i, const Nearest& nearest, std::span<const double> phi,
                      std::vector<i64>& counts) {
    const auto labels = classes.labels;
    counts[labels[i]] = 1;
    double total = phi[1];
    for (i64 c = 0; c < nearest.found; ++c) {
        i64& count = counts[labels[nearest.near[c]]];
        total += phi[count + 1] - phi[count];
        ++count;
    }
    counts[labels[i]] = 0;
    for (i64 c = 0; c < nearest.found; ++c) counts[labels[nearest.near[c]]] = 0;
    return (phi[nearest.found + 1] - total) / static_cast<double>(nearest.found + 1);
}

// Columns of unit u are members[starts[u] .. starts[u + 1]].
struct Units {
    std::span<const i64> starts, members;
};

Units read_units(const In& starts_, const In& members_, std::span<const i64> chosen, i64 n_columns) {
    const Units units{vector<const i64>(starts_, "starts"), vector<const i64>(members_, "members")};
    require(are_starts(units.starts, length(units.members)), "starts must ascend within members");
    require(all_below(units.members, n_columns), "members must be columns");
    require(all_below(chosen, length(units.starts) - 1), "chosen must be units");
    return units;
}

// Neighbourhoods in a space: how many neighbours each looks at, and whether every row has one or only rows
// not seen as a neighbour before. The labels are its own, and checked once.
class Neighborhoods {
   public:
    Neighborhoods(const Space& space, const In& labels, i64 n_classes, i64 k, bool every_row)
        : space_(space), k_(k), every_row_(every_row) {
        const auto checked = read_classes(labels, n_classes, space.values.n_columns);
        labels_.assign(checked.labels.begin(), checked.labels.end());
        classes_ = {labels_, n_classes};
        require(k > 0 && k < MOST, "k must be positive");
        for (i64 count = 0; count < k + 2; ++count)
            phi_.push_back(count > 0 ? static_cast<double>(count) * log2_of(static_cast<double>(count))
                                     : 0.0);
    }

    void of_listed(const In& starts, const In& members, const In& chosen, const In& neighbors,
                   const In& known, const Out& sums) const;
    void of_all_rows(const In& starts, const In& members, const In& chosen, const In& selected,
                     const Out& sums) const;

   private:
    const Space& space_;
    std::vector<std::int32_t> labels_;
    Classes classes_;
    i64 k_;
    std::vector<double> phi_;  // of counts, c · log2 c
    bool every_row_;
};

// Add the differences of one column between row i and its candidate neighbours.
void add_candidates(const Space& space, i64 f, i64 i, std::span<const std::int32_t> neighbors, bool squared,
                    std::span<float> distances) {
    const i64 n = length(neighbors);
    const auto column = space.values[f];
    const float value = column[i], expected = space.columns.expected[f];
    const auto kind = space.columns.kinds[f];
    if (kind == NUMERIC && !squared) {
        for (i64 c = 0; c < n; ++c) distances[c] += std::abs(value - column[neighbors[c]]);
        return;
    }
    for (i64 c = 0; c < n; ++c)
        distances[c] += difference(kind, value, column[neighbors[c]], expected, squared);
}

void Space::add_distances(const In& columns_, i64 first_row, const In& neighbors_, bool squared,
                          const Out& distances_) const {
    const auto some = vector<const i64>(columns_, "columns");
    const auto neighbors = matrix<const std::int32_t>(neighbors_, "neighbors");
    const auto distances = matrix<float>(distances_, "distances");
    const i64 n = values.n_columns;
    require(all_below(some, values.n_rows), "columns must be below the number of columns");
    require(first_row >= 0 && first_row <= n && neighbors.n_rows <= n - first_row,
            "neighbors must be of these rows");
    require(distances.n_rows == neighbors.n_rows && distances.n_columns == neighbors.n_columns,
            "distances must have the shape of neighbors");
    nb::gil_scoped_release release;
    for (i64 r = 0; r < neighbors.n_rows; ++r) require(all_below(neighbors[r], n), "neighbors must be rows");
    for (i64 r = 0; r < neighbors.n_rows; ++r)
        for (const i64 f : some) add_candidates(*this, f, first_row + r, neighbors[r], squared, distances[r]);
}

// The entropy of y on the selected columns and each chosen unit, among listed neighbours: summed, and the
// number of neighbourhoods.
void Neighborhoods::of_listed(const In& starts, const In& members, const In& chosen_, const In& neighbors_,
                              const In& known_, const Out& sums_) const {
    const auto chosen = vector<const i64>(chosen_, "chosen");
    const auto units = read_units(starts, members, chosen, space_.values.n_rows);
    const auto neighbors = matrix<const std::int32_t>(neighbors_, "neighbors");
    const auto known = matrix<const float>(known_, "known");
    const i64 n = neighbors.n_rows, m = neighbors.n_columns, k = k_;
    const auto sums = matrix<double>(sums_, "sums");
    require(space_.values.n_columns == n, "neighbors must have one row per row");
    require(known.n_rows == n && known.n_columns == m, "known must have the shape of neighbors");
    require(sums.n_rows == length(chosen) && sums.n_columns == 2, "sums must be (chosen, 2)");
    nb::gil_scoped_release release;
    for (i64 i = 0; i < n; ++i) require(all_below(neighbors[i], n), "neighbors must be rows");
    std::vector<float> distances(m), best(k);
    std::vector<i64> near(k), counts(classes_.n_classes);
    std::vector<std::uint8_t> seen(n);
    for (i64 q = 0; q < length(chosen); ++q) {
        const i64 u = chosen[q];
        std::fill(seen.begin(), seen.end(), 0);
        double total = 0.0;
        i64 visited = 0;
        for (i64 i = 0; i < n; ++i) {
            if (seen[i] && !every_row_) continue;
            const auto own = neighbors[i];
            copy_to(known[i], std::span(distances));
            for (i64 at = units.starts[u]; at < units.starts[u + 1]; ++at)
                add_candidates(space_, units.members[at], i, own, false, distances);
            Nearest nearest{best, near};
            for (i64 c = 0; c < m; ++c) nearest.offer(distances[c], own[c]);
            nearest.settle(distances, 0, [&](i64 c) { return own[c]; });
            total += entropy_around(classes_, i, nearest, phi_, counts);
            ++visited;
            seen[i] = 1;
            for (i64 c = 0; c < nearest.found; ++c) seen[near[c]] = 1;
        }
        sums[q][0] = total;
        sums[q][1] = static_cast<double>(visited);
    }
}

// Add the differences of one column between row i and all rows.
struct AddColumn {
    template <class Machine>
    static void run(Machine, const Space& space, i64 f, i64 i, std::span<float> distances) {
        DistancesFrom::add_one(space.values[f], space.columns.kinds[f], space.values[f][i],
                               space.columns.expected[f], false, distances);
    }
};

// A step coprime to n visits every row before the first comes again; it is the same for nearly all n.
i64 step_through(i64 n) {
    i64 step = 7919;
    while (std::gcd(step, n) != 1) ++step;
    return step;
}

// The same among all rows.
void Neighborhoods::of_all_rows(const In& starts, const In& members, const In& chosen_, const In& selected_,
                                const Out& sums_) const {
    const auto chosen = vector<const i64>(chosen_, "chosen"),
               selected = vector<const i64>(selected_, "selected");
    const auto units = read_units(starts, members, chosen, space_.values.n_rows);
    const i64 n = space_.values.n_columns, k = k_;
    const auto sums = matrix<double>(sums_, "sums");
    require(all_below(selected, space_.values.n_rows), "selected must be columns");
    require(sums.n_rows == length(chosen) && sums.n_columns == 2, "sums must be (chosen, 2)");
    nb::gil_scoped_release release;
    std::vector<float> known(n), distances(n), best(k);
    std::vector<i64> near(k), counts(classes_.n_classes);
    std::vector<std::uint8_t> seen(chosen.size() * n);
    const i64 step = n > 0 ? step_through(n) : 1;
    for (i64 q = 0; q < length(chosen); ++q) sums[q][0] = sums[q][1] = 0.0;
    for (i64 i = 0; i < n; ++i) {
        std::fill(known.begin(), known.end(), 0.0f);
        for (const i64 f : selected) on_this_processor<AddColumn>(space_, f, i, std::span(known));
        // Each row looks at the others from a place of its own on, so that ties fall on other rows each time.
        const i64 first = (i * step + 1) % n;
        for (i64 q = 0; q < length(chosen); ++q) {
            const auto seen_by = std::span(seen).subspan(q * n, n);
            if (seen_by[i] && !every_row_) continue;
            distances = known;
            for (i64 at = units.starts[chosen[q]]; at < units.starts[chosen[q] + 1]; ++at)
                on_this_processor<AddColumn>(space_, units.members[at], i, std::span(distances));
            distances[i] = FAR;
            Nearest nearest{best, near};
            for (i64 j = first; j < n; ++j) nearest.offer(distances[j], j);
            for (i64 j = 0; j < first; ++j) nearest.offer(distances[j], j);
            nearest.settle(distances, first, [](i64 j) { return j; });
            sums[q][0] += entropy_around(classes_, i, nearest, phi_, counts);
            sums[q][1] += 1.0;
            seen_by[i] = 1;
            for (i64 c = 0; c < nearest.found; ++c) seen_by[near[c]] = 1;
        }
    }
}

// -- rows as points ---------------------------------------------------------------------------------------

// Add to each column's sum its share of the difference between two rows.
struct AddDifferences {
    template <class Machine>
    static void run(Machine, std::span<const float> p, std::span<const float> q, const Columns& columns,
                    bool all_numeric, bool squared, double share, std::span<double> sums) {
        const i64 n = columns.n();
        if (squared)
            for (i64 f = 0; f < n; ++f)
                sums[f] += share * static_cast<double>(
                                       difference(columns.kinds[f], p[f], q[f], columns.expected[f], true));
        else if (all_numeric)
            for (i64 f = 0; f < n; ++f) sums[f] += share * static_cast<double>(std::abs(p[f] - q[f]));
        else
            for (i64 f = 0; f < n; ++f)
                sums[f] += share *
                           static_cast<double>(difference(columns.kinds[f], p[f], q[f], columns.expected[f]));
    }
};

// Hash tables: rows in the order of their projections, and the window of each row in that order.
struct Windows {
    std::vector<In> memory;
    Matrix<const std::int32_t> ordered;
    Matrix<const i64> low, high;
    std::span<const i64> filler;  // every row, taken in turn where the windows hold too few

    Windows(const In& ordered_in, const In& low_in, const In& high_in, const In& filler_in)
        : memory{ordered_in, low_in, high_in, filler_in},
          ordered(matrix<const std::int32_t>(ordered_in, "ordered")),
          low(matrix<const i64>(low_in, "low")),
          high(matrix<const i64>(high_in, "high")),
          filler(vector<const i64>(filler_in, "filler")) {
        const i64 n = ordered.n_columns;
        require(n <= MOST && low.n_columns == n && high.n_columns == n && length(filler) == n,
                "ordered, low, high and filler must have one column per row");
        require(low.n_rows == ordered.n_rows && high.n_rows == ordered.n_rows,
                "low and high must have one row per table");
    }
};

// Values as (rows, columns). It keeps them alive.
class Points {
   public:
    Points(const In& points, const In& kinds, const In& expected)
        : memory_(points),
          values(matrix<const float>(points, "points")),
          columns(read_columns(kinds, expected, values.n_columns)),
          all_numeric(columns.all_numeric()) {
        require(values.n_rows <= MOST, "there are too many rows");
    }

    void add_differences(i64 i, i64 j, double share, std::span<double> sums, bool squared = false) const {
        on_this_processor<AddDifferences>(values[i], values[j], columns, all_numeric, squared, share, sums);
    }

    void nearest_in_windows(const Windows& windows, i64 first_row, bool squared, const Out& neighbors) const;
    void add_weighted_differences(const In& rows, const In& weights, const Out& sums) const;

   private:
    In memory_;

   public:
    Matrix<const float> values;
    Columns columns;
    bool all_numeric;
};

// -- rows that share a window of a hash table -------------------------------------------------------------

// Distance of two rows of a (rows, columns) array of numbers; four sums at a time, so that adds overlap.
inline float numeric_distance(std::span<const float> p, std::span<const float> q) {
    const i64 n = length(p);
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    i64 f = 0;
    for (; f + 4 <= n; f += 4) {
        a += std::abs(p[f] - q[f]);
        b += std::abs(p[f + 1] - q[f + 1]);
        c += std::abs(p[f + 2] - q[f + 2]);
        d += std::abs(p[f + 3] - q[f + 3]);
    }
    for (; f < n; ++f) a += std::abs(p[f] - q[f]);
    return (a + b) + (c + d);
}

// Distances of row i and some other rows.
struct RowDistances {
    static constexpr i64 AT_ONCE = 8;

    template <class Machine>
    static void run(Machine, Matrix<const float> points, const Columns& columns, i64 i,
                    std::span<const i64> rows, bool squared, bool all_numeric, std::span<float> distances) {
        const auto p = points[i];
        for (i64 c = 0; c < length(rows); ++c) {
            const auto q = points[rows[c]];
            if (all_numeric && !squared) {
                distances[c] = numeric_distance(p, q);
                continue;
            }
            float distance = 0.0f;
            i64 f = 0;
            for (; f + AT_ONCE <= columns.n(); f += AT_ONCE) {  // differences at once, then added one by one
                std::array<float, AT_ONCE> differences;
                for (i64 l = 0; l < AT_ONCE; ++l)
                    differences[l] = difference(columns.kinds[f + l], p[f + l], q[f + l],
                                                columns.expected[f + l], squared);
                for (i64 l = 0; l < AT_ONCE; ++l) distance += differences[l];
            }
            for (; f < columns.n(); ++f)
                distance += difference(columns.kinds[f], p[f], q[f], columns.expected[f], squared);
            distances[c] = distance;
        }
    }
};

// Order rows by distance, NaN last, as far as the first m places need it: quicksort around the median of
// three, small parts by insertion. Which of equally near rows comes first depends on nothing but their order
// before.
class ByDistance {
   public:
    ByDistance(std::span<const float> distances, std::span<i64> order, i64 m)
        : distances_(distances), order_(order), m_(m) {}

    void sort(i64 low, i64 high) {  // inclusive bounds
        while (high - low >= SMALL && low < m_) {
            const i64 pivot = split(low, high);
            if (high - pivot > pivot - low) {
                sort(low, pivot - 1);
                low = pivot + 1;
            } else {
                sort(pivot + 1, high);
                high = pivot - 1;
            }
        }
        if (high - low < SMALL && low < m_) insert(low, high);
    }

   private:
    static constexpr i64 SMALL = 15;
    std::span<const float> distances_;
    std::span<i64> order_;
    i64 m_;

    static bool is_less(float a, float b) { return a < b || (std::isnan(b) && !std::isnan(a)); }
    float at(i64 place) const { return distances_[order_[place]]; }

    void insert(i64 low, i64 high) {
        for (i64 i = low + 1; i <= high; ++i) {
            const i64 moved = order_[i];
            i64 j = i;
            for (; j > low && is_less(distances_[moved], at(j - 1)); --j) order_[j] = order_[j - 1];
            order_[j] = moved;
        }
    }

    i64 split(i64 low, i64 high) {
        const i64 middle = (low + high) / 2;
        if (is_less(at(middle), at(low))) std::swap(order_[low], order_[middle]);
        if (is_less(at(high), at(middle))) std::swap(order_[high], order_[middle]);
        if (is_less(at(middle), at(low))) std::swap(order_[low], order_[middle]);
        const float pivot = at(middle);
        std::swap(order_[high], order_[middle]);
        i64 i = low, j = high - 1;
        while (true) {
            while (i < high && is_less(at(i), pivot)) ++i;
            while (j >= low && is_less(pivot, at(j))) --j;
            if (i >= j) break;
            std::swap(order_[i++], order_[j--]);
        }
        std::swap(order_[i], order_[high]);
        return i;
    }
};

void Points::nearest_in_windows(const Windows& windows, i64 first_row, bool squared,
                                const Out& neighbors_) const {
    const auto neighbors = matrix<std::int32_t>(neighbors_, "neighbors");
    const auto& [memory, ordered, low, high, filler] = windows;
    const i64 n = values.n_rows, m = neighbors.n_columns;
    require(ordered.n_columns == n, "windows must be of these rows");
    require(first_row >= 0 && first_row <= n && neighbors.n_rows <= n - first_row,
            "neighbors must be of these rows");
    require(m > 0 && m < n, "there are fewer other rows than neighbors wanted");
    require(all_below(filler, n), "filler must hold rows");
    nb::gil_scoped_release release;
    for (i64 t = 0; t < ordered.n_rows; ++t) {
        require(all_below(ordered[t], n), "ordered must hold rows");
        require(all_below(low[t], n + 1) && all_below(high[t], n + 1),
                "low and high must be places in ordered");
    }
    const i64 n_kept = std::min(m, FEW);
    std::vector<i64> stamp(n, -1), found_rows(n), near(n_kept), order(n);
    std::vector<float> distances(n), best(n_kept);
    std::vector<std::uint8_t> is_there(n);
    for (const i64 row : filler) is_there[row] = 1;
    require(std::count(is_there.begin(), is_there.end(), 1) == n, "filler must hold every row");
    for (i64 r = 0; r < neighbors.n_rows; ++r) {
        const i64 i = first_row + r;
        i64 found = 0;
        const auto take = [&](i64 row) {
            if (stamp[row] == r) return;
            stamp[row] = r;
            found_rows[found++] = row;
        };
        stamp[i] = r;
        for (i64 t = 0; t < ordered.n_rows; ++t)
            for (i64 at = low[t][i]; at < high[t][i]; ++at) take(ordered[t][at]);
        for (i64 k = 0; k < n && found < m; ++k) take(filler[(i + k) % n]);
        require(found >= m, "filler must hold all rows");
        on_this_processor<RowDistances>(values, columns, i, std::span<const i64>(found_rows).first(found),
                                        squared, all_numeric, std::span(distances));
        const auto own = neighbors[r];
        if (m <= FEW) {
            Nearest nearest{best, near};
            for (i64 c = 0; c < found; ++c) nearest.offer(distances[c], found_rows[c]);
            for (i64 c = 0; c < m; ++c) own[c] = static_cast<std::int32_t>(near[c]);
        } else {
            std::iota(order.begin(), order.begin() + found, 0);
            ByDistance(distances, order, m).sort(0, found - 1);
            for (i64 c = 0; c < m; ++c) own[c] = static_cast<std::int32_t>(found_rows[order[c]]);
        }
    }
}

// -- ReliefF ----------------------------------------------------------------------------------------------

// The k nearest rows of each class to one row, and how many rows are as near as the k-th.
struct NearestOfClasses {
    i64 k;
    std::vector<float> best;
    std::vector<i64> near, found, as_near;

    NearestOfClasses(i64 n_classes, i64 n_nearest)
        : k(n_nearest), best(n_classes * k), near(n_classes * k), found(n_classes), as_near(n_classes) {}

    std::span<const float> best_of(i64 c) const { return std::span(best).subspan(c * k, found[c]); }
    std::span<const i64> near_of(i64 c) const { return std::span(near).subspan(c * k, found[c]); }
    float limit(i64 c) const { return best[c * k + std::max<i64>(found[c] - 1, 0)]; }

    Ties<float> ties(i64 c) const { return Ties<float>(limit(c)); }

    // How many of the nearest are as far away as the last of them.
    i64 places(i64 c) const {
        const auto own = best_of(c);
        return own.end() - std::lower_bound(own.begin(), own.end(), ties(c).low);
    }

    void find(std::span<const float> distances, std::span<const std::int32_t> labels, i64 i) {
        std::fill(found.begin(), found.end(), 0);
        std::fill(as_near.begin(), as_near.end(), 0);
        for (i64 j = 0; j < length(labels); ++j) {
            const i64 c = labels[j];
            if (j == i || !(found[c] < k || distances[j] < best[c * k + k - 1])) continue;
            Nearest nearest{std::span(best).subspan(c * k, k), std::span(near).subspan(c * k, k), k,
                            found[c]};
            nearest.insert(distances[j], j);
            found[c] = nearest.found;
        }
        ties_of_.clear();
        for (i64 c = 0; c < static_cast<i64>(found.size()); ++c) ties_of_.push_back(ties(c));
        for (i64 j = 0; j < length(labels); ++j)
            as_near[labels[j]] += (j != i) & ties_of_[labels[j]].has(distances[j]);
    }

   private:
    std::vector<Ties<float>> ties_of_;  // of each class
};

// ReliefF (Kononenko 1994).
class Relief {
   public:
    // shares[c][d] is what misses of class d count for a row of class c, and -1 for its own class.
    Relief(const Points& points, const In& labels, const In& shares, i64 k, bool squared)
        : points_(points), k_(k), squared_(squared) {
        const auto matrix_of = matrix<const double>(shares, "shares");
        n_classes_ = matrix_of.n_rows;
        require(matrix_of.n_columns == n_classes_, "shares must be (classes, classes)");
        const auto classes = read_classes(labels, n_classes_, points.values.n_rows);
        labels_.assign(classes.labels.begin(), classes.labels.end());
        for (i64 c = 0; c < n_classes_; ++c)
            shares_.insert(shares_.end(), matrix_of[c].begin(), matrix_of[c].end());
        require(k > 0 && k <= MOST, "k must be positive");
    }

    void add(const In& distances, const In& rows, const Out& weights) const;

   private:
    const Points& points_;
    i64 k_;
    bool squared_;
    i64 n_classes_;
    std::vector<std::int32_t> labels_;
    std::vector<double> shares_;
};

// Add what some rows tell to the weight of each column.
void Relief::add(const In& distances_, const In& rows_, const Out& weights_) const {
    const auto distances = matrix<const float>(distances_, "distances");
    const auto rows = vector<const i64>(rows_, "rows");
    const auto weights = vector<double>(weights_, "weights");
    const i64 n = points_.values.n_rows, n_classes = n_classes_;
    const std::span<const std::int32_t> labels(labels_);
    require(distances.n_rows == length(rows) && distances.n_columns == n,
            "distances must be (queried rows, rows)");
    require(all_below(rows, n), "rows must be below the number of rows");
    require(length(weights) == points_.values.n_columns, "weights must have one entry per column");
    nb::gil_scoped_release release;
    NearestOfClasses nearest(n_classes, k_);
    for (i64 r = 0; r < length(rows); ++r) {
        const i64 i = rows[r];
        nearest.find(distances[r], labels, i);
        for (i64 c = 0; c < n_classes; ++c) {
            const i64 found = nearest.found[c], as_near = nearest.as_near[c];
            if (found == 0) continue;
            const auto divisor = static_cast<double>(found);
            const double scale = shares_[labels[i] * n_classes + c] / divisor;
            // Rows as near as the k-th share its places and those of their kind, whatever their order.
            const auto ties = nearest.ties(c);
            const i64 places = nearest.places(c);
            for (i64 s = 0; s < found; ++s)
                if (nearest.best_of(c)[s] < ties.low || places == as_near)
                    points_.add_differences(i, nearest.near_of(c)[s], scale, weights, squared_);
            if (places >= as_near) continue;
            const double share = scale * static_cast<double>(places) / static_cast<double>(as_near);
            for (i64 j = 0; j < n; ++j)
                if (labels[j] == c && j != i && ties.has(distances[r][j]))
                    points_.add_differences(i, j, share, weights, squared_);
        }
    }
}

// For each column, Σ weight · difference over the pairs of a queried row and any other row.
void Points::add_weighted_differences(const In& rows_, const In& weights_, const Out& sums_) const {
    const auto rows = vector<const i64>(rows_, "rows");
    const auto weights = matrix<const double>(weights_, "weights");
    const auto sums = vector<double>(sums_, "sums");
    const i64 n = values.n_rows;
    require(weights.n_rows == length(rows) && weights.n_columns == n, "weights must be (queried rows, rows)");
    require(all_below(rows, n), "rows must be below the number of rows");
    require(length(sums) == values.n_columns, "sums must have one entry per column");
    nb::gil_scoped_release release;
    for (i64 r = 0; r < length(rows); ++r) {
        const auto own = weights[r];
        for (i64 j = 0; j < n; ++j)
            if (own[j] != 0.0) add_differences(rows[r], j, own[j], sums);
    }
}

// RReliefF's sums for a real target, which is scaled to a range of 1. Rows as near as the k-th share its
// places and those of their kind.
class RealRelief {
   public:
    RealRelief(const Points& points, const In& target_in, i64 k) : points_(points), k_(k) {
        const auto target = vector<const double>(target_in, "target");
        require(length(target) == points.values.n_rows, "target must have one entry per row");
        require(k > 0 && k <= MOST, "k must be positive");
        target_.assign(target.begin(), target.end());
    }

    void add(const In& distances, const In& rows, const Out& sums) const;

   private:
    const Points& points_;
    i64 k_;
    std::vector<double> target_;
};

// Add differences in y (to the first of the first row), in each column, and in both at once.
void RealRelief::add(const In& distances_, const In& rows_, const Out& sums_) const {
    const auto distances = matrix<const float>(distances_, "distances");
    const auto rows = vector<const i64>(rows_, "rows");
    const auto sums = matrix<double>(sums_, "sums");
    const std::span<const double> target(target_);
    const i64 n = points_.values.n_rows;
    require(distances.n_rows == length(rows) && distances.n_columns == n,
            "distances must be (queried rows, rows)");
    require(all_below(rows, n), "rows must be below the number of rows");
    require(sums.n_rows == 3 && sums.n_columns == points_.values.n_columns && sums.n_columns > 0,
            "sums must be (3, columns)");
    const auto of_target = sums[0].first(1), of_columns = sums[1], of_both = sums[2];
    nb::gil_scoped_release release;
    const std::vector<std::int32_t> one_class(n, 0);
    NearestOfClasses nearest(1, k_);
    for (i64 r = 0; r < length(rows); ++r) {
        const i64 i = rows[r];
        nearest.find(distances[r], one_class, i);
        if (nearest.found[0] == 0) continue;
        const auto ties = nearest.ties(0);
        const double tied = static_cast<double>(nearest.places(0)) / static_cast<double>(nearest.as_near[0]);
        for (i64 j = 0; j < n; ++j) {
            if (j == i || distances[r][j] > ties.high) continue;
            double share = 1.0 / static_cast<double>(nearest.found[0]);
            if (ties.has(distances[r][j])) share *= tied;
            const double in_target = std::abs(target[i] - target[j]) * share;
            of_target[0] += in_target;
            points_.add_differences(i, j, share, of_columns);
            points_.add_differences(i, j, in_target, of_both);
        }
    }
}

// -- lists of nearest rows --------------------------------------------------------------------------------

// The nearest rows by known distances, nearest first; equal ones in their order.
void nearest_by_distance(const In& distances_, const In& rows_, const Out& near_) {
    const auto distances = matrix<const float>(distances_, "distances");
    const auto rows = vector<const i64>(rows_, "rows");
    const auto near = matrix<std::int32_t>(near_, "near");
    const i64 n = distances.n_columns, k = near.n_columns;
    require(n <= MOST && k > 0 && k < n, "there are fewer other rows than wanted");
    require(distances.n_rows == length(rows) && near.n_rows == length(rows),
            "distances and near must have one row per queried row");
    require(all_below(rows, n), "rows must be below the number of rows");
    nb::gil_scoped_release release;
    std::vector<float> from(n), ordered;
    std::vector<i64> found;
    for (i64 r = 0; r < length(rows); ++r) {
        const auto own = distances[r];
        for (i64 j = 0; j < n; ++j) from[j] = std::isnan(own[j]) ? FAR : own[j];
        from[rows[r]] = FAR;
        ordered = from;
        std::nth_element(ordered.begin(), ordered.begin() + k - 1, ordered.end());
        const float limit = Ties<float>(ordered[k - 1]).high;
        found.clear();
        for (i64 j = 0; j < n; ++j)
            if (from[j] <= limit && j != rows[r]) found.push_back(j);
        keep_nearest(found, std::span<const float>(from), k, std::less<i64>());
        const auto to = near[r];
        for (i64 s = 0; s < k; ++s) to[s] = static_cast<std::int32_t>(found[s]);
    }
}

// Rows whose squared distances are computed from differences, so that equal values add exactly nothing.
struct DenseRows {
    Matrix<const double> values;

    i64 n() const { return values.n_rows; }

    double squared_distance(i64 i, i64 j) const {
        const auto p = values[i], q = values[j];
        double a = 0.0, b = 0.0, c = 0.0, d = 0.0;  // four sums at a time, so that adds overlap
        i64 f = 0;
        for (; f + 4 <= values.n_columns; f += 4) {
            a += (p[f] - q[f]) * (p[f] - q[f]);
            b += (p[f + 1] - q[f + 1]) * (p[f + 1] - q[f + 1]);
            c += (p[f + 2] - q[f + 2]) * (p[f + 2] - q[f + 2]);
            d += (p[f + 3] - q[f + 3]) * (p[f + 3] - q[f + 3]);
        }
        for (; f < values.n_columns; ++f) a += (p[f] - q[f]) * (p[f] - q[f]);
        return (a + b) + (c + d);
    }
};

// The same of rows of which only the values that are not 0 are stored, by ascending column.
struct SparseRows {
    std::span<const double> values;
    std::span<const i64> columns, starts;

    i64 n() const { return length(starts) - 1; }

    double squared_distance(i64 i, i64 j) const {
        i64 a = starts[i], b = starts[j];
        double sum = 0.0;
        while (a < starts[i + 1] || b < starts[j + 1]) {
            const i64 left = a < starts[i + 1] ? columns[a] : MOST,
                      right = b < starts[j + 1] ? columns[b] : MOST;
            const double difference = (left <= right ? values[a] : 0.0) - (right <= left ? values[b] : 0.0);
            a += left <= right;
            b += right <= left;
            sum += difference * difference;
        }
        return sum;
    }
};

// Between what the squared distance of a row and each other must lie, less the square of the row itself,
// given their product in single precision.
struct BoundDistances {
    template <class Machine>
    static void run(Machine, std::span<const float> products, std::span<const float> lengths, i64 own,
                    float error, std::span<float> lower, std::span<float> upper) {
        const float twice = 2.0f * lengths[own];
        for (i64 j = 0; j < length(lengths); ++j) {
            const float middle = lengths[j] * lengths[j] - 2.0f * products[j];
            const float margin =
                error * lengths[j] * (lengths[j] + twice) + std::numeric_limits<float>::min();
            lower[j] = middle - margin;
            upper[j] = middle + margin;
        }
    }
};

// What nearest rows are found from.
struct Products {
    Matrix<const float> values;      // (queried rows, rows)
    std::span<const float> lengths;  // of the rows
    float error;                     // of a product, relative to the lengths of both rows
    i64 first_row;
    std::span<const i64> order;  // of rows that are equally near
};

template <class Rows>
void nearest_exactly(const Rows& rows, const Products& products, Matrix<i64> near, Matrix<double> squared) {
    const i64 n = length(products.lengths), k = near.n_columns;
    std::vector<float> lower(n), upper(n), best;
    std::vector<double> distances(n);
    std::vector<i64> found;
    const auto order = products.order;
    const auto is_before = [&](i64 a, i64 b) { return std::pair(order[a], a) < std::pair(order[b], b); };
    for (i64 r = 0; r < near.n_rows; ++r) {
        const i64 i = products.first_row + r;
        on_this_processor<BoundDistances>(products.values[r], products.lengths, i, products.error,
                                          std::span(lower), std::span(upper));
        float limit = on_this_processor<Smallest<float>>(std::span<const float>(upper), i, k, best);
        const float own_square = products.lengths[i] * products.lengths[i];
        limit += 2 * static_cast<float>(SAME<double>) * (std::abs(limit) + own_square);
        found.clear();
        for (i64 j = 0; j < n; ++j) {
            if (lower[j] > limit || j == i) continue;
            const double distance = rows.squared_distance(i, j);
            found.push_back(j);
            distances[j] = std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
        }
        keep_nearest(found, std::span<const double>(distances), k, is_before);
        const auto to = near[r];
        const auto squares = squared[r];
        for (i64 s = 0; s < k; ++s) {
            to[s] = found[s];
            squares[s] = distances[found[s]];
        }
    }
}

// Rows among which others are looked for: their lengths, the order of equally near ones, and the error of
// products. It keeps all arrays alive.
template <class Rows>
class NearestRows {
   public:
    NearestRows(std::vector<In> memory, const Rows& rows, const In& lengths, const In& order, double error)
        : memory_(std::move(memory)),
          rows_(rows),
          lengths_(vector<const float>(lengths, "lengths")),
          order_(vector<const i64>(order, "order")),
          error_(static_cast<float>(error)) {
        memory_.insert(memory_.end(), {lengths, order});
        const i64 n_rows = rows.n();
        require(n_rows <= MOST && length(lengths_) == n_rows && length(order_) == n_rows,
                "lengths and order must have one entry per row");
        require(error >= 0.0, "error must not be negative");  // or no row may be near enough
    }

    // The nearest other rows of rows first_row, first_row + 1, ..., given their products with all rows.
    void nearest(const In& products_in, i64 first_row, const Out& near_in, const Out& squared_in) const {
        const auto near = matrix<i64>(near_in, "near");
        const auto squared = matrix<double>(squared_in, "squared");
        const Products products{matrix<const float>(products_in, "products"), lengths_, error_, first_row,
                                order_};
        const i64 n = length(lengths_);
        require(products.values.n_columns == n, "products must be with every row");
        require(near.n_rows == products.values.n_rows && squared.n_rows == near.n_rows &&
                    squared.n_columns == near.n_columns,
                "near and squared must have one row per row of products");
        require(first_row >= 0 && first_row <= n && near.n_rows <= n - first_row,
                "products must be of these rows");
        require(near.n_columns > 0 && near.n_columns < n, "there are fewer other rows than wanted");
        nb::gil_scoped_release release;
        check(rows_);
        nearest_exactly(rows_, products, near, squared);
    }

   private:
    // Python may have written into the starts of rows.
    static void check(const DenseRows&) {}
    static void check(const SparseRows& rows) {
        require(are_starts(rows.starts, length(rows.values)), "starts must ascend within values");
    }

    std::vector<In> memory_;
    Rows rows_;
    std::span<const float> lengths_;
    std::span<const i64> order_;
    float error_;
};

struct NearestDenseRows : NearestRows<DenseRows> {
    NearestDenseRows(const In& points, const In& lengths, const In& order, double error)
        : NearestRows({points}, {matrix<const double>(points, "points")}, lengths, order, error) {}
};

struct NearestSparseRows : NearestRows<SparseRows> {
    NearestSparseRows(const In& values, const In& columns, const In& starts, const In& lengths,
                      const In& order, double error)
        : NearestRows({values, columns, starts}, read(values, columns, starts), lengths, order, error) {}

    static SparseRows read(const In& values, const In& columns, const In& starts) {
        const SparseRows rows{vector<const double>(values, "values"), vector<const i64>(columns, "columns"),
                              vector<const i64>(starts, "starts")};
        require(rows.values.size() == rows.columns.size(), "values and columns must be of one length");
        require(are_starts(rows.starts, length(rows.values)),
                "starts must ascend within values, one per row and the end");
        require(all_below(rows.columns, MOST), "columns must be columns");
        return rows;
    }
};

// -- means over the nearest rows --------------------------------------------------------------------------

// Weighted means of some values over the k nearest rows of each point. Rows as near as the k-th share the
// places that are left for them.
void nearest_means(const In& distances_, double margin, i64 k, const In& weights_, const In& values_,
                   const Out& means_) {
    const auto distances = matrix<const double>(distances_, "distances");
    const auto weights = vector<const double>(weights_, "weights");
    const auto values = matrix<const double>(values_, "values");
    const auto means = matrix<double>(means_, "means");
    const i64 n = distances.n_columns, width = values.n_columns;
    require(length(weights) == n && values.n_rows == n, "weights and values must have one row per row");
    require(means.n_rows == distances.n_rows && means.n_columns == width, "means must be (points, values)");
    require(k > 0 && k <= n, "there are fewer rows than wanted");
    nb::gil_scoped_release release;
    std::vector<double> best, of_ties(width);
    for (i64 r = 0; r < distances.n_rows; ++r) {
        const auto from = distances[r];
        const double last = on_this_processor<Smallest<double>>(from, i64{-1}, k, best);
        const Ties<double> ties(last, margin);
        const auto sums = means[r];
        double weight = 0.0, tied_weight = 0.0;
        i64 n_nearer = 0, n_tied = 0;
        fill(sums, 0.0);
        std::fill(of_ties.begin(), of_ties.end(), 0.0);
        for (i64 j = 0; j < n; ++j) {
            if (!(from[j] <= ties.high)) continue;
            const bool is_tied = from[j] >= ties.low;
            const auto into = is_tied ? std::span(of_ties) : sums;
            const auto own = values[j];
            for (i64 c = 0; c < width; ++c) into[c] += weights[j] * own[c];
            (is_tied ? tied_weight : weight) += weights[j];
            ++(is_tied ? n_tied : n_nearer);
        }
        const double share = static_cast<double>(k - n_nearer) / static_cast<double>(n_tied);
        weight += share * tied_weight;
        for (i64 c = 0; c < width; ++c) sums[c] = (sums[c] + share * of_ties[c]) / weight;
    }
}

}  // namespace

void bind_neighbors(nb::module_& module) {
    using namespace nb::literals;
    using keep_first = nb::keep_alive<1, 2>;
    nb::class_<Space>(module, "Space")
        .def(nb::init<const In&, const In&, const In&>(), "values"_a, "kinds"_a, "expected"_a)
        .def("distances_from", &Space::distances_from, "rows"_a, "squared"_a, "distances"_a)
        .def("add_distances", &Space::add_distances, "columns"_a, "first_row"_a, "neighbors"_a, "squared"_a,
             "distances"_a);
    nb::class_<Neighborhoods>(module, "Neighborhoods")
        .def(nb::init<const Space&, const In&, i64, i64, bool>(), "space"_a, "labels"_a, "n_classes"_a, "k"_a,
             "every_row"_a, keep_first())
        .def("of_listed", &Neighborhoods::of_listed, "starts"_a, "members"_a, "chosen"_a, "neighbors"_a,
             "known"_a, "sums"_a)
        .def("of_all_rows", &Neighborhoods::of_all_rows, "starts"_a, "members"_a, "chosen"_a, "selected"_a,
             "sums"_a);
    nb::class_<Windows>(module, "Windows")
        .def(nb::init<const In&, const In&, const In&, const In&>(), "ordered"_a, "low"_a, "high"_a,
             "filler"_a);
    nb::class_<Points>(module, "Points")
        .def(nb::init<const In&, const In&, const In&>(), "points"_a, "kinds"_a, "expected"_a)
        .def("nearest_in_windows", &Points::nearest_in_windows, "windows"_a, "first_row"_a, "squared"_a,
             "neighbors"_a)
        .def("add_differences", &Points::add_weighted_differences, "rows"_a, "weights"_a, "sums"_a);
    nb::class_<Relief>(module, "Relief")
        .def(nb::init<const Points&, const In&, const In&, i64, bool>(), "points"_a, "labels"_a, "shares"_a,
             "k"_a, "squared"_a, keep_first())
        .def("add", &Relief::add, "distances"_a, "rows"_a, "weights"_a);
    nb::class_<RealRelief>(module, "RealRelief")
        .def(nb::init<const Points&, const In&, i64>(), "points"_a, "target"_a, "k"_a, keep_first())
        .def("add", &RealRelief::add, "distances"_a, "rows"_a, "sums"_a);
    nb::class_<NearestDenseRows>(module, "NearestDenseRows")
        .def(nb::init<const In&, const In&, const In&, double>(), "points"_a, "lengths"_a, "order"_a,
             "error"_a)
        .def("nearest", &NearestDenseRows::nearest, "products"_a, "first_row"_a, "near"_a, "squared"_a);
    nb::class_<NearestSparseRows>(module, "NearestSparseRows")
        .def(nb::init<const In&, const In&, const In&, const In&, const In&, double>(), "values"_a,
             "columns"_a, "starts"_a, "lengths"_a, "order"_a, "error"_a)
        .def("nearest", &NearestSparseRows::nearest, "products"_a, "first_row"_a, "near"_a, "squared"_a);
    module.def("nearest_by_distance", &nearest_by_distance, "distances"_a, "rows"_a, "near"_a);
    module.def("nearest_means", &nearest_means, "distances"_a, "margin"_a, "k"_a, "weights"_a, "values"_a,
               "means"_a);
}

}  // namespace entropick
