// SPDX-License-Identifier: Apache-2.0
// The operands of the grid's oracle: numbers and residues over GMP with every operator and function
// of warpint's numbers, so that the expression of a case, given these, says what the case must
// compute. The type of a number, its width and sign, is kept beside its value, for what depends on
// it.
#pragma once

#include "cases.h"

#include "../batch/random_bits.h"
#include "../batch/subject.h"

#include <warpint/bigint.h>

#include <algorithm>
#include <array>
#include <utility>

namespace grid {

using batch_test::kept;
using batch_test::Type;
using batch_test::type_of;
using test::Integer;

/// A value that may not exist.
template <class T>
struct Maybe {
    bool exists;
    T value;
    bool has_value() const { return exists; }
    const T &operator*() const { return value; }
};

/// A number of a type.
class Exact {
public:
    Exact() : value_(0), type_{1, false} {}
    Exact(Integer value, Type type) : value_(std::move(value)), type_(type) {}
    template <class T>
        requires(std::is_integral_v<T>)
    Exact(T x) : value_(x), type_(type_of<T>) {}
    template <class T>
        requires(requires { typename T::number_type; }) // a literal
    Exact(T x) : type_(type_of<typename T::number_type>) {
        const typename T::number_type number = x;
        value_ = type_.is_signed ? test::signed_from_limbs(number.limbs, number.limb_count)
                                 : test::unsigned_from_limbs(number.limbs, number.limb_count);
    }

    const Integer &value() const { return value_; }
    Type type() const { return type_; }
    int bits() const { return type_.bits; }
    /// The bits as an unsigned number.
    Integer pattern() const { return test::store_unsigned(value_, type_.bits); }
    Exact with(Integer value) const { return {std::move(value), type_}; }
    /// What the number's own type keeps of a value.
    Exact keeps(const Integer &value) const { return with(kept(value, type_)); }

    // Sums and differences are not cut to their type: storing them does that.
#define GRID_EXACT_OPERATOR(op)                                                                    \
    friend Exact operator op(const Exact &a, const Exact &b) {                                     \
        return {a.value_ op b.value_, wider(a, b)};                                                \
    }
    GRID_EXACT_OPERATOR(+)
    GRID_EXACT_OPERATOR(-)
    GRID_EXACT_OPERATOR(&)
    GRID_EXACT_OPERATOR(|)
    GRID_EXACT_OPERATOR(^)
#undef GRID_EXACT_OPERATOR
    friend Exact operator*(const Exact &a, const Exact &b) {
        return {a.value_ * b.value_, product(a, b)};
    }
    friend Exact operator/(const Exact &a, const Exact &b) { return a.with(a.value_ / b.value_); }
    friend Exact operator%(const Exact &a, const Exact &b) {
        return b.with(b.type_.is_signed ? a.value_ % b.value_ : test::modulo(a.value_, b.value_));
    }
    Exact operator-() const { return with(-value_); }
    bool operator!() const { return value_.is_zero(); }
    Exact operator~() const { return keeps(~value_); }
    Exact operator<<(int k) const { return keeps(value_ << static_cast<std::size_t>(k)); }
    Exact operator>>(int k) const { return with(value_ >> static_cast<std::size_t>(k)); }
    Exact &operator++() { return *this += 1; }
    Exact &operator--() { return *this -= 1; }
#define GRID_EXACT_ASSIGNMENT(op)                                                                  \
    Exact &operator op## = (const Exact &b) { return *this = keeps((*this op b).value_); }
    GRID_EXACT_ASSIGNMENT(+)
    GRID_EXACT_ASSIGNMENT(-)
    GRID_EXACT_ASSIGNMENT(*)
    GRID_EXACT_ASSIGNMENT(/)
    GRID_EXACT_ASSIGNMENT(%)
    GRID_EXACT_ASSIGNMENT(&)
    GRID_EXACT_ASSIGNMENT(|)
    GRID_EXACT_ASSIGNMENT(^)
#undef GRID_EXACT_ASSIGNMENT
    Exact &operator<<=(int k) { return *this = *this << k; }
    Exact &operator>>=(int k) { return *this = *this >> k; }

#define GRID_EXACT_ORDER(op)                                                                       \
    friend bool operator op(const Exact &a, const Exact &b) { return a.value_ op b.value_; }
    GRID_EXACT_ORDER(==)
    GRID_EXACT_ORDER(!=)
    GRID_EXACT_ORDER(<)
    GRID_EXACT_ORDER(<=)
    GRID_EXACT_ORDER(>)
    GRID_EXACT_ORDER(>=)
#undef GRID_EXACT_ORDER

