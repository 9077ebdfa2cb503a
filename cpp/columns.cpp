// Columns as they stand in tables of others: values row by row, texts and dictionaries of Arrow, codes.
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "arrow.hpp"

namespace entropick {
namespace {

// -- columns of a table stored row by row -----------------------------------------------------------------

constexpr i64 ROWS_AT_ONCE = 8;  // so many doubles of a column fill a cache line

// Eight rows of eight bytes, transposed.
void transpose_bytes(std::array<u64, 8>& rows) {
    const auto swap = [&](int step, int distance, u64 mask) {
        for (int r = 0; r < 8; ++r) {
            if (r & step) continue;
            const u64 moved = ((rows[r] >> distance) ^ rows[r + step]) & mask;
            rows[r + step] ^= moved;
            rows[r] ^= moved << distance;
        }
    };
    swap(1, 8, 0x00FF00FF00FF00FF);
    swap(2, 16, 0x0000FFFF0000FFFF);
    swap(4, 32, 0x00000000FFFFFFFF);
}

template <class From, class To>
void copy_columns(const From* table, i64 row_step, i64 column_step, const Matrix<To>& columns) {
    const i64 n_rows = columns.n_columns, n_columns = columns.n_rows;
    for (i64 row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        const i64 n = std::min(ROWS_AT_ONCE, n_rows - row);
        const From* from = table + row * row_step;
        i64 j = 0;
        if constexpr (sizeof(From) == 1 && sizeof(To) == 1 && std::endian::native == std::endian::little) {
            for (; n == 8 && column_step == 1 && j + 8 <= n_columns; j += 8) {
                std::array<u64, 8> tile;
                for (int r = 0; r < 8; ++r) std::memcpy(&tile[r], from + r * row_step + j, 8);
                transpose_bytes(tile);
                for (int c = 0; c < 8; ++c) std::memcpy(columns[j + c] + row, &tile[c], 8);
            }
        }
        for (; j < n_columns; ++j)
            for (i64 r = 0; r < n; ++r)
                columns[j][row + r] = static_cast<To>(from[r * row_step + j * column_step]);
    }
}

// Types of tables, and the one of three that values are computed with.
template <class From>
using Common = std::conditional_t<
    std::is_floating_point_v<From>, double,
    std::conditional_t<std::is_same_v<From, bool> || std::is_same_v<From, std::uint8_t>, std::uint8_t, i64>>;

void read_columns(const In& table, i64 first, const Out& columns_) {
    by_type<double, float, i64, std::int32_t, std::int16_t, std::int8_t, std::uint32_t, std::uint16_t,
            std::uint8_t, bool>(table, "table", [&](auto zero) {
        using From = decltype(zero);
        using To = Common<From>;
        const auto columns = matrix<To>(columns_, "columns");
        require(table.ndim() == 2, "table must have two dimensions");
        require(static_cast<i64>(table.shape(0)) == columns.n_columns,
                "columns must be as long as the table");
        require(first >= 0 && first + columns.n_rows <= static_cast<i64>(table.shape(1)),
                "columns must be some of the table's");
        require(reinterpret_cast<std::uintptr_t>(table.data()) % alignof(From) == 0, "table must be aligned");
        nb::gil_scoped_release release;
        const i64 row_step = table.stride(0), column_step = table.stride(1);
        copy_columns(static_cast<const From*>(table.data()) + first * column_step, row_step, column_step,
                     columns);
    });
}

// -- codes that are there already -------------------------------------------------------------------------

template <class Array, class Loop>
decltype(auto) by_index_type(const Array& array, const char* name, Loop&& loop) {
    return by_type<std::int8_t, std::int16_t, std::int32_t, i64>(array, name, loop);
}

template <class T>
void check_codes(std::span<const T> codes, i64 n_levels) {
    T least = 0, largest = -1;
    for (const T code : codes) least = std::min(least, code), largest = std::max(largest, code);
    require(least >= -1 && static_cast<i64>(largest) < n_levels, "codes must be levels, or -1 where missing");
}

i64 find_present(const In& codes_, const Out& is_present_) {
    return by_index_type(codes_, "codes", [&](auto zero) {
        using T = decltype(zero);
        const auto codes = vector<const T>(codes_, "codes");
        const auto is_present = vector<bool>(is_present_, "is_present");
        check_codes(codes, length(is_present));
        nb::gil_scoped_release release;
        i64 n_missing = 0;
        for (const T code : codes) {
            if (code < 0)
                ++n_missing;
            else
                is_present[code] = true;
        }
        return n_missing;
    });
}

void renumber(const In& codes_, const In& new_code_, i64 missing_code, const Out& renumbered_) {
    by_index_type(codes_, "codes", [&](auto zero) {
        by_type<std::uint8_t, std::uint16_t, std::uint32_t, i64>(
            renumbered_, "renumbered", [&](auto new_zero) {
                using T = decltype(zero);
                using To = decltype(new_zero);
                const auto codes = vector<const T>(codes_, "codes");
                const auto new_code = vector<const i64>(new_code_, "new_code");
                const auto renumbered = vector<To>(renumbered_, "renumbered");
                require(length(renumbered) >= length(codes), "renumbered must have room for the codes");
                check_codes(codes, length(new_code));
                nb::gil_scoped_release release;
                std::vector<To> table(new_code.size() + 1);  // the first is that of missing values
                table[0] = static_cast<To>(missing_code);
                for (std::size_t k = 0; k < new_code.size(); ++k) table[k + 1] = static_cast<To>(new_code[k]);
                for (std::size_t i = 0; i < codes.size(); ++i)
                    renumbered[i] = table[static_cast<i64>(codes[i]) + 1];
            });
    });
}

// -- texts ------------------------------------------------------------------------------------------------

// Numbers texts in the order in which they first come.
class Levels {
   public:
    std::int32_t number_of(std::string_view text) {
        const u64 hash = std::hash<std::string_view>{}(text);
        for (u64 at = hash & mask_;; at = (at + 1) & mask_) {
            const Place& place = places_[at];
            if (place.number < 0) return add(text, hash, at);
            if (place.hash == hash && place.text == text) return place.number;
        }
    }

