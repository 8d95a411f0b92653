// SPDX-License-Identifier: Apache-2.0
// The calculations that Cryptofuzz asks of warpint, each against GMP. The module itself is compiled
// in Cryptofuzz's tree (README.md).
#include "calculation.h"

#include "support/integer.h"
#include "support/number_source.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <gmp.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

using test::Integer;

using Call = void (*)(Integer &r, const Integer &a, const Integer &b, const Integer &c);

bool is_short(const Integer &x) {
    return mpz_cmpabs_ui(x.raw(), 100000) <= 0;
}
// 0 to 4096: a bit, or one that no number here has.
unsigned long place(const Integer &x) {
    return is_short(x) ? mpz_get_ui(x.raw()) : 100000;
}
void set(Integer &r, long value) {
    mpz_set_si(r.raw(), value);
}
int sign(int x) {
    return (x > 0) - (x < 0);
}

#define CALL(...)                                                                                  \
    [](Integer &r, const Integer &a, const Integer &b, const Integer &c) {                         \
        (void)r, (void)a, (void)b, (void)c;                                                        \
        __VA_ARGS__;                                                                               \
    }
const std::map<std::string, Call> expected{
    {"Abs(A)", CALL(mpz_abs(r.raw(), a.raw()))},
    {"Add(A,B)", CALL(mpz_add(r.raw(), a.raw(), b.raw()))},
    {"AddMod(A,B,C)", CALL(mpz_add(r.raw(), a.raw(), b.raw()); mpz_mod(r.raw(), r.raw(), c.raw()))},
    {"AddMul(A,B,C)", CALL(mpz_set(r.raw(), a.raw()); mpz_addmul(r.raw(), b.raw(), c.raw()))},
    {"And(A,B)", CALL(mpz_and(r.raw(), a.raw(), b.raw()))},
    {"Bit(A,B)", CALL(set(r, mpz_tstbit(a.raw(), place(b))))},
    {"Cbrt(A)", CALL(mpz_root(r.raw(), a.raw(), 3))},
    {"ClearBit(A,B)", CALL(mpz_set(r.raw(), a.raw()); mpz_clrbit(r.raw(), place(b)))},
    {"Cmp(A,B)", CALL(set(r, sign(mpz_cmp(a.raw(), b.raw()))))},
    {"CmpAbs(A,B)", CALL(set(r, sign(mpz_cmpabs(a.raw(), b.raw()))))},
    {"Div(A,B)", CALL(mpz_tdiv_q(r.raw(), a.raw(), b.raw()))},
    {"ExpMod(A,B,C)", CALL(mpz_powm(r.raw(), a.raw(), b.raw(), c.raw()))},
    {"GCD(A,B)", CALL(mpz_gcd(r.raw(), a.raw(), b.raw()))},
    {"HamDist(A,B)", CALL(set(r, static_cast<long>(mpz_hamdist(a.raw(), b.raw()))))},
    {"InvMod(A,B)", CALL(if (mpz_invert(r.raw(), a.raw(), b.raw()) == 0) set(r, 0))},
    {"IsCoprime(A,B)", CALL(mpz_gcd(r.raw(), a.raw(), b.raw()); set(r, r == Integer(1)))},
    {"IsEq(A,B)", CALL(set(r, mpz_cmp(a.raw(), b.raw()) == 0))},
    {"IsEven(A)", CALL(set(r, mpz_even_p(a.raw()) != 0))},
    {"IsGt(A,B)", CALL(set(r, mpz_cmp(a.raw(), b.raw()) > 0))},
    {"IsGte(A,B)", CALL(set(r, mpz_cmp(a.raw(), b.raw()) >= 0))},
    {"IsLt(A,B)", CALL(set(r, mpz_cmp(a.raw(), b.raw()) < 0))},
    {"IsLte(A,B)", CALL(set(r, mpz_cmp(a.raw(), b.raw()) <= 0))},
    {"IsNeg(A)", CALL(set(r, mpz_sgn(a.raw()) < 0))},
    {"IsOdd(A)", CALL(set(r, mpz_odd_p(a.raw()) != 0))},
    {"IsPow2(A)", CALL(set(r, mpz_popcount(a.raw()) == 1))},
    {"IsPrime(A)", CALL(set(r, mpz_probab_prime_p(a.raw(), 15) != 0))},
    {"IsSquare(A)", CALL(set(r, mpz_perfect_square_p(a.raw()) != 0))},
    {"IsZero(A)", CALL(set(r, mpz_sgn(a.raw()) == 0))},
    {"Jacobi(A,B)", CALL(set(r, mpz_jacobi(a.raw(), b.raw())))},
    {"LCM(A,B)", CALL(mpz_lcm(r.raw(), a.raw(), b.raw()))},
    {"LShift1(A)", CALL(mpz_mul_2exp(r.raw(), a.raw(), 1))},
    {"Max(A,B)", CALL(mpz_set(r.raw(), mpz_cmp(a.raw(), b.raw()) < 0 ? b.raw() : a.raw()))},
    {"Min(A,B)", CALL(mpz_set(r.raw(), mpz_cmp(a.raw(), b.raw()) < 0 ? a.raw() : b.raw()))},
    {"Mod(A,B)", CALL(mpz_mod(r.raw(), a.raw(), b.raw()))},
    {"Mul(A,B)", CALL(mpz_mul(r.raw(), a.raw(), b.raw()))},
    {"MulAdd(A,B,C)", CALL(mpz_set(r.raw(), c.raw()); mpz_addmul(r.raw(), a.raw(), b.raw()))},
    {"MulMod(A,B,C)", CALL(mpz_mul(r.raw(), a.raw(), b.raw()); mpz_mod(r.raw(), r.raw(), c.raw()))},
    {"Neg(A)", CALL(mpz_neg(r.raw(), a.raw()))},
    {"Nthrt(A,B)", CALL(mpz_root(r.raw(), a.raw(), mpz_get_ui(b.raw())))},
    {"NumBits(A)",
     CALL(set(r, mpz_sgn(a.raw()) == 0 ? 0 : static_cast<long>(mpz_sizeinbase(a.raw(), 2))))},
    {"NumLSZeroBits(A)",
     CALL(set(r, mpz_sgn(a.raw()) == 0 ? 0 : static_cast<long>(mpz_scan1(a.raw(), 0))))},
    {"Or(A,B)", CALL(mpz_ior(r.raw(), a.raw(), b.raw()))},
    {"RShift(A,B)", CALL(mpz_fdiv_q_2exp(r.raw(), a.raw(), place(b)))},
    {"Set(A)", CALL(mpz_set(r.raw(), a.raw()))},
    {"SetBit(A,B)", CALL(mpz_set(r.raw(), a.raw()); mpz_setbit(r.raw(), place(b)))},
    {"Sqr(A)", CALL(mpz_mul(r.raw(), a.raw(), a.raw()))},
    {"SqrMod(A,B)", CALL(mpz_mul(r.raw(), a.raw(), a.raw()); mpz_mod(r.raw(), r.raw(), b.raw()))},
    {"Sqrt(A)", CALL(mpz_sqrt(r.raw(), a.raw()))},
    {"SqrtRem(A)", CALL(Integer root; mpz_sqrtrem(root.raw(), r.raw(), a.raw()))},
    {"Sub(A,B)", CALL(mpz_sub(r.raw(), a.raw(), b.raw()))},
    {"SubMod(A,B,C)", CALL(mpz_sub(r.raw(), a.raw(), b.raw()); mpz_mod(r.raw(), r.raw(), c.raw()))},
    {"SubMul(A,B,C)", CALL(mpz_set(r.raw(), a.raw()); mpz_submul(r.raw(), b.raw(), c.raw()))},
    {"Xor(A,B)", CALL(mpz_xor(r.raw(), a.raw(), b.raw()))},
};
#undef CALL

