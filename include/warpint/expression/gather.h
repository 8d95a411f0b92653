// SPDX-License-Identifier: Apache-2.0
// gather(v, index): elements of a batch by position.
#pragma once

#include "node.h"

namespace warpint::expression {

// A batch as gather() reads it, in the tree that runs.
template <class T>
struct GatherSource {
    const T *data;
    const std::uint32_t *faults; // null if every element has a value
    std::size_t size;
};

// The same in the user's tree.
template <class T, Space space>
struct SourceLeaf : BatchLeaf<T, space> {
    using value_type = GatherSource<T>;
};

// What gather() reads from: a vector or a view, not a formula.
template <class Leaf>
inline constexpr bool is_stored_batch = false;
template <class T, Space space>
inline constexpr bool is_stored_batch<BatchLeaf<T, space>> = true;

namespace operation {

// source[index]. Faults: an index beyond the source; an element without a value.
struct Gather : Streaming {
    template <class...>
    static constexpr bool can_fault = true;
    template <class T, class Index>
    WARPINT_HOST_DEVICE static constexpr T apply(bool &fault, const GatherSource<T> &source,
                                                 const Index &index) {
        const auto position = number::as_number(index);
        if (number::is_negative(position) ||
            !number::less(position, number::as_number(std::uint64_t{source.size}))) {
            fault = true;
            return T{};
        }
        const BigInt<64> low = number::to<BigInt<64>>(position);
        const std::size_t i =
            static_cast<std::size_t>(std::uint64_t{low.limbs[1]} << 32 | low.limbs[0]);
        if (source.faults != nullptr)
            fault = fault || (source.faults[i / 32] >> (i % 32) & 1u) != 0;
        return source.data[i];
    }
};

} // namespace operation
} // namespace warpint::expression
