// SPDX-License-Identifier: Apache-2.0
// Cells of what a batch has as a whole: reductions, which every element's record gets, orders and
// gathers, text and bytes. oracle.cpp has what they must give, by their names.
#pragma once

#include "place_formulas.h"

#include <warpint/sort.h>
#include <warpint/text.h>

namespace grid {

using warpint::BigInt;
using warpint::indices;

/// The same number for every element.
template <class T>
void store_for_all(const Batch &batch, const T &x) {
    for (int i = 0; i < batch.count; ++i) {
        Results out(batch.records + static_cast<std::size_t>(i) * batch.record_size);
        store(out, x);
    }
}
/// Elements of numbers(i), i in [0, count), and whether those that follow are the same again.
template <class F>
void store_each(const Batch &batch, std::size_t size, const F &number) {
    const auto count = static_cast<std::size_t>(batch.count);
    bool repeats = size % count == 0;
    for (std::size_t i = count; i < size && repeats; ++i)
        repeats = number(i) == number(i % count);
    for (std::size_t i = 0; i < count; ++i) {
        Results out(batch.records + i * batch.record_size);
        store_part(out, "exists", repeats);
        store_part(out, "value", number(i));
    }
}

/// The number that digits spell, by the method learnt at school.
template <int N>
BigInt<N> number_of(const std::string &digits, unsigned base) {
    BigInt<N> r{};
    for (const char digit : digits) {
        std::uint64_t carry = static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        for (std::uint32_t &limb : r.limbs) {
            carry += std::uint64_t{limb} * base;
            limb = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
    }
    return r;
}
template <int N>
std::string digits_of(BigInt<N> x, unsigned base) {
    std::string digits;
    for (int top = x.limb_count - 1; top >= 0;) {
        std::uint64_t rest = 0;
        for (int i = top; i >= 0; --i) {
            rest = rest << 32 | x.limbs[i];
            x.limbs[i] = static_cast<std::uint32_t>(rest / base);
            rest %= base;
        }
        digits.insert(digits.begin(), "0123456789abcdefghijklmnopqrstuvwxyz"[rest]);
        while (top >= 0 && x.limbs[top] == 0)
            --top;
    }
    return digits.empty() ? "0" : digits;
}

/// Converts: a conversion of text or bytes, which depends on the number of elements.
#define GRID_BATCH(Name, kind, text, ...)                                                          \
    struct Name {                                                                                  \
        static constexpr const char *name = text;                                                  \
        static constexpr bool converts = kind;                                                     \
        static constexpr auto roles = std::to_array<Role>({__VA_ARGS__});                          \
        template <int N>                                                                           \
        static void run(const Batch &batch, const Vectors &vectors);                               \
    };                                                                                             \
    template <int N>                                                                               \
    void Name::run([[maybe_unused]] const Batch &batch, const Vectors &vectors)

GRID_BATCH(BatchSum, false, "sum(a * b)", Role::a, Role::b) {
    store_for_all(batch, sum(vectors.numbers<BigInt<N>>(0) * vectors.numbers<BigInt<N>>(1)));
}
GRID_BATCH(BatchSignedSum, false, "sum(a - b)", Role::a, Role::b) {
    store_for_all(batch, sum(vectors.numbers<BigInt<N>>(0) - vectors.numbers<BigInt<N>>(1)));
}
GRID_BATCH(BatchProduct, false, "product(a, m)", Role::a, Role::odd) {
    const BigInt<N> m = *static_cast<const BigInt<N> *>(batch.operands[1]);
    store_for_all(batch, product(vectors.numbers<BigInt<N>>(0), m));
}
GRID_BATCH(BatchProductEven, false, "product(a + 1, Modulus(n))", Role::a, Role::n) {
    const Modulus<N> m(*static_cast<const BigInt<N> *>(batch.operands[1]));
    store_for_all(batch, product(vectors.numbers<BigInt<N>>(0) + 1, m));
}
GRID_BATCH(BatchLeast, false, "min(a)", Role::a) {
    store_for_all(batch, min(vectors.numbers<BigInt<N>>(0)));
}
GRID_BATCH(BatchGreatest, false, "max(a ^ b)", Role::a, Role::b) {
    store_for_all(batch, max(vectors.numbers<BigInt<N>>(0) ^ vectors.numbers<BigInt<N>>(1)));
}
GRID_BATCH(BatchCount, false, "count(a < b)", Role::a, Role::b) {
    const auto a = vectors.numbers<BigInt<N>>(0), b = vectors.numbers<BigInt<N>>(1);
    store_for_all(batch, static_cast<std::uint64_t>(count(a < b)));
}
GRID_BATCH(BatchAll, false, "all(a + b >= b)", Role::a, Role::b) {
    const auto a = vectors.numbers<BigInt<N>>(0), b = vectors.numbers<BigInt<N>>(1);
    store_for_all(batch, all(a + b >= b));
}
GRID_BATCH(BatchAny, false, "any(a * b < a)", Role::a, Role::b) {
    const auto a = vectors.numbers<BigInt<N>>(0), b = vectors.numbers<BigInt<N>>(1);
    store_for_all(batch, any(a * b < a));
}
GRID_BATCH(BatchGather, false, "gather(a, index) + b", Role::a, Role::b) {
    const auto a = vectors.numbers<BigInt<N>>(0), b = vectors.numbers<BigInt<N>>(1);
    std::vector<std::uint32_t> index(a.size());
    for (std::size_t i = 0; i < index.size(); ++i)
        index[i] = static_cast<std::uint32_t>((7 * i + 3) % index.size());
    auto result = eval(gather(a, device_vector<std::uint32_t>(index)) + b);
    store_vectors(batch, result);
}
GRID_BATCH(BatchIndices, false, "a * indices(n)", Role::a) {
    const auto a = vectors.numbers<BigInt<N>>(0);
    auto result = eval(a * indices(a.size()));
    store_vectors(batch, result);
}
GRID_BATCH(BatchSort, false, "sort(a)", Role::a) {
    auto a = vectors.numbers<BigInt<N>>(0);
    sort(a);
    store_vectors(batch, a);
}
GRID_BATCH(BatchInPlace, false, "a = a * b % m; a += b", Role::a, Role::b, Role::m) {
    auto a = vectors.numbers<BigInt<N>>(0);
    const auto b = vectors.numbers<BigInt<N>>(1), m = vectors.numbers<BigInt<N>>(2);
    a = a * b % m;
    a += b;
    store_vectors(batch, a);
}
GRID_BATCH(BatchStrings, true, "to_strings(a)", Role::a) {
    const std::vector<std::string> lines = to_strings(vectors.numbers<BigInt<N>>(0));
    store_each(batch, lines.size(), [&](std::size_t i) { return number_of<N>(lines[i], 10); });
}
GRID_BATCH(BatchHexadecimal, true, "to_strings(a, 16)", Role::a) {
    const std::vector<std::string> lines = to_strings(vectors.numbers<BigInt<N>>(0), 16);
    store_each(batch, lines.size(), [&](std::size_t i) { return number_of<N>(lines[i], 16); });
}
template <int N>
void run_assign_text(const Batch &batch, const Vectors &vectors, unsigned base) {
    const auto *numbers = static_cast<const BigInt<N> *>(batch.operands[0]);
    std::string text;
    for (int i = 0; i < batch.count; ++i)
        text += digits_of(numbers[i], base) + "\n";
    std::string repeated;
    for (std::size_t i = 0; i < vectors.times(); ++i)
        repeated += text;
    device_vector<BigInt<N>> a;
    a.assign_text(repeated, static_cast<int>(base));
    store_vectors(batch, a);
}
GRID_BATCH(BatchText, true, "assign_text", Role::a) {
    run_assign_text<N>(batch, vectors, 10);
}
GRID_BATCH(BatchHexadecimalText, true, "assign_text, base 16", Role::a) {
    run_assign_text<N>(batch, vectors, 16);
}
GRID_BATCH(BatchBytes, true, "to_bytes", Role::a) {
    constexpr std::size_t block = (N + 7) / 8 + 3;
    const auto bytes = to_bytes(vectors.numbers<BigInt<N>>(0), block, std::endian::big);
    store_each(batch, bytes.size() / block, [&](std::size_t i) {
        BigInt<N> r{};
        for (std::size_t j = 0; j < 4 * std::size_t(r.limb_count) && j < block; ++j)
            r.limbs[j / 4] |= std::uint32_t{bytes[(i + 1) * block - 1 - j]} << (8 * (j % 4));
        return r;
    });
}
GRID_BATCH(BatchFromBytes, true, "assign_bytes", Role::a) {
    constexpr std::size_t block = sizeof(BigInt<N>);
    const auto *numbers = static_cast<const BigInt<N> *>(batch.operands[0]);
    std::vector<std::uint8_t> bytes;
    for (std::size_t time = 0; time < vectors.times(); ++time)
        for (int i = 0; i < batch.count; ++i)
            for (std::size_t j = block; j-- > 0;)
                bytes.push_back(
                    static_cast<std::uint8_t>(numbers[i].limbs[j / 4] >> (8 * (j % 4))));
    device_vector<BigInt<N>> a;
    a.assign_bytes(bytes, block, std::endian::big);
    store_vectors(batch, a);
}
#undef GRID_BATCH

using BatchCases = List<BatchSum, BatchSignedSum, BatchProduct, BatchProductEven, BatchLeast,
                        BatchGreatest, BatchCount, BatchAll, BatchAny, BatchGather, BatchIndices,
                        BatchSort, BatchInPlace, BatchStrings, BatchHexadecimal, BatchText,
                        BatchHexadecimalText, BatchBytes, BatchFromBytes, End>;

/// From how many elements on GPUs convert a number by one thread.
constexpr std::size_t many_texts = 16384;

template <class C, int N, std::size_t elements>
std::size_t run_batch(const Batch &batch) {
    const std::size_t times = elements / static_cast<std::size_t>(batch.count) + 1;
    C::template run<N>(batch, Vectors(batch, times));
    return batch.record_size;
}
template <int N, Part part>
void add_batches() {
    for_each_case<part>(BatchCases{}, [&]<class C>() {
        add_cells<C, N, false>("batch", "BigInt", {Moduli::each}, run_batch < C, N,
                               C::converts ? many_texts / 16 : 0 >, nullptr);
#ifdef __CUDACC__
        if constexpr (C::converts)
            add_cells<C, N, false>(large_batches, "BigInt", {Moduli::each},
                                   run_batch<C, N, many_texts>, nullptr);
#endif
    });
}

} // namespace grid
