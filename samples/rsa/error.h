// SPDX-License-Identifier: Apache-2.0
// The error a user of the `rsa` sample sees: what() is the one line printed on stderr.
#pragma once

#include <stdexcept>

namespace rsa {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace rsa
