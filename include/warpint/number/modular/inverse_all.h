// SPDX-License-Identifier: Apache-2.0
// The inverses of many numbers or residues modulo one modulus, at three products each and few
// inversions.
#pragma once

#include "../../arith/limbs/gcd/simultaneous_inverse.h"
#include "../../arith/limbs/gcd/small_divisors.h"
#include "residue.h"

#if WARPINT_HOSTED
#include <stdexcept>
#endif

namespace warpint {

namespace number {

// c = m / g, where g is the largest odd common divisor of m and x, which is not 0.
template <int Bits>
WARPINT_HOST_DEVICE constexpr BigInt<Bits> quotient_by_common_factor(const BigInt<Bits> &x,
                                                                     const BigInt<Bits> &m) {
    constexpr int n = BigInt<Bits>::limb_count;
    BigInt<Bits> c{};
    on_machine_limbs(
        []<class Limb>(Limb *r, const Limb *a, const Limb *b) WARPINT_INLINE_LAMBDA {
            arith::quotient_by_common_factor<machine_limbs<n, Limb>>(r, a, b);
        },
        cleared_output<n>(c.limbs), input<n>(x.limbs), input<n>(m.limbs));
    return c;
}

// Rings for arith::inverse_strip: of plain numbers, and of the numbers in residues. Besides what
// that requires, with T = Number, they have
//   form(element)    what is stored of an element in memory, and
//   element(form)    an element of it
//   number_in(form)  the number that the ring computes with; finished() gives a form
//   modulus()        of the numbers
//   is_even(x)       whether x and m are even

// x = m / gcd(x, m) or x = x^-1 modulo the odd part m of a Modulus; returns whether there is an
// inverse. x is not 0 modulo m.
template <int N, int Bits>
WARPINT_HOST_DEVICE constexpr bool inverse_or_annihilator(BigInt<N> &x, const Modulus<Bits> &m) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<N> r{};
    const bool exists = on_machine_limbs(
        []<class Limb>(Limb *z, const Limb *a, const Limb *modulus) WARPINT_INLINE_LAMBDA {
            return arith::inverse_or_annihilator<machine_limbs<n, Limb>>(z, a, modulus);
        },
        cleared_output<n>(r.limbs), input<n>(x.limbs), input<n>(m.odd_part().modulus));
    x = r;
    return exists;
}

// Out of line, as moduli with so many factors 2 are rare.
template <int N, int Bits>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
lift_inverse_outlined(BigInt<N> &x, const BigInt<N> &a, const Modulus<Bits> &m) {
    constexpr int n = BigInt<N>::limb_count;
    BigInt<N> r{};
    on_machine_limbs(
        [&m]<class Limb>(Limb *z, const Limb *inverse, const Limb *y, const Limb *odd)
            WARPINT_INLINE_LAMBDA {
                arith::copy<machine_limbs<n, Limb>>(z, inverse);
                arith::lift_inverse<machine_limbs<n, Limb>>(
                    z, y, odd, m.template limb_inverse<Limb>(), m.zeros());
            },
        cleared_output<n>(r.limbs), input<n>(x.limbs), input<n>(a.limbs),
        input<n>(m.odd_part().modulus));
    x = r;
}

// Plain numbers modulo m: Montgomery products without a Montgomery form, which the algorithm
// allows, modulo the odd part of m; inverses are then lifted to m. Number is as wide as m or as the
// limbs of a Modulus.
template <int Bits, class Number_ = BigInt<Bits>>
struct NumberRing {
    using Number = Number_;
    const Modulus<Bits> &m;

    // R modulo the odd part.
    WARPINT_HOST_DEVICE constexpr Number one() const {
        Number r;
        arith::copy<Number::limb_count>(r.limbs, m.odd_part().one);
        return r;
    }
    // x y / R for x below the odd part and any number y.
    WARPINT_HOST_DEVICE constexpr Number product(const Number &x, const Number &y) const {
        return product(x, y.limbs);
    }
    WARPINT_HOST_DEVICE constexpr bool is_zero(const Number &x) const {
        return !static_cast<bool>(x);
    }
    WARPINT_HOST_DEVICE constexpr bool invert(Number &x) const {
        return inverse_or_annihilator(x, m);
    }
    WARPINT_HOST_DEVICE constexpr Number finished(const Number &x, const Number &y) const {
        if (m.is_odd())
            return x;
        Number r = x;
        if (m.zeros() <= 32 && WARPINT_DEVICE_PASS) {
            arith::detail::lift_inverse_by_limb<Number::limb_count>(
                r.limbs, y.limbs[0], m.odd_part().modulus, m.odd_part().inverse, m.zeros());
        } else {
            lift_inverse_outlined(r, y, m);
        }
        return r;
    }
    WARPINT_HOST_DEVICE constexpr Number zero() const { return Number{}; }
    WARPINT_HOST_DEVICE constexpr bool is_trivial() const {
        std::uint32_t others = m.odd_part().modulus[0] ^ 1u;
        for (int i = 1; i < Modulus<Bits>::limb_count; ++i)
            others |= m.odd_part().modulus[i];
        return others == 0;
    }
    // R x, for odd m: its product by y is x y.
    WARPINT_HOST_DEVICE constexpr Number scaled(const Number &x) const {
        return product(x, m.odd_part().r_squared);
    }

