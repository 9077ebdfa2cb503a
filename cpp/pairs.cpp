// Counting a candidate column f against a selected column s (and the classes y), three ways.
//
// For each pair the loops compute Σ φ(N(f,s)) and Σ φ(N(f,s,y)), from which every pairwise criterion follows,
// and what f is expected to tell of y given s by chance (see chance.cpp).
// A pair is counted by bit planes, in a direct table or in a hash table, whichever suits its numbers of
// levels; the caller does not notice, the sums are the same integers. Cells are numbered (f · n_levels(s) +
// s) · n_classes + y.
//
// Bit planes: for each level above 0 of a column one bit per row, 64 rows in a word. Level 0 needs no plane:
// its counts are what the others leave over.
#include <array>
#include <numeric>
#include <vector>

#include "arrays.hpp"
#include "chance.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

// A pair with up to this many cells is counted by bit planes, a larger one in a table: 64 rows cost one AND
// and popcount per cell, against 64 increments.
const i64 PLANE_CELLS = has_vector_popcount() ? 320 : 128;
constexpr i64 TILE = 512;  // words counted at a time: their planes stay in the first-level cache
constexpr i64 TABLE_CELLS = i64{1} << 20;  // a direct table has up to this many cells (4 MB), or
constexpr i64 CELLS_PER_ROW = 8;           // this many per row; beyond, a hash table is smaller
constexpr i64 CLEARED_PER_ROW = 4;         // up to this many, clearing all cells is faster than undoing rows
constexpr i64 SMALL_TABLE = 2048;          // four tables of up to this many cells fit the first-level cache
constexpr u64 HASH_FACTOR = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio: spreads neighbouring keys

struct Sums {
    i64 fs = 0, fsy = 0, expected = 0;
};

// What cells of the levels of s tell of the classes by chance; nothing if it is not asked for.
struct ChanceWithin {
    const ChanceTables* tables = nullptr;
    std::span<const ChanceTables::Level> levels;

    bool any() const { return !levels.empty(); }
    i64 of(i64 level, i64 size) const { return tables->of(levels[level], size); }
};

struct Rows {
    i64 n_rows, n_words, n_classes;
};

Rows read_rows(i64 n_rows, i64 n_words, i64 n_classes) {
    require(n_rows >= 0 && n_rows <= MOST, "n_rows must be a number of rows");
    require(n_words >= 0 && n_words <= MOST, "n_words must be a number of words");
    require(n_classes > 0 && n_classes <= MOST, "n_classes must be a number of classes");
    return {n_rows, n_words, n_classes};
}

// -- what is counted --------------------------------------------------------------------------------------

// Dense columns of one storage width, without their codes.
struct Columns {
    std::span<const i64> n_levels;
    std::span<const u64> planes;
    std::span<const i64> first_plane;          // -1 where the column has no planes
    Matrix<const std::uint32_t> plane_counts;  // (planes, classes): N(f,y) of each level above 0
};

Columns read_columns(const In& n_levels_, const In& planes_, const In& first_plane_, const In& plane_counts_,
                     i64 n_columns) {
    const Columns columns{vector<const i64>(n_levels_, "n_levels"), vector<const u64>(planes_, "planes"),
                          vector<const i64>(first_plane_, "first_plane"),
                          matrix<const std::uint32_t>(plane_counts_, "plane_counts")};
    require(length(columns.n_levels) == n_columns && length(columns.first_plane) == n_columns,
            "n_levels and first_plane must have one entry per column");
    return columns;
}

void check_levels(i64 n_levels, i64 most = MOST) {
    require(n_levels > 0 && n_levels <= most, "n_levels must be numbers of levels");
}

// Candidates and the planes they have must be there.
void check_candidates(const Columns& columns, std::span<const i64> candidates, const Rows& rows,
                      i64 most = MOST) {
    require(all_below(candidates, length(columns.n_levels)), "candidates must be columns");
    const i64 n_planes = rows.n_words > 0 ? length(columns.planes) / rows.n_words : 0;
    for (const i64 j : candidates) {
        check_levels(columns.n_levels[j], most);
        if (columns.first_plane[j] < 0) continue;
        require(rows.n_words > 0 && columns.first_plane[j] <= n_planes &&
                    columns.n_levels[j] - 1 <= n_planes - columns.first_plane[j],
                "planes must hold the planes of every candidate");
        require(columns.first_plane[j] + columns.n_levels[j] - 1 <= columns.plane_counts.n_rows &&
                    columns.plane_counts.n_columns == rows.n_classes,
                "plane_counts must be (planes, classes)");
    }
}

// Selected columns joined with the classes.
struct Selected {
    Matrix<const i64> index;  // number of levels, first plane (-1: none), first count
    std::span<const u64> planes;
    std::span<const u64> counts;  // N(s,y), level-major
    const ChanceTables& chance;   // one level after the other as the counts; none where it is not asked for
};

// One of them. Its planes are those of its levels above 0, each cut into its classes.
struct SelectedColumn {
    i64 n_levels;
    bool has_planes;
    std::span<const u64> planes, counts;
    ChanceWithin chance;
};

// The chance of levels of these sizes; `n_rows(level)` counts the rows of a level.
template <class Count>
ChanceWithin chance_of(const ChanceTables& tables, i64 first_level, i64 n_levels, Count&& n_rows) {
    const auto all = tables.levels();
    if (all.empty()) return {};
    require(first_level >= 0 && first_level + n_levels <= length(all), "chance must have a table per level");
    const auto levels = all.subspan(first_level, n_levels);
    for (i64 level = 0; level < n_levels; ++level)
        require(n_rows(level) == levels[level].n_rows, "chance must be that of the levels");
    return {&tables, levels};
}

SelectedColumn selected_column(const Selected& selected, i64 i, const Rows& rows) {
    const auto own = selected.index[i];
    const i64 n_levels = own[0], first_plane = own[1], first_count = own[2];
    check_levels(n_levels);
    const i64 n_own = (n_levels - 1) * rows.n_classes, n_joint = n_levels * rows.n_classes;
    const i64 n_planes = rows.n_words > 0 ? length(selected.planes) / rows.n_words : 0;
    require(
        first_plane < 0 || (rows.n_words > 0 && first_plane <= n_planes && n_own <= n_planes - first_plane),
        "planes must hold the planes of the selected column");
    require(first_count >= 0 && first_count <= length(selected.counts) &&
                n_joint <= length(selected.counts) - first_count,
            "counts must hold the counts of the selected column");
    const auto counts = selected.counts.subspan(first_count, n_joint);
    const auto n_rows_of = [&](i64 level) {
        u64 size = 0;
        for (const u64 count : counts.subspan(level * rows.n_classes, rows.n_classes)) size += count;
        return static_cast<i64>(size);
    };
    const auto chance = chance_of(selected.chance, first_count / rows.n_classes, n_levels, n_rows_of);
    if (first_plane < 0) return {n_levels, false, {}, counts, chance};
    return {n_levels, true, selected.planes.subspan(first_plane * rows.n_words, n_own * rows.n_words), counts,
            chance};
}

