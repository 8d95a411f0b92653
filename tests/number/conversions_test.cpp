// SPDX-License-Identifier: Apache-2.0
// The conversion table: between BigInt and SignedBigInt of every relation of widths, and from and
// to the built-in types. What converts silently, what must be written out, what does not exist, and
// the value of each. must_not_compile.cpp shows the compiler's errors for the forbidden ones.
//
// A "named" number is an lvalue; the result of an expression is a temporary.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>
#include <warpint/constant_time.h>
#include <warpint/number_theory.h>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;
using namespace warpint::literals;

// ---- between numbers ----------------------------------------------------------------------------

/// True if every value of From is a value of To.
template <typename From, typename To>
constexpr bool keeps_values =
    is_signed_number<From> == is_signed_number<To> ? To::bits >= From::bits
                                                   : is_signed_number<To> && To::bits > From::bits;

/// The table's rows for one pair of types.
template <typename From, typename To>
constexpr bool follows_table() {
    constexpr bool named = keeps_values<From, To>;
    // A named number converts silently where that keeps its value, an expression always.
    static_assert(std::is_convertible_v<From &, To> == named);
    static_assert(std::is_convertible_v<const From &, To> == named);
    static_assert(std::is_convertible_v<From, To>);
    // The same for assignment.
    static_assert(std::is_assignable_v<To &, From &> == named);
    static_assert(std::is_assignable_v<To &, const From &> == named);
    static_assert(std::is_assignable_v<To &, From>);
    // Written out, everything converts.
    static_assert(std::is_constructible_v<To, From &>);
    static_assert(std::is_constructible_v<To, const From &>);
    static_assert(std::is_constructible_v<To, From>);
    return true;
}

template <typename From, int... Widths>
constexpr bool from_follows_table() {
    return (
        (follows_table<From, BigInt<Widths>>() && follows_table<From, SignedBigInt<Widths>>()) &&
        ...);
}

template <int... Widths>
struct WidthList {
    static constexpr bool all_follow_table() {
        return ((from_follows_table<BigInt<Widths>, Widths...>() &&
                 from_follows_table<SignedBigInt<Widths>, Widths...>()) &&
                ...);
    }
};
static_assert(WidthList<1, 2, 31, 32, 33, 64, 65, 131, 256, 2048>::all_follow_table());

// std::move of a name makes a temporary of it.
static_assert(std::is_convertible_v<BigInt<109> &&, BigInt<64>>);
static_assert(!std::is_convertible_v<const BigInt<109> &&, BigInt<64>>);

// A number takes part in overload resolution only where it converts implicitly: a named number has
// one way to widen, and `c ? x : y` of two widths is the wider one.
[[maybe_unused]] constexpr int width_taken(BigInt<128>) {
    return 128;
}
constexpr int width_taken(BigInt<512>) {
    return 512;
}
constexpr BigInt<256> wide_name(7);
constexpr BigInt<64> narrow_name(5);
static_assert(width_taken(wide_name) == 512);
static_assert(
    std::is_same_v<std::remove_cvref_t<decltype(true ? narrow_name : wide_name)>, BigInt<256>>);

// ---- between numbers and built-in types ---------------------------------------------------------

template <typename Number, typename... Builtins>
constexpr bool builtins_follow_table() {
    static_assert((std::is_convertible_v<Builtins, Number> && ...));
    static_assert((std::is_convertible_v<Builtins &, Number> && ...));
    static_assert((std::is_assignable_v<Number &, Builtins> && ...));
    // Back only when written out.
    static_assert((!std::is_convertible_v<Number, Builtins> && ...));
    static_assert((!std::is_assignable_v<Builtins &, Number> && ...));
    static_assert((std::is_constructible_v<Builtins, const Number &> && ...));
    return true;
}
template <typename Number>
constexpr bool all_builtins_follow_table() {
    return builtins_follow_table<Number, bool, char, signed char, unsigned char, wchar_t, char8_t,
                                 char16_t, char32_t, short, unsigned short, int, unsigned, long,
                                 unsigned long, long long, unsigned long long>();
}
static_assert(all_builtins_follow_table<BigInt<1>>());
static_assert(all_builtins_follow_table<SignedBigInt<33>>());
static_assert(all_builtins_follow_table<BigInt<64>>());
static_assert(all_builtins_follow_table<SignedBigInt<256>>());

#if defined(__SIZEOF_INT128__)
// Also in strict mode, where std::integral does not know them.
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
static_assert(builtins_follow_table<BigInt<64>, Int128, Uint128>());
static_assert(builtins_follow_table<SignedBigInt<256>, Int128, Uint128>());
#endif