    WARPINT_HOST_DEVICE constexpr const Number &form(const Number &x) const { return x; }
    WARPINT_HOST_DEVICE constexpr const Number &element(const Number &x) const { return x; }
    WARPINT_HOST_DEVICE constexpr const Number &number_in(const Number &x) const { return x; }
    WARPINT_HOST_DEVICE constexpr Number modulus() const { return Number(m.value()); }
    WARPINT_HOST_DEVICE constexpr bool is_even(const Number &x) const {
        return !m.is_odd() && (x.limbs[0] & 1u) == 0;
    }

private:
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Number product(const Number &x,
                                                                const std::uint32_t *y) const {
        constexpr int n = Modulus<Bits>::limb_count;
        constexpr int stored = Number::limb_count;
        Number r;
        on_machine_limbs(
            [this]<class Limb>(Limb *z, const Limb *a, const Limb *b, const Limb *modulus)
                WARPINT_INLINE_LAMBDA {
                    arith::montgomery_multiply<machine_limbs<n, Limb>>(
                        z, a, b, modulus, m.template limb_inverse<Limb>());
                },
            cleared_output<stored, n>(r.limbs), factor<stored, n>(x.limbs), factor<stored, n>(y),
            factor<n>(m.odd_part().modulus));
        return r;
    }
};

// Residues x of a Modulus by the numbers in their forms: x R for odd m, x where the form is x 2^s.
template <int Bits>
struct ResidueNumberRing : NumberRing<Bits, typename Residue<Bits>::Form> {
    using Base = NumberRing<Bits, typename Residue<Bits>::Form>;
    using typename Base::Number;

    WARPINT_HOST_DEVICE constexpr Number form(const Residue<Bits> &x) const { return x.form(); }
    WARPINT_HOST_DEVICE constexpr Residue<Bits> element(const Number &form) const {
        return Residue<Bits>::from_form(form, this->m);
    }
    WARPINT_HOST_DEVICE constexpr Number number_in(const Number &form) const {
        return this->m.is_odd() ? form : form >> this->m.shift();
    }
    // Of the form P R: P^-1 R, which is R^2 times the inverse of the number P R.
    WARPINT_HOST_DEVICE constexpr bool invert(Number &x) const {
        if (!Base::invert(x))
            return false;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < 2 && this->m.is_odd(); ++i)
            x = Base::scaled(x);
        return true;
    }
    WARPINT_HOST_DEVICE constexpr Number finished(const Number &x, const Number &y) const {
        return this->m.is_odd() ? x : Base::finished(x, y) << this->m.shift();
    }
};

// StaticResidues by their forms.
template <class R>
struct StaticResidueRing {
    using Number = typename R::Value;

    WARPINT_HOST_DEVICE constexpr Number one() const { return R(1u).form; }
    WARPINT_HOST_DEVICE constexpr Number product(const Number &x, const Number &y) const {
        return (element(x) * element(y)).form;
    }
    WARPINT_HOST_DEVICE constexpr bool is_zero(const Number &x) const {
        return !static_cast<bool>(x);
    }
    WARPINT_HOST_DEVICE constexpr bool invert(Number &x) const {
        const auto found = element(x).inverted();
        x = found.has_value() ? found->form : quotient_by_common_factor(x, modulus());
        return found.has_value();
    }
    WARPINT_HOST_DEVICE constexpr const Number &finished(const Number &x, const Number &) const {
        return x;
    }
    WARPINT_HOST_DEVICE constexpr Number zero() const { return Number{}; }
    WARPINT_HOST_DEVICE constexpr bool is_trivial() const { return modulus() == 1; }

