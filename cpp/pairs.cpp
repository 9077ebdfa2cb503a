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
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <vector>

#include "arrays.hpp"
#include "chance.hpp"
#include "codes.hpp"
#include "processor.hpp"
#include "race.hpp"

namespace entropick {
namespace {

// Candidates with up to this many levels keep bit planes: half of the memory of their one-byte codes.
constexpr i64 PLANE_LEVELS = 5;
constexpr i64 PLANE_CLASSES = 64;  // up to this many classes are counted by planes
// A selected column joined with the classes gets bit planes up to this many levels; it is only one column.
constexpr i64 SELECTED_PLANE_LEVELS = 256;

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

// One of the selected columns. Its planes are those of its levels above 0, each cut into its classes.
struct SelectedColumn {
    i64 n_levels;
    bool has_planes;
    std::span<const u64> planes, counts;  // N(s,y), level-major
    ChanceWithin chance;
};

i64 words_of(i64 n_rows) { return (n_rows + WORD - 1) / WORD; }

// The classes of the rows, which must be there but are not trusted.
struct Labels {
    In memory;
    std::span<const std::int32_t> values;
    i64 n_classes;

    Labels(const In& labels, i64 n)
        : memory(labels), values(vector<const std::int32_t>(labels, "labels")), n_classes(n) {
        require(n > 0 && n <= MOST, "n_classes must be a number of classes");
        require(length(values) < MOST, "labels must be of a number of rows");
    }

