// Columns from the Arrow C stream interface, which dataframe libraries offer.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace entropick::arrow {

namespace nb = nanobind;

// The structures of the Arrow C data interface, as its specification lays them out.
struct Schema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    Schema** children;
    Schema* dictionary;
    void (*release)(Schema*);
    void* private_data;
};

struct Array {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    Array** children;
    Array* dictionary;
    void (*release)(Array*);
    void* private_data;
};

struct ArrayStream {
    int (*get_schema)(ArrayStream*, Schema*);
    int (*get_next)(ArrayStream*, Array*);
    const char* (*get_last_error)(ArrayStream*);
    void (*release)(ArrayStream*);
    void* private_data;
};

[[noreturn]] inline void refuse(const char* what) { throw std::invalid_argument(what); }

// Whether row i of an array has a value.
inline bool is_valid(const Array& array, std::int64_t i) {
    const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
    const std::int64_t at = i + array.offset;
    return bits == nullptr || (bits[at / 8] >> (at % 8) & 1) != 0;
}

// Call a loop with a zero of the type of whole numbers that a format says; false where it says another type.
template <class Loop>
bool by_integer(std::string_view format, Loop&& loop) {
    if (format == "c") return loop(std::int8_t{}), true;
    if (format == "C") return loop(std::uint8_t{}), true;
    if (format == "s") return loop(std::int16_t{}), true;
    if (format == "S") return loop(std::uint16_t{}), true;
    if (format == "i") return loop(std::int32_t{}), true;
    if (format == "I") return loop(std::uint32_t{}), true;
    if (format == "l") return loop(std::int64_t{}), true;
    if (format == "L") return loop(std::uint64_t{}), true;
    return false;
}

// The texts of an array, in one of the three layouts.
template <class Offset>
std::string_view text_by_offsets(const Array& array, std::int64_t i) {
    const auto* offsets = static_cast<const Offset*>(array.buffers[1]) + array.offset;
    const auto length = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
    return {static_cast<const char*>(array.buffers[2]) + offsets[i], length};
}

inline std::string_view text_by_view(const Array& array, std::int64_t i) {
    constexpr std::int64_t VIEW = 16, SHORT = 12;  // bytes of a view, and of a text that stands in it
    const char* view = static_cast<const char*>(array.buffers[1]) + (i + array.offset) * VIEW;
    std::int32_t length, buffer, begin;
    std::memcpy(&length, view, 4);
    if (length <= SHORT) return {view + 4, static_cast<std::size_t>(length)};
    std::memcpy(&buffer, view + 8, 4);
    std::memcpy(&begin, view + 12, 4);
    return {static_cast<const char*>(array.buffers[2 + buffer]) + begin, static_cast<std::size_t>(length)};
}

// A piece of a column of texts, or of a dictionary of texts.
class Chunk {
   public:
    Chunk(const Schema& schema, const Array& array) : schema_(schema), array_(array) {}

    // Append the number of each text, as `number_of` gives it; -1 where a value is missing.
    template <class NumberOf>
    void number(NumberOf number_of, std::vector<std::int32_t>& codes) const {
        if (schema_.dictionary == nullptr) return number_texts(schema_.format, array_, number_of, codes);
        std::vector<std::int32_t> of_entry;
        number_texts(schema_.dictionary->format, *array_.dictionary, number_of, of_entry);
        number_entries(of_entry, codes);
    }

   private:
    const Schema& schema_;
    const Array& array_;

    template <class NumberOf>
    static void number_texts(std::string_view format, const Array& array, NumberOf number_of,
                             std::vector<std::int32_t>& codes) {
        const auto append = [&](auto text_of) {
            codes.reserve(codes.size() + static_cast<std::size_t>(array.length));
            for (std::int64_t i = 0; i < array.length; ++i)
                codes.push_back(is_valid(array, i) ? number_of(text_of(array, i)) : -1);
        };
        if (format == "vu") return append(text_by_view);
        if (format == "u") return append(text_by_offsets<std::int32_t>);
        if (format == "U") return append(text_by_offsets<std::int64_t>);
        refuse("the stream must be a column of texts");
    }

    void number_entries(const std::vector<std::int32_t>& of_entry, std::vector<std::int32_t>& codes) const {
        const auto append = [&](auto zero) {
            const auto* entries = static_cast<const decltype(zero)*>(array_.buffers[1]) + array_.offset;
            codes.reserve(codes.size() + static_cast<std::size_t>(array_.length));
            for (std::int64_t i = 0; i < array_.length; ++i) {
                const bool has_value = is_valid(array_, i);
                if (has_value && static_cast<std::uint64_t>(entries[i]) >= of_entry.size())
                    refuse("an entry of the stream is not in its dictionary");
                codes.push_back(has_value ? of_entry[static_cast<std::size_t>(entries[i])] : -1);
            }
        };
        if (!by_integer(schema_.format, append)) refuse("a dictionary must be read by whole numbers");
    }
};

// The pieces of a column, one after the other; what a piece refers to lives as long as it is the current one.
class Stream {
   public:
    explicit Stream(const nb::capsule& capsule) {
        if (capsule.name() == nullptr || std::strcmp(capsule.name(), "arrow_array_stream") != 0)
            refuse("the capsule must hold a stream of Arrow arrays");
        stream_ = static_cast<ArrayStream*>(capsule.data());
        if (stream_->release == nullptr) refuse("the stream was read already");
        check(stream_->get_schema(stream_, &schema_));
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    ~Stream() {
        drop(array_);
        drop(schema_);
        if (stream_->release != nullptr) stream_->release(stream_);
    }

    // Go on to the next piece; false at the end.
    bool next() {
        drop(array_);
        check(stream_->get_next(stream_, &array_));
        return array_.release != nullptr;
    }

    Chunk chunk() const { return {schema_, array_}; }
    const Schema& schema() const { return schema_; }

    // Hand over the current piece, which the caller is to release.
    Array take() { return std::exchange(array_, {}); }

   private:
    ArrayStream* stream_ = nullptr;
    Schema schema_{};
    Array array_{};

    template <class Held>
    static void drop(Held& held) {
        if (held.release != nullptr) held.release(&held);
        held = {};
    }

    void check(int error) const {
        if (error == 0) return;
        const char* told = stream_->get_last_error(stream_);
        throw std::runtime_error(told == nullptr ? "the stream cannot be read" : told);
    }
};

}  // namespace entropick::arrow
