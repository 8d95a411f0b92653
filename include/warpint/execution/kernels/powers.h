// SPDX-License-Identifier: Apache-2.0
// Kernels of modular powers in a residue number system (arith/rns): blocks of 256 numbers, above
// 2080 bits 128, whose Montgomery products run on tensor cores; or, of small batches, a block for
// each number. Base, exponent and modulus may each be one for all elements or one for each. Four
// launches for each round of as many blocks as a GPU holds, or for a small batch:
//
//   prepare_powers_kernel    a thread a number: which moduli are even or short, and P_A^2 mod N
//   enter_residues_kernel    a thread a channel of a number: residues and factors, and which
//                            moduli share a prime with the bases
//   powers_kernel<slots>     a block's numbers: the powers, by fixed windows; of small batches
//                            spread_powers_kernel (spread_powers.h), a block's number
//   leave_residues_kernel    a thread a number: results in [0, N), and faults
//
// The system cannot compute modulo numbers that are even, below 3, or share a prime with its bases.
// Those elements are marked, left alone, and computed by the formula's own kernel afterwards.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../arith/rns/convert.h"
#include "../../arith/rns/tables.h"
#include "../../arith/rns/tile.h"
#include "../../limb/warp.h"
#include "../evaluation/evaluate.h"

namespace warpint::execution {

// An operand in memory or one for all elements.
template <int Bits>
struct PowerOperand {
    static constexpr int limb_count = BigInt<Bits>::limb_count;
    const std::uint32_t *limbs = nullptr;  // of element 0; null: `same`
    const std::uint32_t *faults = nullptr; // null: every element has a value
    BigInt<Bits> same{};

    WARPINT_HOST_DEVICE const std::uint32_t *at(std::size_t i) const {
        return limbs != nullptr ? limbs + i * limb_count : same.limbs;
    }
    WARPINT_HOST_DEVICE bool fault(std::size_t i) const {
        return faults != nullptr && fault_bit(faults, i);
    }
};
// Forms of residues are a R modulo a modulus that all share, R a power of two. They are raised as
// numbers are, but for two factors: P_A^2 / R modulo N brings a form into the system's Montgomery
// form, R modulo N out of it, as a form.
template <int Bits>
struct PowerForms {
    BigInt<Bits> into;
    BigInt<Bits> out_of;
};
template <>
struct PowerForms<0> {};

template <int base_bits_, int exponent_bits_, int bits_, bool of_forms_>
struct PowerOperands {
    static constexpr int base_bits = base_bits_;
    static constexpr int exponent_bits = exponent_bits_;
    static constexpr int bits = bits_; // of the modulus
    static constexpr bool of_forms = of_forms_;
    PowerOperand<base_bits> base;
    PowerOperand<exponent_bits> exponent;
    PowerOperand<bits> modulus;
    PowerForms<of_forms ? bits : 0> forms;
};

// How blocks are laid out, and what each has in memory. Numbers of more than 17 slots, above 2080
// bits, leave no room in registers for a second tile, nor in shared memory for the matrices.
template <int slots_>
struct PowerBlock {
    static constexpr int slots = slots_;
    static constexpr int channels = 4 * slots;
    static constexpr bool streams = slots > rns::most_resident_slots;
    static constexpr int tiles = streams ? 1 : 2; // of a warp
    static constexpr int warps = 8;
    static constexpr int threads = 32 * warps;
    static constexpr int numbers = 16 * tiles * warps;
    static constexpr int window = 5;
    static constexpr int powers = 1 << window;
    static constexpr int entry_of_square = powers;   // P_A^2 mod N: into Montgomery form
    static constexpr int entry_of_one = powers + 1;  // out of it
    static constexpr int entry_of_form = powers + 2; // P_A^2 / R
    static constexpr int entries = powers + 3;
    static constexpr int entry_words = 2 * channels; // factors of A, then of B

