// The joint levels of the selected columns as groups of rows, and what one more column would do.
//
// A group whose rows are all of one class can never change a conditional entropy again: its rows are settled
// and leave the groups for good. What remains are the active rows, ordered by group: rows[starts[g] ..
// starts[g + 1]] are the rows of group g and `labels` their classes, in that order.
//
// Three sums over the groups (g, f) that a candidate f would make, one for each kind of entropy:
// - Shannon: Σ φ(N(g,f)) − Σ φ(N(g,f,y)), an integer;
// - min-entropy: Σ max_y N(g,f,y), an integer;
// - Rényi of another order α: log2 Σ ‖N(g,f,·)‖_α, where ‖·‖_α is the α-norm over the classes.
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "codes.hpp"
#include "logarithms.hpp"

namespace entropick {
namespace {

enum Kind : int { SHANNON, MINIMUM };
// All groups of a candidate are visited if they have at most this many cells per stored row. Finding out
// which groups are touched takes as long, since that branch cannot be predicted.
constexpr i64 FEW_CELLS = 1;
// Class counts of all groups are kept up to this many, or this many per row; beyond, sparse columns are
// counted like dense ones.
constexpr i64 KEPT_COUNTS = i64{1} << 24, COUNTS_PER_ROW = 16;

// The active rows, ordered by group.
struct Partition {
    std::vector<std::int32_t> rows, labels;
    std::vector<i64> starts{0};

    i64 n() const { return static_cast<i64>(starts.size()) - 1; }
};

// Σ over the levels of one group: φ(size) − Σ φ(count) for Shannon, the largest class count for min-entropy.
struct Contribution {
    int kind;
    Phi phi;

    i64 operator()(std::span<const i64> counts) const {
        i64 size = 0, peak = 0, total = 0;
        for (const i64 count : counts) {
            size += count;
            peak = std::max(peak, count);
            if (kind == SHANNON) total -= phi[count];
        }
        return kind == SHANNON ? total + phi[size] : peak;
    }
};

Contribution read_contribution(int kind, const In& phi, i64 n_rows) {
    require(kind == SHANNON || kind == MINIMUM, "kind must be SHANNON or MINIMUM");
    return {kind, read_phi(phi, kind == SHANNON ? n_rows : 0)};
}

// Whether the codes of some rows are below n_levels, looking at all rows where that is faster.
template <class Code>
bool codes_are_below(std::span<const Code> column, std::span<const std::int32_t> rows, i64 n_levels) {
    if (length(rows) > length(column) / 16) return all_below(column, n_levels);
    Code most = 0;
    for (const std::int32_t row : rows) most = std::max(most, column[row]);
    return rows.empty() || static_cast<u64>(most) < static_cast<u64>(n_levels);
}

// -- dense columns ----------------------------------------------------------------------------------------

// The active rows of one group and their classes.
struct Group {
    std::span<const std::int32_t> rows, labels;

