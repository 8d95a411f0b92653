# SPDX-License-Identifier: Apache-2.0
# Ten planted faults in a header that the commit changed, or in one that its hash names (mutants.py). About a minute of a core.
# One that survives is printed for a reader and is no failure, since each commit plants others; two are.

if(NOT Python3_FOUND OR WARPINT_TEST_SET STREQUAL "quick" OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
endif()
add_test(NAME mutants
         COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/mutants.py" --changed HEAD --allowed 1 "--compiler=${CMAKE_CXX_COMPILER} -O1"
                 --support $<TARGET_OBJECTS:warpint_test_main> $<TARGET_FILE:warpint_test_drivers>
         COMMAND_EXPAND_LISTS)
set_tests_properties(mutants PROPERTIES LABELS repository)
