# SPDX-License-Identifier: Apache-2.0
# Assertions: what a program says whose condition does not hold, in general and in the hard loops.

add_executable(warpint_test_assertion limb/assert_program.cpp limb/assert_off.cpp)
target_link_libraries(warpint_test_assertion PRIVATE warpint_test_support warpint_test_debug)
function(warpint_add_assertion_test name expected)
    warpint_register_test(assertion_${name} warpint_test_assertion ${name})
    set_tests_properties(assertion_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${expected}")
endfunction()
set(failed ":[0-9]+: assertion failed: ")
warpint_add_assertion_test(off "^nothing failed")
warpint_add_assertion_test(condition "^[^\n]*assert_program.cpp${failed}a \\+ b != 3\n$")
warpint_add_assertion_test(divisor "divide.h${failed}!is_zero")
warpint_add_assertion_test(quotient "divide_schoolbook.h${failed}detail::less_row")
warpint_add_assertion_test(reciprocal "divide_schoolbook.h${failed}inverse == reciprocal")
warpint_add_assertion_test(divsteps "divsteps.h${failed}\\(m\\[0\\] & 1\\) != 0")
warpint_add_assertion_test(montgomery "montgomery.h${failed}detail::is_montgomery_modulus")
warpint_add_assertion_test(rows "montgomery_alternate.h${failed}limb::use_ptx.*aligned\\[0\\] == 0")
warpint_add_assertion_test(barrett "barrett.h${failed}m\\[N - 1\\]")
warpint_add_assertion_test(shift "linear.h${failed}count >= 0")

if(WARPINT_CUDA_ENABLED AND NOT WARPINT_TEST_SET STREQUAL "quick")
    warpint_device_sources(device_sources limb/assert_program.cpp)
    add_executable(warpint_test_assertion_cuda ${device_sources})
    target_link_libraries(warpint_test_assertion_cuda PRIVATE warpint_test_support warpint_test_debug warpint::cuda)
    warpint_register_test(assertion_cuda warpint_test_assertion_cuda)
    set_tests_properties(assertion_cuda PROPERTIES PASS_REGULAR_EXPRESSION "a \\+ b != 3.*cudaErrorAssert"
                                                   LABELS gpu)
endif()
