// SPDX-License-Identifier: Apache-2.0
// The matrix steps of powers on tensor cores, whichever of them this GPU takes: the sums that its
// instructions make of bytes and digits, the largest there can be among them, are the exact ones.
#include "support/operands.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/arith/rns/tile.h>

#include <cstdint>
#include <vector>

using namespace warpint;

namespace {

template <int digit_bits, int Bits>
__global__ void sum_kernel(const rns::Word *words, const uint4 *matrix, int *sums) {
#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80
    using Step = std::conditional_t<digit_bits == 16, rns::WarpDigits16, rns::WarpDigits8>;
    constexpr int slots = rns::Bases<Bits>::slots;
    constexpr int steps = rns::Bases<Bits>::k_steps;
    rns::Tiles<Step, rns::ResidentMatrices<slots, Step>, slots, 1> tiles;
    __shared__ uint4 shared[steps * 512 / 16];
    for (unsigned i = threadIdx.x; i < steps * 512 / 16; i += 32)
        shared[i] = matrix[i];
    __syncwarp();
    // The word of a number for a slot and a lane's channel; behind the slots the spare one.
    const auto word = [&](int row, int slot) {
        return words[((threadIdx.x / 4 + 8 * row) * (slots + 1) + slot) * 4 + threadIdx.x % 4];
    };
    for (int row = 0; row < 2; ++row) {
        for (int slot = 0; slot < slots; ++slot)
            tiles.b[0][2 * slot + row] = word(row, slot);
        tiles.spare[row] = word(row, slots);
    }
    int own[1][8];
    tiles.template change_base<rns::Base::a, 1, 0>(
        Step::place(limb::tensor::shared_address(shared)), own);
    for (int i = 0; i < 8; ++i)
        sums[threadIdx.x * 8 + i] = own[0][i];
#endif
}

// 16 numbers of bytes byte(number, row) times the 16 columns of a slot of digits digit(row,
// column).
template <int digit_bits, int Bits, class Byte, class Digit>
void check(Byte &&byte, Digit &&digit) {
    constexpr int slots = rns::Bases<Bits>::slots;
    constexpr int rows = rns::Bases<Bits>::rows;
    static_assert(rows == 16 * (slots + 1));
    std::vector<std::int64_t> expected(16 * 16, 0);
    std::vector<std::uint32_t> words(16 * (slots + 1) * 4, 0);
    std::vector<std::uint8_t> matrix(rows * 16, 0);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < 16; ++column) {
            const int d = digit(row, column);
            const int at =
                rns::matrix_byte<Bits>(rns::MatrixOrder::of_warps, row, column / 4, column % 4);
            matrix[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(d);
            for (int number = 0; number < 16; ++number)
                expected[static_cast<std::size_t>(16 * number + column)] += d * byte(number, row);
        }
        for (int number = 0; number < 16; ++number) {
            const int at = (number * (slots + 1) + row / 16) * 4 + row % 16 / 4;
            words[static_cast<std::size_t>(at)] |= static_cast<std::uint32_t>(byte(number, row))
                                                   << 8 * (row % 4);
        }
    }
    rns::Word *words_there = nullptr;
    uint4 *matrix_there = nullptr;
    int *sums_there = nullptr;
    int got[32 * 8] = {};
    REQUIRE(cudaMalloc(&words_there, 4 * words.size()) == cudaSuccess);
    REQUIRE(cudaMalloc(&matrix_there, matrix.size()) == cudaSuccess);
    REQUIRE(cudaMalloc(&sums_there, sizeof(got)) == cudaSuccess);
    REQUIRE(cudaMemcpy(words_there, words.data(), 4 * words.size(), cudaMemcpyHostToDevice) ==
            cudaSuccess);
    REQUIRE(cudaMemcpy(matrix_there, matrix.data(), matrix.size(), cudaMemcpyHostToDevice) ==
            cudaSuccess);
    sum_kernel<digit_bits, Bits><<<1, 32>>>(words_there, matrix_there, sums_there);
    REQUIRE(cudaMemcpy(got, sums_there, sizeof(got), cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaFree(words_there) == cudaSuccess);
    REQUIRE(cudaFree(matrix_there) == cudaSuccess);
    REQUIRE(cudaFree(sums_there) == cudaSuccess);
    for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < 8; ++i) {
            const int number = lane / 4 + 8 * (i / 2 % 2);
            const int column = 4 * (lane % 4) + 2 * (i / 4) + i % 2;
            CHECK(got[8 * lane + i] == expected[static_cast<std::size_t>(16 * number + column)]);
        }
    }
}

template <int digit_bits, int Bits>
void check_all() {
    const auto all = [](int value) { return [value](int, int) { return value; }; };
    check<digit_bits, Bits>(all(255), all(-128));
    check<digit_bits, Bits>(all(255), all(127));
    check<digit_bits, Bits>(
        all(255), [](int row, int column) { return (row + column) % 2 == 0 ? 127 : -128; });
    // The largest sum, and then back.
    check<digit_bits, Bits>(
        all(255), [](int row, int) { return row < rns::Bases<Bits>::rows / 2 ? 127 : -128; });
    check<digit_bits, Bits>(all(1), all(-1));
    test::OperandSource source(test::property_seed("matrix steps", Bits));
    std::vector<int> bytes(16 * rns::Bases<Bits>::rows), digits(bytes.size());
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = source.below(256);
            digits[i] = source.below(256) - 128;
        }
        check<digit_bits, Bits>(
            [&](int number, int row) { return bytes[static_cast<std::size_t>(16 * row + number)]; },
            [&](int row, int column) {
                return digits[static_cast<std::size_t>(16 * row + column)];
            });
    }
}

} // namespace

TEST_CASE("signed 8-bit digits and 32-bit sums") {
    check_all<8, 768>();
    check_all<8, 4096>();
}

TEST_CASE("half precision and sums in single precision") {
    check_all<16, 768>();
    check_all<16, 3000>(); // all bytes in one sum
    check_all<16, 4096>(); // in two
}
