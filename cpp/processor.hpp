// Each hot loop is compiled once per kind of processor; the version is chosen when it runs.
//
// A loop is a struct with a static template `run(machine, ...)`. `on_this_processor<Loop>(...)` calls the
// version for the kind that was chosen. Everything a loop calls is inlined into it, and so compiled for that
// kind.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define ENTROPICK_X86 1
#include <cpuid.h>
#include <immintrin.h>
// The only macro of the core: compiles a function for another processor than the rest.
#define FOR_TARGET(names) __attribute__((target(names)))
#define AVX2 "avx2,bmi,bmi2,fma,lzcnt,popcnt"
#define AVX512 AVX2 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq"
#endif

namespace entropick {

inline constexpr std::int64_t WORD = 64;  // rows per machine word of a bit plane

using Words = std::span<const std::uint64_t>;
using WordOfCodes = std::span<const std::uint8_t, WORD>;  // the codes of the rows of one word

// -- which kind ------------------------------------------------------------------------------------------

enum class Processor { plain, avx2, avx512 };  // each can do what those before it can

inline constexpr std::array<std::string_view, 3> PROCESSOR_NAMES = {"plain", "avx2", "avx512"};

inline std::string_view name_of(Processor processor) {
    return PROCESSOR_NAMES[static_cast<std::size_t>(processor)];
}

#ifdef ENTROPICK_X86
inline bool counts_leading_zeros() {  // not every compiler knows "lzcnt" as a feature to ask for
    unsigned int a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & (1u << 5)) != 0;
}
#endif

inline Processor best_processor() {
#ifdef ENTROPICK_X86
    __builtin_cpu_init();
    const auto has_all = [](auto... has) { return (... && static_cast<bool>(has)); };
    const bool has_avx2 =
        has_all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("bmi"), __builtin_cpu_supports("bmi2"),
                __builtin_cpu_supports("fma"), counts_leading_zeros(), __builtin_cpu_supports("popcnt"));
    const bool has_avx512 =
        has_all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512bw"),
                __builtin_cpu_supports("avx512cd"), __builtin_cpu_supports("avx512dq"),
                __builtin_cpu_supports("avx512vl"), __builtin_cpu_supports("avx512vpopcntdq"));
    return has_avx2 && has_avx512 ? Processor::avx512 : has_avx2 ? Processor::avx2 : Processor::plain;
#else
    return Processor::plain;
#endif
}

// The kind of processor that loops run for, and an error message if the requested one is not possible.
struct Choice {
    Processor processor;
    std::string problem;
};

inline Choice choose_processor() {
    const Processor best = best_processor();
    const char* wanted = std::getenv("ENTROPICK_PROCESSOR");
    if (wanted == nullptr || *wanted == '\0') return {best, ""};
    for (const auto processor : {Processor::plain, Processor::avx2, Processor::avx512}) {
        if (name_of(processor) != wanted) continue;
        if (processor <= best) return {processor, ""};
        return {best, "ENTROPICK_PROCESSOR is " + std::string(wanted) +
                          ", which this computer does not have: the most it has is " +
                          std::string(name_of(best)) + "."};
    }
    return {best, "ENTROPICK_PROCESSOR must be plain, avx2 or avx512, not '" + std::string(wanted) + "'."};
}

// Made when the core is loaded, which is the only time that the variable is read.
inline const Choice CHOICE = choose_processor();

inline bool has_vector_popcount() { return CHOICE.processor == Processor::avx512; }

// -- what each kind does in its own way ------------------------------------------------------------------

// Any processor, in plain C++.
struct Plain {
    // Bit i says whether code i of 64 is the level: eight codes at a time in one word.
    static std::uint64_t equal_mask(WordOfCodes codes, std::uint8_t level) {
        constexpr std::uint64_t low = 0x7F7F7F7F7F7F7F7F, everywhere = 0x0101010101010101;
        std::uint64_t mask = 0;
        for (int byte = 0; byte < 8; ++byte) {
            std::uint64_t differs;
            std::memcpy(&differs, codes.data() + 8 * byte, 8);
            if constexpr (std::endian::native == std::endian::big) differs = reversed(differs);
            differs ^= level * everywhere;
            const std::uint64_t equal =
                ~(((differs & low) + low) | differs | low);  // 0x80 in bytes that are 0
            mask |= ((equal >> 7) * 0x0102040810204080 >> 56) << (8 * byte);
        }
        return mask;
    }

