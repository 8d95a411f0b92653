// SPDX-License-Identifier: Apache-2.0
// The error that a user of a sample sees: what() is the one line printed on stderr.
#pragma once

#include <stdexcept>

namespace sample {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace sample
