// SPDX-License-Identifier: Apache-2.0
// A view from what the user says.
#pragma once

#include <string>

#include "escape.h"

namespace mandelbrot {

// "-0.743643887037158704752191506114774" in fixed point, rounded toward zero. Digits beyond the
// 320th behind the point are not read. Throws Error for what is no decimal number below 16.
Coordinate coordinate(const std::string &text);

// 4 / (zoom * width) in fixed point, as a double and then rounded down: at zoom 1 the whole set is
// in a picture of this width.
Coordinate step(double zoom, std::uint32_t width);

} // namespace mandelbrot