// -- by planes --------------------------------------------------------------------------------------------

bool are_few_cells(const Columns& columns, i64 j, const SelectedColumn& s, i64 n_classes) {
    const i64 n_f = columns.n_levels[j] - 1, n_s = s.n_levels - 1;
    return columns.first_plane[j] >= 0 && s.has_planes && n_f <= PLANE_CELLS && n_s <= PLANE_CELLS &&
           n_f * n_s * n_classes <= PLANE_CELLS;
}

// Add to each cell the rows set in f and in its plane of s; the planes lie `stride` words apart. Several
// planes at a time, so that f is fetched less often.
template <class Machine>
void add_common(std::span<const u64> f, std::span<const u64> s, i64 stride, std::span<u64> cells) {
    const i64 n_planes = length(cells);
    i64 p = 0;
    const auto add_some = [&]<std::size_t N>() {
        Machine::template add_common<N>(f, s.subspan(p * stride), stride,
                                        cells.subspan(p).template first<N>());
    };
    for (; p + 3 <= n_planes; p += 3) add_some.template operator()<3>();
    if (n_planes - p == 2) add_some.template operator()<2>();
    if (n_planes - p == 1) add_some.template operator()<1>();
}

// Planes one after the other.
struct Planes {
    std::span<const u64> words;
    i64 n, n_words;
};

// The rows set in each plane of f and each of s, tile by tile.
template <class Machine>
void count_many_words(const Planes& f, const Planes& s, std::span<u64> cells) {
    const i64 n_words = f.n_words;
    fill(cells, 0);
    if (s.n == 0) return;
    for (i64 start = 0; start < n_words; start += TILE) {
        const i64 n = std::min(TILE, n_words - start);
        for (i64 a = 0; a < f.n; ++a)
            add_common<Machine>(f.words.subspan(a * n_words + start, n), s.words.subspan(start), n_words,
                                cells.subspan(a * s.n, s.n));
    }
}

// The same for a number of words known to the compiler.
template <std::size_t n_words>
void count_few_words(const Planes& f, const Planes& s, std::span<u64> cells) {
    i64 cell = 0;
    for (i64 a = 0; a < f.n; ++a) {
        const auto of_f = f.words.subspan(a * n_words).template first<n_words>();
        for (i64 b = 0; b < s.n; ++b) {
            const auto of_s = s.words.subspan(b * n_words).template first<n_words>();
            int both = 0;
            for (std::size_t w = 0; w < n_words; ++w) both += std::popcount(of_f[w] & of_s[w]);
            cells[cell++] = static_cast<u64>(both);
        }
    }
}

template <class Machine>
void count_planes(const Planes& f, const Planes& s, std::span<u64> cells) {
    switch (f.n_words) {
        case 1:
            return count_few_words<1>(f, s, cells);
        case 2:
            return count_few_words<2>(f, s, cells);
        case 3:
            return count_few_words<3>(f, s, cells);
        case 4:
            return count_few_words<4>(f, s, cells);
        default:
            return count_many_words<Machine>(f, s, cells);
    }
}

// Σ φ over the cells counted by planes and those of level 0, which take what is left over. `left` begins with
// the rows of each (s,y), from which the levels above 0 of f are taken away; behind these are the rows of one
// level of f. N_Y is the number of classes where the compiler is to know it, else 0.
template <i64 N_Y>
Sums sum_with_level_0(std::span<const u64> cells, Matrix<const std::uint32_t> plane_counts, i64 first,
                      i64 n_f, const SelectedColumn& s, i64 n_classes, Phi phi, std::span<u64> left) {
    const i64 n_y = N_Y > 0 ? N_Y : n_classes, n_s = s.n_levels;
    const ChanceWithin chance = s.chance;
    const bool by_chance = chance.any();
    std::array<u64, (N_Y > 0 ? N_Y : 1)> known;
    const std::span<u64> of_f = N_Y > 0 ? std::span<u64>(known) : left.subspan(n_s * n_y, n_y);
    copy_to(s.counts, left);
    i64 fs = 0, fsy = 0, expected = 0;  // in registers, which a struct that is returned is not
    const auto add_group = [&](i64 level, u64 size) {
        fs += phi[static_cast<i64>(size)];
        if (by_chance) expected += chance.of(level, static_cast<i64>(size));
    };
    i64 cell = 0;
    for (i64 a = 0; a < n_f - 1; ++a) {
        copy_to(plane_counts[first + a].first(n_y), of_f);
        for (i64 b = 1; b < n_s; ++b, cell += n_y) {
            const auto own = cells.subspan(cell, n_y);
            const auto rest = left.subspan(b * n_y, n_y);
            u64 total = 0;
            for (i64 y = 0; y < n_y; ++y) {
                of_f[y] -= own[y];
                rest[y] -= own[y];
                total += own[y];
                fsy += phi[own[y]];
            }
            add_group(b, total);
        }
        u64 total = 0;
        for (i64 y = 0; y < n_y; ++y) {
            left[y] -= of_f[y];
            total += of_f[y];
            fsy += phi[of_f[y]];
        }
        add_group(0, total);
    }
    for (i64 b = 0; b < n_s; ++b) {
        const auto own = left.subspan(b * n_y, n_y);
        u64 total = 0;
        for (i64 y = 0; y < n_y; ++y) {
            total += own[y];
            fsy += phi[own[y]];
        }
        add_group(b, total);
    }
    return {fs, fsy, expected};
}

struct SumsByPlanes {
    template <class Machine>
    static Sums run(Machine, const Columns& columns, i64 j, const SelectedColumn& s, const Rows& rows,
                    Phi phi, std::span<u64> cells, std::span<u64> left) {
        const i64 n_y = rows.n_classes, n_f = columns.n_levels[j], first = columns.first_plane[j];
        const i64 n_words = rows.n_words, n_of_f = n_f - 1, n_of_s = (s.n_levels - 1) * n_y;
        const auto of_f = columns.planes.subspan(first * n_words, n_of_f * n_words);
        count_planes<Machine>({of_f, n_of_f, n_words}, {s.planes, n_of_s, n_words}, cells);
        const auto sum = [&]<i64 N_Y>() {
            return sum_with_level_0<N_Y>(cells, columns.plane_counts, first, n_f, s, n_y, phi, left);
        };
        switch (n_y) {
            case 1:
                return sum.template operator()<1>();
            case 2:
                return sum.template operator()<2>();
            case 3:
                return sum.template operator()<3>();
            default:
                return sum.template operator()<0>();
        }
    }
};

// -- in tables --------------------------------------------------------------------------------------------

i64 most_cells(i64 n_rows) { return std::max(TABLE_CELLS, CELLS_PER_ROW * n_rows); }

// Memory that pairs share. Each way of counting makes room for what it is about to write; cells and pairs of
// cells are zero between pairs.
struct Scratch {
    std::vector<u64> plane_cells, left;
    std::vector<std::uint32_t> cells, others, pairs;
    std::vector<std::uint32_t> level_of;  // the level s of each (s,y)
    std::vector<u64> keys;
    std::vector<std::uint32_t> counts;

