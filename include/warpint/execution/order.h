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

#include "kernels/order.h"
#include "parallel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace warpint::execution {

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

// The order of entries: by the number, then by the position.
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

inline constexpr std::size_t max_ordered_by_windows = std::numeric_limits<std::uint32_t>::max();

// Leaves the positions of numbers[0, count) in ascending order in machine.positions(); equal
// numbers keep theirs. On input: count <= max_ordered_by_windows. A machine has room for count
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
