// SPDX-License-Identifier: Apache-2.0
// BigInt in constant expressions, as a template argument, and its conversion rules. Most of this
// file is checked by the compiler; the run only repeats that it was compiled.

#include <warpint/warpint.h>

#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <type_traits>

using warpint::BigInt;
using warpint::SignedBigInt;
using namespace warpint::literals;

namespace {

// ---- values -------------------------------------------------------------------------------------

constexpr BigInt<256> p256 =
    BigInt<256>::parse("0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
constexpr BigInt<127> mersenne = (BigInt<127>(1) << 127) - 1;

static_assert(BigInt<7>(127) + 1 == 0);
static_assert(BigInt<7>() - 1 == 127);
static_assert(BigInt<7>(200) == 72);
static_assert(mersenne == 0x7fffffffffffffffffffffffffffffff_bi);
static_assert(sqr(mersenne) % 1000 == 529u);
static_assert((mersenne * mersenne) / mersenne == mersenne);
static_assert(p256 % 19u == 5u);
static_assert(p256 / p256 == 1 && p256 % p256 == 0);
static_assert((p256 * p256 >> 512) == 0 && (p256 * p256) % p256 == 0);
static_assert(BigInt<109>(5) - 7 == ~BigInt<109>(1));
static_assert((BigInt<109>(1) << 108) == 0x1000000000000000000000000000_bi);
static_assert((BigInt<109>(1) << 109) == 0 && (BigInt<109>(1) >> 1) == 0);
static_assert(bit_width(p256) == 256 && countr_zero(p256) == 0 && countl_zero(mersenne) == 0);
static_assert(popcount(mersenne) == 127 && has_single_bit(mersenne + 1) == false);
static_assert(bit_width(BigInt<33>()) == 0 && countl_zero(BigInt<33>()) == 33);
static_assert(test_bit(p256, 96) == false && test_bit(p256, 192) == true);
static_assert(divmod(BigInt<64>(100), BigInt<64>(7)).quotient == 14);
static_assert(divmod(BigInt<64>(100), BigInt<64>(7)).remainder == 2);

// Signed numbers: two's complement, truncating division, the dividend's sign, arithmetic shifts.
static_assert(SignedBigInt<33>(-7) / SignedBigInt<33>(2) == -3);
static_assert(SignedBigInt<33>(-7) % SignedBigInt<33>(2) == -1);
static_assert(SignedBigInt<33>(7) % SignedBigInt<33>(-2) == 1);
static_assert(SignedBigInt<33>(-7) % BigInt<33>(2) == 1); // in [0, m) for an unsigned m
static_assert((SignedBigInt<33>(-7) >> 1) == -4);
static_assert((SignedBigInt<33>(-1) >> 1000) == -1);
static_assert(SignedBigInt<7>(63) + 1 == -64);
static_assert(SignedBigInt<7>(64) == -64);
static_assert(SignedBigInt<7>(-64) * SignedBigInt<7>(-64) == 4096);

// Comparison by value, not by bits.
static_assert(SignedBigInt<64>(-1) < BigInt<7>(1));
static_assert(BigInt<64>(1) > -1);
static_assert(SignedBigInt<64>(-1) != BigInt<64>(~0ull));
static_assert(BigInt<64>(~0ull) != -1);
static_assert(BigInt<7>(5) == BigInt<2048>(5));
static_assert((BigInt<7>(5) <=> BigInt<2048>(6)) < 0);

// ---- the type of a result -----------------------------------------------------------------------

template <typename Expected, typename T>
concept is_exactly = std::same_as<Expected, std::remove_cvref_t<T>>;

static_assert(is_exactly<BigInt<256>, decltype(BigInt<109>() + BigInt<256>())>);
static_assert(is_exactly<BigInt<365>, decltype(BigInt<109>() * BigInt<256>())>);
static_assert(is_exactly<BigInt<109>, decltype(BigInt<109>() / BigInt<256>())>);
static_assert(is_exactly<BigInt<256>, decltype(BigInt<109>() % BigInt<256>())>);
static_assert(is_exactly<BigInt<109>, decltype(BigInt<109>() << 3)>);
static_assert(is_exactly<BigInt<109>, decltype(~BigInt<109>())>);
static_assert(is_exactly<BigInt<109>, decltype(BigInt<109>() + 1)>);
static_assert(is_exactly<BigInt<7>, decltype(1ull + BigInt<7>())>);
static_assert(is_exactly<SignedBigInt<100>, decltype(SignedBigInt<33>() * SignedBigInt<67>())>);

// ---- literals: exactly the width that is needed ------------------------------------------------

static_assert(0_bi == 0 && 077_bi == 63 && 0b101_bi == 5 && 1'000_bi == 1000);
static_assert(340282366920938463463374607431768211456_bi == (BigInt<129>(1) << 128));

// ---- a number in a type -------------------------------------------------------------------------

template <BigInt<256> Value>
struct InType {
    static constexpr BigInt<256> value = Value;
};
static_assert(InType<p256>::value == p256);
static_assert(!std::same_as<InType<p256>, InType<p256 - 1>>);
static_assert(std::same_as<InType<p256>, InType<p256 - 1 + 1>>);

// ---- conversions --------------------------------------------------------------------------------

// Widening is implicit.
static_assert(std::is_convertible_v<BigInt<64>, BigInt<109>>);
static_assert(std::is_convertible_v<const BigInt<64> &, BigInt<109>>);
static_assert(std::is_convertible_v<const BigInt<64> &, SignedBigInt<109>>);
static_assert(std::is_convertible_v<const SignedBigInt<64> &, SignedBigInt<109>>);
// Narrowing a named number must be written out; storing an expression keeps its low bits.
static_assert(!std::is_convertible_v<BigInt<64>, int> && !std::is_convertible_v<BigInt<64>, float>);
static_assert(!std::is_convertible_v<BigInt<64>, double> &&
              !std::is_convertible_v<SignedBigInt<64>, float>);
static_assert(std::is_constructible_v<float, BigInt<64>> &&
              std::is_constructible_v<float, SignedBigInt<64>>);
static_assert(std::is_same_v<decltype(true ? BigInt<64>(1) : 1), BigInt<64>>);
static_assert(!std::is_convertible_v<const BigInt<109> &, BigInt<64>>);
static_assert(!std::is_convertible_v<BigInt<109> &, BigInt<64>>);
static_assert(std::is_constructible_v<BigInt<64>, const BigInt<109> &>);
static_assert(std::is_convertible_v<BigInt<109>, BigInt<64>>);
static_assert(!std::is_assignable_v<BigInt<64> &, const BigInt<109> &>);
static_assert(std::is_assignable_v<BigInt<64> &, BigInt<109>>);
// Built-in integers are numbers; back again only when written out.
static_assert(std::is_convertible_v<int, BigInt<7>> && std::is_convertible_v<bool, BigInt<7>>);
static_assert(std::is_convertible_v<std::uint64_t, BigInt<7>>);
static_assert(!std::is_convertible_v<BigInt<7>, int> && !std::is_convertible_v<BigInt<7>, bool>);
static_assert(std::is_constructible_v<int, BigInt<109>>);
static_assert(std::is_constructible_v<bool, BigInt<109>>);
// Floating point both ways only when written out.
static_assert(std::is_constructible_v<BigInt<109>, double> &&
              !std::is_convertible_v<double, BigInt<109>>);
static_assert(std::is_constructible_v<double, BigInt<109>> &&
              !std::is_convertible_v<BigInt<109>, double>);

#if defined(__SIZEOF_INT128__)
__extension__ using int128 = __int128;
constexpr int128 two_words = (static_cast<int128>(0x0123456789abcdef) << 64) + 42;
static_assert(BigInt<128>(two_words) == 0x0123456789abcdef000000000000002a_bi);
static_assert(static_cast<int128>(BigInt<200>(two_words)) == two_words);
static_assert(static_cast<int128>(SignedBigInt<200>(-two_words)) == -two_words);
#endif

constexpr std::uint64_t low_word(BigInt<256> x) {
    return static_cast<std::uint64_t>(x);
}
static_assert(low_word(p256) == ~std::uint64_t(0));

constexpr std::array<std::uint8_t, 3> bytes_of(BigInt<17> x) {
    std::array<std::uint8_t, 3> out{};
    to_bytes(x, out, std::endian::big);
    return out;
}
static_assert(bytes_of(0x12345) == std::array<std::uint8_t, 3>{0x01, 0x23, 0x45});

// ---- std::numeric_limits ------------------------------------------------------------------------

using Unsigned109 = std::numeric_limits<BigInt<109>>;
static_assert(Unsigned109::is_specialized && Unsigned109::is_integer && Unsigned109::is_exact);
static_assert(!Unsigned109::is_signed && Unsigned109::is_modulo && Unsigned109::digits == 109);
static_assert(Unsigned109::min() == 0 && Unsigned109::lowest() == 0);
static_assert(Unsigned109::max() == ~BigInt<109>(0) && Unsigned109::max() + 1 == 0);
static_assert(Unsigned109::digits10 == 32); // 10^32 - 1 < 2^109 <= 10^33 - 1
static_assert(std::numeric_limits<BigInt<70777>>::digits10 == 21306); // 10^21306 < 2^70777
static_assert(std::numeric_limits<SignedBigInt<70778>>::digits10 == 21306);
static_assert(std::numeric_limits<BigInt<70776>>::digits10 == 21305);
using Signed33 = std::numeric_limits<SignedBigInt<33>>;
static_assert(Signed33::is_signed && Signed33::digits == 32 && Signed33::digits10 == 9);
static_assert(Signed33::min() == -4294967296 && Signed33::max() == 4294967295);
static_assert(std::numeric_limits<SignedBigInt<1>>::min() == -1);
static_assert(std::numeric_limits<SignedBigInt<1>>::max() == 0);
static_assert(std::numeric_limits<BigInt<64>>::digits10 ==
              std::numeric_limits<std::uint64_t>::digits10);
static_assert(Unsigned109::round_style == std::round_toward_zero);
static_assert(Unsigned109::has_denorm == std::denorm_absent);

// An algorithm in a constant expression.
constexpr BigInt<256> factorial(int n) {
    BigInt<256> result = 1;
    for (int i = 2; i <= n; ++i) {
        result *= i;
    }
    return result;
}
static_assert(factorial(50) ==
              30414093201713378043612608166064768844377641568960512000000000000_bi);

// A product with a short number costs what its limbs cost: as many as 2048 x 2048 limb products
// would exceed the number of operations that compilers allow a constant expression.
constexpr bool multiplies_by_short_numbers() {
    BigInt<65536> a = 1;
    a *= 3u;
    a *= -5;
    a *= BigInt<64>(7);
    return mul_low(a, 2u) + 210u == 0 && mul_low(-1, a) == 105u;
}
static_assert(multiplies_by_short_numbers());

} // namespace

TEST_CASE("constant expressions were checked at compile time") {
    CHECK(factorial(20) == 2432902008176640000u);
}

TEST_CASE("the same values at run time, where other code runs") {
    BigInt<127> m = 1;
    m = (m << 127) - 1;
    CHECK(m == mersenne);
    CHECK(sqr(m) == sqr(mersenne));
    BigInt<256> p = p256;
    CHECK(p * p % (p + 2) == (p256 * p256) % (p256 + 2));
}

TEST_CASE("equal numbers have equal hashes, and few others do") {
    const std::hash<BigInt<256>> hash{};
    CHECK(hash(p256) == hash(p256 + 1 - 1));
    int collisions = 0;
    for (int i = 0; i < 256; ++i) {
        const BigInt<256> bit = BigInt<256>(1) << i;
        collisions += hash(bit) == hash(p256);
        collisions += i > 0 && hash(bit) == hash(bit >> 1);
    }
    CHECK(collisions == 0);
}
