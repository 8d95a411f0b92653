// SPDX-License-Identifier: Apache-2.0
// Wide numbers: what formulas over lanes reach at one width, all operands different in each
// element, beside a kernel of one's own with WarpInt, and powers of small batches over each number
// of lanes that is compiled. Every result is checked, against GMP where it is found.
#pragma once

#include "support.h"

#include <warpint/execution/tuning/choose.h>
#include <warpint/number_theory.h>
#include <warpint/warp_int.h>

namespace perf {

// A batch of `count` numbers, of which the first few thousand differ.
template <int Bits>
std::vector<BigInt<Bits>> wide_batch(std::size_t count, std::uint64_t seed, bool odd = false) {
    auto numbers = random_batch<Bits>(std::min<std::size_t>(count, 4096), seed, odd);
    const std::size_t distinct = numbers.size();
    numbers.resize(count);
    for (std::size_t i = distinct; i < count; ++i)
        numbers[i] = numbers[i % distinct];
    return numbers;
}

template <int Bits, int ExponentBits>
BigInt<Bits> expected_power(const BigInt<Bits> &a, const BigInt<ExponentBits> &e,
                            const BigInt<Bits> &m) {
#if defined(WARPINT_PERF_HAS_GMP)
    mpz_t x, y, z;
    mpz_inits(x, y, z, nullptr);
    to_gmp(x, a);
    to_gmp(y, e);
    to_gmp(z, m);
    mpz_powm(x, x, y, z);
    BigInt<Bits> r{};
    mpz_export(r.limbs, nullptr, -1, 4, 0, 0, x);
    mpz_clears(x, y, z, nullptr);
    return r;
#else
    return pow(a, e, m);
#endif
}

#if WARPINT_CUDA

// A user's kernels, with the lanes and launch bounds that formulas take.
constexpr TuningRow row_of_power(int bits, int exponent_bits, execution::tuning::Slot slot) {
    execution::Cost cost;
    cost.work = execution::WorkKind::power;
    cost.bits = bits;
    cost.exponent_bits = exponent_bits;
    cost.over_lanes = true;
    return execution::tuning::Known::row(90, cost, slot);
}
template <int Bits, int ExponentBits>
inline constexpr TuningRow power_row = row_of_power(Bits, ExponentBits,
                                                    execution::tuning::Slot::large);
template <int Bits, int ExponentBits, int L>
__global__ void __launch_bounds__((power_row<Bits, ExponentBits>.threads_per_block),
                                  (power_row<Bits, ExponentBits>.min_blocks))
    power_by_hand(const BigInt<Bits> *a, const BigInt<ExponentBits> *e, const BigInt<Bits> *m,
                  BigInt<Bits> *r, std::size_t n) {
    using Wide = WarpInt<Bits, L, Together::warp>;
    const std::size_t index = Wide::index();
    if (index / (32 / L) * (32 / L) >= n)
        return;
    const std::size_t i = index < n ? index : n - 1; // the last one twice: the same result
    pow(Wide(a + i), WarpInt<ExponentBits, L, Together::warp>(e + i), Wide(m + i)).store(r + i);
}
template <int Bits, int L, Together together>
__global__ void __launch_bounds__(128, Bits <= 9216 ? 3 : 2)
    product_by_hand(const BigInt<Bits> *a, const BigInt<Bits> *b, const BigInt<Bits> *m,
                    BigInt<Bits> *r, std::size_t n) {
    using Wide = WarpInt<Bits, L, together>;
    const std::size_t index = Wide::index();
    if (index / (32 / L) * (32 / L) >= n)
        return;
    const std::size_t i = index < n ? index : n - 1;
    mulmod(Wide(a + i), Wide(b + i), Wide(m + i)).store(r + i);
}

// Exact products: as a WarpInt of twice the width, stored as they come from the rows, and by one
// level of Karatsuba.
enum class ProductWay { wide_number, as_it_comes, karatsuba };
template <int Bits, int L, ProductWay way>
__global__ void __launch_bounds__(128, Bits <= 9216 ? 4 : 2)
    exact_product(const BigInt<Bits> *a, const BigInt<Bits> *b, BigInt<2 * Bits> *r,
                  std::size_t n) {
    using W = WarpInt<Bits, L, Together::warp>;
    using Wide = WarpInt<2 * Bits, L, Together::warp>;
    constexpr int K = W::words_per_lane;
    const std::size_t index = W::index();
    if (index / (32 / L) * (32 / L) >= n)
        return;
    const std::size_t i = index < n ? index : n - 1; // the last one twice: the same result
    const typename W::group group;
    const W x(a + i), y(b + i);
    if constexpr (way == ProductWay::wide_number) {
        Wide(x * y).store(r + i);
    } else if constexpr (way == ProductWay::as_it_comes) {
        store_product(x, y, r + i);
    } else {
        Wide product;
        lanes::multiply_karatsuba<K>(group, product.words, x.words, y.words);
        product.store(r + i);
    }
}

#endif

// count: elements of a batch of products on a GPU. Powers take four times what a GPU of 132
// multiprocessors holds at once (33 * 2^22 bits in all), those beyond 8192 bits exponents of 4096
// bits.
template <int Bits, int L>
void measure_lanes(std::size_t count) {
    using Number = BigInt<Bits>;
    using Exponent = BigInt<(Bits < 8192 ? Bits : 4096)>;
    if (!device_info().gpu)
        count = std::max<std::size_t>(32, count / 4096);
    const auto a = wide_batch<Bits>(count, 1);
    const auto b = wide_batch<Bits>(count, 2);
    const auto m = wide_batch<Bits>(count, 3, true);
    const auto w = wide_batch<2 * Bits>(count, 4);
    device_vector<Number> va(a), vb(b), vm(m), r(count, uninitialized);
    device_vector<BigInt<2 * Bits>> vw(w), wide(count, uninitialized);
    [[maybe_unused]] const auto print = [&](const char *what, double numbers, double time) {
        std::printf("%6d %-24s %14.0f /s\n", Bits, what, numbers / time);
        std::fflush(stdout);
    };
    // Of formulas, with the family that they ran in.
    const auto print_formula = [&](const char *what, double numbers, double time) {
        const execution::Plan &plan = execution::last_run().plan();
        std::printf("%6d %-24s %14.0f /s  %s, %d\n", Bits, what, numbers / time,
                    execution::name(plan.family), plan.lanes);
        std::fflush(stdout);
    };
    const auto check = [&](const char *what, std::size_t numbers, const auto &right) {
        for (std::size_t i = 0; i < numbers; i += numbers / 16 + 1)
            require(right(i), what);
    };
    const double n = static_cast<double>(count);

    print_formula("a * b", n, seconds([&] { wide = va * vb; }));
    check("a * b", count, [&](std::size_t i) { return wide.read(i) == a[i] * b[i]; });
    print_formula("a + b", n, seconds([&] { r = va + vb; }));
    check("a + b", count, [&](std::size_t i) { return r.read(i) == a[i] + b[i]; });
    print_formula("a * b % m", n, seconds([&] { r = va * vb % vm; }));
    check("a * b % m", count, [&](std::size_t i) { return r.read(i) == a[i] * b[i] % m[i]; });
    print_formula("a * b % M", n, seconds([&] { r = va * vb % m[0]; }));
    check("a * b % M", count, [&](std::size_t i) { return r.read(i) == a[i] * b[i] % m[0]; });
    print_formula("divmod(w, m)", n, seconds([&] { tie(wide, r) = divmod(vw, vm); }));
    check("divmod(w, m)", count,
          [&](std::size_t i) { return wide.read(i) == w[i] / m[i] && r.read(i) == w[i] % m[i]; });
    print_formula("isqrt(a)", n, seconds([&] { r = isqrt(va); }));
    check("isqrt(a)", count, [&](std::size_t i) { return r.read(i) == isqrt(a[i]); });
    // The slower ones take fewer.
    const std::size_t some = std::max<std::size_t>(count / 8, std::min<std::size_t>(count, 4096));
    const auto first = [some](auto &v) { return v.view(0, some); };
    const double k = static_cast<double>(some);
    device_vector<Number> part(some, uninitialized);
    print_formula("gcd(a, b)", k, seconds([&] { part = gcd(first(va), first(vb)); }, 3));
    check("gcd(a, b)", some, [&](std::size_t i) { return part.read(i) == gcd(a[i], b[i]); });
    print_formula("inverse(a, m)", k, seconds([&] { part = inverse(first(va), first(vm)); }, 3));
    // One pair in five has a common divisor: no value there, 0 is stored.
    const std::vector<bool> missing = part.error_mask();
    std::printf("       %zu of %zu without an inverse\n",
                static_cast<std::size_t>(std::count(missing.begin(), missing.end(), true)), some);
    part.clear_errors();
    check("inverse(a, m)", some, [&](std::size_t i) {
        const auto expected = inverse(a[i], m[i]);
        return part.read(i) == expected.value_or(Number(0)) && missing[i] != expected.has_value();
    });

    const std::size_t powers = std::min<std::size_t>(
        count, std::max<std::size_t>((std::size_t{33} << 22) / Bits / (Bits > 8192 ? 4 : 1), 32));
    const int repetitions = Bits <= 4096 ? 3 : 1;
    std::vector<Exponent> e;
    for (std::size_t i = 0; i < powers; ++i)
        e.push_back(static_cast<Exponent>(b[i]));
    device_vector<Exponent> ve(e);
    device_vector<Number> results(powers, uninitialized);
    const auto check_powers = [&](const char *what, std::size_t numbers, const auto &got) {
        check(what, numbers,
              [&](std::size_t i) { return got.read(i) == expected_power(a[i], e[i], m[i]); });
    };
    const auto power_of = [&](std::size_t size) {
        return pow(va.view(0, size), ve.view(0, size), vm.view(0, size));
    };
    print_formula(Bits < 8192 ? "pow(a, e, m)" : "pow(a, e of 4096, m)",
                  static_cast<double>(powers),
                  seconds([&] { results = power_of(powers); }, repetitions));
    check_powers("pow", powers, results);
    std::printf("       %s\n", explain(power_of(powers)).to_string().c_str());
    if constexpr (Bits <= 4096) {
        print_formula(
            "pow(a, e, m) * b + a", static_cast<double>(powers),
            seconds([&] { results = power_of(powers) * vb.view(0, powers) + va.view(0, powers); },
                    repetitions));
        check("pow(a, e, m) * b + a", powers, [&](std::size_t i) {
            return results.read(i) == Number(expected_power(a[i], e[i], m[i]) * b[i] + a[i]);
        });
    }

    // Small batches, over the lanes of large batches and over those of small ones.
    for (std::size_t batch : {std::size_t{1}, std::size_t{100}, std::size_t{1000},
                              std::size_t{4000}, std::size_t{8000}}) {
        if (batch > powers)
            break;
        using execution::tuning::Slot;
        constexpr int many = row_of_power(Bits, Exponent::bits, Slot::large).lanes;
        constexpr int few = row_of_power(Bits, Exponent::bits, Slot::small).lanes;
        for (int lanes : {many, few}) {
            TuningRow row;
            row.kind = execution::WorkKind::power;
            row.family = execution::KernelFamily::lanes_per_number;
            row.lanes = lanes;
            row.threads_per_block = 64;
            clear_tuning_rows();
            add_tuning_row(row);
            device_vector<Number> small(batch, uninitialized);
            const double time = seconds([&] { small = power_of(batch); }, 1);
            check_powers("a small batch", batch, small);
            std::printf(
                "%6d pow of %5zu, %2d lanes if compiled (%2d taken): %10.3f ms, %12.0f /s\n", Bits,
                batch, lanes, execution::last_run().plan().lanes, time * 1000,
                static_cast<double>(batch) / time);
        }
    }
    clear_tuning_rows();

#if WARPINT_CUDA
    if (device_info().gpu) {
        if constexpr (Bits % (128 * L) == 0) { // whole vectors in every lane
            const auto one_way = [&](const char *name, auto way) {
                print(name, n, seconds([&] {
                          exact_product<Bits, L, decltype(way)::value>
                              <<<WarpInt<Bits, L>::blocks(count, 128), 128>>>(va.data(), vb.data(),
                                                                              wide.data(), count);
                      }));
                wait_for_device();
                check(name, count, [&](std::size_t i) { return wide.read(i) == a[i] * b[i]; });
            };
            using enum ProductWay;
            one_way("a * b, a wide number", std::integral_constant<ProductWay, wide_number>{});
            one_way("a * b, as it comes", std::integral_constant<ProductWay, as_it_comes>{});
            one_way("a * b, Karatsuba", std::integral_constant<ProductWay, karatsuba>{});
        }
        constexpr TuningRow row = power_row<Bits, Exponent::bits>;
        constexpr unsigned threads = static_cast<unsigned>(row.threads_per_block);
        const double by_hand = seconds(
            [&] {
                power_by_hand<Bits, Exponent::bits, row.lanes>
                    <<<WarpInt<Bits, row.lanes>::blocks(powers, row.threads_per_block), threads>>>(
                        va.data(), ve.data(), vm.data(), results.data(), powers);
            },
            repetitions);
        print("pow, kernel of one's own", static_cast<double>(powers), by_hand);
        wait_for_device();
        check_powers("pow by hand", powers, results);
        const auto by_mode = [&](const char *name, auto together) {
            print(name, n, seconds([&] {
                      product_by_hand<Bits, L, decltype(together)::value>
                          <<<WarpInt<Bits, L>::blocks(count, 128), 128>>>(
                              va.data(), vb.data(), vm.data(), r.data(), count);
                  }));
            wait_for_device();
            check(name, count, [&](std::size_t i) { return r.read(i) == a[i] * b[i] % m[i]; });
        };
        by_mode("a * b % m, likewise", std::integral_constant<Together, Together::warp>{});
        by_mode("  not whole warps", std::integral_constant<Together, Together::number>{});
    }
#endif
}

} // namespace perf
