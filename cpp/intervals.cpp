// Nearest values and how many values lie within an interval: what estimates of information from neighbours
// (Kraskov, Ross) count. Values are sorted once; every answer is a number of values, so it does not depend on
// how the neighbours were found.
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "arrays.hpp"

namespace entropick {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

std::span<const double> read_sorted(const In& values_, const char* name) {
    const auto values = vector<const double>(values_, name);
    require(std::is_sorted(values.begin(), values.end()), "values must ascend");
    return values;
}

// A little less than a distance, so that whatever is at that distance does not count.
double just_below(double distance) { return std::nextafter(distance, 0.0); }

// How many of the sorted values are at most this far from the centre. Differences are compared, since the
// ends of the interval would be rounded.
i64 count_within(std::span<const double> sorted, double centre, double distance) {
    const auto first = std::partition_point(sorted.begin(), sorted.end(),
                                            [&](double value) { return centre - value > distance; });
    const auto last =
        std::partition_point(first, sorted.end(), [&](double value) { return value - centre <= distance; });
    return last - first;
}

// The distance from the value at `at` of sorted values to the k-th nearest of the others: the narrowest of
// the windows of k + 1 values that it is in.
double distance_in_line(std::span<const double> sorted, i64 at, i64 k) {
    double nearest = INFINITE;
    const i64 first = std::max<i64>(at - k, 0), last = std::min(at, length(sorted) - 1 - k);
    for (i64 start = first; start <= last; ++start)
        nearest = std::min(nearest, std::max(sorted[at] - sorted[start], sorted[start + k] - sorted[at]));
    return nearest;
}

// Values sorted in ascending order and their classes. For each value how many lie nearer than the k-th
// nearest of its class (or the farthest, where a class has no more), itself included; 0 for the only value of
// a class. Values that are alone in their class are not counted.
nb::ndarray<nb::numpy, i64> nearer_than_own(const In& values_, const In& labels_, i64 n_classes, i64 k) {
    const auto values = read_sorted(values_, "values");
    const auto labels = vector<const std::int32_t>(labels_, "labels");
    require(labels.size() == values.size(), "labels must have one entry per value");
    require(k > 0 && n_classes >= 0 && n_classes <= MOST && all_below(labels, n_classes),
            "labels must be below n_classes, and k above 0");
    std::vector<i64> found(values.size());
    {
        nb::gil_scoped_release release;
        std::vector<i64> starts(n_classes + 1);
        for (const std::int32_t label : labels) ++starts[label + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        std::vector<i64> next(starts.begin(), starts.end() - 1), places(values.size());
        std::vector<double> by_class(values.size()), counted;
        for (std::size_t i = 0; i < values.size(); ++i) {
            places[i] = next[labels[i]]++;
            by_class[places[i]] = values[i];
            if (starts[labels[i] + 1] - starts[labels[i]] > 1) counted.push_back(values[i]);
        }
        const std::span<const double> grouped(by_class), others(counted);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const i64 start = starts[labels[i]], size = starts[labels[i] + 1] - start;
            if (size == 1) continue;
            const double distance =
                distance_in_line(grouped.subspan(start, size), places[i] - start, std::min(k, size - 1));
            found[i] = count_within(others, values[i], just_below(distance));
        }
    }
    return to_python(std::move(found));
}

struct Point {
    double x, y;
};

// Points of the plane in a tree whose nodes are split in the middle of their wider side.
class PlaneTree {
   public:
    explicit PlaneTree(std::vector<Point> points) : points_(std::move(points)) {
        if (!points_.empty()) build(0, static_cast<i64>(points_.size()));
    }

    // The distance (the larger difference of the two) to the k-th nearest other point; `nearest` is memory.
    double distance(const Point& from, i64 k, std::vector<double>& nearest) const {
        nearest.assign(k + 1, INFINITE);  // the point itself is one of them
        visit(0, from, nearest);
        return nearest.back();
    }

   private:
    static constexpr i64 LEAF = 16;

