// SPDX-License-Identifier: Apache-2.0
// Montgomery products of 8-bit limbs, every form by name and the selected one, against plain
// integers.
#pragma once

#include "reference/montgomery_variants.h"
#include "support/limbs.h"

#include <warpint/arith/limbs/reduction/montgomery.h>

#include <cstdint>
#include <type_traits>

namespace montgomery_cases {

namespace arith = warpint::arith;
namespace limb = warpint::limb;

using arith::Headroom;
using arith::MontgomeryVariant;
using test::limbs::all_ones;
using test::limbs::Limb;
using test::limbs::Limbs;
using test::limbs::Tally;

/// Calls f with every variant as a constant.
template <class Function>
void for_each_variant(Function f) {
    using enum MontgomeryVariant;
    f(std::integral_constant<MontgomeryVariant, sos>{});
    f(std::integral_constant<MontgomeryVariant, cios>{});
    f(std::integral_constant<MontgomeryVariant, fios>{});
    f(std::integral_constant<MontgomeryVariant, fips>{});
    f(std::integral_constant<MontgomeryVariant, two_pass>{});
    f(std::integral_constant<MontgomeryVariant, alternate>{});
    f(std::integral_constant<MontgomeryVariant, blocks>{});
    f(std::integral_constant<MontgomeryVariant, tiles>{});
}

/// Calls check with every form, a function that writes the N limbs of a b / R mod m; with the
/// squares too if a and b are the same.
template <int N, class AnyLimb, class Check>
void for_each_form(const AnyLimb *a, const AnyLimb *b, const AnyLimb *m, AnyLimb m_inverse,
                   bool same, Check check) {
    for_each_variant([&](auto variant) {
        constexpr MontgomeryVariant name = decltype(variant)::value;
        check([&](AnyLimb *r) { arith::montgomery_multiply_by<name, N>(r, a, b, m, m_inverse); });
        if (same) {
            check([&](AnyLimb *r) { arith::montgomery_square_by<name, N>(r, a, m, m_inverse); });
        }
    });
    check([&](AnyLimb *r) { arith::montgomery_multiply<N>(r, a, b, m, m_inverse); });
    if (same) {
        check([&](AnyLimb *r) { arith::montgomery_square<N>(r, a, m, m_inverse); });
    }
    if constexpr (N <= limb::short_row_limbs) {
        check([&](AnyLimb *r) { arith::montgomery_multiply_short<N>(r, a, b, m, m_inverse); });
        if (same) {
            check([&](AnyLimb *r) { arith::montgomery_square_short<N>(r, a, m, m_inverse); });
        }
    }
    check([&](AnyLimb *r) { // r may be an operand
        arith::copy<N>(r, a);
        arith::montgomery_multiply<N>(r, r, b, m, m_inverse);
    });
    check([&](AnyLimb *r) {
        arith::copy<N>(r, b);
        arith::montgomery_multiply_alternate<N>(r, a, r, m, m_inverse);
    });
}

/// inverse: of R modulo m.
template <int N>
void check_montgomery(Tally &tally, std::uint64_t a, std::uint64_t b, std::uint64_t m,
                      std::uint64_t inverse) {
    const Limbs<N> x(a), y(b), modulus(m);
    const Limb m_inverse = limb::negative_inverse(modulus.data[0]);
    __extension__ using Wide = unsigned __int128;
    const auto expected = static_cast<std::uint64_t>(Wide(a) * b % m * inverse % m);
    const auto check = [&](auto run) {
        Limbs<N> r(0x5555555555555555);
        run(r.begin());
        tally.equal(r.value(), expected, a, b, m);
        tally.equal(r.intact(), true, a, b, m);
    };
    for_each_form<N>(x.begin(), y.begin(), modulus.begin(), m_inverse, a == b && a < m, check);
}

/// Operands and results in [0, R), the square if a = b; and a / R modulo m if b = 1.
template <int N>
void check_whole(Tally &tally, std::uint64_t a, std::uint64_t b, std::uint64_t m,
                 std::uint64_t inverse) {
    const Limbs<N> x(a), y(b), modulus(m);
    const Limb m_inverse = limb::negative_inverse(modulus.data[0]);
    __extension__ using Wide = unsigned __int128;
    const auto expected = static_cast<std::uint64_t>(Wide(a) * b % m * inverse % m);
    const auto check = [&](bool reduced, auto run) {
        Limbs<N> r(0x5555555555555555);
        run(r.begin());
        tally.equal(reduced ? r.value() : r.value() % m, expected, a, b, m);
        tally.equal(r.intact(), true, a, b, m);
    };
    check(false, [&](Limb *r) {
        arith::montgomery_multiply_alternate<N, Headroom::whole>(r, x.begin(), y.begin(),
                                                                 modulus.begin(), m_inverse);
    });
    if (a == b) {
        check(false, [&](Limb *r) {
            arith::montgomery_square_alternate<N, Headroom::whole>(r, x.begin(), modulus.begin(),
                                                                   m_inverse);
        });
    }
    if (b == 1) {
        check(true, [&](Limb *r) {
            arith::copy<N>(r, x.begin());
            arith::montgomery_leave_alternate<N>(r, r, modulus.begin(), m_inverse);
        });
    }
}

/// The inverse of R = 2^(8 limbs) modulo odd m, by halving.
inline std::uint64_t inverse_of_r(int limbs, std::uint64_t m) {
    std::uint64_t x = 1 % m;
    for (int i = 0; i < 8 * limbs; ++i) {
        x = x % 2 == 0 ? x / 2 : (x + m) / 2;
    }
    return x;
}

} // namespace montgomery_cases
