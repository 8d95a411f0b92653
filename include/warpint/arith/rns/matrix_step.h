// SPDX-License-Identifier: Apache-2.0
// The matrix step of a change of base: tiles of 16 numbers times a constant matrix, by the tensor
// cores. A step says
//
//   terms          bytes of a number that one multiplication takes
//   exact_terms    bytes of a number that can be summed before an accumulator is no longer exact
//   warps          that compute together, a tile each
//   order          of the digits in a matrix (matrix_order.h)
//   place, moved   how it names a place in shared memory, and one some bytes further
//   multiply       sums = or += bytes times digits, for `terms` bytes of each number
//   begin, finish  around the multiplications of which the sums are made; finished sums are int
//
// and the algorithm (tile.h) reads the sums as int: of slot g the digits 0, 1 of a thread's upper
// number, then of the lower, then digits 2, 3 likewise, from 8 g on. Exists only while the compiler
// translates for a GPU.
#pragma once

#include "channel.h"
#include "tables.h"

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80

namespace warpint::rns {

// Signed 8-bit digits, unsigned bytes of the numbers, 32-bit sums (limb/tensor.h): compute
// capability 8.0 and later has it without an architecture flag.
struct WarpDigits8 {
    static constexpr int terms = 32;
    static constexpr int exact_terms = 1 << 16; // 2^16 255 128 < 2^31
    static constexpr int warps = 1;
    static constexpr MatrixOrder order = MatrixOrder::of_warps;

    __device__ __forceinline__ static Word place(Word address) {
        return address + threadIdx.x % 32 * 16;
    }
    __device__ __forceinline__ static Word moved(Word place, int bytes) {
        return place + static_cast<Word>(bytes);
    }
    __device__ __forceinline__ static void begin() {}
    // matrix: the place of the step's digits for the first slot; those for the next are slot_bytes
    // further. One read of a fragment feeds two instructions a tile.
    template <bool first, int slot_bytes, int tiles, int count>
    __device__ __forceinline__ static void multiply(int (&sums)[tiles][count],
                                                    const Word (&numbers)[tiles][4], Word matrix) {
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < count / 8; ++g) {
            Word digits[4];
            limb::tensor::load_shared(digits, moved(matrix, g * slot_bytes));
            WARPINT_UNROLL_ALWAYS
            for (int pair = 0; pair < 2; ++pair) {
                WARPINT_UNROLL_ALWAYS
                for (int t = 0; t < tiles; ++t) {
                    const Word(&a)[4] = numbers[t];
                    limb::tensor::multiply_bytes<first>(
                        reinterpret_cast<int (&)[4]>(sums[t][8 * g + 4 * pair]), a[0], a[1], a[2],
                        a[3], digits[2 * pair], digits[2 * pair + 1]);
                }
            }
        }
    }
    template <int tiles, int count>
    __device__ __forceinline__ static void finish(int (&)[tiles][count]) {}
};

// The same with bytes and digits in half precision and sums in single precision, for GPUs without
// integer matrix instructions: twice as many instructions, and the bytes become halves on their
// way.
struct WarpDigits16 : WarpDigits8 {
    static constexpr int exact_terms = 1 << 9; // 2^9 255 128 < 2^24

    template <bool first, int slot_bytes, int tiles, int count>
    __device__ __forceinline__ static void multiply(int (&sums)[tiles][count],
                                                    const Word (&numbers)[tiles][4], Word matrix) {
        using limb::tensor::halves_of_bytes;
        Word a[tiles][4][2];
        WARPINT_UNROLL_ALWAYS
        for (int t = 0; t < tiles; ++t) {
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < 4; ++i) {
                a[t][i][0] = halves_of_bytes<0, 0>(numbers[t][i]);
                a[t][i][1] = halves_of_bytes<1, 0>(numbers[t][i]);
            }
        }
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < count / 8; ++g) {
            Word digits[4];
            limb::tensor::load_shared(digits, moved(matrix, g * slot_bytes));
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < 4; ++i) { // of a pair the first 16 rows, then the others
                const Word biased = digits[i] ^ 0x80808080;
                const Word b0 = halves_of_bytes<0, 128>(biased);
                const Word b1 = halves_of_bytes<1, 128>(biased);
                WARPINT_UNROLL_ALWAYS
                for (int t = 0; t < tiles; ++t) {
                    const Word(&upper)[2] = a[t][2 * (i % 2)];
                    const Word(&lower)[2] = a[t][2 * (i % 2) + 1];
                    int *const sum = sums[t] + 8 * g + 4 * (i / 2);
                    float s[4];
                    WARPINT_UNROLL_ALWAYS
                    for (int j = 0; j < 4; ++j)
                        s[j] = first && i % 2 == 0 ? 0.0F : __int_as_float(sum[j]);
                    limb::tensor::multiply_halves(s, upper[0], lower[0], upper[1], lower[1], b0,
                                                  b1);
                    WARPINT_UNROLL_ALWAYS
                    for (int j = 0; j < 4; ++j)
                        sum[j] = __float_as_int(s[j]);
                }
            }
        }
    }
    template <int tiles, int count>
    __device__ __forceinline__ static void finish(int (&sums)[tiles][count]) {
        WARPINT_UNROLL_ALWAYS
        for (int t = 0; t < tiles; ++t) {
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < count; ++i)
                sums[t][i] = __float2int_rn(__int_as_float(sums[t][i]));
        }
    }
};

#if WARPINT_HAS_GROUP_PRODUCTS
// The same by four warps: Hopper alone, where code is compiled for 9.0a.
struct GroupDigits8 {
    static constexpr int terms = 32;
    static constexpr int exact_terms = 1 << 16;
    static constexpr int warps = 4;
    static constexpr MatrixOrder order = MatrixOrder::of_groups;

    __device__ __forceinline__ static Word place(Word address) {
        return limb::tensor::group_matrix(address);
    }
    __device__ __forceinline__ static Word moved(Word place, int bytes) {
        return place + static_cast<Word>(bytes / 16);
    }
    __device__ __forceinline__ static void begin() { limb::tensor::begin_group_products(); }
    template <bool first, int slot_bytes, int tiles, int count>
    __device__ __forceinline__ static void multiply(int (&sums)[tiles][count],
                                                    const Word (&numbers)[tiles][4], Word matrix) {
        static_assert(slot_bytes == 512);
        WARPINT_UNROLL_ALWAYS
        for (int t = 0; t < tiles; ++t)
            limb::tensor::begin_group_product<first>(sums[t], numbers[t][0], numbers[t][1],
                                                     numbers[t][2], numbers[t][3], matrix);
    }
    template <int tiles, int count>
    __device__ __forceinline__ static void finish(int (&sums)[tiles][count]) {
        limb::tensor::finish_group_products();
        WARPINT_UNROLL_ALWAYS
        for (int t = 0; t < tiles; ++t)
            limb::tensor::finished(sums[t]);
    }
};
#endif

// The step of the GPU that the code is for. Blackwell's B300 and what follows it leave integer
// matrix instructions out.
WARPINT_HOST_DEVICE constexpr bool has_integer_matrices(int capability) {
    return capability <= 100 || (120 <= capability && capability < 130);
}
#if WARPINT_HAS_GROUP_PRODUCTS
using FastestDigits = GroupDigits8;
#else
using FastestDigits = std::conditional_t<has_integer_matrices(WARPINT_COMPILED_CAPABILITY),
                                         WarpDigits8, WarpDigits16>;
#endif

} // namespace warpint::rns

#endif
