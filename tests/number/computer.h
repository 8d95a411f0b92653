// Computer: has batches of elements computed on the host or the device. Every CUDA call is checked;
// errors are exceptions.
#pragma once

#include "oracle.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace number_test {

using test::Integer;

/// Is there a GPU? In builds without CUDA never.
inline bool has_device() {
#ifdef __CUDACC__
    static const bool present = [] {
        int count = 0;
        const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
        cudaGetLastError();
        return found;
    }();
    return present;
#else
    return false;
#endif
}

#ifdef __CUDACC__

inline void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Device memory that grows.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    ~DeviceBuffer() { cudaFree(data_); }

    void *reserve(std::size_t size) {
        if (size > size_) {
            check(cudaFree(data_), "cudaFree");
            data_ = nullptr;
            size_ = 0;
            check(cudaMalloc(&data_, size), "cudaMalloc");
            size_ = size;
        }
        return data_;
    }

private:
    void *data_ = nullptr;
    std::size_t size_ = 0;
};

/// Host memory that grows, pinned: the device copies into it without a detour.
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(const PinnedBuffer &) = delete;
    PinnedBuffer &operator=(const PinnedBuffer &) = delete;
    ~PinnedBuffer() { cudaFreeHost(data_); }

    unsigned char *reserve(std::size_t size) {
        if (size > size_) {
            check(cudaFreeHost(data_), "cudaFreeHost");
            data_ = nullptr;
            size_ = 0;
            check(cudaMallocHost(&data_, size), "cudaMallocHost");
            size_ = size;
        }
        return static_cast<unsigned char *>(data_);
    }

private:
    void *data_ = nullptr;
    std::size_t size_ = 0;
};

#endif

/// Computes batches of one thread, one at a time.
class Computer {
public:
    explicit Computer(bool on_device) : on_device_(on_device) {
#ifdef __CUDACC__
        if (on_device_)
            check(cudaStreamCreate(&stream_), "cudaStreamCreate");
#endif
    }
    Computer(const Computer &) = delete;
    Computer &operator=(const Computer &) = delete;
    ~Computer() {
#ifdef __CUDACC__
        if (on_device_)
            cudaStreamDestroy(stream_);
#endif
    }

    /// Record i is at record(i) afterwards.
    void compute(const Case &which, const std::vector<Operands> &operands,
                 std::size_t record_size) {
        start(which, operands, record_size);
        finish();
    }

    /// Starts a batch; the device computes it while the caller does something else.
    void start(const Case &which, const std::vector<Operands> &operands, std::size_t record_size) {
        const std::size_t count = operands.size();
        record_size_ = record_size;
        pack(a_, which.a_size, operands, &Operands::a);
        pack(b_, which.b_size, operands, &Operands::b);
        parameters_.clear();
        for (const Operands &v : operands)
            parameters_.push_back(v.parameters);
        if (!on_device_) {
            records_.resize(count * record_size / slot_unit);
            results_ = bytes(records_);
            std::memset(results_, guard_byte, count * record_size);
            which.run_host({a_.data(), b_.data(), parameters_.data(), results_, record_size,
                            static_cast<int>(count)});
            return;
        }
#ifdef __CUDACC__
        results_ = pinned_.reserve(count * record_size);
        const std::size_t a_size = count * which.a_size;
        const std::size_t b_size = count * which.b_size;
        const std::size_t parameters_size = count * sizeof(Parameters);
        void *const a = device_a_.reserve(a_size);
        void *const b = device_b_.reserve(b_size);
        void *const parameters = device_parameters_.reserve(parameters_size);
        void *const records = device_records_.reserve(count * record_size);
        check(cudaMemcpyAsync(a, a_.data(), a_size, cudaMemcpyHostToDevice, stream_), "copy a");
        check(cudaMemcpyAsync(b, b_.data(), b_size, cudaMemcpyHostToDevice, stream_), "copy b");
        check(cudaMemcpyAsync(parameters, parameters_.data(), parameters_size,
                              cudaMemcpyHostToDevice, stream_),
              "copy parameters");
        check(cudaMemsetAsync(records, guard_byte, count * record_size, stream_), "memset");
        check(static_cast<cudaError_t>(which.launch(
                  {a, b, static_cast<const Parameters *>(parameters),
                   static_cast<unsigned char *>(records), record_size, static_cast<int>(count)},
                  stream_)),
              "kernel launch");
        check(cudaMemcpyAsync(results_, records, count * record_size, cudaMemcpyDeviceToHost,
                              stream_),
              "copy records");
#endif
    }

    /// Waits for the batch; record i is at record(i) afterwards.
    void finish() {
#ifdef __CUDACC__
        if (on_device_)
            check(cudaStreamSynchronize(stream_), "kernel");
#endif
    }

    const unsigned char *record(std::size_t i) const {
        return results_ + i * record_size_;
    }

private:
    struct alignas(slot_unit) Unit {
        unsigned char bytes[slot_unit];
    };
    static unsigned char *bytes(std::vector<Unit> &units) {
        return reinterpret_cast<unsigned char *>(units.data());
    }

    /// Writes the limbs of each number one after the other, `size` bytes each.
    void pack(std::vector<Unit> &target, std::size_t size, const std::vector<Operands> &operands,
              Integer Operands::*member) {
        target.resize((operands.size() * size + slot_unit - 1) / slot_unit);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::vector<mp_limb_t> &limbs =
                limbs_.of(operands[i].*member, 8 * static_cast<int>(size));
            std::memcpy(bytes(target) + i * size, limbs.data(), size);
        }
    }

    bool on_device_;
    std::size_t record_size_ = 0;
    std::vector<Unit> a_, b_, records_;
    unsigned char *results_ = nullptr; // in records_ or pinned_
    std::vector<Parameters> parameters_;
    TwosComplement limbs_;
#ifdef __CUDACC__
    cudaStream_t stream_ = nullptr;
    PinnedBuffer pinned_;
    DeviceBuffer device_a_, device_b_, device_parameters_, device_records_;
#endif
};

/// Found by computing the element (1, 1) on the host.
inline std::size_t record_size_of(const Case &which) {
    const std::size_t widest = static_cast<std::size_t>(std::max(which.a.bits, which.b.bits));
    const std::size_t bound = 64 * (widest / 4 + 4 * slot_unit);
    struct alignas(slot_unit) Unit {
        unsigned char bytes[slot_unit];
    };
    const auto one = [](Type type, std::size_t size) {
        std::vector<Unit> number(size / slot_unit + 1, Unit{});
        // 1 does not exist among one signed bit: there -1.
        std::memset(number.data(), type.is_signed && type.bits == 1 ? 0xff : 0, size);
        number[0].bytes[0] = type.is_signed && type.bits == 1 ? 0xff : 1;
        return number;
    };
    const std::vector<Unit> a = one(which.a, which.a_size);
    const std::vector<Unit> b = one(which.b, which.b_size);
    const Parameters parameters{};
    std::vector<Unit> record(bound / slot_unit + 1);
    return which.run_host({a.data(), b.data(), &parameters,
                           reinterpret_cast<unsigned char *>(record.data()), bound, 1});
}

} // namespace number_test
