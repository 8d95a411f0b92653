// SPDX-License-Identifier: Apache-2.0
// A modulus, with everything that depends on it alone computed once.
#pragma once

#include "../../arith/limbs/power/power.h"
#include "../../arith/limbs/reduction/barrett.h"
#include "../../bigint.h"
#include "../kinds.h"
#include "machine_modulus.h"

namespace warpint {

template <int Bits>
class Residue;

namespace number {

// An object that stands for the number that value() reads, as an element of a device_vector does.
template <class T>
concept ElementOfNumbers = AnyNumber<typename T::value_type> && requires(const T &x) {
    requires std::is_same_v<decltype(x.value()), typename T::value_type>;
};

// A built-in integer as a modulus of Bits bits. A negative one, or one of more bits, is reported as
// a domain error and becomes 0.
template <int Bits, BuiltinInteger T>
WARPINT_HOST_DEVICE constexpr BigInt<Bits> modulus_of(T x) {
    if constexpr (signed_of<T>) {
        if (x < 0) {
            report_domain_error("warpint: negative modulus");
            return BigInt<Bits>{};
        }
    }
    if constexpr (Bits < bits_of<T>) {
        if ((x >> Bits) != 0) {
            report_domain_error("warpint: a modulus of more bits than its Modulus has");
            return BigInt<Bits>{};
        }
    }
    return BigInt<Bits>(x);
}

// A number that may be no modulus of Bits bits: wider, or signed.
template <class T, int Bits>
concept NoModulusOf =
    BigNumber<T> &&
    std::bool_constant<!holds_values_of<BigInt<Bits>, std::remove_cvref_t<T>>>::value;

} // namespace number

// A modulus m in [1, 2^Bits) of any parity. It holds
//   - the constants of Montgomery arithmetic for the odd part m' = m / 2^zeros, R = 2^(32
//     limb_count): powers and, for an odd m, residues;
//   - the reciprocal of m, shifted up to the width of its limbs: Barrett reduction for `x % m`, for
//     products of plain numbers and for residues of an even m;
//   - the modulus of the form that residues have, in one place for every parity: m if it is odd,
//     else the shifted m.
// Trivially copyable, with the same layout on host and device, and five times as large as the
// number. Construction costs a division and some 40 products of the modulus' size, in variable
// time. It is made from an unsigned number of at most Bits bits; any other is converted first, as
// in Modulus<256>(BigInt<256>(p * q)). Errors: 0, and a built-in integer that is negative or has
// more bits, is a std::domain_error on the host; in device code operations with it return 0.
//
//   const Modulus<256> m(p);
//   auto x = m(a);                 // a Residue
//   auto y = x * x + 3;
template <int Bits>
class Modulus {
public:
    static constexpr int bits = Bits;
    // For this library: limbs of a residue, an even number, so that hosts may use 64-bit words.
    static constexpr int limb_count = 2 * ((Bits + 63) / 64);
    using Context = arith::MontgomeryContext<limb_count, std::uint32_t>;

    Modulus() = default;

    WARPINT_HOST_DEVICE constexpr explicit Modulus(const BigInt<Bits> &value)
        : odd_{}, form_modulus_{}, reciprocal_{}, inverse_{0}, zeros_{0}, shift_{0} {
        if (!static_cast<bool>(value)) {
            number::report_domain_error("warpint: modulus 0");
            return;
        }
        zeros_ = countr_zero(value);
        arith::copy<BigInt<Bits>::limb_count>(odd_.modulus, value.limbs);
        prepare_barrett();
        if (zeros_ != 0)
            arith::shift_right<limb_count>(odd_.modulus, odd_.modulus, zeros_);
        inverse_ = limb::negative_inverse(std::uint64_t{odd_.modulus[1]} << 32 | odd_.modulus[0]);
        number::on_machine_limbs([](auto &context)
                                     WARPINT_INLINE_LAMBDA { arith::prepare_whole(context); },
                                 number::constants_of<limb_count>(odd_));
    }

    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr explicit Modulus(T value)
        : Modulus(number::modulus_of<Bits>(value)) {}
#if WARPINT_HOSTED
    // From an element of a device_vector, which stands for its value.
    template <number::ElementOfNumbers T>
    explicit Modulus(const T &element) : Modulus(element.value()) {}
#endif
    // Neither narrowed nor negative without a word; this is here for its message.
    template <number::NoModulusOf<Bits> convert_it_first_as_in_Modulus_256_BigInt_256_p>
    explicit Modulus(const convert_it_first_as_in_Modulus_256_BigInt_256_p &) WARPINT_REFUSED(
        "a modulus is an unsigned number of at most Bits bits: convert it first, as "
        "in Modulus<256> m(BigInt<256>(p))");

