// SPDX-License-Identifier: Apache-2.0
// The kernel of products of long numbers: a block for each, by a Fourier transform
// (arith/transform). One kernel for each size of transform, whatever the numbers' widths.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../arith/transform/product.h"
#include "../evaluation/evaluate.h"

namespace warpint::execution {

// Numbers one after another in memory.
struct LongFactors {
    const std::uint32_t *limbs;
    const std::uint32_t *faults; // null: every element has a value
    int count;                   // limbs of a number
    bool is_signed;

    // The same numbers, not only the same memory.
    [[nodiscard]] bool is(const LongFactors &other) const {
        return limbs == other.limbs && faults == other.faults && count == other.count &&
               is_signed == other.is_signed;
    }
};
struct LongProducts {
    std::size_t elements;
    LongFactors a;
    LongFactors b; // limbs null: of squares
    std::uint32_t *limbs;
    std::uint32_t *faults; // null: is not wanted
    int skipped;           // limbs of a product that are not stored,
    int count;             // and behind them those that are
    int unused_bits;       // of the last of them
    bool is_signed;
    const transform::Complex *roots;
    transform::Complex *kept; // for each block, of sizes that do not keep them in shared memory
};

// The threads of a block (arith/transform/product.h).
struct BlockOfThreads {
    unsigned char *shared;
    transform::Complex *kept;
    transform::ThreadOfProduct &own;

    template <class Function>
    __device__ __forceinline__ void each_alone(const Function &f) {
        f(static_cast<int>(threadIdx.x), own);
    }
    template <class Function>
    __device__ __forceinline__ void each(const Function &f) {
        f(static_cast<int>(threadIdx.x), own);
        __syncthreads();
    }
    __device__ __forceinline__ static void store_four(std::uint32_t *to,
                                                      const std::uint32_t *from) {
        if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
            *reinterpret_cast<uint4 *>(to) = make_uint4(from[0], from[1], from[2], from[3]);
        } else {
            WARPINT_UNROLL(4, 4)
            for (int i = 0; i < 4; ++i)
                to[i] = from[i];
        }
    }
};

// Element i, by all threads of a block.
template <int log_size>
__device__ __forceinline__ void multiply_long(const LongProducts &products, std::size_t i) {
    extern __shared__ uint4 shared[];
    const bool is_square = products.b.limbs == nullptr;
    const bool fault = (products.a.faults != nullptr && fault_bit(products.a.faults, i)) ||
                       (products.b.faults != nullptr && fault_bit(products.b.faults, i));
    const auto count = static_cast<std::size_t>(products.count);
    const transform::Factor a{products.a.limbs + i * static_cast<std::size_t>(products.a.count),
                              products.a.count, products.a.is_signed};
    const transform::Factor b{
        is_square ? a.limbs : products.b.limbs + i * static_cast<std::size_t>(products.b.count),
        products.b.count, products.b.is_signed};
    transform::ThreadOfProduct own;
    BlockOfThreads block{reinterpret_cast<unsigned char *>(shared),
                         products.kept + std::size_t{blockIdx.x} * transform::Shape<log_size>::size,
                         own};
    transform::multiply<log_size>(block, a, is_square ? nullptr : &b,
                                  {products.limbs + i * count, products.skipped, products.count,
                                   products.unused_bits, products.is_signed, !fault},
                                  products.roots);
    if (products.faults != nullptr && threadIdx.x == 0) {
        const std::uint32_t bit = 1u << (i % 32);
        if (fault) {
            atomicOr(products.faults + i / 32, bit);
        } else {
            atomicAnd(products.faults + i / 32, ~bit);
        }
    }
}

// A block for each element; of sizes with memory beside a block's, as many as there is room for.
template <int log_size>
__global__ void __launch_bounds__(transform::Shape<log_size>::threads,
                                  512 / transform::Shape<log_size>::threads)
    long_products_kernel(const __grid_constant__ LongProducts products) {
    if constexpr (transform::Shape<log_size>::keeps_in_shared) {
        if (blockIdx.x < products.elements)
            multiply_long<log_size>(products, blockIdx.x);
    } else {
        for (std::size_t i = blockIdx.x; i < products.elements; i += gridDim.x)
            multiply_long<log_size>(products, i);
    }
}

} // namespace warpint::execution

#endif
