// SPDX-License-Identifier: Apache-2.0
// A program whose code is compiled for compute capability 8.0 alone, for the driver to translate:
// on every GPU of 8.0 or later explain() says that its rows are not measured, of formulas in a
// thread and over lanes, and results are right. Exit code 0: right; 77: not possible here.
#include <warpint/vector.h>

#include <cstdio>
#include <string>

using namespace warpint;

namespace {

bool is_right(bool condition, const char *what) {
    if (!condition)
        std::printf("wrong: %s\n", what);
    return condition;
}

template <int Bits>
bool runs(execution::KernelFamily family) {
    const BigInt<Bits> m = ~BigInt<Bits>(0) - 188u;
    const device_vector<BigInt<Bits>> a(100, BigInt<Bits>(5)), b(100, m - 1u), n(100, m);
    device_vector<BigInt<Bits>> r;
    const Explanation explained = explain(a * b % n, r);
    std::printf("%s\n", explained.to_string().c_str());
    r = a * b % n;
    return is_right(explained.family == family, "the family of kernels") &&
           is_right(explained.reason.find("not measured here") == 0, "the reason") &&
           is_right(r[99] == m - 5u, "the result");
}

} // namespace

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 ||
        device_info().compute_capability < 80) {
        std::puts("skipped: no GPU of compute capability 8.0 or later");
        return 77;
    }
    return runs<256>(execution::KernelFamily::thread_per_number) &&
                   runs<4096>(execution::KernelFamily::lanes_per_number)
               ? 0
               : 1;
}
