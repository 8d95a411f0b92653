# SPDX-License-Identifier: Apache-2.0
# Builds and runs number/format_test.cpp with the first compiler whose standard library has <format>: the
# project's own, or a clang++ with libc++.
#
#   cmake -DCOMPILER=<c++> -DSOURCES=<number/format_test.cpp>,<main.cpp> -DINCLUDE=<dir>,<dir>...
#         -DPROGRAM=<output> -P format.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT PROGRAM)
    message(FATAL_ERROR "PROGRAM names no file")
endif()
string(REPLACE "," ";" SOURCES "${SOURCES}")
string(REPLACE "," ";" INCLUDE "${INCLUDE}")
list(TRANSFORM INCLUDE PREPEND "-I")

file(WRITE "${PROGRAM}.cpp" "#include <format>\n#if !defined(__cpp_lib_format)\n#error no\n#endif\n")
set(candidates "${COMPILER}")
foreach(version RANGE 25 17 -1)
    find_program(clang_${version} "clang++-${version}")
    if(clang_${version})
        list(APPEND candidates "${clang_${version}},-stdlib=libc++")
    endif()
endforeach()

foreach(candidate IN LISTS candidates)
    string(REPLACE "," ";" command "${candidate}")
    execute_process(COMMAND ${command} -std=c++20 -fsyntax-only "${PROGRAM}.cpp"
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(NOT result EQUAL 0)
        continue()
    endif()
    message("compiler: ${candidate}")
    execute_process(COMMAND ${command} -std=c++20 -O1 -Wall -Wextra -Werror ${INCLUDE} ${SOURCES}
                            -o "${PROGRAM}" -pthread COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
    return()
endforeach()
message("skipped: neither ${COMPILER} nor a clang++ with libc++ here has <format>")
