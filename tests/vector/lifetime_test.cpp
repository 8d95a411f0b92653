// SPDX-License-Identifier: Apache-2.0
// What a formula reads, and when: vectors that were resized, assigned, moved, swapped or destroyed
// since it was written; temporaries; targets that are operands. Faults that travel with elements
// through formulas, copies and sizes. Also built under the address sanitizer.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

template <class Vector>
std::vector<Number> values(Vector &&vector) {
    return vector.to_host();
}
std::vector<Number> repeated(std::size_t count, std::uint64_t value) {
    return std::vector<Number>(count, Number(value));
}

template <class S>
using VectorOf = typename S::template vector<Number>;

template <class S>
auto sum_of_locals() {
    VectorOf<S> a(1000, Number(5)), b(1000, Number(7));
    return a + b;
}
template <class S>
VectorOf<S> made(std::size_t count, std::uint64_t value) {
    return VectorOf<S>(count, Number(value));
}

// The quotients 10 / (0 or 5): no value at the given elements.
template <class S>
VectorOf<S> with_faults_at(std::size_t count, const std::vector<std::size_t> &indices) {
    std::vector<Number> divisors = repeated(count, 5);
    for (const std::size_t i : indices)
        divisors[i] = Number(0);
    const VectorOf<S> ten(count, Number(10)), divisor(divisors);
    return ten / divisor;
}
std::vector<bool> mask_of(std::size_t count, const std::vector<std::size_t> &indices) {
    std::vector<bool> mask(count, false);
    for (const std::size_t i : indices)
        mask[i] = true;
    return mask;
}

} // namespace

// ---- lifetime

TEST_CASE_TEMPLATE("elements of vectors of residues that are gone", S, TEST_SPACES) {
    using Vector = typename S::template vector<Residue<96>>;
    const auto make = [] { return Vector(Modulus<96>(Number(97u)), {5, -1, 100}); };
    const auto element = make()[1];
    CHECK(element.value() == 96u);
    CHECK(make().at(2) == 3);
    CHECK(make().front().value() == 5u);
    const auto product = make().back() * make()[0];
    CHECK(product.value() == 15u);
    CHECK(*inverse(make()[0]) * 5 == 1);
    const auto all_elements = make().to_host();
    CHECK(all_elements[1] + all_elements[0] == 4);
    Vector x = make();
    const auto first = x.read(0);
    const auto modulus = make().modulus();
    CHECK(modulus.value() == 97u);
    x = Vector(Modulus<96>(Number(98u)), {5});
    CHECK(first.value() == 5u);
    CHECK(first.modulus().value() == 97u);
    const Modulus<96> named(Number(97u));
    const Residue<96> residue = element.residue(named);
    CHECK(residue == named(-1));
    CHECK_THROWS_AS((void)x[0].residue(named), wrong_modulus);
    static_assert(!std::is_convertible_v<decltype(x[0]), Residue<96>>);
}

// More bases than a thread keeps tables of, before the first power is there.
TEST_CASE("tables of bases that are gone") {
    using Wide = BigInt<1024>;
    using Exponent = BigInt<96>;
    const std::vector<Exponent> exponents = {Exponent(0) - 1, Exponent(0), Exponent(12345)};
    const device_vector<Exponent> e(exponents);
    std::vector<device_vector<Wide>> powers(6, device_vector<Wide>(exponents.size()));
    stream_handle streams[2] = {};
#if defined(__CUDACC__)
    for (stream_handle &stream : streams)
        REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
#endif
    const auto base = [](std::size_t k) { return (Wide(0) - 1) / (k + 3); };
    const Wide m = (Wide(1) << 1023) + 99;
    for (std::size_t k = 0; k < powers.size(); ++k)
        evaluate(pow(base(k), e, m), powers[k], streams[k % 2]);
    evaluate(pow(base(5), e, m), powers[0], streams[0]); // read on the other stream
    for (std::size_t k = 0; k < powers.size(); ++k) {
        const auto values = powers[k].to_host();
        for (std::size_t i = 0; i < exponents.size(); ++i)
            CHECK(values[i] == pow(base(k == 0 ? 5 : k), exponents[i], m));
    }
#if defined(__CUDACC__)
    for (const stream_handle stream : streams)
        cudaStreamDestroy(stream);
#endif
}
TEST_CASE_TEMPLATE("a formula of vectors that are gone", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const auto sum = sum_of_locals<S>();
    const Vector fresh(1000, Number(99)); // may take the memory if it was given back
    const Vector result = sum;
    CHECK(values(result) == repeated(1000, 12));
    CHECK(values(fresh) == repeated(1000, 99));
    const auto twice = sum + sum_of_locals<S>();
    CHECK(values(eval(as<Number>(twice))) == repeated(1000, 24));

    const auto of_temporaries = made<S>(40, 3) * made<S>(40, 4) + Vector(40, Number(1));
    CHECK(values(Vector(of_temporaries)) == repeated(40, 13));
    auto moved = std::move(twice); // a copy: it is const
    CHECK(values(Vector(moved)) == repeated(1000, 24));
}

