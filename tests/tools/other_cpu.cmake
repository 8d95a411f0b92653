# SPDX-License-Identifier: Apache-2.0
# Compiles package/main.cpp and tools/formulas.cpp for another kind of CPU and runs them in an emulator.
#
#   cmake -DCOMPILER=<cross compiler or empty> -DEMULATOR=<qemu for programs, or empty> -DSOURCE_DIR=<repository>
#         -DWORK_DIR=<scratch> -P other_cpu.cmake
if(NOT COMPILER OR NOT EMULATOR)
    message("skipped: no cross compiler, or no emulator, was found")
    return()
endif()
file(MAKE_DIRECTORY "${WORK_DIR}")

# compile_and_run(<source> <regular expression for what it prints>)
function(compile_and_run source expected)
    cmake_path(GET source STEM program)
    set(program "${WORK_DIR}/${program}")
    execute_process(COMMAND "${COMPILER}" -std=c++20 -O2 -static -Wall -Wextra -Wshadow -Wpedantic -Wconversion -Werror
                            "-I${SOURCE_DIR}/include" "${SOURCE_DIR}/tests/${source}" -o "${program}"
                    COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${EMULATOR}" "${program}" OUTPUT_VARIABLE output RESULT_VARIABLE result)
    if(NOT result EQUAL 0 OR NOT output MATCHES "^${expected}\n$")
        message(FATAL_ERROR "${source} ends with ${result} and prints \"${output}\"")
    endif()
endfunction()
compile_and_run(package/main.cpp "consumer: correct")
compile_and_run(tools/formulas.cpp "52 17976931348623159[0-9]+624224137215 0")
