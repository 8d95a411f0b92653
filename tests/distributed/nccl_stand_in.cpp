// SPDX-License-Identifier: Apache-2.0
#include "nccl_stand_in.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include <cstring>
#include <vector>

namespace stand_in {

Failure failure = Failure::none;
int destroyed = 0;
int aborted = 0;

namespace {

const char *const the_id = "what rank 0 made";
ncclComm_t const communicator = reinterpret_cast<ncclComm_t>(std::size_t{0x77});
cudaStream_t const stream = reinterpret_cast<cudaStream_t>(std::size_t{0x55});

struct Message {
    bool sends;
    void *data;
    std::size_t bytes;
    int peer;
};
std::vector<Message> group;
bool in_group = false;
int queries = 0;

ncclResult_t note(const Message &message, ncclDataType_t type, ncclComm_t of, cudaStream_t on) {
    if (!in_group || type != ncclUint8 || of != communicator || on != stream || message.bytes == 0)
        return ncclInvalidArgument;
    group.push_back(message);
    return ncclSuccess;
}

} // namespace
} // namespace stand_in

using namespace stand_in;

extern "C" {

const char *ncclGetErrorString(ncclResult_t result) {
    return result == ncclSystemError   ? "system error"
           : result == ncclRemoteError ? "remote error"
                                       : "another error";
}
const char *ncclGetLastError(ncclComm_t) {
    return "more about it";
}
ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
    std::strcpy(id->internal, the_id);
    return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *made, int, ncclUniqueId id, int) {
    if (std::strcmp(id.internal, the_id) != 0)
        return ncclInvalidArgument;
    *made = communicator;
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t) {
    ++destroyed;
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t) {
    ++aborted;
    return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t *state) {
    *state = failure == Failure::later ? ncclRemoteError : ncclSuccess;
    return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
    in_group = true;
    return ncclSuccess;
}
ncclResult_t ncclSend(const void *data, size_t bytes, ncclDataType_t type, int peer, ncclComm_t of,
                      cudaStream_t on) {
    return note({true, const_cast<void *>(data), bytes, peer}, type, of, on);
}
ncclResult_t ncclRecv(void *data, size_t bytes, ncclDataType_t type, int peer, ncclComm_t of,
                      cudaStream_t on) {
    return note({false, data, bytes, peer}, type, of, on);
}
ncclResult_t ncclGroupEnd() {
    in_group = false;
    std::vector<MPI_Request> requests;
    if (failure == Failure::launch)
        return ncclSystemError;
    for (const Message &each : group) {
        const int bytes = static_cast<int>(each.bytes);
        requests.push_back(MPI_REQUEST_NULL);
        if (each.sends) {
            MPI_Isend(each.data, bytes, MPI_BYTE, each.peer, 9, MPI_COMM_WORLD, &requests.back());
        } else {
            MPI_Irecv(each.data, bytes, MPI_BYTE, each.peer, 9, MPI_COMM_WORLD, &requests.back());
        }
    }
    group.clear();
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return ncclSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *made, unsigned) {
    *made = stream;
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) { // not at once
    return failure != Failure::later && ++queries % 3 == 0 ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t on) {
    if (on != stream)
        return cudaErrorInvalidValue;
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
} // extern "C"
