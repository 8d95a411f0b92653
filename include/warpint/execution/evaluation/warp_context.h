// SPDX-License-Identifier: Apache-2.0
// How the threads of a warp load and store the 32 numbers of their elements: each by itself, or the
// warp in whole lines through shared memory.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../limb/async_copy.h"
#include "cost.h"

namespace warpint::execution {

// Where the warp's staging has a vector of an element, of numbers of `vectors` vectors of 16 bytes:
// vector v of element e lies in slot e V + (v ^ x(e)), with x(e) such that both the lines of one
// element and the same vector of 8 elements meet 8 different groups of banks.
template <unsigned vectors>
__device__ __forceinline__ unsigned vector_slot(unsigned element, unsigned vector) {
    constexpr unsigned block = vectors % 8 == 0   ? 8
                               : vectors % 4 == 0 ? 4
                               : vectors % 2 == 0 ? 2
                                                  : 1;
    return element * vectors + (vector ^ (element / (8 / block) % block));
}

// A number of this thread in its warp's shared memory, which holds 32 of them: as vectors of 16
// bytes by vector_slot() if the number is whole vectors, else as words.
template <class T>
struct StagedNumber {
    static constexpr int limbs = T::limb_count;
    static constexpr bool in_vectors = sizeof(T) % 16 == 0;
    uint4 *area;
    unsigned lane;

    __device__ __forceinline__ std::uint32_t limb(int i) const {
        if constexpr (in_vectors) { // signed: nvcc 13.0 then keeps the branch of StagedModulus, and
                                    // 45 registers fewer at 1024 bits
            const uint4 *const vector =
                area + vector_slot<limbs / 4>(lane, static_cast<unsigned>(i / 4));
            return reinterpret_cast<const std::uint32_t *>(vector)[i % 4];
        } else {
            return reinterpret_cast<const std::uint32_t *>(
                area)[lane * limbs + static_cast<unsigned>(i)];
        }
    }
    __device__ __forceinline__ void read(std::uint32_t *r) const {
        if constexpr (in_vectors) {
            WARPINT_UNROLL(limbs / 4, 64)
            for (unsigned v = 0; v < limbs / 4; ++v) {
                const uint4 vector = area[vector_slot<limbs / 4>(lane, v)];
                r[4 * v] = vector.x;
                r[4 * v + 1] = vector.y;
                r[4 * v + 2] = vector.z;
                r[4 * v + 3] = vector.w;
            }
        } else {
            WARPINT_UNROLL(limbs, 64)
            for (int i = 0; i < limbs; ++i)
                r[i] = limb(i);
        }
    }
    [[nodiscard]] __device__ __forceinline__ bool is_zero() const {
        std::uint32_t any = 0;
        WARPINT_UNROLL(limbs, 64)
        for (int i = 0; i < limbs; ++i)
            any |= limb(i);
        return any == 0;
    }

    // The warp's `elements` numbers from memory, by all its lanes. Complete after
    // limb::wait_for_copies() and __syncwarp().
    __device__ __forceinline__ void fetch(const T *first, unsigned elements) const {
        constexpr unsigned words = limbs;
        const bool aligned = reinterpret_cast<std::uintptr_t>(first) % 16 == 0;
        if (in_vectors && aligned) {
            constexpr unsigned vectors = words / 4 + (words < 4);
            WARPINT_UNROLL(vectors, 64)
            for (unsigned k = 0; k < vectors; ++k) {
                const unsigned position = k * 32 + lane;
                if (position < elements * vectors) {
                    limb::copy_async(
                        area + vector_slot<vectors>(position / vectors, position % vectors),
                        reinterpret_cast<const uint4 *>(first) + position);
                }
            }
        } else if (!in_vectors && aligned) {
            // As it lies in memory, in vectors but for the words behind the last whole one.
            const unsigned available = elements * words;
            WARPINT_UNROLL((words + 3) / 4, 64)
            for (unsigned k = 0; k < (words + 3) / 4; ++k) {
                const unsigned position = (k * 32 + lane) * 4;
                if (position + 4 <= available) {
                    limb::copy_async(area + position / 4,
                                     reinterpret_cast<const uint4 *>(first) + position / 4);
                } else {
                    for (unsigned i = position; i < available; ++i)
                        reinterpret_cast<std::uint32_t *>(area)[i] =
                            reinterpret_cast<const std::uint32_t *>(first)[i];
                }
            }
        } else {
            const std::uint32_t *const memory = reinterpret_cast<const std::uint32_t *>(first);
            WARPINT_UNROLL(4, in_vectors ? 1 : 4)
            for (unsigned k = 0; k < words; ++k) {
                const unsigned position = k * 32 + lane;
                if (position < elements * words)
                    reinterpret_cast<std::uint32_t *>(
                        area)[word(position / words, position % words)] = memory[position];
            }
        }
    }

private:
    __device__ __forceinline__ static unsigned word(unsigned element, unsigned i) {
        if constexpr (in_vectors) {
            return 4 * vector_slot<limbs / 4>(element, i / 4) + i % 4;
        } else {
            return element * limbs + i;
        }
    }
};

// The 32 numbers of a warp lie one after another in memory: the warp moves them in whole lines
// between memory and its part of the block's shared memory, where each thread picks up its own. All
// 32 lanes call load() and store() together, also those beyond the end of the batch.
//
// Numbers of whole 16-byte vectors are kept in vectors (vector_slot). Others are kept in words as
// they are in memory: where their number is odd, the threads meet 32 different banks.
struct WarpContext {
    uint4 *staging;         // the warp's shared memory; null: each thread reads by itself
    std::size_t warp_first; // index of the warp's first element
    std::size_t index;      // of this thread's element
    unsigned warp_elements; // how many of its 32 elements exist
    unsigned lane;

