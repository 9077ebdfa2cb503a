// Cutting numeric columns into levels.
//
// Every strategy ends in edges: the largest value of each level but the last. The level of a value is the
// number of edges below it. No level is empty and equal values are never separated.
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

enum Strategy : int { QUANTILE, UNIFORM };
constexpr i64 MOST_BUCKETS = 2048;  // rough buckets of a column; only those around quantiles are ordered
constexpr i64 ROWS_PER_BUCKET = 1;  // more buckets cost less to clear and add up than they save in ordering
constexpr i64 BUCKETS_PER_BIN = 16;
constexpr i64 MOST_OFFSETS = 4096;      // whole numbers in a range up to this are counted in a table
constexpr i64 MOST_SOUGHT = 16;         // bytes of a range up to this are looked for one by one
constexpr i64 BINARY_SEARCH_FROM = 32;  // edges; below, comparing with every edge is faster (vector code)

template <class T>
bool is_missing(T value) {
    return value != value;
}

template <class Array, class Loop>
decltype(auto) by_value_type(const Array& array, const char* name, Loop&& loop) {
    return by_type<double, i64, std::uint8_t>(array, name, loop);
}

// The distinct values of an ordered column and where their runs end.
template <class T>
struct Runs {
    std::vector<T> values;
    std::vector<i64> ends;
    i64 n = 0;

    explicit Runs(i64 most) : values(most), ends(most) {}

    void add(T value, i64 end) {
        values[n] = value;
        ends[n++] = end;
    }

    void find(std::span<const T> ordered) {
        const i64 n_valid = length(ordered);
        n = 0;
        for (i64 at = 0; at < n_valid; ++at) {
            if (at == n_valid - 1 || ordered[at] != ordered[at + 1]) add(ordered[at], at + 1);
        }
    }
};

// Cut at the k-th n_bins-quantiles; inside a run of equal values, at the run's nearer end.
template <class T>
i64 edges_at_quantiles(const Runs<T>& runs, i64 n_bins, std::span<T> edges) {
    const i64 n = runs.ends[runs.n - 1];
    i64 n_edges = 0, run = 0, cut_before = -1;  // the run the wanted cut falls into; the last cut made
    for (i64 k = 1; k < n_bins; ++k) {
        const i64 wanted = k * n / n_bins;
        while (runs.ends[run] < wanted) ++run;
        const i64 begin = run > 0 ? runs.ends[run - 1] : 0;
        const i64 cut = 2 * wanted > begin + runs.ends[run] ? run : run - 1;
        if (cut > cut_before && cut < runs.n - 1) {
            edges[n_edges++] = runs.values[cut];
            cut_before = cut;
        }
    }
    return n_edges;
}

// Cut the range into n_bins equal parts; parts without a value vanish.
// The limits between levels of equal width; the range of the values may overflow, and so may parts of it.
struct Widths {
    double low, high, bins, width;

    Widths(double least, double largest, i64 n_bins)
        : low(least), high(largest), bins(static_cast<double>(n_bins)), width(high / bins - low / bins) {}

    double limit(i64 k) const {
        const double above = static_cast<double>(k) * width;
        return std::isfinite(above) ? low + above : high - (bins - static_cast<double>(k)) * width;
    }
};

template <class T>
i64 edges_at_equal_widths(const Runs<T>& runs, i64 n_bins, std::span<T> edges) {
    const Widths widths(static_cast<double>(runs.values[0]), static_cast<double>(runs.values[runs.n - 1]),
                        n_bins);
    i64 n_edges = 0, run = 0;
    for (i64 k = 1; k < n_bins; ++k) {
        const double limit = widths.limit(k);
        const i64 last = run;
        while (run < runs.n && static_cast<double>(runs.values[run]) < limit) ++run;
        if (run > last && run < runs.n) edges[n_edges++] = runs.values[run - 1];
    }
    return n_edges;
}

// How many levels columns are cut into, and up to how many values are kept as levels instead.
struct Sizes {
    i64 n_bins, n_kept;
};

// Keep the values where they are few, else cut by the strategy; returns the number of edges.
template <class T>
i64 edges_from_runs(const Runs<T>& runs, Sizes sizes, int strategy, std::span<T> edges) {
    if (runs.n <= sizes.n_kept) {
        const i64 n_edges = std::max<i64>(runs.n - 1, 0);
        copy_to(std::span(runs.values).first(n_edges), edges);
        return n_edges;
    }
    return strategy == QUANTILE ? edges_at_quantiles(runs, sizes.n_bins, edges)
                                : edges_at_equal_widths(runs, sizes.n_bins, edges);
}

// The edges of several columns, with what else is found out about them, as arrays of Python.
template <class T>
struct FoundEdges {
    NewArray<T> edges;
    NewArray<i64> n_edges, n_missing;
    NewArray<bool> kept;  // whether the column's values were few enough to keep
    NewArray<T> low, high;

    FoundEdges(i64 n_columns, i64 most_edges)
        : edges(n_columns, most_edges),
          n_edges(n_columns),
          n_missing(n_columns),
          kept(n_columns),
          low(n_columns),
          high(n_columns) {}

    nb::tuple to_python() const {
        return nb::make_tuple(edges.array, n_edges.array, n_missing.array, kept.array, low.array, high.array);
    }
};

// -- quantiles without ordering a column wholly -----------------------------------------------------------

template <class T>
struct Range {
    i64 n_valid = 0;
    T least{}, largest{};
};

