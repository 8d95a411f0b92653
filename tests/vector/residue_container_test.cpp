// SPDX-License-Identifier: Apache-2.0
// Vectors of residues of a Modulus as containers: where elements come from, sizes, memory, faults,
// copies, and what stays as it was when something is refused.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sort.h>
#include <warpint/vector.h>

#include <algorithm>
#include <list>
#include <ostream>
#include <stdexcept>
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
    x = {m(3), same(4)};
    CHECK(values(x) == Numbers{3, 4});
    x.assign(residues.begin(), residues.end());
    CHECK(values(x) == Numbers{7, 8});
    const auto elements = x.to_host();
    x.assign(elements.rbegin(), elements.rend());
    CHECK(values(x) == Numbers{8, 7});
    x.assign(x.begin() + 1, x.end()); // a part of itself
    CHECK(values(x) == Numbers{7});
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
    CHECK_THROWS_AS(none.push_back(m(1)), wrong_modulus);
    CHECK_THROWS_AS(none.resize(2, 1), wrong_modulus);
    CHECK(none.empty());
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
    CHECK(values(x) == Numbers{1});
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
                  sizeof(execution_backend::SharedElements)); // no context of numbers
}

TEST_CASE_TEMPLATE("faults of a vector of residues", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const Modulus<96> m(Number(97u));
    Vector x = with_fault<S>(m);
    using Mask = std::vector<bool>;
    CHECK(x.error_mask() == Mask{true, false});
    CHECK_THROWS_AS((void)x[0], std::domain_error);
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
        ++pieces;
        return host_resource()->allocate(bytes, stream);
    }
    void deallocate(void *memory, std::size_t bytes, stream_handle stream) noexcept override {
        --pieces;
        host_resource()->deallocate(memory, bytes, stream);
    }
    int pieces = 0;
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
#endif
