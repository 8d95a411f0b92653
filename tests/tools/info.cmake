# SPDX-License-Identifier: Apache-2.0
# Checks what warpint-info prints and returns.
#
#   cmake -DPROGRAM=<warpint-info> -DVERSION=<version> -P info.cmake
cmake_minimum_required(VERSION 3.25)

function(run status)
    execute_process(COMMAND "${PROGRAM}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text
                    ERROR_VARIABLE errors)
    if(NOT result EQUAL status)
        message(FATAL_ERROR "warpint-info ${ARGN}: status ${result} instead of ${status}\n${text}${errors}")
    endif()
    set(text "${text}" PARENT_SCOPE)
    set(errors "${errors}" PARENT_SCOPE)
endfunction()

function(expect text regex)
    if(NOT text MATCHES "${regex}")
        message(FATAL_ERROR "expected \"${regex}\" in:\n${text}")
    endif()
endfunction()

run(0)
expect("${text}" "^warpint +${VERSION}\n")
expect("${text}" "\npow\\(a, e, m\\) +[^ \n]")
run(0 --version)
expect("${text}" "^${VERSION}\n$")
run(0 --help)
expect("${text}" "^usage: warpint-info ")
foreach(arguments IN ITEMS "--nonsense" "nonsense" "--json;--json" "--help;nonsense" "-h" " ")
    run(2 ${arguments})
    expect("${errors}" "^usage: warpint-info ")
    expect("${text}" "^$")
endforeach()

run(0 --json)
string(JSON version GET "${text}" version)
string(JSON device GET "${text}" device)
string(JSON threads GET "${text}" cpu_threads)
string(JSON power GET "${text}" formulas "pow(a, e, m)")
string(JSON type TYPE "${text}" cpu_threads)
if(NOT version STREQUAL VERSION OR device STREQUAL "" OR threads LESS 1 OR power STREQUAL "" OR
   NOT type STREQUAL "NUMBER")
    message(FATAL_ERROR "--json gave:\n${text}")
endif()

set(ENV{WARPINT_CPU_THREADS} 3)
run(0 --json)
string(JSON threads GET "${text}" cpu_threads)
if(NOT threads EQUAL 3)
    message(FATAL_ERROR "--json with WARPINT_CPU_THREADS=3 gave:\n${text}")
endif()
