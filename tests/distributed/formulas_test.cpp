// SPDX-License-Identifier: Apache-2.0
// Formulas and reductions of distributed vectors beside the same of host vectors, bit for bit.
// Every rank checks all elements.
#include "ranks.h"

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

using namespace warpint;
using test::contents;
using test::distributed;
using test::Number;
using test::some_numbers;
using test::world;

namespace {

using Signed = SignedBigInt<70>;

// The operands, as host vectors or as distributed ones. Some divisors are 0; so is one in each
// piece.
template <template <class> class Vector>
struct Operands {
    Vector<Number> a, b;
    Vector<Number> few; // small numbers, with zeros
    Vector<Signed> s;
    Vector<std::uint64_t> i;
};
struct Values {
    explicit Values(std::size_t count) : a(some_numbers(count)), b(some_numbers(count, 5)) {
        for (std::size_t k = 0; k < count; ++k) {
            few.push_back(Number(k % 7));
            const auto low = Signed(static_cast<std::int64_t>(k * 1234567));
            s.push_back(k % 2 == 0 ? low : -low);
            i.push_back(k * k);
        }
    }
    std::vector<Number> a, b, few;
    std::vector<Signed> s;
    std::vector<std::uint64_t> i;
};

struct TwoMore {
    WARPINT_HOST_DEVICE BigInt<97> operator()(const Number &x) const { return BigInt<97>(x) + 2u; }
};
#if !defined(__CUDACC__) // kernels cannot throw
struct Throws {
    Number operator()(const Number &x) const {
        if (x == 3u)
            throw std::runtime_error("three");
        return x;
    }
};
#endif

// Runs a formula on host vectors, and on distributed vectors in all layouts.
template <class Formula>
void same(const char *name, const Formula &formula) {
    CAPTURE(std::string(name));
    for (const std::size_t count : {std::size_t{101}, std::size_t{2}, std::size_t{0}}) {
        CAPTURE(count);
        const Values v(count);
        const Operands<host_vector> host{host_vector<Number>(v.a), host_vector<Number>(v.b),
                                         host_vector<Number>(v.few), host_vector<Signed>(v.s),
                                         host_vector<std::uint64_t>(v.i)};
        const auto expected = contents(eval(formula(host)));
        for (const auto &sizes : test::layouts(count)) {
            const Operands<test::Distributed> own{distributed(v.a, sizes), distributed(v.b, sizes),
                                                  distributed(v.few, sizes),
                                                  distributed(v.s, sizes), distributed(v.i, sizes)};
            const auto result = eval(formula(own));
            CHECK(result.sizes() == sizes);
            CHECK(contents(result) == expected);
        }
    }
}
#define SAME(...) same(#__VA_ARGS__, [&](const auto &v) { return __VA_ARGS__; })

// Exchanges what a vector of ten twos holds, in one way of many. Returns the sum of three times the
// vector, of a formula that was described before.
template <class Vector>
std::uint64_t sum_after(int exchange, Vector twos, Vector sevens) {
    CAPTURE(exchange);
    Vector none;
    Vector result = sevens;
    const auto formula = twos * 3u;
    switch (exchange) {
    case 0:
        twos = Vector();
        break;
    case 1:
        twos = none;
        break;
    case 2:
        swap(twos, none);
        CHECK(none.size() == 10);
        none = sevens;
        break;
    case 3:
        none = std::move(twos);
        CHECK(none.size() == 10);
        break;
    case 4: {
        Vector copy = none;
        swap(copy, twos);
        CHECK(copy.size() == 10);
        break;
    }
    case 5:
        none = std::move(twos);
        twos = sevens; // a vector anew; the formula keeps what it named
        break;
    case 6: {
        const Vector moved = std::move(twos);
        swap(none, twos);
        break;
    }
    case 7: {
        Vector moved = std::move(twos);
        twos = std::move(moved);
        break;
    }
    case 8: {
        Vector &same = twos;
        twos = std::move(same);
        same = twos;
        break;
    }
    case 9:
        swap(twos, none);
        swap(twos, none);
        break;
    case 10:
        twos = std::move(sevens);
        CHECK(sevens.empty());
        break;
    case 11:
        std::swap(twos, sevens);
        break;
    default:
        twos = Vector();
        twos = sevens;
        break;
    }
    result = formula;
    CHECK(sum(formula) == sum(result));
    CHECK(result.size() == (sum(result) == 0u ? 0u : 10u));
    return static_cast<std::uint64_t>(sum(result));
}

} // namespace

