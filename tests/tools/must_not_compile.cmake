# SPDX-License-Identifier: Apache-2.0
# Compiles one case of must_not_compile.cpp, without writing an object file. Case 0 must compile
# without a message; any other must fail, and the first line of its messages that says why must match the
# comment after its `CASE ==`.
#
#   cmake -DCOMPILER=<c++> -DCOMPILER_ID=<GNU|Clang|NVIDIA|...> -DSOURCE=<must_not_compile.cpp>
#         -DINCLUDE=<include> [-DHEADERS=<its headers, precompiled beside them>] -DCASE=<n>
#         -P must_not_compile.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C) # messages in English, with ASCII quotation marks

if(COMPILER_ID STREQUAL "MSVC")
    message("skipped: the expected messages are those of GCC and Clang")
    return()
endif()

set(options -fsyntax-only -Wall -Wextra)
if(HEADERS)
    list(APPEND options -Winvalid-pch -include "${HEADERS}")
endif()
if(COMPILER_ID STREQUAL "NVIDIA")
    # The front end for device code finds the mistake; host code is not compiled.
    set(options -x cu -ptx -o "${OUTPUT}")
    file(STRINGS "${SOURCE}" line REGEX "^#(el)?if CASE == ${CASE} // ")
    if(line MATCHES "__device__ lambda") # which other cases must do without
        list(APPEND options --extended-lambda)
    endif()
endif()
execute_process(
    COMMAND "${COMPILER}" -std=c++20 ${options} "-I${INCLUDE}" "-DCASE=${CASE}" "${SOURCE}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE messages
    ERROR_VARIABLE messages)

if(CASE EQUAL 0)
    if(NOT result EQUAL 0 OR NOT messages STREQUAL "")
        message(FATAL_ERROR "case 0 must compile without a message:\n${messages}")
    endif()
    return()
endif()

file(STRINGS "${SOURCE}" line REGEX "^#(el)?if CASE == ${CASE} // ")
if(NOT line MATCHES "// (.+)$")
    message(FATAL_ERROR "${SOURCE} has no case ${CASE} with an expected message")
endif()
set(expected "${CMAKE_MATCH_1}")

if(result EQUAL 0)
    message(FATAL_ERROR "case ${CASE} compiled, but must not")
endif()
# The first such line: what a reader sees first. Of constant expressions what was computed says why.
string(REGEX REPLACE "[][;]" " " lines "${messages}")
string(REPLACE "\n" ";" lines "${lines}")
foreach(message_line IN LISTS lines)
    if(message_line MATCHES "${expected}" AND message_line MATCHES "error|note|in .constexpr. expansion")
        return()
    elseif(message_line MATCHES "error: " AND NOT message_line MATCHES "(constant expression|__unnamed)")
        break()
    endif()
endforeach()
message(FATAL_ERROR "case ${CASE} failed, but not first with \"${expected}\":\n${messages}")
