// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share: the bytes of an input, taken from its front, and how a wrong result
// ends the program.
#pragma once

#include "support/oracle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace fuzz {

using test::Integer;

/// libFuzzer keeps the input of a program that aborts.
inline void require(bool condition, const char *what) {
    if (condition)
        return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::abort();
}

/// The bytes of an input; behind its end there are zeros.
class Input {
public:
    Input(const std::uint8_t *data, std::size_t size) : rest_(data, size) {}

    bool empty() const { return rest_.empty(); }
    int byte() {
        if (rest_.empty())
            return 0;
        const int r = rest_.front();
        rest_ = rest_.subspan(1);
        return r;
    }
    int below(int bound) { return byte() % bound; }
    std::span<const std::uint8_t> rest() const { return rest_; }
    std::string_view text() const {
        return {reinterpret_cast<const char *>(rest_.data()), rest_.size()};
    }

    /// A number of up to `bits` bits: its bytes as they are, or runs of ones and zeros of their
    /// lengths.
    Integer number(int bits) {
        const int kind = byte();
        const int count = byte() % ((bits + 7) / 8 + 1);
        Integer r(0);
        for (int i = 0; i < count; ++i) {
            const int next = byte();
            if (kind % 2 == 0) {
                r = (r << 8) + Integer(next);
            } else { // `next` bits, flipped
                const std::size_t run = static_cast<std::size_t>(next % 64);
                r = (r << run) + (i % 2 == 0 ? test::all_ones(static_cast<int>(run)) : Integer(0));
            }
        }
        if (kind % 16 >= 12)
            r = r + Integer(kind % 3 - 1);
        return kind & 64 ? -r : r;
    }

private:
    std::span<const std::uint8_t> rest_;
};

} // namespace fuzz
