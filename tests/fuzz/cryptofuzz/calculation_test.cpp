// SPDX-License-Identifier: Apache-2.0
// The calculations that Cryptofuzz asks of warpint, each against GMP. The module itself is compiled
// in Cryptofuzz's tree (README.md).
#include "calculation.h"

#include "support/number_source.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <gmp.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

struct Integer {
    mpz_t z;
    Integer() { mpz_init(z); }
    explicit Integer(const std::string &text) { mpz_init_set_str(z, text.c_str(), 10); }
    Integer(const Integer &other) { mpz_init_set(z, other.z); }
    Integer &operator=(const Integer &) = delete;
    ~Integer() { mpz_clear(z); }
    bool is(unsigned long x) const { return mpz_cmp_ui(z, x) == 0; }
    unsigned long word() const { return mpz_get_ui(z); }
    int size() const { return static_cast<int>(mpz_sizeinbase(z, 2)); }
    std::string text() const {
        std::string r(mpz_sizeinbase(z, 10) + 2, '\0');
        mpz_get_str(r.data(), 10, z);
        return r.c_str();
    }
};

using Call = void (*)(Integer &r, const Integer &a, const Integer &b, const Integer &c);

bool is_short(const Integer &x) {
    return mpz_cmpabs_ui(x.z, 100000) <= 0;
}
// 0 to 4096: a bit, or one that no number here has.
unsigned long place(const Integer &x) {
    return is_short(x) ? x.word() : 100000;
}
void set(Integer &r, long value) {
    mpz_set_si(r.z, value);
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
    {"Abs(A)", CALL(mpz_abs(r.z, a.z))},
    {"Add(A,B)", CALL(mpz_add(r.z, a.z, b.z))},
    {"AddMod(A,B,C)", CALL(mpz_add(r.z, a.z, b.z); mpz_mod(r.z, r.z, c.z))},
    {"AddMul(A,B,C)", CALL(mpz_set(r.z, a.z); mpz_addmul(r.z, b.z, c.z))},
    {"And(A,B)", CALL(mpz_and(r.z, a.z, b.z))},
    {"Bit(A,B)", CALL(set(r, mpz_tstbit(a.z, place(b))))},
    {"Cbrt(A)", CALL(mpz_root(r.z, a.z, 3))},
    {"ClearBit(A,B)", CALL(mpz_set(r.z, a.z); mpz_clrbit(r.z, place(b)))},
    {"Cmp(A,B)", CALL(set(r, sign(mpz_cmp(a.z, b.z))))},
    {"CmpAbs(A,B)", CALL(set(r, sign(mpz_cmpabs(a.z, b.z))))},
    {"Div(A,B)", CALL(mpz_tdiv_q(r.z, a.z, b.z))},
    {"ExpMod(A,B,C)", CALL(mpz_powm(r.z, a.z, b.z, c.z))},
    {"GCD(A,B)", CALL(mpz_gcd(r.z, a.z, b.z))},
    {"HamDist(A,B)", CALL(set(r, static_cast<long>(mpz_hamdist(a.z, b.z))))},
    {"InvMod(A,B)", CALL(if (mpz_invert(r.z, a.z, b.z) == 0) set(r, 0))},
    {"IsCoprime(A,B)", CALL(mpz_gcd(r.z, a.z, b.z); set(r, r.is(1)))},
    {"IsEq(A,B)", CALL(set(r, mpz_cmp(a.z, b.z) == 0))},
    {"IsEven(A)", CALL(set(r, mpz_even_p(a.z) != 0))},
    {"IsGt(A,B)", CALL(set(r, mpz_cmp(a.z, b.z) > 0))},
    {"IsGte(A,B)", CALL(set(r, mpz_cmp(a.z, b.z) >= 0))},
    {"IsLt(A,B)", CALL(set(r, mpz_cmp(a.z, b.z) < 0))},
    {"IsLte(A,B)", CALL(set(r, mpz_cmp(a.z, b.z) <= 0))},
    {"IsNeg(A)", CALL(set(r, mpz_sgn(a.z) < 0))},
    {"IsOdd(A)", CALL(set(r, mpz_odd_p(a.z) != 0))},
    {"IsPow2(A)", CALL(set(r, mpz_popcount(a.z) == 1))},
    {"IsPrime(A)", CALL(set(r, mpz_probab_prime_p(a.z, 15) != 0))},
    {"IsSquare(A)", CALL(set(r, mpz_perfect_square_p(a.z) != 0))},
    {"IsZero(A)", CALL(set(r, mpz_sgn(a.z) == 0))},
    {"Jacobi(A,B)", CALL(set(r, mpz_jacobi(a.z, b.z)))},
    {"LCM(A,B)", CALL(mpz_lcm(r.z, a.z, b.z))},
    {"LShift1(A)", CALL(mpz_mul_2exp(r.z, a.z, 1))},
    {"Max(A,B)", CALL(mpz_set(r.z, mpz_cmp(a.z, b.z) < 0 ? b.z : a.z))},
    {"Min(A,B)", CALL(mpz_set(r.z, mpz_cmp(a.z, b.z) < 0 ? a.z : b.z))},
    {"Mod(A,B)", CALL(mpz_mod(r.z, a.z, b.z))},
    {"Mul(A,B)", CALL(mpz_mul(r.z, a.z, b.z))},
    {"MulAdd(A,B,C)", CALL(mpz_set(r.z, c.z); mpz_addmul(r.z, a.z, b.z))},
    {"MulMod(A,B,C)", CALL(mpz_mul(r.z, a.z, b.z); mpz_mod(r.z, r.z, c.z))},
    {"Neg(A)", CALL(mpz_neg(r.z, a.z))},
    {"Nthrt(A,B)", CALL(mpz_root(r.z, a.z, b.word()))},
    {"NumBits(A)", CALL(set(r, mpz_sgn(a.z) == 0 ? 0 : a.size()))},
    {"NumLSZeroBits(A)",
     CALL(set(r, mpz_sgn(a.z) == 0 ? 0 : static_cast<long>(mpz_scan1(a.z, 0))))},
    {"Or(A,B)", CALL(mpz_ior(r.z, a.z, b.z))},
    {"RShift(A,B)", CALL(mpz_fdiv_q_2exp(r.z, a.z, place(b)))},
    {"Set(A)", CALL(mpz_set(r.z, a.z))},
    {"SetBit(A,B)", CALL(mpz_set(r.z, a.z); mpz_setbit(r.z, place(b)))},
    {"Sqr(A)", CALL(mpz_mul(r.z, a.z, a.z))},
    {"SqrMod(A,B)", CALL(mpz_mul(r.z, a.z, a.z); mpz_mod(r.z, r.z, b.z))},
    {"Sqrt(A)", CALL(mpz_sqrt(r.z, a.z))},
    {"SqrtRem(A)", CALL(Integer root; mpz_sqrtrem(root.z, r.z, a.z))},
    {"Sub(A,B)", CALL(mpz_sub(r.z, a.z, b.z))},
    {"SubMod(A,B,C)", CALL(mpz_sub(r.z, a.z, b.z); mpz_mod(r.z, r.z, c.z))},
    {"SubMul(A,B,C)", CALL(mpz_set(r.z, a.z); mpz_submul(r.z, b.z, c.z))},
    {"Xor(A,B)", CALL(mpz_xor(r.z, a.z, b.z))},
};
#undef CALL

