# SPDX-License-Identifier: Apache-2.0
# Builds the documentation by its preset; Doxygen's warnings are errors there.
#
#   cmake -DSOURCE_DIR=<repository> -DWORK_DIR=<folder> -P documentation.cmake
cmake_minimum_required(VERSION 3.25)

foreach(program IN ITEMS doxygen dot)
    find_program(${program}_program ${program})
    if(NOT ${program}_program)
        message("skipped: no program ${program}")
        return()
    endif()
endforeach()
foreach(command IN ITEMS "--preset;docs;-S;${SOURCE_DIR};-B;${WORK_DIR}" "--build;${WORK_DIR};--target;warpint_docs")
    execute_process(COMMAND "${CMAKE_COMMAND}" ${command} WORKING_DIRECTORY "${SOURCE_DIR}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT EXISTS "${WORK_DIR}/docs/html/index.html")
    message(FATAL_ERROR "there is no documentation")
endif()
