// What a column that knows nothing about the classes seems to tell of them, by chance.
//
// A cell of `size` rows (a level of a column) has k rows of a class of b rows. Labels dealt out at random
// make k hypergeometric, so the information expected of the cell is a function of its size alone: one table
// serves every column of the data. Given another column, labels are dealt out within each of its levels, and
// each level has a table of its own.
#include "chance.hpp"

#include <cmath>

#include "logarithms.hpp"

namespace entropick {
namespace {

constexpr double NEGLIGIBLE = 1e-17;  // of the probability of the most likely count
constexpr i64 FINENESS = 8;           // the larger, the closer are the cell sizes computed exactly

constexpr i64 N_SMALL = 16384;  // numbers whose k log2 k are looked up
constexpr double WIDE = 1024;   // variance from which the sum over k is taken in strides
constexpr double LOG2_E = 1.4426950408889634;

double real(i64 value) { return static_cast<double>(value); }

// k log2 k; small numbers are looked up.
class PLogP {
   public:
    double operator()(i64 k) const { return k < N_SMALL ? small_[k] : real(k) * log2_of(real(k)); }

   private:
    using Table = std::array<double, N_SMALL>;

    static const Table& table() {
        static const Table values = [] {
            Table made{};
            for (i64 i = 1; i < N_SMALL; ++i) made[i] = real(i) * log2_of(real(i));
            return made;
        }();
        return values;
    }

    const Table& small_ = table();
};

// The nearest integer, of two the even one; without a call of the library.
i64 rounded(double value) {
    constexpr double ALL_WHOLE = 4503599627370496.0;  // 2^52
    const double size = std::abs(value);
    const double whole = size < ALL_WHOLE ? (size + ALL_WHOLE) - ALL_WHOLE : size;
    return static_cast<i64>(value < 0 ? -whole : whole);
}

// How many rows of a class of b rows are among `size` rows drawn out of n.
struct Hypergeometric {
    i64 size, b, n;

    i64 least() const { return std::max<i64>(0, size + b - n); }
    i64 most() const { return std::min(size, b); }
    double mean() const { return real(size) * real(b) / real(n); }
    double variance() const { return mean() * real(n - b) / real(n) * real(n - size) / real(n - 1); }

    // P(k + 1) / P(k) and P(k - 1) / P(k); whole numbers are exact as floats.
    double next_to(double k) const {
        return (real(b) - k) * (real(size) - k) / ((k + 1) * (real(n - b - size) + k + 1));
    }
    double previous_to(double k) const {
        return k * (real(n - b - size) + k) / ((real(b) - k + 1) * (real(size) - k + 1));
    }
    // log2 P(k) up to an additive constant, by Stirling's formula, which needs large counts.
    double log2_weight(i64 k) const {
        const auto log2_factorial = [](i64 m) {
            const double x = real(m);
            return (x + 0.5) * log2_of(x) - x * LOG2_E + LOG2_E * (1 / (12 * x) - 1 / (360 * x * x * x));
        };
        return -log2_factorial(k) - log2_factorial(b - k) - log2_factorial(size - k) -
               log2_factorial(n - b - size + k);
    }
};

// Weights of k, and k log2 k times them; with that of the other class where there are only two.
template <bool OF_BOTH>
struct Weighted {
    i64 size;
    PLogP plogp = {};
    double all = 0, plogp_k = 0;

