# SPDX-License-Identifier: Apache-2.0
# Prints why tests were skipped, each reason with its tests, from ctest's log: what such a test prints behind
# "skipped: ".
#
#   cmake -DFOLDER=<build>/Testing/Temporary -P skipped.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB logs "${FOLDER}/LastTest.log*")
set(reasons "")
foreach(log IN LISTS logs)
    file(STRINGS "${log}" lines REGEX "^([0-9]+/[0-9]+ Test: |skipped: )")
    set(test "")
    foreach(line IN LISTS lines)
        if(line MATCHES "^[0-9]+/[0-9]+ Test: (.*)$")
            set(test "${CMAKE_MATCH_1}")
        elseif(line MATCHES "^skipped: (.*)$" AND test)
            string(MAKE_C_IDENTIFIER "${CMAKE_MATCH_1}" key)
            list(APPEND reasons ${key})
            set(reason_${key} "${CMAKE_MATCH_1}")
            list(APPEND tests_${key} "${test}")
            set(test "")
        endif()
    endforeach()
endforeach()

list(REMOVE_DUPLICATES reasons)
if(reasons)
    message("\nSkipped, and why:")
endif()
foreach(key IN LISTS reasons)
    list(LENGTH tests_${key} count)
    list(JOIN tests_${key} " " tests)
    message("  ${reason_${key}} (${count}): ${tests}")
endforeach()
