// Logarithms and powers of two by additions, multiplications and divisions alone.
//
// Those are rounded alike everywhere. A library's log2 or pow may differ in its last bit from one system or
// kind of processor to the next, and scores that tie on one would differ on the other.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace entropick {

// 2 / (ln 2 · (2k + 1)): log2 m = z · Σ LOG2_TERMS[k] · z^(2k) with z = (m - 1) / (m + 1).
inline constexpr double LOG2_TERMS[] = {2.8853900817779268,  0.96179669392597560, 0.57707801635558536,
                                        0.41219858311113240, 0.32059889797532520, 0.26230818925253880,
                                        0.22195308321368667, 0.19235933878519512, 0.16972882833987804,
                                        0.15186263588304878, 0.13739952770371080, 0.12545174268599682};

// (ln 2)^k / k!: 2^r = Σ EXP2_TERMS[k] · r^k.
inline constexpr double EXP2_TERMS[] = {1.0,
                                        0.69314718055994531,
                                        0.24022650695910071,
                                        0.055504108664821580,
                                        0.0096181291076284772,
                                        0.0013333558146428443,
                                        0.00015403530393381610,
                                        1.5252733804059841e-05,
                                        1.3215486790144309e-06,
                                        1.0178086009239700e-07,
                                        7.0549116208011233e-09,
                                        4.4455382718708114e-10,
                                        2.5678435993488205e-11,
                                        1.3691488853904128e-12};

// Value of a polynomial, given its coefficients from the lowest power on.
template <std::size_t N>
double polynomial(const double (&terms)[N], double x) {
    double value = terms[N - 1];
    for (std::size_t k = N - 1; k-- > 0;) value = value * x + terms[k];
    return value;
}

// log2 of a positive, finite, normal number; exact for powers of two.
inline double log2_of(double x) {
    constexpr std::uint64_t MANTISSA = (std::uint64_t{1} << 52) - 1, ONE = std::uint64_t{1023} << 52;
    constexpr double ROOT_TWO = 1.4142135623730951;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    double mantissa = std::bit_cast<double>((bits & MANTISSA) | ONE);  // from 1 to 2
    const bool is_large = mantissa > ROOT_TWO;
    mantissa = is_large ? mantissa * 0.5 : mantissa;  // from √½ to √2
    exponent += is_large ? 1.0 : 0.0;
    const double z = (mantissa - 1.0) / (mantissa + 1.0);
    return exponent + z * polynomial(LOG2_TERMS, z * z);
}

// 2^x; values too small for a normal number give 0, values too large give infinity.
inline double exp2_of(double x) {
    if (!(x >= -1022.0)) return x < 0.0 ? 0.0 : x;  // NaN stays
    if (x >= 1024.0) return std::numeric_limits<double>::infinity();
    const auto whole = static_cast<std::int64_t>(x < 0.0 ? x - 0.5 : x + 0.5);
    const double rest = x - static_cast<double>(whole);  // from -½ to ½
    const double power = polynomial(EXP2_TERMS, rest);
    if (whole > 1022)  // 2^whole alone may be no float
        return power * 2.0 * std::bit_cast<double>(static_cast<std::uint64_t>(whole - 1 + 1023) << 52);
    return power * std::bit_cast<double>(static_cast<std::uint64_t>(whole + 1023) << 52);
}

// x^exponent of a positive x.
inline double power_of(double x, double exponent) { return exp2_of(exponent * log2_of(x)); }

}  // namespace entropick
