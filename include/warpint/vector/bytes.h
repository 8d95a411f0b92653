// SPDX-License-Identifier: Apache-2.0
// Whole vectors as blocks of bytes, converted where the vector lies.
#pragma once

#include "kernels/bytes.h"
#include "reduce.h"
#include "vector.h"

namespace warpint {

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
    static_assert(BigNumber<T>, "bytes are read as BigInt or SignedBigInt");
    containers::check_block(block);
    if (bytes.size() % block != 0) {
        throw size_mismatch("warpint: " + std::to_string(bytes.size()) +
                            " bytes are not whole blocks of " + std::to_string(block));
    }
    bytes.check();
    expression::operation::NumberOfBytes<T> read;
    read.block = block;
    read.big = order == std::endian::big;
    const Location place = bytes.location();
    batch_vector numbers(0, uninitialized, place, resource_at(place));
    numbers =
        expression::describe(read, expression::source_of(bytes), indices(bytes.size() / block));
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
        const auto fits = expression::describe(of, vector);
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
    expression::operation::ByteOfNumber byte;
    byte.block = block;
    byte.big = order == std::endian::big;
    batch_vector<std::uint8_t, space> bytes;
    bytes = expression::describe(byte, expression::source_of(vector), indices(out.size()));
    execution::copy_to_host(out.data(), *bytes.handle(), 0, out.size());
}
// The same as a std::vector. Throws std::length_error too if memory cannot hold as many bytes.
template <BigNumber T, Space space>
[[nodiscard]] std::vector<std::uint8_t> to_bytes(const batch_vector<T, space> &vector,
                                                 std::size_t block, std::endian order) {
    containers::check_block(block);
    std::vector<std::uint8_t> bytes;
    if (vector.size() > bytes.max_size() / block)
        execution::throw_too_long(vector.size(), block);
    bytes.resize(vector.size() * block);
    to_bytes(vector, bytes, block, order);
    return bytes;
}

} // namespace warpint
