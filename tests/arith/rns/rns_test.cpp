// SPDX-License-Identifier: Apache-2.0
// Powers in residue number systems (arith/rns) against GMP, at a width for every number of slots:
// bases, matrices and their extremes, conversions, products and complete powers of the model.

#include "model.h"
#include "support/modular_operands.h"
#include "support/property.h"

#include <doctest/doctest.h>

#include <string>

using namespace rns_model;
namespace rns = warpint::rns;

namespace {

// For each width, with a source of numbers of its own.
template <class Function>
void at_widths(const char *name, const Function &check) {
    for (const Width &width : widths()) {
        CAPTURE(width.bits);
        test::NumberSource source(test::property_seed(name, width.bits));
        check(width, source);
    }
}

Integer prime_of(const Width &width, int i) { // of both bases
    const auto channel = static_cast<std::size_t>(i % width.channels);
    return i < width.channels ? width.in_a[channel].prime : width.in_b[channel].prime;
}

bool has_a_prime(const Width &width, const Integer &n) {
    return greatest_common_divisor(n, width.product_a * width.product_b) != Integer(1);
}

// An odd modulus that powers in residue number systems take, of every kind and length.
Integer draw_modulus(const Width &width, test::NumberSource &source) {
    for (;;) {
        Integer n;
        switch (source.below(6)) {
        case 0:
            n = test::store_unsigned(special_modulus(source, width.bits), width.bits);
            break;
        case 1:
            n = source.uniform_bits(1 + source.below(width.bits));
            break;
        case 2:
            n = source.number(1 + source.below(width.bits));
            break;
        case 3: // the top bit set
            n = source.uniform_bits(width.bits) | test::power_of_two(width.bits - 1);
            break;
        default:
            n = source.number(width.bits);
        }
        n = n | Integer(1);
        if (!has_a_prime(width, n))
            return n;
    }
}

std::vector<Integer> special_moduli(const Width &width) {
    const Integer all = test::all_ones(width.bits);
    return {1,
            3,
            5,
            all,
            test::power_of_two(width.bits - 1) + Integer(1),
            test::power_of_two(width.bits - 5) - Integer(1),
            test::power_of_two(32) + Integer(1)};
}

Integer number_of(const Words &limbs) {
    return test::unsigned_from_limbs(limbs.data(), static_cast<int>(limbs.size()));
}

} // namespace

TEST_CASE("rns: the bases are the largest primes below 2^31") {
    at_widths("bases", [](const Width &width, test::NumberSource &) {
        Integer below = test::power_of_two(31);
        int missing = 0;
        for (int i = 0; i < 2 * width.channels; ++i) {
            const Integer p = prime_of(width, i);
            for (below -= 1; below > p; below -= 1)
                missing += mpz_probab_prime_p(below.raw(), 20) != 0;
            missing += mpz_probab_prime_p(p.raw(), 20) == 0 || p != below;
        }
        CHECK(missing == 0);
        // What ranges.h derives of the products.
        CHECK(width.product_a >= Integer(width.multiple) * Integer(width.multiple)
                                     << static_cast<std::size_t>(32 * width.limbs));
        CHECK(width.product_b >= Integer(256 * width.multiple)
                                     << static_cast<std::size_t>(32 * width.limbs));
    });
}

namespace {

template <int... Bits>
void check_orders() {
    const auto check = [](const auto &tables, int slots) {
        for (const auto *matrix : {&tables.matrix_to_a, &tables.matrix_to_b})
            CHECK(rns_model::unpacked((*matrix)[0], slots) ==
                  rns_model::unpacked_of_groups((*matrix)[1], slots));
    };
    (check(rns_model::tables<Bits>(), rns::Bases<Bits>::slots), ...);
}

} // namespace

