// SPDX-License-Identifier: Apache-2.0
// Residues over lanes: numbers modulo one modulus, with the operators of numbers. Variable time.
#pragma once

#include "gcd.h"

namespace warpint {

template <int Bits, int Lanes, Together together = Together::number>
class WarpResidue;

// A modulus in [1, 2^Bits), odd or even, over the lanes of its numbers. Make it in the kernel that
// uses it. Residues refer to it, so it must outlive them and stay where it is. It takes the numbers
// that a Modulus takes, in a thread or over these lanes; its errors are std::domain_error on a
// host, and in device code every result is 0.
//
//   const WarpModulus<2048, 4> m(z);      // z a WarpInt<2048, 4>
//   auto x = m(a);
//   auto y = x * x + 3;
//   y.value().store(r + i);
template <int Bits, int Lanes, Together together = Together::number>
class WarpModulus {
public:
    using Number = WarpInt<Bits, Lanes, together>;
    static constexpr int bits = Bits;

    WARPINT_HOST_DEVICE explicit WarpModulus(const Number &value) : value_{value} {
        const typename Number::group g;
        const bool exists = static_cast<bool>(value);
        if (!exists)
            number::report_domain_error("warpint: modulus 0");
        value_ = warp_int::select(exists, value, Number(1));
        exists_ = exists;
        odd_ = value_;
        is_odd_ = lanes::bit_at<Number::limbs_per_lane>(g, value_.words, 0);
        odd_.words[0] |= Number::group::to_word(g.first()); // for even ones: not looked at
        inverse_ = lanes::montgomery_inverse(g, odd_.words);
        lanes::montgomery_r_squared<Number::limbs_per_lane>(g, r_squared_.words, odd_.words,
                                                            inverse_);
    }
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE explicit WarpModulus(T value)
        : WarpModulus(Number(number::modulus_of<Bits>(value))) {}
    // Neither narrowed nor negative without a word; this is here for its message.
    template <number::HeldBig T>
        requires number::NoModulusOf<number::scalar_t<T>, Bits>
    explicit WarpModulus(const T &)
        WARPINT_REFUSED("a modulus is an unsigned number of at most Bits bits: convert it first");
    // The residue of any number.
    template <number::Held T>
    [[nodiscard]] WARPINT_HOST_DEVICE WarpResidue<Bits, Lanes, together>
    operator()(const T &x) const & {
        const Number plain = warp_int::as_number<T, Number>(x) % value_;
        return {product(plain, r_squared_, plain), this};
    }
    template <number::Held T>
    void operator()(const T &x) const && = delete;

    [[nodiscard]] WARPINT_HOST_DEVICE const Number &value() const { return value_; }
    [[nodiscard]] WARPINT_HOST_DEVICE bool is_odd() const { return is_odd_; }

private:
    friend class WarpResidue<Bits, Lanes, together>;

    // Odd m: a b / R mod m for a and b below m (or b = R^2 mod m plus a multiple of m); even m:
    // even().
    template <class Even>
    WARPINT_HOST_DEVICE Number by_parity(const Number &a, const Number &b, const Even &even) const {
        constexpr int K = Number::limbs_per_lane;
        const typename Number::group g;
        Number r(0);
        if (g.vote(is_odd_)) {
            lanes::montgomery_multiply_outlined<K>(g, r.words, a.words, b.words, odd_.words,
                                                   inverse_);
            while (true) {
                const bool reduced = lanes::less<K>(g, r.words, odd_.words);
                if (!g.vote(is_odd_ && !reduced))
                    break;
                Number less = r;
                lanes::subtract_if<K>(g, less.words, false, odd_.words);
                r = warp_int::select(is_odd_, less, r);
            }
        }
        const bool some_even = g.vote(!is_odd_);
        if (some_even) {
            const Number other = even();
            r = warp_int::select(is_odd_, r, other);
        }
        return warp_int::select(exists_, r, Number(0));
    }
    WARPINT_HOST_DEVICE Number product(const Number &a, const Number &b,
                                       const Number &if_even) const {
        return by_parity(a, b, [&] { return if_even; });
    }
    WARPINT_HOST_DEVICE Number product(const Number &a, const Number &b) const {
        return by_parity(a, b, [&] { return mulmod(a, b, value_); });
    }

