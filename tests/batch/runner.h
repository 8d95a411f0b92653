// SPDX-License-Identifier: Apache-2.0
// The runner of batched tests: draws operands, has batches of them computed on the device or the
// host, and compares every result with GMP on all cores.
//
// With a device the long set computes every batch on the host as well and compares the two: what
// GMP says is worked out once for both.
#pragma once

#include "subject.h"

namespace batch_test {

/// Runs the cases under doctest, as the environment says (plan.h), and prints what was reached.
void run_cases(const std::vector<Case> &cases, const Subject &subject);

} // namespace batch_test