    /// The type of a + b: the wider operand decides; at equal width unsigned wins.
    static Type wider(const Exact &a, const Exact &b) {
        if (a.bits() != b.bits())
            return a.bits() > b.bits() ? a.type_ : b.type_;
        return {a.bits(), a.type_.is_signed && b.type_.is_signed};
    }
    static Type product(const Exact &a, const Exact &b) {
        return {a.bits() + b.bits(), a.type_.is_signed || b.type_.is_signed};
    }
    /// The narrowest type that holds the values of both.
    static Type common(const Exact &a, const Exact &b) {
        const Type s = a.type_, t = b.type_;
        if (!s.is_signed && !t.is_signed)
            return {std::max(s.bits, t.bits), false};
        return {std::max(s.bits + !s.is_signed, t.bits + !t.is_signed), true};
    }

private:
    Integer value_;
    Type type_;
};

// ---- arithmetic

struct ExactDivision {
    Exact quotient, remainder;
};
struct ExactRoot {
    Exact root, remainder;
};
struct ExactCarry {
    Exact value;
    bool carry;
};
struct ExactBorrow {
    Exact value;
    bool borrow;
};
struct ExactOverflow {
    Exact value;
    bool overflow;
};
struct ExactBezout {
    Exact gcd, x, y;
};

inline Exact sqr(const Exact &a) {
    return {a.value() * a.value(), {2 * a.bits(), false}};
}
inline Exact mul_low(const Exact &a, const Exact &b) {
    const Type type = Exact::wider(a, b);
    return {kept(a.value() * b.value(), type), type};
}
inline Exact mul_high(const Exact &a, const Exact &b) {
    return a.with((a.value() * b.value()) >> static_cast<std::size_t>(b.bits()));
}
/// a = q b + r; r in [0, b) for an unsigned b.
inline ExactDivision divmod(const Exact &a, const Exact &b) {
    const Exact rest = a % b;
    return {a.with((a.value() - rest.value()) / b.value()), rest};
}
inline ExactCarry add_carry(const Exact &a, const Exact &b, bool carry) {
    const Type type = Exact::wider(a, b);
    const Integer sum = test::store_unsigned(a.value(), type.bits) +
                        test::store_unsigned(b.value(), type.bits) + (carry ? 1 : 0);
    return {{sum, type}, sum.bit_width() > type.bits};
}
inline ExactBorrow sub_borrow(const Exact &a, const Exact &b, bool borrow) {
    const Type type = Exact::wider(a, b);
    const Integer rest = test::store_unsigned(a.value(), type.bits) -
                         test::store_unsigned(b.value(), type.bits) - (borrow ? 1 : 0);
    return {{rest, type}, rest.sign() < 0};
}
inline ExactOverflow overflow_of(const Integer &exact, Type type) {
    return {{exact, type}, kept(exact, type) != exact};
}
inline ExactOverflow add_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() + b.value(), Exact::wider(a, b));
}
inline ExactOverflow sub_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() - b.value(), Exact::wider(a, b));
}
inline ExactOverflow mul_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() * b.value(), Exact::wider(a, b));
}
inline Exact abs(const Exact &a) {
    return {a.value().sign() < 0 ? -a.value() : a.value(), {a.bits(), false}};
}
inline Exact min(const Exact &a, const Exact &b) {
    return {a < b ? a.value() : b.value(), Exact::common(a, b)};
}
inline Exact max(const Exact &a, const Exact &b) {
    return {a < b ? b.value() : a.value(), Exact::common(a, b)};
}
inline int compare(const Exact &a, const Exact &b) {
    return a < b ? -1 : b < a ? 1 : 0;
}
inline Exact select(bool condition, const Exact &a, const Exact &b) {
    return {condition ? a.value() : b.value(), Exact::common(a, b)};
}
inline ExactRoot sqrt_rem(const Exact &a) {
    Integer root, rest;
    mpz_sqrtrem(root.raw(), rest.raw(), a.value().raw());
    return {a.with(root), a.with(rest)};
}
inline Exact isqrt(const Exact &a) {
    return sqrt_rem(a).root;
}
inline Exact iroot(const Exact &a, int k) {
    Integer root;
    mpz_root(root.raw(), a.value().raw(), static_cast<unsigned long>(k));
    return a.with(root);
}
inline bool is_square(const Exact &a) {
    return mpz_perfect_square_p(a.value().raw()) != 0;
}
inline Exact pow(const Exact &a, const Exact &e) {
    return a.keeps(test::power_modulo(a.value(), e.value(), test::power_of_two(a.bits())));
}

// ---- bits

