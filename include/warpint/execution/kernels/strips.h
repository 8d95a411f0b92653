// SPDX-License-Identifier: Apache-2.0
// The kernel of inverses modulo what all elements share: each thread inverts a row of elements at
// once. They lie as far apart as the block has threads, so that the block reads and writes whole
// lines.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/cut.h"
#include "../evaluation/strips_of_warp.h"
#include "../plan/tuning/choose.h"

namespace warpint::execution {

static_assert(tuning::inverse_strip == 32); // strips_of_warp.h

// Of a formula that is one inverse (cut.h), with its targets.
template <class Formula>
struct RowKernel;
template <class Rest, class Cut>
struct RowKernel<CutFormula<Rest, Cut>> {
    using Formula = CutFormula<Rest, Cut>;
    using Divisors = Tuple<arith::HostSmallDivisors>;
    // Blocks per SM that the registers leave room for.
    static constexpr int min_blocks = tuning::Known::inverse_blocks(
        WARPINT_COMPILED_CAPABILITY, value_bits<typename Cut::Element>);
};

// The warp of a thread, as StripsOfWarp takes it.
struct WarpOfThread {
    __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x % 32); }
    __device__ __forceinline__ std::uint32_t ballot(bool condition) const {
        return __ballot_sync(0xffffffffu, condition);
    }
    __device__ __forceinline__ std::uint32_t of_lane(std::uint32_t word, int source) const {
        return __shfl_sync(0xffffffffu, word, source);
    }
    __device__ __forceinline__ void synchronize() const { __syncwarp(); }
};

template <class Formula, class... T>
__global__ void __launch_bounds__(tuning::strip_threads, RowKernel<Formula>::min_blocks)
    strip_per_thread_kernel(const __grid_constant__ Target<T...> target,
                            const __grid_constant__ typename Formula::Scratch scratch,
                            std::size_t count,
                            const __grid_constant__ typename RowKernel<Formula>::Divisors divisors,
                            const __grid_constant__ Formula formula) {
    CutStrip<Formula, tuning::inverse_strip, StoreInto<T...>> row{
        formula,
        {target},
        scratch,
        std::size_t{blockIdx.x} * (tuning::strip_threads * tuning::inverse_strip) + threadIdx.x,
        tuning::strip_threads,
        count,
        0};
    using Row = decltype(row);
    const auto ring = item<0>(formula.cut).ring(formula.rest);
    const number::KnownDivisors<std::remove_const_t<decltype(ring)>> known{ring, item<0>(divisors)};
    StripOfInverses<0, Row> inverses{row};
    const StripsOfWarp<0, Row, WarpOfThread> neighbours{};
    constexpr int limbs = decltype(inverses)::T::limb_count;
    if constexpr (limbs > tuning::called_inverse_limbs && limbs <= arith::register_limbs) {
        arith::inverse_strip_inlined(inverses, tuning::inverse_strip, ring, known, neighbours);
    } else {
        arith::inverse_strip(inverses, tuning::inverse_strip, ring, known, neighbours);
    }
    const std::uint32_t missing = row.missing[0][0];
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        if (((place<p>(target).faults == nullptr) && ...))
            return;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < tuning::inverse_strip; ++i) {
            const unsigned mask = __ballot_sync(0xffffffffu, (missing >> i & 1u) != 0);
            if (threadIdx.x % 32 == 0 && row.index(i) < count)
                set_fault_word(target, row.index(i) / 32, mask);
        }
    }(std::index_sequence_for<T...>{});
}

} // namespace warpint::execution

#endif