    const std::deque<std::string>& texts() const { return texts_; }

   private:
    struct Place {
        u64 hash = 0;
        std::string_view text;
        std::int32_t number = -1;
    };

    std::vector<Place> places_ = std::vector<Place>(64);
    u64 mask_ = 63;
    std::deque<std::string> texts_;

    std::int32_t add(std::string_view text, u64 hash, u64 at) {
        const auto number = static_cast<std::int32_t>(texts_.size());
        require(number < MOST, "a column has too many different texts");
        texts_.emplace_back(text);
        places_[at] = {hash, texts_.back(), number};
        if (texts_.size() * 2 > places_.size()) grow();
        return number;
    }

    void grow() {
        std::vector<Place> places(places_.size() * 4);
        mask_ = places.size() - 1;
        for (const Place& place : places_) {
            if (place.number < 0) continue;
            u64 at = place.hash & mask_;
            while (places[at].number >= 0) at = (at + 1) & mask_;
            places[at] = place;
        }
        places_.swap(places);
    }
};

nb::tuple number_texts(nb::capsule stream) {
    std::vector<std::int32_t> codes;
    Levels levels;
    arrow::Stream column(stream);
    {
        nb::gil_scoped_release release;
        while (column.next())
            column.chunk().number([&](std::string_view text) { return levels.number_of(text); }, codes);
    }
    nb::list texts;
    for (const std::string& text : levels.texts()) texts.append(nb::str(text.data(), text.size()));
    auto* owned = new std::vector<std::int32_t>(std::move(codes));
    nb::capsule owner(owned,
                      [](void* vector) noexcept { delete static_cast<std::vector<std::int32_t>*>(vector); });
    return nb::make_tuple(nb::ndarray<nb::numpy, std::int32_t>(owned->data(), {owned->size()}, owner), texts);
}

}  // namespace

void bind_columns(nb::module_& module) {
    module.def("read_columns", &read_columns, nb::arg("table"), nb::arg("first"), nb::arg("columns"));
    module.def("find_present", &find_present, nb::arg("codes"), nb::arg("is_present"));
    module.def("renumber", &renumber, nb::arg("codes"), nb::arg("new_code"), nb::arg("missing_code"),
               nb::arg("renumbered"));
    module.def("number_texts", &number_texts, nb::arg("stream"));
}

}  // namespace entropick
