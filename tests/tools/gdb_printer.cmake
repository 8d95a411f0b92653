# SPDX-License-Identifier: Apache-2.0
# Runs gdb on number/gdb_program.cpp's program and compares what its printers show with the comments in the
# source. Prints "skipped: ..." and nothing else where gdb, its Python or the right to trace a
# program is missing.
#
#   cmake -DGDB=<gdb or empty> -DPROGRAM=<program> -DSOURCE=<number/gdb_program.cpp>
#         -DPRINTERS=<warpint_gdb.py> -P gdb_printer.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)

if(NOT GDB)
    message("skipped: gdb was not found")
    return()
endif()
execute_process(COMMAND "${GDB}" -nx -batch -ex "python print(6 * 7)"
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT output MATCHES "42")
    message("skipped: this gdb has no Python: ${output}")
    return()
endif()

# Reads the comments: one gdb command and one expected line each, in order, for the part of the
# source behind `// <heading>`.
function(read_expectations heading commands expected)
    file(STRINGS "${SOURCE}" lines REGEX "^ *// (before main|in stop_here)$|// gdb: ")
    set(in_part FALSE)
    set(found_commands "")
    set(found_expected "")
    foreach(line IN LISTS lines)
        if(line MATCHES "// gdb: (.*) -> (.*)$")
            if(in_part)
                set(text "${CMAKE_MATCH_2}")
                string(REGEX REPLACE "^(/[a-z]) " "\\1 " command "${CMAKE_MATCH_1}")
                if(NOT command MATCHES "^/")
                    string(PREPEND command " ")
                endif()
                list(APPEND found_commands -ex "print${command}")
                list(APPEND found_expected "${text}")
            endif()
        elseif(line MATCHES "// ${heading}$")
            set(in_part TRUE)
        else()
            set(in_part FALSE)
        endif()
    endforeach()
    if(found_commands STREQUAL "")
        message(FATAL_ERROR "${SOURCE} says nothing behind // ${heading}")
    endif()
    set(${commands} "${found_commands}" PARENT_SCOPE)
    set(${expected} "${found_expected}" PARENT_SCOPE)
endfunction()

# Checks that the n-th value printed, "$n = ...", ends with the n-th expected text. A reference is
# shown as "(const T &) @0x...: value", a vector as "std::vector of length ... = {...}".
function(compare_values output)
    set(number 0)
    foreach(text IN LISTS ARGN)
        math(EXPR number "${number} + 1")
        if(NOT output MATCHES "(^|\n)[$]${number} = ([^\n]*)")
            message(SEND_ERROR "nothing was printed where \"${text}\" was expected")
            continue()
        endif()
        set(got "${CMAKE_MATCH_2}")
        string(REGEX REPLACE "^.* @0x[0-9a-f]+: " "" got "${got}")
        string(REGEX REPLACE "^std::vector of length [0-9]+, capacity [0-9]+ = " "" got "${got}")
        if(NOT got STREQUAL text)
            message(SEND_ERROR "gdb showed \"${got}\" instead of \"${text}\"")
        endif()
    endforeach()
    if(number EQUAL 0)
        message(SEND_ERROR "nothing was compared")
    endif()
endfunction()

set(quiet -nx -batch -ex "set pagination off" -ex "set width 0" -ex "set debuginfod enabled off")
set(load ${quiet} -ex "source ${PRINTERS}")

# The registered name.
execute_process(COMMAND "${GDB}" ${load} -ex "info pretty-printer global warpint"
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
foreach(name IN ITEMS BigInt SignedBigInt Modulus Residue StaticResidue residue_element batch_vector)
    if(NOT output MATCHES "warpint\n(.*\n)? *${name}(\n|$)")
        message(SEND_ERROR "the printer warpint/${name} is not registered:\n${output}")
    endif()
endforeach()

# Without running the program: constants that the linker placed.
read_expectations("before main" commands expected)
execute_process(COMMAND "${GDB}" ${load} ${commands} "${PROGRAM}"
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
compare_values("${output}" ${expected})

# By themselves, where gdb may load them: the program names their file.
cmake_path(GET PRINTERS PARENT_PATH folder)
execute_process(COMMAND "${GDB}" -iex "add-auto-load-safe-path ${folder}" ${quiet} "${PROGRAM}" ${commands}
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
compare_values("${output}" ${expected})

# In a running program.
read_expectations("in stop_here" commands expected)
execute_process(
    COMMAND "${GDB}" ${load} -ex "set disable-randomization off" -ex "break stop_here" -ex "run" -ex
            "up" ${commands} -ex "kill" "${PROGRAM}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(output MATCHES "ptrace: Operation not permitted|Could not trace the inferior")
    message("skipped: programs may not be traced here")
    return()
endif()
compare_values("${output}" ${expected})