    // Words of a number: its table, the modulus' factors, residues of the base and of 1.
    static constexpr std::size_t table_words = std::size_t{entries} * entry_words;
    static constexpr std::size_t words = table_words + 2 * channels + 2 * channels;

    // Shared memory: the matrices or two buffers for parts of them, then the constants of channels.
    static constexpr int steps = slots / 2 + 1;
    static constexpr int matrix_bytes = steps * slots * 512;
    static constexpr int matrices = streams ? rns::streamed_bytes(slots) : 2 * matrix_bytes;
    static constexpr int constants = channels * static_cast<int>(sizeof(rns::Channel));
    static constexpr int constants_a = matrices;
    static constexpr int constants_b = constants_a + constants;
    static constexpr int words_of_kernel = constants_b + constants; // 0, longest exponent, spare
    static constexpr int barriers = words_of_kernel + 16;
    static constexpr int shared_bytes = barriers + 4 * 8;
};

// The bits of an exponent of so many limbs, and those of its digit of a block's window that begins
// at bit `at`.
template <int limbs>
__device__ __forceinline__ int exponent_length(const std::uint32_t *e) {
    int length = 0;
    for (int k = limbs - 1; k >= 0 && length == 0; --k)
        length = e[k] != 0 ? 32 * (k + 1) - __clz(static_cast<int>(e[k])) : 0;
    return length;
}
template <class Block, int limbs>
__device__ __forceinline__ std::uint32_t window_digit(const std::uint32_t *e, int at) {
    const int limb = at / 32;
    const std::uint32_t above = limb + 1 < limbs ? e[limb + 1] : 0;
    return __funnelshift_r(e[limb], above, at % 32) & (Block::powers - 1);
}

// What all blocks read of Tables, whatever their numbers' width.
struct PowerConstants {
    const signed char *matrix_to_a; // in the order of warps, then in that of groups
    const signed char *matrix_to_b;
    const rns::Channel *channels_a;
    const rns::Channel *channels_b;
    const rns::Residue *words_to_a; // [from][channel]
    const rns::Residue *words_to_b;
    const rns::Residue *alpha_to_a;
};

// Memory of a round of `count` numbers, each array of them one after another.
struct PowerSpace {
    std::uint32_t *tables;    // [number][entry][channel of A, of B]
    std::uint32_t *factors_a; // [number][channel]: the modulus' factors, of A
    std::uint32_t *factors_b; // [number][channel]: of B
    std::uint32_t *bases;     // [number][channel of B], biased; in the end the results
    std::uint32_t *ones;      // likewise: 1, later 1 in Montgomery form
    std::uint32_t *own;       // the modulus' factors again, as threads of a block read them
    std::uint32_t *squares;   // [number][limb]: P_A^2 mod N
    std::uint32_t *left;      // bit i: element i is left to the formula's own kernel
    int entry_of_base;        // that brings a base into Montgomery form
};

// The constants in tables that lie where kernels read them.
template <int bits>
WARPINT_HOST_DEVICE PowerConstants power_constants(const rns::Tables<bits> *tables) {
    return {tables->matrix_to_a[0], tables->matrix_to_b[0], tables->channels_a, tables->channels_b,
            tables->words_to_a[0],  tables->words_to_b[0],  tables->alpha_to_a};
}

// The memory of a round of n numbers; of blocks of several, n is a multiple of theirs.
template <class Operands>
struct PowerRound {
    static constexpr int limbs = BigInt<Operands::bits>::limb_count;
    using Block = PowerBlock<rns::Bases<Operands::bits>::slots>;

