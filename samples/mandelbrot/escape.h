// SPDX-License-Identifier: Apache-2.0
// How fast the points of a picture escape: the only part of the sample that uses warpint's vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <warpint/bigint.h>

#include "command_line.h"
#include "escape_widths.h"

namespace mandelbrot {

// Fixed point of Bits bits has so many in front of the binary point: |z| stays below 100.
inline constexpr int integer_bits = 16;
inline constexpr int escape_norm = 64; // a point has escaped when |z|^2 is so large

// A number x stands for x / 2^(bits - integer_bits).
using Coordinate = warpint::SignedBigInt<widest>;

struct View {
    Coordinate re, im; // of the middle
    Coordinate step;   // distance of neighbouring pixels
    std::uint32_t width, height;
    std::uint32_t limit; // of iterations
};

struct Escape {
    std::uint32_t count; // iterations until |z|^2 >= escape_norm; the limit, where it never was
    float norm;          // |z|^2 then

    explicit Escape(std::uint64_t packed)
        : count(static_cast<std::uint32_t>(packed >> 32)),
          norm(static_cast<float>(packed & 0xffffffffu) / 65536) {}
    WARPINT_HOST_DEVICE static constexpr std::uint64_t packed(std::uint32_t count,
                                                              std::uint32_t norm_by_65536) {
        return std::uint64_t{count} << 32 | norm_by_65536;
    }
};

class Picture {
public:
    virtual ~Picture() = default;

    // Of `count` pixels from number `first` on, row after row, as one batch.
    virtual std::vector<Escape> escapes(std::uint64_t first, std::uint64_t count) = 0;
    virtual Escape escape_on_host(std::uint64_t pixel) = 0;
    virtual int bits() const = 0; // of the fixed point
    virtual bool on_gpu() const = 0;
};

// Takes the smallest compiled width that tells neighbouring pixels apart, with bits to spare for
// the rounding of `limit` iterations. Throws Error for a zoom that is too deep for all of them.
std::unique_ptr<Picture> make_picture(const View &view, sample::Device device);

// What pictures are computed on, in words.
std::string device_name(sample::Device device);

} // namespace mandelbrot
