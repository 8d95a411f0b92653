// SPDX-License-Identifier: Apache-2.0
// Numbers of two 64-bit words, for hosts: sums and differences modulo 2^128 as two instructions
// (g++ 12 keeps 128-bit integers in memory, and makes four of a carry that is a value).
#pragma once

#include "arithmetic.h"

#if WARPINT_HAS_INT128

namespace warpint::limb {

struct WordPair {
    std::uint64_t high;
    std::uint64_t low;
};

WARPINT_INLINE WordPair operator+(WordPair x, WordPair y) {
#if WARPINT_X86_64
    asm("addq %3, %1\n\tadcq %2, %0"
        : "+r"(x.high), "+r"(x.low)
        : "er"(y.high), "er"(y.low)
        : "cc");
    return x;
#else
    std::uint64_t carry = 0;
    x.low = add_carry(x.low, y.low, carry);
    return {add_carry(x.high, y.high, carry), x.low};
#endif
}
WARPINT_INLINE WordPair operator-(WordPair x, WordPair y) {
#if WARPINT_X86_64
    asm("subq %3, %1\n\tsbbq %2, %0"
        : "+r"(x.high), "+r"(x.low)
        : "er"(y.high), "er"(y.low)
        : "cc");
    return x;
#else
    std::uint64_t borrow = 0;
    x.low = sub_borrow(x.low, y.low, borrow);
    return {sub_borrow(x.high, y.high, borrow), x.low};
#endif
}
WARPINT_INLINE bool operator>=(WordPair x, WordPair y) {
    return x.high > y.high || (x.high == y.high && x.low >= y.low);
}
WARPINT_INLINE WordPair product(std::uint64_t x, std::uint64_t y) {
    std::uint64_t high = 0;
    const std::uint64_t low = multiply_add(x, y, std::uint64_t{0}, high);
    return {high, low};
}

// x / 2^k, rounded down, 0 < k < 64.
WARPINT_INLINE WordPair shift_right(WordPair x, int k) {
    return {x.high >> k, x.high << (64 - k) | x.low >> k};
}
// x 2^k modulo 2^128, 0 < k < 64.
WARPINT_INLINE WordPair shift_left(WordPair x, int k) {
    return {x.high << k | x.low >> (64 - k), x.low << k};
}

} // namespace warpint::limb

#endif // WARPINT_HAS_INT128
