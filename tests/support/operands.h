// Operands for randomised tests: a seeded source of numbers that break arithmetic.
//
// Uniformly random bits almost never meet a rare carry, a wrong trial quotient or a reduction
// that ends exactly at the modulus. An OperandSource therefore mixes nine classes of operands,
// each at least one draw in twenty (tests/operands_test.cpp holds it to that):
//
//   1 uniform     uniform bits; uniform bit length
//   2 runs        long runs of ones and zeros
//   3 limbs       every 32- or 64-bit limb is one of the values at which limb code goes wrong
//   4 density     a density of ones per number; sparse numbers (2% non-zero limbs)
//   5 relations   a = b, a near m or m^2, multiples, shared factors, Montgomery forms of 1 and -1
//   6 moduli      1, 2, 3, even, powers of two, Mersenne, Solinas, curve primes, high two-adicity
//   7 exponents   0, 1, 2, m-1, limb boundaries, all ones, one bit, zero runs, window boundaries
//   8 division    divisors and dividends that make trial quotients wrong, every normalising shift
//   9 gcd         consecutive Fibonacci numbers, 2^i-1 with 2^(i/2)+-1, m-1, a much larger than m
//
// Every number handed out fits the width asked for. The same seed gives the same numbers on every
// platform (only std::mt19937_64 is used, no standard distribution).
#pragma once

#include "integer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace test {

enum class OperandClass {
    uniform,
    runs,
    limbs,
    density,
    relation,
    modulus,
    exponent,
    division,
    gcd
};
inline constexpr int operand_class_count = 9;

struct OperandPair {
    Integer a, b;
};
struct OperandTriple {
    Integer a, b, m; // m >= 1
};
struct DivisionPair {
    Integer dividend, divisor; // divisor >= 1
};

class OperandSource {
public:
    explicit OperandSource(std::uint64_t seed) : engine_(seed) {}

    // ---- plain random values

    std::uint64_t word() { return engine_(); }
    /// Uniform in [0, bound); bound >= 1 (the bias of the remainder does not matter here).
    int below(int bound) { return static_cast<int>(word() % static_cast<std::uint64_t>(bound)); }
    bool one_in(int count) { return below(count) == 0; }

    /// Uniform bits: every value of `bits` bits is equally likely.
    Integer uniform_bits(int bits) {
        return from_words(bits, [&](int) { return word(); });
    }

    // ---- numbers of `bits` bits, from classes 1 to 4 (and a few corner values)

    /// An unsigned number in [0, 2^bits).
    Integer number(int bits) {
        switch (below(10)) {
        case 0:
            return count(OperandClass::uniform, uniform_bits(bits));
        case 1:
            return count(OperandClass::uniform, uniform_bits(below(bits + 1)));
        case 2:
        case 3:
            return count(OperandClass::runs, runs(bits));
        case 4:
            return count(OperandClass::limbs, special_limbs(bits, 32));
        case 5:
            return count(OperandClass::limbs, special_limbs(bits, 64));
        case 6:
            return count(OperandClass::density, dense(bits));
        case 7:
            return count(OperandClass::density, sparse(bits));
        case 8:
            return count(OperandClass::modulus, corner(bits));
        default:
            return count(OperandClass::gcd, fit(fibonacci(index_below(bits)).a, bits));
        }
    }

    /// A signed number in [-2^(bits-1), 2^(bits-1)); one in seven is at an end of the range, or
    /// next to 0.
    Integer signed_number(int bits) {
        if (one_in(7)) {
            const Integer minimum = -power_of_two(bits - 1);
            switch (below(6)) {
            case 0:
                return minimum;
            case 1:
                return -minimum - 1;
            case 2:
                return Integer(-1);
            case 3:
                return Integer(0);
            case 4:
                return store_signed(minimum + 1, bits);
            default:
                return store_signed(Integer(1), bits);
            }
        }
        // Small magnitudes of both signs as well as every bit pattern of the whole width.
        if (one_in(3)) {
            return store_signed(-number(1 + below(bits)), bits);
        }
        return store_signed(number(bits), bits);
    }

