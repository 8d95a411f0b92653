// SPDX-License-Identifier: Apache-2.0
// Computer: has batches of elements computed on the host or the device. Every CUDA call is checked;
// errors are exceptions.
#pragma once

#include "subject.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace batch_test {

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
    void compute(const Case &which, const std::vector<Element> &operands, std::size_t record_size) {
        start(which, operands, record_size);
        finish();
    }

    /// Starts a batch; the device computes it while the caller does something else.
    void start(const Case &which, const std::vector<Element> &operands, std::size_t record_size) {
        const std::size_t count = operands.size();
        record_size_ = record_size;
        const auto operand_count = static_cast<std::size_t>(which.operand_count);
        for (std::size_t i = 0; i < operand_count; ++i)
            pack(numbers_[i], size_of(which.types[i]), operands, i);
        parameters_.clear();
        for (const Element &v : operands)
            parameters_.push_back(v.parameters);
        Batch batch{{}, parameters_.data(), nullptr, record_size, static_cast<int>(count)};
        if (!on_device_) {
            for (std::size_t i = 0; i < operand_count; ++i)
                batch.operands[i] = numbers_[i].data();
            records_.resize(count * record_size / slot_unit);
            results_ = batch.records = bytes(records_);
            std::memset(results_, guard_byte, count * record_size);
            which.run_host(batch);
            return;
        }
#ifdef __CUDACC__
        const auto upload = [this](DeviceBuffer &target, const void *source, std::size_t size) {
            void *const at = target.reserve(size);
            check(cudaMemcpyAsync(at, source, size, cudaMemcpyHostToDevice, stream_), "copy");
            return at;
        };
        for (std::size_t i = 0; i < operand_count; ++i)
            batch.operands[i] =
                upload(device_numbers_[i], numbers_[i].data(), count * size_of(which.types[i]));
        batch.parameters = static_cast<const Parameters *>(
            upload(device_parameters_, parameters_.data(), count * sizeof(Parameters)));
        void *const records = device_records_.reserve(count * record_size);
        results_ = pinned_.reserve(count * record_size);
        batch.records = static_cast<unsigned char *>(records);
        check(cudaMemsetAsync(records, guard_byte, count * record_size, stream_), "memset");
        check(static_cast<cudaError_t>(which.launch(batch, stream_)), "kernel launch");
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

    const unsigned char *record(std::size_t i) const { return results_ + i * record_size_; }

private:
    struct alignas(slot_unit) Unit {
        unsigned char bytes[slot_unit];
    };
    static unsigned char *bytes(std::vector<Unit> &units) {
        return reinterpret_cast<unsigned char *>(units.data());
    }

    /// Writes the limbs of each number one after the other, `size` bytes each.
    void pack(std::vector<Unit> &target, std::size_t size, const std::vector<Element> &operands,
              std::size_t index) {
        target.resize((operands.size() * size + slot_unit - 1) / slot_unit);
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::vector<mp_limb_t> &limbs =
                limbs_.of(operands[i].number(index), 8 * static_cast<int>(size));
            std::memcpy(bytes(target) + i * size, limbs.data(), size);
        }
    }

    bool on_device_;
    std::size_t record_size_ = 0;
    std::array<std::vector<Unit>, max_operands> numbers_;
    std::vector<Unit> records_;
    unsigned char *results_ = nullptr; // in records_ or pinned_
    std::vector<Parameters> parameters_;
    TwosComplement limbs_;
#ifdef __CUDACC__
    cudaStream_t stream_ = nullptr;
    PinnedBuffer pinned_;
    std::array<DeviceBuffer, max_operands> device_numbers_;
    DeviceBuffer device_parameters_, device_records_;
#endif
};

/// Found by computing an element on the host.
inline std::size_t record_size_of(const Case &which, const Subject &subject) {
    struct alignas(slot_unit) Unit {
        unsigned char bytes[slot_unit];
    };
    test::OperandSource source(1);
    const Element element = subject.draw(which, source, false);
    Batch batch{};
    std::array<std::vector<Unit>, max_operands> numbers;
    TwosComplement limbs;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(which.operand_count); ++i) {
        const std::size_t size = size_of(which.types[i]);
        widest = std::max(widest, size);
        numbers[i].resize(size / slot_unit + 1);
        std::memcpy(numbers[i].data(),
                    limbs.of(element.number(i), 8 * static_cast<int>(size)).data(), size);
        batch.operands[i] = numbers[i].data();
    }
    std::vector<Unit> record(64 * (widest + 4 * slot_unit) / slot_unit);
    batch.parameters = &element.parameters;
    batch.records = reinterpret_cast<unsigned char *>(record.data());
    batch.record_size = record.size() * slot_unit;
    batch.count = 1;
    return which.run_host(batch);
}

} // namespace batch_test
