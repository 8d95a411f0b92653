// SPDX-License-Identifier: Apache-2.0
// A direct transport of memory of the CPU, which checks what it is told: that what one rank sends
// is what the other expects, in number, order and size, that both are in the same group, and that
// only memory is touched that was named. It moves bytes by a way of its own.
#pragma once

#include <doctest/doctest.h>
#include <warpint/distributed.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

class DirectTransport final : public warpint::message_passing::DirectTransport {
    using Outgoing = warpint::message_passing::Outgoing;
    using Incoming = warpint::message_passing::Incoming;

public:
    /// What all groups of this rank have seen.
    struct Seen {
        std::size_t exchanges = 0;
        std::size_t sent_bytes = 0; // also to itself
        std::size_t largest = 0;    // of a message
    };
    static Seen &seen() {
        static Seen seen;
        return seen;
    }
    /// While true, exchanges fail on all ranks, in the middle.
    static bool &fails() {
        static bool fails = false;
        return fails;
    }

    static std::unique_ptr<warpint::message_passing::DirectTransport>
    make(const warpint::message_passing::Transport &transport) {
        return std::make_unique<DirectTransport>(transport);
    }
    explicit DirectTransport(const warpint::message_passing::Transport &transport)
        : ranks_{static_cast<std::size_t>(transport.size())} {
        MPI_Comm_dup(transport.communicator(), &communicator_);
    }
    ~DirectTransport() override { MPI_Comm_free(&communicator_); }

    [[nodiscard]] const char *name() const override { return "a test"; }

    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        ++seen().exchanges;
        const auto sent = sizes_by_rank(outgoing);
        const auto received = sizes_by_rank(incoming);
        check_sizes(sent, received);
        if (fails())
            throw warpint::mpi_error(MPI_ERR_OTHER, "a transport that fails");
        std::vector<char> packed;
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            for (const Outgoing &from : outgoing) {
                if (from.rank == static_cast<int>(rank) && from.bytes != 0) {
                    const char *const data = static_cast<const char *>(from.data);
                    packed.insert(packed.end(), data, data + from.bytes);
                    seen().largest = std::max(seen().largest, from.bytes);
                }
            }
        }
        seen().sent_bytes += packed.size();
        const std::vector<int> send_counts = totals(sent);
        const std::vector<int> receive_counts = totals(received);
        std::vector<char> arrived(
            std::accumulate(receive_counts.begin(), receive_counts.end(), std::size_t{0}));
        MPI_Alltoallv(packed.data(), send_counts.data(), firsts(send_counts).data(), MPI_BYTE,
                      arrived.data(), receive_counts.data(), firsts(receive_counts).data(),
                      MPI_BYTE, communicator_);
        const char *next = arrived.data();
        for (std::size_t rank = 0; rank < ranks_; ++rank) {
            for (const Incoming &to : incoming) {
                if (to.rank == static_cast<int>(rank) && to.bytes != 0) {
                    std::memcpy(to.data, next, to.bytes);
                    next += to.bytes;
                }
            }
        }
    }

private:
    using Sizes = std::vector<std::vector<unsigned long long>>;

    template <class Messages>
    [[nodiscard]] Sizes sizes_by_rank(const Messages &messages) const {
        Sizes sizes(ranks_);
        for (const auto &each : messages) {
            REQUIRE(each.rank >= 0);
            REQUIRE(static_cast<std::size_t>(each.rank) < ranks_);
            if (each.bytes != 0) {
                REQUIRE(each.data != nullptr);
                sizes[static_cast<std::size_t>(each.rank)].push_back(each.bytes);
            }
        }
        return sizes;
    }
    // Each rank tells each other what it is going to send there.
    void check_sizes(const Sizes &sent, const Sizes &received) const {
        std::vector<int> send_counts, receive_counts(ranks_);
        std::vector<unsigned long long> told;
        for (const auto &each : sent) {
            send_counts.push_back(static_cast<int>(each.size()));
            told.insert(told.end(), each.begin(), each.end());
        }
        MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT,
                     communicator_);
        std::vector<unsigned long long> heard(
            std::accumulate(receive_counts.begin(), receive_counts.end(), std::size_t{0}));
        MPI_Alltoallv(told.data(), send_counts.data(), firsts(send_counts).data(),
                      MPI_UNSIGNED_LONG_LONG, heard.data(), receive_counts.data(),
                      firsts(receive_counts).data(), MPI_UNSIGNED_LONG_LONG, communicator_);
        std::vector<unsigned long long> expected;
        for (const auto &each : received)
            expected.insert(expected.end(), each.begin(), each.end());
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            CHECK(static_cast<int>(received[rank].size()) == receive_counts[rank]);
        // On every rank, or some would wait for bytes that do not come.
        int same = heard == expected ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, communicator_);
        REQUIRE(same == 1);
    }
    static std::vector<int> totals(const Sizes &sizes) {
        std::vector<int> all;
        for (const auto &each : sizes)
            all.push_back(static_cast<int>(std::accumulate(each.begin(), each.end(), 0ull)));
        return all;
    }
    static std::vector<int> firsts(const std::vector<int> &counts) {
        std::vector<int> all(counts.size(), 0);
        std::partial_sum(counts.begin(), counts.end() - 1, all.begin() + 1);
        return all;
    }

    MPI_Comm communicator_ = MPI_COMM_NULL;
    std::size_t ranks_;
};

/// While it is there, new groups send by this transport or another.
class NewGroupsUse {
public:
    explicit NewGroupsUse(warpint::message_passing::MakeDirectTransport make)
        : former_{std::exchange(warpint::message_passing::test_transport, make)} {}
    ~NewGroupsUse() { warpint::message_passing::test_transport = former_; }
    NewGroupsUse(const NewGroupsUse &) = delete;
    NewGroupsUse &operator=(const NewGroupsUse &) = delete;

private:
    warpint::message_passing::MakeDirectTransport former_;
};

/// Whether all tests of this run use it: WARPINT_TEST_TRANSPORT=direct.
inline bool all_groups_direct() {
    const char *const wanted = std::getenv("WARPINT_TEST_TRANSPORT");
    return wanted != nullptr && std::string(wanted) == "direct";
}

} // namespace test
