// The race for the best sum: scores that fall as sums over the selected columns grow.
//
// Terms are never negative, so the score of a sum that lacks some of them is an upper bound. A candidate's
// terms are computed only while its bound reaches the second best exact score: winner, runner-up and ties
// come out exact. Terms are added in the order of the selected columns, so sums are the same bits as if all
// had been computed.
#pragma once

#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "arrays.hpp"

namespace entropick {

// relevance − weight · sum, or relevance / (sum + epsilon) if epsilon is above 0; of the sum or the mean.
struct FallingScore {
    double weight;
    bool is_mean;
    double epsilon;

    double operator()(double relevance, double total, i64 n_selected) const {
        const double share = is_mean ? total / static_cast<double>(n_selected) : total;
        return epsilon > 0.0 ? relevance / (std::max(share, 0.0) + epsilon) : relevance - weight * share;
    }
};

inline FallingScore read_score(const In& score_) {
    const auto score = vector<const double>(score_, "score");
    require(score.size() == 3, "score must be a weight, whether it is of the mean, and epsilon");
    return {score[0], score[1] != 0.0, score[2]};
}

class SumRace {
   public:
    using Columns = std::vector<i64>;

    SumRace(std::vector<double> relevance, FallingScore score)
        : score_(score),
          relevance_of_(std::move(relevance)),
          totals_(relevance_of_.size()),
          bounds_(relevance_of_.size()),
          n_seen_(relevance_of_.size()) {}

    i64 n_columns() const { return static_cast<i64>(totals_.size()); }
    std::shared_mutex& mutex() const { return mutex_; }

    // Candidates that may be best or second best, in order, with sums that are complete; none if so many
    // terms must be computed that it is not worth it to choose among them. `term(f, i)` is that of candidate
    // f and selected column i.
    template <class Term>
    std::optional<Columns> finalists(std::span<const i64> candidates, i64 n_selected, Term&& term) {
        Best best;
        Columns found, rivals;
        i64 n_terms = 0;
        const auto evaluate = [&](i64 f) {
            const auto score = [&] { return score_of(f, n_selected); };
            n_terms -= n_seen_[f];
            while (n_seen_[f] < n_selected && score() >= best.limit()) totals_[f] += term(f, n_seen_[f]++);
            n_terms += n_seen_[f];
            if (n_seen_[f] < n_selected) return;
            found.push_back(f);
            best.take(score());
        };
        i64 n_unseen = 0;
        for (const i64 f : candidates) {
            bounds_[f] = score_of(f, n_selected);
            n_unseen += n_selected - n_seen_[f];
        }
        const Columns leaders = highest(candidates);
        for (const i64 f : leaders) evaluate(f);
        for (const i64 f : leaders) bounds_[f] = -INFINITE;  // they are done
        for (const i64 f : candidates)
            if (bounds_[f] >= best.limit()) rivals.push_back(f);
        if (SORTED * static_cast<i64>(rivals.size()) < length(candidates))
            std::stable_sort(rivals.begin(), rivals.end(),
                             [&](i64 a, i64 b) { return bounds_[a] > bounds_[b]; });
        for (const i64 f : rivals) {
            if (MANY * n_terms > n_unseen) return {};
            if (bounds_[f] >= best.limit()) evaluate(f);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    // Complete the sums of columns; threads may complete different ones at the same time.
    template <class Term>
    void complete(std::span<const i64> columns, i64 n_selected, Term&& term) {
        for (const i64 f : columns)
            while (n_seen_[f] < n_selected) totals_[f] += term(f, n_seen_[f]++);
    }

    std::vector<double> scores(std::span<const i64> columns, i64 n_selected) const {
        std::vector<double> found(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) found[c] = score_of(columns[c], n_selected);
        return found;
    }

   private:
    static constexpr i64 N_LEADERS = 8;  // candidates completed first
    static constexpr i64 MANY =
        4;  // a race that needs more than one unseen term in this many is not worth it
    static constexpr i64 SORTED = 16;  // at most one candidate in this many is sorted, which takes time
    static constexpr double INFINITE = std::numeric_limits<double>::infinity();
    static constexpr double TIED = 2e-12;  // twice the tolerance of ties

    struct Best {  // the best two exact scores of this step
        double first = -INFINITE, second = -INFINITE;

        void take(double score) {
            second = std::max(second, std::min(first, score));
            first = std::max(first, score);
        }
        double limit() const { return second - TIED * std::max(1.0, std::abs(second)); }
    };

    double score_of(i64 f, i64 n_selected) const { return score_(relevance_of_[f], totals_[f], n_selected); }

    // The candidates of the highest bounds, in descending order.
    Columns highest(std::span<const i64> candidates) const {
        Columns chosen;
        for (const i64 f : candidates) {
            if (static_cast<i64>(chosen.size()) == N_LEADERS) {
                if (bounds_[f] <= bounds_[chosen.back()]) continue;
                chosen.pop_back();
            }
            auto place = chosen.end();
            while (place != chosen.begin() && bounds_[place[-1]] < bounds_[f]) --place;
            chosen.insert(place, f);
        }
        return chosen;
    }

    FallingScore score_;
    std::vector<double> relevance_of_, totals_, bounds_;  // bounds of candidates at the beginning of the step
    std::vector<i64> n_seen_;                             // selected columns that totals include
    mutable std::shared_mutex mutex_;
};

// What Python calls, given `Owner::with_terms(call)`, which calls with the number of selected columns and
// their terms while it keeps them from changing.
template <class Owner, class Class>
void bind_race(Class& type) {
    using namespace nb::literals;
    const auto read = [](const In& columns_, const Owner& race) {
        const auto columns = vector<const i64>(columns_, "columns");
        require(all_below(columns, race.sums.n_columns()), "columns must be columns of the table");
        return columns;
    };
    type.def(
        "finalists",
        [read](Owner& race, const In& candidates_) -> nb::object {
            const auto candidates = read(candidates_, race);
            std::optional<SumRace::Columns> found;
            {
                nb::gil_scoped_release release;
                const std::unique_lock lock(race.sums.mutex());
                race.with_terms(
                    [&](i64 n, auto&& term) { found = race.sums.finalists(candidates, n, term); });
            }
            return found ? nb::cast(to_python(std::move(*found))) : nb::none();
        },
        "candidates"_a);
    type.def(
        "complete",
        [read](Owner& race, const In& columns_) {
            const auto columns = read(columns_, race);
            nb::gil_scoped_release release;
            const std::shared_lock lock(race.sums.mutex());
            race.with_terms([&](i64 n, auto&& term) { race.sums.complete(columns, n, term); });
        },
        "columns"_a);
    type.def(
        "scores",
        [read](Owner& race, const In& columns_) {
            const auto columns = read(columns_, race);
            std::vector<double> found;
            const std::shared_lock lock(race.sums.mutex());
            race.with_terms([&](i64 n, auto&&) { found = race.sums.scores(columns, n); });
            return to_python(std::move(found));
        },
        "columns"_a);
}

}  // namespace entropick
