// SPDX-License-Identifier: Apache-2.0
// The two types of numbers, and the conversions between them.
#pragma once

#include "../arith/limbs/linear.h"
#include "../limb/refused.h"

#include <concepts>
#include <cstddef>
#if WARPINT_HOSTED
#include <span>
#include <string>
#include <string_view>
#endif

namespace warpint {

template <int Bits>
struct BigInt;
template <int Bits>
struct SignedBigInt;

namespace number {

template <int Bits>
inline constexpr int limb_count = (Bits + 31) / 32;

// Over-aligned, up to 16 bytes, only where that adds no padding.
template <int Bits>
inline constexpr std::size_t alignment = limb_count<Bits> % 4 == 0   ? 16
                                         : limb_count<Bits> % 2 == 0 ? 8
                                                                     : 4;

template <class T>
struct traits {
    static constexpr bool is_big = false;
};
template <int Bits>
struct traits<BigInt<Bits>> {
    static constexpr bool is_big = true;
    static constexpr int bits = Bits;
    static constexpr bool is_signed = false;
};
template <int Bits>
struct traits<SignedBigInt<Bits>> {
    static constexpr bool is_big = true;
    static constexpr int bits = Bits;
    static constexpr bool is_signed = true;
};

template <int Bits, bool Signed>
using select_type = std::conditional_t<Signed, SignedBigInt<Bits>, BigInt<Bits>>;

} // namespace number

// BigInt or SignedBigInt of any width.
template <class T>
concept BigNumber = number::traits<std::remove_cvref_t<T>>::is_big;

namespace number {

// The type of a variable that may be changed: of a function's A &a, which a constant fits too.
template <class T>
concept Variable = !std::is_const_v<T>;
template <class T>
concept BigVariable = BigNumber<T> && Variable<T>;

#if defined(__SIZEOF_INT128__)
// 128-bit integers of users. Whether warpint itself uses such a type is decided in config.h.
__extension__ using builtin_int128 = __int128;
__extension__ using builtin_uint128 = unsigned __int128;
#endif

// What is known of a type T: `value`, whether it counts as a built-in integer; `type`, the integer
// type of its values; and its sign. Unlike the standard's traits this knows 128-bit integers in
// strict mode too, and an unscoped enumeration, which converts to an integer implicitly, counts as
// its underlying type.
template <class T, bool IsEnum = std::is_enum_v<T>>
struct builtin : std::is_integral<T> {
    using type = T;
    static constexpr bool is_signed = std::is_signed_v<T>;
};
template <class T>
struct builtin<T, true> : std::is_convertible<T, std::underlying_type_t<T>> {
    using type = std::underlying_type_t<T>;
    static constexpr bool is_signed = std::is_signed_v<type>;
};
#if defined(__SIZEOF_INT128__)
template <>
struct builtin<builtin_int128, false> : std::true_type {
    using type = builtin_int128;
    static constexpr bool is_signed = true;
};
template <>
struct builtin<builtin_uint128, false> : std::true_type {
    using type = builtin_uint128;
    static constexpr bool is_signed = false;
};
#endif

} // namespace number

// A built-in integer (bool, 128-bit integers and unscoped enumerations included): a number of its
// own width.
template <class T>
concept BuiltinInteger = number::builtin<std::remove_cvref_t<T>>::value;

// What a literal like 1000_bi is: an exact constant without a width.
template <bool Negative, std::uint32_t... Magnitude>
struct Literal;

namespace number {

template <class T>
struct is_literal : std::false_type {};
template <bool Negative, std::uint32_t... Magnitude>
struct is_literal<Literal<Negative, Magnitude...>> : std::true_type {};

} // namespace number

template <class T>
concept LiteralNumber = number::is_literal<std::remove_cvref_t<T>>::value;

template <class T>
concept AnyNumber = BigNumber<T> || BuiltinInteger<T> || LiteralNumber<T>;

// A floating-point type. Numbers convert to and from it only explicitly; it cannot be an operand.
// Device code does not support long double.
template <class T>
concept BuiltinFloating =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, long double>;

namespace number {

// A number has one implicit conversion, to float, and it is deleted. Of the overloads of
// std::to_string only float's takes it, so the compiler names what to write in one line instead of
// listing them all. The explicit conversion to float is more constrained, so casts select it.
template <class T>
concept Float = std::is_same_v<T, float>;
template <class T>
concept ExplicitFloat = Float<T> && BuiltinFloating<T>;

template <class T>
struct as_big {
    using type = T;
};
template <BuiltinInteger T>
struct as_big<T> {
    using integer = typename builtin<T>::type;
    using type = select_type<std::is_same_v<integer, bool> ? 1 : static_cast<int>(sizeof(T) * 8),
                             builtin<T>::is_signed>;
};
template <LiteralNumber T>
struct as_big<T> {
    using type = typename T::number_type;
};
// The number type whose values T has.
template <AnyNumber T>
using big_t = typename as_big<std::remove_cvref_t<T>>::type;

template <AnyNumber T>
inline constexpr int bits_of = traits<big_t<T>>::bits;
template <AnyNumber T>
inline constexpr bool signed_of = traits<big_t<T>>::is_signed;

// Whether all values of T are values of R.
template <BigNumber R, BigNumber T>
inline constexpr bool holds_values_of = signed_of<R> == signed_of<T> ? bits_of<T> <= bits_of<R>
                                        : signed_of<R>               ? bits_of<T> < bits_of<R>
                                                                     : false;

// A named number that R does not hold, or a floating-point one. Only assignments refuse them with a
// message: a constructor that did would take part in every conversion, and make `c ? x : y` of two
// widths, and calls of functions overloaded by width, ambiguous.
template <class T, class R>
concept NarrowedInto = (BigNumber<T> && std::is_lvalue_reference_v<T> &&
                        std::bool_constant<!holds_values_of<R, std::remove_cvref_t<T>>>::value) ||
                       BuiltinFloating<std::remove_cvref_t<T>>;

// Text, which parse() reads.
template <class T>
inline constexpr bool is_string = false;
#if WARPINT_HOSTED
template <class Traits, class Allocator>
inline constexpr bool is_string<std::basic_string<char, Traits, Allocator>> = true;
template <class Traits>
inline constexpr bool is_string<std::basic_string_view<char, Traits>> = true;
#endif
template <class T>
concept String = is_string<T>;

// Operands that take their width from the other one in + - & | ^.
template <class T>
concept Widthless = BuiltinInteger<T> || LiteralNumber<T>;
// A literal beside an operand that has no width either.
template <class A, class B>
concept WidthlessPair = Widthless<A> && Widthless<B> && (LiteralNumber<A> || LiteralNumber<B>);

// Sets the unused top bits to zero, or to copies of the sign.
template <int Bits, bool Signed>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void normalise(std::uint32_t *limbs) {
    if constexpr (Bits % 32 != 0) {
        constexpr int unused = 32 - Bits % 32;
        constexpr int count = limb_count<Bits>;
        if constexpr (limb::in_words<count, std::uint32_t> && count % 2 == 0) {
            if (WARPINT_USES_WORDS) {
                const std::uint64_t top = limb::load_word(limbs, count / 2 - 1) << unused;
                limb::store_word(
                    limbs, count / 2 - 1,
                    Signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> unused)
                           : top >> unused);
                return;
            }
        }
        std::uint32_t &top = limbs[limb_count<Bits> - 1];
        if constexpr (Signed) {
            top = static_cast<std::uint32_t>(static_cast<std::int32_t>(top << unused) >> unused);
        } else {
            top = top & (0xffffffffu >> unused);
        }
    }
}

// r = a with its sign (or zeros) extended, or its high bits dropped.
template <int To, bool ToSigned, int From, bool FromSigned>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void convert_limbs(std::uint32_t *r,
                                                                const std::uint32_t *a) {
    constexpr int to = limb_count<To>;
    constexpr int from = limb_count<From>;
    constexpr int shared = to < from ? to : from;
    const std::uint32_t fill = FromSigned && (a[from - 1] >> 31) != 0 ? 0xffffffffu : 0u;
    if constexpr (to > from && limb::in_words<to, std::uint32_t>) {
        if (WARPINT_USES_WORDS) {
            limb::store_extended<to, from>(r, a, fill);
            normalise<To, ToSigned>(r);
            return;
        }
    }
    arith::copy<shared>(r, a);
    if constexpr (to > from) {
        WARPINT_UNROLL(to - from, limb::chain_limbs)
        for (int i = from; i < to; ++i)
            r[i] = fill;
    }
    normalise<To, ToSigned>(r);
}

// Word i of a built-in integer, which goes on with `fill`.
template <BuiltinInteger T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t builtin_word(T value, int i,
                                                                        std::uint32_t fill) {
    if (i == 0)
        return static_cast<std::uint64_t>(value); // with its sign
    if constexpr (sizeof(T) > 8) {
        if (i == 1)
            return static_cast<std::uint64_t>(value >> 64);
    }
    return fill | std::uint64_t{fill} << 32;
}

// Writes a built-in integer, modulo 2^Bits.
template <int Bits, bool Signed, BuiltinInteger T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void assign_builtin(std::uint32_t *r, T value) {
    constexpr int count = limb_count<Bits>;
    std::uint32_t fill = 0;
    if constexpr (signed_of<T>)
        fill = value < 0 ? 0xffffffffu : 0u;
    if constexpr (limb::in_words<count, std::uint32_t>) {
        if (WARPINT_USES_WORDS) {
            WARPINT_UNROLL_HOST
            for (int i = 0; i < count / 2; ++i)
                limb::store_word(r, i, builtin_word(value, i, fill));
            if constexpr (count % 2 != 0)
                r[count - 1] = static_cast<std::uint32_t>(builtin_word(value, count / 2, fill));
            normalise<Bits, Signed>(r);
            return;
        }
    }
    r[0] = static_cast<std::uint32_t>(value);
    if constexpr (sizeof(T) <= 4) {
        WARPINT_UNROLL(count, limb::chain_limbs)
        for (int i = 1; i < count; ++i)
            r[i] = fill;
    } else {
        WARPINT_UNROLL(count, limb::chain_limbs)
        for (int i = 1; i < count; ++i) {
            r[i] = i * 32 < static_cast<int>(sizeof(T) * 8)
                       ? static_cast<std::uint32_t>(
                             value >> (i * 32 < static_cast<int>(sizeof(T) * 8) ? i * 32 : 0))
                       : fill;
        }
    }
    normalise<Bits, Signed>(r);
}

template <std::size_t Bytes>
struct unsigned_integer {
    using type = std::uint64_t;
};
#if defined(__SIZEOF_INT128__)
template <>
struct unsigned_integer<16> {
    using type = builtin_uint128;
};
#endif

// The low bits of a number as a built-in integer.
template <BuiltinInteger T, int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T to_builtin(const std::uint32_t *a, bool negative) {
    constexpr int count = limb_count<Bits>;
    constexpr int wanted = sizeof(T) <= 4 ? 1 : static_cast<int>(sizeof(T) / 4);
    const std::uint32_t fill = negative ? 0xffffffffu : 0u;
    if constexpr (wanted == 1) {
        return static_cast<T>(a[0]);
    } else {
        using Unsigned = typename unsigned_integer<sizeof(T)>::type;
        Unsigned low = 0;
        for (int i = 0; i < wanted; ++i)
            low |= static_cast<Unsigned>(i < count ? a[i < count ? i : 0] : fill) << (32 * i);
        return static_cast<T>(low);
    }
}

// Defined in floating.h: a number rounded to the nearest value of T, and a number from the
// truncated value of T.
template <BuiltinFloating T, int Bits, bool Signed>
WARPINT_HOST_DEVICE constexpr T to_floating(const std::uint32_t *a);
template <int Bits, bool Signed, BuiltinFloating T>
WARPINT_HOST_DEVICE constexpr void assign_floating(std::uint32_t *r, T value);

} // namespace number