    // The modulus itself.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> value() const {
        BigInt<Bits> r;
        if (is_odd()) {
            arith::copy<BigInt<Bits>::limb_count>(r.limbs, form_modulus_);
        } else {
            std::uint32_t plain[limb_count]{};
            arith::shift_right<limb_count>(plain, form_modulus_, shift_);
            arith::copy<BigInt<Bits>::limb_count>(r.limbs, plain);
        }
        return r;
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_odd() const { return zeros_ == 0; }

    // The residue of any number: unreduced, negative or built-in. It refers to this Modulus, which
    // must outlive it and stay where it is; a temporary Modulus makes no residues.
    template <AnyNumber T>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Residue<Bits> operator()(const T &x) const &;
#if WARPINT_HOSTED
    // An element of a device_vector, which stands for its value.
    template <number::ElementOfNumbers T>
    [[nodiscard]] Residue<Bits> operator()(const T &element) const & {
        return (*this)(element.value());
    }
    template <number::ElementOfNumbers T>
    Residue<Bits> operator()(const T &) const && = delete; // give the Modulus a name
#endif
    template <AnyNumber T>
    WARPINT_HOST_DEVICE constexpr Residue<Bits> operator()(const T &) const && {
        static_assert(sizeof(T) == 0, "a residue refers to its Modulus, which must have a name: "
                                      "const Modulus<N> m(...); auto x = m(a);");
        return {};
    }

    // For this library: the odd part's constants.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const Context &odd_part() const { return odd_; }
    // For this library: the number of factors 2.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int zeros() const { return zeros_; }
    // For this library: -m'^-1 mod 2^64.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr std::uint64_t inverse() const { return inverse_; }

    // For this library: the modulus of the forms of residues: m if it is odd, else m 2^shift().
    // limb_count limbs.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const std::uint32_t *form_modulus() const {
        return form_modulus_;
    }
    // For this library: r = m 2^shift(), with the top bit set; 0 for the modulus 0.
    WARPINT_HOST_DEVICE constexpr void normalise(std::uint32_t *r) const {
        arith::copy<limb_count>(r, form_modulus_);
        if (is_odd() && shift_ != 0)
            arith::shift_left<limb_count>(r, r, shift_);
    }
    // For this library: its reciprocal, as arith::prepare_barrett gives it.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr const std::uint32_t *reciprocal() const {
        return reciprocal_;
    }
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr int shift() const { return shift_; }

    // For this library: -m'^-1 modulo the number of values of Limb.
    template <class Limb>
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr Limb limb_inverse() const {
        if constexpr (sizeof(Limb) == 4) {
            return odd_.inverse;
        } else {
            return inverse_;
        }
    }

    // For this library: whether m uses at most half of its limbs.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_short() const {
        return shift_ >= limb_count * 16;
    }

    // For this library: the modulus, if number::is_short() says that it is short.
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr number::ShortNumber short_value() const {
        constexpr int n = number::ShortNumber::limb_count;
        number::ShortNumber r;
        if (is_odd()) {
            arith::copy<n>(r.limbs, form_modulus_);
        } else {
            constexpr int above = limb_count - n;
            arith::shift_right<n>(r.limbs, form_modulus_ + above, shift_ - 32 * above);
        }
        return r;
    }

    // A Modulus is no number; these are here for their message.
    WARPINT_REFUSED_ARITHMETIC(Modulus,
                               "(a + b) % m, or addmod(a, b, m): a Modulus m is the right operand "
                               "of %, or the last argument of a function; m.value() is its number",
                               BigInt<Bits>);

private:
    // For this library. On input: odd_.modulus holds m.
    WARPINT_HOST_DEVICE constexpr void prepare_barrett() {
        shift_ = number::on_machine_limbs(
            []<class Limb>(Limb *normalised, Limb *reciprocal, const Limb *m)
                WARPINT_INLINE_LAMBDA {
                    return arith::prepare_barrett<number::machine_limbs<limb_count, Limb>>(
                        normalised, reciprocal, m);
                },
            number::output<limb_count>(form_modulus_), number::output<limb_count>(reciprocal_),
            number::input<limb_count>(odd_.modulus));
        if (is_odd())
            arith::copy<limb_count>(form_modulus_, odd_.modulus);
    }

    Context odd_;
    std::uint32_t form_modulus_[limb_count];
    std::uint32_t reciprocal_[limb_count];
    std::uint64_t inverse_; // -m'^-1 mod 2^64
    int zeros_;
    int shift_; // in bits; m << shift_ has its top bit set
};

