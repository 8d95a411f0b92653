# Compiles the C++ of README.md, so that what it shows keeps working. Included by tests/CMakeLists.txt.
#
# The n-th block fenced as ```c++ is written to readme/block_<n>.cpp in the binary directory:
# - one with `int main` is a program, warpint_readme_<n>, and ctest readme_<n> runs it;
# - any other becomes the body of a function, after its own #include lines, and is only compiled;
# - one with the comment `// device code` is compiled as CUDA, and left out where CUDA is off.
# Errors name the line of README.md. No warning about something unused: examples end early.

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

# Gives a target of README code what it needs, whatever its language.
function(readme_configure target)
    target_link_libraries(${target} PRIVATE warpint_test_support)
    target_compile_options(
        ${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wno-unused>"
                          "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unused>"
                          "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--diag-suppress=177,550>"
                          "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>")
    if(WARPINT_CUDA_ENABLED)
        get_target_property(sources ${target} SOURCES)
        if(sources MATCHES "\\.cu(;|$)")
            target_link_libraries(${target} PRIVATE warpint::cuda)
        endif()
    endif()
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
        readme_write("${source}" "${text}")
        string(FIND "${block}" "// device code" device)
        if(NOT device EQUAL -1)
            if(NOT WARPINT_CUDA_ENABLED)
                continue()
            endif()
            set(device_source "${CMAKE_CURRENT_BINARY_DIR}/readme/block_${number}.cu")
            readme_write("${device_source}" "#include \"${source}\"\n")
            set(source "${device_source}")
        endif()

        if(block MATCHES "int main")
            add_executable(warpint_readme_${number} "${source}")
            readme_configure(warpint_readme_${number})
            add_test(NAME readme_${number} COMMAND warpint_readme_${number})
            set_tests_properties(readme_${number} PROPERTIES LABELS repository)
        elseif(device EQUAL -1)
            list(APPEND host_sources "${source}")
        else()
            list(APPEND device_sources "${source}")
        endif()
    endwhile()

    if(host_sources)
        add_library(warpint_readme OBJECT ${host_sources})
        readme_configure(warpint_readme)
    endif()
    if(device_sources)
        add_library(warpint_readme_cuda OBJECT ${device_sources})
        readme_configure(warpint_readme_cuda)
    endif()
endfunction()

readme_add_code("${PROJECT_SOURCE_DIR}/README.md")
