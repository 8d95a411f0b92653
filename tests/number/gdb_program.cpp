// SPDX-License-Identifier: Apache-2.0
// What tools/gdb_printer.cmake looks at with the printers of limb/debugger.h-gdb.py. A comment
// `gdb: expression -> text` is a print command and what it must show: those behind `before main`
// without running the program, those behind `in stop_here` one frame above a breakpoint there.

#include <warpint/bigint.h>
#include <warpint/modular.h>
#include <warpint/vector.h>

#include <cstring>
#include <vector>

using namespace warpint;

// before main
BigInt<1> bit = 1;                        // gdb: bit -> 1
BigInt<64> largest_decimal = ~0ull;       // gdb: largest_decimal -> 18446744073709551615
BigInt<65> smallest_hexadecimal = ~0ull;  // gdb: smallest_hexadecimal -> 0xffffffffffffffff
BigInt<256> zero = 0;                     // gdb: zero -> 0x0
SignedBigInt<7> small_negative = -64;     // gdb: small_negative -> -64
SignedBigInt<131> wide_negative = -65535; // gdb: wide_negative -> -0xffff
extern const BigInt<131> constant;
const BigInt<131> constant = 0xabcdef;    // gdb: constant -> 0xabcdef
constinit BigInt<33> several[2] = {5, 6}; // gdb: several -> {5, 6}
struct Pair {
    BigInt<16> first;
    SignedBigInt<100> second;
} pair = {1000, -2}; // gdb: pair -> {first = 1000, second = -0x2}
BigInt<4096> wide = BigInt<4096>(1) << 100;
// gdb: wide -> 0x10000000000000000000000000
// gdb: /d wide -> 1267650600228229401496703205376
// gdb: /x bit -> 0x1
// gdb: /t several[1] -> 0b110

void stop_here(std::size_t);
void stop_here(std::size_t) {}

void look(const BigInt<256> &reference, const std::vector<BigInt<96>> &numbers,
          const Modulus<64> &modulus);
void look(const BigInt<256> &reference, const std::vector<BigInt<96>> &numbers,
          const Modulus<64> &modulus) {
    using Number = const SignedBigInt<48>;
    Number local = -7;
    const BigInt<256> *pointer = &reference;
    BigInt<20> garbage;
    std::memset(&garbage, 0xff, sizeof garbage);
    const Modulus<96> odd(BigInt<96>(1000003)), even(BigInt<96>(1000002));
    const Residue<96> residue = odd(123), even_residue = even(-1);
    constexpr auto p = (BigInt<256>(1) << 255) - 19;
    constexpr auto q = BigInt<64>(1000003);
    const StaticResidue<p> folded = 5;
    const StaticResidue<q> montgomery = -1;
    constexpr auto half = (BigInt<128>(1) << 127) + 3;
    const StaticResidue<half> unknown = 0;
    const host_vector<BigInt<64>> vector = {1, 2, 3};
    const device_vector<BigInt<64>> quotients =
        device_vector<BigInt<64>>(vector) / device_vector<BigInt<64>>({1, 0, 3});
    const host_vector<Residue<96>> residues(odd, {5, -1}), without_modulus;
    const host_vector<StaticResidue<q>> static_residues = {1, 2};
    const auto element = residues[1];
    stop_here(reinterpret_cast<std::size_t>(pointer) + static_cast<std::size_t>(local) +
              numbers.size() + static_cast<std::size_t>(modulus.zeros()) + garbage.limbs[0] +
              residue.form().limbs[0] + even_residue.form().limbs[0] + folded.form.limbs[0] +
              montgomery.form.limbs[0] + unknown.form.limbs[0] + quotients.size() +
              without_modulus.size() + static_residues.size() + element.form().limbs[0]);
    // in stop_here
    // gdb: local -> -7
    // gdb: *pointer -> 0x123456789abcdef0
    // gdb: reference -> 0x123456789abcdef0
    // gdb: numbers[1] -> 0xffffffffffffffffffffffff
    // gdb: numbers -> {0x5, 0xffffffffffffffffffffffff}
    // gdb: modulus -> 12
    // gdb: garbage -> 1048575 (unused bits set: not initialised?)
    // gdb: /x local -> -0x7
    // gdb: residue -> 0x7b
    // gdb: even_residue -> 0xf4241
    // gdb: folded -> 0x5
    // gdb: montgomery -> 1000002
    // gdb: unknown -> form 0x0
    // gdb: vector -> vector of length 3 = {1, 2, 3}
    // gdb: quotients -> vector of length 3 = {1, none, 1}
    // gdb: residues -> vector of length 2 modulo 0xf4243 = {0x5, 0xf4242}
    // gdb: /d residues -> vector of length 2 modulo 1000003 = {5, 1000002}
    // gdb: without_modulus -> vector of length 0
    // gdb: static_residues -> vector of length 2 = {1, 2}
    // gdb: element -> 0xf4242
}

int main() {
    look(BigInt<256>(0x123456789abcdef0), {BigInt<96>(5), ~BigInt<96>(0)},
         Modulus<64>(BigInt<64>(12)));
    return static_cast<int>(several[0].limbs[0] + pair.first.limbs[0] - 1005u);
}
