# SPDX-License-Identifier: Apache-2.0
# What warpint::cuda means, once for this repository's build and for the installed package.

# Gives the INTERFACE library `target` what links: warpint::warpint and the runtime library that the
# consumer chose with CUDA_RUNTIME_LIBRARY (static by default). Needs no toolkit as long as nothing uses it.
#
# CUDA files get an option where the compiler is nvcc 13.0, which gives two local arrays that are alive at the same
# time one address in some kernels (tests/compiler/nvcc_local_memory): it turns off the optimisation that is at
# fault, for the consumer's own kernels too. Times are the same. Of newer versions none was seen to go wrong, and the
# option is not documented, so that they do without; so do older ones, which were not tried.
function(warpint_configure_cuda_target target)
    set(runtime "$<UPPER_CASE:$<TARGET_PROPERTY:CUDA_RUNTIME_LIBRARY>>")
    target_link_libraries(
        ${target} INTERFACE warpint
                            "$<IF:$<STREQUAL:${runtime},SHARED>,CUDA::cudart,CUDA::cudart_static>")
    set(version "$<CUDA_COMPILER_VERSION>")
    set(is_nvcc_13_0 "$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,$<VERSION_GREATER_EQUAL:${version},13.0>,$<VERSION_LESS:${version},13.1>")
    target_compile_options(${target} INTERFACE "$<$<AND:${is_nvcc_13_0}>:-Xcicc=--Xopt,-disable-ReuseLocalMemoryPass>")
endfunction()

# Asks nvcc for C++20. This depends on the CMake that reads it, so that it is no part of the exported
# target: the package's configuration calls it again. CMake 3.25 does not know cuda_std_20 for nvcc 12 and
# newer; there the flag is spelled out. A consumer's newer standard is respected by CMake 3.26 and newer.
function(warpint_configure_cuda_standard target)
    if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.26)
        target_compile_features(${target} INTERFACE "$<BUILD_INTERFACE:cuda_std_20>")
    else()
        target_compile_options(
            ${target}
            INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>>")
    endif()
endfunction()
