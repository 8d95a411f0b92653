// SPDX-License-Identifier: Apache-2.0
// Short Fourier transforms in registers: of 2, 4, 8 or 16 complex numbers in double precision, with
// the roots of unity as literals.
#pragma once

#include "../../limb/config.h"

namespace warpint::transform {

struct alignas(16) Complex {
    double re;
    double im;

    WARPINT_HOST_DEVICE friend constexpr WARPINT_INLINE Complex operator+(const Complex &a,
                                                                          const Complex &b) {
        return {a.re + b.re, a.im + b.im};
    }
    WARPINT_HOST_DEVICE friend constexpr WARPINT_INLINE Complex operator-(const Complex &a,
                                                                          const Complex &b) {
        return {a.re - b.re, a.im - b.im};
    }
    WARPINT_HOST_DEVICE friend constexpr WARPINT_INLINE Complex operator*(const Complex &a,
                                                                          const Complex &b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
};
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Complex conjugate(const Complex &a) {
    return {a.re, -a.im};
}

// exp(i pi k / 32), 0 <= k <= 16, correctly rounded.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Complex root_of_64(int k) {
    constexpr double cosines[17] = {
        0x1p+0,
        0x1.fd88da3d12526p-1,
        0x1.f6297cff75cb0p-1,
        0x1.e9f4156c62ddap-1,
        0x1.d906bcf328d46p-1,
        0x1.c38b2f180bdb1p-1,
        0x1.a9b66290ea1a3p-1,
        0x1.8bc806b151741p-1,
        0x1.6a09e667f3bcdp-1,
        0x1.44cf325091dd6p-1,
        0x1.1c73b39ae68c8p-1,
        0x1.e2b5d3806f63bp-2,
        0x1.87de2a6aea963p-2,
        0x1.294062ed59f06p-2,
        0x1.8f8b83c69a60bp-3,
        0x1.917a6bc29b42cp-4,
        0,
    };
    return {cosines[k], cosines[16 - k]};
}

// x exp(-2 pi i j / n), or with the root's conjugate; 0 <= j < n / 2, n <= 16.
template <bool conjugated>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Complex rotated(const Complex &x, int j, int n) {
    if (j == 0)
        return x;
    if (4 * j == n)
        return conjugated ? Complex{-x.im, x.re} : Complex{x.im, -x.re};
    const int k = 64 / n * j; // of 64, below 32
    const Complex first = root_of_64(k > 16 ? k - 16 : k);
    const Complex w = k > 16 ? Complex{-first.im, first.re} : first;
    if (8 * j == n) {
        return conjugated ? Complex{(x.re - x.im) * w.re, (x.re + x.im) * w.re}
                          : Complex{(x.re + x.im) * w.re, (x.im - x.re) * w.re};
    }
    return x * (conjugated ? w : conjugate(w));
}

// Where forward<16>() leaves output q: its four bits reversed.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int reversed(int q) {
    return (q & 1) << 3 | (q & 2) << 1 | (q & 4) >> 1 | (q & 8) >> 3;
}

// The transform of v[0..n-1], in place: outputs q = sum_k v_k exp(-2 pi i k q / n), in the order of
// their reversed bits.
template <int n>
WARPINT_HOST_DEVICE WARPINT_INLINE void forward(Complex *v) {
    if constexpr (n > 1) {
        constexpr int half = n / 2;
        WARPINT_UNROLL_ALWAYS
        for (int j = 0; j < half; ++j) {
            const Complex a = v[j];
            const Complex b = v[j + half];
            v[j] = a + b;
            v[j + half] = rotated<false>(a - b, j, n);
        }
        forward<half>(v);
        forward<half>(v + half);
    }
}

// Its inverse, times n: of inputs as forward() leaves them.
template <int n>
WARPINT_HOST_DEVICE WARPINT_INLINE void inverse(Complex *v) {
    if constexpr (n > 1) {
        constexpr int half = n / 2;
        inverse<half>(v);
        inverse<half>(v + half);
        WARPINT_UNROLL_ALWAYS
        for (int j = 0; j < half; ++j) {
            const Complex a = v[j];
            const Complex b = rotated<true>(v[j + half], j, n);
            v[j] = a + b;
            v[j + half] = a - b;
        }
    }
}

} // namespace warpint::transform