TEST_CASE_TEMPLATE("a formula reads what its vectors hold when it runs", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    Vector a(10, Number(5)), r;
    const auto e = a + 1u;
    a.resize(5000, Number(6));
    r = e;
    REQUIRE(r.size() == 5000);
    CHECK(r[9] == 6u);
    CHECK(r[4999] == 7u);
    a = repeated(3, 8);
    r = e;
    CHECK(values(r) == repeated(3, 9));
    a.assign(40, Number(9));
    r = e;
    CHECK(values(r) == repeated(40, 10));
    a.push_back(Number(11));
    r = e;
    REQUIRE(r.size() == 41);
    CHECK(r[40] == 12u);
    a.reserve(1000);
    a.shrink_to_fit();
    a.pop_back();
    r = e;
    CHECK(r.size() == 40);
    a.clear();
    r = e;
    CHECK(r.empty());
    const Vector other(7, Number(20));
    a = other; // copied
    r = e;
    CHECK(values(r) == repeated(7, 21));
    a = made<S>(8, 30); // moved
    r = e;
    CHECK(values(r) == repeated(8, 31));
    a = a * 2u + 1u; // assigned from a formula
    r = e;
    CHECK(values(r) == repeated(8, 62));
    a = other * 2u; // of another size
    r = e;
    CHECK(values(r) == repeated(7, 41));
    CHECK(explain(e).bytes_moved == 7 * (12 + 16));
    {
        Vector b(5, Number(1));
        b.swap(a);
        r = e;
        CHECK(values(r) == repeated(5, 2));
        swap(a, b);
    }
    r = e;
    CHECK(values(r) == repeated(7, 41));

    // Moved out of: the elements live on in the other vector, which the formula follows.
    Vector to(std::move(a));
    r = e;
    CHECK(values(r) == repeated(7, 41));
    to[0] = Number(1);
    r = e;
    CHECK(r[0] == 2u);
    // Moved into another one, the vector is empty, and so is what a formula reads there.
    Vector third(100, Number(3));
    const auto of_third = third + 1u;
    const auto of_to = to + 1u;
    third = std::move(to);
    r = of_third;
    CHECK(r.size() == 7);
    r = of_to;
    CHECK(r.empty());
    CHECK_THROWS_AS(r = of_third + of_to, size_mismatch);
}