    // ---- related numbers

    /// Two unsigned numbers; half of the pairs are independent, the others come from classes 5, 8
    /// and 9.
    OperandPair pair(int bits_a, int bits_b) {
        switch (below(8)) {
        case 0:
        case 1:
            return related_pair(bits_a, bits_b);
        case 2: {
            DivisionPair d = hard_division(bits_a, bits_b);
            return {d.dividend, d.divisor};
        }
        case 3:
            return gcd_pair(bits_a, bits_b);
        default: {
            Integer a = number(bits_a);
            return {a, number(bits_b)};
        }
        }
    }

    /// Two numbers and a modulus >= 1 (even ones too); a and b need not be reduced.
    OperandTriple triple(int bits_a, int bits_b, int bits_m) {
        switch (below(4)) {
        case 0: {
            Integer m = modulus(bits_m);
            Integer a = related_to_modulus(bits_a, m);
            return {a, related_to_modulus(bits_b, m), m};
        }
        case 1: {
            // A narrower modulus, so that 2m-1 and m^2-1 fit too.
            Integer m = modulus(std::max(1, std::min(bits_m, bits_a / 2)));
            Integer a = related_to_modulus(bits_a, m);
            return {a, one_in(2) ? fit(a, bits_b) : number(bits_b), m};
        }
        case 2: {
            OperandPair p = pair(bits_a, bits_b);
            return {p.a, p.b, modulus(bits_m)};
        }
        default: {
            DivisionPair d = division_pair(bits_a, bits_m);
            return {d.dividend, number(bits_b), d.divisor};
        }
        }
    }

    /// Dividend and divisor (>= 1); half of the pairs are class 8.
    DivisionPair division_pair(int bits_dividend, int bits_divisor) {
        if (one_in(2)) {
            return hard_division(bits_dividend, bits_divisor);
        }
        OperandPair p = pair(bits_dividend, bits_divisor);
        return {p.a, at_least_one(p.b)};
    }

    /// Operands for gcd and inverse; half of the pairs are class 9.
    OperandPair inverse_pair(int bits_a, int bits_b) {
        return one_in(2) ? gcd_pair(bits_a, bits_b) : pair(bits_a, bits_b);
    }

    /// A modulus in [1, 2^bits), odd or even; three in five are class 6.
    Integer modulus(int bits) {
        if (below(5) < 3) {
            return at_least_one(fit(count(OperandClass::modulus, special_modulus(bits)), bits));
        }
        return at_least_one(number(bits));
    }

    /// An odd modulus in [1, 2^bits).
    Integer odd_modulus(int bits) { return modulus(bits) | 1; }

    /// An exponent in [0, 2^bits) for the modulus `m`; half of them are class 7.
    Integer exponent(int bits, const Integer &m) {
        if (one_in(2)) {
            return fit(count(OperandClass::exponent, special_exponent(bits, m)), bits);
        }
        return number(bits);
    }

    /// How many operands of a class were handed out so far.
    std::uint64_t drawn(OperandClass which) const { return drawn_[std::size_t(which)]; }

    // ---- the classes, one function each

    /// Class 2: start from all ones and walk down from the top in chunks of 1..cap bits,
    /// alternately flipping a bit (which starts a run of zeros) and adding 2^i (which ends one).
    Integer runs(int bits) {
        Integer x = all_ones(bits);
        const int cap = std::max(1, bits / (1 + below(4)));
        bool flip = true;
        for (int i = bits - 1 - below(cap); i >= 0; i -= 1 + below(cap), flip = !flip) {
            if (flip) {
                mpz_combit(x.raw(), static_cast<mp_bitcnt_t>(i));
            } else {
                x += power_of_two(i);
            }
        }
        return fit(x, bits);
    }