// The number of valid values, the least and the largest; several of each at a time, so that none waits for
// another.
struct FindRange {
    template <class Machine, class T>
    static void run(Machine, std::span<const T> row, Range<T>& range) {
        constexpr i64 LANES = 32 / sizeof(T) < 16 ? 16 : 32 / sizeof(T);
        const i64 n = length(row);
        i64 first = 0;
        while (first < n - 1 && is_missing(row[first])) ++first;
        T least[LANES], largest[LANES];  // no std::array: g++ makes slower vector code of it
        std::fill_n(least, LANES, row[first]);
        std::fill_n(largest, LANES, row[first]);
        i64 i = 0, n_missing = 0;
        const auto look = [&](T value, i64 lane) {  // a missing value is neither less nor larger
            least[lane] = value < least[lane] ? value : least[lane];
            largest[lane] = value > largest[lane] ? value : largest[lane];
            n_missing += is_missing(value);
        };
        for (; i + LANES <= n; i += LANES)
            for (i64 lane = 0; lane < LANES; ++lane) look(row[i + lane], lane);
        for (; i < n; ++i) look(row[i], 0);
        for (i64 lane = 1; lane < LANES; ++lane) {
            least[0] = least[lane] < least[0] ? least[lane] : least[0];
            largest[0] = largest[lane] > largest[0] ? largest[lane] : largest[0];
        }
        range = {n - n_missing, least[0], largest[0]};
    }
};

// The buckets of the values of a column; missing values are in the last, which is none.
struct FindBuckets {
    template <class Machine, class T>
    static void run(Machine, std::span<const T> row, double low, double scale, i64 n_buckets,
                    std::span<std::int16_t> bucket_of) {
        const i64 n = length(row);
        const auto none = static_cast<double>(n_buckets), last = none - 1.0;
        for (i64 i = 0; i < n; ++i) {
            const double at = (static_cast<double>(row[i]) - low) * scale;
            const double above = at > 0.0 ? at : 0.0;
            const double inside = above < last ? above : last;
            bucket_of[i] =
                static_cast<std::int16_t>(static_cast<std::int32_t>(is_missing(row[i]) ? none : inside));
        }
    }
};

// Fill `found` with the distinct values in order; -1 where there are more than it has room for.
struct FewValues {
    template <class Machine, class T>
    static i64 run(Machine, std::span<const T> row, std::span<T> found) {
        const i64 most = length(found);
        i64 n_found = 0;
        for (const T value : row) {
            if (is_missing(value)) continue;
            i64 at = 0;
            if (most <= 16)  // without a branch that depends on the value
                for (i64 k = 0; k < n_found; ++k) at += found[k] < value;
            else
                at = std::lower_bound(found.begin(), found.begin() + n_found, value) - found.begin();
            if (at < n_found && found[at] == value) continue;
            if (n_found == most) return -1;
            for (i64 k = n_found; k > at; --k) found[k] = found[k - 1];
            found[at] = value;
            ++n_found;
        }
        return n_found;
    }
};

// The same edges as from runs, without them: the largest value of each of n_bins equal parts of the range.
template <class T>
i64 edges_at_equal_widths(std::span<const T> row, const Range<T>& range, i64 n_bins, std::span<T> edges) {
    const Widths widths(static_cast<double>(range.least), static_cast<double>(range.largest), n_bins);
    std::vector<double> limits(n_bins);
    for (i64 k = 1; k < n_bins; ++k) limits[k] = widths.limit(k);
    std::vector<T> largest(n_bins, range.least);
    std::vector<bool> has_values(n_bins);
    for (const T own : row) {
        if (is_missing(own)) continue;
        const auto value = static_cast<double>(own);
        const double guess = (value - widths.low) / widths.width;
        i64 part = guess < widths.bins ? static_cast<i64>(guess) : n_bins - 1;
        while (part > 0 && value < limits[part]) --part;
        while (part < n_bins - 1 && value >= limits[part + 1]) ++part;
        largest[part] = std::max(largest[part], own);
        has_values[part] = true;
    }
    i64 n_edges = 0;
    for (i64 part = 0; part < n_bins; ++part)
        if (has_values[part] && largest[part] < range.largest) edges[n_edges++] = largest[part];
    return n_edges;
}

// The number of edges below a value; all of them for a missing one. Halving without a branch.
template <class T>
i64 level_of(std::span<const T> edges, std::type_identity_t<T> value) {
    i64 level = 0;
    for (i64 n = length(edges); n > 0;) {
        const i64 half = (n + 1) / 2;
        level += edges[level + half - 1] >= value ? 0 : half;
        n -= half;
    }
    return level;
}

// The values of one column, sorted roughly into buckets of equal width. A larger value is never in an earlier
// bucket, so that only the buckets into which quantiles fall must be ordered, and the others have one level
// each.
template <class T>
class Buckets {
   public:
    Buckets(i64 n, i64 n_bins)
        : n_buckets_(number_of_buckets(n, n_bins)),
          bucket_of_(n),
          counts_(n_buckets_ + 1),
          others_(n_buckets_ + 1),
          sum_of_group_(n_buckets_ / GROUP),
          place_of_(n_buckets_ + 1),
          picked_(n / 2 + 2),
          members_(n / 2 + 2),
          largest_of_(n_buckets_ + 1) {}

