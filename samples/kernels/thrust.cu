// SPDX-License-Identifier: Apache-2.0
// Thrust's algorithms over big integers, in Thrust's vectors and in warpint's.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/thrust.cu && ./a.out
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <warpint/sort.h>
#include <warpint/warpint.h>

using Number = warpint::BigInt<192>;

struct CubeModulo {
    Number m;
    WARPINT_HOST_DEVICE Number operator()(std::uint64_t i) const { return pow(Number(i), 3u, m); }
};

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t n = 1'000'000;
    const Number m = (Number(1) << 61) - 1u;
    const thrust::counting_iterator<std::uint64_t> first(1u << 20);

    // A vector of Thrust's.
    thrust::device_vector<Number> cubes(n);
    thrust::transform(first, first + n, cubes.begin(), CubeModulo{m});
    thrust::sort(cubes.begin(), cubes.end());

    // The same in a vector of warpint, whose formulas are one kernel each.
    warpint::device_vector<Number> same(n);
    thrust::transform(first, first + n, same.begin(), CubeModulo{m});
    sort(same);

    const warpint::batch_view<const Number> of_thrust(thrust::raw_pointer_cast(cubes.data()), n);
    const bool equal = all(of_thrust == same);
    const auto end = thrust::unique(cubes.begin(), cubes.end());
    std::printf("%zu cubes, %zu of them distinct, the smallest %s; %s\n", n,
                static_cast<std::size_t>(end - cubes.begin()),
                to_string(Number(cubes.front())).c_str(), equal ? "both vectors equal" : "WRONG");
    return equal ? 0 : 1;
}
