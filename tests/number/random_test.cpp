// SPDX-License-Identifier: Apache-2.0
// Random numbers: Philox against the known answers of its authors, and the range, uniformity and
// reproducibility of random_bits and random_below with generators of every shape of range.

#include "support/integer.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>
#include <warpint/random.h>

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using test::Integer;
using test::to_integer;
using warpint::BigInt;
using warpint::Philox;
using warpint::random_below;
using warpint::random_bits;
using warpint::SignedBigInt;

static_assert(std::uniform_random_bit_generator<Philox>);
static_assert(std::same_as<Philox::result_type, std::uint32_t>);

// ---- in constant expressions --------------------------------------------------------------------

constexpr bool block_is(const std::uint32_t (&counter)[4], const std::uint32_t (&key)[2],
                        const std::uint32_t (&expected)[4]) {
    const Philox::Block block = Philox::block(counter, key);
    for (int i = 0; i < 4; ++i) {
        if (block.values[i] != expected[i])
            return false;
    }
    return true;
}

// The known answers of philox4x32, 10 rounds, in the Random123 distribution (kat_vectors).
constexpr std::uint32_t ones = 0xffffffff;
static_assert(block_is({0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
static_assert(block_is({ones, ones, ones, ones}, {ones, ones},
                       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
static_assert(block_is({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
                       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

constexpr std::uint32_t output(std::uint64_t key, std::uint64_t stream, unsigned long long index) {
    Philox generator(key, stream);
    generator.discard(index);
    return generator();
}
static_assert(output(0, 0, 0) == 0x6627e8d5 && output(0, 0, 3) == 0x9b00dbd8);
// Counter and key are filled lowest half first, the stream above the block's number.
static_assert(output(0x299f31d0a4093822, 0x0370734413198a2e, 0) !=
              output(0x299f31d0a4093822, 0x0370734413198a2e, 1));
static_assert(output(~0ull, ~0ull, ~0ull) != output(0, 0, 0));

constexpr BigInt<131> drawn = random_bits<131>(Philox(7));
constexpr BigInt<131> below = random_below(BigInt<131>(1'000'003), Philox(7));
static_assert(below < 1'000'003);

// ---- generators of odd ranges -------------------------------------------------------------------

/// A generator of uniform numbers in [Smallest, Largest].
template <typename Result, Result Smallest, Result Largest>
class Ranged {
public:
    using result_type = Result;
    explicit Ranged(std::uint64_t seed) : engine_(seed) {}
    static constexpr Result min() { return Smallest; }
    static constexpr Result max() { return Largest; }
    Result operator()() {
        return std::uniform_int_distribution<std::uint64_t>(Smallest, Largest)(engine_);
    }

private:
    std::mt19937_64 engine_;
};

/// Gives the numbers it was told to.
struct Told {
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 10; }
    static constexpr result_type max() { return 15; } // six results: two bits, or a new draw
    result_type operator()() { return numbers.at(next++); }

    std::vector<result_type> numbers;
    std::size_t next = 0;
};

/// Counts calls.
template <typename Generator>
struct Counted {
    using result_type = typename Generator::result_type;
    static constexpr result_type min() { return Generator::min(); }
    static constexpr result_type max() { return Generator::max(); }
    result_type operator()() {
        ++calls;
        return generator();
    }

    Generator generator;
    long calls = 0;
};

// ---- statistics ---------------------------------------------------------------------------------

/// Chi-squared of counts that should all be equal.
double chi_squared(const std::vector<long> &counts) {
    long total = 0;
    for (long count : counts)
        total += count;
    const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
    double sum = 0;
    for (long count : counts) {
        const double difference = static_cast<double>(count) - expected;
        sum += difference * difference / expected;
    }
    return sum;
}

/// True if chi-squared is within six standard deviations of its mean; seeds are fixed, so the
/// answer never changes.
bool looks_uniform(const std::vector<long> &counts) {
    const double degrees = static_cast<double>(counts.size()) - 1;
    const double deviation = (chi_squared(counts) - degrees) / std::sqrt(2 * degrees);
    return deviation < 6 && deviation > -6;
}

/// Every residue occurs, equally often, and nothing else does.
template <typename Number, typename Generator>
void check_below(int bound, Generator &&generator) {
    CAPTURE(bound);
    std::vector<long> counts(static_cast<std::size_t>(bound), 0);
    for (int i = 0; i < 200 * bound; ++i) {
        const auto x = random_below(Number(bound), generator);
        REQUIRE(to_integer(x) < bound);
        ++counts[static_cast<std::size_t>(to_integer(x).to_uint64())];
    }
    for (long count : counts)
        CHECK(count > 0);
    if (bound > 1)
        CHECK(looks_uniform(counts));
}

/// Every bit of random_bits is set in half of the numbers, and differs from the one below it in
/// half of them; over all bits the deviations look like chance.
template <int Bits, typename Generator>
void check_bits(Generator &&generator, int count) {
    CAPTURE(Bits);
    std::vector<long> set(Bits, 0), changes(Bits, 0);
    for (int i = 0; i < count; ++i) {
        const BigInt<Bits> x = random_bits<Bits>(generator);
        REQUIRE(test::fits_unsigned(to_integer(x), Bits));
        for (int bit = 0; bit < Bits; ++bit) {
            set[static_cast<std::size_t>(bit)] += test_bit(x, bit);
            changes[static_cast<std::size_t>(bit)] +=
                bit > 0 && test_bit(x, bit) != test_bit(x, bit - 1);
        }
    }
    double sum = 0; // of squared normal deviates, one per bit
    for (int bit = 0; bit < Bits; ++bit) {
        CAPTURE(bit);
        const auto deviation = [count](long times) {
            return (2.0 * static_cast<double>(times) - count) / std::sqrt(count);
        };
        const double d = deviation(set[static_cast<std::size_t>(bit)]);
        CHECK(d < 6);
        CHECK(d > -6);
        sum += d * d;
        if (bit > 0) {
            CHECK(deviation(changes[static_cast<std::size_t>(bit)]) < 6);
            CHECK(deviation(changes[static_cast<std::size_t>(bit)]) > -6);
        }
    }
    CHECK((sum - Bits) / std::sqrt(2.0 * Bits) < 7);
    CHECK((sum - Bits) / std::sqrt(2.0 * Bits) > -7);
}

template <typename Generator>
void check_generator(Generator generator) {
    check_bits<1>(generator, 4000);
    check_bits<33>(generator, 4000);
    check_bits<131>(generator, 2000);
    for (int bound : {1, 2, 3, 5, 10, 100})
        check_below<BigInt<7>>(bound, generator);
}

} // namespace

TEST_CASE("Philox: known answers") {
    // At run time too, where other code may run.
    std::uint32_t counter[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    std::uint32_t key[2] = {0xa4093822, 0x299f31d0};
    CHECK(block_is(counter, key, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    // The generator's block is the function of (number of the block, stream) and key.
    Philox generator(0x299f31d0a4093822, 0x0370734413198a2e);
    for (std::uint32_t number = 0; number < 3; ++number) {
        counter[0] = number;
        counter[1] = 0;
        const Philox::Block block = Philox::block(counter, key);
        for (std::uint32_t value : block.values)
            CHECK(generator() == value);
    }
    // [rand.predef] of C++26: the 10000th number of a default std::philox4x32.
    Philox standard(20111115);
    standard.discard(9999);
    CHECK(standard() == 1955073260);
}

TEST_CASE("Philox: discard is stepping") {
    for (unsigned long long first : {0, 1, 2, 3, 4, 5, 7, 100}) {
        for (unsigned long long count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 1001}) {
            Philox stepped(3, 9), jumped(3, 9);
            for (unsigned long long i = 0; i < first + count; ++i)
                static_cast<void>(stepped());
            for (unsigned long long i = 0; i < first; ++i)
                static_cast<void>(jumped());
            jumped.discard(count);
            CHECK(jumped == stepped);
            for (int i = 0; i < 9; ++i)
                CHECK(jumped() == stepped());
            CHECK(jumped == stepped);
        }
    }
    Philox far(1), step_by_step(1);
    far.discard(~0ull);
    far.discard(2);
    for (int i = 0; i < 4; ++i)
        step_by_step.discard(1ull << 62);
    step_by_step.discard(1);
    CHECK(far == step_by_step); // 2^64 + 1 outputs in
    CHECK(far() == step_by_step());
    CHECK(far != Philox(1));
}

TEST_CASE("Philox: keys and streams are sequences of their own") {
    CHECK(Philox(1) == Philox(1, 0));
    CHECK(Philox(1) != Philox(2));
    CHECK(Philox(1, 1) != Philox(1, 2));
    std::set<std::uint32_t> seen;
    for (std::uint64_t stream = 0; stream < 50; ++stream) {
        for (std::uint64_t key : {stream, stream << 32}) {
            Philox a(key, 77), b(77, key);
            seen.insert({a(), a(), a(), a(), b(), b(), b(), b()});
        }
    }
    CHECK(seen.size() >= 99 * 8 - 2); // key 0 twice; 10^6 / 2^33 chance collisions
}

TEST_CASE("how results are cut into bits") {
    using warpint::number::choose_buckets;
    const auto is = [](std::uint64_t largest, int bits, std::uint64_t size) {
        const auto buckets = choose_buckets(largest);
        return buckets.bits == bits && buckets.size == size;
    };
    CHECK(is(~0ull, 64, 1));
    CHECK(is(0xffffffff, 32, 1));
    CHECK(is((1ull << 48) - 1, 32, 1 << 16)); // the upper bits
    CHECK(is(1, 1, 1));
    CHECK(is(2, 1, 1));
    CHECK(is(6, 2, 1));
    CHECK(is(255, 8, 1));
    for (std::uint64_t largest :
         {1ull, 2ull, 99ull, 2147483645ull, 1ull << 40, ~0ull - 1, ~0ull >> 1}) {
        CAPTURE(largest);
        const auto buckets = choose_buckets(largest);
        CHECK(buckets.size >= 1);
        CHECK(buckets.size - 1 <= largest >> buckets.bits); // all buckets are within the results
        // Not more than half of the results are drawn again.
        CHECK((buckets.size << buckets.bits) - 1 >= largest / 2);
    }
}

TEST_CASE("results outside the buckets are drawn again") {
    // Told has six results: [10, 13] are the two-bit numbers 0 to 3, 14 and 15 are none of them.
    Told told{{14, 11, 15, 15, 10, 13, 12, 10, 10, 14, 10, 10, 10, 10, 10, 10, 10, 10, 10, 13}};
    const auto buckets = warpint::number::choose_buckets(5);
    REQUIRE(buckets.bits == 2);
    // lowest first: 1, 0, 3, 2, 0 ... 0, 3
    CHECK(random_bits<32>(told) == (1u | 3u << 4 | 2u << 6 | 3u << 30));
    CHECK(told.next == 20);
}

TEST_CASE("full-range generators are used as they are") {
    std::mt19937_64 wide(5), wide_again(5);
    CHECK(random_bits<64>(wide) == wide_again());
    const BigInt<128> two = random_bits<128>(wide);
    CHECK(extract_bits<64>(two, 0) == wide_again());
    CHECK(extract_bits<64>(two, 64) == wide_again());
    std::mt19937 narrow(5), narrow_again(5);
    CHECK(random_bits<32>(narrow) == narrow_again());
    const BigInt<64> halves = random_bits<64>(narrow);
    CHECK(extract_bits<32>(halves, 0) == narrow_again());
    CHECK(extract_bits<32>(halves, 32) == narrow_again());
    CHECK(random_bits<7>(narrow) == narrow_again() >> 25); // the upper bits
    Philox element(1, 2), element_again(1, 2);
    const BigInt<160> five = random_bits<160>(element);
    for (int i = 0; i < 5; ++i)
        CHECK(five.limbs[i] == element_again());
}

TEST_CASE("uniform with every shape of generator") {
    check_generator(Philox(2024));
    check_generator(std::mt19937(1));
    check_generator(std::mt19937_64(1));
    check_generator(std::minstd_rand(1)); // [1, 2^31 - 2]
    check_generator(std::ranlux24(1));    // 24 bits
    check_generator(std::ranlux48(1));    // 48 bits
    check_generator(std::knuth_b(1));
    check_generator(Ranged<std::uint64_t, 0, 1>(1));
    check_generator(Ranged<std::uint64_t, 5, 7>(1));
    check_generator(Ranged<std::uint32_t, 0, 0xfffffffe>(1));
    check_generator(Ranged<std::uint64_t, 1, ~0ull>(1));
    check_generator(Ranged<std::uint64_t, 1000, (1ull << 40) + 1234>(1));
    check_generator(Ranged<unsigned short, 3, 40000>(1));
}

TEST_CASE("random_bits of every width") {
    check_bits<7>(Philox(1), 2000);
    check_bits<31>(Philox(2), 2000);
    check_bits<32>(Philox(3), 2000);
    check_bits<64>(Philox(4), 2000);
    check_bits<96>(Philox(5), 2000);
    check_bits<256>(Philox(6), 1000);
    check_bits<521>(Philox(7), 1000);
    check_bits<2048>(Philox(8), 500);
    check_bits<32768>(Philox(9), 100);
    check_bits<2048>(std::mt19937_64(9), 500);
    check_bits<521>(std::minstd_rand(9), 500);
}

TEST_CASE("random_below of small bounds, uniform at every width and type of bound") {
    Philox generator(11);
    for (int bound : {1, 2, 3, 4, 7, 8, 9, 31, 64, 65, 100})
        check_below<BigInt<7>>(bound, generator);
    for (int bound : {1, 6, 129, 1000}) {
        check_below<BigInt<33>>(bound, generator);
        check_below<BigInt<256>>(bound, generator);
        check_below<SignedBigInt<131>>(bound, generator);
        check_below<BigInt<2048>>(bound, generator);
        check_below<int>(bound, generator);
        check_below<std::uint64_t>(bound, generator);
    }
    check_below<BigInt<1>>(1, generator);
    static_assert(std::same_as<decltype(random_below(6, generator)), BigInt<32>>);
    static_assert(std::same_as<decltype(random_below(BigInt<131>(1), generator)), BigInt<131>>);
}

TEST_CASE("random_below never reaches the bound, and draws fewer than two numbers on average") {
    const auto check = []<int N>(auto generator) {
        test::OperandSource source(test::property_seed("random_below", N));
        Counted<decltype(generator)> counted{generator};
        std::vector<long> sixteenths(16, 0);
        const int runs = N > 1000 ? 200 : 2000;
        for (int i = 0; i < runs; ++i) {
            Integer bound = source.modulus(N);
            const auto x = to_integer(random_below(test::from_integer<BigInt<N>>(bound), counted));
            REQUIRE(x.sign() >= 0);
            REQUIRE(x < bound);
        }
        // Bounds just above a power of two are the worst: half of all numbers are drawn again.
        const Integer worst = test::power_of_two(N - 1) + 1;
        counted.calls = 0;
        for (int i = 0; i < runs; ++i) {
            const auto x = to_integer(random_below(test::from_integer<BigInt<N>>(worst), counted));
            REQUIRE(x < worst);
            ++sixteenths[static_cast<std::size_t>(((x * 16) / worst).to_uint64())];
        }
        CHECK(looks_uniform(sixteenths));
        CHECK(counted.calls < 2.2 * runs * ((N + 31) / 32));
        // A power of two wastes nothing.
        counted.calls = 0;
        const BigInt<N> power = test::from_integer<BigInt<N>>(test::power_of_two(N - 1));
        for (int i = 0; i < runs; ++i)
            REQUIRE(random_below(power, counted) < power);
        CHECK(counted.calls == runs * ((N - 1 + 31) / 32));
    };
    check.operator()<33>(Philox(1));
    check.operator()<64>(Philox(2));
    check.operator()<131>(Philox(3));
    check.operator()<256>(Philox(4));
    check.operator()<2048>(Philox(5));
}

TEST_CASE("a bound of one draws nothing; below one there is no number") {
    Counted<Philox> counted{Philox(1)};
    CHECK(random_below(BigInt<256>(1), counted) == 0);
    CHECK(random_below(1, counted) == 0);
    CHECK_THROWS_AS(static_cast<void>(random_below(BigInt<256>(0), counted)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(random_below(SignedBigInt<64>(-5), counted)),
                    std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(random_below(0, counted)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(random_below(-1, counted)), std::domain_error);
    CHECK_THROWS_WITH(static_cast<void>(random_below(0u, counted)),
                      "warpint: the bound of random_below must be at least 1");
    CHECK(counted.calls == 0);
}

TEST_CASE("the same numbers in constant expressions and at run time") {
    std::uint64_t key = 7;
    CHECK(random_bits<131>(Philox(key)) == drawn);
    CHECK(random_below(BigInt<131>(1'000'003), Philox(key)) == below);
    // Every element of a batch its own stream: all differ.
    std::set<std::string> seen;
    for (std::uint64_t i = 0; i < 1000; ++i)
        seen.insert(to_string(random_bits<256>(Philox(key, i))));
    CHECK(seen.size() == 1000);
}