    WARPINT_HOST_DEVICE static constexpr std::size_t bytes(std::size_t n) {
        return n * 4 * (Block::words + 2 * Block::channels + limbs);
    }
    // memory: bytes(n) of them. left: a bit for each element of the batch.
    WARPINT_HOST_DEVICE static PowerSpace space_at(std::byte *memory, std::size_t n,
                                                   std::uint32_t *left) {
        auto *at = reinterpret_cast<std::uint32_t *>(memory);
        const auto next = [&](std::size_t words) {
            std::uint32_t *const here = at;
            at += n * words;
            return here;
        };
        PowerSpace space{};
        space.tables = next(Block::table_words);
        space.factors_a = next(Block::channels);
        space.factors_b = next(Block::channels);
        space.bases = next(Block::channels);
        space.ones = next(Block::channels);
        space.own = next(2 * Block::channels);
        space.squares = next(limbs);
        space.left = left;
        space.entry_of_base = Operands::of_forms ? Block::entry_of_form : Block::entry_of_square;
        return space;
    }
};

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80
#define WARPINT_HAS_TENSOR_POWERS 1
#else
#define WARPINT_HAS_TENSOR_POWERS 0
#endif

// Element first + i is number i of the round, which has `count`. A thread a number, whole warps.
template <class Operands>
__global__ void __launch_bounds__(128)
    prepare_powers_kernel(const __grid_constant__ Operands from, std::size_t first, unsigned count,
                          PowerSpace space, const rns::Tables<Operands::bits> *tables) {
#if WARPINT_HAS_TENSOR_POWERS
    constexpr int limbs = BigInt<Operands::bits>::limb_count;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool exists = i < count;
    bool is_left = false;
    if (exists) {
        const std::uint32_t *const memory = from.modulus.at(first + i);
        std::uint32_t modulus[limbs];
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < limbs; ++k)
            modulus[k] = memory[k];
        std::uint32_t above = 0;
        WARPINT_UNROLL_ALWAYS
        for (int k = 1; k < limbs; ++k)
            above |= modulus[k];
        is_left = (modulus[0] & 1u) == 0 || (above == 0 && modulus[0] < 3);
        if (is_left)
            modulus[0] |= 3; // no division by 0; nobody reads the result
        std::uint32_t square[limbs];
        rns::set_montgomery_factor(square, *tables, modulus);
        WARPINT_UNROLL_ALWAYS
        for (int k = 0; k < limbs; ++k)
            space.squares[std::size_t{i} * limbs + k] = square[k];
    }
    const unsigned left = __ballot_sync(0xffffffffu, is_left);
    if (exists && threadIdx.x % 32 == 0)
        space.left[(first + i) / 32] = left;
#endif
}