/// Whether a calculation has no result for these operands, by its definition or by calculation.h.
bool has_none(const std::string &name, const Integer &a, const Integer &b, const Integer &c) {
    const bool negative = mpz_sgn(a.z) < 0 ||
                          (name.find(",B") != std::string::npos && mpz_sgn(b.z) < 0) ||
                          (name.find(",C") != std::string::npos && mpz_sgn(c.z) < 0);
    static const std::vector<std::string> with_signs{
        "Abs(A)",    "Add(A,B)",  "AddMul(A,B,C)", "Cmp(A,B)",  "CmpAbs(A,B)",
        "IsEq(A,B)", "IsGt(A,B)", "IsGte(A,B)",    "IsLt(A,B)", "IsLte(A,B)",
        "IsNeg(A)",  "IsZero(A)", "Max(A,B)",      "Min(A,B)",  "Mul(A,B)",
        "Neg(A)",    "Set(A)",    "Sqr(A)",        "Sub(A,B)",  "SubMul(A,B,C)"};
    if (negative && std::find(with_signs.begin(), with_signs.end(), name) == with_signs.end())
        return true;
    if (name.ends_with("Mod(A,B,C)"))
        return c.is(0);
    if (name == "Jacobi(A,B)")
        return mpz_even_p(b.z) != 0;
    if (name == "Nthrt(A,B)")
        return b.is(0) || !is_short(b);
    if (name == "Div(A,B)" || name.ends_with("Mod(A,B)"))
        return b.is(0);
    return false;
}

std::string drawn(test::NumberSource &source, int bits) {
    std::string r = source.below(8) == 0 ? "-" : "";
    Integer x;
    const int length = source.below(4) == 0 ? source.below(16) : source.below(bits) + 1;
    for (int i = 0; i < length; ++i) {
        mpz_mul_2exp(x.z, x.z, 1);
        mpz_add_ui(x.z, x.z, static_cast<unsigned long>(source.below(2)));
    }
    return x.is(0) ? "0" : r + x.text();
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
                const Integer x(a), y(b), z(c);
                const auto result = warpint_cryptofuzz::calculate(name, {a, b, c});
                INFO(name << " of " << a << ", " << b << ", " << c);
                if (has_none(name, x, y, z)) {
                    CHECK(!result);
                } else if (!result) { // a bit beyond the width
                    CHECK(name == "SetBit(A,B)");
                } else {
                    Integer r;
                    call->second(r, x, y, z);
                    CHECK(*result == r.text());
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
