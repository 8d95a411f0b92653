// SPDX-License-Identifier: Apache-2.0
// Chooses device and width. Compiled as CUDA where the build has it.
#include "candidates.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "candidates_width.h"
#include "candidates_widths.h"
#include "device.h"
#include "error.h"

namespace primes {

namespace {

constexpr int last = static_cast<int>(std::size(candidate_widths)) - 1;

// The bits that hold every number of so many digits.
double bits_of_longest_line(std::string_view lines, int base) {
    std::size_t longest = 0;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        const std::size_t zeros = std::min(line.find_first_not_of('0'), line.size());
        longest = std::max(longest, line.size() - zeros);
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return static_cast<double>(longest) * std::log2(base);
}

template <int Index = 0>
std::unique_ptr<Candidates> make(double bits, const std::string &lines, int base, bool gpu) {
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

std::unique_ptr<Candidates> make_candidates(const std::string &lines, int base,
                                            sample::Device device) {
    return make(bits_of_longest_line(lines, base), lines, base, sample::use_gpu(device));
}

} // namespace primes
