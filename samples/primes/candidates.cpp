// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "candidates.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>

#include <warpint/text.h>

#include "candidates_width.h"
#include "candidates_widths.h"
#include "device.h"
#include "error.h"

namespace primes {

namespace {

constexpr int last = static_cast<int>(std::size(candidate_widths)) - 1;

// The bits of the largest number that lines of digits hold plus `room`; 0 for what is no number.
int bits_needed(std::string_view lines, int base, std::uint64_t room) {
    std::string_view largest = "0";
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of('0'), line.size()));
        if (line.size() > largest.size() || (line.size() == largest.size() && line > largest))
            largest = line;
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    using Wide = warpint::BigInt<candidate_widths[last] + 64>;
    Wide number{};
    const auto [rest, error] =
        warpint::from_chars(largest.data(), largest.data() + largest.size(), number, base);
    if (error == std::errc::result_out_of_range)
        return Wide::bits;
    return error == std::errc{} ? bit_width(number + room) : 0;
}

template <int Index = 0>
std::unique_ptr<Candidates> make(int bits, const std::string &lines, int base, bool gpu) {
    constexpr int width = candidate_widths[Index];
    if constexpr (Index < last) {
        if (bits > width)
            return make<Index + 1>(bits, lines, base, gpu);
    }
    return candidates_of_width<width>(lines, base, gpu); // refuses what does not fit
}

} // namespace

int largest_width() {
    return candidate_widths[last];
}

std::string device_name(sample::Device device) {
    return sample::device_name(device);
}

std::size_t min_batch(int bits, sample::Device device) {
    return sample::use_gpu(device) ? sample::filling_batch(bits) : 256;
}

std::unique_ptr<Candidates> make_candidates(const std::string &lines, int base, std::uint64_t room,
                                            sample::Device device) {
    return make(bits_needed(lines, base, room), lines, base, sample::use_gpu(device));
}

} // namespace primes