    /// Class 3: per limb of `limb_bits` (8, 32 or 64) bits one of the values at which carries,
    /// signs and trial quotients change.
    Integer special_limbs(int bits, int limb_bits) {
        return from_limbs(bits, limb_bits, [&](int) { return special_limb(limb_bits); });
    }

    /// Class 4: every bit is one with the same probability d/64, d drawn per number.
    Integer dense(int bits) {
        const int density = below(65);
        return from_words(bits, [&](int) {
            if (density == 64) {
                return ~std::uint64_t(0);
            }
            // After step i each bit is one with probability (density mod 2^(i+1)) / 2^(i+1).
            std::uint64_t ones = 0;
            for (int i = 0; i < 6; ++i) {
                ones = (density >> i) & 1 ? (ones | word()) : (ones & word());
            }
            return ones;
        });
    }

    /// Class 4: two limbs in a hundred are not zero, and mostly at least one.
    Integer sparse(int bits) {
        const int limbs = (bits + 31) / 32;
        Integer x;
        for (int i = 0; i < limbs; ++i) {
            x = x << 32;
            if (one_in(50)) {
                x += Integer(word() & 0xffffffffu);
            }
        }
        if (x.is_zero() && !one_in(8)) {
            x = Integer((word() & 0xffffffffu) | 1) << std::size_t(32 * below(limbs));
        }
        return fit(x, bits);
    }

    /// Values at the ends of the range, at powers of two and at small numbers.
    Integer corner(int bits) {
        switch (below(8)) {
        case 0:
            return Integer(0);
        case 1:
            return fit(Integer(1 + below(4)), bits);
        case 2:
            return all_ones(bits);
        case 3:
            return all_ones(bits) - fit(Integer(1 + below(3)), bits);
        case 4:
            return power_of_two(bits - 1);
        case 5:
            return fit(power_of_two(below(bits)) + 1, bits);
        case 6:
            return power_of_two(below(bits)) - 1;
        default:
            return power_of_two(below(bits));
        }
    }

    /// Class 5, two numbers.
    OperandPair related_pair(int bits_a, int bits_b) {
        const int narrow = std::min(bits_a, bits_b);
        Integer a, b;
        switch (below(7)) {
        case 0: // equal
            a = b = number(narrow);
            break;
        case 1: // neighbours
            b = number(bits_b);
            a = fit(b + (one_in(2) ? 1 : -1), bits_a);
            break;
        case 2: // complements: a + b is all ones, or exactly 2^bits
            b = number(bits_b);
            a = fit(all_ones(bits_a) - b + (one_in(2) ? 1 : 0), bits_a);
            break;
        case 3: // a is a multiple of b, plus 0 or b - 1
        case 4: {
            b = at_least_one(number(1 + below(narrow)));
            a = b * number(std::max(1, bits_a - b.bit_width()));
            a = a + (one_in(2) ? Integer(0) : b - 1);
            if (a.bit_width() > bits_a) {
                a = b;
            }
            break;
        }
        case 5: { // a shared factor
            const Integer factor = at_least_one(number(1 + below(narrow)));
            a = factor * number(std::max(1, bits_a - factor.bit_width()));
            b = factor * number(std::max(1, bits_b - factor.bit_width()));
            break;
        }
        default: // a is b shifted
            b = number(bits_b);
            a = fit(one_in(2) ? b << std::size_t(below(bits_a)) : b >> std::size_t(below(bits_b)),
                    bits_a);
            break;
        }
        return {count(OperandClass::relation, fit(a, bits_a)),
                count(OperandClass::relation, fit(b, bits_b))};
    }