TEST_CASE_TEMPLATE("vectors that were moved from are empty and work", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const auto moved_from = [] {
        Vector v(3, Number(1));
        const Vector taken(std::move(v));
        return v;
    };
    const auto check_moved = [](auto use, std::size_t size) {
        Vector v(3, Number(1));
        const Vector taken(std::move(v));
        use(v);
        CHECK(v.size() == size);
        v.check();
        CHECK(v.to_host().size() == size);
    };
    check_moved([](Vector &) {}, 0);
    check_moved([](Vector &v) { v.resize(4); }, 4);
    check_moved([](Vector &v) { v.resize(0); }, 0);
    check_moved([](Vector &v) { v.resize(0, Number(7)); }, 0);
    check_moved([](Vector &v) { v.resize(5, Number(7)); }, 5);
    check_moved([](Vector &v) { v.push_back(Number(7)); }, 1);
    check_moved([](Vector &v) { v.reserve(100); }, 0);
    check_moved([](Vector &v) { v.shrink_to_fit(); }, 0);
    check_moved([](Vector &v) { v.clear(); }, 0);
    check_moved([](Vector &v) { v.assign(6, Number(2)); }, 6);
    check_moved([](Vector &v) { v = v + v; }, 0);
    check_moved([](Vector &v) { v = Vector(v); }, 0);
    check_moved([](Vector &v) { v = Vector(9); }, 9);
    check_moved([](Vector &v) { v.clear_errors(); }, 0);
    check_moved([](Vector &v) { CHECK(v.error_mask().empty()); }, 0);
    check_moved([](Vector &v) { CHECK(v.view().empty()); }, 0);
    check_moved([](Vector &v) { CHECK_THROWS_AS((void)v.at(0), std::out_of_range); }, 0);
    check_moved([](Vector &v) { tie(v, *std::make_unique<Vector>()) = divmod(v, 3u); }, 0);
    check_moved(
        [](Vector &v) {
            Vector full(2, Number(1));
            v.swap(full);
            CHECK(full.empty());
        },
        2);
    check_moved(
        [](Vector &v) {
            Vector w(std::move(v));
            CHECK(w.empty());
        },
        0);
    CHECK(moved_from().empty());
}

TEST_CASE_TEMPLATE("values of the vector itself", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    Vector v = {1, 2, 3};
    v.assign(100, v[2]);
    CHECK(values(v) == repeated(100, 3));
    v[0] = Number(4);
    v.resize(300, v[0]);
    CHECK(v[299] == 4u);
    for (int i = 0; i < 1000; ++i)
        v.push_back(v[0]);
    CHECK(v.size() == 1300);
    CHECK(v[1299] == 4u);
    Vector &self = v;
    v = std::move(self);
    CHECK(v.size() == 1300);
    v.swap(self);
    CHECK(v.size() == 1300);
}

TEST_CASE_TEMPLATE("targets that are operands", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const std::vector<Number> x = some_numbers(70), y = some_numbers(70, 3);
    const Number m = ~Number(0) - 16;
    const Vector a(x);
    Vector c(y);
    c = a * c % m;
    c = c * c % m;
    c = (c + c * a - a) % m;
    c = -c % m;
    std::vector<Number> expected(70);
    for (std::size_t i = 0; i < 70; ++i) {
        Number z = x[i] * y[i] % m;
        z = z * z % m;
        z = submod(addmod(z, mulmod(z, x[i], m), m), x[i], m);
        expected[i] = submod(0u, z, m);
    }
    CHECK(values(c) == expected);

    // Both operands are targets; one is; the other way round; of another size.
    const auto check_division = [&](auto assign) {
        Vector p(x), q(y);
        assign(p, q);
    };
    check_division([&](Vector &p, Vector &q) {
        const std::uint64_t before = launch_count();
        tie(p, q) = divmod(p, q);
        CHECK(launch_count() == before + 1);
        for (std::size_t i = 0; i < 70; i += 23) {
            CHECK(p[i] == x[i] / y[i]);
            CHECK(q[i] == x[i] % y[i]);
        }
    });
    check_division([&](Vector &p, Vector &q) {
        tie(q, p) = divmod(p, q);
        for (std::size_t i = 0; i < 70; i += 23) {
            CHECK(q[i] == x[i] / y[i]);
            CHECK(p[i] == x[i] % y[i]);
        }
    });
    check_division([&](Vector &p, Vector &q) {
        Vector rest(5);
        const Number *const place = p.data();
        tie(p, rest) = divmod(p, q);
        CHECK(p.data() == place);
        CHECK(rest.size() == 70);
        CHECK(rest[69] == x[69] % y[69]);
    });
    check_division([&](Vector &p, Vector &q) {
        CHECK_THROWS_AS(tie(p, p) = divmod(p, q), wrong_location);
        Vector other;
        CHECK_THROWS_AS(tie(other, other) = divmod(p, q), wrong_location);
        CHECK(other.empty());
        CHECK(values(p) == x);
        const auto shorter = p.view(0, 69);
        CHECK_THROWS_AS(tie(p, other) = divmod(shorter, q), size_mismatch);
        tie(p, other) = divmod(p.view(1, 69), q.view(1, 69)); // p takes new memory
        CHECK(p[0] == x[1] / y[1]);
        CHECK(other[68] == x[69] % y[69]);
    });
}

