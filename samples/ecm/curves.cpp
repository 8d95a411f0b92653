// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "curves.h"

#include "curves_width.h"
#include "device.h"
#include "parallel.h"

namespace ecm {

namespace {

template <int Index = 0>
std::unique_ptr<Curves> make(const Number &n, bool gpu) {
    if constexpr (Index + 1 < std::size(curve_widths)) {
        if (bit_width(n) > curve_widths[Index])
            return make<Index + 1>(n, gpu);
    }
    return curves_of_width<curve_widths[Index]>(n, gpu);
}

} // namespace

std::unique_ptr<Curves> make_curves(const Number &n, sample::Device device) {
    return make(n, sample::use_gpu(device));
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

std::size_t usual_batch(const Number &n, sample::Device device) {
    if (!sample::use_gpu(device))
        return 16 * sample::hardware_threads();
    return sample::filling_batch(bit_width(n));
}

} // namespace ecm
