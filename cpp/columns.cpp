// Columns as they stand in tables of others: values row by row, texts and dictionaries of Arrow, codes.
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "arrow.hpp"

namespace entropick {
namespace {

// -- columns of a table stored row by row -----------------------------------------------------------------

constexpr i64 ROWS_AT_ONCE = 8;  // doubles of a column in a cache line

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

// Some columns of a table in any layout: steps may be negative.
template <class From>
struct TablePart {
    const From* first;
    i64 n_rows, n_columns, row_step, column_step;

    bool has_whole_rows() const { return column_step == 1; }  // their values are neighbours in memory

    // n values of a row from column j on, which are neighbours in memory unless n is 1.
    const From* at(i64 row, i64 j, i64 n = 1) const {
        expect(row >= 0 && row < n_rows && j >= 0 && j + n <= n_columns && (n == 1 || has_whole_rows()));
        return first + row * row_step + j * column_step;
    }

    // Ask for rows that come next: each lies on a page of its own, which no processor foresees.
    void fetch([[maybe_unused]] i64 begin, [[maybe_unused]] i64 end) const {
#if defined(__GNUC__) || defined(__clang__)
        constexpr i64 PER_LINE = 64 / sizeof(From);
        for (i64 row = begin; row < end; ++row)
            for (i64 j = 0; j < n_columns; j += PER_LINE) __builtin_prefetch(at(row, j));
#endif
    }
};

template <class From, class To>
void copy_columns(const TablePart<From>& table, const Matrix<To>& columns) {
    const i64 n_rows = table.n_rows, n_columns = table.n_columns;
    for (i64 row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        const i64 n = std::min(ROWS_AT_ONCE, n_rows - row);
        if (table.has_whole_rows()) table.fetch(row + n, std::min(row + n + ROWS_AT_ONCE, n_rows));
        i64 j = 0;
        if constexpr (sizeof(From) == 1 && sizeof(To) == 1 && std::endian::native == std::endian::little) {
            for (; n == 8 && table.has_whole_rows() && j + 8 <= n_columns; j += 8) {
                std::array<u64, 8> tile;
                for (int r = 0; r < 8; ++r) std::memcpy(&tile[r], table.at(row + r, j, 8), 8);
                transpose_bytes(tile);
                for (int c = 0; c < 8; ++c)
                    std::memcpy(columns[j + c].subspan(row).template first<8>().data(), &tile[c], 8);
            }
        }
        for (; j < n_columns; ++j) {
            const auto to = columns[j].subspan(row, n);
            for (i64 r = 0; r < n; ++r) to[r] = static_cast<To>(*table.at(row + r, j));
        }
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
        const From* begin = static_cast<const From*>(table.data()) + first * column_step;
        copy_columns(TablePart<From>{begin, columns.n_columns, columns.n_rows, row_step, column_step},
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

// -- numeric columns of a dataframe -----------------------------------------------------------------------

// The numeric columns of a table in the pieces that its library hands over: they are kept, not copied. Other
// columns are counted and never read. With `all_or_none` nothing but formats is read where there are
// any: handing over pieces may convert texts, for nothing.
class NumericTable {
   public:
    explicit NumericTable(const nb::capsule& capsule, bool all_or_none) {
        arrow::Stream stream(capsule);
        require(std::string_view(stream.schema().format) == "+s", "the stream must be one of tables");
        const i64 n_columns = stream.schema().n_children;
        for (i64 j = 0; j < n_columns; ++j) {
            const std::string_view format = stream.schema().children[j]->format;
            const bool is_dictionary = stream.schema().children[j]->dictionary != nullptr;
            const bool is_number =
                format == "b" || format == "f" || format == "g" || arrow::by_integer(format, [](auto) {});
            formats_.push_back(is_number && !is_dictionary ? format[0] : OTHER);
        }
        const bool is_left = all_or_none && formats_.find(OTHER) != std::string::npos;
        while (!is_left && stream.next()) {
            pieces_.emplace_back(stream.take());
            require(pieces_.back()->n_children == n_columns,
                    "all pieces must have the columns of the stream");
            n_rows_ += pieces_.back()->length;
        }
        for (i64 j = 0; j < n_columns; ++j) types_.push_back(type_of(j));
    }

    NumericTable(const NumericTable&) = delete;
    NumericTable& operator=(const NumericTable&) = delete;

    i64 n_rows() const { return n_rows_; }

    // The format of each column as Arrow writes it, OTHER where it is no number.
    nb::str formats() const { return nb::str(formats_.data(), formats_.size()); }

    // What each column is to be read as: see index_of.
    nb::ndarray<nb::numpy, const std::uint8_t> types() const {
        return {types_.data(), {types_.size()}, nb::find(this)};
    }

    void read(const In& columns_, const Out& values_) const {
        const auto columns = vector<const i64>(columns_, "columns");
        require(all_below(columns, n_columns()), "columns must be some of the table's");
        by_type<std::uint8_t, i64, double>(values_, "values", [&](auto zero) {
            using To = decltype(zero);
            const auto values = matrix<To>(values_, "values");
            require(values.n_rows == length(columns) && values.n_columns == n_rows_,
                    "values must have a row per column, as long as the table");
            for (const i64 j : columns)
                require(types_[j] == index_of<To>, "values must be of the type of the columns");
            nb::gil_scoped_release release;
            for (i64 k = 0; k < values.n_rows; ++k) {
                i64 first = 0;
                for (const Piece& piece : pieces_) {
                    copy(formats_[columns[k]], piece, columns[k], values[k].subspan(first, piece->length));
                    first += piece->length;
                }
            }
        });
    }

    // A column where it stands; None where it is to be read: it is in pieces, of another type, or has gaps.
    nb::object view(i64 j) const {
        require(0 <= j && j < n_columns(), "column must be one of the table's");
        if (pieces_.size() != 1 || n_rows_ == 0 || formats_[j] == OTHER) return nb::none();
        const arrow::Array& array = *pieces_[0]->children[j];
        const i64 begin = pieces_[0]->offset + array.offset;
        const auto as = [&](auto zero) -> nb::object {
            using T = decltype(zero);
            const T* values = static_cast<const T*>(array.buffers[1]) + begin;
            if (reinterpret_cast<std::uintptr_t>(values) % alignof(T) != 0) return nb::none();
            return nb::cast(
                nb::ndarray<nb::numpy, const T>(values, {static_cast<std::size_t>(n_rows_)}, nb::find(this)));
        };
        if (n_missing(pieces_[0], j) > 0) return nb::none();
        if (formats_[j] == 'g') return as(double{});
        if (formats_[j] == 'l') return as(i64{});
        return formats_[j] == 'C' ? as(std::uint8_t{}) : nb::none();
    }

   private:
    // A piece of the table, released at the end.
    class Piece {
       public:
        explicit Piece(arrow::Array array) : array_(array) {}
        Piece(Piece&& other) noexcept : array_(std::exchange(other.array_, {})) {}
        Piece& operator=(Piece&&) = delete;
        ~Piece() {
            if (array_.release != nullptr) array_.release(&array_);
        }
        const arrow::Array* operator->() const { return &array_; }

       private:
        arrow::Array array_;
    };

    static constexpr char OTHER = '?';
    static constexpr std::uint8_t NO_NUMBER = 3;

    std::string formats_;
    std::vector<Piece> pieces_;
    std::vector<std::uint8_t> types_;
    i64 n_rows_ = 0;

    template <class To>
    static constexpr std::uint8_t index_of = std::is_same_v<To, std::uint8_t> ? 0
                                             : std::is_same_v<To, i64>        ? 1
                                                                              : 2;

    i64 n_columns() const { return static_cast<i64>(types_.size()); }

    static i64 n_missing(const Piece& piece, i64 j) {
        const arrow::Array& array = *piece->children[j];
        if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return 0;
        i64 n = 0;
        for (i64 i = 0; i < piece->length; ++i) n += !arrow::is_valid(array, piece->offset + i);
        return n;
    }

    // Whole numbers stay such unless some are missing or beyond 63 bits.
    std::uint8_t type_of(i64 j) const {
        const char format = formats_[j];
        if (format == OTHER) return NO_NUMBER;
        const bool is_float = format == 'f' || format == 'g' || format == 'L';
        if (is_float ||
            std::ranges::any_of(pieces_, [&](const Piece& piece) { return n_missing(piece, j) > 0; }))
            return index_of<double>;
        return format == 'b' || format == 'C' ? index_of<std::uint8_t> : index_of<i64>;
    }

    template <class To>
    static void copy(char format, const Piece& piece, i64 j, std::span<To> to) {
        const arrow::Array& array = *piece->children[j];
        const i64 begin = piece->offset + array.offset;
        const auto* bytes = static_cast<const std::uint8_t*>(array.buffers[1]);
        const auto convert = [&](auto zero) {
            for (i64 i = 0; i < piece->length; ++i) {
                decltype(zero) value;  // a buffer need not be aligned
                std::memcpy(&value, bytes + (begin + i) * static_cast<i64>(sizeof value), sizeof value);
                to[i] = static_cast<To>(value);
            }
        };
        if (format == 'g') {
            convert(double{});
        } else if (format == 'f') {
            convert(float{});
        } else if (format == 'b') {
            for (i64 i = 0; i < piece->length; ++i)
                to[i] = static_cast<To>(bytes[(begin + i) / 8] >> ((begin + i) % 8) & 1);
        } else {
            arrow::by_integer({&format, 1}, convert);
        }
        if constexpr (std::is_floating_point_v<To>) {
            if (n_missing(piece, j) == 0) return;
            for (i64 i = 0; i < piece->length; ++i)
                if (!arrow::is_valid(array, piece->offset + i)) to[i] = std::numeric_limits<To>::quiet_NaN();
        }
    }
};

}  // namespace

void bind_columns(nb::module_& module) {
    nb::class_<NumericTable>(module, "NumericTable")
        .def(nb::init<const nb::capsule&, bool>(), nb::arg("stream"), nb::arg("all_or_none") = false)
        .def_prop_ro("n_rows", &NumericTable::n_rows)
        .def_prop_ro("formats", &NumericTable::formats)
        .def_prop_ro("types", &NumericTable::types)
        .def("read", &NumericTable::read, nb::arg("columns"), nb::arg("values"))
        .def("view", &NumericTable::view, nb::arg("column"));
    module.def("read_columns", &read_columns, nb::arg("table"), nb::arg("first"), nb::arg("columns"));
    module.def("find_present", &find_present, nb::arg("codes"), nb::arg("is_present"));
    module.def("renumber", &renumber, nb::arg("codes"), nb::arg("new_code"), nb::arg("missing_code"),
               nb::arg("renumbered"));
    module.def("number_texts", &number_texts, nb::arg("stream"));
}

}  // namespace entropick
