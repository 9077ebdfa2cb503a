// The joint levels of the selected columns as groups of rows, and what one more column would do.
//
// A group whose rows are all of one class can never change a conditional entropy again: its rows are settled
// and leave the partition for good. What remains are the active rows, ordered by group: rows[starts[g] ..
// starts[g + 1]] are the rows of group g and `labels` their classes, in that order.
#include <nanobind/stl/pair.h>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"

namespace entropick {
namespace {

enum Kind : int { SHANNON, MINIMUM };
// All groups of a candidate are visited if they have at most this many cells per stored row. Finding out
// which groups are touched takes as long, since that branch cannot be predicted.
constexpr i64 FEW_CELLS = 1;

// The active rows, ordered by group.
struct Groups {
    std::span<const std::int32_t> rows;
    std::span<const i64> starts;
    std::span<const std::int32_t> labels;
    i64 n_classes;

    i64 n() const { return length(starts) - 1; }
};

Groups read_groups(const In& rows_, const In& starts_, const In& labels_, i64 n_classes, i64 n_rows) {
    const Groups groups{vector<const std::int32_t>(rows_, "rows"), vector<const i64>(starts_, "starts"),
                        vector<const std::int32_t>(labels_, "labels"), n_classes};
    require(groups.rows.size() == groups.labels.size(), "labels must be as long as rows");
    require(are_starts(groups.starts, length(groups.rows)), "starts must ascend within rows");
    require(n_classes > 0 && n_classes <= MOST && all_below(groups.labels, n_classes),
            "labels must be below n_classes");
    require(all_below(groups.rows, n_rows), "rows must be below the number of rows");
    return groups;
}

// Candidates must be columns with no more levels than their type of codes can hold.
template <class Code>
void check_levels(std::span<const i64> n_levels, std::span<const i64> candidates, i64 n_columns) {
    require(length(n_levels) == n_columns, "n_levels must have one entry per column");
    require(all_below(candidates, n_columns), "candidates must be columns");
    for (const i64 j : candidates)
        require(n_levels[j] >= 0 && n_levels[j] <= most_levels<Code>, "n_levels must be numbers of levels");
}

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

void split_sums(const In& codes_, const In& n_levels_, const In& candidates_, const In& rows_,
                const In& starts_, const In& labels_, i64 n_classes, int kind, const In& phi_,
                const Out& sums_) {
    const auto n_levels = vector<const i64>(n_levels_, "n_levels");
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto sums = vector<i64>(sums_, "sums");
    require(sums.size() == candidates.size(), "sums must have one entry per candidate");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const auto codes = matrix<const Code>(codes_, "codes");
        check_levels<Code>(n_levels, candidates, codes.n_rows);
        const auto groups = read_groups(rows_, starts_, labels_, n_classes, codes.n_columns);
        const auto [rows, starts, labels, n_y] = groups;
        const auto contribution = read_contribution(kind, phi_, length(rows));
        nb::gil_scoped_release release;
        std::vector<i64> of_cells, of_others, of_sizes, of_found;  // all zero between groups, except the last
        const Phi& phi = contribution.phi;
        const i64 pair_together = kind == SHANNON ? phi[2] - 2 * phi[1] : 1,
                  pair_apart = kind == SHANNON ? 0 : 2;
        for (i64 k = 0; k < length(candidates); ++k) {
            const i64 j = candidates[k], n_cells = n_levels[j] * n_y;
            const auto column = codes[j];
            require(codes_are_below(column, rows, n_levels[j]), "codes must be below n_levels");
            const auto cells = with_room(of_cells, n_cells), sizes = with_room(of_sizes, n_levels[j]);
            const i64 most = std::min(n_cells, length(rows));  // cells of a large group, rows of a small one
            const auto others = with_room(of_others, most), found = with_room(of_found, most);
            i64 total = 0;
            for (i64 g = 0; g < groups.n(); ++g) {
                const i64 start = starts[g], n = starts[g + 1] - start;
                if (n == 2) {  // two rows of two classes, the most frequent group in the end
                    total += column[rows[start]] == column[rows[start + 1]] ? pair_together : pair_apart;
                    continue;
                }
                const Group group{rows.subspan(start, n), labels.subspan(start, n)};
                if (n > n_cells)
                    total += sum_of_large_group(column, group, n_y, contribution, cells, others);
                else
                    total += sum_of_small_group(column, group, n_y, contribution, cells, sizes, found);
            }
            sums[k] = total;
        }
    });
}

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

