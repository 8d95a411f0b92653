# SPDX-License-Identifier: Apache-2.0
# Device code that no GPU here will run is compiled to see that it compiles, in a fraction of the time.
# For this repository's own programs only.
#
# WARPINT_FAST_DEVICE_CODE  AUTO (ON where tests are built and no GPU is found), ON or OFF: OFF to
#                           carry programs to a machine with a GPU
#
# When on, programs that run without a GPU too have less optimised device code, and of the tests that
# only a GPU can run device code is compiled to the link-time intermediate code, where every message of
# the compiler has been given (warpint_check_device_code). Sets WARPINT_CHECK_DEVICE_CODE for those.
#
# The level is mid: with max, nvcc 13.0 calls even __forceinline__ functions and loses carries
# (tests/compiler/fast_compile). Nothing that is compiled with mid may run on a GPU: it has wrong values there too
# (guide, compiler.md).

set(WARPINT_FAST_DEVICE_CODE AUTO
    CACHE STRING "Optimise device code less, only check that of tests: AUTO (in builds of the tests without a GPU), ON or OFF")
set_property(CACHE WARPINT_FAST_DEVICE_CODE PROPERTY STRINGS AUTO ON OFF)

set(fast_device_code ${WARPINT_FAST_DEVICE_CODE})
if(fast_device_code STREQUAL "AUTO")
    set(fast_device_code OFF)
    if(WARPINT_TESTS_ENABLED AND WARPINT_CUDA_ENABLED AND NOT WARPINT_HAS_GPU)
        set(fast_device_code ON)
    endif()
endif()

set(WARPINT_CHECK_DEVICE_CODE OFF)
if(fast_device_code AND NOT WARPINT_TEST_SET STREQUAL "long" AND WARPINT_CUDA_ENABLED AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA"
   AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
    message(STATUS "warpint: no GPU is here, so the tests that need one are compiled for messages only and "
                   "skipped, and other device code is less optimised (WARPINT_FAST_DEVICE_CODE=OFF builds it all)")
    add_compile_options(
        "$<$<AND:$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:WARPINT_OPTIMISED_DEVICE_CODE>>>>:--Ofast-compile=mid>")
    set(WARPINT_CHECK_DEVICE_CODE ON)
endif()

# warpint_check_device_code(<target> <model> <source>... [OPTIONS <option>...])
#
# Adds `target` to what is built: nvcc compiles the .cu sources, all in one translation unit, which shares
# the headers and what several of them instantiate, with the include folders and definitions of the target
# `model` and the warnings of warpint_warnings, up to the intermediate code for link-time optimisation of
# the first architecture. Neither ptxas nor the host's compiler is run; the host's half of the same text is
# what the C++ program of the test consists of. Nothing is linked. WARPINT_CHECKED_ONLY is defined.
function(warpint_check_device_code target model)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "OPTIONS")
    string(REGEX MATCH "[0-9]+[a-z]?" architecture "${CMAKE_CUDA_ARCHITECTURES}")
    set(options -x cu -std=c++20 -dlto -ltoir "-arch=sm_${architecture}" --Ofast-compile=mid -DWARPINT_CHECKED_ONLY
        ${arg_OPTIONS})
    if(CMAKE_CUDA_HOST_COMPILER)
        list(APPEND options "-ccbin=${CMAKE_CUDA_HOST_COMPILER}")
    endif()
    if(WARPINT_WARNINGS_AS_ERRORS)
        list(APPEND options -Werror=all-warnings)
    endif()
    list(TRANSFORM arg_UNPARSED_ARGUMENTS REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE lines)
    list(JOIN lines "\n" lines)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/device/check/${target}.cu")
    set(output "${CMAKE_CURRENT_BINARY_DIR}/device/check/${target}.ltoir")
    file(CONFIGURE OUTPUT "${source}" CONTENT "@lines@\n" @ONLY)
    set(include "$<TARGET_PROPERTY:${model},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${model},COMPILE_DEFINITIONS>")
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${CMAKE_CUDA_COMPILER}" ${options} "$<$<BOOL:${include}>:-I$<JOIN:${include},;-I>>"
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -MD -MT "${output}" -MF "${output}.d"
                "${source}" -o "${output}"
        DEPENDS "${source}"
        DEPFILE "${output}.d"
        COMMENT "Checking CUDA sources of ${target}"
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${target} ALL DEPENDS "${output}")
endfunction()

# warpint_check_together(<group> <source>...)
#
# Notes C++ sources whose device code is to be checked as one translation unit with those of the same group.
function(warpint_check_together group)
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        set_property(GLOBAL APPEND PROPERTY warpint_check_${group} "${source}")
    endforeach()
endfunction()

# warpint_check_group(<target> <model> <group>)
#
# Checks the sources of a group: read after everything that they include, each in a namespace of its own, so
# that programs with functions of the same names go together. Most of a small check is reading the headers.
function(warpint_check_group target model group)
    get_property(sources GLOBAL PROPERTY warpint_check_${group})
    set(headers "")
    set(namespaces "")
    set(number 0)
    foreach(source IN LISTS sources)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
        cmake_path(GET source PARENT_PATH folder)
        file(STRINGS "${source}" lines REGEX "^#include ")
        foreach(line IN LISTS lines)
            if(line MATCHES "\"(.*)\"")
                set(beside "${folder}/${CMAKE_MATCH_1}")
                if(EXISTS "${beside}")
                    set(line "#include \"${beside}\"")
                endif()
            endif()
            list(APPEND headers "${line}")
        endforeach()
        math(EXPR number "${number} + 1")
        string(APPEND namespaces "namespace program_${number} {\n#include \"${source}\"\n}\n")
    endforeach()
    list(REMOVE_DUPLICATES headers)
    list(JOIN headers "\n" headers)
    set(all "${CMAKE_CURRENT_BINARY_DIR}/device/check/${target}_all.h")
    file(CONFIGURE OUTPUT "${all}" CONTENT "@headers@\n@namespaces@" @ONLY)
    warpint_check_device_code(${target} ${model} "${all}")
endfunction()