    /// Class 5, a number by its relation to a modulus. Values that do not fit are truncated.
    Integer related_to_modulus(int bits, const Integer &m) {
        const int limb = one_in(2) ? 32 : 64;
        const int width = (std::max(1, m.bit_width()) + limb - 1) / limb * limb;
        Integer a;
        switch (below(12)) {
        case 0:
            a = m - 1;
            break;
        case 1:
            a = m;
            break;
        case 2:
            a = m + 1;
            break;
        case 3:
            a = m + m - 1;
            break;
        case 4:
            a = m * m - 1;
            break;
        case 5:
            a = m * number(std::max(1, bits - m.bit_width()));
            break;
        case 6:
            a = m * number(std::max(1, bits - m.bit_width())) - 1;
            break;
        case 7:
            a = modulo(power_of_two(width), m);
            break; // Montgomery form of 1
        case 8:
            a = m - modulo(power_of_two(width), m);
            break; // and of m - 1
        case 9:
            a = inverse_or_zero(power_of_two(width), m);
            break; // its form is 1
        case 10:
            a = m - inverse_or_zero(power_of_two(width), m);
            break; // its form is m - 1
        default:
            a = modulo(number(bits), m);
            break; // reduced
        }
        return count(OperandClass::relation, fit(a.sign() < 0 ? Integer(0) : a, bits));
    }

    /// Class 6. Never 0, but possibly too wide: callers reduce it to their width.
    Integer special_modulus(int bits) {
        const Integer top = power_of_two(bits - 1);
        switch (below(16)) {
        case 0:
            return Integer(1);
        case 1:
            return Integer(2);
        case 2:
            return Integer(3);
        case 3:
            return (uniform_bits(bits) | 1) << std::size_t(below(bits)); // even composite
        case 4:
            return power_of_two(below(bits));
        case 5:
            return all_ones(bits);
        case 6:
            return all_ones(bits) - Integer(2 * below(4)); // the largest odd numbers
        case 7: { // top limb all ones (of the highest full limb)
            const int limb = std::min(bits, one_in(2) ? 32 : 64);
            return (all_ones(limb) << std::size_t(bits - limb)) + number(std::max(1, bits - limb));
        }
        case 8: { // top limb 1
            const int low = (bits - 1) / 32 * 32;
            return power_of_two(low) + (low > 0 ? number(low) : Integer(0));
        }
        case 9:
            return all_ones(1 + below(bits)); // Mersenne
        case 10:
            return top + top - Integer(1 + 2 * below(500)); // pseudo-Mersenne
        case 11: { // Solinas: 2^(32i) - 2^(32j) +- 2^(32k) - 1 at the top of the width
            const int step = std::max(1, bits / 8);
            Integer m = power_of_two(bits) - power_of_two(step * (1 + below(6))) - 1;
            return one_in(2) ? m + power_of_two(step) : m;
        }
        case 12: // like secp256k1: 2^bits - 2^32 - small
            return bits > 40 ? power_of_two(bits) - power_of_two(32) - Integer(977) : top + 1;
        case 13: // like SM2: 2^n - 2^(7n/8) - 2^(3n/8) + 2^(n/4) - 1
            return power_of_two(bits) - power_of_two(7 * bits / 8) - power_of_two(3 * bits / 8) +
                   power_of_two(bits / 4) - 1;
        case 14: { // high two-adicity: c 2^s + 1
            const int s = bits / 2 + below(std::max(1, bits / 2));
            return (number(std::max(1, bits - s)) << std::size_t(s)) + 1;
        }
        default:
            return named_prime(bits);
        }
    }

    /// Class 6: a prime in use somewhere that has at most `bits` bits, else 1.
    Integer named_prime(int bits) {
        static constexpr std::array<const char *, 14> primes = {
            "7f",
            "7fffffff",
            "78000001" /* 15 * 2^27 + 1 */,
            "ffffffff00000001" /* 2^64 - 2^32 + 1 */,
            "1fffffffffffffff",
            "7fffffffffffffffffffffffffffffff",
            "fffffffffffffffffffffffffffffffeffffffffffffffff" /* P-192 */,
            "ffffffffffffffffffffffffffffffff000000000000000000000001" /* P-224 */,
            "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed" /* 25519 */,
            "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001" /* BLS12-381 r */,
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff" /* P-256 */,
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f" /* secp256k1 */,
            "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff" /* SM2 */,
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe"
            "ffffffff0000000000000000ffffffff" /* P-384 */};
        std::size_t fitting = 0;
        while (fitting < primes.size() && Integer(primes[fitting], 16).bit_width() <= bits) {
            ++fitting;
        }
        return fitting == 0 ? Integer(1) : Integer(primes[word() % fitting], 16);
    }