    // Sort the values of a column as far as its quantiles need it; false where buckets tell too little, so
    // that ordering the whole column is no more work.
    bool sort(std::span<const T> row, const Range<T>& range, i64 n_bins) {
        auto low = static_cast<double>(range.least);
        double width = static_cast<double>(range.largest) - low;
        for (int round = 0; round < MOST_ROUNDS; ++round) {
            const double scale = static_cast<double>(n_buckets_) / width;
            if (!std::isfinite(width) || !std::isfinite(scale)) return false;
            on_this_processor<FindBuckets>(row, low, scale, n_buckets_, std::span(bucket_of_));
            count();
            const i64 n_members = choose(range.n_valid, n_bins);
            const i64 span = chosen_.empty() ? 0 : chosen_.back().bucket - chosen_.front().bucket + 3;
            const bool is_last = round == MOST_ROUNDS - 1 || 2 * span > n_buckets_;
            if (n_members <= range.n_valid / (is_last ? 2 : FEW_MEMBERS)) {
                collect(row);
                return true;
            }
            if (is_last) return false;
            // Some values are far from most others: look closer where the quantiles are.
            const double bucket_width = width / static_cast<double>(n_buckets_);
            low += static_cast<double>(std::max<i64>(chosen_.front().bucket - 1, 0)) * bucket_width;
            width = static_cast<double>(span) * bucket_width;
        }
        return false;
    }

    // The same edges as from runs, from the ordered buckets around the quantiles.
    i64 edges_at_quantiles(std::span<const T> row, const Range<T>& range, i64 n_bins, std::span<T> edges) {
        bucket_of_edge_.clear();
        auto at = chosen_.begin();
        for (i64 k = 1; k < n_bins; ++k) {
            const i64 wanted = k * range.n_valid / n_bins;
            if (wanted == 0) continue;  // fewer values than levels
            while (at->before + at->size < wanted) ++at;
            const auto inside = std::span<const T>(members_).subspan(at->begin, at->size);
            T edge = inside[wanted - 1 - at->before];
            i64 bucket = at->bucket;
            const auto [lower, upper] = std::equal_range(inside.begin(), inside.end(), edge);
            const i64 run_begin = at->before + (lower - inside.begin()),
                      run_end = at->before + (upper - inside.begin());
            if (2 * wanted <= run_begin + run_end && wanted != run_end) {
                if (run_begin == 0) continue;
                if (run_begin > at->before)
                    edge = inside[run_begin - 1 - at->before];
                else
                    edge = largest_before(row, bucket);
            }
            const auto n_edges = static_cast<i64>(bucket_of_edge_.size());
            if (edge < range.largest && (n_edges == 0 || edge > edges[n_edges - 1])) {
                edges[n_edges] = edge;
                bucket_of_edge_.push_back(bucket);
            }
        }
        return static_cast<i64>(bucket_of_edge_.size());
    }

    // Levels by bucket; values that share one with an edge are compared.
    template <class Code>
    void write_levels(std::span<const T> row, std::span<const T> edges, i64 missing_level,
                      std::span<Code> codes) {
        const i64 n = length(row), n_edges = length(edges);
        std::array<Code, MOST_BUCKETS + 1> level_in;
        i64 bucket = 0;
        for (i64 level = 0; level < n_edges; ++level)
            for (; bucket <= bucket_of_edge_[level]; ++bucket) level_in[bucket] = static_cast<Code>(level);
        for (; bucket < n_buckets_; ++bucket) level_in[bucket] = static_cast<Code>(n_edges);
        level_in[n_buckets_] = static_cast<Code>(missing_level);
        // Bytes that are written might be the address of a member, but not that of a span of our own.
        const auto bucket_of = std::span<const std::int16_t>(bucket_of_).first(n);
        for (i64 i = 0; i < n; ++i) codes[i] = level_in[bucket_of[i]];
        for (const std::int32_t i : std::span<const std::int32_t>(picked_).first(n_picked_))
            codes[i] = static_cast<Code>(level_of(edges, row[i]));
    }

   private:
    static constexpr i64 GROUP = 16;       // buckets that are added up, and passed over, together
    static constexpr i64 FEW_MEMBERS = 8;  // ordering this many values costs no more than a round
    static constexpr int MOST_ROUNDS = 3;

    // A bucket into which a quantile falls.
    struct Chosen {
        i64 bucket, before, size;  // values in earlier buckets, and in this one
        i64 begin;                 // of its members
    };

    i64 n_buckets_, n_picked_ = 0;
    std::vector<std::int16_t> bucket_of_;  // of each value; missing ones are in the last, which is none
    std::vector<std::int32_t> counts_, others_, sum_of_group_;
    std::vector<Chosen> chosen_;
    std::vector<std::int32_t> place_of_;  // where the next member of a chosen bucket goes; -1 for others
    std::vector<std::int32_t> picked_;    // rows of values in chosen buckets
    std::vector<T> members_;              // these values, ordered
    std::vector<i64> bucket_of_edge_;
    std::vector<T> largest_of_;  // the largest value of each bucket, found when it is needed
    bool has_largest_ = false;

    static i64 number_of_buckets(i64 n, i64 n_bins) {
        const i64 wanted = std::max(n / ROWS_PER_BUCKET, std::min(n, BUCKETS_PER_BIN * n_bins));
        return (std::min(wanted, MOST_BUCKETS) + GROUP - 1) / GROUP * GROUP;
    }

