// SPDX-License-Identifier: Apache-2.0
// A program that fails one assertion, named by its argument; ctest reads what it says. Compiled as
// CUDA it fails on the device.

#ifndef __CUDACC__
#define WARPINT_SIMD_EMULATED // vectors on every CPU
#include <warpint/arith/lanes/gcd.h>
#include <warpint/arith/lanes/power.h>
#include <warpint/arith/rns/channel.h>
#include <warpint/arith/simd/montgomery.h>
#include <warpint/arith/transform/product.h>
#endif

#include <warpint/arith/limbs/division/divide.h>
#include <warpint/arith/limbs/division/quotient_digit.h>
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

// Lazy values beyond their bounds (arith/limbs/bounds.h).
bool fail_bound(std::string_view name) {
    const std::uint32_t m[4] = {7, 7, 8, 0x90000000u};
    const std::uint32_t ones[4] = {~0u, ~0u, ~0u, ~0u};
    const std::uint32_t inverse = limb::negative_inverse(m[0]);
    const std::uint32_t p = 0x7fffffff;
    std::uint32_t r[4]{};
    if (name == "bound_sum") { // an operand that is not reduced
        arith::add_modulo<4>(r, ones, r, m);
    } else if (name == "bound_twice") { // 2 m and more
        arith::reduce_once<4>(r, ones, 1u, m);
    } else if (name == "bound_product") { // a b >= m R
        arith::montgomery_multiply<4>(r, ones, ones, m, inverse);
    } else if (name == "bound_digit") { // u >= m B
        std::uint32_t u[5] = {0, 0, 0, 0, 0x90000001u};
        const std::uint32_t negative_m[4] = {~0u - 6, ~0u - 7, ~0u - 8, ~0u - 0x90000000u};
        arith::quotient_digit<4, 0, false>(u, negative_m, arith::top_reciprocal<4>(m));
    } else if (name == "bound_cofactor") { // d = m
        using Steps = arith::detail::Divsteps<4, std::uint32_t>;
        std::uint32_t d[Steps::digits]{}, e[Steps::digits]{}, modulus[Steps::digits]{};
        Steps::load(modulus, m);
        Steps::load(d, m);
        const std::uint32_t one = 1u << Steps::bits;
        Steps::apply_modulo(d, e, {one, 0, 0, one}, modulus, inverse);
    } else if (name == "bound_batch") { // |u| + |v| > 2^bits
        using Steps = arith::detail::Divsteps<4, std::uint32_t>;
        std::uint32_t d[Steps::digits]{}, e[Steps::digits]{}, modulus[Steps::digits]{};
        Steps::load(modulus, m);
        const std::uint32_t one = 1u << Steps::bits;
        Steps::apply_modulo(d, e, {one, 1, 0, one}, modulus, inverse);
    } else if (name == "bound_lanes") { // twice a number that is not reduced
        using Group = lanes::HostGroup<2, std::uint32_t>;
        typename Group::word x[2], modulus[2];
        lanes::load<2, 4>(Group{}, x, ones);
        lanes::load<2, 4>(Group{}, modulus, m);
        lanes::double_modulo<2>(Group{}, x, modulus, true);
    } else if (name == "bound_lanes_cofactor") { // x = m
        using Group = lanes::HostGroup<2, std::uint32_t>;
        lanes::detail::Cofactor<2, Group> x{}, y{};
        typename Group::word modulus[2];
        lanes::load<2, 4>(Group{}, x.words, m);
        lanes::load<2, 4>(Group{}, modulus, m);
        lanes::detail::combine_modulo<2, Group>(Group{}, 1u << 30, x, 0u, y, modulus, inverse);
    } else if (name == "bound_column") { // one product more than fits a column
        simd::Sum sum{};
        for (int i = 0; i <= simd::max_units; ++i)
            sum = simd::lo(sum, simd::splat(1), simd::splat(1));
    } else if (name == "bound_columns") { // a product of more units than its reader allows
        simd::Digits t[2] = {simd::splat(std::uint64_t{5} << 52), simd::Digits{}};
        const simd::Digits modulus = simd::splat(7);
        const simd::Digits own_inverse = simd::negative_inverse<1>(modulus);
        simd::reduce<1>(t, t, &modulus, &own_inverse, 1);
    } else if (name == "bound_residue") { // not below R / 8
        simd::Digits t[2], x = simd::splat(simd::digit_mask);
        const simd::Digits modulus = simd::splat(7), unit = simd::splat(1);
        const simd::Digits own_inverse = simd::negative_inverse<1>(modulus);
        simd::multiply_montgomery<1>(&x, &x, &unit, t, {&modulus, &own_inverse, 1});
    } else if (name == "bound_factor") { // not balanced
        static_cast<void>(rns::Reduction{p, 0u - limb::negative_inverse(p)}.multiply(
            5, static_cast<rns::Residue>(p / 2 + 1), rns::Biases{}));
    } else if (name == "bound_square") { // by a quotient that is not of p
        rns::square(rns::word_bias + (1u << 30), 0u - p, 1.0 / 3.0);
    } else if (name == "bound_coefficient") { // next to no integer
        transform::detail::to_integer(0.45, transform::Shape<13>::max_error);
    } else {
        return false;
    }
    return true;
}

// The names are those of register.cmake, with the condition that each must report.
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
    if (fail_bound(name)) {
    } else if (name == "condition") {
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
