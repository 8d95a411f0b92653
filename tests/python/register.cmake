# SPDX-License-Identifier: Apache-2.0
# Registers the test of the Python package: pip builds and installs it, with few classes of widths, and pytest
# compares it with Python's integers. In the full set, in the long one with fifty times as many cases. Its half for GPUs is
# run by the emulator of PTX, where there is one: about 100 s of one core, most of them NVRTC's.

if(NOT WARPINT_TEST_SET STREQUAL "quick")
    find_package(Python3 COMPONENTS Interpreter)
    if(Python3_FOUND)
        set(emulator "")
        if(TARGET warpint_test_emulator_library)
            set(emulator "$<TARGET_FILE:warpint_test_emulator_library>")
        endif()
        add_test(NAME python COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/run.py" "${PROJECT_SOURCE_DIR}"
                                     "${CMAKE_CURRENT_BINARY_DIR}/python" "${CMAKE_CXX_COMPILER}" ${emulator})
        set_tests_properties(python PROPERTIES SKIP_RETURN_CODE 77 LABELS repository)
        if(WARPINT_TEST_SET STREQUAL "long")
            set_tests_properties(python PROPERTIES ENVIRONMENT WARPINT_TEST_ROUNDS=50)
        endif()
    endif()
endif()
