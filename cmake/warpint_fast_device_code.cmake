# SPDX-License-Identifier: Apache-2.0
# Device code that no GPU here will run is compiled to see that it compiles: hardly optimised, in a
# fraction of the time. For this repository's own programs only.
#
# WARPINT_FAST_DEVICE_CODE  AUTO (ON where tests are built and no GPU is found), ON or OFF: OFF to
#                           carry programs to a machine with a GPU

set(WARPINT_FAST_DEVICE_CODE AUTO
    CACHE STRING "Hardly optimise device code: AUTO (in builds of the tests without a GPU), ON or OFF")
set_property(CACHE WARPINT_FAST_DEVICE_CODE PROPERTY STRINGS AUTO ON OFF)

set(fast_device_code ${WARPINT_FAST_DEVICE_CODE})
if(fast_device_code STREQUAL "AUTO")
    set(fast_device_code OFF)
    if(WARPINT_TESTS_ENABLED AND WARPINT_CUDA_ENABLED)
        execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE failed)
        if(failed OR NOT gpus MATCHES "GPU [0-9]+:")
            set(fast_device_code ON)
        endif()
    endif()
endif()

if(fast_device_code AND WARPINT_CUDA_ENABLED AND CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA"
   AND CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0)
    message(STATUS "warpint: no GPU is here, so device code is hardly optimised "
                   "(WARPINT_FAST_DEVICE_CODE=OFF optimises it)")
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--Ofast-compile=max>")
endif()
