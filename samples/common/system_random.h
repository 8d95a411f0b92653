// SPDX-License-Identifier: Apache-2.0
// The operating system's random numbers: what keys are drawn from.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <unistd.h>

#include "error.h"

namespace sample {

// A generator for random_bits(), random_below() and random_prime(). One object per thread.
class SystemRandom {
public:
    using result_type = std::uint64_t;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

    // Throws Error where the system has none to give.
    result_type operator()() {
        if (used == words.size()) {
            if (getentropy(words.data(), sizeof(words)) != 0)
                throw Error(std::string("the system provides no random numbers: ") +
                            std::strerror(errno));
            used = 0;
        }
        return std::exchange(words[used++], 0); // what was given is not kept
    }

private:
    std::array<std::uint64_t, 32> words{}; // 256 bytes, the most that getentropy() gives at once
    std::size_t used = words.size();
};

} // namespace sample
