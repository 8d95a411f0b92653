// SPDX-License-Identifier: Apache-2.0
// Numbers in order: what a thread computes for an index when batches are sorted (order.h). The same
// on hosts.
#pragma once

#include "../../number/arithmetic.h"
#include "../../number/compare.h"

namespace warpint::execution {

// Windows of 64 bits that numbers of type T have: window 0 holds the leading bits, the last one
// fewer than 64 if the width is no multiple.
template <AnyNumber T>
inline constexpr int order_windows = (number::bits_of<T> + 63) / 64;

// 64 bits, from bit `low` >= -63 on, of an array of limbs. Bits outside are 0.
template <int N>
WARPINT_HOST_DEVICE constexpr std::uint64_t bits_from(const std::uint32_t (&limbs)[N], int low) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 3; ++i) { // 64 bits lie in up to three limbs
        const int limb = (low + 64) / 32 - 2 + i;
        const int place = 32 * limb - low;
        if (limb < 0 || limb >= N || place >= 64)
            continue;
        const std::uint64_t x = limbs[limb];
        bits |= place >= 0 ? x << place : x >> -place;
    }
    return bits;
}

// Window k of x: x < y exactly if the first window in which they differ is less. Bits of the last
// window beyond the number are 0, at the low end.
template <AnyNumber T>
WARPINT_HOST_DEVICE constexpr std::uint64_t order_window(const T &x, int k) {
    const auto &value = number::as_number(x);
    constexpr int bits = number::bits_of<T>;
    constexpr std::uint64_t sign = number::signed_of<T> ? std::uint64_t{1} << 63 : 0;
    const std::uint64_t window = bits_from(value.limbs, bits - 64 * (k + 1));
    return k == 0 ? window ^ sign : window;
}

template <AnyNumber T>
struct NumberBefore {
    WARPINT_HOST_DEVICE bool operator()(const T &x, const T &y) const {
        return number::less(number::as_number(x), number::as_number(y));
    }
};

// ---- by windows, for machines that sort pairs

template <class T>
struct WindowsOfNumbers { // windows[i]: window k of the number at positions[i]
    const T *numbers;
    std::uint64_t *windows;
    const std::uint32_t *positions;
    int k;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        windows[i] = order_window(numbers[positions[i]], k);
    }
};
struct FirstPositions { // 0, 1, 2 ...
    std::uint32_t *positions;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        positions[i] = static_cast<std::uint32_t>(i);
    }
};
struct EqualNeighbours { // *found becomes 1 if windows i and i + 1 are equal for some i
    const std::uint64_t *windows;
    std::uint32_t *found;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const {
        if (windows[i] == windows[i + 1])
            *found = 1;
    }
};
template <class T, class Positions>
struct GatherByOrder { // to[i]: the element at positions[i]
    const T *from;
    T *to;
    Positions positions;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const { to[i] = from[positions[i]]; }
};
template <class Positions>
struct PositionsByOrder {
    std::uint64_t *to;
    Positions positions;
    WARPINT_HOST_DEVICE void operator()(std::size_t i) const { to[i] = positions[i]; }
};

struct DifferentBits {
    const std::uint64_t *first; // in device memory
    WARPINT_HOST_DEVICE std::uint64_t operator()(std::uint64_t x) const { return x ^ *first; }
};
struct UnionOfBits {
    WARPINT_HOST_DEVICE std::uint64_t operator()(std::uint64_t x, std::uint64_t y) const {
        return x | y;
    }
};

// ---- parts, for machines that sort together

// A number with its place: the run of numbers that it is in, its position there. Equal numbers are
// told apart by their places.
template <class T>
struct PlacedNumber {
    T value;
    std::size_t run;
    std::size_t index;
};
template <AnyNumber T>
WARPINT_HOST_DEVICE bool comes_before(const T &x, std::size_t run, std::size_t index,
                                      const PlacedNumber<T> &other) {
    const NumberBefore<T> before;
    if (before(x, other.value))
        return true;
    if (before(other.value, x))
        return false;
    return run != other.run ? run < other.run : index < other.index;
}

// The part of a number: how many of the splitters, which are in ascending order, it does not come
// before.
template <AnyNumber T>
WARPINT_HOST_DEVICE unsigned part_of(const T &x, std::size_t run, std::size_t index,
                                     const PlacedNumber<T> *splitters, unsigned count) {
    unsigned low = 0;
    unsigned high = count;
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        if (comes_before(x, run, index, splitters[middle])) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Sample k of a run: one of each `stride` numbers, at no regular distance.
WARPINT_HOST_DEVICE constexpr std::size_t sample_index(std::size_t k, std::size_t stride,
                                                       std::size_t count) {
    std::uint64_t x = (k + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
    const std::size_t index = k * stride + (x >> 32) % stride;
    return index < count ? index : count - 1;
}
template <class T>
struct TakeSamples { // to[k]: sample k
    const T *numbers;
    T *to;
    std::size_t stride;
    std::size_t count;
    WARPINT_HOST_DEVICE void operator()(std::size_t k) const {
        to[k] = numbers[sample_index(k, stride, count)];
    }
};

} // namespace warpint::execution
