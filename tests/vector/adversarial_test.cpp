// SPDX-License-Identifier: Apache-2.0
// Products modulo m and divisions of adversarial operands in batches, every element against GMP's
// mpn functions on all of the host's cores: by a modulus of each element (0 included), by one for
// all. A part of the long tests; WARPINT_TEST_SCALE=500 runs 10^7 elements of each width.

#include "support/register_operands.h"

#include <warpint/vector.h>

#include <doctest/doctest.h>
#include <gmp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#ifndef WARPINT_ADVERSARIAL_WIDTHS // multiples of 32
#define WARPINT_ADVERSARIAL_WIDTHS 64, 128, 256, 416, 512, 800, 1024
#endif

namespace {

using warpint::BigInt;
using warpint::device_vector;

// Elements at a time.
const std::size_t block = static_cast<std::size_t>(std::min(test::scaled(20000), 1L << 18));

/// A natural number in mpn limbs: the lowest `size` of them, the top one not 0.
template <int Room>
struct Natural {
    std::array<mp_limb_t, Room> limbs{};
    mp_size_t size = 0;

    void trim(mp_size_t length) {
        for (size = length; size > 0 && limbs[static_cast<std::size_t>(size - 1)] == 0;)
            --size;
    }
    bool operator==(const Natural &other) const {
        return size == other.size &&
               std::equal(limbs.begin(), limbs.begin() + size, other.limbs.begin());
    }
};

constexpr int mpn_limbs(int bits) {
    return (bits + 63) / 64;
}

/// Numbers of `Bits` bits with room for products of two and a few bits.
template <int Bits>
struct Numbers {
    static constexpr int room = 2 * mpn_limbs(Bits) + 3;
    using N = Natural<room>;

    template <int From>
    static N of(const BigInt<From> &x) {
        N r;
        std::memcpy(r.limbs.data(), &x.limbs[0], sizeof x.limbs);
        r.trim(mpn_limbs(From));
        return r;
    }
    static N product(const N &a, const N &b) {
        N r;
        const N &longer = a.size < b.size ? b : a;
        const N &shorter = a.size < b.size ? a : b;
        if (shorter.size != 0) {
            mpn_mul(r.limbs.data(), longer.limbs.data(), longer.size, shorter.limbs.data(),
                    shorter.size);
        }
        r.trim(a.size + b.size);
        return r;
    }
    static N sum(const N &a, const N &b) {
        N r = a;
        const mp_size_t size = std::max(a.size, b.size);
        r.limbs[static_cast<std::size_t>(size)] =
            size == 0 ? 0 : mpn_add_n(r.limbs.data(), a.limbs.data(), b.limbs.data(), size);
        r.trim(size + 1);
        return r;
    }
    static N difference(const N &a, const N &b) { // a >= b
        N r = a;
        if (a.size != 0)
            mpn_sub_n(r.limbs.data(), a.limbs.data(), b.limbs.data(), a.size);
        r.trim(a.size);
        return r;
    }
    static bool less(const N &a, const N &b) {
        return a.size != b.size
                   ? a.size < b.size
                   : a.size != 0 && mpn_cmp(a.limbs.data(), b.limbs.data(), a.size) < 0;
    }
    static N remainder(const N &a, const N &m) { // m != 0
        if (a.size < m.size)
            return a;
        N r;
        std::array<mp_limb_t, static_cast<std::size_t>(room)> quotient;
        mpn_tdiv_qr(quotient.data(), r.limbs.data(), 0, a.limbs.data(), a.size, m.limbs.data(),
                    m.size);
        r.trim(m.size);
        return r;
    }
};

/// body(thread, i) for all elements of a block.
template <class Body>
void on_all_cores(unsigned threads, const Body &body) {
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < threads; ++t) {
        pool.emplace_back([&, t] {
            for (std::size_t i = t * block / threads; i < (t + 1) * block / threads; ++i)
                body(t, i);
        });
    }
    for (std::thread &thread : pool)
        thread.join();
}

