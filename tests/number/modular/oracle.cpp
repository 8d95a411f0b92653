// SPDX-License-Identifier: Apache-2.0
// What the bodies of the batched tests of modular arithmetic must have stored, from GMP alone.

#include "groups.h"

#include "../../batch/listed_oracle.h"
#include "../../batch/random_bits.h"

namespace modular_test {

using batch_test::check_numbers;
using batch_test::check_residues;
using batch_test::ExactOperands;
using batch_test::kept;
using test::Exact;

namespace {

void check_all_inverses(Checker &out, const ExactOperands &of) {
    for (const Exact &x : {of.a, of.c, of.a.keeps((of.a + of.c).value()), of.a}) {
        const auto r = inverse(x, of.m);
        out.boolean("inverse_all", r.exists);
        out.value("inverse_all", of.m.type(), r.value.value());
        out.value("inverse_all_in_place", of.m.type(), r.value.value());
    }
    out.boolean("as many without inverses", true);
}

void check_montgomery(Checker &out, Type type, const Element &v) {
    const Integer r_inverse = test::inverse_or_zero(test::power_of_two(type.bits), v.m);
    const Integer product = reduced(v.a * v.b % v.m * r_inverse, v.m);
    const Integer square = reduced(v.b * v.b % v.m * r_inverse, v.m);
    static constexpr const char *forms[] = {"SOS",       "CIOS",   "FIOS",  "FIPS",    "two passes",
                                            "alternate", "blocks", "tiles", "selected"};
    for (const char *form : forms) {
        out.value((std::string(form) + ", product").c_str(), type, product);
        out.value((std::string(form) + ", square").c_str(), type, square);
    }
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

/// The operands of the group's bodies by their roles.
ExactOperands operands_of(const Case &which, const Element &v) {
    const auto &types = which.types;
    ExactOperands of;
    of.a = {v.a, types[0]};
    of.b = {v.b, types[1]};
    of.m = of.odd = {v.m, types[2]};
    of.e = of.n = {v.e, types[3]};
    switch (group_of(which)) {
    case Group::constant_time:
        of.c = of.a % of.m;
        of.d = of.b % of.m;
        break;
    default:
        of.c = of.m.keeps(v.b);
        of.d = of.m.keeps(~v.a);
        break;
    }
    of.x = {v.a, of.m};
    of.y = {v.b, of.m};
    return of;
}

} // namespace

void check_record(Checker &out, const Case &which, const Element &v) {
    using namespace grid;
    const ExactOperands of = operands_of(which, v);
    const Parameters &p = v.parameters;
    switch (group_of(which)) {
    case Group::sums:
        check_numbers<with_context>(out, of, p);
        check_residues<in_residue_sums>(out, of, p);
        break;
    case Group::products:
        check_residues<in_residue_products>(out, of, p);
        break;
    case Group::mixed_operands:
        check_residues<in_mixed_operands>(out, of, p);
        break;
    case Group::functions:
        check_numbers<with_number>(out, of, p);
        check_numbers<with_modulus>(out, of, p);
        break;
    case Group::sums_of_products:
        check_numbers<in_sums_of_products | in_exact_differences>(out, of, p);
        check_numbers<in_sums_of_products | in_held>(out, of, p);
        break;
    case Group::inverses:
        check_numbers<in_inverses>(out, of, p);
        break;
    case Group::quotients:
        check_residues<in_quotients>(out, of, p);
        break;
    case Group::all_inverses:
        check_all_inverses(out, of);
        break;
    case Group::chains:
        check_residues<in_chains>(out, of, p);
        check_numbers<in_chains>(out, of, p);
        break;
    case Group::static_sums:
        out.value("modulus", of.m.type(), v.m);
        check_residues<in_residue_sums | in_residue_products | in_mixed_operands>(out, of, p);
        break;
    case Group::static_powers:
        check_residues<in_residue_powers | in_short_powers | in_quotients>(out, of, p);
        break;
    case Group::powers:
        check_numbers<in_powers>(out, of, p);
        check_numbers<in_prepared_powers>(out, of, p);
        check_residues<in_residue_powers>(out, of, p);
        break;
    case Group::fixed_bases:
        out.value("base", of.m.type(), reduced(v.a, v.m));
        check_residues<in_residue_powers | in_short_powers | in_wide_powers>(out, of, p);
        break;
    case Group::montgomery:
        check_montgomery(out, of.m.type(), v);
        break;
    case Group::constant_time:
        check_numbers<in_constant_time>(out, of, p);
        check_numbers<in_prepared_constant_time>(out, of, p);
        break;
    case Group::constant_time_powers:
        check_numbers<in_constant_time_powers>(out, of, p);
        check_numbers<in_prepared_constant_time_powers>(out, of, p);
        break;
    case Group::divisors:
        check_numbers<in_divisors>(out, of, p);
        break;
    case Group::bezout:
        check_numbers<in_bezout>(out, of, p);
        break;
    case Group::symbols:
        check_numbers<in_symbols>(out, of, p);
        break;
    case Group::roots:
        check_roots(out, of.m.type(), v);
        break;
    case Group::congruences:
        check_numbers<in_congruences>(out, of, p);
        break;
    case Group::primes:
        check_numbers<in_primes>(out, of, p);
        break;
    case Group::safe_primes:
        check_numbers<in_safe_primes>(out, of, p);
        break;
    case Group::next_primes:
        check_numbers<in_next_primes>(out, of, p);
        break;
    case Group::next_safe_primes:
        check_numbers<in_next_safe_primes>(out, of, p);
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
