// SPDX-License-Identifier: Apache-2.0
// Stand-ins for NCCL and for what the library needs of CUDA's streams beside it, on memory of the
// CPU over MPI. They show what calls are made and that bytes arrive, not that NCCL takes them.
#pragma once

namespace stand_in {

/// What goes wrong in the next exchanges.
enum class Failure { none, launch, later };
extern Failure failure;

/// How many communicators were destroyed, and how many aborted.
extern int destroyed, aborted;

} // namespace stand_in
