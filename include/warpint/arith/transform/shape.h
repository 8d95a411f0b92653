// SPDX-License-Identifier: Apache-2.0
// Products of long numbers by a Fourier transform in double precision: its shape, and the proof
// that it is exact.
//
// A number is a polynomial of its digits to the base 2^16, balanced: those of 2^15 and more become
// negative and carry one into the next, but for the last, which has the number's sign. The product
// of two polynomials modulo x^(2n) + 1 is their product as long as that has at most 2n
// coefficients. A real polynomial modulo x^(2n) + 1 is a complex one modulo x^n - i: coefficient j
// + i times coefficient j + n. With theta = exp(pi i / 2n), theta^n = i, the substitution x ->
// theta x makes that x^n - 1, whose products a transform of n complex numbers gives: twice forward,
// the products of the values, and once back ("right-angle convolution": Crandall and Fagin,
// Discrete weighted transforms and large-integer arithmetic, Math. Comp. 62 (1994)). No zeros are
// transformed beside the digits, and no values have to be taken apart.
//
// A block of n / 16 threads holds 16 values each and makes passes of transforms of 16 in registers;
// between two passes the values change hands through shared memory. Forward passes leave the values
// in the order in which the inverse ones begin.
//
// Rounding. Let u = 2^-53, b the error of a root of unity. A pass of a level of radix 2 adds (error
// u in the Euclidean norm of all values) and multiplies by a root (sqrt(5) u + b: Brent, Percival,
// Zimmermann, Error bounds on complex floating-point multiplication, Math. Comp. 76 (2007), theorem
// 1). With n = 2^l, three transforms have 3l such levels; theta's powers and the products of the
// values add no more than three levels do. So each coefficient of the product is off by at most
// |a| |b| ((1 + u)(1 + sqrt(5) u)(1 + b))^(3l + 3) - 1), with |a|, |b| the norms of the digits
// (ibid., section 5; Percival, Math. Comp. 72 (2003), theorem 5.1): a number has d digits of at
// most 2^15 and a last of at most 2^16, and d d' <= n^2 if both have 2n together.
// max_error is that, with b = 2u; the first pass's roots are products of two, off by 5u more. Below
// 1/2 rounding is exact.
#pragma once

#include "butterfly.h"

#include <cstdint>

namespace warpint::transform {

inline constexpr int min_log_size = 9; // a warp
inline constexpr int max_log_size = 13;

template <int log_size_>
struct Shape {
    static_assert(log_size_ >= min_log_size && log_size_ <= max_log_size);
    static constexpr int log_size = log_size_;
    static constexpr int size = 1 << log_size; // complex values: n above
    static constexpr int threads = size / 16;  // of a block
    static constexpr int max_limbs = size;     // of a product
    static constexpr int passes = (log_size + 3) / 4;
    static constexpr int last = passes - 1;

    // The transforms that pass p is made of have this many values.
    WARPINT_HOST_DEVICE static constexpr int length(int pass) { return size >> (4 * pass); }
    // Pass p transforms 16 values of so great a distance; the last one neighbours.
    WARPINT_HOST_DEVICE static constexpr int distance(int pass) { return length(pass) / 16; }
    WARPINT_HOST_DEVICE static constexpr int distance_of(int pass) {
        return pass == last ? 1 : distance(pass);
    }
    static constexpr int radix_of_last = length(last);

    // Where value k of a thread lies in shared memory before a pass, and output k behind it:
    // first_place(pass, thread) + place(pass, k). It is position i + i / 16 for value i of all, so
    // that threads meet different banks.
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE int first_place(int pass, int thread) {
        const int d = distance_of(pass);
        const int i = thread / d * (16 * d) + thread % d;
        return i + i / 16;
    }
    WARPINT_HOST_DEVICE static constexpr WARPINT_INLINE int place(int pass, int k) {
        const int i = k * distance_of(pass);
        return i + i / 16; // no carry from the low four bits of the first
    }

    // The roots by which outputs q of pass p < last are multiplied, for values at j of their
    // transform: omega^(q j) with omega = exp(-2 pi i / length(p)). They lie in rows of distance(p)
    // for all j; of pass 0 theta^j omega^(4 k j), k = 0 .. 3, and omega^j, omega^2j, omega^3j, of
    // the others omega^(q j), q = 1 .. 15.
    WARPINT_HOST_DEVICE static constexpr int rows_of_roots(int pass) { return pass == 0 ? 7 : 15; }
    WARPINT_HOST_DEVICE static constexpr int first_root(int pass) {
        int at = 0;
        for (int p = 0; p < pass; ++p)
            at += rows_of_roots(p) * distance(p);
        return at;
    }
    static constexpr int roots = first_root(last);

    // Shared memory of a block in bytes. Values change hands in two halves, real and imaginary
    // parts, with a gap behind each 16; those of the first number's transform are kept beside them,
    // of the largest in other memory. Then the digits of the product take their place, in two
    // halves too.
    static constexpr bool keeps_in_shared = log_size < 13;
    static constexpr int exchange_bytes = size / 16 * 17 * 8;
    static constexpr int kept_bytes = size * 16;
    static constexpr int digits_bytes = size / 32 * 33 * 8;
    static constexpr int carries_bytes = threads * (8 + 4);
    static constexpr int shared_bytes = [] {
        constexpr int values = exchange_bytes + (keeps_in_shared ? kept_bytes : 0);
        constexpr int digits = digits_bytes + carries_bytes;
        return values > digits ? values : digits;
    }();

    static constexpr double max_error = [] {
        constexpr double u = 0x1p-53;
        constexpr double level = (1 + u) * (1 + 2.2361 * u) * (1 + 2 * u);
        double all = (1 + 5 * u) * (1 + 5 * u) * (1 + 5 * u);
        for (int k = 0; k < 3 * log_size + 3; ++k)
            all *= level;
        const double squares = (size - 1) * 0x1p30 + 0x1p32; // of one number's digits
        return squares * (all - 1) * 1.01; // the last factor: this was computed in doubles
    }();
    static_assert(max_error < 0.4);
};

// The smallest transform whose products have so many limbs; 0: none.
WARPINT_HOST_DEVICE constexpr int log_size_of(int limbs) {
    for (int log_size = min_log_size; log_size <= max_log_size; ++log_size) {
        if (limbs <= 1 << log_size)
            return log_size;
    }
    return 0;
}

} // namespace warpint::transform
