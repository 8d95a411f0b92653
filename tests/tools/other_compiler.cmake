# SPDX-License-Identifier: Apache-2.0
# Builds and runs some programs of the quick set with another compiler, without CUDA, warnings as errors.
#
# cmake -DSOURCE_DIR=<repository> -DWORK_DIR=<scratch> -DGENERATOR=<generator> -DCOMPILER=<c++ or empty>
#       -DTESTS=<test>,... -P other_compiler.cmake
if(NOT COMPILER)
    message("skipped: no second compiler was found")
    return()
endif()
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

string(REPLACE "," ";" tests "${TESTS}")
list(TRANSFORM tests PREPEND warpint_test_ OUTPUT_VARIABLE programs)
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    -DCMAKE_BUILD_TYPE=Release -DWARPINT_CUDA=OFF -DWARPINT_BUILD_TESTS=ON -DWARPINT_BUILD_SAMPLES=OFF
    -DWARPINT_TEST_SET=quick -DWARPINT_WARNINGS_AS_ERRORS=ON)
run("${CMAKE_COMMAND}" --build "${WORK_DIR}" --parallel 1 --target ${programs})
list(JOIN tests "|" names)
run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK_DIR}" --output-on-failure --no-tests=error -R "^(${names})$")