TEST_CASE("rns: a matrix is the same in both orders") {
    // Resident ones; streamed ones whose last chunk is shorter, as long, and longer.
    check_orders<768, 1024, 2048, 2304, 2560, 3072, 3584, 4096>();
    // Kernels take resident ones whole, step after step.
    for (int slots = 7; slots <= rns::most_resident_slots; slots += 2) {
        for (int slot = 0; slot < slots; ++slot) {
            const rns::GroupChunk chunk = rns::group_chunk(slots, slot);
            CHECK(chunk.first == 0);
            CHECK(chunk.count == slots);
        }
    }
}

TEST_CASE("rns: extensions are exact for any bytes, and stay in their ranges at the extremes") {
    at_widths("extensions", [](const Width &width, test::NumberSource &source) {
        for (const bool to_a : {true, false}) {
            CAPTURE(to_a);
            const std::vector<Integer> &cofactors = to_a ? width.cofactors_b : width.cofactors_a;
            const std::vector<std::int8_t> &digits = to_a ? width.to_a : width.to_b;
            const auto rows = static_cast<std::size_t>(width.rows);
            const auto channels = static_cast<std::size_t>(width.channels);
            for (int run = 0; run < 40; ++run) {
                Words words(channels);
                int alpha = to_a ? source.below(256) - 128 : 0;
                const auto target = static_cast<std::size_t>(source.below(width.channels));
                if (run >= 4) { // what makes one half of one channel's sum largest or smallest
                    const bool upper = run % 2 != 0;
                    const bool most = run / 2 % 2 != 0;
                    const auto half = [&](std::size_t row) {
                        const std::size_t first = (4 * target + (upper ? 2 : 0)) * rows + row;
                        const int sum = digits[first] + 256 * digits[first + rows];
                        return most == (sum > 0);
                    };
                    for (std::size_t row = 0; row < 4 * channels; ++row) {
                        if (half(row))
                            words[row / 4] |= 255u << 8 * (row % 4);
                    }
                    if (to_a)
                        alpha = half(4 * channels) ? 127 : -128;
                } else {
                    for (std::uint32_t &word : words)
                        word = run == 0   ? 0
                               : run == 1 ? ~0u
                                          : static_cast<std::uint32_t>(source.word());
                }
                const std::uint32_t spare =
                    to_a ? static_cast<std::uint32_t>(alpha + 128) | 0x80800100u
                         : rns::spare_word_of_quotient;
                const std::vector<std::int32_t> result = extended(width, to_a, words, spare);
                Integer value = -(width.product_b * alpha);
                for (std::size_t i = 0; i < channels; ++i)
                    value += cofactors[i] * (std::int64_t{words[i]} - (std::int64_t{1} << 31));
                int wrong = 0;
                for (int i = 0; i < width.channels; ++i) {
                    const Integer difference = value - result[static_cast<std::size_t>(i)];
                    wrong += !modulo(difference, prime_of(width, to_a ? i : width.channels + i))
                                  .is_zero();
                }
                CHECK(wrong == 0);
            }
        }
    });
}

