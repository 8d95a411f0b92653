// SPDX-License-Identifier: Apache-2.0
// Division of two or three limbs by a normalised divisor (top bit set) of one or two limbs, by a
// product with the divisor's reciprocal, which costs one division once: Moeller and Granlund,
// "Improved division by invariant integers", IEEE Transactions on Computers 60 (2011). B is the
// number of values of a limb. Variable time.
#pragma once

#include "../../../limb/arithmetic.h"
#include "../../../limb/quotient_correction.h"

namespace warpint::arith {

namespace detail {

// reciprocal(d) of a 32-bit limb without a division of integers, for processors that have none: the
// estimate 2^63 / d by a division of floats, made exact by one step of Newton's iteration. Holds
// for quotients of floats with a relative error up to 2^-21.
WARPINT_HOST_DEVICE constexpr std::uint32_t reciprocal_by_float(std::uint32_t d) {
    // x = 2^63 / d (1 - e), 0 < e < 2^-19: float(d), the quotient and the product are rounded, and
    // the constant is 2^63 (1 - 2^-20).
    constexpr float scale = 9223363240761753600.0f;
    const auto x = static_cast<std::uint32_t>(scale * (1.0f / static_cast<float>(d)));
    const std::uint64_t error = (std::uint64_t{1} << 63) - std::uint64_t{d} * x; // 2^63 e < 2^44
    // 2 x (1 + e) = 2^64 / d (1 - e^2), and 2^33 e^2 < 2^-5: v is right or one too small.
    auto v = static_cast<std::uint32_t>(2 * x + ((std::uint64_t{x} * (error >> 12)) >> 50));
    const std::uint64_t rest =
        ~std::uint64_t{0} - (std::uint64_t{d} << 32) - std::uint64_t{d} * v; // < 2 d
    v += rest >= d;
    return v;
}

// Corrections that are made about one of two times are made without branches by hosts, which cannot
// predict them: in 64-bit limbs, and in 8-bit limbs, so that tests can try every case.
template <class Limb>
inline constexpr bool corrects_without_branches = sizeof(Limb) == 8 || sizeof(Limb) == 1;

} // namespace detail

// floor((B^2 - 1) / d) - B for d >= B / 2.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb reciprocal(Limb d) {
    constexpr Limb all_ones = static_cast<Limb>(~Limb{0});
    if constexpr (sizeof(Limb) == 4 && WARPINT_DEVICE_PASS != 0) {
        return detail::reciprocal_by_float(d);
    } else {
        // B^2 - 1 - B d = (B - 1 - d) B + (B - 1). The top bit is set once more because a compiler
        // may move a division in assembly, which it does not know to trap, ahead of a condition.
        d = static_cast<Limb>(d | static_cast<Limb>(Limb{1} << (limb::limb_bits<Limb> - 1)));
        return limb::divide_2by1(static_cast<Limb>(~d), all_ones, d).quotient;
    }
}

// floor((B^3 - 1) / (d1 B + d0)) - B for d1 >= B / 2. Algorithm 6 of the paper.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb reciprocal(Limb d1, Limb d0) {
    Limb v = reciprocal(d1);
    Limb p = static_cast<Limb>(static_cast<Limb>(1u * d1 * v) + d0);
    if constexpr (detail::corrects_without_branches<Limb>) {
        const Limb below = limb::value_barrier(static_cast<Limb>(p < d0));
        const Limb far_below =
            static_cast<Limb>(below & limb::value_barrier(static_cast<Limb>(p >= d1)));
        v = static_cast<Limb>(v - below - far_below);
        p = static_cast<Limb>(p - (d1 & static_cast<Limb>(Limb{0} - below)) -
                              (d1 & static_cast<Limb>(Limb{0} - far_below)));
        Limb t1 = 0;
        const Limb t0 = limb::multiply_add(v, d0, Limb{0}, t1);
        p = static_cast<Limb>(p + t1);
        const Limb over = limb::value_barrier(static_cast<Limb>(p < t1));
        const Limb far_over = limb::value_barrier(static_cast<Limb>(
            static_cast<int>(p > d1) | (static_cast<int>(p == d1) & static_cast<int>(t0 >= d0))));
        return static_cast<Limb>(v - over - static_cast<Limb>(over & far_over));
    }
    if (p < d0) {
        --v;
        if (p >= d1) {
            --v;
            p = static_cast<Limb>(p - d1);
        }
        p = static_cast<Limb>(p - d1);
    }
    Limb t1 = 0;
    const Limb t0 = limb::multiply_add(v, d0, Limb{0}, t1);
    p = static_cast<Limb>(p + t1);
    if (p < t1) {
        --v;
        if (p > d1 || (p == d1 && t0 >= d0))
            --v;
    }
    return v;
}

