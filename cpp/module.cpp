// The Python module entropick._core: the loops of every family.
#include <nanobind/nanobind.h>

#include <stdexcept>

#include "processor.hpp"

namespace entropick {
void bind_binning(nanobind::module_&);
void bind_chance(nanobind::module_&);
void bind_codes(nanobind::module_&);
void bind_columns(nanobind::module_&);
void bind_correlations(nanobind::module_&);
void bind_forest(nanobind::module_&);
void bind_intervals(nanobind::module_&);
void bind_lasso(nanobind::module_&);
void bind_logarithms(nanobind::module_&);
void bind_moments(nanobind::module_&);
void bind_neighbors(nanobind::module_&);
void bind_pairs(nanobind::module_&);
void bind_pareto(nanobind::module_&);
void bind_partition(nanobind::module_&);
void bind_subsets(nanobind::module_&);
}  // namespace entropick

NB_MODULE(_core, module) {
    if (!entropick::CHOICE.problem.empty()) throw std::runtime_error(entropick::CHOICE.problem);
    module.doc() = "The compiled loops. Arrays are checked at the boundary; _core.pyi explains them.";
    entropick::bind_binning(module);
    entropick::bind_chance(module);
    entropick::bind_codes(module);
    entropick::bind_columns(module);
    entropick::bind_correlations(module);
    entropick::bind_forest(module);
    entropick::bind_intervals(module);
    entropick::bind_lasso(module);
    entropick::bind_logarithms(module);
    entropick::bind_moments(module);
    entropick::bind_neighbors(module);
    entropick::bind_pairs(module);
    entropick::bind_pareto(module);
    entropick::bind_partition(module);
    entropick::bind_subsets(module);
    module.def("processor", [] {
        const auto name = entropick::name_of(entropick::CHOICE.processor);
        return nanobind::str(name.data(), name.size());
    });
}
