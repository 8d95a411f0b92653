// SPDX-License-Identifier: Apache-2.0
// Square roots modulo a prime, of numbers of any kind.
#pragma once

#include "../bits.h"
#include "../kinds.h"
#include "../modular/modulus.h"
#include "../optional.h"
#include "in_ring.h"
#include "root_modulo.h"

namespace warpint {

namespace theory {

// The smaller root of a modulo a prime p, or nothing. p = 0 is an error.
template <class A, class P>
WARPINT_HOST_DEVICE constexpr Optional<P> square_root_modulo(const A &a, const P &p) {
    const bool some = static_cast<bool>(p);
    if (!some)
        number::report_domain_error("warpint: modulus 0");
    if constexpr (number::may_be_short<P>) {
        if (number::are_short(p)) {
            const auto q = number::shortened<number::short_power_bits>(p);
            return Optional<P>(square_root_modulo(a % q, q));
        }
    }
    P root(number::remainder_of(
        a, number::choose(some, p, P(1u)))); // modulo 1 and 2 it is its own root
    bool exists = some;
    if constexpr (P::bits >= 2) {
        const bool is_odd = test_bit(p, 0);
        const int width = bit_width(p);
        const bool searches = is_odd && width >= 2;
        exists = some && width <= 2;
        if (number::vote<P>(searches)) {
            const P prime = number::choose(searches, p, P(3u));
            P x = number::choose(searches, root, P(0u));
            const bool found = InRing<P>::run(x, prime, [](const auto &ring, auto &element) {
                return smaller_root_modulo(ring, element);
            });
            root = number::choose(searches, x, root);
            exists = searches ? found : exists;
        }
    }
    return Optional<P>(number::choose(exists, root, P(0u)), exists);
}

} // namespace theory

// The square root of a modulo a prime p: the smaller r with r^2 = a mod p, in an Optional of p's
// width, or nothing if a is not a square modulo p. a may be unreduced or negative. The root modulo
// 1 is 0. For a composite p a root is right, but an empty result does not prove that there is none.
// Costs one power for p = 3 mod 4 and p = 5 mod 8, more otherwise (Tonelli and Shanks, or a Lucas
// sequence). Variable time in both operands. Errors: p <= 0 is a std::domain_error on the host;
// device code returns nothing.
// Example:
//     const auto root = sqrt_mod(BigInt<64>(2), BigInt<64>(7)); // 3
template <class A, class P>
    requires number::OfOneKind<A, P>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto sqrt_mod(const A &a, const P &p) {
    using Kind = number::kind_of<A, P>;
    return theory::square_root_modulo(number::in_kind<Kind>(a), number::modulus_value<Kind>(p));
}

} // namespace warpint
