# SPDX-License-Identifier: Apache-2.0
# Failures that are injected. (Files of a full disk: samples/common/full_disk_test.sh.)

if(NOT WARPINT_TEST_SET STREQUAL "quick")
    add_executable(warpint_test_allocations faults/allocation_program.cpp faults/counted_memory.cpp)
    target_link_libraries(warpint_test_allocations PRIVATE warpint::warpint warpint_warnings warpint_test_debug)
    target_include_directories(warpint_test_allocations PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    warpint_register_test(fault_allocations warpint_test_allocations)
endif()

# Whatever a program on GPUs calls, on two emulated ones, whose streams work as late as they may.
if(TARGET warpint_test_emulator)
    warpint_device_sources(gpu_fault_sources faults/gpu_program.cpp)
    warpint_emulated_program(warpint_test_gpu_faults SOURCES ${gpu_fault_sources} faults/counted_memory.cpp)
    target_compile_definitions(warpint_test_gpu_faults PRIVATE WARPINT_TEST_EMULATED)
    foreach(way IN ITEMS host device pinned launch copy create broken)
        warpint_register_test(fault_${way}_emulated warpint_test_gpu_faults ${way})
        set_tests_properties(fault_${way}_emulated PROPERTIES
                             ENVIRONMENT "WARPINT_EMULATED_GPUS=2;WARPINT_EMULATED_STREAMS=late")
    endforeach()
endif()
