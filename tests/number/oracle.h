// SPDX-License-Identifier: Apache-2.0
// What the bodies of the batched number tests must have stored, from GMP alone.
#pragma once

#include "groups.h"

#include "../batch/subject.h"

namespace number_test {

using batch_test::Checker;
using batch_test::Element;
using batch_test::Type;
using batch_test::type_of;

inline Group group_of(const Case &which) {
    return static_cast<Group>(which.group);
}

/// Checks one record of `which`. A division by b = 0 must have given 0, as in device code.
void check_record(Checker &checker, const Case &which, const Element &v);

} // namespace number_test