// Divides u1 B + u0 by d. On input: d >= B / 2, v = reciprocal(d), u1 < d. Algorithm 4.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE limb::QuotientRemainder<Limb>
divide_2by1(Limb u1, Limb u0, Limb d, Limb v) {
    using Wide = limb::double_limb_t<Limb>;
    WARPINT_ASSERT(u1 < d && d >> (limb::limb_bits<Limb> - 1) != 0);
    const Wide estimate =
        static_cast<Wide>(static_cast<Wide>(v) * u1 +
                          static_cast<Wide>((static_cast<Wide>(u1) << limb::limb_bits<Limb>) | u0));
    Limb q = static_cast<Limb>((estimate >> limb::limb_bits<Limb>)+1u);
    Limb r = static_cast<Limb>(u0 - static_cast<Limb>(1u * q * d));
    if constexpr (detail::corrects_without_branches<Limb>) {
        limb::lower_quotient_if_above(q, r, static_cast<Limb>(estimate), static_cast<Limb>(r + d));
    } else if (r > static_cast<Limb>(estimate)) {
        --q;
        r = static_cast<Limb>(r + d);
    }
    if (r >= d) [[unlikely]] {
        ++q;
        r = static_cast<Limb>(r - d);
    }
    WARPINT_ASSERT(r < d);
    return {q, r};
}

template <class Limb>
struct QuotientRemainder3by2 {
    Limb quotient;
    Limb r1; // the remainder is r1 B + r0
    Limb r0;
};

// Divides u2 B^2 + u1 B + u0 by d1 B + d0. On input: d1 >= B / 2, v = reciprocal(d1, d0),
// (u2, u1) < (d1, d0). Algorithm 5.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientRemainder3by2<Limb>
divide_3by2(Limb u2, Limb u1, Limb u0, Limb d1, Limb d0, Limb v) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    WARPINT_ASSERT(d1 >> (bits - 1) != 0);
    WARPINT_ASSERT(u2 < d1 || (u2 == d1 && u1 < d0));
    const Wide estimate = static_cast<Wide>(
        static_cast<Wide>(v) * u2 + static_cast<Wide>((static_cast<Wide>(u2) << bits) | u1));
    Limb q = static_cast<Limb>(estimate >> bits);
    const Limb top = static_cast<Limb>(u1 - static_cast<Limb>(1u * q * d1));
    if constexpr (detail::corrects_without_branches<Limb>) {
        // Limb by limb, which g++ keeps in registers, the remainders for both q and q + 1.
        const Wide product = static_cast<Wide>(static_cast<Wide>(d0) * q);
        const Limb product0 = static_cast<Limb>(product);
        const Limb product1 = static_cast<Limb>(product >> bits);
        const Limb lowered0 = static_cast<Limb>(u0 - d0);
        const Limb lowered1 = static_cast<Limb>(top - d1 - static_cast<Limb>(u0 < d0));
        Limb r0 = static_cast<Limb>(lowered0 - product0);
        Limb r1 = static_cast<Limb>(lowered1 - product1 - static_cast<Limb>(lowered0 < product0));
        const Limb other0 = static_cast<Limb>(u0 - product0);
        const Limb other1 = static_cast<Limb>(top - product1 - static_cast<Limb>(u0 < product0));
        limb::raise_quotient_if_less(q, r1, r0, static_cast<Limb>(estimate), other1, other0);
        // One comparison of both limbs: that of the lower ones alone no CPU predicts.
        if (static_cast<Wide>(static_cast<Wide>(r1) << bits | r0) >=
            static_cast<Wide>(static_cast<Wide>(d1) << bits | d0)) [[unlikely]] {
            ++q;
            r1 = static_cast<Limb>(r1 - d1 - static_cast<Limb>(r0 < d0));
            r0 = static_cast<Limb>(r0 - d0);
        }
        WARPINT_ASSERT(r1 < d1 || (r1 == d1 && r0 < d0));
        return {q, r1, r0};
    } else {
        const Wide d = static_cast<Wide>((static_cast<Wide>(d1) << bits) | d0);
        Wide r = static_cast<Wide>(((static_cast<Wide>(top) << bits) | u0) - d -
                                   static_cast<Wide>(static_cast<Wide>(d0) * q));
        ++q;
        if (static_cast<Limb>(r >> bits) >= static_cast<Limb>(estimate)) {
            --q;
            r = static_cast<Wide>(r + d);
        }
        if (r >= d) [[unlikely]] {
            ++q;
            r = static_cast<Wide>(r - d);
        }
        WARPINT_ASSERT(r < d);
        return {q, static_cast<Limb>(r >> bits), static_cast<Limb>(r)};
    }
}

} // namespace warpint::arith
