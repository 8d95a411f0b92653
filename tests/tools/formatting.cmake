# SPDX-License-Identifier: Apache-2.0
# Every source is as clang-format leaves it, in the version that .clang-format names in its first line.
#
#   cmake -DROOT=<warpint> -P formatting.cmake              names the files that differ
#   cmake -DROOT=<warpint> -DFIX=ON -P formatting.cmake     formats them
#   cmake -DROOT=<warpint> -DSELF_TEST=<scratch folder> -P formatting.cmake   checks that a planted file is named
#
# CLANG_FORMAT names the program; without it, build/format/bin (a virtual environment) and the path are looked at.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${ROOT}/.clang-format" first LIMIT_COUNT 1)
if(NOT first MATCHES "^# clang-format ([0-9.]+):")
    message(FATAL_ERROR "the first line of .clang-format names no version: ${first}")
endif()
set(version "${CMAKE_MATCH_1}")
set(install "pip install clang-format==${version}")

find_program(CLANG_FORMAT clang-format HINTS "${ROOT}/build/format/bin")
set(found "none")
if(CLANG_FORMAT)
    execute_process(COMMAND "${CLANG_FORMAT}" --version OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT found MATCHES "version ${version}( |$)")
    message("skipped: needs clang-format ${version} (${install}), found: ${found}")
    return()
endif()

set(files "")
if(SELF_TEST)
    file(MAKE_DIRECTORY "${SELF_TEST}")
    configure_file("${ROOT}/.clang-format" "${SELF_TEST}/.clang-format" COPYONLY)
    file(WRITE "${SELF_TEST}/planted.h" "int  f( );\n")
    set(files "${SELF_TEST}/planted.h")
else()
    foreach(folder IN ITEMS include src samples tests perf)
        file(GLOB_RECURSE some "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp" "${ROOT}/${folder}/*.cu")
        list(APPEND files ${some})
    endforeach()
    list(LENGTH files count)
    if(count LESS 500)
        message(FATAL_ERROR "only ${count} sources found below ${ROOT}")
    endif()
endif()

if(FIX)
    execute_process(COMMAND "${CLANG_FORMAT}" -i ${files} COMMAND_ERROR_IS_FATAL ANY)
    return()
endif()
execute_process(COMMAND "${CLANG_FORMAT}" --dry-run --Werror ${files} RESULT_VARIABLE result ERROR_VARIABLE output)
if(SELF_TEST)
    if(result EQUAL 0 OR NOT output MATCHES "planted\\.h:1")
        message(FATAL_ERROR "a file that is not formatted passes: ${output}")
    endif()
    return()
endif()
if(NOT result EQUAL 0)
    message(FATAL_ERROR "not formatted (cmake -DROOT=. -DFIX=ON -P tests/tools/formatting.cmake mends it):\n${output}")
endif()
