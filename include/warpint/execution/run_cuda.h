// SPDX-License-Identifier: Apache-2.0
// Running a formula on a GPU: the kernels of the two families, a thread per number and several lanes
// of a warp per number, and their launch. Which family a formula is compiled for follows from its
// type (is_over_lanes).
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "cuda_support.h"
#include "over_lanes.h"
#include "tuning/lanes_rows.h"
#include "held_operands.h"
#include "tuning/rows.h"

#include <map>
#include <mutex>
#include <utility>

namespace warpint::execution {

// Elements worth reading as a warp: a thread reads 16 or 32 bytes in whole vectors and sectors of
// memory by itself, but not what is longer or lies across vectors.
template <class T>
inline constexpr bool is_staged = BigNumber<T> && sizeof(T) > 8 &&
                                  (sizeof(T) > 32 || sizeof(T) % 16 != 0);

// Bytes of the widest such element that a tree reads.
template <class Tree>
inline constexpr int staged_bytes = 0;
template <class T>
inline constexpr int staged_bytes<Elements<T>> = is_staged<T> ? static_cast<int>(sizeof(T)) : 0;
template <class Operation, class... Operands>
inline constexpr int staged_bytes<expression::Node<Operation, Operands...>> = [] {
    int widest = 0;
    ((widest = expression::larger(widest, staged_bytes<Operands>)), ...);
    return widest;
}();
template <int Bits, class Tree>
inline constexpr int staged_bytes<expression::WithModulus<Bits, Tree>> = staged_bytes<Tree>;

// The 32 numbers of a warp lie one after another in memory: the warp moves them in whole lines
// between memory and its part of the block's shared memory, where each thread picks up its own. All
// 32 lanes call load() and store() together, also those beyond the end of the batch.
//
// Numbers of whole 16-byte vectors are kept in vectors: vector v of element e lies in slot
// e V + (v ^ x(e)), V vectors an element, with x(e) such that both the lines of one element and the
// same vector of 8 elements meet 8 different groups of banks. Others are kept in words as they are in
// memory: where their number is odd, the threads meet 32 different banks.
struct WarpContext {
    uint4 *staging;         // the warp's shared memory; null: each thread reads by itself
    std::size_t warp_first; // index of the warp's first element
    std::size_t index;      // of this thread's element
    unsigned warp_elements; // how many of its 32 elements exist
    unsigned lane;

    [[nodiscard]] __device__ __forceinline__ bool exists() const { return lane < warp_elements; }

    template <unsigned vectors>
    __device__ __forceinline__ static unsigned slot(unsigned element, unsigned vector) {
        constexpr unsigned block = vectors % 8 == 0   ? 8
                                   : vectors % 4 == 0 ? 4
                                   : vectors % 2 == 0 ? 2
                                                      : 1;
        return element * vectors + (vector ^ (element / (8 / block) % block));
    }

