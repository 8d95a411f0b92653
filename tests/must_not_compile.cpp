// SPDX-License-Identifier: Apache-2.0
// Programs that the compiler must refuse, one per value of CASE; case 0 must compile. The comment
// of a case is a regular expression that the compiler's messages must match (those of GCC or of
// Clang), so that a slip of the pen does not count. tools/must_not_compile.cmake runs them.
// A case is one line, which clang-format would break.
// clang-format off

#define WARPINT_ASSERTIONS 1

#include <warpint/bigint.h>
#include <warpint/random.h>

#include <concepts>
#include <string>
#include <string_view>

using namespace warpint;

void take_narrow(BigInt<128>);

#if CASE == 0
// Traits and requires-expressions see no refused functions.
template <class A, class B>
concept Addable = requires(const A &a, const B &b) { a + b; };
template <class A, class B>
concept Powerable = requires(const A &a, const B &b) { pow(a, b); };
static_assert(Addable<BigInt<256>, int> && !Addable<BigInt<256>, const char *>);
static_assert(!Addable<std::string_view, BigInt<128>> && !Addable<BigInt<128>, std::string_view>);
static_assert(Powerable<BigInt<256>, int> && !Powerable<SignedBigInt<256>, float>);
static_assert(!Powerable<float, SignedBigInt<256>>);
// What a constant number refuses is no function that fits, not an error inside one.
template <class A>
concept Countable = requires(A &a) { ++a; } || requires(A &a) { a--; };
template <class A>
concept Changeable = requires(A &a) { a += 1; } || requires(A &a) { a *= 1; } || requires(A &a) { a %= 1; } || requires(A &a) { a |= 1; } || requires(A &a) { a <<= 1; };
static_assert(Countable<BigInt<256>> && Changeable<BigInt<256>> && Countable<SignedBigInt<64>>);
static_assert(!Countable<const BigInt<256>> && !Changeable<const BigInt<256>> && !Countable<const SignedBigInt<64>>);
static_assert(!std::is_constructible_v<BigInt<256>, std::string> && !std::is_constructible_v<BigInt<256>, std::string_view>);
static_assert(!std::is_constructible_v<SignedBigInt<256>, std::string> && !std::is_constructible_v<BigInt<256>, const char *>);
static_assert(!std::is_assignable_v<BigInt<256> &, std::string> && !std::is_assignable_v<SignedBigInt<256> &, std::string>);
static_assert(!std::is_convertible_v<std::string, BigInt<256>> && !std::is_convertible_v<const char *, BigInt<256>>);

// A program's own functions are preferred to refused ones.
struct Real {
    Real(BigInt<256>);
    Real(double);
    Real(std::string_view);
};
int operator+(std::string_view, const BigInt<256> &);
int operator+(const Real &, const std::string &);
int pow(Real, Real);
int take(std::string_view);
double take(BigInt<256>);
#endif

