// SPDX-License-Identifier: Apache-2.0
// Conversions of one number by a group of threads, as GPUs run them, in lock step and against GMP:
// every number of two 8-bit limbs, trees of every shape, places taken in both orders.

#include "support/integer.h"
#include "support/property.h"

#include <warpint/arith/limbs/text/from_digits_group.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace arith = warpint::arith;
using test::Integer;

// The group on a host: one thread, which takes the places in ascending or descending order, so that
// a test sees what depends on it.
struct HostThreads {
    int threads = 32;
    bool descending = false;

    [[nodiscard]] constexpr int size() const { return threads; }
    template <class Index, class Function>
    constexpr void for_each(Index count, const Function &f) const {
        for (Index i = 0; i < count; ++i)
            f(descending ? count - 1 - i : i);
    }
    constexpr void sync() const {}
    template <class Index, class Predicate>
    constexpr Index first_of(Index count, const Predicate &predicate) const {
        Index i = 0;
        while (i < count && !predicate(i))
            ++i;
        return i;
    }
};

template <class L>
Integer to_integer(const std::vector<L> &limbs) {
    Integer result;
    mpz_import(result.raw(), limbs.size(), -1, sizeof(L), 0, 0, limbs.data());
    return result;
}
template <class L>
std::vector<L> to_limbs(const Integer &a, int n) {
    std::vector<L> limbs(std::size_t(n), L(0));
    mpz_export(limbs.data(), nullptr, -1, sizeof(L), 0, 0, a.raw());
    return limbs;
}

#if WARPINT_HAS_INT128
using Word = std::uint64_t;
#else
using Word = std::uint32_t;
#endif

// A tree with its constants and the group's memory, both with a limb behind that must not change.
template <class L>
struct Conversion {
    arith::RadixTree<L> tree;
    std::vector<L> constants;
    std::vector<L> memory;
    std::string text;
    std::vector<L> number;

    Conversion(int limbs, int base, int min_leaf = 4, int max_leaf = 9)
        : tree(arith::radix_tree<L>(limbs, base, min_leaf, max_leaf)) {
        if (tree.leaf != 0) {
            constants.assign(std::size_t(tree.powers_limbs() + tree.reciprocal_limbs() + 1), 0x5a);
            std::vector<Word> scratch(std::size_t(arith::radix_tree_scratch<Word>(tree)));
            arith::radix_tree_constants(tree, true, constants.data(), scratch.data());
            REQUIRE(constants.back() == 0x5a);
            tree.constants = constants.data();
        }
        const int room = std::max(to_digits_memory(tree), from_digits_memory(tree));
        memory.assign(std::size_t(room + 1), 0x5a);
        number.assign(std::size_t(limbs + 1), 0x5a);
        text.assign(arith::max_digits(limbs * warpint::limb::limb_bits<L>, base) + 2, '?');
    }

    std::string write(const HostThreads &group, const std::vector<L> &x, bool is_signed) {
        const int length = arith::to_digits_group(group, text.data() + text.size(), x.data(),
                                                  is_signed, tree, memory.data());
        REQUIRE(memory.back() == 0x5a);
        REQUIRE(text[0] == '?');
        REQUIRE(std::size_t(length) < text.size());
        return text.substr(text.size() - std::size_t(length));
    }
    // number without its last limb, if the digits fit
    bool read(const HostThreads &group, std::string_view digits, int bits, bool is_signed,
              bool negative) {
        const bool fits =
            arith::from_digits_group(group, number.data(), bits, is_signed, negative, digits.data(),
                                     digits.size(), tree, memory.data());
        REQUIRE(memory.back() == 0x5a);
        REQUIRE(number.back() == 0x5a);
        return fits;
    }
    Integer value() const { return to_integer(std::vector<L>(number.begin(), number.end() - 1)); }
};

