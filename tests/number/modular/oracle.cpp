// SPDX-License-Identifier: Apache-2.0
// What the bodies of the batched tests of modular arithmetic must have stored, from GMP alone.

#include "groups.h"

#include "../../batch/random_bits.h"

#include <algorithm>

namespace modular_test {

using batch_test::kept;

namespace {

constexpr Type word_type{64, false};

Integer small_integer(const Integer &b) {
    return Integer(static_cast<std::int32_t>(kept(b, {32, false}).to_uint64()) % 20);
}

Integer power(const Integer &a, const Integer &e, const Integer &m) {
    return m.is_zero() ? Integer(0) : test::power_modulo(reduced(a, m), e, m);
}

/// Modulo 1 everything is its own inverse.
bool has_inverse(const Integer &a, const Integer &m) {
    return !m.is_zero() && (m == 1 || test::greatest_common_divisor(a, m) == 1);
}
Integer inverse(const Integer &a, const Integer &m) {
    return has_inverse(a, m) && m != 1 ? test::inverse_or_zero(reduced(a, m), m) : Integer(0);
}

void check_optional(Checker &out, const char *what, Type type, bool exists, const Integer &value) {
    out.boolean(what, exists);
    out.value(what, type, exists ? value : Integer(0));
}

// ---- residues -----------------------------------------------------------------------------------

/// `type`: of the modulus, in which residues' values come.
void check_sums(Checker &out, Type type, const Element &v) {
    const Integer x = reduced(v.a, v.m), y = reduced(v.b, v.m);
    out.value("residue of a", type, x);
    out.value("residue of b", type, y);
    out.value("x + y", type, reduced(x + y, v.m));
    out.value("x - y", type, reduced(x - y, v.m));
    out.value("-y", type, reduced(-y, v.m));
    out.boolean("x == y", x == y);
    out.boolean("x != x + y", !y.is_zero());
    out.value("x += x, -= y", type, reduced(x + x - y, v.m));
    out.value("x -= x", type, Integer(0));
    out.boolean("x - x == 0", true);
}

void check_products(Checker &out, Type type, const Element &v) {
    const Integer x = reduced(v.a, v.m), y = reduced(v.b, v.m);
    out.value("x * y", type, reduced(x * y, v.m));
    out.value("sqr(y)", type, reduced(y * y, v.m));
    out.value("x * x + 3 * y - x * y + sqr(y) - 5", type,
              reduced(x * x + y * 3 - x * y + y * y - 5, v.m));
    out.value("x *= x, *= y", type, reduced(x * x * y, v.m));
}

void check_mixed(Checker &out, Type type, const Element &v) {
    const Integer x = reduced(v.a, v.m);
    const Integer word = kept(v.b, word_type);
    const Integer integer = small_integer(v.b);
    out.value("x + word", type, reduced(x + word, v.m));
    out.value("integer - x", type, reduced(integer - x, v.m));
    out.value("x * integer", type, reduced(x * integer, v.m));
    out.value("b * x", type, reduced(v.b * x, v.m));
    out.boolean("x == b", x == reduced(v.b, v.m));
    out.boolean("integer == x", x == reduced(integer, v.m));
    const Integer z = reduced((x + 1) * integer, v.m);
    out.value("z--", type, z);
    out.value("z after z--", type, reduced(z - 1, v.m));
}

void check_functions(Checker &out, Type type, const Element &v) {
    const Integer &a = v.a, &b = v.b, &m = v.m;
    const Integer c = kept(b, type);
    out.value("addmod(a, b, m)", type, reduced(a + b, m));
    out.value("submod(a, b, m)", type, reduced(a - b, m));
    out.value("mulmod(a, b, m)", type, reduced(a * b, m));
    out.value("sqrmod(b, m)", type, reduced(b * b, m));
    out.value("mulmod(a, integer, m)", type, reduced(a * small_integer(b), m));
    out.value("addmod(a, c, Modulus)", type, reduced(a + c, m));
    out.value("submod(a, c, Modulus)", type, reduced(a - c, m));
    out.value("mulmod(a, c, Modulus)", type, reduced(a * c, m));
    out.value("sqrmod(a, Modulus)", type, reduced(a * a, m));
    out.value("mulmod(a, b, Modulus)", type, reduced(a * b, m));
    out.value("submod of reduced", type, reduced(a - c, m));
}

void check_sums_of_products(Checker &out, Type type, const Element &v) {
    const Integer &a = v.a, &b = v.b, &m = v.m;
    const Integer c = kept(b, type);
    const Integer d = kept(-a - 1, type);
    out.value("mulmod(a, c, m)", type, reduced(a * c, m));
    out.value("a * c % m", type, reduced(a * c, m));
    out.value("sqrmod(c, m)", type, reduced(c * c, m));
    out.value("muladdmod(a, c, d, m)", type, reduced(a * c + d, m));
    out.value("mulsubmod(a, d, c, m)", type, reduced(a * d - c, m));
    out.value("muladdmod(a, c, d, c, m)", type, reduced(a * c + d * c, m));
    out.value("mulsubmod(a, d, c, c, m)", type, reduced(a * d - c * c, m));
    out.value("mulsubmod(a, b, c, m)", type, reduced(a * b - c, m));
    out.value("mulmod(a, c, held)", type, reduced(a * c, m));
    out.value("a * c % held", type, reduced(a * c, m));
    out.value("a % held", type, reduced(a, m));
    out.value("sqrmod(c, held)", type, reduced(c * c, m));
    out.value("muladdmod(a, c, d, held)", type, reduced(a * c + d, m));
    out.value("mulsubmod(a, d, c, held)", type, reduced(a * d - c, m));
    out.value("muladdmod(a, c, d, c, held)", type, reduced(a * c + d * c, m));
    out.value("mulsubmod(a, d, c, c, held)", type, reduced(a * d - c * c, m));
}

void check_inverses(Checker &out, Type type, const Element &v) {
    check_optional(out, "inverse(a, m)", type, has_inverse(v.a, v.m), inverse(v.a, v.m));
    check_optional(out, "inverse(b, m)", type, has_inverse(v.b, v.m), inverse(v.b, v.m));
}

void check_quotients(Checker &out, Type type, const Element &v) {
    check_optional(out, "inverse(x)", type, has_inverse(v.a, v.m), inverse(v.a, v.m));
    out.value("y / x", type, reduced(v.b * inverse(v.a, v.m), v.m));
}

void check_all_inverses(Checker &out, Type type, const Element &v) {
    const Integer b = kept(v.b, type);
    for (const Integer &x : {v.a, b, kept(v.a + b, type), v.a}) {
        check_optional(out, "inverse_all", type, has_inverse(x, v.m), inverse(x, v.m));
        out.value("inverse_all_in_place", type, inverse(x, v.m));
    }
    out.boolean("as many without inverses", true);
}

void check_chains(Checker &out, Type type, const Element &v) {
    out.value("pow<0>(x)", type, power(v.a, Integer(0), v.m));
    out.value("pow<23>(x)", type, power(v.a, Integer(23), v.m));
    out.value("pow<65537>(x)", type, power(v.a, Integer(65537), v.m));
    out.value("pow<15>(b, Modulus)", type, power(v.b, Integer(15), v.m));
}

void check_static_powers(Checker &out, Type type, const Element &v) {
    out.value("pow(x, e)", type, power(v.a, v.e, v.m));
    out.value("pow(x, integer)", type, power(v.a, Integer(v.parameters.position), v.m));
    check_quotients(out, type, v);
}

// ---- powers, Montgomery products, secrets -------------------------------------------------------

void check_powers(Checker &out, Type type, Type a_type, const Element &v) {
    const Integer expected = power(v.a, v.e, v.m);
    out.value("pow(a, e, m)", type, expected);
    out.value("pow(b, integer, Modulus)", type, power(v.b, Integer(v.parameters.position), v.m));
    out.value("pow(x, e)", type, expected);
    out.value("pow(a, e)", a_type, power(v.a, v.e, test::power_of_two(a_type.bits)));
}

void check_fixed_bases(Checker &out, Type type, const Element &v) {
    out.value("base", type, reduced(v.a, v.m));
    out.value("pow(fixed, e)", type, power(v.a, v.e, v.m));
    out.value("pow(fixed, wide e)", type, power(v.a, v.b, v.m));
    out.value("pow(fixed, integer)", type, power(v.a, Integer(v.parameters.position), v.m));
}

void check_montgomery(Checker &out, Type type, const Element &v) {
    const Integer r_inverse = inverse(test::power_of_two(type.bits), v.m);
    const Integer product = reduced(v.a * v.b % v.m * r_inverse, v.m);
    const Integer square = reduced(v.b * v.b % v.m * r_inverse, v.m);
    static constexpr const char *forms[] = {"SOS",       "CIOS",   "FIOS",  "FIPS",    "two passes",
                                            "alternate", "blocks", "tiles", "selected"};
    for (const char *form : forms) {
        out.value((std::string(form) + ", product").c_str(), type, product);
        out.value((std::string(form) + ", square").c_str(), type, square);
    }
}

void check_constant_time(Checker &out, Type type, const Element &v) {
    const Integer x = reduced(v.a, v.m), y = reduced(v.b, v.m);
    out.value("mod_ct(a, m)", type, x);
    out.value("mod_ct(b, m)", type, y);
    out.value("addmod_ct(x, y, m)", type, reduced(x + y, v.m));
    out.value("submod_ct(x, y, m)", type, reduced(x - y, v.m));
    out.value("mulmod_ct(a, b, m)", type, reduced(x * y, v.m));
    out.value("mulmod_ct(a, y, Modulus)", type, reduced(x * y, v.m));
    out.value("sqrmod_ct(a, Modulus)", type, reduced(x * x, v.m));
    out.value("addmod_ct(x, y, Modulus)", type, reduced(x + y, v.m));
    const bool condition = v.parameters.carry != 0;
    out.any_type("select_ct", condition ? v.a : v.b);
    out.boolean("equal_ct(a, b)", v.a == v.b);
    out.boolean("equal_ct(a, a)", true);
    out.boolean("less_ct(a, b)", v.a < v.b);
    out.boolean("less_ct(a, signed m)", v.a < kept(v.m, {type.bits, true}));
    out.boolean("is_zero_ct(a)", v.a.is_zero());
    out.value("swap_ct, first", type, condition ? v.m : v.a);
    out.value("swap_ct, second", type, condition ? v.a : v.m);
}

void check_constant_time_powers(Checker &out, Type type, const Element &v) {
    out.value("pow_ct(a, e, m)", type, power(v.a, v.e, v.m));
    out.value("pow_ct(b, word, Modulus)", type, power(v.b, kept(v.e, {32, false}), v.m));
    check_optional(out, "inverse_ct(a, m)", type, has_inverse(v.a, v.m), inverse(v.a, v.m));
    check_optional(out, "inverse_ct(b, m)", type, has_inverse(v.b, v.m), inverse(v.b, v.m));
}

// ---- number theory ------------------------------------------------------------------------------

void check_divisors(Checker &out, Type A, Type B, const Element &v) {
    const int widest = std::max(A.bits, B.bits);
    Integer multiple;
    mpz_lcm(multiple.raw(), v.a.raw(), v.b.raw());
    out.value("gcd(a, b)", {widest, false}, test::greatest_common_divisor(v.a, v.b));
    out.value("lcm(a, b)", {A.bits + B.bits, false}, multiple);
    out.value("gcd(a, integer)", {std::max(A.bits, 32), false},
              test::greatest_common_divisor(v.a, small_integer(v.b)));
}

void check_bezout(Checker &out, Type A, Type B, const Element &v) {
    const Integer gcd = out.taken("gcd_ext, gcd", {std::max(A.bits, B.bits), false});
    const Integer x = out.taken("gcd_ext, x", {B.bits + 1, true});
    const Integer y = out.taken("gcd_ext, y", {A.bits + 1, true});
    if (out.failed())
        return;
    Integer exact_gcd, exact_x, exact_y;
    mpz_gcdext(exact_gcd.raw(), exact_x.raw(), exact_y.raw(), v.a.raw(), v.b.raw());
    out.require(gcd == exact_gcd, "the gcd of gcd_ext");
    out.require(v.a * x + v.b * y == gcd, "a x + b y = gcd");
    if (!v.a.is_zero() && !v.b.is_zero()) {
        out.require((abs(x) * gcd << 1) <= abs(v.b) || abs(x) <= 1, "|x| <= |b| / 2 gcd");
        out.require((abs(y) * gcd << 1) <= abs(v.a) || abs(y) <= 1, "|y| <= |a| / 2 gcd");
    }
    out.require(x == exact_x && y == exact_y, "the coefficients of mpz_gcdext");
}

void check_symbols(Checker &out, const Element &v) {
    const Integer odd = abs(v.b) | 1;
    out.number("jacobi(a, b)", mpz_jacobi(v.a.raw(), odd.raw()));
    out.number("jacobi(integer, b)", mpz_jacobi(small_integer(v.a).raw(), odd.raw()));
}

/// A root of x modulo m: for a prime it must be found if it exists, and be the smaller one; else
/// it must be right if one is given.
void check_root(Checker &out, const char *what, Type type, const Integer &x, const Integer &m,
                bool prime) {
    const bool found = !out.taken(what, type_of<bool>).is_zero();
    const Integer root = out.taken(what, type);
    if (out.failed())
        return;
    const Integer square = reduced(x, m);
    if (prime || m == 1) {
        const bool exists = m <= 2 || mpz_legendre(square.raw(), m.raw()) >= 0;
        out.require(found == exists, "sqrt_mod finds a root where there is one modulo a prime");
        out.require((root << 1) <= m, "the smaller root");
    } else if (!m.is_odd()) {
        out.require(!found, "no root modulo an even number");
    }
    if (found) {
        out.require(reduced(root * root, m) == square && root < m, "root^2 = a");
    } else {
        out.require(root.is_zero(), "nothing holds 0");
    }
}

void check_roots(Checker &out, Type type, const Element &v) {
    const bool prime = is_prime(v.m);
    check_root(out, "sqrt_mod(a, m)", type, v.a, v.m, prime);
    check_root(out, "sqrt_mod(b^2, m)", type, v.b * v.b, v.m, prime);
}

/// x = a mod m and x = b mod n, into x and its modulus.
bool join(Integer &x, Integer &m, const Integer &b, const Integer &n) {
    const Integer divisor = test::greatest_common_divisor(m, n);
    const Integer difference = b - x;
    if (!reduced(difference, divisor).is_zero())
        return false;
    const Integer rest = n / divisor;
    const Integer t = reduced(difference / divisor * inverse(m / divisor, rest), rest);
    x = x + m * t;
    m = m * rest;
    return true;
}

void check_congruences(Checker &out, Type M, Type N, const Element &v) {
    Integer x = reduced(v.a, v.m), m = v.m;
    bool exists = join(x, m, v.b, v.e);
    check_optional(out, "crt(a, m, b, n)", {M.bits + N.bits, false}, exists, x);
    x = reduced(v.a, v.m);
    m = v.m;
    exists = join(x, m, kept(v.b, M), kept(v.e, M) | 1) && join(x, m, v.m, v.a | 1);
    check_optional(out, "crt of three", {3 * M.bits, false}, exists, x);
}

void check_primes(Checker &out, const Element &v) {
    const bool expected = is_prime(v.a);
    out.boolean("is_probable_prime(a)", expected);
    out.boolean("is_probable_prime(a, 2)", expected);
    out.boolean("is_probable_prime(a, 1, generator)", expected);
    out.boolean("is_probable_prime(-a)", false);
}

/// 0 where it does not fit, as in device code.
void check_next_prime(Checker &out, Type type, const Integer &a, bool safe) {
    Integer expected = next_prime(a);
    while (safe && !is_safe_prime(expected) && expected.bit_width() <= type.bits)
        expected = next_prime(expected);
    out.value(safe ? "next_safe_prime(a)" : "next_prime(a)", type,
              expected.bit_width() <= type.bits ? expected : Integer(0));
}

/// Drawn as the documentation says: random bits with the ends set, until they are prime.
void check_random_prime(Checker &out, int bits, const Integer &key, bool safe) {
    warpint::Philox generator(key.to_uint64(), safe ? 1 : 0);
    Integer expected;
    do {
        expected = batch_test::random_bits(generator, bits) | test::power_of_two(bits - 1);
        if (bits > 2)
            expected = expected | (safe && bits > 3 ? 3 : 1);
    } while (safe ? !is_safe_prime(expected) : !is_prime(expected));
    out.require(expected.bit_width() == bits, "exactly as many bits");
    out.value(safe ? "random_safe_prime" : "random_prime", {bits, false}, expected);
}

} // namespace

void check_record(Checker &out, const Case &which, const Element &v) {
    const auto &types = which.types;
    switch (group_of(which)) {
    case Group::sums:
        out.value("Modulus::value", types[2], v.m);
        out.value("a % Modulus", types[2], reduced(v.a, v.m));
        out.value("b % Modulus", types[2], reduced(v.b, v.m));
        check_sums(out, types[2], v);
        break;
    case Group::products:
        check_products(out, types[2], v);
        break;
    case Group::mixed_operands:
        check_mixed(out, types[2], v);
        break;
    case Group::functions:
        check_functions(out, types[2], v);
        break;
    case Group::sums_of_products:
        check_sums_of_products(out, types[2], v);
        break;
    case Group::inverses:
        check_inverses(out, types[2], v);
        break;
    case Group::quotients:
        check_quotients(out, types[2], v);
        break;
    case Group::all_inverses:
        check_all_inverses(out, types[2], v);
        break;
    case Group::chains:
        check_chains(out, types[2], v);
        break;
    case Group::static_sums:
        out.value("modulus", types[2], v.m);
        check_sums(out, types[2], v);
        check_products(out, types[2], v);
        check_mixed(out, types[2], v);
        break;
    case Group::static_powers:
        check_static_powers(out, types[2], v);
        break;
    case Group::powers:
        check_powers(out, types[2], types[0], v);
        break;
    case Group::fixed_bases:
        check_fixed_bases(out, types[2], v);
        break;
    case Group::montgomery:
        check_montgomery(out, types[2], v);
        break;
    case Group::constant_time:
        check_constant_time(out, types[2], v);
        break;
    case Group::constant_time_powers:
        check_constant_time_powers(out, types[2], v);
        break;
    case Group::divisors:
        check_divisors(out, types[0], types[1], v);
        break;
    case Group::bezout:
        check_bezout(out, types[0], types[1], v);
        break;
    case Group::symbols:
        check_symbols(out, v);
        break;
    case Group::roots:
        check_roots(out, types[2], v);
        break;
    case Group::congruences:
        check_congruences(out, types[2], types[3], v);
        break;
    case Group::primes:
        check_primes(out, v);
        break;
    case Group::safe_primes:
        out.boolean("is_safe_prime(a)", is_safe_prime(v.a));
        break;
    case Group::next_primes:
        check_next_prime(out, types[0], v.a, false);
        break;
    case Group::next_safe_primes:
        check_next_prime(out, types[0], v.a, true);
        break;
    case Group::random_primes:
        check_random_prime(out, which.detail, v.a, false);
        break;
    case Group::random_safe_primes:
        check_random_prime(out, which.detail, v.a, true);
        break;
    }
    out.end();
}

} // namespace modular_test
