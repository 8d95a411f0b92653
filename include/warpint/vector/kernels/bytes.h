// SPDX-License-Identifier: Apache-2.0
// Numbers from and to blocks of bytes, one by a thread. The same on hosts.
#pragma once

#include "../../expression/gather.h"
#include "../../number/bytes.h"

namespace warpint::expression::operation {

// The number in block `index` of the bytes. Faults: it does not fit T.
template <class T>
struct NumberOfBytes : Streaming {
    template <class...>
    static constexpr bool can_fault = true;
    std::size_t block = 0;
    bool big = false;

    template <class Index>
    WARPINT_HOST_DEVICE constexpr T apply(bool &fault, const GatherSource<std::uint8_t> &bytes,
                                          const Index &index) const {
        T r{};
        // A thread beyond the end of the batch has no block.
        if (index >= bytes.size / block)
            return r;
        if (!number::read_bytes(r, bytes.data + index * block, block,
                                big ? std::endian::big : std::endian::little)) {
            fault = true;
        }
        return r;
    }
};

// Byte `index` of the blocks that numbers fill, sign or zero extended.
struct ByteOfNumber : Streaming {
    std::size_t block = 0;
    bool big = false;

    template <class T, class Index>
    WARPINT_HOST_DEVICE constexpr std::uint8_t apply(bool &, const GatherSource<T> &numbers,
                                                     const Index &index) const {
        const std::size_t element = index / block;
        if (element >= numbers.size)
            return 0;
        const std::size_t in_block = index % block;
        const std::size_t byte = big ? block - 1 - in_block : in_block;
        const std::uint32_t *const limbs = numbers.data[element].limbs;
        if (byte >= std::size_t{4} * static_cast<unsigned>(T::limb_count)) {
            const std::uint32_t top = limbs[T::limb_count - 1];
            return T::is_signed && (top >> 31) != 0 ? 0xff : 0;
        }
        return static_cast<std::uint8_t>(limbs[byte / 4] >> (byte % 4 * 8));
    }
};

// Whether a number fits in `limit` bits, with its sign.
struct FitsBits : Streaming {
    int limit = 0;

    template <class T>
    WARPINT_HOST_DEVICE constexpr bool apply(bool &, const T &x) const {
        if (limit >= T::bits)
            return true;
        return number::equal(x >> (T::is_signed && limit > 0 ? limit - 1 : limit),
                             number::is_negative(x) && limit > 0 ? T(-1) : T(0));
    }
};

} // namespace warpint::expression::operation