    /// Class 7. Never negative, but possibly too wide: callers reduce it to their width.
    Integer special_exponent(int bits, const Integer &m) {
        switch (below(14)) {
        case 0:
            return Integer(0);
        case 1:
            return Integer(1);
        case 2:
            return Integer(2);
        case 3:
            return m - 1;
        case 4:
            return power_of_two(31) - Integer(below(2));
        case 5:
            return power_of_two(32) - Integer(below(2));
        case 6:
            return power_of_two(63) - Integer(below(2));
        case 7:
            return power_of_two(64) - Integer(below(2));
        case 8:
            return power_of_two(64) + uniform_bits(64); // exactly 65 bits
        case 9:
            return all_ones(bits);
        case 10:
            return power_of_two(bits - 1);
        case 11: { // ones at both ends of a long run of zeros
            const int length = 1 + below(bits);
            return power_of_two(length - 1) + number(std::max(1, length / 8));
        }
        default: { // a multiple of a window size, plus or minus one bit
            const int window = 2 + below(7);
            const int length = window * (1 + below(std::max(1, std::min(bits, 256) / window)));
            const int wanted = std::max(1, std::min(bits, length - 1 + below(3)));
            return uniform_bits(wanted) | power_of_two(wanted - 1);
        }
        }
    }

    /// Class 8. Limbs of 8, 32 or 64 bits; the divisor is >= 1.
    DivisionPair hard_division(int bits_dividend, int bits_divisor) {
        const int limb = one_in(3) ? 8 : (one_in(2) ? 32 : 64);
        // A normalised divisor of whole limbs, then any normalising shift.
        const int limbs = 1 + below(std::max(1, (bits_divisor + limb - 1) / limb));
        Integer divisor = one_in(2) ? special_limbs(limb * limbs, limb) : number(limb * limbs);
        const Integer below_top = store_unsigned(divisor, limb * (limbs - 1));
        const std::size_t top_position = std::size_t(limb * (limbs - 1));
        switch (below(4)) {
        case 0:
            divisor = below_top + (power_of_two(limb - 1) << top_position);
            break;
        case 1:
            divisor = below_top + (all_ones(limb) << top_position);
            break;
        case 2: // 0x80..0 and then nearly all ones: the trial quotient is too large by two
            divisor = (power_of_two(limb - 1) << top_position) + all_ones(limb * (limbs - 1)) -
                      (limbs > 1 ? number(limb) : Integer(0));
            break;
        default:
            break;
        }
        divisor = divisor >> std::size_t(below(limb));
        divisor = at_least_one(divisor.bit_width() > bits_divisor
                                   ? divisor >> std::size_t(divisor.bit_width() - bits_divisor)
                                   : divisor);
        const int room = std::max(0, bits_dividend - divisor.bit_width());
        Integer dividend;
        switch (below(5)) {
        case 0: // the dividend's top limbs are the divisor's
            dividend = (divisor << std::size_t(room)) + (room > 0 ? number(room) : Integer(0));
            break;
        case 1: // just below a shifted divisor: a quotient of all ones
            dividend =
                (divisor << std::size_t(room > 0 ? below(room) + 1 : 0)) - 1 - Integer(below(3));
            break;
        case 2: // special quotient limbs, the largest remainder
            dividend = divisor * special_limbs(std::max(1, room), limb) + divisor - 1;
            break;
        case 3: // an exact multiple
            dividend = divisor * number(std::max(1, room));
            break;
        default: // a random remainder under a special quotient
            dividend = divisor * special_limbs(std::max(1, room), limb) +
                       modulo(uniform_bits(divisor.bit_width() + 8), divisor);
            break;
        }
        if (dividend.sign() < 0) {
            dividend = 0;
        }
        return {count(OperandClass::division, fit(dividend, bits_dividend)),
                count(OperandClass::division, divisor)};
    }

