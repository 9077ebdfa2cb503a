// Means and variances of columns, within classes and over all rows, and nearness to class means.
//
// Sums run over the values that are not zero, in the order of the rows; zeros come in at the end by their
// number. So a sparse column and a dense one of the same values give the same bits, stored by column or by
// row.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

struct Classes {
    std::vector<std::int32_t> codes;
    std::vector<i64> counts;
};

// What is filled: of all rows (mean, variance, constancy) and of each class.
struct Filled {
    Matrix<double> whole, means, variances;
};

constexpr i64 PER_COLUMN = 3, PER_COLUMN_WITH_BOUNDS = 5;

Filled read_filled(const Out& whole, const Out& means, const Out& variances, i64 n_columns, i64 n_classes,
                   i64 width = PER_COLUMN) {
    const Filled filled{matrix<double>(whole, "whole"), matrix<double>(means, "means"),
                        matrix<double>(variances, "variances")};
    require(filled.whole.n_rows == n_columns && filled.means.n_rows == n_columns &&
                filled.variances.n_rows == n_columns,
            "whole, means and variances must have one row per column");
    require(filled.whole.n_columns == width && filled.means.n_columns == n_classes &&
                filled.variances.n_columns == n_classes,
            "whole must have 3 columns, or 5 with bounds, means and variances one per class");
    return filled;
}

// Moments of one column given its values that are not zero, and their rows.
template <class Row>
void column_moments(std::span<const Row> rows, std::span<const double> data, const Classes& classes,
                    std::span<double> whole, std::span<double> means, std::span<double> variances,
                    std::vector<double>& squares, std::vector<i64>& stored) {
    const i64 n_rows = static_cast<i64>(classes.codes.size()), n_stored = length(data);
    const auto n_classes = static_cast<i64>(classes.counts.size());
    const auto class_size = [&](i64 g) { return static_cast<double>(std::max<i64>(classes.counts[g], 1)); };
    double total = 0.0;
    fill(means, 0.0);
    std::fill(squares.begin(), squares.end(), 0.0);
    std::fill(stored.begin(), stored.end(), 0);
    bool is_constant = n_stored == 0 || n_stored == n_rows;
    for (i64 i = 0; i < n_stored; ++i) {
        const auto g = classes.codes[rows[i]];
        total += data[i];
        means[g] += data[i];
        ++stored[g];
        is_constant &= data[i] == data[0];
    }
    if (is_constant) {
        const double value = n_stored > 0 ? data[0] : 0.0;
        fill(means, value);
        fill(variances, 0.0);
        whole[0] = value, whole[1] = 0.0, whole[2] = 1.0;
        return;
    }
    const double mean = total / static_cast<double>(n_rows);
    for (i64 g = 0; g < n_classes; ++g) means[g] /= class_size(g);
    double square = 0.0;
    for (i64 i = 0; i < n_stored; ++i) {
        const auto g = classes.codes[rows[i]];
        const double from_mean = data[i] - mean, from_class = data[i] - means[g];
        square += from_mean * from_mean;
        squares[g] += from_class * from_class;
    }
    for (i64 g = 0; g < n_classes; ++g) {
        squares[g] += static_cast<double>(classes.counts[g] - stored[g]) * (means[g] * means[g]);
        variances[g] = squares[g] / class_size(g);
    }
    whole[0] = mean;
    whole[1] =
        (square + static_cast<double>(n_rows - n_stored) * (mean * mean)) / static_cast<double>(n_rows);
    whole[2] = 0.0;
}

// -- columns of a table stored row by row ----------------------------------------------------------------

// Columns at a time. Whole rows are read fastest: 10,000 x 1,000 take 38 ms by 1,024 columns, 125 ms by 64.
constexpr i64 STRIP = 1024;
constexpr i64 MOST_SUMS = 1 << 16;  // of all classes of a strip
using Strip = std::array<double, STRIP>;
constexpr double INFINITE = std::numeric_limits<double>::infinity();

// Some neighbouring columns of a table; sums of classes are strips one after the other.
struct Part {
    Matrix<const double> table;
    i64 first, n_columns, width;  // width: from the sums of a class to those of the next
    std::span<const std::int32_t> codes;

