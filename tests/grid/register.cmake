# SPDX-License-Identifier: Apache-2.0
# The grid: every function x every kind of numbers x widths x places, against GMP (grid/grid_test.cpp). As a
# C++ program of a few widths, and, where there is a GPU, as CUDA programs of all of them, whose device code is
# optimised as users compile it.
#
# WARPINT_GRID_WIDTHS       widths of the CUDA programs, in bits
# WARPINT_GRID_HOST_WIDTHS  widths of the C++ program

set(WARPINT_GRID_WIDTHS
    "256;512;700;1024;1152;1920;1999;2048;2100;2200;2300;2600;2700;3100;4500;5000;7000"
    CACHE STRING "Widths of the grid of tests on GPUs, in bits")
set(WARPINT_GRID_HOST_WIDTHS "256;2100" CACHE STRING "Widths of the grid of tests on hosts, in bits")
mark_as_advanced(WARPINT_GRID_WIDTHS WARPINT_GRID_HOST_WIDTHS)
include(grid/sources.cmake)

# warpint_grid_sources(<variable> <widths> <one | all | a number>): writes the sources of these widths: each kind of
# source in one, in all its parts, or only the part that the number names.
function(warpint_grid_sources variable widths parts)
    set(written "")
    foreach(width IN LISTS widths)
        foreach(source IN LISTS grid_sources)
            string(REPLACE ":" ";" source "${source}")
            list(GET source 0 what)
            list(GET source 1 place)
            list(GET source 2 count)
            if(parts STREQUAL "one")
                set(count 1)
            endif()
            math(EXPR last "${count} - 1")
            set(first 0)
            if(parts MATCHES "^[0-9]+$")
                math(EXPR first "${parts} % ${count}")
                set(last "${first}")
            endif()
            foreach(index RANGE ${first} ${last})
                set(output "${CMAKE_CURRENT_BINARY_DIR}/grid/${what}_${width}_${index}_of_${count}.cpp")
                configure_file("${CMAKE_CURRENT_SOURCE_DIR}/grid/cells.cpp.in" "${output}" @ONLY)
                list(APPEND written "${output}")
            endforeach()
        endforeach()
    endforeach()
    set(${variable} "${written}" PARENT_SCOPE)
endfunction()

if(WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()

# warpint_grid_kinds(<variable>): those of grid_sources that have their turn; the name stands for the list of turns.
function(warpint_grid_kinds variable)
    set(kinds "")
    foreach(kind IN LISTS grid_sources)
        warpint_next_turn(has_turn ${variable})
        if(has_turn)
            list(APPEND kinds "${kind}")
        endif()
    endforeach()
    set(${variable} "${kinds}" PARENT_SCOPE)
endfunction()

# warpint_grid_common(<target> <level>): what knows nothing of CUDA.
function(warpint_grid_common target level)
    add_library(${target} OBJECT grid/oracle.cpp batch/checker.cpp)
    target_link_libraries(${target} PRIVATE warpint_test_support warpint_test_${level})
endfunction()
warpint_grid_common(warpint_test_grid_common debug)

set(all_grid_sources ${grid_sources})
warpint_grid_kinds(grid_sources)
warpint_grid_sources(grid_host_sources "${WARPINT_GRID_HOST_WIDTHS}" one)
set(grid_sources ${all_grid_sources})
add_executable(warpint_test_grid grid/grid_test.cpp ${grid_host_sources})
target_link_libraries(warpint_test_grid PRIVATE warpint_test_main warpint_test_support warpint_test_debug warpint_test_grid_common)
warpint_register_test(grid warpint_test_grid)
if(NOT turn STREQUAL "all")
    set_property(TEST grid APPEND PROPERTY ENVIRONMENT WARPINT_GRID_PART=${turn})
endif()

# nvcc takes literals of big integers in the arguments of macros for integers that are too large (23), and a case is one
# text for all places, of which only kernels are called in device code (445, 20011, 20013).
add_library(warpint_test_grid_warnings INTERFACE)
target_compile_options(warpint_test_grid_warnings INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--diag-suppress=23,445,20011,20013>")

# A CUDA program for each width, without assertions, since they would change device code.
if(NOT WARPINT_CUDA_ENABLED)
    return()
endif()
if(WARPINT_CHECK_DEVICE_CODE) # not compiled whole here: hours
    warpint_add_emulated_grid()
    warpint_add_emulated_reproducer()
    warpint_add_emulated_older()
    warpint_register_checked_test(grid_cuda)
    set_tests_properties(grid_cuda PROPERTIES LABELS gpu)
    return()
endif()
warpint_grid_common(warpint_test_grid_common_cuda release)
warpint_device_sources(grid_runner grid/grid_test.cpp)
add_library(warpint_test_grid_runner OBJECT ${grid_runner})
target_link_libraries(warpint_test_grid_runner PRIVATE warpint_test_support warpint_test_release warpint_test_grid_warnings warpint::cuda)
foreach(width IN LISTS WARPINT_GRID_WIDTHS)
    warpint_grid_sources(grid_device_sources "${width}" all)
    warpint_device_sources(grid_device_sources ${grid_device_sources})
    add_executable(warpint_test_grid_${width}_cuda ${grid_device_sources})
    target_link_libraries(
        warpint_test_grid_${width}_cuda PRIVATE warpint_test_main_cuda warpint_test_support warpint_test_release warpint_test_grid_runner
                                                warpint_test_grid_common_cuda warpint_test_grid_warnings warpint::cuda)
    warpint_register_test(grid_${width}_cuda warpint_test_grid_${width}_cuda)
    set_tests_properties(grid_${width}_cuda PROPERTIES LABELS gpu)
endforeach()
