// Non-dominated ranks and crowding of points with two objectives, both to be small.
#include <cmath>
#include <vector>

#include "arrays.hpp"

namespace entropick {
namespace {

void front_ranks(const In& values_, const In& order_, const Out& ranks_) {
    const auto values = matrix<const double>(values_, "values");
    const auto order = vector<const i64>(order_, "order");
    const auto ranks = vector<i64>(ranks_, "ranks");
    const i64 n = values.n_rows;
    require(values.n_columns == 2, "values must have two columns");
    require(length(order) == n && length(ranks) == n, "order and ranks must be as long as values");
    require(all_below(order, n), "order must number the points");
    nb::gil_scoped_release release;
    std::vector<i64> last(n);  // of each front, the point taken in last: the lowest second objective
    i64 n_fronts = 0;
    for (const i64 i : order) {
        const auto point = values[i];
        i64 low = 0, high = n_fronts;
        while (low < high) {  // the first front whose last point does not beat point i
            const i64 middle = (low + high) / 2;
            const auto other = values[last[middle]];
            if (other[1] < point[1] || (other[1] == point[1] && other[0] < point[0]))
                low = middle + 1;
            else
                high = middle;
        }
        ranks[i] = low;
        last[low] = i;
        n_fronts += low == n_fronts;
    }
}

void crowding(const In& values_, const In& order_, const In& ranks_, const Out& distances_) {
    const auto values = matrix<const double>(values_, "values");
    const auto order = vector<const i64>(order_, "order");
    const auto ranks = vector<const i64>(ranks_, "ranks");
    const auto distances = vector<double>(distances_, "distances");
    const i64 n = values.n_rows;
    require(values.n_columns == 2, "values must have two columns");
    require(length(order) == n && length(ranks) == n && length(distances) == n,
            "order, ranks and distances must be as long as values");
    require(all_below(order, n) && all_below(ranks, n), "order and ranks must be numbers of points");
    nb::gil_scoped_release release;
    std::vector<i64> before(n, -1), current(n, -1);  // per rank, the last point seen and the one before it
    for (const i64 i : order) {
        const i64 rank = ranks[i];
        distances[i] = std::numeric_limits<double>::infinity();
        if (current[rank] >= 0 && before[rank] >= 0) {
            const auto left = values[before[rank]], right = values[i];
            distances[current[rank]] = std::abs(right[0] - left[0]) + std::abs(right[1] - left[1]);
        }
        before[rank] = current[rank];
        current[rank] = i;
    }
}

}  // namespace

void bind_pareto(nb::module_& module) {
    module.def("front_ranks", &front_ranks, nb::arg("values"), nb::arg("order"), nb::arg("ranks"));
    module.def("crowding", &crowding, nb::arg("values"), nb::arg("order"), nb::arg("ranks"),
               nb::arg("distances"));
}

}  // namespace entropick
