// SPDX-License-Identifier: Apache-2.0
#include "exact.h"

#include <algorithm>

namespace test {

namespace {

bool in_formula(const Exact &a, const Exact &b) {
    return a.is_formula() || b.is_formula();
}
/// The type of a + b of single numbers: the wider operand decides; at equal width unsigned wins. A
/// built-in operand takes the other's type.
Type wider(const Exact &a, const Exact &b) {
    if (a.is_built_in() != b.is_built_in())
        return a.is_built_in() ? b.type() : a.type();
    if (a.bits() != b.bits())
        return a.bits() > b.bits() ? a.type() : b.type();
    return {a.bits(), a.is_signed() && b.is_signed()};
}
/// A number made of a and b.
Exact made(const Exact &a, const Exact &b, Integer value, Type type) {
    return {std::move(value), type, in_formula(a, b) ? Kind::formula : Kind::number};
}
/// x mod m in [0, m).
Integer reduced(const Integer &x, const Exact &m) {
    if (m.value().sign() > 0)
        return modulo(x, m.value());
    if (m.is_formula())
        throw NoValue();
    return 0;
}
/// The type of what is reduced modulo m.
Exact below(const Exact &m, Integer value) {
    return m.as(std::move(value), {m.bits(), false});
}

} // namespace

// The type of `a op b`: in a formula, or of single numbers.
#define TEST_TYPE(op, of_numbers)                                                                  \
    (in_formula(a, b) ? (FormulaType{a.type_} op FormulaType{b.type_}).type : (of_numbers))

Exact operator+(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ + b.value_, TEST_TYPE(+, wider(a, b)));
}
Exact operator-(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ - b.value_, TEST_TYPE(-, wider(a, b)));
}
Exact operator*(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ * b.value_, (FormulaType{a.type_} * FormulaType{b.type_}).type);
}
Exact operator/(const Exact &a, const Exact &b) {
    if (b.value_.is_zero() && in_formula(a, b))
        throw NoValue();
    return made(a, b, b.value_.is_zero() ? Integer(0) : a.value_ / b.value_, TEST_TYPE(/, a.type_));
}
Exact operator%(const Exact &a, const Exact &b) {
    if (b.value_.is_zero() && in_formula(a, b))
        throw NoValue();
    return made(a, b,
                b.value_.is_zero() ? Integer(0)
                : b.is_signed()    ? a.value_ % b.value_
                                   : modulo(a.value_, b.value_),
                b.type_);
}
Exact operator&(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ & b.value_, TEST_TYPE(&, wider(a, b)));
}
Exact operator|(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ | b.value_, TEST_TYPE(|, wider(a, b)));
}
Exact operator^(const Exact &a, const Exact &b) {
    return made(a, b, a.value_ ^ b.value_, TEST_TYPE(^, wider(a, b)));
}
#undef TEST_TYPE
Exact operator<<(const Exact &a, const Exact &k) {
    const bool shifts_all = k.value_.sign() < 0 || k.value_ >= Integer(a.bits());
    return shifts_all ? a.with(0) : a.keeps(a.value_ << k.value_.to_uint64());
}
Exact operator>>(const Exact &a, const Exact &k) {
    const bool shifts_all = k.value_.sign() < 0 || k.value_ >= Integer(a.bits());
    return a.with(shifts_all ? Integer(a.value_.sign() < 0 ? -1 : 0)
                             : a.value_ >> k.value_.to_uint64());
}
Exact Exact::operator-() const {
    return is_formula() ? as(-value_, (-FormulaType{type_}).type) : with(-value_);
}

// ---- arithmetic

Exact sqr(const Exact &a) {
    return a.as(a.value() * a.value(), {2 * a.bits(), false});
}
Exact mul_low(const Exact &a, const Exact &b) {
    const Type type = wider(a, b);
    return {kept(a.value() * b.value(), type), type};
}
Exact mul_high(const Exact &a, const Exact &b) {
    return a.with((a.value() * b.value()) >> static_cast<std::size_t>(b.bits()));
}
ExactDivision divmod(const Exact &a, const Exact &b) {
    const Exact rest = a % b;
    return {b.value().is_zero() ? a.with(0) : a.with((a.value() - rest.value()) / b.value()), rest};
}
ExactCarry add_carry(const Exact &a, const Exact &b, bool carry) {
    const Type type = wider(a, b);
    const Integer sum = store_unsigned(a.value(), type.bits) +
                        store_unsigned(b.value(), type.bits) + (carry ? 1 : 0);
    return {{sum, type}, sum.bit_width() > type.bits};
}
ExactBorrow sub_borrow(const Exact &a, const Exact &b, bool borrow) {
    const Type type = wider(a, b);
    const Integer rest = store_unsigned(a.value(), type.bits) -
                         store_unsigned(b.value(), type.bits) - (borrow ? 1 : 0);
    return {{rest, type}, rest.sign() < 0};
}