    std::span<const std::uint32_t> levels_of(i64 n_joint, i64 n_classes) {
        for (i64 q = static_cast<i64>(level_of.size()); q < n_joint; ++q)
            level_of.push_back(static_cast<std::uint32_t>(q / n_classes));
        return std::span(level_of).first(n_joint);
    }
};

template <class F, class S>
struct Pair {
    std::span<const F> f;
    std::span<const S> joint;
    i64 n_rows;
    u64 n_joint;

    u64 cell(i64 row) const { return f[row] * n_joint + joint[row]; }
};

// Σ φ over the totals of n_y cells each and over the cells, which are zero again after it. The levels of s
// follow each other.
template <class Count>
Sums sum_and_clear(std::span<Count> cells, i64 n_s, i64 n_y, Phi phi, const ChanceWithin& chance) {
    Sums sums;
    const bool by_chance = chance.any();
    i64 level = 0;
    for (i64 first = 0; first < length(cells); first += n_y) {
        const auto own = cells.subspan(first, n_y);
        u64 total = 0;
        for (i64 y = 0; y < n_y; ++y) {
            total += own[y];
            sums.fsy += phi[static_cast<i64>(own[y])];
            own[y] = 0;
        }
        sums.fs += phi[static_cast<i64>(total)];
        if (by_chance) {
            sums.expected += chance.of(level, static_cast<i64>(total));
            level = level + 1 < n_s ? level + 1 : 0;
        }
    }
    return sums;
}

// The rows of each cell; `cell_of` says in which one a row is.
template <class CellOf>
std::span<std::uint32_t> count_cells(i64 n_rows, i64 n_cells, Scratch& scratch, CellOf&& cell_of) {
    const auto cells = with_room(scratch.cells, n_cells);
    i64 row = 0;
    if (n_cells <= SMALL_TABLE && n_rows >= 16 * n_cells) {
        // Four tables in turn: to count twice in a row in one cell would make the second count wait for the
        // first.
        const auto others = with_room(scratch.others, 3 * n_cells);
        const auto a = cells, b = others.first(n_cells), c = others.subspan(n_cells, n_cells),
                   d = others.last(n_cells);
        for (; row + 4 <= n_rows; row += 4) {
            ++a[cell_of(row)];
            ++b[cell_of(row + 1)];
            ++c[cell_of(row + 2)];
            ++d[cell_of(row + 3)];
        }
        for (i64 cell = 0; cell < n_cells; ++cell) {
            a[cell] += b[cell] + c[cell] + d[cell];
            b[cell] = c[cell] = d[cell] = 0;
        }
    }
    for (; row < n_rows; ++row) ++cells[cell_of(row)];
    return cells;
}

template <class F, class S>
Sums sums_in_table(const Pair<F, S>& pair, i64 n_f, const SelectedColumn& s, i64 n_y, Phi phi,
                   Scratch& scratch) {
    const auto cells = count_cells(pair.n_rows, n_f * static_cast<i64>(pair.n_joint), scratch,
                                   [&](i64 row) { return pair.cell(row); });
    return sum_and_clear(cells, s.n_levels, n_y, phi, s.chance);
}

// For more cells than rows: add up φ's increments while counting, then undo the counting.
template <class F, class S>
Sums sums_while_counting(const Pair<F, S>& pair, i64 n_f, const SelectedColumn& s, i64 n_y, Phi phi,
                         Scratch& scratch) {
    const i64 n_s = s.n_levels;
    const bool by_chance = s.chance.any();
    const auto cells = with_room(scratch.cells, n_f * static_cast<i64>(pair.n_joint));
    Sums sums;
    if (n_y == 1) {
        for (i64 row = 0; row < pair.n_rows; ++row) {
            const i64 count = cells[pair.cell(row)]++;
            sums.fsy += phi[count + 1] - phi[count];
        }
        for (i64 row = 0; row < pair.n_rows; ++row) cells[pair.cell(row)] = 0;
        return {sums.fsy, sums.fsy, 0};  // of one class there is nothing to tell
    }
    const auto pairs = with_room(scratch.pairs, n_f * n_s);
    const auto level_of = scratch.levels_of(static_cast<i64>(pair.n_joint), n_y);
    const auto pair_of = [&](i64 row) {
        return pair.f[row] * static_cast<u64>(n_s) + level_of[pair.joint[row]];
    };
    for (i64 row = 0; row < pair.n_rows; ++row) {
        const i64 count = cells[pair.cell(row)]++, total = pairs[pair_of(row)]++;
        sums.fsy += phi[count + 1] - phi[count];
        sums.fs += phi[total + 1] - phi[total];
        if (by_chance) {
            const i64 level = level_of[pair.joint[row]];
            sums.expected += s.chance.of(level, total + 1) - s.chance.of(level, total);
        }
    }
    for (i64 row = 0; row < pair.n_rows; ++row) {
        cells[pair.cell(row)] = 0;
        pairs[pair_of(row)] = 0;
    }
    return sums;
}

// What the cells (f, joint / divisor), which are too many for a table, add up to: `added` says by how much a
// cell's next row changes that, given the row and the rows before it.
template <class F, class S, class Added>
void add_by_hash(const Pair<F, S>& pair, u64 divisor, Scratch& scratch, Added&& added) {
    const u64 n_slots = std::bit_ceil(2 * static_cast<u64>(pair.n_rows));
    const auto keys = with_room(scratch.keys, static_cast<i64>(n_slots));
    const auto counts = with_room(scratch.counts, static_cast<i64>(n_slots));
    fill(counts, 0);  // an empty slot has no rows
    const u64 mask = n_slots - 1;
    for (i64 row = 0; row < pair.n_rows; ++row) {
        const u64 key = pair.cell(row) / divisor;
        u64 slot = (key * HASH_FACTOR >> 20) & mask;
        while (counts[slot] > 0 && keys[slot] != key) slot = (slot + 1) & mask;
        keys[slot] = key;
        added(row, static_cast<i64>(counts[slot]++));
    }
}

template <class F, class S>
Sums sums_by_hash(const Pair<F, S>& pair, const SelectedColumn& s, i64 n_y, Phi phi, Scratch& scratch) {
    Sums sums;
    const bool by_chance = s.chance.any();
    add_by_hash(pair, static_cast<u64>(n_y), scratch, [&](i64 row, i64 count) {
        sums.fs += phi[count + 1] - phi[count];
        if (by_chance) {
            const i64 level = static_cast<i64>(pair.joint[row]) / n_y;
            sums.expected += s.chance.of(level, count + 1) - s.chance.of(level, count);
        }
    });
    if (n_y == 1) return {sums.fs, sums.fs, 0};
    add_by_hash(pair, 1, scratch, [&](i64, i64 count) { sums.fsy += phi[count + 1] - phi[count]; });
    return sums;
}

