// SPDX-License-Identifier: Apache-2.0
// Pollard's rho: runs walks until two of them meet, and takes the logarithm from these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "command_line.h"
#include "curve.h"

namespace pollard {

// How a GPU takes steps. A host has a thread for each core, with a part of the walks.
struct Launch {
    int block_threads = 128;
    int thread_walks = 64; // which share an inversion
    int steps = 16;        // of each walk, in one launch
};

struct SolveOptions {
    std::size_t walks = 0; // at once; 0: by the device
    Launch launch;
    std::optional<int> distinguishing_bits; // none: by the curve and the walks
    std::string store;                      // file of distinguished points; empty: none
    sample::CommonOptions common;
};

// The k with k P = Q, which has been checked. Throws Error where the store cannot be used.
Wide solve(const Problem &problem, const SolveOptions &options);

struct Bench {
    double steps_per_second = 0; // of all walks together
    std::size_t walks = 0;
    int checked_walks = 0; // that were followed step by step on the host
    int checked_steps = 0; // of each
    bool correct = false;  // those agree, and at the end all walks were on the curve
};

// Steps for about `seconds`.
Bench bench(const Problem &problem, const SolveOptions &options, double seconds);

// What work on this device runs on, in words.
std::string device_name(sample::Device device);

} // namespace pollard
