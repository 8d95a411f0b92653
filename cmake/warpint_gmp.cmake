# SPDX-License-Identifier: Apache-2.0
# The INTERFACE target warpint_gmp, if GMP is found: tests and benchmarks use it as oracle and peer.
# With WARPINT_STATIC_GMP the archive is linked where there is one, so that a program can be carried to
# a machine without GMP.

include_guard(DIRECTORY)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(GMP QUIET IMPORTED_TARGET gmp)
endif()

if(GMP_FOUND)
    add_library(warpint_gmp INTERFACE)
    if(WARPINT_STATIC_GMP)
        find_library(WARPINT_GMP_ARCHIVE libgmp.a HINTS ${GMP_LIBRARY_DIRS} ${GMP_LIBDIR})
        mark_as_advanced(WARPINT_GMP_ARCHIVE)
    endif()
    if(WARPINT_STATIC_GMP AND WARPINT_GMP_ARCHIVE)
        target_include_directories(warpint_gmp SYSTEM INTERFACE ${GMP_INCLUDE_DIRS})
        target_link_libraries(warpint_gmp INTERFACE "${WARPINT_GMP_ARCHIVE}")
    else()
        target_link_libraries(warpint_gmp INTERFACE PkgConfig::GMP)
    endif()
endif()
