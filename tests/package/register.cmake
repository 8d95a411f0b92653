# SPDX-License-Identifier: Apache-2.0
# Registers the tests of the package: how a user gets warpint. The quick set does without nvcc and without the project.

set(package_cuda OFF)
set(package_nvcc "")
set(package_project install subdirectory)
if(WARPINT_TEST_SET STREQUAL "quick")
    set(package_project "")
elseif(WARPINT_CUDA_ENABLED)
    set(package_cuda ON)
    set(package_nvcc "${CMAKE_CUDA_COMPILER}")
endif()

# The project of this folder, built against the installed package and against the source tree.
foreach(how IN LISTS package_project)
    add_test(
        NAME package_${how}
        COMMAND
            "${CMAKE_COMMAND}" "-DHOW=${how}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
            "-DBUILD_DIR=${PROJECT_BINARY_DIR}"
            "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/package_${how}"
            "-DVERSION=${PROJECT_VERSION}" "-DGENERATOR=${CMAKE_GENERATOR}"
            "-DCXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCUDA=${package_cuda}"
            "-DCUDA_COMPILER=${package_nvcc}"
            "-DCUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}"
            -P "${CMAKE_CURRENT_LIST_DIR}/run.cmake")
    set_tests_properties(package_${how} PROPERTIES LABELS repository)
endforeach()

# Single facts, in seconds each: checks.cmake says what they are.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/checks.cmake" checks REGEX "^function\\(check_[a-z_0-9]+\\)$")
foreach(check IN LISTS checks)
    string(REGEX REPLACE "^function\\(check_(.*)\\)$" "\\1" check "${check}")
    add_test(
        NAME package_${check}
        COMMAND
            "${CMAKE_COMMAND}" "-DCHECK=${check}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
            "-DBUILD_DIR=${PROJECT_BINARY_DIR}"
            "-DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/package_${check}"
            "-DVERSION=${PROJECT_VERSION}" "-DGENERATOR=${CMAKE_GENERATOR}"
            "-DCXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCXX_ID=${CMAKE_CXX_COMPILER_ID}"
            "-DCUDA_COMPILER=${package_nvcc}" -P "${CMAKE_CURRENT_LIST_DIR}/checks.cmake")
    set_tests_properties(package_${check} PROPERTIES LABELS repository SKIP_REGULAR_EXPRESSION
                                                     "^skipped: ")
endforeach()