    i64 n_rows() const { return length(values); }
    i64 of(i64 row) const { return n_classes > 1 ? values[row] : 0; }  // a single class is left out
};

// -- by planes --------------------------------------------------------------------------------------------

bool are_few_cells(i64 n_levels, const SelectedColumn& s, i64 n_classes) {
    const i64 n_f = n_levels - 1, n_s = s.n_levels - 1;
    return s.has_planes && n_f <= PLANE_CELLS && n_s <= PLANE_CELLS && n_f * n_s * n_classes <= PLANE_CELLS;
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

// Σ φ over the cells counted by planes and those of level 0, which take what is left over. `plane_counts` are
// N(f,y) of the levels above 0. `left` begins with the rows of each (s,y), from which the levels above 0 of f
// are taken away; behind these are the rows of one level of f. N_Y is the number of classes where the
// compiler is to know it, else 0.
template <i64 N_Y>
Sums sum_with_level_0(std::span<const u64> cells, std::span<const std::uint32_t> plane_counts, i64 n_f,
                      const SelectedColumn& s, i64 n_classes, Phi phi, std::span<u64> left) {
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
        copy_to(plane_counts.subspan(a * n_y, n_y), of_f);
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
    static Sums run(Machine, const Planes& f, std::span<const std::uint32_t> plane_counts,
                    const SelectedColumn& s, i64 n_y, Phi phi, std::span<u64> cells, std::span<u64> left) {
        count_planes<Machine>(f, {s.planes, (s.n_levels - 1) * n_y, f.n_words}, cells);
        const auto sum = [&]<i64 N_Y>() {
            return sum_with_level_0<N_Y>(cells, plane_counts, f.n + 1, s, n_y, phi, left);
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
    std::vector<i64> listed_cells, listed_pairs;  // zero between pairs, too

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

// -- columns stored as the rows that differ from their usual level ----------------------------------------

// A selected column joined with the classes.
struct Joined {
    i64 n_levels;
    // s · n_classes + y of each row, and 0 up to whole words
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>,
                 std::vector<u64>>
        joint;
    bool has_planes;
    std::vector<u64> planes, counts;
    std::vector<i64> sizes;  // N(s)
    i64 first_level;         // in the tables of chance
    Sums unsplit;            // of its own levels
};

// Sums of a candidate that touch only its stored rows. The usual level holds N(s,y) less the stored rows;
// cells without stored rows keep φ(N(s,y)).
template <class F, class S>
Sums sums_of_listed(const ListedColumn<F>& f, std::span<const S> joint, const Joined& joined,
                    const SelectedColumn& s, i64 n_y, Phi phi, Scratch& scratch) {
    const i64 n_s = s.n_levels, n_joint = n_s * n_y;
    // Rows counted in each cell; rows taken away in the cells of the usual level.
    const auto cells = with_room(scratch.listed_cells, f.n_levels * n_joint);
    const auto pairs = with_room(scratch.listed_pairs, n_y > 1 ? f.n_levels * n_s : 0);
    const bool by_chance = n_y > 1 && s.chance.any();
    Sums found = joined.unsplit;
    for (i64 at = 0; at < length(f.rows); ++at) {
        const auto level = static_cast<i64>(f.codes[at]), q = static_cast<i64>(joint[f.rows[at]]);
        const i64 own = cells[level * n_joint + q]++;
        const i64 left = static_cast<i64>(s.counts[q]) - cells[f.usual * n_joint + q]++;
        found.fsy += phi[own + 1] - phi[own] + phi[left - 1] - phi[left];
        if (n_y == 1) continue;
        const i64 of_s = q / n_y, paired = pairs[level * n_s + of_s]++;
        const i64 unpaired = joined.sizes[of_s] - pairs[f.usual * n_s + of_s]++;
        found.fs += phi[paired + 1] - phi[paired] + phi[unpaired - 1] - phi[unpaired];
        if (by_chance)
            found.expected += s.chance.of(of_s, paired + 1) - s.chance.of(of_s, paired) +
                              s.chance.of(of_s, unpaired - 1) - s.chance.of(of_s, unpaired);
    }
    for (i64 at = 0; at < length(f.rows); ++at) {
        const auto level = static_cast<i64>(f.codes[at]), q = static_cast<i64>(joint[f.rows[at]]);
        cells[level * n_joint + q] = cells[f.usual * n_joint + q] = 0;
        if (n_y > 1) pairs[level * n_s + q / n_y] = pairs[f.usual * n_s + q / n_y] = 0;
    }
    if (n_y == 1) found.fs = found.fsy;
    return found;
}

// -- columns alone and by class ---------------------------------------------------------------------------

WordOfCodes codes_of_word(std::span<const std::uint8_t> codes, i64 word) {
    return codes.subspan(word * WORD).first<WORD>();
}

// The planes of the levels from `level` on.
struct PackColumn {
    template <class Machine>
    static void run(Machine, std::span<const std::uint8_t> codes, i64 level, i64 n_levels, i64 n_words,
                    std::span<u64> planes) {
        i64 at = 0;
        const auto pack_some = [&]<int N>() {  // N levels at a time: their codes are read once
            for (; level + N <= n_levels; level += N, at += N * n_words)
                pack_levels<Machine, N>(codes, level, n_words, planes.subspan(at, N * n_words));
        };
        pack_some.template operator()<4>();
        pack_some.template operator()<2>();
        pack_some.template operator()<1>();
    }

    template <class Machine, int N>
    static void pack_levels(std::span<const std::uint8_t> codes, i64 level, i64 n_words,
                            std::span<u64> planes) {
        std::array<std::span<u64>, N> to;
        for (int l = 0; l < N; ++l) to[l] = planes.subspan(l * n_words, n_words);
        for (i64 word = 0; word < n_words; ++word) {
            const auto own = codes_of_word(codes, word);
            for (int l = 0; l < N; ++l)
                to[l][word] = Machine::equal_mask(own, static_cast<std::uint8_t>(level + l));
        }
    }
};

// N(f,y) of the planes of one column.
struct ClassCounts {
    template <class Machine>
    static void run(Machine, std::span<const u64> planes, i64 n_words, std::span<const u64> class_planes,
                    i64 n_y, std::span<std::uint32_t> counts, std::span<u64> cells) {
        const i64 n_planes = length(counts) / n_y;
        for (i64 plane = 0; plane < n_planes; ++plane) {
            const auto f = planes.subspan(plane * n_words, n_words);
            fill(cells, 0);
            add_common<Machine>(f, f, n_words, cells.first(1));
            add_common<Machine>(f, class_planes, n_words, cells.subspan(1));
            for (i64 y = 1; y < n_y; ++y) cells[0] -= cells[y];
            const auto own = counts.subspan(plane * n_y, n_y);
            for (i64 y = 0; y < n_y; ++y) own[y] = static_cast<std::uint32_t>(cells[y]);
        }
    }
};

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

// -- selected columns -------------------------------------------------------------------------------------

// Columns that candidates are counted against, and what their counts are summed by. It owns all it needs of
// them. Threads that count wait while a column is added.
class Selected {
   public:
    Selected(const In& labels, i64 n_classes, const In& phi, double chance_scale)
        : labels_(labels, n_classes),
          phi_memory_(phi),
          phi_(read_phi(phi, labels_.n_rows())),
          chance_scale_(chance_scale) {
        require(chance_scale >= 0.0, "chance_scale must not be negative");
    }

    void add(const In& codes, i64 n_levels);

    i64 n() const { return static_cast<i64>(columns_.size()); }
    i64 n_rows() const { return labels_.n_rows(); }
    i64 n_classes() const { return labels_.n_classes; }
    Phi phi() const { return phi_; }
    const Joined& joined(i64 i) const { return columns_[i]; }
    std::shared_mutex& mutex() const { return mutex_; }

    SelectedColumn column(i64 i) const {
        const Joined& own = columns_[i];
        return {own.n_levels, own.has_planes, own.planes, own.counts, chance(own)};
    }

   private:
    ChanceWithin chance(const Joined& own) const {
        if (chance_.levels().empty()) return {};
        return {&chance_, chance_.levels().subspan(own.first_level, own.n_levels)};
    }

    template <class Joint, class Code>
    void join(std::span<const Code> codes, Joined& column) const;
    void pack(Joined& column) const;
    void sum_up(Joined& column) const;

    Labels labels_;
    In phi_memory_;
    Phi phi_;
    double chance_scale_;
    ChanceTables chance_;
    std::deque<Joined> columns_;
    mutable std::shared_mutex mutex_;
};

template <class Joint, class Code>
void Selected::join(std::span<const Code> codes, Joined& column) const {
    using Wide = std::conditional_t<sizeof(Joint) == 8, u64, std::uint32_t>;
    const i64 n_rows = labels_.n_rows();
    std::vector<Joint> memory(words_of(n_rows) * WORD);
    const auto joint = std::span(memory).first(n_rows);
    const auto width = static_cast<Wide>(labels_.n_classes);
    if (labels_.n_classes > 1)
        for (i64 row = 0; row < n_rows; ++row)
            joint[row] = static_cast<Joint>(static_cast<Wide>(codes[row]) * width +
                                            static_cast<Wide>(labels_.values[row]));
    else
        for (i64 row = 0; row < n_rows; ++row) joint[row] = static_cast<Joint>(codes[row]);
    const std::span<u64> counts(column.counts);
    require(all_below(joint, length(counts)), "labels must be below n_classes");
    for (const Joint q : joint) ++counts[q];
    column.joint = std::move(memory);
}

void Selected::pack(Joined& column) const {
    const i64 n_y = labels_.n_classes, n_words = words_of(labels_.n_rows());
    column.planes.resize((column.n_levels - 1) * n_y * n_words);
    const std::span<const std::uint8_t> joint(std::get<std::vector<std::uint8_t>>(column.joint));
    on_this_processor<PackColumn>(joint, n_y, column.n_levels * n_y, n_words, std::span(column.planes));
}

void Selected::sum_up(Joined& column) const {
    const i64 n_y = labels_.n_classes;
    column.sizes.resize(column.n_levels);
    const bool by_chance = !chance_.levels().empty();
    for (i64 level = 0; level < column.n_levels; ++level) {
        for (const u64 count : std::span<const u64>(column.counts).subspan(level * n_y, n_y)) {
            column.sizes[level] += static_cast<i64>(count);
            column.unsplit.fsy += phi_[static_cast<i64>(count)];
        }
        column.unsplit.fs += phi_[column.sizes[level]];
        if (by_chance) column.unsplit.expected += chance(column).of(level, column.sizes[level]);
    }
}

void Selected::add(const In& codes_, i64 n_levels) {
    require(n_levels > 0 && n_levels <= MOST, "n_levels must be a number of levels");
    const i64 n_joint = n_levels * labels_.n_classes;
    by_stored_type(codes_, "codes", [&]<class Code>(Code) {
        const auto codes = vector<const Code>(codes_, "codes");
        require(length(codes) == labels_.n_rows(), "codes must have one entry per row");
        nb::gil_scoped_release release;
        require(all_below(codes, n_levels), "codes must be below n_levels");
        Joined column{n_levels, {}, n_joint <= SELECTED_PLANE_LEVELS, {}, {}, {}, 0, {}};
        column.counts.resize(n_joint);
        if (n_joint <= most_levels<std::uint8_t>)
            join<std::uint8_t>(codes, column);
        else if (n_joint <= most_levels<std::uint16_t>)
            join<std::uint16_t>(codes, column);
        else if (n_joint <= MOST)
            join<std::uint32_t>(codes, column);
        else
            join<u64>(codes, column);
        if (column.has_planes) pack(column);
        const std::unique_lock lock(mutex_);
        if (chance_scale_ > 0.0 && labels_.n_classes > 1) {
            column.first_level = length(chance_.levels());
            chance_.add(column.counts, labels_.n_classes, chance_scale_);
        }
        sum_up(column);
        columns_.push_back(std::move(column));
    });
}

// -- candidates -------------------------------------------------------------------------------------------

// The columns of a table as candidates. Those of few levels get bit planes when they are first counted;
// memory that is never written to is not taken, so columns that are never asked for cost nothing.
class PairCounter {
   public:
    PairCounter(const CodeTable& table, const In& labels, i64 n_classes);

    const CodeTable& table() const { return table_; }
    i64 n_classes() const { return labels_.n_classes; }
    double seconds_per_pair() const { return seconds_per_pair_; }  // roughly

    void sums(const In& candidates, const Selected& selected, i64 i, const Out& sums) const;
    void column_sums(const In& candidates, const Selected& constant, const Out& sums) const;

    void check(const Selected& selected) const {
        require(selected.n_rows() == table_.n_rows() && selected.n_classes() == labels_.n_classes,
                "selected columns must have the rows and classes of the table");
    }

    bool has_few_levels(i64 j) const { return first_plane_[j] >= 0; }
    bool has_planes(i64 j) const;  // packs them if they are missing
    Planes planes(i64 j) const {
        const i64 n = table_.n_levels(j) - 1;
        return {all_planes().subspan(first_plane_[j] * n_words_, n * n_words_), n, n_words_};
    }
    std::span<const std::uint32_t> plane_counts(i64 j) const { return counts_of(j); }

   private:
    enum State : std::uint8_t { MISSING, BEING_PACKED, READY };

    std::span<u64> all_planes() const {
        return {planes_.get(), static_cast<std::size_t>(n_planes_ * n_words_)};
    }
    std::span<std::uint32_t> counts_of(i64 j) const {
        const std::span<std::uint32_t> all(plane_counts_.get(), n_planes_ * labels_.n_classes);
        return all.subspan(first_plane_[j] * labels_.n_classes, (table_.n_levels(j) - 1) * labels_.n_classes);
    }
    std::span<const std::uint8_t> bytes_of(i64 j) const {
        return table_.with_stored(j, [](auto codes) -> std::span<const std::uint8_t> {
            if constexpr (sizeof(codes[0]) == 1)
                return codes;
            else
                return {};
        });
    }
    void pack(i64 j) const;

    const CodeTable& table_;
    Labels labels_;
    i64 n_words_, n_planes_ = 0;
    double seconds_per_pair_ = 0.0;
    std::vector<i64> class_sizes_;
    std::vector<u64> class_planes_;  // of the classes above 0
    std::vector<i64> first_plane_;   // of each column, of its level 1; -1 where it has no planes
    mutable std::vector<std::atomic<State>> state_;
    std::unique_ptr<u64[]> planes_;
    std::unique_ptr<std::uint32_t[]> plane_counts_;  // N(f,y) of each plane
};

PairCounter::PairCounter(const CodeTable& table, const In& labels, i64 n_classes)
    : table_(table),
      labels_(labels, n_classes),
      n_words_(words_of(table.n_rows())),
      class_sizes_(n_classes),
      first_plane_(table.n_columns(), -1),
      state_(table.n_columns()) {
    require(labels_.n_rows() == table.n_rows(), "labels must have one entry per row");
    const i64 n_rows = table.n_rows();
    std::vector<std::uint8_t> classes(n_classes <= PLANE_CLASSES ? n_words_ * WORD : 0);
    for (i64 row = 0; row < n_rows; ++row) {
        const i64 y = labels_.of(row);
        require(y >= 0 && y < n_classes, "labels must be below n_classes");
        ++class_sizes_[y];
        if (!classes.empty()) classes[row] = static_cast<std::uint8_t>(y);
    }
    const auto rows = static_cast<double>(n_rows);
    double seconds = 0.0;
    for (i64 j = 0; j < table.n_columns(); ++j) {
        if (table.is_sparse(j)) {
            seconds += table.with_listed(
                j, [](const auto& f) { return 1e-7 + 4e-9 * static_cast<double>(f.rows.size()); });
        } else if (n_classes <= PLANE_CLASSES && table.n_levels(j) <= PLANE_LEVELS &&
                   length(bytes_of(j)) >= n_words_ * WORD) {
            first_plane_[j] = n_planes_;
            n_planes_ += table.n_levels(j) - 1;
            seconds += 6e-8 + rows * 1e-10;
        } else {
            seconds += 6e-8 + rows * 8e-10;
        }
    }
    seconds_per_pair_ = seconds / static_cast<double>(std::max<i64>(table.n_columns(), 1));
    planes_.reset(new u64[n_planes_ * n_words_]);
    plane_counts_.reset(new std::uint32_t[n_planes_ * n_classes]);
    if (n_classes <= PLANE_CLASSES) {
        class_planes_.resize((n_classes - 1) * n_words_);
        on_this_processor<PackColumn>(std::span<const std::uint8_t>(classes), i64{1}, n_classes, n_words_,
                                      std::span(class_planes_));
    }
}

bool PairCounter::has_planes(i64 j) const {
    if (!has_few_levels(j)) return false;
    State state = state_[j].load(std::memory_order_acquire);
    if (state == READY) return true;
    if (state == BEING_PACKED || !state_[j].compare_exchange_strong(state, BEING_PACKED))
        return false;  // another thread is at it: this one counts the codes, which gives the same sums
    pack(j);
    state_[j].store(READY, std::memory_order_release);
    return true;
}

void PairCounter::pack(i64 j) const {
    const i64 n_y = labels_.n_classes, n_levels = table_.n_levels(j);
    const auto own = all_planes().subspan(first_plane_[j] * n_words_, (n_levels - 1) * n_words_);
    on_this_processor<PackColumn>(bytes_of(j), i64{1}, n_levels, n_words_, own);
    std::array<u64, PLANE_CLASSES> cells;
    on_this_processor<ClassCounts>(std::span<const u64>(own), n_words_, std::span<const u64>(class_planes_),
                                   n_y, counts_of(j), std::span(cells).first(n_y));
}

// Counts pairs, with memory that they share.
class PairLoop {
   public:
    PairLoop(const PairCounter& counter, const Selected& selected)
        : counter_(counter), selected_(selected), phi_(selected.phi()), n_y_(selected.n_classes()) {}

    // Of candidate j and selected column i, which is s.
    Sums operator()(i64 j, i64 i, const SelectedColumn& s) {
        const CodeTable& table = counter_.table();
        const i64 n_f = table.n_levels(j), n_joint = s.n_levels * n_y_;
        if (counter_.has_few_levels(j) && are_few_cells(n_f, s, n_y_) && counter_.has_planes(j))
            return on_this_processor<SumsByPlanes>(
                counter_.planes(j), counter_.plane_counts(j), s, n_y_, phi_,
                with_room(scratch_.plane_cells, (n_f - 1) * (s.n_levels - 1) * n_y_),
                with_room(scratch_.left, n_joint + n_y_));
        const Joined& joined = selected_.joined(i);
        return std::visit(
            [&]<class S>(const std::vector<S>& memory) {
                const auto joint = std::span<const S>(memory).first(table.n_rows());
                if (table.is_sparse(j))
                    return table.with_listed(j, [&](const auto& f) {
                        return sums_of_listed(f, joint, joined, s, n_y_, phi_, scratch_);
                    });
                return table.with_dense(j, [&]<class F>(std::span<const F> f) {
                    const Pair<F, S> pair{f, joint, table.n_rows(), static_cast<u64>(n_joint)};
                    return sums_without_planes(pair, n_f, s, n_y_, phi_, scratch_);
                });
            },
            joined.joint);
    }

   private:
    const PairCounter& counter_;
    const Selected& selected_;
    Phi phi_;
    i64 n_y_;
    Scratch scratch_;
};

void write(const Sums& found, Matrix<i64> sums, i64 column) {
    sums[0][column] = found.fs;
    sums[1][column] = found.fsy;
    sums[2][column] = found.expected;
}

Matrix<i64> read_sums(const Out& sums_, const CodeTable& table) {
    const auto sums = matrix<i64>(sums_, "sums");
    require(sums.n_rows == 3 && sums.n_columns == table.n_columns(), "sums must be (3, columns)");
    return sums;
}

void PairCounter::sums(const In& candidates_, const Selected& selected, i64 i, const Out& sums_) const {
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto sums = read_sums(sums_, table_);
    table_.check_columns(candidates);
    check(selected);
    nb::gil_scoped_release release;
    const std::shared_lock lock(selected.mutex());
    require(i >= 0 && i < selected.n(), "i must be a selected column");
    const auto s = selected.column(i);
    PairLoop count(*this, selected);
    for (const i64 j : candidates) {
        const Sums found = count(j, i, s);
        write(found, sums, j);
    }
}

// Sums of columns alone; those of few levels by planes that are not kept.
void PairCounter::column_sums(const In& candidates_, const Selected& constant, const Out& sums_) const {
    const auto candidates = vector<const i64>(candidates_, "candidates");
    const auto sums = read_sums(sums_, table_);
    table_.check_columns(candidates);
    check(constant);
    nb::gil_scoped_release release;
    const std::shared_lock lock(constant.mutex());
    require(constant.n() == 1 && constant.joined(0).n_levels == 1, "constant must be a column of one level");
    const auto s = constant.column(0);
    PairLoop count(*this, constant);
    std::vector<u64> memory;  // zero between columns
    for (const i64 j : candidates) {
        if (!has_few_levels(j)) {
            write(count(j, 0, s), sums, j);
            continue;
        }
        const auto cells = with_room(memory, table_.n_levels(j) * labels_.n_classes);
        on_this_processor<CountColumn>(bytes_of(j), table_.n_levels(j), n_words_,
                                       std::span<const u64>(class_planes_),
                                       std::span<const i64>(class_sizes_), cells);
        const Sums found = sum_and_clear(cells, 1, labels_.n_classes, constant.phi(), s.chance);
        write(found, sums, j);
    }
}

// -- the race for the best minimum ------------------------------------------------------------------------

// Scores that are minima over the selected columns and can only fall as these become more, so that a stale
// minimum is an upper bound (Fleuret 2004). A candidate is counted only while its bound reaches the second
// best exact score: winner, runner-up and ties come out exact.
class Race {
   public:
    Race(const PairCounter& counter, const Selected& selected, const In& start, i64 slack);

    // Column `column` was selected: it no longer takes part. Its term for f is Σ φ(N(f,s,y)) − Σ φ(N(f,s)) −
    // what is expected + offset.
    void include(i64 column, i64 offset);

    using Columns = std::vector<i64>;
    Columns leaders(std::span<const i64> candidates);
    Columns lower(std::span<const i64> columns);
    Columns rivals(std::span<const i64> candidates, std::span<const i64> finalists);
    Columns scores(std::span<const i64> columns) const;

    i64 n_columns() const { return static_cast<i64>(bounds_.size()); }
    std::shared_mutex& mutex() const { return mutex_; }

   private:
    static constexpr i64 N_LEADERS = 8;  // candidates brought up to date first
    static constexpr i64 MANY =
        8;  // at most one column in this many is sorted; if more may win, all are visited
    static constexpr i64 LOWEST = std::numeric_limits<i64>::min();

    struct Best {  // the best two exact scores of this step
        i64 first = LOWEST / 2, second = LOWEST / 2;

        void take(i64 score) {
            second = std::max(second, std::min(first, score));
            first = std::max(first, score);
        }
    };

    bool are_all(std::span<const i64> candidates) const {
        return length(candidates) + static_cast<i64>(offsets_.size()) == n_columns();
    }
    Columns everything() const;
    Columns head();

    const PairCounter& counter_;
    const Selected& selected_;
    i64 slack_;
    std::vector<i64> offsets_;
    // Of each column: a minimum over the first n_seen selected ones, never below the score; and how many
    // there were when it was last a finalist.
    std::vector<i64> bounds_, n_seen_, counted_;
    Best best_;
    Columns order_;              // the columns of the highest bounds, descending,
    std::vector<i64> ceilings_;  // and these bounds, as they were when they were sorted
    i64 n_known_;                // how many of them may have reached the last second best score
    mutable std::shared_mutex mutex_;
};

Race::Race(const PairCounter& counter, const Selected& selected, const In& start_, i64 slack)
    : counter_(counter), selected_(selected), slack_(slack) {
    const auto start = vector<const i64>(start_, "start");
    require(length(start) == counter.table().n_columns(), "start must have one entry per column");
    counter.check(selected);
    bounds_.assign(start.begin(), start.end());
    n_seen_.resize(bounds_.size());
    counted_.resize(bounds_.size());
    n_known_ = n_columns();
}

void Race::include(i64 column, i64 offset) {
    require(column >= 0 && column < n_columns(), "column must be a column of the table");
    offsets_.push_back(offset);
    bounds_[column] = LOWEST;
}

Race::Columns Race::everything() const {
    Columns all(n_columns());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// The columns among which the highest bounds are expected.
Race::Columns Race::head() {
    if (ceilings_.empty() || ceilings_.front() == ceilings_.back()) {  // all alike, as before the first count
        const i64 n_sorted = n_columns() / MANY;
        auto highest = bounds_;
        std::nth_element(highest.begin(), highest.begin() + n_sorted, highest.end(), std::greater<>());
        const i64 limit = highest[n_sorted];
        order_.clear();
        for (i64 f = 0; f < n_columns(); ++f)
            if (bounds_[f] >= limit) order_.push_back(f);
        std::stable_sort(order_.begin(), order_.end(), [&](i64 a, i64 b) { return bounds_[a] > bounds_[b]; });
        order_.resize(std::min<std::size_t>(order_.size(), n_sorted + 1));
        ceilings_.clear();
        for (const i64 f : order_) ceilings_.push_back(bounds_[f]);
    }
    const auto n_ordered = static_cast<i64>(order_.size());
    if (n_known_ >= n_ordered) return everything();
    const i64 n = std::max(n_known_, static_cast<i64>(offsets_.size()) + 2 * N_LEADERS);
    return {order_.begin(), order_.begin() + std::min(n, n_ordered)};
}

// A new step begins: the candidates of the highest bounds, in order. The better the first, the fewer of the
// others must be counted.
Race::Columns Race::leaders(std::span<const i64> candidates) {
    best_ = {};
    const Columns among =
        are_all(candidates) && !candidates.empty() ? head() : Columns(candidates.begin(), candidates.end());
    Columns chosen;
    for (const i64 f : among) {
        if (static_cast<i64>(chosen.size()) == N_LEADERS) {
            if (bounds_[f] <= bounds_[chosen.back()]) continue;
            chosen.pop_back();
        }
        auto place = chosen.end();
        while (place != chosen.begin() && bounds_[place[-1]] < bounds_[f]) --place;
        chosen.insert(place, f);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Those that may still be second best, given the leaders that were counted.
Race::Columns Race::rivals(std::span<const i64> candidates, std::span<const i64> finalists) {
    for (const i64 f : finalists) best_.take(bounds_[f]);
    if (!are_all(candidates)) return {candidates.begin(), candidates.end()};
    const auto reaching = std::upper_bound(ceilings_.begin(), ceilings_.end(), best_.second - slack_,
                                           [](i64 score, i64 ceiling) { return score > ceiling; });
    n_known_ = reaching - ceilings_.begin();
    if (n_known_ >= static_cast<i64>(order_.size())) return everything();
    return {order_.begin(), order_.begin() + n_known_};
}

// Lower the bound of each column until it is exact or out of the race; returns those that are exact.
Race::Columns Race::lower(std::span<const i64> columns) {
    const auto n_selected = static_cast<i64>(offsets_.size());
    const std::shared_lock lock(selected_.mutex());
    require(n_selected == selected_.n(), "every selected column must have been included");
    std::vector<SelectedColumn> s;
    for (i64 i = 0; i < n_selected; ++i) s.push_back(selected_.column(i));
    PairLoop count(counter_, selected_);
    Columns finalists;
    Best best = best_;
    for (const i64 f : columns) {
        i64 bound = bounds_[f], i = n_seen_[f];
        const auto may_win = [&] { return bound >= best.second - slack_; };
        if (!may_win() || counted_[f] == n_selected) continue;
        for (; i < n_selected && may_win(); ++i) {
            const Sums found = count(f, i, s[i]);
            bound = std::min(bound, found.fsy - found.fs - found.expected + offsets_[i]);
        }
        bounds_[f] = bound;
        n_seen_[f] = i;
        if (i < n_selected) continue;
        counted_[f] = n_selected;
        finalists.push_back(f);
        best.take(bound);
    }
    return finalists;
}

Race::Columns Race::scores(std::span<const i64> columns) const {
    Columns found;
    for (const i64 f : columns) found.push_back(bounds_[f]);
    return found;
}

// The columns of the race that an array of Python names.
std::span<const i64> read_columns(const In& columns_, const char* name, const Race& race) {
    const auto columns = vector<const i64>(columns_, name);
    require(all_below(columns, race.n_columns()), "candidates must be columns");
    return columns;
}

// -- the race for the best sum ----------------------------------------------------------------------------

// Sums of what candidates share with the selected columns: I(f;s), or how much of I(f;y) s makes superfluous.
class RedundancyRace {
   public:
    // `columns` are Σ φ(N(f)), Σ φ(N(f,y)) and n·I(f;y); a unit of φ is that many bits per row.
    RedundancyRace(const PairCounter& counter, const Selected& selected, const In& columns, double unit,
                   bool is_capped, const In& score)
        : sums(bits_of(columns, unit), read_score(score)),
          counter_(counter),
          selected_(selected),
          whole_(selected.phi()[selected.n_rows()]),
          unit_(unit),
          is_capped_(is_capped) {
        const auto of_columns = matrix<const i64>(columns, "columns");
        require(of_columns.n_columns == counter.table().n_columns(), "columns must be (3, columns)");
        counter.check(selected);
        f_.assign(of_columns[0].begin(), of_columns[0].end());
        fy_.assign(of_columns[1].begin(), of_columns[1].end());
        of_y_.assign(of_columns[2].begin(), of_columns[2].end());
    }

    void include(i64 column) {
        require(column >= 0 && column < sums.n_columns(), "column must be a column of the table");
        nb::gil_scoped_release release;
        const std::unique_lock lock(sums.mutex());
        picked_.push_back(column);
    }

    template <class Call>
    void with_terms(Call&& call) const {
        const std::shared_lock lock(selected_.mutex());
        const auto n_selected = static_cast<i64>(picked_.size());
        require(n_selected > 0 && n_selected == selected_.n(),
                "every selected column must have been included");
        std::vector<SelectedColumn> s;
        for (i64 i = 0; i < n_selected; ++i) s.push_back(selected_.column(i));
        PairLoop count(counter_, selected_);
        call(n_selected, [&](i64 f, i64 i) { return term(f, picked_[i], count(f, i, s[i])); });
    }

    SumRace sums;

   private:
    // The relevances of columns.
    static std::vector<double> bits_of(const In& columns, double unit) {
        const auto of_columns = matrix<const i64>(columns, "columns");
        require(of_columns.n_rows == 3, "columns must be (3, columns)");
        std::vector<double> bits;
        for (const i64 units : of_columns[2]) bits.push_back(static_cast<double>(units) * unit);
        return bits;
    }

    double term(i64 f, i64 s, const Sums& found) const {
        const i64 redundancy = whole_ - f_[f] - f_[s] + found.fs;
        const double shared = static_cast<double>(redundancy) * unit_;
        if (!is_capped_) return shared;
        const i64 given_pick = found.fsy - found.fs + f_[s] - fy_[s];
        return std::max(0.0, shared - static_cast<double>(redundancy + given_pick - of_y_[f]) * unit_);
    }

    const PairCounter& counter_;
    const Selected& selected_;
    i64 whole_;
    double unit_;
    bool is_capped_;
    std::vector<i64> f_, fy_, of_y_, picked_;
};

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

// Rows grouped by the columns taken in so far, groups of a single class included. As many columns as their
// combinations fit a table are counted at once.
class NestedGroups {
   public:
    NestedGroups(const CodeTable& table, const In& labels, i64 n_classes, const In& phi, double chance_scale)
        : table_(table),
          n_classes_(n_classes),
          n_cells_(n_classes),
          most_cells_(std::min(std::max(NESTED_CELLS, CELLS_PER_ROW * table.n_rows()), MOST)),
          phi_memory_(phi),
          phi_(read_phi(phi, table.n_rows())) {
        const Labels classes(labels, n_classes);
        require(classes.n_rows() == table.n_rows(), "labels must have one entry per row");
        std::vector<u64> class_sizes(n_classes);
        cells_.resize(table.n_rows());
        for (i64 row = 0; row < table.n_rows(); ++row) {
            const i64 y = classes.of(row);
            require(y >= 0 && y < n_classes, "labels must be below n_classes");
            cells_[row] = static_cast<std::uint32_t>(y);
            ++class_sizes[y];
        }
        chance_.add(class_sizes, n_classes, chance_scale);
    }

    // Take columns in; the sums after each: groups, cells, what groups contribute (φ and chance), and cells
    // (φ). None from where on tables would be too large.
    nb::object split(const In& columns_) {
        const auto columns = vector<const i64>(columns_, "columns");
        table_.check_columns(columns);
        std::vector<i64> sums;
        {
            nb::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            sums = sums_after(columns);
        }
        if (sums.empty()) return nb::none();
        const std::size_t n = sums.size() / 4;
        return nb::cast(to_python(std::move(sums), {n, 4}));
    }

   private:
    static constexpr i64 NESTED_CELLS = i64{1} << 18;  // a table has up to this many cells, or CELLS_PER_ROW

    std::vector<i64> sums_after(std::span<const i64> columns) {
        std::vector<i64> sums, joined;  // levels of the columns that are not counted yet
        for (const i64 j : columns) {
            const i64 n_levels = table_.n_levels(j);
            if (!joined.empty() && n_levels > table_.n_rows() / n_cells_) {
                count(joined, sums);
                joined.clear();
            }
            if (n_levels > most_cells_ / n_cells_) {
                most_cells_ = 0;
                return {};
            }
            join(j);
            joined.push_back(n_levels);
        }
        count(joined, sums);
        return sums;
    }

    void join(i64 j) {
        const auto width = static_cast<std::uint32_t>(n_cells_);
        table_.with_column(j, of_sparse_, [&](auto codes) {
            for (std::size_t row = 0; row < cells_.size(); ++row)
                cells_[row] += static_cast<std::uint32_t>(codes[row]) * width;
        });
        n_cells_ *= table_.n_levels(j);
    }

    // Sums over the groups by all columns, by all but the newest, and so on; `joined` are the levels of the
    // newest columns. Rows are counted once: to leave a column out is to add up the cells of its levels. If
    // most groups have no rows, the cells are renumbered.
    void count(std::span<const i64> joined, std::vector<i64>& sums) {
        const std::span<std::uint32_t> rows(cells_);
        const ChanceWithin chance{&chance_, chance_.levels()};
        Scratch scratch;
        auto counts = count_cells(length(rows), n_cells_, scratch, [&](i64 row) { return rows[row]; });
        const auto first = static_cast<i64>(sums.size());
        sums.resize(first + 4 * length(joined));
        i64 n_now = n_cells_;
        for (i64 i = length(joined) - 1; i >= 0; --i) {
            const auto found = std::span(sums).subspan(first + 4 * i, 4);
            const SumsOfGroups of_groups = sum_groups(counts, n_classes_, phi_, chance);
            found[0] = of_groups.n_groups, found[1] = of_groups.n_cells;
            found[2] = of_groups.over_groups, found[3] = of_groups.over_cells;
            const i64 n_occupied = of_groups.n_groups * n_classes_;
            if (length(counts) == n_cells_ && 2 * n_occupied < n_cells_) {
                const auto numbers = group_numbers(counts, n_classes_);
                for (std::uint32_t& cell : rows) cell = numbers[cell];
                n_now = n_occupied;
            }
            counts = without_newest(counts, joined[i]);
        }
        n_cells_ = std::max<i64>(n_now, 1);
    }

    const CodeTable& table_;
    i64 n_classes_, n_cells_, most_cells_;
    In phi_memory_;
    Phi phi_;
    ChanceTables chance_;
    std::vector<std::uint32_t> cells_;  // (group, class) of each row, below n_cells_
    std::vector<std::uint32_t> of_sparse_;
    std::mutex mutex_;
};

}  // namespace

void bind_pairs(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Selected>(module, "Selected")
        .def(nb::init<const In&, i64, const In&, double>(), "labels"_a, "n_classes"_a, "phi"_a,
             "chance_scale"_a)
        .def("add", &Selected::add, "codes"_a, "n_levels"_a);
    nb::class_<PairCounter>(module, "PairCounter")
        .def(nb::init<const CodeTable&, const In&, i64>(), "table"_a, "labels"_a, "n_classes"_a,
             nb::keep_alive<1, 2>())
        .def_prop_ro("seconds_per_pair", &PairCounter::seconds_per_pair)
        .def("sums", &PairCounter::sums, "candidates"_a, "selected"_a, "i"_a, "sums"_a)
        .def("column_sums", &PairCounter::column_sums, "candidates"_a, "constant"_a, "sums"_a);
    nb::class_<Race>(module, "Race")
        .def(nb::init<const PairCounter&, const Selected&, const In&, i64>(), "counter"_a, "selected"_a,
             "start"_a, "slack"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def(
            "include",
            [](Race& race, i64 column, i64 offset) {
                nb::gil_scoped_release release;
                const std::unique_lock lock(race.mutex());
                race.include(column, offset);
            },
            "column"_a, "offset"_a)
        .def(
            "leaders",
            [](Race& race, const In& candidates_) {
                const auto candidates = read_columns(candidates_, "candidates", race);
                Race::Columns found;
                {
                    nb::gil_scoped_release release;
                    const std::unique_lock lock(race.mutex());
                    found = race.leaders(candidates);
                }
                return to_python(std::move(found));
            },
            "candidates"_a)
        .def(
            "lower",
            [](Race& race, const In& columns_) {
                const auto columns = read_columns(columns_, "columns", race);
                Race::Columns found;
                {
                    nb::gil_scoped_release release;
                    const std::shared_lock lock(race.mutex());
                    found = race.lower(columns);
                }
                return to_python(std::move(found));
            },
            "columns"_a)
        .def(
            "rivals",
            [](Race& race, const In& candidates_, const In& finalists_) {
                const auto candidates = read_columns(candidates_, "candidates", race);
                const auto finalists = read_columns(finalists_, "finalists", race);
                Race::Columns found;
                {
                    nb::gil_scoped_release release;
                    const std::unique_lock lock(race.mutex());
                    found = race.rivals(candidates, finalists);
                }
                return to_python(std::move(found));
            },
            "candidates"_a, "finalists"_a)
        .def(
            "scores",
            [](const Race& race, const In& columns_) {
                const auto columns = read_columns(columns_, "columns", race);
                const std::shared_lock lock(race.mutex());
                return to_python(race.scores(columns));
            },
            "columns"_a);
    nb::class_<RedundancyRace> redundancy_race(module, "RedundancyRace");
    redundancy_race
        .def(nb::init<const PairCounter&, const Selected&, const In&, double, bool, const In&>(), "counter"_a,
             "selected"_a, "columns"_a, "unit"_a, "is_capped"_a, "score"_a, nb::keep_alive<1, 2>(),
             nb::keep_alive<1, 3>())
        .def("include", &RedundancyRace::include, "column"_a);
    bind_race<RedundancyRace>(redundancy_race);
    nb::class_<NestedGroups>(module, "NestedGroups")
        .def(nb::init<const CodeTable&, const In&, i64, const In&, double>(), "table"_a, "labels"_a,
             "n_classes"_a, "phi"_a, "chance_scale"_a, nb::keep_alive<1, 2>())
        .def("split", &NestedGroups::split, "columns"_a);
}

}  // namespace entropick