    template <class T>
    __device__ __forceinline__ T load(const Elements<T> &elements, bool &fault) const {
        if (elements.faults != nullptr && exists())
            fault = fault || fault_bit(elements.faults, index);
        if constexpr (is_staged<T>) {
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
        if constexpr (is_staged<T>) {
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
                    uint4 &staged = staging[slot<vectors>(position / vectors, position % vectors)];
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
                        staging[position / 4] = reinterpret_cast<const uint4 *>(memory)[position / 4];
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
        constexpr unsigned words = sizeof(T) / 4;
        __syncwarp();
        move<T, false>(first);
        __syncwarp();
        T value;
        if constexpr (words % 4 == 0) {
            WARPINT_UNROLL(words / 4, 64)
            for (unsigned v = 0; v < words / 4; ++v) {
                const uint4 vector = staging[slot<words / 4>(lane, v)];
                value.limbs[4 * v] = vector.x;
                value.limbs[4 * v + 1] = vector.y;
                value.limbs[4 * v + 2] = vector.z;
                value.limbs[4 * v + 3] = vector.w;
            }
        } else {
            const std::uint32_t *const own =
                reinterpret_cast<const std::uint32_t *>(staging) + lane * words;
            WARPINT_UNROLL(words, 64)
            for (unsigned k = 0; k < words; ++k)
                value.limbs[k] = own[k];
        }
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
                staging[slot<words / 4>(lane, v)] =
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

// Shared memory that a block may use without asking the driver for more.
inline constexpr int default_shared_bytes = 48 * 1024;

// Shared memory a warp needs to transpose 32 elements of this size.
WARPINT_HOST_DEVICE constexpr int staging_bytes_per_warp(int element_bytes) {
    return 32 * ((element_bytes + 15) / 16 * 16);
}

// Whether a formula is held (held_operands.h) for these targets: results leave through the same
// shared memory.
template <class Tree, class... T>
inline constexpr bool is_held =
    Held<Tree>::operands != 0 &&
    ((staging_bytes_per_warp(static_cast<int>(sizeof(T))) <= default_shared_bytes) && ...);

// The row that a kernel's launch bounds come from: the library's own, for the architecture it is
// compiled for and large batches.
template <class Tree, class... T>
WARPINT_HOST_DEVICE constexpr TuningRow compiled_row(int compute_capability) {
    constexpr Work work = work_of<Tree, T...>();
    return tuning::row_for(work, ~std::size_t{0}, compute_capability);
}

// The blocks that a multiprocessor shall hold: the row's, and of products modulo m that are held as
// many as their registers allow.
template <class Tree, class... T>
WARPINT_HOST_DEVICE constexpr int compiled_min_blocks(int compute_capability) {
    constexpr int blocks = is_held<Tree, T...> && Held<Tree>::folded_limbs > 0
                               ? tuning::folded_blocks(Held<Tree>::folded_limbs, Held<Tree>::operands)
                               : 0;
    return blocks > 0 ? blocks : compiled_row<Tree, T...>(compute_capability).min_blocks;
}

namespace detail {

template <class T, class Value>
__device__ __forceinline__ void store_result(const Place<T> &place, const Value &value, bool fault,
                                             const WarpContext &context) {
    context.store(place.data, stored<T>(value), fault);
}

template <class T, class Value>
__device__ __forceinline__ void store_result(const Place<expression::InLimbRows<T>> &place,
                                             const Value &value, bool fault,
                                             const WarpContext &context) {
    if (context.exists())
        place.data.store(context.index, fault ? T{} : stored<T>(value));
}

template <class... T, class Value, std::size_t... i>
__device__ __forceinline__ void store_results(std::index_sequence<i...>,
                                              const Target<T...> &target, const Value &value,
                                              bool fault, const WarpContext &context) {
    (store_result(place<i>(target), result<i, sizeof...(T)>(value), fault, context), ...);
    if (((place<i>(target).faults != nullptr) || ...)) {
        const unsigned mask = __ballot_sync(0xffffffffu, fault && context.exists());
        if (context.lane == 0) {
            ((place<i>(target).faults != nullptr
                  ? void(place<i>(target).faults[context.index / 32] = mask)
                  : void()),
             ...);
        }
    }
}

} // namespace detail

// Results of the formula for elements [0, count), one thread each. staging_vectors: shared memory of
// a warp in vectors of 16 bytes; 0: each thread reads by itself.
template <class Tree, class... T>
__global__ void __launch_bounds__(
    (compiled_row<Tree, T...>(WARPINT_COMPILED_CAPABILITY).threads_per_block),
    (compiled_min_blocks<Tree, T...>(WARPINT_COMPILED_CAPABILITY)))
    thread_per_number_kernel(const __grid_constant__ Target<T...> target, std::size_t count,
                             unsigned staging_vectors, const __grid_constant__ Tree tree) {
    extern __shared__ uint4 shared[];
    const std::size_t index = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warp_first = index - lane;
    if (warp_first >= count)
        return;
    const std::size_t remaining = count - warp_first;
    const WarpContext context{
        staging_vectors != 0 ? shared + threadIdx.x / 32 * staging_vectors : nullptr, warp_first,
        index, remaining < 32 ? static_cast<unsigned>(remaining) : 32u, lane};
    bool fault = false;
    if constexpr (is_held<Tree, T...>) {
        const auto value = evaluate_held(tree, context, fault);
        detail::store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    } else {
        const auto &value = evaluate(tree, context, fault);
        detail::store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    }
}

// ---- several lanes per number

// The row of a formula over lanes, for its type and a batch of this size; of the thread family if
// lanes do not pay or an operation has no form over lanes.
template <class Tree, std::size_t count = tuning::any_count>
inline constexpr TuningRow lanes_row = [] {
    constexpr detail::LaneShape shape = lane_shape<Tree>;
    constexpr expression::Properties properties = expression::properties<Tree>;
    return shape.supported
               ? tuning::lanes_row_for(properties.work, shape.bits, properties.power_bits, count)
               : TuningRow{};
}();
template <class Tree>
inline constexpr bool is_over_lanes =
    lanes_row<Tree>.family == KernelFamily::lanes_per_number;
// Whether small batches have a kernel of their own, with more lanes for each number.
template <class Tree>
inline constexpr bool has_small_kernel =
    is_over_lanes<Tree> &&lanes_row<Tree, 0>.family == KernelFamily::lanes_per_number &&
    lanes_row<Tree, 0>.lanes != lanes_row<Tree>.lanes;

namespace detail {

// Sets the fault bits of a warp's elements, which are part of a word: bit l L of `bits` for element
// l.
template <int L>
__device__ __forceinline__ void store_faults(std::uint32_t *faults, std::size_t index,
                                             unsigned ballot, unsigned lane, bool exists) {
    if (!exists || lane % L != 0)
        return;
    const unsigned bit = 1u << (index % 32);
    if ((ballot >> lane & 1u) != 0) {
        atomicOr(faults + index / 32, bit);
    } else {
        atomicAnd(faults + index / 32, ~bit);
    }
}

template <class T, class Value>
__device__ __forceinline__ void store_over_lanes(const Place<T> &place, const Value &value,
                                                 bool fault, std::size_t index, bool exists,
                                                 bool first) {
    if constexpr (WarpNumber<Value> && BigNumber<T>) {
        using R = lane_number_t<Value::lanes, T>;
        const R stored = warp_int::select(fault, R(0), warp_int::to<R>(value));
        if (exists)
            stored.store(place.data + index);
    } else {
        T plain{};
        if constexpr (WarpNumber<Value>) {
            plain = static_cast<T>(value);
        } else {
            plain = stored<T>(value);
        }
        if (exists && first)
            place.data[index] = fault ? T{} : plain;
    }
}

template <int L, class... T, class Value, std::size_t... i>
__device__ __forceinline__ void
store_results_over_lanes(std::index_sequence<i...>, const Target<T...> &target, const Value &value,
                         bool fault, std::size_t index, bool exists) {
    const unsigned lane = threadIdx.x % 32;
    (store_over_lanes(place<i>(target), result<i, sizeof...(T)>(value), fault, index, exists,
                      lane % L == 0),
     ...);
    const unsigned ballot = __ballot_sync(0xffffffffu, fault);
    ((place<i>(target).faults != nullptr
          ? store_faults<L>(place<i>(target).faults, index, ballot, lane, exists)
          : void()),
     ...);
}

} // namespace detail

// Results of the formula for elements [0, count), the lanes of lanes_row<Tree, batch> each. Warps
// leave as a whole.
template <std::size_t batch, class Tree, class... T>
__global__ void __launch_bounds__((lanes_row<Tree, batch>.threads_per_block),
                                  (lanes_row<Tree, batch>.min_blocks))
    lanes_per_number_kernel(const __grid_constant__ Target<T...> target, std::size_t count,
                            const __grid_constant__ Tree tree) {
    constexpr int L = lanes_row<Tree, batch>.lanes;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread / 32 * (32 / L) >= count)
        return;
    const std::size_t index = thread / L;
    const bool exists = index < count;
    const LanesContext<L> context{exists ? index : count - 1};
    bool fault = false;
    const auto value = evaluate(tree, context, fault);
    detail::store_results_over_lanes<L>(std::index_sequence_for<T...>{}, target, value, fault,
                                        context.index, exists);
}

// The window of powers over lanes whose exponents differ, in bits; 0 without one.
template <std::size_t batch, class Tree>
inline constexpr int lanes_window = 0;
template <std::size_t batch, class Operation, class... Operands>
inline constexpr int lanes_window<batch, expression::Node<Operation, Operands...>> = [] {
    int window = 0;
    ((window = expression::larger(window, lanes_window<batch, Operands>)), ...);
    return window;
}();
template <std::size_t batch, class A, class E, class M>
requires AnyNumber<typename E::value_type>
inline constexpr int lanes_window<batch, expression::Node<operation::Power, A, E, M>> = [] {
    using Whole = expression::Node<operation::Power, A, E, M>;
    constexpr int count = lanes_row<Whole, batch>.lanes;
    return lanes::power_window<
        warp_int::word_count<expression::value_bits<typename M::value_type>, count>,
        expression::value_bits<typename E::value_type>>;
}();

// The kernel that a formula was compiled for.
template <class Tree, class... T>
auto formula_kernel() {
    if constexpr (is_over_lanes<Tree>) {
        return lanes_per_number_kernel<tuning::any_count, Tree, T...>;
    } else {
        return thread_per_number_kernel<Tree, T...>;
    }
}

// A kernel, and if it is one over lanes its row and the window of its powers whose exponents differ.
struct LanesKernel {
    const void *kernel = nullptr;
    const TuningRow *row = nullptr; // null: a thread per number
    int window = 0;
};

// What a formula's type says of its kernels, as data.
struct KernelTraits {
    LanesKernel large;           // for large batches, or all
    LanesKernel small;           // for small ones; row null: none
    int held_bytes_per_warp = 0; // of held operands; 0: not held
    int widest_staged = 0;       // bytes of the widest staged element, read or written; 0: none
};

template <class Tree, class... T>
KernelTraits kernel_traits() {
    KernelTraits traits;
    traits.large.kernel = reinterpret_cast<const void *>(formula_kernel<Tree, T...>());
    if constexpr (is_over_lanes<Tree>) {
        traits.large.row = &lanes_row<Tree>;
        traits.large.window = lanes_window<tuning::any_count, Tree>;
        if constexpr (has_small_kernel<Tree>) {
            traits.small = {
                reinterpret_cast<const void *>(lanes_per_number_kernel<0, Tree, T...>),
                &lanes_row<Tree, 0>, lanes_window<0, Tree>};
        }
    } else if constexpr (is_held<Tree, T...>) {
        constexpr int bytes = std::max(
            {Held<Tree>::bytes_per_warp, staging_bytes_per_warp(static_cast<int>(sizeof(T)))...});
        traits.held_bytes_per_warp = bytes;
    } else {
        constexpr int widest =
            std::max({staged_bytes<Tree>, (is_staged<T> ? static_cast<int>(sizeof(T)) : 0)...});
        traits.widest_staged = widest;
    }
    return traits;
}

// What the driver knows of a kernel on a device.
struct KernelFacts {
    int compute_capability; // of the device
    int compiled_capability;
    int registers;
    int local_bytes;
    int most_threads;
};

// The device is current. The driver is asked once.
inline KernelFacts kernel_facts(const void *kernel, int device) {
    static std::mutex mutex;
    static std::map<std::pair<const void *, int>, KernelFacts> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find({kernel, device});
    if (found != known.end())
        return found->second;
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, kernel), "warpint: no kernel for this GPU");
    int major = 0;
    int minor = 0;
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
               "warpint: cudaDeviceGetAttribute");
    check_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
               "warpint: cudaDeviceGetAttribute");
    // The code that was loaded may have been compiled for an older architecture than the device's.
    const KernelFacts facts{10 * major + minor, attributes.ptxVersion, attributes.numRegs,
                            static_cast<int>(attributes.localSizeBytes),
                            attributes.maxThreadsPerBlock};
    known.emplace(std::pair{kernel, device}, facts);
    return facts;
}

