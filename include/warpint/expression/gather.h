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

    // Element i < size.
    WARPINT_HOST_DEVICE constexpr T load(std::size_t i, bool &fault) const {
        if (faults != nullptr)
            fault = fault || (faults[i / 32] >> (i % 32) & 1u) != 0;
        return data[i];
    }
};

// All shards of a batch as gather() reads them, in the tree that runs.
inline constexpr std::size_t max_gathered_shards = 16;
template <class T>
struct ShardedSource {
    GatherSource<T> shards[max_gathered_shards];
    std::size_t count;
    std::size_t size;

    // Element i < size.
    WARPINT_HOST_DEVICE constexpr T load(std::size_t i, bool &fault) const {
        for (std::size_t k = 0; k < count; ++k) {
            if (i < shards[k].size)
                return shards[k].load(i, fault);
            i -= shards[k].size;
        }
        return T{};
    }
};

// GatherSource in the user's tree.
template <class T, Space space>
struct SourceLeaf : BatchLeaf<T, space> {
    using value_type = GatherSource<T>;
};
template <class T, Space space>
inline constexpr bool is_description<SourceLeaf<T, space>> = true;

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
    // Whether the source has an element at this index, a number; and which.
    template <class Source, class Index>
    WARPINT_HOST_DEVICE static constexpr bool has(const Source &source, const Index &index) {
        return !number::is_negative(index) &&
               number::less(index, number::as_number(std::uint64_t{source.size}));
    }
    template <class Index>
    WARPINT_HOST_DEVICE static constexpr std::size_t position(const Index &index) {
        const BigInt<64> low = number::to<BigInt<64>>(index);
        return static_cast<std::size_t>(std::uint64_t{low.limbs[1]} << 32 | low.limbs[0]);
    }
    template <class Source, class Index>
    WARPINT_HOST_DEVICE static constexpr auto apply(bool &fault, const Source &source,
                                                    const Index &index) {
        using T = decltype(source.load(0, fault));
        const auto at = number::as_number(index);
        if (!has(source, at)) {
            fault = true;
            return T{};
        }
        return source.load(position(at), fault);
    }
};

} // namespace operation

// Whether an operation on a source and an index is gather(): others read bytes or text.
template <class Operation>
inline constexpr bool is_gather = false;
template <>
inline constexpr bool is_gather<operation::Gather> = true;

} // namespace warpint::expression