    struct Node {
        i64 start, stop;
        i64 right;  // the left child follows its parent; -1 for a leaf
        Point low, high;
    };

    i64 build(i64 start, i64 stop) {
        const auto number = static_cast<i64>(nodes_.size());
        const auto own = std::span(points_).subspan(start, stop - start);
        Point low{INFINITE, INFINITE}, high{-INFINITE, -INFINITE};
        for (const Point& point : own) {
            low = {std::min(low.x, point.x), std::min(low.y, point.y)};
            high = {std::max(high.x, point.x), std::max(high.y, point.y)};
        }
        nodes_.push_back({start, stop, -1, low, high});
        if (stop - start <= LEAF) return number;
        const i64 middle = (start + stop) / 2;
        const bool by_x = high.x - low.x >= high.y - low.y;
        std::nth_element(own.begin(), own.begin() + (middle - start), own.end(),
                         [&](const Point& a, const Point& b) { return by_x ? a.x < b.x : a.y < b.y; });
        build(start, middle);
        const i64 right = build(middle, stop);
        nodes_[number].right = right;
        return number;
    }

    double gap(i64 number, const Point& from) const {
        const Node& node = nodes_[number];
        const double across = std::max({node.low.x - from.x, from.x - node.high.x, 0.0});
        return std::max({node.low.y - from.y, from.y - node.high.y, across});
    }

    void visit(i64 number, const Point& from, std::vector<double>& nearest) const {
        const Node& node = nodes_[number];
        if (node.right < 0) {
            for (i64 i = node.start; i < node.stop; ++i) {
                const Point& point = points_[i];
                const double distance = std::max(std::abs(point.x - from.x), std::abs(point.y - from.y));
                if (distance < nearest.back()) insert(distance, nearest);
            }
            return;
        }
        i64 first = number + 1, second = node.right;
        double to_first = gap(first, from), to_second = gap(second, from);
        if (to_second < to_first) std::swap(first, second), std::swap(to_first, to_second);
        if (to_first < nearest.back()) visit(first, from, nearest);
        if (to_second < nearest.back()) visit(second, from, nearest);
    }

    static void insert(double distance, std::vector<double>& nearest) {
        std::size_t at = nearest.size() - 1;
        for (; at > 0 && nearest[at - 1] > distance; --at) nearest[at] = nearest[at - 1];
        nearest[at] = distance;
    }

    std::vector<Point> points_;
    std::vector<Node> nodes_;
};

// Pairs of numbers: for each how many others have an x, and how many a y, nearer than the k-th nearest pair
// is.
nb::ndarray<nb::numpy, i64> nearer_in_plane(const In& x_, const In& y_, i64 k) {
    const auto x = vector<const double>(x_, "x"), y = vector<const double>(y_, "y");
    require(x.size() == y.size(), "x and y must be equally long");
    require(k > 0 && k < length(x), "k must be from 1 to the number of others");
    NewArray<i64> found(2, length(x));
    {
        nb::gil_scoped_release release;
        std::vector<Point> points(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) points[i] = {x[i], y[i]};
        const PlaneTree tree(std::move(points));
        std::vector<double> of_x(x.begin(), x.end()), of_y(y.begin(), y.end()), nearest;
        std::sort(of_x.begin(), of_x.end());
        std::sort(of_y.begin(), of_y.end());
        const auto in_x = found.values[0], in_y = found.values[1];
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double distance = just_below(tree.distance({x[i], y[i]}, k, nearest));
            in_x[i] = count_within(of_x, x[i], distance) - 1;
            in_y[i] = count_within(of_y, y[i], distance) - 1;
        }
    }
    return found.array;
}

}  // namespace

void bind_intervals(nb::module_& module) {
    using namespace nb::literals;
    module.def("nearer_than_own", &nearer_than_own, "values"_a, "labels"_a, "n_classes"_a, "k"_a);
    module.def("nearer_in_plane", &nearer_in_plane, "x"_a, "y"_a, "k"_a);
}

}  // namespace entropick