    void add(i64 k, double weight) {
        all += weight;
        plogp_k += weight * plogp(k);
        if (OF_BOTH) plogp_k += weight * plogp(size - k);
    }
};

// Over every k, by the ratio of neighbours: no factorials, no overflow.
template <bool OF_BOTH>
Weighted<OF_BOTH> sum_over_all(const Hypergeometric& of, i64 mode) {
    Weighted<OF_BOTH> sums{of.size};
    sums.add(mode, 1.0);
    const i64 most = of.most(), least = of.least();
    double weight = 1.0;
    for (i64 k = mode; k < most && weight > NEGLIGIBLE; ++k) {
        weight *= of.next_to(real(k));
        sums.add(k + 1, weight);
    }
    weight = 1.0;
    for (i64 k = mode; k > least && weight > NEGLIGIBLE; --k) {
        weight *= of.previous_to(real(k));
        sums.add(k - 1, weight);
    }
    return sums;
}

// In strides of half a standard deviation: of so smooth a curve such a sum is as good as the whole one.
template <bool OF_BOTH>
Weighted<OF_BOTH> sum_in_strides(const Hypergeometric& of, i64 mode) {
    Weighted<OF_BOTH> sums{of.size};
    const i64 stride = static_cast<i64>(std::sqrt(of.variance()) / 2);
    const double top = of.log2_weight(mode);
    sums.add(mode, 1.0);
    for (const i64 step : {stride, -stride})
        for (i64 k = mode + step; k > of.least() && k < of.most(); k += step) {
            const double weight = exp2_of(of.log2_weight(k) - top);
            if (weight < NEGLIGIBLE) break;
            sums.add(k, weight);
        }
    return sums;
}

// Σ E[k log2(k / E k)] of k, the rows of a class of b rows among `size` rows drawn out of n: over that class,
// or over both if there are only two.
template <bool OF_BOTH>
double expected_surplus(i64 size, i64 b, i64 n) {
    const Hypergeometric of{size, b, n};
    const i64 mode = std::clamp((size + 1) * (b + 1) / (n + 2), of.least(), of.most());
    const bool is_wide = n > 1 && of.variance() > WIDE;
    const auto sums = is_wide ? sum_in_strides<OF_BOTH>(of, mode) : sum_over_all<OF_BOTH>(of, mode);
    const auto plogp_mean = [&](i64 rows) {
        const double mean = real(size) * real(rows) / real(n);
        return mean * log2_of(mean);
    };
    return sums.plogp_k / sums.all - plogp_mean(b) - (OF_BOTH ? plogp_mean(n - b) : 0.0);
}

// Cell sizes from 0 to n: all of them near both ends, where the expectation bends most, then ever fewer.
std::vector<i64> grid_of(i64 n) {
    std::vector<i64> grid{0};
    while (grid.back() < n) {
        const i64 from_end = std::min(grid.back(), n - grid.back());
        grid.push_back(grid.back() + std::max<i64>(1, from_end / FINENESS - FINENESS / 2));
    }
    return grid;
}

}  // namespace

// -- curves -----------------------------------------------------------------------------------------------

template <class Size>
ChanceCurve::ChanceCurve(std::span<const Size> class_sizes) {
    for (const Size counted : class_sizes) {
        const auto size = static_cast<i64>(counted);
        require(size >= 0 && size <= MOST, "class_sizes must be numbers of rows");
        n_rows_ += size;
        if (size > 0) ++n_classes_of_[size];
    }
    require(n_rows_ <= MOST, "class_sizes must be numbers of rows");
    if (n_classes_of_.empty() || n_classes_of_.begin()->first == n_rows_) return;  // one class: nothing
    grid_ = grid_of(n_rows_);
    values_.resize(grid_.size());
    values_.front() = values_.back() = 0.0;
    pieces_.resize(grid_.size() - 1);
}

double ChanceCurve::at(i64 size, std::size_t& left) {
    if (grid_.empty()) return 0.0;
    if (size < grid_[left] || (left + 1 < grid_.size() && size >= grid_[left + 1]))
        left =
            static_cast<std::size_t>(std::upper_bound(grid_.begin(), grid_.end(), size) - grid_.begin() - 1);
    return size == grid_[left] ? value_at(left) : between(piece_right_of(left), size);
}

double ChanceCurve::value_at(std::size_t g) {
    if (!values_[g]) values_[g] = expected_of(grid_[g]);
    return *values_[g];
}

double ChanceCurve::expected_of(i64 size) const {
    const i64 smaller = n_classes_of_.begin()->first, larger = n_classes_of_.rbegin()->first;
    if (smaller + larger == n_rows_) return expected_surplus<true>(size, smaller, n_rows_);
    double sum = 0;
    for (const auto& [b, n_classes] : n_classes_of_)
        sum += real(n_classes) * expected_surplus<false>(size, b, n_rows_);
    return sum;
}

const ChanceCurve::Piece& ChanceCurve::piece_right_of(std::size_t left) {
    if (pieces_[left]) return *pieces_[left];
    const std::size_t n = n_points(), half = std::min(left + 1, n / 2);
    Piece piece{std::min(left + 1 - half, grid_.size() - n), {}};
    const std::span<const i64> points = std::span(grid_).subspan(piece.first, n);
    auto& terms = piece.terms;
    for (std::size_t i = 0; i < n; ++i) terms[i] = value_at(piece.first + i);
    for (std::size_t order = 1; order < n; ++order)
        for (std::size_t i = n - 1; i >= order; --i)
            terms[i] = (terms[i] - terms[i - 1]) / static_cast<double>(points[i] - points[i - order]);
    return pieces_[left].emplace(piece);
}

double ChanceCurve::between(const Piece& piece, i64 size) const {
    double value = piece.terms[n_points() - 1];
    for (std::size_t i = n_points() - 1; i-- > 0;)
        value = value * static_cast<double>(size - grid_[piece.first + i]) + piece.terms[i];
    return value;
}

// -- tables -----------------------------------------------------------------------------------------------

ChanceTables::Block ChanceTables::NOTHING_KNOWN{};

void ChanceTables::add(std::span<const u64> counts, i64 n_classes, double scale) {
    require(n_classes > 0 && length(counts) % n_classes == 0, "counts must be (levels, classes)");
    for (i64 first = 0; first < length(counts); first += n_classes) {
        ChanceCurve curve(counts.subspan(first, n_classes));
        const i64 n_rows = curve.n_rows();
        std::vector<std::atomic<Block*>> blocks(n_rows / BLOCK + 1);
        for (auto& block : blocks) block.store(&NOTHING_KNOWN, std::memory_order_relaxed);
        levels_.push_back({n_rows, scale, std::move(blocks), std::move(curve)});
    }
}

i64 ChanceTables::compute(const Level& level, u64 size) const {
    const std::lock_guard lock(mutex_);
    const i64 value = rounded(level.curve.at(static_cast<i64>(size), level.left) * level.scale);
    auto& place = level.blocks[size / BLOCK];
    Block* block = place.load(std::memory_order_relaxed);
    if (block == &NOTHING_KNOWN) place.store(block = &blocks_.emplace_back(), std::memory_order_release);
    (*block)[size % BLOCK].store(value ^ HIGHEST_BIT, std::memory_order_relaxed);
    return value;
}

namespace {

class Chance {
   public:
    explicit Chance(const In& class_sizes) : curve_(vector<const i64>(class_sizes, "class_sizes")) {}

    void fill(const In& sizes_, const Out& expected_) {
        const auto sizes = vector<const i64>(sizes_, "sizes");
        const auto expected = vector<double>(expected_, "expected");
        require(sizes.size() == expected.size(), "expected must be as long as sizes");
        require(all_below(sizes, curve_.n_rows() + 1), "sizes must be at most the number of rows");
        nb::gil_scoped_release release;
        const std::lock_guard lock(mutex_);
        std::size_t left = 0;  // neighbouring sizes mostly lie between the same points
        for (std::size_t i = 0; i < sizes.size(); ++i) expected[i] = curve_.at(sizes[i], left);
    }

   private:
    ChanceCurve curve_;
    std::mutex mutex_;
};

}  // namespace

void bind_chance(nb::module_& module) {
    nb::class_<Chance>(module, "Chance")
        .def(nb::init<const In&>(), nb::arg("class_sizes"))
        .def("fill", &Chance::fill, nb::arg("sizes"), nb::arg("expected"));
}

}  // namespace entropick
