// SPDX-License-Identifier: Apache-2.0
// Keys and signatures as lines of hexadecimal text. Errors name the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine.h"

namespace curves {

// A private key, with or without 0x. Throws Error unless it lies in [1, order).
Number private_key(std::string_view text, const Number &order);

// A private key on each line.
std::vector<Number> private_keys(const std::string &text, const Number &order);

// Public key, hash, r and s on each line, separated by blanks. A key has 66 digits (compressed) or
// 130. A hash has two digits for each byte, of which the first 32 count.
Signatures signatures(const std::string &text);

// 66 digits and a newline each.
std::string lines(const std::vector<CompressedKey> &keys);

} // namespace curves