namespace {
ExactOverflow overflow_of(const Integer &exact, Type type) {
    return {{exact, type}, kept(exact, type) != exact};
}
} // namespace

ExactOverflow add_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() + b.value(), wider(a, b));
}
ExactOverflow sub_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() - b.value(), wider(a, b));
}
ExactOverflow mul_overflow(const Exact &a, const Exact &b) {
    return overflow_of(a.value() * b.value(), wider(a, b));
}
Exact abs(const Exact &a) {
    return a.as(abs(a.value()), {a.bits(), false});
}
Exact min(const Exact &a, const Exact &b) {
    return made(a, b, a < b ? a.value() : b.value(), common_type(a.type(), b.type()));
}
Exact max(const Exact &a, const Exact &b) {
    return made(a, b, a < b ? b.value() : a.value(), common_type(a.type(), b.type()));
}
Exact select(bool condition, const Exact &a, const Exact &b) {
    return made(a, b, condition ? a.value() : b.value(), common_type(a.type(), b.type()));
}
ExactRoot sqrt_rem(const Exact &a) {
    Integer root, rest;
    mpz_sqrtrem(root.raw(), rest.raw(), a.value().raw());
    return {a.with(root), a.with(rest)};
}
Exact isqrt(const Exact &a) {
    return sqrt_rem(a).root;
}
Exact iroot(const Exact &a, int k) {
    Integer root;
    mpz_root(root.raw(), a.value().raw(), static_cast<unsigned long>(k));
    return a.with(root);
}
bool is_square(const Exact &a) {
    return mpz_perfect_square_p(a.value().raw()) != 0;
}
Exact pow(const Exact &a, const Exact &e) {
    if (e.value().sign() < 0)
        throw NoValue();
    return a.keeps(power_modulo(a.pattern(), e.value(), power_of_two(a.bits())));
}

// ---- bits

int popcount(const Exact &a) {
    return a.pattern().popcount();
}
int bit_width(const Exact &a) {
    return a.pattern().bit_width();
}
int countl_zero(const Exact &a) {
    return a.bits() - bit_width(a);
}
int countr_zero(const Exact &a) {
    return a.value().is_zero() ? a.bits() : a.value().trailing_zeros();
}
Exact set_bit(const Exact &a, int i, bool to) {
    if (i >= a.bits())
        return a;
    const Integer mask = power_of_two(i);
    return a.keeps(to ? a.value() | mask : a.value() & ~mask);
}
Exact rotl(const Exact &a, int k) {
    const auto turn = static_cast<std::size_t>(k % a.bits());
    const auto rest = static_cast<std::size_t>(a.bits()) - turn;
    return a.keeps((a.pattern() << turn) | (a.pattern() >> rest));
}
Exact rotr(const Exact &a, int k) {
    return rotl(a, a.bits() - k % a.bits());
}
Exact extract_bits(const Exact &a, int position, int count) {
    const Integer down = a.value() >> static_cast<std::size_t>(position);
    return a.with(count == 0 ? Integer(0) : count >= a.bits() ? down : store_unsigned(down, count));
}
Exact extract_field(const Exact &a, int position, int count) {
    return a.as(store_unsigned(a.value() >> static_cast<std::size_t>(position), count),
                {count, false});
}
Exact insert_bits(const Exact &a, const Exact &value, int position, int count) {
    const Integer field = all_ones(count) << static_cast<std::size_t>(position);
    return a.keeps((a.value() & ~field) |
                   ((value.value() << static_cast<std::size_t>(position)) & field));
}

// ---- modulo m

Exact addmod(const Exact &a, const Exact &b, const Exact &m) {
    return below(m, reduced(a.value() + b.value(), m));
}
Exact submod(const Exact &a, const Exact &b, const Exact &m) {
    return below(m, reduced(a.value() - b.value(), m));
}
Exact mulmod(const Exact &a, const Exact &b, const Exact &m) {
    return below(m, reduced(a.value() * b.value(), m));
}
Exact muladdmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m) {
    return below(m, reduced(a.value() * b.value() + c.value(), m));
}
Exact mulsubmod(const Exact &a, const Exact &b, const Exact &c, const Exact &m) {
    return below(m, reduced(a.value() * b.value() - c.value(), m));
}
Exact muladdmod(const Exact &a, const Exact &b, const Exact &c, const Exact &d, const Exact &m) {
    return below(m, reduced(a.value() * b.value() + c.value() * d.value(), m));
}
Exact mulsubmod(const Exact &a, const Exact &b, const Exact &c, const Exact &d, const Exact &m) {
    return below(m, reduced(a.value() * b.value() - c.value() * d.value(), m));
}
Exact pow(const Exact &a, const Exact &e, const Exact &m) {
    if (e.value().sign() < 0)
        throw NoValue();
    const Integer base = reduced(a.value(), m);
    return below(m, m.value().is_zero() ? base : power_modulo(base, e.value(), m.value()));
}
Maybe<Exact> inverse(const Exact &a, const Exact &m) {
    const Integer base = reduced(a.value(), m);
    Integer result(0);
    const bool exists =
        m.value() == 1 ||
        (!m.value().is_zero() && mpz_invert(result.raw(), base.raw(), m.value().raw()) != 0);
    return {exists, below(m, exists ? reduced(result, m) : Integer(0))};
}

