# SPDX-License-Identifier: Apache-2.0
# Compiles and runs the C++ of README.md, of the guide (src/docs/guide) and of the examples in the headers' comments, so that what
# they show keeps working.
#
# An example in a header is what a comment sets in by four blanks and more behind a line `// Example:`. It becomes the body of a
# function; ctest header_examples calls them all.
#
# Of a document NAME.md, the n-th block fenced as ```c++,
# - if it has `int main`, is a program, warpint_NAME_<n>, and ctest NAME_<n> runs it; where CUDA is on, also
#   warpint_NAME_<n>_cuda and NAME_<n>_cuda (where no GPU is, its device code is only checked);
# - if it has the comment `// device code`, stands in a namespace of a file that nvcc compiles, where CUDA is
#   on: one file for all documents, as nvcc takes longest to read the headers;
# - otherwise becomes the body of a function of the program warpint_documents, after all #include lines;
#   ctest NAME calls those of its document.
# Errors name the line of the document. Nothing warns about what is unused: examples end early. Programs are
# compiled optimised, the functions not.

# Writes a file only when that changes it, and takes the content as it is (configure_file would
# substitute @names@).
function(readme_write file content)
    set(old "")
    if(EXISTS "${file}")
        file(READ "${file}" old)
    endif()
    if(NOT EXISTS "${file}" OR NOT old STREQUAL content)
        file(WRITE "${file}" "${content}")
    endif()
endfunction()

# Stores the number of line ends in `text`.
function(readme_count_lines variable text)
    string(REGEX REPLACE "[^\n]" "" line_ends "${text}")
    string(LENGTH "${line_ends}" count)
    set(${variable} ${count} PARENT_SCOPE)
endfunction()

# Adds `block`, which begins at line `line` of `document`, to the texts of a C++ file: its #include lines to
# <prefix>_includes, the rest to <prefix>_text.
function(readme_append prefix opening block line document)
    # Includes cannot stay inside; the line each leaves behind keeps the count.
    string(REGEX MATCHALL "#include [^\n]*\n" includes "\n${block}")
    string(REGEX REPLACE "#include [^\n]*\n" "\n" body "${block}")
    list(JOIN includes "" includes)
    set(${prefix}_includes "${${prefix}_includes}${includes}" PARENT_SCOPE)
    string(CONCAT text "${${prefix}_text}" "${opening} {\n" "#line ${line} \"${document}\"\n" "${body}" "}\n")
    set(${prefix}_text "${text}" PARENT_SCOPE)
endfunction()

# Gives a target of README code what it needs; `level` is tests/CMakeLists.txt's, `language` CXX or CUDA.
function(readme_configure target level language)
    target_link_libraries(${target} PRIVATE warpint_test_support warpint_test_${level})
    if(language STREQUAL "CUDA")
        target_link_libraries(${target} PRIVATE warpint::cuda)
    endif()
    target_link_libraries(${target} PRIVATE warpint_readme_options) # last: it takes warnings back
endfunction()

# Builds and runs the program in `source`.
function(readme_add_program name source language)
    add_executable(warpint_${name} "${source}")
    readme_configure(warpint_${name} release ${language})
    add_test(NAME ${name} COMMAND warpint_${name})
    set_tests_properties(${name} PROPERTIES LABELS repository)
endfunction()

# Hands what a caller has collected in host_includes, host_text and host_calls to its own caller, and registers the test `name`.
macro(readme_add_host_code name)
    if(host_calls)
        set(readme_host_includes "${readme_host_includes}${host_includes}" PARENT_SCOPE)
        set(readme_host_text "${readme_host_text}${host_text}" PARENT_SCOPE)
        string(CONCAT calls "${readme_host_calls}" "    if (document == \"${name}\") {\n" "${host_calls}"
                            "        known = true;\n    }\n")
        set(readme_host_calls "${calls}" PARENT_SCOPE)
        add_test(NAME ${name} COMMAND warpint_documents ${name})
        set_tests_properties(${name} PROPERTIES LABELS repository)
    endif()
endmacro()

# Registers the examples in the comments of all headers under `name`.
function(readme_add_examples name)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/warpint/*.h")
    set(number 0)
    foreach(part IN ITEMS host_includes host_text host_calls)
        set(${part} "")
    endforeach()
    foreach(header IN LISTS headers)
        file(READ "${header}" rest)
        set(line 1) # of the header, at which `rest` begins
        while(rest MATCHES "\n *// Example:\n")
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
            string(FIND "${rest}" "${CMAKE_MATCH_0}" begin)
            string(LENGTH "${CMAKE_MATCH_0}" length)
            math(EXPR begin "${begin} + ${length}")
            string(SUBSTRING "${rest}" 0 ${begin} before)
            string(SUBSTRING "${rest}" ${begin} -1 rest)
            readme_count_lines(count "${before}")
            math(EXPR line "${line} + ${count}")
            string(REGEX MATCH "^( *//     [^\n]*\n)+" block "${rest}")
            if(NOT block)
                message(FATAL_ERROR "${header}:${line}: this example has no code")
            endif()
            string(REGEX REPLACE " *//    ( [^\n]*\n)" "\\1" block "${block}")
            math(EXPR number "${number} + 1")
            readme_append(host "static void ${name}_${number}()" "${block}" ${line} "${header}")
            string(APPEND host_calls "        ${name}_${number}();\n")
        endwhile()
    endforeach()
    if(number EQUAL 0)
        message(FATAL_ERROR "the headers have no examples")
    endif()
    readme_add_host_code(${name})
