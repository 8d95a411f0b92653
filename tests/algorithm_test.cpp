// The algorithms over limb arrays with 8-bit limbs, where everything can be tried: a wrong trial
// quotient that is met once in 2^32 divisions of 32-bit limbs is met once in 2^8 here.
//
// The oracle is plain 64-bit arithmetic, so every number here has at most 64 bits.

#include "support/limbs.h"

#include <warpint/algorithm/linear.h>
#include <warpint/algorithm/montgomery.h>
#include <warpint/algorithm/power.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>

namespace {

namespace algorithm = warpint::algorithm;
namespace limb = warpint::limb;

using namespace test::limbs;

// ---- modular products ------------------------------------------------------------------------

/// a b / R mod m by every variant; m odd, a b < m R.
template <int N>
void check_montgomery(Tally &tally, std::uint64_t a, std::uint64_t b, std::uint64_t m,
                      std::uint64_t inverse_of_r) {
    const Limbs<N> x(a), y(b), modulus(m);
    const Limb m_inverse = limb::negative_inverse(modulus.data[0]);
    const std::uint64_t expected = (a % m) * (b % m) % m * inverse_of_r % m;
    const auto check = [&](auto multiply) {
        Limbs<N> r(0x5555555555555555);
        multiply(r.begin());
        tally.equal(r.value(), expected, a, b, m);
        tally.equal(r.intact(), true, a, b, m);
    };
    check([&](Limb *r) {
        algorithm::montgomery_multiply_sos<N>(r, x.begin(), y.begin(), modulus.begin(), m_inverse);
    });
    check([&](Limb *r) {
        algorithm::montgomery_multiply_cios<N>(r, x.begin(), y.begin(), modulus.begin(), m_inverse);
    });
    if constexpr (N % 2 == 0) {
        check([&](Limb *r) {
            algorithm::montgomery_multiply_alternate<N>(r, x.begin(), y.begin(), modulus.begin(),
                                                        m_inverse);
        });
    }
    if (a == b) {
        check([&](Limb *r) {
            algorithm::montgomery_square_sos<N>(r, x.begin(), modulus.begin(), m_inverse);
        });
    }
    Limbs<N> in_place = x; // r may be an operand
    algorithm::montgomery_multiply<N>(in_place.begin(), in_place.begin(), y.begin(),
                                      modulus.begin(), m_inverse);
    tally.equal(in_place.value(), expected, a, b, m);
}

/// The inverse of R = 2^(8 limbs) modulo odd m, by m steps of halving at most.
std::uint64_t inverse_of_r(int limbs, std::uint64_t m) {
    std::uint64_t x = 1 % m;
    for (int i = 0; i < 8 * limbs; ++i) {
        x = x % 2 == 0 ? x / 2 : (x + m) / 2;
    }
    return x;
}

template <int N>
void check_random_montgomery(long count) {
    Tally tally("Montgomery products of " + std::to_string(N) + " limbs");
    Source source("montgomery");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        const std::uint64_t m = source.number(N) | 1;
        const std::uint64_t inverse = inverse_of_r(N, m);
        std::uint64_t a = source.number(N);
        std::uint64_t b = source.number(N) % m;
        switch (source.word() % 8) {
        case 0:
            a = m - 1;
            break;
        case 1:
            b = m - 1;
            break;
        case 2:
            a = m - 1, b = m - 1;
            break;
        case 3:
            a = inverse;
            break; // a product of b
        case 4:
            a = all_ones<N>;
            break;
        case 5:
            a = b;
            break;
        default:
            break;
        }
        check_montgomery<N>(tally, a, b, m, inverse);
    }
}

template <int N>
void check_constants(Tally &tally, std::uint64_t m) {
    const Limbs<N> modulus(m);
    Limbs<N> one(0x55), r_squared(0x55);
    algorithm::montgomery_constants<N>(one.begin(), r_squared.begin(), modulus.begin(),
                                       limb::negative_inverse(modulus.data[0]));
    const std::uint64_t r = (std::uint64_t(1) << (8 * N)) % m;
    tally.equal(one.value(), r, m);
    tally.equal(r_squared.value(), r * r % m, m);
    tally.equal(one.intact() && r_squared.intact(), true, m);
}