    void count() {
        std::fill(counts_.begin(), counts_.end(), 0);
        std::fill(others_.begin(), others_.end(), 0);
        const std::span<const std::int16_t> bucket_of(bucket_of_);
        const std::span<std::int32_t> counts(counts_), others(others_);
        const i64 n = length(bucket_of);
        for (i64 i = 0; i + 1 < n; i += 2) {  // two tables, so that a count need not wait for the last
            ++counts[bucket_of[i]];
            ++others[bucket_of[i + 1]];
        }
        if (n % 2 == 1) ++counts[bucket_of[n - 1]];
        for (i64 group = 0; group < n_buckets_ / GROUP; ++group) {
            std::int32_t sum = 0;
            for (i64 bucket = group * GROUP; bucket < (group + 1) * GROUP; ++bucket)
                sum += counts[bucket] += others[bucket];
            sum_of_group_[group] = sum;
        }
    }

    // Choose the buckets into which quantiles fall; returns the number of their members.
    i64 choose(i64 n_valid, i64 n_bins) {
        chosen_.clear();
        i64 bucket = 0, before = 0, n_members = 0;
        for (i64 k = 1; k < n_bins; ++k) {
            const i64 wanted = k * n_valid / n_bins;
            if (wanted == 0) continue;  // fewer values than levels
            for (;;) {
                const i64 group = bucket / GROUP;
                if (bucket % GROUP == 0 && before + sum_of_group_[group] < wanted) {
                    before += sum_of_group_[group];
                    bucket += GROUP;
                } else if (before + counts_[bucket] < wanted) {
                    before += counts_[bucket++];
                } else {
                    break;
                }
            }
            if (chosen_.empty() || chosen_.back().bucket < bucket) {
                chosen_.push_back({bucket, before, counts_[bucket], n_members});
                n_members += counts_[bucket];
            }
        }
        return n_members;
    }

    // Gather the members of the chosen buckets and order them.
    void collect(std::span<const T> row) {
        has_largest_ = false;
        std::fill(place_of_.begin(), place_of_.end(), -1);
        for (const Chosen& one : chosen_) place_of_[one.bucket] = static_cast<std::int32_t>(one.begin);
        const std::span<const std::int16_t> bucket_of(bucket_of_);
        const std::span<std::int32_t> place_of(place_of_), picked(picked_);
        const i64 n = length(row);
        i64 n_picked = 0;
        for (i64 i = 0; i < n; ++i) {  // without a branch, which would often be guessed wrong
            picked[n_picked] = static_cast<std::int32_t>(i);
            n_picked += place_of[bucket_of[i]] >= 0;
        }
        for (i64 i = 0; i < n_picked; ++i) members_[place_of[bucket_of[picked[i]]]++] = row[picked[i]];
        n_picked_ = n_picked;
        for (const Chosen& one : chosen_) {
            const auto own = std::span(members_).subspan(one.begin, one.size);
            std::sort(own.begin(), own.end());
        }
    }

    // The largest value in the buckets before one of them, of which at least one is not empty; and its
    // bucket.
    T largest_before(std::span<const T> row, i64& bucket) {
        if (!has_largest_) {
            std::fill(largest_of_.begin(), largest_of_.end(), std::numeric_limits<T>::lowest());
            for (i64 i = 0; i < length(row); ++i) {
                T& largest = largest_of_[bucket_of_[i]];
                largest = row[i] > largest ? row[i] : largest;
            }
            has_largest_ = true;
        }
        while (counts_[--bucket] == 0) {
        }
        return largest_of_[bucket];
    }
};

// -- what Python sees -------------------------------------------------------------------------------------

// How numeric columns become levels.
class Encoder {
   public:
    Encoder(i64 n_bins, i64 n_kept, int strategy, i64 most_edges)
        : sizes_{n_bins, n_kept}, strategy_(strategy), most_edges_(most_edges) {
        require(n_bins > 0 && n_kept > 0 && most_edges <= MOST && std::max(n_bins, n_kept) - 1 <= most_edges,
                "most_edges must have room for n_bins levels and n_kept values");
        require(strategy == QUANTILE || strategy == UNIFORM, "strategy must be QUANTILE or UNIFORM");
    }

    nb::tuple encode(const In& values, const Out& codes) const;
    nb::tuple find_sparse_edges(const In& data, const In& starts, i64 n_rows) const;
    nb::tuple find_class_edges(const In& ordered, const In& labels, const In& n_valid, i64 n_classes) const;

   private:
    Sizes sizes_;
    int strategy_;
    i64 most_edges_;
};

// -- columns of a CSC matrix, whose unstored values are zeros ---------------------------------------------

nb::tuple Encoder::find_sparse_edges(const In& data_, const In& starts_, i64 n_rows) const {
    const auto data = vector<const double>(data_, "data");
    const auto starts = vector<const i64>(starts_, "starts");
    const i64 n_columns = length(starts) - 1;
    require(are_starts(starts, length(data)), "starts must ascend within data");
    require(n_rows >= 0 && n_rows <= MOST, "n_rows must be a number of rows");
    const FoundEdges<double> found(n_columns, most_edges_);
    const auto edges = found.edges.values;
    const auto kept = found.kept.values[0];
    const auto n_edges = found.n_edges.values[0], n_missing = found.n_missing.values[0];
    const auto last = found.high.values[0];
    {
        nb::gil_scoped_release release;
        i64 longest = 0;
        for (i64 j = 0; j < n_columns; ++j) longest = std::max(longest, starts[j + 1] - starts[j]);
        Runs<double> runs(longest + 1);
        std::vector<double> ordered(longest + 1);
        for (i64 j = 0; j < n_columns; ++j) {
            i64 n_stored = 0;
            for (i64 at = starts[j]; at < starts[j + 1]; ++at)
                if (!is_missing(data[at])) ordered[n_stored++] = data[at];
            n_missing[j] = starts[j + 1] - starts[j] - n_stored;
            const i64 n_zeros = n_rows - (starts[j + 1] - starts[j]);
            if (n_zeros > 0) ordered[n_stored++] = 0.0;  // one zero stands for all of them
            const auto own = std::span(ordered).first(n_stored);
            std::sort(own.begin(), own.end());
            runs.find(own);
            i64 shift = 0;
            for (i64 run = 0; run < runs.n; ++run) {
                if (runs.values[run] == 0.0 && n_zeros > 0) shift = n_zeros - 1;
                runs.ends[run] += shift;
            }
            kept[j] = runs.n <= sizes_.n_kept;
            last[j] = runs.n > 0 ? runs.values[runs.n - 1] : 0.0;
            n_edges[j] = edges_from_runs(runs, sizes_, strategy_, edges[j]);
        }
    }
    return found.to_python();
}

