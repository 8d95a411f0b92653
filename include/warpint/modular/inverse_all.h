// SPDX-License-Identifier: Apache-2.0
// The inverses of many numbers or residues modulo one modulus, for one inversion and three products
// each.
#pragma once

#include "../algorithm/divisor/simultaneous_inverse.h"
#include "residue.h"

namespace warpint {

namespace number {

// Residues for algorithm::inverse_all.
template <AnyResidue R>
struct ResidueRing {
    R none; // 0

    WARPINT_HOST_DEVICE constexpr const R &load(const R &x) const { return x; }
    WARPINT_HOST_DEVICE constexpr R product(const R &x, const R &y) const {
        return R::product(x, y);
    }
    WARPINT_HOST_DEVICE constexpr bool is_zero(const R &x) const { return R::equal(x, none); }
    WARPINT_HOST_DEVICE constexpr bool invert(R &x) const {
        const Optional<R> found = x.inverted();
        x = *found;
        return found.has_value();
    }
    WARPINT_HOST_DEVICE constexpr R zero() const { return none; }
};

// Plain numbers modulo m: Montgomery products without a Montgomery form, which the algorithm
// allows; for even m Barrett's.
template <int Bits>
struct NumberRing {
    const Modulus<Bits> &m;
    BigInt<Bits> value; // of m

    WARPINT_HOST_DEVICE constexpr BigInt<Bits> load(const BigInt<Bits> &x) const {
        return x < value ? x : remainder(x, m);
    }
    WARPINT_HOST_DEVICE constexpr BigInt<Bits> product(const BigInt<Bits> &x,
                                                       const BigInt<Bits> &y) const {
        if (!m.is_odd())
            return mulmod(x, y, m);
        constexpr int n = Modulus<Bits>::limb_count;
        constexpr int stored = BigInt<Bits>::limb_count;
        std::uint32_t wide_x[n]{};
        std::uint32_t wide_y[n]{};
        algorithm::copy<stored>(wide_x, x.limbs);
        algorithm::copy<stored>(wide_y, y.limbs);
        combine_residues<ResidueProduct>(wide_x, wide_x, wide_y, m);
        BigInt<Bits> r;
        algorithm::copy<stored>(r.limbs, wide_x);
        return r;
    }
    WARPINT_HOST_DEVICE constexpr bool is_zero(const BigInt<Bits> &x) const {
        return !static_cast<bool>(x);
    }
    WARPINT_HOST_DEVICE constexpr bool invert(BigInt<Bits> &x) const {
        return inverse_limbs(x, BigInt<Bits>(x), value);
    }
    WARPINT_HOST_DEVICE constexpr BigInt<Bits> zero() const { return BigInt<Bits>{}; }
};

} // namespace number

// Inverts n residues of one modulus, Residue or StaticResidue, from a to r. An element without an
// inverse gives 0 and does not disturb the others. Returns the number of those; exists[i], if
// `exists` is not null, says whether element i has an inverse. Modulo 1 every element has the
// inverse 0.
//
// One inversion and 3 (n - 1) products where all but zeros have inverses, one inversion each where
// not (Montgomery 1987). By one thread, on host and device, without memory of its own: r serves as
// such, so r and a must not overlap. Variable time. Error (host): std::invalid_argument for
// residues of different moduli.
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all(R *r, const R *a, std::size_t n,
                                                      bool *exists = nullptr) {
    if (n == 0)
        return 0;
    return algorithm::inverse_all(r, a, n, r, exists, number::ResidueRing<R>{a[0].zero()});
}

// The same in place. `scratch` has room for n elements and must not alias x.
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all_in_place(R *x, std::size_t n, R *scratch,
                                                               bool *exists = nullptr) {
    if (n == 0)
        return 0;
    return algorithm::inverse_all(x, x, n, scratch, exists, number::ResidueRing<R>{x[0].zero()});
}

// The same for plain numbers, which may be unreduced. Results lie in [0, m). In device code no
// element has an inverse modulo 0.
template <int Bits>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all(BigInt<Bits> *r, const BigInt<Bits> *a,
                                                      std::size_t n, const Modulus<Bits> &m,
                                                      bool *exists = nullptr) {
    return algorithm::inverse_all(r, a, n, r, exists, number::NumberRing<Bits>{m, m.value()});
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr std::size_t
inverse_all_in_place(BigInt<Bits> *x, std::size_t n, const Modulus<Bits> &m, BigInt<Bits> *scratch,
                     bool *exists = nullptr) {
    return algorithm::inverse_all(x, x, n, scratch, exists, number::NumberRing<Bits>{m, m.value()});
}

} // namespace warpint
