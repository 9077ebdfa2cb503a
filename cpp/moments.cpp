// Means and variances of columns, within classes and over all rows, and nearness to class means.
//
// Sums run over the values that are not zero, in the order of the rows; zeros come in at the end by their
// number. So a sparse column and a dense one of the same values give the same bits.
#include <cmath>
#include <vector>

#include "arrays.hpp"

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

Filled read_filled(const Out& whole, const Out& means, const Out& variances, i64 n_columns, i64 n_classes) {
    const Filled filled{matrix<double>(whole, "whole"), matrix<double>(means, "means"),
                        matrix<double>(variances, "variances")};
    require(filled.whole.n_rows == n_columns && filled.means.n_rows == n_columns &&
                filled.variances.n_rows == n_columns,
            "whole, means and variances must have one row per column");
    require(filled.whole.n_columns == 3 && filled.means.n_columns == n_classes &&
                filled.variances.n_columns == n_classes,
            "whole must have 3 columns, means and variances one per class");
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

    void count_tokens(const In& columns, const In& class_means, const Out& counts) const;

   private:
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
        .def("count_tokens", &ClassMoments::count_tokens, "columns"_a, "class_means"_a, "counts"_a);
}

}  // namespace entropick
