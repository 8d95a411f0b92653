// SPDX-License-Identifier: Apache-2.0
// What Cryptofuzz asks of a library of big numbers: one of its calculations, by its name, of
// numbers in decimal. The least of four widths that holds the operands computes it, so that short
// numbers run other code than long ones.
#pragma once

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/text.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpint_cryptofuzz {

using Operands = std::array<std::string_view, 3>;
using Result = std::optional<std::string>;

/// The calculations at one width, of operands below 2^Bits in magnitude.
template <int Bits>
class Calculations {
    using Number = warpint::BigInt<Bits>;
    using Signed = warpint::SignedBigInt<Bits + 1>;
    struct Numbers {
        Number a, b, c;
    };
    struct Signs {
        Signed a, b, c;
    };

public:
    static Result run(std::string_view name, const Operands &operands) {
        const bool negative = std::any_of(operands.begin(), operands.end(),
                                          [](std::string_view x) { return x.starts_with('-'); });
        if (const auto found = signs().find(name); found != signs().end())
            return found->second({Signed::parse(operands[0], 10), Signed::parse(operands[1], 10),
                                  Signed::parse(operands[2], 10)});
        // Of negative numbers libraries say different things.
        if (const auto found = numbers().find(name); !negative && found != numbers().end())
            return found->second({Number::parse(operands[0], 10), Number::parse(operands[1], 10),
                                  Number::parse(operands[2], 10)});
        return std::nullopt;
    }
    /// All names.
    static std::vector<std::string> names() {
        std::vector<std::string> r;
        for (const auto &[name, calculation] : signs())
            r.emplace_back(name);
        for (const auto &[name, calculation] : numbers())
            r.emplace_back(name);
        return r;
    }

private:
    template <class T>
    static Result said(const T &x) {
        if constexpr (std::is_integral_v<T>) {
            return std::to_string(x);
        } else {
            return to_string(x);
        }
    }
    /// Nothing where `exists` is not true: a division by 0, a bit that the width does not have.
    template <class Function>
    static Result said_if(bool exists, const Function &function) {
        return exists ? said(function()) : std::nullopt;
    }
    static int position(const Number &x) { return x < unsigned{Bits} ? static_cast<int>(x) : Bits; }

    static const auto &signs() {
        using Call = std::function<Result(const Signs &)>;
        static const std::map<std::string_view, Call> calls{
            {"Abs(A)", [](const Signs &x) { return said(abs(x.a)); }},
            {"Add(A,B)",
             [](const Signs &x) { return said(warpint::SignedBigInt<Bits + 2>(x.a) + x.b); }},
            {"AddMul(A,B,C)",
             [](const Signs &x) {
                 return said(warpint::SignedBigInt<2 * Bits + 3>(x.b * x.c) + x.a);
             }},
            {"Cmp(A,B)", [](const Signs &x) { return said(x.a < x.b   ? -1
                                                          : x.a > x.b ? 1
                                                                      : 0); }},
            {"CmpAbs(A,B)",
             [](const Signs &x) {
                 return said(abs(x.a) < abs(x.b) ? -1 : abs(x.a) > abs(x.b) ? 1 : 0);
             }},
            {"IsEq(A,B)", [](const Signs &x) { return said(static_cast<int>(x.a == x.b)); }},
            {"IsGt(A,B)", [](const Signs &x) { return said(static_cast<int>(x.a > x.b)); }},
            {"IsGte(A,B)", [](const Signs &x) { return said(static_cast<int>(x.a >= x.b)); }},
            {"IsLt(A,B)", [](const Signs &x) { return said(static_cast<int>(x.a < x.b)); }},
            {"IsLte(A,B)", [](const Signs &x) { return said(static_cast<int>(x.a <= x.b)); }},
            {"IsNeg(A)", [](const Signs &x) { return said(static_cast<int>(x.a < 0)); }},
            {"IsZero(A)", [](const Signs &x) { return said(static_cast<int>(x.a == 0)); }},
            {"Max(A,B)", [](const Signs &x) { return said(max(x.a, x.b)); }},
            {"Min(A,B)", [](const Signs &x) { return said(min(x.a, x.b)); }},
            {"Mul(A,B)", [](const Signs &x) { return said(x.a * x.b); }},
            {"Neg(A)", [](const Signs &x) { return said(-x.a); }},
            {"Set(A)", [](const Signs &x) { return said(x.a); }},
            {"Sqr(A)", [](const Signs &x) { return said(sqr(x.a)); }},
            {"Sub(A,B)",
             [](const Signs &x) { return said(warpint::SignedBigInt<Bits + 2>(x.a) - x.b); }},
            {"SubMul(A,B,C)",
             [](const Signs &x) {
                 return said(x.a - warpint::SignedBigInt<2 * Bits + 3>(x.b * x.c));
             }},
        };
        return calls;
    }
    static const auto &numbers() {
        using Call = std::function<Result(const Numbers &)>;
        static const std::map<std::string_view, Call> calls{
            {"AddMod(A,B,C)",
             [](const Numbers &x) {
                 return said_if(x.c != 0, [&] { return addmod(x.a, x.b, x.c); });
             }},
            {"And(A,B)", [](const Numbers &x) { return said(x.a & x.b); }},
            {"Bit(A,B)",
             [](const Numbers &x) { return said(static_cast<int>(test_bit(x.a, position(x.b)))); }},
            {"Cbrt(A)", [](const Numbers &x) { return said(iroot(x.a, 3)); }},
            {"ClearBit(A,B)",
             [](const Numbers &x) { return said(set_bit(x.a, position(x.b), false)); }},
            {"Div(A,B)",
             [](const Numbers &x) { return said_if(x.b != 0, [&] { return x.a / x.b; }); }},
            {"ExpMod(A,B,C)",
             [](const Numbers &x) {
                 return said_if(x.c != 0, [&] { return pow(x.a, x.b, x.c); });
             }},
            {"GCD(A,B)", [](const Numbers &x) { return said(gcd(x.a, x.b)); }},
            {"HamDist(A,B)", [](const Numbers &x) { return said(popcount(x.a ^ x.b)); }},
            {"InvMod(A,B)",
             [](const Numbers &x) {
                 return said_if(x.b != 0, [&] { return inverse(x.a, x.b).value_or(Number(0)); });
             }},
            {"IsCoprime(A,B)",
             [](const Numbers &x) { return said(static_cast<int>(gcd(x.a, x.b) == 1)); }},
            {"IsEven(A)",
             [](const Numbers &x) { return said(static_cast<int>(!test_bit(x.a, 0))); }},
            {"IsOdd(A)", [](const Numbers &x) { return said(static_cast<int>(test_bit(x.a, 0))); }},
            {"IsPow2(A)",
             [](const Numbers &x) { return said(static_cast<int>(has_single_bit(x.a))); }},
            {"IsPrime(A)",
             [](const Numbers &x) { return said(static_cast<int>(is_probable_prime(x.a))); }},
            {"IsSquare(A)",
             [](const Numbers &x) { return said(static_cast<int>(is_square(x.a))); }},
            {"Jacobi(A,B)",
             [](const Numbers &x) {
                 return said_if(test_bit(x.b, 0), [&] { return jacobi(x.a, x.b); });
             }},
            {"LCM(A,B)", [](const Numbers &x) { return said(lcm(x.a, x.b)); }},
            {"LShift1(A)",
             [](const Numbers &x) { return said(warpint::BigInt<Bits + 1>(x.a) << 1); }},
            {"Mod(A,B)",
             [](const Numbers &x) { return said_if(x.b != 0, [&] { return x.a % x.b; }); }},
            {"MulAdd(A,B,C)",
             [](const Numbers &x) { return said(warpint::BigInt<2 * Bits + 1>(x.a * x.b) + x.c); }},
            {"MulMod(A,B,C)",
             [](const Numbers &x) {
                 return said_if(x.c != 0, [&] { return mulmod(x.a, x.b, x.c); });
             }},
            {"Nthrt(A,B)",
             [](const Numbers &x) {
                 return said_if(x.b != 0 && x.b <= 100000u,
                                [&] { return iroot(x.a, static_cast<unsigned>(x.b)); });
             }},
            {"NumBits(A)", [](const Numbers &x) { return said(bit_width(x.a)); }},
            {"NumLSZeroBits(A)",
             [](const Numbers &x) { return said(x.a == 0 ? 0 : countr_zero(x.a)); }},
            {"Or(A,B)", [](const Numbers &x) { return said(x.a | x.b); }},
            {"RShift(A,B)", [](const Numbers &x) { return said(x.a >> position(x.b)); }},
            {"SetBit(A,B)",
             [](const Numbers &x) {
                 return said_if(position(x.b) < Bits, [&] { return set_bit(x.a, position(x.b)); });
             }},
            {"SqrMod(A,B)",
             [](const Numbers &x) { return said_if(x.b != 0, [&] { return sqrmod(x.a, x.b); }); }},
            {"Sqrt(A)", [](const Numbers &x) { return said(isqrt(x.a)); }},
            {"SqrtRem(A)", [](const Numbers &x) { return said(sqrt_rem(x.a).remainder); }},
            {"SubMod(A,B,C)",
             [](const Numbers &x) {
                 return said_if(x.c != 0, [&] { return submod(x.a, x.b, x.c); });
             }},
            {"Xor(A,B)", [](const Numbers &x) { return said(x.a ^ x.b); }},
        };
        return calls;
    }
};

/// The result of a calculation in decimal; nothing if there is none, the numbers are longer than
/// 4096 bits, or the library has no such function.
inline Result calculate(std::string_view name, Operands operands) {
    // Those that it has no use for do not matter.
    const std::string_view used = name.substr(std::min(name.find('('), name.size()));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (used.find("ABC"[i]) == std::string_view::npos)
            operands[i] = "0";
    }
    std::size_t digits = 0;
    for (std::string_view x : operands)
        digits = std::max(digits, x.size() - (x.starts_with('-') ? 1 : 0));
    if (digits <= 19)
        return Calculations<64>::run(name, operands);
    if (digits <= 77)
        return Calculations<256>::run(name, operands);
    if (digits <= 308)
        return Calculations<1024>::run(name, operands);
    if (digits <= 1233)
        return Calculations<4096>::run(name, operands);
    return std::nullopt;
}

} // namespace warpint_cryptofuzz