// A thread for each channel of both bases of each number.
template <class Operands>
__global__ void __launch_bounds__(256)
    enter_residues_kernel(const __grid_constant__ Operands from, std::size_t first, unsigned count,
                          PowerSpace space, const rns::Tables<Operands::bits> *tables) {
#if WARPINT_HAS_TENSOR_POWERS
    using Block = PowerBlock<rns::Bases<Operands::bits>::slots>;
    constexpr unsigned channels = Block::channels;
    constexpr int limbs = BigInt<Operands::bits>::limb_count;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const auto i = static_cast<unsigned>(thread / (2 * channels));
    const auto channel = static_cast<unsigned>(thread % (2 * channels));
    if (i >= count)
        return;
    const std::uint32_t *const modulus = from.modulus.at(first + i);
    const std::uint32_t *const square = space.squares + std::size_t{i} * limbs;
    std::uint32_t *const table = space.tables + i * Block::table_words;
    std::uint32_t *const of_square = table + Block::entry_of_square * Block::entry_words + channel;
    std::uint32_t *const of_one = table + Block::entry_of_one * Block::entry_words + channel;
    [[maybe_unused]] std::uint32_t *const of_form =
        table + Block::entry_of_form * Block::entry_words + channel;
    const std::size_t at = std::size_t{i} * channels + channel % channels;
    bool shares_a_prime = false;
    if (channel < channels) {
        const rns::ConversionOfA constants = tables->conversions_a[channel];
        const auto residue_of = [&](const std::uint32_t *number) {
            return rns::residue(number, limbs, constants.prime);
        };
        const std::uint32_t n = residue_of(modulus);
        shares_a_prime = n == 0;
        const rns::Residue one = rns::entry_of_one(constants, n);
        const auto entry_of = [&](const std::uint32_t *factor) {
            return static_cast<std::uint32_t>(
                rns::entry_of_factor(constants, one, residue_of(factor)));
        };
        space.factors_a[at] = static_cast<std::uint32_t>(one);
        if constexpr (Operands::of_forms) {
            *of_form = entry_of(from.forms.into.limbs);
            *of_one = entry_of(from.forms.out_of.limbs);
        } else {
            *of_one = static_cast<std::uint32_t>(one);
        }
        *of_square = entry_of(square);
    } else {
        const rns::ConversionOfB constants = tables->conversions_b[channel - channels];
        const auto residue_of = [&](const std::uint32_t *number, int length) {
            return rns::residue(number, length, constants.prime);
        };
        const std::uint32_t n = residue_of(modulus, limbs);
        shares_a_prime = n == 0;
        const auto entry_of = [&](std::uint32_t residue_of_factor) {
            return static_cast<std::uint32_t>(rns::entry_of_factor(constants, residue_of_factor));
        };
        space.factors_b[at] = static_cast<std::uint32_t>(rns::quotient_factor(constants, n));
        if constexpr (Operands::of_forms) {
            *of_form = entry_of(residue_of(from.forms.into.limbs, limbs));
            *of_one = entry_of(residue_of(from.forms.out_of.limbs, limbs));
        } else {
            *of_one = entry_of(1);
        }
        *of_square = entry_of(residue_of(square, limbs));
        space.bases[at] =
            rns::start_word(constants, residue_of(from.base.at(first + i),
                                                  BigInt<Operands::base_bits>::limb_count));
        space.ones[at] = rns::start_word(constants, 1);
    }
    if (shares_a_prime)
        atomicOr(space.left + (first + i) / 32, 1u << (i % 32));
#endif
}

// A step of the powers' program: what the numbers are before it, which entry they are multiplied
// by, and what becomes of them.
struct PowerStep {
    const std::uint32_t *source = nullptr; // new numbers; null: as they are
    int entry = 0;
    bool is_window = false; // squarings first; the entry is the exponent's
    int stored = -1;        // the entry that the numbers become, instead of a product
    std::uint32_t *result = nullptr;
};

// Entries 0 and 1, then 2 ... 31, then the windows from the top, then out of Montgomery form.
template <class Block>
__device__ __forceinline__ PowerStep power_step(int step, int windows, const PowerSpace &space) {
    constexpr int first_window = 2 * Block::powers;
    PowerStep r;
    r.entry = Block::entry_of_square;
    if (step == 0) { // 1
        r.source = space.ones;
        r.result = space.ones;
    } else if (step == 2) { // the base
        r.source = space.bases;
        r.entry = space.entry_of_base;
    } else if (step < first_window && step % 2 == 1) {
        r.stored = step / 2;
    } else if (step < first_window) {
        r.entry = 1;
    } else if (step < first_window + windows) {
        r.source = step == first_window ? space.ones : nullptr;
        r.is_window = true;
    } else {
        r.source = windows == 0 ? space.ones : nullptr;
        r.entry = Block::entry_of_one;
        r.result = space.bases;
    }
    return r;
}

