// SPDX-License-Identifier: Apache-2.0
// What lowering makes of formulas: shared moduli, exponents and bases are prepared, products under
// a remainder become modular operations; values, types and faults stay those of the formula.
// Against GMP, at widths of one limb and many.
#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <type_traits>
#include <vector>

using namespace warpint;
using test::Integer;
using test::modulo;
using test::vector_of;
using test::Width;

// ---- which operations run

namespace lowering {

namespace op = expression::operation;
using expression::BatchPointer;
using expression::ConstantLeaf;
using expression::Node;
using expression::SharedBase;
using expression::SharedExponent;
using expression::SharedModulus;

using Number = BigInt<256>;
using Vector = device_vector<Number>;
using E = BatchPointer<Number>;
template <class Tree>
using Lowered = expression::lowered_t<Tree>;
const Vector &v();
template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;
using Shared = ConstantLeaf<SharedModulus<256>>;

using Product = Node<op::MultiplyModulo, E, E, Shared>;
static_assert(same<Lowered<decltype(v() * v() % Number(7))>, Product>);
static_assert(same<Lowered<decltype(sqr(v()) % Number(7))>, Node<op::SquareModulo, E, Shared>>);
static_assert(same<Lowered<decltype(v() * v() % std::declval<Modulus<256>>())>, Product>);
static_assert(
    same<Lowered<decltype(v() % std::declval<Modulus<256>>())>, Node<op::Remainder, E, Shared>>);
static_assert(same<Lowered<decltype(pow(v(), v(), std::declval<Modulus<256>>()))>,
                   Node<op::Power, E, E, ConstantLeaf<Modulus<256>>>>);
static_assert(same<Lowered<decltype(v() * v() % v())>, Node<op::MultiplyModulo, E, E, E>>);
static_assert(same<Lowered<decltype((v() + v()) % Number(7))>, Node<op::AddModulo, E, E, Shared>>);
static_assert(
    same<Lowered<decltype((v() - v()) % Number(7))>, Node<op::SubtractModulo, E, E, Shared>>);
static_assert(same<Lowered<decltype((v() * v() + v()) % Number(7))>,
                   Node<op::MultiplyAddModulo, E, E, E, Shared>>);
static_assert(same<Lowered<decltype((v() * v() - v() * v()) % std::declval<Modulus<256>>())>,
                   Node<op::MultiplySubtractModulo, E, E, E, E, Shared>>);
static_assert(same<Lowered<decltype((v() - v() * v()) % Number(7))>,
                   Node<op::SubtractModulo, E, Product, Shared>>);
static_assert(
    same<Lowered<decltype((v() * v() + (v() * v() + v())) % Number(7))>,
         Node<op::AddModulo, Product, Node<op::MultiplyAddModulo, E, E, E, Shared>, Shared>>);
static_assert(same<Lowered<decltype((v() * v() - (v() * v() + sqr(v()))) % Number(7))>,
                   Node<op::SubtractModulo, Product,
                        Node<op::MultiplyAddModulo, E, E, E, E, Shared>, Shared>>);
// The square of what is computed is not computed twice.
static_assert(same<Lowered<decltype((v() * v() + sqr(v() + v())) % Number(7))>,
                   Node<op::AddModulo, Product, Node<op::SquareModulo, Node<op::Add, E, E>, Shared>,
                        Shared>>);
static_assert(
    same<Lowered<decltype((sqr(v()) + v()) % v())>, Node<op::MultiplyAddModulo, E, E, E, E>>);
static_assert(
    same<Lowered<decltype((v() + sqr(v())) % v())>, Node<op::MultiplyAddModulo, E, E, E, E>>);
static_assert(
    same<Lowered<decltype((sqr(v()) - v()) % v())>, Node<op::MultiplySubtractModulo, E, E, E, E>>);
static_assert(same<Lowered<decltype((sqr(v()) + v()) % Number(7))>,
                   Node<op::MultiplyAddModulo, E, E, E, Shared>>);
static_assert(same<Lowered<decltype(v() % Number(7))>, Node<op::Remainder, E, Shared>>);
static_assert(
    same<Lowered<decltype((v() * v() + v()) % v())>, Node<op::MultiplyAddModulo, E, E, E, E>>);
static_assert(same<Lowered<decltype((v() * v() - v() * v()) % v())>,
                   Node<op::MultiplySubtractModulo, E, E, E, E, E>>);
// Not for a signed modulus, nor for a sum of values with a modulus of each element's own.
static_assert(same<Lowered<decltype(v() * v() % 7)>,
                   Node<op::Remainder, Node<op::Multiply, E, E>, ConstantLeaf<int>>>);
static_assert(
    same<Lowered<decltype((v() + v()) % v())>, Node<op::Remainder, Node<op::Add, E, E>, E>>);
static_assert(same<Lowered<decltype(v() * v() % 7u)>,
                   Node<op::MultiplyModulo, E, E, ConstantLeaf<SharedModulus<32>>>>);
static_assert(same<Lowered<decltype(mulmod(v(), v(), Number(7)))>, Product>);
static_assert(same<Lowered<decltype(pow(v(), Number(3), Number(7)))>,
                   Node<op::Power, E, ConstantLeaf<SharedExponent<256>>, Shared>>);
static_assert(same<Lowered<decltype(pow(v(), 65537, v()))>,
                   Node<op::Power, E, ConstantLeaf<SharedExponent<32>>, E>>);
static_assert(same<Lowered<decltype(pow(Number(2), v(), Number(7)))>,
                   Node<op::PowerOfBase, ConstantLeaf<SharedBase<256, 256>>, E>>);
static_assert(same<Lowered<decltype(pow(v(), v(), Number(7)))>, Node<op::Power, E, E, Shared>>);

} // namespace lowering

