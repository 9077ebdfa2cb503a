// Random forests of a class or a number per row.
//
// Values enter by their rank among at most 256 levels of their column, so a split costs one pass over the
// rows of a node and one over the levels that occur there: nothing is sorted after the start. Random numbers
// are our own and sums are added in a fixed order, so results are the same bits everywhere.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <optional>
#include <vector>

#include "arrays.hpp"

namespace entropick {
namespace {

constexpr i64 LEVELS = 256;
constexpr i64 LEAF = -1;
constexpr i64 MOST_TREES = 10'000;
constexpr double TIED = 1.0 + 1e-10;  // gains closer than this are equal: the first split is taken

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
   public:
    explicit Random(u64 seed) : state_(seed) {}

    i64 below(i64 n) {
        u64 mixed = state_ += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        mixed ^= mixed >> 31;
        return static_cast<i64>(((mixed >> 32) * static_cast<u64>(n)) >> 32);  // n < 2^31
    }

   private:
    u64 state_;
};

// Values halfway between levels: between all distinct values, or some that leave equally many rows between
// them.
std::vector<double> level_ends(std::span<const double> column) {
    std::vector<double> sorted;
    std::copy_if(column.begin(), column.end(), std::back_inserter(sorted),
                 [](double value) { return value == value; });
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> ends;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i - 1] < sorted[i]) ends.push_back(sorted[i - 1] + (sorted[i] - sorted[i - 1]) / 2);
    if (static_cast<i64>(ends.size()) < LEVELS) return ends;
    std::vector<double> some;
    for (i64 level = 1; level < LEVELS; ++level) {
        const double value = sorted[level * sorted.size() / LEVELS];
        const auto next = std::lower_bound(ends.begin(), ends.end(), value);  // the end above this value
        if (next != ends.end() && (some.empty() || some.back() < *next)) some.push_back(*next);
    }
    return some;
}

using Codes = std::vector<std::vector<std::uint8_t>>;  // of every column

struct Node {
    i64 column;  // that splits, or LEAF
    i64 last;    // level that goes to the left
    i64 next;    // node to the left, the one to the right follows; of a leaf, the place of its means
};

// What every row adds to which of the goals: 1 to its class, or its number to the only goal.
struct Targets {
    std::span<const std::int32_t> places;
    std::span<const double> amounts;
    i64 n_goals;
};

struct Tree {
    std::vector<Node> nodes;
    std::vector<double> means;  // of each leaf, one per goal

    std::span<const double> means_of(const Codes& codes, i64 row, i64 n_goals) const {
        i64 at = 0;
        while (nodes[at].column != LEAF)
            at = nodes[at].next + (codes[nodes[at].column][row] > nodes[at].last);
        return std::span(means).subspan(nodes[at].next, n_goals);
    }
};

class Growth {
   public:
    Growth(const Codes& codes, const Targets& targets, i64 n_tried, Random random)
        : codes_(codes),
          targets_(targets),
          n_tried_(n_tried),
          random_(random),
          sums_(LEVELS * targets.n_goals) {
        const i64 n_rows = length(targets.places);
        for (i64 i = 0; i < n_rows; ++i) rows_.push_back(random_.below(n_rows));  // a bootstrap sample
        std::sort(rows_.begin(), rows_.end());
        for (std::size_t column = 0; column < codes.size(); ++column)
            columns_.push_back(static_cast<i64>(column));
    }

    Tree grown() {
        tree_.nodes.push_back({LEAF, 0, 0});
        std::vector<Open> open = {{0, 0, rows_.size()}};
        while (!open.empty()) {
            const auto [node, start, stop] = open.back();
            open.pop_back();
            const auto rows = std::span(rows_).subspan(start, stop - start);
            const auto split = best_split(rows);
            if (!split) {
                tree_.nodes[node] = {LEAF, 0, static_cast<i64>(tree_.means.size())};
                add_means(rows);
                continue;
            }
            const auto& codes = codes_[split->column];
            const auto middle = std::stable_partition(rows.begin(), rows.end(),
                                                      [&](i64 row) { return codes[row] <= split->last; });
            const std::size_t cut = start + static_cast<std::size_t>(middle - rows.begin());
            const auto next = static_cast<i64>(tree_.nodes.size());
            tree_.nodes[node] = {split->column, split->last, next};
            tree_.nodes.resize(next + 2);
            open.push_back({next, start, cut});
            open.push_back({next + 1, cut, stop});
        }
        return std::move(tree_);
    }

   private:
    struct Split {
        i64 column, last;
        double gain;
    };
    struct Open {
        i64 node;
        std::size_t start, stop;
    };

    void add_means(std::span<const i64> rows) {
        auto& means = tree_.means;
        const auto first = means.size();
        means.resize(first + targets_.n_goals);
        for (const i64 row : rows) means[first + targets_.places[row]] += targets_.amounts[row];
        for (auto i = first; i < means.size(); ++i) means[i] /= static_cast<double>(rows.size());
    }

    bool is_pure(std::span<const i64> rows) const {
        return std::all_of(rows.begin(), rows.end(), [&](i64 row) {
            return targets_.places[row] == targets_.places[rows[0]] &&
                   targets_.amounts[row] == targets_.amounts[rows[0]];
        });
    }

    // The best of some random columns, and of more while all of them are constant in these rows.
    std::optional<Split> best_split(std::span<const i64> rows) {
        if (is_pure(rows)) return std::nullopt;
        std::optional<Split> best;
        const auto n_columns = static_cast<i64>(columns_.size());
        for (i64 n_tried = 0; n_tried < n_columns && (n_tried < n_tried_ || !best); ++n_tried) {
            std::swap(columns_[n_tried], columns_[n_tried + random_.below(n_columns - n_tried)]);
            const auto split = best_of_column(columns_[n_tried], rows);
            if (split && (!best || split->gain > TIED * best->gain)) best = split;
        }
        return best;
    }

