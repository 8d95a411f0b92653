# SPDX-License-Identifier: Apache-2.0
# Programs for GPUs where no GPU is: nvcc compiles them to PTX, and the host runs that (emulator/ptx.h).

if(NOT WARPINT_CHECK_DEVICE_CODE)
    return()
endif()
add_library(warpint_test_emulator STATIC emulator/decode.cpp emulator/instructions.cpp emulator/run.cpp emulator/runtime.cpp)
target_include_directories(warpint_test_emulator PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(warpint_test_emulator PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O2>")
target_link_libraries(warpint_test_emulator PRIVATE warpint_warnings)
target_compile_features(warpint_test_emulator PRIVATE cxx_std_20)
add_library(warpint_test_main_emulated OBJECT support/main.cpp)
target_include_directories(warpint_test_main_emulated PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(warpint_test_main_emulated PRIVATE warpint_test_settings)
target_compile_definitions(warpint_test_main_emulated PRIVATE WARPINT_TEST_ON_GPU)

# The tests of GPUs that are run so. The others would take too long (powers of many elements, sorts of millions) or
# wait for the host while a kernel runs.
set(emulated vector vector_memory vector_residues vector_bulk vector_sharded vector_limb_major vector_algorithms
             vector_bad_calls block warp_int)

# warpint_emulated_program(<target> <level> <object or library>... SOURCES <.cu file>... [OPTIMISED])
#
# OPTIMISED   device code as users have it; without, hardly optimised, as all device code in this build
function(warpint_emulated_program target level)
    cmake_parse_arguments(PARSE_ARGV 2 arg "OPTIMISED" "" "SOURCES")
    string(REGEX MATCH "[0-9]+" architecture "${CMAKE_CUDA_ARCHITECTURES}")
    add_executable(${target} ${arg_SOURCES})
    target_include_directories(${target} PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-no-compress>"
        "$<TARGET_PROPERTY:warpint_cuda,INTERFACE_COMPILE_OPTIONS>")
    target_link_libraries(${target} PRIVATE warpint_test_support warpint_test_${level} ${arg_UNPARSED_ARGUMENTS} warpint_test_emulator)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architecture}-virtual" CUDA_RUNTIME_LIBRARY None LINKER_LANGUAGE CXX
                                               WARPINT_OPTIMISED_DEVICE_CODE "${arg_OPTIMISED}")
endfunction()