// -- recursive class-entropy cuts (Fayyad and Irani 1993) -------------------------------------------------

using Counts = std::vector<i64>;

// Entropy in bits of class counts, and how many classes occur.
std::pair<double, int> class_entropy(const Counts& counts, i64 total) {
    double entropy = 0.0;
    int n_present = 0;
    for (const i64 count : counts) {
        if (count > 0) {
            const double share = static_cast<double>(count) / static_cast<double>(total);
            entropy -= share * log2_of(share);
            ++n_present;
        }
    }
    return {entropy, n_present};
}

// 3^k by squaring.
double power_of_three(int k) {
    double power = 1.0;
    for (double factor = 3.0; k != 0; k >>= 1, factor *= factor)
        if (k & 1) power *= factor;
    return power;
}

template <class T>
struct ClassCuts {
    Counts left, right, best_left, whole;
    std::vector<i64> cuts;
    std::vector<std::pair<i64, i64>> stack;

    ClassCuts(i64 n_classes, i64 most)
        : left(n_classes),
          right(n_classes),
          best_left(n_classes),
          whole(n_classes),
          cuts(most),
          stack(most + 2) {}

    // Position of the cut with the least class entropy, and that entropy; -1 where none exists.
    std::pair<i64, double> best_cut(std::span<const T> ordered, std::span<const std::int32_t> labels,
                                    i64 start, i64 stop) {
        std::fill(left.begin(), left.end(), 0);
        std::fill(right.begin(), right.end(), 0);
        for (i64 at = start; at < stop; ++at) ++right[labels[at]];
        i64 best = -1;
        double best_entropy = std::numeric_limits<double>::infinity();
        for (i64 at = start; at < stop - 1; ++at) {
            ++left[labels[at]];
            --right[labels[at]];
            if (ordered[at] == ordered[at + 1]) continue;
            const i64 n_left = at + 1 - start, n_right = stop - at - 1;
            const double entropy_left = class_entropy(left, n_left).first;
            const double entropy_right = class_entropy(right, n_right).first;
            const double entropy =
                (static_cast<double>(n_left) * entropy_left + static_cast<double>(n_right) * entropy_right) /
                static_cast<double>(stop - start);
            if (entropy < best_entropy) {
                best = at + 1;
                best_entropy = entropy;
                best_left = left;
            }
        }
        return {best, best_entropy};
    }

    // The minimum description length test of a cut.
    bool pays(std::span<const std::int32_t> labels, i64 start, i64 cut, i64 stop, double entropy_after) {
        std::fill(right.begin(), right.end(), 0);
        for (i64 at = cut; at < stop; ++at) ++right[labels[at]];
        for (std::size_t c = 0; c < whole.size(); ++c) whole[c] = best_left[c] + right[c];
        const auto [entropy, k] = class_entropy(whole, stop - start);
        const auto [entropy_left, k_left] = class_entropy(best_left, cut - start);
        const auto [entropy_right, k_right] = class_entropy(right, stop - cut);
        const double labelings = k < 64 ? log2_of(power_of_three(k) - 2.0) : k * log2_of(3.0);
        const double cost = labelings - (k * entropy - k_left * entropy_left - k_right * entropy_right);
        const auto n = static_cast<double>(stop - start);
        return entropy - entropy_after > (log2_of(n - 1.0) + cost) / n;
    }

    i64 find(std::span<const T> ordered, std::span<const std::int32_t> labels, std::span<T> edges) {
        stack[0] = {0, length(ordered)};
        i64 depth = 1, n_cuts = 0;
        while (depth > 0 && n_cuts < static_cast<i64>(cuts.size())) {
            const auto [start, stop] = stack[--depth];
            const auto [cut, entropy] = best_cut(ordered, labels, start, stop);
            if (cut < 0 || !pays(labels, start, cut, stop, entropy)) continue;
            cuts[n_cuts++] = cut;
            stack[depth++] = {start, cut};
            stack[depth++] = {cut, stop};
        }
        std::sort(cuts.begin(), cuts.begin() + n_cuts);
        for (i64 k = 0; k < n_cuts; ++k) edges[k] = ordered[cuts[k] - 1];
        return n_cuts;
    }
};