    i64 n() const { return length(rows); }
};

// Count all cells, then sum over them: for groups with more rows than cells. Every other row is counted in a
// second table, since two counts in a row in one cell would wait for each other. Both tables are zero before
// and after.
template <class Code>
i64 sum_of_large_group(std::span<const Code> codes, const Group& group, i64 n_classes,
                       const Contribution& contribution, std::span<i64> cells, std::span<i64> other) {
    const auto [rows, labels] = group;
    const i64 n = length(rows), n_cells = length(cells);
    i64 at = 0;
    for (; at + 1 < n; at += 2) {
        ++cells[static_cast<i64>(codes[rows[at]]) * n_classes + labels[at]];
        ++other[static_cast<i64>(codes[rows[at + 1]]) * n_classes + labels[at + 1]];
    }
    if (at < n) ++cells[static_cast<i64>(codes[rows[at]]) * n_classes + labels[at]];
    for (i64 cell = 0; cell < n_cells; ++cell) {
        cells[cell] += other[cell];
        other[cell] = 0;
    }
    i64 total = 0;
    for (i64 first = 0; first < n_cells; first += n_classes)
        total += contribution(cells.subspan(first, n_classes));
    fill(cells, 0);
    return total;
}

// Sum up the changes while counting, then undo the counting: cost does not grow with cells. `found` takes the
// levels of the rows.
template <class Code>
i64 sum_of_small_group(std::span<const Code> codes, const Group& group, i64 n_classes,
                       const Contribution& contribution, std::span<i64> cells, std::span<i64> sizes,
                       std::span<i64> found) {
    const auto [rows, labels] = group;
    const i64 n = length(rows);
    i64 total = 0;
    for (i64 at = 0; at < n; ++at) {
        const i64 level = static_cast<i64>(codes[rows[at]]), size = sizes[level];
        const i64 count = ++cells[level * n_classes + labels[at]];
        found[at] = level;
        if (contribution.kind == SHANNON) {
            const Phi& phi = contribution.phi;
            total += phi[size + 1] - phi[size] - phi[count] + phi[count - 1];
            sizes[level] = size + 1;
        } else if (count > size) {  // here sizes holds the largest class count of the level
            ++total;
            sizes[level] = count;
        }
    }
    for (i64 at = 0; at < n; ++at) {
        cells[found[at] * n_classes + labels[at]] = 0;
        sizes[found[at]] = 0;
    }
    return total;
}

// The sum over the levels of all groups, with memory that columns share: all zero between groups, except the
// levels found.
class SplitSums {
   public:
    SplitSums(const Partition& groups, i64 n_classes, const Contribution& contribution)
        : groups_(groups),
          n_y_(n_classes),
          contribution_(contribution),
          pair_together_(contribution.kind == SHANNON ? contribution.phi[2] - 2 * contribution.phi[1] : 1),
          pair_apart_(contribution.kind == SHANNON ? 0 : 2) {}

    template <class Code>
    i64 operator()(std::span<const Code> column, i64 n_levels) {
        const std::span<const std::int32_t> rows(groups_.rows), labels(groups_.labels);
        const std::span<const i64> starts(groups_.starts);
        const i64 n_cells = n_levels * n_y_;
        require(codes_are_below(column, rows, n_levels), "codes must be below n_levels");
        const auto cells = with_room(of_cells_, n_cells), sizes = with_room(of_sizes_, n_levels);
        const i64 most = std::min(n_cells, length(rows));  // cells of a large group, rows of a small one
        const auto others = with_room(of_others_, most), found = with_room(of_found_, most);
        i64 total = 0;
        for (i64 g = 0; g < groups_.n(); ++g) {
            const i64 start = starts[g], n = starts[g + 1] - start;
            if (n == 2) {  // two rows of two classes, the most frequent group in the end
                total += column[rows[start]] == column[rows[start + 1]] ? pair_together_ : pair_apart_;
                continue;
            }
            const Group group{rows.subspan(start, n), labels.subspan(start, n)};
            if (n > n_cells)
                total += sum_of_large_group(column, group, n_y_, contribution_, cells, others);
            else
                total += sum_of_small_group(column, group, n_y_, contribution_, cells, sizes, found);
        }
        return total;
    }

   private:
    const Partition& groups_;
    i64 n_y_;
    Contribution contribution_;
    i64 pair_together_, pair_apart_;
    std::vector<i64> of_cells_, of_others_, of_sizes_, of_found_;
};

// log2 of the α-norm of the class counts of one level; clears them.
double log2_norm(std::span<i64> counts, double alpha) {
    const i64 peak = *std::max_element(counts.begin(), counts.end());
    double total = 0.0;
    for (i64& count : counts) {
        if (count == peak)
            total += 1.0;
        else if (count > 0)
            total += power_of(static_cast<double>(count) / static_cast<double>(peak), alpha);
        count = 0;
    }
    return log2_of(static_cast<double>(peak)) + log2_of(total) / alpha;
}

// log2 of a sum of powers of two, kept relative to its largest term so far: an α-norm may exceed any float.
struct Log2Sum {
    double peak = -std::numeric_limits<double>::infinity(), total = 0.0;

