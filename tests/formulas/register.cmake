# SPDX-License-Identifier: Apache-2.0
# Random formulas against Python's integers (random_formulas.py): 40 trees in the set full, 2000 in the set long. The program is
# not optimised: most of the time is the compiler's.

if(NOT Python3_FOUND OR WARPINT_TEST_SET STREQUAL "quick")
    return()
endif()
set(random_formulas "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/random_formulas.py")
set(trees 40)
if(WARPINT_TEST_SET STREQUAL "long")
    set(trees 2000)
endif()
add_test(NAME random_formulas
         COMMAND ${random_formulas} --trees ${trees} --rounds 20 "--compiler=${CMAKE_CXX_COMPILER} -O0"
                 "--folder=${CMAKE_CURRENT_BINARY_DIR}/random_formulas")
# That a wrong function is found and shrunk to itself; compiles nothing.
add_test(NAME random_formulas_self_test COMMAND ${random_formulas} --trees 5 --self-test gcd --imitate)
