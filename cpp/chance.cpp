// What a column that knows nothing about the classes seems to tell of them, by chance.
//
// A cell of `size` rows (a level of a column) has k rows of a class of b rows. Labels dealt out at random
// make k hypergeometric, so the information expected of the cell is a function of its size alone: one table
// serves every column of the data. Given another column, labels are dealt out within each of its levels, and
// each level has a table of its own.
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"

namespace entropick {
namespace {

constexpr double NEGLIGIBLE = 1e-17;  // of the probability of the most likely count
constexpr i64 FINENESS = 8;           // the larger, the closer are the cell sizes computed exactly
constexpr std::size_t N_POINTS = 8;   // of the polynomial between them

constexpr i64 N_SMALL = 16384;  // numbers whose k log2 k are looked up
constexpr double WIDE = 1024;   // variance from which the sum over k is taken in strides
constexpr double LOG2_E = 1.4426950408889634;

double real(i64 value) { return static_cast<double>(value); }

// k log2 k; small numbers are looked up.
double plogp(i64 k) {
    static const auto small = [] {
        std::array<double, N_SMALL> values{};
        for (i64 i = 1; i < N_SMALL; ++i) values[i] = real(i) * log2_of(real(i));
        return values;
    }();
    return k < N_SMALL ? small[k] : real(k) * log2_of(real(k));
}

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

