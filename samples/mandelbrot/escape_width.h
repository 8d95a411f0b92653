// SPDX-License-Identifier: Apache-2.0
// Pictures in fixed point of Bits bits. Each width is compiled in a file of its own, made from
// escape_width.cpp.in: compiles stay small and run side by side.
#pragma once

#include "escape.h"

namespace mandelbrot {

template <int Bits>
std::unique_ptr<Picture> picture_of_width(const View &view, bool gpu);

} // namespace mandelbrot
