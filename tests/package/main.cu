// SPDX-License-Identifier: Apache-2.0
// The same user's program with a batch, on the GPU where there is one: (2^255 - 1) + (2^254 +
// 12345) modulo 2^255 is 2^254 + 12344. (A small formula: that it compiles and links is what is
// tested.)

#include <cstdio>
#include <warpint/warpint.h>

using warpint::BigInt;

int main() {
    const BigInt<255> one = 1;
    const warpint::device_vector<BigInt<255>> a(1000, ~BigInt<255>(0));
    const warpint::device_vector<BigInt<255>> b(1000, (one << 254) + 12345);

    warpint::device_vector<BigInt<255>> c;
    c = a + b;
    for (const BigInt<255> &element : c.to_host()) {
        if (element != (one << 254) + 12344) {
            std::printf("wrong sum: %s\n", to_string(element).c_str());
            return 1;
        }
    }

    std::puts("consumer_cuda: correct");
    return 0;
}