// An unscoped enumeration counts as its underlying type, a scoped one is no number.
enum Unscoped : short { minus_one = -1, one = 1, five = 5 };
enum Unfixed { large = 0xffffffff };
enum class Scoped { one = 1 };
static_assert(builtins_follow_table<BigInt<64>, Unscoped, Unfixed>());
static_assert(builtins_follow_table<SignedBigInt<256>, Unscoped, Unfixed>());

// Floating-point types: in both directions, but only written out.
template <typename Number, typename... Floating>
constexpr bool floating_follows_table() {
    static_assert((std::is_constructible_v<Number, Floating> && ...));
    static_assert((std::is_constructible_v<Floating, const Number &> && ...));
    static_assert(!(std::is_convertible_v<Floating, Number> || ...));
    static_assert(!(std::is_convertible_v<Number, Floating> || ...));
    static_assert(!(std::is_assignable_v<Number &, Floating> || ...));
    static_assert(!(std::is_assignable_v<Floating &, Number> || ...));
    return true;
}
static_assert(floating_follows_table<BigInt<64>, float, double, long double>());
static_assert(floating_follows_table<SignedBigInt<131>, float, double, long double>());
static_assert(floating_follows_table<BigInt<4096>, float, double, long double>());

// What is no number does not convert at all, in neither direction.
template <typename Number, typename Other>
constexpr bool strangers =
    !std::is_constructible_v<Number, Other> && !std::is_constructible_v<Other, Number> &&
    !std::is_assignable_v<Number &, Other>;
template <typename Number>
constexpr bool has_strangers = strangers<Number, const char *> && strangers<Number, void *> &&
                               strangers<Number, std::nullptr_t> &&
                               strangers<Number, std::string> && strangers<Number, Scoped>;
static_assert(has_strangers<BigInt<64>> && has_strangers<SignedBigInt<131>>);

// A number of any width, and what has numbers as members, is copied as its bytes.
template <typename Number>
struct User {
    Number n;
    int id;
};
template <typename Number>
constexpr bool is_plain_value =
    std::is_trivially_copyable_v<Number> && std::is_trivially_copy_assignable_v<Number> &&
    std::is_trivially_move_assignable_v<Number> && std::is_nothrow_move_constructible_v<Number> &&
    std::is_nothrow_swappable_v<Number>;
template <typename Number>
constexpr bool are_plain_values =
    is_plain_value<Number> && is_plain_value<User<Number>> &&
    is_plain_value<std::array<Number, 3>> && is_plain_value<std::optional<Number>> &&
    is_plain_value<std::variant<Number, int>> && is_plain_value<warpint::Optional<Number>>;
template <int... Bits>
constexpr bool widths_are_plain_values =
    ((are_plain_values<BigInt<Bits>> && are_plain_values<SignedBigInt<Bits>>) && ...);
static_assert(widths_are_plain_values<1, 256, 2048, 2049, 4096, 32768>);

template <typename A, typename B>
concept comparable =
    requires(const A &a, const B &b) { a < b; } || requires(const A &a, const B &b) { a == b; };
template <typename A, typename B>
concept addable = requires(const A &a, const B &b) { a + b; };
template <typename A, typename B>
concept shiftable =
    requires(const A &a, const B &b) { a << b; } || requires(const A &a, const B &b) { a >> b; };
template <typename A, typename B>
concept adds_in_place = requires(A &a, const B &b) { a += b; };
static_assert(comparable<BigInt<64>, int> && comparable<SignedBigInt<7>, BigInt<64>>);
static_assert(!comparable<BigInt<64>, double> && !comparable<double, SignedBigInt<64>>);
static_assert(addable<BigInt<64>, char> && !addable<BigInt<64>, float>);
static_assert(shiftable<BigInt<64>, int> && shiftable<BigInt<64>, BigInt<7>>);
static_assert(!shiftable<BigInt<64>, double>);
static_assert(comparable<BigInt<64>, Unscoped> && addable<BigInt<64>, Unscoped> &&
              shiftable<BigInt<64>, Unscoped>);
static_assert(!comparable<BigInt<64>, Scoped> && !addable<BigInt<64>, Scoped> &&
              !shiftable<BigInt<64>, Scoped>);
static_assert(adds_in_place<BigInt<64>, BigInt<256>> && adds_in_place<BigInt<64>, int>);
static_assert(!adds_in_place<int, BigInt<64>> && !adds_in_place<BigInt<64>, double>);

// ---- values in constant expressions -------------------------------------------------------------