// Whether a batch of `count` elements takes the kernel for small ones. by_program: a row that the
// program added, or null.
inline bool is_small(const KernelTraits &traits, const TuningRow *by_program, std::size_t count) {
    if (traits.small.row == nullptr)
        return false;
    return by_program != nullptr ? by_program->lanes == traits.small.row->lanes
                                 : count < traits.large.row->min_count;
}

// The plan for a batch on a GPU, and what is known of its kernel. aligned: whether all operands and
// results lie on multiples of 16 bytes.
inline std::pair<Plan, KernelFacts> plan_on_gpu(const KernelTraits &traits, int device,
                                                const Work &work, std::size_t count, bool aligned) {
    KernelFacts facts = kernel_facts(traits.large.kernel, device);
    TuningRow row;
    const bool by_program = UserRows::instance().find(row, work, count, facts.compute_capability);
    Plan plan;
    if (traits.large.row != nullptr) {
        const LanesKernel &chosen =
            is_small(traits, by_program ? &row : nullptr, count) ? traits.small : traits.large;
        facts = kernel_facts(chosen.kernel, device);
        if (!by_program)
            row = *chosen.row;
        plan.family = KernelFamily::lanes_per_number;
        plan.lanes = chosen.row->lanes;
        plan.threads_per_block = std::min(row.threads_per_block, facts.most_threads / 32 * 32);
        plan.most_window = row.window;
        plan.window = chosen.window;
        plan.reason = row.measured;
        return {plan, facts};
    }
    if (!by_program)
        row = tuning::row_for(work, count, facts.compiled_capability);
    plan.threads_per_block = std::min(row.threads_per_block, facts.most_threads / 32 * 32);
    plan.most_window = row.window;
    plan.reason = row.measured;
    plan.family = KernelFamily::thread_per_number;
    plan.lanes = 1;
    if (traits.held_bytes_per_warp > 0) {
        while (plan.threads_per_block > 32 &&
               plan.threads_per_block / 32 * traits.held_bytes_per_warp > default_shared_bytes)
            plan.threads_per_block = plan.threads_per_block / 64 * 32;
        plan.loading = Loading::through_shared;
        plan.shared_bytes = plan.threads_per_block / 32 * traits.held_bytes_per_warp;
        return {plan, facts};
    }
    const int staged = plan.threads_per_block / 32 * staging_bytes_per_warp(traits.widest_staged);
    if (row.loading == Loading::through_shared && aligned && traits.widest_staged > 0 &&
        staged <= default_shared_bytes) {
        plan.loading = Loading::through_shared;
        plan.shared_bytes = staged;
    }
    return {plan, facts};
}