// An unsigned integer of exactly Bits bits, a plain value like std::uint64_t. It is trivially
// copyable and usable in constant expressions, as a template argument, on the host and in kernels.
// As with built-in integers, `BigInt<256> x;` is not initialised and `BigInt<256> x{};` is zero.
// Example:
//     const BigInt<256> a = 1'000'003;
//     const BigInt<512> product = a * a;   // exact
//     const BigInt<256> m = product % (a + 7);
template <int Bits>
struct alignas(number::alignment<Bits>) BigInt {
    static_assert(Bits >= 1, "BigInt<Bits>: Bits must be at least 1");
    static constexpr int bits = Bits;
    static constexpr int limb_count = number::limb_count<Bits>;
    static constexpr bool is_signed = false;

    // The limbs, least significant first; bits from Bits on are zero. Public so that the type is
    // structural.
    std::uint32_t limbs[limb_count];

    BigInt() = default;
    BigInt(const BigInt &) = default;
    BigInt &operator=(const BigInt &) = default;

    template <number::NarrowedInto<BigInt> narrowing_must_be_explicit_as_in_BigInt_128_x>
    BigInt &operator=(narrowing_must_be_explicit_as_in_BigInt_128_x &&)
        WARPINT_REFUSED("narrowing must be explicit, as in BigInt<128>(x)");

#if WARPINT_HOSTED
    // For this library: parse() is defined in text.h, from_bytes() in bytes.h.
    static constexpr BigInt parse(std::string_view text, int base = 0);
    static constexpr BigInt from_bytes(std::span<const std::uint8_t> bytes, std::endian order);
#endif

