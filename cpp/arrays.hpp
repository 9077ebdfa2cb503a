// Arrays that come from Python, checked once and then seen as plain memory.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

namespace entropick {

namespace nb = nanobind;
using i64 = std::int64_t;
using u64 = std::uint64_t;

using In = nb::ndarray<nb::ro, nb::device::cpu>;  // only read, so that a frozen array will do
using Out = nb::ndarray<nb::device::cpu>;         // filled or updated

// Levels, classes and rows are fewer than this, so that products of two of them fit an i64.
inline constexpr i64 MOST = std::numeric_limits<std::int32_t>::max();

// Levels that codes of a type can tell apart.
template <class Code>
inline constexpr i64 most_levels =
    sizeof(Code) < 4 ? static_cast<i64>(std::numeric_limits<Code>::max()) + 1 : MOST;

// Rows of equal length; neighbouring values of a row are neighbours in memory.
template <class T>
struct Matrix {
    T* data;
    i64 n_rows, n_columns, stride;

    T* operator[](i64 row) const { return data + row * stride; }
    std::span<T> row(i64 r) const { return {data + r * stride, static_cast<std::size_t>(n_columns)}; }
};

inline void require(bool holds, const char* message) {
    if (!holds) [[unlikely]]
        throw std::invalid_argument(message);
}

[[noreturn]] inline void refuse_type(const char* name) {
    throw nb::type_error((std::string(name) + " is an array of a type that is not supported").c_str());
}

[[noreturn]] inline void refuse_layout(const char* name, int n_dimensions) {
    throw std::invalid_argument(std::string(name) + " must be an aligned array of " +
                                std::to_string(n_dimensions) + " dimension(s) without gaps in its rows");
}

template <class T, class Array>
void check_layout(const Array& array, const char* name, std::size_t n_dimensions) {
    if (array.dtype() != nb::dtype<std::remove_const_t<T>>()) refuse_type(name);
    if (array.ndim() != n_dimensions) refuse_layout(name, static_cast<int>(n_dimensions));
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0;
    const auto last = n_dimensions - 1;
    if (array.size() > 0 && (!is_aligned || (array.shape(last) > 1 && array.stride(last) != 1)))
        refuse_layout(name, static_cast<int>(n_dimensions));
}

// T is const for arrays of type `In`.
template <class T, class Array>
std::span<T> vector(const Array& array, const char* name) {
    check_layout<T>(array, name, 1);
    return {static_cast<T*>(array.data()), array.shape(0)};
}

template <class T, class Array>
Matrix<T> matrix(const Array& array, const char* name) {
    check_layout<T>(array, name, 2);
    const auto n_rows = static_cast<i64>(array.shape(0)), n_columns = static_cast<i64>(array.shape(1));
    const i64 stride = n_rows > 1 && n_columns > 0 ? array.stride(0) : n_columns;
    if (stride < n_columns) refuse_layout(name, 2);
    return {static_cast<T*>(array.data()), n_rows, n_columns, stride};
}

// Call `loop` with a value of the type of the array, which is one of the types given.
template <class First, class... Rest, class Array, class Loop>
decltype(auto) by_type(const Array& array, const char* name, Loop&& loop) {
    if (array.dtype() == nb::dtype<First>()) return loop(First{});
    if constexpr (sizeof...(Rest) > 0)
        return by_type<Rest...>(array, name, loop);
    else
        refuse_type(name);
}

template <class Array, class Loop>
decltype(auto) by_code_type(const Array& array, const char* name, Loop&& loop) {
    return by_type<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(array, name, loop);
}

template <class T>
i64 length(std::span<T> values) {
    return static_cast<i64>(values.size());
}

// Whether all values are numbers from 0 to limit - 1. Written so that every compiler makes vector code of it.
template <class T>
bool all_below(const T* values, i64 n, i64 limit) {
    using Unsigned = std::make_unsigned_t<T>;
    if (n == 0) return true;
    if (limit <= 0) return false;
    if (std::is_unsigned_v<T> && static_cast<u64>(limit) > std::numeric_limits<T>::max()) return true;
    if constexpr (sizeof(T) < 4) {
        Unsigned most = 0;
        for (i64 i = 0; i < n; ++i) most = std::max(most, static_cast<Unsigned>(values[i]));
        return static_cast<i64>(most) < limit;
    } else {  // a wrong value has its highest bit set, or the distance to the last right one has
        const auto last = static_cast<Unsigned>(
            std::min(static_cast<u64>(limit), u64{std::numeric_limits<Unsigned>::max()} / 2 + 1) - 1);
        Unsigned wrong = 0;
        for (i64 i = 0; i < n; ++i)
            wrong |= static_cast<Unsigned>(values[i]) | (last - static_cast<Unsigned>(values[i]));
        return wrong >> (8 * sizeof(T) - 1) == 0;
    }
}

template <class T>
bool all_below(std::span<T> values, i64 limit) {
    return all_below(values.data(), length(values), limit);
}

// φ of counts. Counts that contradict each other cannot make it read elsewhere.
struct Phi {
    const i64* values;
    u64 last;

    i64 operator[](i64 count) const { return values[std::min(static_cast<u64>(count), last)]; }
};

inline Phi read_phi(const In& array, i64 n_rows) {
    const auto values = vector<const i64>(array, "phi");
    require(length(values) > n_rows, "phi must be longer than the rows");
    return {values.data(), values.size() - 1};
}

// Starts of consecutive parts: ascending from 0 or more to `limit` at most.
inline bool are_starts(std::span<const i64> starts, i64 limit) {
    bool ascending = starts.size() > 0 && starts.front() >= 0 && starts.back() <= limit;
    for (std::size_t i = 1; i < starts.size(); ++i) ascending &= starts[i - 1] <= starts[i];
    return ascending;
}

}  // namespace entropick
