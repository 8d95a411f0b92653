# SPDX-License-Identifier: Apache-2.0
# What warpint::mpi and warpint::nccl mean, once for this repository's build and for the installed package.

# Finds MPI; its C functions only. Sets MPI_CXX_FOUND, MPIEXEC_EXECUTABLE and what else FindMPI says.
macro(warpint_find_mpi)
    set(MPI_CXX_SKIP_MPICXX TRUE)
    find_package(MPI QUIET COMPONENTS CXX)
endmacro()

# Gives the INTERFACE library `target` what links: warpint::warpint and MPI.
function(warpint_configure_mpi_target target warpint)
    target_link_libraries(${target} INTERFACE ${warpint} MPI::MPI_CXX)
endfunction()

# Finds NCCL, in the CUDA toolkit, where the system has it, or where NCCL_ROOT says. Sets WARPINT_NCCL_FOUND.
macro(warpint_find_nccl)
    find_path(WARPINT_NCCL_INCLUDE_DIR nccl.h HINTS "${NCCL_ROOT}" ENV NCCL_ROOT ${CUDAToolkit_INCLUDE_DIRS}
              PATH_SUFFIXES include)
    find_library(WARPINT_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS "${NCCL_ROOT}" ENV NCCL_ROOT "${CUDAToolkit_LIBRARY_DIR}"
                 PATH_SUFFIXES lib lib64)
    mark_as_advanced(WARPINT_NCCL_INCLUDE_DIR WARPINT_NCCL_LIBRARY)
    set(WARPINT_NCCL_FOUND FALSE)
    if(WARPINT_NCCL_INCLUDE_DIR AND WARPINT_NCCL_LIBRARY)
        set(WARPINT_NCCL_FOUND TRUE)
    endif()
endmacro()

# Gives the INTERFACE library `target` what links: warpint::mpi and NCCL. All files of a program must link it, or none.
function(warpint_configure_nccl_target target mpi)
    target_link_libraries(${target} INTERFACE ${mpi} "${WARPINT_NCCL_LIBRARY}")
    target_include_directories(${target} SYSTEM INTERFACE "${WARPINT_NCCL_INCLUDE_DIR}")
    target_compile_definitions(${target} INTERFACE WARPINT_NCCL=1)
endfunction()
