// Counts of columns as tables, for rows that are only a part of all: tables add up over parts, sums of φ do
// not.
#include <vector>

#include "arrays.hpp"

namespace entropick {
namespace {

constexpr i64 SMALL_TABLE = 2048;  // four tables of up to this many cells fit the first-level cache
constexpr i64 TILE = 1 << 14;      // rows counted at a time, so that what stands beside them stays in cache

// Add the rows of a tile to the table of one column. To count twice in a row in one cell would make the
// second count wait for the first, so small tables are filled four at a time.
template <class F, class S>
void add_rows(std::span<const F> f, std::span<const S> beside, u64 width, std::span<std::uint32_t> cells,
              i64 n_cells) {
    const auto cell = [&](i64 row) { return f[row] * width + beside[row]; };
    const i64 n_rows = length(f);
    i64 row = 0;
    if (n_cells <= SMALL_TABLE) {
        const auto a = cells.first(n_cells), b = cells.subspan(n_cells, n_cells),
                   c = cells.subspan(2 * n_cells, n_cells), d = cells.subspan(3 * n_cells, n_cells);
        for (; row + 4 <= n_rows; row += 4) {
            ++a[cell(row)];
            ++b[cell(row + 1)];
            ++c[cell(row + 2)];
            ++d[cell(row + 3)];
        }
    }
    for (; row < n_rows; ++row) ++cells[cell(row)];
}

void count_tables(const In& codes_, const In& n_levels_, const In& columns_, const In& beside_, i64 width,
                  i64 n_rows, const In& starts_, const Out& tables_) {
    by_type<std::uint8_t, std::uint16_t, std::uint32_t>(codes_, "codes", [&](auto of_f) {
        by_type<std::uint8_t, std::uint16_t, std::uint32_t>(beside_, "beside", [&](auto of_s) {
            using F = decltype(of_f);
            using S = decltype(of_s);
            const auto codes = matrix<const F>(codes_, "codes");
            const auto beside = vector<const S>(beside_, "beside");
            const auto n_levels = vector<const i64>(n_levels_, "n_levels");
            const auto columns = vector<const i64>(columns_, "columns");
            const auto starts = vector<const i64>(starts_, "starts");
            const auto tables = vector<i64>(tables_, "tables");
            require(n_rows >= 0 && n_rows <= codes.n_columns && n_rows <= length(beside),
                    "codes and beside must have these rows");
            require(n_rows < MOST, "n_rows must be a number of rows");
            require(width > 0 && width <= MOST, "width must be a number of levels");
            require(length(n_levels) == length(columns) && length(starts) == length(columns),
                    "n_levels and starts must have one entry per column");
            require(all_below(columns, codes.n_rows), "columns must be columns");
            require(all_below(beside.first(n_rows), width), "beside must be below width");
            for (i64 k = 0; k < length(columns); ++k) {
                require(n_levels[k] > 0 && n_levels[k] <= MOST, "n_levels must be numbers of levels");
                require(starts[k] >= 0 && starts[k] <= length(tables) &&
                            n_levels[k] <= (length(tables) - starts[k]) / width,
                        "tables must hold the table of every column");
                require(all_below(codes[columns[k]].first(n_rows), n_levels[k]),
                        "codes must be below n_levels");
            }
            nb::gil_scoped_release release;
            std::vector<std::uint32_t> cells;
            for (i64 k = 0; k < length(columns); ++k) {
                const i64 n_cells = n_levels[k] * width;
                cells.assign(n_cells * (n_cells <= SMALL_TABLE ? 4 : 1), 0);
                for (i64 row = 0; row < n_rows; row += TILE) {
                    const i64 n = std::min(TILE, n_rows - row);
                    add_rows(codes[columns[k]].subspan(row, n), beside.subspan(row, n),
                             static_cast<u64>(width), std::span(cells), n_cells);
                }
                for (std::size_t cell = 0; cell < cells.size(); ++cell)
                    tables[starts[k] + static_cast<i64>(cell) % n_cells] += cells[cell];
            }
        });
    });
}

}  // namespace

void bind_tables(nb::module_& module) {
    using namespace nb::literals;
    module.def("count_tables", &count_tables, "codes"_a, "n_levels"_a, "columns"_a, "beside"_a, "width"_a,
               "n_rows"_a, "starts"_a, "tables"_a);
}

}  // namespace entropick
