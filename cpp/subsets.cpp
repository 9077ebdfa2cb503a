// Joint levels of many subsets of columns at once.
//
// Each level of each column has a random 64-bit key. The joint level of a row on a subset is the sum of its
// keys, modulo 2^64: rows that agree on all columns of the subset have equal sums, all others differ, except
// for one chance in 2^64 per pair. Columns that mostly have one level are lists of the other rows with the
// difference of keys to the usual level, which takes a constant off every sum. Counts come from grouping
// equal sums in a hash table. Where rows are many they are first dealt by the high bits of their sums into
// parts that fit the fastest memory.
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "codes.hpp"
#include "logarithms.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

enum Kind : int { ENTROPY, PEAK, NORM, MAJORITY };  // what is summed over the groups
constexpr i64 EXPANDED_BYTES = 1 << 19;  // keys of a tile of rows: small enough to stay near the processor
constexpr i64 SUMS_BYTES = 1 << 20;      // row sums of a block of subsets, which should stay there, too
constexpr i64 MIN_SUBSETS = 16;          // in a block all the same: they share the expanded keys
// Up to MANY_ROWS rows one hash table is faster; more rows are dealt into parts of PART_ROWS.
constexpr i64 MANY_ROWS = 16384, PART_ROWS = 2048;
constexpr i64 LAST_BASE = i64{1} << 30;  // numbers in slots start over before they get too large for 32 bits

// Row sums of the subsets over the expanded columns. A subset that differs from the one before in few columns
// starts from the sums of that one.
struct AddKeys {
    template <class Machine>
    static void run(Machine, Matrix<const u64> expanded, Matrix<const bool> members, i64 start, i64 width,
                    Matrix<u64> sums, std::vector<i64>& added, std::vector<i64>& removed) {
        for (i64 i = 0; i < members.n_rows; ++i) {
            const auto own = members[i];
            const auto before = i > 0 ? members[i - 1] : std::span<const bool>();
            i64 n_own = 0, n_added = 0, n_removed = 0;
            for (i64 j = 0; j < members.n_columns; ++j) {
                n_own += own[j];
                if (i > 0 && own[j] && !before[j]) added[n_added++] = j;
                if (i > 0 && before[j] && !own[j]) removed[n_removed++] = j;
            }
            const auto row = sums[i].subspan(start, width);
            if (i > 0 && n_added + n_removed < n_own) {
                copy_to(sums[i - 1].subspan(start, width), row);
            } else {
                fill(row, 0);
                n_added = n_removed = 0;
                for (i64 j = 0; j < members.n_columns; ++j)
                    if (own[j]) added[n_added++] = j;
            }
            const auto keys = [&](i64 column) { return expanded[column].first(width); };
            i64 k = 0;
            for (; k + 8 <= n_added; k += 8) {  // several columns at a time: the sums are fetched less often
                const auto a = keys(added[k]), b = keys(added[k + 1]), c = keys(added[k + 2]);
                const auto d = keys(added[k + 3]), e = keys(added[k + 4]), f = keys(added[k + 5]);
                const auto g = keys(added[k + 6]), h = keys(added[k + 7]);
                for (i64 r = 0; r < width; ++r)
                    row[r] += (a[r] + b[r]) + (c[r] + d[r]) + ((e[r] + f[r]) + (g[r] + h[r]));
            }
            for (; k + 4 <= n_added; k += 4) {
                const auto a = keys(added[k]), b = keys(added[k + 1]), c = keys(added[k + 2]);
                const auto d = keys(added[k + 3]);
                for (i64 r = 0; r < width; ++r) row[r] += (a[r] + b[r]) + (c[r] + d[r]);
            }
            for (; k < n_added; ++k) {
                const auto a = keys(added[k]);
                for (i64 r = 0; r < width; ++r) row[r] += a[r];
            }
            for (k = 0; k < n_removed; ++k) {
                const auto a = keys(removed[k]);
                for (i64 r = 0; r < width; ++r) row[r] -= a[r];
            }
        }
    }
};

// Order rows by the highest bits of their keys; ends[p] is where part p ends.
void deal(std::span<const u64> keys, std::span<const std::int32_t> labels, int bits, std::span<i64> ends,
          std::span<u64> dealt_keys, std::span<std::int32_t> dealt_labels) {
    const int shift = 64 - bits;
    fill(ends, 0);
    const i64 n_rows = length(labels), n_parts = i64{1} << bits;
    for (i64 r = 0; r < n_rows; ++r) ++ends[(keys[r] >> shift) + 1];
    for (i64 p = 0; p < n_parts; ++p) ends[p + 1] += ends[p];
    for (i64 r = 0; r < n_rows; ++r) {
        const i64 at = ends[keys[r] >> shift]++;
        dealt_keys[at] = keys[r];
        dealt_labels[at] = labels[r];
    }
}

