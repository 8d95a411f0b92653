// SPDX-License-Identifier: Apache-2.0
// The iteration z = z^2 + c in fixed point: what a reader of this sample came for.
#pragma once

#include <warpint/bigint.h>

#include "device.h"
#include "escape_width.h"

namespace mandelbrot {

using sample::OnDevice;
using sample::OnHost;
using warpint::BigInt;
using warpint::SignedBigInt;

// A number x stands for x / 2^(Bits - integer_bits). Products are exact: an arithmetic shift brings
// one back, rounding down.
template <int Bits>
struct Iteration {
    using Fixed = SignedBigInt<Bits>;

    Fixed left, top, step; // of the pixels: columns go right, rows go down
    std::uint32_t width;   // pixels in a row
    std::uint32_t limit;   // of iterations
    std::uint64_t first;   // pixel of the batch

    // Pixels are numbered row after row. The result is an Escape, packed.
    WARPINT_HOST_DEVICE std::uint64_t operator()(std::uint64_t index) const {
        constexpr int fraction = Bits - integer_bits, escaped = escape_norm;
        const std::uint64_t pixel = first + index;
        const Fixed c_re = left + step * static_cast<std::uint32_t>(pixel % width);
        const Fixed c_im = top - step * static_cast<std::uint32_t>(pixel / width);
        Fixed re = 0, im = 0, old_re = 0, old_im = 0;
        for (std::uint32_t count = 0, check = 1; count != limit; ++count) {
            const auto re_exact = sqr(re), im_exact = sqr(im), sum_exact = sqr(re + im);
            const SignedBigInt<2 * Bits> twice = sum_exact - re_exact - im_exact; // 2 re im
            const Fixed re_squared = re_exact >> fraction;
            const Fixed im_squared = im_exact >> fraction;
            const Fixed norm = re_squared + im_squared;
            if (norm >> fraction >= escaped)
                return Escape::packed(count, static_cast<std::uint32_t>(norm >> (fraction - 16)));
            im = (twice >> fraction) + c_im;
            re = re_squared - im_squared + c_re;
            // A value that comes again comes for ever (Brent's search for cycles).
            if (re == old_re && im == old_im)
                break;
            if (count == check) {
                old_re = re;
                old_im = im;
                check *= 2;
            }
        }
        return Escape::packed(limit, 0);
    }
};

template <int Bits, class Place>
class PictureOfWidth : public Picture {
    using Fixed = SignedBigInt<Bits>;

public:
    explicit PictureOfWidth(const View &view) {
        const auto fixed = [](const Coordinate &x) {
            return Fixed(x >> (Coordinate::bits - Bits));
        };
        const Fixed step = fixed(view.step);
        iteration = {fixed(view.re) - step * view.width / 2,
                     fixed(view.im) + step * view.height / 2,
                     step,
                     view.width,
                     view.limit,
                     0};
    }

    std::vector<Escape> escapes(std::uint64_t first, std::uint64_t count) override {
        iteration.first = first;
        found = warpint::map(iteration, warpint::indices(count));
        const auto packed = found.to_host();
        return {packed.begin(), packed.end()};
    }
    Escape escape_on_host(std::uint64_t pixel) override {
        iteration.first = pixel;
        return Escape(iteration(0));
    }
    int bits() const override { return Bits; }
    bool on_gpu() const override { return Place::gpu; }

private:
    Iteration<Bits> iteration;
    typename Place::template Vector<std::uint64_t> found;
};

template <int Bits>
std::unique_ptr<Picture> picture_of_width(const View &view, bool gpu) {
    if (gpu)
        return std::make_unique<PictureOfWidth<Bits, OnDevice>>(view);
    return std::make_unique<PictureOfWidth<Bits, OnHost>>(view);
}

} // namespace mandelbrot
