// Tables of codes, and what is counted of single columns: tables beside something else, and usual levels.
#include "codes.hpp"

#include <array>
#include <vector>

namespace entropick {

CodeTable::CodeTable(i64 n_rows, const In& n_levels_in, const nb::sequence& parts) : n_rows_(n_rows) {
    require(n_rows >= 0 && n_rows < MOST, "n_rows must be a number of rows");
    const auto n_levels = vector<const i64>(n_levels_in, "n_levels");
    for (const i64 n : n_levels) require(n > 0 && n <= MOST, "n_levels must be numbers of levels");
    n_levels_.assign(n_levels.begin(), n_levels.end());
    place_of_.resize(n_levels_.size());
    for (const nb::handle part : parts) {
        const auto arrays = nb::cast<nb::sequence>(part);
        std::vector<In> of_part;
        for (const nb::handle array : arrays) of_part.push_back(nb::cast<In>(array));
        if (of_part.size() == 2)
            add_dense(of_part[0], of_part[1]);
        else if (of_part.size() == 5)
            add_sparse(of_part[0], of_part[1], of_part[2], of_part[3], of_part[4]);
        else
            require(false, "a part must be columns and codes, or columns, starts, rows, codes and usual");
    }
    for (const Place& place : place_of_) require(place.part >= 0, "every column must be in some part");
}

void CodeTable::put(std::span<const i64> columns, i64 n_here, Place place, i64 most_levels) {
    require(length(columns) == n_here, "a part must have the codes of each of its columns");
    require(all_below(columns, n_columns()), "columns of parts must be columns of the table");
    for (place.row = 0; place.row < n_here; ++place.row) {
        const i64 j = columns[place.row];
        require(n_levels_[j] <= most_levels, "n_levels must be numbers of levels that codes can tell apart");
        place_of_[j] = place;
    }
}

void CodeTable::add_dense(const In& columns, const In& codes) {
    by_stored_type(codes, "codes", [&]<class Code>(Code) {
        const auto own = matrix<const Code>(codes, "codes");
        require(own.n_columns >= n_rows_, "codes must have these rows");
        put(vector<const i64>(columns, "columns"), own.n_rows, {false, static_cast<int>(dense_.size())},
            most_levels<Code>);
        dense_.push_back({codes, own});
    });
}

void CodeTable::add_sparse(const In& columns, const In& starts, const In& rows, const In& codes,
                           const In& usual) {
    by_stored_type(codes, "codes", [&]<class Code>(Code) {
        SparsePart part{{starts, rows, codes, usual},
                        vector<const i64>(starts, "starts"),
                        vector<const std::int32_t>(rows, "rows"),
                        vector<const Code>(codes, "codes"),
                        vector<const i64>(usual, "usual")};
        const i64 n_here = length(part.usual);
        require(length(part.starts) == n_here + 1 && are_starts(part.starts, length(part.rows)),
                "starts must ascend within rows, one per column and the end");
        require(part.rows.size() == std::get<std::span<const Code>>(part.codes).size(),
                "codes must be as long as rows");
        put(vector<const i64>(columns, "columns"), n_here, {true, static_cast<int>(sparse_.size())},
            most_levels<Code>);
        sparse_.push_back(part);
    });
}

double CodeTable::mean_stored() const {
    double sum = 0.0;
    for (const Place& place : place_of_)
        sum += static_cast<double>(place.is_sparse ? sparse_[place.part].n_stored(place.row) : n_rows_);
    return place_of_.empty() ? 0.0 : sum / static_cast<double>(place_of_.size());
}

namespace {

// -- tables of counts -------------------------------------------------------------------------------------

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

// Counts of columns as tables, for rows that are only a part of all: tables add up over parts, sums of φ do
// not.
void count_tables(const CodeTable& table, const In& columns_, const In& beside_, i64 width,
                  const Out& tables_) {
    const auto columns = vector<const i64>(columns_, "columns");
    const auto tables = vector<i64>(tables_, "tables");
    const i64 n_rows = table.n_rows();
    table.check_columns(columns);
    require(width > 0 && width <= MOST, "width must be a number of levels");
    i64 room = length(tables) / width;  // levels that may still come
    for (const i64 j : columns) room -= std::min(table.n_levels(j), room + 1);
    require(room >= 0, "tables must hold the table of every column");
    by_stored_type(beside_, "beside", [&]<class S>(S) {
        const auto beside = vector<const S>(beside_, "beside");
        require(length(beside) == n_rows, "beside must have one entry per row");
        require(all_below(beside, width), "beside must be below width");
        nb::gil_scoped_release release;
        std::vector<std::uint32_t> cells, of_sparse;
        i64 start = 0;
        for (const i64 j : columns) {
            const i64 n_cells = table.n_levels(j) * width;
            cells.assign(n_cells * (n_cells <= SMALL_TABLE ? 4 : 1), 0);
            table.with_column(j, of_sparse, [&](auto column) {
                for (i64 row = 0; row < n_rows; row += TILE) {
                    const i64 n = std::min(TILE, n_rows - row);
                    add_rows(column.subspan(row, n), beside.subspan(row, n), static_cast<u64>(width),
                             std::span(cells), n_cells);
                }
            });
            const auto counts = tables.subspan(start, n_cells);
            for (std::size_t cell = 0; cell < cells.size(); ++cell)
                counts[static_cast<i64>(cell) % n_cells] += cells[cell];
            start += n_cells;
        }
    });
}

// -- columns that mostly have one level -------------------------------------------------------------------

// The most frequent level of each of some dense columns, and how many rows have another.
void usual_levels(const CodeTable& table, const In& columns_, const Out& usual_, const Out& n_unusual_) {
    const auto columns = vector<const i64>(columns_, "columns");
    const auto usual = vector<i64>(usual_, "usual"), n_unusual = vector<i64>(n_unusual_, "n_unusual");
    table.check_columns(columns);
    require(usual.size() == columns.size() && n_unusual.size() == columns.size(),
            "usual and n_unusual must have one entry per column");
    nb::gil_scoped_release release;
    std::vector<i64> of_counts, of_odd;
    std::vector<std::uint32_t> of_sparse;
    for (i64 k = 0; k < length(columns); ++k) {
        const i64 n_levels = table.n_levels(columns[k]), n_rows = table.n_rows();
        table.with_column(columns[k], of_sparse, [&](auto column) {
            const auto counts = with_room(of_counts, n_levels), odd = with_room(of_odd, n_levels);
            fill(counts, 0);
            fill(odd, 0);
            for (i64 row = 0; row + 1 < n_rows; row += 2) {  // two tables: a count need not wait for the last
                ++counts[column[row]];
                ++odd[column[row + 1]];
            }
            if (n_rows % 2 == 1) ++counts[column[n_rows - 1]];
            for (i64 level = 0; level < n_levels; ++level) counts[level] += odd[level];
            const auto best = std::max_element(counts.begin(), counts.end());  // the first of equal ones
            usual[k] = best - counts.begin();
            n_unusual[k] = n_rows - *best;
        });
    }
}

// The rows of some dense columns whose level is not the usual one, and that level: those of column k from
// starts[k] on.
void list_unusual(const CodeTable& table, const In& columns_, const In& usual_, const In& starts_,
                  const Out& rows_, const Out& levels_) {
    const auto columns = vector<const i64>(columns_, "columns"), usual = vector<const i64>(usual_, "usual");
    const auto starts = vector<const i64>(starts_, "starts");
    const auto rows = vector<std::int32_t>(rows_, "rows");
    const i64 n_rows = table.n_rows();
    table.check_columns(columns);
    require(usual.size() == columns.size() && starts.size() == columns.size() &&
                all_below(starts, length(rows) + 1),
            "usual and starts must have one entry per column, starts places in rows");
    by_stored_type(levels_, "levels", [&]<class Level>(Level) {
        const auto levels = vector<Level>(levels_, "levels");
        require(levels.size() == rows.size(), "levels must be as long as rows");
        nb::gil_scoped_release release;
        constexpr i64 AT_ONCE = 64;
        std::vector<std::uint32_t> of_sparse;
        for (i64 k = 0; k < length(columns); ++k) {
            require(table.n_levels(columns[k]) <= most_levels<Level>, "levels must have room for all levels");
            table.with_column(columns[k], of_sparse, [&](auto column) {
                const auto most = static_cast<u64>(usual[k]);
                i64 at = starts[k];
                std::array<std::int32_t, AT_ONCE> found;
                for (i64 first = 0; first < n_rows; first += AT_ONCE) {  // some rows at a time, no branch
                    i64 n_found = 0;
                    for (i64 row = first; row < std::min(first + AT_ONCE, n_rows); ++row) {
                        found[n_found] = static_cast<std::int32_t>(row);
                        n_found += column[row] != most;
                    }
                    require(n_found <= length(rows) - at, "rows must have room for the unusual rows");
                    for (i64 i = 0; i < n_found; ++i, ++at) {
                        rows[at] = found[i];
                        levels[at] = static_cast<Level>(column[found[i]]);
                    }
                }
            });
        }
    });
}

}  // namespace

void bind_codes(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<CodeTable>(module, "CodeTable")
        .def(nb::init<i64, const In&, const nb::sequence&>(), "n_rows"_a, "n_levels"_a, "parts"_a)
        .def_prop_ro("mean_stored", &CodeTable::mean_stored)
        .def("count_tables", &count_tables, "columns"_a, "beside"_a, "width"_a, "tables"_a)
        .def("usual_levels", &usual_levels, "columns"_a, "usual"_a, "n_unusual"_a)
        .def("list_unusual", &list_unusual, "columns"_a, "usual"_a, "starts"_a, "rows"_a, "levels"_a);
}

}  // namespace entropick
