// SPDX-License-Identifier: Apache-2.0
// Formulas with products, remainders and roots, wherever they stand in them, and inverses, by GMP
// (formulas.h).
#include "formulas.h"

namespace {

using namespace test::formulas;

template <int Bits>
void check_products(std::size_t most) {
    OperandSource source(test::property_seed("products in formulas", Bits));
    using C = Checker<Bits>;
    using Number = typename C::Number;
    for (const std::size_t count : counts) {
        if (count > most)
            continue;
        C c(source, count);
        host_vector<BigInt<2 * Bits>> wide(count);
        wide = c.a * c.b;
        c.expect("a * b", wide, [&](std::size_t i) { return C::value(c.a[i]) * C::value(c.b[i]); });
        wide = sqr(c.a);
        c.expect("sqr(a)", wide,
                 [&](std::size_t i) { return C::value(c.a[i]) * C::value(c.a[i]); });
        host_vector<SignedBigInt<2 * Bits + 2>> difference(count);
        difference = c.a * c.b - sqr(c.b);
        c.expect("a * b - sqr(b)", difference, [&](std::size_t i) {
            return C::value(c.a[i]) * C::value(c.b[i]) - C::value(c.b[i]) * C::value(c.b[i]);
        });
        const auto rest = [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.b[i]), c.m[i]);
        };
        c.result = c.a * c.b % c.m;
        c.expect("a * b % m", rest);
        const auto sum = [&](const Integer &x, std::size_t i) -> std::optional<Integer> {
            if (C::value(c.m[i]) == 0)
                return {};
            return test::modulo(C::value(c.a[i]) * C::value(c.b[i]) + x, C::value(c.m[i]));
        };
        c.result = (c.a * c.b + c.odd) % c.m;
        c.expect("(a * b + odd) % m", [&](std::size_t i) { return sum(C::value(c.odd[i]), i); });
        c.result = (c.a * c.b + c.odd * c.e) % c.m;
        c.expect("(a * b + odd * e) % m",
                 [&](std::size_t i) { return sum(C::value(c.odd[i]) * C::value(c.e[i]), i); });
        c.result = (c.a * c.b - c.odd * c.e) % c.m;
        c.expect("(a * b - odd * e) % m", [&](std::size_t i) {
            return sum(Integer(0) - C::value(c.odd[i]) * C::value(c.e[i]), i);
        });
        c.result = (c.a * c.b - c.odd) % c.m;
        c.expect("(a * b - odd) % m",
                 [&](std::size_t i) { return sum(Integer(0) - C::value(c.odd[i]), i); });
        c.result = sqr(c.a) % c.m;
        c.expect("sqr(a) % m", [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.a[i]), c.m[i]);
        });
        const Number shared = c.m[count / 2];
        c.result = c.a * c.b % shared;
        c.expect("a * b % one m", [&](std::size_t i) {
            return C::product(C::value(c.a[i]), C::value(c.b[i]), shared);
        });
        c.result = ((c.a * c.b % c.m) ^ c.b) * c.a % c.odd;
        c.expect("((a * b % m) ^ b) * a % odd", [&](std::size_t i) -> std::optional<Integer> {
            if (!rest(i))
                return {};
            const Number inner = test::from_integer<Number>(*rest(i)) ^ Number(c.b[i]);
            return C::product(C::value(inner), C::value(c.a[i]), c.odd[i]);
        });
        typename C::Vector x = c.b;
        x = c.a * x % c.m;
        c.expect("x = a * x % m", x, rest);
        x = c.odd;
        x = (c.a * c.b - x) % c.m;
        c.expect("x = (a * b - x) % m", x,
                 [&](std::size_t i) { return sum(Integer(0) - C::value(c.odd[i]), i); });
        x = c.m;
        x = c.a * c.b % x;
        c.expect("x = a * b % x", x, rest);

        // Quotients and remainders, alone and inside others.
        const auto quotient = [](const Integer &dividend,
                                 const Integer &divisor) -> std::optional<Integer> {
            return divisor == 0 ? std::optional<Integer>() : dividend / divisor;
        };
        const auto remainder = [](const Integer &dividend,
                                  const Integer &divisor) -> std::optional<Integer> {
            return divisor == 0 ? std::optional<Integer>() : test::modulo(dividend, divisor);
        };
        const auto at = [](const host_vector<BigInt<2 * Bits>> &numbers, std::size_t i) {
            return test::to_integer(BigInt<2 * Bits>(numbers[i]));
        };
        wide = c.a * c.b;
        host_vector<BigInt<2 * Bits>> wide_quotient(count);
        wide_quotient = wide / c.m;
        c.expect("w / m", wide_quotient,
                 [&](std::size_t i) { return quotient(at(wide, i), C::value(c.m[i])); });
        c.result = wide % c.m;
        c.expect("w % m", [&](std::size_t i) { return remainder(at(wide, i), C::value(c.m[i])); });
        c.result = wide % shared;
        c.expect("w % one m",
                 [&](std::size_t i) { return remainder(at(wide, i), C::value(shared)); });
        c.result = wide % Modulus<Bits>(c.odd[0]);
        c.expect("w % one Modulus",
                 [&](std::size_t i) { return remainder(at(wide, i), C::value(c.odd[0])); });
        c.result = c.a / c.m;
        c.expect("a / m",
                 [&](std::size_t i) { return quotient(C::value(c.a[i]), C::value(c.m[i])); });
        c.result = (c.a % c.m) ^ c.b;
        c.expect("(a % m) ^ b", [&](std::size_t i) -> std::optional<Integer> {
            const auto r = remainder(C::value(c.a[i]), C::value(c.m[i]));
            return r ? C::value(test::from_integer<Number>(*r) ^ Number(c.b[i])) : r;
        });
        wide_quotient = c.odd;
        tie(wide_quotient, c.result) = divmod(wide, c.m);
        c.expect("divmod(w, m): quotients", wide_quotient,
                 [&](std::size_t i) { return quotient(at(wide, i), C::value(c.m[i])); });
        c.expect("divmod(w, m): remainders",
                 [&](std::size_t i) { return remainder(at(wide, i), C::value(c.m[i])); });
        typename C::Vector y = c.a, z = c.m;
        tie(y, z) = divmod(y, z);
        c.expect("tie(y, z) = divmod(y, z): quotients", y,
                 [&](std::size_t i) { return quotient(C::value(c.a[i]), C::value(c.m[i])); });
        c.expect("tie(y, z) = divmod(y, z): remainders", z,
                 [&](std::size_t i) { return remainder(C::value(c.a[i]), C::value(c.m[i])); });
        wide_quotient = wide;
        wide_quotient = wide_quotient / c.m;
        c.expect("w = w / m", wide_quotient,
                 [&](std::size_t i) { return quotient(at(wide, i), C::value(c.m[i])); });

        // Square roots; of negative numbers there are none.
        const auto root = [](const Integer &of) -> std::optional<Integer> {
            Integer r;
            if (of.sign() < 0)
                return {};
            mpz_sqrt(r.raw(), of.raw());
            return r;
        };
        c.result = isqrt(c.a);
        c.expect("isqrt(a)", [&](std::size_t i) { return root(C::value(c.a[i])); });
        c.result = isqrt(c.a * c.b) ^ c.m;
        c.expect("isqrt(a * b) ^ m", [&](std::size_t i) {
            const Integer r = *root(C::value(c.a[i]) * C::value(c.b[i]));
            return C::value(test::from_integer<Number>(r) ^ Number(c.m[i]));
        });
        x = c.m;
        x = isqrt(x);
        c.expect("x = isqrt(x)", x, [&](std::size_t i) { return root(C::value(c.m[i])); });
        host_vector<SignedBigInt<Bits>> with_sign(count);
        with_sign = c.a ^ c.b;
        host_vector<SignedBigInt<Bits>> signed_root(count);
        const auto signed_at = [&](std::size_t i) {
            return test::to_integer(SignedBigInt<Bits>(with_sign[i]));
        };
        signed_root = isqrt(with_sign);
        c.expect("isqrt(signed)", signed_root, [&](std::size_t i) { return root(signed_at(i)); });
        c.result = isqrt(abs(with_sign));
        c.expect("isqrt(abs(signed))", [&](std::size_t i) {
            const Integer of = signed_at(i);
            return root(of.sign() < 0 ? Integer(0) - of : of);
        });
        host_vector<SignedBigInt<Bits + 1>> root_of_difference(count);
        root_of_difference = isqrt(c.a - c.b);
        c.expect("isqrt(a - b)", root_of_difference,
                 [&](std::size_t i) { return root(C::value(c.a[i]) - C::value(c.b[i])); });

        const Modulus<Bits> modulus(c.odd[0]);
        c.result = inverse(c.a, modulus);
        c.expect("inverse(a, Modulus)", [&](std::size_t i) -> std::optional<Integer> {
            const Integer one = C::value(c.odd[0]);
            Integer r;
            if (one == 1)
                return Integer(0);
            if (mpz_invert(r.raw(), C::value(c.a[i]).raw(), one.raw()) == 0)
                return {};
            return r;
        });
        const Number even = shared + shared;
        c.result = inverse(c.a, even);
        c.expect("inverse(a, one even m)", [&](std::size_t i) -> std::optional<Integer> {
            Integer r;
            if (C::value(even) == 0 ||
                mpz_invert(r.raw(), C::value(c.a[i]).raw(), C::value(even).raw()) == 0)
                return {};
            return r;
        });
    }
}