    WARPINT_HOST_DEVICE constexpr const Number &form(const R &x) const { return x.form; }
    WARPINT_HOST_DEVICE constexpr const Number &number_in(const Number &x) const { return x; }
    WARPINT_HOST_DEVICE constexpr R element(const Number &form) const { return R::from_form(form); }
    WARPINT_HOST_DEVICE constexpr Number modulus() const { return R::modulus(); }
    WARPINT_HOST_DEVICE constexpr bool is_even(const Number &x) const {
        return ((R::modulus().limbs[0] | x.limbs[0]) & 1u) == 0;
    }
};

// The ring of residues like x.
template <int Bits>
WARPINT_HOST_DEVICE constexpr ResidueNumberRing<Bits> ring_of(const Residue<Bits> &x) {
    return {{x.modulus()}};
}
template <class R>
WARPINT_HOST_DEVICE constexpr StaticResidueRing<R> ring_of(const R &) {
    return {};
}

// Divisors of a ring's modulus for arith::inverse_strip: 2 and, where they are known, small odd
// primes that are known from the start: Divisors, or a reference to them.
template <class Ring, class Divisors>
struct RingDivisors {
    const Ring &ring;
    Divisors divisors;

    template <class T>
    WARPINT_HOST_DEVICE constexpr bool divide(const T &x, bool all) const {
        return ring.is_even(x) || divide_odd(0, all ? divisors.count : divisors.frequent, x);
    }
    template <class T>
    WARPINT_HOST_DEVICE constexpr bool divide_rarely(const T &x) const {
        return divide_odd(divisors.frequent, divisors.count, x);
    }
    // By those of groups [first, last).
    template <class T>
    WARPINT_HOST_DEVICE constexpr bool divide_odd(int first, int last, const T &x) const {
        return first != last && divisors.template divide<T::limb_count>(x.limbs, first, last);
    }
    WARPINT_HOST_DEVICE constexpr bool learn() const { return false; }
};
template <class Ring>
using KnownDivisors = RingDivisors<Ring, const arith::HostSmallDivisors &>;

// The modulus of a ring without its factors 2.
template <class Ring>
WARPINT_HOST_DEVICE constexpr auto odd_modulus(const Ring &ring) {
    const auto m = ring.modulus();
    return m >> countr_zero(m);
}

#if WARPINT_HOSTED
// For kernels.
template <class Ring>
arith::HostSmallDivisors small_divisors(const Ring &ring) {
    const auto m = odd_modulus(ring);
    return arith::small_divisors(m.limbs, m.limb_count);
}
#endif

// Divisors that are searched for when a product has no inverse. A host thread remembers those of
// the last modulus.
inline constexpr int learned_groups = WARPINT_DEVICE_PASS ? 4 : 16;
template <class Ring>
class LearnedDivisors : public RingDivisors<Ring, arith::SmallDivisors<learned_groups>> {
public:
    WARPINT_HOST_DEVICE constexpr explicit LearnedDivisors(const Ring &r)
        : RingDivisors<Ring, arith::SmallDivisors<learned_groups>>{r, {}} {
#if !WARPINT_DEVICE_PASS
        if (!__builtin_is_constant_evaluated()) {
            const auto m = odd_modulus(r);
            learned_ = arith::recall_small_divisors(this->divisors, m.limbs, m.limb_count);
        }
#endif
    }
    WARPINT_HOST_DEVICE constexpr bool learn() {
        if (learned_)
            return false;
        learned_ = true;
        find();
        return this->divisors.count != 0;
    }

private:
    WARPINT_HOST_DEVICE constexpr void find() {
        const auto m = odd_modulus(this->ring);
#if !WARPINT_DEVICE_PASS
        if (!__builtin_is_constant_evaluated()) {
            this->divisors = arith::small_divisors(m.limbs, m.limb_count);
            return;
        }
#endif
        this->divisors =
            arith::small_divisors_by_trial<learned_groups, m.limb_count>(m.limbs, trial_bound);
    }

    static constexpr std::uint32_t trial_bound = 1024;

    bool learned_ = false;
};

// Elements in memory as arith::inverse_strip takes them.
template <class Element, class Ring>
struct ArrayRow {
    using T = typename Ring::Number;
    Element *r;
    const Element *a;
    Element *products; // 0 of those that are left out
    bool *exists;
    std::size_t missing;
    const Ring &ring;

    WARPINT_HOST_DEVICE constexpr decltype(auto) load(int i, bool &) const {
        return ring.number_in(ring.form(a[i]));
    }
    WARPINT_HOST_DEVICE constexpr decltype(auto) prefix(int i) const {
        return ring.form(products[i]);
    }
    WARPINT_HOST_DEVICE constexpr void set_prefix(int i, const T &x) {
        products[i] = ring.element(x);
    }
    WARPINT_HOST_DEVICE constexpr void leave_out(int i) { set_prefix(i, ring.zero()); }
    WARPINT_HOST_DEVICE constexpr bool is_left_out(int i) const { return ring.is_zero(prefix(i)); }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool found) {
        r[i] = ring.element(x);
        missing += static_cast<std::size_t>(!found);
        if (exists != nullptr)
            exists[i] = found;
    }
};

