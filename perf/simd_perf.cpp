// SPDX-License-Identifier: Apache-2.0
// Numbers side by side (simd/group.h) beside the same operation one number at a time, on one core:
// run it under taskset. Rounds are interleaved; figures are medians of core time, from
// memory to memory, every element with its own operands unless it says shared. Results are
// compared.
#include "support.h"

#include <warpint/simd/group.h>

#include <ctime>
#include <functional>
#include <string>

namespace {

using namespace perf;
using warpint::simd::Operand;
using warpint::simd::Target;
using warpint::simd::Timing;

// Seconds of a core that this process has had.
double core_seconds() {
#if defined(CLOCK_PROCESS_CPUTIME_ID)
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#else
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
#endif
}

struct Entry {
    std::string name;
    std::function<void()> body;
    std::vector<double> times{};
    [[nodiscard]] double median() const { return times[times.size() / 2]; }
};

// Prints for each entry the time per element and how many times as long as the first it took.
void race(const std::string &title, std::size_t count, std::vector<Entry> &entries, int rounds) {
    for (int round = 0; round <= rounds; ++round) {
        for (Entry &entry : entries) {
            const double start = core_seconds();
            entry.body();
            const double stop = core_seconds();
            if (round > 0) // the first warms up
                entry.times.push_back((stop - start) / static_cast<double>(count));
        }
    }
    for (Entry &entry : entries)
        std::sort(entry.times.begin(), entry.times.end());
    for (const Entry &entry : entries) {
        std::printf("%-28s %-40s %12.1f ns %12.0f /s  x %.2f\n", title.c_str(), entry.name.c_str(),
                    entry.median() * 1e9, 1 / entry.median(),
                    entry.median() / entries.front().median());
    }
    std::fflush(stdout);
}

template <int Bits>
host_vector<BigInt<Bits>> batch_of(std::size_t count, std::uint64_t seed, bool odd = false) {
    const auto numbers = random_batch<Bits>(count, seed, odd);
    return host_vector<BigInt<Bits>>(numbers.begin(), numbers.end());
}
template <class T>
bool all_equal(const host_vector<T> &x, const host_vector<T> &y) {
    return x.to_host() == y.to_host();
}

template <int Bits>
Operand operand(const host_vector<BigInt<Bits>> &batch, std::size_t first) {
    return {batch.data() + first, sizeof(BigInt<Bits>), Bits};
}
template <int Bits>
Operand shared(const BigInt<Bits> &x) {
    return {&x, 0, Bits};
}
template <int Bits>
Target target(host_vector<BigInt<Bits>> &batch, std::size_t first) {
    return {batch.data() + first, sizeof(BigInt<Bits>), Bits};
}

// Calls body(first, count) for groups of 32 and requires that everything was done.
template <class Body>
void groups(std::size_t count, const Body &body) {
    for (std::size_t first = 0; first < count; first += 32) {
        const auto here = static_cast<int>(std::min<std::size_t>(32, count - first));
        require(body(first, here) == 0, "an element was left to scalar code");
    }
}

template <int Bits>
void measure_powers(std::size_t count, int rounds) {
    const auto a = batch_of<Bits>(count, 1);
    const auto e = batch_of<Bits>(count, 2);
    const auto m = batch_of<Bits>(count, 3, true);
    const BigInt<17> f4(65537);
    host_vector<BigInt<Bits>> side(count), scan(count), one(count), scalar(count), formula(count);
    std::vector<Entry> entries;
    const std::string title = "pow " + std::to_string(Bits);
    entries.push_back({"side by side", [&] {
                           groups(count, [&](std::size_t i, int n) {
                               return simd::power<Bits>(target(side, i), operand(a, i),
                                                        operand(e, i), operand(m, i), n);
                           });
                       }});
    entries.push_back({"the formula pow(a, e, m)", [&] { formula = pow(a, e, m); }});
    entries.push_back({"side by side, constant time", [&] {
                           groups(count, [&](std::size_t i, int n) {
                               return simd::power<Bits, Timing::constant>(
                                   target(scan, i), operand(a, i), operand(e, i), operand(m, i), n);
                           });
                       }});
    entries.push_back({"side by side, modulus and e shared", [&] {
                           groups(count, [&](std::size_t i, int n) {
                               return simd::power<Bits>(target(one, i), operand(a, i), shared(e[0]),
                                                        shared(m[0]), n);
                           });
                       }});
    entries.push_back({"one by one", [&] {
                           for (std::size_t i = 0; i < count; ++i)
                               scalar[i] = pow(a[i], e[i], m[i]);
                       }});
#if defined(WARPINT_PERF_HAS_GMP)
    std::vector<mpz_t> ga(count), ge(count), gm(count), gr(count);
    for (std::size_t i = 0; i < count; ++i) {
        mpz_inits(ga[i], ge[i], gm[i], gr[i], nullptr);
        to_gmp(ga[i], a[i]);
        to_gmp(ge[i], e[i]);
        to_gmp(gm[i], m[i]);
    }
    entries.push_back({"mpz_powm", [&] {
                           for (std::size_t i = 0; i < count; ++i)
                               mpz_powm(gr[i], ga[i], ge[i], gm[i]);
                       }});
#endif
    race(title, count, entries, rounds);
    require(all_equal(side, scalar) && all_equal(scan, scalar) && all_equal(formula, scalar),
            "powers side by side");
    require(one[1] == warpint::pow(a[1], e[0], m[0]), "powers with one exponent");
#if defined(WARPINT_PERF_HAS_GMP)
    for (std::size_t i = 0; i < count; ++i) {
        require(same(side[i], gr[i]), "mpz_powm");
        mpz_clears(ga[i], ge[i], gm[i], gr[i], nullptr);
    }
#endif

    const Modulus<Bits> prepared(m[0]);
    std::vector<Entry> short_entries;
    short_entries.push_back({"side by side", [&] {
                                 groups(count, [&](std::size_t i, int n) {
                                     return simd::power<Bits>(target(side, i), operand(a, i),
                                                              shared(f4), operand(m, i), n);
                                 });
                             }});
    short_entries.push_back({"side by side, modulus shared", [&] {
                                 groups(count, [&](std::size_t i, int n) {
                                     return simd::power<Bits>(target(one, i), operand(a, i),
                                                              shared(f4), shared(m[0]), n);
                                 });
                             }});
    short_entries.push_back({"one by one", [&] {
                                 for (std::size_t i = 0; i < count; ++i)
                                     scalar[i] = pow(a[i], f4, m[i]);
                             }});
    short_entries.push_back({"one by one, Modulus shared", [&] {
                                 for (std::size_t i = 0; i < count; ++i)
                                     scan[i] = pow(a[i], f4, prepared);
                             }});
    race("pow 65537, " + std::to_string(Bits), count, short_entries, 4 * rounds);
    require(all_equal(side, scalar) && all_equal(one, scan), "powers by 65537");
}

template <int Bits>
void measure_products(std::size_t count, int rounds) {
    const auto a = batch_of<Bits>(count, 1);
    const auto b = batch_of<Bits>(count, 2);
    const auto m = batch_of<Bits>(count, 3);
    host_vector<BigInt<2 * Bits>> wide(count), scalar_wide(count), formula_wide(count);
    host_vector<BigInt<Bits>> rest(count), scalar_rest(count), formula(count);
    std::vector<Entry> entries;
    entries.push_back({"side by side", [&] {
                           groups(count, [&](std::size_t i, int n) {
                               return simd::multiply<Bits>(target(wide, i), operand(a, i),
                                                           operand(b, i), n);
                           });
                       }});
    entries.push_back({"one by one", [&] {
                           for (std::size_t i = 0; i < count; ++i)
                               scalar_wide[i] = a[i] * b[i];
                       }});
    entries.push_back({"the formula a * b", [&] { formula_wide = a * b; }});
    race("a * b, " + std::to_string(Bits), count, entries, rounds);
    require(all_equal(wide, scalar_wide) && all_equal(formula_wide, scalar_wide), "products");
    std::vector<Entry> modular;
    modular.push_back({"side by side", [&] {
                           groups(count, [&](std::size_t i, int n) {
                               return simd::multiply_modulo<Bits>(target(rest, i), operand(a, i),
                                                                  operand(b, i), operand(m, i), n);
                           });
                       }});
    modular.push_back({"one by one", [&] {
                           for (std::size_t i = 0; i < count; ++i)
                               scalar_rest[i] = a[i] * b[i] % m[i];
                       }});
    modular.push_back({"the formula a * b % m", [&] { formula = a * b % m; }});
    race("a * b % m, " + std::to_string(Bits), count, modular, rounds);

    const Modulus<Bits> prepared(set_bit(BigInt<Bits>(m[0]), 0));
    host_vector<BigInt<Bits>> shared_rest(count), shared_scalar(count);
    std::vector<Entry> one;
    one.push_back({"the formula", [&] { shared_rest = a * b % prepared; }});
    one.push_back({"one by one", [&] {
                       for (std::size_t i = 0; i < count; ++i)
                           shared_scalar[i] = mulmod(a[i], b[i], prepared);
                   }});
    race("a * b % one m, " + std::to_string(Bits), count, one, rounds);
    require(all_equal(shared_rest, shared_scalar), "remainders by one modulus");
    require(all_equal(rest, scalar_rest) && all_equal(formula, scalar_rest),
            "remainders of products");
}

} // namespace

int main(int argc, char **) {
    print_machine();
    std::printf("# engine of CPU batches: %s\n", simd::name(simd::engine()));
    if (simd::engine() == simd::Engine::scalar)
        return 0;
    measure_products<256>(1024, 101);
    measure_products<512>(1024, 101);
    measure_products<1024>(512, 101);
    measure_products<2048>(256, 101);
    measure_products<4096>(128, 51);
    if (argc > 1) // products only
        return 0;
    measure_powers<256>(64, 41);
    measure_powers<512>(64, 21);
    measure_powers<1024>(32, 15);
    measure_powers<2048>(32, 9);
    measure_powers<4096>(32, 5);
    return 0;
}
