// SPDX-License-Identifier: Apache-2.0
// Vectors of residues of a Modulus as containers: where elements come from, sizes, memory, faults,
// copies, and what stays as it was when something is refused.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sort.h>
#include <warpint/vector.h>

#include <algorithm>
#include <iterator>
#include <list>
#include <new>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;

namespace {

template <class S>
using VectorOf = typename S::template vector<Residue<96>>;

template <class Vector>
std::vector<Number> values(const Vector &residues) {
    std::vector<Number> numbers;
    for (const auto &each : residues.to_host())
        numbers.push_back(each.value());
    return numbers;
}
// (Of one element: Numbers{Number(7)}. clang++ makes seven elements of Numbers{7} in a template.)
using Numbers = std::vector<Number>;

// The inverses of 0, which is a fault, and of 1.
template <class S>
VectorOf<S> with_fault(const Modulus<96> &m) {
    return inverse(VectorOf<S>(m, {0, 1}));
}

} // namespace

TEST_CASE_TEMPLATE("where the elements of a vector of residues come from", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u)), same(Number(97u)), other(Number(98u));
    const std::list<int> list = {5, -1, 100};
    const std::vector<Residue<96>> residues = {m(7), same(8)};
    CHECK(values(Vector(m, 3, 100)) == Numbers(3, Number(3)));
    CHECK(values(Vector(m, 2, same(5))) == Numbers(2, Number(5)));
    CHECK(values(Vector(m, list.begin(), list.end())) == Numbers{5, 96, 3});
    CHECK(values(Vector(m, residues)) == Numbers{7, 8});
    CHECK(values(Vector(m, {m(7), m(-7)})) == Numbers{7, 90});
    CHECK_THROWS_AS((void)Vector(other, residues), wrong_modulus);
    CHECK_THROWS_AS((void)Vector(other, 2, m(5)), wrong_modulus);

    Vector x(m);
    x.assign(list.begin(), list.end());
    CHECK(values(x) == Numbers{5, 96, 3});
    x.assign(4, -1);
    CHECK(values(x) == Numbers(4, Number(96)));
    x.assign({1, 98, -1, 4});
    CHECK(values(x) == Numbers{1, 1, 96, 4});
    x = std::vector<Number>{Number(98u), Number(6u)};
    CHECK(values(x) == Numbers{1, 6});
    x = {m(3), same(4)};
    CHECK(values(x) == Numbers{3, 4});
    x.assign(residues.begin(), residues.end());
    CHECK(values(x) == Numbers{7, 8});
    const auto elements = x.to_host();
    x.assign(elements.rbegin(), elements.rend());
    CHECK(values(x) == Numbers{8, 7});
    x.assign(x.begin() + 1, x.end()); // a part of itself
    CHECK(values(x) == Numbers{Number(7)});
    x.assign(3, x[0]);
    CHECK(values(x) == Numbers(3, Number(7)));
    CHECK(x.modulus().value() == 97u);

    // What is refused leaves it as it was.
    const Vector alien(other, {1, 2, 3, 4});
    CHECK_THROWS_AS(x.assign(5, other(1)), wrong_modulus);
    CHECK_THROWS_AS(x.assign({m(1), other(1)}), wrong_modulus);
    CHECK_THROWS_AS(x.assign(alien.begin(), alien.end()), wrong_modulus);
    CHECK_THROWS_AS(x.push_back(alien[0]), wrong_modulus);
    CHECK_THROWS_AS(x.resize(9, alien[0]), wrong_modulus);
    CHECK(values(x) == Numbers(3, Number(7)));
    Vector none;
    CHECK_THROWS_AS(none.assign(list.begin(), list.end()), wrong_modulus);
    CHECK_THROWS_AS(none.assign(2, 1), wrong_modulus);
    CHECK_THROWS_AS(none.push_back(1), wrong_modulus);
    CHECK_THROWS_AS(none.resize(2, 1), wrong_modulus);
    CHECK(none.empty());
    none.resize(2);
    CHECK_THROWS_AS(*none.begin() = 1, wrong_modulus);
    CHECK_THROWS_AS((void)none[0].value(), wrong_modulus);
}

