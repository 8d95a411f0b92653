// SPDX-License-Identifier: Apache-2.0
// Products, Montgomery products and squares, and powers over lanes. With 8-bit limbs the rare cases
// (a limb of all ones in a square, a carry out of a lane's lowest limb) are frequent.

#include "../../reference/sum_rotate.h"
#include "lanes_support.h"

#include <warpint/arith/lanes/product.h>
#include <warpint/arith/limbs/power/comb.h>

#include <vector>

namespace {

namespace lanes = warpint::lanes;
using test::Integer;
using test::lanes::Number;
using test::lanes::operand;
using test::lanes::Shape;
using test::lanes::Wrong;

template <class S, int KB>
void check_products(long count) {
    constexpr int K = S::words;
    constexpr int capacity_b = KB * S::lane_count * S::limb_bits;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/product " + S::name(), KB));
    Wrong wrong(S::name() + " by " + std::to_string(KB));
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = operand<S>(source, S::capacity);
        const Integer b = operand<S>(source, capacity_b);
        const Number<S, K> x(a);
        const Number<S, KB> y(b);
        constexpr int limbs_b = KB * S::lane_count;
        Number<S, K + KB> exact;
        lanes::multiply<K + KB, K, KB, limbs_b>(group, exact.words, x.words, y.words);
        wrong.equal("product", exact.value(), a * b);
        Number<S, 2> low;
        lanes::multiply<2, K, KB, limbs_b>(group, low.words, x.words, y.words);
        if constexpr (K == KB) {
            typename S::Limb memory[2 * limbs_b];
            lanes::multiply_and_store<K, limbs_b>(group, memory, x.words, y.words);
            Integer stored;
            mpz_import(stored.raw(), 2 * limbs_b, -1, sizeof(memory[0]), 0, 0, memory);
            wrong.equal("stored product", stored, a * b);
        }
        wrong.equal("low product", low.value(),
                    test::store_unsigned(a * b, 2 * S::lane_count * S::limb_bits));
        // A factor of three limbs.
        const Integer c = test::store_unsigned(b, 3 * S::limb_bits);
        const Number<S, KB> z(c);
        lanes::multiply<K + KB, K, KB, 3>(group, exact.words, x.words, z.words);
        wrong.equal("product by a short factor", exact.value(), a * c);
    }
}

// Products of N limbs that do not fill their lanes, exact and stored as they come.
template <class S>
void check_short_products(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/short products " + S::name(), S::bits));
    Wrong wrong(S::name() + ", " + std::to_string(S::limbs) + " limbs");
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = source.one_in(8) ? test::all_ones(S::bits) : operand<S>(source);
        const Integer b = source.one_in(8) ? test::all_ones(S::bits) : operand<S>(source);
        const Number<S, K> x(a);
        const Number<S, K> y(b);
        Number<S, 2 * K> exact;
        lanes::multiply<2 * K, K, K, S::limbs>(group, exact.words, x.words, y.words);
        wrong.equal("product", exact.value(), a * b);
        if constexpr (S::limbs % 2 == 0) {
            typename S::Limb memory[2 * S::limbs];
            lanes::multiply_and_store<K, S::limbs>(group, memory, x.words, y.words);
            Integer stored;
            mpz_import(stored.raw(), 2 * S::limbs, -1, sizeof(memory[0]), 0, 0, memory);
            wrong.equal("stored product", stored, a * b);
        }
    }
}

