// SPDX-License-Identifier: Apache-2.0
// Work on all cores of the host, for what is not warpint's: operands and peers. By warpint's pool
// and its rule for when a loop is worth sharing, so that peers pay what warpint pays.
#pragma once

#include <warpint/execution/memory/parallel.h>

#include <cstddef>

namespace perf {

inline unsigned hardware_threads() {
    return warpint::execution::cpu_threads();
}

// Calls body(first, last) on disjoint ranges that cover [0, count). work: of an element, about, in
// multiply-adds of limbs.
template <class Body>
void on_all_cores(std::size_t count, double work, const Body &body) {
    warpint::execution::parallel_for(count, 1, static_cast<std::size_t>(work), body);
}

} // namespace perf
