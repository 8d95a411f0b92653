# Compiles the C++ of README.md, so that what it shows keeps working.
#
# The n-th block fenced as ```c++ is written to readme/block_<n>.cpp in the binary directory:
# - one with `int main` is a program, warpint_readme_<n>, and ctest readme_<n> runs it; where CUDA
#   is on, also warpint_readme_<n>_cuda and readme_<n>_cuda;
# - any other becomes the body of a function, after its own #include lines, and is only compiled;
# - one with the comment `// device code` is compiled as CUDA only, and left out where CUDA is off.
# Errors name the line of README.md. Nothing warns about what is unused: examples end early.

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

# Stores the text of a C++ file that compiles `block`, which begins at line `line` of `readme`.
function(readme_wrap variable block number readme line)
    set(place "#line ${line} \"${readme}\"\n")
    if(block MATCHES "int main")
        set(${variable} "${place}${block}" PARENT_SCOPE)
        return()
    endif()

    # Includes cannot stay in a function; the line each leaves behind keeps the count.
    string(REGEX MATCHALL "#include [^\n]*\n" includes "\n${block}")
    string(REGEX REPLACE "#include [^\n]*\n" "\n" body "${block}")
    list(JOIN includes "" includes)
    string(CONCAT text "#include <warpint/warpint.h>\n" "${includes}" "using namespace warpint;\n"
                       "void readme_block_${number}();\n"
                       "void readme_block_${number}() {\n" "${place}${body}" "}\n")
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# Gives a target of README code what it needs; `language` is CXX or CUDA.
function(readme_configure target language)
    target_link_libraries(${target} PRIVATE warpint_test_support)
    if(language STREQUAL "CUDA")
        target_link_libraries(${target} PRIVATE warpint::cuda)
    endif()
    target_link_libraries(${target} PRIVATE warpint_readme_options) # last: it takes warnings back
endfunction()

# Builds and runs the program in `source`.
function(readme_add_program name source language)
    add_executable(warpint_${name} "${source}")
    readme_configure(warpint_${name} ${language})
    add_test(NAME ${name} COMMAND warpint_${name})
    set_tests_properties(${name} PROPERTIES LABELS repository)
endfunction()

# Registers every block of the Markdown file `readme`.
function(readme_add_code readme)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${readme}")
    file(READ "${readme}" rest)
    string(REPLACE "\r\n" "\n" rest "${rest}")
    set(rest "\n${rest}") # so that a fence on the first line begins after a line end too

    set(number 0)
    set(line 0) # the line of README.md at which `rest` begins
    set(host_sources "")
    set(device_sources "")
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
            message(FATAL_ERROR "${readme}:${line}: this C++ block has no end")
        endif()
        string(SUBSTRING "${rest}" 1 ${length} block) # with its last line end
        math(EXPR end "${length} + 1")
        string(SUBSTRING "${rest}" ${end} -1 rest)
        readme_wrap(text "${block}" ${number} "${readme}" ${line})
        readme_count_lines(count "${block}")
        math(EXPR line "${line} + ${count}")
        # The closing fence now begins `rest`.

        set(source "${CMAKE_CURRENT_BINARY_DIR}/readme/block_${number}.cpp")
        set(device_source "${CMAKE_CURRENT_BINARY_DIR}/readme/block_${number}.cu")
        readme_write("${source}" "${text}")
        if(WARPINT_CUDA_ENABLED)
            readme_write("${device_source}" "#include \"${source}\"\n")
        endif()

        set(for_host ON)
        if(block MATCHES "// device code")
            set(for_host OFF)
        endif()
        if(block MATCHES "int main")
            if(for_host)
                readme_add_program(readme_${number} "${source}" CXX)
            endif()
            if(WARPINT_CUDA_ENABLED)
                readme_add_program(readme_${number}_cuda "${device_source}" CUDA)
                set_property(TEST readme_${number}_cuda APPEND PROPERTY LABELS gpu)
            endif()
        elseif(for_host)
            list(APPEND host_sources "${source}")
        elseif(WARPINT_CUDA_ENABLED)
            list(APPEND device_sources "${device_source}")
        endif()
    endwhile()

    if(host_sources)
        add_library(warpint_readme OBJECT ${host_sources})
        readme_configure(warpint_readme CXX)
    endif()
    if(device_sources)
        add_library(warpint_readme_cuda OBJECT ${device_sources})
        readme_configure(warpint_readme_cuda CUDA)
    endif()
endfunction()

add_library(warpint_readme_options INTERFACE)
target_compile_options(
    warpint_readme_options
    INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-unused>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unused>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--diag-suppress=177,550>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>")

readme_add_code("${PROJECT_SOURCE_DIR}/README.md")
