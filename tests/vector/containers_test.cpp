// SPDX-License-Identifier: Apache-2.0
// Containers of numbers: construction, sizes, copies and moves, conversions between host and
// device, elements and iterators. What can be assigned to them is tested in
// vector_formulas_test.cpp.

#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <bit>
#include <compare>
#include <cstdint>
#include <iomanip>
#include <iterator>
#include <list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

TEST_CASE_TEMPLATE("constructors", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(37);

    CHECK(Vector().size() == 0);
    CHECK(Vector().empty());
    CHECK(Vector().to_host().empty());
    CHECK(Vector(0).empty());
    CHECK(Vector(5).to_host() == std::vector<Number>(5, Number(0)));
    CHECK(Vector(5, Number(7)).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(5, 7).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(3, uninitialized).size() == 3);
    CHECK(Vector{numbers[0], numbers[1]}.to_host() == std::vector<Number>{numbers[0], numbers[1]});
    CHECK(Vector{5}.to_host() ==
          std::vector<Number>(1, Number(5))); // ({5} is five zeros to clang++ in a template)
    CHECK(Vector(numbers).to_host() == numbers);
    CHECK(Vector(numbers.begin(), numbers.end()).to_host() == numbers);
    CHECK(Vector(numbers.data(), numbers.data() + 3).size() == 3);
    CHECK(Vector(numbers.begin(), numbers.begin()).empty());

    const std::list<Number> list(numbers.begin(), numbers.end());
    CHECK(Vector(list.begin(), list.end()).to_host() == numbers);
    const std::vector<std::uint32_t> words = {1, 2, 0xffffffffu};
    CHECK(Vector(words.begin(), words.end()).to_host() == std::vector<Number>{1, 2, 0xffffffffu});
    std::istringstream text("10 20 30");
    CHECK(Vector(std::istream_iterator<int>(text), std::istream_iterator<int>()).size() == 3);

    // Ranges of built-in integers and narrower numbers convert; other numbers are refused.
    const std::vector<std::int64_t> wide_integers = {3, 1LL << 40};
    CHECK(Vector(wide_integers).to_host() == std::vector<Number>{3, Number(1) << 40});
    CHECK(Vector(std::list<short>{4, 5}).to_host() == std::vector<Number>{4, 5});
    const unsigned char bytes[] = {6, 255};
    CHECK(Vector(bytes).to_host() == std::vector<Number>{6, 255});
    CHECK(Vector(std::vector<BigInt<40>>(2, BigInt<40>(7))).to_host() == std::vector<Number>{7, 7});
    Vector assigned(3);
    assigned = std::vector<int>{1, 2};
    CHECK(assigned.to_host() == std::vector<Number>{1, 2});
    assigned.assign(std::initializer_list<int>{8});
    CHECK(assigned.to_host() == std::vector<Number>(1, Number(8)));
    using Signed = typename S::template vector<SignedBigInt<40>>;
    CHECK(Signed(std::vector<int>{-1, 2}).to_host() == std::vector<SignedBigInt<40>>{-1, 2});
    static_assert(!std::is_constructible_v<Vector, std::vector<BigInt<97>>> &&
                  !std::is_constructible_v<Vector, std::vector<SignedBigInt<8>>> &&
                  !std::is_constructible_v<Vector, std::vector<double>> &&
                  !std::is_constructible_v<Vector, std::string>);

    typename S::template vector<int> integers(4, 9);
    CHECK(integers.to_host() == std::vector<int>(4, 9));
    typename S::template vector<bool> flags(3, true);
    CHECK(flags.to_host() == std::vector<bool>(3, true));
    typename S::template vector<SignedBigInt<109>> negative(2, -5);
    CHECK(negative.to_host() == std::vector<SignedBigInt<109>>(2, SignedBigInt<109>(-5)));
    CHECK_THROWS_AS(Vector(~std::size_t{0} / 4), std::exception);
}

