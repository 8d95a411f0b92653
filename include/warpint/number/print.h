// SPDX-License-Identifier: Apache-2.0
// Numbers on standard output, from the host or from a kernel.
#pragma once

#include "../arith/limbs/text/radix.h"
#include "arithmetic.h"

#if WARPINT_HOSTED
#include <cstdio>
#endif

namespace warpint {

// Prints x in hexadecimal and ends the line: 0x1f, or -0x1f for a negative number. The line is one
// printf, so in a kernel the lines of different threads do not mix; like all output of a kernel it
// appears at the next synchronisation. Variable time.
template <BigNumber T>
WARPINT_HOST_DEVICE inline void print(const T &x) {
    constexpr int size = T::bits / 4 + 5; // sign, 0x, digits, terminating zero
    char text[size];
    BigInt<T::bits> m = number::magnitude(x);
    char *first = text + size;
    *--first = '\0';
    first = arith::to_digits(first, m.limbs, T::limb_count, 16);
    *--first = 'x';
    *--first = '0';
    if (number::is_negative(x))
        *--first = '-';
    printf("%s\n", first);
}

} // namespace warpint
