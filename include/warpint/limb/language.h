// SPDX-License-Identifier: Apache-2.0
// The language that the headers need, and how they stand in a user's file. Every public header
// includes this first and has the rest between WARPINT_HEADER_BEGIN and WARPINT_HEADER_END, inside
// `#if WARPINT_HAS_CXX20`: an older language is one error of ours instead of a thousand.
#pragma once

#include "../version.h"
#include "debugger.h"

#if __cplusplus >= 202002L || (defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#define WARPINT_HAS_CXX20 1
#else
#define WARPINT_HAS_CXX20 0
#error                                                                                             \
    "warpint needs C++20: compile with -std=c++20, or link the CMake target warpint::warpint (warpint::cuda for nvcc), which asks for it"
#endif

// Users who have -Wsign-conversion on see their own conversions, not ours: an int is a count of
// bits or limbs here, and never negative where it becomes a size.
#if defined(__GNUC__)
#define WARPINT_HEADER_BEGIN                                                                       \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"")
#define WARPINT_HEADER_END _Pragma("GCC diagnostic pop")
#else
#define WARPINT_HEADER_BEGIN
#define WARPINT_HEADER_END
#endif