TEST_CASE_TEMPLATE("sizes of a vector of residues", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    Vector x(m);
    for (int i = 0; i < 40; ++i)
        x.push_back(i * 10);
    x.push_back(m(5));
    x.push_back(x[1]);
    REQUIRE(x.size() == 42);
    CHECK(x[39] == 390);
    CHECK(x[40] == 5);
    CHECK(x.back() == 10);
    x.pop_back();
    CHECK(x.back() == 5);
    x.reserve(100);
    CHECK(x.capacity() >= 100);
    const auto *const place = std::as_const(x).data();
    x.resize(60, x[2]);
    CHECK(x.data() == place);
    CHECK(x[40] == 5);
    CHECK(x[41] == 20);
    CHECK(x[59] == 20);
    x.resize(61);
    CHECK(x[60] == 0);
    x.resize(3);
    x.shrink_to_fit();
    CHECK(x.capacity() == 3);
    CHECK(values(x) == Numbers{0, 10, 20});
    x.clear();
    CHECK(x.empty());
    x.push_back(98); // the modulus stays
    CHECK(values(x) == Numbers{Number(1)});
}

TEST_CASE_TEMPLATE("the forms of residues in memory", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    Vector x(m, {5, -1, 100});
    CHECK(x.data() == x.forms().data());
    CHECK(x.location() == x.forms().location());
    CHECK(x.forms().size() == 3);
    const auto forms = x.forms().to_host();
    CHECK(forms[1] == m(-1).form());
    CHECK(forms[2] == m(3).form());
    if (!x.location().on_gpu()) {
        *x.data() = m(9).form();
        CHECK(x.front() == 9);
    }
    static_assert(sizeof(typename S::template vector<Number>) ==
                  sizeof(execution::SharedElements)); // no context of numbers
}

TEST_CASE_TEMPLATE("faults of a vector of residues", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    Vector x = with_fault<S>(m);
    using Mask = std::vector<bool>;
    CHECK(x.error_mask() == Mask{true, false});
    CHECK_THROWS_AS((void)x[0].value(), std::domain_error);
    CHECK_THROWS_AS((void)std::as_const(x)[0], std::domain_error);
    CHECK_THROWS_AS((void)x.read(0), std::domain_error);
    CHECK(x[1] == 1);
    x.resize(4, 2);
    x.push_back(3);
    CHECK(x.error_mask() == Mask{true, false, false, false, false});
    Vector copied = x;
    CHECK(copied.error_mask() == x.error_mask());
    const host_vector<Residue<96>> on_host = x;
    device_vector<Residue<96>> on_device;
    on_device = on_host;
    CHECK(on_device.error_mask() == x.error_mask());
    CHECK(on_device.modulus().value() == 97u);
    CHECK(on_device[4] == 3);
    copied.write(0, 98);
    CHECK(values(copied) == Numbers{1, 1, 2, 2, 3});
    x.clear_errors();
    CHECK(x[0] == 0);
    x = with_fault<S>(m);
    x.assign(2, 6);
    x.check();
    CHECK(values(x) == Numbers{6, 6});
}

TEST_CASE_TEMPLATE("copies of vectors of residues have moduli of their own", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u)), other(Number(1009u));
    Vector x(m, {5, 100}), copied = x, moved = std::move(x);
    CHECK(x.empty());
    CHECK_THROWS_AS((void)x.modulus(), wrong_modulus);
    const auto *const place = moved.data();
    copied = Vector(other, {5, 1010});
    CHECK(values(copied) == Numbers{5, 1});
    CHECK(values(moved) == Numbers{5, 3});
    CHECK(moved.modulus().value() == 97u);
    x = std::move(moved);
    CHECK(x.data() == place);
    CHECK(values(x) == Numbers{5, 3});
    CHECK(moved.empty());
    moved = copied; // one that was moved from works again
    CHECK(values(moved) == Numbers{5, 1});
    const Vector &self = moved;
    moved = self;
    CHECK(values(moved) == Numbers{5, 1});
    CHECK(moved.modulus().value() == 1009u);
    swap(moved, x);
    CHECK(values(moved) == Numbers{5, 3});
    CHECK(x.modulus().value() == 1009u);
}

