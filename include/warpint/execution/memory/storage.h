// SPDX-License-Identifier: Apache-2.0
// Storage: the elements of a vector, shared between the vector and the formulas that name it, with
// what is known of work in flight on them.
//
// On a GPU each use by a formula on a stream other than the legacy default stream leaves an event
// behind. Later uses on other streams, reading back and giving memory back wait for the events that
// concern them, and for nothing else; a stream that has been destroyed since is never touched. Work
// on the legacy stream needs no events: its own order does. Under stream capture nothing is
// recorded: the order of a graph's replays is the program's business.
#pragma once

#include "backend.h"
#include "resource.h"

#if WARPINT_CUDA
#include <list>
#include <mutex>
#endif

namespace warpint::execution {

struct Storage : expression::BatchState {
    std::size_t element_bytes = 0;
    std::size_t capacity = 0; // elements that there is room for
    std::size_t bytes = 0;    // allocated at data: elements, then fault words
    memory_resource *resource = nullptr;
    std::shared_ptr<void> uses; // work in flight (StreamUses), on GPUs
};

// Bytes from the first element to the fault words, which lie in the same piece of memory.
constexpr std::size_t bytes_of_elements(std::size_t count, std::size_t element_bytes) {
    return (count * element_bytes + 15) / 16 * 16;
}
constexpr std::size_t fault_word_count(std::size_t count) {
    return (count + 31) / 32;
}

#if WARPINT_CUDA

// An event that comes from a pool and returns there.
class Event {
public:
    explicit Event(int device) : device_{device} {
        if (const auto kept = DevicePool<cudaEvent_t>::take(device)) {
            handle_ = *kept;
            return;
        }
        DevicePool<cudaEvent_t>::expect_one_more(device);
        const cudaError_t error = cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming);
        if (error != cudaSuccess)
            DevicePool<cudaEvent_t>::expect_one_less(device);
        check_cuda(error, "warpint: cudaEventCreate");
    }
    ~Event() { DevicePool<cudaEvent_t>::give(device_, handle_); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    [[nodiscard]] cudaEvent_t handle() const { return handle_; }

private:
    int device_;
    cudaEvent_t handle_ = nullptr;
};

// What tells streams apart also after one was destroyed, when its handle may come again: CUDA's own
// number for it (for the handle of per-thread streams that of this thread's). 0 for the legacy
// stream.
inline unsigned long long number_of(cudaStream_t stream) {
    if (is_legacy(stream))
        return 0;
    unsigned long long number = 0;
    check_cuda(cudaStreamGetId(stream, &number), "warpint: no such stream");
    return number;
}

// Records an event on a stream of the current device.
inline std::shared_ptr<Event> record(int device, cudaStream_t stream) {
    auto event = std::make_shared<Event>(device);
    check_cuda(cudaEventRecord(event->handle(), stream), "warpint: cudaEventRecord");
    return event;
}

// Work on a stream that a storage remembers.
struct StreamUse {
    std::shared_ptr<Event> event; // behind it
    unsigned long long stream;    // number_of() it
    bool writes;
};

// Work in flight on one storage.
class StreamUses {
public:
    // Lets work that will be put on `stream` wait for what concerns it: earlier writes, and earlier
    // reads if it writes.
    void order_before(int device, cudaStream_t stream, bool writes) {
        const std::lock_guard lock(mutex_);
        turn_legacy_into_event(device, stream);
        if (uses_.empty())
            return;
        const unsigned long long number = number_of(stream);
        for (const StreamUse &use : uses_) {
            if ((use.writes || writes) && use.stream != number) {
                check_cuda(cudaStreamWaitEvent(stream, use.event->handle(), 0),
                           "warpint: cudaStreamWaitEvent");
            }
        }
    }
    // Notes work that order_before() was called for: one use, made before the work was launched so
    // that nothing can fail here. None: on the legacy stream.
    void order_after(std::list<StreamUse> work, bool writes) noexcept {
        const std::lock_guard lock(mutex_);
        if (writes) {
            uses_.clear(); // all of them come before this one
        } else {
            forget_finished();
            std::erase_if(uses_, [&](const StreamUse &use) {
                const bool earlier = !work.empty() && use.stream == work.front().stream;
                if (earlier && use.writes)
                    work.front().writes = true;
                return earlier;
            });
        }
        if (work.empty())
            legacy_ = true;
        uses_.splice(uses_.end(), work);
    }
    // Waits on the host for writes, and for reads if the host is going to write. Returns whether
    // there may be work on the legacy stream, which is not waited for here.
    bool wait(bool writes) {
        std::list<StreamUse> concerned;
        bool legacy = false;
        {
            const std::lock_guard lock(mutex_);
            legacy = legacy_;
            concerned = uses_;
        }
        for (const StreamUse &use : concerned) {
            if (use.writes || writes)
                check_cuda(cudaEventSynchronize(use.event->handle()), "warpint: a formula failed");
        }
        return legacy;
    }
    void note_legacy() {
        const std::lock_guard lock(mutex_);
        legacy_ = true;
    }

private:
    // Reads on ever new streams leave no ever longer list.
    void forget_finished() {
        constexpr std::size_t many = 16;
        if (uses_.size() < many)
            return;
        const RelaxedCapture relaxed;
        std::erase_if(uses_, [](const StreamUse &use) {
            return cudaEventQuery(use.event->handle()) == cudaSuccess;
        });
        cudaGetLastError(); // "not ready" is no error
    }
    void turn_legacy_into_event(int device, cudaStream_t stream) {
        if (!legacy_ || is_legacy(stream))
            return;
        uses_.push_back(StreamUse{record(device, cudaStreamLegacy), 0, true});
        legacy_ = false;
    }

