# SPDX-License-Identifier: Apache-2.0
# Builds and runs the project of this folder as a user would. HOW is `install` (install warpint to a
# fresh prefix and find it there) or `subdirectory` (add the source tree). tests/CMakeLists.txt gives the
# other variables.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK_DIR}")

set(options "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DCMAKE_BUILD_TYPE=Release
            "-DCONSUMER_CUDA=${CUDA}")
if(CUDA)
    list(APPEND options "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}")
    string(REPLACE ";" "\\;" CUDA_ARCHITECTURES "${CUDA_ARCHITECTURES}")
    list(APPEND options "-DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURES}")
endif()

if(HOW STREQUAL "install")
    execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix"
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND options "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix" "-DWARPINT_VERSION=${VERSION}")
else()
    list(APPEND options "-DWARPINT_SOURCE_DIR=${SOURCE_DIR}")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package" -B "${WORK_DIR}/build"
                        -G "${GENERATOR}" ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --config Release
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${WORK_DIR}/build" -C Release --verbose
                        --no-tests=error COMMAND_ERROR_IS_FATAL ANY)