    // These are here for their messages. The first is a conversion, so f("12") is ambiguous between
    // f(std::string_view) and f(BigInt<256>): the language ranks no constructor's conversion below
    // another's. Were it explicit, g++ would not mention it for `BigInt<256> a = "12"`. That of
    // strings is explicit: f(text) of a std::string is common, and must stay unambiguous.
    template <class text_is_read_by_BigInt_256_parse = void>
    BigInt(const char *) WARPINT_REFUSED("BigInt<N>::parse reads text; 1000_bi is a literal");
    template <number::String T, class text_is_read_by_BigInt_256_parse = void>
    explicit BigInt(const T &) WARPINT_REFUSED("BigInt<N>::parse reads text");
    template <number::String T, class text_is_read_by_BigInt_256_parse = void>
    BigInt &operator=(const T &) WARPINT_REFUSED("BigInt<N>::parse reads text");
    // From a built-in integer, modulo 2^Bits, as for std::uint64_t.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr BigInt(T value) : limbs{} {
        number::assign_builtin<Bits, false>(limbs, value);
    }
    // From a floating-point number, truncated toward zero. NaN, infinities and truncated values
    // outside [0, 2^Bits): std::domain_error on the host, a compile error in a constant expression,
    // 0 in device code. Variable time.
    template <BuiltinFloating T>
    WARPINT_HOST_DEVICE constexpr explicit BigInt(T value) : limbs{} {
        number::assign_floating<Bits, false>(limbs, value);
    }

    // Widening keeps the value and is implicit. Narrowing a named number keeps its low bits.
    template <int Other>
        requires(Other != Bits)
    WARPINT_HOST_DEVICE constexpr explicit(Other > Bits) BigInt(const BigInt<Other> &other)
        : limbs{} {
        number::convert_limbs<Bits, false, Other, false>(limbs, other.limbs);
    }
    template <int Other>
    WARPINT_HOST_DEVICE constexpr explicit BigInt(const SignedBigInt<Other> &other) : limbs{} {
        number::convert_limbs<Bits, false, Other, true>(limbs, other.limbs);
    }
    // Storing the result of an expression keeps its low bits and is implicit.
    template <int Other>
        requires(Other > Bits)
    WARPINT_HOST_DEVICE constexpr BigInt(BigInt<Other> &&other) : limbs{} {
        number::convert_limbs<Bits, false, Other, false>(limbs, other.limbs);
    }
    template <int Other>
    WARPINT_HOST_DEVICE constexpr BigInt(SignedBigInt<Other> &&other) : limbs{} {
        number::convert_limbs<Bits, false, Other, true>(limbs, other.limbs);
    }

    // The low bits, as a built-in integer; as bool, whether the number is not 0.
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        if constexpr (std::is_same_v<T, bool>) {
            return !arith::is_zero<limb_count>(limbs);
        } else {
            return number::to_builtin<T, Bits>(limbs, false);
        }
    }

    // Rounds to the nearest value of T, ties to even, as for std::uint64_t. A number that exceeds
    // the largest value of T by half a unit in its last place or more becomes infinity. Variable
    // time.
    template <BuiltinFloating T>
        requires(!number::Float<T>)
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        return number::to_floating<T, Bits, false>(limbs);
    }
    template <number::ExplicitFloat T>
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        return number::to_floating<T, Bits, false>(limbs);
    }
    template <number::Float write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x>
    operator write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x() const = delete;
};

