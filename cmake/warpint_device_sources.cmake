# SPDX-License-Identifier: Apache-2.0
# warpint_device_sources(<variable> <source>...)
#
# A program for CPU and GPU is one text. This writes, for each C++ source, a .cu file in the binary
# directory that includes it, so that nvcc compiles the same text as CUDA, and stores the list of those
# files in <variable>. The warnings and the language follow from the .cu suffix.
function(warpint_device_sources variable)
    set(generated "")
    foreach(source IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
                   OUTPUT_VARIABLE name)
        if(name MATCHES "^\\.\\.") # a generated source
            cmake_path(GET source FILENAME name)
        endif()
        cmake_path(REPLACE_EXTENSION name LAST_ONLY cu)
        set(output "${CMAKE_CURRENT_BINARY_DIR}/device/${name}")
        file(CONFIGURE OUTPUT "${output}" CONTENT "#include \"@source@\"\n" @ONLY)
        list(APPEND generated "${output}")
    endforeach()
    set(${variable} "${generated}" PARENT_SCOPE)
endfunction()
