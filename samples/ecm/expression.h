// SPDX-License-Identifier: Apache-2.0
// Numbers as people write them: "2^251-1", "(10^41+1)/11", "123456789".
#pragma once

#include <string>

#include "curves.h"

namespace ecm {

// The value of decimal numbers, + - * / ^ and parentheses, with the usual precedence; / must leave
// no remainder. Throws Error for anything else, naming the position, where a value is negative, and
// where it is too long for a Number, or on the way longer than two.
Number evaluate(const std::string &text);

} // namespace ecm
