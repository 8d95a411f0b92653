# SPDX-License-Identifier: Apache-2.0
# Decides whether this build uses CUDA. A top-level build enables the language where a compiler is found.
# Inside another project that project's languages stay as they are: only a toolkit is looked for, so that
# warpint::cuda is there whether the language is enabled before, after or never. Sets
#
# WARPINT_CUDA_ENABLED  this repository's own programs are compiled by nvcc
# WARPINT_CUDA_TOOLKIT  a toolkit was found, and with it the target CUDA::cudart
# WARPINT_HAS_GPU       an NVIDIA GPU is here

# A toolkit in its usual place counts as found even where nvcc is not on the path.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(WARPINT_NVCC nvcc PATHS /usr/local/cuda/bin)
    mark_as_advanced(WARPINT_NVCC)
    if(WARPINT_NVCC)
        set(ENV{CUDACXX} "${WARPINT_NVCC}")
    endif()
endif()

set(WARPINT_HAS_GPU OFF)
if(PROJECT_IS_TOP_LEVEL)
    execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE warpint_gpus ERROR_QUIET RESULT_VARIABLE warpint_failed)
    file(GLOB warpint_gpu_devices "/dev/nvidia[0-9]*")
    if(warpint_gpu_devices OR (warpint_failed EQUAL 0 AND warpint_gpus MATCHES "GPU [0-9]+:"))
        set(WARPINT_HAS_GPU ON)
    endif()
endif()

set(WARPINT_CUDA_ENABLED OFF)
set(WARPINT_CUDA_TOOLKIT OFF)
set(warpint_without "")
get_property(warpint_languages GLOBAL PROPERTY ENABLED_LANGUAGES)

if(NOT WARPINT_CUDA)
    # Without.
elseif(NOT PROJECT_IS_TOP_LEVEL)
    if("CUDA" IN_LIST warpint_languages)
        set(WARPINT_CUDA_ENABLED ON)
    endif()
elseif(WARPINT_CUDA STREQUAL "GPU" AND NOT WARPINT_HAS_GPU)
    set(WARPINT_CUDA OFF) # here only: another run may find one
    set(warpint_without ": no GPU is here (-DWARPINT_CUDA=ON compiles for one all the same)")
elseif(WARPINT_CUDA MATCHES "^(AUTO|GPU)$")
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        set(WARPINT_CUDA_ENABLED ON)
    endif()
else()
    set(WARPINT_CUDA_ENABLED ON)
endif()

if(WARPINT_CUDA_ENABLED)
    # Without an explicit choice: the GPUs of this machine, or compute capability 9.0. A parent
    # project keeps its own default.
    if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        set(warpint_architectures "")
        find_program(WARPINT_NVIDIA_SMI nvidia-smi)
        mark_as_advanced(WARPINT_NVIDIA_SMI)
        if(WARPINT_NVIDIA_SMI)
            execute_process(
                COMMAND "${WARPINT_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
                OUTPUT_VARIABLE warpint_capabilities
                ERROR_QUIET)
            string(REGEX MATCHALL "[0-9]+\\.[0-9]" warpint_architectures "${warpint_capabilities}")
            string(REPLACE "." "" warpint_architectures "${warpint_architectures}")
            list(REMOVE_DUPLICATES warpint_architectures)
        endif()
        if(NOT warpint_architectures)
            set(warpint_architectures 90)
        endif()
        set(CMAKE_CUDA_ARCHITECTURES "${warpint_architectures}" CACHE STRING "CUDA architectures")
    endif()

    enable_language(CUDA)

    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
        if(WARPINT_CUDA MATCHES "^(AUTO|GPU)$")
            set(WARPINT_CUDA_ENABLED OFF)
        else()
            message(FATAL_ERROR "warpint needs C++20 in device code: CUDA 12 or newer, "
                                "found ${CMAKE_CUDA_COMPILER_VERSION}")
        endif()
    endif()
endif()

if(WARPINT_CUDA AND (WARPINT_CUDA_ENABLED OR NOT PROJECT_IS_TOP_LEVEL))
    find_package(CUDAToolkit 12.0 QUIET)
    set(WARPINT_CUDA_TOOLKIT ${CUDAToolkit_FOUND})
    if(NOT WARPINT_CUDA_TOOLKIT)
        set(WARPINT_CUDA_ENABLED OFF)
    endif()
    if(NOT WARPINT_CUDA_TOOLKIT AND NOT WARPINT_CUDA MATCHES "^(AUTO|GPU)$")
        message(FATAL_ERROR "WARPINT_CUDA=${WARPINT_CUDA} needs a CUDA toolkit, version 12.0 or newer: "
                            "set CUDAToolkit_ROOT or CUDACXX")
    endif()
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
    # A guest says nothing.
elseif(WARPINT_CUDA_ENABLED)
    message(STATUS "warpint: CUDA ${CMAKE_CUDA_COMPILER_VERSION}, "
                   "architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
    message(STATUS "warpint: without CUDA${warpint_without}")
endif()
