// SPDX-License-Identifier: Apache-2.0
// The groups that a key agreement takes place in: 2 generates the squares modulo a safe prime p,
// which are (p - 1) / 2 numbers, a prime number of them.
#pragma once

#include <string>
#include <vector>

namespace dh {

struct Group {
    std::string name;
    int bits;          // of the prime: 2048, 3072 or 4096
    std::string prime; // in hexadecimal
};

const std::vector<Group> &all_groups();

// Throws Error where there is none.
const Group &group_named(const std::string &name);

} // namespace dh