// ---- powers ----------------------------------------------------------------------------------

/// a^e mod m for any m >= 1 by the library's parts, as a caller combines them.
template <int N, int MaxWindow>
std::uint64_t power(std::uint64_t a, std::uint32_t e, std::uint64_t m) {
    const int zeros = std::countr_zero(m);
    algorithm::MontgomeryContext<N, Limb> context;
    const Limbs<N> odd_part(m >> zeros), base(a);
    algorithm::copy<N>(context.modulus, odd_part.begin());
    algorithm::prepare<N>(context);
    const std::uint32_t exponent[2] = {e, 0};
    Limbs<N> r;
    algorithm::power_odd<N, MaxWindow>(r.begin(), base.begin(), exponent, 2, context);
    if (zeros > 0) {
        algorithm::lift_to_even<N>(r.begin(), base.begin(), exponent, 2, zeros, context);
    }
    return r.intact() ? r.value() : ~std::uint64_t(0);
}

std::uint64_t power_oracle(std::uint64_t a, std::uint32_t e, std::uint64_t m) {
    std::uint64_t result = 1 % m;
    for (a %= m; e != 0; e >>= 1, a = a * a % m) {
        if (e & 1) {
            result = result * a % m;
        }
    }
    return result;
}

} // namespace

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
        // An odd multiplier visits every value once; the ends of the range come first.
        const std::uint32_t a =
            row < 4 ? (std::uint32_t(row) - 2) & 0xffff : (std::uint32_t(row) * 0x9e37u) & 0xffff;
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
            failures += algorithm::less<2>(x, y) != (a < b);
            failures += algorithm::equal<2>(x, y) != (a == b);
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
        tally.equal(std::uint64_t(algorithm::bit_width<2>(x.begin())), std::bit_width(a), a);
        tally.equal(std::uint64_t(algorithm::countr_zero<2>(x.begin())),
                    a == 0 ? 16u : std::uint64_t(std::countr_zero(a)), a);
        tally.equal(algorithm::is_zero<2>(x.begin()), a == 0, a);
        const int count = static_cast<int>(source.word() % 16);
        Limbs<2> r(0x5555);
        algorithm::shift_left<2>(r.begin(), x.begin(), count);
        tally.equal(r.value(), (a << count) & 0xffff, a, count);
        algorithm::shift_right<2>(r.begin(), x.begin(), count);
        tally.equal(r.value(), a >> count, a, count);
        algorithm::shift_right<2>(r.begin(), x.begin(), count, Limb(0xff));
        tally.equal(r.value(), (a >> count) | (0xffffu & ~(0xffffu >> count)), a, count);
        r = x;
        algorithm::shift_left<2>(r.begin(), r.begin(), count);
        tally.equal(r.value(), (a << count) & 0xffff, a, count);
        r = x;
        algorithm::shift_right<2>(r.begin(), r.begin(), count);
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
        tally.equal(algorithm::less<3>(x.begin(), y.begin()), a < b, a, b);
        tally.equal(algorithm::equal<3>(x.begin(), y.begin()), a == b, a, b);
        algorithm::select<3>(chosen.begin(), i % 2 == 0, x.begin(), y.begin());
        tally.equal(chosen.value(), i % 2 == 0 ? a : b, a, b);
        tally.equal(sum.intact() && difference.intact() && chosen.intact(), true, a, b);
    }
}

TEST_CASE("Montgomery: every a, b and odd m of one limb") {
    Tally tally("Montgomery, exhaustive");
    for (std::uint64_t m = 1; m < 256; m += 2) {
        const std::uint64_t inverse = inverse_of_r(1, m);
        for (std::uint64_t a = 0; a < 256; ++a) {
            for (std::uint64_t b = 0; b < 256 && a * b < 256 * m; ++b) {
                check_montgomery<1>(tally, a, b, m, inverse);
            }
        }
    }
}

TEST_CASE("Montgomery: random limbs") {
    check_random_montgomery<2>(1000000);
    check_random_montgomery<3>(500000);
    check_random_montgomery<4>(500000);
}