    std::span<const double> row(i64 i) const { return table[i].subspan(first, n_columns); }
    std::span<double> own(std::span<double> of_classes, i64 i) const {
        return of_classes.subspan(codes[i] * width, n_columns);
    }
    // Ask for a row that comes later: each lies on a page of its own, which no processor foresees.
    void fetch([[maybe_unused]] i64 i) const {
#if defined(__GNUC__) || defined(__clang__)
        if (i >= table.n_rows) return;
        for (i64 j = 0; j < n_columns; j += 8) __builtin_prefetch(&row(i)[j]);
#endif
    }
};

struct FirstPass {
    Strip totals, zeros, low, high;

    template <class Machine>
    static FirstPass run(Machine, const Part& part, std::span<double> sums) {
        Strip totals{}, zeros{}, low, high;  // nobody else's, so that compilers keep them in registers
        low.fill(INFINITE), high.fill(-INFINITE);
        for (i64 i = 0; i < part.table.n_rows; ++i) {
            part.fetch(i + 4);
            const auto row = part.row(i);
            const auto own = part.own(sums, i);
            for (std::size_t j = 0; j < row.size(); ++j) {
                const double value = row[j];
                totals[j] += value;
                own[j] += value;
                zeros[j] += value == 0.0 ? 1.0 : 0.0;
                low[j] = value < low[j] ? value : low[j];
                high[j] = value > high[j] ? value : high[j];
            }
        }
        return {totals, zeros, low, high};
    }
};

// Squared distances from the means, of values that are not zero; `stored` counts these.
struct SecondPass {
    template <class Machine>
    static Strip run(Machine, const Part& part, const Strip& mean, std::span<double> means,
                     std::span<double> squares, std::span<double> stored) {
        Strip total{}, from = mean;
        for (i64 i = 0; i < part.table.n_rows; ++i) {
            part.fetch(i + 4);
            const auto row = part.row(i);
            const auto centre = part.own(means, i), own = part.own(squares, i), n = part.own(stored, i);
            for (std::size_t j = 0; j < row.size(); ++j) {
                const double value = row[j], from_mean = value - from[j], from_class = value - centre[j];
                const double square = from_mean * from_mean, own_square = from_class * from_class;
                const bool is_there = value != 0.0;
                total[j] += is_there ? square : 0.0;
                own[j] += is_there ? own_square : 0.0;
                n[j] += is_there ? 1.0 : 0.0;
            }
        }
        return Strip(total);
    }
};

// Columns of rows that have classes. The classes are its own, and checked once.
class ClassMoments {
   public:
    ClassMoments(const In& codes_, i64 n_classes) {
        const auto codes = vector<const std::int32_t>(codes_, "codes");
        require(n_classes >= 0 && n_classes <= MOST && all_below(codes, n_classes),
                "codes must be below the number of classes");
        classes_.codes.assign(codes.begin(), codes.end());
        classes_.counts.resize(n_classes);
        for (const std::int32_t g : codes) ++classes_.counts[g];
    }

    void of_dense(const In& columns_, const Out& whole, const Out& means, const Out& variances) const {
        const auto columns = matrix<const double>(columns_, "columns");
        const i64 n_rows = n(), n_classes = n_kinds();
        const auto filled = read_filled(whole, means, variances, columns.n_rows, n_classes);
        require(columns.n_columns == n_rows, "columns must have one entry per row");
        nb::gil_scoped_release release;
        std::vector<i64> rows(n_rows), stored(n_classes);
        std::vector<double> data(n_rows), squares(n_classes);
        for (i64 j = 0; j < columns.n_rows; ++j) {
            const auto column = columns[j];
            i64 n_stored = 0;
            for (i64 i = 0; i < n_rows; ++i) {  // without a branch: a place is taken only if the value stays
                rows[n_stored] = i;
                data[n_stored] = column[i];
                n_stored += column[i] != 0.0;
            }
            column_moments(std::span<const i64>(rows).first(n_stored),
                           std::span<const double>(data).first(n_stored), classes_, filled.whole[j],
                           filled.means[j], filled.variances[j], squares, stored);
        }
    }

