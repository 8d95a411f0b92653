// SPDX-License-Identifier: Apache-2.0
// Square roots modulo a prime.
#pragma once

#include "../algorithm/prime/root_modulo.h"
#include "../modular/modulus.h"
#include "../number/optional.h"

namespace warpint {

namespace number {

// r = the smaller root of a modulo an odd p >= 3, over limbs (words on hosts). Returns whether
// there is one.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr bool
square_root_modulo(Limb *r, const Limb *a, algorithm::MontgomeryContext<L, Limb> &context) {
    constexpr int window = WARPINT_DEVICE_PASS || N <= 512 ? 4 : 5;
    const Limb *p = context.modulus;
    algorithm::prepare<L>(context);
    Limb x[L]{};
    algorithm::montgomery_multiply<L>(x, a, context.r_squared, p, context.inverse);
    if (!algorithm::root_modulo<L, window>(x, context))
        return false;
    Limb unit[L]{};
    Limb opposite[L]{};
    unit[0] = 1;
    algorithm::montgomery_multiply<L>(x, x, unit, p, context.inverse);
    limb::sub<L>(opposite, p, x);
    algorithm::select<L>(r, algorithm::less<L>(opposite, x), opposite, x);
    return true;
}

template <int N>
WARPINT_HOST_DEVICE constexpr Optional<BigInt<N>> square_root_modulo(const BigInt<N> &a,
                                                                     const BigInt<N> &p) {
    constexpr int n = BigInt<N>::limb_count;
    constexpr int limbs = Modulus<N>::limb_count;
    BigInt<N> r{};
    const bool exists = on_machine_limbs(
        []<class Limb>(Limb *root, Limb *x, auto &context)
            WARPINT_INLINE_LAMBDA { return square_root_modulo<N>(root, x, context); },
        cleared_output<n, limbs>(r.limbs), copied_input<n, limbs>(a.limbs),
        new_context<n, limbs>(p.limbs));
    return exists ? Optional<BigInt<N>>(r) : Optional<BigInt<N>>{};
}

} // namespace number

// The square root of a modulo a prime p: the smaller r with r^2 = a mod p, or nothing if a is not a
// square modulo p. a may be unreduced or negative. The root modulo 1 is 0. For a composite p a root
// is right, but an empty result does not prove that there is none. Costs one power for p = 3 mod 4
// and p = 5 mod 8, more otherwise (Tonelli and Shanks, or a Lucas sequence). Variable time in both
// operands. Errors: p <= 0 is a std::domain_error on the host; device code returns nothing.
// Example:
//     const auto root = sqrt_mod(BigInt<64>(2), BigInt<64>(7)); // 3
template <AnyNumber A, AnyNumber P>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BigInt<number::bits_of<P>>>
sqrt_mod(const A &a, const P &p) {
    using R = BigInt<number::bits_of<P>>;
    const R modulus = number::modulus_value(p);
    if (!static_cast<bool>(modulus)) {
        number::report_domain_error("warpint: modulus 0");
        return Optional<R>{};
    }
    const R x = number::as_number(a) % modulus;
    if ((modulus.limbs[0] & 1) == 0 || bit_width(modulus) == 1) {
        const bool decided = bit_width(modulus) <= 2; // 1 and 2: x is its own root
        return decided ? Optional<R>(x) : Optional<R>{};
    }
    return number::square_root_modulo(x, modulus);
}

} // namespace warpint
