// SPDX-License-Identifier: Apache-2.0
// Several results into vectors of residues; residues in shards; elements of shards by position.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sharded.h>

#include <stdexcept>
#include <tuple>
#include <vector>

#if defined(__CUDACC__)
#include <cuda/std/tuple>
#endif

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

#if defined(__CUDACC__)
using cuda::std::tuple;
#else
using std::tuple;
#endif

using Static = StaticResidue<Number(1000003u)>;

struct Butterfly { // of a fast transform
    template <class R>
    WARPINT_HOST_DEVICE tuple<R, R> operator()(const R &x, const R &y) const {
        return tuple<R, R>(x + y, x - y);
    }
};

template <class Vector>
std::vector<Number> values(const Vector &residues) {
    std::vector<Number> numbers;
    for (const auto &each : residues.to_host())
        numbers.push_back(Number(each.value()));
    return numbers;
}

const std::vector<Number> p = some_numbers(75), q = some_numbers(75, 5);
const Number m(1000003u);

std::vector<Number> sums() {
    std::vector<Number> r;
    for (std::size_t i = 0; i < p.size(); ++i)
        r.push_back(addmod(p[i], q[i], m));
    return r;
}
std::vector<Number> differences() {
    std::vector<Number> r;
    for (std::size_t i = 0; i < p.size(); ++i)
        r.push_back(submod(p[i], q[i], m));
    return r;
}

} // namespace

TEST_CASE_TEMPLATE("tie into vectors of residues", S, TEST_SPACES) {
    using Vector = typename S::template vector<Residue<96>>;
    const Modulus<96> modulus(m);
    const typename S::template vector<Number> a(p), b(q);
    Vector x(modulus, a), y(modulus, b), s, d;
    const std::uint64_t before = launch_count();
    tie(s, d) = map(Butterfly{}, x, y);
    CHECK(launch_count() == before + 1);
    CHECK(values(s) == sums());
    CHECK(values(d) == differences());
    CHECK(s.modulus().value() == m);
    tie(x, y) = map(Butterfly{}, x, y); // in place
    CHECK(values(x) == sums());
    CHECK(values(y) == differences());
    const Modulus<96> other(Number(97u));
    const Vector z(other, a);
    CHECK_THROWS_AS((tie(s, d) = map(Butterfly{}, x, z)), wrong_modulus);
    CHECK_THROWS_AS((tie(s, s) = map(Butterfly{}, x, y)), wrong_location);
    CHECK(values(s) == sums());
#if !defined(__CUDACC__) // each formula is a kernel to compile
    const auto [t, u] = eval(map(Butterfly{}, x, y));
    CHECK(all(t == x + y));
    CHECK(all(u == x - y));
    // A modulus in the type: numbers are reduced on their way.
    typename S::template vector<Static> quotient, f(a), g(b);
    typename S::template vector<Number> remainder;
    tie(quotient, remainder) = divmod(a, b);
    CHECK(quotient.to_host()[7].value() == p[7] / q[7] % m);
    CHECK(remainder.to_host()[7] == p[7] % q[7]);
    tie(f, g) = map(Butterfly{}, f, g);
    CHECK(values(f) == sums());
    CHECK(values(g) == differences());
#endif
}

