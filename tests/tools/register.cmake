# SPDX-License-Identifier: Apache-2.0
# What compilers, debuggers and checkers say of the library. Each test is a script of this folder, which prints
# "skipped: <reason>" and nothing else where it cannot run.

find_program(WARPINT_VALGRIND valgrind)
find_path(WARPINT_VALGRIND_HEADERS valgrind/memcheck.h)
find_program(WARPINT_GDB gdb)
find_program(WARPINT_BASH bash)
find_package(Python3 COMPONENTS Interpreter)
mark_as_advanced(WARPINT_VALGRIND WARPINT_VALGRIND_HEADERS WARPINT_GDB WARPINT_BASH)
get_target_property(doctest_includes doctest::doctest INTERFACE_INCLUDE_DIRECTORIES)

# warpint_add_tool_test(<name> <quick or full> <command>...): full where the quick set leaves it out.
function(warpint_add_tool_test name set)
    if(set STREQUAL "full" AND WARPINT_TEST_SET STREQUAL "quick")
        return()
    endif()
    add_test(NAME ${name} COMMAND ${ARGN})
    set(labels repository)
    if(set STREQUAL "quick")
        list(APPEND labels quick)
    endif()
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 SKIP_REGULAR_EXPRESSION "^skipped: " LABELS "${labels}")
endfunction()

# Warnings: every public header alone, and formulas, by each compiler, as a user with many warnings on compiles them.
foreach(compiler IN ITEMS GXX CLANGXX)
    string(TOLOWER "warnings_${compiler}" name)
    warpint_add_tool_test(
        ${name} full "${CMAKE_COMMAND}" "-DCOMPILER=$<$<BOOL:${WARPINT_${compiler}}>:${WARPINT_${compiler}}>"
        "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/${name}"
        -P "${CMAKE_CURRENT_LIST_DIR}/warnings.cmake")
endforeach()

# A long literal: that it takes clang++ no minutes.
if(WARPINT_CLANGXX)
    warpint_add_tool_test(long_literal full "${WARPINT_CLANGXX}" -std=c++20 -fsyntax-only "-I${PROJECT_SOURCE_DIR}/include"
                          "${PROJECT_SOURCE_DIR}/tests/compiler/long_literal.cpp")
endif()
if(TEST long_literal)
    set_tests_properties(long_literal PROPERTIES TIMEOUT 60)
endif()

