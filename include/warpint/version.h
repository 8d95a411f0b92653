// SPDX-License-Identifier: Apache-2.0
// The version of warpint. It compiles under any language standard. The build and the packages read
// the numbers from here.
#pragma once

#define WARPINT_VERSION_MAJOR 0
#define WARPINT_VERSION_MINOR 2
#define WARPINT_VERSION_PATCH 0

// 10000 * major + 100 * minor + patch, for #if.
#define WARPINT_VERSION                                                                            \
    (WARPINT_VERSION_MAJOR * 10000 + WARPINT_VERSION_MINOR * 100 + WARPINT_VERSION_PATCH)

// "major.minor.patch"
#define WARPINT_VERSION_TEXT(number) #number
#define WARPINT_VERSION_JOIN(major, minor, patch)                                                  \
    WARPINT_VERSION_TEXT(major) "." WARPINT_VERSION_TEXT(minor) "." WARPINT_VERSION_TEXT(patch)
#define WARPINT_VERSION_STRING                                                                     \
    WARPINT_VERSION_JOIN(WARPINT_VERSION_MAJOR, WARPINT_VERSION_MINOR, WARPINT_VERSION_PATCH)
