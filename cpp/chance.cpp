// What a column that knows nothing about the classes seems to tell of them, by chance.
//
// A cell of `size` rows (a level of a column, or a joint level of several) has k rows of a class of b rows.
// Labels dealt out at random make k hypergeometric, so the information expected of the cell is a function of
// its size alone: one table serves every column of the data.
#include <array>
#include <vector>

#include "arrays.hpp"
#include "logarithms.hpp"

namespace entropick {
namespace {

constexpr double NEGLIGIBLE = 1e-22;  // of the probability of the most likely count
constexpr i64 FINENESS = 16;          // cell sizes computed exactly lie size / FINENESS apart
constexpr i64 N_POINTS = 8;           // of the polynomial between them

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

// Class sizes that differ, ascending, and how many classes are of each.
struct Sizes {
    std::vector<i64> sizes, counts;

    explicit Sizes(std::span<const i64> of_classes) {
        std::vector<i64> ordered(of_classes.begin(), of_classes.end());
        std::sort(ordered.begin(), ordered.end());
        for (const i64 size : ordered) {
            if (size == 0) continue;
            if (sizes.empty() || sizes.back() != size) sizes.push_back(size), counts.push_back(0);
            ++counts.back();
        }
    }
};

// Cell sizes from 0 to n, close to each other near both ends, where the expectation bends most.
std::vector<i64> grid_of(i64 n) {
    std::vector<i64> grid{0};
    while (grid.back() < n)
        grid.push_back(grid.back() + std::max<i64>(1, std::min(grid.back(), n - grid.back()) / FINENESS));
    return grid;
}

// Fill in the values between two points of the grid by the polynomial through the points around them, in
// Newton's form.
void interpolate(std::span<const i64> grid, std::size_t left, std::span<double> values) {
    if (grid[left + 1] == grid[left] + 1) return;
    const std::size_t n_points = std::min<std::size_t>(N_POINTS, grid.size());
    const std::size_t before = std::min(left + 1 - std::min(left + 1, n_points / 2), grid.size() - n_points);
    const auto points = grid.subspan(before, n_points);
    std::array<double, N_POINTS> terms{};
    for (std::size_t i = 0; i < n_points; ++i) terms[i] = values[points[i]];
    for (std::size_t order = 1; order < n_points; ++order)
        for (std::size_t i = n_points - 1; i >= order; --i)
            terms[i] = (terms[i] - terms[i - 1]) / static_cast<double>(points[i] - points[i - order]);
    for (i64 size = grid[left] + 1; size < grid[left + 1]; ++size) {
        double value = terms[n_points - 1];
        for (std::size_t i = n_points - 1; i-- > 0;)
            value = value * static_cast<double>(size - points[i]) + terms[i];
        values[size] = value;
    }
}

void expected_information(const In& class_sizes_, const Out& expected_) {
    const auto class_sizes = vector<const i64>(class_sizes_, "class_sizes");
    const auto expected = vector<double>(expected_, "expected");
    i64 n = 0;
    for (const i64 size : class_sizes) {
        require(size >= 0 && size <= MOST, "class_sizes must be numbers of rows");
        n += size;
    }
    require(n <= MOST && length(expected) == n + 1, "expected must have an entry for every size of a cell");
    nb::gil_scoped_release release;
    const Sizes classes(class_sizes);
    const auto grid = grid_of(n);
    for (const i64 size : grid) {
        expected[size] = 0.0;
        for (std::size_t c = 0; c < classes.sizes.size() && size > 0; ++c)
            expected[size] +=
                static_cast<double>(classes.counts[c]) * expected_surplus(size, classes.sizes[c], n);
    }
    for (std::size_t left = 0; left + 1 < grid.size(); ++left) interpolate(grid, left, expected);
}

}  // namespace

void bind_chance(nb::module_& module) {
    module.def("expected_information", &expected_information, nb::arg("class_sizes"), nb::arg("expected"));
}

}  // namespace entropick
