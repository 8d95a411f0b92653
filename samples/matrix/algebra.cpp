// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "algebra.h"

#include <iterator>
#include <stdexcept>

#include <warpint/bigint.h>

#include "algebra_width.h"
#include "algebra_widths.h"
#include "device.h"
#include "error.h"

namespace matrix {

namespace {

using sample::UsageError;

constexpr int last = static_cast<int>(std::size(algebra_widths)) - 1;

template <int Index = 0>
std::unique_ptr<Algebra> make(int bits, const std::string &modulus, bool gpu) {
    constexpr int width = algebra_widths[Index];
    if constexpr (Index < last) {
        if (bits > width)
            return make<Index + 1>(bits, modulus, gpu);
    }
    return algebra_of_width<width>(bits, modulus, gpu);
}

} // namespace

int largest_width() {
    return algebra_widths[last];
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

std::unique_ptr<Algebra> make_algebra(const std::string &modulus, sample::Device device) {
    warpint::BigInt<algebra_widths[last]> number = 0;
    try {
        number = number.parse(without_leading_zeros(modulus), 0);
    } catch (const std::logic_error &) { // refused below
    }
    if (number < 2u)
        throw UsageError("--modulus: expected a number from 2 on, of up to " +
                         std::to_string(largest_width()) + " bits, decimal or with 0x, found " +
                         modulus);
    return make(bit_width(number), to_string(number), sample::use_gpu(device));
}

std::unique_ptr<Algebra> make_algebra(int bits, sample::Device device) {
    return make(bits, {}, sample::use_gpu(device));
}

} // namespace matrix
