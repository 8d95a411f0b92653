// SPDX-License-Identifier: Apache-2.0
// A user's program with plain numbers only: that it finds the headers and links is what is tested.

#include <cstdio>
#include <warpint/bigint.h>

int main() {
    const warpint::BigInt<99> number = 7;
    if (number * number != 49) {
        std::puts("wrong square");
        return 1;
    }
    std::puts("consumer: correct");
    return 0;
}