TEST_CASE("operators") {
    SAME(v.a + v.b);
    SAME(v.a - v.b);
    SAME(v.a * v.b);
    SAME(v.a / v.few);
    SAME(v.a % v.few);
    SAME(v.s * v.s - v.a);
    SAME(v.s / v.few);
    SAME(v.s % v.few);
    SAME((v.a & v.b) | (v.a ^ v.few));
    SAME(~v.a);
    SAME(-v.s);
    SAME((v.a << 13) + (v.b >> 5));
    SAME(v.a < v.b);
    SAME(v.s <= v.few);
    SAME(v.a == v.b);
    SAME(v.a * 7u + Number(12));
    SAME((v.a * v.b + v.few) % Number(1009));
}

TEST_CASE("functions") {
    SAME(sqr(v.a));
    SAME(mul_low(v.a, v.b));
    SAME(mul_high(v.a, v.b));
    SAME(abs(v.s));
    SAME(min(v.a, v.b));
    SAME(max(v.a, v.s));
    SAME(isqrt(v.a));
    SAME(is_square(v.a));
    SAME(iroot(v.a, 3));
    SAME(pow(v.few, 3u));
    SAME(gcd(v.a, v.few));
    SAME(lcm(v.few, v.b));
    SAME(popcount(v.a ^ v.b));
    SAME(bit_width(v.few));
    SAME(countr_zero(v.a));
    SAME(rotl(v.a, 11));
    SAME(test_bit(v.a, 3));
    SAME(select(v.a < v.b, v.a, v.b));
    SAME(as<BigInt<33>>(v.a));
    SAME(map(TwoMore{}, v.a));
#if !defined(__CUDACC__)
    SAME(map(Throws{}, v.few)); // a fault where it throws
#endif
    SAME(let(v.a * v.b, [](auto t) { return t * t + t; }));
    const auto a = distributed(some_numbers(9), test::layouts(9)[2]);
    const test::Distributed<BigInt<128>> wide = a;
    CHECK(wide.sizes() == a.sizes());
    CHECK(wide.read(8) == some_numbers(9)[8]);
}

TEST_CASE("modular functions") {
    const Number odd(1000003), even(1000000);
    const Modulus<96> context(odd);
    SAME(addmod(v.a, v.b, odd));
    SAME(submod(v.a, v.b, even));
    SAME(mulmod(v.a, v.b, context));
    SAME(v.a * v.b % context);
    SAME(pow(v.a, v.few, odd));
    SAME(inverse(v.few, even));
    SAME(jacobi(v.few, odd));
    SAME(is_probable_prime(v.few));
}