TEST_CASE_TEMPLATE("views beside and over targets", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const std::vector<Number> x = some_numbers(64);
    Vector v(x);
    // An operand just below its target, and just above.
    const auto low = v.view(0, 32), high = v.view(32, 32);
    evaluate(low + 2u, high);
    CHECK(v[32] == x[0] + 2);
    CHECK(v[63] == x[31] + 2);
    CHECK(v[31] == x[31]);
    evaluate(high + 3u, low);
    CHECK(v[0] == x[0] + 5);
    CHECK(v[32] == x[0] + 2);
    // Overlaps of one element.
    CHECK_THROWS_AS(evaluate(v.view(0, 33) + 1u, v.view(31, 33)), wrong_location);
    CHECK_THROWS_AS(evaluate(v.view(31, 33) + 1u, v.view(0, 33)), wrong_location);
    // The same address, but elements of another width: 64 of 12 bytes, 48 of 16 and 192 of 4.
    using Wider = BigInt<128>;
    using Narrower = BigInt<32>;
    typename S::template vector<Wider> wide(48, Wider(7));
    const batch_view<Narrower, S::space> words(reinterpret_cast<Narrower *>(wide.data()), 48,
                                               wide.location());
    CHECK_THROWS_AS(evaluate(words + 1u, wide), wrong_location);
    CHECK_THROWS_AS(evaluate(wide + 1u, words), wrong_location);
    CHECK(wide[47] == 7u);
    CHECK(wide[12] == 7u);
}

// ---- faults

namespace {

// Numbers whose first limb lies 4 bytes behind a multiple of 16, in words.
template <class T>
class Misaligned {
public:
    explicit Misaligned(const std::vector<T> &numbers)
        : words_((numbers.size() + 1) * sizeof(T) / 4 + 8) {
        while (reinterpret_cast<std::uintptr_t>(words_.data() + first_) % 16 != 4)
            ++first_;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            std::copy_n(numbers[i].limbs, T::limb_count,
                        words_.data() + first_ + i * T::limb_count);
        }
    }
    std::uint32_t *limbs() { return words_.data() + first_; }
    [[nodiscard]] T number(std::size_t i) const {
        T x;
        std::copy_n(words_.data() + first_ + i * T::limb_count, T::limb_count, x.limbs);
        return x;
    }

private:
    std::vector<std::uint32_t> words_;
    std::size_t first_ = 0;
};

template <int Bits>
void check_misaligned_view() {
    using T = BigInt<Bits>;
    static_assert(alignof(T) > 4);
    using View = batch_view<T, Space::host>;
    std::vector<T> numbers;
    for (const Number &x : some_numbers(101))
        numbers.push_back(T(x) * x);
    Misaligned<T> operand(numbers), target(std::vector<T>(101, T(7)));
    const View a(operand.limbs(), 101);
    const View out(reinterpret_cast<T *>(target.limbs()), 101);
    const batch_view<const T, Space::host> constant(
        static_cast<const std::uint32_t *>(operand.limbs()), 101);
    const host_vector<T> b(numbers);
    const T m = (T(1) << (Bits - 1)) + 1;
    CHECK(host_vector<T>(a).to_host() == numbers);
    evaluate(a * b % m, out);
    host_vector<T> r = constant * a % m;
    for (std::size_t i = 0; i < 101; ++i) {
        CHECK(target.number(i) == mulmod(numbers[i], numbers[i], m));
        CHECK(r[i] == target.number(i));
        CHECK(out.load(i) == r[i]);
    }
    CHECK(sum(a) == sum(b));
    const host_vector<std::uint32_t> order = 100u - indices(101);
    r = gather(a, order);
    CHECK(r[0] == numbers[100]);
    // In place; a part; elements beside it stay.
    evaluate(a + 1u, a);
    CHECK(operand.number(5) == numbers[5] + 1u);
    evaluate(b.view(0, 3), View(target.limbs() + T::limb_count, 3));
    CHECK(target.number(0) == r[100] * r[100] % m);
    CHECK(target.number(1) == numbers[0]);
    CHECK(target.number(3) == numbers[2]);
    CHECK(target.number(4) == mulmod(numbers[4], numbers[4], m));
    // Without a value: 0.
    evaluate(b / (b - b), out);
    CHECK(target.number(100) == 0u);
    out.store(3, m);
    CHECK(target.number(3) == m);
}

} // namespace

