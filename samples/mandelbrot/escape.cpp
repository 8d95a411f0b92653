// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "escape.h"

#include <bit>
#include <string>

#include "device.h"
#include "error.h"
#include "escape_width.h"

namespace mandelbrot {

namespace {

template <int Index = 0>
std::unique_ptr<Picture> make(int bits, const View &view, bool gpu) {
    if constexpr (Index < std::size(escape_widths)) {
        if (bits <= escape_widths[Index])
            return picture_of_width<escape_widths[Index]>(view, gpu);
        return make<Index + 1>(bits, view, gpu);
    } else {
        throw sample::Error("the zoom is too deep: it needs numbers of " + std::to_string(bits) +
                            " bits, and the maximum here is " + std::to_string(widest));
    }
}

} // namespace

std::unique_ptr<Picture> make_picture(const View &view, sample::Device device) {
    const auto too_far = [&](const Coordinate &middle, std::uint32_t pixels) {
        return (abs(middle) + abs(view.step) * pixels) >> (widest - integer_bits) >= escape_norm;
    };
    if (too_far(view.re, view.width) || too_far(view.im, view.height))
        throw sample::Error("the picture is too large: the set lies within |z| <= 2");
    constexpr int spare = 8;
    const int of_step = widest - bit_width(abs(view.step)); // bits in front of its first one
    return make(of_step + std::bit_width(view.limit) + spare, view, sample::use_gpu(device));
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

} // namespace mandelbrot