template <class F, class S>
Sums sums_without_planes(const Pair<F, S>& pair, i64 n_f, const SelectedColumn& s, i64 n_y, Phi phi,
                         Scratch& scratch) {
    if (n_f > most_cells(pair.n_rows) / static_cast<i64>(pair.n_joint))
        return sums_by_hash(pair, s, n_y, phi, scratch);
    if (n_f * static_cast<i64>(pair.n_joint) > CLEARED_PER_ROW * pair.n_rows)
        return sums_while_counting(pair, n_f, s, n_y, phi, scratch);
    return sums_in_table(pair, n_f, s, n_y, phi, scratch);
}

// The codes of the candidates and the joint levels of the selected columns, and the sums of a pair of them.
template <class F, class S>
struct Counter {
    Matrix<const F> codes;
    const Columns& columns;
    Matrix<const S> joint;
    const Rows& rows;
    Phi phi;
    Scratch scratch;
    std::vector<std::uint8_t>
        is_checked;  // whether the joint levels of a selected column are known to be valid

    Counter(Matrix<const F> of_candidates, const Columns& all_columns, Matrix<const S> of_selected,
            const Rows& all_rows, Phi of_counts)
        : codes(of_candidates),
          columns(all_columns),
          joint(of_selected),
          rows(all_rows),
          phi(of_counts),
          is_checked(of_selected.n_rows) {}

    Sums operator()(i64 j, i64 i, const SelectedColumn& s) {
        const i64 n_f = columns.n_levels[j], n_y = rows.n_classes, n_joint = s.n_levels * n_y;
        if (are_few_cells(columns, j, s, n_y))
            return on_this_processor<SumsByPlanes>(
                columns, j, s, rows, phi, with_room(scratch.plane_cells, (n_f - 1) * (s.n_levels - 1) * n_y),
                with_room(scratch.left, n_joint + n_y));
        const auto of_f = codes[j].first(rows.n_rows);
        const auto of_s = joint[i].first(rows.n_rows);
        require(all_below(of_f, n_f), "codes must be below n_levels");
        require(is_checked[i] || all_below(of_s, n_joint), "joint must be below levels times classes");
        is_checked[i] = 1;
        const Pair<F, S> pair{of_f, of_s, rows.n_rows, static_cast<u64>(n_joint)};
        return sums_without_planes(pair, n_f, s, n_y, phi, scratch);
    }
};

// -- against selected columns -----------------------------------------------------------------------------

// Call `loop` with the codes and joint levels as they are stored.
template <class Loop>
auto by_code_types(const In& codes, const In& joint, i64 n_rows, Loop&& loop) {
    return by_type<std::uint8_t, std::uint16_t, std::uint32_t>(codes, "codes", [&](auto of_f) {
        return by_code_type(joint, "joint", [&](auto of_s) {
            const auto f = matrix<const decltype(of_f)>(codes, "codes");
            const auto s = matrix<const decltype(of_s)>(joint, "joint");
            require(f.n_columns >= n_rows && s.n_columns >= n_rows, "codes and joint must have these rows");
            return loop(f, s);
        });
    });
}

Selected read_selected(const In& index_, const In& planes_, const In& counts_, const ChanceTables& chance) {
    const Selected selected{matrix<const i64>(index_, "index"), vector<const u64>(planes_, "planes"),
                            vector<const u64>(counts_, "counts"), chance};
    require(selected.index.n_columns == 3, "index must have three columns");
    return selected;
}

void write(const Sums& found, Matrix<i64> sums, i64 column) {
    sums[0][column] = found.fs;
    sums[1][column] = found.fsy;
    sums[2][column] = found.expected;
}

void pair_sums(const In& codes_, const In& n_levels, const In& planes, const In& first_plane,
               const In& plane_counts, const In& candidates_, const In& positions_, const In& joint_,
               const In& index, const In& s_planes, const In& s_counts, const ChanceTables& chance, i64 i,
               i64 n_rows, i64 n_words, i64 n_classes, const In& phi_, const Out& sums_) {
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto positions = vector<const i64>(positions_, "positions");
    const auto rows = read_rows(n_rows, n_words, n_classes);
    const auto phi = read_phi(phi_, n_rows);
    const auto sums = matrix<i64>(sums_, "sums");
    require(sums.n_rows == 3, "sums must have three rows");
    by_code_types(codes_, joint_, n_rows, [&](auto codes, auto joint) {
        const auto columns = read_columns(n_levels, planes, first_plane, plane_counts, codes.n_rows);
        const auto selected = read_selected(index, s_planes, s_counts, chance);
        check_candidates(columns, candidates, rows, most_levels<typename decltype(codes)::Value>);
        require(length(positions) == codes.n_rows && all_below(positions, sums.n_columns),
                "positions must be columns of sums");
        require(i >= 0 && i < joint.n_rows && i < selected.index.n_rows, "i must be a selected column");
        const auto s = selected_column(selected, i, rows);
        nb::gil_scoped_release release;
        Counter count(codes, columns, joint, rows, phi);
        for (const i64 j : candidates) {
            const Sums found = count(j, i, s);
            write(found, sums, positions[j]);
        }
    });
}

// The race of `lazy_minimum`, one entry per column of the table unless said otherwise.
struct LazySearch {
    std::span<i64> bounds;           // upper bound of each score
    std::span<i64> n_seen;           // selected columns already in the bound
    std::span<i64> counted;          // selected columns when last a finalist
    std::span<const i64> positions;  // of each column here: its place in the table
    std::span<i64> best;             // (2,): best and second best exact score so far
    i64 slack;                       // scores closer than this are ties

    bool may_win(i64 f) const { return bounds[f] >= best[1] - slack; }
};

LazySearch read_search(const Out& bounds, const Out& n_seen, const Out& counted, const In& positions,
                       const Out& best, i64 slack, std::span<const i64> candidates, i64 n_columns) {
    const LazySearch search{vector<i64>(bounds, "bounds"),   vector<i64>(n_seen, "n_seen"),
                            vector<i64>(counted, "counted"), vector<const i64>(positions, "positions"),
                            vector<i64>(best, "best"),       slack};
    const i64 n = length(search.bounds);
    require(length(search.n_seen) == n && length(search.counted) == n,
            "n_seen and counted must be as long as bounds");
    require(length(search.positions) == n_columns && length(search.best) == 2,
            "positions must have one entry per column, best two");
    for (const i64 j : candidates) {
        const i64 f = search.positions[j];
        require(f >= 0 && f < n && search.n_seen[f] >= 0, "positions must be columns of the table");
    }
    return search;
}