    double next_to(i64 k) const {  // P(k + 1) / P(k)
        return real(b - k) * real(size - k) / (real(k + 1) * real(n - b - size + k + 1));
    }
    double previous_to(i64 k) const {  // P(k - 1) / P(k)
        return real(k) * real(n - b - size + k) / (real(b - k + 1) * real(size - k + 1));
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
struct Weighted {
    i64 size_of_both;  // 0 if there are more classes
    double all = 0, plogp_k = 0;

    void add(i64 k, double weight) {
        all += weight;
        plogp_k += weight * plogp(k);
        if (size_of_both > 0) plogp_k += weight * plogp(size_of_both - k);
    }
};

// Over every k, by the ratio of neighbours: no factorials, no overflow.
void sum_over_all(const Hypergeometric& of, i64 mode, Weighted& sums) {
    sums.add(mode, 1.0);
    double weight = 1.0;
    for (i64 k = mode; k < of.most() && weight > NEGLIGIBLE; ++k) {
        weight *= of.next_to(k);
        sums.add(k + 1, weight);
    }
    weight = 1.0;
    for (i64 k = mode; k > of.least() && weight > NEGLIGIBLE; --k) {
        weight *= of.previous_to(k);
        sums.add(k - 1, weight);
    }
}

// In strides of half a standard deviation: of so smooth a curve such a sum is as good as the whole one.
void sum_in_strides(const Hypergeometric& of, i64 mode, Weighted& sums) {
    const i64 stride = static_cast<i64>(std::sqrt(of.variance()) / 2);
    const double top = of.log2_weight(mode);
    sums.add(mode, 1.0);
    for (const i64 step : {stride, -stride})
        for (i64 k = mode + step; k > of.least() && k < of.most(); k += step) {
            const double weight = exp2_of(of.log2_weight(k) - top);
            if (weight < NEGLIGIBLE) break;
            sums.add(k, weight);
        }
}

// Σ E[k log2(k / E k)] of k, the rows of a class of b rows among `size` rows drawn out of n: over that class,
// or over both if there are only two.
double expected_surplus(i64 size, i64 b, i64 n, bool of_both) {
    const Hypergeometric of{size, b, n};
    const i64 mode = std::clamp((size + 1) * (b + 1) / (n + 2), of.least(), of.most());
    Weighted sums{of_both ? size : 0};
    if (n > 1 && of.variance() > WIDE)
        sum_in_strides(of, mode, sums);
    else
        sum_over_all(of, mode, sums);
    const auto plogp_mean = [&](i64 rows) {
        const double mean = real(size) * real(rows) / real(n);
        return mean * log2_of(mean);
    };
    return sums.plogp_k / sums.all - plogp_mean(b) - (of_both ? plogp_mean(n - b) : 0.0);
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

// What cells of any size tell of the classes by chance: exact on a grid of sizes, a polynomial between them.
class Curve {
   public:
    template <class Size>
    explicit Curve(std::span<const Size> class_sizes) {
        std::map<i64, i64> n_classes_of;  // by size: classes of the same size tell the same
        for (const Size counted : class_sizes) {
            const auto size = static_cast<i64>(counted);
            require(size >= 0 && size <= MOST, "class_sizes must be numbers of rows");
            n_rows_ += size;
            if (size > 0) ++n_classes_of[size];
        }
        require(n_rows_ <= MOST, "class_sizes must be numbers of rows");
        if (n_classes_of.empty() || n_classes_of.begin()->first == n_rows_) return;  // one class: nothing
        grid_ = grid_of(n_rows_);
        values_.resize(grid_.size());
        for (std::size_t g = 1; g + 1 < grid_.size(); ++g) values_[g] = expected_of(grid_[g], n_classes_of);
        for (std::size_t left = 0; left + 1 < grid_.size(); ++left) pieces_.push_back(piece_right_of(left));
    }

    i64 n_rows() const { return n_rows_; }

    // Of cells of 0, 1, ..., all rows, times `scale`, as integers. Sizes between two points of the grid take
    // the same polynomial: several of them are computed side by side.
    void fill(double scale, std::span<i64> values) const {
        ::entropick::fill(values, 0);
        std::array<double, 64> some;
        for (std::size_t left = 0; left + 1 < grid_.size(); ++left) {
            values[grid_[left]] = rounded(values_[left] * scale);
            for (i64 start = grid_[left] + 1; start < grid_[left + 1];
                 start += length(std::span<double>(some))) {
                const i64 n = std::min(length(std::span<double>(some)), grid_[left + 1] - start);
                for (i64 i = 0; i < n; ++i) some[i] = between(left, start + i) * scale;
                for (i64 i = 0; i < n; ++i) values[start + i] = rounded(some[i]);
            }
        }
    }

    // Of a cell of `size` rows; `left` is a guess which point of the grid is to its left, and becomes true.
    double at(i64 size, std::size_t& left) const {
        if (grid_.empty()) return 0.0;
        if (size < grid_[left] || (left + 1 < grid_.size() && size >= grid_[left + 1]))
            left = static_cast<std::size_t>(std::upper_bound(grid_.begin(), grid_.end(), size) -
                                            grid_.begin() - 1);
        return size == grid_[left] ? values_[left] : between(left, size);
    }

   private:
    // A polynomial in Newton's form through the points from `first` on.
    struct Piece {
        std::size_t first;
        std::array<double, N_POINTS> terms;
    };

    double expected_of(i64 size, const std::map<i64, i64>& n_classes_of) const {
        const i64 smaller = n_classes_of.begin()->first, larger = n_classes_of.rbegin()->first;
        if (smaller + larger == n_rows_) return expected_surplus(size, smaller, n_rows_, true);
        double sum = 0;
        for (const auto& [b, n_classes] : n_classes_of)
            sum += real(n_classes) * expected_surplus(size, b, n_rows_, false);
        return sum;
    }

    std::size_t n_points() const { return std::min(N_POINTS, grid_.size()); }

    Piece piece_right_of(std::size_t left) const {
        const std::size_t n = n_points(), half = std::min(left + 1, n / 2);
        Piece piece{std::min(left + 1 - half, grid_.size() - n), {}};
        const std::span<const i64> points = std::span(grid_).subspan(piece.first, n);
        auto& terms = piece.terms;
        for (std::size_t i = 0; i < n; ++i) terms[i] = values_[piece.first + i];
        for (std::size_t order = 1; order < n; ++order)
            for (std::size_t i = n - 1; i >= order; --i)
                terms[i] = (terms[i] - terms[i - 1]) / static_cast<double>(points[i] - points[i - order]);
        return piece;
    }

    double between(std::size_t left, i64 size) const {
        const auto& [first, terms] = pieces_[left];
        double value = terms[n_points() - 1];
        for (std::size_t i = n_points() - 1; i-- > 0;)
            value = value * static_cast<double>(size - grid_[first + i]) + terms[i];
        return value;
    }

    i64 n_rows_ = 0;
    std::vector<i64> grid_;
    std::vector<double> values_;  // at the points of the grid
    std::vector<Piece> pieces_;   // between each point and the next
};

class Chance {
   public:
    explicit Chance(const In& class_sizes) : curve_(vector<const i64>(class_sizes, "class_sizes")) {}

    void fill(const In& sizes_, const Out& expected_) const {
        const auto sizes = vector<const i64>(sizes_, "sizes");
        const auto expected = vector<double>(expected_, "expected");
        require(sizes.size() == expected.size(), "expected must be as long as sizes");
        require(all_below(sizes, curve_.n_rows() + 1), "sizes must be at most the number of rows");
        nb::gil_scoped_release release;
        std::size_t left = 0;  // neighbouring sizes mostly lie between the same points
        for (std::size_t i = 0; i < sizes.size(); ++i) expected[i] = curve_.at(sizes[i], left);
    }

   private:
    Curve curve_;
};

// The tables of levels that have these counts by class, times `scale` as integers, one after the other.
void chance_tables(const In& counts_, i64 n_classes, double scale, const In& starts_, const Out& values_) {
    const auto counts = vector<const u64>(counts_, "counts");
    const auto starts = vector<const i64>(starts_, "starts");
    const auto values = vector<i64>(values_, "values");
    require(
        n_classes > 0 && length(starts) <= MOST / n_classes && length(counts) == length(starts) * n_classes,
        "counts must be (levels, classes)");
    nb::gil_scoped_release release;
    for (i64 level = 0; level < length(starts); ++level) {
        const Curve curve(counts.subspan(level * n_classes, n_classes));
        require(starts[level] >= 0 && starts[level] <= length(values) &&
                    curve.n_rows() < length(values) - starts[level],
                "values must have room for the sizes of every level");
        curve.fill(scale, values.subspan(starts[level], curve.n_rows() + 1));
    }
}

}  // namespace

void bind_chance(nb::module_& module) {
    nb::class_<Chance>(module, "Chance")
        .def(nb::init<const In&>(), nb::arg("class_sizes"))
        .def("fill", &Chance::fill, nb::arg("sizes"), nb::arg("expected"));
    module.def("chance_tables", &chance_tables, nb::arg("counts"), nb::arg("n_classes"), nb::arg("scale"),
               nb::arg("starts"), nb::arg("values"));
}

}  // namespace entropick