// A two's complement integer of exactly Bits bits (sign included); otherwise like BigInt.
template <int Bits>
struct alignas(number::alignment<Bits>) SignedBigInt {
    static_assert(Bits >= 1, "SignedBigInt<Bits>: Bits must be at least 1");
    static constexpr int bits = Bits;
    static constexpr int limb_count = number::limb_count<Bits>;
    static constexpr bool is_signed = true;

    // The limbs, least significant first; bits from Bits on are copies of the sign bit.
    std::uint32_t limbs[limb_count];

    SignedBigInt() = default;
    SignedBigInt(const SignedBigInt &) = default;
    SignedBigInt &operator=(const SignedBigInt &) = default;

    template <number::NarrowedInto<SignedBigInt> narrowing_must_be_explicit_as_in_BigInt_128_x>
    SignedBigInt &operator=(narrowing_must_be_explicit_as_in_BigInt_128_x &&)
        WARPINT_REFUSED("narrowing must be explicit, as in BigInt<128>(x)");

#if WARPINT_HOSTED
    // For this library: parse() is defined in text.h, from_bytes() in bytes.h.
    static constexpr SignedBigInt parse(std::string_view text, int base = 0);
    static constexpr SignedBigInt from_bytes(std::span<const std::uint8_t> bytes,
                                             std::endian order);
#endif