#if WARPINT_HAS_TENSOR_POWERS
// The residues of an entry in one base, of a thread's two numbers in a tile: in registers, read all
// at once, or in memory.
template <int slots, bool in_registers>
struct PowerEntry {
    const std::uint32_t *rows[2];
    __device__ explicit PowerEntry(const std::uint32_t *const (&from)[2])
        : rows{from[0], from[1]} {}
    __device__ __forceinline__ std::uint32_t operator()(int slot, int row) const {
        return limb::tensor::load(rows[row] + 4 * slot);
    }
};
template <int slots>
struct PowerEntry<slots, true> {
    std::uint32_t words[2 * slots];
    __device__ __forceinline__ explicit PowerEntry(const std::uint32_t *const (&from)[2]) {
        WARPINT_UNROLL_ALWAYS
        for (int row = 0; row < 2; ++row) {
            WARPINT_UNROLL_ALWAYS
            for (int slot = 0; slot < slots; ++slot)
                words[2 * slot + row] = limb::tensor::load(from[row] + 4 * slot);
        }
    }
    __device__ __forceinline__ std::uint32_t operator()(int slot, int row) const {
        return words[2 * slot + row];
    }
};

#endif

// The powers of a block's numbers. Their exponents' longest decides how many windows there are.
template <int slots, int ExponentBits>
__global__ void __launch_bounds__(PowerBlock<slots>::threads, 1)
    powers_kernel(const __grid_constant__ PowerOperand<ExponentBits> exponents, std::size_t first,
                  unsigned count, const __grid_constant__ PowerSpace space,
                  const __grid_constant__ PowerConstants constants, const rns::Biases biases) {
#if WARPINT_HAS_TENSOR_POWERS
    using Block = PowerBlock<slots>;
    using Step = rns::FastestDigits;
    using Matrices =
        std::conditional_t<Block::streams, rns::StreamedMatrices<slots, Step, Block::threads>,
                           rns::ResidentMatrices<slots, Step>>;
    using Tiles = rns::Tiles<Step, Matrices, slots, Block::tiles>;
    constexpr int channels = Block::channels;
    constexpr int numbers = Tiles::numbers; // of a thread
    extern __shared__ uint4 shared[];
    auto *const bytes = reinterpret_cast<unsigned char *>(shared);
    const unsigned thread = threadIdx.x;
    const unsigned lane = thread % 32;
    // Constants of all numbers.
    const auto copy = [&](int to, const void *from, int length) {
        for (unsigned k = thread; k < static_cast<unsigned>(length) / 16; k += blockDim.x)
            shared[to / 16 + static_cast<int>(k)] = static_cast<const uint4 *>(from)[k];
    };
    constexpr int order = static_cast<int>(Step::order) * Block::matrix_bytes;
    if constexpr (!Block::streams) {
        copy(0, constants.matrix_to_b + order, Block::matrix_bytes);
        copy(Block::matrix_bytes, constants.matrix_to_a + order, Block::matrix_bytes);
#if WARPINT_HAS_GROUP_PRODUCTS
        limb::tensor::show_to_group_products();
#endif
    }
    copy(Block::constants_a, constants.channels_a, Block::constants);
    copy(Block::constants_b, constants.channels_b, Block::constants);
    const std::uint32_t base = limb::tensor::shared_address(shared);
    auto *const words = reinterpret_cast<std::uint32_t *>(bytes + Block::words_of_kernel);
    if (thread == 0) {
        words[0] = words[1] = 0;
        words[2] = rns::spare_word_of_quotient;
        if constexpr (Block::streams)
            Matrices::set_up(base + Block::barriers);
    }
    // The longest exponent.
    int longest = 0;
    constexpr int exponent_limbs = PowerOperand<ExponentBits>::limb_count;
    if (const std::size_t i = blockIdx.x * std::size_t{Block::numbers} + thread; i < count)
        longest = exponent_length<exponent_limbs>(exponents.at(first + i));
    // (A block has no maximum of its own; each warp's goes through shared memory.)
    longest = limb::warp::maximum(0xffffffffu, longest);
    auto *const most = reinterpret_cast<int *>(words + 1);
    __syncthreads();
    if (lane == 0)
        atomicMax(most, longest);
    __syncthreads();
    if constexpr (!Block::streams) {
        const unsigned before = thread / 32 / Step::warps * Step::warps;
        if ((blockIdx.x * Block::warps + before) * 16 * Block::tiles >= count)
            return; // all warps that compute together: no barrier follows
    }
    const int windows = (*most + Block::window - 1) / Block::window;

    // This thread's numbers: rows lane / 4 and lane / 4 + 8 of the warp's tiles.
    const unsigned row = (blockIdx.x * Block::warps + thread / 32) * 16 * Block::tiles + lane / 4;
    const unsigned channel = lane % 4;
    std::uint32_t *const own =
        space.own +
        std::size_t{blockIdx.x * Block::warps + thread / 32} * (2 * slots * 32 * numbers) +
        lane * 2 * Tiles::at_once;
    Tiles tiles;
    WARPINT_UNROLL_ALWAYS
    for (int slot = 0; slot < slots; ++slot) {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < numbers; ++i) {
            const std::size_t at = std::size_t{row + 8 * i} * channels + 4 * slot + channel;
            std::uint32_t *const to = own + Tiles::own_place(i / 2, slot) + i % 2;
            to[0] = space.factors_a[at];
            to[slots * 32 * numbers] = space.factors_b[at];
        }
    }
    tiles.zero = limb::tensor::load_shared(base + Block::words_of_kernel);
    tiles.spare_of_quotient = limb::tensor::load_shared(base + Block::words_of_kernel + 8);
    if constexpr (Block::streams) {
        tiles.matrices.to_a = constants.matrix_to_a + order;
        tiles.matrices.to_b = constants.matrix_to_b + order;
        tiles.matrices.buffers = shared;
        tiles.matrices.address = base;
        tiles.matrices.barriers = base + Block::barriers;
        tiles.matrices.start();
    } else {
        tiles.matrices.to_b = Step::place(base);
        tiles.matrices.to_a = Step::moved(tiles.matrices.to_b, Block::matrix_bytes);
    }
    tiles.in_a = reinterpret_cast<const rns::Channel *>(bytes + Block::constants_a) + channel;
    tiles.in_b = reinterpret_cast<const rns::Channel *>(bytes + Block::constants_b) + channel;
    tiles.own_a = own;
    tiles.own_b = tiles.own_a + slots * 32 * numbers;
    tiles.biases = biases;
    WARPINT_UNROLL_ALWAYS
    for (int t = 0; t < Block::tiles; ++t) {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < 2 * slots; ++i)
            tiles.a[t][i] = tiles.b[t][i] = rns::word_bias;
    }