i64 lazy_minimum(const In& codes_, const In& n_levels, const In& planes, const In& first_plane,
                 const In& plane_counts, const In& candidates_, const In& joint_, const In& index,
                 const In& s_planes, const In& s_counts, const ChanceTables& chance, i64 n_selected,
                 i64 n_rows, i64 n_words, i64 n_classes, const In& phi_, const In& offsets_,
                 const Out& bounds, const Out& n_seen, const Out& counted, const In& positions,
                 const Out& best, i64 slack, const Out& finalists_) {
    const auto candidates = vector<const i64>(candidates_, "candidates"),
               offsets = vector<const i64>(offsets_, "offsets");
    const auto rows = read_rows(n_rows, n_words, n_classes);
    const auto phi = read_phi(phi_, n_rows);
    const auto finalists = vector<i64>(finalists_, "finalists");
    require(finalists.size() >= candidates.size(), "finalists must be as long as candidates");
    return by_code_types(codes_, joint_, n_rows, [&](auto codes, auto joint) {
        const auto columns = read_columns(n_levels, planes, first_plane, plane_counts, codes.n_rows);
        const auto selected = read_selected(index, s_planes, s_counts, chance);
        check_candidates(columns, candidates, rows, most_levels<typename decltype(codes)::Value>);
        require(n_selected > 0 && n_selected <= joint.n_rows && n_selected <= selected.index.n_rows &&
                    n_selected <= length(offsets),
                "joint, index and offsets must have an entry per selected column");
        const auto search =
            read_search(bounds, n_seen, counted, positions, best, slack, candidates, codes.n_rows);
        nb::gil_scoped_release release;
        std::vector<SelectedColumn> s(n_selected);
        for (i64 i = 0; i < n_selected; ++i) s[i] = selected_column(selected, i, rows);
        Counter count(codes, columns, joint, rows, phi);
        i64 n_finalists = 0;
        for (const i64 j : candidates) {
            const i64 f = search.positions[j];
            if (!search.may_win(f) || search.counted[f] == n_selected) continue;
            while (search.n_seen[f] < n_selected && search.may_win(f)) {
                const i64 i = search.n_seen[f]++;
                const Sums found = count(j, i, s[i]);
                search.bounds[f] =
                    std::min(search.bounds[f], found.fsy - found.fs - found.expected + offsets[i]);
            }
            if (search.n_seen[f] < n_selected) continue;
            search.counted[f] = n_selected;
            finalists[n_finalists++] = f;
            if (search.bounds[f] > search.best[0]) {
                search.best[1] = search.best[0];
                search.best[0] = search.bounds[f];
            } else if (search.bounds[f] > search.best[1]) {
                search.best[1] = search.bounds[f];
            }
        }
        return n_finalists;
    });
}

void join_classes(const In& codes_, const In& labels_, i64 n_classes, const Out& joint_, const Out& counts_) {
    const auto labels = vector<const std::int32_t>(labels_, "labels");
    const auto counts = vector<u64>(counts_, "counts");
    require(n_classes > 0 && n_classes <= MOST, "n_classes must be a number of classes");
    by_code_type(codes_, "codes", [&](auto of_f) {
        by_code_type(joint_, "joint", [&](auto of_s) {
            using Joint = decltype(of_s);
            using Wide = std::conditional_t<sizeof(Joint) == 8, u64, std::uint32_t>;
            const auto codes = vector<const decltype(of_f)>(codes_, "codes");
            const auto joint = vector<Joint>(joint_, "joint");
            require(codes.size() >= joint.size() && labels.size() >= joint.size(),
                    "codes and labels must be as long as joint");
            nb::gil_scoped_release release;
            const auto width = static_cast<std::uint32_t>(n_classes);
            for (std::size_t row = 0; row < joint.size(); ++row)
                joint[row] = static_cast<Joint>(n_classes > 1 ? static_cast<Wide>(codes[row]) * width +
                                                                    static_cast<Wide>(labels[row])
                                                              : static_cast<Wide>(codes[row]));
            require(all_below(joint, length(counts)), "counts must be (levels, classes)");
            fill(counts, 0);
            for (const Joint q : joint) ++counts[q];
        });
    });
}

// -- columns taken in one after the other -----------------------------------------------------------------

// Σ over the groups of n_y cells that have rows, and how many these are.
struct SumsOfGroups {
    i64 n_groups = 0, n_cells = 0, over_groups = 0, over_cells = 0;
};

i64 rows_of(std::span<const std::uint32_t> cells) {
    i64 size = 0;
    for (const std::uint32_t count : cells) size += count;
    return size;
}

SumsOfGroups sum_groups(std::span<const std::uint32_t> cells, i64 n_y, Phi phi, const ChanceWithin& chance) {
    SumsOfGroups sums;
    for (i64 first = 0; first < length(cells); first += n_y) {
        const auto own = cells.subspan(first, n_y);
        const i64 size = rows_of(own);
        if (size == 0) continue;
        ++sums.n_groups;
        sums.over_groups += phi[size] + chance.of(0, size);
        for (const std::uint32_t count : own) {
            sums.n_cells += count > 0;
            sums.over_cells += phi[count];
        }
    }
    return sums;
}

// New numbers of the cells: those of groups that have rows one after the other.
std::vector<std::uint32_t> group_numbers(std::span<const std::uint32_t> cells, i64 n_y) {
    std::vector<std::uint32_t> numbers(cells.size());
    std::uint32_t next = 0;
    for (i64 first = 0; first < length(cells); first += n_y) {
        if (rows_of(cells.subspan(first, n_y)) == 0) continue;
        for (i64 y = 0; y < n_y; ++y) numbers[first + y] = next++;
    }
    return numbers;
}

// The cells of the groups without the column of these levels that was joined last.
std::span<std::uint32_t> without_newest(std::span<std::uint32_t> cells, i64 n_levels) {
    const i64 n_left = length(cells) / n_levels;
    const auto left = cells.first(n_left);
    for (i64 level = 1; level < n_levels; ++level) {
        const auto more = cells.subspan(level * n_left, n_left);
        for (i64 cell = 0; cell < n_left; ++cell) left[cell] += more[cell];
    }
    return left;
}

// Add a column to the cells (group, class) of the rows, which are below `n_cells`.
void join_column(const In& codes_, i64 n_levels, i64 n_cells, const Out& cells_) {
    const auto cells = vector<std::uint32_t>(cells_, "cells");
    require(n_levels > 0 && n_cells > 0 && n_cells <= MOST && n_levels <= MOST / n_cells,
            "n_levels times n_cells must be a number of cells");
    by_code_type(codes_, "codes", [&](auto of_f) {
        const auto codes = vector<const decltype(of_f)>(codes_, "codes");
        require(codes.size() >= cells.size(), "codes must be as long as cells");
        nb::gil_scoped_release release;
        require(all_below(codes.first(cells.size()), n_levels), "codes must be below n_levels");
        const auto width = static_cast<std::uint32_t>(n_cells);
        for (std::size_t row = 0; row < cells.size(); ++row)
            cells[row] += static_cast<std::uint32_t>(codes[row]) * width;
    });
}