    // These are here for their messages, as in BigInt.
    template <class text_is_read_by_SignedBigInt_256_parse = void>
    SignedBigInt(const char *)
        WARPINT_REFUSED("SignedBigInt<N>::parse reads text; -5_bi is a literal");
    template <number::String T, class text_is_read_by_SignedBigInt_256_parse = void>
    explicit SignedBigInt(const T &) WARPINT_REFUSED("SignedBigInt<N>::parse reads text");
    template <number::String T, class text_is_read_by_SignedBigInt_256_parse = void>
    SignedBigInt &operator=(const T &) WARPINT_REFUSED("SignedBigInt<N>::parse reads text");
    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr SignedBigInt(T value) : limbs{} {
        number::assign_builtin<Bits, true>(limbs, value);
    }
    // From a floating-point number, truncated toward zero. The result must lie in [-2^(Bits-1),
    // 2^(Bits-1)). Otherwise like BigInt.
    template <BuiltinFloating T>
    WARPINT_HOST_DEVICE constexpr explicit SignedBigInt(T value) : limbs{} {
        number::assign_floating<Bits, true>(limbs, value);
    }

    template <int Other>
        requires(Other != Bits)
    WARPINT_HOST_DEVICE constexpr explicit(Other > Bits)
        SignedBigInt(const SignedBigInt<Other> &other)
        : limbs{} {
        number::convert_limbs<Bits, true, Other, true>(limbs, other.limbs);
    }
    template <int Other>
    WARPINT_HOST_DEVICE constexpr explicit(Other >= Bits) SignedBigInt(const BigInt<Other> &other)
        : limbs{} {
        number::convert_limbs<Bits, true, Other, false>(limbs, other.limbs);
    }
    template <int Other>
        requires(Other > Bits)
    WARPINT_HOST_DEVICE constexpr SignedBigInt(SignedBigInt<Other> &&other) : limbs{} {
        number::convert_limbs<Bits, true, Other, true>(limbs, other.limbs);
    }
    template <int Other>
        requires(Other >= Bits)
    WARPINT_HOST_DEVICE constexpr SignedBigInt(BigInt<Other> &&other) : limbs{} {
        number::convert_limbs<Bits, true, Other, false>(limbs, other.limbs);
    }

