// SPDX-License-Identifier: Apache-2.0
// `rsa demo`: a key, a file there and back, OpenSSL as witness, and the speed of both.
#pragma once

#include <cstddef>
#include <string>

#include "engine.h"
#include "padding.h"

namespace rsa {

struct DemoOptions {
    int bits = 2048;
    std::string input; // empty: pseudo-random bytes
    Padding padding = Padding::oaep;
    sample::CommonOptions common;
    std::size_t batch = 0; // blocks in the timed batches; 0: as many as fill a fifth of `seconds`
    double seconds = 1;    // each figure is measured for about so long
    std::string program = "rsa"; // what the user typed to run it, for the next command
};

// Prints what it finds on stdout. False where a comparison failed.
bool run_demo(const DemoOptions &options);

} // namespace rsa