inline int bit_width(const Exact &a) {
    return a.pattern().bit_width();
}
inline int countl_zero(const Exact &a) {
    return a.bits() - bit_width(a);
}
inline int countr_zero(const Exact &a) {
    return a.value().is_zero() ? a.bits() : a.value().trailing_zeros();
}
inline int popcount(const Exact &a) {
    return a.pattern().popcount();
}
inline bool has_single_bit(const Exact &a) {
    return popcount(a) == 1;
}
inline bool test_bit(const Exact &a, int i) {
    return a.value().bit(static_cast<std::size_t>(i));
}
inline Exact set_bit(const Exact &a, int i, bool to = true) {
    if (i >= a.bits())
        return a;
    const Integer mask = test::power_of_two(i);
    return a.keeps(to ? a.value() | mask : a.value() & ~mask);
}
inline Exact rotl(const Exact &a, int k) {
    const auto turn = static_cast<std::size_t>(k % a.bits());
    const auto rest = static_cast<std::size_t>(a.bits()) - turn;
    return a.keeps((a.pattern() << turn) | (a.pattern() >> rest));
}
inline Exact rotr(const Exact &a, int k) {
    return rotl(a, a.bits() - k % a.bits());
}
inline Exact extract_bits(const Exact &a, int position, int count) {
    const Integer down = a.value() >> static_cast<std::size_t>(position);
    return a.with(count == 0          ? Integer(0)
                  : count >= a.bits() ? down
                                      : test::store_unsigned(down, count));
}
template <int Count>
Exact extract_bits(const Exact &a, int position) {
    return {test::store_unsigned(a.value() >> static_cast<std::size_t>(position), Count),
            {Count, false}};
}
inline Exact insert_bits(const Exact &a, const Exact &value, int position, int count) {
    const Integer field = test::all_ones(count) << static_cast<std::size_t>(position);
    return a.keeps((a.value() & ~field) |
                   ((value.value() << static_cast<std::size_t>(position)) & field));
}

// ---- modulo m

inline Exact addmod(const Exact &a, const Exact &b, const Exact &m) {
    return m.with(test::modulo(a.value() + b.value(), m.value()));
}
inline Exact submod(const Exact &a, const Exact &b, const Exact &m) {
    return m.with(test::modulo(a.value() - b.value(), m.value()));
}
inline Exact mulmod(const Exact &a, const Exact &b, const Exact &m) {
    return m.with(test::modulo(a.value() * b.value(), m.value()));
}
inline Exact sqrmod(const Exact &a, const Exact &m) {
    return mulmod(a, a, m);
}
inline Exact muladdmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m) {
    return m.with(test::modulo(a.value() * b.value() + c.value(), m.value()));
}
inline Exact mulsubmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m) {
    return m.with(test::modulo(a.value() * b.value() - c.value(), m.value()));
}
inline Exact pow(const Exact &a, const Exact &e, const Exact &m) {
    return m.with(test::power_modulo(a.value(), e.value(), m.value()));
}
template <std::uint64_t e>
Exact pow(const Exact &a, const Exact &m) {
    return pow(a, Exact(e), m);
}
inline Maybe<Exact> inverse(const Exact &a, const Exact &m) {
    Integer result(0);
    const bool exists =
        m.value() == 1 || mpz_invert(result.raw(), a.value().raw(), m.value().raw()) != 0;
    return {exists, m.with(exists ? test::modulo(result, m.value()) : Integer(0))};
}
inline Exact mod_ct(const Exact &a, const Exact &m) {
    return m.with(test::modulo(a.value(), m.value()));
}
inline Exact mulmod_ct(const Exact &a, const Exact &b, const Exact &m) {
    return mulmod(a, b, m);
}
inline Exact pow_ct(const Exact &a, const Exact &e, const Exact &m) {
    return pow(a, e, m);
}
inline Maybe<Exact> inverse_ct(const Exact &a, const Exact &m) {
    return inverse(a, m);
}

// ---- number theory

inline Exact gcd(const Exact &a, const Exact &b) {
    return {test::greatest_common_divisor(a.value(), b.value()),
            {std::max(a.bits(), b.bits()), false}};
}
inline Exact lcm(const Exact &a, const Exact &b) {
    Integer result;
    mpz_lcm(result.raw(), a.value().raw(), b.value().raw());
    return {result, {a.bits() + b.bits(), false}};
}
inline ExactBezout gcd_ext(const Exact &a, const Exact &b) {
    Integer g, x, y;
    mpz_gcdext(g.raw(), x.raw(), y.raw(), a.value().raw(), b.value().raw());
    return {{g, {std::max(a.bits(), b.bits()), false}},
            {x, {b.bits() + 1, true}},
            {y, {a.bits() + 1, true}}};
}
inline int jacobi(const Exact &a, const Exact &n) {
    return mpz_jacobi(a.value().raw(), n.value().raw());
}
inline bool is_prime(const Integer &n) {
    return n.sign() > 0 && mpz_probab_prime_p(n.raw(), 30) != 0;
}
inline bool is_probable_prime(const Exact &n) {
    return is_prime(n.value());
}
inline Exact next_prime(const Exact &n) {
    Integer result;
    mpz_nextprime(result.raw(), n.value().raw());
    return n.with(result);
}
/// The smaller root modulo a prime p.
Maybe<Exact> sqrt_mod(const Exact &a, const Exact &p);
/// x < m n with x = a modulo m and x = b modulo n.
Maybe<Exact> crt(const Exact &a, const Exact &m, const Exact &b, const Exact &n);

