// Joint levels of many subsets of columns at once.
//
// Each level of each column has a random 64-bit key. The joint level of a row on a subset is the sum of its
// keys, modulo 2^64: rows that agree on all columns of the subset have equal sums, all others differ but for
// one chance in 2^64 per pair. Counts come from grouping equal sums in a hash table. Where rows are many they
// are first dealt by the high bits of their sums into parts that fit the fastest memory.
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

enum Kind : int { ENTROPY, PEAK, NORM, MAJORITY };  // what is summed over the groups
// Up to MANY_ROWS rows one hash table is faster; more rows are dealt into parts of PART_ROWS.
constexpr i64 MANY_ROWS = 16384, PART_ROWS = 2048;
constexpr i64 LAST_BASE = i64{1} << 30;  // numbers in slots start anew before they get too large for 32 bits

void expand_keys(const In& codes_, const In& columns_, const In& first_key_, const In& keys_, i64 start,
                 i64 width, const Out& out_, i64 line) {
    const auto columns = vector<const i64>(columns_, "columns");
    const auto first_key = vector<const i64>(first_key_, "first_key");
    const auto keys = vector<const u64>(keys_, "keys");
    const auto out = matrix<u64>(out_, "out");
    const i64 n_keys = length(keys);
    require(columns.size() == first_key.size(), "first_key must be as long as columns");
    require(width >= 0 && width <= out.n_columns && line >= 0 && line <= out.n_rows &&
                length(columns) <= out.n_rows - line,
            "out must have room for the keys");
    require(all_below(first_key, n_keys), "first_key must be below the number of keys");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const auto codes = matrix<const Code>(codes_, "codes");
        require(all_below(columns, codes.n_rows), "columns must be rows of codes");
        require(start >= 0 && start <= codes.n_columns && width <= codes.n_columns - start,
                "codes must have these rows");
        nb::gil_scoped_release release;
        for (i64 k = 0; k < length(columns); ++k) {
            const auto of_column = codes[columns[k]].subspan(start, width);
            const auto key_of = keys.subspan(first_key[k]);
            const auto row_keys = out[line + k].first(width);
            require(all_below(of_column, length(key_of)), "codes must have keys");
            for (std::size_t r = 0; r < row_keys.size(); ++r) row_keys[r] = key_of[of_column[r]];
        }
    });
}

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

void add_keys(const In& expanded_, const In& members_, i64 start, i64 width, const Out& sums_) {
    const auto expanded = matrix<const u64>(expanded_, "expanded");
    const auto members = matrix<const bool>(members_, "members");
    const auto sums = matrix<u64>(sums_, "sums");
    require(members.n_columns <= expanded.n_rows, "members must be columns of expanded");
    require(members.n_rows <= sums.n_rows, "sums must have one row per subset");
    require(width >= 0 && width <= expanded.n_columns && start >= 0 && start <= sums.n_columns &&
                width <= sums.n_columns - start,
            "expanded and sums must have these rows");
    nb::gil_scoped_release release;
    std::vector<i64> added(members.n_columns), removed(members.n_columns);
    on_this_processor<AddKeys>(expanded, members, start, width, sums, added, removed);
}

void add_listed(const In& starts_, const In& rows_, const In& differences_, const In& members_,
                const Out& sums_) {
    const auto starts = vector<const i64>(starts_, "starts");
    const auto rows = vector<const std::int32_t>(rows_, "rows");
    const auto differences = vector<const u64>(differences_, "differences");
    const auto members = matrix<const bool>(members_, "members");
    const auto sums = matrix<u64>(sums_, "sums");
    require(rows.size() == differences.size(), "differences must be as long as rows");
    require(are_starts(starts, length(rows)), "starts must ascend within rows");
    require(members.n_columns < length(starts), "members must be listed columns");
    require(members.n_rows <= sums.n_rows, "sums must have one row per subset");
    nb::gil_scoped_release release;
    require(all_below(rows, sums.n_columns), "rows must be below the number of rows");
    for (i64 i = 0; i < members.n_rows; ++i)
        for (i64 k = 0; k < members.n_columns; ++k)
            if (members[i][k])
                for (i64 at = starts[k]; at < starts[k + 1]; ++at) sums[i][rows[at]] += differences[at];
}

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

// Integers looked up by the size of a group and the count of a (group, class) cell, and the order of a norm.
struct Lookups {
    int kind;
    std::span<const i64> of_group, of_cell;
    double order;
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
            sums.over_cells += count > 0 ? lookups.of_cell[count] : 0;
        }
        if (lookups.kind == ENTROPY)
            sums.over_groups += lookups.of_group[size];
        else if (lookups.kind == PEAK)
            sums.over_groups += peak;
        else if (lookups.kind == MAJORITY)
            sums.over_groups += peak >= lookups.of_group[size] ? size : 0;
        else
            sums.over_groups += scaled_norm(own, peak, lookups.order, lookups.of_group[0]);
    }
}

