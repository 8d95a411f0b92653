// SPDX-License-Identifier: Apache-2.0
// Escapes as colours, and a picture as a PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "escape.h"
#include "files.h"

namespace mandelbrot {

// Red, green and blue, 8 bits each, of a picture of width x height pixels, every one the mean of
// samples x samples escapes.
sample::Bytes colours(const std::vector<Escape> &escapes, std::uint32_t width, std::uint32_t height,
                      std::uint32_t samples, std::uint32_t limit);

void write_png(sample::OutputFile &file, const sample::Bytes &pixels, std::uint32_t width,
               std::uint32_t height);

} // namespace mandelbrot
