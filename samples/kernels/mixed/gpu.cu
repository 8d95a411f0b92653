// SPDX-License-Identifier: Apache-2.0
// The CUDA half: in a file that nvcc compiles, device_vector is the GPU.
#include "numbers.h"

#include <warpint/modular.h>

warpint::host_vector<Number> inverses(const warpint::host_vector<Number> &x, const Number &p) {
    const warpint::device_vector<Number> numbers = x;
    const warpint::device_vector<Number> result = inverse(numbers, warpint::Modulus<256>(p));
    return result;
}