#pragma unroll 1
    for (int step = 0; step <= 2 * Block::powers + windows; ++step) {
        const PowerStep what = power_step<Block>(step, windows, space);
        if (what.source != nullptr) {
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < numbers; ++i)
                tiles.alpha[i] = 0;
            WARPINT_UNROLL_ALWAYS
            for (int slot = 0; slot < slots; ++slot) {
                WARPINT_UNROLL_ALWAYS
                for (int i = 0; i < numbers; ++i) {
                    const std::uint32_t word =
                        what.source[std::size_t{row + 8 * i} * channels + 4 * slot + channel];
                    tiles.b[i / 2][2 * slot + i % 2] = word;
                    tiles.alpha[i] += rns::top_of<channels>(word);
                }
            }
            tiles.finish_alpha();
        }
        if (what.is_window) {
#pragma unroll 1
            for (int k = 0; k < Block::window; ++k)
                tiles.square_all();
        }
#pragma unroll 1
        for (int t = 0; t < Block::tiles; ++t) {
            std::uint32_t *to[2];
            const std::uint32_t *from_a[2];
            const std::uint32_t *from_b[2];
            WARPINT_UNROLL_ALWAYS
            for (int r = 0; r < 2; ++r) {
                const unsigned number = row + 16 * t + 8 * r;
                int entry = what.entry;
                if (what.is_window) {
                    const int at = Block::window * (windows - 1 - (step - 2 * Block::powers));
                    const std::size_t last = count - 1;
                    const std::uint32_t *const e =
                        exponents.at(first + (number < last ? number : last));
                    entry = static_cast<int>(window_digit<Block, exponent_limbs>(e, at));
                }
                std::uint32_t *const table = space.tables + number * Block::table_words + channel;
                to[r] = table + (what.stored >= 0 ? what.stored : entry) * Block::entry_words;
                // Residues that are stored are those of the numbers times the modulus' factors.
                from_a[r] = what.stored >= 0
                                ? space.factors_a + std::size_t{number} * channels + channel
                                : to[r];
                from_b[r] = what.stored >= 0 ? from_a[r] : to[r] + channels;
            }
            const PowerEntry<slots, !Block::streams> entry_a(from_a);
            const PowerEntry<slots, !Block::streams> entry_b(from_b);
            tiles.template multiply_half<rns::Base::a>(entry_a);
            if (what.stored >= 0) {
                tiles.matrices.template skip<rns::Base::b>();
                WARPINT_UNROLL_ALWAYS
                for (int slot = 0; slot < slots; ++slot) {
                    const rns::Channel in_a = tiles.in_a[4 * slot];
                    const rns::Channel in_b = tiles.in_b[4 * slot];
                    WARPINT_UNROLL_ALWAYS
                    for (int r = 0; r < 2; ++r) {
                        to[r][4 * slot] = static_cast<std::uint32_t>(
                            rns::entry_of_word(tiles.a[0][2 * slot + r], in_a, biases));
                        to[r][channels + 4 * slot] = static_cast<std::uint32_t>(
                            rns::entry_of_word(tiles.b[0][2 * slot + r], in_b, biases));
                    }
                }
            } else {
                tiles.alpha[0] = tiles.alpha[1] = 0;
                const std::uint32_t *const of_tiles = tiles.own_b;
                tiles.own_b += Tiles::own_place(t, 0);
                tiles.template multiply_half<rns::Base::b>(entry_b);
                tiles.own_b = of_tiles;
                tiles.finish_alpha(0);
                tiles.finish_alpha(1);
            }
            tiles.exchange_tiles();
        }
        if (what.result != nullptr) {
            WARPINT_UNROLL_ALWAYS
            for (int slot = 0; slot < slots; ++slot) {
                WARPINT_UNROLL_ALWAYS
                for (int i = 0; i < numbers; ++i)
                    what.result[std::size_t{row + 8 * i} * channels + 4 * slot + channel] =
                        tiles.b[i / 2][2 * slot + i % 2];
            }
        }
    }
    if constexpr (Block::streams)
        tiles.matrices.finish();