TEST_CASE("rns: alpha is exact where the top bits lose nothing, or the most") {
    at_widths("alpha", [](const Width &width, test::NumberSource &source) {
        int wrong = 0;
        for (int run = 0; run < 64; ++run) {
            // Residues whose bits below the top eight are all 0, or all 1, with a sum near a
            // multiple of 2^31; and then up to P_B / 256 from it.
            const std::int64_t low = run % 2 == 0 ? 0 : (1 << 24) - 1;
            std::vector<std::int64_t> residues;
            int tops = run % 2 == 0 ? 0 : width.channels;
            for (int j = 1; j < width.channels; ++j) {
                const int top = run < 32 ? source.below(128) - 64 : source.below(64);
                residues.push_back(top * (std::int64_t{1} << 24) + low);
                tops += top;
            }
            const int missing = 64 - (tops + 64 + 128 * width.channels) % 128;
            const std::int64_t offset = run % 8 < 4 ? 0 : run % 4 < 2 ? 8100000 : -8100000;
            residues.push_back(missing * (std::int64_t{1} << 24) + low + offset);
            Words words;
            Integer sum;
            for (std::size_t j = 0; j < residues.size(); ++j) {
                words.push_back(static_cast<std::uint32_t>(residues[j]) + rns::word_bias);
                sum += width.cofactors_b[j] * residues[j];
            }
            const Integer z = value_of(width, words);
            const Integer alpha = (sum - z) / width.product_b;
            wrong += abs(z) * Integer(256) > width.product_b;
            wrong += Integer(width.spare(words)) != alpha + Integer(128 + 0x80800100LL);
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: squares and products leave residues in their ranges") {
    test::NumberSource source(test::property_seed("quotients", 64));
    const Width &width = widths().back();
    int wrong = 0;
    for (long run = 0; run < test::scaled(300000); ++run) {
        const rns::Channel &c = width.b[static_cast<std::size_t>(source.below(width.channels))];
        const std::int64_t p = c.prime;
        const Integer radix = test::power_of_two(32);
        // Any residue, the largest, and what is next to an odd multiple of p / 2 once multiplied.
        const auto residue = [&] {
            if (source.one_in(8))
                return source.one_in(2) ? INT32_MAX - source.below(3)
                                        : -INT32_MAX + source.below(3);
            return static_cast<std::int32_t>(source.word());
        };
        const auto factor = [&] {
            const auto largest = static_cast<std::int32_t>(p / 2);
            if (source.one_in(4))
                return source.one_in(2) ? largest - source.below(3) : source.below(3) - largest;
            return rns::balanced(static_cast<std::uint32_t>(source.word() % c.prime), c.prime);
        };
        std::int32_t x = residue();
        const std::int32_t y = residue();
        const std::int32_t e = factor();
        const std::int32_t f = factor();
        if (source.one_in(4) && e != 0) {
            const std::uint32_t inverse = rns::inverse_mod(
                static_cast<std::uint32_t>(e < 0 ? e + p : std::int64_t{e}), c.prime);
            const auto half = static_cast<std::uint32_t>(p / 2 - 2 + source.below(5));
            x = rns::balanced(
                rns::mul_mod(half, rns::mul_mod(inverse, rns::radix_modulo(c.prime), c.prime),
                             c.prime),
                c.prime);
        }
        x = x == INT32_MIN ? 0 : x; // more than -2^31
        const auto size = [](std::int32_t r) { return r < 0 ? -std::int64_t{r} : r; };
        const auto is_square = [&](std::int32_t r, std::int32_t of) {
            return size(r) << 18 <= (p << 17) + p && size(r) < rns::square_limit &&
                   modulo(Integer(of) * of - r, p).is_zero();
        };
        const auto is_product = [&](std::uint32_t word, const Integer &t) {
            const std::int32_t r = rns::residue_of_word(word);
            return size(r) < p &&
                   Integer(2) * (Integer(size(r)) - 1) * radix <=
                       Integer(2) * abs(t) + Integer(p) * radix &&
                   modulo(t - Integer(r) * radix, p).is_zero();
        };
        const rns::Biases biases;
        const rns::Reduction reduction{c.prime, c.inverse};
        wrong +=
            !is_square(rns::square(rns::word_of_residue(x), c.negative_prime, c.reciprocal), x);
        wrong += !is_product(reduction.multiply(x, e, biases), Integer(x) * e);
        wrong += !is_product(reduction.multiply_two(x, e, y, f, biases),
                             Integer(x) * e + Integer(y) * f);
    }
    CHECK(wrong == 0);
}

TEST_CASE("rns: residues by folding are exact") {
    at_widths("residues", [](const Width &width, test::NumberSource &source) {
        const auto word = [&] {
            return source.one_in(3) ? ~static_cast<std::uint32_t>(source.below(4))
                                    : static_cast<std::uint32_t>(source.word());
        };
        int wrong = 0;
        for (int i = 0; i < 2 * width.channels; ++i) {
            const auto p = static_cast<std::uint32_t>(prime_of(width, i).to_uint64());
            const int n = i < 4 ? i : 1 + source.below(width.limbs);
            Words limbs(static_cast<std::size_t>(n));
            for (std::uint32_t &limb : limbs)
                limb = source.one_in(2) ? ~0u : word();
            wrong += Integer(rns::residue(limbs.data(), n, p)) != modulo(number_of(limbs), p);
            for (const std::uint32_t a : {word(), p, p - 1, p + 1, 0u, 1u}) {
                const std::uint32_t b = word();
                wrong += rns::multiply_residues(a, b, p) != rns::mul_mod(a, b, p);
                const std::uint32_t inverse = rns::detail::folded_inverse(a, p);
                wrong += rns::mul_mod(inverse, a, p) != (a % p == 0 ? 0 : 1);
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: representatives of residues lie in their ranges") {
    at_widths("representatives", [](const Width &width, test::NumberSource &source) {
        int wrong = 0;
        for (int i = 0; i < 2 * width.channels; ++i) {
            const auto p = static_cast<std::uint32_t>(prime_of(width, i).to_uint64());
            const auto k = static_cast<std::size_t>(i % width.channels);
            const rns::Channel &channel = (i < width.channels ? width.a : width.b)[k];
            wrong += channel.prime != p || p * channel.inverse != 1;
            wrong += Integer(rns::radix_modulo(p)) != modulo(test::power_of_two(32), p);
            const auto random = static_cast<std::uint32_t>(source.word() % p);
            for (const std::uint32_t a : {0u, 1u, p / 2, p / 2 + 1, p - 1, random}) {
                wrong += rns::balanced(a, p) != std::int64_t{a} - (a > (p - 1) / 2 ? p : 0);
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: conversions and the constants of a modulus") {
    at_widths("conversions", [](const Width &width, test::NumberSource &source) {
        for (int run = 0; run < 12; ++run) {
            const Integer n = draw_modulus(width, source);
            const Integer y = source.number(width.bits);
            const Modulus modulus = make_modulus(width, n);
            const Words limbs = limbs_of(y, width.limbs);
            const Entry entry = make_entry(width, modulus, limbs);
            const Words words = start(width, limbs);
            CHECK(value_of(width, words) == y);
            const Integer radix = test::power_of_two(32);
            int wrong = 0;
            for (int i = 0; i < width.channels; ++i) {
                const auto k = static_cast<std::size_t>(i);
                const Integer a = prime_of(width, i);
                const Integer b = prime_of(width, width.channels + i);
                const Integer g = inverse_or_zero(-n * width.cofactors_a[k], a);
                const Integer to_b = inverse_or_zero(width.product_a * width.cofactors_b[k], b);
                const auto differs = [&](std::int32_t factor, const Integer &expected,
                                         const Integer &p) {
                    return abs(Integer(factor)) * 2 >= p ||
                           modulo(Integer(factor) - expected * radix, p) != Integer(0);
                };
                wrong += differs(modulus.one_a[k], g, a);
                wrong += differs(modulus.quotient_b[k], n * to_b, b);
                wrong += differs(entry.a[k], g * y, a);
                wrong += differs(entry.b[k], y * inverse_or_zero(width.product_a, b), b);
            }
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("rns: P_A^2 modulo moduli of every length") {
    at_widths("montgomery factor", [](const Width &width, test::NumberSource &source) {
        const Integer square = width.product_a * width.product_a;
        const auto check = [&](const Integer &n) {
            Words limbs = limbs_of(n, width.limbs);
            Words result(limbs.size(), 0xa5a5a5a5u);
            width.montgomery_factor(result.data(), limbs.data());
            const Integer expected = modulo(square, n);
            width.montgomery_factor(limbs.data(), limbs.data()); // in place
            return number_of(result) == expected && number_of(limbs) == expected;
        };
        int wrong = 0;
        const int steps = width.bits > 2048 ? 8 : 1;
        for (int length = 1; length <= width.bits; length += 1 + source.below(steps))
            wrong += !check(source.uniform_bits(length - 1) | test::power_of_two(length - 1));
        for (int run = 0; run < 200; ++run) {
            Integer n = source.number(width.bits);
            if (run % 4 == 0) // quotient digits are estimated 2 too large
                n = test::power_of_two(width.bits - 1) + test::all_ones(width.bits - 32) -
                    source.number(width.bits - 64);
            if (run % 4 == 1) { // what remains of the upper limbs begins as the modulus does
                const int below = (square.bit_width() - width.bits - 1) / 32 * 32;
                const Integer upper = square >> static_cast<std::size_t>(below);
                const Integer least = upper >> static_cast<std::size_t>(width.bits);
                const Integer k = least + Integer(1) + source.uniform_bits(least.bit_width() - 1);
                n = (upper + k) / k;
            }
            wrong += !n.is_zero() && n.bit_width() <= width.bits && !check(n);
        }
        for (const Integer &n : special_moduli(width))
            wrong += !check(n);
        CHECK(wrong == 0);
        Words zero(static_cast<std::size_t>(width.limbs)); // it ends
        width.montgomery_factor(zero.data(), zero.data());
    });
}

TEST_CASE("rns: the way back from every multiple of the modulus") {
    at_widths("way back", [](const Width &width, test::NumberSource &source) {
        std::vector<Integer> moduli = special_moduli(width);
        for (int run = 0; run < 4; ++run)
            moduli.push_back(draw_modulus(width, source));
        int wrong = 0;
        for (const Integer &n : moduli) {
            const Words limbs = limbs_of(n, width.limbs);
            for (int k = -width.multiple; k <= width.multiple; k += 1 + source.below(3)) {
                const Integer offset[] = {0, 1, -1, modulo(source.number(width.bits), n)};
                const Integer z = n * k + offset[source.below(4)];
                if (abs(z) > n * width.multiple)
                    continue;
                Words result(limbs.size());
                width.integer(result.data(), words_of(width, z).data(), limbs.data());
                wrong += number_of(result) != modulo(z, n);
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: the way back from beside moduli whose top limbs are nearly all ones") {
    at_widths("long moduli", [](const Width &width, test::NumberSource &source) {
        const Integer end = test::power_of_two(width.bits);
        int wrong = 0;
        for (int run = 0; run < 500; ++run) {
            // The quotient of z is so near to an integer that its estimate may be below that; then
            // z less its multiple of N has a limb more than N.
            const Integer n = end - ((Integer(1 + source.below(1 << 16))
                                      << static_cast<std::size_t>(width.bits - 64)) +
                                     source.number(width.bits - 64));
            const Integer z = n * (1 + source.below(width.multiple - 1)) + (end - n) +
                              source.number(1 + source.below(width.bits - 64));
            const Words limbs = limbs_of(n, width.limbs);
            Words result(limbs.size());
            width.integer(result.data(), words_of(width, z).data(), limbs.data());
            wrong += number_of(result) != modulo(z, n);
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: moduli that share a prime with the bases are found") {
    at_widths("shared primes", [](const Width &width, test::NumberSource &source) {
        const auto shares = [&](const Integer &n) {
            return width.shares(limbs_of(n, width.limbs).data());
        };
        int wrong = 0;
        for (int i = 0; i < 2 * width.channels; ++i) {
            const Integer p = prime_of(width, i);
            wrong += !shares(p);
            wrong += !shares(p * ((test::all_ones(width.bits) / p) - source.below(1000)));
        }
        Integer many(1); // as many primes as fit, from any place
        for (int i = source.below(width.channels);
             (many * prime_of(width, i)).bit_width() <= width.bits; ++i)
            many *= prime_of(width, i);
        wrong += !shares(many);
        for (int run = 0; run < 20; ++run) {
            const Integer n = source.number(width.bits) | Integer(1);
            wrong += shares(n) != has_a_prime(width, n);
        }
        for (const Integer &n : special_moduli(width))
            wrong += shares(n);
        CHECK(wrong == 0);
        CHECK(shares(test::all_ones(width.bits / 31 * 31))); // a multiple of 2^31 - 1
        CHECK_THROWS(power(width, 2, 3, many));
    });
}

TEST_CASE("rns: Montgomery products, exactly") {
    at_widths("products", [](const Width &width, test::NumberSource &source) {
        std::vector<Integer> moduli = special_moduli(width);
        for (long run = 0, runs = test::scaled(6); run < runs; ++run)
            moduli.push_back(draw_modulus(width, source));
        int wrong = 0;
        for (const Integer &n : moduli) {
            const Modulus modulus = make_modulus(width, n);
            // A start that need not be below N, times the factor into Montgomery form; from there
            // on squares, and products with entries of states.
            Integer z = source.one_in(3) ? test::all_ones(width.bits) : source.number(width.bits);
            Words state = start(width, limbs_of(z, width.limbs));
            Integer y = number_of(modulus.factor);
            Entry entry = make_entry(width, modulus, modulus.factor);
            for (int step = 0; step < 24; ++step) {
                Words quotient;
                const bool squares = step % 3 != 0;
                const Words next = squares ? square(width, modulus, state, &quotient)
                                           : product(width, modulus, state, entry, &quotient);
                Integer q;
                for (std::size_t i = 0; i < quotient.size(); ++i)
                    q += width.cofactors_a[i] *
                         (std::int64_t{quotient[i]} - (std::int64_t{1} << 31));
                const Integer scaled = z * (squares ? z : y) + q * n;
                const Integer expected = scaled / width.product_a;
                wrong += expected * width.product_a != scaled; // P_A divides it
                wrong += value_of(width, next) != expected;
                wrong += abs(expected) > n * width.multiple;
                z = expected;
                state = next;
                if (step % 3 == 1) {
                    y = z;
                    entry = entry_of_state(width, modulus, state);
                }
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: states at the ends of their range") {
    at_widths("ends", [](const Width &width, test::NumberSource &source) {
        int wrong = 0;
        for (int run = 0; run < 8; ++run) {
            const Integer n = run < 2 ? special_moduli(width)[std::size_t(3 - 2 * run)]
                                      : draw_modulus(width, source);
            const Modulus modulus = make_modulus(width, n);
            for (const int k : {-width.multiple, width.multiple}) {
                const Integer z = n * k;
                const Words state = words_of(width, z);
                const Words next = square(width, modulus, state);
                wrong += abs(value_of(width, next)) > n * width.multiple;
                const Integer r = value_of(
                    width, product(width, modulus, state, entry_of_state(width, modulus, state)));
                wrong += abs(r) > n * width.multiple || !modulo(r, n).is_zero();
                wrong += !modulo(value_of(width, next), n).is_zero();
            }
        }
        CHECK(wrong == 0);
    });
}

TEST_CASE("rns: complete powers") {
    at_widths("powers", [](const Width &width, test::NumberSource &source) {
        int wrong = 0;
        const auto check = [&](const Integer &x, const Integer &e, const Integer &n) {
            const bool right = power(width, x, e, n) == power_modulo(x, e, n);
            if (!right && wrong++ == 0)
                FAIL_CHECK("x = " << x << ", e = " << e << ", N = " << n);
        };
        const Integer all = test::all_ones(width.bits);
        for (const Integer &n : special_moduli(width)) {
            check(all, 65537, n); // x is not below N
            check(source.number(width.bits), source.uniform_bits(70), n);
            check(n - Integer(1), 1, n);
            check(n, 5, n); // 0, as N
            check(0, 0, n); // 1 modulo N
            check(all, 0, n);
        }
        // The longest exponent; in short runs not above 2048 bits.
        const int longest = width.bits <= test::scaled(2048) ? width.bits : 256;
        check(all - Integer(2), test::all_ones(longest), all);
        for (long run = 0, runs = test::scaled(width.bits > 2048 ? 2 : 6); run < runs; ++run) {
            const Integer n = draw_modulus(width, source);
            check(related_to_modulus(source, width.bits, n),
                  test::store_unsigned(special_exponent(source, 128, n), 128), n);
            check(source.number(width.bits), source.number(160), n);
        }
        const Integer n = draw_modulus(width, source);
        check(source.number(width.bits), source.number(longest), n);
    });
}