void split_norms(const In& codes_, const In& n_levels_, const In& candidates_, const In& rows_,
                 const In& starts_, const In& labels_, i64 n_classes, double alpha, i64 n_settled,
                 const Out& sums_) {
    const auto n_levels = vector<const i64>(n_levels_, "n_levels");
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto sums = vector<double>(sums_, "sums");
    require(sums.size() == candidates.size(), "sums must have one entry per candidate");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const auto codes = matrix<const Code>(codes_, "codes");
        check_levels<Code>(n_levels, candidates, codes.n_rows);
        const auto groups = read_groups(rows_, starts_, labels_, n_classes, codes.n_columns);
        const auto [rows, starts, labels, n_y] = groups;
        nb::gil_scoped_release release;
        std::vector<i64> of_cells, of_present;
        std::vector<std::uint8_t> of_seen;
        for (i64 k = 0; k < length(candidates); ++k) {
            const i64 n_f = n_levels[candidates[k]];
            const auto column = codes[candidates[k]];
            require(codes_are_below(column, rows, n_f), "codes must be below n_levels");
            const auto cells = with_room(of_cells, n_f * n_y);  // zero between groups
            const auto seen = with_room(of_seen, n_f);          // as well
            const auto present =
                with_room(of_present, n_f + 1);  // levels, in the order in which they are met
            Log2Sum sum;
            if (n_settled > 0) sum = {log2_of(static_cast<double>(n_settled)), 1.0};
            for (i64 g = 0; g < groups.n(); ++g) {
                i64 n_present = 0;
                for (i64 at = starts[g]; at < starts[g + 1]; ++at) {
                    const auto level = static_cast<i64>(column[rows[at]]);
                    ++cells[level * n_y + labels[at]];
                    present[n_present] = level;
                    n_present += !seen[level];
                    seen[level] = 1;
                }
                for (i64 p = 0; p < n_present; ++p) {
                    seen[present[p]] = 0;
                    sum.add(log2_norm(cells.subspan(present[p] * n_y, n_y), alpha));
                }
            }
            sums[k] = sum.peak + log2_of(sum.total);
        }
    });
}

// -- columns that store only the rows that differ from their usual level ----------------------------------

template <class Code>
struct Stored {
    std::span<const i64> starts;
    std::span<const std::int32_t> rows;
    std::span<const Code> codes;
    std::span<const i64> usual, n_levels;
};

// The same partition, looked up by row.
struct RowGroups {
    std::span<const std::int32_t> group;  // -1 when settled
    std::span<const std::int32_t> label;
    std::span<const std::int32_t> cell;  // group · n_classes + label; one cell behind all others when settled
    std::span<const i64> counts;         // N(g,y)
    i64 n_classes;
};

