# SPDX-License-Identifier: Apache-2.0
# Checks that operations of formulas are named where formulas are described, not where they run: the
# rooms below name an operation only in the files and for the reasons listed here.
#
#   cmake -DROOT=<include/warpint> -P operation_names.cmake      check that tree
#   cmake -DSELF_TEST=<scratch folder> -P operation_names.cmake  check that planted violations are reported
cmake_minimum_required(VERSION 3.25)

set(rooms execution simd)

# Files that may name operations, which ones, and why a trait of the operation does not do.
# What is cut out of a formula, and what names bind in it.
set(names_execution/cut.h Inverse Let ResidueInverse ResidueOfForm StaticResidueOfForm)
# Long sums and products of the CPU are written to the target's memory, not through a value.
set(names_execution/run_cpu.h Add Multiply Square Subtract)
# A product over lanes is stored as its rows are finished.
set(names_execution/run_cuda.h Multiply Square)
# A name is bound for the rest of the formula.
set(names_execution/evaluate_let.h Let)
set(names_execution/over_lanes.h Let)
# The modulus of residues is the context's.
set(names_execution/evaluate_residues.h ResidueOfForm ResidueOfNumber)

# Stores the operations that `text` names, sorted. Their qualifier ends in operation::
function(find_names variable text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "[][;]" " " text "${text}")
    string(REGEX MATCHALL "(^|[^A-Za-z0-9_])operation[ \t\n]*::[ \t\n]*[A-Z][A-Za-z0-9_]*" found "${text}")
    list(TRANSFORM found REPLACE ".*::[ \t\n]*" "")
    list(REMOVE_DUPLICATES found)
    list(SORT found)
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Stores the list of violations found below `root`. `complete`: every file that may name operations
# is there.
function(check_tree variable root complete)
    set(violations "")
    set(checked "")
    foreach(room IN LISTS rooms)
        file(GLOB_RECURSE files RELATIVE "${root}" "${root}/${room}/*.h")
        if(files STREQUAL "" AND complete)
            list(APPEND violations "${room}: no headers found")
        endif()
        foreach(file IN LISTS files)
            list(APPEND checked "${file}")
            file(READ "${root}/${file}" text)
            find_names(names "${text}")
            foreach(name IN LISTS names)
                if(NOT name IN_LIST names_${file})
                    list(APPEND violations "${file}: names operation::${name}")
                endif()
            endforeach()
            foreach(name IN LISTS names_${file})
                if(NOT name IN_LIST names)
                    list(APPEND violations "${file}: no longer names operation::${name}")
                endif()
            endforeach()
            if(text MATCHES "(using[ \t\n]+namespace|namespace)[^;{}=]*::[ \t\n]*operation[ \t\n]*[;{]")
                list(APPEND violations "${file}: opens the namespace of operations")
            endif()
        endforeach()
    endforeach()
    if(complete)
        get_cmake_property(variables VARIABLES)
        list(FILTER variables INCLUDE REGEX "^names_.*\\.h$")
        list(TRANSFORM variables REPLACE "^names_" "")
        foreach(file IN LISTS variables)
            if(NOT file IN_LIST checked)
                list(APPEND violations "${file}: is gone")
            endif()
        endforeach()
    endif()
    set(${variable} "${violations}" PARENT_SCOPE)
endfunction()

# Writes one file, and expects exactly `expected` (a regular expression; empty for no violation).
function(expect_violation expected file content)
    file(REMOVE_RECURSE "${SELF_TEST}")
    file(WRITE "${SELF_TEST}/${file}" "${content}")
    check_tree(violations "${SELF_TEST}" FALSE)
    list(LENGTH violations count)
    if(expected STREQUAL "")
        if(NOT count EQUAL 0)
            message(SEND_ERROR "self-test: clean ${file} was reported: ${violations}")
        endif()
    elseif(NOT count EQUAL 1 OR NOT violations MATCHES "${expected}")
        message(SEND_ERROR "self-test: ${file} should give \"${expected}\", gave: \"${violations}\"")
    endif()
endfunction()

if(DEFINED SELF_TEST)
    expect_violation("" "execution/good.h" "using expression::operation::is_modulus;\n// operation::Add\n")
    expect_violation("" "expression/good.h" "struct X : operation::Add {};\n")
    expect_violation("" "execution/evaluate_let.h" "expression::operation::Let<level>\n")
    expect_violation("names operation::Add" "execution/bad.h" "Node<operation::Add, A, B>\n")
    expect_violation("names operation::Multiply" "execution/cuda/bad.h" "Node<operation::\n    Multiply, A, B>\n")
    expect_violation("names operation::Power" "simd/bad.h" "using P = expression::operation::Power;\n")
    expect_violation("names operation::Add" "execution/evaluate_let.h" "operation::Let<level>\noperation::Add\n")
    expect_violation("no longer names operation::Let" "execution/evaluate_let.h" "int x;\n")
    expect_violation("opens the namespace" "execution/bad.h" "using namespace expression::operation;\n")
    expect_violation("opens the namespace" "simd/bad.h" "namespace warpint::expression::operation {\n}\n")
    file(REMOVE_RECURSE "${SELF_TEST}")
    file(MAKE_DIRECTORY "${SELF_TEST}")
    check_tree(violations "${SELF_TEST}" TRUE)
    if(NOT violations MATCHES "execution: no headers found" OR NOT violations MATCHES "simd: no headers found" OR
       NOT violations MATCHES "execution/run_cuda.h: is gone")
        message(SEND_ERROR "self-test: an empty tree gave: \"${violations}\"")
    endif()
    file(REMOVE_RECURSE "${SELF_TEST}")
elseif(DEFINED ROOT)
    check_tree(violations "${ROOT}" TRUE)
    foreach(violation IN LISTS violations)
        message(SEND_ERROR "${violation}")
    endforeach()
else()
    message(FATAL_ERROR "Give -DROOT=<include/warpint> or -DSELF_TEST=<scratch folder>")
endif()
