// SPDX-License-Identifier: Apache-2.0
// Montgomery multiplication: every form by name and the selected one, against plain integers (8-bit
// limbs) and GMP (32- and 64-bit limbs, 1 to 40 of them); the forms with headroom; the constants.

#include "montgomery_cases.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace montgomery_cases;

namespace {

using test::Integer;
using test::limbs::Source;

// ---- 8-bit limbs -------------------------------------------------------------------------------

template <int N>
void check_random_montgomery(long count) {
    Tally tally("Montgomery products of " + std::to_string(N) + " limbs");
    Source source("montgomery");
    for (long i = 0, runs = test::scaled(count); i < runs; ++i) {
        std::uint64_t m = source.number(N) | 1;
        switch (source.word() % 16) {
        case 0:
            m = all_ones<N>;
            break;
        case 1:
            m = (all_ones<N> >> 1) + 2; // 2^(bits - 1) + 1
            break;
        case 2:
            m = (all_ones<N> >> 7) + 2; // the top limb is 1 or 2
            break;
        default:
            break;
        }
        const std::uint64_t inverse = inverse_of_r(N, m);
        std::uint64_t a = source.number(N);
        std::uint64_t b = source.number(N) % m;
        switch (source.word() % 8) {
        case 0:
            a = m - 1;
            break;
        case 1:
            b = m - 1;
            break;
        case 2:
            a = m - 1, b = m - 1;
            break;
        case 3:
            a = inverse; // a product of b
            break;
        case 4:
            a = all_ones<N>;
            break;
        case 5:
            a = b;
            break;
        default:
            break;
        }
        check_montgomery<N>(tally, a, b, m, inverse);
        // Numbers that are not reduced, multiples of m among them.
        const std::uint64_t multiple = source.word() % (all_ones<N> / m) % 1024 * m;
        const std::uint64_t x = i % 2 == 0 ? a : multiple;
        check_whole<N>(tally, x, i % 3 == 0 ? all_ones<N> : source.number(N), m, inverse);
        check_whole<N>(tally, x, x, m, inverse);
        check_whole<N>(tally, x, 1, m, inverse);
    }
}

template <int N>
void check_constants(Tally &tally, std::uint64_t m) {
    const Limbs<N> modulus(m);
    Limbs<N> one(0x55), r_squared(0x55);
    arith::montgomery_constants<N>(one.begin(), r_squared.begin(), modulus.begin(),
                                   limb::negative_inverse(modulus.data[0]));
    const std::uint64_t r = (std::uint64_t(1) << (8 * N)) % m;
    tally.equal(one.value(), r, m);
    tally.equal(r_squared.value(), r * r % m, m);
    tally.equal(one.intact() && r_squared.intact(), true, m);
}

// ---- wide limbs, against GMP -------------------------------------------------------------------

template <class AnyLimb>
Integer value_of(const AnyLimb *a, int n) {
    Integer x;
    mpz_import(x.raw(), static_cast<std::size_t>(n), -1, sizeof(AnyLimb), 0, 0, a);
    return x;
}

template <int N, class AnyLimb>
void check_wide(Tally &tally, Source &source) {
    constexpr AnyLimb ones = static_cast<AnyLimb>(~AnyLimb{0});
    AnyLimb a[N], b[N], m[N];
    const auto draw = [&](AnyLimb *x) {
        const auto mode = source.word() % 4;
        for (int i = 0; i < N; ++i) {
            const auto word = static_cast<AnyLimb>(source.word());
            x[i] = mode == 0   ? word
                   : mode == 1 ? ones
                   : mode == 2 ? static_cast<AnyLimb>(word % 2 != 0 ? ones : 0)
                               : static_cast<AnyLimb>(word % 3 != 0 ? ones : word * 0x9e3779b9u);
        }
    };
    draw(a);
    draw(b);
    draw(m);
    m[0] |= 1;
    switch (source.word() % 6) {
    case 0:
        for (AnyLimb &x : m)
            x = ones;
        break;
    case 1:
        m[N - 1] = 1;
        break;
    case 2: // 2^(bits - 1) + 1
        for (AnyLimb &x : m)
            x = 0;
        m[N - 1] = static_cast<AnyLimb>(ones - (ones >> 1));
        m[0] |= 1;
        break;
    default:
        break;
    }
    const Integer modulus = value_of(m, N);
    // b is reduced, a need not be.
    const auto store = [](AnyLimb *x, const Integer &value) {
        arith::set_zero<N>(x);
        mpz_export(x, nullptr, -1, sizeof(AnyLimb), 0, 0, value.raw());
    };
    store(b, modulo(source.word() % 4 == 0 ? modulus - 1 : value_of(b, N), modulus));
    const bool same = source.word() % 3 == 0;
    if (same) {
        arith::copy<N>(a, b);
    } else if (source.word() % 4 == 0) {
        store(a, modulus - 1);
    }
    const Integer product = value_of(a, N) * value_of(b, N);
    const Integer r = test::power_of_two(N * limb::limb_bits<AnyLimb>);
    const AnyLimb m_inverse = limb::negative_inverse(m[0]);
    for_each_form<N>(a, b, m, m_inverse, same, [&](auto run) {
        constexpr AnyLimb guard = static_cast<AnyLimb>(0xa5a5a5a5a5a5a5a5u);
        AnyLimb result[N + 1];
        for (AnyLimb &x : result)
            x = guard;
        run(&result[0]);
        const Integer got = value_of(result, N);
        tally.equal(got < modulus && modulo(got * r - product, modulus).is_zero(), true, N);
        tally.equal(result[N] == guard, true, N);
    });
}

/// Every short length, and longer ones around whole blocks of eight.
template <class AnyLimb>
void check_wide_lengths(const char *name, long count) {
    Tally tally(name);
    Source source(name);
    const auto check = [&]<int... N>(std::integer_sequence<int, N...>) {
        const auto often = [&](auto run) {
            for (long i = 0, runs = test::scaled(count); i < runs; ++i)
                run();
        };
        (often([&] { check_wide<N, AnyLimb>(tally, source); }), ...);
    };
    check(std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 24, 31, 40>{});
}

} // namespace

TEST_CASE("Montgomery: random 8-bit limbs") {
    check_random_montgomery<2>(50000);
    check_random_montgomery<3>(25000);
    check_random_montgomery<4>(25000);
    check_random_montgomery<5>(25000);
}

TEST_CASE("Montgomery: every form at 1 to 40 limbs") {
    check_wide_lengths<std::uint32_t>("Montgomery, 32-bit limbs", 100);
#if WARPINT_HAS_INT128
    check_wide_lengths<std::uint64_t>("Montgomery, 64-bit limbs", 100);
#endif
}

TEST_CASE("Montgomery constants: every odd modulus of one and two limbs") {
    Tally tally("Montgomery constants");
    for (std::uint64_t m = 1; m < 256; m += 2) {
        check_constants<1>(tally, m);
    }
    for (std::uint64_t m = 1; m < 65536; m += 2) {
        check_constants<2>(tally, m);
    }
    Source source("Montgomery constants");
    for (int i = 0; i < 50000; ++i) {
        check_constants<3>(tally, source.number(3) | 1);
        check_constants<4>(tally, source.number(4) >> (source.word() % 24) | 1);
    }
}