    void of_sparse(const In& starts_, const In& rows_, const In& data_, const Out& whole, const Out& means,
                   const Out& variances) const {
        const auto starts = vector<const i64>(starts_, "starts");
        const auto data = vector<const double>(data_, "data");
        const i64 n_columns = length(starts) - 1, n_classes = n_kinds();
        const auto filled = read_filled(whole, means, variances, n_columns, n_classes);
        require(are_starts(starts, length(data)), "starts must ascend within data");
        by_type<std::int32_t, i64>(rows_, "rows", [&]<class Row>(Row) {
            const auto rows = vector<const Row>(rows_, "rows");
            require(rows.size() == data.size(), "rows must be as long as data");
            nb::gil_scoped_release release;
            const auto first = starts.front(), last = starts.back();
            require(all_below(rows.subspan(first, last - first), n()),
                    "rows must be below the number of rows");
            std::vector<i64> stored(n_classes);
            std::vector<double> squares(n_classes);
            for (i64 j = 0; j < n_columns; ++j) {
                const i64 start = starts[j], n_own = starts[j + 1] - start;
                column_moments(rows.subspan(start, n_own), data.subspan(start, n_own), classes_,
                               filled.whole[j], filled.means[j], filled.variances[j], squares, stored);
            }
        });
    }

    // Columns first, first + 1, ... of a table (rows, columns); also their smallest and largest values.
    void of_table(const In& table_, i64 first, const Out& whole, const Out& means,
                  const Out& variances) const {
        const auto table = matrix<const double>(table_, "table");
        const i64 n_classes = n_kinds(), n_columns = matrix<double>(whole, "whole").n_rows;
        const auto filled =
            read_filled(whole, means, variances, n_columns, n_classes, PER_COLUMN_WITH_BOUNDS);
        require(table.n_rows == n() && n() > 0, "table must have one row per code");
        require(first >= 0 && first + n_columns <= table.n_columns, "columns must be some of the table's");
        nb::gil_scoped_release release;
        const i64 width = std::min(n_columns, std::clamp<i64>(MOST_SUMS / n_classes, 8, STRIP));
        std::vector<double> sums(n_classes * width), squares(n_classes * width), stored(n_classes * width);
        for (i64 j = 0; j < n_columns; j += width) {
            const Part part{table, first + j, std::min(width, n_columns - j), width, classes_.codes};
            for (auto* of_classes : {&sums, &squares, &stored})
                std::fill(of_classes->begin(), of_classes->end(), 0.0);
            const auto found = on_this_processor<FirstPass>(part, std::span(sums));
            Strip mean{};
            for (i64 k = 0; k < part.n_columns; ++k) mean[k] = found.totals[k] / static_cast<double>(n());
            for (i64 g = 0; g < n_classes; ++g)
                for (i64 k = 0; k < part.n_columns; ++k) sums[g * width + k] /= class_size(g);
            const auto square = on_this_processor<SecondPass>(part, mean, std::span(sums), std::span(squares),
                                                              std::span(stored));
            for (i64 k = 0; k < part.n_columns; ++k) {
                const auto of_all = filled.whole[j + k], centre = filled.means[j + k];
                const auto spread = filled.variances[j + k];
                for (i64 g = 0; g < n_classes; ++g) {
                    centre[g] = sums[g * width + k];
                    const double n_zeros = static_cast<double>(classes_.counts[g]) - stored[g * width + k];
                    spread[g] = (squares[g * width + k] + n_zeros * (centre[g] * centre[g])) / class_size(g);
                }
                of_all[0] = mean[k];
                of_all[1] = (square[k] + found.zeros[k] * (mean[k] * mean[k])) / static_cast<double>(n());
                finish(of_all, centre, spread, found.low[k], found.high[k]);
            }
        }
    }