// ---- what cases.h has for the numbers of the library

inline Exact random_of(const Exact &a, int k) {
    warpint::Philox generator(test::store_unsigned(a.value(), 64).to_uint64(),
                              static_cast<std::uint64_t>(k));
    return a.with(batch_test::random_bits(generator, a.bits()));
}
inline Exact fixed_power(const Exact &a, const Exact &e, const Exact &m) {
    return pow(a, e, m);
}
inline Maybe<Exact> inverse_among(const Exact &, const Exact &b, const Exact &m) {
    return inverse(b, m);
}
template <class T>
Exact as(const Exact &a) {
    return {kept(a.value(), type_of<T>), type_of<T>};
}
template <class Function>
auto map(const Function &function, const Exact &a, const Exact &b) {
    return function(a, b);
}
template <class Function>
auto let(const Exact &a, const Function &function) {
    return function(a);
}

// ---- residues

/// A residue modulo m, which must outlive it.
class ExactResidue {
public:
    ExactResidue(const Integer &x, const Integer &m) : value_(test::modulo(x, m)), m_(&m) {}

    const Integer &value() const { return value_; }
    const Integer &modulus() const { return *m_; }
    ExactResidue like(const Integer &x) const { return {x, *m_}; }
    ExactResidue operator-() const { return like(-value_); }

#define GRID_EXACT_OPERATOR(op)                                                                    \
    friend ExactResidue operator op(const ExactResidue &x, const ExactResidue &y) {                \
        return x.like(x.value_ op y.value_);                                                       \
    }                                                                                              \
    friend ExactResidue operator op(const ExactResidue &x, const Exact &y) {                       \
        return x.like(x.value_ op y.value());                                                      \
    }                                                                                              \
    friend ExactResidue operator op(const Exact &x, const ExactResidue &y) {                       \
        return y.like(x.value() op y.value_);                                                      \
    }                                                                                              \
    ExactResidue &operator op## = (const ExactResidue &y) { return *this = *this op y; }           \
    ExactResidue &operator op## = (const Exact &y) { return *this = *this op y; }
    GRID_EXACT_OPERATOR(+)
    GRID_EXACT_OPERATOR(-)
    GRID_EXACT_OPERATOR(*)
#undef GRID_EXACT_OPERATOR
    /// y has an inverse.
    friend ExactResidue operator/(const ExactResidue &x, const ExactResidue &y) {
        return x * y.inverted().value;
    }
    friend ExactResidue operator/(const ExactResidue &x, const Exact &y) {
        return x / x.like(y.value());
    }
    friend ExactResidue operator/(const Exact &x, const ExactResidue &y) {
        return y.like(x.value()) / y;
    }
    friend bool operator==(const ExactResidue &x, const ExactResidue &y) {
        return x.value_ == y.value_;
    }
    friend bool operator==(const ExactResidue &x, const Exact &y) { return x == x.like(y.value()); }
    friend bool operator!=(const ExactResidue &x, const ExactResidue &y) { return !(x == y); }

    Maybe<ExactResidue> inverted() const {
        const Type type{m_->bit_width(), false};
        const Maybe<Exact> found = inverse(Exact(value_, type), Exact(*m_, type));
        return {found.exists, like(found.value.value())};
    }

private:
    Integer value_;
    const Integer *m_;
};

inline ExactResidue sqr(const ExactResidue &x) {
    return x * x;
}
inline ExactResidue pow(const ExactResidue &x, const Exact &e) {
    return x.like(test::power_modulo(x.value(), e.value(), x.modulus()));
}
template <std::uint64_t e>
ExactResidue pow(const ExactResidue &x) {
    return pow(x, Exact(e));
}
inline Maybe<ExactResidue> inverse(const ExactResidue &x) {
    return x.inverted();
}
inline ExactResidue select(bool condition, const ExactResidue &x, const ExactResidue &y) {
    return condition ? x : y;
}

} // namespace grid