TEST_CASE_TEMPLATE("elements of a vector of residues are written", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u)), same(Number(97u)), other(Number(101u));
    Vector x(m, {1, 2, 3, 4, 5}), alien(other, {7});
    x[0] = 100;
    x[1] = same(7);
    x[2] = x[1];
    x[3] = BigInt<512>(-1);
    x[4] = 98_bi;
    const BigInt<512> most = ~BigInt<512>(0);
    CHECK(values(x) == Numbers{3, 7, 7, most % Number(97u), 1});
    swap(x[0], x[1]);
    CHECK(values(x) == Numbers{7, 3, 7, most % Number(97u), 1});
    auto first = x[0], second = x[1]; // references, also where they are variables
    std::ranges::swap(first, second);
    CHECK(values(x) == Numbers{3, 7, 7, most % Number(97u), 1});
    {
        using std::swap;
        swap(first, second);
    }
    CHECK(values(x) == Numbers{7, 3, 7, most % Number(97u), 1});
    *x.begin() = x.read(1);
    x.at(3) = 96;
    x.back() = -x.front();
    CHECK(values(x) == Numbers{3, 3, 7, 96, 94});
    x[0] += 95;
    (x[1] *= x[2]) -= same(1);
    x[2] /= 7;
    CHECK(values(x) == Numbers{1, 20, 1, 96, 94});
    CHECK(++x[0] == 2);
    CHECK(x[0]-- == 2);
    auto copied = x.read(3);
    CHECK(copied++ == -1);
    CHECK(--copied == -1);
    CHECK_THROWS_AS(x[0] = other(3), wrong_modulus);
    CHECK_THROWS_AS(x[0] = alien[0], wrong_modulus);
    CHECK_THROWS_AS(swap(x[0], alien[0]), wrong_modulus);
    CHECK_THROWS_AS(x[0] *= other(3), wrong_modulus);
    CHECK_THROWS_AS((void)(x[0] * alien[0]), wrong_modulus);
    CHECK_THROWS_AS((void)(x[0] == alien[0]), wrong_modulus);
    CHECK(values(x) == Numbers{1, 20, 1, 96, 94});
    CHECK(values(alien) == Numbers{Number(7)});

    // They stand for what they refer to.
    CHECK(x[1] + x[3] == 19);
    CHECK(sqr(x[1]) == 400 % 97);
    CHECK(pow(x[1], 3) == 8000 % 97);
    CHECK(pow<3>(x[1]) == 8000 % 97);
    CHECK(pow<0>(x.read(1)) == 1);
    CHECK(*inverse(x[1]) * x[1] == 1);
    CHECK(+x[1] == 20);
    CHECK(+x.read(1) == 20);
    CHECK(-x[1] == -20);
    CHECK(to_string(x[1]) == "20");
    CHECK(values(Vector(x * x[1])) == Numbers{20, 12, 20, 77, 37});
    Residue<96> total = m(1);
    total *= x[1];
    total += x[3];
    CHECK(total == 19);
    CHECK_THROWS_AS(total += alien[0], wrong_modulus);
    const residue_element<96> read = x[1];
    x[1] = 5;
    CHECK(read == 20);
    const auto outlives = Vector(m, {8, 9})[1]; // of a temporary vector: the element
    CHECK(outlives == 9);
    CHECK(Vector(m, {8, 9}).front() + Vector(m, {8, 9}).back() == 17);

    // Writing ends a fault; reading one does not work.
    x = with_fault<S>(m);
    CHECK_THROWS_AS(x[1] = x[0], std::domain_error);
    CHECK_THROWS_AS(x[0] += 1, std::domain_error);
    if constexpr (S::space == Space::device) {
        x[0] = 5;
        CHECK(values(x) == Numbers{5, 1});
    } else {
        CHECK_THROWS_AS(x[0] = 5, std::domain_error); // names write()
    }
    x = with_fault<S>(m);
    *x.begin() = 6; // iterators end it in both
    CHECK(values(x) == Numbers{6, 1});
}

TEST_CASE_TEMPLATE("standard algorithms over residues", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    using I = typename Vector::iterator;
    using C = typename Vector::const_iterator;
    static_assert(std::random_access_iterator<I> && std::random_access_iterator<C>);
    static_assert(std::permutable<I> && std::is_convertible_v<I, C>);
    static_assert(!std::is_assignable_v<std::iter_reference_t<C>, int>);
    const Modulus<96> m(Number(97u));
    Vector x(m, {1, 2, 3, 4, 5});
    std::reverse(x.begin(), x.end());
    CHECK(values(x) == Numbers{5, 4, 3, 2, 1});
    std::rotate(x.begin(), x.begin() + 2, x.end());
    CHECK(values(x) == Numbers{3, 2, 1, 5, 4});
    std::sort(x.begin(), x.end(),
              [](const auto &a, const auto &b) { return a.value() > b.value(); });
    CHECK(values(x) == Numbers{5, 4, 3, 2, 1});
    std::fill(x.begin(), x.begin() + 2, 98);
    CHECK(std::count(x.cbegin(), x.cend(), 1) == 3);
    CHECK(std::find(x.begin(), x.end(), m(3)) - x.cbegin() == 2);
    CHECK(x.end() - (x.begin() + 2) == 3);
    CHECK((x.begin() + 1) - x.end() == -4);
    if constexpr (S::space == Space::host) {
        CHECK(*x.rbegin() == x[4]);
        CHECK(std::count(x.crbegin(), x.crend(), 1) == 3);
    }
    std::ranges::copy(std::vector<int>{10, 11}, x.begin() + 1);
    CHECK(values(x) == Numbers{1, 10, 11, 2, 1});
    std::ranges::iter_swap(x.begin(), x.begin() + 1);
    CHECK(std::accumulate(x.begin() + 1, x.end(), x.read(0)) == 25);

    // An element that is none yet.
    std::vector<typename I::value_type> held(2);
    CHECK_THROWS_AS((void)held[0].value(), wrong_modulus);
    CHECK_THROWS_AS((void)(held[0] + 1), wrong_modulus);
    CHECK_THROWS_AS((void)(held[0] == held[1]), wrong_modulus);
    CHECK_THROWS_AS(x[0] = held[0], wrong_modulus);
    std::copy(x.begin(), x.begin() + 2, held.begin());
    CHECK(held[0] == 10);
    CHECK(held[1] == 1);
}