// ---- values

namespace {

// Elements, -1 for those without a value.
template <class V>
void check_equal(const char *what, V &got, const std::vector<Integer> &expected) {
    const std::vector<bool> mask = got.error_mask();
    got.clear_errors();
    const auto values = got.to_host();
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool exists = expected[i].sign() >= 0;
        if (mask[i] == !exists &&
            test::to_integer(values[i]) == (exists ? expected[i] : Integer(0)))
            continue;
        CAPTURE(what);
        CAPTURE(i);
        CHECK(mask[i] == !exists);
        CHECK(test::to_integer(values[i]) == (exists ? expected[i] : Integer(0)));
    }
}

template <int Bits>
struct Batch {
    std::vector<Integer> x, y, z; // z signed, of one bit more
    device_vector<BigInt<Bits>> a, b;
    device_vector<SignedBigInt<Bits + 1>> c;

    explicit Batch(std::size_t count) {
        test::OperandSource source(test::property_seed("lowering", Bits));
        for (std::size_t i = 0; i < count; ++i) {
            x.push_back(i == 0 ? test::all_ones(Bits) : source.number(Bits));
            y.push_back(i < 2 ? test::all_ones(Bits) : source.number(Bits));
            z.push_back(source.number(Bits));
            if (i % 2 == 0)
                z.back() = -z.back();
        }
        a = vector_of<BigInt<Bits>>(x);
        b = vector_of<BigInt<Bits>>(y);
        c = vector_of<SignedBigInt<Bits + 1>>(z);
    }
    template <class F>
    std::vector<Integer> each(const Integer &m, F f) const {
        std::vector<Integer> expected;
        for (std::size_t i = 0; i < x.size(); ++i)
            expected.push_back(m.is_zero() ? Integer(-1) : modulo(f(x[i], y[i], z[i]), m));
        return expected;
    }
};

// Formulas modulo one m: a number, a Modulus, or a vector of copies.
template <bool all, int Bits, class M>
void check_formulas(const Batch<Bits> &batch, const M &m, const Integer &modulus) {
    using I = const Integer &;
    const auto &[x, y, z, a, b, c] = batch;
    CAPTURE(modulus);
    auto r = eval(a * b % m);
    check_equal("a * b", r, batch.each(modulus, [](I p, I q, I) { return p * q; }));
    r = (a * c - b) % m; // signed, unreduced
    check_equal("a * c - b", r, batch.each(modulus, [](I p, I q, I s) { return p * s - q; }));
    r = (a - b) % m;
    check_equal("a - b", r, batch.each(modulus, [](I p, I q, I) { return p - q; }));
    if constexpr (!all)
        return;
    r = sqr(a) % m;
    check_equal("sqr(a)", r, batch.each(modulus, [](I p, I, I) { return p * p; }));
    r = (a + b) % m;
    check_equal("a + b", r, batch.each(modulus, [](I p, I q, I) { return p + q; }));
    r = (b + a * c) % m;
    check_equal("b + a * c", r, batch.each(modulus, [](I p, I q, I s) { return p * s + q; }));
    r = (sqr(c) - b) % m;
    check_equal("sqr(c) - b", r, batch.each(modulus, [](I, I q, I s) { return s * s - q; }));
    r = (a * b - c * b) % m;
    check_equal("a * b - c * b", r,
                batch.each(modulus, [](I p, I q, I s) { return p * q - s * q; }));
    r = (a * b + (c * c - sqr(b) * a)) % m;
    check_equal("a * b + (c * c - sqr(b) * a)", r,
                batch.each(modulus, [](I p, I q, I s) { return p * q + (s * s - q * q * p); }));
    r = (a * b % m) * (5u + c) % m;
    check_equal("(a * b % m) * (5 + c)", r,
                batch.each(modulus, [](I p, I q, I s) { return p * q * (s + Integer(5)); }));
    r = c % m;
    check_equal("c", r, batch.each(modulus, [](I, I, I s) { return s; }));
}

} // namespace