# The same formulas, and the package's program, on another kind of CPU.
find_program(WARPINT_AARCH64_GXX aarch64-linux-gnu-g++)
find_program(WARPINT_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
mark_as_advanced(WARPINT_AARCH64_GXX WARPINT_QEMU_AARCH64)
warpint_add_tool_test(
    aarch64 full "${CMAKE_COMMAND}" "-DCOMPILER=$<$<BOOL:${WARPINT_AARCH64_GXX}>:${WARPINT_AARCH64_GXX}>"
    "-DEMULATOR=$<$<BOOL:${WARPINT_QEMU_AARCH64}>:${WARPINT_QEMU_AARCH64}>" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/aarch64" -P "${CMAKE_CURRENT_LIST_DIR}/other_cpu.cmake")

# README's first command, as a stranger runs it: without CUDA, and with it where nvcc and a GPU are; in the long set also in
# Debian's stable release, whose g++ is newer.
if(WARPINT_BASH)
    set(sample_packages OFF)
    find_package(OpenSSL 3.0 QUIET COMPONENTS Crypto)
    find_package(CLI11 CONFIG QUIET)
    find_path(WARPINT_BOOST_TIMER_INCLUDE_DIR boost/timer/progress_display.hpp)
    if(OPENSSL_FOUND AND CLI11_FOUND AND WARPINT_BOOST_TIMER_INCLUDE_DIR)
        set(sample_packages ON)
    endif()
    set(demo "${WARPINT_BASH}" "${CMAKE_CURRENT_LIST_DIR}/readme_demo.sh" "${PROJECT_SOURCE_DIR}" ${sample_packages})
    warpint_add_tool_test(readme_demo full ${demo} "${CMAKE_CURRENT_BINARY_DIR}/readme_demo" cpu)
    if(WARPINT_CUDA_ENABLED AND WARPINT_HAS_GPU)
        warpint_add_tool_test(readme_demo_cuda full ${demo} "${CMAKE_CURRENT_BINARY_DIR}/readme_demo_cuda" cuda)
    endif()
    if(WARPINT_TEST_SET STREQUAL "long")
        warpint_add_tool_test(debian_13 full "${WARPINT_BASH}" "${CMAKE_CURRENT_LIST_DIR}/debian.sh" trixie
                              "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_BINARY_DIR}/debian_13")
    endif()
endif()

warpint_add_tool_test(documentation full "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
                      "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/documentation" -P "${CMAKE_CURRENT_LIST_DIR}/documentation.cmake")

# Some programs of the quick set by the compiler that did not build this one, in turns; all of them by both every night
# (.github/workflows/nightly.yml).
set(other_compiler "${WARPINT_CLANGXX}")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(other_compiler "${WARPINT_GXX}")
endif()
warpint_next_turn(has_turn compiler)
if(has_turn)
    warpint_add_tool_test(
        other_compiler full "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
        "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/other_compiler" "-DGENERATOR=${CMAKE_GENERATOR}"
        "-DCOMPILER=$<$<BOOL:${other_compiler}>:${other_compiler}>"
        "-DTESTS=literals,number_few,residue,vector,simd_formulas"
        -P "${CMAKE_CURRENT_LIST_DIR}/other_compiler.cmake")
endif()

# What the compiler must refuse: one test per case of these files, judged by its messages: g++'s where
# there is one, as most users read those. It reads their headers once.
set(refusing_compiler "${CMAKE_CXX_COMPILER}")
set(refusing_compiler_id "${CMAKE_CXX_COMPILER_ID}")
if(WARPINT_GXX AND NOT refusing_compiler_id STREQUAL "GNU")
    set(refusing_compiler "${WARPINT_GXX}")
    set(refusing_compiler_id GNU)
endif()
set(refused must_not_compile must_not_compile_batches)
if(WARPINT_TEST_SET STREQUAL "quick")
    set(refused "")
endif()
foreach(name IN LISTS refused)
    set(must_not_compile "${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp")
    set(headers "")
    if(refusing_compiler_id STREQUAL "GNU")
        file(STRINGS "${must_not_compile}" headers REGEX "^#(include|define) ")
        list(JOIN headers "\n" lines)
        set(headers "${CMAKE_CURRENT_BINARY_DIR}/${name}.h")
        file(CONFIGURE OUTPUT "${headers}" CONTENT "@lines@\n" @ONLY)
        add_custom_command(
            OUTPUT "${headers}.gch"
            COMMAND "${refusing_compiler}" -std=c++20 -Wall -Wextra "-I${PROJECT_SOURCE_DIR}/include"
                    -MD -MT "${headers}.gch" -MF "${headers}.d" -x c++-header "${headers}" -o "${headers}.gch"
            DEPENDS "${headers}"
            DEPFILE "${headers}.d"
            COMMENT "Precompiling the headers of ${name}.cpp"
            VERBATIM)
        add_custom_target(warpint_${name}_headers ALL DEPENDS "${headers}.gch")
    endif()
    file(STRINGS "${must_not_compile}" cases REGEX "^#(el)?if CASE == [0-9]+ // ")
    foreach(case IN LISTS cases)
        string(REGEX MATCH "[0-9]+" case "${case}")
        warpint_add_tool_test(
            ${name}_${case} full "${CMAKE_COMMAND}" "-DCOMPILER=${refusing_compiler}"
            "-DCOMPILER_ID=${refusing_compiler_id}" "-DSOURCE=${must_not_compile}"
            "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" "-DHEADERS=${headers}" "-DCASE=${case}"
            -P "${CMAKE_CURRENT_LIST_DIR}/must_not_compile.cmake")
    endforeach()
endforeach()
# The same for nvcc, whose mistakes are other ones.
if(WARPINT_CUDA_ENABLED)
    foreach(case RANGE 1 5)
        warpint_add_tool_test(
            must_not_compile_kernels_${case} full "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CUDA_COMPILER}"
            -DCOMPILER_ID=NVIDIA "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile_kernels.cpp"
            "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" "-DCASE=${case}"
            "-DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/must_not_compile_kernels_${case}.ptx"
            -P "${CMAKE_CURRENT_LIST_DIR}/must_not_compile.cmake")
    endforeach()
endif()

# Constant time: secrets as uninitialised bits under valgrind; on GPUs the machine code.
foreach(compiler IN ITEMS GXX CLANGXX)
    foreach(variant IN ITEMS "number/modular O0" "number/modular O2" "number/modular O3" "arith/simd O2")
        separate_arguments(variant)
        list(GET variant 0 folder)
        list(GET variant 1 level)
        cmake_path(GET folder FILENAME room)
        string(TOLOWER "constant_time_${room}_${compiler}_${level}" name)
        string(REPLACE "_modular_" "_" name "${name}")
        warpint_add_tool_test(
            ${name} full "${CMAKE_COMMAND}" "-DVALGRIND=$<$<BOOL:${WARPINT_VALGRIND}>:${WARPINT_VALGRIND}>"
            "-DHEADERS=$<$<BOOL:${WARPINT_VALGRIND_HEADERS}>:${WARPINT_VALGRIND_HEADERS}>"
            "-DCOMPILER=$<$<BOOL:${WARPINT_${compiler}}>:${WARPINT_${compiler}}>" "-DOPTIONS=-${level}"
            "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${folder}/constant_time_leaks.cpp"
            "-DINCLUDE=${PROJECT_SOURCE_DIR}/include" "-DPROGRAM=${CMAKE_CURRENT_BINARY_DIR}/${name}"
            -P "${CMAKE_CURRENT_LIST_DIR}/constant_time.cmake")
    endforeach()
endforeach()
if(WARPINT_CUDA_ENABLED AND Python3_FOUND)
    warpint_add_tool_test(constant_time_sass full "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/sass_taint.py"
                          "--nvcc=${CMAKE_CUDA_COMPILER}" "--environment=${PROJECT_BINARY_DIR}/cuobjdump")
    if(TEST constant_time_sass)
        set_tests_properties(constant_time_sass PROPERTIES RESOURCE_LOCK cuobjdump)
    endif()
endif()

# std::format, with the first compiler here whose standard library has it.
list(JOIN doctest_includes "," doctest_includes)
warpint_add_tool_test(
    format quick "${CMAKE_COMMAND}" "-DCOMPILER=${CMAKE_CXX_COMPILER}"
    "-DSOURCES=${CMAKE_CURRENT_SOURCE_DIR}/number/format_test.cpp,${CMAKE_CURRENT_SOURCE_DIR}/support/main.cpp"
    "-DINCLUDE=${PROJECT_SOURCE_DIR}/include,${CMAKE_CURRENT_SOURCE_DIR},${doctest_includes}"
    "-DPROGRAM=${CMAKE_CURRENT_BINARY_DIR}/warpint_test_format" -P "${CMAKE_CURRENT_LIST_DIR}/format.cmake")

# The printers for gdb, on a small program with debug information.
add_executable(warpint_gdb_program number/gdb_program.cpp)
target_link_libraries(warpint_gdb_program PRIVATE warpint::warpint warpint_warnings)
target_compile_options(warpint_gdb_program PRIVATE "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O0;-g;-UNDEBUG>")
warpint_add_tool_test(
    gdb_printer quick "${CMAKE_COMMAND}" "-DGDB=$<$<BOOL:${WARPINT_GDB}>:${WARPINT_GDB}>"
    "-DPROGRAM=$<TARGET_FILE:warpint_gdb_program>" "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/number/gdb_program.cpp"
    "-DPRINTERS=${PROJECT_SOURCE_DIR}/include/warpint/limb/debugger.h-gdb.py"
    -P "${CMAKE_CURRENT_LIST_DIR}/gdb_printer.cmake")

# The directions of includes, where operations are named, the format, what kernels include, and the licence in every file.
set(check_includes "${CMAKE_CURRENT_LIST_DIR}/check_includes.cmake")
warpint_add_tool_test(include_direction quick "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}/include/warpint"
                      -P "${check_includes}")
warpint_add_tool_test(include_direction_self_test quick "${CMAKE_COMMAND}"
                      "-DSELF_TEST=${CMAKE_CURRENT_BINARY_DIR}/include_direction" -P "${check_includes}")
set(operation_names "${CMAKE_CURRENT_LIST_DIR}/operation_names.cmake")
warpint_add_tool_test(operation_names quick "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}/include/warpint"
                      -P "${operation_names}")
warpint_add_tool_test(operation_names_self_test quick "${CMAKE_COMMAND}"
                      "-DSELF_TEST=${CMAKE_CURRENT_BINARY_DIR}/operation_names" -P "${operation_names}")
warpint_add_tool_test(formatting full "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
                      -P "${CMAKE_CURRENT_LIST_DIR}/formatting.cmake")
warpint_add_tool_test(formatting_self_test full "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
                      "-DSELF_TEST=${CMAKE_CURRENT_BINARY_DIR}/formatting" -P "${CMAKE_CURRENT_LIST_DIR}/formatting.cmake")
if(Python3_FOUND)
    set(kernel_headers "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/kernel_headers.py" "${CMAKE_CXX_COMPILER}"
                       "${PROJECT_SOURCE_DIR}/include")
    warpint_add_tool_test(kernel_headers quick ${kernel_headers})
    warpint_add_tool_test(kernel_headers_self_test quick ${kernel_headers} --self-test)
    set(listed_functions "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/listed_functions.py" "${PROJECT_SOURCE_DIR}")
    warpint_add_tool_test(listed_functions quick ${listed_functions})
    warpint_add_tool_test(listed_functions_self_test quick ${listed_functions} --self-test)
endif()
warpint_add_tool_test(license_lines quick "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}"
                      -P "${CMAKE_CURRENT_LIST_DIR}/license_lines.cmake")

# Device code under compute-sanitizer: what reads and writes memory where it must not, and races in shared memory.
find_program(WARPINT_COMPUTE_SANITIZER compute-sanitizer HINTS "${CUDAToolkit_BIN_DIR}")
mark_as_advanced(WARPINT_COMPUTE_SANITIZER)
if(WARPINT_CUDA_ENABLED AND NOT WARPINT_CHECK_DEVICE_CODE AND WARPINT_COMPUTE_SANITIZER)
    foreach(run IN ITEMS "memcheck vector" "memcheck vector_residues" "memcheck vector_bulk" "memcheck matrix_step"
                         "memcheck tensor_streamed" "racecheck vector_residues" "racecheck matrix_step"
                         "racecheck tensor_streamed")
        separate_arguments(run)
        list(GET run 0 tool)
        list(GET run 1 program)
        warpint_add_tool_test(${tool}_${program} full "${WARPINT_COMPUTE_SANITIZER}" --tool ${tool}
                              "$<TARGET_FILE:warpint_test_${program}_cuda>")
        if(TEST ${tool}_${program})
            set_tests_properties(${tool}_${program} PROPERTIES LABELS gpu
                                 PASS_REGULAR_EXPRESSION "SUMMARY: 0 (errors|hazards)")
        endif()
    endforeach()
endif()

# The full set is configured as on a machine with a GPU, where tests are registered that no other machine has.
if(WARPINT_CHECK_DEVICE_CODE)
    warpint_add_tool_test(configured_for_gpu full "${CMAKE_COMMAND}" -G "${CMAKE_GENERATOR}" -S "${PROJECT_SOURCE_DIR}"
                          -B "${CMAKE_CURRENT_BINARY_DIR}/configured_for_gpu" --preset full
                          -DWARPINT_FAST_DEVICE_CODE=OFF "-DWARPINT_COMPUTE_SANITIZER=${CMAKE_COMMAND}"
                          "-DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}")
endif()