TEST_CASE("indices, and vectors of built-in integers") {
    SAME(v.i * 3u + 1u);
    SAME(v.a + indices(v.a.size()));
    SAME(v.i == indices(v.i.size()) * indices(v.i.size()));
    for (const auto &sizes : test::layouts(10)) {
        auto counted = distributed(std::vector<std::uint64_t>(10, 0), sizes);
        counted = indices(10) + 5u; // indices alone: as the target lies
        CHECK(counted.sizes() == sizes);
        CHECK(counted.to_all() == std::vector<std::uint64_t>{5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
        counted = indices(7);
        CHECK(counted.sizes() == test::layouts(7)[0]);
        CHECK(counted.to_all() == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
    }
}

TEST_CASE("several results in one launch") {
    const Values v(101);
    const host_vector<Number> a(v.a), few(v.few);
    host_vector<Number> q, r;
    tie(q, r) = divmod(a, few);
    for (const auto &sizes : test::layouts(101)) {
        const auto x = distributed(v.a, sizes), y = distributed(v.few, sizes);
        test::Distributed<Number> quotient, remainder(world(), 3);
        tie(quotient, remainder) = divmod(x, y);
        CHECK(contents(quotient) == contents(q));
        CHECK(contents(remainder) == contents(r));
        const auto both = eval(divmod(x, y));
        CHECK(contents(std::get<1>(both)) == contents(r));
    }
    // Of indices alone: on the group of the first result.
    test::Distributed<Number> quotient(world(), 3), remainder;
    tie(quotient, remainder) = divmod(indices(10) + Number(7), Number(3));
    tie(q, r) = divmod(indices(10) + Number(7), Number(3));
    CHECK(contents(quotient) == contents(q));
    CHECK(contents(remainder) == contents(r));
    CHECK_THROWS_AS(tie(remainder, quotient) = divmod(test::Distributed<Number>(), Number(3)),
                    std::logic_error);
    test::Distributed<Number> without_group;
    CHECK_THROWS_AS(tie(without_group, quotient) = divmod(indices(10) + Number(7), Number(3)),
                    std::logic_error);
}

TEST_CASE("assignments and updates") {
    const Values v(101);
    host_vector<Number> a(v.a);
    const host_vector<Number> b(v.b);
    a = a * a % Number(97);
    a += b;
    a <<= 3;
    a ^= 5u;
    for (const auto &sizes : test::layouts(101)) {
        auto x = distributed(v.a, sizes);
        const auto y = distributed(v.b, sizes);
        x = x * x % Number(97);
        x += y;
        x <<= 3;
        x ^= 5u;
        CHECK(contents(x) == contents(a));
        test::Distributed<Number> out(world(), 101);
        out.redistribute(sizes);
        evaluate(x - y, out);
        CHECK(contents(out) == contents(host_vector<Number>(a - b)));
        evaluate(y, out);
        CHECK(out.to_all() == v.b);
        CHECK(explain(x + y).bytes_moved == explain(x.local(0) + y.local(0)).bytes_moved);
        CHECK(explain(x + y, out).bytes_moved ==
              explain(x.local(0) + y.local(0), out.local(0)).bytes_moved);
    }
}

TEST_CASE("reductions") {
    const Number m = ~Number(0) - 16;
    for (const std::size_t count : {std::size_t{101}, std::size_t{2}, std::size_t{0}}) {
        CAPTURE(count);
        const Values v(count);
        const host_vector<Number> a(v.a), b(v.b), few(v.few);
        const host_vector<Signed> s(v.s);
        for (const auto &sizes : test::layouts(count)) {
            const auto x = distributed(v.a, sizes), y = distributed(v.b, sizes),
                       z = distributed(v.few, sizes);
            const auto t = distributed(v.s, sizes);
            CHECK(sum(x) == sum(a));
            CHECK(sum(x * y) == sum(a * b));
            CHECK(sum(x - y) == sum(a - b)); // of either sign
            CHECK(sum(t * t * t) == sum(s * s * s));
            CHECK(sum(pow(x, 40u)) == sum(pow(a, 40u))); // longer than what one record holds
            CHECK(product(x, m) == product(a, m));
            CHECK(product(x, Number(1000)) == product(a, Number(1000)));
            CHECK(product(t, Modulus<96>(m)) == product(s, Modulus<96>(m)));
            CHECK(warpint::count(z) == warpint::count(few));
            CHECK(all(x == x));
            CHECK(all(z) == all(few));
            CHECK(any(z > 5u) == any(few > 5u));
            CHECK_FALSE(any(z > 6u));
            if (count != 0) {
                CHECK(min(t) == min(s));
                CHECK(max(x + y) == max(a + b));
            } else {
                CHECK_THROWS_AS((void)min(t), std::invalid_argument);
                CHECK_THROWS_AS((void)max(t), std::invalid_argument);
            }
        }
    }
}

TEST_CASE("residues") {
    const Values v(101);
    const Modulus<96> m(Number(0) - 17);
    const host_vector<Number> a(v.a), b(v.b);
    const host_vector<Residue<96>> p(m, a), q(m, b);
    host_vector<Residue<96>> r;
    r = p * q + 3;
    r = pow(r, 5u) - p;
    const host_vector<Number> expected = value(r);
    using Static = StaticResidue<(BigInt<96>(1) << 89) - 1u>;
    const host_vector<Number> expected_static =
        value(host_vector<Static>(a) * host_vector<Static>(b));
    for (const auto &sizes : test::layouts(101)) {
        const auto da = distributed(v.a, sizes), db = distributed(v.b, sizes);
        const test::Distributed<Residue<96>> x(m, da), y(m, db);
        test::Distributed<Residue<96>> z;
        z = x * y + 3;
        z = pow(z, 5u) - x;
        CHECK(z.sizes() == sizes);
        const test::Distributed<Number> numbers = value(z);
        CHECK(contents(numbers) == contents(expected));
        CHECK(z.read(100).value() == expected[100]);
        CHECK(z.to_all()[1].value() == expected[1]);
        CHECK(z.to_root(world().size() - 1).size() ==
              (world().rank() == world().size() - 1 ? 101u : 0u));
        z.redistribute();
        CHECK(z.read(50).value() == expected[50]);
        const auto product = eval(x * y);
        CHECK(product.read(3).value() == v.a[3] * v.b[3] % m.value());
        const auto some = gather(x, 100u - indices(101));
        CHECK(some.read(0).value() == x.read(100).value());
        test::Distributed<Residue<96>> zeros(m, world(), 5), copy = zeros;
        zeros += 1;
        copy.write(4, Number(0) - 16);
        CHECK(copy.read(4).value() == 1u);
        CHECK(zeros.read(4).value() == 1u);
        // Copies of one, residues that are written, and a modulus that follows its vector.
        const Modulus<96> other(Number(97));
        test::Distributed<Residue<96>> nines(m, world(), 5, 9), threes(other, world(), 4, 100);
        CHECK(nines.read(4) == 9);
        nines.write(4, m(-1));
        CHECK(nines.to_all()[4] == -1);
        CHECK_THROWS_AS(nines.write(4, other(3)), wrong_modulus);
        const auto of_nines = nines + 1;
        swap(nines, threes);
        test::Distributed<Residue<96>> followed = of_nines;
        CHECK(followed.modulus().value() == 97u);
        CHECK(followed.read(3) == 4);
        nines = std::move(threes);
        CHECK(threes.empty());
        followed = of_nines;
        CHECK(followed.modulus().value() == m.value());
        CHECK(followed.read(4) == 0);
        const auto quotients = eval(divmod(da, db));
        CHECK(std::get<0>(quotients).sizes() == sizes);
        const test::Distributed<Static> sx = da, sy = db;
        const test::Distributed<Number> static_product = value(sx * sy);
        CHECK(contents(static_product) == contents(expected_static));
    }
    test::Distributed<Residue<96>> none;
    CHECK_THROWS_AS(none = distributed(v.a, test::layouts(101)[0]) + 1u, wrong_modulus);
}

TEST_CASE("formulas read what their vectors hold when they run") {
    const auto twice = [] {
        const auto local = distributed(some_numbers(10), test::layouts(10)[0]);
        return local * 2u;
    }();
    test::Distributed<Number> r = twice;
    CHECK(r.read(9) == some_numbers(10)[9] * 2u);
    auto a = distributed(some_numbers(10), test::layouts(10)[0]);
    const auto plus = a + 1u;
    a = test::Distributed<Number>(world(), 4, Number(8));
    r = plus;
    CHECK(r.to_all() == std::vector<Number>(4, Number(9)));
    a.redistribute(test::layouts(4)[1]);
    r = plus;
    CHECK(r.sizes() == test::layouts(4)[1]);
}

TEST_CASE("formulas follow what their vectors hold, as those of one device do") {
    const std::uint64_t expected[] = {0, 0, 0, 0, 0, 0, 60, 60, 60, 60, 210, 60, 210};
    for (int exchange = 0; exchange < static_cast<int>(std::size(expected)); ++exchange) {
        const device_group &devices = world().devices();
        const Number two(2), seven(7);
        CHECK(sum_after(exchange, device_vector<Number>(10, two),
                        device_vector<Number>(10, seven)) == expected[exchange]);
        CHECK(sum_after(exchange, sharded_vector<Number>(devices, 10, two),
                        sharded_vector<Number>(devices, 10, seven)) == expected[exchange]);
        CHECK(sum_after(exchange, test::Distributed<Number>(world(), 10, two),
                        test::Distributed<Number>(world(), 10, seven)) == expected[exchange]);
    }
}
