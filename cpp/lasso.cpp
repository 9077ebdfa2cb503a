// Lassos of every row on all others, solved exactly by following each solution as the penalty falls.
//
// Between two penalties at which a row joins or leaves a description its weights are linear in the penalty
// (Osborne, Presnell and Turlach 2000). Entries of sums are added in a fixed order, so results are the same
// bits everywhere.
#include <cmath>
#include <limits>
#include <vector>

#include "arrays.hpp"
#include "processor.hpp"

namespace entropick {
namespace {

constexpr double DEPENDENT =
    1e-9;  // a row depends on others if a smaller share of its square is outside their span
constexpr double NEAR = 1e-9;   // share of the penalty up to which a condition holds, or two rows tie
constexpr i64 MOST_STEPS = 20;  // per row of the table
constexpr i64 NONE = -1;

// sums += Σ factor · row
struct AddMultiples {
    template <class Machine>
    static void run(Machine, Matrix<const double> rows, std::span<const i64> chosen,
                    std::span<const double> factors, std::span<double> sums) {
        const i64 n = length(sums);
        i64 k = 0;
        for (; k + 4 <= length(chosen); k += 4) {
            const auto a = rows[chosen[k]], b = rows[chosen[k + 1]], c = rows[chosen[k + 2]],
                       d = rows[chosen[k + 3]];
            const double of_a = factors[k], of_b = factors[k + 1], of_c = factors[k + 2],
                         of_d = factors[k + 3];
            for (i64 i = 0; i < n; ++i) sums[i] += (of_a * a[i] + of_b * b[i]) + (of_c * c[i] + of_d * d[i]);
        }
        for (; k < length(chosen); ++k) {
            const auto row = rows[chosen[k]];
            for (i64 i = 0; i < n; ++i) sums[i] += factors[k] * row[i];
        }
    }
};

// How far the penalty falls until the product of a row with what is left reaches it.
struct Distances {
    template <class Machine>
    static void run(Machine, double penalty, std::span<const double> left, std::span<const double> slopes,
                    std::span<double> distances) {
        constexpr double FAR = std::numeric_limits<double>::infinity();
        for (i64 j = 0; j < length(distances); ++j) {
            const double above = 1.0 - slopes[j], below = 1.0 + slopes[j];
            const double up = std::max(penalty - left[j], 0.0) / above,
                         down = std::max(penalty + left[j], 0.0) / below;
            distances[j] = std::min(above > NEAR ? up : FAR, below > NEAR ? down : FAR);
        }
    }
};

// The inverse of the products of the rows that describe another one, which join and leave one by one.
class Inverse {
   public:
    explicit Inverse(Matrix<const double> products) : products_(products) {}

    std::span<const i64> members() const { return members_; }
    i64 size() const { return static_cast<i64>(members_.size()); }

    std::vector<double> times(std::span<const double> factors) const {
        std::vector<double> sums(members_.size());
        for (i64 k = 0; k < size(); ++k) add(inverse_[k], factors[k], sums);
        return sums;
    }

    // Whether the row is independent of the members.
    bool join(i64 row) {
        std::vector<double> with_members;
        for (const i64 member : members_) with_members.push_back(products_[row][member]);
        auto shares = times(with_members);
        double outside = products_[row][row];
        for (i64 k = 0; k < size(); ++k) outside -= shares[k] * with_members[k];
        if (!(outside > DEPENDENT * products_[row][row])) return false;
        for (i64 k = 0; k < size(); ++k) {
            add(shares, shares[k] / outside, inverse_[k]);
            inverse_[k].push_back(-shares[k] / outside);
        }
        for (double& share : shares) share /= -outside;
        shares.push_back(1.0 / outside);
        inverse_.push_back(std::move(shares));
        members_.push_back(row);
        return true;
    }

    void leave(i64 k) {
        const auto gone = std::move(inverse_[k]);
        inverse_.erase(inverse_.begin() + k);
        members_.erase(members_.begin() + k);
        for (auto& row : inverse_) {
            add(gone, -row[k] / gone[k], row);
            row.erase(row.begin() + k);
        }
    }

   private:
    static void add(const std::vector<double>& row, double factor, std::vector<double>& sums) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += factor * row[i];
    }

    Matrix<const double> products_;
    std::vector<i64> members_;
    std::vector<std::vector<double>> inverse_;
};

// The description of one row by others.
class Description {
   public:
    Description(Matrix<const double> products, i64 row)
        : products_(products),
          row_(row),
          inverse_(products),
          left_(products[row].begin(), products[row].end()),
          slopes_(left_.size()),
          distances_(left_.size()),
          is_closed_(left_.size()) {
        is_closed_[row] = true;
    }

    // Fill the weights; false if they are not the only ones that solve the lasso, or not found.
    bool solve(double sparsity, std::span<double> weights) {
        fill(weights, 0.0);
        const i64 first = most_alike();
        if (first == NONE || left_[first] == 0.0) return true;
        penalty_ = std::abs(left_[first]);
        last_ = sparsity * penalty_;
        if (!join(first)) return false;
        for (i64 n_steps = 0; n_steps < MOST_STEPS * length(weights); ++n_steps) {
            if (!step()) return false;
            if (penalty_ == last_) return polish() && is_only_solution(weights);
        }
        return false;
    }

   private:
    i64 most_alike() const {
        i64 found = NONE;
        for (i64 j = 0; j < products_.n_rows; ++j)
            if (j != row_ && (found == NONE || std::abs(left_[j]) > std::abs(left_[found]))) found = j;
        return found;
    }

    bool join(i64 row) {
        is_closed_[row] = true;
        signs_.push_back(left_[row] > 0.0 ? 1.0 : -1.0);
        weights_.push_back(0.0);
        return inverse_.join(row);
    }

