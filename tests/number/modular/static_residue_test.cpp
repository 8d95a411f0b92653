// SPDX-License-Identifier: Apache-2.0
// StaticResidue<modulus> against GMP for every kind of reduction: the primes of cryptography, an
// ordinary prime (Montgomery) and an even modulus (Barrett).

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>

#include <warpint/number/stream.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <unordered_set>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::modulo;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Reduction;
using warpint::SignedBigInt;
using warpint::StaticResidue;

template <int N>
constexpr BigInt<N> bit(int i) {
    return BigInt<N>(1) << i;
}

constexpr auto p25519 = BigInt<256>(bit<256>(255) - 19);
constexpr auto p25519_exact = BigInt<255>(0) - 19; // the same number in its own width
constexpr auto secp256k1 = BigInt<256>(0) - bit<256>(32) - 977;
constexpr auto p192 = BigInt<192>(0) - bit<192>(64) - 1;
constexpr auto p224 = BigInt<224>(0) - bit<224>(96) + 1;
constexpr auto p256 = BigInt<256>(0) - bit<256>(224) + bit<256>(192) + bit<256>(96) - 1;
constexpr auto p384 = BigInt<384>(0) - bit<384>(128) - bit<384>(96) + bit<384>(32) - 1;
constexpr auto p521 = ~BigInt<521>(0);
constexpr auto p61 = ~BigInt<61>(0);
constexpr auto p31 = BigInt<32>((1u << 31) - 1);
constexpr auto p130 = BigInt<131>(bit<131>(130) - 5);
// The prime of brainpoolP256r1 (RFC 5639).
constexpr auto ordinary =
    BigInt<256>::parse("0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377");
constexpr auto narrow = BigInt<256>(1000003); // a small value in a wide number
constexpr auto five_limbs = BigInt<131>::parse("0x4a1d2c3b4a5968778695a4b3c2d1e0f01");
constexpr auto even =
    BigInt<256>::parse("0x29FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5378");
constexpr auto power = bit<128>(100);
constexpr auto one = BigInt<64>(1);

template <auto modulus>
void check_laws(const char *name, Reduction expected, long count) {
    using R = StaticResidue<modulus>;
    constexpr int bits = R::bits;
    CHECK(R::reduction == expected);
    static_assert(sizeof(R) == sizeof(modulus));
    static_assert(std::is_trivially_copyable_v<R> && std::is_trivially_default_constructible_v<R>);
    const Integer m = to_integer(modulus);
    const int width = m.bit_width();
    const auto draw = [&](OperandSource &source) -> Operands {
        const auto operand = [&] {
            switch (source.below(8)) {
            case 0:
                return m - 1 - source.below(2) < 0 ? Integer(0) : m - 1 - source.below(2);
            case 1:
                return Integer(source.below(3));
            case 2:
                return test::all_ones(bits);
            case 3: // products near 2^width
                return test::store_unsigned(test::power_of_two(width / 2) + source.below(9) - 4,
                                            bits);
            default:
                return source.number(bits);
            }
        };
        const Integer a = operand();
        return {a, operand(), source.exponent(80, m)};
    };
    check_property(name, bits, count, draw, [&](Verdict &verdict, const Operands &v) {
        const auto a = from_integer<BigInt<bits>>(v[0]);
        const auto c = from_integer<SignedBigInt<bits>>(v[1]);
        const R x = a;
        const R y = from_integer<BigInt<bits>>(v[1]);
        verdict.equal("R(a).value()", to_integer(x.value()), modulo(v[0], m));
        verdict.equal("R(signed).value()", to_integer(R(c).value()), modulo(to_integer(c), m));
        verdict.equal("R(a * a).value()", to_integer(R(a * a).value()), modulo(v[0] * v[0], m));
        verdict.equal("x + y", to_integer((x + y).value()), modulo(v[0] + v[1], m));
        verdict.equal("x - y", to_integer((x - y).value()), modulo(v[0] - v[1], m));
        verdict.equal("-x", to_integer((-x).value()), modulo(-v[0], m));
        verdict.equal("x * y", to_integer((x * y).value()), modulo(v[0] * v[1], m));
        verdict.equal("x * x", to_integer((x * x).value()), modulo(v[0] * v[0], m));
        verdict.equal("x * copy of x", to_integer((x * R(x)).value()), modulo(v[0] * v[0], m));
        verdict.equal("x * y * x + 3", to_integer((x * y * x + 3).value()),
                      modulo(v[0] * v[1] * v[0] + 3, m));
        verdict.is_true("x == y", (x == y) == (modulo(v[0] - v[1], m) == 0));
        verdict.equal("pow", to_integer(pow(x, from_integer<BigInt<80>>(v[2])).value()),
                      test::power_modulo(v[0], v[2], m));
        const auto inverse_of_y = inverse(y);
        verdict.is_true("inverse exists",
                        inverse_of_y.has_value() == (test::greatest_common_divisor(v[1], m) == 1));
        if (inverse_of_y) {
            verdict.equal("inverse", to_integer(inverse_of_y->value()),
                          test::inverse_or_zero(v[1], m));
            verdict.is_true("x / y * y", x / y * y == x);
        }
        auto z = x;
        z += y;
        z *= x;
        z -= 5;
        ++z;
        verdict.equal("compound", to_integer(z.value()), modulo((v[0] + v[1]) * v[0] - 4, m));
    });
    for (int i = -20; i <= 20; ++i)
        CHECK(to_integer(R(i).value()) == modulo(i, m));
}

