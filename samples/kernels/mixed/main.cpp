// SPDX-License-Identifier: Apache-2.0
// The C++ half: any C++20 compiler. host_vector, views and exceptions are the same types in both
// files; device_vector is not, and stays on its side.
//
//   nvcc -std=c++20 -arch=native -I include samples/kernels/mixed/*.c* && ./a.out
#include <cstdio>
#include <stdexcept>

#include "numbers.h"

#include <warpint/warpint.h>

int main() {
    constexpr std::size_t n = 10'000;
    const Number p = (Number(1) << 255) - 19u;
    warpint::host_vector<Number> x = warpint::indices(n) + 1;
    x.write(77, p); // has no inverse

    warpint::host_vector<Number> inverted = inverses(x, p);
    bool right = true;
    try {
        (void)count(x * inverted % p == 1);
        right = false;
    } catch (const std::domain_error &error) {
        std::printf("%s\n", error.what());
    }
    inverted.write(77, 0);                                  // it has a value now
    right = right && count(x * inverted % p == 1) == n - 1; // on all cores of the host
    std::printf("%zu inverses, %s\n", n - 1, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
