// SPDX-License-Identifier: Apache-2.0
// The ring of numbers over lanes (number/theory/ring.h), in Montgomery form. The numbers of a warp
// run together. Variable time.
#pragma once

#include "../../arith/limbs/prime/words.h"
#include "../theory/ring.h"
#include "gcd.h"

namespace warpint::warp_int {

namespace detail {

// What a ring computes, out of line: kernels stay small and compile quickly.

// A number with the room that a quotient by a small number needs on the way.
template <class T>
using with_room = number::like_t<BigInt<T::bits + 16>, T>;

// Rows of products modulo numbers of type T; R is B to them.
template <class T>
inline constexpr int ring_rows = lanes::short_rows<T::limbs_per_lane, T::lanes, T::bits>;

// r = a b / R mod m for a b < m R.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
montgomery_product(T &r, const T &a, const T &b, const T &m, std::uint32_t inverse) {
    constexpr int K = T::limbs_per_lane;
    const typename T::group g;
    lanes::montgomery_multiply_outlined<K, ring_rows<T>>(g, r.words, a.words, b.words, m.words,
                                                         inverse); // below 2 m
    lanes::subtract_if<K>(g, r.words, false, m.words);
    WARPINT_ASSERT_ON_HOST(lanes::less<K>(g, r.words, m.words));
}
// a^2 / R mod m for a < m.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE T montgomery_square(T a, T m, std::uint32_t inverse) {
    constexpr int K = T::limbs_per_lane;
    const typename T::group g;
    lanes::montgomery_square<K, ring_rows<T>>(g, a.words, a.words, m.words, inverse); // below 2 m
    lanes::subtract_if<K>(g, a.words, false, m.words);
    WARPINT_ASSERT_ON_HOST(lanes::less<K>(g, a.words, m.words));
    return a;
}
// a^e for a and one, which is 1, in Montgomery form, by fixed windows.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE T power(T a, T e, T one, T m, std::uint32_t inverse) {
    constexpr int K = T::limbs_per_lane;
    constexpr int window = lanes::power_window(K, T::bits);
    limb::keep_arrays_apart();
    const typename T::group g;
    T table[1 << window];
    table[0] = one;
    WARPINT_UNROLL(2, 1)
    for (int k = 1; k < 1 << window; ++k)
        montgomery_product(table[k], table[k - 1], a, m, inverse);
    const int length = g.largest(bit_width(e));
    int at = length == 0 ? 0 : (length - 1) / window * window;
    T x = table[lanes::extract_digit<K>(g, e.words, at, window)];
    while (at > 0) {
        at -= window;
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < window; ++k)
            x = montgomery_square(x, m, inverse);
        montgomery_product(x, x, table[lanes::extract_digit<K>(g, e.words, at, window)], m,
                           inverse);
    }
    return x;
}
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE std::uint32_t remainder(const T &a, std::uint32_t q) {
    return static_cast<std::uint32_t>(
        warp_int::remainder<Code::called>(to<with_room<T>>(a), number::like_t<BigInt<32>, T>(q)));
}
// The Jacobi symbol (a / m) for an odd m.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE int jacobi(T a, T m) {
    return lanes::jacobi_odd<T::limbs_per_lane>(typename T::group{}, a.words, m.words);
}

} // namespace detail

// Numbers of type T modulo an odd m > 1.
template <class T>
class LanesRing {
public:
    using element = T; // R times the number
    struct Bits {
        T number;

        WARPINT_HOST_DEVICE bool operator[](int position) const {
            return lanes::bit_at<K>(group{}, number.words, position);
        }
    };
    static constexpr bool runs_together = true;
    static constexpr std::uint32_t largest_small = 65535;

    WARPINT_HOST_DEVICE explicit LanesRing(const T &m) : modulus_{m} {
        const group g;
        inverse_ = lanes::montgomery_inverse(g, m.words);
        lanes::montgomery_r_squared<K, detail::ring_rows<T>>(g, r_squared_.words, m.words,
                                                             inverse_);
        bool reduced = lanes::less<K>(g, r_squared_.words, m.words);
        while (g.vote(!reduced)) {
            lanes::subtract_if<K>(g, r_squared_.words, false, m.words);
            reduced = lanes::less<K>(g, r_squared_.words, m.words);
        }
        one_ = small(1);
    }