// Whether an engine takes these formulas of some elements, as it does from the widths on from which
// that is faster.
template <class Formula>
constexpr bool is_grouped =
    execution::collective::min_grouped<expression::lowered_t<expression::tree_of_t<Formula>>> <= 4;
template <int Bits>
using Batch = host_vector<BigInt<Bits>> &;
template <int Bits>
constexpr bool is_product_grouped =
    is_grouped<decltype(std::declval<Batch<Bits>>() * std::declval<Batch<Bits>>())>;
template <int Bits>
constexpr bool is_remainder_grouped =
    is_grouped<decltype(std::declval<Batch<Bits>>() * std::declval<Batch<Bits>>() %
                        std::declval<Batch<Bits>>())>;
template <int Bits>
constexpr bool is_sum_remainder_grouped =
    is_grouped<decltype((std::declval<Batch<Bits>>() * std::declval<Batch<Bits>>() +
                         std::declval<Batch<Bits>>()) %
                        std::declval<Batch<Bits>>())>;
template <int A, int M>
constexpr bool is_quotient_grouped =
    is_grouped<decltype(std::declval<Batch<A>>() / std::declval<Batch<M>>())>;
template <class Number>
constexpr bool is_root_grouped = is_grouped<decltype(isqrt(std::declval<host_vector<Number> &>()))>;
#if WARPINT_SIMD
static_assert(is_root_grouped<BigInt<129>> && !is_root_grouped<BigInt<128>>);
static_assert(is_root_grouped<SignedBigInt<256>> && !is_root_grouped<SignedBigInt<96>>);
static_assert(is_product_grouped<160> && is_product_grouped<224> && !is_product_grouped<128>);
static_assert(is_remainder_grouped<160> && is_remainder_grouped<192> && !is_remainder_grouped<128>);
static_assert(is_sum_remainder_grouped<96> && !is_sum_remainder_grouped<64>);
static_assert(is_quotient_grouped<320, 160> && !is_quotient_grouped<256, 128>);
static_assert(!is_quotient_grouped<512, 512> && is_quotient_grouped<576, 512> &&
              is_quotient_grouped<1024, 1024>);
#endif

} // namespace

#if defined(WARPINT_SIMD_EMULATED)

TEST_CASE("simd: formulas with products, emulated") {
    check_products<131>(33);
    check_products<521>(33);
}

#else

TEST_CASE("simd: formulas with products and remainders") {
    check_products<256>(100);
    check_products<512>(100);
}

#endif
