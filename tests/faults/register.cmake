# SPDX-License-Identifier: Apache-2.0
# Failures that are injected. (Files of a full disk: samples/common/full_disk_test.sh.)

if(NOT WARPINT_TEST_SET STREQUAL "quick")
    add_executable(warpint_test_allocations faults/allocation_program.cpp faults/counted_memory.cpp)
    target_link_libraries(warpint_test_allocations PRIVATE warpint::warpint warpint_warnings warpint_test_debug)
    target_include_directories(warpint_test_allocations PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    warpint_register_test(fault_allocations warpint_test_allocations)
endif()
