# SPDX-License-Identifier: Apache-2.0
# Fuzz targets (libFuzzer, clang++): a few seconds from a small corpus in the set full, a minute each in the set long, with the
# undefined behaviour sanitizer too, which takes clang++ minutes to compile.

if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
set(seconds 2)
set(options "")
set(run -seed=1)
if(WARPINT_TEST_SET STREQUAL "long")
    set(seconds 60)
    set(options "-fsanitize=undefined -fno-sanitize-recover=undefined")
    set(run "")
endif()
foreach(target IN ITEMS text bytes numbers vectors rsa)
    warpint_add_tool_test(
        fuzz_${target} full "${CMAKE_COMMAND}" -DTARGET=${target}
        "-DCOMPILER=$<$<BOOL:${WARPINT_CLANGXX}>:${WARPINT_CLANGXX}>" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/fuzz/${target}" -DSECONDS=${seconds} "-DOPTIONS=${options}" "-DRUN=${run}"
        -P "${CMAKE_CURRENT_LIST_DIR}/fuzz.cmake")
endforeach()