// Count the stored rows without asking whether they are settled, then look at all groups.
template <class Code>
i64 sum_over_all_groups(const Stored<Code>& columns, i64 j, const RowGroups& groups,
                        const Contribution& contribution, std::span<i64> cells) {
    const i64 n_y = groups.n_classes, n_counts = length(groups.counts), width = n_counts + 1;
    const i64 n_levels = columns.n_levels[j], usual = columns.usual[j];
    const auto sum_over = [&](std::span<const i64> counts) {
        i64 total = 0;
        for (i64 first = 0; first < n_counts; first += n_y) total += contribution(counts.subspan(first, n_y));
        return total;
    };
    const auto rest = cells.subspan(usual * width, n_counts);
    for (i64 at = columns.starts[j]; at < columns.starts[j + 1]; ++at)
        ++cells[static_cast<i64>(columns.codes[at]) * width + groups.cell[columns.rows[at]]];
    copy_to(groups.counts, rest);
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
i64 sum_over_touched_groups(const Stored<Code>& columns, i64 j, const RowGroups& groups,
                            const Contribution& contribution, std::span<const i64> group_sums,
                            std::span<i64> slot_of, std::span<i64> touched, std::span<i64> cells) {
    const i64 n_y = groups.n_classes, n_levels = columns.n_levels[j], width = n_levels * n_y;
    const i64 usual = columns.usual[j] * n_y;
    i64 n_touched = 0;
    for (i64 at = columns.starts[j]; at < columns.starts[j + 1]; ++at) {
        const auto row = columns.rows[at];
        const auto g = groups.group[row];
        if (g < 0) continue;
        i64 slot = slot_of[g];
        if (slot < 0) {
            slot = slot_of[g] = n_touched++;
            touched[slot] = g;
            copy_to(groups.counts.subspan(g * n_y, n_y), cells.subspan(slot * width + usual, n_y));
        }
        ++cells[slot * width + static_cast<i64>(columns.codes[at]) * n_y + groups.label[row]];
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

void sparse_split_sums(const In& starts_, const In& rows_, const In& codes_, const In& usual_,
                       const In& n_levels_, const In& candidates_, const In& group_, const In& label_,
                       const In& cell_, const In& counts_, i64 n_classes, int kind, const In& phi_,
                       const In& group_sums_, const Out& sums_) {
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const RowGroups groups{
        vector<const std::int32_t>(group_, "group"), vector<const std::int32_t>(label_, "label"),
        vector<const std::int32_t>(cell_, "cell"), vector<const i64>(counts_, "counts"), n_classes};
    const auto group_sums = vector<const i64>(group_sums_, "group_sums");
    const auto sums = vector<i64>(sums_, "sums");
    const i64 n_rows = length(groups.group), n_groups = length(group_sums), n_counts = length(groups.counts);
    require(length(groups.label) == n_rows && length(groups.cell) == n_rows,
            "label and cell must be as long as group");
    require(n_classes > 0 && n_classes <= MOST && n_counts == n_groups * n_classes,
            "counts must be (groups, classes)");
    require(sums.size() == candidates.size(), "sums must have one entry per candidate");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const Stored<Code> columns{vector<const i64>(starts_, "starts"),
                                   vector<const std::int32_t>(rows_, "rows"),
                                   vector<const Code>(codes_, "codes"), vector<const i64>(usual_, "usual"),
                                   vector<const i64>(n_levels_, "n_levels")};
        const auto& [starts, rows, codes, usual, n_levels] = columns;
        require(rows.size() == codes.size() && are_starts(starts, length(rows)),
                "starts must ascend within rows and codes");
        require(length(usual) == length(starts) - 1, "usual must have one entry per column");
        check_levels<Code>(n_levels, candidates, length(usual));
        const auto contribution = read_contribution(kind, phi_, n_rows);
        nb::gil_scoped_release release;
        require(all_below(groups.label, n_classes) && all_below(groups.cell, n_counts + 1),
                "label and cell must fit counts");
        for (const i64 j : candidates) {
            const i64 start = starts[j], n = starts[j + 1] - start;
            require(usual[j] >= 0 && usual[j] < n_levels[j], "usual must be below n_levels");
            require(all_below(rows.subspan(start, n), n_rows), "rows must be below the number of rows");
            require(all_below(codes.subspan(start, n), n_levels[j]), "codes must be below n_levels");
        }
        bool are_groups = true;
        for (const std::int32_t g : groups.group) are_groups &= g >= -1 && g < n_groups;
        require(are_groups, "group must be below the number of groups");
        const i64 unsplit = std::accumulate(group_sums.begin(), group_sums.end(), i64{0});
        std::vector<i64> slot_of(n_groups, -1), touched, memory;  // memory is zero between candidates
        for (i64 k = 0; k < length(candidates); ++k) {
            const i64 j = candidates[k], n_stored = starts[j + 1] - starts[j];
            if (n_counts <= FEW_CELLS * n_stored) {
                const auto cells = with_room(memory, n_levels[j] * (n_counts + 1));
                sums[k] = sum_over_all_groups(columns, j, groups, contribution, cells);
            } else {
                const i64 n_slots = std::min(n_stored, n_groups);
                sums[k] =
                    unsplit + sum_over_touched_groups(columns, j, groups, contribution, group_sums,
                                                      std::span(slot_of), with_room(touched, n_slots),
                                                      with_room(memory, n_slots * n_levels[j] * n_classes));
            }
        }
    });
}

// -- taking a column in -----------------------------------------------------------------------------------

// A level of a group becomes a group of its own if its rows are of more than one class; if they are all of
// one class they are settled and left out. Returns the number of groups and of rows that are left.
std::pair<i64, i64> refine(const In& codes_, i64 n_levels, const In& rows_, const In& starts_,
                           const In& labels_, i64 n_classes, const Out& new_rows_, const Out& new_starts_,
                           const Out& new_labels_) {
    const auto new_rows = vector<std::int32_t>(new_rows_, "new_rows"),
               new_labels = vector<std::int32_t>(new_labels_, "new_labels");
    const auto new_starts = vector<i64>(new_starts_, "new_starts");
    return by_code_type(codes_, "codes", [&](auto zero) -> std::pair<i64, i64> {
        using Code = decltype(zero);
        const auto codes = vector<const Code>(codes_, "codes");
        const auto groups = read_groups(rows_, starts_, labels_, n_classes, length(codes));
        const auto [rows, starts, labels, n_y] = groups;
        require(n_levels >= 0 && n_levels <= most_levels<Code> && all_below(codes, n_levels),
                "codes must be below n_levels");
        require(new_rows.size() == rows.size() && new_labels.size() == rows.size() &&
                    new_starts.size() == rows.size() / 2 + 1,
                "new_rows and new_labels must be as long as rows, new_starts half as long");
        nb::gil_scoped_release release;
        struct Level {
            i64 size = 0, place = 0;
            std::int32_t first_label = 0;
            bool is_mixed = false;
        };
        std::vector<Level> levels(n_levels);  // of the current group
        std::vector<i64> present(n_levels);   // levels met, later ascending
        i64 n_new = 0, filled = 0;
        new_starts[0] = 0;
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
                new_starts[++n_new] = filled;
            }
            for (i64 at = starts[g]; at < starts[g + 1]; ++at) {
                Level& level = levels[codes[rows[at]]];
                if (!level.is_mixed) continue;
                new_rows[level.place] = rows[at];
                new_labels[level.place++] = labels[at];
            }
            for (i64 p = 0; p < n_present; ++p) levels[present[p]] = {};
        }
        return {n_new, filled};
    });
}