    // The best split by one column: that of the largest Σ sum² / rows over goals and both sides, which is the
    // one of the least Gini impurity, or variance. Leaves the sums 0.
    std::optional<Split> best_of_column(i64 column, std::span<const i64> rows) {
        const auto& codes = codes_[column];
        const i64 n_goals = targets_.n_goals;
        std::array<u64, LEVELS / 64> present = {};
        std::array<std::int32_t, LEVELS> sizes = {};
        left_.assign(n_goals, 0.0);
        right_.assign(n_goals, 0.0);
        for (const i64 row : rows) {
            const i64 code = codes[row], place = targets_.places[row];
            present[code / 64] |= u64{1} << (code % 64);
            ++sizes[code];
            sums_[code * n_goals + place] += targets_.amounts[row];
            right_[place] += targets_.amounts[row];
        }
        std::optional<Split> best;
        i64 n_left = 0, before = 0;
        for (i64 word = 0; word < LEVELS / 64; ++word) {
            for (u64 bits = present[word]; bits != 0; bits &= bits - 1) {
                const i64 code = 64 * word + std::countr_zero(bits);
                if (n_left > 0) {
                    const double gain = gain_of(n_left, length(rows) - n_left);
                    if (!best || gain > TIED * best->gain) best = {column, (before + code) / 2, gain};
                }
                n_left += sizes[code];
                before = code;
                for (i64 goal = 0; goal < n_goals; ++goal) {
                    double& sum = sums_[code * n_goals + goal];
                    left_[goal] += sum;
                    right_[goal] -= sum;
                    sum = 0.0;
                }
            }
        }
        return best;
    }

    double gain_of(i64 n_left, i64 n_right) const {
        double left = 0.0, right = 0.0;
        for (i64 goal = 0; goal < targets_.n_goals; ++goal) {
            left += left_[goal] * left_[goal];
            right += right_[goal] * right_[goal];
        }
        return left / static_cast<double>(n_left) + right / static_cast<double>(n_right);
    }

    const Codes& codes_;
    Targets targets_;
    i64 n_tried_;
    Random random_;
    std::vector<i64> rows_, columns_;
    std::vector<double> sums_;  // of levels and goals, 0 between columns
    std::vector<double> left_, right_;
    Tree tree_;
};

class Forest {
   public:
    Forest(const In& columns_, const In& places_, const In& amounts_, i64 n_tried, i64 n_trees, i64 seed) {
        const auto columns = matrix<const double>(columns_, "columns");
        const auto places = vector<const std::int32_t>(places_, "places");
        const auto amounts = vector<const double>(amounts_, "amounts");
        require(length(places) == columns.n_columns && length(amounts) == columns.n_columns,
                "places and amounts must have one entry per row");
        require(length(places) > 0 && length(places) < MOST, "columns must have rows");
        require(all_below(places, length(places)), "places must be numbered from 0, and fewer than the rows");
        require(n_tried > 0 && n_trees > 0 && n_trees <= MOST_TREES,
                "columns tried must be at least 1, and trees from 1 to 10,000");
        nb::gil_scoped_release release;
        n_goals_ = *std::max_element(places.begin(), places.end()) + 1;
        for (i64 j = 0; j < columns.n_rows; ++j) ends_.push_back(level_ends(columns[j]));
        const auto codes = codes_of(columns);
        Random seeds(static_cast<u64>(seed));
        for (i64 tree = 0; tree < n_trees; ++tree) {
            const auto own = static_cast<u64>(seeds.below(MOST)) << 32 | static_cast<u64>(seeds.below(MOST));
            trees_.push_back(Growth(codes, {places, amounts, n_goals_}, n_tried, Random(own)).grown());
        }
    }

    void predict(const In& columns_, const Out& means_) const {
        const auto columns = matrix<const double>(columns_, "columns");
        const auto means = matrix<double>(means_, "means");
        require(columns.n_rows == static_cast<i64>(ends_.size()),
                "columns must be as many as those of the fit");
        require(means.n_rows == columns.n_columns && means.n_columns == n_goals_,
                "means must be (rows, goals)");
        nb::gil_scoped_release release;
        const auto codes = codes_of(columns);
        for (i64 row = 0; row < means.n_rows; ++row) {
            fill(means[row], 0.0);
            for (const auto& tree : trees_) {
                const auto of_tree = tree.means_of(codes, row, n_goals_);
                for (i64 goal = 0; goal < n_goals_; ++goal) means[row][goal] += of_tree[goal];
            }
            for (double& mean : means[row]) mean /= static_cast<double>(trees_.size());
        }
    }

   private:
    Codes codes_of(Matrix<const double> columns) const {
        Codes codes;
        for (i64 j = 0; j < columns.n_rows; ++j) {
            auto& own = codes.emplace_back();
            for (const double value : columns[j])
                own.push_back(static_cast<std::uint8_t>(
                    std::lower_bound(ends_[j].begin(), ends_[j].end(), value) - ends_[j].begin()));
        }
        return codes;
    }

    i64 n_goals_ = 0;
    std::vector<std::vector<double>> ends_;
    std::vector<Tree> trees_;
};

}  // namespace

void bind_forest(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Forest>(module, "Forest")
        .def(nb::init<const In&, const In&, const In&, i64, i64, i64>(), "columns"_a, "places"_a, "amounts"_a,
             "n_tried"_a, "n_trees"_a, "seed"_a)
        .def("predict", &Forest::predict, "columns"_a, "means"_a);
}

}  // namespace entropick
