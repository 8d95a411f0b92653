// SPDX-License-Identifier: Apache-2.0
// Constant-time arithmetic modulo every odd number of one 8-bit limb. Compiled optimised, for there
// are millions of cases.

#include "support/limbs.h"

#include <doctest/doctest.h>
#include <warpint/constant_time.h>

#include <cstddef>
#include <cstdint>

namespace constant_time = warpint::arith::constant_time;

namespace {

/// Every odd modulus of one 8-bit limb with every pair of operands, through the limb functions.
template <int N>
void check_limbs(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
    using test::limbs::Limb;
    using test::limbs::Limbs;
    test::limbs::Tally products("constant-time Montgomery products");
    test::limbs::Tally sums("constant-time sums");
    for (std::uint64_t m = first; m <= last; m += step) {
        warpint::arith::MontgomeryContext<N, Limb> context{};
        Limbs<N> modulus(m);
        for (int i = 0; i < N; ++i) {
            context.modulus[i] = modulus.data[std::size_t(i)];
        }
        constant_time::prepare<N>(context);
        const std::uint64_t r = (std::uint64_t(1) << (8 * N)) % m;
        for (std::uint64_t i = 0; i < 256; ++i) {
            const std::uint64_t a = N == 1 ? i : i * 0x9e3779b97f4a7c15u >> (64 - 8 * N);
            Limbs<N> x(a);
            Limbs<N> form;
            constant_time::to_montgomery<N>(form.begin(), x.begin(), context);
            products.equal(form.value(), a % m * r % m, a, m);
            Limbs<N> back;
            constant_time::from_montgomery<N>(back.begin(), form.begin(), context);
            products.equal(back.value(), a % m, a, m);
            Limbs<N> square;
            constant_time::square<N>(square.begin(), form.begin(), context.modulus,
                                     context.inverse);
            products.equal(square.value(), a % m * (a % m) % m * r % m, a, m);
            for (std::uint64_t j = 0; j < 256; ++j) {
                const std::uint64_t b = N == 1 ? j : (j * 257 + 0xff00 * (j & 1)) & 0xffff;
                Limbs<N> y(b);
                Limbs<N> product; // a R b / R; b need not be reduced
                constant_time::multiply<N>(product.begin(), form.begin(), y.begin(),
                                           context.modulus, context.inverse);
                products.equal(product.value(), a % m * (b % m) % m, a, b, m);
                products.equal(product.intact(), 1, a, b, m);
                if (a < m && b < m) {
                    Limbs<N> sum;
                    constant_time::add_modulo<N>(sum.begin(), x.begin(), y.begin(),
                                                 context.modulus);
                    sums.equal(sum.value(), (a + b) % m, a, b, m);
                    Limbs<N> difference;
                    constant_time::subtract_modulo<N>(difference.begin(), x.begin(), y.begin(),
                                                      context.modulus);
                    sums.equal(difference.value(), (a + m - b) % m, a, b, m);
                }
            }
        }
    }
}

} // namespace

TEST_CASE("constant time, 8-bit limbs: all (a, b, m) of one limb, and two-limb numbers") {
    check_limbs<1>(1, 255, 2);
    check_limbs<2>(1, 65535, 1022);
}
TEST_CASE("constant time, 8-bit limbs: all powers of one limb") {
    using Limb = std::uint8_t;
    test::limbs::Tally tally("constant-time powers");
    for (unsigned m = 1; m < 256; m += 2) {
        warpint::arith::MontgomeryContext<1, Limb> context{};
        context.modulus[0] = static_cast<Limb>(m);
        constant_time::prepare<1>(context);
        for (unsigned a = 0; a < 256; a += 3) {
            unsigned expected = 1 % m;
            for (std::uint32_t e = 0; e < 256; ++e) {
                const Limb base = static_cast<Limb>(a);
                Limb x = 0;
                constant_time::to_montgomery<1>(&x, &base, context);
                constant_time::power<8>(&x, &e, context);
                constant_time::from_montgomery<1>(&x, &x, context);
                tally.equal(x, expected, a, e, m);
                expected = expected * a % m;
            }
        }
    }
}