    void add(double exponent) {
        if (exponent > peak) {
            total = total * exp2_of(peak - exponent) + 1.0;
            peak = exponent;
        } else {
            total += exp2_of(exponent - peak);
        }
    }
};

// log2 Σ ‖N(g,f,·)‖_α; settled rows count as groups of one class.
class SplitNorms {
   public:
    SplitNorms(const Partition& groups, i64 n_classes, double alpha, i64 n_settled)
        : groups_(groups), n_y_(n_classes), alpha_(alpha), n_settled_(n_settled) {}

    template <class Code>
    double operator()(std::span<const Code> column, i64 n_levels) {
        const std::span<const std::int32_t> rows(groups_.rows), labels(groups_.labels);
        const std::span<const i64> starts(groups_.starts);
        require(codes_are_below(column, rows, n_levels), "codes must be below n_levels");
        const auto cells = with_room(of_cells_, n_levels * n_y_);   // zero between groups
        const auto seen = with_room(of_seen_, n_levels);            // as well
        const auto present = with_room(of_present_, n_levels + 1);  // levels, in the order they are met
        Log2Sum sum;
        if (n_settled_ > 0) sum = {log2_of(static_cast<double>(n_settled_)), 1.0};
        for (i64 g = 0; g < groups_.n(); ++g) {
            i64 n_present = 0;
            for (i64 at = starts[g]; at < starts[g + 1]; ++at) {
                const auto level = static_cast<i64>(column[rows[at]]);
                ++cells[level * n_y_ + labels[at]];
                present[n_present] = level;
                n_present += !seen[level];
                seen[level] = 1;
            }
            for (i64 p = 0; p < n_present; ++p) {
                seen[present[p]] = 0;
                sum.add(log2_norm(cells.subspan(present[p] * n_y_, n_y_), alpha_));
            }
        }
        return sum.peak + log2_of(sum.total);
    }

   private:
    const Partition& groups_;
    i64 n_y_;
    double alpha_;
    i64 n_settled_;
    std::vector<i64> of_cells_, of_present_;
    std::vector<std::uint8_t> of_seen_;
};

// -- columns that store only the rows that differ from their usual level ----------------------------------

// The same groups, looked up by row.
struct RowGroups {
    std::vector<std::int32_t> group;  // -1 when settled
    std::vector<std::int32_t> label;
    std::vector<i64> cell;    // group · n_classes + label; one cell behind all others when settled
    std::vector<i64> counts;  // N(g,y)
    i64 n_classes = 0;

    RowGroups() = default;
    RowGroups(const Partition& groups, i64 n_rows, i64 n_y)
        : group(n_rows, -1),
          label(n_rows),
          cell(n_rows, groups.n() * n_y),
          counts(groups.n() * n_y),
          n_classes(n_y) {
        for (i64 g = 0; g < groups.n(); ++g)
            for (i64 at = groups.starts[g]; at < groups.starts[g + 1]; ++at) {
                const i64 row = groups.rows[at], own = g * n_y + groups.labels[at];
                group[row] = static_cast<std::int32_t>(g);
                label[row] = groups.labels[at];
                cell[row] = own;
                ++counts[own];
            }
    }

