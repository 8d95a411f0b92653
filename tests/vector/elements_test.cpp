// SPDX-License-Identifier: Apache-2.0
// Elements as lvalues: steps and assignments that compute, through vectors and iterators; standard
// algorithms over device iterators; vectors from containers of other libraries.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <sstream>
#include <vector>
#if defined(__CUDACC__)
#include <thrust/host_vector.h>
#endif

using namespace warpint;

namespace {

using Number = BigInt<100>;

#if defined(__CUDACC__)
// Elements where kernels compute.
struct InKernel {
    device_vector<Number>::const_iterator from;
    device_vector<Number>::iterator to;
    WARPINT_HOST_DEVICE void operator()() const {
        to[0] = from[0] + from[1] * 3u - 1u;
        to[1] = -from[1];
        to[2] = ~from[2];
        to[3] = gcd(from[3], from[1]);
        to[4]++;
        to[4] <<= 5;
        to[4] >>= 1;
        Number total(1);
        total += from[4];
        to[5] = from[4] < from[5] ? total : Number(0);
    }
};
__global__ void run(InKernel f) {
    f();
}
#endif

} // namespace

// What the standard's algorithms for ranges ask of iterators.
template <class Vector>
constexpr bool has_standard_iterators() {
    using I = typename Vector::iterator;
    using C = typename Vector::const_iterator;
    using T = typename Vector::value_type;
    static_assert(std::random_access_iterator<I> && std::random_access_iterator<C>);
    static_assert(std::indirectly_writable<I, T> && std::output_iterator<I, T>);
    static_assert(std::indirectly_writable<I, std::iter_reference_t<C>>);
    static_assert(!std::indirectly_writable<C, T>);
    static_assert(!std::is_assignable_v<std::iter_reference_t<C>, T>);
    static_assert(std::indirectly_copyable_storable<C, I> && std::indirectly_swappable<I, I>);
    static_assert(std::permutable<I> && std::sortable<I> && std::mergeable<C, C, I>);
    static_assert(std::is_trivially_copyable_v<I> && std::is_trivially_copyable_v<C>);
    return true;
}
static_assert(has_standard_iterators<host_vector<Number>>());
static_assert(has_standard_iterators<device_vector<Number>>());
static_assert(has_standard_iterators<device_vector<std::uint64_t>>());

// What is refused with a message is no conversion either.
static_assert(!std::is_convertible_v<host_vector<BigInt<128>>, host_vector<BigInt<64>>>);
static_assert(!std::is_constructible_v<host_vector<Number>, host_vector<Residue<100>>>);
static_assert(!std::is_constructible_v<host_vector<Residue<100>>, host_vector<Number>>);
static_assert(!std::is_constructible_v<host_vector<Residue<100>>, int>);

TEST_CASE_TEMPLATE("elements are stepped and assigned", S, TEST_ONE_SPACE) {
    typename S::template vector<Number> v{7, 20, 300};
    CHECK(++v[0] == 8u);
    CHECK(v[0]++ == 8u);
    CHECK(v[0] == 9u);
    CHECK(--v[1] == 19u);
    CHECK(v[1]-- == 19u);
    CHECK(v[1] == 18u);
    (v[0] += v[1]) += 3u;
    CHECK(v[0] == 30u);
    auto first = v.begin();
    ++*first;
    CHECK((*first)-- == 31u);
    *first <<= 70;
    CHECK(v[0] == Number(30) << 70);
    *first >>= 69;
    *first += v[2];
    first[1] *= 5;
    first[1] %= 7u;
    *(first + 2) -= 1u;
    CHECK(v.to_host() == std::vector<Number>{360, 6, 299});
}