#endif
}

// A thread a number, whole warps: results, and fault bits.
template <class Operands, class T>
__global__ void __launch_bounds__(128)
    leave_residues_kernel(const __grid_constant__ Target<T> target,
                          const __grid_constant__ Operands from, std::size_t first, unsigned count,
                          PowerSpace space, const rns::Tables<Operands::bits> *tables) {
#if WARPINT_HAS_TENSOR_POWERS
    constexpr int channels = rns::Bases<Operands::bits>::channels;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool exists = i < count;
    bool fault = false;
    if (exists) {
        const std::size_t element = first + i;
        fault =
            from.base.fault(element) || from.exponent.fault(element) || from.modulus.fault(element);
        const std::uint32_t *const memory = from.modulus.at(element);
        if ((space.left[element / 32] >> (element % 32) & 1u) == 0) {
            BigInt<Operands::bits> result;
            rns::set_integer(result.limbs, *tables, space.bases + std::size_t{i} * channels,
                             memory);
            place<0>(target).data[element] = fault ? T{} : stored<T>(result);
        }
    }
    const unsigned faults = __ballot_sync(0xffffffffu, fault);
    if (exists && threadIdx.x % 32 == 0)
        set_fault_word(target, (first + i) / 32, faults);
#endif
}

} // namespace warpint::execution

#endif
