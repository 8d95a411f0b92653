# SPDX-License-Identifier: Apache-2.0
# Registers the test perf_lines: every benchmark runs once, with a tiny batch on the CPU, and its lines are read. Each
# group of rows is compiled at one width, unoptimised.
find_package(benchmark 1.7 QUIET)
find_package(Python3 3.8 QUIET COMPONENTS Interpreter)
if(NOT WARPINT_TEST_SET STREQUAL "full")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/ranks_test.cmake")
if(NOT benchmark_FOUND OR NOT Python3_FOUND)
    add_test(NAME perf_lines
             COMMAND "${CMAKE_COMMAND}" -E echo "skipped: Google Benchmark (libbenchmark-dev) or Python 3 is missing")
    set_tests_properties(perf_lines PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/program.cmake")
block()
    set(WARPINT_CUDA_ENABLED OFF) # the CPU's rows only
    list(TRANSFORM warpint_perf_rows REPLACE ":.*" ":256" OUTPUT_VARIABLE rows)
    list(TRANSFORM rows REPLACE "short:256" "short:131")
    list(REMOVE_DUPLICATES rows)
    warpint_add_perf_program(warpint_test_perf ON ${rows})
endblock()
target_sources(warpint_test_perf PRIVATE "${CMAKE_CURRENT_LIST_DIR}/faulty_rows.cpp")
target_link_libraries(warpint_test_perf PRIVATE warpint_test_debug)
warpint_register_test(perf_lines Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/check_lines.py"
                      $<TARGET_FILE:warpint_test_perf> "${CMAKE_CURRENT_BINARY_DIR}/perf_lines.jsonl")
warpint_register_test(perf_scripts Python3::Interpreter -B "${CMAKE_CURRENT_LIST_DIR}/check_scripts.py")