    i64 n() const { return static_cast<i64>(counts.size()) / n_classes; }
};

// Count the stored rows without asking whether they are settled, then look at all groups.
template <class Code>
i64 sum_over_all_groups(const ListedColumn<Code>& column, const RowGroups& groups,
                        const Contribution& contribution, std::span<i64> cells) {
    const i64 n_y = groups.n_classes, n_counts = static_cast<i64>(groups.counts.size()), width = n_counts + 1;
    const i64 n_levels = column.n_levels, usual = column.usual;
    const auto sum_over = [&](std::span<const i64> counts) {
        i64 total = 0;
        for (i64 first = 0; first < n_counts; first += n_y) total += contribution(counts.subspan(first, n_y));
        return total;
    };
    const auto rest = cells.subspan(usual * width, n_counts);
    for (i64 at = 0; at < length(column.rows); ++at)
        ++cells[static_cast<i64>(column.codes[at]) * width + groups.cell[column.rows[at]]];
    for (i64 cell = 0; cell < n_counts; ++cell) rest[cell] = groups.counts[cell];
    i64 total = 0;
    for (i64 level = 0; level < n_levels; ++level) {
        if (level == usual) continue;
        const auto own = cells.subspan(level * width, n_counts);
        for (i64 cell = 0; cell < n_counts; ++cell) rest[cell] -= own[cell];
        total += sum_over(own);
    }
    total += sum_over(rest);
    fill(cells, 0);
    return total;
}

// What the groups with stored rows add to the sum. Each takes the next slot of `cells`, which are zero before
// and after it.
template <class Code>
i64 sum_over_touched_groups(const ListedColumn<Code>& column, const RowGroups& groups,
                            const Contribution& contribution, std::span<const i64> group_sums,
                            std::span<i64> slot_of, std::span<i64> touched, std::span<i64> cells) {
    const i64 n_y = groups.n_classes, n_levels = column.n_levels, width = n_levels * n_y;
    const i64 usual = column.usual * n_y;
    i64 n_touched = 0;
    for (i64 at = 0; at < length(column.rows); ++at) {
        const auto row = column.rows[at];
        const auto g = groups.group[row];
        if (g < 0) continue;
        i64 slot = slot_of[g];
        if (slot < 0) {
            slot = slot_of[g] = n_touched++;
            touched[slot] = g;
            copy_to(std::span(groups.counts).subspan(g * n_y, n_y), cells.subspan(slot * width + usual, n_y));
        }
        ++cells[slot * width + static_cast<i64>(column.codes[at]) * n_y + groups.label[row]];
        --cells[slot * width + usual + groups.label[row]];
    }
    i64 total = 0;
    for (i64 slot = 0; slot < n_touched; ++slot) {
        slot_of[touched[slot]] = -1;
        total -= group_sums[touched[slot]];
        for (i64 level = 0; level < n_levels; ++level)
            total += contribution(cells.subspan(slot * width + level * n_y, n_y));
    }
    fill(cells.first(n_touched * width), 0);
    return total;
}

// What the levels of listed columns add up to, given what the groups add up to as they are.
class ListedSplitSums {
   public:
    ListedSplitSums(const RowGroups& groups, const Contribution& contribution)
        : groups_(groups), contribution_(contribution), slot_of_(groups.n(), -1) {
        const std::span<const i64> counts(groups.counts);
        for (i64 g = 0; g < groups.n(); ++g) {
            group_sums_.push_back(contribution(counts.subspan(g * groups.n_classes, groups.n_classes)));
            unsplit_ += group_sums_.back();
        }
    }

    // Groups without a stored row keep their sum, so a column costs what it stores, not the number of rows.
    template <class Code>
    i64 operator()(const ListedColumn<Code>& column) {
        const auto n_counts = static_cast<i64>(groups_.counts.size());
        if (n_counts <= FEW_CELLS * length(column.rows))
            return sum_over_all_groups(column, groups_, contribution_,
                                       with_room(memory_, column.n_levels * (n_counts + 1)));
        const i64 n_slots = std::min(length(column.rows), groups_.n());
        return unsplit_ +
               sum_over_touched_groups(column, groups_, contribution_, std::span<const i64>(group_sums_),
                                       std::span(slot_of_), with_room(touched_, n_slots),
                                       with_room(memory_, n_slots * column.n_levels * groups_.n_classes));
    }