TEST_CASE("Montgomery constants: every odd modulus of one and two limbs") {
    Tally tally("Montgomery constants");
    for (std::uint64_t m = 1; m < 65536; m += 2) {
        if (m < 256) {
            check_constants<1>(tally, m);
        }
        check_constants<2>(tally, m);
        check_constants<3>(tally, m);
    }
    Source source("Montgomery constants");
    for (int i = 0; i < 50000; ++i) {
        check_constants<3>(tally, source.number(3) | 1);
        check_constants<4>(tally, source.number(4) >> (source.word() % 24) | 1);
    }
}

TEST_CASE("powers: every base, exponent and modulus of one limb") {
    Tally tally("powers, exhaustive");
    for (std::uint64_t m = 1; m < 256; ++m) {
        for (std::uint64_t a = 0; a < 256; ++a) {
            std::uint64_t expected = 1 % m; // a^e
            for (std::uint32_t e = 0; e < 256; ++e, expected = expected * a % m) {
                tally.equal(power<1, 4>(a, e, m), expected, a, e, m);
            }
        }
    }
}

TEST_CASE("powers: random limbs, every window width") {
    Tally tally("powers");
    Source source("powers");
    for (long i = 0, runs = test::scaled(100000); i < runs; ++i) {
        const std::uint64_t a = source.number(4);
        const auto e = static_cast<std::uint32_t>(source.number(4) >> (source.word() % 32));
        std::uint64_t m = source.number(4) >> (source.word() % 32);
        m = source.word() % 4 == 0 ? m << (source.word() % 32) & 0xffffffff : m;
        m += m == 0;
        const std::uint64_t expected = power_oracle(a, e, m);
        tally.equal(power<4, 1>(a, e, m), expected, a, e, m);
        tally.equal(power<4, 3>(a, e, m), expected, a, e, m);
        tally.equal(power<4, 6>(a, e, m), expected, a, e, m);
        tally.equal(power<5, 5>(a, e, m), expected, a, e, m);
    }
}

TEST_CASE("powers: long exponents, the widest windows") {
    Tally tally("powers with long exponents");
    Source source("long exponents");
    constexpr int exponent_limbs = 40;
    for (long i = 0, runs = test::scaled(3000); i < runs; ++i) {
        std::array<std::uint32_t, exponent_limbs> exponent{};
        const int used = static_cast<int>(source.word() % (exponent_limbs + 1));
        for (int k = 0; k < used; ++k) {
            exponent[std::size_t(k)] =
                static_cast<std::uint32_t>(source.word() % 3 == 0 ? 0 : source.number(4));
        }
        const std::uint64_t m = source.number(4) | 1;
        const std::uint64_t a = source.number(4);
        std::uint64_t expected = 1 % m;
        for (int bit = 32 * exponent_limbs - 1; bit >= 0; --bit) {
            expected = expected * expected % m;
            if ((exponent[std::size_t(bit / 32)] >> (bit % 32)) & 1) {
                expected = expected * (a % m) % m;
            }
        }
        algorithm::MontgomeryContext<4, Limb> context;
        algorithm::copy<4>(context.modulus, Limbs<4>(m).begin());
        algorithm::prepare<4>(context);
        const Limbs<4> base(a);
        Limbs<4> r;
        algorithm::power_odd<4, 6>(r.begin(), base.begin(), exponent.data(), exponent_limbs,
                                   context);
        tally.equal(r.value(), expected, a, m, i);
        algorithm::power_odd<4, 2>(r.begin(), base.begin(), exponent.data(), exponent_limbs,
                                   context);
        tally.equal(r.value(), expected, a, m, i);
        algorithm::power_low<4>(r.begin(), base.begin(), exponent.data(), exponent_limbs);
        std::uint64_t low = 1;
        for (int bit = 32 * exponent_limbs - 1; bit >= 0; --bit) {
            low = low * low & 0xffffffff;
            if ((exponent[std::size_t(bit / 32)] >> (bit % 32)) & 1) {
                low = low * a & 0xffffffff;
            }
        }
        tally.equal(r.value(), low, a, i);
    }
}

TEST_CASE("window choice is cheap and bounded") {
    for (int limit = 1; limit <= 6; ++limit) {
        for (int bits = 1; bits < 5000; ++bits) {
            const int window = algorithm::best_window(bits, limit);
            REQUIRE(window >= 1);
            REQUIRE(window <= limit);
        }
    }
}
