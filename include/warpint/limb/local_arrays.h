// SPDX-License-Identifier: Apache-2.0
// Arrays in a GPU's local memory, and how nvcc 13.0 is kept from giving two of them one address.
//
// nvcc 13.0.88 does that to arrays that are alive at the same time, where both of these act on
// them:
//   - its ReuseLocalMemoryPass uses one array for two of the same type, of which one is alive only
//     after the other;
//   - stack colouring gives arrays one address whose scopes do not overlap. Scopes are those of the
//     functions that were inlined.
// The array that the first pass keeps has the scope of one of the two, so that the second pass lays
// a third array over the other. Arrays that become registers are not concerned.
//
// A volatile object in a function that was inlined makes the first pass leave the whole function
// alone. Nothing weaker does: not a volatile object of the kernel itself, no asm statement with the
// address or a memory clobber. The compiler is closed; this was found by trial. It holds wherever
// in the function the object is, so that a path which is seldom taken can have it. What it costs is
// one store of four bytes on that path.
//
// tests/compiler/nvcc_local_memory has a report, a program that goes wrong without this library,
// and the check that no kernel of the tests has merged arrays. The targets of CMake turn the first
// pass off besides (cmake/warpint-cuda.cmake): kernels that are not this library's are exposed too.
#pragma once

#include "config.h"

namespace warpint::limb {

// Numbers of more limbs lie in local memory in device code: every function of theirs is marked.
// Shorter ones lie there where a function that is called, or a run-time index, needs their address:
// tables of powers at every width.
inline constexpr int local_limbs = 32;

#if WARPINT_DEVICE_PASS
namespace ptx {

__device__ __forceinline__ void mark_function() {
    volatile std::uint32_t mark;
    mark = 0;
}

} // namespace ptx
#endif

// Arrays of the function that this is inlined into have addresses of their own. Nothing on hosts.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void keep_arrays_apart() {
#if WARPINT_DEVICE_PASS
    if (WARPINT_USES_PTX)
        ptx::mark_function();
#endif
}

// The same in what numbers of every length go through, for those of more than so many limbs.
template <int N, int Limit = local_limbs>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void keep_local_arrays_apart() {
    if constexpr (N > Limit)
        keep_arrays_apart();
}

} // namespace warpint::limb
