# SPDX-License-Identifier: Apache-2.0
# Registers the tests of what nvcc makes of the headers; no GPU is needed.

if(NOT WARPINT_CUDA_ENABLED)
    return()
endif()

set(WARPINT_NEWEST_NVCC "" CACHE FILEPATH
    "An nvcc newer than the build's for the test newest_nvcc; when empty, the environment variable of this name, or Python's wheels")
mark_as_advanced(WARPINT_NEWEST_NVCC)
find_package(Python3 COMPONENTS Interpreter)

# warpint_add_device_code_test(<script> <name> <argument>...)
#
# Registers a run of tests/tools/<script>.py in this folder, which finds in device code what a compiler gets wrong.
function(warpint_add_device_code_test script name)
    set(test ${script}_${name})
    if(Python3_FOUND)
        add_test(NAME ${test}
                 COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tests/tools/${script}.py" "--nvcc=${CMAKE_CUDA_COMPILER}" ${ARGN}
                 WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/compiler")
    else()
        warpint_register_skipped_test(${test} "Python 3 was not found")
    endif()
    set_tests_properties(${test} PROPERTIES TIMEOUT 7200 SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# nvcc 13.0 merges local arrays that are alive at the same time (nvcc_local_memory/README.md): in no kernel of these.
# warpint_add_merged_arrays_test(<name> <source> [EXPECT <function>] [BITS <n>])
function(warpint_add_merged_arrays_test name source)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "EXPECT;BITS" "")
    set(options "")
    if(arg_EXPECT)
        list(APPEND options "--expect=${arg_EXPECT}")
    endif()
    set(for_nvcc -arch=sm_90 "-I${PROJECT_SOURCE_DIR}/include")
    if(arg_BITS)
        list(APPEND for_nvcc "-DWARPINT_BITS=${arg_BITS}")
    endif()
    warpint_add_device_code_test(merged_arrays ${name} ${options} ${source} ${for_nvcc})
    set_tests_properties(merged_arrays_${name} PROPERTIES PROCESSORS 2) # two compilers run at once
endfunction()

# nvcc 13.0 splits loops of shuffles between the arms of branches: in no kernel of these.
warpint_add_device_code_test(split_shuffles canary split_shuffles/split.ptx --expect=splits)

# ptxas lets some threads of a warp overwrite uniform registers that the others still read
# (uniform_registers/README.md): in no kernel of these.
# warpint_add_uniform_registers_test(<name> <file or option>...)
function(warpint_add_uniform_registers_test name)
    warpint_add_device_code_test(uniform_registers ${name} "--environment=${PROJECT_BINARY_DIR}/cuobjdump" ${ARGN})
    set_tests_properties(uniform_registers_${name} PROPERTIES RESOURCE_LOCK cuobjdump) # the first installs the disassembler
endfunction()
warpint_add_uniform_registers_test(self_test --self-test)

# If this one is not found, the others find nothing either.
warpint_add_merged_arrays_test(canary nvcc_local_memory/reproducer.cu EXPECT merges_live_arrays)
if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()

# A run-time compiler takes the kernels.
if(TARGET CUDA::nvrtc)
    set(includes "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/tests")
    foreach(folder IN LISTS CUDAToolkit_INCLUDE_DIRS)
        list(APPEND includes "${folder}/cccl" "${folder}") # CCCL is in the former from CUDA 13 on
    endforeach()
    list(TRANSFORM includes PREPEND "\"-I")
    list(TRANSFORM includes APPEND "\"")
    list(JOIN includes ", " includes)
    add_executable(warpint_test_nvrtc compiler/nvrtc/nvrtc_test.cpp)
    target_link_libraries(warpint_test_nvrtc PRIVATE warpint_test_main warpint_test_settings CUDA::nvrtc)
    set_source_files_properties(compiler/nvrtc/nvrtc_test.cpp PROPERTIES COMPILE_DEFINITIONS
                                                                         "WARPINT_TEST_INCLUDES=${includes}")
    warpint_register_test(nvrtc warpint_test_nvrtc)
else()
    warpint_register_skipped_test(nvrtc "NVRTC was not found")
endif()

# Powers compiled for 9.0a, where no other test is: nothing is spilled, and ptxas lets the products run on.
add_test(NAME group_products
         COMMAND "${CMAKE_CUDA_COMPILER}" -std=c++20 -arch=sm_90a -cubin -Xptxas=-v "-I${PROJECT_SOURCE_DIR}/include" -o group_products.cubin
                 "${CMAKE_CURRENT_SOURCE_DIR}/compiler/group_products.cu")
set_tests_properties(group_products PROPERTIES FAIL_REGULAR_EXPRESSION "serialized|[1-9][0-9]* bytes spill")

# All kernels at all widths take forty minutes of one core; the full set has the widths and kinds that were wrong, in turns
# (cmake/warpint_turns.cmake).
foreach(bits IN ITEMS 512 1024 2048 5000)
    foreach(source IN ITEMS residues residue_formulas modular residue_functions contexts formulas numbers theory reductions lanes)
        set(full OFF)
        if((bits EQUAL 2048 AND source MATCHES "^(residues|residue_formulas|modular|contexts|theory)$")
           OR (bits EQUAL 512 AND source MATCHES "^(residues|residue_formulas|numbers)$"))
            warpint_next_turn(full compiler)
        endif()
        if(full OR WARPINT_TEST_SET STREQUAL "long")
            warpint_add_merged_arrays_test(${source}_${bits} kernels/${source}.cu BITS ${bits})
        endif()
    endforeach()
endforeach()

# The grid's functions, whose kernels are the fullest. (Not the whole grid: in bulk inverses at 2100 bits the script
# reports a guarded write that is copied and then used under the same condition, which is harmless.)
set(pass_off "")
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0 AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.1)
    set(pass_off -Xcicc=--Xopt,-disable-ReuseLocalMemoryPass)