nb::tuple Encoder::find_class_edges(const In& ordered_, const In& labels_, const In& n_valid_,
                                    i64 n_classes) const {
    return by_value_type(ordered_, "ordered", [&]<class T>(T) {
        const auto ordered = matrix<const T>(ordered_, "ordered");
        const auto labels = matrix<const std::int32_t>(labels_, "labels");
        const auto n_valid = vector<const i64>(n_valid_, "n_valid");
        require(labels.n_rows == ordered.n_rows && labels.n_columns == ordered.n_columns,
                "labels must have the shape of ordered");
        require(length(n_valid) == ordered.n_rows && all_below(n_valid, ordered.n_columns + 1),
                "n_valid must say how many values of each column are valid");
        require(n_classes >= 0 && n_classes <= MOST, "n_classes must be a number of classes");
        const NewArray<T> edges(ordered.n_rows, most_edges_);
        const NewArray<i64> n_edges(ordered.n_rows);
        const NewArray<bool> kept(ordered.n_rows);
        {
            nb::gil_scoped_release release;
            const Sizes sizes{sizes_.n_kept, sizes_.n_kept};
            Runs<T> runs(ordered.n_columns);
            ClassCuts<T> cuts(n_classes, most_edges_);
            for (i64 j = 0; j < ordered.n_rows; ++j) {
                const auto values = ordered[j].first(n_valid[j]);
                const auto classes = labels[j].first(n_valid[j]);
                require(all_below(classes, n_classes), "labels must be below n_classes");
                runs.find(values);
                const bool is_kept = kept.values[0][j] = runs.n <= sizes.n_kept;
                n_edges.values[0][j] = is_kept ? edges_from_runs(runs, sizes, QUANTILE, edges.values[j])
                                               : cuts.find(values, classes, edges.values[j]);
            }
        }
        return nb::make_tuple(edges.array, n_edges.array, kept.array);
    });
}

// -- levels -----------------------------------------------------------------------------------------------

// Levels of one column by comparing every value with every edge, some values at a time.
struct CompareWithEdges {
    template <class Machine, class T, class Code>
    static void run(Machine, std::span<const T> values, std::span<const T> edges, std::span<Code> codes) {
        constexpr i64 AT_ONCE = sizeof(T) == 1 ? 128 : 32;  // levels in registers, all edges
        const i64 n = length(values);
        i64 i = 0;
        for (; i + AT_ONCE <= n; i += AT_ONCE) levels_of<AT_ONCE>(values.subspan(i), edges, codes.subspan(i));
        for (; i < n; ++i) levels_of<1>(values.subspan(i), edges, codes.subspan(i));
    }

    template <std::size_t N, class T, class Code>
    static void levels_of(std::span<const T> values, std::span<const T> edges, std::span<Code> codes) {
        using Level = std::conditional_t<sizeof(T) == 1, std::uint8_t, i64>;
        const auto own = values.template first<N>();
        const auto to = codes.template first<N>();
        std::array<Level, N> level = {};
        for (const T edge : edges)
            for (std::size_t l = 0; l < N; ++l) level[l] = static_cast<Level>(level[l] + (own[l] > edge));
        for (std::size_t l = 0; l < N; ++l) to[l] = static_cast<Code>(level[l]);
    }
};

template <class T, class Code>
void write_levels(std::span<const T> row, std::span<const T> edges, std::span<Code> codes) {
    if (length(edges) < BINARY_SEARCH_FROM)
        on_this_processor<CompareWithEdges>(row, edges, codes);
    else
        for (i64 i = 0; i < length(row); ++i) codes[i] = static_cast<Code>(level_of(edges, row[i]));
}

template <class T, class Code>
void write_missing(std::span<const T> row, i64 missing_level, std::span<Code> codes) {
    for (i64 i = 0; i < length(row); ++i)
        if (is_missing(row[i])) codes[i] = static_cast<Code>(missing_level);
}

template <class Array, class Loop>
decltype(auto) by_level_type(const Array& array, const char* name, Loop&& loop) {
    return by_type<std::uint8_t, std::uint16_t, std::uint32_t>(array, name, loop);
}

void assign_levels(const In& values_, const In& edges_, const In& n_edges_, const In& missing_level_,
                   const Out& codes_) {
    by_value_type(values_, "values", [&](auto zero) {
        by_level_type(codes_, "codes", [&](auto code) {
            using T = decltype(zero);
            using Code = decltype(code);
            const auto values = matrix<const T>(values_, "values"), edges = matrix<const T>(edges_, "edges");
            const auto n_edges = vector<const i64>(n_edges_, "n_edges");
            const auto missing_level = vector<const i64>(missing_level_, "missing_level");
            const auto codes = matrix<Code>(codes_, "codes");
            require(edges.n_rows == values.n_rows && length(n_edges) == values.n_rows &&
                        length(missing_level) == values.n_rows && codes.n_rows == values.n_rows,
                    "edges, n_edges, missing_level and codes must have one row per column");
            require(codes.n_columns >= values.n_columns, "codes must have room for the values");
            require(all_below(n_edges, edges.n_columns + 1), "n_edges must be at most the columns of edges");
            nb::gil_scoped_release release;
            for (i64 j = 0; j < values.n_rows; ++j) {
                write_levels(values[j], edges[j].first(n_edges[j]), codes[j]);
                if (missing_level[j] >= 0) write_missing(values[j], missing_level[j], codes[j]);
            }
        });
    });
}

