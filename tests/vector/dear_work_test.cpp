// SPDX-License-Identifier: Apache-2.0
// Work of which a few elements are worth a thread: that fewer than 32 elements, a word of fault
// bits, are shared by threads, and that values and faults are right however they are.

#include "support/operands.h"
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace warpint;

namespace {

// Says whether another element was computed meanwhile, which it waits for; element 5 comes first
// and only takes its time.
struct Meet {
    std::atomic<int> *entered;
    BigInt<256> operator()(const BigInt<256> &x) const {
        if (x == 5u) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return x;
        }
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        ++*entered;
        while (*entered < 2 && std::chrono::steady_clock::now() < end)
            std::this_thread::yield();
        return BigInt<256>(*entered < 2 ? 0u : 1u);
    }
};

struct Threads {
    explicit Threads(unsigned count) { set_cpu_threads(count); }
    ~Threads() { set_cpu_threads(0); }
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;
};

} // namespace

TEST_CASE("dear work: two elements run on two threads") {
    const Threads threads(2);
    std::atomic<int> entered{0};
    const host_vector<BigInt<256>> few_calls(std::vector<BigInt<256>>{5u, 6u, 7u});
    const host_vector<BigInt<256>> met = map(Meet{&entered}, few_calls);
    CHECK(met.to_host() == std::vector<BigInt<256>>{5u, 1u, 1u});
    entered = 0;
    CHECK(sum(map(Meet{&entered}, few_calls)) == 7u);
    const host_vector<BigInt<2048>> few(17, BigInt<2048>(5)); // an engine takes 8 or 16
    CHECK(explain(pow(few, few, few)).threads_per_block == 2);
    CHECK(explain(few + few).threads_per_block == 1);
}

// Operands without a value, moduli without inverse and 0, in place and not: what single numbers
// give.
TEST_CASE("dear work: values and faults that threads share words of") {
    using Number = BigInt<320>;
    test::OperandSource source(test::property_seed("dear work", 320));
    for (const unsigned count : {1u, 2u, 3u, 7u}) {
        const Threads threads(count);
        for (const std::size_t n : {2, 15, 31, 32, 33, 64, 75, 130}) {
            CAPTURE(count);
            CAPTURE(n);
            std::vector<Number> a(n), e(n), m(n);
            for (std::size_t i = 0; i < n; ++i) {
                const test::Integer modulus = source.modulus(320);
                m[i] = test::from_integer<Number>(modulus);
                a[i] = test::from_integer<Number>(source.related_to_modulus(320, modulus));
                e[i] = test::from_integer<Number>(source.exponent(320, modulus));
                if (i % 5 == 3)
                    m[i] = 0u;
            }
            const host_vector<Number> exponents(e);
            const host_vector<Number> moduli(m);
            host_vector<Number> x(a);
            x = inverse(x, moduli); // not for those that share a factor
            host_vector<Number> powers = x;
            powers = pow(powers, exponents, moduli);
            host_vector<Number> greatest;
            greatest = gcd(x, exponents);
            host_vector<Number> again = x;
            again =
                map([](const Number &y) { return y % 1000u == 7u ? y : Number(y + 1u); }, again);
            const std::vector<bool> no_inverse = x.error_mask();
            const std::vector<bool> no_power = powers.error_mask();
            CHECK(greatest.error_mask() == no_inverse);
            CHECK(again.error_mask() == no_inverse);
            x.clear_errors();
            powers.clear_errors();
            greatest.clear_errors();
            again.clear_errors();
            for (std::size_t i = 0; i < n; ++i) {
                const Optional<Number> inverted =
                    m[i] == 0u ? Optional<Number>() : inverse(a[i], m[i]);
                REQUIRE(no_inverse[i] == !inverted.has_value());
                REQUIRE(no_power[i] == (!inverted.has_value() || m[i] == 0u));
                if (no_power[i]) {
                    CHECK(powers[i] == 0u);
                    CHECK(x[i] == 0u);
                    CHECK(again[i] == 0u);
                    continue;
                }
                CHECK(x[i] == *inverted);
                CHECK(powers[i] == pow(x[i], e[i], m[i]));
                CHECK(greatest[i] == gcd(x[i], e[i]));
                CHECK(again[i] == (x[i] % 1000u == 7u ? x[i] : Number(x[i] + 1u)));
            }
            // A reduction shares no words.
            const host_vector<Number> b(a);
            const auto moduli_of_all = select(moduli == 0u, exponents + 1u, moduli);
            host_vector<Number> one_by_one;
            one_by_one = pow(b, exponents, moduli_of_all);
            CHECK(sum(pow(b, exponents, moduli_of_all)) == sum(one_by_one));
        }
    }
}