    template <BuiltinInteger T>
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        if constexpr (std::is_same_v<T, bool>) {
            return !arith::is_zero<limb_count>(limbs);
        } else {
            return number::to_builtin<T, Bits>(limbs, (limbs[limb_count - 1] >> 31) != 0);
        }
    }

    template <BuiltinFloating T>
        requires(!number::Float<T>)
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        return number::to_floating<T, Bits, true>(limbs);
    }
    template <number::ExplicitFloat T>
    WARPINT_HOST_DEVICE constexpr explicit operator T() const {
        return number::to_floating<T, Bits, true>(limbs);
    }
    template <number::Float write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x>
    operator write_int_x_for_switch_or_float_x_or_isqrt_x_or_warpint_to_string_x() const = delete;
};

namespace number {

template <class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_negative(const T &x) {
    if constexpr (T::is_signed) {
        return (x.limbs[T::limb_count - 1] >> 31) != 0;
    } else {
        return false;
    }
}

// The value of x in number type R (modulo its width): the conversion that every operator uses.
template <BigNumber R, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R to(const T &x) {
    if constexpr (BuiltinInteger<T>) {
        return R(x);
    } else if constexpr (LiteralNumber<T>) {
        return T::template as<R>();
    } else if constexpr (std::is_same_v<R, T>) {
        return x; // a whole object: one wide load per 16 bytes on a GPU
    } else {
        R r;
        convert_limbs<R::bits, R::is_signed, T::bits, T::is_signed>(r.limbs, x.limbs);
        return r;
    }
}

// r = x modulo r's width, in place: a long number that to<R> makes for an assignment is copied.
template <BigNumber R, BigNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void assign(R &r, const T &x) {
    convert_limbs<R::bits, R::is_signed, T::bits, T::is_signed>(r.limbs, x.limbs);
}

// What operand<R> returns. A long number that already has the type R is not copied on hosts. Others
// are copied as whole objects: on GPUs that gives one wide load per 16 bytes; on hosts it tells the
// compiler that the result does not overlap them.
template <class R, class T>
using operand_t = std::conditional_t<std::is_same_v<R, T> && WARPINT_DEVICE_PASS == 0 &&
                                         (R::limb_count > 2 * limb::unrolled_words),
                                     const R &, R>;

// The value of x in number type R, for reading.
template <BigNumber R, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE operand_t<R, T> operand(const T &x) {
    if constexpr (std::is_same_v<R, T>) {
        return x;
    } else {
        return to<R>(x);
    }
}

// x as a number: itself, or a built-in integer at its own width.
template <AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE operand_t<big_t<T>, T> as_number(const T &x) {
    return operand<big_t<T>>(x);
}

} // namespace number

} // namespace warpint