void assign_sparse_levels(const In& data_, const In& starts_, const In& edges_, const In& n_edges_,
                          const In& missing_level_, const Out& codes_) {
    const auto data = vector<const double>(data_, "data");
    const auto starts = vector<const i64>(starts_, "starts");
    const auto edges = matrix<const double>(edges_, "edges");
    const auto n_edges = vector<const i64>(n_edges_, "n_edges");
    const auto missing_level = vector<const i64>(missing_level_, "missing_level");
    const i64 n_columns = length(starts) - 1;
    require(are_starts(starts, length(data)), "starts must ascend within data");
    require(edges.n_rows == n_columns && length(n_edges) == n_columns && length(missing_level) == n_columns,
            "edges, n_edges and missing_level must have one row per column");
    require(all_below(n_edges, edges.n_columns + 1), "n_edges must be at most the columns of edges");
    by_level_type(codes_, "codes", [&](auto code) {
        using Code = decltype(code);
        const auto codes = vector<Code>(codes_, "codes");
        require(codes.size() == data.size(), "codes must be as long as data");
        nb::gil_scoped_release release;
        for (i64 j = 0; j < n_columns; ++j) {
            const auto own = edges[j].first(n_edges[j]);
            for (i64 at = starts[j]; at < starts[j + 1]; ++at)
                codes[at] =
                    static_cast<Code>(is_missing(data[at]) ? missing_level[j] : level_of(own, data[at]));
        }
    });
}

// -- a block of columns, from values to codes ---------------------------------------------------------------

// Whole steps from the least value, where there are no others; missing values are at `none`.
struct FindOffsets {
    template <class Machine, class T>
    static bool run(Machine, std::span<const T> row, T least, i64 none, std::span<std::uint16_t> offset_of) {
        const i64 n = length(row);
        i64 end = 0;
        for (i64 begin = 0; begin < n; begin = end) {  // most columns of other values show it soon
            end = std::min(std::max(4 * begin, i64{16}), n);
            int differs = 0;
            for (i64 i = begin; i < end; ++i) {
                const auto from_least = is_missing(row[i]) ? static_cast<T>(none) : row[i] - least;
                const auto offset = static_cast<std::int32_t>(from_least);
                differs |= int{!is_missing(row[i])} & int{static_cast<T>(offset) + least != row[i]};
                offset_of[i] = static_cast<std::uint16_t>(offset);
            }
            if (differs) return false;
        }
        return true;
    }
};

// Finds the levels of columns of equal length, one after the other.
template <class T>
class ColumnEncoder {
   public:
    ColumnEncoder(i64 n, Sizes sizes, int strategy)
        : n_(n),
          sizes_(sizes),
          strategy_(strategy),
          few_(sizes.n_kept),
          runs_(MOST_OFFSETS),
          buckets_(n, sizes.n_bins) {}

    Range<T> range;
    i64 n_edges = 0;
    bool kept = false;  // whether the values were few enough to keep

    // Find the edges of a column and write the levels of its values.
    template <class Code>
    void encode(std::span<const T> row, std::span<T> edges, std::span<Code> codes) {
        on_this_processor<FindRange>(row, range);
        if (range.n_valid == 0) {
            n_edges = 0, kept = true;
            fill(codes, Code{0});
        } else if (are_steps(row)) {
            n_edges = edges_from_runs(runs_, sizes_, strategy_, edges);
            kept = runs_.n <= sizes_.n_kept;
            write_by_table(row, edges, codes);
        } else if (are_few(row)) {
            copy_to(std::span(few_).first(n_edges), edges);
            compare(row, edges, codes);
        } else if (strategy_ == QUANTILE && buckets_.sort(row, range, sizes_.n_bins)) {
            n_edges = buckets_.edges_at_quantiles(row, range, sizes_.n_bins, edges);
            buckets_.write_levels(row, std::span<const T>(edges).first(n_edges), missing_level(), codes);
        } else {
            n_edges = strategy_ == UNIFORM ? edges_at_equal_widths(row, range, sizes_.n_bins, edges)
                                           : edges_in_order(row, edges);
            compare(row, edges, codes);
        }
    }

   private:
    i64 n_;
    Sizes sizes_;
    int strategy_;
    std::vector<T> few_;
    Runs<T> runs_;
    Buckets<T> buckets_;
    std::vector<std::uint16_t> offset_of_;
    std::array<std::array<i64, MOST_OFFSETS + 1>, 2> counts_;

    i64 missing_level() const { return n_edges + 1; }

    // Whether the values are whole steps from the least one within a small range; if so, their runs are
    // found.
    bool are_steps(std::span<const T> row) {
        if constexpr (sizeof(T) == 1) {
            if (range.largest - range.least >= MOST_SOUGHT || !seek(row)) count(row, 256, range.least);
            return true;
        } else {
            i64 span;
            if constexpr (std::is_floating_point_v<T>) {
                const T width = range.largest - range.least;
                if (!(width < static_cast<T>(MOST_OFFSETS))) return false;
                span = static_cast<i64>(width);
            } else {
                const u64 width = static_cast<u64>(range.largest) - static_cast<u64>(range.least);
                if (width >= static_cast<u64>(MOST_OFFSETS)) return false;
                span = static_cast<i64>(width);
            }
            if (span > 4 * n_) return false;  // clearing the table would cost more
            offset_of_.resize(n_);
            const std::span<std::uint16_t> offset_of(offset_of_);
            if (!on_this_processor<FindOffsets>(row, range.least, span + 1, offset_of)) return false;
            count(std::span<const std::uint16_t>(offset_of), span + 1, range.least);
            return true;
        }
    }

    // The distinct bytes, where they are few enough to keep; their frequencies are not needed then.
    bool seek(std::span<const T> row) {
        runs_.n = 0;
        for (int value = range.least; value <= range.largest; ++value)
            if (std::memchr(row.data(), value, row.size()) != nullptr) runs_.add(static_cast<T>(value), 0);
        return runs_.n <= sizes_.n_kept;
    }

