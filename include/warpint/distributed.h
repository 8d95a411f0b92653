// SPDX-License-Identifier: Apache-2.0
// Vectors on several processes, over MPI.
//
//   const process_group group;                          // of MPI_COMM_WORLD
//   distributed_vector<BigInt<2048>> a(group, 1000000, BigInt<2048>(3)), c;
//   c = a * indices(1000000) % m;                       // each process computes its piece
//   const auto total = sum(c);                          // combined, the same everywhere
//   sort(c);
//
// Needs MPI: link the CMake target warpint::mpi. No other header includes this one.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
#if !__has_include(<mpi.h>)
#error                                                                                             \
    "warpint/distributed.h needs MPI and its header mpi.h: link the CMake target warpint::mpi, or compile with mpicxx (Debian: libopenmpi-dev)"
#else
WARPINT_HEADER_BEGIN

#include "distributed/chunks.h"
#include "distributed/group.h"
#include "distributed/order.h"
#include "distributed/reduce.h"
#include "distributed/vector.h"

WARPINT_HEADER_END
#endif
#endif
