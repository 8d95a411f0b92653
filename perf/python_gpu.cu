// SPDX-License-Identifier: Apache-2.0
// A formula of python_gpu.py in C++: FORMULA is its number there, BITS the width. Prints
// milliseconds for the elements whose number is the argument, measured as there.
#include <warpint/warpint.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace warpint;

namespace {

using Number = BigInt<BITS>;

device_vector<Number> numbers(std::size_t count) {
    std::mt19937_64 generator(BITS);
    std::vector<Number> v(count);
    for (Number &x : v) {
        for (int i = 0; i < Number::limb_count; ++i)
            x.limbs[i] = static_cast<std::uint32_t>(generator());
        x = x >> (32 * Number::limb_count - BITS);
    }
    return device_vector<Number>(v);
}

void wait() {
    if (cudaDeviceSynchronize() != cudaSuccess)
        std::exit(1);
}

// Of one run, the best of rounds of at least 50 ms, in 0.3 s.
template <class Run>
void print(const Run &run) {
    using clock = std::chrono::steady_clock;
    const auto round = [&](int runs) {
        const auto start = clock::now();
        for (int i = 0; i < runs; ++i)
            run();
        wait();
        return std::chrono::duration<double, std::milli>(clock::now() - start).count();
    };
    round(2);
    const int runs = std::max(1, static_cast<int>(60 / round(1)));
    double best = round(runs) / runs;
    for (const auto start = clock::now(); clock::now() - start < std::chrono::milliseconds(300);)
        best = std::min(best, round(runs) / runs);
    std::printf("%.6g\n", best);
}
#define STORE(formula)                                                                             \
    auto out = eval(formula);                                                                      \
    print([&] { out = formula; })
#define REDUCE(formula)                                                                            \
    auto out = formula;                                                                            \
    print([&] { out = formula; })

} // namespace

int main(int, char **arguments) {
    const std::size_t n = std::strtoull(arguments[1], nullptr, 10);
    [[maybe_unused]] const Number M = Number(0u) - Number(189u);
    const auto a = numbers(n);
    // As random as a, for what is measured.
    const device_vector<Number> b = a * a % M, m = a * b % M, o = b * b % M | Number(1u);
#if FORMULA == 0
    STORE(a + b);
#elif FORMULA == 1
    STORE(a * b);
#elif FORMULA == 2
    STORE(a * b % m);
#elif FORMULA == 3
    STORE(a * b % M);
#elif FORMULA == 4
    STORE(pow(a, b, o));
#elif FORMULA == 5
    STORE(pow(a, 65537, o));
#elif FORMULA == 6
    REDUCE(sum(a));
#elif FORMULA == 7
    REDUCE(sum(a * b % o));
#endif
}