    WARPINT_HOST_DEVICE void multiply(T &r, const T &a, const T &b) const {
        detail::montgomery_product(r, a, b, modulus_, inverse_);
    }
    WARPINT_HOST_DEVICE void square(T &r, const T &a) const {
        r = detail::montgomery_square(a, modulus_, inverse_);
    }
    WARPINT_HOST_DEVICE void subtract(T &r, const T &a, const T &b) const {
        const group g;
        T raised;
        const bool below = lanes::subtract<K>(g, r.words, a.words, b.words);
        lanes::add<K>(g, raised.words, r.words, modulus_.words);
        r = select(below, raised, r);
    }
    WARPINT_HOST_DEVICE void double_where(T &r, bool condition) const {
        lanes::double_modulo<K>(group{}, r.words, modulus_.words, condition);
    }
    WARPINT_HOST_DEVICE void negate(T &r, const T &a) const {
        lanes::subtract<K>(group{}, r.words, modulus_.words, a.words);
    }
    WARPINT_HOST_DEVICE bool divide(T &r, const T &a, std::uint32_t q) const {
        using Wide = detail::with_room<T>;
        if (!vote(q != 1)) {
            r = a;
            return true;
        }
        // (a + t m) / q is an integer for some t, unless q and m have a common factor.
        const std::uint32_t rest_a = detail::remainder(a, q);
        const std::uint32_t rest_m = remainder(q);
        const std::uint32_t t = arith::multiple_to_divide(rest_a, rest_m, q);
        r = to<T>(quotient<Code::called>(to<Wide>(to<Wide>(modulus_ * t) + to<Wide>(a)),
                                         number::like_t<BigInt<32>, T>(q)));
        return t < q;
    }
    WARPINT_HOST_DEVICE void raise(T &r, int shift) const {
        r = detail::power(r, modulus_ >> shift, one_, modulus_, inverse_);
    }
    WARPINT_HOST_DEVICE void choose(T &r, bool condition, const T &a, const T &b) const {
        r = select(condition, a, b);
    }
    WARPINT_HOST_DEVICE bool equal(const T &a, const T &b) const {
        return lanes::equal<K>(group{}, a.words, b.words);
    }
    WARPINT_HOST_DEVICE bool is_zero(const T &a) const {
        return lanes::is_zero<K>(group{}, a.words);
    }
    WARPINT_HOST_DEVICE bool less(const T &a, const T &b) const {
        return lanes::less<K>(group{}, a.words, b.words);
    }
    WARPINT_HOST_DEVICE T one() const { return one_; }
    WARPINT_HOST_DEVICE T small(std::uint32_t value) const {
        T r;
        lanes::set_limb<K>(group{}, r.words, value); // may be above m, and wider than T
        enter(r);
        return r;
    }
    WARPINT_HOST_DEVICE void enter(T &r) const { multiply(r, r, r_squared_); }
    WARPINT_HOST_DEVICE void leave(T &r) const { multiply(r, r, T(1)); }
    // The form, R times the number, has the number's symbol: R is a power of 4.
    WARPINT_HOST_DEVICE int jacobi(const T &a) const { return detail::jacobi(a, modulus_); }

    WARPINT_HOST_DEVICE Bits bits() const { return {modulus_}; }
    WARPINT_HOST_DEVICE int width() const { return lanes::bit_width<K>(group{}, modulus_.words); }
    WARPINT_HOST_DEVICE int zeros_below() const {
        T even = modulus_;
        even.words[0] = even.words[0] ^ group::to_word(group{}.first());
        return lanes::countr_zero<K>(group{}, even.words);
    }
    WARPINT_HOST_DEVICE int zeros_above() const {
        T complement;
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; ++i)
            complement.words[i] = ~modulus_.words[i];
        return lanes::countr_zero<K>(group{}, complement.words);
    }
    WARPINT_HOST_DEVICE std::uint32_t remainder(std::uint32_t q) const {
        return detail::remainder(modulus_, q);
    }

    WARPINT_HOST_DEVICE bool vote(bool condition) const { return group{}.vote(condition); }
    WARPINT_HOST_DEVICE int largest(int count) const { return group{}.largest(count); }

private:
    using group = typename T::group;
    static constexpr int K = T::limbs_per_lane;

    T modulus_;
    T one_;
    T r_squared_;
    std::uint32_t inverse_; // -m^-1 mod B
};

} // namespace warpint::warp_int

namespace warpint::theory {

template <int Bits, int Lanes, Together together>
struct InRing<WarpInt<Bits, Lanes, together>> {
    using Number = WarpInt<Bits, Lanes, together>;

    template <class Function>
    WARPINT_HOST_DEVICE static bool run(Number &x, const Number &m, const Function &function) {
        return function(warp_int::LanesRing<Number>(m), x);
    }
};

} // namespace warpint::theory
