// What cells tell of the classes by chance, by their size. Only what is asked for is computed.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "arrays.hpp"

namespace entropick {

// Of cells among rows of given classes: exact on a grid of sizes, a polynomial between its points. Points and
// polynomials are computed when they are first needed, by one thread at a time.
class ChanceCurve {
   public:
    template <class Size>
    explicit ChanceCurve(std::span<const Size> class_sizes);

    i64 n_rows() const { return n_rows_; }

    // Of a cell of `size` rows; `left` is a guess which point of the grid is to its left, and becomes true.
    double at(i64 size, std::size_t& left);

   private:
    static constexpr std::size_t N_POINTS = 8;  // of a polynomial

    // A polynomial in Newton's form through the points from `first` on.
    struct Piece {
        std::size_t first;
        std::array<double, N_POINTS> terms;
    };

    std::size_t n_points() const { return std::min(N_POINTS, grid_.size()); }
    double value_at(std::size_t g);
    double expected_of(i64 size) const;
    const Piece& piece_right_of(std::size_t left);
    double between(const Piece& piece, i64 size) const;

    i64 n_rows_ = 0;
    std::map<i64, i64> n_classes_of_;            // by size: classes of the same size tell the same
    std::vector<i64> grid_;                      // empty if chance contributes nothing
    std::vector<std::optional<double>> values_;  // at the points of the grid
    std::vector<std::optional<Piece>> pieces_;   // between each point and the next
};

// Of cells within levels, looked up by the number of the level and the size. Few of all sizes occur, mostly
// close together: each is computed when it is first asked for, and tables have blocks only where some are.
// Several threads may ask at once.
class ChanceTables {
    static constexpr i64 BLOCK = 64;                    // sizes
    using Block = std::array<std::atomic<i64>, BLOCK>;  // the highest bit is flipped, so that 0 is not known

   public:
    struct Level {
        i64 n_rows;
        double scale;
        mutable std::vector<std::atomic<Block*>> blocks;
        mutable ChanceCurve curve;
        mutable std::size_t left = 0;  // of the last size that was computed
    };

    // Take in levels that have these counts by class; values are times `scale`, as integers.
    void add(std::span<const u64> counts, i64 n_classes, double scale);

    std::span<const Level> levels() const { return levels_; }

    // Sizes that contradict the level cannot make it read elsewhere.
    i64 of(const Level& level, i64 size) const {
        const u64 known = std::min(static_cast<u64>(size), static_cast<u64>(level.n_rows));
        const Block& block = *level.blocks[known / BLOCK].load(std::memory_order_acquire);
        const i64 found = block[known % BLOCK].load(std::memory_order_relaxed);
        return found != 0 ? found ^ HIGHEST_BIT : compute(level, known);
    }

   private:
    static constexpr i64 HIGHEST_BIT = std::numeric_limits<i64>::min();  // no value is so low
    static Block NOTHING_KNOWN;  // in place of blocks that are not there yet

    i64 compute(const Level& level, u64 size) const;

    std::vector<Level> levels_;
    mutable std::deque<Block> blocks_;  // they stay where they are when more come
    mutable std::mutex mutex_;          // of what is computed
};

// What cells of some levels tell of the classes by chance; nothing if it is not asked for.
struct ChanceWithin {
    const ChanceTables* tables = nullptr;
    std::span<const ChanceTables::Level> levels;

    bool any() const { return !levels.empty(); }
    i64 of(i64 level, i64 size) const { return tables->of(levels[level], size); }
};

}  // namespace entropick
