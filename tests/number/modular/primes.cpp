// SPDX-License-Identifier: Apache-2.0
// Primality, the search for primes, and square roots modulo primes, at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration primes([] {
#ifdef __CUDACC__
    add_roots<64>();
    add_primes<131>();
    add_safe_primes<64>();
    add_next_primes<64>();
    add_next_safe_primes<33>();
    add_random_primes<64>();
    add_random_safe_primes<32>();
#ifdef WARPINT_LONG_TESTS
    add_roots<31, 131, 256, 521>();
    add_primes<7, 33, 64, 256, 521, 1024>();
    add_safe_primes<131, 256>();
    add_next_primes<32, 131, 256>();
    add_next_safe_primes<7, 64>();
    add_random_primes<7, 32, 96, 131, 256>();
    add_random_safe_primes<4, 64>();
#endif
#else
    add_roots<1, 7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 1024>();
    add_primes<1, 7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 768, 1024, 2048>();
    add_safe_primes<7, 33, 64, 131, 256, 521>();
    add_next_primes<7, 31, 32, 33, 64, 96, 131, 256, 521>();
    add_next_safe_primes<7, 32, 64, 96>();
    add_random_primes<2, 3, 7, 32, 64, 131, 256, 521>();
    add_random_safe_primes<3, 4, 7, 32, 64>();
#ifdef WARPINT_LONG_TESTS
    add_roots<2048>();
    add_primes<4096>();
    add_next_primes<1024>();
    add_random_primes<1024>();
#endif
#endif
});

} // namespace
} // namespace modular_test
