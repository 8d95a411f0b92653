// SPDX-License-Identifier: Apache-2.0
// Bodies of the batched tests of modular arithmetic: powers, Montgomery products by name, and the
// functions that keep secrets. See residues.h.
#pragma once

#include "../../reference/montgomery_variants.h"
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
        BATCH_TEST_NAMED("pow(b, integer, Modulus)", pow(b, p.position, modulus));
        BATCH_TEST_NAMED("pow(x, e)", pow(modulus(a), e).value());
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
        BATCH_TEST_NAMED("base", fixed.base());
        BATCH_TEST_RESULT(pow(fixed, e));
        BATCH_TEST_NAMED("pow(fixed, wide e)", pow(fixed, b)); // wider than the comb
        BATCH_TEST_NAMED("pow(fixed, integer)", pow(fixed, p.position));
    }
};

/// a b / R mod m and b^2 / R mod m with R = 2^(32 L) by every form; b < m and m is odd.
struct MontgomeryProducts {
    template <warpint::arith::MontgomeryVariant variant, int Bits>
    WARPINT_HOST_DEVICE static void
    by(const BigInt<Bits> &a, const BigInt<Bits> &b, const BigInt<Bits> &m, std::uint32_t m_inverse,
       batch_test::Name product, batch_test::Name square, Results &out) {
        constexpr int n = BigInt<Bits>::limb_count;
        namespace arith = warpint::arith;
        arith::montgomery_multiply_by<variant, n>(out.copy(product, BigInt<Bits>(0u)).limbs,
                                                  a.limbs, b.limbs, m.limbs, m_inverse);
        arith::montgomery_square_by<variant, n>(out.copy(square, BigInt<Bits>(0u)).limbs, b.limbs,
                                                m.limbs, m_inverse);
    }

    template <int Bits>
    WARPINT_HOST_DEVICE static void apply(const BigInt<Bits> &a, const BigInt<Bits> &b,
                                          const BigInt<Bits> &m, const Parameters &, Results &out) {
        static_assert(Bits % 32 == 0);
        constexpr int n = BigInt<Bits>::limb_count;
        namespace arith = warpint::arith;
        using enum arith::MontgomeryVariant;
        const std::uint32_t m_inverse = warpint::limb::negative_inverse(m.limbs[0]);
        by<sos>(a, b, m, m_inverse, "SOS, product", "SOS, square", out);
        by<cios>(a, b, m, m_inverse, "CIOS, product", "CIOS, square", out);
        by<fios>(a, b, m, m_inverse, "FIOS, product", "FIOS, square", out);
        by<fips>(a, b, m, m_inverse, "FIPS, product", "FIPS, square", out);
        by<two_pass>(a, b, m, m_inverse, "two passes, product", "two passes, square", out);
        by<alternate>(a, b, m, m_inverse, "alternate, product", "alternate, square", out);
        by<blocks>(a, b, m, m_inverse, "blocks, product", "blocks, square", out);
        by<tiles>(a, b, m, m_inverse, "tiles, product", "tiles, square", out);
        // The selected forms, into their operands.
        auto &product = out.copy("selected, product", a);
        arith::montgomery_multiply<n>(product.limbs, product.limbs, b.limbs, m.limbs, m_inverse);
        auto &square = out.copy("selected, square", b);
        arith::montgomery_square<n>(square.limbs, square.limbs, m.limbs, m_inverse);
    }
};

/// All of <warpint/constant_time.h> for an odd modulus.
struct ConstantTime {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &p, Results &out) {
        const BigInt<N> x = mod_ct(a, m);
        const BigInt<N> y = mod_ct(b, m);
        BATCH_TEST_NAMED("mod_ct(a, m)", x);
        BATCH_TEST_NAMED("mod_ct(b, m)", y);
        BATCH_TEST_RESULT(addmod_ct(x, y, m));
        BATCH_TEST_RESULT(submod_ct(x, y, m));
        BATCH_TEST_RESULT(mulmod_ct(a, b, m));
        const Modulus<N> modulus(m);
        BATCH_TEST_NAMED("mulmod_ct(a, y, Modulus)", mulmod_ct(a, y, modulus));
        BATCH_TEST_NAMED("sqrmod_ct(a, Modulus)", sqrmod_ct(a, modulus));
        BATCH_TEST_NAMED("addmod_ct(x, y, Modulus)", addmod_ct(x, y, modulus));
        BATCH_TEST_NAMED("select_ct", select_ct(p.carry != 0, a, b));
        BATCH_TEST_RESULT(equal_ct(a, b));
        BATCH_TEST_NAMED("equal_ct(a, a)", equal_ct(a, BigInt<N + 3>(a)));
        BATCH_TEST_RESULT(less_ct(a, b));
        BATCH_TEST_NAMED("less_ct(a, signed m)", less_ct(a, SignedBigInt<N>(m)));
        BATCH_TEST_RESULT(is_zero_ct(a));
        auto &first = out.copy("swap_ct, first", a);
        auto &second = out.copy("swap_ct, second", m);
        swap_ct(p.carry != 0, first, second);
    }
};

struct ConstantTimePowers {
    template <int N, class B, int E>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<E> &e, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(pow_ct(a, e, m));
        BATCH_TEST_NAMED("pow_ct(b, word, Modulus)",
                         pow_ct(b, static_cast<std::uint32_t>(e), Modulus<N>(m)));
        const auto of_a = inverse_ct(a, m);
        BATCH_TEST_NAMED("inverse_ct(a, m)", of_a.has_value());
        BATCH_TEST_NAMED("inverse_ct(a, m)", *of_a);
        const auto of_b = inverse_ct(b, m);
        BATCH_TEST_NAMED("inverse_ct(b, m)", of_b.has_value());
        BATCH_TEST_NAMED("inverse_ct(b, m)", *of_b);
    }
};

} // namespace modular_test