TEST_CASE_TEMPLATE("standard algorithms over elements", S, TEST_ONE_SPACE) {
    std::vector<Number> numbers;
    for (unsigned i = 0; i < 40; ++i) // more than are sorted by insertion
        numbers.push_back(Number(i * 2654435761u % 1000u));
    typename S::template vector<Number> v(numbers);
    std::sort(v.begin(), v.end());
    std::sort(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    std::sort(v.begin(), v.end(), std::greater<>());
    std::reverse(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    std::reverse(v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()));
    CHECK(std::find(v.begin(), v.end(), numbers[3]) != v.end());
    std::ranges::sort(v);
    std::ranges::sort(numbers);
    CHECK(v.to_host() == numbers);
    std::ranges::reverse(numbers);
    CHECK(std::ranges::copy(numbers, v.begin()).out == v.end());
    CHECK(v.to_host() == numbers);
    std::ranges::iter_swap(v.begin(), v.begin() + 1);
    std::ranges::swap_ranges(v.begin() + 2, v.begin() + 4, v.begin() + 4, v.begin() + 6);
    CHECK(v[0] == numbers[1]);
    CHECK(v[1] == numbers[0]);
    CHECK(v[2] == numbers[4]);
    CHECK(v[5] == numbers[3]);
}

TEST_CASE_TEMPLATE("elements in expressions", S, TEST_ONE_SPACE) {
    const typename S::template vector<Number> v{7, 20, 300, 5, 1, 9};
    const auto x = v.begin();
    const auto y = x + 1;
    CHECK(*x + *y == 27u);
    CHECK(*x * *y % x[2] == 140u);
    CHECK(-*x + *x == 0u);
    CHECK(~*x == ~Number(7));
    CHECK_FALSE(!*x);
    CHECK((*y << 3) - *y == 140u);
    CHECK(gcd(*y, x[2]) == 20u);
    CHECK(add_carry(*x, *y).value == 27u);
    CHECK(sub_borrow(*x, Number(8)).borrow);
    CHECK(add_overflow(*x, ~Number(0)).overflow);
    CHECK(extract_bits<3>(x[2], 2) == 3u);
    CHECK(extract_bits<3>(x[2], 1ull << 40) == 0u);
    CHECK(extract_bits(x[2], 2, 3) == 3u);
    CHECK(insert_bits(*x, Number(2), 1, 2) == 5u);
    CHECK(to_string(*y) == "20");
#if defined(__CUDACC__)
    device_vector<Number> there{0, 0, 0, 0, 6, 0};
    const InKernel in_kernel{v.begin(), there.begin()};
    if (device_info().gpu) {
        run<<<1, 1>>>(in_kernel);
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    } else {
        in_kernel();
    }
    CHECK(there.to_host() == std::vector<Number>{66, -Number(20), ~Number(300), 5, 112, 2});
#endif
}

template <class A>
concept HasInverse = requires(const A &a) { inverse(a); };
template <class A, class B>
concept HasPower = requires(const A &a, const B &b) { pow(a, b); };
TEST_CASE("elements of other widths, and elements beside residues") {
    device_vector<Number> v{7, 20};
    device_vector<BigInt<64>> narrow{3, 4};
    using Element = decltype(v[0]); // narrowing must be explicit, as of any named number
    static_assert(!std::is_convertible_v<Element, BigInt<64>> &&
                  !std::is_assignable_v<decltype(narrow[0]), Element> &&
                  std::is_constructible_v<BigInt<64>, Element>);
    const BigInt<512> wide = v[0];
    const SignedBigInt<101> with_sign = v[1];
    CHECK(wide == 7u);
    CHECK(with_sign == 20);
    v[0] = narrow[1];
    CHECK(v[0] == 4u);
    host_vector<Number> h{0};
    h[0] = narrow[0];
    CHECK(h[0] == 3u);
    CHECK(to_bytes(v[1], std::endian::little) == to_bytes(Number(20), std::endian::little));
    CHECK(BigInt<8>(v[1]) == 20u);
    std::istringstream("17") >> v[1];
    CHECK(v[1] == 17u);
    std::wistringstream(L"18") >> v[1];
    std::wostringstream out;
    out << v[1];
    CHECK(out.str() == L"18");
    v[1] = Number(17);

    device_vector<Number> faulty = v / device_vector<Number>(v.size(), Number(0));
    std::istringstream("19") >> faulty[1];
    CHECK(faulty[1] == 19u);
    std::istringstream nothing("");
    nothing >> v[1];
    CHECK(nothing.fail());
    CHECK(v[1] == 17u);
    std::istringstream("x") >> v[1];
    CHECK(v[1] == 0u);
    v[1] = Number(17);

    // What a constant vector gives is a value, which cannot be assigned to in vain.
    static_assert(
        !std::is_assignable_v<decltype(std::declval<const device_vector<Number> &>()[0]), Number>);
    static_assert(
        !std::is_assignable_v<decltype(std::declval<const host_vector<Number> &>()[0]), Number>);

    using Static = StaticResidue<Number(13u)>;
    device_vector<Static> residues{Static(5)};
    CHECK(to_string(residues[0]) == "5");
    std::ostringstream residue;
    residue << residues[0];
    CHECK(residue.str() == "5");
    CHECK(residues[0] == Static(18));
    residues[0] *= Static(2);
    CHECK(Static(1) + residues[0] == Static(11));

    const Modulus<100> m(Number(13));
    host_vector<Residue<100>> x(m, {1, 2});
    x[0] = v[1];
    x[1] *= narrow[0];
    x.push_back(v[1]);
    CHECK(x[0] == 4);
    CHECK(x[1] == 6);
    CHECK(m(v[1]) == 4);
    CHECK(x[2] + v[1] == 21);
    CHECK(pow(x[0], narrow[0]) == pow(m(4), 3));
    static_assert(HasInverse<decltype(x[0])> && !HasInverse<Element>);
    static_assert(HasPower<Element, Number> && !HasPower<Element, Residue<100>>);
    CHECK(v[1] * x[1] == 102);
}

TEST_CASE_TEMPLATE("vectors from iterators of vectors of other elements", S, TEST_ONE_SPACE) {
    using Narrow = typename S::template vector<BigInt<64>>;
    using Vector = typename S::template vector<Number>;
    Narrow narrow{1, 2, 3, ~BigInt<64>(0)};
    const Narrow &constant = narrow;
    const Vector wide(narrow.begin(), narrow.end());
    CHECK(wide.to_host() == std::vector<Number>{1, 2, 3, Number(~BigInt<64>(0))});
    const host_vector<Number> there(constant.begin() + 1, constant.end());
    CHECK(there.size() == 3);
    CHECK(there[2] == wide[3]);
    Vector more(wide.begin(), wide.end());
    more[0] += Number(1) << 80;
#if defined(__CUDACC__)
    narrow.assign(more.begin(), more.begin() + 2); // low bits, as a cast
    CHECK(narrow.to_host() == std::vector<BigInt<64>>{1, 2});
#endif
    more.assign(more.begin() + 1, more.begin() + 3); // of its own elements
    CHECK(more.to_host() == std::vector<Number>{2, 3});
    CHECK(Vector(narrow.begin(), narrow.begin()).empty());
}

TEST_CASE_TEMPLATE("vectors of other containers", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::deque<Number> numbers{1, 2, 3};
    const Vector v(numbers);
    CHECK(v.to_host() == std::vector<Number>{1, 2, 3});
#if defined(__CUDACC__)
    thrust::host_vector<Number> theirs(2, Number(5));
    theirs[1] = 6u;
    const Vector w(theirs);
    CHECK(w.to_host() == std::vector<Number>{5, 6});
    Vector x;
    x = theirs;
    CHECK(x.size() == 2);
    const host_vector<Number> there(theirs);
    CHECK(there[1] == 6u);
#endif
}
