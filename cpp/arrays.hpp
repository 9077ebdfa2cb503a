// Arrays that come from Python, checked once, and then views of them that know how long they are.
//
// Loops index spans, vectors and arrays only. A release build does not check the indices, a checked build
// (ENTROPICK_CHECKED, ENTROPICK_SANITIZE) stops at the first wrong one. Where a loop needs an address, it
// takes it from a span of all that it will touch.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

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
    using Value = std::remove_const_t<T>;

    std::span<T> values;  // from the first of the first row to the last of the last row
    i64 n_rows, n_columns, stride;

    std::span<T> operator[](i64 row) const { return values.subspan(row * stride, n_columns); }
};

#ifdef ENTROPICK_CHECKED
inline constexpr bool IS_CHECKED = true;
#else
inline constexpr bool IS_CHECKED = false;
#endif

// What must hold for an access that no span can check.
inline void expect(bool holds) {
    if (IS_CHECKED && !holds) std::abort();
}

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
    const i64 n_values = n_rows > 0 ? (n_rows - 1) * stride + n_columns : 0;
    return {{static_cast<T*>(array.data()), static_cast<std::size_t>(n_values)}, n_rows, n_columns, stride};
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

// Write the values of one span over the first of another.
template <class From, class To>
void copy_to(std::span<From> from, std::span<To> to) {
    std::copy(from.begin(), from.end(), to.first(from.size()).begin());
}

template <class T>
void fill(std::span<T> values, std::type_identity_t<T> value) {
    std::fill(values.begin(), values.end(), value);
}

// The first n values of memory that only grows, so that what a loop writes is made room for where it is
// written. New values are zero.
template <class T>
std::span<T> with_room(std::vector<T>& memory, i64 n) {
    if (static_cast<i64>(memory.size()) < n) memory.resize(n);
    return std::span(memory).first(n);
}

// Whether all values are numbers from 0 to limit - 1. Written so that every compiler makes vector code of it.
template <class Value>
bool all_below(std::span<Value> values, i64 limit) {
    using T = std::remove_const_t<Value>;
    using Unsigned = std::make_unsigned_t<T>;
    const i64 n = length(values);
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

// Memory of our own as an array of Python, which keeps it.
template <class T>
nb::ndarray<nb::numpy, T> to_python(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* memory = new std::vector<T>(std::move(values));
    nb::capsule owner(memory, [](void* kept) noexcept { delete static_cast<std::vector<T>*>(kept); });
    return nb::ndarray<nb::numpy, T>(memory->data(), shape, owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_python(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_python(std::move(values), {n});
}

// An array of zeros that Python will own, and a view of it.
template <class T>
struct NewArray {
    nb::ndarray<nb::numpy, T> array;
    Matrix<T> values;  // an array of one dimension is a single row

    NewArray(i64 n_rows, i64 n_columns) : values(zeros(n_rows, n_columns)) {
        hand_over({static_cast<std::size_t>(n_rows), static_cast<std::size_t>(n_columns)});
    }
    explicit NewArray(i64 n) : values(zeros(1, n)) { hand_over({static_cast<std::size_t>(n)}); }

   private:
    static Matrix<T> zeros(i64 n_rows, i64 n_columns) {
        const auto n = static_cast<std::size_t>(n_rows * n_columns);
        return {{new T[n](), n}, n_rows, n_columns, n_columns};
    }
    void hand_over(std::initializer_list<std::size_t> shape) {
        nb::capsule owner(values.values.data(), [](void* kept) noexcept { delete[] static_cast<T*>(kept); });
        array = nb::ndarray<nb::numpy, T>(values.values.data(), shape, owner);
    }
};

// φ of counts. Counts that contradict each other cannot make it read elsewhere.
struct Phi {
    std::span<const i64> values;

    i64 operator[](i64 count) const {
        return values[std::min(static_cast<u64>(count), static_cast<u64>(values.size() - 1))];
    }
};

inline Phi read_phi(const In& array, i64 n_rows) {
    const auto values = vector<const i64>(array, "phi");
    require(length(values) > n_rows, "phi must be longer than the rows");
    return {values};
}

// Starts of consecutive parts: ascending from 0 or more to `limit` at most.
inline bool are_starts(std::span<const i64> starts, i64 limit) {
    bool ascending = starts.size() > 0 && starts.front() >= 0 && starts.back() <= limit;
    for (std::size_t i = 1; i < starts.size(); ++i) ascending &= starts[i - 1] <= starts[i];
    return ascending;
}

}  // namespace entropick
