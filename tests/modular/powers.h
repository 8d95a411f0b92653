// SPDX-License-Identifier: Apache-2.0
// Bodies of the batched tests of modular arithmetic: powers, Montgomery products by name, and the
// functions that keep secrets. See residues.h.
#pragma once

#include "../reference/montgomery_variants.h"
#include "residues.h"

#include <warpint/constant_time.h>

namespace modular_test {

/// a^e mod m with the modulus as a number and prepared, of residues, and a^e modulo 2^N.
struct Powers {
    template <int N, class B, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<E> &e, const Parameters &p, Results &out) {
        BATCH_TEST_RESULT(pow(a, e, m));
        const Modulus<N> modulus(m);
        BATCH_TEST_RESULT(pow(b, p.position, modulus)); // a built-in exponent
        BATCH_TEST_RESULT(pow(modulus(a), e).value());
        BATCH_TEST_RESULT(pow(a, e));
    }
};

template <int ExponentBits, int Teeth>
struct FixedBases {
    template <int N, int Wide, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const BigInt<Wide> &b,
                                          const BigInt<N> &m, const BigInt<E> &e,
                                          const Parameters &p, Results &out) {
        const warpint::FixedBase<N, ExponentBits, Teeth> fixed(a, Modulus<N>(m));
        BATCH_TEST_RESULT(fixed.base());
        BATCH_TEST_RESULT(pow(fixed, e));
        BATCH_TEST_RESULT(pow(fixed, b)); // wider than the comb
        BATCH_TEST_RESULT(pow(fixed, p.position));
    }
};

/// a b / R mod m and b^2 / R mod m with R = 2^(32 L) by every form; b < m and m is odd.
struct MontgomeryProducts {
    template <warpint::algorithm::MontgomeryVariant variant, int Bits>
    WARPINT_HOST_DEVICE static void by(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                       const BigInt<Bits> &m, std::uint32_t m_inverse,
                                       Results &out) {
        constexpr int n = BigInt<Bits>::limb_count;
        namespace algorithm = warpint::algorithm;
        algorithm::montgomery_multiply_by<variant, n>(out.copy(BigInt<Bits>(0u)).limbs, a.limbs,
                                                      b.limbs, m.limbs, m_inverse);
        algorithm::montgomery_square_by<variant, n>(out.copy(BigInt<Bits>(0u)).limbs, b.limbs,
                                                    m.limbs, m_inverse);
    }

    template <int Bits>
    WARPINT_HOST_DEVICE static void apply(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                          const BigInt<Bits> &m, const Parameters &, Results &out) {
        static_assert(Bits % 32 == 0);
        constexpr int n = BigInt<Bits>::limb_count;
        namespace algorithm = warpint::algorithm;
        using enum algorithm::MontgomeryVariant;
        const std::uint32_t m_inverse = warpint::limb::negative_inverse(m.limbs[0]);
        by<sos>(a, b, m, m_inverse, out);
        by<cios>(a, b, m, m_inverse, out);
        by<fios>(a, b, m, m_inverse, out);
        by<fips>(a, b, m, m_inverse, out);
        by<two_pass>(a, b, m, m_inverse, out);
        by<alternate>(a, b, m, m_inverse, out);
        by<blocks>(a, b, m, m_inverse, out);
        by<tiles>(a, b, m, m_inverse, out);
        // The selected forms, into their operands.
        auto &product = out.copy(a);
        algorithm::montgomery_multiply<n>(product.limbs, product.limbs, b.limbs, m.limbs,
                                          m_inverse);
        auto &square = out.copy(b);
        algorithm::montgomery_square<n>(square.limbs, square.limbs, m.limbs, m_inverse);
    }
};

/// All of <warpint/constant_time.h> for an odd modulus.
struct ConstantTime {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        const BigInt<N> x = mod_ct(a, m);
        const BigInt<N> y = mod_ct(b, m);
        BATCH_TEST_RESULT(x);
        BATCH_TEST_RESULT(y);
        BATCH_TEST_RESULT(addmod_ct(x, y, m));
        BATCH_TEST_RESULT(submod_ct(x, y, m));
        BATCH_TEST_RESULT(mulmod_ct(a, b, m));
        const Modulus<N> modulus(m);
        BATCH_TEST_RESULT(mulmod_ct(a, y, modulus));
        BATCH_TEST_RESULT(sqrmod_ct(a, modulus));
        BATCH_TEST_RESULT(addmod_ct(x, y, modulus));
        BATCH_TEST_RESULT(select_ct(p.carry != 0, a, b));
        BATCH_TEST_RESULT(equal_ct(a, b));
        BATCH_TEST_RESULT(equal_ct(a, BigInt<N + 3>(a)));
        BATCH_TEST_RESULT(less_ct(a, b));
        BATCH_TEST_RESULT(less_ct(a, SignedBigInt<N>(m)));
        BATCH_TEST_RESULT(is_zero_ct(a));
        auto &first = out.copy(a);
        auto &second = out.copy(m);
        swap_ct(p.carry != 0, first, second);
    }
};

struct ConstantTimePowers {
    template <int N, class B, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<E> &e, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(pow_ct(a, e, m));
        BATCH_TEST_RESULT(pow_ct(b, static_cast<std::uint32_t>(e), Modulus<N>(m)));
        const auto of_a = inverse_ct(a, m);
        BATCH_TEST_RESULT(of_a.has_value());
        BATCH_TEST_RESULT(*of_a);
        const auto of_b = inverse_ct(b, m);
        BATCH_TEST_RESULT(of_b.has_value());
        BATCH_TEST_RESULT(*of_b);
    }
};

} // namespace modular_test