Integer power_of(int base, std::uint64_t exponent) {
    Integer a;
    mpz_ui_pow_ui(a.raw(), static_cast<unsigned long>(base), static_cast<unsigned long>(exponent));
    return a;
}

// Below 2^bits: random; around a power of the base or of two; the sum of two powers of the base, or
// their difference, so that long rows of digits are 0 or the largest.
Integer random_number(std::mt19937_64 &engine, int bits, int base) {
    const Integer limit = Integer(1) << std::size_t(bits);
    const std::uint64_t digits = arith::max_digits(bits, base);
    const auto small = [&] { return Integer(static_cast<long>(engine() % 3)); };
    switch (engine() % 6) {
    case 0:
        return (power_of(base, engine() % digits) + small() + limit - Integer(1)) % limit;
    case 1:
        return ((Integer(1) << std::size_t(engine() % std::uint64_t(bits + 1))) + small() + limit -
                Integer(1)) %
               limit;
    case 2:
        return (power_of(base, engine() % digits) * Integer(static_cast<long>(engine() % 1000)) +
                power_of(base, engine() % digits)) %
               limit;
    case 3:
        return ((power_of(base, engine() % digits) - power_of(base, engine() % digits)) % limit +
                limit) %
               limit;
    default: {
        std::vector<std::uint64_t> words(std::size_t(bits) / 64 + 1);
        for (auto &word : words)
            word = engine() % 8 == 0 ? 0 : engine() % 8 == 1 ? ~std::uint64_t{0} : engine();
        return to_integer(words) % limit >>
               std::size_t(engine() % 4 == 0 ? engine() % std::uint64_t(bits) : 0);
    }
    }
}

template <class L>
void check(Conversion<L> &conversion, const HostThreads &group, std::mt19937_64 &engine,
           const Integer &a, int bits) {
    const int base = conversion.tree.base;
    const int limbs = conversion.tree.limbs;
    const std::string expected = a.to_string(base);
    INFO("base ", base, ", ", limbs, " limbs of ", sizeof(L), " bytes, leaf ", conversion.tree.leaf,
         ", levels ", conversion.tree.levels, ", threads ", group.threads, ", ", expected,
         "; WARPINT_TEST_SEED=", test::run_seed());
    REQUIRE(conversion.write(group, to_limbs<L>(a, limbs), false) == expected);
    REQUIRE(conversion.read(group, a.is_zero() ? "" : expected, bits, false, false));
    REQUIRE(conversion.value() == a);
    // As a signed number: a - 2^(bits - 1), whose upper limbs are copies of the sign.
    const Integer half = Integer(1) << std::size_t(bits - 1);
    const Integer whole = Integer(1) << std::size_t(limbs * warpint::limb::limb_bits<L>);
    const Integer value = a - half;
    const Integer stored = (value + whole) % whole;
    const std::string spelt = value.to_string(base);
    REQUIRE(conversion.write(group, to_limbs<L>(stored, limbs), true) == spelt);
    const bool negative = spelt[0] == '-';
    const std::string digits = negative ? spelt.substr(1) : spelt == "0" ? "" : spelt;
    REQUIRE(conversion.read(group, digits, bits, true, negative));
    REQUIRE(conversion.value() == stored);
    // The smallest and some other numbers that are too large.
    const Integer limit = Integer(1) << std::size_t(bits);
    for (const Integer &large :
         {limit, limit + a, power_of(base, arith::max_digits(bits, base) + engine() % 3)}) {
        REQUIRE(!conversion.read(group, large.to_string(base), bits, false, false));
        REQUIRE(conversion.value().is_zero());
    }
    REQUIRE(!conversion.read(group, half.to_string(base), bits, true, false));
    REQUIRE(!conversion.read(group, (half + Integer(1)).to_string(base), bits, true, true));
}