    // Add to cells[p] the rows set in f and in plane p of N planes of s, which lie `stride` words apart.
    template <std::size_t N>
    static void add_common(Words f, Words s, std::size_t stride, std::span<std::uint64_t, N> cells) {
        for (std::size_t p = 0; p < N; ++p)
            for (std::size_t w = 0; w < f.size(); ++w)
                cells[p] += static_cast<std::uint64_t>(std::popcount(f[w] & s[p * stride + w]));
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
    FOR_TARGET(AVX2) static inline std::uint64_t equal_mask(WordOfCodes codes, std::uint8_t level) {
        const __m256i wanted = _mm256_set1_epi8(static_cast<char>(level));
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes.data()));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes.data() + 32));
        const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)));
        const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)));
        return first | static_cast<std::uint64_t>(second) << 32;
    }

    // There is no vector instruction that counts bits: the bits of every half byte are looked up in a
    // register.
    template <std::size_t N>
    FOR_TARGET(AVX2)
    static inline void add_common(Words f, Words s, std::size_t stride, std::span<std::uint64_t, N> cells) {
        constexpr std::size_t AT_ONCE = 31;  // vectors: at most 248 bits per byte, which a byte can hold
        const std::size_t n = f.size();
        const __m256i zero = _mm256_setzero_si256();
        __m256i total[N];
        for (std::size_t p = 0; p < N; ++p) total[p] = zero;
        std::size_t w = 0;
        while (n >= 8 && w + 4 <= n) {  // for a few words the sum over a vector takes longer than it saves
            const std::size_t stop = w + 4 * std::min(AT_ONCE, (n - w) / 4);
            __m256i in_bytes[N];
            for (std::size_t p = 0; p < N; ++p) in_bytes[p] = zero;
            for (; w < stop; w += 4) {
                const __m256i rows = load(f, w);
                for (std::size_t p = 0; p < N; ++p) {
                    const __m256i both = _mm256_and_si256(rows, load(s, p * stride + w));
                    in_bytes[p] = _mm256_add_epi8(in_bytes[p], bits_of_bytes(both));
                }
            }
            for (std::size_t p = 0; p < N; ++p)
                total[p] = _mm256_add_epi64(total[p], _mm256_sad_epu8(in_bytes[p], zero));
        }
        for (std::size_t p = 0; p < N; ++p) {
            const __m128i half =
                _mm_add_epi64(_mm256_castsi256_si128(total[p]), _mm256_extracti128_si256(total[p], 1));
            cells[p] += static_cast<std::uint64_t>(_mm_extract_epi64(half, 0) + _mm_extract_epi64(half, 1));
            for (std::size_t v = w; v < n; ++v)
                cells[p] += static_cast<std::uint64_t>(_mm_popcnt_u64(f[v] & s[p * stride + v]));
        }
    }

   private:
    FOR_TARGET(AVX2) static inline __m256i load(Words words, std::size_t at) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words.subspan(at).first<4>().data()));
    }

    FOR_TARGET(AVX2) static inline __m256i bits_of_bytes(__m256i rows) {
        const __m256i low = _mm256_set1_epi8(0x0F);
        const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                              0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        return _mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(rows, low)),
                               _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(rows, 4), low)));
    }
};

// Ice Lake, Zen 4 and later.
struct Avx512 {
    FOR_TARGET(AVX512) static inline std::uint64_t equal_mask(WordOfCodes codes, std::uint8_t level) {
        return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(codes.data()),
                                      _mm512_set1_epi8(static_cast<char>(level)));
    }

    template <std::size_t N>
    FOR_TARGET(AVX512)
    static inline void add_common(Words f, Words s, std::size_t stride, std::span<std::uint64_t, N> cells) {
        const std::size_t n = f.size();
        const std::uint64_t* planes = s.first((N - 1) * stride + n).data();
        __m512i total[N];
        for (std::size_t p = 0; p < N; ++p) total[p] = _mm512_setzero_si512();
        for (std::size_t w = 0; w < n; w += 8) {
            const auto present =
                static_cast<__mmask8>(n - w < 8 ? (1u << (n - w)) - 1 : 0xFF);  // others are read as 0
            const __m512i rows = _mm512_maskz_loadu_epi64(present, f.data() + w);
            for (std::size_t p = 0; p < N; ++p) {
                const __m512i both =
                    _mm512_and_si512(rows, _mm512_maskz_loadu_epi64(present, planes + p * stride + w));
                total[p] = _mm512_add_epi64(total[p], _mm512_popcnt_epi64(both));
            }
        }
        for (std::size_t p = 0; p < N; ++p)
            cells[p] += static_cast<std::uint64_t>(_mm512_reduce_add_epi64(total[p]));
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

template <class Loop, class... Arguments>
auto on_this_processor(Arguments&&... arguments) {
    if (CHOICE.processor == Processor::avx512) return run_with_avx512<Loop>(arguments...);
    if (CHOICE.processor == Processor::avx2) return run_with_avx2<Loop>(arguments...);
    return Loop::run(Plain{}, arguments...);
}

#else

template <class Loop, class... Arguments>
auto on_this_processor(Arguments&&... arguments) {
    return Loop::run(Plain{}, arguments...);
}

#endif

}  // namespace entropick