endif()
set(parts 2)
set(widths 2200)
if(WARPINT_TEST_SET STREQUAL "long")
    set(parts 0 1 2 3)
    set(widths 1152 2048 2200 4500)
endif()
foreach(bits IN LISTS widths)
    foreach(part IN LISTS parts)
        warpint_next_turn(has_turn compiler)
        if(NOT has_turn)
            continue()
        endif()
        warpint_add_uniform_registers_test(
            grid_${bits}_${part} uniform_registers/grid.cu "-I${PROJECT_SOURCE_DIR}/include" "-I${CMAKE_CURRENT_SOURCE_DIR}"
            -DNDEBUG ${pass_off} --diag-suppress=23,445,20011,20013 "-DWARPINT_BITS=${bits}" "-DWARPINT_PART=${part}")
    endforeach()
endforeach()

foreach(bits IN ITEMS 1152 2100)
    warpint_next_turn(has_turn compiler)
    if(NOT has_turn)
        continue()
    endif()
    warpint_add_device_code_test(split_shuffles lanes_${bits} kernels/lanes.cu -arch=sm_90 "-I${PROJECT_SOURCE_DIR}/include" "-DWARPINT_BITS=${bits}")
endforeach()

warpint_next_turn(has_turn compiler)
if(NOT has_turn)
    return()
endif()
add_test(
    NAME newest_nvcc
    COMMAND
        "${CMAKE_COMMAND}" "-DNVCC=${WARPINT_NEWEST_NVCC}" "-DOLDER=${CMAKE_CUDA_COMPILER}" "-DPYTHON=${Python3_EXECUTABLE}"
        "-DENVIRONMENT=${PROJECT_BINARY_DIR}/newest_nvcc" "-DINCLUDE=${PROJECT_SOURCE_DIR}/include"
        "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/newest_nvcc" -P "${CMAKE_CURRENT_LIST_DIR}/newest_nvcc.cmake")
set_tests_properties(newest_nvcc PROPERTIES TIMEOUT 7200 SKIP_REGULAR_EXPRESSION "^skipped: ")
