// SPDX-License-Identifier: Apache-2.0
// Divisors of numbers over lanes: what the functions of number/theory/gcd.h call, and inverse().
// Variable time.
#pragma once

#include "../../arith/lanes/gcd.h"
#include "../theory/gcd.h"
#include "modular.h"

namespace warpint {

namespace number {

template <int Bits, int Lanes, lanes::Together mode>
struct Divisors<BasicWarpInt<Bits, Lanes, mode, false>> {
    using T = BasicWarpInt<Bits, Lanes, mode, false>;
    using Code = warp_int::Code;
    using group = typename T::group;
    static constexpr int K = T::limbs_per_lane;

    template <Code code = Code::here>
    WARPINT_HOST_DEVICE static T gcd(const T &a, const T &b) {
        const bool a_zero = !static_cast<bool>(a);
        const bool b_zero = !static_cast<bool>(b);
        const int zeros_a = countr_zero(a);
        const int zeros_b = countr_zero(b);
        T x = a >> (a_zero ? 0 : zeros_a);
        T y = warp_int::select(b_zero, T(1), b >> (b_zero ? 0 : zeros_b));
        if constexpr (code == Code::called) {
            y = warp_int::number_of<T>(
                lanes::gcd_odd_outlined<K>(group{}, warp_int::words_of(x), warp_int::words_of(y)));
        } else {
            lanes::gcd_odd<K>(group{}, x.words, y.words);
        }
        const T r = y << (zeros_a < zeros_b ? zeros_a : zeros_b);
        return warp_int::select(a_zero || b_zero, a | b, r);
    }
    WARPINT_HOST_DEVICE static T gcd_outlined(const T &a, const T &b) {
        return gcd<Code::called>(a, b);
    }
    WARPINT_HOST_DEVICE static T cofactor(T &g, const T &a, const T &b) {
        T r;
        lanes::cofactor_odd<K>(group{}, r.words, g.words, a.words, b.words);
        return r;
    }
    WARPINT_HOST_DEVICE static int jacobi(T a, T n) {
        return lanes::jacobi_odd<K>(group{}, a.words, n.words);
    }
};

} // namespace number

// The inverse of a modulo m, in [0, m), or nothing if there is none.
template <number::Held A, WarpNumber M>
[[nodiscard]] WARPINT_HOST_DEVICE Optional<M> inverse(const A &a, const M &m) {
    static_assert(!M::is_signed, "the modulus must be unsigned");
    const typename M::group g;
    const bool prepared = static_cast<bool>(m);
    if (!prepared)
        number::report_domain_error("warpint: modulus 0");
    const M modulus = warp_int::select(prepared, m, M(1));
    const M value = warp_int::to<M>(
        warp_int::remainder<warp_int::Code::called>(warp_int::as_number<A, M>(a), modulus));
    const bool even = !test_bit(modulus, 0);
    const bool value_odd = test_bit(value, 0);
    M odd = warp_int::select(even, value, modulus);
    const M other = warp_int::select(even, modulus, value);
    odd = warp_int::select(even && !value_odd, M(1), odd);
    M divisor;
    const M cofactor = number::Divisors<M>::cofactor(divisor, other, odd);
    M r = cofactor;
    if (g.vote(even)) {
        const auto product = warp_int::multiply_outlined(modulus, cofactor);
        const M quotient =
            warp_int::to<M>(warp_int::quotient<warp_int::Code::called>(product - 1, odd));
        const bool is_one = value == 1; // then the cofactor is 0, and 1 itself the inverse
        r = warp_int::select(even, warp_int::select(is_one, M(1), modulus - quotient), r);
    }
    const bool unit = divisor == 1;
    const bool exists = prepared && unit && (!even || value_odd);
    return {warp_int::select(exists, r, M(0)), exists};
}

} // namespace warpint
