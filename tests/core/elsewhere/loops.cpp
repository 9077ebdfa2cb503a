// Loops of the core without Python, to compare what they give on another processor, byte for byte.
//
// `make arm-loops` compiles this file once for each source file (SOURCE, and its name in capitals) for this
// processor and for 64-bit ARM, runs the latter under qemu, and compares the lines.
#include SOURCE

#include <array>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

using namespace entropick;

namespace {

std::mt19937_64 random_words(0);  // the same on every system, unlike the distributions

double number() { return static_cast<double>(random_words() >> 11) / 9007199254740992.0 * 6.0 - 3.0; }
i64 below(i64 n) { return static_cast<i64>(random_words() % static_cast<u64>(n)); }

template <class Make>
auto many(i64 n, Make&& make) {
    std::vector<decltype(make())> found(n);
    for (auto& value : found) value = make();
    return found;
}

u64 digest = 14695981039346656037u;

template <class T>
void take(std::span<const T> values) {
    for (const auto byte : std::as_bytes(values))
        digest = (digest ^ std::to_integer<u64>(byte)) * 1099511628211u;
}

template <class T>
void take(const std::vector<T>& values) {
    take(std::span<const T>(values));
}

[[maybe_unused]] Matrix<const double> square(const std::vector<double>& values, i64 n) {
    return {values, n, n, n};
}

void one_case([[maybe_unused]] i64 n) {
#ifdef MOMENTS
    const i64 d = 1 + below(40), n_classes = 1 + below(4);
    const auto table = many(n * d, [] { return below(3) ? number() : 0.0; });
    const auto codes = many(n, [&] { return static_cast<std::int32_t>(below(n_classes)); });
    const Part part{{table, n, d, d}, 0, d, d, codes};
    std::vector<double> sums(n_classes * d), squares(sums), stored(sums);
    const auto first = on_this_processor<FirstPass>(part, std::span(sums));
    const auto total = on_this_processor<SecondPass>(part, first.totals, std::span(sums), std::span(squares),
                                                     std::span(stored));
    for (const auto& strip : {first.totals, first.zeros, first.low, first.high, total})
        take(std::span<const double>(strip).first(d));
    take(sums), take(squares), take(stored);
#elif defined(CORRELATIONS)
    const auto column = many(n, number), z = many(n, number);
    const auto found = on_this_processor<Spread>(std::span<const double>(column));
    take(std::span<const double>(found));
    const std::array product{
        on_this_processor<Product>(std::span<const double>(column), 0.25, std::span<const double>(z))};
    take(std::span<const double>(product));
#elif defined(LASSO)
    const i64 n_rows = 2 + n % 30, d = 1 + below(40);
    const auto points = many(n_rows * d, number);
    std::vector<double> products(n_rows * n_rows), weights(n_rows);
    for (i64 a = 0; a < n_rows; ++a)
        for (i64 b = 0; b < n_rows; ++b)
            for (i64 k = 0; k < d; ++k) products[a * n_rows + b] += points[a * d + k] * points[b * d + k];
    for (i64 i = 0; i < n_rows; ++i) {
        const std::array solved{Description(square(products, n_rows), i).solve(0.05, weights)};
        take(std::span<const bool>(solved)), take(weights);
    }
#elif defined(PAIRS)
    const i64 n_levels = 2 + below(9), n_words = 1 + n / 64, n_classes = 2 + below(3);
    const auto codes = many(n_words * 64, [&] { return static_cast<std::uint8_t>(below(n_levels)); });
    const auto classes = many(n_words * 64, [&] { return static_cast<std::uint8_t>(below(n_classes)); });
    std::vector<u64> planes((n_levels - 1) * n_words), class_planes((n_classes - 1) * n_words);
    on_this_processor<PackColumn>(std::span<const std::uint8_t>(codes), i64{1}, n_levels, n_words,
                                  std::span(planes));
    on_this_processor<PackColumn>(std::span<const std::uint8_t>(classes), i64{1}, n_classes, n_words,
                                  std::span(class_planes));
    std::vector<std::uint32_t> counts((n_levels - 1) * n_classes);
    std::vector<u64> cells(n_classes);
    on_this_processor<ClassCounts>(std::span<const u64>(planes), n_words, std::span<const u64>(class_planes),
                                   n_classes, std::span(counts), std::span(cells));
    take(planes), take(class_planes), take(counts);
#elif defined(BINNING)
    const auto values = many(n, number);
    auto edges = many(1 + below(40), number);
    std::ranges::sort(edges);
    std::vector<std::uint8_t> codes(n);
    on_this_processor<CompareWithEdges>(std::span<const double>(values), std::span<const double>(edges),
                                        std::span(codes));
    take(codes);
#elif defined(SUBSETS)
    const i64 d = 1 + below(30), n_subsets = 1 + below(20);
    const auto expanded = many(d * n, [] { return static_cast<u64>(random_words()); });
    std::vector<std::uint8_t> bits = many(n_subsets * d, [] { return static_cast<std::uint8_t>(below(2)); });
    const std::span<const bool> members(reinterpret_cast<const bool*>(bits.data()), bits.size());
    std::vector<u64> sums(n_subsets * n);
    std::vector<i64> added(d), removed(d);
    const Matrix<const u64> keys{expanded, d, n, n};
    const Matrix<const bool> chosen{members, n_subsets, d, d};
    const Matrix<u64> found{sums, n_subsets, n, n};
    on_this_processor<AddKeys>(keys, chosen, i64{0}, n, found, added, removed);
    take(sums);
#endif
}

}  // namespace

int main() {
    constexpr int CASES = 300;
    for (int number_of = 0; number_of < CASES; ++number_of) one_case(1 + below(700));
    std::printf("%s: %d cases, %016llx\n", SOURCE, CASES, static_cast<unsigned long long>(digest));
}
