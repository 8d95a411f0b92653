// SPDX-License-Identifier: Apache-2.0
// How elements travel from piece to piece. Through host memory (transport.h) they always can; on
// GPUs also directly: MPI gets device pointers, or NCCL sends (nccl.h). What ranks tell each other
// besides, and elements that begin or end in host memory, go through host memory.
#pragma once

#include "transport.h"

#include "../execution/memory/backend.h"
#include "../vector/device_group.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#if WARPINT_CUDA && defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace warpint::message_passing {

// Sends bytes from the memories that pieces lie in to others such.
class DirectTransport {
public:
    DirectTransport() = default;
    DirectTransport(const DirectTransport &) = delete;
    DirectTransport &operator=(const DirectTransport &) = delete;
    virtual ~DirectTransport() = default;

    [[nodiscard]] virtual const char *name() const = 0;
    // As Transport::exchange(). On input nothing else uses the memory; on output all has arrived,
    // and what was sent may be overwritten. An error is an mpi_error.
    virtual void exchange(std::span<const Outgoing> outgoing,
                          std::span<const Incoming> incoming) = 0;
};

// What new groups use in place of a way below; for tests. Called on all ranks.
using MakeDirectTransport = std::unique_ptr<DirectTransport> (*)(const Transport &);
inline MakeDirectTransport test_transport = nullptr;

enum class Way : std::uint32_t { host, device_pointers, nccl };

// What a rank is ready to do, and its GPU.
struct Offer {
    Way way = Way::host;
    std::array<char, 16> gpu{}; // its UUID
};

// What all ranks are ready to do. NCCL takes one rank for each GPU.
inline Way agreed_way(std::vector<Offer> offers) {
    Way way = Way::nccl;
    for (const Offer &each : offers)
        way = std::min(way, each.way);
    const auto by_gpu = [](const Offer &a, const Offer &b) { return a.gpu < b.gpu; };
    const auto same_gpu = [](const Offer &a, const Offer &b) { return a.gpu == b.gpu; };
    std::sort(offers.begin(), offers.end(), by_gpu);
    const bool shared = std::adjacent_find(offers.begin(), offers.end(), same_gpu) != offers.end();
    return way == Way::nccl && shared ? Way::host : way;
}

// What WARPINT_TRANSPORT in the environment asks for; empty if nothing.
inline std::string_view set_way() {
    const char *const set = std::getenv("WARPINT_TRANSPORT");
    return set == nullptr ? "" : set;
}
// That way, otherwise the default.
inline Way wished_way() {
#if WARPINT_NCCL
    constexpr bool has_nccl = true;
#else
    constexpr bool has_nccl = false;
#endif
    const std::string_view name = set_way();
    if (name.empty())
        return has_nccl ? Way::nccl : Way::host;
    if (name == "host")
        return Way::host;
    if (name == "device")
        return Way::device_pointers;
    if (name != "nccl")
        throw std::invalid_argument("warpint: WARPINT_TRANSPORT is host, device or nccl, and not " +
                                    std::string(name));
    if (!has_nccl)
        throw std::invalid_argument("warpint: WARPINT_TRANSPORT=nccl, and the program is built "
                                    "without NCCL: link the CMake target warpint::nccl");
    return Way::nccl;
}

inline namespace WARPINT_BACKEND {

#if WARPINT_CUDA

// Whether this MPI says that it takes device pointers.
inline bool takes_device_pointers() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) || (defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 40000000)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

class DevicePointers final : public DirectTransport {
public:
    explicit DevicePointers(const Transport &transport) : transport_{transport} {}
    [[nodiscard]] const char *name() const override { return "device pointers"; }
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        transport_.exchange(outgoing, incoming, copy);
    }

private:
    static void copy(void *to, const void *from, std::size_t bytes) {
        cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cudaStreamLegacy);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(cudaStreamLegacy);
        if (error != cudaSuccess)
            throw mpi_error(MPI_ERR_OTHER, "warpint: copy to this rank itself: " +
                                               std::string(cudaGetErrorString(error)));
    }

    const Transport &transport_;
};

#endif

// Of a rank whose pieces lie there.
inline Offer offer_of([[maybe_unused]] const device_group &devices) {
    Offer offer;
    const Way wished = wished_way();
#if WARPINT_CUDA
    const Location location = devices.location(0);
    if (!location.on_gpu())
        return offer;
    if (devices.size() > 1) {
        if (wished != Way::host && !set_way().empty()) {
            throw std::invalid_argument("warpint: WARPINT_TRANSPORT=" + std::string(set_way()) +
                                        " takes one GPU for each rank, and this one has " +
                                        std::to_string(devices.size()));
        }
        return offer;
    }
    if (wished == Way::device_pointers && !takes_device_pointers()) {
        throw std::invalid_argument("warpint: WARPINT_TRANSPORT=device, and this MPI does not say "
                                    "that it takes device pointers");
    }
    cudaDeviceProp properties{};
    execution::check_cuda(cudaGetDeviceProperties(&properties, location.device),
                          "warpint: cudaGetDeviceProperties");
    offer.way = wished;
    std::memcpy(offer.gpu.data(), properties.uuid.bytes, offer.gpu.size());
#else
    (void)wished;
#endif
    return offer;
}

} // namespace WARPINT_BACKEND
} // namespace warpint::message_passing
