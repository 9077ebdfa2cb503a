// What a column that knows nothing about the classes seems to tell of them, by chance.
//
// A cell of `size` rows (a level of a column, or a joint level of several) has k rows of a class of b rows.
// Labels dealt out at random make k hypergeometric, so the information expected of the cell is a function of
// its size alone: one table serves every column of the data.
#include <array>
#include <map>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"

namespace entropick {
namespace {

constexpr double NEGLIGIBLE = 1e-22;  // of the probability of the most likely count
constexpr i64 FINENESS = 16;          // cell sizes computed exactly lie size / FINENESS apart
constexpr std::size_t N_POINTS = 8;   // of the polynomial between them

// E[k log2(k / E k)] of k, the rows of a class of b rows among `size` rows drawn out of n.
double expected_surplus(i64 size, i64 b, i64 n) {
    const i64 least = std::max<i64>(0, size + b - n), most = std::min(size, b);
    const i64 mode = std::clamp((size + 1) * (b + 1) / (n + 2), least, most);
    const auto real = [](i64 value) { return static_cast<double>(value); };
    const double mean = real(size) * real(b) / real(n);
    const auto surplus = [&](i64 k) { return k > 0 ? real(k) * log2_of(real(k) / mean) : 0.0; };
    // Probabilities relative to that of the mode, by the ratio of neighbours: no factorials, no overflow.
    double total = 1.0, sum = surplus(mode), weight = 1.0;
    for (i64 k = mode; k < most && weight > NEGLIGIBLE; ++k) {
        weight *= real(b - k) * real(size - k) / (real(k + 1) * real(n - b - size + k + 1));
        total += weight;
        sum += weight * surplus(k + 1);
    }
    weight = 1.0;
    for (i64 k = mode; k > least && weight > NEGLIGIBLE; --k) {
        weight *= real(k) * real(n - b - size + k) / (real(b - k + 1) * real(size - k + 1));
        total += weight;
        sum += weight * surplus(k - 1);
    }
    return sum / total;
}

// Cell sizes from 0 to n, close to each other near both ends, where the expectation bends most.
std::vector<i64> grid_of(i64 n) {
    std::vector<i64> grid{0};
    while (grid.back() < n)
        grid.push_back(grid.back() + std::max<i64>(1, std::min(grid.back(), n - grid.back()) / FINENESS));
    return grid;
}

// What cells of any size tell of the classes by chance: exact on a grid of sizes, a polynomial between them.
class Chance {
   public:
    explicit Chance(const In& class_sizes_) {
        const auto class_sizes = vector<const i64>(class_sizes_, "class_sizes");
        std::map<i64, i64> n_classes_of;  // by size: classes of the same size tell the same
        for (const i64 size : class_sizes) {
            require(size >= 0 && size <= MOST, "class_sizes must be numbers of rows");
            n_rows_ += size;
            if (size > 0) ++n_classes_of[size];
        }
        require(n_rows_ <= MOST, "class_sizes must be numbers of rows");
        nb::gil_scoped_release release;
        grid_ = grid_of(n_rows_);
        values_.resize(grid_.size());
        for (std::size_t g = 1; g < grid_.size(); ++g)
            for (const auto& [size, n_classes] : n_classes_of)
                values_[g] += static_cast<double>(n_classes) * expected_surplus(grid_[g], size, n_rows_);
        for (std::size_t left = 0; left + 1 < grid_.size(); ++left) pieces_.push_back(piece_right_of(left));
    }

    void fill(const In& sizes_, const Out& expected_) const {
        const auto sizes = vector<const i64>(sizes_, "sizes");
        const auto expected = vector<double>(expected_, "expected");
        require(sizes.size() == expected.size(), "expected must be as long as sizes");
        require(all_below(sizes, n_rows_ + 1), "sizes must be at most the number of rows");
        nb::gil_scoped_release release;
        std::size_t left = 0;  // neighbouring sizes mostly lie between the same points
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const i64 size = sizes[i];
            if (size < grid_[left] || (left + 1 < grid_.size() && size >= grid_[left + 1]))
                left = static_cast<std::size_t>(std::upper_bound(grid_.begin(), grid_.end(), size) -
                                                grid_.begin() - 1);
            expected[i] = size == grid_[left] ? values_[left] : between(left, size);
        }
    }

   private:
    // A polynomial in Newton's form through the points from `first` on.
    struct Piece {
        std::size_t first;
        std::array<double, N_POINTS> terms;
    };

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

}  // namespace

void bind_chance(nb::module_& module) {
    nb::class_<Chance>(module, "Chance")
        .def(nb::init<const In&>(), nb::arg("class_sizes"))
        .def("fill", &Chance::fill, nb::arg("sizes"), nb::arg("expected"));
}

}  // namespace entropick
