// SPDX-License-Identifier: Apache-2.0
// The formulas that stand for each kind of work. A group is named in series.def.
#pragma once

#include "measure.h"

namespace perf::tune {

#define PERF_TUNE_MEASURE(type, formula)                                                           \
    measure<point, PERF_TUNE_TYPES type>(                                                          \
        meter, #formula, [](const auto &x) { return formula; }, on_gpu, count)
#define PERF_TUNE_TYPES(...) __VA_ARGS__

template <Point point, int Bits>
struct Formulas {
    using N = BigInt<Bits>;
    using Wide = BigInt<2 * Bits>;

    Meter &meter;
    const Operands<device_vector, Bits> &on_gpu;
    std::size_t count;

    void stream() {
        PERF_TUNE_MEASURE((N), x.a + x.b);
        PERF_TUNE_MEASURE((N), x.a ^ x.b);
    }
    void short_stream() {
        PERF_TUNE_MEASURE((bool), x.a < x.b);
        PERF_TUNE_MEASURE((N), x.a << 3);
    }
    void product() {
        PERF_TUNE_MEASURE((Wide), x.a * x.b);
        PERF_TUNE_MEASURE((Wide), x.a * x.b + x.c);
    }
    // In threads that of several operations: one product alone is staged.
    void fold() {
        if constexpr (is_over_lanes(cost_of(point))) {
            PERF_TUNE_MEASURE((N), x.a * x.b % x.m);
        } else {
            PERF_TUNE_MEASURE((N), ((x.a * x.b) % x.m) ^ x.c);
        }
    }
    void staged_fold() { PERF_TUNE_MEASURE((N), x.a * x.b % x.m); }
    void staged_fold_sum() { PERF_TUNE_MEASURE((N), (x.a * x.b + x.c) % x.m); }
    void root() { PERF_TUNE_MEASURE((BigInt<(Bits + 1) / 2>), isqrt(x.a)); }
    void division() {
        PERF_TUNE_MEASURE((N), x.w % x.m);
        PERF_TUNE_MEASURE((Wide, N), divmod(x.w, x.m));
    }
    void cofactor() { PERF_TUNE_MEASURE((N), inverse(x.a, x.m)); }
    void number_theory() { PERF_TUNE_MEASURE((N), gcd(x.a, x.b)); }
    void power() {
        PERF_TUNE_MEASURE((N), pow(x.a, x.b, x.m));
        PERF_TUNE_MEASURE((N), pow(x.a, x.exponent, x.m));
    }
    void short_power() { PERF_TUNE_MEASURE((N), pow(x.a, 65537, x.m)); }
};

#undef PERF_TUNE_MEASURE
#undef PERF_TUNE_TYPES

template <Point point, int Bits, void (Formulas<point, Bits>::*formulas)()>
void measure_point(Meter &meter) {
    for (const std::size_t count : counts(point)) {
        const auto on_gpu = operands<device_vector, Bits>(count);
        Formulas<point, Bits> here{meter, on_gpu, count};
        (here.*formulas)();
    }
}

// Registers a width of a series of series.def, whose formulas are the member of Formulas.
#define PERF_TUNE_REGISTER(series, bits, formulas)                                                 \
    namespace perf::tune {                                                                         \
    namespace {                                                                                    \
    constexpr Point point = point_of(all_series[series], bits);                                    \
    const bool registered =                                                                        \
        (Meter::tasks().push_back(                                                                 \
             {#formulas, point, &measure_point<point, bits, &Formulas<point, bits>::formulas>}),   \
         true);                                                                                    \
    }                                                                                              \
    }

} // namespace perf::tune