    // The runs of values given as offsets; two tables, so that a count need not wait for the last.
    template <class Offset>
    void count(std::span<const Offset> offset_of, i64 n_offsets, T least) {
        for (auto& table : counts_) fill(std::span(table).first(n_offsets + 1), 0);
        const i64 n = length(offset_of);
        i64 i = 0;
        for (; i + 1 < n; i += 2) {
            ++counts_[0][offset_of[i]];
            ++counts_[1][offset_of[i + 1]];
        }
        if (i < n) ++counts_[0][offset_of[i]];
        i64 end = 0;
        runs_.n = 0;
        for (i64 offset = 0; offset < n_offsets; ++offset) {
            const i64 n_equal = counts_[0][offset] + counts_[1][offset];
            if (n_equal == 0) continue;
            end += n_equal;
            runs_.add(sizeof(T) == 1 ? static_cast<T>(offset) : static_cast<T>(offset) + least, end);
        }
    }

    template <class Code>
    void write_by_table(std::span<const T> row, std::span<const T> edges, std::span<Code> codes) {
        std::array<Code, MOST_OFFSETS + 1> level_of;
        const bool is_byte = sizeof(T) == 1;
        const T base = is_byte ? T{0} : range.least;
        i64 level = 0, last = 0;
        for (i64 run = 0; run < runs_.n; ++run) {
            if (level < n_edges && edges[level] < runs_.values[run]) ++level;
            last = static_cast<i64>(runs_.values[run] - base);
            level_of[last] = static_cast<Code>(level);
        }
        level_of[is_byte ? last : last + 1] = static_cast<Code>(is_byte ? level : missing_level());
        if constexpr (sizeof(T) == 1) {
            if (sizeof(Code) == 1 && level == last)  // values are levels already
                copy_to(row, codes);
            else
                for (i64 i = 0; i < n_; ++i)
                    codes[i] = level_of[row[i]];  // a local n would make slower vector code
        } else {
            const auto offset_of = std::span<const std::uint16_t>(offset_of_).first(row.size());
            for (i64 i = 0; i < n_; ++i) codes[i] = level_of[offset_of[i]];
        }
    }

    // Whether the different values are few enough for each to be a level.
    bool are_few(std::span<const T> row) {
        const i64 n_few = on_this_processor<FewValues>(row, std::span(few_));
        kept = n_few >= 0;
        n_edges = n_few - 1;
        return kept;
    }

    // The buckets tell too little: order the whole column.
    i64 edges_in_order(std::span<const T> row, std::span<T> edges) {
        std::vector<T> ordered;
        ordered.reserve(range.n_valid);
        for (const T value : row)
            if (!is_missing(value)) ordered.push_back(value);
        std::sort(ordered.begin(), ordered.end());
        Runs<T> runs(range.n_valid);
        runs.find(std::span<const T>(ordered));
        return edges_at_quantiles(runs, sizes_.n_bins, edges);
    }

    template <class Code>
    void compare(std::span<const T> row, std::span<const T> edges, std::span<Code> codes) {
        write_levels(row, edges.first(n_edges), codes);
        if (range.n_valid < n_) write_missing(row, missing_level(), codes);
    }
};

nb::tuple Encoder::encode(const In& values_, const Out& codes_) const {
    return by_value_type(values_, "values", [&]<class T>(T) {
        return by_level_type(codes_, "codes", [&]<class Code>(Code) {
            const auto values = matrix<const T>(values_, "values");
            const auto codes = matrix<Code>(codes_, "codes");
            const i64 n = values.n_columns;
            require(codes.n_rows == values.n_rows, "codes must have one row per column");
            require(n > 0 && n <= MOST, "a column must have values");
            require(codes.n_columns >= n, "codes must have room for the values");
            require(std::max(sizes_.n_bins, sizes_.n_kept) < most_levels<Code>,
                    "codes must have room for all levels and missing values");
            const FoundEdges<T> found(values.n_rows, most_edges_);
            {
                nb::gil_scoped_release release;
                const auto encoder = std::make_unique<ColumnEncoder<T>>(n, sizes_, strategy_);
                for (i64 j = 0; j < values.n_rows; ++j) {
                    encoder->encode(values[j], found.edges.values[j], codes[j].first(n));
                    found.n_missing.values[0][j] = n - encoder->range.n_valid;
                    found.low.values[0][j] = encoder->range.least;
                    found.high.values[0][j] = encoder->range.largest;
                    found.n_edges.values[0][j] = encoder->n_edges;
                    found.kept.values[0][j] = encoder->kept;
                }
            }
            return found.to_python();
        });
    });
}

}  // namespace

void bind_binning(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Encoder>(module, "Encoder")
        .def(nb::init<i64, i64, int, i64>(), "n_bins"_a, "n_kept"_a, "strategy"_a, "most_edges"_a)
        .def("encode", &Encoder::encode, "values"_a, "codes"_a)
        .def("find_sparse_edges", &Encoder::find_sparse_edges, "data"_a, "starts"_a, "n_rows"_a)
        .def("find_class_edges", &Encoder::find_class_edges, "ordered"_a, "labels"_a, "n_valid"_a,
             "n_classes"_a);
    module.def("assign_levels", &assign_levels, "values"_a, "edges"_a, "n_edges"_a, "missing_level"_a,
               "codes"_a);
    module.def("assign_sparse_levels", &assign_sparse_levels, "data"_a, "starts"_a, "edges"_a, "n_edges"_a,
               "missing_level"_a, "codes"_a);
}

}  // namespace entropick
