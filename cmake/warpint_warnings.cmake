# SPDX-License-Identifier: Apache-2.0
# Warnings for the programs of this repository; users of warpint never see this target.

add_library(warpint_warnings INTERFACE)

set(cxx_warnings -Wall -Wextra -Wshadow -Wpedantic)
# Not -Wpedantic: what nvcc generates uses extensions.
set(host_warnings_of_nvcc "-Xcompiler=-Wall,-Wextra")
set(nvcc_warnings "")
if(WARPINT_WARNINGS_AS_ERRORS)
    list(APPEND cxx_warnings -Werror)
    string(APPEND host_warnings_of_nvcc ",-Werror")
    set(nvcc_warnings "-Werror=all-warnings")
endif()

target_compile_options(
    warpint_warnings
    INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${cxx_warnings}>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${host_warnings_of_nvcc}>"
              "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${nvcc_warnings}>")
