// SPDX-License-Identifier: Apache-2.0
// The algorithms over limb arrays with 8-bit limbs, where everything can be tried: a wrong trial
// quotient that is met once in 2^32 divisions of 32-bit limbs is met once in 2^8 here.
//
// The oracle is plain 64-bit arithmetic, so every number here has at most 64 bits.

#include "support/limbs.h"

#include <warpint/arith/limbs/linear.h>
#include <warpint/limb/binary_step.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace {

namespace arith = warpint::arith;
namespace limb = warpint::limb;

using namespace test::limbs;

// A number of N limbs and a limb above it, which no function may read or write.
template <int N, class AnyLimb>
using Guarded = std::array<AnyLimb, N + 1>;

// Shifts of N limbs by every count, into limbs that hold something else, against one bit at a time.
template <int N, class AnyLimb>
void check_every_shift() {
    constexpr int limb_bits = limb::limb_bits<AnyLimb>;
    constexpr int bits = limb_bits * N;
    constexpr AnyLimb ones = static_cast<AnyLimb>(~AnyLimb(0));
    constexpr AnyLimb other = static_cast<AnyLimb>(ones / 3);
    using Number = Guarded<N, AnyLimb>;
    Tally tally("every shift of " + std::to_string(bits) + " bits");
    std::mt19937_64 generator(N);
    for (const int pattern : {0, 1, 2}) {
        Number a{};
        for (auto &limb : a)
            limb = pattern == 0   ? ones
                   : pattern == 1 ? AnyLimb(0)
                                  : static_cast<AnyLimb>(generator());
        a[N] = static_cast<AnyLimb>(pattern == 0 ? 0 : ones);
        Number start = a;
        start[N] = other;
        Number left = start;       // a << count
        Number right = start;      // a >> count
        Number right_ones = start; // the same, ones moved in
        for (int count = 0; count < bits; ++count) {
            Number r;
            const auto check = [&](const Number &expected, int form) {
                tally.equal(r == expected, true, static_cast<std::uint64_t>(count),
                            static_cast<std::uint64_t>(pattern), static_cast<std::uint64_t>(form));
                r.fill(other);
            };
            r.fill(other);
            arith::shift_left<N>(r.data(), a.data(), count);
            check(left, 0);
            arith::shift_right<N>(r.data(), a.data(), count);
            check(right, 1);
            arith::shift_right<N>(r.data(), a.data(), count, ones);
            check(right_ones, 2);
            r = start;
            arith::shift_left<N>(r.data(), r.data(), count);
            check(left, 3);
            r = start;
            arith::shift_right<N>(r.data(), r.data(), count, ones);
            check(right_ones, 4);
            const auto top_bit = [](bool set) {
                return static_cast<AnyLimb>(AnyLimb(set) << (limb_bits - 1));
            };
            for (std::size_t i = N - 1; i > 0; --i)
                left[i] = static_cast<AnyLimb>(left[i] << 1 | left[i - 1] >> (limb_bits - 1));
            left[0] = static_cast<AnyLimb>(left[0] << 1);
            for (std::size_t i = 0; i < N; ++i) {
                right[i] = static_cast<AnyLimb>(right[i] >> 1 |
                                                top_bit(i + 1 < N && right[i + 1] % 2 != 0));
                right_ones[i] = static_cast<AnyLimb>(
                    right_ones[i] >> 1 | top_bit(i + 1 == N || right_ones[i + 1] % 2 != 0));
            }
        }
    }
}

// Numbers whose limbs are all 0 or all ones, and with one bit of one limb changed.
template <int N, class AnyLimb>
void check_filled(Tally &tally) {
    for (const AnyLimb fill : {AnyLimb(0), static_cast<AnyLimb>(~AnyLimb(0))}) {
        alignas(16) std::array<AnyLimb, N> a;
        a.fill(fill);
        const bool zero = fill == 0;
        tally.equal(arith::is_filled<N>(a.data(), fill), true, N, fill);
        tally.equal(arith::is_zero<N>(a.data()), zero, N, fill);
        for (std::size_t i = 0; i < N; ++i) {
            for (std::size_t bit = 0; bit < 8 * sizeof(AnyLimb); ++bit) {
                a[i] = static_cast<AnyLimb>(fill ^ AnyLimb(1) << bit);
                tally.equal(arith::is_filled<N>(a.data(), fill), false, N, i, bit);
                tally.equal(arith::is_zero<N>(a.data()), false, N, i, bit);
            }
            a[i] = fill;
        }
    }
}