   private:
    const RowGroups& groups_;
    Contribution contribution_;
    i64 unsplit_ = 0;
    std::vector<i64> group_sums_, slot_of_, touched_, memory_;  // memory is zero between columns
};

// -- taking a column in -----------------------------------------------------------------------------------

// A level of a group becomes a group of its own if its rows are of more than one class; if they are all of
// one class they are settled and left out.
template <class Code>
Partition refine(const Partition& groups, std::span<const Code> codes, i64 n_levels) {
    struct Level {
        i64 size = 0, place = 0;
        std::int32_t first_label = 0;
        bool is_mixed = false;
    };
    const auto& [rows, labels, starts] = groups;
    Partition found;
    found.rows.resize(rows.size());
    found.labels.resize(rows.size());
    std::vector<Level> levels(n_levels);  // of the current group
    std::vector<i64> present(n_levels);   // levels met, later ascending
    i64 filled = 0;
    for (i64 g = 0; g < groups.n(); ++g) {
        i64 n_present = 0;
        for (i64 at = starts[g]; at < starts[g + 1]; ++at) {
            Level& level = levels[codes[rows[at]]];
            if (level.size == 0) {
                level.first_label = labels[at];
                present[n_present++] = static_cast<i64>(codes[rows[at]]);
            }
            level.is_mixed |= labels[at] != level.first_label;
            ++level.size;
        }
        std::sort(present.begin(), present.begin() + n_present);  // the order of rows must not matter
        for (i64 p = 0; p < n_present; ++p) {
            Level& level = levels[present[p]];
            if (!level.is_mixed) continue;
            level.place = filled;
            filled += level.size;
            found.starts.push_back(filled);
        }
        for (i64 at = starts[g]; at < starts[g + 1]; ++at) {
            Level& level = levels[codes[rows[at]]];
            if (!level.is_mixed) continue;
            found.rows[level.place] = rows[at];
            found.labels[level.place++] = labels[at];
        }
        for (i64 p = 0; p < n_present; ++p) levels[present[p]] = {};
    }
    found.rows.resize(filled);
    found.labels.resize(filled);
    found.rows.shrink_to_fit();
    found.labels.shrink_to_fit();
    return found;
}

// Call `split` with the codes of a column, which it checks where it looks at them.
template <class Split>
auto with_codes(const CodeTable& table, i64 j, std::vector<std::uint32_t>& of_sparse, Split& split) {
    const auto call = [&](auto column) { return split(column.first(table.n_rows()), table.n_levels(j)); };
    return table.is_sparse(j) ? table.with_column(j, of_sparse, call) : table.with_stored(j, call);
}

// Rows grouped by the joint levels of the columns taken in. Groups never change: to take a column in makes
// others of them, so that forks share them and threads need no lock.
class Groups {
   public:
    Groups(const In& labels_, i64 n_classes) : n_classes_(n_classes) {
        const auto labels = vector<const std::int32_t>(labels_, "labels");
        require(length(labels) < MOST, "labels must be of a number of rows");
        require(n_classes > 0 && n_classes <= MOST && all_below(labels, n_classes),
                "labels must be below n_classes");
        n_rows_ = length(labels);
        Partition all{std::vector<std::int32_t>(n_rows_), {labels.begin(), labels.end()}, {0, n_rows_}};
        std::iota(all.rows.begin(), all.rows.end(), 0);
        const std::vector<std::uint8_t> constant(n_rows_);
        groups_ = refine(all, std::span<const std::uint8_t>(constant), 1);  // of one class all are settled
    }

    i64 n_active() const { return static_cast<i64>(groups_.rows.size()); }
    i64 n_settled() const { return n_rows_ - n_active(); }

    // Rows of each group.
    auto sizes() const {
        std::vector<i64> found(groups_.n());
        for (i64 g = 0; g < groups_.n(); ++g) found[g] = groups_.starts[g + 1] - groups_.starts[g];
        return to_python(std::move(found));
    }

    // Active rows, ordered by group.
    auto rows() const { return to_python(std::vector<i64>(groups_.rows.begin(), groups_.rows.end())); }

    Groups* refined(const In& codes_, i64 n_levels) const {
        return by_stored_type(codes_, "codes", [&]<class Code>(Code) {
            const auto codes = vector<const Code>(codes_, "codes");
            require(length(codes) == n_rows_, "codes must have one entry per row");
            require(n_levels > 0 && n_levels <= most_levels<Code>, "n_levels must be a number of levels");
            nb::gil_scoped_release release;
            require(all_below(codes, n_levels), "codes must be below n_levels");
            return new Groups(n_rows_, n_classes_, refine(groups_, codes, n_levels));
        });
    }

    // The same groups with the labels of active rows in another order.
    Groups* shuffled(const In& order_) const {
        const auto order = vector<const i64>(order_, "order");
        require(length(order) == n_active() && all_below(order, n_active()),
                "order must number the active rows");
        Partition found = groups_;
        for (i64 at = 0; at < n_active(); ++at) found.labels[at] = groups_.labels[order[at]];
        return new Groups(n_rows_, n_classes_, std::move(found));
    }