    // All columns of a CSR matrix. False if a row has a column twice, or its columns are not in order.
    bool of_rows(const In& starts_, const In& columns_, const In& data_, const Out& whole, const Out& means,
                 const Out& variances) const {
        const auto starts = vector<const i64>(starts_, "starts");
        const auto data = vector<const double>(data_, "data");
        const i64 n_columns = matrix<double>(whole, "whole").n_rows, n_classes = n_kinds();
        const auto filled =
            read_filled(whole, means, variances, n_columns, n_classes, PER_COLUMN_WITH_BOUNDS);
        require(are_starts(starts, length(data)) && length(starts) == n() + 1 && n() > 0,
                "starts must ascend within data, one per row and one more");
        return by_type<std::int32_t, i64>(columns_, "columns", [&]<class Column>(Column) {
            const auto columns = vector<const Column>(columns_, "columns");
            require(columns.size() == data.size(), "columns must be as long as data");
            nb::gil_scoped_release release;
            require(all_below(columns.subspan(starts.front(), starts.back() - starts.front()), n_columns),
                    "columns must be below the number of columns");
            return stored_rows(starts, columns, data, filled);
        });
    }

    void count_tokens(const In& columns, const In& class_means, const Out& counts) const;

   private:
    double class_size(i64 g) const { return static_cast<double>(std::max<i64>(classes_.counts[g], 1)); }

    // Bounds of a column; a constant one has its value as mean, exactly.
    void finish(std::span<double> of_all, std::span<double> means, std::span<double> variances, double low,
                double high) const {
        of_all[2] = low == high ? 1.0 : 0.0;
        of_all[3] = low, of_all[4] = high;
        if (low != high || !std::isfinite(of_all[0])) return;
        of_all[0] = low == 0.0 ? 0.0 : low, of_all[1] = 0.0;
        fill(means, of_all[0]);
        fill(variances, 0.0);
    }

    template <class Column>
    bool stored_rows(std::span<const i64> starts, std::span<const Column> columns,
                     std::span<const double> data, const Filled& filled) const {
        const i64 n_columns = filled.whole.n_rows, n_classes = n_kinds();
        // What belongs to a column lies together, as the columns of a row are anywhere: its sum, smallest and
        // largest value and number of values, then a sum and a number for each class.
        const i64 width = 4 + 2 * n_classes;
        std::vector<double> sums(n_columns * width);
        const auto of_column = [&](i64 j) { return std::span(sums).subspan(j * width, width); };
        for (i64 j = 0; j < n_columns; ++j) of_column(j)[1] = INFINITE, of_column(j)[2] = -INFINITE;
        for (i64 i = 0; i < n(); ++i) {
            const i64 own = 4 + 2 * classes_.codes[i];
            i64 last = -1;
            for (i64 k = starts[i]; k < starts[i + 1]; ++k) {
                const i64 j = columns[k];
                if (j <= last) return false;
                last = j;
                const double value = data[k];
                if (value == 0.0) continue;
                const auto found = of_column(j);
                found[0] += value;
                found[1] = value < found[1] ? value : found[1];
                found[2] = value > found[2] ? value : found[2];
                found[3] += 1.0;
                found[own] += value;
                found[own + 1] += 1.0;
            }
        }
        std::vector<double> n_zeros(n_columns * (n_classes + 1));  // of all rows, then of each class
        for (i64 j = 0; j < n_columns; ++j) {  // sums become means, numbers sums of squares
            const auto found = of_column(j), of_all = filled.whole[j];
            const auto zeros = std::span(n_zeros).subspan(j * (n_classes + 1), n_classes + 1);
            zeros[0] = static_cast<double>(n()) - found[3];
            of_all[3] = zeros[0] > 0.0 ? std::min(found[1], 0.0) : found[1];
            of_all[4] = zeros[0] > 0.0 ? std::max(found[2], 0.0) : found[2];
            found[0] /= static_cast<double>(n());
            found[1] = 0.0;
            for (i64 g = 0; g < n_classes; ++g) {
                zeros[g + 1] = static_cast<double>(classes_.counts[g]) - found[5 + 2 * g];
                found[4 + 2 * g] /= class_size(g);
                found[5 + 2 * g] = 0.0;
            }
        }
        for (i64 i = 0; i < n(); ++i) {
            const i64 own = 4 + 2 * classes_.codes[i];
            for (i64 k = starts[i]; k < starts[i + 1]; ++k) {
                if (data[k] == 0.0) continue;
                const auto found = of_column(columns[k]);
                const double from_mean = data[k] - found[0], from_class = data[k] - found[own];
                found[1] += from_mean * from_mean;
                found[own + 1] += from_class * from_class;
            }
        }
        for (i64 j = 0; j < n_columns; ++j) {
            const auto found = of_column(j), of_all = filled.whole[j];
            const auto means = filled.means[j], variances = filled.variances[j];
            const auto zeros = std::span(n_zeros).subspan(j * (n_classes + 1), n_classes + 1);
            of_all[0] = found[0];
            of_all[1] = (found[1] + zeros[0] * (found[0] * found[0])) / static_cast<double>(n());
            for (i64 g = 0; g < n_classes; ++g) {
                means[g] = found[4 + 2 * g];
                variances[g] = (found[5 + 2 * g] + zeros[g + 1] * (means[g] * means[g])) / class_size(g);
            }
            finish(of_all, means, variances, of_all[3], of_all[4]);
        }
        return true;
    }

