// Columns of codes where Python stores them: what every loop that counts looks at.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"

namespace entropick {

// A loop over codes is compiled once for each of these types.
template <template <class> class Of>
using AnyCodes = std::variant<Of<std::uint8_t>, Of<std::uint16_t>, Of<std::uint32_t>>;

template <class Code>
using DenseCodes = Matrix<const Code>;
template <class Code>
using ListedCodes = std::span<const Code>;

// Call `make` with a zero of the type of the array, which is one of the types of codes.
template <class Array, class Make>
decltype(auto) by_stored_type(const Array& array, const char* name, Make&& make) {
    return by_type<std::uint8_t, std::uint16_t, std::uint32_t>(array, name, make);
}

// Columns of one storage width, with at least the rows of the table.
struct DensePart {
    In memory;
    AnyCodes<DenseCodes> codes;
};

// Columns stored as the rows that differ from the column's usual level.
struct SparsePart {
    std::vector<In> memory;
    std::span<const i64> starts;
    std::span<const std::int32_t> rows;
    AnyCodes<ListedCodes> codes;
    std::span<const i64> usual;

    i64 n_stored(i64 k) const { return starts[k + 1] - starts[k]; }
};

// One column of a sparse part, checked: rows and levels are where they can be written to.
template <class Code>
struct ListedColumn {
    std::span<const std::int32_t> rows;
    std::span<const Code> codes;
    i64 usual, n_levels;
};

// A table of codes. It keeps the arrays of Python alive; their shapes and layouts are checked once. Python
// may still write into them, so that a loop checks the codes of a column before they decide where it writes.
class CodeTable {
   public:
    // A part is (columns, codes) or (columns, starts, rows, codes, usual); a column of several parts is that
    // of the last.
    CodeTable(i64 n_rows, const In& n_levels, const nb::sequence& parts);

    i64 n_rows() const { return n_rows_; }
    i64 n_columns() const { return static_cast<i64>(n_levels_.size()); }
    i64 n_levels(i64 j) const { return n_levels_[j]; }
    double mean_stored() const;  // codes per column that a loop visits

    void check_columns(std::span<const i64> columns) const {
        require(all_below(columns, n_columns()), "candidates must be columns");
    }

    bool is_sparse(i64 j) const { return place_of_[j].is_sparse; }

    // Call `loop` with the codes of a dense column, as many as are stored; with a span of their type.
    template <class Loop>
    decltype(auto) with_stored(i64 j, Loop&& loop) const {
        const Place& place = place_of_[j];
        return std::visit([&](const auto& codes) -> decltype(auto) { return loop(codes[place.row]); },
                          dense_[place.part].codes);
    }

    // Call `loop` with the codes of the rows of a dense column, which are below its number of levels.
    template <class Loop>
    decltype(auto) with_dense(i64 j, Loop&& loop) const {
        return with_stored(j, [&](auto stored) -> decltype(auto) {
            const auto column = stored.first(n_rows_);
            require(all_below(column, n_levels_[j]), "codes must be below n_levels");
            return loop(column);
        });
    }

    // Call `loop` with a ListedColumn.
    template <class Loop>
    decltype(auto) with_listed(i64 j, Loop&& loop) const {
        const Place& place = place_of_[j];
        const SparsePart& part = sparse_[place.part];
        const i64 start = part.starts[place.row], n = part.starts[place.row + 1] - start;
        require(start >= 0 && n >= 0 && start <= length(part.rows) && n <= length(part.rows) - start,
                "starts must ascend within rows");
        const auto rows = part.rows.subspan(start, n);
        const i64 usual = part.usual[place.row], n_levels = n_levels_[j];
        require(usual >= 0 && usual < n_levels, "usual must be below n_levels");
        require(all_below(rows, n_rows_), "rows must be below the number of rows");
        return std::visit(
            [&]<class Code>(std::span<const Code> codes) -> decltype(auto) {
                const auto own = codes.subspan(start, n);
                require(all_below(own, n_levels), "codes must be below n_levels");
                return loop(ListedColumn<Code>{rows, own, usual, n_levels});
            },
            part.codes);
    }

    // Call `loop` with all codes of any column; `memory` is for those of a sparse one.
    template <class Loop>
    decltype(auto) with_column(i64 j, std::vector<std::uint32_t>& memory, Loop&& loop) const {
        if (!is_sparse(j)) return with_dense(j, loop);
        with_listed(j, [&](const auto& column) {
            memory.assign(n_rows_, static_cast<std::uint32_t>(column.usual));
            for (i64 at = 0; at < length(column.rows); ++at) memory[column.rows[at]] = column.codes[at];
        });
        return loop(std::span<const std::uint32_t>(memory));
    }

   private:
    struct Place {
        bool is_sparse = false;
        std::int32_t part = -1;  // none: the column is nowhere
        i64 row = 0;
    };

    void add_dense(const In& columns, const In& codes);
    void add_sparse(const In& columns, const In& starts, const In& rows, const In& codes, const In& usual);
    void put(std::span<const i64> columns, i64 n_here, Place place, i64 most_levels);

    i64 n_rows_;
    std::vector<i64> n_levels_;
    std::vector<Place> place_of_;
    std::vector<DensePart> dense_;
    std::vector<SparsePart> sparse_;
};

}  // namespace entropick