    std::mutex mutex_;
    std::list<StreamUse> uses_;
    bool legacy_ = true; // there may be work on the legacy stream; memory comes from there
};

inline StreamUses &uses_of(const Storage &storage) {
    WARPINT_ASSERT(storage.uses != nullptr); // of storages with memory
    return *static_cast<StreamUses *>(storage.uses.get());
}

// A stream of this library's own for copies, one for each GPU; never destroyed.
inline cudaStream_t copy_stream(int device) {
    return asked_once(device, [] {
        cudaStream_t stream = nullptr;
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                   "warpint: cudaStreamCreate");
        return stream;
    });
}

// A copy on the device, which is current, of what a host has, kept as long as the program runs: for
// graphs and for constants. A stream may record a graph meanwhile.
inline void *kept_copy(int device, const void *from, std::size_t bytes) {
    const RelaxedCapture relaxed;
    const cudaStream_t stream = copy_stream(device);
    void *copy = nullptr;
    check_cuda(cudaMalloc(&copy, bytes), "warpint: cudaMalloc");
    cudaError_t error = cudaMemcpyAsync(copy, from, bytes, cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess)
        cudaFree(copy);
    check_cuda(error, "warpint: copy to the GPU");
    return copy;
}

// Constants on a device, which is current: make() gives them once, as a range of T; they are
// uploaded once and kept as long as the program runs. Tag: a type for each set of them. Null if
// there is no memory.
template <class Tag, class T, class Make>
const T *kept_constants(int device, const Make &make) {
    static auto &mutex = *new std::mutex;
    static const T *uploaded[64];
    const std::lock_guard lock(mutex);
    const T *&constants = uploaded[device & 63];
    if (constants == nullptr) {
        const auto made = make();
        try {
            constants = static_cast<const T *>(
                kept_copy(device, std::data(made), std::size(made) * sizeof(T)));
        } catch (const device_bad_alloc &) {
        }
    }
    return constants;
}

#endif

