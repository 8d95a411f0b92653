# SPDX-License-Identifier: Apache-2.0
# Registers the test tune: what warpint_perf_tune chooses and writes, which needs no GPU. Tables from invented
# measurements are written while the test is built, and compiled into it. In the full set.
if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
add_executable(warpint_test_write_tables tune/write_tables.cpp)
target_include_directories(warpint_test_write_tables PRIVATE "${PROJECT_SOURCE_DIR}/perf")
target_link_libraries(warpint_test_write_tables PRIVATE warpint_test_settings warpint_test_release)
set(tune_tables "${CMAKE_CURRENT_BINARY_DIR}/tune")
file(MAKE_DIRECTORY "${tune_tables}")
add_custom_command(
    OUTPUT "${tune_tables}/sm_91.h" "${tune_tables}/sm_92.h" "${tune_tables}/program_table.h"
    COMMAND warpint_test_write_tables "${tune_tables}"
    DEPENDS warpint_test_write_tables)
warpint_add_test(tune - release host tune/table_test.cpp tune/program_table_test.cpp
                 "${tune_tables}/sm_91.h" "${tune_tables}/sm_92.h" "${tune_tables}/program_table.h")
target_include_directories(warpint_test_tune PRIVATE "${PROJECT_SOURCE_DIR}/perf" "${tune_tables}")