TEST_CASE_TEMPLATE("residues bring their modulus to a vector", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u)), other(Number(101u));
    const std::vector<Residue<96>> residues = {m(7), m(8)};
    const Vector x(residues);
    CHECK(values(x) == Numbers{7, 8});
    CHECK(values(Vector{m(1), m(-1)}) == Numbers{1, 96});
    CHECK(values(Vector{x[0], x[1], x[0]}) == Numbers{7, 8, 7});
    CHECK(values(Vector{x.read(1)}) == Numbers{Number(8)});
    CHECK(values(Vector(3, m(5))) == Numbers(3, Number(5)));
    CHECK(values(Vector(x.to_host())) == Numbers{7, 8});
    CHECK(values(Vector(x.begin() + 1, x.end())) == Numbers{Number(8)});
    CHECK_THROWS_AS((Vector{m(1), other(1)}), wrong_modulus);
    CHECK(values(Vector(2, x[1])) == Numbers(2, Number(8)));
    const Vector none((std::vector<Residue<96>>()));
    CHECK(none.empty());
    CHECK_THROWS_AS((void)none.modulus(), wrong_modulus);

    // One that is written, appended or assigned.
    Vector appended, resized, assigned, listed, ranged, written(none), refused;
    appended.push_back(m(3));
    appended.push_back(x[0]);
    appended.push_back(-1);
    CHECK(values(appended) == Numbers{3, 7, 96});
    CHECK_THROWS_AS(appended.push_back(other(1)), wrong_modulus);
    resized.resize(2, x[0]);
    CHECK(values(resized) == Numbers(2, Number(7)));
    assigned.assign(2, resized[1]);
    CHECK(values(assigned) == Numbers(2, Number(7)));
    listed = {m(1), -2};
    CHECK(values(listed) == Numbers{1, 95});
    ranged.assign(x.begin(), x.end());
    CHECK(values(ranged) == Numbers{7, 8});
    ranged = residues;
    CHECK(values(ranged) == Numbers{7, 8});
    written.resize(2);
    const auto square = written * written; // of whatever the vector holds when it runs
    written[1] = m(5);
    CHECK(values(written) == Numbers{0, 5});
    CHECK(values(Vector(square)) == Numbers{0, 25});
    CHECK_THROWS_AS(written[0] = other(1), wrong_modulus);
    CHECK_THROWS_AS(refused.assign({m(1), other(1)}), wrong_modulus);
    CHECK(refused.empty());
    CHECK_THROWS_AS((void)refused.modulus(), wrong_modulus);
    refused.push_back(other(1));
    CHECK(refused.modulus().value() == 101u);

    // No numbers need no modulus.
    Vector nothing;
    nothing = std::vector<Number>();
    CHECK(nothing.empty());
    CHECK_THROWS_AS(nothing = std::vector<Number>(1), wrong_modulus);
}

