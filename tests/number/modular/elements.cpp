// SPDX-License-Identifier: Apache-2.0
// The operands of the batched tests of modular arithmetic, and which of them a body takes.

#include "groups.h"

#include <algorithm>
#include <array>

namespace modular_test {

using batch_test::kept;
using test::all_ones;
using test::OperandSource;
using test::power_of_two;

Integer value_of(Constant constant) {
    switch (constant) {
    case Constant::one:
        return Integer(1);
    case Constant::mersenne_61:
        return power_of_two(61) - 1;
    case Constant::mersenne_127:
        return power_of_two(127) - 1;
    case Constant::prime_25519:
        return power_of_two(255) - 19;
    case Constant::pseudo_mersenne_160:
        return power_of_two(160) - power_of_two(32) - 1;
    case Constant::p224:
        return power_of_two(224) - power_of_two(96) + 1;
    case Constant::p256:
        return power_of_two(256) - power_of_two(224) + power_of_two(192) + power_of_two(96) - 1;
    case Constant::p384:
        return power_of_two(384) - power_of_two(128) - power_of_two(96) + power_of_two(32) - 1;
    case Constant::p521:
        return power_of_two(521) - 1;
    case Constant::secp256k1:
        return power_of_two(256) - power_of_two(32) - 977;
    case Constant::sm2:
        return power_of_two(256) - power_of_two(224) - power_of_two(96) + power_of_two(64) - 1;
    case Constant::brainpool_p256: // RFC 5639
        return Integer("a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377", 16);
    case Constant::even_192:
        return Integer(12345678901) * power_of_two(150) + 98765432123456;
    }
    return Integer(1);
}

namespace {

/// A number for an operand that need not be reduced.
Integer unreduced(OperandSource &source, const Integer &x, Type type) {
    if (source.one_in(3))
        return type.is_signed ? source.signed_number(type.bits) : source.number(type.bits);
    return kept(source.one_in(2) ? -x : x, type);
}

/// Exponents of built-in types.
std::int32_t small_exponent(OperandSource &source) {
    static constexpr std::array exponents = {0,  1,  2,  3,  4,   5,   6,     7,    15,
                                             16, 17, 31, 63, 255, 257, 65535, 65537};
    if (source.one_in(4))
        return source.below(1 << 20);
    return exponents[static_cast<std::size_t>(source.below(static_cast<int>(exponents.size())))];
}

/// A prime below 2^bits, bits >= 2; mostly a narrow one, because wide ones take GMP long.
Integer prime(OperandSource &source, int bits) {
    if (source.one_in(3)) {
        const Integer named = source.named_prime(bits);
        if (is_prime(named))
            return named;
    }
    const int width = std::min(bits, source.one_in(8) ? 256 : 2 + source.below(80));
    Integer p = next_prime(source.number(width));
    while (p.bit_width() > bits)
        p = next_prime(source.number(width - 1));
    return p;
}

/// A number that is prime, nearly prime, or composite in a way that tests find hard.
Integer candidate(OperandSource &source, int bits) {
    switch (source.below(8)) {
    case 0:
    case 1:
        return bits < 2 ? Integer(1) : prime(source, bits);
    case 2: { // two primes near each other, their square
        if (bits < 4)
            return source.number(bits);
        const Integer p = prime(source, bits / 2);
        return kept(p * (source.one_in(3) ? p : next_prime(p)), {bits, false});
    }
    case 3: { // (k + 1)(2k + 1), both prime: strong pseudoprimes among them
        if (bits < 6)
            return source.number(bits);
        const Integer p = prime(source, (bits - 1) / 2);
        return kept(p * ((p << 1) - 1), {bits, false});
    }
    case 4: { // pseudoprimes: to base 2; strong, to 2; Carmichael numbers; strong Lucas
        static constexpr std::array<std::uint64_t, 16> known = {341,
                                                                561,
                                                                1105,
                                                                1387,
                                                                2047,
                                                                3277,
                                                                4033,
                                                                4681,
                                                                5459,
                                                                5777,
                                                                8321,
                                                                9080191u,
                                                                3215031751u,
                                                                2152302898747u,
                                                                3474749660383u,
                                                                341550071728321u};
        return kept(Integer(known[source.word() % known.size()]), {bits, false});
    }
    case 5:
        return source.modulus(bits);
    default:
        return source.number(bits) | 1;
    }
}

/// a, b and m for a modulus of any parity; 0 now and then in device code.
void draw_context(Element &v, const Case &which, OperandSource &source, bool on_device) {
    const Type A = which.types[0], B = which.types[1], M = which.types[2];
    const test::OperandTriple triple = source.triple(A.bits, B.bits - B.is_signed, M.bits);
    v.a = triple.a;
    v.b = unreduced(source, triple.b, B);
    v.m = on_device && source.one_in(64) ? Integer(0) : triple.m;
}

void draw_inverse(Element &v, const Case &which, OperandSource &source, bool on_device) {
    const Type A = which.types[0], B = which.types[1], M = which.types[2];
    const test::OperandPair pair = source.inverse_pair(A.bits, M.bits);
    v.a = pair.a;
    v.m = source.one_in(3) ? source.modulus(M.bits) : pair.b;
    if (v.m.is_zero())
        v.m = Integer(1);
    v.b = unreduced(source, source.related_to_modulus(B.bits - B.is_signed, v.m), B);
    if (on_device && source.one_in(64))
        v.m = Integer(0);
}

void draw_root(Element &v, const Case &which, OperandSource &source) {
    const int bits = which.types[2].bits;
    if (bits < 4 || source.one_in(3)) {
        v.m = source.modulus(bits);
    } else if (source.one_in(4)) { // odd and composite
        const Integer p = prime(source, bits / 2);
        v.m = p * (source.one_in(2) ? p : prime(source, bits / 2));
    } else {
        v.m = prime(source, bits);
    }
    v.a = source.one_in(2) ? source.number(which.types[0].bits)
                           : source.related_to_modulus(which.types[0].bits, v.m);
    v.b = source.signed_number(which.types[1].bits);
}

/// Half of the time residues of one number.
void draw_congruences(Element &v, const Case &which, OperandSource &source) {
    const Type A = which.types[0], B = which.types[1], M = which.types[2], N = which.types[3];
    const test::OperandPair pair = source.inverse_pair(M.bits, N.bits);
    v.m = source.one_in(2) ? source.modulus(M.bits) : pair.a;
    v.e = source.one_in(2) ? source.modulus(N.bits) : pair.b;
    if (v.m.is_zero())
        v.m = Integer(1);
    if (v.e.is_zero())
        v.e = Integer(1);
    v.a = source.number(A.bits);
    v.b = unreduced(source, source.number(B.bits - B.is_signed), B);
    if (source.one_in(2)) {
        const Integer x = source.uniform_bits(M.bits + N.bits);
        v.a = reduced(x, v.m);
        v.b = reduced(x, v.e);
    }
}

} // namespace

Element random_element(const Case &which, OperandSource &source, bool on_device) {
    const auto &types = which.types;
    Element v;
    v.parameters = {source.below(64), small_exponent(source), 0, source.below(2)};
    switch (group_of(which)) {
    case Group::sums:
    case Group::products:
    case Group::mixed_operands:
    case Group::functions:
    case Group::sums_of_products:
    case Group::chains:
        draw_context(v, which, source, on_device);
        break;
    case Group::inverses:
    case Group::quotients:
    case Group::all_inverses:
        draw_inverse(v, which, source, on_device);
        break;
    case Group::static_sums:
    case Group::static_powers:
        v.m = value_of(static_cast<Constant>(which.detail));
        v.a = source.one_in(2) ? source.number(types[0].bits)
                               : source.related_to_modulus(types[0].bits, v.m);
        v.b = unreduced(source, source.related_to_modulus(types[1].bits - 1, v.m), types[1]);
        v.e = source.exponent(types[3].bits, v.m);
        break;
    case Group::powers:
    case Group::fixed_bases:
        draw_context(v, which, source, on_device);
        if (group_of(which) == Group::fixed_bases)
            v.b = source.exponent(types[1].bits, v.m);
        v.e = source.exponent(types[3].bits, v.m);
        break;
    case Group::montgomery: {
        const test::OperandTriple triple =
            source.triple(types[0].bits, types[1].bits, types[2].bits);
        v.m = triple.m | 1;
        v.a = triple.a;
        v.b = reduced(triple.b, v.m);
        break;
    }
    case Group::constant_time:
    case Group::constant_time_powers:
        if (source.one_in(2)) {
            draw_context(v, which, source, false);
        } else {
            draw_inverse(v, which, source, false);
        }
        v.m = v.m | 1;
        v.e = source.exponent(std::max(1, types[3].bits), v.m);
        break;
    case Group::divisors:
    case Group::bezout:
    case Group::symbols: {
        const test::OperandPair pair = source.inverse_pair(types[0].bits, types[1].bits);
        v.a = kept(pair.a, types[0]);
        v.b = kept(pair.b, types[1]);
        break;
    }
    case Group::roots:
        draw_root(v, which, source);
        break;
    case Group::congruences:
        draw_congruences(v, which, source);
        break;
    case Group::primes:
    case Group::safe_primes:
        v.a = candidate(source, types[0].bits);
        if (group_of(which) == Group::safe_primes && source.one_in(4) && types[0].bits > 2) {
            const Integer p = (prime(source, types[0].bits - 1) << 1) + 1;
            v.a = kept(p, types[0]);
        }
        break;
    case Group::next_primes:
    case Group::next_safe_primes:
        do {
            v.a =
                source.one_in(4) ? candidate(source, types[0].bits) : source.number(types[0].bits);
            if (types[0].bits < 3)
                v.a = Integer(0);
        } while (!allows(which, v, on_device));
        break;
    case Group::random_primes:
    case Group::random_safe_primes:
        v.a = source.uniform_bits(64);
        break;
    }
    return v;
}

bool allows(const Case &which, const Element &v, bool on_device) {
    switch (group_of(which)) {
    case Group::static_sums:
    case Group::static_powers:
        return v.m == value_of(static_cast<Constant>(which.detail));
    case Group::montgomery:
        return v.m.is_odd() && v.b < v.m;
    case Group::constant_time:
    case Group::constant_time_powers:
        return v.m.is_odd();
    case Group::sums:
    case Group::products:
    case Group::mixed_operands:
    case Group::functions:
    case Group::sums_of_products:
    case Group::inverses:
    case Group::quotients:
    case Group::all_inverses:
    case Group::chains:
    case Group::powers:
    case Group::fixed_bases:
        return on_device || !v.m.is_zero();
    case Group::roots:
        return !v.m.is_zero();
    case Group::congruences:
        return !v.m.is_zero() && !v.e.is_zero();
    case Group::next_primes: { // far below the top there is one
        const int bits = which.types[0].bits;
        return on_device ||
               (bits > 64 && (v.a >> static_cast<std::size_t>(bits - 32)) != all_ones(32)) ||
               next_prime(v.a).bit_width() <= bits;
    }
    case Group::next_safe_primes: { // there is one in every quarter of the wide ranges
        const int bits = which.types[0].bits;
        return on_device || (bits >= 16 ? v.a < power_of_two(bits) - power_of_two(bits - 2)
                                        : v.a < power_of_two(bits - 1) - 1);
    }
    default:
        return true;
    }
}

} // namespace modular_test
