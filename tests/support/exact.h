// SPDX-License-Identifier: Apache-2.0
// The oracle of all programs that test functions of numbers: numbers and residues over GMP with
// every operator and function of warpint's numbers, so that the expression under test, given these,
// says what it must compute, and of which type. Knows nothing of warpint.
#pragma once

#include "integer.h"
#include "type.h"

#include <concepts>
#include <initializer_list>
#include <string>
#include <utility>

namespace test {

/// What a number of the type keeps of x.
inline Integer kept(const Integer &x, Type type) {
    return type.is_signed ? store_signed(x, type.bits) : store_unsigned(x, type.bits);
}

inline std::string name_of(Type type) {
    return (type.is_signed ? "SignedBigInt<" : "BigInt<") + std::to_string(type.bits) + ">";
}

/// A value that may not exist.
template <class T>
struct Maybe {
    bool exists;
    T value;
    bool has_value() const { return exists; }
    const T &operator*() const { return value; }
};

/// Thrown where an element of a formula has no value.
struct NoValue {};

/// Whose type a number has: that of a single number, where + keeps the wider operand's type; or a
/// formula's, where it grows, so that nothing is lost. In a formula what divides by 0 has no value;
/// of single numbers it is 0, as in device code.
enum class Kind { number, built_in, formula };

/// A number of a type. Its value is not cut to the type by +, - and *: storing it does that.
class Exact {
public:
    Exact() : type_{1, false} {}
    Exact(Integer value, Type type, Kind kind = Kind::number)
        : value_(std::move(value)), type_(type), kind_(kind) {}
    template <std::integral T>
    Exact(T x)
        : value_(x),
          type_(std::is_same_v<T, bool> ? bool_type : Type{8 * sizeof(T), std::is_signed_v<T>}),
          kind_(Kind::built_in) {}
    template <class T>
        requires(requires { T::limb_count; }) // a number of the library
    Exact(const T &x) : type_{T::bits, T::is_signed} {
        value_ = type_.is_signed ? signed_from_limbs(x.limbs, T::limb_count)
                                 : unsigned_from_limbs(x.limbs, T::limb_count);
    }
    template <class T>
        requires(requires { typename T::number_type; }) // a literal
    Exact(const T &x) : Exact(static_cast<typename T::number_type>(x)) {}

    const Integer &value() const { return value_; }
    Type type() const { return type_; }
    int bits() const { return type_.bits; }
    bool is_signed() const { return type_.is_signed; }
    bool is_formula() const { return kind_ == Kind::formula; }
    bool is_built_in() const { return kind_ == Kind::built_in; }
    /// The bits as an unsigned number.
    Integer pattern() const { return store_unsigned(value_, type_.bits); }
    /// Another value of the same type, and what the type keeps of it.
    Exact with(Integer value) const { return {std::move(value), type_, kind_}; }
    Exact keeps(const Integer &value) const { return with(kept(value, type_)); }
    /// A value of another type.
    Exact as(Integer value, Type type) const {
        return {std::move(value), type, is_formula() ? kind_ : Kind::number};
    }

