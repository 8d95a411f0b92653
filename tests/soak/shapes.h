// SPDX-License-Identifier: Apache-2.0
// A result is the same bits however it is computed: in one launch or in chunks, which other ways
// and other launch shapes serve, in another order, from several streams, into another layout, again
// and again, and on the host.
#pragma once

#include "soak/identities.h"
#include "support/property.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace soak {

// Calls use(name, formula), each a function of vectors or views a, b, e, m.
template <class Use>
void with_formulas(Use use) {
    use("a * b % m",
        [](const auto &a, const auto &b, const auto &, const auto &m) { return a * b % m; });
    use("a / m", [](const auto &a, const auto &, const auto &, const auto &m) { return a / m; });
    use("pow(a, e, m)",
        [](const auto &a, const auto &, const auto &e, const auto &m) { return pow(a, e, m); });
    use("inverse(a, m)",
        [](const auto &a, const auto &, const auto &, const auto &m) { return inverse(a, m); });
    use("gcd(a, b)",
        [](const auto &a, const auto &b, const auto &, const auto &) { return gcd(a, b); });
    use("isqrt(a * b)",
        [](const auto &a, const auto &b, const auto &, const auto &) { return isqrt(a * b); });
    use("mul_high(a, b) + e", [](const auto &a, const auto &b, const auto &e, const auto &) {
        return mul_high(a, b) + e;
    });
}

template <int Bits>
void try_shapes(std::size_t n) {
    using Number = BigInt<Bits>;
    Operands<Bits> x;
    x.refill(n);
    const auto &[a, b, e, d, m, s, t, u] = x;
    const warpint::host_vector<Number> host_a = a, host_b = b, host_e = e, host_m = m;
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(next_seed()));
    const Vector<std::uint32_t> places(order);

    with_formulas([&](const char *name, auto formula) {
        INFO(Bits << " bits: " << name << ", WARPINT_TEST_SEED=" << test::run_seed());
        Vector<Number> whole = formula(a, b, e, m);
        const std::vector<bool> faults = whole.error_mask();
        const auto as_whole = [&](auto &result) {
            const bool same_faults = result.error_mask() == faults;
            result.clear_errors();
            return same_faults && result.to_host() == whole.to_host();
        };
        whole.clear_errors();

        // Again.
        Vector<Number> r = formula(a, b, e, m);
        CHECK(as_whole(r));
        // In chunks. The shortest only at the ends.
        for (const std::size_t chunk :
             {std::size_t{1}, std::size_t{31}, std::size_t{1000}, std::size_t{4099}, n / 3}) {
            r = whole;
            for (std::size_t i = 0; i < n; i += chunk) {
                if (i > 64 * chunk && i + 64 * chunk < n)
                    continue;
                const std::size_t k = std::min(chunk, n - i);
                auto part = r.view(i, k);
                part = ~part;
                part = formula(a.view(i, k), b.view(i, k), e.view(i, k), m.view(i, k));
            }
            CAPTURE(chunk);
            r.clear_errors();
            CHECK(r.to_host() == whole.to_host());
        }
        // In another order.
        r = formula(gather(a, places), gather(b, places), gather(e, places), gather(m, places));
        r.clear_errors();
        CHECK(all(r == gather(whole, places)));
        // Limb-major.
        Vector<std::uint32_t> rows(n * Number::limb_count);
        warpint::batch_view<Number, Place::space, warpint::limb_major> columns(rows.data(), n);
        evaluate(formula(a, b, e, m), columns);
        CHECK(all(columns == whole));
#if defined(__CUDACC__)
        // From four streams at once.
        cudaStream_t streams[4];
        r.assign(n, Number(0));
        for (std::size_t i = 0; i < 4; ++i) {
            REQUIRE(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) == cudaSuccess);
            const std::size_t from = n * i / 4, k = n * (i + 1) / 4 - from;
            evaluate(formula(a.view(from, k), b.view(from, k), e.view(from, k), m.view(from, k)),
                     r.view(from, k), streams[i]);
        }
        for (cudaStream_t stream : streams) {
            CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
            cudaStreamDestroy(stream);
        }
        r.clear_errors();
        CHECK(r.to_host() == whole.to_host());
#endif
        // On the host.
        warpint::host_vector<Number> on_host = formula(host_a, host_b, host_e, host_m);
        CHECK(as_whole(on_host));
    });
}

} // namespace soak