// Count the classes of each group of equal keys; returns the number of groups. A slot holds the number of its
// group above `base`, so slots of earlier parts need no clearing. There is a power of two of slots.
i64 count_groups(std::span<const u64> keys, std::span<const std::int32_t> labels, i64 n_classes,
                 std::span<std::int32_t> slots, i64 base, std::span<u64> group_keys,
                 std::span<std::int32_t> counts) {
    const i64 n_rows = length(keys);
    const u64 mask = slots.size() - 1;
    i64 n_groups = 0;
    for (i64 r = 0; r < n_rows; ++r) {
        const u64 key = keys[r];
        u64 slot = key & mask;
        i64 group = slots[slot] - base;
        while (group >= 0 && group_keys[group] != key) {
            slot = (slot + 1) & mask;
            group = slots[slot] - base;
        }
        if (group < 0) {
            group = n_groups++;
            slots[slot] = static_cast<std::int32_t>(base + group);
            group_keys[group] = key;
            fill(counts.subspan(group * n_classes, n_classes), 0);
        }
        ++counts[group * n_classes + labels[r]];
    }
    return n_groups;
}

struct Sums {
    i64 n_groups = 0, n_cells = 0, over_groups = 0, over_cells = 0;
};

// What is summed: integers looked up by the size of a group and the count of a (group, class) cell; the
// largest class count; the sizes of groups whose largest class count is at least of_group[size]; or the norm
// of an order, in units of 1 / scale.
struct Lookups {
    Kind kind;
    std::span<const i64> of_group, of_cell;
    double order = 1.0;
    i64 scale = 1;
};

// The norm of the class counts of a group, rounded to an integer in units of 1 / scale.
i64 scaled_norm(std::span<const std::int32_t> counts, i64 peak, double order, i64 scale) {
    double power = 0.0;
    for (const std::int32_t count : counts) {
        if (count == peak)
            power += 1.0;
        else if (count > 0)
            power += power_of(static_cast<double>(count) / static_cast<double>(peak), order);
    }
    const double norm = static_cast<double>(peak) * power_of(power, 1.0 / order) * static_cast<double>(scale);
    constexpr double limit = 9.2e18;  // beyond, the conversion would be undefined
    return static_cast<i64>(std::rint(std::clamp(norm, -limit, limit)));
}

void add_groups(std::span<const std::int32_t> counts, i64 n_groups, i64 n_classes, const Lookups& lookups,
                Sums& sums) {
    sums.n_groups += n_groups;
    for (i64 g = 0; g < n_groups; ++g) {
        const auto own = counts.subspan(g * n_classes, n_classes);
        i64 size = 0, peak = 0;
        for (const i64 count : own) {
            size += count;
            peak = std::max(peak, count);
            sums.n_cells += count > 0;
            if (lookups.kind == ENTROPY) sums.over_cells += count > 0 ? lookups.of_cell[count] : 0;
        }
        if (lookups.kind == ENTROPY)
            sums.over_groups += lookups.of_group[size];
        else if (lookups.kind == PEAK)
            sums.over_groups += peak;
        else if (lookups.kind == MAJORITY)
            sums.over_groups += peak >= lookups.of_group[size] ? size : 0;
        else
            sums.over_groups += scaled_norm(own, peak, lookups.order, lookups.scale);
    }
}

// A power of two, at least twice as many slots as rows.
i64 n_slots_for(i64 n_rows) {
    return static_cast<i64>(std::bit_ceil(static_cast<u64>(std::max<i64>(2 * n_rows, 2))));
}

// Groups the rows of subsets by their sums of keys, with memory that subsets share.
class Grouping {
   public:
    Grouping(std::span<const std::int32_t> labels, i64 n_classes)
        : labels_(labels),
          n_classes_(n_classes),
          bits_(bits_for(length(labels))),
          slots_(n_slots_for(length(labels))),
          dealt_labels_(bits_ ? labels.size() : 0),
          group_keys_(labels.size()),
          dealt_keys_(bits_ ? labels.size() : 0),
          ends_((i64{1} << bits_) + 1),
          memory_(new std::int32_t[labels.size() * n_classes]) {}

