// SPDX-License-Identifier: Apache-2.0
// Elements between GPUs, one for each rank, by NCCL. In programs that link warpint::nccl.
#pragma once

#include "direct.h"

#include "../execution/memory/storage.h"

#include <nccl.h>
#include <thread>

namespace warpint {

// A call of NCCL failed; code() is its ncclResult_t. As after any mpi_error, the group cannot be
// used any more.
class nccl_error : public mpi_error {
public:
    using mpi_error::mpi_error;
};

namespace message_passing {
inline namespace WARPINT_BACKEND {

inline void check_nccl(ncclResult_t code, const char *call, ncclComm_t communicator = nullptr) {
    if (code == ncclSuccess)
        return;
    const char *const more = ncclGetLastError(communicator);
    throw nccl_error(static_cast<int>(code),
                     "warpint: " + std::string(call) + ": " + ncclGetErrorString(code) +
                         (more != nullptr && *more != 0 ? ": " + std::string(more) : ""));
}

class Nccl final : public DirectTransport {
public:
    // What the ranks of a group share; made by one of them. (A type with a name: nvcc 13.0 ends
    // with an internal error where ncclUniqueId, which has none, is a template argument.)
    struct Id {
        ncclUniqueId id;
    };
    static Id make_id() {
        Id made{};
        check_nccl(ncclGetUniqueId(&made.id), "ncclGetUniqueId");
        return made;
    }
    // On all ranks, each with its GPU current.
    Nccl(const Transport &transport, const Id &id, Location location)
        : rank_{transport.rank()}, stream_{execution::copy_stream(location.device)} {
        check_nccl(ncclCommInitRank(&communicator_, transport.size(), id.id, rank_),
                   "ncclCommInitRank");
    }
    ~Nccl() override {
        if (failed_) {
            (void)ncclCommAbort(communicator_);
        } else {
            (void)ncclCommDestroy(communicator_);
        }
    }

    [[nodiscard]] const char *name() const override { return "NCCL"; }
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        failed_ = true; // unless all goes well
        check_nccl(ncclGroupStart(), "ncclGroupStart");
        for (const Incoming &to : incoming) {
            if (to.rank != rank_ && to.bytes != 0)
                check_nccl(ncclRecv(to.data, to.bytes, ncclUint8, to.rank, communicator_, stream_),
                           "ncclRecv", communicator_);
        }
        for (const Outgoing &from : outgoing) {
            if (from.rank != rank_ && from.bytes != 0)
                check_nccl(
                    ncclSend(from.data, from.bytes, ncclUint8, from.rank, communicator_, stream_),
                    "ncclSend", communicator_);
        }
        check_nccl(ncclGroupEnd(), "ncclGroupEnd", communicator_);
        for_each_own(rank_, outgoing, incoming, [&](void *to, const void *from, std::size_t bytes) {
            check_copy(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
        });
        wait();
        failed_ = false;
    }

private:
    static void check_copy(cudaError_t error) {
        if (error != cudaSuccess)
            throw nccl_error(ncclUnhandledCudaError,
                             "warpint: a copy by NCCL: " + std::string(cudaGetErrorString(error)));
    }
    // Until all has arrived, or NCCL says that it cannot.
    void wait() const {
        for (;;) {
            const cudaError_t done = cudaStreamQuery(stream_);
            if (done == cudaSuccess)
                return;
            if (done != cudaErrorNotReady)
                check_copy(done);
            (void)cudaGetLastError(); // "not ready" is no error
            ncclResult_t state = ncclSuccess;
            check_nccl(ncclCommGetAsyncError(communicator_, &state), "ncclCommGetAsyncError");
            if (state != ncclInProgress)
                check_nccl(state, "an exchange by NCCL", communicator_);
            std::this_thread::yield();
        }
    }

    int rank_;
    cudaStream_t stream_;
    ncclComm_t communicator_ = nullptr;
    bool failed_ = false;
};

} // namespace WARPINT_BACKEND
} // namespace message_passing
} // namespace warpint