static_assert(BigInt<7>(300) == 44 && SignedBigInt<7>(300) == 44 && SignedBigInt<7>(100) == -28);
static_assert(BigInt<100>(-1) == (BigInt<101>(1) << 100) - 1 && SignedBigInt<100>(-1) == -1);
static_assert(BigInt<1>(true) == 1 && SignedBigInt<1>(true) == -1);
static_assert(static_cast<bool>(BigInt<64>(2)) && !static_cast<bool>(SignedBigInt<64>(0)));
static_assert(static_cast<std::int8_t>(BigInt<64>(200)) == -56);
static_assert(static_cast<std::uint64_t>(SignedBigInt<7>(-1)) == ~std::uint64_t{0});
static_assert(BigInt<64>(SignedBigInt<7>(-1)) == ~std::uint64_t{0}); // the sign is extended first
static_assert(SignedBigInt<64>(BigInt<7>(127)) == 127);
static_assert(SignedBigInt<7>(BigInt<7>(127)) == -1);
static_assert(BigInt<8>(five) == five && BigInt<8>(3) + five == 8);
static_assert((BigInt<8>(1) << five) == 32);
static_assert(minus_one < BigInt<8>(0) && BigInt<8>(minus_one) == 255);
static_assert(BigInt<64>(large) == 0xffffffff && -SignedBigInt<64>(large) < minus_one);
static_assert(BigInt<200>(7) % five == 2 && BigInt<8>(3) * five == 15);
static_assert(static_cast<Unscoped>(BigInt<200>(5)) == five);
static_assert(BigInt<256>(8) / minus_one == 0 - BigInt<256>(8));
#if defined(__SIZEOF_INT128__)
static_assert(BigInt<256>(~Uint128{0}) == (BigInt<256>(1) << 128) - 1);
static_assert(BigInt<256>(5) + Int128{-6} == ~BigInt<256>(0) && BigInt<64>(5) > Int128{-6});
static_assert(static_cast<Uint128>(SignedBigInt<64>(-2)) == ~Uint128{0} - 1);
static_assert(static_cast<Int128>(~BigInt<256>(0)) == -1);
static_assert(std::is_same_v<decltype(BigInt<64>(1) * Int128{1}), SignedBigInt<192>>);
static_assert((BigInt<64>(1) << (Uint128{1} << 64)) == 0 && (BigInt<64>(1) << Int128{3}) == 8);
static_assert((BigInt<64>(1) << Int128{-1}) == 0 && (SignedBigInt<64>(-1) >> Int128{-1}) == -1);
static_assert((BigInt<256>(1) << 100) / (Uint128{1} << 99) == 2);
static_assert(add_overflow(BigInt<64>(0), Uint128{1} << 64).overflow);
static_assert(select_ct(false, BigInt<64>(0), Int128{-5}) == -5);
#endif
static_assert(0xffff_bi == 0xffff && (0xffff_bi).bits == 16);

// ---- values at run time -------------------------------------------------------------------------

template <typename Number>
Operands draw(OperandSource &source) {
    return {is_signed_number<Number> ? source.signed_number(Number::bits)
                                     : source.number(Number::bits)};
}

template <typename From, typename To>
void check_to(Verdict &verdict, const From &x, const Integer &value) {
    const Integer expected = test::stored<To>(value);
    verdict.equal("To(x)", to_integer(To(x)), expected);
    const To from_expression = From(x);
    verdict.equal("To y = expression", to_integer(from_expression), expected);
    To assigned = 0;
    assigned = From(x);
    verdict.equal("y = expression", to_integer(assigned), expected);
    if constexpr (keeps_values<From, To>) {
        const To copied = x;
        verdict.equal("To y = x", to_integer(copied), value);
        assigned = 0;
        assigned = x;
        verdict.equal("y = x", to_integer(assigned), value);
    }
}

template <typename From, int... To>
void check_from() {
    check_property("conversions", From::bits, 2000, draw<From>,
                   [](Verdict &verdict, const Operands &v) {
                       const From x = from_integer<From>(v[0]);
                       (check_to<From, BigInt<To>>(verdict, x, v[0]), ...);
                       (check_to<From, SignedBigInt<To>>(verdict, x, v[0]), ...);
                   });
}

template <int... Widths>
void check_all() {
    (check_from<BigInt<Widths>, Widths...>(), ...);
    (check_from<SignedBigInt<Widths>, Widths...>(), ...);
}

template <typename Number, typename Builtin>
void check_builtin(Verdict &verdict, const Number &x, const Integer &value) {
    // To the built-in type: its low bits; bool asks for zero.
    const Builtin low = static_cast<Builtin>(x);
    if constexpr (std::is_same_v<Builtin, bool>) {
        verdict.is_true("bool(x)", low == !value.is_zero());
    } else {
        constexpr int bits = static_cast<int>(sizeof(Builtin) * 8);
        verdict.equal("Builtin(x)", Integer(low),
                      std::is_signed_v<Builtin> ? test::store_signed(value, bits)
                                                : test::store_unsigned(value, bits));
    }
    // And from it.
    const Number back = low;
    verdict.equal("Number y = builtin", to_integer(back), test::stored<Number>(Integer(low)));
    Number assigned = 1;
    assigned = low;
    verdict.equal("y = builtin", to_integer(assigned), test::stored<Number>(Integer(low)));
}

