# SPDX-License-Identifier: Apache-2.0
# What warpint::mpi means, once for this repository's build and for the installed package.

# Finds MPI; its C functions only. Sets MPI_CXX_FOUND, MPIEXEC_EXECUTABLE and what else FindMPI says.
macro(warpint_find_mpi)
    set(MPI_CXX_SKIP_MPICXX TRUE)
    find_package(MPI QUIET COMPONENTS CXX)
endmacro()

# Gives the INTERFACE library `target` what links: warpint::warpint and MPI.
function(warpint_configure_mpi_target target warpint)
    target_link_libraries(${target} INTERFACE ${warpint} MPI::MPI_CXX)
endfunction()