// Launches the formula on the stream of the current device. Does not synchronise.
template <class Tree, class... T>
void run_on_gpu(const Target<T...> &target, std::size_t count, const Tree &tree, const Plan &plan,
                cudaStream_t stream) {
    const std::size_t threads = static_cast<std::size_t>(plan.threads_per_block);
    if constexpr (is_over_lanes<Tree>) {
        const std::size_t numbers = threads / static_cast<std::size_t>(plan.lanes);
        const unsigned blocks = static_cast<unsigned>((count + numbers - 1) / numbers);
        auto kernel = lanes_per_number_kernel<tuning::any_count, Tree, T...>;
        if constexpr (has_small_kernel<Tree>) {
            if (plan.lanes == lanes_row<Tree, 0>.lanes)
                kernel = lanes_per_number_kernel<0, Tree, T...>;
        }
        kernel<<<blocks, static_cast<unsigned>(threads), 0, stream>>>(target, count, tree);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    } else {
        const std::size_t blocks = (count + threads - 1) / threads;
        thread_per_number_kernel<Tree, T...>
            <<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
               static_cast<std::size_t>(plan.shared_bytes), stream>>>(
                target, count,
                static_cast<unsigned>(plan.shared_bytes / (plan.threads_per_block / 32) / 16), tree);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    }
}

} // namespace warpint::execution

#endif
