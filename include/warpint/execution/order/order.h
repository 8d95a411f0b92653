// SPDX-License-Identifier: Apache-2.0
// The order of a batch of numbers, as positions: what sorting is made of.
//
// On a CPU numbers, or entries (64 bits of a number, its position), are distributed to parts
// between splitters, and all cores sort parts. On a GPU positions are sorted by windows of 64 bits:
// by the leading window that is not the same in all numbers, and that is all if no two numbers
// agree in it; otherwise by all windows from the last to that one, each pass keeping what it finds
// equal in the order of the passes before (least significant digit first: Knuth, The Art of
// Computer Programming, volume 3, section 5.2.5).
#pragma once

#include "../../limb/barrier.h"
#include "../kernels/order.h"
#include "../memory/parallel.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
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

// The order of numbers whose windows before the leading one are equal.
template <BigNumber T>
struct OrderOfNumbers : NumberBefore<T> {
    int leading;
    [[nodiscard]] std::uint64_t window(const T &x) const { return order_window(x, leading); }
};

// The order of entries: by the number, then by the position.
template <AnyNumber T>
struct EntryBefore {
    const T *numbers;
    [[nodiscard]] static std::uint64_t window(const OrderEntry &entry) { return entry.window; }
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

// The parts that pay for so many elements: a power of two.
constexpr std::size_t parts_for(std::size_t count) {
    constexpr std::size_t elements_of_part = 128;
    constexpr std::size_t most = 1024;
    return std::bit_floor(std::clamp<std::size_t>(count / elements_of_part, 1, most));
}

// Numbers in ascending order that cut a batch into parts, a power of two.
template <class Entry, class Order>
class Splitters {
public:
    // Of several samples for each part.
    Splitters(std::vector<Entry> &&samples, std::size_t parts, const Order &order)
        : order_{order}, parts_{parts} {
        std::sort(samples.begin(), samples.end(), order);
        for (std::size_t k = 1; k < parts; ++k) {
            entries_.push_back(samples[samples.size() / parts * k]);
            windows_.push_back(order.window(entries_.back()));
        }
    }
    // How many splitters the entry is not less than: by windows, without a branch, unless they are
    // equal.
    [[nodiscard]] WARPINT_INLINE std::size_t part_of(const Entry &entry) const {
        const std::uint64_t window = order_.window(entry);
        const std::uint64_t *before = windows_.data(); // the splitters before it are not greater
        for (std::size_t half = parts_ / 2; half > 0; half /= 2) {
            const std::uint64_t is_less = window < before[half - 1];
            before += half & (limb::value_barrier(is_less) - 1);
        }
        const auto part = static_cast<std::size_t>(before - windows_.data());
        if (part == 0 || before[-1] != window) [[likely]]
            return part;
        return static_cast<std::size_t>(
            std::upper_bound(entries_.begin(), entries_.end(), entry, order_) - entries_.begin());
    }

private:
    Order order_;
    std::size_t parts_;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> windows_;
};

// Writes source(0) ... source(count - 1) in ascending order to `to`, in `parts` parts, a power of
// two of at most 2^16. order(a, b): whether a comes before b; elements of which neither does are
// the same. order.window(a): not greater than order.window(b) if so.
template <class Entry, class Source, class Order>
void sort_in_parts(std::size_t count, const Source &source, std::size_t parts, Entry *to,
                   const Order &order) {
    constexpr std::size_t operations = 40; // for an element
    if (parts <= 1 || count == 0) {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = source(i);
        std::sort(to, to + count, order);
        return;
    }
    std::vector<Entry> samples(4 * parts);
    const std::size_t stride = std::max<std::size_t>(1, count / samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k)
        samples[k] = source(sample_index(k, stride, count));
    const Splitters<Entry, Order> splitters(std::move(samples), parts, order);

    // Each piece counts its elements of every part, then moves them there.
    const std::size_t pieces = cpu_threads() == 1 ? 1 : std::size_t{4} * cpu_threads();
    const auto for_pieces = [&](const auto &body) {
        parallel_for(pieces, 1, operations * (count / pieces),
                     [&](std::size_t first, std::size_t last) {
                         for (std::size_t piece = first; piece < last; ++piece)
                             body(piece, count * piece / pieces, count * (piece + 1) / pieces);
                     });
    };
    std::vector<std::uint16_t> part(count);
    std::vector<std::size_t> places(pieces * parts);
    for_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
        std::size_t *const counts = places.data() + piece * parts;
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t k = splitters.part_of(source(i));
            part[i] = static_cast<std::uint16_t>(k);
            ++counts[k];
        }
    });
    std::size_t place = 0;
    for (std::size_t k = 0; k < parts; ++k) {
        for (std::size_t piece = 0; piece < pieces; ++piece)
            place += std::exchange(places[piece * parts + k], place);
    }
    for_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
        std::size_t *const next = places.data() + piece * parts;
        for (std::size_t i = first; i < last; ++i)
            to[next[part[i]]++] = source(i);
    });
    // The last piece's places are now the parts' ends.
    const std::size_t *const ends = places.data() + (pieces - 1) * parts;
    parallel_for(parts, 1, operations * (count / parts), [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            Entry *const begin = to + (k == 0 ? 0 : ends[k - 1]);
            if (!std::is_sorted(begin, to + ends[k], order)) // as equal elements are
                std::sort(begin, to + ends[k], order);
        }
    });
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
    sort_in_parts(
        count, [numbers](std::size_t i) -> const T & { return numbers[i]; }, parts_for(count),
        sorted, OrderOfNumbers<T>{{}, leading_window(numbers, count)});
}

// The positions of numbers[0, count) in ascending order; equal numbers keep theirs.
template <AnyNumber T>
std::vector<OrderEntry> order_on_cpu(const T *numbers, std::size_t count) {
    std::vector<OrderEntry> entries(count);
    const int leading = leading_window(numbers, count);
    sort_in_parts(
        count,
        [numbers, leading](std::size_t i) {
            return OrderEntry{order_window(numbers[i], leading), i};
        },
        parts_for(count), entries.data(), EntryBefore<T>{numbers});
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
