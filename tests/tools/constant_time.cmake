# SPDX-License-Identifier: Apache-2.0
# Compiles number/modular/constant_time_leaks.cpp with the given options and runs it under valgrind twice: the
# constant-time functions must not be reported, its deliberate leaks must be, every one of them.
# Prints "skipped: ..." and nothing else where valgrind, its header or the compiler is missing.
#
#   cmake -DVALGRIND=<valgrind or empty> -DHEADERS=<folder of valgrind/memcheck.h or empty>
#         -DCOMPILER=<c++ or empty> -DOPTIONS=<-O2;...> -DSOURCE=<number/modular/constant_time_leaks.cpp>
#         -DINCLUDE=<include> -DPROGRAM=<program to write> -P constant_time.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)

if(NOT COMPILER)
    message("skipped: this compiler was not found")
    return()
endif()
if(NOT VALGRIND)
    message("skipped: valgrind was not found")
    return()
endif()
if(NOT HEADERS)
    message("skipped: valgrind/memcheck.h was not found")
    return()
endif()

# -gdwarf-4: what valgrind 3.19 can read from every compiler.
execute_process(
    COMMAND "${COMPILER}" -std=c++20 -gdwarf-4 -g1 ${OPTIONS} "-I${INCLUDE}" -idirafter "${HEADERS}"
            "${SOURCE}" -o "${PROGRAM}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the program does not compile:\n${output}")
endif()

set(reported 9) # valgrind's exit status when it reported something
set(memcheck "${VALGRIND}" --tool=memcheck --quiet --error-exitcode=${reported})

execute_process(COMMAND ${memcheck} "${PROGRAM}" RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT result EQUAL 0 OR NOT output MATCHES "[1-9][0-9]* functions, 0 failures")
    message(FATAL_ERROR "secret-dependent branch or address (status ${result}):\n${output}${errors}")
endif()
message("${output}")

execute_process(COMMAND ${memcheck} "${PROGRAM}" leak RESULT_VARIABLE result
                OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT result EQUAL reported OR NOT output MATCHES "[1-9][0-9]* functions, 0 failures")
    message(FATAL_ERROR "a deliberate leak was not reported (status ${result}):\n${output}${errors}")
endif()
message("leaks that must be found: ${output}")