// Fewer as CUDA, where each formula takes seconds to compile.
#if defined(__CUDACC__)
#define WIDTHS Width<31>, Width<131>
constexpr bool every_exponent = false;
#else
#define WIDTHS Width<31>, Width<131>, Width<1000>
constexpr bool every_exponent = true;
#endif

TEST_CASE_TEMPLATE("formulas modulo one number", W, WIDTHS) {
    constexpr int bits = W::bits;
    const Batch<bits> batch(40);
    test::OperandSource source(test::property_seed("lowering, moduli", bits));
    const Integer top = test::power_of_two(bits - 1);
    for (const Integer &modulus :
         {Integer(0), Integer(1), Integer(2), test::all_ones(bits), top, top + Integer(6),
          source.number(bits) | Integer(1), Integer(97)}) {
        const auto m = test::from_integer<BigInt<bits>>(modulus);
        check_formulas<bits == 131>(batch, m, modulus);
        if constexpr (bits == 131) {
            if (!modulus.is_zero())
                check_formulas<false>(batch, Modulus<bits>(m), modulus);
            check_formulas<true>(batch, device_vector<BigInt<bits>>(40, m), modulus);
        }
    }
    // Another width than the operands', built-in ones, and each element's own.
    if constexpr (bits == 131) {
        const Integer wide = test::all_ones(300) - Integer(2);
        check_formulas<false>(batch, test::from_integer<BigInt<300>>(wide), wide);
        check_formulas<false>(batch, 1000003u, Integer(1000003));
        check_formulas<false>(batch, ~std::uint64_t{0}, test::all_ones(64));
        check_formulas<false>(batch, std::uint64_t{0}, Integer(0));
        std::vector<Integer> moduli;
        std::vector<Integer> expected;
        for (std::size_t i = 0; i < 40; ++i) {
            moduli.push_back(i % 7 == 0 ? Integer(0) : source.modulus(bits));
            expected.push_back(i % 7 == 0 ? Integer(-1)
                                          : modulo(batch.x[i] * batch.z[i], moduli[i]));
        }
        auto r = eval(batch.a * batch.c % vector_of<BigInt<bits>>(moduli));
        check_equal("a * c % m, m private", r, expected);
        // Signed moduli keep the sign of the dividend.
        for (const int m : {7, -7, 1, -1, 0}) {
            auto s = eval(batch.a * batch.c % m);
            const std::vector<bool> mask = s.error_mask();
            s.clear_errors();
            const auto values = s.to_host();
            for (std::size_t i = 0; i < 40; ++i) {
                CHECK(mask[i] == (m == 0));
                if (m == 0)
                    continue;
                const Integer product = batch.x[i] * batch.z[i];
                const Integer rest = modulo(product, Integer(7));
                const Integer truncated =
                    product.sign() < 0 && !rest.is_zero() ? rest - Integer(7) : rest;
                const bool unit = m == 1 || m == -1;
                CHECK(test::to_integer(values[i]) == (unit ? Integer(0) : truncated));
            }
        }
    }
}