    Sums sums(std::span<const u64> keys, const Lookups& lookups) {
        const i64 n_rows = length(labels_), n_parts = i64{1} << bits_;
        const std::span<std::int32_t> counts(memory_.get(), n_rows * n_classes_);
        Sums found;
        if (base_ > LAST_BASE) {
            std::fill(slots_.begin(), slots_.end(), 0);
            base_ = 1;
        }
        auto classes = labels_;
        ends_[0] = n_rows;  // a single part, unless rows are dealt
        if (bits_) {
            deal(keys, labels_, bits_, std::span(ends_), std::span(dealt_keys_), std::span(dealt_labels_));
            keys = dealt_keys_, classes = dealt_labels_;
        }
        i64 first = 0;
        for (i64 p = 0; p < n_parts; ++p) {
            const i64 n_here = ends_[p] - first;
            const i64 n_groups = count_groups(keys.subspan(first, n_here), classes.subspan(first, n_here),
                                              n_classes_, std::span(slots_).first(n_slots_for(n_here)), base_,
                                              std::span(group_keys_), counts);
            add_groups(counts, n_groups, n_classes_, lookups, found);
            base_ += n_groups;
            first = ends_[p];
        }
        return found;
    }

   private:
    static int bits_for(i64 n_rows) {
        int bits = 0;
        while (n_rows > MANY_ROWS && (n_rows >> bits) > PART_ROWS) ++bits;
        return bits;
    }

    std::span<const std::int32_t> labels_;
    i64 n_classes_;
    int bits_;
    i64 base_ = 1;
    std::vector<std::int32_t> slots_, dealt_labels_;
    std::vector<u64> group_keys_, dealt_keys_;
    std::vector<i64> ends_;
    // A part seldom has as many groups as there are rows, so this memory is not touched before it is needed.
    std::unique_ptr<std::int32_t[]> memory_;
};

// Counts over the joint levels of whole subsets of columns. It owns the labels and the keys, and they are
// checked once.
class SubsetCounter {
   public:
    SubsetCounter(const CodeTable& table, const In& labels_, i64 n_classes, const In& keys_)
        : table_(table), n_classes_(n_classes) {
        const auto labels = vector<const std::int32_t>(labels_, "labels");
        const auto keys = vector<const u64>(keys_, "keys");
        require(length(labels) == table.n_rows() && length(labels) < LAST_BASE,
                "labels must be as long as the rows, below 2**30");
        require(n_classes > 0 && n_classes <= MOST && all_below(labels, n_classes),
                "labels must be below n_classes");
        i64 n_levels = 0;
        for (i64 j = 0; j < table.n_columns(); ++j) {
            first_key_.push_back(n_levels);
            n_levels += table.n_levels(j);
        }
        require(length(keys) == n_levels, "keys must have one entry per level of each column");
        classes_.assign(labels.begin(), labels.end());
        level_keys_.assign(keys.begin(), keys.end());
    }

    void entropy_sums(const In& subsets, const In& of_group_, const In& of_cell_, const Out& sums) const {
        const auto of_group = vector<const i64>(of_group_, "of_group"),
                   of_cell = vector<const i64>(of_cell_, "of_cell");
        require(length(of_group) > table_.n_rows() && length(of_cell) > table_.n_rows(),
                "of_group and of_cell must be longer than the rows");
        count(subsets, {ENTROPY, of_group, of_cell}, sums);
    }

    void peak_sums(const In& subsets, const Out& sums) const { count(subsets, {PEAK, {}, {}}, sums); }

    void majority_sums(const In& subsets, const In& needed_, const Out& sums) const {
        const auto needed = vector<const i64>(needed_, "needed");
        require(length(needed) > table_.n_rows(), "needed must be longer than the rows");
        count(subsets, {MAJORITY, needed, {}}, sums);
    }

    void norm_sums(const In& subsets, double order, i64 scale, const Out& sums) const {
        require(order > 0.0, "order must be positive");
        count(subsets, {NORM, {}, {}, order, scale}, sums);
    }

   private:
    void count(const In& subsets_, const Lookups& lookups, const Out& sums_) const {
        const auto subsets = matrix<const bool>(subsets_, "subsets");
        const auto sums = matrix<i64>(sums_, "sums");
        const i64 n_rows = table_.n_rows();
        require(subsets.n_columns == table_.n_columns(), "subsets must be (subsets, columns)");
        require(sums.n_rows == subsets.n_rows && sums.n_columns == 4,
                "sums must have 4 columns and a row per subset");
        nb::gil_scoped_release release;
        Grouping grouping(classes_, n_classes_);
        const i64 at_once = std::max(MIN_SUBSETS, SUMS_BYTES / (8 * std::max<i64>(n_rows, 1)));
        std::vector<u64> row_sums;
        for (i64 start = 0; start < subsets.n_rows; start += at_once) {
            const i64 n_here = std::min(at_once, subsets.n_rows - start);
            row_sums.assign(n_here * n_rows, 0);
            add_row_sums(subsets, start, {row_sums, n_here, n_rows, n_rows});
            for (i64 i = 0; i < n_here; ++i) {
                const Sums of_subset =
                    grouping.sums(std::span<const u64>(row_sums).subspan(i * n_rows, n_rows), lookups);
                const auto found = sums[start + i];
                found[0] = of_subset.n_groups, found[1] = of_subset.n_cells;
                found[2] = of_subset.over_groups, found[3] = of_subset.over_cells;
            }
        }
    }

