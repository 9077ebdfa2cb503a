// What processors do differently: each hot loop is compiled once per kind of processor and chosen when it runs.
//
// A loop is a struct with a static template `run(machine, ...)`. `on_this_processor<Loop>(...)` calls the version
// for the best machine there is. Everything a loop calls is inlined into it, and so compiled for that machine.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define ENTROPICK_X86 1
#include <immintrin.h>
// The one macro of the core: a function compiled for another processor than the rest.
#define FOR_TARGET(names) __attribute__((target(names)))
#define AVX2 "avx2,bmi,bmi2,fma,lzcnt,popcnt"
#define AVX512 AVX2 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
#endif

namespace entropick {

inline constexpr std::int64_t WORD = 64;  // rows per machine word of a bit plane

// Any processor, in plain C++.
struct Plain {
    // Bit i says whether code i of 64 is the level: eight codes at a time in one word.
    static std::uint64_t equal_mask(const std::uint8_t* codes, std::uint8_t level) {
        constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7F, everywhere = 0x0101010101010101;
        std::uint64_t mask = 0;
        for (int byte = 0; byte < 8; ++byte) {
            std::uint64_t differs;
            std::memcpy(&differs, codes + 8 * byte, 8);
            if constexpr (std::endian::native == std::endian::big) differs = reversed(differs);
            differs ^= level * everywhere;
            const std::uint64_t equal = ~(((differs & low) + low) | differs | low);  // 0x80 in bytes that are 0
            mask |= ((equal >> 7) * 0x0102040810204080 >> 56) << (8 * byte);
        }
        return mask;
    }

    // Rows set in both planes.
    static std::uint64_t count_common(const std::uint64_t* f, const std::uint64_t* s, std::int64_t n) {
        std::uint64_t both = 0;
        for (std::int64_t w = 0; w < n; ++w) both += static_cast<std::uint64_t>(std::popcount(f[w] & s[w]));
        return both;
    }

   private:
    static std::uint64_t reversed(std::uint64_t word) {
        std::uint64_t result = 0;
        for (int byte = 0; byte < 8; ++byte) result |= (word >> (8 * byte) & 0xFF) << (56 - 8 * byte);
        return result;
    }
};

#ifdef ENTROPICK_X86

struct Avx2 {
    FOR_TARGET(AVX2) static inline std::uint64_t equal_mask(const std::uint8_t* codes, std::uint8_t level) {
        const __m256i wanted = _mm256_set1_epi8(static_cast<char>(level));
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + 32));
        const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)));
        const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)));
        return first | static_cast<std::uint64_t>(second) << 32;
    }

    FOR_TARGET(AVX2)
    static inline std::uint64_t count_common(const std::uint64_t* f, const std::uint64_t* s, std::int64_t n) {
        std::uint64_t both = 0;
        for (std::int64_t w = 0; w < n; ++w) both += static_cast<std::uint64_t>(_mm_popcnt_u64(f[w] & s[w]));
        return both;
    }
};

// Ice Lake, Zen 4 and later.
struct Avx512 {
    FOR_TARGET(AVX512) static inline std::uint64_t equal_mask(const std::uint8_t* codes, std::uint8_t level) {
        return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(codes), _mm512_set1_epi8(static_cast<char>(level)));
    }

    FOR_TARGET(AVX512)
    static inline std::uint64_t count_common(const std::uint64_t* f, const std::uint64_t* s, std::int64_t n) {
        __m512i both = _mm512_setzero_si512();
        std::int64_t w = 0;
        for (; w + 8 <= n; w += 8) {
            const __m512i rows = _mm512_and_si512(_mm512_loadu_si512(f + w), _mm512_loadu_si512(s + w));
            both = _mm512_add_epi64(both, _mm512_popcnt_epi64(rows));
        }
        if (w < n) {  // the words behind the last are read as 0
            const auto present = static_cast<__mmask8>((1u << (n - w)) - 1);
            const __m512i rows = _mm512_and_si512(_mm512_maskz_loadu_epi64(present, f + w),
                                                  _mm512_maskz_loadu_epi64(present, s + w));
            both = _mm512_add_epi64(both, _mm512_popcnt_epi64(rows));
        }
        return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(both));
    }
};

template <class Loop, class... Arguments>
[[gnu::flatten]] FOR_TARGET(AVX2) auto run_with_avx2(Arguments&... arguments) {
    return Loop::run(Avx2{}, arguments...);
}

template <class Loop, class... Arguments>
[[gnu::flatten]] FOR_TARGET(AVX512) auto run_with_avx512(Arguments&... arguments) {
    return Loop::run(Avx512{}, arguments...);
}

enum class Processor { plain, avx2, avx512 };

inline const Processor PROCESSOR = [] {
    __builtin_cpu_init();
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                          __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
    const bool has_avx512 = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512vpopcntdq");
    return has_avx2 && has_avx512 ? Processor::avx512 : has_avx2 ? Processor::avx2 : Processor::plain;
}();

inline bool has_vector_popcount() { return PROCESSOR == Processor::avx512; }

template <class Loop, class... Arguments>
auto on_this_processor(Arguments&&... arguments) {
    if (PROCESSOR == Processor::avx512) return run_with_avx512<Loop>(arguments...);
    if (PROCESSOR == Processor::avx2) return run_with_avx2<Loop>(arguments...);
    return Loop::run(Plain{}, arguments...);
}

#else

inline bool has_vector_popcount() { return false; }

template <class Loop, class... Arguments>
auto on_this_processor(Arguments&&... arguments) {
    return Loop::run(Plain{}, arguments...);
}

#endif

}  // namespace entropick