TEST_CASE("residues in shards") {
    const Modulus<96> modulus(m);
    const device_group three({0, 0, 0});
    using Numbers = sharded_vector<Number>;
    using Vector = sharded_vector<Residue<96>>;
    Numbers a(three, p), b(three, q);
    Vector x(modulus, a), y(modulus, three, q), r;
    CHECK(x.group() == three);
    CHECK(x.sizes() == std::vector<std::size_t>{25, 25, 25});
    r = x * y + 3;
    const device_vector<Number> a1(p), b1(q);
    Numbers found;
    found = value(r);
    CHECK(found.to_host() == device_vector<Number>((a1 * b1 + 3) % m).to_host());
    CHECK(r.modulus().value() == m);
    CHECK(r[74].value() == (mulmod(p[74], q[74], m) + 3u) % m);
    Vector s(three), d(three);
    tie(s, d) = map(Butterfly{}, x, y);
    CHECK(values(s) == sums());
    CHECK(values(d) == differences());
#if !defined(__CUDACC__)
    const auto both = eval(map(Butterfly{}, x, y));
    CHECK(std::get<0>(both).group() == three);
    CHECK(values(std::get<0>(both)) == sums());
    CHECK(values(std::get<1>(both)) == differences());
    CHECK(std::get<1>(both).modulus().value() == m);
    CHECK(warpint::count(x == y) == 0);
    CHECK(all(x * x == sqr(x)));
    r = a; // numbers are reduced by the vector's modulus
    CHECK(all(r == x));
    r += y;
    CHECK(values(r) == sums());
    r.redistribute({0, 75, 0});
    CHECK(values(r) == sums());
    r.write(3, 5);
    CHECK(r[3] == 5);
    // A formula follows the contents through swap and assignments, with their modulus.
    {
        const Modulus<96> other(m - 2u);
        Vector u(modulus, a), v(other, a), followed;
        const auto of_u = u * u;
        swap(u, v);
        followed = of_u;
        CHECK(followed.modulus().value() == m - 2u);
        CHECK(followed[7].value() == mulmod(p[7], p[7], m - 2u));
        u = std::move(v);
        followed = of_u;
        CHECK(followed.modulus().value() == m);
        CHECK(followed[7].value() == mulmod(p[7], p[7], m));
    }
    // Elements from the host: numbers, residues, copies of one. The pieces of a vector stay.
    Vector from_host(modulus, three, 5, m + 4u);
    CHECK(values(from_host) == std::vector<Number>(5, Number(4)));
    from_host.redistribute({0, 1, 4});
    from_host.assign(std::vector<int>{5, -1, 3, 2, 1});
    CHECK(values(from_host) == std::vector<Number>{5u, m - 1u, 3u, 2u, 1u});
    from_host.assign(from_host.to_host());
    from_host.assign(
        std::vector<Residue<96>>{modulus(4), modulus(3), modulus(2), modulus(1), modulus(9)});
    CHECK(values(from_host) == std::vector<Number>{4, 3, 2, 1, 9});
    CHECK(from_host.sizes() == std::vector<std::size_t>{0, 1, 4});
    from_host.assign(7, from_host[4]);
    CHECK(values(from_host) == std::vector<Number>(7, Number(9)));
    CHECK(from_host.sizes() == std::vector<std::size_t>{3, 2, 2});
    const Modulus<96> too_large(m + 1u);
    CHECK_THROWS_AS(from_host.assign(2, too_large(1)), wrong_modulus);
    CHECK_THROWS_AS(from_host.assign(std::vector<Residue<96>>{too_large(1)}), wrong_modulus);
    CHECK_THROWS_AS(from_host.write(0, too_large(1)), wrong_modulus);
    CHECK(from_host.size() == 7);
    Vector none(three);
    CHECK_THROWS_AS(none.assign(2, 1), wrong_modulus);
    CHECK_THROWS_AS(none.assign(std::vector<Residue<96>>{too_large(1), modulus(1)}), wrong_modulus);
    CHECK_THROWS_AS((void)none.modulus(), wrong_modulus);
    none.assign(2, modulus(4)); // brings its modulus
    none.write(1, 5);
    CHECK(values(none) == std::vector<Number>{4u, 5u});
    Vector copy = r;
    copy = std::move(r);
    CHECK(r.empty());
    CHECK(copy[3] == 5);
    const Vector other(Modulus<96>(Number(97u)), a);
    CHECK_THROWS_AS(s = x + other, wrong_modulus);
    CHECK_THROWS_AS(Vector() = a, wrong_modulus);
    CHECK(values(s) == sums());
    // No inverse: a fault, on its shard.
    Vector one_zero(modulus, three, std::vector<Number>{1u, 0u, 2u, 3u});
    one_zero = inverse(one_zero);
    CHECK(one_zero.error_mask() == std::vector<bool>{false, true, false, false});
    CHECK_THROWS_AS((void)one_zero.to_host(), std::domain_error);
    // A modulus in the type.
    sharded_vector<Static> f(three, std::vector<Static>(p.begin(), p.end())), h(three);
    h = f * f + 1;
    CHECK(h[5].value() == (mulmod(p[5], p[5], m) + 1u) % m);
    const auto ones = eval(f * inverse(f));
    CHECK(all(ones == 1));
#endif
}

TEST_CASE("elements of shards by position") {
    const device_group three({0, 0, 0});
    sharded_vector<Number> a(three, p), r(three);
    a.redistribute({70, 0, 5});
    // Each of them from any shard, in another distribution than the source's.
    std::vector<std::uint32_t> positions(41);
    std::vector<Number> expected;
    for (std::uint32_t i = 0; i < 41; ++i) {
        positions[i] = (i * 29 + 3) % 75;
        expected.push_back(p[positions[i]] + 1u);
    }
    sharded_vector<std::uint32_t> index(three, positions);
    r = gather(a, index) + 1u;
    CHECK(r.to_host() == expected);
    CHECK(r.sizes() == index.sizes());
    // Beyond the source, and an element without a value.
    index.write(40, 75);
    sharded_vector<Number> divided(three, std::vector<Number>(75, Number(1)));
    divided.write(positions[0], Number(0));
    divided.redistribute(a.sizes());
    divided = a / divided;
    r = gather(divided, index);
    std::vector<bool> mask(41, false);
    mask[0] = mask[40] = true;
    CHECK(r.error_mask() == mask);
    CHECK(r[1] == p[positions[1]]);
#if !defined(__CUDACC__)
    r = gather(a, 74 - indices(75)); // indices alone lie as the source's group, evenly
    CHECK(r[0] == p[74]);
    CHECK(r.sizes() == std::vector<std::size_t>{25, 25, 25});
    CHECK(sum(gather(a, indices(3))) == p[0] + BigInt<160>(p[1]) + p[2]);
    CHECK_THROWS_AS(r = gather(r, indices(75)), wrong_location);
    CHECK(r[0] == p[74]);
    CHECK_THROWS_AS(r = gather(a, index) + a, size_mismatch);
    CHECK(a.to_host() == p);
    const device_group many(std::vector<int>(17, 0));
    const sharded_vector<Number> in_17(many, p);
    CHECK_THROWS_AS(r = gather(in_17, index), std::length_error);
    const Modulus<96> modulus(m);
    sharded_vector<Residue<96>> x(modulus, a), y;
    y = gather(x, 74 - indices(75));
    CHECK(y[0].value() == p[74] % m);
#endif
}
