# SPDX-License-Identifier: Apache-2.0
# Compiles every public header alone, and tools/formulas.cpp without and with optimisation, with many warnings, each an
# error. No precompiled header, which would make system headers of them, whose warnings are not shown. warpint.h may not
# include <algorithm>, <functional>, <map> or <sstream>.
#
#   cmake -DCOMPILER=<c++ or empty> -DSOURCE_DIR=<repository> -DWORK_DIR=<scratch> -P warnings.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)

if(NOT COMPILER)
    message("skipped: this compiler was not found")
    return()
endif()

file(REMOVE_RECURSE "${WORK_DIR}")
file(GLOB headers RELATIVE "${SOURCE_DIR}/include" "${SOURCE_DIR}/include/warpint/*.h")
list(REMOVE_ITEM headers warpint/distributed.h) # needs MPI: tests/distributed

set(failed "")
function(compile level source)
    execute_process(
        COMMAND "${COMPILER}" -std=c++20 ${level} -Wall -Wextra -Wshadow -Wpedantic -Wconversion -Werror
                "-I${SOURCE_DIR}/include" -c "${source}" -o "${WORK_DIR}/object.o"
        RESULT_VARIABLE result OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
    if(NOT result EQUAL 0 OR NOT messages STREQUAL "")
        message("${source}, ${level}:\n${messages}")
        list(APPEND failed "${source}")
        set(failed "${failed}" PARENT_SCOPE)
    endif()
endfunction()

foreach(header IN LISTS headers)
    cmake_path(GET header STEM stem)
    file(WRITE "${WORK_DIR}/${stem}.cpp" "#include <${header}>\n")
    if(stem STREQUAL "warpint") # every program would wait for them (the guards are libstdc++'s)
        foreach(slow IN ITEMS ALGORITHM FUNCTIONAL MAP SSTREAM)
            file(APPEND "${WORK_DIR}/${stem}.cpp"
                 "#ifdef _GLIBCXX_${slow}\n#error warpint.h includes a header that is slow to compile: ${slow}\n#endif\n")
        endforeach()
    endif()
    compile(-O0 "${WORK_DIR}/${stem}.cpp")
endforeach()
foreach(level IN ITEMS -O0 -O3)
    compile(${level} "${SOURCE_DIR}/tests/tools/formulas.cpp")
endforeach()

if(failed)
    message(FATAL_ERROR "warnings in ${failed}")
endif()
list(LENGTH headers count)
message("${COMPILER} compiles ${count} headers and formulas without a warning")