// Sums over the groups by all columns, by all but the newest, and so on; `n_levels` are those of the newest
// columns. Rows are counted once: to leave a column out is to add up the cells of its levels. Returns how
// many cells there are; if most groups have no rows, the cells are renumbered.
i64 nested_sums(const In& n_levels_, i64 n_cells, i64 n_classes, const In& phi_, const ChanceTables& tables,
                const Out& cells_, const Out& sums_) {
    const auto n_levels = vector<const i64>(n_levels_, "n_levels");
    const auto rows = vector<std::uint32_t>(cells_, "cells");
    const auto sums = matrix<i64>(sums_, "sums");
    const i64 n_rows = length(rows);
    const auto phi = read_phi(phi_, n_rows);
    const auto chance = chance_of(tables, 0, 1, [&](i64) { return n_rows; });
    require(chance.any(), "chance must be that of all rows");
    require(n_classes > 0 && n_cells > 0 && n_cells <= most_cells(n_rows), "n_cells must fit a table");
    i64 n_left = n_cells;
    for (const i64 n : n_levels) {
        require(n > 0 && n_left % n == 0, "n_cells must be a multiple of the levels");
        n_left /= n;
    }
    require(n_left % n_classes == 0, "n_cells must be a multiple of the classes");
    require(sums.n_rows == length(n_levels) && sums.n_columns == 4, "sums must be (columns, 4)");
    nb::gil_scoped_release release;
    require(all_below(std::span<const std::uint32_t>(rows), n_cells), "cells must be below n_cells");
    Scratch scratch;
    auto counts = count_cells(n_rows, n_cells, scratch, [&](i64 row) { return rows[row]; });
    i64 n_now = n_cells;
    for (i64 i = length(n_levels) - 1; i >= 0; --i) {
        const auto found = sums[i];
        const SumsOfGroups of_groups = sum_groups(counts, n_classes, phi, chance);
        found[0] = of_groups.n_groups, found[1] = of_groups.n_cells;
        found[2] = of_groups.over_groups, found[3] = of_groups.over_cells;
        const i64 n_occupied = of_groups.n_groups * n_classes;
        if (length(counts) == n_cells && 2 * n_occupied < n_cells) {
            const auto numbers = group_numbers(counts, n_classes);
            for (std::uint32_t& cell : rows) cell = numbers[cell];
            n_now = n_occupied;
        }
        counts = without_newest(counts, n_levels[i]);
    }
    return n_now;
}

// -- columns alone and by class ---------------------------------------------------------------------------

WordOfCodes codes_of_word(std::span<const std::uint8_t> codes, i64 word) {
    return codes.subspan(word * WORD).first<WORD>();
}

struct PackColumn {
    template <class Machine>
    static void run(Machine, std::span<const std::uint8_t> codes, i64 n_levels, i64 n_words,
                    Matrix<u64> planes, i64 first) {
        i64 level = 1;
        const auto pack_some = [&]<int N>() {  // N levels at a time: their codes are read once
            for (; level + N <= n_levels; level += N)
                pack_levels<Machine, N>(codes, level, n_words, planes, first + level - 1);
        };
        pack_some.template operator()<4>();
        pack_some.template operator()<2>();
        pack_some.template operator()<1>();
    }

    template <class Machine, int N>
    static void pack_levels(std::span<const std::uint8_t> codes, i64 level, i64 n_words, Matrix<u64> planes,
                            i64 plane) {
        std::array<std::span<u64>, N> to;
        for (int l = 0; l < N; ++l) to[l] = planes[plane + l].first(n_words);
        for (i64 word = 0; word < n_words; ++word) {
            const auto own = codes_of_word(codes, word);
            for (int l = 0; l < N; ++l)
                to[l][word] = Machine::equal_mask(own, static_cast<std::uint8_t>(level + l));
        }
    }
};

void pack(const In& codes_, const In& columns_, const In& n_levels_, const In& first_, const Out& planes_) {
    const auto codes = matrix<const std::uint8_t>(codes_, "codes");
    const auto columns = vector<const i64>(columns_, "columns");
    const auto n_levels = vector<const i64>(n_levels_, "n_levels"),
               first = vector<const i64>(first_, "first");
    const auto planes = matrix<u64>(planes_, "planes");
    const i64 n_words = codes.n_columns / WORD;
    require(
        length(n_levels) == codes.n_rows && length(first) == codes.n_rows && all_below(columns, codes.n_rows),
        "columns must be rows of codes");
    require(n_words <= planes.n_columns, "planes must have room for every word");
    for (const i64 j : columns)
        require(n_levels[j] < 2 || (first[j] >= 0 && first[j] <= planes.n_rows &&
                                    n_levels[j] - 1 <= planes.n_rows - first[j]),
                "planes must have room for every level");
    nb::gil_scoped_release release;
    for (const i64 j : columns)
        on_this_processor<PackColumn>(codes[j], n_levels[j], n_words, planes, first[j]);
}

// N(f,y) of the planes of one column.
struct ClassCounts {
    template <class Machine>
    static void run(Machine, std::span<const u64> planes, i64 n_planes, std::span<const u64> class_planes,
                    i64 n_words, Matrix<std::uint32_t> counts, i64 first, std::span<u64> cells) {
        const i64 n_y = counts.n_columns;
        for (i64 plane = first; plane < first + n_planes; ++plane) {
            const auto f = planes.subspan(plane * n_words, n_words);
            fill(cells, 0);
            add_common<Machine>(f, f, n_words, cells.first(1));
            add_common<Machine>(f, class_planes, n_words, cells.subspan(1));
            for (i64 y = 1; y < n_y; ++y) cells[0] -= cells[y];
            const auto own = counts[plane];
            for (i64 y = 0; y < n_y; ++y) own[y] = static_cast<std::uint32_t>(cells[y]);
        }
    }
};

void class_counts(const In& n_levels, const In& planes, const In& first_plane, const Out& plane_counts_,
                  const In& candidates_, const In& class_planes_, i64 n_words) {
    const auto counts = matrix<std::uint32_t>(plane_counts_, "plane_counts");
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto class_planes = vector<const u64>(class_planes_, "class_planes");
    const Columns columns{vector<const i64>(n_levels, "n_levels"),
                          vector<const u64>(planes, "planes"),
                          vector<const i64>(first_plane, "first_plane"),
                          {counts.values, counts.n_rows, counts.n_columns, counts.stride}};
    require(columns.first_plane.size() == columns.n_levels.size(),
            "first_plane must have one entry per column");
    require(counts.n_columns > 0, "plane_counts must have a column per class");
    check_candidates(columns, candidates, read_rows(0, n_words, counts.n_columns));
    require((counts.n_columns - 1) * n_words <= length(class_planes),
            "class_planes must hold a plane per class above 0");
    nb::gil_scoped_release release;
    std::vector<u64> cells(counts.n_columns);
    for (const i64 j : candidates)
        if (columns.first_plane[j] >= 0)
            on_this_processor<ClassCounts>(columns.planes, columns.n_levels[j] - 1, class_planes, n_words,
                                           counts, columns.first_plane[j], std::span(cells));
}

