// SPDX-License-Identifier: Apache-2.0
// Exceptions of groups of processes.
#pragma once

#include "../execution/memory/error.h"

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 // MPI's C functions only
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

namespace warpint {

// A call of MPI failed; code() is its error code. The group cannot be used any more.
class mpi_error : public std::runtime_error {
public:
    mpi_error(int code, const std::string &message) : std::runtime_error(message), code_{code} {}
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    int code_;
};

// Another process of the group failed: rank() is the least rank that did, and the message has the
// text of its exception. The group can be used again, where the rank that failed left out the
// function that throws this (process_group).
class remote_error : public std::runtime_error {
public:
    remote_error(int rank, const std::string &message) : std::runtime_error(message), rank_{rank} {}
    [[nodiscard]] int rank() const noexcept { return rank_; }

private:
    int rank_;
};

namespace message_passing {

[[noreturn]] WARPINT_COLD inline void throw_mpi_error(int code, const char *call) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    throw mpi_error(code, "warpint: " + std::string(call) + ": " +
                              std::string(text, static_cast<std::size_t>(length)));
}
inline void check_mpi(int code, const char *call) {
    if (code != MPI_SUCCESS)
        throw_mpi_error(code, call);
}

} // namespace message_passing
} // namespace warpint
