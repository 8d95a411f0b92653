// SPDX-License-Identifier: Apache-2.0
// WARPINT_ASSERT: what must hold, checked in test programs. Off by default; on where
// WARPINT_ASSERTIONS is 1, which every translation unit of a program must then agree on.
//
// It stands for preconditions of functions over limbs, which report no errors, and for the
// invariants of the hard loops: a quotient digit, the matrix of a batch of divsteps, the limbs that
// a row of a Montgomery reduction has made 0. Errors of a user's input are exceptions and faults,
// not assertions. A condition may look at secrets: with assertions on, nothing is constant time.
#pragma once

#include "config.h"

#ifndef WARPINT_ASSERTIONS
#define WARPINT_ASSERTIONS 0
#endif

// Where the condition is false: on the host a line on stderr with the condition, file and line, and
// std::abort; in device code the same by CUDA's own assertion, with block and thread, and the
// kernel ends with cudaErrorAssert; in a constant expression a compile error that names
// assertion_failed. Off, the condition is compiled but not evaluated.
#if WARPINT_ASSERTIONS
#define WARPINT_ASSERT(...)                                                                        \
    (static_cast<bool>(__VA_ARGS__)                                                                \
         ? static_cast<void>(0)                                                                    \
         : ::warpint::limb::assertion_failed(#__VA_ARGS__, __FILE__, __LINE__))
#else
#define WARPINT_ASSERT(...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif

// The same on hosts only, nothing in device code: for what takes a vote of lanes there, or need not
// hold of operands whose results device code leaves unspecified.
#if WARPINT_DEVICE_PASS
#define WARPINT_ASSERT_ON_HOST(...) static_cast<void>(0)
#else
#define WARPINT_ASSERT_ON_HOST(...) WARPINT_ASSERT(__VA_ARGS__)
#endif

#if WARPINT_ASSERTIONS

#if WARPINT_HOSTED
#include <cassert>
#include <cstdio>
#include <cstdlib>
#endif

namespace warpint::limb {

// Called, not copied: one call for each assertion is all that stands in the code around it.
WARPINT_HOST_DEVICE WARPINT_NOINLINE inline void assertion_failed(const char *condition,
                                                                  const char *file, int line) {
#if !WARPINT_HOSTED // NVRTC does not have the function below
    printf("%s:%d: assertion failed: %s\n", file, line, condition);
    __trap();
#elif WARPINT_DEVICE_PASS
    __assert_fail(condition, file, static_cast<unsigned>(line), "warpint");
#else
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    std::abort();
#endif
}

} // namespace warpint::limb

#endif