// ---- number theory

Exact gcd(const Exact &a, const Exact &b) {
    return made(a, b, greatest_common_divisor(a.value(), b.value()),
                {std::max(a.bits(), b.bits()), false});
}
Exact lcm(const Exact &a, const Exact &b) {
    Integer result;
    mpz_lcm(result.raw(), a.value().raw(), b.value().raw());
    return made(a, b, result, {a.bits() + b.bits(), false});
}
ExactBezout gcd_ext(const Exact &a, const Exact &b) {
    Integer g, x, y;
    mpz_gcdext(g.raw(), x.raw(), y.raw(), a.value().raw(), b.value().raw());
    return {{g, {std::max(a.bits(), b.bits()), false}},
            {x, {b.bits() + 1, true}},
            {y, {a.bits() + 1, true}}};
}
int jacobi(const Exact &a, const Exact &n) {
    return mpz_jacobi(a.value().raw(), n.value().raw());
}
bool is_prime(const Integer &n) {
    return n.sign() > 0 && mpz_probab_prime_p(n.raw(), 30) != 0;
}
bool is_safe_prime(const Integer &n) {
    return is_prime(n) && is_prime((n - 1) >> 1);
}
Integer next_prime(const Integer &n) {
    Integer result;
    mpz_nextprime(result.raw(), n.raw());
    return result;
}
Exact next_prime(const Exact &n) {
    const Integer p = next_prime(n.value());
    return n.with(p.bit_width() <= n.bits() ? p : Integer(0));
}
Exact next_safe_prime(const Exact &n) {
    Integer p = next_prime(n.value());
    while (!is_safe_prime(p) && p.bit_width() <= n.bits())
        p = next_prime(p);
    return n.with(p.bit_width() <= n.bits() ? p : Integer(0));
}
Maybe<Exact> sqrt_mod(const Exact &a, const Exact &p) {
    const Integer square = modulo(a.value(), p.value());
    const Maybe<Exact> none{false, p.with(Integer(0))};
    if (p.value() == 2 || square.is_zero())
        return {true, p.with(square)};
    if (mpz_legendre(square.raw(), p.value().raw()) != 1)
        return none;
    // Tonelli and Shanks: p - 1 = odd 2^s.
    Integer odd = p.value() - 1;
    const int s = odd.trailing_zeros();
    odd = odd >> static_cast<std::size_t>(s);
    Integer z(2);
    while (mpz_legendre(z.raw(), p.value().raw()) != -1)
        z += 1;
    Integer c = power_modulo(z, odd, p.value());
    Integer root = power_modulo(square, (odd + 1) >> 1, p.value());
    Integer t = power_modulo(square, odd, p.value());
    for (int m = s; t != 1;) {
        int i = 0;
        for (Integer power = t; power != 1; ++i)
            power = modulo(power * power, p.value());
        Integer b = c;
        for (int k = 0; k < m - i - 1; ++k)
            b = modulo(b * b, p.value());
        root = modulo(root * b, p.value());
        c = modulo(b * b, p.value());
        t = modulo(t * c, p.value());
        m = i;
    }
    const Integer other = p.value() - root;
    return {true, p.with(root < other ? root : other)};
}

Maybe<Exact> crt(std::initializer_list<Exact> residues, std::initializer_list<Exact> moduli) {
    Integer x(0), m(1); // of the congruences so far
    int bits = 0;
    bool exists = true;
    const Exact *modulus = moduli.begin();
    for (const Exact &residue : residues) {
        const Integer &n = modulus->value();
        const Integer divisor = greatest_common_divisor(m, n);
        const Integer difference = residue.value() - x;
        exists = exists && modulo(difference, divisor).is_zero();
        const Integer rest = n / divisor;
        const Integer t = modulo(difference / divisor * inverse_or_zero(m / divisor, rest), rest);
        x = x + m * t;
        m = m * rest;
        bits += modulus->bits();
        ++modulus;
    }
    return {exists, {exists ? x : Integer(0), {bits, false}}};
}
Maybe<Exact> crt(const Exact &a, const Exact &m, const Exact &b, const Exact &n) {
    return crt({a, b}, {m, n});
}

} // namespace test