template <int Bits>
void check_width() {
    constexpr int n = Bits / 32;
    using Number = BigInt<Bits>;
    using Wide = BigInt<2 * Bits>;
    using G = Numbers<Bits>;
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<test::RegisterOperands> sources;
    for (unsigned t = 0; t < threads; ++t)
        sources.emplace_back("adversarial batches", 1000 * Bits + static_cast<int>(t));
    std::atomic<long> wrong{0};
    std::atomic<long> faults{0};
    long elements = 0;
    const auto begin = std::chrono::steady_clock::now();

    std::vector<Number> a(block), b(block), m(block);
    std::vector<Wide> w(block);
    for (const long count = test::scaled(20000); elements < count;
         elements += static_cast<long>(block)) {
        on_all_cores(threads, [&](unsigned t, std::size_t i) {
            sources[t].draw(&a[i].limbs[0], &b[i].limbs[0], &m[i].limbs[0], n, i % 8 != 0);
            std::memcpy(&w[i].limbs[0], &b[i].limbs[0], sizeof b[i].limbs);
            std::memcpy(&w[i].limbs[n], &a[i].limbs[0], sizeof a[i].limbs);
        });
        const Number shared =
            m[static_cast<std::size_t>(elements) / 7 % block] | Number(1u); // not 0
        const device_vector<Number> x(a), y(b), d(m);
        const device_vector<Wide> z(w);
        device_vector<Number> product(block), sum(block), of_all(block), sum_of_all(block),
            difference_of_all(block), rest(block), short_rest(block), short_quotient(block);
        device_vector<Wide> quotient(block);
        product = x * y % d;
        sum = (x * y + y) % d;
        of_all = x * y % shared;
        sum_of_all = (x * y + d) % shared;
        difference_of_all = (x * y - d) % shared;
        tie(quotient, rest) = divmod(z, d);
        tie(short_quotient, short_rest) = divmod(x, d);
        for (auto *results : {&product, &sum, &rest, &short_rest, &short_quotient})
            results->clear_errors(); // elements by 0 are 0
        quotient.clear_errors();
        const auto p = product.to_host(), s = sum.to_host(), pm = of_all.to_host(),
                   sm = sum_of_all.to_host(), dm = difference_of_all.to_host(), r = rest.to_host(),
                   sr = short_rest.to_host(), sq = short_quotient.to_host();
        const auto q = quotient.to_host();

        const auto shared_modulus = G::of(shared);
        on_all_cores(threads, [&](unsigned, std::size_t i) {
            long differ = 0;
            const auto ga = G::of(a[i]), gb = G::of(b[i]), gm = G::of(m[i]);
            const auto ab = G::product(ga, gb);
            const auto rest_of_all = G::remainder(ab, shared_modulus);
            const auto m_of_all = G::remainder(gm, shared_modulus);
            differ += !(G::of(pm[i]) == rest_of_all);
            differ +=
                !(G::of(sm[i]) == G::remainder(G::sum(rest_of_all, m_of_all), shared_modulus));
            differ += !(G::of(dm[i]) ==
                        G::remainder(G::sum(rest_of_all, G::difference(shared_modulus, m_of_all)),
                                     shared_modulus));
            if (gm.size == 0) {
                ++faults;
                for (const Number &value : {p[i], s[i], r[i], sr[i], sq[i]})
                    differ += static_cast<bool>(value);
                differ += static_cast<bool>(q[i]);
            } else {
                const auto ab_rest = G::remainder(ab, gm);
                differ += !(G::of(p[i]) == ab_rest);
                differ += !(G::of(s[i]) == G::remainder(G::sum(ab_rest, gb), gm));
                // A quotient and a remainder below m that give the dividend are the right ones.
                const auto gr = G::of(r[i]), gsr = G::of(sr[i]), gw = G::of(w[i]);
                const auto gq = G::of(q[i]);
                differ += (gq.size != 0 && gq.size + gm.size > gw.size + 1) || !G::less(gr, gm) ||
                          !(G::sum(G::product(gq, gm), gr) == gw);
                differ += !G::less(gsr, gm) || !(G::sum(G::product(G::of(sq[i]), gm), gsr) == ga);
            }
            if (differ != 0)
                wrong += differ;
        });
    }
    std::printf("%4d bits: %ld elements, in each five products modulo m and two divisions: %ld "
                "wrong; %ld moduli 0; %.1f s on %u threads\n",
                Bits, elements, wrong.load(), faults.load(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                threads);
    std::fflush(stdout);
    CHECK(wrong == 0);
    CHECK(faults > 0);
    CHECK(faults < elements / 8);
}

} // namespace

TEST_CASE("products modulo m and divisions of adversarial operands") {
    [&]<int... Bits>(std::integer_sequence<int, Bits...>) {
        (check_width<Bits>(), ...);
    }(std::integer_sequence<int, WARPINT_ADVERSARIAL_WIDTHS>{});
}