#if defined(__SIZEOF_INT128__)
template <typename Builtin>
Integer value_of(Builtin x) {
    const Uint128 pattern = static_cast<Uint128>(x);
    const Integer value = (Integer(static_cast<std::uint64_t>(pattern >> 64)) << 64) +
                          Integer(static_cast<std::uint64_t>(pattern));
    return std::is_same_v<Builtin, Int128> ? test::store_signed(value, 128) : value;
}

template <typename Number, typename Builtin>
void check_128_bits(Verdict &verdict, const Number &x, const Integer &value) {
    const Builtin low = static_cast<Builtin>(x);
    const Integer low_value = value_of(low);
    verdict.equal("Builtin(x)", low_value,
                  std::is_same_v<Builtin, Int128> ? test::store_signed(value, 128)
                                                  : test::store_unsigned(value, 128));
    const Number back = low;
    verdict.equal("Number y = builtin", to_integer(back), test::stored<Number>(low_value));
    verdict.equal("x * builtin", to_integer(x * low), value * low_value);
    verdict.is_true("x == builtin", (x == low) == (value == low_value));
    verdict.is_true("x < builtin", (x < low) == (value < low_value));
    verdict.equal("x + builtin", to_integer(x + low), test::stored<Number>(value + low_value));
}
#endif

template <typename Number>
void check_builtins() {
    check_property("built-in conversions", Number::bits, 4000, draw<Number>,
                   [](Verdict &verdict, const Operands &v) {
                       const Number x = from_integer<Number>(v[0]);
                       check_builtin<Number, bool>(verdict, x, v[0]);
                       check_builtin<Number, char>(verdict, x, v[0]);
                       check_builtin<Number, std::int8_t>(verdict, x, v[0]);
                       check_builtin<Number, std::uint16_t>(verdict, x, v[0]);
                       check_builtin<Number, int>(verdict, x, v[0]);
                       check_builtin<Number, unsigned>(verdict, x, v[0]);
                       check_builtin<Number, std::int64_t>(verdict, x, v[0]);
                       check_builtin<Number, std::uint64_t>(verdict, x, v[0]);
#if defined(__SIZEOF_INT128__)
                       check_128_bits<Number, Int128>(verdict, x, v[0]);
                       check_128_bits<Number, Uint128>(verdict, x, v[0]);
#endif
                   });
}

} // namespace

TEST_CASE("conversions between numbers keep the value or the low bits") {
    check_all<1, 31, 32, 33, 64, 131, 521>();
}

TEST_CASE("conversions from and to built-in integers") {
    check_builtins<BigInt<1>>();
    check_builtins<SignedBigInt<1>>();
    check_builtins<BigInt<33>>();
    check_builtins<SignedBigInt<33>>();
    check_builtins<BigInt<64>>();
    check_builtins<SignedBigInt<64>>();
    check_builtins<BigInt<131>>();
    check_builtins<SignedBigInt<256>>();
}

TEST_CASE("numbers in conditions and as arguments") {
    const BigInt<256> x = BigInt<256>(1) << 255;
    CHECK((x ? 1 : 2) == 1);
    CHECK((!x ? 1 : 2) == 2);
    CHECK((x && true));
    const auto narrow = [](BigInt<128> a) { return a; };
    const auto wide = [](const BigInt<512> &a) { return a; };
    CHECK(narrow(x + 5) == 5);          // an expression: its low bits
    CHECK(narrow(BigInt<128>(x)) == 0); // a name: written out
    CHECK(wide(x) == x);
    CHECK(wide(7) == 7);
    BigInt<64> y = 3;
    y = x * x + y; // an expression of 512 bits
    CHECK(y == 3);
    y += x + 1; // compound assignment keeps y's width
    CHECK(y == 4);
    BigInt<256> name = x + 9;
    const BigInt<64> moved = std::move(name);
    CHECK(moved == 9);
}

TEST_CASE("a conditional expression of two widths has the wider type") {
    const BigInt<64> narrow = 5;
    const BigInt<109> wide = 6;
    const bool first = to_integer(narrow) == 5;
    static_assert(std::is_same_v<decltype(first ? narrow : wide), const BigInt<109>>);
    CHECK((first ? narrow : wide) == 5);
}