    /// Class 9.
    OperandPair gcd_pair(int bits_a, int bits_b) {
        const int narrow = std::min(bits_a, bits_b);
        Integer a, b;
        switch (below(5)) {
        case 0: { // the longest run of Euclid's algorithm
            OperandPair f = fibonacci(index_below(narrow));
            a = one_in(2) ? f.a : f.b;
            b = a == f.a ? f.b : f.a;
            break;
        }
        case 1: { // 2^i - 1 with 2^(i/2) +- 1
            const int i = 1 + below(bits_a);
            a = all_ones(i);
            b = power_of_two(i / 2) + (one_in(2) ? 1 : -1);
            break;
        }
        case 2: // m - 1 with m
            b = at_least_one(number(narrow));
            a = b - 1;
            break;
        case 3: // a much larger than m
            b = at_least_one(number(std::max(1, bits_b / 8)));
            a = number(bits_a) | power_of_two(bits_a - 1);
            break;
        default: { // multiples of consecutive Fibonacci numbers: a large gcd after a long run
            const Integer factor = at_least_one(number(std::max(1, narrow / 3)));
            OperandPair f = fibonacci(index_below(std::max(1, narrow / 2)));
            a = f.a * factor;
            b = f.b * factor;
            break;
        }
        }
        return {count(OperandClass::gcd, fit(a, bits_a)), count(OperandClass::gcd, fit(b, bits_b))};
    }

private:
    static Integer fit(const Integer &a, int bits) { return store_unsigned(a, bits); }
    static Integer at_least_one(const Integer &a) { return a.is_zero() ? Integer(1) : a; }

    Integer count(OperandClass which, Integer a) {
        ++drawn_[std::size_t(which)];
        return a;
    }

    /// bits bits from 64-bit words, each made by `make(i)`.
    template <typename Make>
    static Integer from_words(int bits, Make make) {
        return from_limbs(bits, 64, make);
    }

    /// `bits` bits from limbs of `limb_bits` (8, 32 or 64) bits each, the highest first.
    template <typename Make>
    static Integer from_limbs(int bits, int limb_bits, Make make) {
        std::vector<std::uint64_t> words(std::size_t(bits + 63) / 64 + 1);
        auto *const bytes = reinterpret_cast<unsigned char *>(words.data());
        const int limb_size = limb_bits / 8;
        const int count = (bits + limb_bits - 1) / limb_bits;
        for (int i = 0; i < count; ++i) {
            const std::uint64_t limb = make(i);
            std::memcpy(bytes + std::size_t(count - 1 - i) * std::size_t(limb_size), &limb,
                        std::size_t(limb_size));
        }
        Integer x;
        mpz_import(x.raw(), words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
        return fit(x, bits);
    }

    std::uint64_t special_limb(int limb_bits) {
        const std::uint64_t ones = ~std::uint64_t(0) >> (64 - limb_bits);
        const std::uint64_t power = std::uint64_t(1) << below(limb_bits);
        switch (below(9)) {
        case 0:
            return 0;
        case 1:
            return 1;
        case 2:
            return power - 1;
        case 3:
            return power;
        case 4:
            return (power + 1) & ones;
        case 5:
            return ones;
        case 6:
            return ones - 1;
        case 7:
            return ones >> 1;
        default:
            return (ones >> 1) + 1;
        }
    }

    /// A Fibonacci index whose number has at most about `bits` bits.
    int index_below(int bits) { return 1 + below(std::max(1, static_cast<int>(bits / 0.6943))); }

    /// F(i) and F(i-1).
    static OperandPair fibonacci(int index) {
        OperandPair f;
        mpz_fib2_ui(f.a.raw(), f.b.raw(), static_cast<unsigned long>(index));
        return f;
    }

    std::mt19937_64 engine_;
    std::array<std::uint64_t, operand_class_count> drawn_{};
};

} // namespace test