template <class L>
void check_random(const char *name, int bits, long count, bool decimal_only = false) {
    std::mt19937_64 engine(test::property_seed(name, bits));
    const int width = warpint::limb::limb_bits<L>;
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const int base = decimal_only || i % 4 == 0 ? 10 : 2 + static_cast<int>(engine() % 35);
        const int least = i % 3 == 0 ? 4 : 2;
        Conversion<L> conversion((bits + width - 1) / width, base, least, least == 4 ? 9 : 3);
        for (int k = 0; k < 5; ++k) {
            const HostThreads group{1 << engine() % 8, engine() % 2 == 0};
            check(conversion, group, engine, random_number(engine, bits, base), bits);
        }
    }
}

} // namespace

TEST_CASE("groups: every number of two 8-bit limbs in every base") {
    for (int base = 2; base <= 36; ++base) {
        // One level and none.
        for (const int most : {3, 9}) {
            Conversion<std::uint8_t> conversion(2, base, 2, most);
            const HostThreads group{4, base % 2 == 0};
            for (std::uint32_t a = 0; a < 65536; a += base == 10 ? 1 : 7) {
                const std::vector<std::uint8_t> limbs{static_cast<std::uint8_t>(a),
                                                      static_cast<std::uint8_t>(a >> 8)};
                std::string expected;
                for (std::uint32_t rest = a; rest != 0 || expected.empty();
                     rest /= static_cast<std::uint32_t>(base)) {
                    expected.insert(
                        expected.begin(),
                        "0123456789abcdefghijklmnopqrstuvwxyz"[rest % std::uint32_t(base)]);
                }
                if (conversion.write(group, limbs, false) != expected)
                    FAIL(a, " in base ", base);
                if (!conversion.read(group, a == 0 ? "" : expected, 16, false, false) ||
                    conversion.number[0] + 256u * conversion.number[1] != a)
                    FAIL(expected, " from base ", base);
            }
        }
    }
}

TEST_CASE("groups: every power of the base, and its neighbours") {
    for (const int base : {3, 10, 36}) {
        Conversion<std::uint8_t> conversion(60, base, 2, 3);
        std::mt19937_64 engine(1);
        for (std::uint64_t e = 0; power_of(base, e).bit_width() < 480; ++e) {
            for (const int near : {-1, 0, 1})
                check(conversion, HostThreads{16, e % 2 == 0}, engine,
                      power_of(base, e) + Integer(near), 480);
        }
    }
}

TEST_CASE("groups: limbs of every width") {
    check_random<std::uint8_t>("groups", 9, 100);
    check_random<std::uint8_t>("groups", 77, 200);
    check_random<std::uint8_t>("groups", 600, 100);
    check_random<std::uint8_t>("groups", 2400, 20);
    check_random<std::uint16_t>("groups", 1200, 40);
    check_random<std::uint32_t>("groups", 31, 40);
    check_random<std::uint32_t>("groups", 256, 100);
    check_random<std::uint32_t>("groups", 2100, 40);
    check_random<std::uint32_t>("groups", 8192, 6);
    check_random<std::uint32_t>("groups", 32768, 2, true);
}

TEST_CASE("groups: trees have the fewest chunks") {
    const auto tree = arith::radix_tree<std::uint32_t>(64, 10); // 617 digits, 69 chunks
    CHECK(tree.leaf == 9);
    CHECK(tree.levels == 3);
    const auto small = arith::radix_tree<std::uint32_t>(2, 10);
    CHECK(small.leaf == 3);
    CHECK(small.levels == 0);
    for (int base = 3; base <= 36; ++base) {
        for (int limbs = 1; limbs < 1100; limbs += 1 + limbs / 8) {
            const auto t = arith::radix_tree<std::uint32_t>(limbs, base);
            if (t.leaf == 0)
                continue;
            const std::size_t digits = arith::max_digits(32 * limbs, base);
            REQUIRE(std::size_t(t.chunks() * t.chunk.digits) >= digits);
            REQUIRE(std::size_t((t.chunks() - (t.chunks() / 4 + 1)) * t.chunk.digits) < digits);
        }
    }
}