// Comparisons, lengths and copies of numbers that are 0, or differ in one limb, with others above
// them.
template <int N, class AnyLimb>
void check_comparisons(Tally &tally) {
    constexpr AnyLimb other = 0x5a;
    Guarded<N, AnyLimb> a{}, r;
    a[N] = other;
    tally.equal(arith::is_zero<N>(a.data()), true, N);
    tally.equal(static_cast<std::uint64_t>(arith::bit_width<N>(a.data())), 0, N);
    tally.equal(static_cast<std::uint64_t>(arith::countr_zero<N>(a.data())),
                std::uint64_t{N} * limb::limb_bits<AnyLimb>, N);
    std::mt19937_64 generator(N);
    for (std::size_t i = 0; i < N; ++i)
        a[i] = static_cast<AnyLimb>(generator());
    Guarded<N, AnyLimb> b = a;
    b[N] = 0;
    tally.equal(arith::equal<N>(a.data(), b.data()), true, N);
    tally.equal(arith::less<N>(a.data(), b.data()) || arith::less<N>(b.data(), a.data()), false, N);
    for (std::size_t i = 0; i < N; ++i) {
        b[i] = static_cast<AnyLimb>(a[i] ^ AnyLimb(1) << generator() % limb::limb_bits<AnyLimb>);
        tally.equal(arith::equal<N>(a.data(), b.data()), false, N, i);
        for (std::size_t j = 0; j < i; ++j) // the highest limb that differs decides
            b[j] = static_cast<AnyLimb>(generator());
        tally.equal(arith::less<N>(a.data(), b.data()), a[i] < b[i], N, i);
        tally.equal(arith::less<N>(b.data(), a.data()), a[i] > b[i], N, i);
        for (const bool first : {false, true}) {
            Guarded<N, AnyLimb> expected = first ? a : b;
            expected[N] = other;
            r.fill(other);
            arith::select<N>(r.data(), first, a.data(), b.data());
            tally.equal(r == expected, true, N, i, first);
            r.fill(other);
            arith::copy<N>(r.data(), first ? a.data() : b.data());
            tally.equal(r == expected, true, N, i, first);
        }
        b[i] = a[i];
        for (std::size_t j = 0; j < i; ++j)
            b[j] = a[j];
    }
    Guarded<N, AnyLimb> zero{};
    zero[N] = other;
    r.fill(other);
    arith::set_zero<N>(r.data());
    tally.equal(r == zero, true, N);
}

// Both steps of the binary algorithm for greatest common divisors. What is compared decides, the
// larger one is exchanged, also the rows; at equality nothing is.
template <class AnyLimb>
void check_subtract_smaller(Tally &tally, AnyLimb a, AnyLimb b, AnyLimb low_a, AnyLimb low_b) {
    const bool swap = a < b;
    const auto difference = [swap](AnyLimb x, AnyLimb y) {
        return swap ? static_cast<AnyLimb>(y - x) : static_cast<AnyLimb>(x - y);
    };
    const auto of_either_sign = [](AnyLimb x, AnyLimb wanted) {
        return x == wanted || static_cast<AnyLimb>(0 - x) == wanted;
    };
    const AnyLimb row_a = static_cast<AnyLimb>(5 * low_b + 3),
                  row_b = static_cast<AnyLimb>(7 * low_a + b);
    AnyLimb x = a, y = b, row_x = row_a, row_y = row_b;
    const AnyLimb early = limb::subtract_smaller(x, y, row_x, row_y);
    tally.equal(x == difference(a, b) && y == std::min(a, b), true, a, b);
    tally.equal(row_x == difference(row_a, row_b) && row_y == (swap ? row_a : row_b), true, a, b,
                row_a, row_b);
    tally.equal(of_either_sign(early, x), true, a, b);

    x = a, y = b, row_x = row_a, row_y = row_b;
    AnyLimb low_x = low_a, low_y = low_b;
    const AnyLimb low = limb::subtract_smaller(x, y, low_x, low_y, row_x, row_y);
    tally.equal(x == difference(a, b) && y == std::min(a, b), true, a, b);
    tally.equal(low_x == difference(low_a, low_b) && low_y == (swap ? low_a : low_b), true, a, b,
                low_a, low_b);
    tally.equal(row_x == static_cast<AnyLimb>(row_a + row_b) && row_y == (swap ? row_a : row_b),
                true, a, b, row_a, row_b);
    tally.equal(of_either_sign(low, low_x), true, a, b, low_a, low_b);
}

} // namespace

TEST_CASE("steps for greatest common divisors, and the same as assembly") {
    Tally tally("steps for greatest common divisors");
    Source source("steps for greatest common divisors");
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; ++b) {
            const std::uint64_t other = source.word();
            check_subtract_smaller(tally, Limb(a), Limb(b), Limb(other), Limb(other >> 8));
            check_subtract_smaller(tally, std::uint32_t(a << 24 | b), std::uint32_t(b << 24 | a),
                                   std::uint32_t(other), std::uint32_t(other >> 32));
            check_subtract_smaller(tally, source.number(8), b % 16 == 0 ? 0 : source.number(8),
                                   other, source.word());
        }
        const std::uint64_t same = source.number(8);
        check_subtract_smaller(tally, same, same, source.word(), source.word());
    }
}

