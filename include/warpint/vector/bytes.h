// SPDX-License-Identifier: Apache-2.0
// Whole vectors as blocks of bytes, converted where the vector lies.
#pragma once

#include "reduce.h"
#include "vector.h"

#include "../number/bytes.h"

namespace warpint {

namespace expression::operation {

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

} // namespace expression::operation

namespace containers {

inline void check_block(std::size_t block) {
    if (block == 0)
        throw std::invalid_argument("warpint: blocks of 0 bytes");
}

[[noreturn]] inline void throw_block(std::size_t element, std::size_t block, int bits) {
    throw std::length_error("warpint: element " + std::to_string(element) + ", a block of " +
                            std::to_string(block) + " bytes, does not fit in " +
                            std::to_string(bits) + " bits");
}

} // namespace containers

template <class T, Space space>
void batch_vector<T, space>::assign_bytes(const batch_vector<std::uint8_t, space> &bytes,
                                          std::size_t block, std::endian order) {
    containers::check_block(block);
    if (bytes.size() % block != 0) {
        throw size_mismatch("warpint: " + std::to_string(bytes.size()) +
                            " bytes are not whole blocks of " + std::to_string(block));
    }
    bytes.check();
    using Bytes = expression::SourceLeaf<std::uint8_t, space>;
    using Read = expression::operation::NumberOfBytes<T>;
    Read read;
    read.block = block;
    read.big = order == std::endian::big;
    const Location place = bytes.location();
    batch_vector numbers(0, uninitialized, place, resource_at(place));
    numbers = expression::Node<Read, Bytes, expression::IndexLeaf>{
        read, {{Bytes{{bytes.handle(), {}}}}, {indices(bytes.size() / block)}}};
    const std::vector<bool> bad = numbers.error_mask();
    for (std::size_t i = 0; i < bad.size(); ++i) {
        if (bad[i])
            containers::throw_block(i, block, T::bits);
    }
    numbers.clear_errors();
    *this = std::move(numbers);
}

template <class T, Space space>
void batch_vector<T, space>::assign_bytes(std::span<const std::uint8_t> bytes, std::size_t block,
                                          std::endian order) {
    assign_bytes(batch_vector<std::uint8_t, space>(bytes.begin(), bytes.end()), block, order);
}

// Writes all elements to `out` in blocks of `block` bytes each, as to_bytes writes one: most
// significant byte first for std::endian::big, sign- or zero-extended. Throws, with nothing
// written: std::domain_error if there are faults, std::length_error if an element does not fit its
// block, size_mismatch if `out` is not size() blocks long, and std::invalid_argument for blocks of
// 0 bytes.
template <BigNumber T, Space space>
void to_bytes(const batch_vector<T, space> &vector, std::span<std::uint8_t> out, std::size_t block,
              std::endian order) {
    containers::check_block(block);
    if (out.size() / block != vector.size() || out.size() % block != 0) {
        throw size_mismatch("warpint: " + std::to_string(vector.size()) + " blocks of " +
                            std::to_string(block) + " bytes do not fill an output of " +
                            std::to_string(out.size()) + " bytes");
    }
    vector.check();
    if (block < (static_cast<std::size_t>(T::bits) + 7) / 8) {
        expression::operation::FitsBits of;
        of.limit = static_cast<int>(8 * block);
        const auto fits = expression::describe_by(of, vector);
        if (!all(fits)) {
            const auto first = min(select(fits, vector.size(), indices(vector.size())));
            throw std::length_error("warpint: element " + std::to_string(std::uint64_t(first)) +
                                    " does not fit in a block of " + std::to_string(block) +
                                    " bytes");
        }
    }
    if (!vector.location().on_gpu()) {
        const T *const numbers = vector.data();
        execution::parallel_for(
            vector.size(), 1, block + 16, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i)
                    number::write_bytes(numbers[i], out.data() + i * block, block, order);
            });
        return;
    }
    using Numbers = expression::SourceLeaf<T, space>;
    using Byte = expression::operation::ByteOfNumber;
    Byte byte;
    byte.block = block;
    byte.big = order == std::endian::big;
    batch_vector<std::uint8_t, space> bytes;
    bytes = expression::Node<Byte, Numbers, expression::IndexLeaf>{
        byte, {{Numbers{{vector.handle(), {}}}}, {indices(out.size())}}};
    execution_backend::copy_to_host(out.data(), *bytes.handle(), 0, out.size());
}
// The same as a std::vector.
template <BigNumber T, Space space>
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const batch_vector<T, space> &vector,
                                                 std::size_t block, std::endian order) {
    containers::check_block(block);
    std::vector<std::uint8_t> bytes(vector.size() * block);
    to_bytes(vector, bytes, block, order);
    return bytes;
}

} // namespace warpint