/// Whether a calculation has no result for these operands, by its definition or by calculation.h.
bool has_none(const std::string &name, const Integer &a, const Integer &b, const Integer &c) {
    const bool negative = mpz_sgn(a.raw()) < 0 ||
                          (name.find(",B") != std::string::npos && mpz_sgn(b.raw()) < 0) ||
                          (name.find(",C") != std::string::npos && mpz_sgn(c.raw()) < 0);
    static const std::vector<std::string> with_signs{
        "Abs(A)",    "Add(A,B)",  "AddMul(A,B,C)", "Cmp(A,B)",  "CmpAbs(A,B)",
        "IsEq(A,B)", "IsGt(A,B)", "IsGte(A,B)",    "IsLt(A,B)", "IsLte(A,B)",
        "IsNeg(A)",  "IsZero(A)", "Max(A,B)",      "Min(A,B)",  "Mul(A,B)",
        "Neg(A)",    "Set(A)",    "Sqr(A)",        "Sub(A,B)",  "SubMul(A,B,C)"};
    if (negative && std::find(with_signs.begin(), with_signs.end(), name) == with_signs.end())
        return true;
    if (name.ends_with("Mod(A,B,C)"))
        return c.is_zero();
    if (name == "Jacobi(A,B)")
        return mpz_even_p(b.raw()) != 0;
    if (name == "Nthrt(A,B)")
        return b.is_zero() || !is_short(b);
    if (name == "Div(A,B)" || name.ends_with("Mod(A,B)"))
        return b.is_zero();
    return false;
}

std::string drawn(test::NumberSource &source, int bits) {
    const int length = source.one_in(4) ? source.below(16) : source.below(bits) + 1;
    const Integer x = length == 0 ? Integer(0) : source.uniform_bits(length);
    return (source.one_in(8) ? -x : x).to_string(10);
}

} // namespace

TEST_CASE("cryptofuzz: every calculation against GMP") {
    using Calculations = warpint_cryptofuzz::Calculations<64>;
    const std::vector<std::string> names = Calculations::names();
    CHECK(names.size() == expected.size());
    long results = 0;
    for (const std::string &name : names) {
        const auto call = expected.find(name);
        REQUIRE_MESSAGE(call != expected.end(), name);
        for (const int bits : {10, 63, 250, 1020, 2000}) {
            test::NumberSource source(test::property_seed(name, bits));
            for (long i = 0; i < test::scaled(bits > 1000 ? 4 : 12); ++i) {
                const std::string a = drawn(source, bits), b = drawn(source, bits),
                                  c = drawn(source, bits);
                const Integer x(a, 10), y(b, 10), z(c, 10);
                const auto result = warpint_cryptofuzz::calculate(name, {a, b, c});
                INFO(name << " of " << a << ", " << b << ", " << c);
                if (has_none(name, x, y, z)) {
                    CHECK(!result);
                } else if (!result) { // a bit beyond the width
                    CHECK(name == "SetBit(A,B)");
                } else {
                    Integer r;
                    call->second(r, x, y, z);
                    CHECK(*result == r.to_string(10));
                    ++results;
                }
            }
        }
    }
    CHECK(results > 1000);
}
TEST_CASE("cryptofuzz: what it has not") {
    CHECK(!warpint_cryptofuzz::calculate("Factorial(A)", {"3", "0", "0"}));
    CHECK(!warpint_cryptofuzz::calculate("Add(A,B)", {std::string(1234, '9'), "0", "0"}));
    CHECK(warpint_cryptofuzz::calculate("Add(A,B)", {std::string(1233, '9'), "1", "0"}) ==
          "1" + std::string(1233, '0'));
}
