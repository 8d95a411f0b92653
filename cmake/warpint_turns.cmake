# SPDX-License-Identifier: Apache-2.0
# All of the full set takes two cores more than an hour and a half. What takes long and has much in common is compiled
# in turns: each commit has a third of it, chosen by the commit's hash, and the long set has all.

set(WARPINT_TURN "" CACHE STRING "Whose turn it is in the full set: a number, or all; empty: all in the long set, else by the commit")
mark_as_advanced(WARPINT_TURN)
set(turn "${WARPINT_TURN}")
if(turn STREQUAL "" AND WARPINT_TEST_SET STREQUAL "long")
    set(turn all)
elseif(turn STREQUAL "")
    execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                    OUTPUT_VARIABLE commit ERROR_QUIET)
    string(SUBSTRING "0${commit}" 0 8 commit) # 0 without git
    math(EXPR turn "0x${commit}")
endif()

# warpint_next_turn(<variable> <list>): whether the next of a list, which the name stands for, has its turn.
function(warpint_next_turn variable list)
    get_property(index GLOBAL PROPERTY warpint_turns_of_${list})
    if(NOT index)
        set(index 0)
    endif()
    set(has_turn ON)
    if(NOT turn STREQUAL "all")
        math(EXPR distance "(${turn} + ${index}) % 3")
        if(NOT distance EQUAL 0)
            set(has_turn OFF)
        endif()
    endif()
    set(${variable} ${has_turn} PARENT_SCOPE)
    math(EXPR index "${index} + 1")
    set_property(GLOBAL PROPERTY warpint_turns_of_${list} ${index})
endfunction()