    [[nodiscard]] __device__ __forceinline__ bool exists() const { return lane < warp_elements; }

    template <class T>
    __device__ __forceinline__ T load(const BatchPointer<T> &elements, bool &fault) const {
        if (elements.faults != nullptr && exists())
            fault = fault || fault_bit(elements.faults, index);
        if constexpr (is_transposed<T>) {
            if (staging != nullptr)
                return load_staged(elements.data + warp_first);
        }
        T value{};
        if (exists())
            value = elements.data[index];
        return value;
    }

    // An element without a value becomes 0.
    template <class T>
    __device__ __forceinline__ void store(T *data, const T &value, bool fault) const {
        if constexpr (is_transposed<T>) {
            if (staging != nullptr && reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
                store_staged(data + warp_first, value, fault);
                return;
            }
        }
        if (!exists())
            return;
        if (fault) {
            data[index] = T{};
        } else {
            data[index] = value;
        }
    }

    template <class Operation, class... Values>
    __device__ __forceinline__ auto apply(const Operation &operation, bool &fault,
                                          const Values &...values) const {
        if constexpr (Operation::runs_user_code) { // nothing may happen for what does not exist
            using R = expression::result_of<Operation, Values...>;
            return exists() ? operation.apply(fault, values...) : R{};
        } else {
            return operation.apply(fault, values...);
        }
    }

private:
    // Moves the warp's elements between memory and staging, T's words one after another (rearranged
    // if they are whole vectors).
    template <class T, bool to_memory>
    __device__ __forceinline__ void move(std::conditional_t<to_memory, T, const T> *memory) const {
        constexpr unsigned words = sizeof(T) / 4;
        if constexpr (words % 4 == 0) {
            constexpr unsigned vectors = words / 4;
            const unsigned available = warp_elements * vectors;
            WARPINT_UNROLL(vectors, 64)
            for (unsigned k = 0; k < vectors; ++k) {
                const unsigned position = k * 32 + lane;
                if (position < available) {
                    uint4 &staged =
                        staging[vector_slot<vectors>(position / vectors, position % vectors)];
                    if constexpr (to_memory) {
                        reinterpret_cast<uint4 *>(memory)[position] = staged;
                    } else {
                        staged = reinterpret_cast<const uint4 *>(memory)[position];
                    }
                }
            }
        } else {
            // 32 elements are words * 8 vectors; of fewer, the words behind the last whole vector
            // move one by one.
            const unsigned available = warp_elements * words;
            std::uint32_t *const staged_words = reinterpret_cast<std::uint32_t *>(staging);
            WARPINT_UNROLL((words + 3) / 4, 64)
            for (unsigned k = 0; k < (words + 3) / 4; ++k) {
                const unsigned position = (k * 32 + lane) * 4;
                if (position + 4 <= available) {
                    if constexpr (to_memory) {
                        reinterpret_cast<uint4 *>(memory)[position / 4] = staging[position / 4];
                    } else {
                        staging[position / 4] =
                            reinterpret_cast<const uint4 *>(memory)[position / 4];
                    }
                } else if (position < available) {
                    for (unsigned word = position; word < available; ++word) {
                        if constexpr (to_memory) {
                            reinterpret_cast<std::uint32_t *>(memory)[word] = staged_words[word];
                        } else {
                            staged_words[word] =
                                reinterpret_cast<const std::uint32_t *>(memory)[word];
                        }
                    }
                }
            }
        }
    }

    template <class T>
    __device__ __forceinline__ T load_staged(const T *first) const {
        __syncwarp();
        move<T, false>(first);
        __syncwarp();
        T value;
        StagedNumber<T>{staging, lane}.read(value.limbs);
        return value;
    }

    template <class T>
    __device__ __forceinline__ void store_staged(T *first, const T &value, bool fault) const {
        constexpr unsigned words = sizeof(T) / 4;
        const std::uint32_t keep = fault ? 0 : 0xffffffffu;
        __syncwarp();
        if constexpr (words % 4 == 0) {
            WARPINT_UNROLL(words / 4, 64)
            for (unsigned v = 0; v < words / 4; ++v) {
                staging[vector_slot<words / 4>(lane, v)] =
                    make_uint4(value.limbs[4 * v] & keep, value.limbs[4 * v + 1] & keep,
                               value.limbs[4 * v + 2] & keep, value.limbs[4 * v + 3] & keep);
            }
        } else {
            std::uint32_t *const own = reinterpret_cast<std::uint32_t *>(staging) + lane * words;
            WARPINT_UNROLL(words, 64)
            for (unsigned k = 0; k < words; ++k)
                own[k] = value.limbs[k] & keep;
        }
        __syncwarp();
        move<T, true>(first);
    }
};

} // namespace warpint::execution

#endif
