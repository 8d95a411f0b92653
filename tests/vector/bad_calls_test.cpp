// SPDX-License-Identifier: Apache-2.0
// Calls of batches that cannot be right: what they throw says sizes, places and what to do, and
// nothing is written. Overlaps are in formulas_test.cpp, vectors that were moved from in
// lifetime_test.cpp; what ends a process is in fault_program.cpp.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/constant_time.h>
#include <warpint/vector.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__linux__) && !defined(__CUDACC__)
#include <sys/mman.h>
#endif

using namespace warpint;
using test::Number;
using test::some_numbers;

TEST_CASE_TEMPLATE("sizes that do not agree are named", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const Vector a(some_numbers(33)), shorter(some_numbers(32));
    Vector c(3, Number(1));
    CHECK_THROWS_WITH_AS(c = a + shorter, "warpint: batches of 33 and 32 elements in one formula",
                         size_mismatch);
    CHECK_THROWS_WITH_AS(c = a + indices(34),
                         "warpint: batches of 33 and 34 elements in one formula", size_mismatch);
    CHECK_THROWS_WITH_AS(evaluate(a + a, c), "warpint: a formula of 33 elements and a target of 3",
                         size_mismatch);
    CHECK_THROWS_WITH_AS((void)sum(a * shorter),
                         "warpint: batches of 33 and 32 elements in one formula", size_mismatch);
    CHECK_THROWS_WITH_AS((void)a.at(33), "warpint: element 33 of a vector of 33",
                         std::out_of_range);
    CHECK_THROWS_WITH_AS((void)a.view(30, 4),
                         "warpint: 4 elements from position 30 in a vector of 33",
                         std::out_of_range);
    CHECK_THROWS_WITH_AS((void)a.view(3, ~std::size_t{0}),
                         "warpint: 18446744073709551615 elements from position 3 in a vector of 33",
                         std::out_of_range);
    CHECK_THROWS_AS((void)a.view(~std::size_t{0}, 2), std::out_of_range);
    CHECK(c.to_host() == std::vector<Number>(3, Number(1)));
}

TEST_CASE_TEMPLATE("sizes beyond the address space", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::string message = "warpint: a batch of " + std::to_string(~std::size_t{0} / 4) +
                                " elements of 12 bytes is larger than the address space";
    Vector v(3, Number(1));
    CHECK_THROWS_WITH_AS(v.resize(~std::size_t{0} / 4), message.c_str(), std::length_error);
    CHECK_THROWS_WITH_AS(v.reserve(~std::size_t{0} / 4), message.c_str(), std::length_error);
    CHECK_THROWS_WITH_AS(v.assign(~std::size_t{0} / 4, Number(2)), message.c_str(),
                         std::length_error);
    CHECK_THROWS_AS(Vector(~std::size_t{0}), std::length_error);
    // What fits the address space and no memory.
    CHECK_THROWS_AS(v.resize(std::size_t{1} << 58), std::bad_alloc);
    CHECK_THROWS_AS(v = as<Number>(indices(std::size_t{1} << 58)), std::bad_alloc);
    CHECK(v.to_host() == std::vector<Number>(3, Number(1)));
}

#if !defined(__CUDACC__)
TEST_CASE("pow_ct by even moduli") {
    const device_vector<Number> a(some_numbers(3)), e(3, Number(5)), m = {15, 16, 17};
    device_vector<Number> c(3, Number(1));
    const char *const message = "warpint: constant-time functions need an odd modulus";
    CHECK_THROWS_WITH_AS(c = pow_ct(a, e, Number(16)), message, std::domain_error);
    CHECK_THROWS_WITH_AS(c = pow_ct(a, 5u, Modulus<96>(Number(16))), message, std::domain_error);
    CHECK_THROWS_AS(c = pow_ct(a, e, Number(0)), std::domain_error);
    CHECK(c.to_host() == std::vector<Number>(3, Number(1))); // nothing was written
    c = pow_ct(a, e, Number(17));
    CHECK(c[2] == pow(a[2], 5u, Number(17)));
    c = pow_ct(a, e, m);
    CHECK(c.error_mask() == std::vector<bool>{false, true, false});
    CHECK(c[0] == pow(a[0], 5u, Number(15)));
}
#endif