// Products modulo the width of their factors, in which all lanes have the same work; the blocks of
// the factors are half a lane's limbs.
template <class S>
void check_low_products(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    constexpr int limbs = K * S::lane_count;
    static_assert(lanes::detail::has_low_schedule<K, K, K, limbs, S::lane_count>);
    test::OperandSource source(test::property_seed("lanes/low products " + S::name(), K));
    Wrong wrong(S::name());
    const Integer ones = test::all_ones(S::capacity);
    const Integer block = test::all_ones(K / 2 * S::limb_bits);
    const auto factor = [&]() -> Integer {
        switch (source.below(8)) {
        case 0:
            return ones;
        case 1: // one block of ones
            return block << (source.below(2 * S::lane_count) * K / 2 * S::limb_bits);
        case 2: // ones from a limb on, or up to it
            return ones >> (source.below(limbs) * S::limb_bits);
        case 3: {
            const int from = source.below(limbs) * S::limb_bits;
            return ones >> from << from;
        }
        default:
            return operand<S>(source, S::capacity);
        }
    };
    const auto check = [&](const Integer &a, const Integer &b) {
        const Number<S, K> x(a);
        const Number<S, K> y(b);
        Number<S, K> low;
        lanes::multiply<K, K, K, limbs>(group, low.words, x.words, y.words);
        wrong.equal("low product", low.value(), test::store_unsigned(a * b, S::capacity));
        if constexpr (lanes::has_high_product<K, typename S::Group>) {
            Number<S, K> high;
            lanes::multiply_high<K>(group, high.words, x.words, y.words);
            wrong.equal("high product", high.value(), (a * b) >> S::capacity);
        }
    };
    check(ones, ones);
    // Products just below and just above a multiple of B^n.
    for (long round = 0; round < test::scaled(count) / 4; ++round) {
        const Integer a = operand<S>(source, S::capacity) | 1;
        const Integer near = test::power_of_two(S::capacity) * (source.below(1000) + 1);
        check(a, test::store_unsigned(near / a, S::capacity));
        check(a, test::store_unsigned(near / a + 1, S::capacity));
        // a b = -d modulo B^n, for a small d
        Integer inverse;
        mpz_invert(inverse.raw(), a.raw(), test::power_of_two(S::capacity).raw());
        const Integer d = test::power_of_two(source.below(3 * S::limb_bits)) + source.below(50);
        check(a,
              test::store_unsigned(inverse * (test::power_of_two(S::capacity) - d), S::capacity));
        check(a, test::store_unsigned(inverse * d, S::capacity));
    }
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = factor();
        check(a, source.one_in(8) ? a : factor());
    }
    // Each block of one factor by each of the other.
    for (int i = 0; i < 2 * S::lane_count; ++i) {
        for (int j = 0; i + j < 2 * S::lane_count; ++j)
            check(block << (i * K / 2 * S::limb_bits), block << (j * K / 2 * S::limb_bits));
    }
}

