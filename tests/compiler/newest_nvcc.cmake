# SPDX-License-Identifier: Apache-2.0
# Compiles every public header and the kernels of this folder, as one source, with a newer nvcc than the build's: what
# it refuses is found before users meet it. Prints "skipped: ..." and nothing else where there is none.
#
#   cmake -DNVCC=<the newer nvcc or empty> -DOLDER=<the build's nvcc or empty> -DPYTHON=<python3 or empty>
#         -DENVIRONMENT=<folder of a Python environment, made where it is missing> -DINCLUDE=<include>
#         -DWORK_DIR=<scratch> -P newest_nvcc.cmake
#
# The newer nvcc is, in this order: NVCC, the environment variable WARPINT_NEWEST_NVCC, that of the wheels
# nvidia-cuda-nvcc, nvidia-nvvm, nvidia-cuda-crt and nvidia-cuda-runtime in the Python environment, where pip
# installs them. The headers of CCCL, which the wheels lack, are those of the build's toolkit.
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)

function(version_of nvcc result)
    execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE text ERROR_VARIABLE text)
    string(REGEX MATCH "V([0-9]+\\.[0-9]+\\.[0-9]+)" found "${text}")
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

if(NOT OLDER)
    message("skipped: CUDA is off")
    return()
endif()
if(NOT NVCC)
    set(NVCC "$ENV{WARPINT_NEWEST_NVCC}")
endif()
if(NOT NVCC)
    if(NOT PYTHON)
        message("skipped: WARPINT_NEWEST_NVCC names no compiler, and Python, which could install one, was not found")
        return()
    endif()
    if(NOT EXISTS "${ENVIRONMENT}/bin/python")
        execute_process(COMMAND "${PYTHON}" -m venv "${ENVIRONMENT}" OUTPUT_QUIET ERROR_QUIET)
    endif()
    execute_process(
        COMMAND "${ENVIRONMENT}/bin/python" -m pip install --quiet --upgrade --retries 1 --timeout 20 --no-deps
                nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime
        OUTPUT_QUIET ERROR_QUIET)
    file(GLOB NVCC "${ENVIRONMENT}/lib/python*/site-packages/nvidia/cu*/bin/nvcc")
    if(NOT NVCC)
        message("skipped: WARPINT_NEWEST_NVCC names no compiler, and pip cannot install one")
        return()
    endif()
endif()
version_of("${NVCC}" version)
version_of("${OLDER}" older)
if(NOT version VERSION_GREATER older)
    message("skipped: ${NVCC} is ${version}, and the build's is ${older}")
    return()
endif()

cmake_path(GET OLDER PARENT_PATH folder)
cmake_path(GET folder PARENT_PATH toolkit)

# One source: all headers, then each file of kernels in a namespace of its own.
file(GLOB headers RELATIVE "${INCLUDE}" "${INCLUDE}/warpint/*.h")
list(REMOVE_ITEM headers warpint/gmp.h warpint/distributed.h) # need GMP and MPI
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
list(JOIN headers "" text)
string(APPEND text "#include \"${CMAKE_CURRENT_LIST_DIR}/kernels/kernel.h\"\n")
file(GLOB sources "${CMAKE_CURRENT_LIST_DIR}/kernels/*.cu")
foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    string(APPEND text "namespace ${name} {\n#include \"${source}\"\n}\n")
endforeach()
file(WRITE "${WORK_DIR}/all.cu" "${text}")

# Optimised as users compile at a narrow width, for the messages alone at one beyond what lies in registers.
foreach(options IN ITEMS "-DWARPINT_BITS=128" "-DWARPINT_BITS=2300 --Ofast-compile=max")
    separate_arguments(arguments UNIX_COMMAND "${options}")
    execute_process(
        COMMAND "${NVCC}" -std=c++20 -arch=sm_90 -ptx "-I${INCLUDE}" -isystem "${toolkit}/include/cccl" ${arguments}
                "${WORK_DIR}/all.cu" -o "${WORK_DIR}/all.ptx"
        RESULT_VARIABLE failed OUTPUT_VARIABLE messages ERROR_VARIABLE messages)
    if(failed)
        message(FATAL_ERROR "nvcc ${version} with ${options}:\n${messages}")
    endif()
    message("${messages}nvcc ${version} compiles the public headers and the kernels with ${options}")
endforeach()
