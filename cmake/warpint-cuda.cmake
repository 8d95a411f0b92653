# Defines what warpint::cuda means, once for this repository's build and for the installed package.

# Gives the INTERFACE library `target` the CUDA side of warpint: the runtime library that the consumer
# chose with CUDA_RUNTIME_LIBRARY (static by default) and C++20 for nvcc.
function(warpint_configure_cuda_target target)
    find_package(CUDAToolkit REQUIRED)

    set(runtime "$<UPPER_CASE:$<TARGET_PROPERTY:CUDA_RUNTIME_LIBRARY>>")
    target_link_libraries(
        ${target}
        INTERFACE warpint::warpint
                  "$<IF:$<STREQUAL:${runtime},SHARED>,CUDA::cudart,CUDA::cudart_static>")

    # CMake 3.25 does not know cuda_std_20 for nvcc 13, so the flag is spelled out there. Where CMake
    # knows the feature, a consumer's newer standard is respected.
    if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
        target_compile_features(${target} INTERFACE cuda_std_20)
    else()
        target_compile_options(${target}
                               INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>")
    endif()
endfunction()