inline namespace WARPINT_BACKEND {

// Gives memory back, behind all work on it.
inline void release_memory(Storage &storage) noexcept {
    if (storage.data == nullptr)
        return;
    delete storage.marks;
    storage.marks = nullptr;
#if WARPINT_CUDA
    if (storage.location.on_gpu()) {
        try {
            const CurrentDevice current(storage.location.device);
            uses_of(storage).order_before(storage.location.device, nullptr, true);
            storage.resource->deallocate(storage.data, storage.bytes, nullptr);
        } catch (...) { // after an earlier error of the GPU nothing can be said or done here
        }
        storage.data = nullptr;
        return;
    }
#endif
    storage.resource->deallocate(storage.data, storage.bytes, nullptr);
    storage.data = nullptr;
}

[[noreturn]] WARPINT_COLD inline void throw_too_long(std::size_t count, std::size_t element_bytes) {
    throw std::length_error(
        number::Message(
            "warpint: a batch of %zu elements of %zu bytes is larger than the address space", count,
            element_bytes)
            .text());
}

// Memory for `count` elements, uninitialised, without faults.
inline void allocate_memory(Storage &storage, std::size_t count) {
    storage.size = storage.capacity = 0;
    const std::size_t most = (~std::size_t{0} - 4096) / (storage.element_bytes + 1);
    if (count > most)
        throw_too_long(count, storage.element_bytes);
    if (count == 0)
        return;
    auto marks = std::make_unique<expression::MemoryMarks>();
    const std::size_t elements = bytes_of_elements(count, storage.element_bytes);
    const std::size_t bytes = elements + fault_word_count(count) * 4;
    const CurrentDevice current(storage.location);
#if WARPINT_CUDA
    if (storage.location.on_gpu())
        storage.uses = std::make_shared<StreamUses>();
#endif
    storage.data = storage.resource->allocate(bytes, nullptr);
    storage.bytes = bytes;
    storage.faults =
        reinterpret_cast<std::uint32_t *>(static_cast<char *>(storage.data) + elements);
    storage.size = storage.capacity = count;
    *marks = {storage.data, storage.faults, fault_word_count(count)};
    storage.marks = marks.release();
}

// New storage for `count` elements of `element_bytes` bytes. resource: null for the default of the
// place.
inline std::shared_ptr<Storage> make_storage(Location location, std::size_t count,
                                             std::size_t element_bytes, memory_resource *resource) {
    std::shared_ptr<Storage> storage(new Storage, [](Storage *given) {
        release_memory(*given);
        delete given;
    });
    storage->location = location;
    storage->element_bytes = element_bytes;
    storage->resource = resource != nullptr ? resource : default_resource(location);
    allocate_memory(*storage, count);
    return storage;
}

// Waits until what formulas write there is written, with `reads` also until nothing reads it.
inline void wait_for_writes([[maybe_unused]] const Storage &storage,
                            [[maybe_unused]] bool reads = false) {
#if WARPINT_CUDA
    if (storage.location.on_gpu() && storage.data != nullptr) {
        const CurrentDevice current(storage.location.device);
        if (uses_of(storage).wait(reads)) {
            check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: a formula failed");
        }
    }
#endif
}
// Waits until nothing uses it any more.
inline void wait_for_uses(const Storage &storage) {
    wait_for_writes(storage, true);
}

// Waits for the default stream of a GPU; on the host nothing is left to wait for.
inline void wait_for_device([[maybe_unused]] Location location) {
#if WARPINT_CUDA
    if (location.on_gpu()) {
        const CurrentDevice current(location.device);
        check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "warpint: a formula failed");
    }
#endif
}

// Throws wrong_location if kernels at one place cannot read memory of another.
inline void check_reaches([[maybe_unused]] Location from, [[maybe_unused]] Location memory) {
#if WARPINT_CUDA
    int possible = 1;
    if (!(from == memory) && from.on_gpu() && memory.on_gpu()) {
        check_cuda(cudaDeviceCanAccessPeer(&possible, from.device, memory.device),
                   "warpint: cudaDeviceCanAccessPeer");
    }
    if (possible == 0) {
        throw wrong_location("warpint: GPU " + std::to_string(from.device) +
                             " cannot read the memory of GPU " + std::to_string(memory.device) +
                             ": copy the shards to one of them");
    }
#endif
}

} // namespace WARPINT_BACKEND
} // namespace warpint::execution
