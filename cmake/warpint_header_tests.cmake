# SPDX-License-Identifier: Apache-2.0
# Every public header must compile alone, twice, and in several translation units of one program.
#
# headers       one C++ source per public header, which includes only that header, and includes it twice;
#               a last one includes all of them. Linked together, a function that should have been
#               inline is defined twice and fails the link.
# headers_cuda  the same for nvcc: a .cu file with everything, compiled once and linked twice, with the C++
#               objects above.

file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/warpint/*.h")
list(REMOVE_ITEM public_headers warpint/distributed.h) # needs MPI: tests/distributed

set(header_sources "")
set(include_all "")
foreach(header IN LISTS public_headers)
    cmake_path(GET header STEM stem)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/headers/${stem}.cpp")
    file(CONFIGURE OUTPUT "${output}"
         CONTENT "#include <@header@>\n#include <@header@> // again\n" @ONLY)
    list(APPEND header_sources "${output}")
    string(APPEND include_all "#include <${header}>\n")
endforeach()

set(main_all "${CMAKE_CURRENT_BINARY_DIR}/headers/main_all.cpp")
file(CONFIGURE OUTPUT "${main_all}" CONTENT "@include_all@\nint main() {}\n" @ONLY)

add_library(warpint_header_objects OBJECT ${header_sources})
target_link_libraries(warpint_header_objects PRIVATE warpint_test_support warpint_test_debug)
# Users may have more warnings on than this repository has for its programs.
target_compile_options(
    warpint_header_objects
    PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wconversion;-Wsign-conversion>")

add_library(warpint_header_main OBJECT "${main_all}")
target_link_libraries(warpint_header_main PRIVATE warpint_test_support warpint_test_debug)
add_executable(warpint_test_headers)
target_link_libraries(warpint_test_headers PRIVATE warpint_header_main warpint_header_objects warpint_test_support)
set_target_properties(warpint_test_headers PROPERTIES LINKER_LANGUAGE CXX)
add_test(NAME headers COMMAND warpint_test_headers)
set_tests_properties(headers PROPERTIES LABELS repository)

if(WARPINT_CUDA_ENABLED AND NOT WARPINT_TEST_SET STREQUAL "quick")
    set(second_all "${CMAKE_CURRENT_BINARY_DIR}/headers/second_all.cu")
    file(CONFIGURE OUTPUT "${second_all}" CONTENT "@include_all@" @ONLY)
    add_library(warpint_header_device_objects OBJECT "${second_all}")
    target_link_libraries(warpint_header_device_objects PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
    set(again "${CMAKE_CURRENT_BINARY_DIR}/headers/again${CMAKE_CUDA_OUTPUT_EXTENSION}")
    add_custom_command(
        OUTPUT "${again}"
        COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_OBJECTS:warpint_header_device_objects>" "${again}"
        DEPENDS warpint_header_device_objects "$<TARGET_OBJECTS:warpint_header_device_objects>"
        VERBATIM)
    set_source_files_properties("${again}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)

    add_executable(warpint_test_headers_cuda "${again}")
    target_link_libraries(warpint_test_headers_cuda PRIVATE warpint_header_main warpint_header_objects warpint_header_device_objects
                                                            warpint_test_support warpint::cuda)
    add_test(NAME headers_cuda COMMAND warpint_test_headers_cuda)
    set_tests_properties(headers_cuda PROPERTIES LABELS repository)
endif()
