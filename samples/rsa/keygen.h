// SPDX-License-Identifier: Apache-2.0
// `rsa keygen`: new keys, from the arithmetic to files.
#pragma once

#include <cstddef>
#include <string>

#include "command_line.h"

namespace rsa {

struct KeygenOptions {
    int bits = 2048;
    std::size_t count = 1;
    std::string out;    // a file for all keys, or a folder, which ends in / or is there
    bool force = false; // replaces a file
    sample::CommonOptions common;
};

// Writes private keys as PEM (PKCS#8), which only their owner can read: all of them or nothing. In
// a folder, which must be new or empty, each has a file: key-01.pem and so on. Throws Error.
void make_keys(const KeygenOptions &options);

} // namespace rsa