TEST_CASE_TEMPLATE("shared exponents", W, Width<64>, Width<256>) {
    constexpr int bits = W::bits;
    const Batch<bits> batch(20);
    test::OperandSource source(test::property_seed("lowering, exponents", bits));
    device_vector<BigInt<bits>> r;
    const auto check = [&](const auto &e, const Integer &exponent) {
        CAPTURE(exponent);
        for (const Integer &modulus : {test::all_ones(bits), test::power_of_two(bits - 1),
                                       source.number(bits) | Integer(2), Integer(1), Integer(0)}) {
            const auto m = test::from_integer<BigInt<bits>>(modulus);
            r = pow(batch.a, e, m);
            std::vector<Integer> expected;
            for (const Integer &base : batch.x) {
                expected.push_back(modulus.is_zero() || exponent.sign() < 0
                                       ? Integer(-1)
                                       : test::power_modulo(base, exponent, modulus));
            }
            check_equal("pow(a, e, m)", r, expected);
            if (modulus.is_zero())
                continue;
            if constexpr (every_exponent) {
                r = pow(batch.a, e, Modulus<bits>(m));
                check_equal("pow(a, e, Modulus)", r, expected);
            }
        }
    };
    for (const int e : {0, 1, 2, 3, 65537, -1, -65537})
        check(e, Integer(e));
    if constexpr (!every_exponent)
        return;
    check(~std::uint64_t{0}, test::all_ones(64));
    check(test::from_integer<BigInt<65>>(test::power_of_two(64)), test::power_of_two(64));
    check(test::from_integer<BigInt<65>>(test::all_ones(65)), test::all_ones(65));
    if constexpr (bits == 256) {
        check(test::from_integer<BigInt<256>>(test::all_ones(256)), test::all_ones(256));
        const Integer zeros = test::power_of_two(1200) + Integer(5); // runs above 255 squares
        check(test::from_integer<BigInt<1201>>(zeros), zeros);
        check(BigInt<300>(0), Integer(0));
        const Integer least = -test::power_of_two(99);
        check(test::from_integer<SignedBigInt<100>>(least), least);
    }
}

TEST_CASE_TEMPLATE("shared bases", W, Width<31>, Width<256>) {
    constexpr int bits = W::bits;
    const Batch<256> batch(20);
    device_vector<BigInt<bits>> r;
    for (const Integer &modulus :
         {test::all_ones(bits), test::power_of_two(bits - 1), Integer(6), Integer(1), Integer(0)}) {
        CAPTURE(modulus);
        const auto m = test::from_integer<BigInt<bits>>(modulus);
        const auto expected_for = [&](const Integer &base) {
            std::vector<Integer> expected;
            for (const Integer &e : batch.x) {
                expected.push_back(modulus.is_zero()
                                       ? Integer(-1)
                                       : test::power_modulo(modulo(base, modulus), e, modulus));
            }
            return expected;
        };
        r = pow(2, batch.a, m);
        check_equal("2", r, expected_for(Integer(2)));
        r = pow(-3, batch.a, m);
        check_equal("-3", r, expected_for(Integer(-3)));
        r = pow(0u, batch.a, m);
        check_equal("0", r, expected_for(Integer(0)));
        if constexpr (!every_exponent)
            continue;
        const Integer wide = test::all_ones(300);
        r = pow(test::from_integer<BigInt<300>>(wide), batch.a, m);
        check_equal("300 bits", r, expected_for(wide));
        if (!modulus.is_zero()) {
            r = pow(2, batch.a, Modulus<bits>(m));
            check_equal("2, Modulus", r, expected_for(Integer(2)));
        }
        // Exponents that may be negative, and short ones, take another way.
        if constexpr (bits == 256) {
            const device_vector<SignedBigInt<40>> e = {0, -1, 5, 1234567};
            r = pow(3u, e, m);
            std::vector<Integer> expected;
            for (const int k : {0, -1, 5, 1234567}) {
                expected.push_back(k < 0 || modulus.is_zero()
                                       ? Integer(-1)
                                       : test::power_modulo(Integer(3), Integer(k), modulus));
            }
            check_equal("signed exponents", r, expected);
        }
    }
}

// Many prepared moduli travel with a kernel's parameters, which have room for 32764 bytes.
TEST_CASE("several wide moduli in one formula") {
    constexpr int bits = 8192;
    using Wide = BigInt<bits>;
    const device_vector<Wide> a(3, ~Wide(0));
    const auto tree = a % (~Wide(0) - 1) + a % (~Wide(0) - 2) + a % (~Wide(0) - 4);
    static_assert(sizeof(expression::lowered_t<std::remove_const_t<decltype(tree)>>) < 32764 - 64);
    const auto r = eval(tree);
    CHECK(r[2] == 7u);
}
