// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes, in either byte order: to_bytes and from_bytes. Constant time, except for
// whether the value fits.
#pragma once

#include "message.h"

#if WARPINT_HOSTED
#include <array>
#include <span>
#endif

namespace warpint {

namespace number {

// Writes x to out[0..size), sign (or zeros) extended. Returns false and writes nothing if the value
// does not fit. out must not overlap x. Constant time in the value, except whether it fits, for
// host and device; the public forms below are for the host.
template <BigNumber T>
WARPINT_HOST_DEVICE constexpr bool write_bytes(const T &x, std::uint8_t *out, std::size_t size,
                                               std::endian order) {
    constexpr std::size_t own = 4u * static_cast<std::size_t>(T::limb_count);
    const std::uint8_t fill = is_negative(x) ? 0xff : 0;
    const auto byte = [&x](std::size_t i) {
        return static_cast<std::uint8_t>(x.limbs[i / 4] >> (i % 4 * 8));
    };
    std::uint32_t lost = 0;
    for (std::size_t i = size; i < own; ++i)
        lost |= static_cast<std::uint32_t>(byte(i) ^ fill);
    if constexpr (T::is_signed) { // the last byte written must carry the sign
        const std::uint8_t top = size == 0 ? 0 : size > own ? fill : byte(size - 1);
        lost |= static_cast<std::uint32_t>((top ^ fill) & 0x80);
    }
    if (lost != 0)
        return false;
    for (std::size_t i = 0; i < size; ++i) {
        out[order == std::endian::little ? i : size - 1 - i] = i < own ? byte(i) : fill;
    }
    return true;
}

// r = the number in data[0..size), two's complement for a signed r; 0 for size 0. Returns false and
// leaves r alone if the value does not fit. Constant time in the value, except whether it fits, for
// host and device.
template <BigNumber T>
WARPINT_HOST_DEVICE constexpr bool read_bytes(T &r, const std::uint8_t *data, std::size_t size,
                                              std::endian order) {
    constexpr std::size_t own = 4u * static_cast<std::size_t>(T::limb_count);
    const auto byte = [=](std::size_t i) {
        return data[order == std::endian::little ? i : size - 1 - i];
    };
    const bool negative = T::is_signed && size > 0 && (byte(size - 1) & 0x80) != 0;
    const std::uint8_t fill = negative ? 0xff : 0;
    T x{};
    for (std::size_t i = 0; i < own; ++i) {
        x.limbs[i / 4] |= static_cast<std::uint32_t>(i < size ? byte(i) : fill) << (i % 4 * 8);
    }
    std::uint32_t lost = is_negative(x) != negative;
    for (std::size_t i = own; i < size; ++i)
        lost |= static_cast<std::uint32_t>(byte(i) ^ fill);
    const std::uint32_t top = x.limbs[T::limb_count - 1];
    normalise<T::bits, T::is_signed>(x.limbs);
    lost |= top ^ x.limbs[T::limb_count - 1];
    if (lost != 0)
        return false;
    r = x;
    return true;
}

#if WARPINT_HOSTED
template <BigNumber T>
constexpr T from_bytes(std::span<const std::uint8_t> bytes, std::endian order) {
    T r{};
    if (!read_bytes(r, bytes.data(), bytes.size(), order)) {
        throw_too_many_bytes(T::bits, T::is_signed, bytes.size());
    }
    return r;
}
#endif

} // namespace number

#if WARPINT_HOSTED

// Fills all of `out` with x, most significant byte first for std::endian::big. Unsigned numbers are
// zero-extended, signed numbers sign-extended in two's complement. Any size that holds the value
// will do: a 256-bit number below 2^64 fits 8 bytes, and 0 fits none. Throws std::length_error,
// with nothing written, if the value does not fit. `out` must not overlap x. Constant time in the
// value, except that a value that does not fit throws.
template <BigNumber T>
constexpr void to_bytes(const T &x, std::span<std::uint8_t> out, std::endian order) {
    if (!number::write_bytes(x, out.data(), out.size(), order)) {
        number::throw_too_few_bytes(T::bits, T::is_signed, out.size());
    }
}

// All bytes of x as a std::array of ceil(Bits / 8) of them, zero- or sign-extended. Constant time.
// Example:
//     const auto bytes = to_bytes(BigInt<32>(258), std::endian::big);         // 0, 0, 1, 2
//     const auto x = BigInt<32>::from_bytes(bytes, std::endian::big);         // 258
template <BigNumber T>
[[nodiscard]] constexpr auto to_bytes(const T &x, std::endian order) {
    std::array<std::uint8_t, (static_cast<std::size_t>(T::bits) + 7) / 8> bytes{};
    number::write_bytes(x, bytes.data(), bytes.size(), order);
    return bytes;
}

// The number encoded by all the bytes, most significant byte first for std::endian::big. Throws
// std::out_of_range if the value does not fit. Constant time, except for whether it fits.
template <int Bits>
constexpr BigInt<Bits> BigInt<Bits>::from_bytes(std::span<const std::uint8_t> bytes,
                                                std::endian order) {
    return number::from_bytes<BigInt<Bits>>(bytes, order);
}

template <int Bits>
constexpr SignedBigInt<Bits> SignedBigInt<Bits>::from_bytes(std::span<const std::uint8_t> bytes,
                                                            std::endian order) {
    return number::from_bytes<SignedBigInt<Bits>>(bytes, order);
}

#endif

} // namespace warpint
