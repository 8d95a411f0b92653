// SPDX-License-Identifier: Apache-2.0
// What is asked of NCCL, of stand-ins (nccl_stand_in.h): no GPU is needed, and none is used.
#include "nccl_stand_in.h"

#include <doctest/doctest.h>
#include <warpint/distributed.h>

#include <string>
#include <vector>

using namespace warpint;
using message_passing::Incoming;
using message_passing::Nccl;
using message_passing::Outgoing;
using stand_in::Failure;

namespace {

const process_group &world() {
    static const process_group group;
    return group;
}
Nccl made() {
    return Nccl(world().transport(), Nccl::make_id(), Location{0});
}

} // namespace

TEST_CASE("bytes to all ranks and from all") {
    const auto me = static_cast<std::size_t>(world().rank());
    const std::size_t ranks = world().count();
    // Two messages for each rank, and an empty one between them.
    const auto first = [](std::size_t from, std::size_t to) {
        return std::vector<char>(10 + from * 3 + to, static_cast<char>(from * 16 + to));
    };
    const auto second = [](std::size_t from, std::size_t) {
        return std::vector<char>(1000 + from, static_cast<char>(100 + from));
    };
    std::vector<std::vector<char>> sent, received;
    for (std::size_t k = 0; k < ranks; ++k) {
        sent.push_back(first(me, k));
        sent.push_back(second(me, k));
        received.emplace_back(first(k, me).size());
        received.emplace_back(second(k, me).size());
    }
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (std::size_t k = 0; k < ranks; ++k) {
        const std::size_t other = ranks - 1 - k; // ranks in another order
        outgoing.push_back({static_cast<int>(k), sent[2 * k].data(), sent[2 * k].size()});
        outgoing.push_back({static_cast<int>(k), nullptr, 0});
        outgoing.push_back({static_cast<int>(k), sent[2 * k + 1].data(), sent[2 * k + 1].size()});
        for (const std::size_t i : {2 * other, 2 * other + 1})
            incoming.push_back({static_cast<int>(other), received[i].data(), received[i].size()});
    }
    const int before = stand_in::destroyed;
    {
        Nccl nccl = made();
        CHECK(std::string(nccl.name()) == "NCCL");
        for (int round = 0; round < 2; ++round) {
            for (auto &each : received)
                each.assign(each.size(), 0);
            nccl.exchange(outgoing, incoming);
            for (std::size_t k = 0; k < ranks; ++k) {
                CHECK(received[2 * k] == first(k, me));
                CHECK(received[2 * k + 1] == second(k, me));
            }
        }
    }
    CHECK(stand_in::destroyed == before + 1);
    CHECK(stand_in::aborted == 0);
}

TEST_CASE("errors of NCCL are mpi_errors with its text") {
    const int before = stand_in::aborted;
    {
        Nccl nccl = made();
        stand_in::failure = Failure::launch;
        CHECK_THROWS_WITH_AS(nccl.exchange({}, {}),
                             "warpint: ncclGroupEnd: system error: more about it", mpi_error);
        stand_in::failure = Failure::none;
    }
    {
        Nccl nccl = made();
        stand_in::failure = Failure::later;
        try {
            nccl.exchange({}, {});
            FAIL_CHECK("no exception");
        } catch (const nccl_error &error) {
            CHECK(error.code() == ncclRemoteError);
            CHECK(std::string(error.what()) ==
                  "warpint: an exchange by NCCL: remote error: more about it");
        }
        stand_in::failure = Failure::none;
    }
    CHECK(stand_in::aborted == before + 2);
    CHECK_THROWS_AS(Nccl(world().transport(), Nccl::Id{}, Location{0}), nccl_error);
}