template <class S>
void check_montgomery(long count) {
    constexpr int K = S::words;
    const typename S::Group group;
    const Integer r = test::power_of_two(S::capacity);
    test::OperandSource source(test::property_seed("lanes/montgomery " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        Integer m = (source.one_in(2) ? operand<S>(source) : source.modulus(S::bits)) | 1;
        if (source.one_in(8))
            m = r - 1;
        const Integer a = source.one_in(8) ? m : operand<S>(source, S::capacity);
        const Integer b = operand<S>(source, S::capacity);
        const Number<S, K> x(a);
        const Number<S, K> y(b);
        const Number<S, K> z(m);
        const auto inverse = lanes::montgomery_inverse(group, z.words);
        Number<S, K> p;
        lanes::montgomery_multiply<K>(group, p.words, x.words,
                                      lanes::LimbsOfLanes<K, typename S::Group>{group, y.words},
                                      z.words, inverse);
        wrong.equal("product", test::modulo(p.value() * r - a * b, m), 0);
        lanes::montgomery_square<K>(group, p.words, x.words, z.words, inverse);
        wrong.equal("square", test::modulo(p.value() * r - a * a, m), 0);
        if (round % 16 != 0)
            continue;
        const Integer e = source.one_in(2) ? source.exponent(S::bits, m) : operand<S>(source);
        const Number<S, K> exponent(e);
        lanes::power_odd<K, 3, K>(group, p.words, x.words, exponent.words, z.words);
        wrong.equal("power", p.value(), test::power_modulo(a, e, m));
        if constexpr (sizeof(typename S::Limb) == 4) {
            std::uint32_t limbs[4]{};
            const Integer shared = test::store_unsigned(e, 128);
            mpz_export(limbs, nullptr, -1, 4, 0, 0, shared.raw());
            const int window = 1 + source.below(4);
            const auto schedule = warpint::arith::make_schedule<128>(limbs, window);
            lanes::power_odd_by_steps<K, 4>(group, p.words, x.words,
                                            warpint::arith::ScheduledSteps<128>{schedule},
                                            schedule.window, z.words);
            wrong.equal("power by steps", p.value(), test::power_modulo(a, shared, m));
        }
    }
}

// Numbers that take S::limbs rows, at least two bits shorter, with operands below twice the
// moduli's power of two.
template <class S>
void check_short_montgomery(long count) {
    constexpr int K = S::words;
    constexpr int rows = S::limbs;
    constexpr int bits = S::bits - 2;
    const typename S::Group group;
    const Integer r = test::power_of_two(S::bits);
    test::OperandSource source(test::property_seed("lanes/short rows " + S::name(), rows));
    Wrong wrong(S::name() + ", " + std::to_string(rows) + " rows");
    for (long round = 0; round < test::scaled(count); ++round) {
        Integer m = (source.one_in(2) ? operand<S>(source, bits) : source.modulus(bits)) | 1;
        if (source.one_in(8))
            m = test::all_ones(bits);
        const Integer a =
            source.one_in(8) ? test::all_ones(bits + 1) : operand<S>(source, bits + 1);
        const Integer b =
            source.one_in(8) ? test::all_ones(bits + 1) : operand<S>(source, bits + 1);
        const Number<S, K> x(a);
        const Number<S, K> y(b);
        const Number<S, K> z(m);
        const auto inverse = lanes::montgomery_inverse(group, z.words);
        Number<S, K> p;
        lanes::montgomery_multiply<K, rows>(
            group, p.words, x.words, lanes::LimbsOfLanes<K, typename S::Group>{group, y.words},
            z.words, inverse);
        wrong.equal("product", test::modulo(p.value() * r - a * b, m), 0);
        wrong.equal("range of the product", p.value() >> (bits + 1), 0);
        lanes::montgomery_square<K, rows>(group, p.words, x.words, z.words, inverse);
        wrong.equal("square", test::modulo(p.value() * r - a * a, m), 0);
        wrong.equal("range of the square", p.value() >> (bits + 1), 0);
        if (round % 16 != 0)
            continue;
        const Integer e = source.one_in(2) ? source.exponent(S::bits, m) : operand<S>(source);
        const Number<S, K> exponent(e);
        lanes::power_odd<K, 3, K, rows>(group, p.words, x.words, exponent.words, z.words);
        wrong.equal("power", p.value(), test::power_modulo(a, e, m));
    }
}

// Powers of a base by combs of 3 teeth, in tables that GMP fills, of moduli of at most `bits` bits.
template <class S, int Rows, int bits>
void check_combs(long count) {
    constexpr int K = S::words;
    constexpr int teeth = 3;
    constexpr int n = Rows == 0 ? S::lane_count * K : Rows;
    constexpr bool has_room = Rows == 0 || bits + 2 <= n * S::limb_bits;
    const typename S::Group group;
    const Integer r = test::power_of_two(n * S::limb_bits);
    test::OperandSource source(test::property_seed("lanes/combs " + S::name(), bits));
    Wrong wrong(S::name() + ", " + std::to_string(Rows) + " rows");
    for (long round = 0; round < test::scaled(count); ++round) {
        const int tables = 1 + source.below(3);
        const int columns = 1 + source.below(5);
        Integer m = (source.one_in(2) ? operand<S>(source, bits) : source.modulus(bits)) | 1;
        if (source.one_in(8))
            m = source.one_in(2) ? Integer(1) : test::all_ones(bits);
        if (!has_room && source.one_in(2)) // what is not subtracted is soon above R
            m = test::all_ones(bits) - Integer(2 * source.below(100));
        const Integer base = source.one_in(8) ? m - 1 : test::modulo(operand<S>(source, bits), m);
        std::vector<Integer> entries;
        for (int i = 0; i < tables << teeth; ++i) {
            Integer e = 0;
            for (int tooth = 0; tooth < teeth; ++tooth) {
                if ((i >> tooth & 1) != 0)
                    e = e + test::power_of_two(columns * (tables * tooth + (i >> teeth)));
            }
            entries.push_back(test::modulo(test::power_modulo(base, e, m) * r, m));
        }
        const Number<S, K> z(m);
        for (int k = 0; k < 4; ++k) {
            const int length = teeth * tables * columns;
            const Integer e = k == 0   ? Integer(0)
                              : k == 1 ? test::all_ones(length)
                                       : source.uniform_bits(length);
            const auto entry = [&](auto *x, int table, int column) {
                const int index = warpint::arith::comb_entry<teeth>(
                    [&](int position) { return mpz_tstbit(e.raw(), position); }, tables, columns,
                    table, column);
                const Number<S, K> number(entries[static_cast<std::size_t>(index)]);
                lanes::copy<K>(x, number.words);
            };
            Number<S, K> p;
            lanes::power_by_comb<K, Rows, has_room>(group, p.words, tables, columns, entry,
                                                    z.words);
            wrong.equal("power", p.value(), test::power_modulo(base, e, m));
        }
    }
}

template <class S>
void check_sum_rotate(long count) {
    const typename S::Group group;
    test::OperandSource source(test::property_seed("lanes/sum_rotate " + S::name(), S::bits));
    Wrong wrong(S::name());
    for (long round = 0; round < test::scaled(count); ++round) {
        const Integer a = operand<S>(source);
        const Integer b = operand<S>(source);
        const Number<S, 1> x(a);
        const Number<S, 1> y(b);
        Number<S, 1> low;
        Number<S, 1> high;
        lanes::multiply_sum_rotate(group, low.words[0], high.words[0], x.words[0], y.words[0]);
        wrong.equal("product", low.value() + (high.value() << S::capacity), a * b);
    }
}

} // namespace

