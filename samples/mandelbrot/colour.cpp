// SPDX-License-Identifier: Apache-2.0
#include "colour.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <png.h>

#include "error.h"
#include "parallel.h"

namespace mandelbrot {

namespace {

using Colour = std::array<float, 3>;

// The iterations until |z| = 2 as if they were no whole number: log2 log |z| grows by one in each.
float smooth(const Escape &escape) {
    return static_cast<float>(escape.count) + 1 - std::log2(std::log(escape.norm) / std::log(4.f));
}

// A cycle of colours from night blue over ice, gold and copper; t is taken modulo 1.
Colour palette(float t) {
    static constexpr std::array<Colour, 7> stops{{{6, 10, 48},
                                                  {24, 74, 168},
                                                  {118, 190, 232},
                                                  {250, 248, 226},
                                                  {250, 180, 50},
                                                  {160, 60, 20},
                                                  {38, 10, 40}}};
    const float at = (t - std::floor(t)) * stops.size();
    const std::size_t i = static_cast<std::size_t>(at) % stops.size();
    const float u = at - std::floor(at);
    const float weight = u * u * (3 - 2 * u);
    Colour colour;
    for (std::size_t k = 0; k != 3; ++k)
        colour[k] = stops[i][k] + weight * (stops[(i + 1) % stops.size()][k] - stops[i][k]);
    return colour;
}

} // namespace

sample::Bytes colours(const std::vector<Escape> &escapes, std::uint32_t width, std::uint32_t height,
                      std::uint32_t samples, std::uint32_t limit) {
    // Deep in the set every count is large: the cycle begins where the picture does, and is longer
    // where counts spread more.
    float least = static_cast<float>(limit);
    for (const Escape &escape : escapes) {
        if (escape.count != limit)
            least = std::min(least, smooth(escape));
    }
    sample::Bytes pixels(std::size_t{3} * width * height);
    sample::parallel_for(height, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row != end; ++row) {
            for (std::size_t column = 0; column != width; ++column) {
                Colour sum{};
                for (std::size_t k = 0; k != std::size_t{samples} * samples; ++k) {
                    const Escape &escape = escapes[(row * samples + k / samples) * width * samples +
                                                   column * samples + k % samples];
                    if (escape.count == limit)
                        continue; // black
                    const Colour one = palette(0.55f * std::log2(1 + (smooth(escape) - least) / 8));
                    for (std::size_t i = 0; i != 3; ++i)
                        sum[i] += one[i];
                }
                for (std::size_t i = 0; i != 3; ++i)
                    pixels[3 * (row * width + column) + i] = static_cast<std::uint8_t>(
                        std::lround(sum[i] / static_cast<float>(samples * samples)));
            }
        }
    });
    return pixels;
}

void write_png(sample::OutputFile &file, const sample::Bytes &pixels, std::uint32_t width,
               std::uint32_t height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    sample::Bytes bytes(size);
    if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr))
        throw sample::Error(std::string("libpng: ") + image.message);
    file.write(std::span(bytes.data(), size));
}

} // namespace mandelbrot