// N(f,y) of one column by planes that are not kept; level 0 takes what the others leave over.
struct CountColumn {
    template <class Machine>
    static void run(Machine, std::span<const std::uint8_t> codes, i64 n_levels, i64 n_words,
                    std::span<const u64> class_planes, std::span<const i64> class_sizes,
                    std::span<u64> cells) {
        const i64 n_classes = length(class_sizes);
        if (n_classes > 1)
            count_levels<Machine, 1>(codes, n_levels, n_words, class_planes, n_classes, cells);
        else
            count_levels<Machine, 0>(codes, n_levels, n_words, class_planes, n_classes, cells);
        copy_to(class_sizes, cells);
        for (i64 level = 1; level < n_levels; ++level) {
            const auto own = cells.subspan(level * n_classes, n_classes);
            for (i64 y = 1; y < n_classes; ++y) own[0] -= own[y];
            for (i64 y = 0; y < n_classes; ++y) cells[y] -= own[y];
        }
    }

    // Rows of each level above 0, and those of each class above 0 among them: of the first N classes as the
    // rows are found, of the others afterwards.
    template <class Machine, int N>
    static void count_levels(std::span<const std::uint8_t> codes, i64 n_levels, i64 n_words,
                             std::span<const u64> planes, i64 n_classes, std::span<u64> cells) {
        std::array<u64, TILE> tile;
        for (i64 start = 0; start < n_words; start += TILE) {
            const i64 n = std::min(TILE, n_words - start);
            for (i64 level = 1; level < n_levels; ++level) {
                const auto own = cells.subspan(level * n_classes, n_classes);
                std::array<u64, N + 1> sums = {};
                for (i64 word = 0; word < n; ++word) {
                    const u64 rows = Machine::equal_mask(codes_of_word(codes, start + word),
                                                         static_cast<std::uint8_t>(level));
                    tile[word] = rows;
                    sums[0] += static_cast<u64>(std::popcount(rows));
                    for (int p = 0; p < N; ++p)
                        sums[p + 1] +=
                            static_cast<u64>(std::popcount(rows & planes[p * n_words + start + word]));
                }
                for (int p = 0; p <= N; ++p) own[p] += sums[p];
                if (n_classes > N + 1)
                    add_common<Machine>(std::span<const u64>(tile).first(n),
                                        planes.subspan(N * n_words + start), n_words, own.subspan(N + 1));
            }
        }
    }
};

void column_sums(const In& codes_, const In& n_levels_, const In& candidates_, const In& positions_,
                 const In& class_planes_, const In& class_sizes_, const In& phi_, const ChanceTables& tables,
                 const Out& sums_) {
    const auto codes = matrix<const std::uint8_t>(codes_, "codes");
    const auto n_levels = vector<const i64>(n_levels_, "n_levels"),
               candidates = vector<const i64>(candidates_, "candidates");
    const auto positions = vector<const i64>(positions_, "positions");
    const auto class_planes = vector<const u64>(class_planes_, "class_planes");
    const auto class_sizes = vector<const i64>(class_sizes_, "class_sizes");
    const auto phi = read_phi(phi_, 0);
    const auto sums = matrix<i64>(sums_, "sums");
    const i64 n_words = codes.n_columns / WORD, n_classes = length(class_sizes);
    require(n_classes > 0 && (n_classes - 1) * n_words <= length(class_planes),
            "class_planes must hold a plane per class above 0");
    require(length(n_levels) == codes.n_rows && all_below(candidates, codes.n_rows),
            "candidates must be rows of codes");
    require(sums.n_rows == 3 && length(positions) == codes.n_rows && all_below(positions, sums.n_columns),
            "positions must be columns of sums");
    for (const i64 j : candidates)
        require(n_levels[j] > 0 && n_levels[j] <= 256, "n_levels must be numbers of one-byte levels");
    const auto n_rows_of = [&](i64) {
        return std::accumulate(class_sizes.begin(), class_sizes.end(), i64{0});
    };
    const ChanceWithin chance = chance_of(tables, 0, 1, n_rows_of);
    nb::gil_scoped_release release;
    std::vector<u64> memory;  // zero between columns
    for (const i64 j : candidates) {
        const auto cells = with_room(memory, n_levels[j] * n_classes);
        on_this_processor<CountColumn>(codes[j], n_levels[j], n_words, class_planes, class_sizes, cells);
        const Sums found = sum_and_clear(cells, 1, n_classes, phi, chance);
        write(found, sums, positions[j]);
    }
}

// Fill `chosen` with the candidates of the highest bounds; `chosen` is no longer than these.
void leaders(const In& candidates_, const In& bounds_, const Out& chosen_) {
    const auto candidates = vector<const i64>(candidates_, "candidates"),
               bounds = vector<const i64>(bounds_, "bounds");
    const auto chosen = vector<i64>(chosen_, "chosen");
    require(chosen.size() <= candidates.size(), "chosen must be no longer than candidates");
    nb::gil_scoped_release release;
    const i64 most = length(chosen);
    i64 n = 0, least = 0;  // how many are chosen, and the lowest of their bounds
    if (most == 0) return;
    bool have_bounds = true;
    for (const i64 f : candidates) {
        have_bounds &= static_cast<u64>(f) < bounds.size();
        if (!have_bounds) break;
        if (n == most && bounds[f] <= least) continue;
        i64 place = std::min(n, most - 1);
        n = place + 1;
        for (; place > 0 && bounds[chosen[place - 1]] < bounds[f]; --place) chosen[place] = chosen[place - 1];
        chosen[place] = f;
        least = bounds[chosen[n - 1]];
    }
    require(have_bounds, "candidates must have bounds");
}

// -- columns stored as the rows that differ from their usual level ----------------------------------------

// Rows of cells that are counted up, or down from all rows of a level of s.
struct Tally {
    std::vector<i64> stored;  // rows counted in each cell; rows taken away in the cells of the usual level
    i64 width;                // cells per level

    i64 before_adding(i64 level, i64 q) { return stored[level * width + q]++; }
    i64 before_taking(i64 level, i64 q, i64 all) { return all - stored[level * width + q]++; }
    void clear(i64 level, i64 q) { stored[level * width + q] = 0; }
};