TEST_CASE("numbers of zeros and of ones, and those beside them") {
    Tally tally("filled numbers");
    [&]<int... n>(std::integer_sequence<int, n...>) {
        (check_filled<n + 1, std::uint8_t>(tally), ...);
        (check_filled<n + 1, std::uint32_t>(tally), ...);
    }(std::make_integer_sequence<int, 9>{});
}

TEST_CASE("comparisons and copies of numbers beside others") {
    Tally tally("comparisons and copies");
    [&]<int... n>(std::integer_sequence<int, n...>) {
        (check_comparisons<n + 1, std::uint8_t>(tally), ...);
        (check_comparisons<n + 1, std::uint32_t>(tally), ...);
        (check_comparisons<n + 1, std::uint64_t>(tally), ...);
    }(std::make_integer_sequence<int, 9>{});
    check_comparisons<32, std::uint32_t>(tally);
    check_comparisons<33, std::uint32_t>(tally);
    check_comparisons<54, std::uint32_t>(tally); // words that are compared in blocks, and others
    check_comparisons<71, std::uint32_t>(tally);
    check_comparisons<40, std::uint64_t>(tally);
}

// Hosts work on words of two 32-bit limbs, of which an odd number leaves half a word at the top;
// other limbs are shifted one by one, as compilers do it in constants and GPUs in long numbers.
TEST_CASE("shifts by every count") {
    check_every_shift<63, std::uint32_t>();
    check_every_shift<64, std::uint32_t>();
    check_every_shift<65, std::uint32_t>(); // 2080 bits
    check_every_shift<66, std::uint32_t>();
    check_every_shift<129, std::uint32_t>(); // 4128 bits
    check_every_shift<1, std::uint32_t>();
    check_every_shift<5, std::uint8_t>();
    check_every_shift<5, std::uint64_t>();
    check_every_shift<40, std::uint64_t>();
}

TEST_CASE("limb primitives, every 8-bit case") {
    Tally tally("limb primitives");
    for (unsigned a = 0; a < 256; ++a) {
        for (unsigned b = 0; b < 256; ++b) {
            for (unsigned carry_in = 0; carry_in < 2; ++carry_in) {
                Limb carry = static_cast<Limb>(carry_in);
                const Limb sum = limb::add_carry(Limb(a), Limb(b), carry);
                tally.equal(sum + 256u * carry, a + b + carry_in, a, b, carry_in);
                carry = static_cast<Limb>(carry_in);
                const Limb difference = limb::sub_borrow(Limb(a), Limb(b), carry);
                tally.equal(difference - 256u * carry + 512u, 512u + a - b - carry_in, a, b,
                            carry_in);
            }
            for (unsigned addend : {0u, 1u, 127u, 128u, 254u, 255u}) {
                for (unsigned carry_in : {0u, 1u, 128u, 254u, 255u}) {
                    Limb carry = static_cast<Limb>(carry_in);
                    const Limb low = limb::multiply_add(Limb(a), Limb(b), Limb(addend), carry);
                    tally.equal(low + 256u * carry, a * b + addend + carry_in, a, b, addend);
                }
            }
        }
        tally.equal(std::uint64_t(limb::countl_zero(Limb(a))),
                    std::uint64_t(std::countl_zero(std::uint8_t(a))), a);
        tally.equal(std::uint64_t(limb::countr_zero(Limb(a))),
                    std::uint64_t(std::countr_zero(std::uint8_t(a))), a);
        tally.equal(std::uint64_t(limb::popcount(Limb(a))),
                    std::uint64_t(std::popcount(std::uint8_t(a))), a);
        if (a % 2 == 1) {
            tally.equal((a * limb::negative_inverse(Limb(a))) % 256, 255, a);
        }
    }
}

TEST_CASE("negative_inverse of wider limbs") {
    Tally tally("negative_inverse");
    Source source("negative_inverse");
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t m = source.number(8) | 1;
        tally.equal(m * limb::negative_inverse(m), ~std::uint64_t(0), m);
        const auto m32 = static_cast<std::uint32_t>(m);
        tally.equal(std::uint32_t(m32 * limb::negative_inverse(m32)), ~std::uint32_t(0), m32);
        const auto m16 = static_cast<std::uint16_t>(m);
        tally.equal(std::uint16_t(1u * m16 * limb::negative_inverse(m16)), 0xffffu, m16);
    }
}

