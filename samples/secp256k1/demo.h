// SPDX-License-Identifier: Apache-2.0
// Compares results and speed with OpenSSL's.
#pragma once

#include <cstddef>

#include "command_line.h"
#include "engine.h"

namespace curves {

struct DemoOptions {
    std::size_t signatures = 1000; // that OpenSSL makes
    std::size_t batch = 0;         // signatures verified at once, those repeated; 0: by the device
    double seconds = 1;            // for each rate
    sample::CommonOptions common;
};

// Prints its findings on stdout; returns whether all comparisons held.
bool run_demo(CurveName curve, const DemoOptions &options);

} // namespace curves
