// SPDX-License-Identifier: Apache-2.0
// A program that fails one assertion, named by its argument; ctest reads what it says. Compiled as
// CUDA it fails on the device.

#include <warpint/arith/limbs/division/divide.h>
#include <warpint/arith/limbs/gcd/divsteps.h>
#include <warpint/arith/limbs/reduction/barrett.h>
#include <warpint/arith/limbs/reduction/montgomery.h>
#include <warpint/vector.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace warpint;

static_assert(WARPINT_ASSERTIONS == 1, "the tests are compiled with assertions");

// assert_off.cpp
void fail_where_assertions_are_off();

WARPINT_HOST_DEVICE constexpr int sum(int a, int b) {
    WARPINT_ASSERT(a + b != 3);
    return a + b;
}
static_assert(sum(1, 1) == 2); // no obstacle to constant expressions

#ifdef __CUDACC__

__global__ void fail(int a, int *result) {
    *result = sum(a, 2);
}

// Exit code 77 without a GPU; otherwise the assertion's message is on stdout or stderr.
int main() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        std::puts("skipped: no GPU");
        return 77;
    }
    int *result = nullptr;
    if (cudaMalloc(&result, sizeof(int)) != cudaSuccess)
        return 2;
    fail<<<1, 1>>>(2, result); // holds
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 3;
    fail<<<1, 1>>>(1, result);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("error: %s\n", cudaGetErrorName(error));
    return 1;
}

#else

// The names are those of tests/CMakeLists.txt, with the condition that each must report.
int main(int argc, char **argv) {
    // A program that is aborted fails its test, whatever it says.
    std::signal(SIGABRT, [](int) { std::_Exit(3); });
    const std::string_view name = argc > 1 ? argv[1] : "";
    std::uint32_t r[4]{};
    std::uint32_t q[4]{};
    std::uint32_t zero[4]{};
    std::uint32_t u[5] = {1, 2, 3, 4, 5};
    const std::uint32_t even[4] = {6, 7, 8, 0x90000000u};
    const std::uint32_t odd[4] = {7, 7, 8, 0x90000000u};
    if (name == "condition") {
        sum(1, argc);
    } else if (name == "off") {
        fail_where_assertions_are_off();
    } else if (name == "divisor") { // zero
        arith::divide<4, 4>(q, r, u, zero);
    } else if (name == "quotient") { // does not fit
        u[4] = 0x90000001u;
        arith::divide_schoolbook(q, u, 1, even, 4, arith::reciprocal(even[3], even[2]));
    } else if (name == "reciprocal") { // of another divisor
        arith::divide_schoolbook(q, u, 1, even, 4, arith::reciprocal(even[3] + 1, even[2]));
    } else if (name == "divsteps") { // an even modulus
        arith::inverse_divsteps<false, 4>(r, odd, even);
    } else if (name == "montgomery") { // an inverse of another modulus
        arith::montgomery_multiply<4>(r, u, u, odd, limb::negative_inverse(9u));
    } else if (name == "rows") { // likewise, seen by the row that should make a limb 0
        arith::montgomery_multiply_alternate<4>(r, u, u, odd, limb::negative_inverse(9u));
    } else if (name == "barrett") { // no normalised modulus
        arith::barrett_reduce<2>(r, zero, u, u);
    } else if (name == "pop_back") { // of an empty vector
        host_vector<std::uint32_t>().pop_back();
    } else if (name == "element") { // beyond the end
        host_vector<std::uint32_t> v(3, 1u);
        v[static_cast<std::size_t>(argc) + 1] = 2u;
    } else if (name == "constant_element") {
        const host_vector<std::uint32_t> v(3, 1u);
        std::printf("%u\n", v[static_cast<std::size_t>(argc) + 1]);
    } else if (name == "element_of_view") {
        std::printf("%u\n", batch_view<std::uint32_t, Space::host>(
                                r, 3)[static_cast<std::size_t>(argc) + 1]);
    } else if (name == "shift") {
        arith::shift_left<4>(r, u, 128 * argc);
    }
    std::puts("nothing failed");
    return 0;
}

#endif
