// Means, spreads and correlations of columns of numbers.
//
// Sums are made in lanes that do not depend on the processor, so results are the same bits everywhere.
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <vector>

#include "arrays.hpp"
#include "processor.hpp"
#include "race.hpp"

namespace entropick {
namespace {

constexpr i64 LANES = 16;
using Lanes = std::array<double, LANES>;

double sum_of(Lanes& lanes) {
    for (i64 half = LANES / 2; half > 0; half /= 2)
        for (i64 lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
}

// Call `add(lane, i)` for every i below n; neighbours are in different lanes.
template <class Add>
inline void by_lanes(i64 n, Add&& add) {
    i64 i = 0;
    for (; i + LANES <= n; i += LANES)
        for (i64 lane = 0; lane < LANES; ++lane) add(lane, i + lane);
    for (i64 lane = 0; i < n; ++i, ++lane) add(lane, i);
}

// The smallest and the largest value, the mean and the standard deviation.
struct Spread {
    template <class Machine>
    static std::array<double, 4> run(Machine, std::span<const double> column) {
        const auto n = static_cast<double>(column.size());
        Lanes low, high, sums = {}, squares = {};
        low.fill(std::numeric_limits<double>::infinity());
        high.fill(-std::numeric_limits<double>::infinity());
        by_lanes(length(column), [&](i64 lane, i64 i) {
            const double value = column[i];
            sums[lane] += value;
            low[lane] = value < low[lane] ? value : low[lane];
            high[lane] = value > high[lane] ? value : high[lane];
        });
        const double rough = sum_of(sums) / n;
        sums = {};
        by_lanes(length(column), [&](i64 lane, i64 i) {
            const double value = column[i] - rough;
            sums[lane] += value;
            squares[lane] += value * value;
        });
        const double rest = sum_of(sums) / n;  // what rounding left of the mean
        const double variance = sum_of(squares) / n - rest * rest;
        return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end()),
                rough + rest, std::sqrt(std::max(variance, 0.0))};
    }
};

// Σ (f − mean) z
struct Product {
    template <class Machine>
    static double run(Machine, std::span<const double> column, double mean, std::span<const double> z) {
        Lanes sums = {};
        const auto other = z.first(column.size());
        by_lanes(length(column), [&](i64 lane, i64 i) { sums[lane] += (column[i] - mean) * other[i]; });
        return sum_of(sums);
    }
};

std::vector<double> copy_of(const In& array, const char* name) {
    const auto values = vector<const double>(array, name);
    return {values.begin(), values.end()};
}

// Columns of numbers. Only their means are kept, and factors that make their standard deviations 1, or
// columns 0 where the factor is 0.
class NumberColumns {
   public:
    NumberColumns(const In& columns, const In& means, const In& factors)
        : memory_(columns),
          columns_(matrix<const double>(columns, "columns")),
          means_(copy_of(means, "means")),
          factors_(copy_of(factors, "factors")) {
        const auto n = static_cast<std::size_t>(columns_.n_rows);
        require(means_.size() == n && factors_.size() == n,
                "means and factors must have one entry per column");
        require(columns_.n_columns > 0, "columns must have rows");
    }

    i64 n_columns() const { return columns_.n_rows; }
    i64 n_rows() const { return columns_.n_columns; }

    std::vector<double> standardised(i64 column) const {
        std::vector<double> z(n_rows());
        const auto values = columns_[column];
        for (std::size_t i = 0; i < z.size(); ++i) z[i] = (values[i] - means_[column]) * factors_[column];
        return z;
    }

    // With standardised values of every row.
    double correlation(i64 column, std::span<const double> z) const {
        const double product = on_this_processor<Product>(columns_[column], means_[column], z);
        return std::clamp(product * factors_[column] / static_cast<double>(n_rows()), -1.0, 1.0);
    }

    // Of columns start, start + 1, ... with standardised values.
    void correlations(const In& z_, i64 start, const Out& found_) const {
        const auto z = vector<const double>(z_, "z");
        const auto found = vector<double>(found_, "found");
        require(length(z) == n_rows(), "z must have one entry per row");
        require(start >= 0 && start + length(found) <= n_columns(), "found must be of columns of the table");
        nb::gil_scoped_release release;
        for (i64 j = 0; j < length(found); ++j) found[j] = correlation(start + j, z);
    }

   private:
    In memory_;
    Matrix<const double> columns_;
    std::vector<double> means_, factors_;
};

// Sums of how much candidates correlate with the selected columns: |r|, or −½ log2(1 − r²) bits of r² up to
// `most`.
class CorrelationRace {
   public:
    CorrelationRace(const NumberColumns& columns, const In& relevance, double weight, double most)
        : sums(copy_of(relevance, "relevance"), {weight, true, 0.0}), columns_(columns), most_(most) {
        require(sums.n_columns() == columns.n_columns(), "relevance must have one entry per column");
    }

    void include(i64 column) {
        require(column >= 0 && column < sums.n_columns(), "column must be a column of the table");
        nb::gil_scoped_release release;
        auto z = columns_.standardised(column);
        const std::unique_lock lock(sums.mutex());
        selected_.push_back(std::move(z));
    }

    template <class Call>
    void with_terms(Call&& call) const {
        require(!selected_.empty(), "a column must have been included");
        call(static_cast<i64>(selected_.size()), [&](i64 f, i64 i) { return term(f, selected_[i]); });
    }

    SumRace sums;

   private:
    double term(i64 f, std::span<const double> z) const {
        const double r = columns_.correlation(f, z);
        return most_ > 0.0 ? -0.5 * std::log1p(-std::min(r * r, most_)) / std::numbers::ln2 : std::abs(r);
    }

    const NumberColumns& columns_;
    double most_;
    std::vector<std::vector<double>> selected_;
};

void spreads(const In& columns_, const Out& found_) {
    const auto columns = matrix<const double>(columns_, "columns");
    const auto found = matrix<double>(found_, "found");
    require(found.n_rows == columns.n_rows && found.n_columns == 4, "found must be (columns, 4)");
    require(columns.n_columns > 0, "columns must have rows");
    nb::gil_scoped_release release;
    for (i64 j = 0; j < columns.n_rows; ++j) {
        const auto of_column = on_this_processor<Spread>(columns[j]);
        std::copy(of_column.begin(), of_column.end(), found[j].begin());
    }
}

}  // namespace

void bind_correlations(nb::module_& module) {
    using namespace nb::literals;
    module.def("spreads", &spreads, "columns"_a, "found"_a);
    nb::class_<NumberColumns>(module, "NumberColumns")
        .def(nb::init<const In&, const In&, const In&>(), "columns"_a, "means"_a, "factors"_a)
        .def("correlations", &NumberColumns::correlations, "z"_a, "start"_a, "found"_a);
    nb::class_<CorrelationRace> correlation_race(module, "CorrelationRace");
    correlation_race
        .def(nb::init<const NumberColumns&, const In&, double, double>(), "columns"_a, "relevance"_a,
             "weight"_a, "most"_a, nb::keep_alive<1, 2>())
        .def("include", &CorrelationRace::include, "column"_a);
    bind_race<CorrelationRace>(correlation_race);
}

}  // namespace entropick
