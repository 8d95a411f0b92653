// SPDX-License-Identifier: Apache-2.0
// Run under valgrind's memcheck by tools/constant_time.cmake: powers side by side in constant time,
// with bases, exponents and moduli that are marked as uninitialised (see
// number/modular/constant_time_leaks.cpp). Valgrind knows no AVX-512, so the vectors are emulated:
// it is the text of the algorithm that is checked. The verbs of the CPU's vectors that replace the
// emulated ones (arith/simd/machine/digits.h) are single instructions without a branch or an
// address that depends on a lane.
//
//   constant_time_leaks         nothing may be reported
//   constant_time_leaks leak    the variable-time powers of the same operands must be
#define WARPINT_SIMD_EMULATED

#include <warpint/constant_time.h>
#include <warpint/vector.h>

#include <valgrind/memcheck.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

using namespace warpint;

constexpr int count = 11; // a whole group of eight and a part of another

/// Pseudo-random numbers, all bits secret but those above their width and the lowest of odd ones.
template <int Bits>
host_vector<BigInt<Bits>> secrets(std::uint32_t seed, bool odd) {
    host_vector<BigInt<Bits>> batch(count);
    for (BigInt<Bits> &x : batch) {
        constexpr int limbs = BigInt<Bits>::limb_count;
        for (std::uint32_t &limb : x.limbs)
            limb = seed = seed * 1664525u + 1013904223u;
        constexpr std::uint32_t top = 0xffffffffu >> (32 * limbs - Bits);
        (void)VALGRIND_MAKE_MEM_UNDEFINED(x.limbs, sizeof(x.limbs));
        x.limbs[limbs - 1] &= top;
        if (odd)
            x.limbs[0] |= 1u;
    }
    return batch;
}

/// Whether memcheck reported something while function() ran, and whether its results are secret.
template <int Bits, class Function>
bool leaks(const Function &function, bool &secret) {
    const unsigned before = VALGRIND_COUNT_ERRORS;
    host_vector<BigInt<Bits>> result(count);
    function(result);
    const bool reported = VALGRIND_COUNT_ERRORS != before;
    std::uint8_t bits[sizeof(BigInt<Bits>)];
    secret = VALGRIND_GET_VBITS(result.data(), bits, sizeof(bits)) == 1 && bits[0] != 0;
    return reported;
}

int functions = 0;
int failures = 0;

template <int Bits, int ExponentBits>
void check(bool leaks_expected) {
    const auto a = secrets<Bits>(1, false);
    const auto e = secrets<ExponentBits>(2, false);
    const auto m = secrets<Bits>(3, true);
    bool secret = false;
    bool leaked = false;
    if (leaks_expected) {
        leaked = leaks<Bits>(
            [&](auto &result) {
                simd::power<Bits>({result.data(), sizeof(BigInt<Bits>), Bits},
                                  {a.data(), sizeof(BigInt<Bits>), Bits},
                                  {e.data(), sizeof(BigInt<ExponentBits>), ExponentBits},
                                  {m.data(), sizeof(BigInt<Bits>), Bits}, count);
            },
            secret);
    } else {
        leaked = leaks<Bits>([&](auto &result) { result = pow_ct(a, e, m); }, secret);
        if (!secret) {
            ++failures;
            std::puts("the result is not secret");
        }
    }
    ++functions;
    if (leaked != leaks_expected) {
        ++failures;
        std::printf("%s at %d bits\n", leaked ? "leaks" : "a leak was not noticed", Bits);
    }
}

} // namespace

int main(int argc, char **argv) {
    if (RUNNING_ON_VALGRIND == 0)
        return 77;
    const bool leaks_expected = argc > 1 && std::strcmp(argv[1], "leak") == 0;
    check<256, 70>(leaks_expected);
    check<521, 40>(leaks_expected);
    std::printf("%d functions, %d failures\n", functions, failures);
    return failures == 0 ? 0 : 1;
}
