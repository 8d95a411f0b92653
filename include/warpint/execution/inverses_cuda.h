// SPDX-License-Identifier: Apache-2.0
// Inverses modulo a shared modulus on a GPU: each thread computes a row of elements together, that
// lie as far apart as the block has threads, so that the block reads and writes whole lines.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "inverses.h"
#include "kernel_facts.h"
#include "memory.h"
#include "run_cuda.h"

namespace warpint::execution {

// A thread's elements for algorithm::inverse_row. Those beyond the end have no value.
template <class Tree, class Element>
struct GpuRow {
    using T = Element;
    const Tree &tree;
    T *target;
    T *products; // room for count elements
    std::size_t count;
    std::size_t begin;
    std::uint32_t missing = 0; // bits of elements without an inverse

    WARPINT_HOST_DEVICE constexpr std::size_t index(int i) const {
        return begin + static_cast<std::size_t>(i) * tuning::inverse_threads;
    }
    WARPINT_HOST_DEVICE constexpr T load(int i, bool &fault) const {
        fault = index(i) >= count;
        return fault ? T{} : SharedInverse<Tree>::element(tree, DirectContext{index(i)}, fault);
    }
    WARPINT_HOST_DEVICE constexpr T prefix(int i) const {
        return index(i) < count ? products[index(i)] : T{};
    }
    WARPINT_HOST_DEVICE constexpr void set_prefix(int i, const T &x) {
        if (index(i) < count)
            products[index(i)] = x;
    }
    WARPINT_HOST_DEVICE constexpr void store(int i, const T &x, bool exists) {
        if (index(i) < count)
            target[index(i)] = x;
        missing |= static_cast<std::uint32_t>(!exists) << i;
    }
};

// products: room for count elements, the target's own memory if no operand lies there.
template <class Tree, class T>
__global__ void
__launch_bounds__(tuning::inverse_threads,
                  (tuning::Known::inverse_blocks(WARPINT_COMPILED_CAPABILITY, T::bits)))
    inverses_kernel(T *target, std::uint32_t *faults, T *products, std::size_t count,
                    const __grid_constant__ algorithm::HostSmallDivisors small_divisors,
                    const __grid_constant__ Tree tree) {
    const auto ring = SharedInverse<Tree>::ring(tree);
    number::KnownDivisors<decltype(ring)> divisors{ring, small_divisors};
    GpuRow<Tree, T> row{tree, target, products, count,
                        std::size_t{blockIdx.x} * (tuning::inverse_threads * tuning::inverse_row) +
                            threadIdx.x};
    algorithm::inverse_row(row, tuning::inverse_row, ring, divisors);
    if (faults == nullptr)
        return;
    WARPINT_UNROLL(1, 0)
    for (int i = 0; i < tuning::inverse_row; ++i) {
        const unsigned mask = __ballot_sync(0xffffffffu, (row.missing >> i & 1u) != 0);
        if (threadIdx.x % 32 == 0 && row.index(i) < count)
            faults[row.index(i) / 32] = mask;
    }
}

// The plan of a formula that takes this kernel.
template <class Tree, class T>
void plan_inverses(Plan &plan, std::size_t count, int device) {
    constexpr std::size_t block = std::size_t{tuning::inverse_threads} * tuning::inverse_row;
    plan.kernel = reinterpret_cast<const void *>(inverses_kernel<Tree, T>);
    const KernelFacts facts = kernel_facts(plan.kernel, device);
    plan.family = KernelFamily::thread_per_number;
    plan.lanes = 1;
    plan.threads_per_block = tuning::inverse_threads;
    plan.blocks = (count + block - 1) / block;
    plan.loading = Loading::direct;
    plan.shared_bytes = 0;
    plan.registers = facts.registers;
    plan.local_bytes = facts.local_bytes;
}

// As run_on_gpu(). separate: an operand lies where the target does.
template <class Tree, class T>
void run_inverses_on_gpu(const Target<T> &target, std::size_t count, const Tree &tree,
                         const Plan &plan, bool separate, memory_resource &memory,
                         cudaStream_t stream) {
    T *data = place<0>(target).data;
    std::uint32_t *faults = place<0>(target).faults;
    T *products = separate ? static_cast<T *>(memory.allocate(count * sizeof(T), stream)) : data;
    auto divisors = number::small_divisors(SharedInverse<Tree>::ring(tree));
    void *arguments[] = {&data, &faults, &products, &count, &divisors, const_cast<Tree *>(&tree)};
    const cudaError_t error = launch(plan, arguments, stream);
    if (separate)
        memory.deallocate(products, count * sizeof(T), stream);
    check_cuda(error, "warpint: kernel launch failed");
}

} // namespace warpint::execution

#endif
