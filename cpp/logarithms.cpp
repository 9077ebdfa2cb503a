// Logarithms and powers of two of whole arrays.
#include "logarithms.hpp"

#include "arrays.hpp"

namespace entropick {
namespace {

void log2(const In& values_, const Out& results_) {
    const auto values = vector<const double>(values_, "values");
    const auto results = vector<double>(results_, "results");
    require(values.size() == results.size(), "results must be as long as values");
    bool are_normal = true;
    for (const double x : values)
        are_normal &= x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max();
    require(are_normal, "values must be positive numbers");
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < values.size(); ++i) results[i] = log2_of(values[i]);
}

void exp2(const In& values_, const Out& results_) {
    const auto values = vector<const double>(values_, "values");
    const auto results = vector<double>(results_, "results");
    require(values.size() == results.size(), "results must be as long as values");
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < values.size(); ++i) results[i] = exp2_of(values[i]);
}

}  // namespace

void bind_logarithms(nb::module_& module) {
    module.def("log2", &log2, nb::arg("values"), nb::arg("results"));
    module.def("exp2", &exp2, nb::arg("values"), nb::arg("results"));
}

}  // namespace entropick
