// SPDX-License-Identifier: Apache-2.0
// The ring of numbers over lanes (theory/ring.h): residues of a WarpModulus. The numbers of a warp
// run together. Variable time.
#pragma once

#include "../theory/ring.h"
#include "residue.h"

namespace warpint::warp_int {

// Numbers of type T modulo an odd m > 1, which outlives the ring.
template <class T>
class LanesRing {
public:
    using element = T; // its Montgomery form
    struct Bits {
        T number;

        WARPINT_HOST_DEVICE bool operator[](int position) const {
            return lanes::bit_at<K>(group{}, number.words, position);
        }
    };
    static constexpr bool runs_together = true;
    static constexpr std::uint32_t largest_small = 65535;

    WARPINT_HOST_DEVICE explicit LanesRing(const T &m) : modulus_{m} {}

    WARPINT_HOST_DEVICE void multiply(T &r, const T &a, const T &b) const {
        r = modulus_.product(a, b);
    }
    WARPINT_HOST_DEVICE void square(T &r, const T &a) const { r = modulus_.product(a, a); }
    WARPINT_HOST_DEVICE void subtract(T &r, const T &a, const T &b) const {
        T corrected;
        const bool below = lanes::subtract<K>(group{}, r.words, a.words, b.words);
        lanes::add<K>(group{}, corrected.words, r.words, modulus_.value_.words);
        r = select(below, corrected, r);
    }
    WARPINT_HOST_DEVICE void double_where(T &r, bool condition) const {
        lanes::double_modulo<K>(group{}, r.words, modulus_.value_.words, condition);
    }
    WARPINT_HOST_DEVICE void negate(T &r, const T &a) const {
        lanes::subtract<K>(group{}, r.words, modulus_.value_.words, a.words);
    }
    WARPINT_HOST_DEVICE bool divide(T &r, const T &a, std::uint32_t q) const {
        const auto factor = inverse(q, modulus_.value_);
        r = modulus_.product(a, modulus_.product(*factor, modulus_.r_squared_));
        return factor.has_value();
    }
    WARPINT_HOST_DEVICE void raise(T &r, int shift) const {
        leave(r);
        r = pow(r, modulus_.value_ >> shift, modulus_.value_);
        enter(r);
    }
    WARPINT_HOST_DEVICE void choose(T &r, bool condition, const T &a, const T &b) const {
        r = select(condition, a, b);
    }
    WARPINT_HOST_DEVICE bool equal(const T &a, const T &b) const { return warp_int::equal(a, b); }
    WARPINT_HOST_DEVICE bool is_zero(const T &a) const {
        return lanes::is_zero<K>(group{}, a.words);
    }
    WARPINT_HOST_DEVICE bool less(const T &a, const T &b) const { return warp_int::less(a, b); }
    WARPINT_HOST_DEVICE T one() const { return small(1); }
    WARPINT_HOST_DEVICE T small(std::uint32_t value) const {
        T r;
        lanes::set_limb<K>(group{}, r.words, value); // may be above m, and wider than T
        enter(r);
        return r;
    }
    WARPINT_HOST_DEVICE void enter(T &r) const { r = modulus_.product(r, modulus_.r_squared_); }
    WARPINT_HOST_DEVICE void leave(T &r) const { r = modulus_.product(r, T(1)); }
    // The form, R times the number, has the number's symbol: R is a power of 4.
    WARPINT_HOST_DEVICE int jacobi(const T &a) const { return warpint::jacobi(a, modulus_.value_); }

    WARPINT_HOST_DEVICE Bits bits() const { return {modulus_.value_}; }
    WARPINT_HOST_DEVICE int width() const { return bit_width(modulus_.value_); }
    WARPINT_HOST_DEVICE int zeros_below() const {
        T even = modulus_.value_;
        even.words[0] = even.words[0] ^ group::to_word(group{}.first());
        return countr_zero(even);
    }
    WARPINT_HOST_DEVICE int zeros_above() const { return countr_zero(~modulus_.value_); }
    WARPINT_HOST_DEVICE std::uint32_t remainder(std::uint32_t q) const {
        return static_cast<std::uint32_t>(modulus_.value_ % q);
    }

    WARPINT_HOST_DEVICE bool vote(bool condition) const { return group{}.vote(condition); }
    WARPINT_HOST_DEVICE int largest(int count) const { return group{}.largest(count); }

private:
    using group = typename T::group;
    static constexpr int K = T::words_per_lane;

    WarpModulus<T::bits, T::lanes, traits<T>::together> modulus_;
};

} // namespace warpint::warp_int
