// SPDX-License-Identifier: Apache-2.0
// The order of a batch of numbers, as positions: what sorting is made of.
//
// On a CPU every core sorts a share of the numbers, or of entries (64 bits of a number, its
// position), and all cores merge the shares. On a GPU positions are sorted by windows of 64 bits:
// by the leading window that is not the same in all numbers, and that is all if no two numbers
// agree in it; otherwise by all windows from the last to that one, each pass keeping what it finds
// equal in the order of the passes before (least significant digit first: Knuth, The Art of
// Computer Programming, volume 3, section 5.2.5).
#pragma once

#include "../number/arithmetic.h"
#include "../number/compare.h"
#include "parallel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

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

// ---- on a CPU

struct OrderEntry {
    std::uint64_t window; // the leading one
    std::uint64_t index;
};

// Positions by subscript.
struct OrderOfEntries {
    const OrderEntry *entries;
    [[nodiscard]] WARPINT_HOST_DEVICE std::uint64_t operator[](std::size_t i) const {
        return entries[i].index;
    }
};

// Orders of numbers, and of entries: by the number, then by the position.
template <AnyNumber T>
struct NumberBefore {
    WARPINT_HOST_DEVICE bool operator()(const T &x, const T &y) const {
        return number::less(number::as_number(x), number::as_number(y));
    }
};
template <AnyNumber T>
struct EntryBefore {
    const T *numbers;
    WARPINT_HOST_DEVICE bool operator()(const OrderEntry &a, const OrderEntry &b) const {
        if (a.window != b.window)
            return a.window < b.window;
        if constexpr (order_windows<T> != 1) {
            const NumberBefore<T> before;
            if (before(numbers[a.index], numbers[b.index]))
                return true;
            if (before(numbers[b.index], numbers[a.index]))
                return false;
        }
        return a.index < b.index;
    }
};

// How many of the first k elements of the merged sequence come from a; b gives the others. On
// input: a and b are sorted, k <= a_count + b_count. Elements that neither is less are the same.
template <class Entry, class Less>
WARPINT_HOST_DEVICE std::size_t merged_from_first(std::size_t k, const Entry *a,
                                                  std::size_t a_count, const Entry *b,
                                                  std::size_t b_count, const Less &less) {
    std::size_t low = k > b_count ? k - b_count : 0;
    std::size_t high = k < a_count ? k : a_count;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (less(a[middle], b[k - middle - 1])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Sorts with as many shares as `shares`, a power of two. less: a strict order in which elements
// that neither is less are the same.
template <class Entry, class Less>
void sort_in_shares(std::vector<Entry> &entries, std::size_t shares, const Less &less) {
    const std::size_t count = entries.size();
    constexpr std::size_t long_work = 1'000'000;
    const auto start = [&](std::size_t share) {
        return count / shares * share + std::min(share, count % shares);
    };
    parallel_for(shares, 1, long_work, [&](std::size_t first, std::size_t last) {
        for (std::size_t share = first; share < last; ++share)
            std::sort(entries.data() + start(share), entries.data() + start(share + 1), less);
    });
    std::vector<Entry> merged(shares > 1 ? count : 0);
    // Pairs of `width` shares each become one; every share of the result is a piece of work.
    for (std::size_t width = 1; width < shares; width *= 2) {
        parallel_for(shares, 1, long_work, [&](std::size_t first, std::size_t last) {
            for (std::size_t share = first; share < last; ++share) {
                const std::size_t pair = share / (2 * width) * 2 * width;
                const Entry *const a = entries.data() + start(pair);
                const Entry *const b = entries.data() + start(pair + width);
                const std::size_t a_count = start(pair + width) - start(pair);
                const std::size_t b_count = start(pair + 2 * width) - start(pair + width);
                const std::size_t from = start(share) - start(pair);
                const std::size_t to = start(share + 1) - start(pair);
                const std::size_t a_from = merged_from_first(from, a, a_count, b, b_count, less);
                const std::size_t a_to = merged_from_first(to, a, a_count, b, b_count, less);
                std::merge(a + a_from, a + a_to, b + (from - a_from), b + (to - a_to),
                           merged.data() + start(share), less);
            }
        });
        entries.swap(merged);
    }
}

// Shares that pay for so many entries.
inline std::size_t shares_for(std::size_t count) {
    constexpr std::size_t worth_sharing_entries = 10'000;
    return count < worth_sharing_entries ? 1 : std::bit_ceil(cpu_threads());
}

// The first window in which the numbers are not all equal; the last one if there is none.
template <AnyNumber T>
int leading_window(const T *numbers, std::size_t count) {
    int leading = 0;
    while (leading + 1 < order_windows<T> && std::all_of(numbers, numbers + count, [&](const T &x) {
               return order_window(x, leading) == order_window(numbers[0], leading);
           }))
        ++leading;
    return leading;
}

// Whether sorting moves the numbers themselves: short ones.
template <class T>
inline constexpr bool sorts_directly = BigNumber<T> && sizeof(T) <= 64;

// Writes numbers[0, count) in ascending order to `sorted`, another place.
template <BigNumber T>
void sort_on_cpu(const T *numbers, std::size_t count, T *sorted) {
    std::vector<T> values(numbers, numbers + count);
    sort_in_shares(values, shares_for(count), NumberBefore<T>{});
    std::copy(values.begin(), values.end(), sorted);
}

// The positions of numbers[0, count) in ascending order; equal numbers keep theirs.
template <AnyNumber T>
std::vector<OrderEntry> order_on_cpu(const T *numbers, std::size_t count) {
    std::vector<OrderEntry> entries(count);
    const int leading = leading_window(numbers, count);
    parallel_for(count, 1, 8, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            entries[i] = OrderEntry{order_window(numbers[i], leading), i};
    });
    sort_in_shares(entries, shares_for(count), EntryBefore<T>{numbers});
    return entries;
}

// ---- by windows, for machines that sort pairs

inline constexpr std::size_t most_ordered_by_windows = std::numeric_limits<std::uint32_t>::max();

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

// Leaves the positions of numbers[0, count) in ascending order in machine.positions(); equal
// numbers keep theirs. On input: count <= most_ordered_by_windows. A machine has room for count
// windows and positions, and
//
//   windows(), positions()             where they lie now
//   for_each(n, f)                     f(0) ... f(n - 1), in any order
//   varying()                          the bits in which the windows differ from the first one
//   sort(first_bit, last_bit)          sorts pairs of both by these bits of the window, stably
//   equal_neighbours()                 whether two windows side by side are equal
template <AnyNumber T, class Machine>
void order_by_windows(Machine &machine, const T *numbers, std::size_t count) {
    constexpr int windows = order_windows<T>;
    const auto take = [&](int k) {
        machine.for_each(count,
                         WindowsOfNumbers<T>{numbers, machine.windows(), machine.positions(), k});
        return machine.varying();
    };
    const auto sort_by = [&](std::uint64_t varying) {
        machine.sort(std::countr_zero(varying), 64 - std::countl_zero(varying));
    };
    machine.for_each(count, FirstPositions{machine.positions()});
    if (count < 2)
        return;
    int leading = 0;
    std::uint64_t varying = 0;
    while (leading < windows && (varying = take(leading)) == 0)
        ++leading;
    if (leading == windows)
        return; // all are equal
    sort_by(varying);
    if (leading + 1 == windows || !machine.equal_neighbours())
        return;
    machine.for_each(count, FirstPositions{machine.positions()});
    for (int k = windows - 1; k >= leading; --k) {
        varying = take(k);
        if (varying != 0)
            sort_by(varying);
    }
}

} // namespace warpint::execution
