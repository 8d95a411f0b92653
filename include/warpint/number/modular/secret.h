// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic in constant time: addmod_ct, submod_ct, mulmod_ct, sqrmod_ct, pow_ct,
// inverse_ct, mod_ct. No branch and no memory address depends on the value of an operand that may
// be secret; each function says which may. Widths and types are public. Operands are unsigned
// numbers: BigInt or built-in, of any value.
//
// A modulus comes in two forms. A Modulus is public: its construction takes variable time. A plain
// number may be secret, except for its lowest bit where a function needs an odd one: its Montgomery
// constants are computed on the spot in constant time, which costs about as much as 2 N additions
// of N-bit numbers.
//
// Checked by tests/number/modular/constant_time_leaks.cpp under valgrind on hosts and by
// tests/tools/sass_taint.py on the machine code of GPUs. The claim is about branches and addresses,
// not about time on machines whose multiplication takes variable time.
#pragma once

#include "../../arith/limbs/gcd/divsteps.h"
#include "../optional.h"
#include "../secret.h"
#include "modulus.h"

namespace warpint {

namespace number {

template <class T>
concept UnsignedNumber = AnyNumber<T> && !signed_of<T>;

// What these functions take as a modulus: a Modulus or an unsigned number.
template <class T>
concept UnsignedModulus = ModulusContext<T> || UnsignedNumber<T>;

// The value of a public Modulus, or of a number.
template <UnsignedModulus M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<modulus_bits_v<M>> modulus_ct(const M &m) {
    if constexpr (ModulusContext<M>) {
        return m.value();
    } else {
        return widen_ct<BigInt<modulus_bits_v<M>>>(m);
    }
}

// Calls body(r, context) with the Montgomery context of an odd m in limbs of the machine; r, below
// m, is the result. Errors: an even modulus is a std::domain_error on the host; device code returns
// 0.
template <UnsignedModulus M, class Body>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<modulus_bits_v<M>>
with_odd_modulus_ct(const M &m, const Body &body) {
    constexpr int bits = modulus_bits_v<M>;
    constexpr int limbs = Modulus<bits>::limb_count;
    BigInt<bits> r{};
    bool odd = false;
    if constexpr (ModulusContext<M>) {
        odd = m.is_odd();
    } else {
        odd = (modulus_ct(m).limbs[0] & 1u) != 0;
    }
    if (!odd) {
        report_domain_error("warpint: constant-time functions need an odd modulus");
        return r;
    }
    constexpr int n = BigInt<bits>::limb_count;
    if constexpr (ModulusContext<M>) {
        on_machine_limbs(body, output<n, limbs>(r.limbs), odd_part(m));
    } else {
        on_machine_limbs(
            [&body](auto *result, auto &context) WARPINT_INLINE_LAMBDA {
                arith::constant_time::prepare(context);
                body(result, context);
            },
            output<n, limbs>(r.limbs), new_context<n, limbs>(modulus_ct(m).limbs));
    }
    return r;
}

// r = x R mod m for any number x.
template <int Bits, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
to_montgomery_ct(Limb *r, const BigInt<Bits> &x, const arith::MontgomeryContext<N, Limb> &context) {
    constexpr int n = BigInt<Bits>::limb_count;
    constexpr int limbs = machine_limbs<n, Limb>;
    Limb plain[limbs]{};
    load_limbs<n>(plain, x.limbs);
    arith::constant_time::to_montgomery<limbs>(r, plain, context);
}

// r = a b mod m for any numbers a and b.
template <int A, int B, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_modulo_ct(Limb *r, const BigInt<A> &a, const BigInt<B> &b,
                   const arith::MontgomeryContext<N, Limb> &context) {
    to_montgomery_ct(r, a, context);
    Limb factor[N]{};
    constexpr int n = BigInt<B>::limb_count;
    if constexpr (machine_limbs<n, Limb> <= N) { // a R b / R: b need not be reduced
        load_limbs<n, N * limb::limb_bits<Limb> / 32>(factor, b.limbs);
    } else {
        to_montgomery_ct(factor, b, context);
        arith::constant_time::from_montgomery<N>(factor, factor, context);
    }
    arith::constant_time::multiply<N>(r, r, factor, context.modulus, context.inverse);
}

// x = x^e in Montgomery form.
template <int E, int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
power_ct(Limb *x, const BigInt<E> &e, const arith::MontgomeryContext<N, Limb> &context) {
    arith::constant_time::power<E>(x, e.limbs, context);
}

} // namespace number

namespace number {

// a mod m for any a and m >= 1; 0 for m = 0. A bit of a takes a step, except for those that
// a public Modulus is known to exceed.
template <UnsignedNumber A, UnsignedModulus M>
WARPINT_HOST_DEVICE constexpr BigInt<modulus_bits_v<M>> long_remainder_ct(const A &a, const M &m) {
    using R = BigInt<modulus_bits_v<M>>;
    constexpr int n = R::limb_count;
    constexpr int l = big_t<A>::limb_count;
    int steps = bits_of<A>;
    if constexpr (ModulusContext<M>) {
        const int width = 32 * M::limb_count - m.shift();
        steps = width > bits_of<A> ? 0 : width > 1 ? bits_of<A> - (width - 1) : steps;
    }
    R r{};
    on_machine_limbs(
        [steps]<class Limb>(Limb *rest, const Limb *x, const Limb *modulus) WARPINT_INLINE_LAMBDA {
            constexpr int size = machine_limbs<n, Limb>;
            arith::constant_time::remainder<machine_limbs<l, Limb>, size>(rest, x, steps, modulus);
            const Limb exists =
                arith::constant_time::mask<Limb>(!arith::constant_time::is_zero<size>(modulus));
            for (Limb *limb = rest; limb != rest + size; ++limb)
                *limb = static_cast<Limb>(*limb & exists);
        },
        output<n>(r.limbs), input<l>(as_number(a).limbs), input<n>(modulus_ct(m).limbs));
    return r;
}

} // namespace number

// The number a mod m for any a and m >= 1. By an odd Modulus it costs two Montgomery products for
// each of its widths in a; by others a step of three additions for each bit of a, or for each bit
// that a Modulus need not exceed. Constant time: a and, as a plain number, m may be secret.
// Modulo 0 the result is 0.
template <number::UnsignedNumber A, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>> mod_ct(const A &a,
                                                                                     const M &m) {
    if constexpr (ModulusContext<M>) {
        if (m.is_odd()) {
            const auto x = number::as_number(a);
            return number::with_odd_modulus_ct(m, [&x](auto *r, const auto &context) {
                number::to_montgomery_ct(r, x, context);
                arith::constant_time::from_montgomery(r, r, context);
            });
        }
    }
    return number::long_remainder_ct(a, m);
}

// The sum modulo m for any a, b and m >= 1. Reducing the operands takes a step of three additions
// for each of their bits, or for each bit that a Modulus need not exceed: one for each operand of
// the width of the Modulus' value. Constant time: a, b and, as a plain number, m may be secret.
// Modulo 0 the result is 0.
template <number::UnsignedNumber A, number::UnsignedNumber B, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
addmod_ct(const A &a, const B &b, const M &m) {
    using R = BigInt<number::modulus_bits_v<M>>;
    R r{};
    arith::constant_time::add_modulo<R::limb_count>(r.limbs, number::long_remainder_ct(a, m).limbs,
                                                    number::long_remainder_ct(b, m).limbs,
                                                    number::modulus_ct(m).limbs);
    return r;
}

// The difference modulo m, as addmod_ct.
template <number::UnsignedNumber A, number::UnsignedNumber B, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
submod_ct(const A &a, const B &b, const M &m) {
    using R = BigInt<number::modulus_bits_v<M>>;
    R r{};
    arith::constant_time::subtract_modulo<R::limb_count>(
        r.limbs, number::long_remainder_ct(a, m).limbs, number::long_remainder_ct(b, m).limbs,
        number::modulus_ct(m).limbs);
    return r;
}

// The product modulo an odd m; a and b may be unreduced. Two Montgomery products if the operands
// are not wider than the modulus. Constant time: a, b and, as a plain number, m may be secret,
// except for the lowest bit of m. Errors: an even modulus is a std::domain_error on the host;
// device code returns 0.
template <number::UnsignedNumber A, number::UnsignedNumber B, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
mulmod_ct(const A &a, const B &b, const M &m) {
    const auto x = number::as_number(a);
    const auto y = number::as_number(b);
    return number::with_odd_modulus_ct(m, [&x, &y](auto *r, const auto &context) {
        number::multiply_modulo_ct(r, x, y, context);
    });
}

// The square modulo an odd m, as mulmod_ct(a, a, m).
template <number::UnsignedNumber A, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
sqrmod_ct(const A &a, const M &m) {
    return mulmod_ct(a, a, m);
}

// The power a^e mod m, for any a and e and odd m; 0^0 is 1 mod m. The cost depends on the width of
// e's type, so make that type no wider than needed. Fixed windows over Montgomery products; each
// look-up reads the whole table through masks. Constant time: a, e and, as a plain number, m may be
// secret. Errors as for mulmod_ct.
// Example:
//     const BigInt<256> p = (BigInt<256>(1) << 255) - 19, secret = 12345;
//     const auto x = pow_ct(BigInt<256>(2), secret, p);
template <number::UnsignedNumber A, number::UnsignedNumber E, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::modulus_bits_v<M>>
pow_ct(const A &a, const E &e, const M &m) {
    const auto x = number::as_number(a);
    const auto exponent = number::as_number(e);
    return number::with_odd_modulus_ct(m, [&x, &exponent](auto *r, const auto &context) {
        number::to_montgomery_ct(r, x, context);
        number::power_ct(r, exponent, context);
        arith::constant_time::from_montgomery(r, r, context);
    });
}

// The inverse of a modulo an odd m, and whether it exists; the value is 0 if it does not, and 0
// modulo 1. a may be unreduced. *x and x.has_value() read the result without a branch; value() and
// value_or() branch. It runs Bernstein and Yang's divsteps, always as many as the wider operand may
// need. Constant time: a and m may be secret, except for the lowest bit of m. Errors: an even
// modulus is a std::domain_error on the host; device code returns nothing.
template <number::UnsignedNumber A, number::UnsignedModulus M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BigInt<number::modulus_bits_v<M>>>
inverse_ct(const A &a, const M &m) {
    using R = BigInt<number::modulus_bits_v<M>>;
    constexpr int bits = number::bits_of < A >> R::bits ? number::bits_of<A> : R::bits;
    using Wide = BigInt<bits>;
    constexpr int limbs = Wide::limb_count;
    const Wide x = number::widen_ct<Wide>(a);
    const Wide modulus = number::widen_ct<Wide>(number::modulus_ct(m));
    if ((modulus.limbs[0] & 1u) == 0) {
        number::report_domain_error("warpint: constant-time functions need an odd modulus");
        return Optional<R>{};
    }
    Wide inverse{};
    const bool exists = number::on_machine_limbs(
        []<class Limb>(Limb *value, const Limb *y, const Limb *m_limbs) WARPINT_INLINE_LAMBDA {
            return arith::inverse_divsteps<true, number::machine_limbs<limbs, Limb>>(value, y,
                                                                                     m_limbs);
        },
        number::output<limbs>(inverse.limbs), number::input<limbs>(x.limbs),
        number::input<limbs>(modulus.limbs));
    R r{};
    arith::constant_time::select<R::limb_count>(
        r.limbs, arith::constant_time::mask<std::uint32_t>(exists), inverse.limbs, R{}.limbs);
    return Optional<R>(r, exists);
}

namespace number {

// Numbers of which one is signed.
template <class... T>
concept WithSigned =
    ((AnyNumber<T> || ModulusContext<T>) && ...) && ((AnyNumber<T> && !UnsignedNumber<T>) || ...);

} // namespace number

// Signed operands; these are here for their message.
#define WARPINT_REFUSED_SIGNED(function)                                                           \
    template <limb::Advice instead = "operands are unsigned: write BigInt<256>(x) of an x >= 0",   \
              class... Operands>                                                                   \
        requires number::WithSigned<Operands...>                                                   \
    int function(const Operands &...)                                                              \
        WARPINT_REFUSED("operands are unsigned: write BigInt<256>(x) of an x >= 0");
WARPINT_REFUSED_SIGNED(addmod_ct)
WARPINT_REFUSED_SIGNED(submod_ct)
WARPINT_REFUSED_SIGNED(mod_ct)
WARPINT_REFUSED_SIGNED(mulmod_ct)
WARPINT_REFUSED_SIGNED(sqrmod_ct)
WARPINT_REFUSED_SIGNED(pow_ct)
WARPINT_REFUSED_SIGNED(inverse_ct)
#undef WARPINT_REFUSED_SIGNED

} // namespace warpint