TEST_CASE("the sum-rotate product") {
    check_sum_rotate<Shape<std::uint8_t, 1, 1>>(500);
    check_sum_rotate<Shape<std::uint8_t, 8, 1>>(1000);
    check_sum_rotate<Shape<std::uint32_t, 32, 1>>(300);
}
TEST_CASE("products over lanes") {
    check_products<Shape<std::uint8_t, 1, 4>, 6>(1000);
    check_products<Shape<std::uint8_t, 2, 6>, 2>(1000);
    check_products<Shape<std::uint8_t, 8, 4>, 4>(500);
    check_products<Shape<std::uint8_t, 32, 2>, 4>(300);
    check_products<Shape<std::uint8_t, 4, 8>, 8>(300);
    check_products<Shape<std::uint8_t, 2, 16>, 16>(200);
    check_products<Shape<std::uint32_t, 4, 6>, 4>(300);
}
TEST_CASE("products over lanes of numbers that do not fill them") {
    check_short_products<Shape<std::uint8_t, 4, 4, 13>>(1000);
    check_short_products<Shape<std::uint8_t, 2, 6, 8>>(1000);
    check_short_products<Shape<std::uint8_t, 8, 4, 26>>(500);
}
TEST_CASE("products over lanes modulo their factors' width") {
    check_low_products<Shape<std::uint8_t, 2, 8>>(1000);
    check_low_products<Shape<std::uint8_t, 2, 10>>(500);
    check_low_products<Shape<std::uint8_t, 4, 12>>(500);
    check_low_products<Shape<std::uint8_t, 4, 14>>(300);
    check_low_products<Shape<std::uint8_t, 8, 8>>(300);
    check_low_products<Shape<std::uint8_t, 16, 8>>(100);
    check_low_products<Shape<std::uint8_t, 32, 8>>(50);
    check_low_products<Shape<std::uint32_t, 4, 16>>(200);
    check_low_products<Shape<std::uint32_t, 8, 18>>(100);
}
TEST_CASE("Montgomery arithmetic over lanes of 8-bit limbs") {
    check_montgomery<Shape<std::uint8_t, 1, 2>>(4000);
    check_montgomery<Shape<std::uint8_t, 2, 2>>(4000);
    check_montgomery<Shape<std::uint8_t, 4, 4, 13>>(2000);
    check_montgomery<Shape<std::uint8_t, 8, 2>>(2000);
    check_montgomery<Shape<std::uint8_t, 16, 2, 29>>(1000);
    check_montgomery<Shape<std::uint8_t, 32, 2>>(500);
}
TEST_CASE("Montgomery arithmetic over lanes of 32-bit limbs") {
    check_montgomery<Shape<std::uint32_t, 2, 8>>(500);
    check_montgomery<Shape<std::uint32_t, 4, 4, 14>>(300);
}
TEST_CASE("Montgomery arithmetic over lanes that numbers do not fill") {
    check_short_montgomery<Shape<std::uint8_t, 1, 4>>(2000);
    check_short_montgomery<Shape<std::uint8_t, 2, 4, 6>>(2000);
    check_short_montgomery<Shape<std::uint8_t, 4, 4, 14>>(2000);
    check_short_montgomery<Shape<std::uint8_t, 8, 4, 18>>(1000);
    check_short_montgomery<Shape<std::uint32_t, 4, 4, 14>>(300);
}
TEST_CASE("powers of one base over lanes") {
    check_combs<Shape<std::uint8_t, 1, 4>, 0, 32>(100);
    check_combs<Shape<std::uint8_t, 4, 4>, 0, 128>(100);
    check_combs<Shape<std::uint8_t, 4, 4>, 14, 110>(50);
    check_combs<Shape<std::uint8_t, 4, 4>, 14, 112>(50); // without room
    check_combs<Shape<std::uint32_t, 2, 4>, 0, 256>(50);
}