TEST_CASE_TEMPLATE("assign, resize, clear", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(100);
    Vector v(7, Number(1));
    v.assign(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    v.assign(3, Number(8));
    CHECK(v.to_host() == std::vector<Number>(3, Number(8)));
    v = numbers;
    v.resize(130);
    std::vector<Number> longer = numbers;
    longer.resize(130, Number(0));
    CHECK(v.to_host() == longer);
    v.resize(40);
    CHECK(v.to_host() == std::vector<Number>(numbers.begin(), numbers.begin() + 40));
    v.resize(0);
    CHECK(v.empty());
    v.resize(2);
    CHECK(v.to_host() == std::vector<Number>(2, Number(0)));
    v.clear();
    CHECK(v.size() == 0);
    v.assign(numbers.begin(), numbers.begin());
    CHECK(v.empty());
}

TEST_CASE_TEMPLATE("copies and moves", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(50);
    Vector a(numbers);
    Vector copy(a);
    CHECK(copy.to_host() == numbers);
    CHECK(copy.data() != a.data());
    Vector assigned;
    assigned = a;
    CHECK(assigned.to_host() == numbers);
    Vector &self = assigned;
    assigned = self;
    CHECK(assigned.to_host() == numbers);

    const Number *const place = a.data();
    Vector moved(std::move(a));
    CHECK(moved.data() == place);
    CHECK(a.empty()); // a moved-from vector is empty, and may be used again
    Vector target(3, Number(1));
    target = std::move(moved);
    CHECK(target.data() == place);
    CHECK(target.to_host() == numbers);
    CHECK(moved.empty());
    a = numbers;
    CHECK(a.to_host() == numbers);
    CHECK_THROWS_AS(a = target + moved, size_mismatch);
    CHECK(a.to_host() == numbers);
    moved = target + a;
    CHECK(moved.size() == 50);
    a.swap(moved);
    CHECK(moved.to_host() == numbers);
}

TEST_CASE("conversions between host and device") {
    const std::vector<Number> numbers = some_numbers(65);
    const host_vector<Number> host(numbers);
    const device_vector<Number> device(host);
    CHECK(device.to_host() == numbers);
    host_vector<Number> back(device);
    CHECK(back.to_host() == numbers);
    back.assign(5, Number(2));
    device_vector<Number> other;
    other = back;
    CHECK(other.size() == 5);
    back = device;
    CHECK(back.to_host() == numbers);
    other = host_vector<Number>();
    CHECK(other.empty());

    device_vector<Number> faulty = {1, 2, 3};
    const device_vector<Number> zeros = {1, 0, 1};
    faulty = faulty / zeros;
    back = faulty;
    CHECK(back.error_mask() == faulty.error_mask());
    CHECK(host_vector<Number>(faulty).error_mask() == std::vector<bool>{false, true, false});

    // Where a parameter or a result has the other space.
    const auto total = [](const host_vector<Number> &v) { return sum(v); };
    CHECK(total(device) == sum(device));
    const auto read = [&]() -> device_vector<Number> { return host; };
    const device_vector<Number> implicit = host, text = parse<96>("1\n2\n");
    CHECK(read().to_host() == numbers);
    CHECK(implicit.to_host() == numbers);
    CHECK(text.to_host() == std::vector<Number>{1, 2});
    const Modulus<96> m(Number(97u));
    const host_vector<Residue<96>> residues(m, {5, -1});
    const device_vector<Residue<96>> there = residues;
    const host_vector<Residue<96>> again = there;
    CHECK(again[1] == 96);
}

TEST_CASE_TEMPLATE("elements beyond the end", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector v = {1, 2, 3};
    v.reserve(100);
    const auto data = v.data();
    v.reserve(v.capacity()); // there is room: pointers stay
    CHECK(v.data() == data);
    const char *const message = "warpint: element 3 of a vector of 3";
    CHECK_THROWS_WITH_AS((void)v.at(3), message, std::out_of_range);
    CHECK_THROWS_WITH_AS((void)v.read(3), message, std::out_of_range);
    CHECK_THROWS_WITH_AS(v.write(3, 9), message, std::out_of_range);
    CHECK_THROWS_AS((void)Vector().read(0), std::out_of_range);
    CHECK_THROWS_AS(Vector().write(0, 9), std::out_of_range);
    CHECK(v.to_host() == std::vector<Number>{1, 2, 3});
    CHECK(v.read(2) == 3u);
}

TEST_CASE_TEMPLATE("assigning a part of the vector itself", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(100);
    Vector v(numbers);
    v.assign(v.begin() + 1, v.end());
    CHECK(v.to_host() == std::vector<Number>(numbers.begin() + 1, numbers.end()));
    v.reserve(1000);
    v.assign(v.begin(), v.end() - 1);
    CHECK(v.to_host() == std::vector<Number>(numbers.begin() + 1, numbers.end() - 1));
    v.assign(v.begin(), v.end());
    v.assign(v.view(10, 5));
    CHECK(v.to_host() == std::vector<Number>(numbers.begin() + 11, numbers.begin() + 16));
    v.push_back(v[0]);
    v.resize(100, v[1]);
    CHECK(v[5] == numbers[11]);
    CHECK(v[99] == numbers[12]);
    v.assign(3, v[5]);
    CHECK(v.to_host() == std::vector<Number>(3, numbers[11]));
    v.assign(v.begin(), v.begin());
    CHECK(v.empty());
    if constexpr (S::space == Space::host) {
        v = numbers;
        v.assign(std::make_reverse_iterator(v.end()), std::make_reverse_iterator(v.begin() + 90));
        CHECK(v.to_host() == std::vector<Number>(numbers.rbegin(), numbers.rbegin() + 10));
    }
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

// Every way to give a vector new elements leaves it in the memory that it was made with.
TEST_CASE_TEMPLATE("a vector keeps its memory resource", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    CountingResource memory;
    {
        Vector v(3, Number(1), &memory);
        CHECK(memory.pieces == 1);
        const auto stays = [&](std::size_t size) {
            CHECK(v.size() == size);
            CHECK(memory.pieces == 1);
        };
        v.assign_text("1\n2\n3\n4\n");
        stays(4);
        const std::vector<std::uint8_t> bytes(60, 1);
        v.assign_bytes(bytes, 12, std::endian::little);
        stays(5);
        CHECK_THROWS_AS(v.assign_text("1\nx"), std::invalid_argument);
        stays(5);
        v.assign(v.begin() + 1, v.end());
        stays(4);
        v.assign(v.view(0, 2));
        stays(2);
        const std::list<Number> list = {1, 2, 3};
        v.assign(list.begin(), list.end());
        stays(3);
        v = v * v;
        stays(3);
        v = Vector(7) + 1u;
        stays(7);
        const Vector other(8);
        v = other;
        stays(8);
        const host_vector<Number> on_host(9);
        v = on_host;
        stays(9);
        v.resize(20);
        v.shrink_to_fit();
        v.push_back(Number(1));
        stays(v.size());
    }
    CHECK(memory.pieces == 0);
}
#endif

TEST_CASE("vectors and views on streams") {
    host_vector<Number> v = {1, 2, 30, 4};
    const host_vector<Number> zeros = {1, 0, 1, 1};
    v = v / zeros;
    std::ostringstream out;
    const device_vector<Number> d(v);
    out << v << v.view(1, 2) << batch_view<const Number, Space::host>() << std::hex << d.view(2, 1);
    CHECK(out.str() == "{1, none, 30, 4}{none, 30}{}{1e}");
    const std::vector<std::uint32_t> limbs = {1, 2, 0, 0, 0, 0};
    out.str("");
    out << std::dec << batch_view<const Number, Space::host, limb_major>(limbs.data(), 2);
    CHECK(out.str() == "{1, 2}");
    out.str("");
    out << host_vector<std::uint8_t>{7, 65} << host_vector<std::int8_t>{-1};
    CHECK(out.str() == "{7, 65}{-1}");
    out.str("");
    out << v * 2u << (v < 3u) << warpint::indices(2) + 1u; // formulas
    CHECK(out.str() == "{2, none, 60, 8}{1, none, 0, 0}{1, 2}");
    out.str("");
    out << std::setw(5) << std::setfill('.') << v << 7; // the width is that of each element
    CHECK(out.str() == "{....1, .none, ...30, ....4}7");
    std::wostringstream wide;
    wide << v << v.view(1, 2) << v * 2u;
    CHECK(wide.str() == L"{1, none, 30, 4}{none, 30}{2, none, 60, 8}");
    std::wostringstream explained;
    explained << explain(v * 2u);
    const std::string text = explain(v * 2u).to_string();
    CHECK(explained.str() == std::wstring(text.begin(), text.end()));
}

TEST_CASE_TEMPLATE("elements", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector v = {1, 2, 3, 4};
    v[2] = Number(77);
    CHECK(static_cast<Number>(v[2]) == Number(77));
    const Number x = v[2];
    CHECK(x == 77);
    v[0] = v[3];
    CHECK(v[0] == v[3]);
    CHECK(v[0] == Number(4));
    CHECK(v[0] == 4);
    const Vector &constant = v;
    CHECK(constant[1] == Number(2));
    CHECK(v.to_host() == std::vector<Number>{4, 2, 77, 4});

    CHECK(v.end() - v.begin() == 4);
    Number sum(0);
    for (const Number element : v)
        sum += element;
    CHECK(sum == 87);
    CHECK(std::vector<Number>(constant.begin(), constant.end()) == v.to_host());
    CHECK(Vector(v.begin() + 1, v.end()).to_host() == std::vector<Number>{2, 77, 4});

    // Elements beside vectors, and as built-in numbers.
    const Vector scaled = v * v[1];
    CHECK(scaled.to_host() == std::vector<Number>{8, 4, 154, 8});
    const Vector powers = pow(v, v[0], v[2]);
    CHECK(powers.to_host() == std::vector<Number>{256 % 77, 16, 0, 256 % 77});
    CHECK(static_cast<int>(v[2]) == 77);
    CHECK(static_cast<double>(v[2]) == 77.0);
    CHECK(std::is_lt(v[1] <=> v[0]));
    CHECK(compare(v[2], v[2]) == 0);
}

TEST_CASE_TEMPLATE("a view that only reads", S, TEST_SPACES) {
    using View = batch_view<Number, S::space>;
    using Reading = batch_view<const Number, S::space>;
    static_assert(std::is_convertible_v<View, Reading>);
    static_assert(!std::is_constructible_v<View, Reading>);
    typename S::template vector<Number> v = {1, 2, 3}, zeros = {1, 0, 1};
    v = v / zeros;
    const Reading view = v.view();
    CHECK(view.data() == v.data());
    CHECK(view.size() == 3);
    const typename S::template vector<Number> copied = view + 1u;
    CHECK(copied.error_mask() == std::vector<bool>{false, true, false});
    CHECK(copied.read(2) == 4u);
}

TEST_CASE("a reference to an element without a value is refused, with the way to give it one") {
    host_vector<Number> v = {1, 2, 3};
    v = v / host_vector<Number>{1, 0, 0};
    CHECK_THROWS_WITH_AS(v[2] = 1, "warpint: element 2 has no value: write(2, x) gives it one",
                         std::domain_error);
    CHECK_THROWS_WITH_AS((void)std::as_const(v)[2],
                         "warpint: 2 of 3 elements have no value, the first is element 1",
                         std::domain_error);
    v.write(2, 7);
    v[2] = v[2] + 1u;
    CHECK(v.read(2) == 8u);
    CHECK(v.error_mask() == std::vector<bool>{false, true, false});
}
