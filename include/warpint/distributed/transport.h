// SPDX-License-Identifier: Apache-2.0
// Bytes in host memory between the processes of a group, over MPI. Everything that processes tell
// each other goes through here. Elements may travel directly between GPUs: direct.h.
#pragma once

#include "errors.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

namespace warpint::message_passing {

// The longest message: MPI counts bytes in an int. Tests set it to a few bytes.
#ifdef WARPINT_MPI_MESSAGE_BYTES
inline constexpr std::size_t max_message_bytes = WARPINT_MPI_MESSAGE_BYTES;
#else
inline constexpr std::size_t max_message_bytes = std::size_t{1} << 30;
#endif

// Bytes for or from a rank.
struct Outgoing {
    int rank;
    const void *data;
    std::size_t bytes;
};
struct Incoming {
    int rank;
    void *data;
    std::size_t bytes;
};

// Calls copy(to, from, bytes) for what a rank sends to itself.
template <class Copy>
void for_each_own(int rank, std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                  const Copy &copy) {
    auto from = outgoing.begin();
    for (const Incoming &to : incoming) {
        if (to.rank != rank || to.bytes == 0)
            continue;
        from = std::find_if(from, outgoing.end(), [&](const Outgoing &each) {
            return each.rank == rank && each.bytes != 0;
        });
        copy(to.data, from->data, to.bytes);
        ++from;
    }
}

// A communicator of this library's own. All ranks call the same functions in the same order.
class Transport {
public:
    explicit Transport(MPI_Comm of) {
        check_mpi(MPI_Comm_dup(of, &communicator_), "MPI_Comm_dup");
        check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN),
                  "MPI_Comm_set_errhandler");
        check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
        check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
    }
    Transport(const Transport &) = delete;
    Transport &operator=(const Transport &) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] MPI_Comm communicator() const { return communicator_; }

    void free() { check_mpi(MPI_Comm_free(&communicator_), "MPI_Comm_free"); }

    void barrier() const { check_mpi(MPI_Barrier(communicator_), "MPI_Barrier"); }

    // The bytes of all ranks, in the order of ranks. Each gives equally many, some kilobytes at
    // most.
    void gather_all(const void *mine, std::size_t bytes, void *all) const {
        const int count = static_cast<int>(bytes);
        check_mpi(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, communicator_),
                  "MPI_Allgather");
    }
    // The same with any numbers of bytes.
    void gather_all(const void *mine, std::span<const std::size_t> bytes, void *all) const {
        const std::size_t total = std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
        char *to = static_cast<char *>(all);
        if (total <= max_message_bytes) {
            const std::vector<int> counts(bytes.begin(), bytes.end());
            std::vector<int> firsts(counts.size(), 0);
            std::partial_sum(counts.begin(), counts.end() - 1, firsts.begin() + 1);
            check_mpi(MPI_Allgatherv(mine, counts[static_cast<std::size_t>(rank_)], MPI_BYTE, to,
                                     counts.data(), firsts.data(), MPI_BYTE, communicator_),
                      "MPI_Allgatherv");
            return;
        }
        for (int rank = 0; rank < size_; ++rank) {
            const std::size_t count = bytes[static_cast<std::size_t>(rank)];
            if (rank == rank_ && count != 0)
                std::memcpy(to, mine, count);
            broadcast(to, count, rank);
            to += count;
        }
    }

    void broadcast(void *data, std::size_t bytes, int root) const {
        for_each_message(bytes, [&](std::size_t first, int count) {
            check_mpi(
                MPI_Bcast(static_cast<char *>(data) + first, count, MPI_BYTE, root, communicator_),
                "MPI_Bcast");
        });
    }

    // Sends and receives at once. For each pair of ranks, what one sends and the other receives
    // have the same sizes in the same order; empty ones may be missing. copy(to, from, bytes): for
    // what stays on this rank.
    template <class Copy>
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                  const Copy &copy) const {
        std::vector<MPI_Request> requests;
        for (const Incoming &to : incoming) {
            if (to.rank == rank_)
                continue;
            for_each_message(to.bytes, [&](std::size_t first, int count) {
                requests.push_back(MPI_REQUEST_NULL);
                check_mpi(MPI_Irecv(static_cast<char *>(to.data) + first, count, MPI_BYTE, to.rank,
                                    data_tag, communicator_, &requests.back()),
                          "MPI_Irecv");
            });
        }
        for (const Outgoing &from : outgoing) {
            if (from.rank == rank_)
                continue;
            for_each_message(from.bytes, [&](std::size_t first, int count) {
                requests.push_back(MPI_REQUEST_NULL);
                check_mpi(MPI_Isend(static_cast<const char *>(from.data) + first, count, MPI_BYTE,
                                    from.rank, data_tag, communicator_, &requests.back()),
                          "MPI_Isend");
            });
        }
        for_each_own(rank_, outgoing, incoming, copy);
        for (MPI_Request &request : requests)
            check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) const {
        exchange(outgoing, incoming, [](void *to, const void *from, std::size_t bytes) {
            std::memcpy(to, from, bytes);
        });
    }

private:
    static constexpr int data_tag = 1;

    template <class Send>
    static void for_each_message(std::size_t bytes, const Send &send) {
        for (std::size_t first = 0; first < bytes; first += max_message_bytes)
            send(first, static_cast<int>(std::min(max_message_bytes, bytes - first)));
    }

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace warpint::message_passing