TEST_CASE_TEMPLATE("views of nothing and of misaligned memory", S, TEST_SPACES) {
    using View = batch_view<Number, S::space>;
    typename S::template vector<Number> v(2);
    const Location here = v.location();
    CHECK_THROWS_WITH_AS(View(nullptr, 3, here), "warpint: a view of a null pointer",
                         std::invalid_argument);
    Number *const odd = reinterpret_cast<Number *>(reinterpret_cast<char *>(v.data()) + 1);
    CHECK_THROWS_WITH_AS(View(odd, 1, here), doctest::Contains("which is not aligned to 4 bytes"),
                         std::invalid_argument);
    CHECK_THROWS_AS(View(odd, 0, here), std::invalid_argument);
    CHECK(View(nullptr, 0, here).empty());
}

// Places of which there are two on any machine: the host, and a GPU that need not be there, because
// checks come before everything else.
TEST_CASE("batches in different places") {
    std::vector<Number> numbers = some_numbers(8);
    const Location somewhere{7};
    const batch_view<Number> here(numbers.data(), 8, Location{}),
        there(numbers.data(), 8, somewhere);
    CHECK_THROWS_WITH_AS(
        evaluate(here + there, here),
        "warpint: batches on the host and on GPU 7 in one formula: copy one of them",
        wrong_location);
    CHECK_THROWS_WITH_AS(evaluate(here + 1u, there),
                         "warpint: a formula on the host and a target on GPU 7", wrong_location);
    CHECK(numbers == some_numbers(8));
}

#if defined(__CUDACC__)
TEST_CASE("a view of host memory as device elements") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: every view is one of host memory");
        return;
    }
    int pageable = 0;
    cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0);
    std::vector<Number> numbers = some_numbers(8);
    if (pageable == 0) {
        CHECK_THROWS_AS(batch_view<Number>(numbers.data(), 8), std::invalid_argument);
    }
    // Memory of a GPU says where it lies, whatever is current.
    device_vector<Number> v(numbers);
    CHECK(batch_view<Number>(v.data(), 8).location() == v.location());
}

TEST_CASE("more than 2^32 elements on a GPU") {
    const std::size_t count = (std::size_t{1} << 32) + 2;
    if (!device_info().gpu || device_info().memory_bytes < 3 * count) {
        MESSAGE("no GPU, or too little memory");
        return;
    }
    device_vector<std::uint8_t> v(count, uninitialized);
    evaluate(indices(count), v); // low bits
    for (const std::size_t i : {count / 2 - 2, count / 2 - 1, count - 3, count - 2, count - 1})
        CHECK(v[i] == static_cast<std::uint8_t>(i));
    CHECK(sum(v) == 255u * 128u * ((std::uint64_t{1} << 32) / 256) + 1u);
}
#endif

#if defined(__linux__) && !defined(__CUDACC__)

namespace {

// Zeros, of which only those pages cost memory that are written to.
template <class T>
class Sparse {
public:
    explicit Sparse(std::size_t count) : bytes_{count * sizeof(T)} {
        void *const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        data = memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
    }
    ~Sparse() {
        if (data != nullptr)
            munmap(data, bytes_);
    }
    Sparse(const Sparse &) = delete;
    Sparse &operator=(const Sparse &) = delete;
    T *data = nullptr;

private:
    std::size_t bytes_;
};

template <class T>
void check_far_elements() {
    const std::size_t two31 = std::size_t{1} << 31, two32 = std::size_t{1} << 32;
    const std::vector<std::uint64_t> far = {two31 - 1, two31, two32 - 1, two32, two32 + 1};
    const Sparse<T> memory(two32 + 2);
    if (memory.data == nullptr) {
        MESSAGE("no address space for 2^32 elements");
        return;
    }
    for (std::size_t i = 0; i < far.size(); ++i)
        memory.data[far[i]] = T(i + 1);
    const batch_view<const T, Space::host> view(memory.data, two32 + 2);
    const host_vector<std::uint64_t> index(far);
    CHECK(host_vector<BigInt<64>>(as<BigInt<64>>(gather(view, index))).to_host() ==
          std::vector<BigInt<64>>{1, 2, 3, 4, 5});
    // A formula there and one that writes there.
    const batch_view<T, Space::host> end(memory.data + two32, 2);
    evaluate(end + 10u, end);
    CHECK(memory.data[two32] == T(14));
    CHECK(memory.data[two32 + 1] == T(15));
    CHECK(memory.data[0] == T(0));
    CHECK(memory.data[1] == T(0));
    const host_vector<std::uint64_t> beyond(1, two32 + 2);
    const host_vector<T> none = gather(view, beyond);
    CHECK(none.error_mask() == std::vector<bool>{true});
}

} // namespace

TEST_CASE("elements 2^31 - 1, 2^31, 2^32 + 1") {
    check_far_elements<std::uint8_t>();
    check_far_elements<BigInt<32>>();
    check_far_elements<BigInt<96>>();
}

#endif
