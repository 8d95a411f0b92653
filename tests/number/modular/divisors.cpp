// SPDX-License-Identifier: Apache-2.0
// Inverses, quotients, common divisors, Jacobi symbols and congruences at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration divisors([] {
#ifdef __CUDACC__
    add_inverses<31, 256>();
    add_quotients<131>();
    add_divisors<BigInt<64>, SignedBigInt<96>>();
    add_divisors<BigInt<256>, BigInt<256>>();
    add_bezout<SignedBigInt<131>, SignedBigInt<131>>();
    add_symbols<SignedBigInt<131>, BigInt<131>>();
    add_congruences<64>();
#ifdef WARPINT_LONG_TESTS
    add_inverses<7, 64, 131, 521, 1024, 2048>();
    add_quotients<64, 256>();
    add_divisors<BigInt<7>, BigInt<7>>();
    add_divisors<SignedBigInt<521>, BigInt<160>>();
    add_divisors<BigInt<1024>, BigInt<1024>>();
    add_divisors<BigInt<2048>, BigInt<2048>>();
    add_bezout<BigInt<64>, BigInt<96>>();
    add_bezout<BigInt<256>, BigInt<256>>();
    add_bezout<BigInt<1024>, BigInt<1024>>();
    add_symbols<BigInt<64>, BigInt<64>>();
    add_symbols<BigInt<256>, SignedBigInt<384>>();
    add_symbols<BigInt<2048>, BigInt<2048>>();
    add_congruences<131>();
    add_congruences<256>();
#endif
#else
    add_inverses<1, 7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 768, 1024, 2048>();
    add_quotients<7, 64, 131, 256, 521, 1024>();

    add_divisors<BigInt<7>, BigInt<7>>();
    add_divisors<SignedBigInt<31>, SignedBigInt<33>>();
    add_divisors<BigInt<64>, SignedBigInt<96>>();
    add_divisors<BigInt<131>, BigInt<131>>();
    add_divisors<BigInt<256>, BigInt<256>>();
    add_divisors<SignedBigInt<521>, BigInt<160>>();
    add_divisors<BigInt<1024>, BigInt<1024>>();
    add_divisors<BigInt<2048>, BigInt<2048>>();

    add_bezout<BigInt<7>, BigInt<7>>();
    add_bezout<SignedBigInt<32>, SignedBigInt<31>>();
    add_bezout<BigInt<64>, BigInt<96>>();
    add_bezout<SignedBigInt<131>, SignedBigInt<131>>();
    add_bezout<BigInt<256>, BigInt<256>>();
    add_bezout<BigInt<521>, SignedBigInt<192>>();
    add_bezout<BigInt<1024>, BigInt<1024>>();

    add_symbols<BigInt<7>, BigInt<7>>();
    add_symbols<SignedBigInt<33>, BigInt<31>>();
    add_symbols<BigInt<64>, BigInt<64>>();
    add_symbols<SignedBigInt<131>, BigInt<131>>();
    add_symbols<BigInt<256>, SignedBigInt<384>>();
    add_symbols<BigInt<768>, BigInt<768>>();
    add_symbols<BigInt<2048>, BigInt<2048>>();

    add_congruences<7>();
    add_congruences<32>();
    add_congruences<64, 96>();
    add_congruences<131>();
    add_congruences<256>();
    add_congruences<521, 384>();
    add_congruences<1024>();
#ifdef WARPINT_LONG_TESTS
    add_inverses<4096>();
    add_divisors<BigInt<4096>, BigInt<4096>>();
    add_bezout<BigInt<2048>, BigInt<2048>>();
#endif
#endif
});

} // namespace
} // namespace modular_test
