// SPDX-License-Identifier: Apache-2.0
// The GPUs that a sharded_vector lies on.
#pragma once

#include "../execution/memory/backend.h"
#include "../expression/sharded.h"

#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace warpint {
inline namespace WARPINT_BACKEND {

// Names the GPUs on which the pieces of sharded vectors lie. A GPU may be named more than once; it
// then holds that many pieces. Without a GPU, or without CUDA, the pieces lie in host memory.
class device_group {
public:
    // All GPUs that this process sees; without any, one place in host memory.
    device_group() : locations_{all().locations_} {}
    // These GPUs, by their ordinals. std::invalid_argument if the list is empty or names a GPU that
    // does not exist; cuda_error if a GPU cannot be used.
    explicit device_group(const std::vector<int> &devices)
        : locations_{std::make_shared<const std::vector<Location>>(locations_of(devices))} {
        allow_peers();
    }
    device_group(std::initializer_list<int> devices) : device_group(std::vector<int>(devices)) {}

    [[nodiscard]] std::size_t size() const { return locations_->size(); }
    [[nodiscard]] Location location(std::size_t i) const { return (*locations_)[i]; }
    [[nodiscard]] const std::vector<Location> &locations() const { return *locations_; }

    // Whether two groups have the same places in the same order.
    friend bool operator==(const device_group &a, const device_group &b) {
        return a.locations_ == b.locations_ || a.locations() == b.locations();
    }

    // Calls body(i) for each shard i with its GPU current, all at once on threads of their own (on
    // the calling thread for the first shard, and where there are no more threads or no memory for
    // one), and waits for the calls (not for what they launch). Throws the first exception when all
    // have returned.
    void for_each_shard(const execution::Call<std::size_t> &body) const {
        std::vector<std::exception_ptr> thrown(size());
        const auto call = [&](std::size_t i) noexcept {
            try {
#if WARPINT_CUDA
                const execution::CurrentDevice current(location(i));
#endif
                body(i);
            } catch (...) {
                thrown[i] = std::current_exception();
            }
        };
        std::vector<std::thread> threads;
        threads.reserve(size() - 1);
        std::size_t started = 1;
        try {
            for (; started < size(); ++started)
                threads.emplace_back(std::cref(call), started);
        } catch (const std::exception &) { // the others are called here
        }
        call(0);
        for (std::size_t i = started; i < size(); ++i)
            call(i);
        for (std::thread &each : threads)
            each.join();
        for (const std::exception_ptr &each : thrown) {
            if (each != nullptr)
                std::rethrow_exception(each);
        }
    }
    // Calls body(i), which only starts work, for each shard i. On GPUs one thread starts all and
    // stops at an exception: other threads take longer to begin (formulas of 3 ms on two H200 lost
    // 0.2 ms by it). On hosts as for_each_shard().
    void start_on_each(const execution::Call<std::size_t> &body) const {
#if WARPINT_CUDA
        if (location(0).on_gpu()) {
            for (std::size_t i = 0; i < size(); ++i) {
                const execution::CurrentDevice current(location(i).device);
                body(i);
            }
            return;
        }
#endif
        for_each_shard(body);
    }

private:
    static const device_group &all() {
        static auto *const group = new device_group(visible_devices()); // outlives every vector
        return *group;
    }
    static int visible_count() {
        int count = 0;
#if WARPINT_CUDA
        if (execution::device_location().on_gpu())
            execution::check_cuda(cudaGetDeviceCount(&count), "warpint: cudaGetDeviceCount");
#endif
        return count;
    }
    static std::vector<int> visible_devices() {
        std::vector<int> devices(static_cast<std::size_t>(std::max(1, visible_count())));
        std::iota(devices.begin(), devices.end(), 0);
        return devices;
    }
    static std::vector<Location> locations_of(const std::vector<int> &devices) {
        if (devices.empty())
            throw std::invalid_argument("warpint: a device_group needs a device");
        const int visible = visible_count();
        std::vector<Location> locations;
        for (const int device : devices) {
            if (device < 0 || (visible > 0 && device >= visible)) {
                throw std::invalid_argument("warpint: device_group: there is no GPU " +
                                            std::to_string(device) + "; there are " +
                                            std::to_string(visible) + ", numbered from 0");
            }
            locations.push_back(visible > 0 ? Location{device} : Location{});
        }
        return locations;
    }

    // Lets the GPUs of the group read and write each other's memory where they can. Between others
    // CUDA copies through the host.
    void allow_peers() const {
#if WARPINT_CUDA
        for (const Location &from : locations()) {
            for (const Location &to : locations()) {
                int possible = 0;
                if (from == to || !from.on_gpu() ||
                    cudaDeviceCanAccessPeer(&possible, from.device, to.device) != cudaSuccess ||
                    possible == 0)
                    continue;
                const execution::CurrentDevice current(from.device);
                (void)cudaDeviceEnablePeerAccess(to.device, 0); // it may be enabled already
                cudaMemPool_t pool = nullptr;
                if (cudaDeviceGetDefaultMemPool(&pool, to.device) == cudaSuccess) {
                    cudaMemAccessDesc access{};
                    access.location.type = cudaMemLocationTypeDevice;
                    access.location.id = from.device;
                    access.flags = cudaMemAccessFlagsProtReadWrite;
                    (void)cudaMemPoolSetAccess(pool, &access, 1);
                }
            }
        }
        (void)cudaGetLastError();
#endif
    }

    std::shared_ptr<const std::vector<Location>> locations_;
};

// For this library: what the shards of a vector hold, and their group.
struct GroupedState : expression::ShardedState {
    explicit GroupedState(const device_group &on) : on_{on} {}
    [[nodiscard]] const device_group &group() const { return on_; }

private:
    device_group on_;
};

} // namespace WARPINT_BACKEND
} // namespace warpint