// As `pair_sums`, touching only the stored rows of each candidate. The usual level holds N(s,y) less the
// stored rows; cells without stored rows keep φ(N(s,y)).
void sparse_pair_sums(const In& starts_, const In& rows_, const In& codes_, const In& usual_,
                      const In& n_levels_, const In& candidates_, const In& positions_, const In& joint_,
                      i64 n_s, i64 n_y, const In& s_counts_, const In& sy_counts_, const In& phi_,
                      const ChanceTables& tables, i64 first_level, const Out& sums_) {
    const auto starts = vector<const i64>(starts_, "starts");
    const auto rows = vector<const std::int32_t>(rows_, "rows");
    const auto usual = vector<const i64>(usual_, "usual"),
               n_levels = vector<const i64>(n_levels_, "n_levels");
    const auto candidates = vector<const i64>(candidates_, "candidates"),
               positions = vector<const i64>(positions_, "positions");
    const auto s_counts = vector<const i64>(s_counts_, "s_counts"),
               sy_counts = vector<const i64>(sy_counts_, "sy_counts");
    const auto phi = read_phi(phi_, 0);
    const auto sums = matrix<i64>(sums_, "sums");
    const i64 n_columns = length(usual);
    check_levels(n_s), check_levels(n_y);
    const i64 n_joint = n_s * n_y;
    require(length(starts) == n_columns + 1 && are_starts(starts, length(rows)),
            "starts must ascend within rows");
    require(
        length(n_levels) == n_columns && length(positions) == n_columns && all_below(candidates, n_columns),
        "candidates must be columns");
    require(sums.n_rows == 3 && all_below(positions, sums.n_columns), "positions must be columns of sums");
    require(length(s_counts) >= n_s && length(sy_counts) >= n_joint,
            "s_counts and sy_counts must count every level");
    const auto chance = chance_of(tables, first_level, n_s, [&](i64 level) { return s_counts[level]; });
    by_type<std::uint8_t, std::uint16_t, std::uint32_t>(codes_, "codes", [&](auto of_f) {
        by_code_type(joint_, "joint", [&](auto of_s) {
            const auto codes = vector<const decltype(of_f)>(codes_, "codes");
            const auto joint = vector<const decltype(of_s)>(joint_, "joint");
            require(codes.size() == rows.size(), "codes must be as long as rows");
            nb::gil_scoped_release release;
            require(all_below(joint, n_joint), "joint must be below levels times classes");
            i64 widest = 0;
            for (const i64 j : candidates) {
                const i64 start = starts[j], n = starts[j + 1] - start;
                check_levels(n_levels[j], most_levels<decltype(of_f)>);
                require(usual[j] >= 0 && usual[j] < n_levels[j], "usual must be below n_levels");
                require(all_below(rows.subspan(start, n), length(joint)),
                        "rows must be below the number of rows");
                require(all_below(codes.subspan(start, n), n_levels[j]), "codes must be below n_levels");
                widest = std::max(widest, n_levels[j]);
            }
            Tally cells{std::vector<i64>(widest * n_joint), n_joint};
            Tally pairs{std::vector<i64>(n_y > 1 ? widest * n_s : 0), n_s};
            const bool by_chance = n_y > 1 && chance.any();
            Sums unsplit;
            for (i64 s = 0; s < n_s; ++s) {
                unsplit.fs += phi[s_counts[s]];
                if (by_chance) unsplit.expected += chance.of(s, s_counts[s]);
            }
            for (i64 q = 0; q < n_joint; ++q) unsplit.fsy += phi[sy_counts[q]];
            for (const i64 j : candidates) {
                Sums found = unsplit;
                for (i64 at = starts[j]; at < starts[j + 1]; ++at) {
                    const auto level = static_cast<i64>(codes[at]), q = static_cast<i64>(joint[rows[at]]);
                    const i64 own = cells.before_adding(level, q),
                              left = cells.before_taking(usual[j], q, sy_counts[q]);
                    found.fsy += phi[own + 1] - phi[own] + phi[left - 1] - phi[left];
                    if (n_y == 1) continue;
                    const i64 s = q / n_y, paired = pairs.before_adding(level, s),
                              unpaired = pairs.before_taking(usual[j], s, s_counts[s]);
                    found.fs += phi[paired + 1] - phi[paired] + phi[unpaired - 1] - phi[unpaired];
                    if (by_chance)
                        found.expected += chance.of(s, paired + 1) - chance.of(s, paired) +
                                          chance.of(s, unpaired - 1) - chance.of(s, unpaired);
                }
                for (i64 at = starts[j]; at < starts[j + 1]; ++at) {
                    const auto level = static_cast<i64>(codes[at]), q = static_cast<i64>(joint[rows[at]]);
                    cells.clear(level, q), cells.clear(usual[j], q);
                    if (n_y > 1) pairs.clear(level, q / n_y), pairs.clear(usual[j], q / n_y);
                }
                if (n_y == 1) found.fs = found.fsy;
                write(found, sums, positions[j]);
            }
        });
    });
}

}  // namespace

void bind_pairs(nb::module_& module) {
    module.def("pair_sums", &pair_sums, nb::arg("codes"), nb::arg("n_levels"), nb::arg("planes"),
               nb::arg("first_plane"), nb::arg("plane_counts"), nb::arg("candidates"), nb::arg("positions"),
               nb::arg("joint"), nb::arg("index"), nb::arg("s_planes"), nb::arg("s_counts"),
               nb::arg("chance"), nb::arg("i"), nb::arg("n_rows"), nb::arg("n_words"), nb::arg("n_classes"),
               nb::arg("phi"), nb::arg("sums"));
    module.def("lazy_minimum", &lazy_minimum, nb::arg("codes"), nb::arg("n_levels"), nb::arg("planes"),
               nb::arg("first_plane"), nb::arg("plane_counts"), nb::arg("candidates"), nb::arg("joint"),
               nb::arg("index"), nb::arg("s_planes"), nb::arg("s_counts"), nb::arg("chance"),
               nb::arg("n_selected"), nb::arg("n_rows"), nb::arg("n_words"), nb::arg("n_classes"),
               nb::arg("phi"), nb::arg("offsets"), nb::arg("bounds"), nb::arg("n_seen"), nb::arg("counted"),
               nb::arg("positions"), nb::arg("best"), nb::arg("slack"), nb::arg("finalists"));
    module.def("join_classes", &join_classes, nb::arg("codes"), nb::arg("labels"), nb::arg("n_classes"),
               nb::arg("joint"), nb::arg("counts"));
    module.def("pack", &pack, nb::arg("codes"), nb::arg("columns"), nb::arg("n_levels"), nb::arg("first"),
               nb::arg("planes"));
    module.def("class_counts", &class_counts, nb::arg("n_levels"), nb::arg("planes"), nb::arg("first_plane"),
               nb::arg("plane_counts"), nb::arg("candidates"), nb::arg("class_planes"), nb::arg("n_words"));
    module.def("column_sums", &column_sums, nb::arg("codes"), nb::arg("n_levels"), nb::arg("candidates"),
               nb::arg("positions"), nb::arg("class_planes"), nb::arg("class_sizes"), nb::arg("phi"),
               nb::arg("chance"), nb::arg("sums"));
    module.def("join_column", &join_column, nb::arg("codes"), nb::arg("n_levels"), nb::arg("n_cells"),
               nb::arg("cells"));
    module.def("nested_sums", &nested_sums, nb::arg("n_levels"), nb::arg("n_cells"), nb::arg("n_classes"),
               nb::arg("phi"), nb::arg("chance"), nb::arg("cells"), nb::arg("sums"));
    module.def("leaders", &leaders, nb::arg("candidates"), nb::arg("bounds"), nb::arg("chosen"));
    module.def("sparse_pair_sums", &sparse_pair_sums, nb::arg("starts"), nb::arg("rows"), nb::arg("codes"),
               nb::arg("usual"), nb::arg("n_levels"), nb::arg("candidates"), nb::arg("positions"),
               nb::arg("joint"), nb::arg("n_s"), nb::arg("n_y"), nb::arg("s_counts"), nb::arg("sy_counts"),
               nb::arg("phi"), nb::arg("chance"), nb::arg("first_level"), nb::arg("sums"));
}

}  // namespace entropick
