// SPDX-License-Identifier: Apache-2.0
// Memory of the host that is counted, and can run short: operator new of the whole program.
#pragma once

#include <atomic>

namespace in_turn {

extern std::atomic<bool> counting;        // whether allocations are counted down
extern std::atomic<long> left_to_success; // until one fails; -1: none does
extern std::atomic<long> held;            // allocations

} // namespace in_turn