void program();
void program() {
    [[maybe_unused]] BigInt<256> wide = 1;
    [[maybe_unused]] SignedBigInt<64> negative = -1;
    [[maybe_unused]] BigInt<128> narrow = 2;
    [[maybe_unused]] int built_in = 3;

#if CASE == 0 // what to write instead
    BigInt<128> a = BigInt<128>(wide);
    a = BigInt<128>(wide);
    a = wide + 1;
    take_narrow(BigInt<128>(wide));
    BigInt<64> b = BigInt<64>(negative);
    BigInt<1> c = 1;
    BigInt<256> d = static_cast<int>(1.5);
    d = wide << static_cast<int>(1.5);
    bool e = wide < static_cast<int>(1.5);
    built_in = static_cast<int>(wide);
    e = static_cast<bool>(wide);
    constexpr BigInt<64> f = BigInt<64>(1) / BigInt<64>(2);
    constexpr auto g = BigInt<64>::parse("12");
    auto h = 15_bi + 07_bi + 0b101_bi;
    constexpr auto i = random_below(BigInt<64>(1), Philox(1));
    constexpr auto j = extract_bits<1>(BigInt<64>(2), 0);
    auto k = min(wide, 1);
    auto l = BigInt<256>(1.5) + static_cast<BigInt<64>>(2.5f);
    auto m = static_cast<double>(wide);
    auto o = to_string(wide) + to_string(negative);
    float p = static_cast<float>(wide);
    enum { five = 5 } n = five;
    d = wide + five + n;
    d = rotl(wide, 3ull) + popcount(BigInt<8>(255_bi)) + min(wide, 5_bi) + set_bit(wide, wide);
    std::same_as<int> auto q = "text" + wide;
    std::same_as<int> auto r = wide + std::string("text");
    std::same_as<int> auto s = pow(wide, 0.5);
    std::same_as<int> auto t = take(std::string("text"));
    static_cast<void>(q), static_cast<void>(r), static_cast<void>(s), static_cast<void>(t);
    static_cast<void>(a), static_cast<void>(b), static_cast<void>(c), static_cast<void>(e);
    static_cast<void>(f), static_cast<void>(g), static_cast<void>(h), static_cast<void>(i);
    static_cast<void>(j), static_cast<void>(k), static_cast<void>(l), static_cast<void>(m), static_cast<void>(o), static_cast<void>(p);

#elif CASE == 1 // (to non-scalar type .*BigInt<128>|no viable conversion from .*BigInt<256>)
    BigInt<128> a = wide;
#elif CASE == 2 // narrowing.must.be.explicit.+as.in.BigInt.128.+x
    narrow = wide;
#elif CASE == 3 // (could not convert .*BigInt<256>|no matching function for call to 'take_narrow')
    take_narrow(wide);
#elif CASE == 4 // (to non-scalar type .*BigInt<64>|no viable conversion from .*SignedBigInt)
    BigInt<64> a = negative;
#elif CASE == 5 // Bits must be at least 1
    BigInt<0> a;
#elif CASE == 6 // (from .*double.* to non-scalar type|no viable conversion from 'double')
    BigInt<256> a = 1.5;
#elif CASE == 7 // (no match for .*operator<<|invalid operands to binary expression)
    wide = wide << 1.5;
#elif CASE == 8 // (use of deleted function .*operator<.*write_BigInt_256_x_or_static_cast_double_a|convert one of them: BigInt<256>.x., or static_cast<double>.a.)
    bool a = wide < 1.5;
#elif CASE == 9 // (cannot convert .* to .*int|no viable conversion from .* to 'int')
    built_in = 0;
    int a = wide;
#elif CASE == 10 // (cannot convert .* to .*bool|no viable conversion from .* to 'bool')
    bool a = wide;
#elif CASE == 11 // division by zero
    constexpr BigInt<64> a = BigInt<64>(1) / BigInt<64>(0);
#elif CASE == 12 // division by zero
    constexpr auto a = SignedBigInt<64>(1) % 0;
#elif CASE == 13 // throw_bad_text
    constexpr auto a = BigInt<64>::parse("12y");
#elif CASE == 14 // throw_too_large
    constexpr auto a = BigInt<8>::parse("256");
#elif CASE == 15 // (call to non-.constexpr. function .*throw_bad_text|SpelledConstant<'1', '.', '5'>)
    auto a = 1.5_bi;
#elif CASE == 16 // invalid digit .*9.* in octal constant
    auto a = 09_bi;
#elif CASE == 17 // the bound of random_below must be at least 1
    constexpr auto a = random_below(BigInt<64>(0), Philox(1));
#elif CASE == 18 // (Count|Bits) must be at least 1
    auto a = extract_bits<0>(wide, 5);
#elif CASE == 19 // no matching function for call to .*min
    auto a = min(wide, 1.5);
#elif CASE == 20 // (use of deleted function .*operator\+.*write_BigInt_256_x_or_static_cast_double_a|convert one of them: BigInt<256>.x., or static_cast<double>.a.)
    auto a = wide + 1.5f;
#elif CASE == 21 // narrowing.must.be.explicit.+as.in.BigInt.128.+x
    wide = 2.0;
#elif CASE == 22 // (use of deleted function .*operator==.*write_BigInt_256_x_or_static_cast_double_a|convert one of them: BigInt<256>.x., or static_cast<double>.a.)
    bool a = wide == 1.5;
#elif CASE == 23 // (cannot convert .* to .*double|no viable conversion from .* to 'double')
    double a = wide;
#elif CASE == 24 // the floating-point value does not fit the number
    constexpr BigInt<64> a = BigInt<64>(-1.5);
#elif CASE == 25 // the floating-point value does not fit the number
    constexpr auto a = SignedBigInt<128>(1e40);
#elif CASE == 26 // (no match for .*operator\+|invalid operands to binary expression)
    enum class Scoped { five = 5 };
    auto a = wide + Scoped::five;
#elif CASE == 27 // (to non-scalar type .*BigInt<8>|no viable conversion from .*Scoped)
    enum class Scoped { five = 5 };
    BigInt<8> a = Scoped::five;
#elif CASE == 28 // assertion_failed
    constexpr int a = [] {
        WARPINT_ASSERT(1 + 1 == 3);
        return 1;
    }();
#elif CASE == 40 // a literal has no width: name one
    auto a = 1_bi << 255;
#elif CASE == 41 // a literal has no width: name one
    auto a = 1000_bi + 100;
#elif CASE == 42 // a literal has no width: name one
    auto a = 100 - 1000_bi;
#elif CASE == 43 // a literal has no width: name one
    auto a = 1_bi << 255_bi;
#elif CASE == 44 // number.*too.narrow.*for.this.literal
    BigInt<8> a = 256_bi;
#elif CASE == 45 // number.*too.narrow.*for.this.literal
    BigInt<256> a = -1_bi;
#elif CASE == 46 // (text.is.read.by.BigInt.256.parse|BigInt<N>::parse reads text)
    BigInt<256> a = "0x12";
#elif CASE == 47 // narrowing.must.be.explicit.+as.in.BigInt.128.+x
    negative = narrow;
#elif CASE == 48 // narrowing.must.be.explicit.+as.in.BigInt.128.+x
    narrow = negative;
#elif CASE == 49 // number.*too.narrow.*for.this.literal
    take_narrow(0x1'0000'0000'0000'0000'0000'0000'0000'0000_bi);
#elif CASE == 50 // (use of deleted function .*sqrt.*isqrt_rounds_down|isqrt.a. is the square root, rounded down)
    auto a = sqrt(wide);
#elif CASE == 51 // (use of deleted function .*powm.*write_pow_a_e_m|write pow.a, e, m)
    auto a = powm(wide, wide, wide);
#elif CASE == 52 // (use of deleted function .*write_BigInt_256_x_or_static_cast_double_a|convert one of them: BigInt<256>.x., or static_cast<double>.a.)
    auto a = 0.5 * wide;
#elif CASE == 53 // (use of deleted function .*write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x|invokes a deleted function)
    auto a = std::to_string(wide);
#elif CASE == 54 // (use of deleted function .*write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x|invokes a deleted function)
    auto a = std::to_string(negative);
#elif CASE == 55 // (use of deleted function|is unavailable).*to_string.a. is the text of a number a
    auto a = "text" + wide;
#elif CASE == 56 // (use of deleted function|is unavailable).*to_string.a. is the text of a number a
    auto a = negative + std::string("text");
#elif CASE == 57 // (use of deleted function|is unavailable).*isqrt.a. is the square root. other exponents are integers
    auto a = pow(wide, 0.5);
#elif CASE == 58 // (use of deleted function|is unavailable).*isqrt.a. is the square root. other exponents are integers
    auto a = pow(2.0, wide);
#elif CASE == 59 // (use of deleted function.*text_is_read_by_BigInt_256_parse|is unavailable: BigInt<N>::parse reads text)
    auto a = BigInt<256>(std::string("12"));
#elif CASE == 60 // (use of deleted function.*text_is_read_by_SignedBigInt_256_parse|is unavailable: SignedBigInt<N>::parse reads text)
    SignedBigInt<256> a(std::string_view("12"));
#elif CASE == 61 // (default type conversion cannot deduce .*write_int_x_for_switch|statement requires expression of integer type)
    switch (wide) {}
#elif CASE == 62 // (use of deleted function.*operator=.*text_is_read_by_BigInt_256_parse|is unavailable: BigInt<N>::parse reads text)
    wide = std::string("12");
#elif CASE == 63 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = popcount(255_bi);
#elif CASE == 64 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = isqrt(99_bi);
#elif CASE == 65 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = ~5_bi;
#elif CASE == 66 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = divmod(12_bi, 5);
#elif CASE == 67 // (use of deleted function|is unavailable).*a position is an integer: write static_cast<int>.x
    auto a = test_bit(wide, 1.5);
#elif CASE == 68 // (use of deleted function|is unavailable).*a position is an integer: write static_cast<int>.x
    auto a = rotl(wide, 1.5f);
#elif CASE == 69 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = to_bytes(99_bi, std::endian::big);
#elif CASE == 70 // (use of deleted function|is unavailable).*a literal has no width: name one, as in BigInt<256>.99_bi
    auto a = extract_bits<3>(99_bi, 1);
#elif CASE == 71 // (use of deleted function|is unavailable).*a position is an integer: write static_cast<int>.x
    auto a = extract_bits(wide, 1.5, 2);
#elif CASE == 72 // (use of deleted function|is unavailable).*a position is an integer: write static_cast<int>.x
    auto a = extract_bits<3>(wide, 1.5);
#elif CASE == 73 // (use of deleted function|is unavailable).*a position is an integer: write static_cast<int>.x
    auto a = insert_bits(wide, 7, 4, 2.0);
#elif CASE == 78 // (use of deleted function|is unavailable).*write random_below.bound, generator
    Philox generator(1);
    auto a = random_below(generator, wide);
#else
#error "there is no such case"
#endif
}
