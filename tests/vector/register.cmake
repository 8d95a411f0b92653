# SPDX-License-Identifier: Apache-2.0
# Faults of batches, a process each; programs of C++ and CUDA files; sanitizers.

add_executable(warpint_test_fault vector/fault_program.cpp)
target_link_libraries(warpint_test_fault PRIVATE warpint_test_support warpint_test_debug)
foreach(fault IN ITEMS memory resource threads)
    warpint_register_test(fault_${fault} warpint_test_fault ${fault})
endforeach()

# Processes that end, fork, or have few threads.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    add_executable(warpint_test_process vector/process_program.cpp)
    target_link_libraries(warpint_test_process PRIVATE warpint_test_support warpint_test_release)
    foreach(case IN ITEMS atexit atexit_first static_object thread_end exit_in_loop child child_of_loop child_throws
                          child_of_group no_threads affinity environment)
        warpint_register_test(process_${case} warpint_test_process ${case})
    endforeach()
endif()

if(WARPINT_CUDA_ENABLED AND NOT WARPINT_TEST_SET STREQUAL "quick")
    set(faults resource threads neighbour capture memory current_device)
    if(WARPINT_CHECK_DEVICE_CODE)
        warpint_check_together(vectors vector/fault_program.cpp vector/no_kernel_program.cpp
                               vector/older_kernel_program.cpp)
        foreach(fault IN LISTS faults ITEMS no_kernel older_kernel)
            warpint_register_checked_test(fault_${fault}_cuda)
        endforeach()
    else()
        warpint_device_sources(fault_device vector/fault_program.cpp)
        add_executable(warpint_test_fault_cuda ${fault_device})
        target_link_libraries(warpint_test_fault_cuda PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
        foreach(fault IN LISTS faults)
            warpint_register_test(fault_${fault}_cuda warpint_test_fault_cuda ${fault})
        endforeach()
        warpint_device_sources(no_kernel_device vector/no_kernel_program.cpp)
        add_executable(warpint_test_no_kernel ${no_kernel_device})
        target_link_libraries(warpint_test_no_kernel PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
        set_target_properties(warpint_test_no_kernel PROPERTIES CUDA_ARCHITECTURES 75-real)
        warpint_register_test(fault_no_kernel_cuda warpint_test_no_kernel)
        warpint_device_sources(older_kernel_device vector/older_kernel_program.cpp)
        add_executable(warpint_test_older_kernel ${older_kernel_device})
        target_link_libraries(warpint_test_older_kernel PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
        set_target_properties(warpint_test_older_kernel PROPERTIES CUDA_ARCHITECTURES 80-virtual)
        warpint_register_test(fault_older_kernel_cuda warpint_test_older_kernel)
    endif()
    foreach(fault IN LISTS faults ITEMS no_kernel older_kernel)
        set_tests_properties(fault_${fault}_cuda PROPERTIES LABELS gpu)
    endforeach()
endif()

# One program of C++ and CUDA files that hand host vectors to each other; it needs no GPU, and says what device
# vectors do without one, or with a driver that is too old.
if(WARPINT_CUDA_ENABLED)
    warpint_device_sources(crossing_device vector/crossing/cuda_side.cpp)
    add_executable(warpint_test_crossing vector/crossing/cpp_side.cpp ${crossing_device})
    target_link_libraries(warpint_test_crossing PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
    warpint_register_test(crossing warpint_test_crossing)
    warpint_register_test(fault_no_gpu_cuda warpint_test_crossing no_gpu)
    set_property(TEST fault_no_gpu_cuda APPEND PROPERTY ENVIRONMENT "CUDA_VISIBLE_DEVICES=")
    add_library(warpint_test_old_driver SHARED vector/old_driver.cpp)
    set_target_properties(warpint_test_old_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/old_driver)
    warpint_register_test(fault_old_driver_cuda warpint_test_crossing old_driver)
    set_property(TEST fault_old_driver_cuda APPEND PROPERTY
        ENVIRONMENT "LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/old_driver")
    set_tests_properties(fault_no_gpu_cuda fault_old_driver_cuda PROPERTIES LABELS gpu)
endif()

# Under the sanitizers, which take registers from the assembly. (The preset asan does so with the quick set.)
if(NOT WARPINT_TEST_SET STREQUAL "quick")
    include(CheckCXXSourceCompiles)
    set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${sanitizer_flags}")
    check_cxx_source_compiles("int main() { return 0; }" WARPINT_HAS_SANITIZERS)
    unset(CMAKE_REQUIRED_FLAGS)
    if(WARPINT_HAS_SANITIZERS)
        warpint_add_test(sanitizers - debug host vector/sanitizer_test.cpp vector/lifetime_test.cpp
                         DEFINITIONS WARPINT_TEST_ONE_SPACE) # the test vector has both
        target_compile_options(warpint_test_sanitizers PRIVATE ${sanitizer_flags})
        target_link_options(warpint_test_sanitizers PRIVATE ${sanitizer_flags})
    else()
        message(STATUS "warpint: the compiler has no address sanitizer; the test sanitizers is left out")
    endif()
endif()

# Lambdas for kernels.
foreach(target IN ITEMS warpint_test_user_functions_cuda warpint_test_user_functions_emulated)
    if(TARGET ${target})
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>")
    endif()
endforeach()