// A power of two, at least twice as many slots as rows.
i64 n_slots_for(i64 n_rows) {
    return static_cast<i64>(std::bit_ceil(static_cast<u64>(std::max<i64>(2 * n_rows, 2))));
}

void group_sums(const In& row_keys_, const In& labels_, i64 n_classes, int kind, const In& of_group_,
                const In& of_cell_, double order, const Out& sums_) {
    const auto row_keys = matrix<const u64>(row_keys_, "row_keys");
    const auto labels = vector<const std::int32_t>(labels_, "labels");
    const Lookups lookups{kind, vector<const i64>(of_group_, "of_group"),
                          vector<const i64>(of_cell_, "of_cell"), order};
    const auto sums = matrix<i64>(sums_, "sums");
    const i64 n_rows = row_keys.n_columns;
    require(length(labels) == n_rows && n_rows < LAST_BASE,
            "labels must be as long as the rows, below 2**30");
    require(n_classes > 0 && n_classes <= MOST && all_below(labels, n_classes),
            "labels must be below n_classes");
    require(length(lookups.of_cell) > n_rows, "of_cell must be longer than the rows");
    require(kind == NORM ? length(lookups.of_group) > 0 : kind == PEAK || length(lookups.of_group) > n_rows,
            "of_group must be longer than the rows");
    require(kind != NORM || order > 0.0, "order must be positive");
    require(sums.n_rows == row_keys.n_rows && sums.n_columns == 4,
            "sums must have 4 columns and a row per subset");
    nb::gil_scoped_release release;
    int bits = 0;
    while (n_rows > MANY_ROWS && (n_rows >> bits) > PART_ROWS) ++bits;
    std::vector<std::int32_t> slots(n_slots_for(n_rows)), dealt_labels(bits ? n_rows : 0);
    std::vector<u64> group_keys(n_rows), dealt_keys(bits ? n_rows : 0);
    // A part seldom has as many groups as there are rows, so this memory is not touched before it is needed.
    const std::unique_ptr<std::int32_t[]> memory(new std::int32_t[n_rows * n_classes]);
    const std::span<std::int32_t> counts(memory.get(), n_rows * n_classes);
    const i64 n_parts = i64{1} << bits;
    std::vector<i64> ends(n_parts + 1);
    i64 base = 1;
    for (i64 i = 0; i < row_keys.n_rows; ++i) {
        Sums of_subset;
        if (base > LAST_BASE) {
            std::fill(slots.begin(), slots.end(), 0);
            base = 1;
        }
        auto keys = row_keys[i];
        auto classes = labels;
        ends[0] = n_rows;  // a single part, unless rows are dealt
        if (bits) {
            deal(keys, labels, bits, std::span(ends), std::span(dealt_keys), std::span(dealt_labels));
            keys = dealt_keys, classes = dealt_labels;
        }
        i64 first = 0;
        for (i64 p = 0; p < n_parts; ++p) {
            const i64 n_here = ends[p] - first;
            const i64 n_groups = count_groups(keys.subspan(first, n_here), classes.subspan(first, n_here),
                                              n_classes, std::span(slots).first(n_slots_for(n_here)), base,
                                              std::span(group_keys), counts);
            add_groups(counts, n_groups, n_classes, lookups, of_subset);
            base += n_groups;
            first = ends[p];
        }
        const auto found = sums[i];
        found[0] = of_subset.n_groups, found[1] = of_subset.n_cells;
        found[2] = of_subset.over_groups, found[3] = of_subset.over_cells;
    }
}

}  // namespace

void bind_subsets(nb::module_& module) {
    module.def("expand_keys", &expand_keys, nb::arg("codes"), nb::arg("columns"), nb::arg("first_key"),
               nb::arg("keys"), nb::arg("start"), nb::arg("width"), nb::arg("out"), nb::arg("line"));
    module.def("add_keys", &add_keys, nb::arg("expanded"), nb::arg("members"), nb::arg("start"),
               nb::arg("width"), nb::arg("sums"));
    module.def("add_listed", &add_listed, nb::arg("starts"), nb::arg("rows"), nb::arg("differences"),
               nb::arg("members"), nb::arg("sums"));
    module.def("group_sums", &group_sums, nb::arg("row_keys"), nb::arg("labels"), nb::arg("n_classes"),
               nb::arg("kind"), nb::arg("of_group"), nb::arg("of_cell"), nb::arg("order"), nb::arg("sums"));
}

}  // namespace entropick