// -- columns that mostly have one level -------------------------------------------------------------------

void usual_levels(const In& codes_, i64 n_rows, const In& candidates_, const In& n_levels_, const Out& usual_,
                  const Out& n_unusual_) {
    const auto candidates = vector<const i64>(candidates_, "candidates"),
               n_levels = vector<const i64>(n_levels_, "n_levels");
    const auto usual = vector<i64>(usual_, "usual"), n_unusual = vector<i64>(n_unusual_, "n_unusual");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const auto codes = matrix<const Code>(codes_, "codes");
        check_levels<Code>(n_levels, candidates, codes.n_rows);
        require(length(usual) == codes.n_rows && length(n_unusual) == codes.n_rows,
                "usual and n_unusual must have one entry per column");
        require(n_rows >= 0 && n_rows <= codes.n_columns, "codes must have these rows");
        nb::gil_scoped_release release;
        std::vector<i64> of_counts, of_odd;
        for (const i64 j : candidates) {
            const auto column = codes[j].first(n_rows);
            require(all_below(column, n_levels[j]), "codes must be below n_levels");
            const auto counts = with_room(of_counts, n_levels[j]), odd = with_room(of_odd, n_levels[j]);
            fill(counts, 0);
            fill(odd, 0);
            for (i64 row = 0; row + 1 < n_rows;
                 row += 2) {  // two tables, so that a count need not wait for the last
                ++counts[column[row]];
                ++odd[column[row + 1]];
            }
            if (n_rows % 2 == 1) ++counts[column[n_rows - 1]];
            for (i64 level = 0; level < n_levels[j]; ++level) counts[level] += odd[level];
            const auto best = std::max_element(counts.begin(), counts.end());  // the first of equal ones
            usual[j] = best - counts.begin();
            n_unusual[j] = n_rows - (best == counts.end() ? 0 : *best);
        }
    });
}