// 2^32 pairs in the long set (WARPINT_TEST_SCALE of 128 or more); 512 first operands with every
// second one at scale 1.
TEST_CASE("sums, differences and comparisons of 16 bits, two 8-bit limbs: all pairs") {
    const long rows = std::min(65536l, test::scaled(512));
    std::uint64_t failures = 0;
    std::uint64_t pairs = 0;
    for (long row = 0; row < rows; ++row) {
        // All values in order where all are wanted; else the ends first, then a spread of others.
        const std::uint32_t a = rows == 65536 ? std::uint32_t(row)
                                : row < 4     ? (std::uint32_t(row) - 2) & 0xffff
                                              : (std::uint32_t(row) * 0x9e37u) & 0xffff;
        const Limb x[2] = {Limb(a), Limb(a >> 8)};
        for (std::uint32_t b = 0; b < 65536; ++b, ++pairs) {
            const Limb y[2] = {Limb(b), Limb(b >> 8)};
            Limb r[2];
            const std::uint32_t carry = limb::add<2>(r, x, y);
            failures += (carry << 16 | std::uint32_t(r[1]) << 8 | r[0]) != a + b;
            const std::uint32_t carry_in = limb::add<2>(r, x, y, Limb(1));
            failures += (carry_in << 16 | std::uint32_t(r[1]) << 8 | r[0]) != a + b + 1;
            const std::uint32_t borrow = limb::sub<2>(r, x, y);
            failures +=
                (std::uint32_t(r[1]) << 8 | r[0]) != ((a - b) & 0xffff) || borrow != (a < b);
            const std::uint32_t borrow_in = limb::sub<2>(r, x, y, Limb(1));
            failures += (std::uint32_t(r[1]) << 8 | r[0]) != ((a - b - 1) & 0xffff) ||
                        borrow_in != (a <= b);
            failures += arith::less<2>(x, y) != (a < b);
            failures += arith::equal<2>(x, y) != (a == b);
        }
    }
    CHECK(failures == 0);
    CHECK(pairs == std::uint64_t(rows) * 65536);
}

TEST_CASE("linear algorithms, two and three limbs") {
    Tally tally("linear algorithms");
    Source source("linear");
    for (std::uint64_t a = 0; a < 65536; ++a) {
        const Limbs<2> x(a);
        tally.equal(std::uint64_t(arith::bit_width<2>(x.begin())), std::bit_width(a), a);
        tally.equal(std::uint64_t(arith::countr_zero<2>(x.begin())),
                    a == 0 ? 16u : std::uint64_t(std::countr_zero(a)), a);
        tally.equal(arith::is_zero<2>(x.begin()), a == 0, a);
        const int count = static_cast<int>(source.word() % 16);
        Limbs<2> r(0x5555);
        arith::shift_left<2>(r.begin(), x.begin(), count);
        tally.equal(r.value(), (a << count) & 0xffff, a, count);
        arith::shift_right<2>(r.begin(), x.begin(), count);
        tally.equal(r.value(), a >> count, a, count);
        arith::shift_right<2>(r.begin(), x.begin(), count, Limb(0xff));
        tally.equal(r.value(), (a >> count) | (0xffffu & ~(0xffffu >> count)), a, count);
        r = x;
        arith::shift_left<2>(r.begin(), r.begin(), count);
        tally.equal(r.value(), (a << count) & 0xffff, a, count);
        r = x;
        arith::shift_right<2>(r.begin(), r.begin(), count);
        tally.equal(r.value(), a >> count, a, count);
        tally.equal(r.intact(), true, a, count);
    }
    for (long i = 0, runs = test::scaled(300000); i < runs; ++i) {
        const std::uint64_t a = source.number(3);
        const std::uint64_t b = source.word() % 8 == 0 ? a : source.number(3);
        const Limbs<3> x(a), y(b);
        Limbs<3> sum, difference, chosen;
        const Limb carry = limb::add<3>(sum.begin(), x.begin(), y.begin());
        tally.equal(sum.value() + (std::uint64_t(carry) << 24), a + b, a, b);
        const Limb borrow = limb::sub<3>(difference.begin(), x.begin(), y.begin());
        tally.equal(difference.value(), (a - b) & 0xffffff, a, b);
        tally.equal(borrow, a < b, a, b);
        tally.equal(arith::less<3>(x.begin(), y.begin()), a < b, a, b);
        tally.equal(arith::equal<3>(x.begin(), y.begin()), a == b, a, b);
        arith::select<3>(chosen.begin(), i % 2 == 0, x.begin(), y.begin());
        tally.equal(chosen.value(), i % 2 == 0 ? a : b, a, b);
        tally.equal(sum.intact() && difference.intact() && chosen.intact(), true, a, b);
    }
}