TEST_CASE("views of numbers that are aligned to 4 bytes") {
    check_misaligned_view<256>(); // 16 bytes
    check_misaligned_view<320>(); // 8 bytes
    check_misaligned_view<2048>();
    std::vector<std::uint32_t> words = {9, 1, 2, 3, 4};
    const batch_view<std::uint64_t, Space::host> built_in(
        reinterpret_cast<std::uint64_t *>(words.data() + 1), 2);
    CHECK(sum(built_in) == (std::uint64_t{2} << 32 | 1) + (std::uint64_t{4} << 32 | 3));
    CHECK(built_in.load(1) == (std::uint64_t{4} << 32 | 3));
}

TEST_CASE_TEMPLATE("faults travel", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const std::vector<std::size_t> bad = {0, 31, 32, 77, 99};
    const std::vector<bool> mask = mask_of(100, bad);
    Vector c = with_faults_at<S>(100, bad);
    c += 1u;
    CHECK_THROWS_AS(c.check(), std::domain_error);
    CHECK(c.error_mask() == mask);
    c = c * 0u; // in place
    CHECK(c.error_mask() == mask);
    const Vector fine(100, Number(3));
    const Vector from_two = fine + c;
    CHECK(from_two.error_mask() == mask);
    CHECK(eval(fine < c).error_mask() == mask);
    const Vector more = with_faults_at<S>(100, {1, 77}) + c;
    CHECK(more.error_mask() == mask_of(100, {0, 1, 31, 32, 77, 99}));
    const Vector unused = select(fine == 3u, fine, c); // all operands count
    CHECK(unused.error_mask() == mask);
    Vector q, r;
    tie(q, r) = divmod(c, fine);
    CHECK(q.error_mask() == mask);
    CHECK(r.error_mask() == mask);
    tie(q, c) = divmod(c, fine); // a target that is an operand
    CHECK(q.error_mask() == mask);
    CHECK(c.error_mask() == mask);
    c = fine + 1u; // a formula that does not read it
    c.check();
    CHECK(c.error_mask() == mask_of(100, {}));
    CHECK(values(c) == repeated(100, 4));
    // Bytes are numbers' as a whole.
    typename S::template vector<std::uint8_t> bytes = {1, 2, 3, 4};
    const typename S::template vector<std::uint8_t> zeros = {1, 0, 1, 1};
    bytes = bytes / zeros;
    CHECK_THROWS_AS(c.assign_bytes(bytes, 2, std::endian::big), std::domain_error);
    CHECK(values(c) == repeated(100, 4));
}