    i64 n() const { return static_cast<i64>(classes_.codes.size()); }
    i64 n_kinds() const { return static_cast<i64>(classes_.counts.size()); }

    Classes classes_;
};

// Where classes have equal means, nearness is 1/2 for every value, which may be the edge between two tokens.
// A token below an edge by less than this counts as the next one, so that rounding does not decide.
constexpr double AT_THE_EDGE = 1e-9;
// A value this near to its own class mean and to another, as a share of itself, is at both: nearness would be
// a ratio of rounding errors.
constexpr double AT_A_MEAN = 1e-12;

void ClassMoments::count_tokens(const In& columns_, const In& class_means_, const Out& counts_) const {
    const auto columns = matrix<const double>(columns_, "columns");
    const auto class_means = matrix<const double>(class_means_, "class_means");
    const auto counts = matrix<i64>(counts_, "counts");
    const i64 n_rows = n(), n_classes = n_kinds(), n_tokens = counts.n_columns;
    const std::span<const std::int32_t> codes(classes_.codes);
    require(columns.n_columns == n_rows, "columns must have one entry per row");
    require(class_means.n_rows == columns.n_rows && counts.n_rows == columns.n_rows,
            "class_means and counts must have one row per column");
    require(class_means.n_columns == n_classes, "class_means must have one column per class");
    require(n_tokens > 0, "counts must have a column per token");
    nb::gil_scoped_release release;
    for (i64 j = 0; j < columns.n_rows; ++j) {
        const auto column = columns[j], means = class_means[j];
        for (i64 i = 0; i < n_rows; ++i) {
            const double value = column[i], from_own = value - means[codes[i]];
            const double own = from_own * from_own;
            double other = std::numeric_limits<double>::infinity();
            for (i64 g = 0; g < n_classes; ++g) {
                const double from_mean = value - means[g];
                if (g != codes[i]) other = std::min(other, from_mean * from_mean);
            }
            const double smallest = AT_A_MEAN * value;
            const double nearness = own + other > smallest * smallest ? other / (own + other) : 0.0;
            // Distances that overflow give NaN, which counts as no nearness.
            const double token = nearness * static_cast<double>(n_tokens) + AT_THE_EDGE;
            const bool is_last = token >= static_cast<double>(n_tokens);
            ++counts[j][is_last ? n_tokens - 1 : token > 0.0 ? static_cast<i64>(token) : 0];
        }
    }
}

}  // namespace

void bind_moments(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<ClassMoments>(module, "ClassMoments")
        .def(nb::init<const In&, i64>(), "codes"_a, "n_classes"_a)
        .def("of_dense", &ClassMoments::of_dense, "columns"_a, "whole"_a, "means"_a, "variances"_a)
        .def("of_sparse", &ClassMoments::of_sparse, "starts"_a, "rows"_a, "data"_a, "whole"_a, "means"_a,
             "variances"_a)
        .def("of_table", &ClassMoments::of_table, "table"_a, "first"_a, "whole"_a, "means"_a, "variances"_a)
        .def("of_rows", &ClassMoments::of_rows, "starts"_a, "columns"_a, "data"_a, "whole"_a, "means"_a,
             "variances"_a)
        .def("count_tokens", &ClassMoments::count_tokens, "columns"_a, "class_means"_a, "counts"_a);
}

}  // namespace entropick
