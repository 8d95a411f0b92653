// SPDX-License-Identifier: Apache-2.0
// Functions that one side, C++ or CUDA, defines and the other calls: host vectors, host views,
// formulas of them, explanations and exceptions are the same types on both.
#pragma once

#include <warpint/vector.h>

#include <utility>

namespace crossing {

using Number = warpint::BigInt<96>;
using Vector = warpint::host_vector<Number>;
using View = warpint::batch_view<Number, warpint::Space::host>;
using Formula = decltype((std::declval<const Vector &>() * std::declval<const Vector &>() + 1u) %
                         std::declval<const warpint::Modulus<96> &>());

#define CROSSING_SIDE                                                                              \
    Vector squares(std::size_t count); /* 0, 1, 4 ... */                                           \
    Number total(const Vector &v);                                                                 \
    void fill(View view, const Number &value);                                                     \
    Formula formula(const Vector &a, const Vector &b, const warpint::Modulus<96> &m);              \
    Vector run(const Formula &formula);                                                            \
    warpint::Explanation explained(const Formula &formula);                                        \
    Vector quotients(const Vector &a, const Vector &b); /* with faults */                          \
    void grow(Vector &v, std::size_t count);                                                       \
    void throw_size_mismatch();                                                                    \
    std::uint64_t launches();                                                                      \
    bool same_resource(warpint::memory_resource *resource);                                        \
    int run_device_formula(); /* a device_vector of its own kind */

namespace cpp_side {
CROSSING_SIDE
}
namespace cuda_side {
CROSSING_SIDE
}

/// Uses device vectors where no GPU is, or, with old_driver, none that the driver knows how to run;
/// what was not so, or nullptr. Of the CUDA side.
const char *wrong_without_gpu(bool old_driver);

} // namespace crossing
