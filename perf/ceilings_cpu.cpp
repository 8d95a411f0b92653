// SPDX-License-Identifier: Apache-2.0
// What this machine's CPU can do at most, on all cores: 64-bit multiply-adds, 52-bit ones where it
// has AVX-512 IFMA, copied bytes, and bytes of sums of two arrays, which is how formulas read and
// write. The multiply-adds are independent chains in registers.
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "host_threads.h"
#include "row.h"

namespace perf {
namespace {

volatile std::uint64_t sink;

constexpr double whole_share = 1e6; // work of one element of a loop: each is a block of its own

#if defined(__SIZEOF_INT128__)
// `rounds` times eight products of 64 bits, each added to one of four sums of 128 bits: as many as
// stay in registers.
void multiply_adds(std::uint64_t rounds) {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t x = sink + 0x9e3779b97f4a7c15u;
    std::uint64_t y = sink + 0xbf58476d1ce4e5b9u;
    Wide first = 0, second = 0, third = 0, fourth = 0; // an array would lie in memory
    const auto add_product = [&](Wide &sum) {
        asm volatile("" : "+r"(x), "+r"(y)); // others, for all that the compiler knows
        sum += static_cast<Wide>(x) * y;
    };
    // Of two products for one sum the compiler would add the products first, in more registers.
    for (std::uint64_t i = 0; i < 2 * rounds; ++i)
        add_product(first), add_product(second), add_product(third), add_product(fourth);
    const Wide sum = first + second + third + fourth;
    sink = sink + static_cast<std::uint64_t>(sum >> 64) + static_cast<std::uint64_t>(sum);
}
#endif

#if defined(__x86_64__) && defined(__GNUC__)
constexpr int vectors = 12; // of eight sums each, a low and a high half

__attribute__((target("avx512f,avx512ifma"))) void multiply_adds_52(std::uint64_t rounds) {
    const __m512i x = _mm512_set1_epi64(static_cast<long long>(sink + 0x9e3779b97f4a7));
    const __m512i y = _mm512_set1_epi64(static_cast<long long>(sink + 0x15bf58476d1ce));
    __m512i low[vectors], high[vectors];
#pragma GCC unroll 12
    for (int k = 0; k < vectors; ++k)
        low[k] = high[k] = _mm512_set1_epi64(k);
    for (std::uint64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < vectors; ++k) {
            low[k] = _mm512_madd52lo_epu64(low[k], x, y);
            high[k] = _mm512_madd52hi_epu64(high[k], x, y);
        }
    }
#pragma GCC unroll 12
    for (int k = 0; k < vectors; ++k) {
        std::uint64_t words[8];
        std::memcpy(words, &low[k], sizeof words);
        sink = sink + words[0];
        std::memcpy(words, &high[k], sizeof words);
        sink = sink + words[0];
    }
}

bool has_ifma() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}
#endif

Row ceiling(const char *what, Ceiling kind, int bits, double operations,
            const std::function<void()> &once, double bytes = 0) {
    Row row;
    row.operation = what;
    row.kind = "ceiling";
    row.layout = "registers";
    row.by = "the machine";
    row.device = Device::cpu;
    row.bits = bits;
    row.count = static_cast<std::size_t>(operations);
    row.quick = true;
    row.ceiling = kind;
    row.prepare = [once, bytes](std::size_t) {
        Prepared prepared;
        prepared.once = once;
        prepared.bytes = bytes;
        return prepared;
    };
    return row;
}

const Registration registration{[] {
    // Shares that threads take one by one: a core that is busy otherwise takes fewer.
    constexpr std::uint64_t rounds = 10'000;
    const std::size_t shares = std::size_t{50} * hardware_threads();
    [[maybe_unused]] const auto on_each_core = [shares](void (*body)(std::uint64_t)) {
        return [body, shares] {
            on_all_cores(shares, whole_share, [&](std::size_t first, std::size_t last) {
                body(rounds * (last - first));
            });
        };
    };
    [[maybe_unused]] const double all_rounds = static_cast<double>(rounds * shares);
#if defined(__SIZEOF_INT128__)
    registry().push_back(ceiling("multiply-add", Ceiling::multiply_add, 64, 8 * all_rounds,
                                 on_each_core(multiply_adds)));
#endif
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_ifma()) {
        registry().push_back(ceiling("multiply-add", Ceiling::multiply_add_52, 52,
                                     8.0 * vectors * all_rounds, on_each_core(multiply_adds_52)));
    }
#endif
    constexpr std::size_t bytes = std::size_t{1} << 27;
    constexpr std::size_t share = std::size_t{1} << 21;
    Row copy = ceiling("copied bytes", Ceiling::copy, 8, 2.0 * bytes, nullptr, 2.0 * bytes);
    copy.layout = "memory";
    copy.prepare = [](std::size_t) {
        const auto memory = std::make_shared<std::vector<char>>(2 * bytes, '1');
        Prepared prepared;
        prepared.once = [memory] {
            on_all_cores(bytes / share, whole_share, [&](std::size_t first, std::size_t last) {
                std::memcpy(memory->data() + share * first, memory->data() + bytes + share * first,
                            share * (last - first));
            });
        };
        prepared.bytes = 2.0 * bytes;
        return prepared;
    };
    registry().push_back(copy);
    Row sum = ceiling("bytes of a sum", Ceiling::sum, 64, 3.0 * bytes, nullptr, 3.0 * bytes);
    sum.layout = "memory";
    sum.prepare = [](std::size_t) {
        constexpr std::size_t count = bytes / sizeof(std::uint64_t);
        constexpr std::size_t words = share / sizeof(std::uint64_t);
        const auto memory = std::make_shared<std::vector<std::uint64_t>>(3 * count, 1);
        Prepared prepared;
        prepared.once = [memory] {
            on_all_cores(bytes / share, whole_share, [&](std::size_t first, std::size_t last) {
                std::uint64_t *const r = memory->data();
                const std::uint64_t *const a = r + count, *const b = a + count;
                for (std::size_t i = words * first; i < words * last; ++i)
                    r[i] = a[i] + b[i];
            });
        };
        prepared.bytes = 3.0 * bytes;
        return prepared;
    };
    registry().push_back(sum);
}};

} // namespace
} // namespace perf