endfunction()

# Registers every block of the Markdown file `document` under `name`.
function(readme_add_code name document)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${document}")
    file(READ "${document}" rest)
    string(REPLACE "\r\n" "\n" rest "${rest}")
    set(rest "\n${rest}") # so that a fence on the first line begins after a line end too

    set(folder "${CMAKE_CURRENT_BINARY_DIR}/readme")
    set(number 0)
    set(line 0) # the line of the document at which `rest` begins
    set(host_includes "")
    set(host_text "")
    set(host_calls "")
    set(device_includes "")
    set(device_text "")
    while(rest MATCHES "\n```(c\\+\\+|cpp)[ \t]*\n")
        math(EXPR number "${number} + 1")
        string(FIND "${rest}" "${CMAKE_MATCH_0}" begin)
        string(LENGTH "${CMAKE_MATCH_0}" fence_length)
        math(EXPR begin "${begin} + ${fence_length} - 1") # of the line end before the block
        string(SUBSTRING "${rest}" 0 ${begin} before)
        string(SUBSTRING "${rest}" ${begin} -1 rest)
        readme_count_lines(count "${before}")
        math(EXPR line "${line} + ${count} + 1")

        string(FIND "${rest}" "\n```" length)
        if(length EQUAL -1)
            message(FATAL_ERROR "${document}:${line}: this C++ block has no end")
        endif()
        string(SUBSTRING "${rest}" 1 ${length} block) # with its last line end
        math(EXPR end "${length} + 1")
        string(SUBSTRING "${rest}" ${end} -1 rest)

        if(block MATCHES "int main")
            set(source "${folder}/${name}_${number}.cpp")
            readme_write("${source}" "#line ${line} \"${document}\"\n${block}")
            readme_add_program(${name}_${number} "${source}" CXX)
            if(WARPINT_CUDA_ENABLED)
                set(cuda_source "${folder}/${name}_${number}.cu")
                readme_write("${cuda_source}" "#include \"${source}\"\n")
                if(WARPINT_CHECK_DEVICE_CODE)
                    warpint_check_device_code(warpint_check_${name}_${number}_cuda warpint_test_main "${cuda_source}")
                    warpint_register_checked_test(${name}_${number}_cuda)
                    set_property(TEST ${name}_${number}_cuda PROPERTY LABELS repository)
                else()
                    readme_add_program(${name}_${number}_cuda "${cuda_source}" CUDA)
                endif()
                set_property(TEST ${name}_${number}_cuda APPEND PROPERTY LABELS gpu)
            endif()
        elseif(block MATCHES "// device code")
            readme_append(device "namespace ${name}_block_${number}" "${block}" ${line} "${document}")
        else()
            readme_append(host "static void ${name}_block_${number}()" "${block}" ${line} "${document}")
            string(APPEND host_calls "        ${name}_block_${number}();\n")
        endif()
        readme_count_lines(count "${block}")
        math(EXPR line "${line} + ${count}")
        # The closing fence now begins `rest`.
    endwhile()

    readme_add_host_code(${name})
    set(readme_device_includes "${readme_device_includes}${device_includes}" PARENT_SCOPE)
    set(readme_device_text "${readme_device_text}${device_text}" PARENT_SCOPE)
endfunction()

set(readme_device_options --diag-suppress=177,550 --extended-lambda)
add_library(warpint_readme_options INTERFACE)
target_compile_options(
    warpint_readme_options
    INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-unused>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unused>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${readme_device_options}>")

foreach(part IN ITEMS host_includes host_text host_calls device_includes device_text)
    set(readme_${part} "")
endforeach()
readme_add_code(readme "${PROJECT_SOURCE_DIR}/README.md")
file(GLOB guide CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/docs/guide/*.md")
list(REMOVE_ITEM guide "${PROJECT_SOURCE_DIR}/src/docs/guide/mpi.md") # needs MPI: tests/distributed
foreach(page IN LISTS guide)
    cmake_path(GET page STEM stem)
    readme_add_code(guide_${stem} "${page}")
endforeach()
readme_add_examples(header_examples)
string(CONCAT text "#include <warpint/warpint.h>\n${readme_host_includes}#include <string_view>\n"
                   "using namespace warpint;\n${readme_host_text}"
                   "int main(int argc, char **argv) {\n"
                   "    const std::string_view document(argc > 1 ? argv[1] : \"\");\n"
                   "    bool known = false;\n${readme_host_calls}    return known ? 0 : 1;\n}\n")
set(host_source "${CMAKE_CURRENT_BINARY_DIR}/readme/documents.cpp")
readme_write("${host_source}" "${text}")
add_executable(warpint_documents "${host_source}")
readme_configure(warpint_documents debug CXX)

if(readme_device_text AND WARPINT_CUDA_ENABLED AND NOT WARPINT_TEST_SET STREQUAL "quick")
    set(device_source "${CMAKE_CURRENT_BINARY_DIR}/readme/device.cu")
    string(CONCAT text "#include <warpint/warpint.h>\n${readme_device_includes}"
                       "using namespace warpint;\n${readme_device_text}")
    readme_write("${device_source}" "${text}")
    if(WARPINT_CHECK_DEVICE_CODE)
        warpint_check_device_code(warpint_readme_device warpint_documents "${device_source}"
                                  OPTIONS ${readme_device_options})
    else()
        add_library(warpint_readme_device OBJECT "${device_source}")
        readme_configure(warpint_readme_device debug CUDA)
    endif()
endif()