// Elements that share one inversion.
inline constexpr std::size_t inverse_row_length = 1024;

// inverse_all in any ring, with room for n elements in `products`, which may be r if r is not a.
template <class T, class Ring>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_rows(T *r, const T *a, std::size_t n, T *products,
                                                       bool *exists, const Ring &ring) {
#if !WARPINT_DEVICE_PASS
    bool overlap = products == a; // all that a constant expression may ask
    if (!std::is_constant_evaluated())
        overlap = products < a + n && a < products + n;
    if (overlap && n != 0) {
        throw std::invalid_argument("warpint: inverse_all onto its own elements: take "
                                    "inverse_all_in_place, with scratch memory");
    }
#endif
    LearnedDivisors<Ring> divisors(ring);
    std::size_t missing = 0;
    for (std::size_t begin = 0; begin < n; begin += inverse_row_length) {
        const std::size_t left = n - begin;
        const int length = static_cast<int>(left < inverse_row_length ? left : inverse_row_length);
        bool *const found = exists == nullptr ? nullptr : exists + begin;
        ArrayRow<T, Ring> row{r + begin, a + begin, products + begin, found, 0, ring};
        arith::inverse_strip(row, length, ring, divisors);
        missing += row.missing;
    }
    return missing;
}
// Of plain numbers.
template <int Bits>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_rows(BigInt<Bits> *r, const BigInt<Bits> *a,
                                                       std::size_t n, BigInt<Bits> *products,
                                                       bool *exists, const Modulus<Bits> &m) {
    if (!static_cast<bool>(m.value())) { // in device code
        for (std::size_t i = 0; i < n; ++i) {
            r[i] = BigInt<Bits>{};
            if (exists != nullptr)
                exists[i] = false;
        }
        return n;
    }
    return inverse_rows(r, a, n, products, exists, NumberRing<Bits>{m});
}
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_rows(R *r, const R *a, std::size_t n, R *products,
                                                       bool *exists) {
    if (n == 0)
        return 0;
#if !WARPINT_DEVICE_PASS
    for (std::size_t i = 1; i < n; ++i)
        R::require_same(a[0], a[i]);
#endif
    return inverse_rows(r, a, n, products, exists, ring_of(a[0]));
}

} // namespace number

// Inverts n residues of one modulus, Residue or StaticResidue, from a to r. An element without an
// inverse gives 0 and does not affect the others. Returns the number of elements without an
// inverse. If `exists` is not null, exists[i] says whether element i has one. Modulo 1 every
// element has the inverse 0.
//
// Costs one inversion for every 1024 elements and three products for each (Montgomery 1987),
// whether or not all have inverses. Elements that share a prime below 2^16 with the modulus (2^10
// in device code) are found by a few word operations; once such an element has occurred, a host
// thread remembers the modulus' small primes. A larger common factor costs one more inversion, and
// two more products for each element in its group of 1024. Runs on one thread, on host and device,
// and allocates nothing: r serves as scratch memory, so r and a must not overlap. Variable time.
// Errors (host): wrong_modulus for residues of different moduli, std::invalid_argument if r and a
// overlap.
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all(R *r, const R *a, std::size_t n,
                                                      bool *exists = nullptr) {
    return number::inverse_rows(r, a, n, r, exists);
}

// The same in place. `scratch` has room for n elements and must not alias x.
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all_in_place(R *x, std::size_t n, R *scratch,
                                                               bool *exists = nullptr) {
    return number::inverse_rows(x, x, n, scratch, exists);
}

// The same for plain numbers, which may be unreduced. Results lie in [0, m). In device code no
// element has an inverse modulo 0.
template <int Bits>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all(BigInt<Bits> *r, const BigInt<Bits> *a,
                                                      std::size_t n, const Modulus<Bits> &m,
                                                      bool *exists = nullptr) {
    return number::inverse_rows(r, a, n, r, exists, m);
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr std::size_t
inverse_all_in_place(BigInt<Bits> *x, std::size_t n, const Modulus<Bits> &m, BigInt<Bits> *scratch,
                     bool *exists = nullptr) {
    return number::inverse_rows(x, x, n, scratch, exists, m);
}

} // namespace warpint
