// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: "2^251-1", "(10^41+1)/11", "123456789".
#pragma once

#include <string>

#include "curves.h"

namespace ecm {

// The value of decimal numbers, + - * / ^ and parentheses, with the usual precedence; / must leave
// no remainder. Throws Error for anything else, naming the position, and where a value is negative
// or, also on the way, too long for a Number.
Number evaluate(const std::string &text);

} // namespace ecm