TEST_CASE_TEMPLATE("copies and sizes keep faults", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    const std::vector<std::size_t> bad = {3, 31, 40};
    const Vector original = with_faults_at<S>(41, bad);
    const Vector copy = original;
    CHECK(copy.error_mask() == mask_of(41, bad));
    Vector assigned(3);
    assigned = original;
    CHECK(assigned.error_mask() == mask_of(41, bad));
    Vector moved = std::move(assigned);
    CHECK(moved.error_mask() == mask_of(41, bad));
    Vector into(5);
    into = std::move(moved);
    CHECK(into.error_mask() == mask_of(41, bad));
    Vector clean(41, Number(1));
    swap(into, clean);
    CHECK(clean.error_mask() == mask_of(41, bad));
    into.check();
    into = clean;
    into = repeated(41, 2);
    into.check();
    into = clean;
    into.assign(41, Number(1));
    into.check();

    Vector v = original;
    v.resize(100); // beyond its capacity
    CHECK(v.error_mask() == mask_of(100, bad));
    v.resize(35);
    CHECK(v.error_mask() == mask_of(35, {3, 31}));
    v.resize(64, Number(9)); // within: element 40 has a value now
    CHECK(v.error_mask() == mask_of(64, {3, 31}));
    CHECK(v[40] == 9u);
    v.reserve(500);
    CHECK(v.error_mask() == mask_of(64, {3, 31}));
    v.shrink_to_fit();
    CHECK(v.error_mask() == mask_of(64, {3, 31}));
    v.clear();
    v.resize(41);
    v.check();

    v = original;
    v.pop_back(); // one without a value
    CHECK(v.error_mask() == mask_of(40, {3, 31}));
    v.push_back(Number(6));
    CHECK(v.error_mask() == mask_of(41, {3, 31}));
    CHECK(v[40] == 6u);
    v = with_faults_at<S>(41, {40});
    v.pop_back();
    v.check(); // all that are left have a value
    v = original;
    v.pop_back();
    v.reserve(200); // copies the words, with bits of what was there
    v.resize(45);
    CHECK(v.error_mask() == mask_of(45, {3, 31}));
    v = original;
    v.resize(40);
    const Vector shorter = v;
    CHECK(shorter.error_mask() == mask_of(40, {3, 31}));
    v = v + 1u;
    v.push_back(Number(1));
    CHECK(v.error_mask() == mask_of(41, {3, 31}));
    Vector grown = with_faults_at<S>(1, {0});
    for (int i = 0; i < 100; ++i)
        grown.push_back(Number(1));
    CHECK(grown.error_mask() == mask_of(101, {0}));
}

TEST_CASE_TEMPLATE("writing an element ends its fault", S, TEST_SPACES) {
    using Vector = VectorOf<S>;
    Vector v = with_faults_at<S>(70, {3, 31, 64});
    v.write(31, Number(5));
    CHECK(v.error_mask() == mask_of(70, {3, 64}));
    CHECK(v[31] == 5u);
    CHECK_THROWS_AS((void)v.read(3), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(static_cast<Number>(v.at(64))), std::domain_error);
    CHECK(v.read(4) == 2u);
    if constexpr (S::space == Space::device) {
        v[64] = Number(6);
        CHECK(v.error_mask() == mask_of(70, {3}));
        CHECK_THROWS_AS(v[3] += 1u, std::domain_error); // reads it first
        CHECK_THROWS_AS(v[5] = v[3], std::domain_error);
        v[3] = v[64];
        v.check();
        CHECK(v[3] == 6u);
    }
    v = with_faults_at<S>(70, {3});
    v.clear_errors();
    v.check();
    CHECK(v[3] == 0u);
    v += 1u;
    v.check();
    CHECK(v[3] == 1u);
    Vector again = with_faults_at<S>(70, {4, 5, 6});
    CHECK(again.error_mask() == mask_of(70, {4, 5, 6}));
    again.write(5, Number(1)); // those beside it stay
    CHECK(again.error_mask() == mask_of(70, {4, 6}));
}

TEST_CASE_TEMPLATE("faults between the spaces", S, TEST_SPACES) {
    const host_vector<Number> two(40, Number(2));
    host_vector<Number> divisor(40, Number(1));
    divisor[33] = Number(0);
    const host_vector<Number> faulty = two / divisor;
    const device_vector<Number> there(faulty); // kept
    CHECK(there.error_mask() == mask_of(40, {33}));
    device_vector<Number> assigned;
    assigned = faulty;
    assigned += 1u;
    CHECK(assigned.error_mask() == mask_of(40, {33}));
    host_vector<Number> back(3, Number(1));
    back = assigned;
    CHECK(back.error_mask() == mask_of(40, {33}));
    CHECK(back[32] == 3u);
    CHECK_THROWS_AS((void)back[33], std::domain_error); // reading it
    CHECK_THROWS_AS((void)assigned.to_host(), std::domain_error);
    const host_vector<Number> constructed = assigned;
    CHECK(constructed.error_mask() == mask_of(40, {33}));
}
