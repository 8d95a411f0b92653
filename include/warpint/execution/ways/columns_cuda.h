// SPDX-License-Identifier: Apache-2.0
// The sum of a vector on a GPU, limb by limb: limb k of all numbers is a column, the columns are
// summed by themselves in 64 bits, and their carries are resolved once, in the end, on the host. A
// thread reads 16 bytes that lie side by side with its neighbours', whatever the width, and always
// meets the same four columns.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/column_sum.h"
#include "reduction_cuda.h"

namespace warpint::execution {

// Whether a reduction can be done so: the sum of a vector of numbers.
template <class Reducer, class Tree>
inline constexpr bool sums_columns = false;
template <BigNumber T>
inline constexpr bool sums_columns<SumReducer<T>, BatchPointer<T>> =
    T::limb_count <= ReductionState::max_columns;

// Columns hold sums of this many limbs.
inline constexpr std::size_t max_summed_by_columns = std::size_t{1} << 32;

// The number whose columns these are, modulo its width: at least 64 bits more than limbs of 32.
template <class Number>
Number number_of_columns(const unsigned long long *columns, int limbs) {
    Number r{};
    std::uint64_t carry = 0;
    for (int k = 0; k < Number::limb_count; ++k) {
        const std::uint64_t column = k < limbs ? columns[k] : 0;
        const std::uint64_t low = (column & 0xffffffffu) + (carry & 0xffffffffu);
        r.limbs[k] = static_cast<std::uint32_t>(low);
        const bool is_signed = Number::is_signed && k >= limbs - 1;
        const auto above = [is_signed](std::uint64_t x) {
            return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 32)
                             : x >> 32;
        };
        carry = above(column) + above(carry) + (low >> 32);
    }
    number::normalise<Number::bits, Number::is_signed>(r.limbs);
    return r;
}

// Vectors of 16 bytes after which columns repeat.
template <class T>
inline constexpr unsigned column_period = [] {
    constexpr unsigned limbs = T::limb_count;
    return limbs % 4 == 0 ? limbs / 4 : limbs % 2 == 0 ? limbs / 2 : limbs;
}();

// The plan of such a sum of `count` numbers instead of a reduction's.
template <class T>
void plan_column_sum(Plan &plan, std::size_t count, int device) {
    const KernelFacts facts =
        plan_own_kernel(plan, reinterpret_cast<const void *>(sum_columns_kernel<T::is_signed>),
                        column_threads, device);
    plan.reason = "a sum of numbers in memory: threads add the limbs of a column";
    const std::size_t words = count * T::limb_count;
    const auto most = static_cast<std::size_t>(
        facts.multiprocessors * tuning::Known::column_sums(facts.gpu.compiled_for).blocks);
    const std::size_t needed = (words / 4 + column_threads - 1) / column_threads;
    const std::size_t least = (column_period<T> + column_threads - 1) / column_threads;
    plan.blocks = std::max(least, std::min(most, needed));
}

// The sum of `count` numbers without faults at a multiple of 16 bytes, by a plan of
// plan_column_sum(), on a stream of the current device. On input: 0 < count <=
// max_summed_by_columns.
template <class T>
ReductionOnGpu<typename SumReducer<T>::Accumulator>
start_column_sum(const T *numbers, std::size_t count, const Plan &plan, int device,
                 cudaStream_t stream) {
    constexpr unsigned limbs = T::limb_count;
    constexpr unsigned period = column_period<T>;
    const auto stride = static_cast<unsigned>(plan.blocks * column_threads / period * period);
    auto room = std::make_unique<ReductionRoom>(device, 1, limbs * sizeof(unsigned long long));
    launch(plan, stream, reinterpret_cast<const uint4 *>(numbers), count * limbs, limbs, stride,
           room->state(), static_cast<unsigned long long *>(room->result()));
    return {std::move(room), device, stream, [](const void *columns, ReductionFaults &) {
                return number_of_columns<typename SumReducer<T>::Accumulator>(
                    static_cast<const unsigned long long *>(columns), T::limb_count);
            }};
}

} // namespace warpint::execution

#endif