    friend Exact operator+(const Exact &a, const Exact &b);
    friend Exact operator-(const Exact &a, const Exact &b);
    friend Exact operator*(const Exact &a, const Exact &b);
    friend Exact operator/(const Exact &a, const Exact &b);
    friend Exact operator%(const Exact &a, const Exact &b);
    friend Exact operator&(const Exact &a, const Exact &b);
    friend Exact operator|(const Exact &a, const Exact &b);
    friend Exact operator^(const Exact &a, const Exact &b);
    /// Counts of the width and above, and negative ones, leave nothing of a but its sign.
    friend Exact operator<<(const Exact &a, const Exact &k);
    friend Exact operator>>(const Exact &a, const Exact &k);
    Exact operator-() const;
    Exact operator~() const { return keeps(~value_); }
    bool operator!() const { return value_.is_zero(); }
#define TEST_EXACT_ASSIGNMENT(op)                                                                  \
    Exact &operator op## = (const Exact &b) { return *this = keeps((*this op b).value_); }
    TEST_EXACT_ASSIGNMENT(+)
    TEST_EXACT_ASSIGNMENT(-)
    TEST_EXACT_ASSIGNMENT(*)
    TEST_EXACT_ASSIGNMENT(/)
    TEST_EXACT_ASSIGNMENT(%)
    TEST_EXACT_ASSIGNMENT(&)
    TEST_EXACT_ASSIGNMENT(|)
    TEST_EXACT_ASSIGNMENT(^)
    TEST_EXACT_ASSIGNMENT(<<)
    TEST_EXACT_ASSIGNMENT(>>)
#undef TEST_EXACT_ASSIGNMENT
    Exact &operator++() { return *this += 1; }
    Exact &operator--() { return *this -= 1; }
    Exact operator--(int) {
        Exact before = *this;
        --*this;
        return before;
    }

#define TEST_EXACT_ORDER(op)                                                                       \
    friend bool operator op(const Exact &a, const Exact &b) { return a.value_ op b.value_; }
    TEST_EXACT_ORDER(==)
    TEST_EXACT_ORDER(!=)
    TEST_EXACT_ORDER(<)
    TEST_EXACT_ORDER(<=)
    TEST_EXACT_ORDER(>)
    TEST_EXACT_ORDER(>=)
#undef TEST_EXACT_ORDER

private:
    Integer value_;
    Type type_;
    Kind kind_ = Kind::number;
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

Exact sqr(const Exact &a);
Exact mul_low(const Exact &a, const Exact &b);
Exact mul_high(const Exact &a, const Exact &b);
/// a = q b + r; r in [0, b) for an unsigned b.
ExactDivision divmod(const Exact &a, const Exact &b);
ExactCarry add_carry(const Exact &a, const Exact &b, bool carry);
ExactBorrow sub_borrow(const Exact &a, const Exact &b, bool borrow);
ExactOverflow add_overflow(const Exact &a, const Exact &b);
ExactOverflow sub_overflow(const Exact &a, const Exact &b);
ExactOverflow mul_overflow(const Exact &a, const Exact &b);
Exact abs(const Exact &a);
Exact min(const Exact &a, const Exact &b);
Exact max(const Exact &a, const Exact &b);
inline int compare(const Exact &a, const Exact &b) {
    return a < b ? -1 : b < a ? 1 : 0;
}
Exact select(bool condition, const Exact &a, const Exact &b);
Exact isqrt(const Exact &a);
ExactRoot sqrt_rem(const Exact &a);
Exact iroot(const Exact &a, int k);
bool is_square(const Exact &a);
/// a^e modulo 2^bits.
Exact pow(const Exact &a, const Exact &e);

// ---- bits

int popcount(const Exact &a);
int bit_width(const Exact &a);
int countl_zero(const Exact &a);
int countr_zero(const Exact &a);
inline bool has_single_bit(const Exact &a) {
    return popcount(a) == 1;
}
inline bool test_bit(const Exact &a, int i) {
    return a.value().bit(static_cast<std::size_t>(i));
}
Exact set_bit(const Exact &a, int i, bool to = true);
Exact rotl(const Exact &a, int k);
Exact rotr(const Exact &a, int k);
Exact extract_bits(const Exact &a, int position, int count);
/// As an unsigned number of so many bits.
Exact extract_field(const Exact &a, int position, int count);
template <int Count>
Exact extract_bits(const Exact &a, int position) {
    return extract_field(a, position, Count);
}
Exact insert_bits(const Exact &a, const Exact &value, int position, int count);

// ---- modulo m; 0 where m is 0

Exact addmod(const Exact &a, const Exact &b, const Exact &m);
Exact submod(const Exact &a, const Exact &b, const Exact &m);
Exact mulmod(const Exact &a, const Exact &b, const Exact &m);
inline Exact sqrmod(const Exact &a, const Exact &m) {
    return mulmod(a, a, m);
}
Exact muladdmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m);
Exact mulsubmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m);
Exact muladdmod(const Exact &a, const Exact &b, const Exact &c, const Exact &d, const Exact &m);
Exact mulsubmod(const Exact &a, const Exact &b, const Exact &c, const Exact &d, const Exact &m);
Exact pow(const Exact &a, const Exact &e, const Exact &m);
template <std::uint64_t e>
Exact pow(const Exact &a, const Exact &m) {
    return pow(a, Exact(e), m);
}
/// Modulo 1 everything is its own inverse.
Maybe<Exact> inverse(const Exact &a, const Exact &m);

// ---- number theory

Exact gcd(const Exact &a, const Exact &b);
Exact lcm(const Exact &a, const Exact &b);
ExactBezout gcd_ext(const Exact &a, const Exact &b);
int jacobi(const Exact &a, const Exact &n);
bool is_prime(const Integer &n);
bool is_safe_prime(const Integer &n);
Integer next_prime(const Integer &n);
inline bool is_probable_prime(const Exact &n) {
    return is_prime(n.value());
}
inline bool is_safe_prime(const Exact &n) {
    return is_safe_prime(n.value());
}
/// 0 where the next prime is too wide.
Exact next_prime(const Exact &n);
Exact next_safe_prime(const Exact &n);
/// The smaller root modulo a prime p.
Maybe<Exact> sqrt_mod(const Exact &a, const Exact &p);
/// x < m n with x = a modulo m and x = b modulo n.
Maybe<Exact> crt(const Exact &a, const Exact &m, const Exact &b, const Exact &n);
Maybe<Exact> crt(std::initializer_list<Exact> residues, std::initializer_list<Exact> moduli);

// ---- residues

/// A residue modulo m, of m's type.
class ExactResidue {
public:
    ExactResidue(const Integer &x, const Exact &m)
        : value_(m.value().is_zero() ? Integer(0) : modulo(x, m.value())), m_(m) {}

    Exact value() const { return m_.with(value_); }
    const Exact &modulus() const { return m_; }
    ExactResidue like(const Integer &x) const { return {x, m_}; }
    ExactResidue operator-() const { return like(-value_); }
    ExactResidue &operator++() { return *this = like(value_ + 1); }
    ExactResidue operator--(int) {
        ExactResidue before = *this;
        *this = like(value_ - 1);
        return before;
    }

#define TEST_EXACT_OPERATOR(op)                                                                    \
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
    TEST_EXACT_OPERATOR(+)
    TEST_EXACT_OPERATOR(-)
    TEST_EXACT_OPERATOR(*)
#undef TEST_EXACT_OPERATOR
    /// 0 where y has no inverse, as in device code.
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
        const Maybe<Exact> found = inverse(value(), m_);
        return {found.exists, like(found.value.value())};
    }

private:
    Integer value_;
    Exact m_;
};

inline ExactResidue sqr(const ExactResidue &x) {
    return x * x;
}
inline ExactResidue pow(const ExactResidue &x, const Exact &e) {
    return x.like(pow(x.value(), e, x.modulus()).value());
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

} // namespace test