    // Of the groups as they are.
    i64 sum(int kind, const In& phi) const {
        SplitSums split(groups_, n_classes_, read_contribution(kind, phi, n_rows_));
        nb::gil_scoped_release release;
        const std::vector<std::uint8_t> constant(n_rows_);
        return split(std::span<const std::uint8_t>(constant), 1);
    }

    double norm(double alpha) const {
        SplitNorms split(groups_, n_classes_, alpha, n_settled());
        nb::gil_scoped_release release;
        const std::vector<std::uint8_t> constant(n_rows_);
        return split(std::span<const std::uint8_t>(constant), 1);
    }

    // Of the groups that each candidate would make.
    void split_sums(const CodeTable& table, const In& candidates_, int kind, const In& phi,
                    const Out& sums_) const {
        const auto candidates = read_candidates(table, candidates_);
        const auto sums = vector<i64>(sums_, "sums");
        require(sums.size() == candidates.size(), "sums must have one entry per candidate");
        const auto contribution = read_contribution(kind, phi, n_rows_);
        nb::gil_scoped_release release;
        SplitSums split(groups_, n_classes_, contribution);
        std::optional<ListedSplitSums> split_listed;
        std::vector<std::uint32_t> of_sparse;
        const i64 most = std::max(KEPT_COUNTS, COUNTS_PER_ROW * n_rows_);
        const bool has_counts = n_classes_ <= most / std::max<i64>(groups_.n(), 1);
        for (i64 k = 0; k < length(candidates); ++k) {
            const i64 j = candidates[k];
            if (has_counts && table.is_sparse(j)) {
                if (!split_listed) split_listed.emplace(by_row(), contribution);
                sums[k] = table.with_listed(j, *split_listed);
            } else {
                sums[k] = with_codes(table, j, of_sparse, split);
            }
        }
    }

    void split_norms(const CodeTable& table, const In& candidates_, double alpha, const Out& sums_) const {
        const auto candidates = read_candidates(table, candidates_);
        const auto sums = vector<double>(sums_, "sums");
        require(sums.size() == candidates.size(), "sums must have one entry per candidate");
        nb::gil_scoped_release release;
        SplitNorms split(groups_, n_classes_, alpha, n_settled());
        std::vector<std::uint32_t> of_sparse;
        for (i64 k = 0; k < length(candidates); ++k)
            sums[k] = with_codes(table, candidates[k], of_sparse, split);
    }

   private:
    Groups(i64 n_rows, i64 n_classes, Partition groups)
        : n_rows_(n_rows), n_classes_(n_classes), groups_(std::move(groups)) {}

    std::span<const i64> read_candidates(const CodeTable& table, const In& candidates_) const {
        const auto candidates = vector<const i64>(candidates_, "candidates");
        table.check_columns(candidates);
        require(table.n_rows() == n_rows_, "the table must have the rows of the groups");
        return candidates;
    }

    const RowGroups& by_row() const {
        std::call_once(has_by_row_, [this] { by_row_ = RowGroups(groups_, n_rows_, n_classes_); });
        return by_row_;
    }

    i64 n_rows_, n_classes_;
    Partition groups_;
    mutable std::once_flag has_by_row_;
    mutable RowGroups by_row_;  // made when a column of a sparse part is first counted
};

}  // namespace

void bind_partition(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Groups>(module, "Groups")
        .def(nb::init<const In&, i64>(), "labels"_a, "n_classes"_a)
        .def_prop_ro("n_active", &Groups::n_active)
        .def_prop_ro("n_settled", &Groups::n_settled)
        .def("sizes", &Groups::sizes)
        .def("rows", &Groups::rows)
        .def("refined", &Groups::refined, "codes"_a, "n_levels"_a)
        .def("shuffled", &Groups::shuffled, "order"_a)
        .def("sum", &Groups::sum, "kind"_a, "phi"_a)
        .def("norm", &Groups::norm, "alpha"_a)
        .def("split_sums", &Groups::split_sums, "table"_a, "candidates"_a, "kind"_a, "phi"_a, "sums"_a)
        .def("split_norms", &Groups::split_norms, "table"_a, "candidates"_a, "alpha"_a, "sums"_a);
}

}  // namespace entropick