TEST_CASE_TEMPLATE("sums and products of residues", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u)), other(Number(101u));
    const Vector x(m, {1, 20, 3, 96}), alien(other, {1, 2, 3, 4}), empty(m);
    CHECK(sum(x) == 120);
    CHECK(product(x) == -60);
    CHECK(sum(x * x + 1) == 1 + 400 + 9 + 1 + 4);
    CHECK(product(x + 1) == 0);
    CHECK(sum(empty) == 0);
    CHECK(product(empty) == 1);
    CHECK(product(Vector(Modulus<96>(Number(1u)))) == 0);
    CHECK(sum(x).modulus().value() == 97u);
    CHECK_THROWS_AS((void)sum(Vector()), wrong_modulus);
    CHECK_THROWS_AS((void)product(x * alien), wrong_modulus);
    CHECK_THROWS_AS((void)sum(with_fault<S>(m)), std::domain_error);

    using Static = StaticResidue<Number(97u)>;
    const typename S::template vector<Static> y{1, 20, 3, 96}, none;
    static_assert(std::is_same_v<decltype(sum(y)), Static>);
    CHECK(sum(y) == 120);
    CHECK(product(y * 2) == -60 * 16);
    CHECK(sum(none) == 0);
    CHECK(product(none) == 1);
}

TEST_CASE_TEMPLATE("residues beside keys, and copied on a stream", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    const host_vector<Residue<96>> source(m, {30, 20, 110});
    Vector x;
    copy_async(source, x);
    CHECK(values(x) == Numbers{30, 20, 13});
    CHECK(x.modulus().value() == 97u);
    typename S::template vector<Number> keys = {3, 2, 1};
    sort_by_key(keys, x);
    CHECK(values(x) == Numbers{13, 20, 30});
}

#if !defined(__CUDACC__)
namespace {

// Memory of the host that it counts.
class CountingResource final : public memory_resource {
public:
    void *allocate(std::size_t bytes, stream_handle stream) override {
        if (is_full)
            throw std::bad_alloc();
        ++pieces;
        return host_resource()->allocate(bytes, stream);
    }
    void deallocate(void *memory, std::size_t bytes, stream_handle stream) noexcept override {
        --pieces;
        host_resource()->deallocate(memory, bytes, stream);
    }
    int pieces = 0;
    bool is_full = false;
};

} // namespace

TEST_CASE_TEMPLATE("a vector of residues keeps its memory resource", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    CountingResource memory;
    {
        const std::vector<int> numbers = {5, -1, 100};
        Vector empty(&memory), zeros(m, 4, &memory), nines(m, 2, 9, &memory),
            listed(m, {1, 2}, &memory), ranged(m, numbers.begin(), numbers.end(), &memory),
            copied(m, numbers, &memory),
            reduced(m, typename S::template vector<Number>{1, 98}, &memory);
        empty = listed;
        CHECK(memory.pieces == 7);
        CHECK(values(empty) == Numbers{1, 2});
        CHECK(values(zeros) == Numbers(4, Number(0)));
        CHECK(values(nines) == Numbers{9, 9});
        CHECK(values(copied) == Numbers{5, 96, 3});
        CHECK(values(reduced) == Numbers{1, 1});
        const auto stays = [&](const Numbers &expected) {
            CHECK(values(ranged) == expected);
            CHECK(memory.pieces == 7);
        };
        stays({5, 96, 3});
        ranged.assign({1, 2});
        stays({1, 2});
        ranged.assign(numbers.begin(), numbers.end());
        stays({5, 96, 3});
        ranged.assign(ranged.begin() + 1, ranged.end());
        stays({96, 3});
        ranged = ranged * ranged + 1;
        stays({2, 10});
        ranged = typename S::template vector<Number>{98, 99, 100};
        stays({1, 2, 3});
        const host_vector<Residue<96>> on_host(m, {8});
        ranged = on_host;
        stays({8});
        ranged.push_back(9);
        ranged.resize(4, 1);
        ranged.shrink_to_fit();
        stays({8, 9, 1, 1});
    }
    CHECK(memory.pieces == 0);
}

TEST_CASE_TEMPLATE("memory that fails leaves a vector of residues without a modulus", S,
                   TEST_SPACES) {
    const Modulus<96> m(Number(97u)), other(Number(101u));
    CountingResource memory;
    VectorOf<S> x(&memory);
    memory.is_full = true;
    CHECK_THROWS_AS(x.push_back(m(1)), std::bad_alloc);
    CHECK_THROWS_AS(x.resize(2, m(1)), std::bad_alloc);
    CHECK_THROWS_AS(x.assign(2, m(1)), std::bad_alloc);
    CHECK_THROWS_AS(x = std::vector<Residue<96>>{m(1)}, std::bad_alloc);
    CHECK(x.empty());
    CHECK_THROWS_AS((void)x.modulus(), wrong_modulus);
    memory.is_full = false;
    x.push_back(other(1));
    CHECK(x.modulus().value() == 101u);
}
#endif
