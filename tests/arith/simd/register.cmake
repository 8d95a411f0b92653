# SPDX-License-Identifier: Apache-2.0
# Engines that the environment chooses: names that are none, and none at all.

string(REPEAT x 200 long_name)
string(REPEAT x 80 shown_name)
foreach(choice IN ITEMS "unknown sclar sclar" "long ${long_name} ${shown_name}[.][.][.]")
    separate_arguments(choice)
    list(GET choice 0 name)
    list(GET choice 1 engine)
    list(GET choice 2 shown)
    warpint_register_test(simd_${name}_engine warpint_test_simd_emulated "--test-case=simd: the environment*")
    set_property(TEST simd_${name}_engine APPEND PROPERTY ENVIRONMENT "WARPINT_CPU_ENGINES=${engine}")
    set_property(TEST simd_${name}_engine PROPERTY PASS_REGULAR_EXPRESSION
                      "WARPINT_CPU_ENGINES names \"${shown}\", which is no engine.*SUCCESS")
endforeach()

warpint_register_test(simd_formulas_scalar warpint_test_simd_formulas)
set_property(TEST simd_formulas_scalar APPEND PROPERTY ENVIRONMENT "WARPINT_CPU_ENGINES=scalar")