void list_unusual(const In& codes_, i64 n_rows, const In& columns_, const In& usual_, const In& starts_,
                  const Out& rows_, const Out& levels_) {
    const auto columns = vector<const i64>(columns_, "columns"), usual = vector<const i64>(usual_, "usual");
    const auto starts = vector<const i64>(starts_, "starts");
    const auto rows = vector<std::int32_t>(rows_, "rows");
    require(starts.size() == columns.size() && all_below(starts, length(rows) + 1),
            "starts must be places in rows");
    by_code_type(codes_, "codes", [&](auto zero) {
        using Code = decltype(zero);
        const auto codes = matrix<const Code>(codes_, "codes");
        const auto levels = vector<Code>(levels_, "levels");
        require(levels.size() == rows.size(), "levels must be as long as rows");
        require(length(usual) == codes.n_rows && all_below(columns, codes.n_rows),
                "columns must be rows of codes");
        require(n_rows >= 0 && n_rows <= std::min(codes.n_columns, MOST), "codes must have these rows");
        nb::gil_scoped_release release;
        constexpr i64 AT_ONCE = 64;
        for (i64 k = 0; k < length(columns); ++k) {
            const auto column = codes[columns[k]].first(n_rows);
            const auto most = static_cast<u64>(usual[columns[k]]);
            i64 at = starts[k];
            std::array<std::int32_t, AT_ONCE> found;
            for (i64 first = 0; first < n_rows; first += AT_ONCE) {  // some rows at a time, without a branch
                i64 n_found = 0;
                for (i64 row = first; row < std::min(first + AT_ONCE, n_rows); ++row) {
                    found[n_found] = static_cast<std::int32_t>(row);
                    n_found += column[row] != most;
                }
                require(n_found <= length(rows) - at, "rows must have room for the unusual rows");
                for (i64 i = 0; i < n_found; ++i, ++at) {
                    rows[at] = found[i];
                    levels[at] = column[found[i]];
                }
            }
        }
    });
}

}  // namespace

void bind_partition(nb::module_& module) {
    module.def("split_sums", &split_sums, nb::arg("codes"), nb::arg("n_levels"), nb::arg("candidates"),
               nb::arg("rows"), nb::arg("starts"), nb::arg("labels"), nb::arg("n_classes"), nb::arg("kind"),
               nb::arg("phi"), nb::arg("sums"));
    module.def("split_norms", &split_norms, nb::arg("codes"), nb::arg("n_levels"), nb::arg("candidates"),
               nb::arg("rows"), nb::arg("starts"), nb::arg("labels"), nb::arg("n_classes"), nb::arg("alpha"),
               nb::arg("n_settled"), nb::arg("sums"));
    module.def("sparse_split_sums", &sparse_split_sums, nb::arg("starts"), nb::arg("rows"), nb::arg("codes"),
               nb::arg("usual"), nb::arg("n_levels"), nb::arg("candidates"), nb::arg("group"),
               nb::arg("label"), nb::arg("cell"), nb::arg("counts"), nb::arg("n_classes"), nb::arg("kind"),
               nb::arg("phi"), nb::arg("group_sums"), nb::arg("sums"));
    module.def("refine", &refine, nb::arg("codes"), nb::arg("n_levels"), nb::arg("rows"), nb::arg("starts"),
               nb::arg("labels"), nb::arg("n_classes"), nb::arg("new_rows"), nb::arg("new_starts"),
               nb::arg("new_labels"));
    module.def("usual_levels", &usual_levels, nb::arg("codes"), nb::arg("n_rows"), nb::arg("candidates"),
               nb::arg("n_levels"), nb::arg("usual"), nb::arg("n_unusual"));
    module.def("list_unusual", &list_unusual, nb::arg("codes"), nb::arg("n_rows"), nb::arg("columns"),
               nb::arg("usual"), nb::arg("starts"), nb::arg("rows"), nb::arg("levels"));
}

}  // namespace entropick
