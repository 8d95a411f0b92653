# SPDX-License-Identifier: Apache-2.0
# Programs for GPUs where no GPU is: nvcc compiles them to PTX, and the host runs that (emulator/ptx.h).

if(NOT WARPINT_CHECK_DEVICE_CODE OR WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
add_library(warpint_test_emulator STATIC emulator/decode.cpp emulator/devices.cpp emulator/failures.cpp emulator/instructions.cpp
                                         emulator/kernels.cpp emulator/memory.cpp emulator/run.cpp emulator/streams.cpp)
target_include_directories(warpint_test_emulator PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(warpint_test_emulator PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O2>")
target_link_libraries(warpint_test_emulator PRIVATE warpint_warnings)
target_compile_features(warpint_test_emulator PRIVATE cxx_std_20)
set_target_properties(warpint_test_emulator PROPERTIES POSITION_INDEPENDENT_CODE ON) # it is in the next one, too
# For the Python package, which compiles its PTX at run time.
add_library(warpint_test_emulator_library MODULE emulator/library.cpp)
target_link_libraries(warpint_test_emulator_library PRIVATE warpint_test_emulator warpint_warnings)
target_compile_features(warpint_test_emulator_library PRIVATE cxx_std_20)
add_library(warpint_test_main_emulated OBJECT support/main.cpp)
target_include_directories(warpint_test_main_emulated PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(warpint_test_main_emulated PRIVATE warpint_test_settings)
target_compile_definitions(warpint_test_main_emulated PRIVATE WARPINT_TEST_ON_GPU)

# The tests of GPUs that are run so, in turns (cmake/warpint_turns.cmake), their device code less optimised or as users have it. The
# others would take too long (powers of many elements, sorts of millions) or wait for the host while a kernel runs.
set(emulated vector vector_residues vector_sharded vector_limb_major vector_bad_calls matrix_step tensor_powers long_products)
set(emulated_optimised vector_memory vector_algorithms user_functions inverse_products)
# The one about streams: their work is done late.
set(emulated_late vector_memory)

# What is under test in these programs is their device code: the host's is not optimised, which saves a quarter of the
# time to compile, and has no assertions, which would be in device code too.
add_library(warpint_test_unoptimised INTERFACE)
target_compile_options(warpint_test_unoptimised INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-O0>"
                                                       "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-O0>")

# warpint_emulated_program(<target> <object or library>... SOURCES <.cu file>... [OPTIMISED])
#
# OPTIMISED   device code as users have it; without, less optimised, as all device code in this build
function(warpint_emulated_program target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "" "SOURCES")
    string(REGEX MATCH "[0-9]+" architecture "${CMAKE_CUDA_ARCHITECTURES}")
    add_executable(${target} ${arg_SOURCES})
    target_include_directories(${target} PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-no-compress>"
        "$<TARGET_PROPERTY:warpint_cuda,INTERFACE_COMPILE_OPTIONS>")
    target_link_libraries(${target} PRIVATE warpint_test_support warpint_test_unoptimised ${arg_UNPARSED_ARGUMENTS} warpint_test_emulator)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architecture}-virtual" CUDA_RUNTIME_LIBRARY None LINKER_LANGUAGE CXX
                                               WARPINT_OPTIMISED_DEVICE_CODE "${arg_OPTIMISED}")
endfunction()

# The grid of functions x kinds of numbers x places, at one width, without the batches. Compiled whole it takes two cores
# six to eight minutes: a turn has every third kind of source, and one part of each.
set(WARPINT_GRID_EMULATED_WIDTH 1152 CACHE STRING "Width of the grid of tests that is run from its PTX, in bits")
mark_as_advanced(WARPINT_GRID_EMULATED_WIDTH)
function(warpint_add_emulated_grid)
    list(FILTER grid_sources EXCLUDE REGEX "^batches:")
    warpint_grid_kinds(grid_sources)
    set(part all)
    if(NOT turn STREQUAL "all")
        math(EXPR part "${turn} / 3")
    endif()
    warpint_grid_sources(sources "${WARPINT_GRID_EMULATED_WIDTH}" "${part}")
    warpint_device_sources(device_sources grid/grid_test.cpp ${sources})
    warpint_grid_common(warpint_test_grid_common_emulated unoptimised)
    warpint_emulated_program(warpint_test_grid_emulated warpint_test_main_emulated warpint_test_grid_common_emulated warpint_test_grid_warnings
                             OPTIMISED SOURCES ${device_sources})
    warpint_register_test(grid_emulated warpint_test_grid_emulated --require-gpu)
    set(environment "WARPINT_EMULATOR_REPORT=1;WARPINT_GRID_ELEMENTS=5;WARPINT_GRID_WITHOUT=batch")
    if(NOT part STREQUAL "all")
        list(APPEND environment "WARPINT_GRID_PART=${part}")
    endif()
    set_tests_properties(grid_emulated PROPERTIES ENVIRONMENT "${environment}")
endfunction()

# warpint_add_emulated_example(<name> <source> <output> <option>...)
#
# A program of one source with a main function, compiled with these options of nvcc, as the test emulator_<name>, which
# must print <output>.
function(warpint_add_emulated_example name source output)
    set(target warpint_test_example_${name})
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/device/example_${name}.cu")
    file(CONFIGURE OUTPUT "${copy}" CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/compiler/@source@\"\n" @ONLY)
    add_executable(${target} "${copy}")
    target_compile_options(${target} PRIVATE -no-compress -std=c++20 ${ARGN})
    target_link_libraries(${target} PRIVATE warpint::warpint warpint_test_emulator)
    string(REGEX MATCH "[0-9]+" architecture "${CMAKE_CUDA_ARCHITECTURES}")
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${architecture}-virtual" CUDA_RUNTIME_LIBRARY None
                                               LINKER_LANGUAGE CXX WARPINT_OPTIMISED_DEVICE_CODE ON)
    # A program that aborts fails, whatever it printed; the shell only says that it did.
    add_test(NAME emulator_${name} COMMAND sh -c "'$<TARGET_FILE:${target}>' || echo failed")
    set_tests_properties(emulator_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${output}")
endfunction()

# What the emulator must see: kernels that nvcc 13.0 makes wrong, and the same ones right.
function(warpint_add_emulated_reproducer)
    set(options "$<TARGET_PROPERTY:warpint_cuda,INTERFACE_COMPILE_OPTIONS>")
    set(none_wrong "^0 of 64 words are wrong[^\n]*\n$")
    warpint_add_emulated_example(right nvcc_local_memory/reproducer.cu "${none_wrong}" "${options}")
    warpint_add_emulated_example(sum_mid fast_compile/sum.cu "^right sum\n$" --Ofast-compile=mid)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.1)
        warpint_add_emulated_example(wrong nvcc_local_memory/reproducer.cu "^64 of 64 words are wrong")
        warpint_add_emulated_example(sum_max fast_compile/sum.cu "the carry of another function, which calls do not keep.*failed\n$"
                                     --Ofast-compile=max)
    else()
        warpint_add_emulated_example(wrong nvcc_local_memory/reproducer.cu "${none_wrong}")
    endif()
endfunction()

# Code for an older architecture than the GPU's.
function(warpint_add_emulated_older)
    warpint_device_sources(sources vector/tensor_older_test.cpp)
    warpint_emulated_program(warpint_test_tensor_older_emulated warpint_test_main_emulated SOURCES ${sources})
    set_target_properties(warpint_test_tensor_older_emulated PROPERTIES CUDA_ARCHITECTURES 75-virtual)
    warpint_register_test(tensor_older_emulated warpint_test_tensor_older_emulated --require-gpu)
endfunction()