TEST_CASE("pseudo-Mersenne primes") {
    check_laws<p25519>("2^255 - 19", Reduction::pseudo_mersenne, 1500);
    check_laws<p25519_exact>("2^255 - 19 in 255 bits", Reduction::pseudo_mersenne, 400);
    check_laws<secp256k1>("secp256k1", Reduction::pseudo_mersenne, 1500);
    check_laws<p521>("2^521 - 1", Reduction::pseudo_mersenne, 600);
    check_laws<p61>("2^61 - 1", Reduction::pseudo_mersenne, 1000);
    check_laws<p31>("2^31 - 1", Reduction::pseudo_mersenne, 1000);
    check_laws<p130>("2^130 - 5", Reduction::pseudo_mersenne, 600);
}

TEST_CASE("generalised Mersenne primes") {
    check_laws<p192>("P-192", Reduction::solinas, 600);
    check_laws<p224>("P-224", Reduction::solinas, 600);
    check_laws<p256>("P-256", Reduction::montgomery, 1500);
    check_laws<p384>("P-384", Reduction::solinas, 600);
}

TEST_CASE("ordinary odd moduli") {
    check_laws<ordinary>("brainpoolP256r1", Reduction::montgomery, 1000);
    check_laws<narrow>("1000003", Reduction::montgomery, 600);
    check_laws<five_limbs>("131 bits", Reduction::montgomery, 600);
    check_laws<one>("1", Reduction::montgomery, 100);
}

TEST_CASE("even moduli") {
    check_laws<even>("an even number", Reduction::barrett, 1000);
    check_laws<power>("2^100", Reduction::barrett, 600);
}

// A constant of exactly N bits, of no special shape.
template <int N>
constexpr BigInt<N> scrambled(std::uint32_t low_bit) {
    BigInt<N> r{};
    for (int i = 0; i < r.limb_count; ++i) {
        const auto x = static_cast<std::uint32_t>(i + 1) * 0x9e3779b9u;
        r.limbs[i] = (x ^ x >> 15) * 0x85ebca6bu;
    }
    r.limbs[0] = (r.limbs[0] & ~1u) | low_bit;
    r.limbs[r.limb_count - 1] |= std::uint32_t{1} << ((N - 1) % 32);
    return r;
}

// Compilers bound the steps of a constant expression: Clang to 2^20. The constants of wide moduli
// must be found in fewer.
TEST_CASE("moduli of 8192 bits") {
    constexpr auto odd = scrambled<8192>(1), multiple_of_two = scrambled<8192>(0);
    const BigInt<8192> a = ~BigInt<8192>(5), b = ~(BigInt<8192>(1) << 4000);
    const StaticResidue<odd> x = a, y = b;
    CHECK((x * y + 1).value() == (a * b + 1) % odd);
    CHECK(StaticResidue<odd>(1).value() == 1);
    const StaticResidue<multiple_of_two> u = a, v = b;
    CHECK((u * v + 1).value() == (a * b + 1) % multiple_of_two);
}

TEST_CASE("plain numbers beside residues, text and errors") {
    using R = StaticResidue<ordinary>;
    const R x = 7;
    CHECK(x == 7);
    CHECK(x * x + 3 == 52);
    CHECK(3 * x == 21);
    CHECK(3 - x == -4);
    CHECK(2 / (x - 5) == 1);
    CHECK((x * BigInt<700>(ordinary) + 1).value() == 1);
#if defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    CHECK(R((Wide{1} << 64) + 1).value() == (BigInt<256>(1) << 64) + 1);
#endif
    CHECK((x - std::numeric_limits<std::int64_t>::min()).value() ==
          BigInt<256>((std::uint64_t{1} << 63) + 7));
    std::ostringstream stream;
    stream << x * x << " " << StaticResidue<secp256k1>(100);
    CHECK(stream.str() == "49 100");
    CHECK(to_string(x * x, 16) == "31");
    CHECK(pow(x, 0) == 1);
    CHECK_THROWS_AS(static_cast<void>(x / 0), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(pow(x, -1)), std::domain_error);
    CHECK(!inverse(StaticResidue<even>(2)));
    const std::unordered_set<R> set = {x, R(BigInt<700>(ordinary) + 7), x + 1};
    CHECK(set.size() == 2);
    CHECK(set.contains(R(8)));
}

template <auto modulus>
constexpr bool computes() {
    using R = StaticResidue<modulus>;
    const R x = 3;
    R y = x, z = 4;
    swap(y, z);
    return y == 4 && z == 3 && x * 5 == 15 && (x * x + 3).value() == 12 && x - 4 == -1 &&
           pow(x, 5) == 243 && sqr(x) == 9;
}
static_assert(computes<p25519>() && computes<secp256k1>() && computes<p224>());
static_assert(computes<p256>() && computes<ordinary>() && computes<even>() && computes<p61>());
// Fermat's theorem in the compiler.
static_assert(pow(StaticResidue<secp256k1>(2), secp256k1 - 1) == 1);

// A residue as a template argument.
template <auto residue>
constexpr auto squared = residue * residue;
static_assert(squared<StaticResidue<p25519>(5)> == 25);

template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };
static_assert(!Adds<StaticResidue<p256>, StaticResidue<secp256k1>>);
static_assert(Adds<StaticResidue<p256>, std::uint64_t>);

} // namespace
