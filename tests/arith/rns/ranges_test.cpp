// SPDX-License-Identifier: Apache-2.0
// The ranges of powers in residue number systems (arith/rns/ranges.h), at compile time: a width for
// every number of slots that there is, and the ends of two more.

#include <warpint/arith/rns/ranges.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>

using namespace warpint;

static_assert(rns::ranges_hold<768>());
static_assert(rns::ranges_hold<1024>());
static_assert(rns::ranges_hold<1280>());
static_assert(rns::ranges_hold<1536>());
static_assert(rns::ranges_hold<1792>());
static_assert(rns::ranges_hold<2048>());
static_assert(rns::ranges_hold<2304>());
static_assert(rns::ranges_hold<2560>());
static_assert(rns::ranges_hold<2816>());
static_assert(rns::ranges_hold<3072>());
static_assert(rns::ranges_hold<3328>());
static_assert(rns::ranges_hold<3552>());
static_assert(rns::ranges_hold<3808>());
static_assert(rns::ranges_hold<4064>());
static_assert(rns::ranges_hold<4096>());

namespace {

// Every width has as few slots as the conditions allow.
constexpr bool slots_are_few() {
    for (int bits = rns::least_bits; bits <= rns::most_bits; ++bits) {
        const int slots = rns::slots_for(bits);
        if (slots % 2 == 0 || slots < 7 || slots > 35 || !rns::are_large_enough(4 * slots, bits) ||
            rns::are_large_enough(4 * (slots - 2), bits))
            return false;
    }
    return true;
}
static_assert(slots_are_few());
// 31 * 28 - 1 = 867 bits of a product, 8 of alpha, 5 of the multiple 23; 2107, 8, and 6 of 53.
static_assert(rns::are_large_enough(28, 854) && !rns::are_large_enough(28, 855));
static_assert(rns::are_large_enough(68, 2093) && !rns::are_large_enough(68, 2094));
static_assert(rns::are_large_enough(140, 4324) && !rns::are_large_enough(132, 4096));
static_assert(rns::Bases<768>::multiple == 23 && rns::Bases<2048>::multiple == 53);
static_assert(rns::Bases<4096>::multiple == 107);

static_assert(rns::balanced(3, 7) == 3 && rns::balanced(4, 7) == -3);
static_assert(0u - limb::negative_inverse(5u) == 0xcccccccd && rns::radix_modulo(0x7fffffff) == 2);
static_assert(rns::balanced_digits(0x01020304) == 0x01020304);
static_assert(rns::balanced_digits(-1) == 0xff && rns::balanced_digits(0x80) == 0x180);
static_assert(rns::balanced_digits(0x3fffffff) == 0x40'00'00'ff);
static_assert(rns::Bases<768>::slots == 7 && rns::Bases<832>::slots == 7);
static_assert(rns::Bases<896>::slots == 9 && rns::Bases<1024>::slots == 9);
static_assert(rns::Bases<1280>::slots == 11 && rns::Bases<1536>::slots == 13);
static_assert(rns::Bases<1792>::slots == 15 && rns::Bases<2048>::slots == 17);
static_assert(rns::Bases<2304>::slots == 19 && rns::Bases<2560>::slots == 21);
static_assert(rns::Bases<2816>::slots == 23 && rns::Bases<3072>::slots == 25);
static_assert(rns::Bases<3328>::slots == 27 && rns::Bases<3552>::slots == 29);
static_assert(rns::Bases<3808>::slots == 31 && rns::Bases<4064>::slots == 33);
static_assert(rns::Bases<4096>::slots == 35 && rns::Bases<4096>::k_steps == 18);
// What changes with the channels, and where.
static_assert(!rns::Bases<3072>::carries && rns::Bases<3328>::carries);
static_assert(rns::Bases<3808>::top_bits == 8 && rns::Bases<4064>::top_bits == 9);
static_assert(rns::Bases<1000>::limbs == 32 && rns::Bases<2048>::k_steps == 9);

// The tables and the conversions are constant expressions too: 5 = 5 + 2^765 - 2^765.
constexpr bool converts() {
    rns::Tables<768> tables{};
    rns::compute_tables(tables);
    std::uint32_t modulus[24]{};
    modulus[0] = 7;
    modulus[23] = 1u << 29;
    std::uint32_t words[28]{};
    for (int j = 0; j < 28; ++j) {
        const rns::ConversionOfB &channel = tables.conversions_b[j];
        const std::uint32_t r = rns::residue(modulus, 24, channel.prime);
        words[j] = rns::start_word(channel, r + channel.prime - 2); // the modulus less 2
    }
    std::uint32_t result[24]{};
    rns::set_integer(result, tables, words, modulus);
    std::uint32_t factor[24]{};
    rns::set_montgomery_factor(factor, tables, modulus);
    return result[0] == 5 && result[23] == 1u << 29 && !rns::shares_a_prime(tables, modulus) &&
           factor[23] >> 30 == 0;
}
static_assert(converts());

} // namespace

TEST_CASE("rns: the constants of whole words are those of the matrices, times R") {
    using Base = rns::Bases<1024>;
    const auto tables = std::make_unique<rns::Tables<1024>>();
    rns::compute_tables(*tables);
    const auto is = [](std::int32_t constant, std::int32_t value, std::uint32_t p) {
        const auto prime = std::int64_t{p};
        return 2 * std::abs(std::int64_t{constant}) < prime &&
               (constant - (std::int64_t{value} << 32) % prime) % prime == 0;
    };
    for (int to = 0; to < Base::channels; ++to) {
        const std::uint32_t a = Base::prime_a(to);
        const std::uint32_t b = Base::prime_b(to);
        const auto to_a = rns::extension_column<1024>(rns::primes_of<1024>(true), a, true);
        const auto to_b = rns::extension_column<1024>(rns::primes_of<1024>(false), b, false);
        for (int from = 0; from < Base::channels; ++from) {
            CHECK(is(tables->words_to_a[from][to], to_a.values[4 * from], a));
            CHECK(is(tables->words_to_b[from][to], to_b.values[4 * from], b));
        }
        CHECK(is(tables->alpha_to_a[to], to_a.values[Base::spare_row], a));
    }
}

TEST_CASE("rns: the bounds of the base extensions are as the guide says") {
    for (const bool to_a : {true, false}) {
        CHECK(rns::extension_bounds<2048>(to_a).residue < 1794000000); // 2^30.74
        // The widest without the carry, and with it.
        CHECK(rns::extension_bounds<3072>(to_a).residue < 2132000000); // 2^30.99
        CHECK(rns::extension_bounds<4096>(to_a).residue < 1191000000); // 2^30.15
        CHECK(rns::extension_bounds<4096>(to_a).high < 1 << 30);
    }
    CHECK_FALSE(rns::ExtensionBounds{0, 0, std::int64_t{1} << 31}.hold());
}