    Number value_;
    Number odd_;
    Number r_squared_;
    std::uint32_t inverse_;
    bool is_odd_;
    bool exists_;
};

// A number modulo m, made by m(x) from a WarpModulus m.
template <int Bits, int Lanes, Together together>
class WarpResidue {
public:
    using Number = WarpInt<Bits, Lanes, together>;
    using Modulus = WarpModulus<Bits, Lanes, together>;

    WARPINT_HOST_DEVICE WarpResidue(const Number &form, const Modulus *m)
        : form_{form}, modulus_{m} {}

    // The number in [0, m).
    [[nodiscard]] WARPINT_HOST_DEVICE Number value() const {
        return modulus_->product(form_, Number(1), form_);
    }

    // The modulus that the residue refers to.
    [[nodiscard]] WARPINT_HOST_DEVICE const Modulus &modulus() const { return *modulus_; }

    // Exchanges two residues, which may have different moduli.
    friend WARPINT_HOST_DEVICE void swap(WarpResidue &a, WarpResidue &b) noexcept {
        const WarpResidue before = a;
        a = b;
        b = before;
    }
    friend WARPINT_HOST_DEVICE WarpResidue operator+(const WarpResidue &a, const WarpResidue &b) {
        constexpr int K = Number::limbs_per_lane;
        const typename Number::group g;
        Number sum;
        const bool carry = lanes::add<K>(g, sum.words, a.form_.words, b.form_.words);
        lanes::subtract_if<K>(g, sum.words, carry, a.modulus_->value().words);
        return {sum, a.modulus_};
    }
    friend WARPINT_HOST_DEVICE WarpResidue operator-(const WarpResidue &a, const WarpResidue &b) {
        return a + -b;
    }
    friend WARPINT_HOST_DEVICE WarpResidue operator-(const WarpResidue &a) {
        const bool zero = !static_cast<bool>(a.form_);
        return {warp_int::select(zero, a.form_, a.modulus_->value() - a.form_), a.modulus_};
    }
    friend WARPINT_HOST_DEVICE WarpResidue operator*(const WarpResidue &a, const WarpResidue &b) {
        return {a.times(b.form_), a.modulus_};
    }
    friend WARPINT_HOST_DEVICE bool operator==(const WarpResidue &a, const WarpResidue &b) {
        return a.form_ == b.form_;
    }
    // With a plain number, which is reduced modulo m.
#define WARPINT_RESIDUE_OPERATOR(op)                                                               \
    template <number::Held T>                                                                      \
    friend WARPINT_HOST_DEVICE WarpResidue operator op(const WarpResidue &a, const T &b) {         \
        return a op(*a.modulus_)(b);                                                               \
    }                                                                                              \
    template <number::Held T>                                                                      \
    friend WARPINT_HOST_DEVICE WarpResidue operator op(const T &a, const WarpResidue &b) {         \
        return (*b.modulus_)(a)op b;                                                               \
    }                                                                                              \
    template <class T>                                                                             \
        requires(number::Held<T> || std::is_same_v<T, WarpResidue>)                                \
    WARPINT_HOST_DEVICE WarpResidue &operator op## = (const T &b) {                                \
        return *this = *this op b;                                                                 \
    }
    WARPINT_RESIDUE_OPERATOR(+)
    WARPINT_RESIDUE_OPERATOR(-)
    WARPINT_RESIDUE_OPERATOR(*)
#undef WARPINT_RESIDUE_OPERATOR

    // condition ? a : b, the condition the same in all lanes of the number; no branch.
    friend WARPINT_HOST_DEVICE WarpResidue select(bool condition, const WarpResidue &a,
                                                  const WarpResidue &b) {
        return {warp_int::select(condition, a.form_, b.form_), a.modulus_};
    }
    friend WARPINT_HOST_DEVICE WarpResidue sqr(const WarpResidue &a) { return a * a; }
    // The inverse as a number in [0, m), or nothing if there is none.
    friend WARPINT_HOST_DEVICE Optional<Number> inverse(const WarpResidue &a) {
        return warpint::inverse(a.value(), a.modulus_->value());
    }
    template <number::Held E>
    friend WARPINT_HOST_DEVICE WarpResidue pow(const WarpResidue &a, const E &e) {
        return (*a.modulus_)(warpint::pow(a.value(), e, a.modulus_->value()));
    }

private:
    WARPINT_HOST_DEVICE Number times(const Number &form) const {
        return modulus_->product(form_, form);
    }

    Number form_; // below m
    const Modulus *modulus_;
};

} // namespace warpint