namespace number {

// Whether functions look for a Modulus of this width that is short: its constants are those of the
// width, and the number itself then is faster.
template <int Bits>
inline constexpr bool knows_short_moduli =
    has_words && Modulus<Bits>::limb_count > 2 * arith::length_limbs;

template <int Bits>
struct modulus_traits<Modulus<Bits>> {
    static constexpr bool is_modulus = true;
};

} // namespace number

template <class T>
concept ModulusContext = number::modulus_traits<std::remove_cvref_t<T>>::is_modulus;

// What functions take as a modulus: a Modulus, or a number, which must be >= 1.
template <class T>
concept ModulusLike = ModulusContext<T> || AnyNumber<T>;

namespace number {

template <class T>
struct modulus_bits : std::integral_constant<int, bits_of<T>> {};
template <ModulusContext T>
struct modulus_bits<T> : std::integral_constant<int, T::bits> {};
template <ModulusLike T>
inline constexpr int modulus_bits_v = modulus_bits<std::remove_cvref_t<T>>::value;

// The modulus as an unsigned number of a kind, at its own width; a negative one is reported as a
// domain error and becomes 0.
template <class Kind = InThread, class M>
WARPINT_HOST_DEVICE constexpr auto modulus_value(const M &m) {
    if constexpr (ModulusContext<M>) {
        return m.value();
    } else {
        using R = typename Kind::template number_t<BigInt<bits_of<scalar_t<M>>>>;
        const auto &value = in_kind<Kind>(m);
        const bool negative = is_negative(value);
        if (negative)
            report_domain_error("warpint: negative modulus");
        return choose(negative, R(0u), to<R>(value));
    }
}

namespace detail {

// r = (x mod m) 2^shift for limbs x of any length L; 0 for the modulus 0.
template <int L, int Bits>
WARPINT_HOST_DEVICE constexpr void scaled_remainder(std::uint32_t *r, const std::uint32_t *x,
                                                    const Modulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    std::uint32_t normalised[n]{};
    m.normalise(normalised);
    if (normalised[n - 1] == 0) {
        arith::set_zero<n>(r);
        return;
    }
    on_machine_limbs(
        [&m]<class Limb>(Limb *rest, const Limb *dividend, const Limb *modulus,
                         const Limb *reciprocal) WARPINT_INLINE_LAMBDA {
            arith::barrett_scaled_remainder<machine_limbs<L, Limb>, machine_limbs<n, Limb>>(
                rest, dividend, modulus, reciprocal, m.shift());
        },
        output<n>(r), input<L>(x), input<n>(normalised), input<n>(m.reciprocal()));
}

// Out of line, for device code with numbers too wide for registers. All ways through it end in one
// copy: ptxas repeats a bare return, and where some threads of a warp return early it
// overwrites uniform registers that the others still read (tests/compiler/uniform_registers).
template <int L, int Bits>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
scaled_remainder_outlined(std::uint32_t *r, const std::uint32_t *x, const Modulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    std::uint32_t rest[n]{};
    scaled_remainder<L>(rest, x, m);
    arith::copy<n>(r, rest);
}

} // namespace detail

// r = (x mod m) 2^shift, the form of residues of an even modulus, for any x; 0 for the modulus 0.
template <BigNumber X, int Bits>
WARPINT_HOST_DEVICE constexpr void scaled_form(std::uint32_t *r, const X &x,
                                               const Modulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    const BigInt<X::bits> dividend = magnitude(x);
    if constexpr (n <= arith::register_limbs) {
        detail::scaled_remainder<X::limb_count>(r, dividend.limbs, m);
    } else {
        limb::keep_arrays_apart();
        detail::scaled_remainder_outlined<X::limb_count>(r, dividend.limbs, m);
    }
    if constexpr (X::is_signed) {
        if (is_negative(x) && !arith::is_zero<n>(r)) {
            std::uint32_t normalised[n]{};
            m.normalise(normalised);
            limb::sub<n>(r, normalised, r);
        }
    }
}

// x mod m in [0, m) by m's reciprocal, for any x; 0 for the modulus 0 in device code. Costs about
// two products of the modulus' size for each of its widths in x, one less if x < m 2^Bits. Variable
// time.
template <BigNumber X, int Bits>
WARPINT_HOST_DEVICE constexpr BigInt<Bits> remainder(const X &x, const Modulus<Bits> &m) {
    constexpr int n = Modulus<Bits>::limb_count;
    std::uint32_t scaled[n]{};
    scaled_form(scaled, x, m);
    arith::shift_right<n>(scaled, scaled, m.shift());
    BigInt<Bits> r;
    arith::copy<BigInt<Bits>::limb_count>(r.limbs, scaled);
    return r;
}

} // namespace number

} // namespace warpint
