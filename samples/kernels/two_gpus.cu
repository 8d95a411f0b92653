// SPDX-License-Identifier: Apache-2.0
// All GPUs of the machine: a vector in pieces, one on each. With one GPU it is one piece.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/two_gpus.cu && ./a.out
#include <cstdio>

#include <warpint/sharded.h>
#include <warpint/warpint.h>

using Number = warpint::BigInt<2048>;

int main() {
    if (!warpint::device_info().gpu) {
        std::puts("skipped: no GPU");
        return 77;
    }
    constexpr std::size_t n = 100'000;
    const warpint::device_group gpus; // all that are visible; device_group({0, 1}): these
    const warpint::Modulus<2048> m(~Number(0) - 1941u);
    warpint::sharded_vector<Number> base(gpus, n, Number(3)), power;
    power = pow(base, 65537u, m);  // each GPU computes its piece
    const auto total = sum(power); // and adds it up

    const auto expected = pow(Number(3), 65537u, m) * n;
    const bool right = total == expected;
    std::printf("%zu powers of 2048 bits on %zu GPU%s, %s\n", n, gpus.size(),
                gpus.size() == 1 ? "" : "s", right ? "right" : "WRONG");
    return right ? 0 : 1;
}