    // Lower the penalty until a row joins or leaves, or to the last one; false if a row that joins depends on
    // others.
    bool step() {
        const auto directions = inverse_.times(signs_);
        fill(std::span(slopes_), 0.0);
        on_this_processor<AddMultiples>(products_, inverse_.members(), std::span(directions),
                                        std::span(slopes_));
        double fall = penalty_ - last_;
        const i64 joining = first_to_join(fall), leaving = first_to_leave(directions, fall);
        for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] += fall * directions[k];
        for (std::size_t j = 0; j < left_.size(); ++j) left_[j] -= fall * slopes_[j];
        left_before_ = NONE;
        if (leaving != NONE) {
            left_before_ = inverse_.members()[leaving];
            sign_before_ = signs_[leaving];
            is_closed_[left_before_] = false;
            inverse_.leave(leaving);
            signs_.erase(signs_.begin() + leaving);
            weights_.erase(weights_.begin() + leaving);
        }
        penalty_ = leaving == NONE && joining == NONE ? last_ : penalty_ - fall;
        return leaving != NONE || joining == NONE || join(joining);
    }

    // The row that joins before the penalty has fallen this far; the fall ends there.
    i64 first_to_join(double& fall) {
        on_this_processor<Distances>(penalty_, std::span(left_), std::span(slopes_), std::span(distances_));
        i64 found = NONE;
        for (i64 j = 0; j < length(std::span(distances_)); ++j) {
            const double distance = j == left_before_ ? distance_to_other_sign(j) : distances_[j];
            if (!(distance < fall) || is_closed_[j]) continue;
            fall = distance;
            found = j;
        }
        return found;
    }

    // The row that has just left is where it could join with the sign it had, so it may only join with the
    // other.
    double distance_to_other_sign(i64 j) const {
        const double closing = 1.0 + sign_before_ * slopes_[j];
        return closing > NEAR ? (penalty_ + sign_before_ * left_[j]) / closing
                              : std::numeric_limits<double>::infinity();
    }

    // The place of the member whose weight becomes 0 before that.
    i64 first_to_leave(const std::vector<double>& directions, double& fall) const {
        i64 found = NONE;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const double distance = -weights_[k] / directions[k];
            if (!(weights_[k] * directions[k] < 0.0 && distance < fall)) continue;
            fall = distance;
            found = static_cast<i64>(k);
        }
        return found;
    }

    // Remove what rounding has added up along the path.
    bool polish() {
        for (int n_before = 0; n_before < 3; ++n_before) {
            compute_left();
            std::vector<double> excess;
            for (i64 k = 0; k < inverse_.size(); ++k)
                excess.push_back(left_[inverse_.members()[k]] - last_ * signs_[k]);
            const auto changes = inverse_.times(excess);
            for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] += changes[k];
        }
        compute_left();
        for (i64 k = 0; k < inverse_.size(); ++k)
            if (!(std::abs(left_[inverse_.members()[k]] - last_ * signs_[k]) <= NEAR * last_)) return false;
        return true;
    }

    void compute_left() {
        auto negative = weights_;
        for (double& weight : negative) weight = -weight;
        copy_to(products_[row_], std::span(left_));
        on_this_processor<AddMultiples>(products_, inverse_.members(), std::span(negative), std::span(left_));
    }

    // Members have weights of their sign, and no other row is as alike to what is left.
    bool is_only_solution(std::span<double> weights) const {
        for (i64 k = 0; k < inverse_.size(); ++k) {
            if (!(weights_[k] * signs_[k] > 0.0)) return false;
            weights[inverse_.members()[k]] = weights_[k];
        }
        for (i64 j = 0; j < products_.n_rows; ++j)
            if (!is_closed_[j] && !(std::abs(left_[j]) < (1.0 - NEAR) * last_)) return false;
        return true;
    }

    Matrix<const double> products_;
    i64 row_;
    Inverse inverse_;
    std::vector<double> left_;             // products of every row with what is not described
    std::vector<double> slopes_;           // how fast they fall with the penalty
    std::vector<double> distances_;        // how far the penalty falls until a row may join
    std::vector<std::uint8_t> is_closed_;  // to rows that are members, and to the row that is described
    std::vector<double> signs_, weights_;  // of members
    i64 left_before_ = NONE;               // the row that left in the step before
    double sign_before_ = 0.0;             // of its weight
    double penalty_ = 0.0, last_ = 0.0;
};

void describe_rows(const In& products_, double sparsity, i64 start, const Out& weights_,
                   const Out& is_solved_) {
    const auto products = matrix<const double>(products_, "products");
    const auto weights = matrix<double>(weights_, "weights");
    const auto is_solved = vector<bool>(is_solved_, "is_solved");
    require(products.n_rows == products.n_columns && weights.n_columns == products.n_columns,
            "products and weights must have one column per row of the table");
    require(start >= 0 && start + weights.n_rows <= products.n_rows, "weights must be of rows of the table");
    require(length(is_solved) == weights.n_rows, "is_solved must be as long as weights");
    require(sparsity > 0.0 && sparsity < 1.0, "sparsity must be between 0 and 1");
    nb::gil_scoped_release release;
    for (i64 i = 0; i < weights.n_rows; ++i)
        is_solved[i] = Description(products, start + i).solve(sparsity, weights[i]);
}

}  // namespace

void bind_lasso(nb::module_& module) {
    using namespace nb::literals;
    module.def("describe_rows", &describe_rows, "products"_a, "sparsity"_a, "start"_a, "weights"_a,
               "is_solved"_a);
}

}  // namespace entropick