    // The sum of keys of every row on each of the subsets from `first` on (subsets, rows).
    void add_row_sums(Matrix<const bool> subsets, i64 first, Matrix<u64> sums) const {
        std::vector<i64> dense, listed;  // columns that some subset has
        for (i64 j = 0; j < table_.n_columns(); ++j) {
            bool is_used = false;
            for (i64 i = 0; i < sums.n_rows; ++i) is_used |= subsets[first + i][j];
            if (is_used) (table_.is_sparse(j) ? listed : dense).push_back(j);
        }
        if (!dense.empty()) add_dense(dense, subsets, first, sums);
        for (const i64 j : listed) add_listed(j, subsets, first, sums);
    }

    void add_dense(std::span<const i64> columns, Matrix<const bool> subsets, i64 first,
                   Matrix<u64> sums) const {
        const i64 n = length(columns), n_rows = table_.n_rows();
        const std::unique_ptr<bool[]> of_members(new bool[sums.n_rows * n]);
        const std::span<bool> members(of_members.get(), sums.n_rows * n);
        for (i64 i = 0; i < sums.n_rows; ++i)
            for (i64 k = 0; k < n; ++k) members[i * n + k] = subsets[first + i][columns[k]];
        const i64 width = std::min(n_rows, std::max<i64>(64, EXPANDED_BYTES / (8 * n)));
        std::vector<u64> memory(n * width);
        const Matrix<u64> expanded{memory, n, width, width};
        std::vector<i64> added(n), removed(n);
        for (i64 start = 0; start < n_rows; start += width) {
            const i64 n_here = std::min(width, n_rows - start);
            for (i64 k = 0; k < n; ++k) expand(columns[k], start, expanded[k].first(n_here));
            on_this_processor<AddKeys>(Matrix<const u64>{memory, n, width, width},
                                       Matrix<const bool>{members, sums.n_rows, n, n}, start, n_here, sums,
                                       added, removed);
        }
    }

    std::span<const u64> keys_of(i64 j) const {
        return std::span(level_keys_).subspan(first_key_[j], table_.n_levels(j));
    }

    // The keys of the rows of a column from `start` on.
    void expand(i64 j, i64 start, std::span<u64> row_keys) const {
        const auto key_of = keys_of(j);
        table_.with_stored(j, [&](auto stored) {
            const auto codes = stored.subspan(start, row_keys.size());
            require(all_below(codes, length(key_of)), "codes must be below n_levels");
            for (std::size_t r = 0; r < row_keys.size(); ++r) row_keys[r] = key_of[codes[r]];
        });
    }

    void add_listed(i64 j, Matrix<const bool> subsets, i64 first, Matrix<u64> sums) const {
        const auto key_of = keys_of(j);
        table_.with_listed(j, [&](const auto& column) {
            for (i64 i = 0; i < sums.n_rows; ++i) {
                if (!subsets[first + i][j]) continue;
                const auto own = sums[i];
                for (i64 at = 0; at < length(column.rows); ++at)
                    own[column.rows[at]] += key_of[column.codes[at]] - key_of[column.usual];
            }
        });
    }

    const CodeTable& table_;
    i64 n_classes_;
    std::vector<std::int32_t> classes_;
    std::vector<u64> level_keys_;
    std::vector<i64> first_key_;
};

}  // namespace

void bind_subsets(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<SubsetCounter>(module, "SubsetCounter")
        .def(nb::init<const CodeTable&, const In&, i64, const In&>(), "table"_a, "labels"_a, "n_classes"_a,
             "keys"_a, nb::keep_alive<1, 2>())
        .def("entropy_sums", &SubsetCounter::entropy_sums, "subsets"_a, "of_group"_a, "of_cell"_a, "sums"_a)
        .def("peak_sums", &SubsetCounter::peak_sums, "subsets"_a, "sums"_a)
        .def("majority_sums", &SubsetCounter::majority_sums, "subsets"_a, "needed"_a, "sums"_a)
        .def("norm_sums", &SubsetCounter::norm_sums, "subsets"_a, "order"_a, "scale"_a, "sums"_a);
}

}  // namespace entropick
