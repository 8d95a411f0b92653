// SPDX-License-Identifier: Apache-2.0
// Sizes for numbers side by side: how a width is cut into windows, which widths and batches pay,
// windows of exponents. Measured at 0.2.0 on an Emerald Rapids Xeon, g++ 12.
#pragma once

#include <cstddef>

namespace warpint::simd {

// W windows of K columns hold a number of W K digits.
struct Shape {
    int columns;
    int windows;
    [[nodiscard]] constexpr int digits() const { return columns * windows; }
};

// The fewest digits for at least `needed` in windows of at most 10 columns (g++ spills with more in
// a loop), of an even number of columns where there are several windows (squares want it); among
// equals the widest columns.
constexpr Shape shape_for(int needed) {
    if (needed <= 10)
        return {needed < 2 ? 2 : needed, 1};
    Shape best{10, (needed + 9) / 10};
    for (int columns = 8; columns >= 6; columns -= 2) {
        const int windows = (needed + columns - 1) / columns;
        if (columns * windows < best.digits())
            best = {columns, windows};
    }
    return best;
}

// Whether shape_for() has these columns in one window only: what else depends on the number of
// digits is then known when the code is compiled.
constexpr bool is_one_window(int columns) {
    return columns < 6 || columns % 2 != 0;
}
template <int K>
constexpr int digits_of(int windows) {
    return is_one_window(K) ? K : K * windows;
}

// Digits of plain numbers of so many bits; of a modulus, four bits more (montgomery.h).
constexpr int plain_digits(int bits) {
    return (bits + 51) / 52;
}
constexpr int modulus_digits(int bits) {
    return (bits + 4 + 51) / 52;
}
constexpr Shape plain_shape(int bits) {
    return shape_for(plain_digits(bits));
}
constexpr Shape modulus_shape(int bits) {
    return shape_for(modulus_digits(bits));
}

// Numbers of up to so many digits are computed in two groups of eight, step by step: with few
// digits a reduction is a chain of dependent instructions, and the other group fills its gaps.
inline constexpr int interleaved_digits = 20;

// The widest numbers: column sums stay below 2^64 up to 1000 digits, tables below some 3 MiB.
inline constexpr int largest_bits = 32768;

// Tables of powers take at most so many bytes, of each group of eight.
inline constexpr std::size_t table_bytes = std::size_t{512} << 10;

// Widths from which, and numbers of elements from which, side by side beats one by one. On a Xeon,
// ns for an element of a batch, one by one and side by side:
//
//   bits          96       128       160       192       224       256
//   a b         2.5 3.6   2.9 4.4  10.5 5.7   6.2 5.3    39 6.3        6.5
//   a b % m      25 23     31 31     54 35     63 29    110 32         34
//   (a b+c)%m    46 25     58 30    127 41     99 31    191 36         37
inline constexpr int min_power_bits = 128;
inline constexpr int min_power_elements = 2;
inline constexpr int min_product_bits = 129;
inline constexpr int min_remainder_bits = 129;
inline constexpr int min_sum_remainder_bits = 96;
inline constexpr int min_product_elements = 4;

// How much wider than a divisor of so many bits a dividend has to be. Quotients and remainders, ns
// for an element, one by one and side by side, full length:
//
//   bits     256/256   320/256   512/256   512/512   1024/512   1024/1024   2048/1024   4096/2048
//   a / m     12 22     31 20     64 25     20 28     180 42      53 31      412 103     1240 266
//   a % m     18 23     37 21     69 26     24 31     171 42      63 33      431 96      1202 252
//   both      21 34     40 27     71 32     34 44     195 56      76 50      470 127     1321 340
constexpr int min_quotient_bits(int divisor_bits) {
    return divisor_bits < 1024 ? 64 : 0;
}

// Square roots, ns for an element, one by one and side by side:
//
//   bits      128      192      256      512      1024      2048      4096      8192
//           11 21    36 17    38 22   112 26    209 44    372 83   824 185  1824 510
inline constexpr int min_root_bits = 129;

} // namespace warpint::simd
